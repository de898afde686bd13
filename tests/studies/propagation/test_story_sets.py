"""Which sets of stories there are, in which languages, and which models can write or tag them."""

import pytest

from textparity.errors import ConfigError, TableError
from textparity.llm.models import load_models
from textparity.studies.propagation.availability import check_story_models, story_set_gaps
from textparity.studies.propagation.story_sets import ASKED_CONDITIONS, check_story_languages, load_story_sets
from textparity.workflow.config import Config, Tables
from textparity.workflow.registry import Registry

HEADER = "condition\tlang\tcorpus\n"
ENGLISH = "male\teng\tmen\nbalanced\teng\tboth\nfemale\teng\twomen\n"
PROMPTS = {"tagger": ["tag_words"], "story_generator": [f"stories_{condition}" for condition in ASKED_CONDITIONS]}


@pytest.fixture
def registry(repository):
    return Registry(Tables().model_dump(), repository)


def config(mirror=None, **propagation):
    return Config.model_validate({"propagation": propagation, "mirror": mirror})


def test_the_shipped_sets_are_nine_of_the_corpora_table(registry):
    sets = load_story_sets(registry.paths["story_sets"])
    assert len(sets) == 9
    assert sets["balanced", "cat"] == "stories_balanced"
    assert story_set_gaps(registry, config(), sets) == {}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("males\teng\tmen\n", "line 2, column condition: 'males' is none of male, balanced, female"),
        ("male\teng\t\n", "line 2, column corpus: is empty"),
        (ENGLISH + "male\teng\tothers\n", "line 5: male eng stands twice"),
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


def test_a_set_without_its_corpus_is_an_error_and_one_out_of_reach_a_gap(registry, tmp_path):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n", "utf-8")
    only = {"languages": ["eng"], "training_languages": ["eng"]}
    gaps = story_set_gaps(registry, config(str(tmp_path), **only), load_story_sets(registry.paths["story_sets"]))
    assert sorted(gaps) == [("balanced", "eng"), ("female", "eng"), ("male", "eng")]
    assert "stories-en-M.txt is not in the mirror" in gaps["male", "eng"]
    for corpus in ("none", "flores"):
        sets = {("male", "eng"): "stories_male", ("male", "spa"): corpus}
        if corpus == "flores":
            assert ("male", "spa") in story_set_gaps(registry, config(str(tmp_path)), sets)
        else:
            with pytest.raises(ConfigError, match=r"story_sets\.tsv: none \(male spa\) is no row of"):
                story_set_gaps(registry, config(), sets)


def test_the_papers_generator_has_a_prompt_in_every_language(registry):
    models = load_models(registry.paths["language_models"])
    papers = config(story_generator="gpt-4o-stories", tagger="gpt-4-turbo")
    check_story_models(registry, papers, models, **PROMPTS)
    for lang in ("eng", "spa", "cat"):
        assert {name for name, its, mode in registry.prompts if (its, mode) == (lang, "chat")} >= {
            f"stories_{condition}" for condition in ASKED_CONDITIONS
        }


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"story_generator": "gpt-9"}, r"story_generator: gpt-9 is no row of .*language_models\.tsv; it has gpt-4"),
        ({"tagger": "gpt-9"}, r"tagger: gpt-9 is no row of"),
        (
            {"story_generator": "gemma3-270m-stories"},
            r"gemma3-270m-stories is asked in completion mode, and .* has no prompt stories_female in spa",
        ),
    ],
)
def test_a_model_that_cannot_be_asked_is_named(registry, values, said):
    models = load_models(registry.paths["language_models"])
    with pytest.raises(ConfigError, match=rf"propagation\.{said}" if "asked" not in said else said):
        check_story_models(registry, config(**values), models, **PROMPTS)
