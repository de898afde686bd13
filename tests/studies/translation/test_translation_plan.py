"""What the translation study runs, and what it leaves out and why."""

import pytest

from support.plans import make_plan
from textparity.errors import ConfigError


def test_languages_and_systems_are_chosen(repository):
    plan = make_plan(repository, "translation", languages=["deu", "rus"], translation={"systems": ["bing", "sota"]})
    assert plan.units == [("bing", "deu"), ("bing", "rus"), ("sota", "deu")]
    with pytest.raises(ConfigError, match=r"translation.systems: .*deepl"):
        make_plan(repository, "translation", translation={"systems": ["deepl"]})


def test_what_cannot_run_says_why(repository, tmp_path):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n")
    plan = make_plan(repository, "translation", languages=["deu"], skip_unavailable=True, mirror=str(tmp_path))
    assert plan.units == []
    assert {tuple(row[:3]) for row in plan.not_run} == {(name, "deu", "") for name in plan.settings.systems}
    assert all(row[3].endswith("is not in the mirror") for row in plan.not_run)


def test_annotations_of_absent_translations_go_to_the_first_system(repository):
    plan = make_plan(repository, "translation", translation={"systems": ["google", "bing", "sota"]})

    def annotated(system, lang):
        return [row.system for row in plan.annotated(system, lang)]

    # Amazon's German and Arabic are annotated, and do not run.
    assert annotated("google", "deu") == ["aws"] and annotated("bing", "deu") == []
    assert annotated("google", "spa") == ["google"] and annotated("bing", "fra") == ["bing"]
    assert annotated("google", "arb") == ["aws"]


def test_hebrew_has_scores_and_no_methods(repository):
    plan = make_plan(repository, "translation", translation={"systems": ["google"], "methods": ["words"]})
    assert ("google", "heb") in plan.units
    assert (plan.methods("heb"), plan.tools("heb"), plan.language("heb")) == ([], [], {})
