"""Which sets of stories there are, and in which languages."""

import pytest

from textparity.errors import ConfigError, TableError
from textparity_studies.propagation.base_models import check_story_languages, load_story_sets
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

HEADER = "condition\tlang\tcorpus\n"
ENGLISH = "male\teng\tmen\nbalanced\teng\tboth\nfemale\teng\twomen\n"


@pytest.fixture
def registry(repository):
    return StudyRegistry(Tables().model_dump(), repository)


def test_the_shipped_sets_are_nine_of_the_corpora_table(registry):
    sets = load_story_sets(registry.paths["story_sets"])
    assert len(sets) == 9
    assert sets["balanced", "cat"] == "stories_balanced"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("males\teng\tmen\n", "line 2, column condition: 'males'"),
        ("male\teng\t\n", "line 2, column corpus: is empty"),
        (ENGLISH + "male\teng\tothers\n", "line 5: male eng is a duplicate"),
        (ENGLISH + "male\tspa\tmen\n", "spa has no row for balanced, female"),
    ],
)
def test_a_malformed_table_of_sets_is_named(tmp_path, rows, said):
    (tmp_path / "sets.tsv").write_text(HEADER + rows, "utf-8")
    with pytest.raises(TableError, match=f"sets.tsv.*{said}"):
        load_story_sets(tmp_path / "sets.tsv")


def test_a_language_without_sets_is_named():
    sets = {("male", "eng"): "men"}
    check_story_languages(["eng"], sets, "languages", "sets.tsv")
    with pytest.raises(ConfigError, match=r"propagation\.languages: deu not in sets\.tsv; it has eng"):
        check_story_languages(["eng", "deu"], sets, "languages", "sets.tsv")
