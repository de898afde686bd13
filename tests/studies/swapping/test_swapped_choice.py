"""`swapping.swapped`: a row of the table, or the sentences that the rules make."""

import pytest

from textparity.errors import ConfigError
from textparity.studies.swapping.availability import swapping_gaps
from textparity.workflow.config import load_config
from textparity.workflow.registry import Registry


def gaps(repository, tmp_path, swapped, mirror=False):
    settings = {"swapping": {"swapped": swapped}}
    if mirror:
        (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n", encoding="utf-8")
        settings["mirror"] = str(tmp_path)
    config = load_config(settings, {})
    return swapping_gaps(Registry(config.tables.model_dump(), base=repository), config)


def test_rules_are_no_row(repository, tmp_path):
    assert gaps(repository, tmp_path, "rules") == {}
    assert set(gaps(repository, tmp_path, "ner_uk_swapped", mirror=True)) == {"ner_uk", "ner_uk_swapped"}
    assert set(gaps(repository, tmp_path, "rules", mirror=True)) == {"ner_uk"}


@pytest.mark.parametrize(("swapped", "message"), [("rule", "it has .*, rules$"), ("ner_uk", "is not swapped from")])
def test_another_name_is_an_error(repository, tmp_path, swapped, message):
    with pytest.raises(ConfigError, match=message):
        gaps(repository, tmp_path, swapped)
