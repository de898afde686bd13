"""Which models and lexicons the stereotypes study takes from the tables."""

import pytest

from textparity.errors import ConfigError
from textparity.llm.models import load_models
from textparity.studies.stereotypes.availability import select_coded_lexicons, select_generators
from textparity.workflow.config import Config, Tables
from textparity.workflow.registry import Registry


@pytest.fixture
def registry(repository):
    return Registry(Tables().model_dump(), repository)


@pytest.fixture
def models(registry):
    return load_models(registry.paths["language_models"])


def config(**stereotypes):
    return Config.model_validate({"stereotypes": stereotypes})


def test_the_papers_model_and_the_local_one_have_a_prompt(registry, models):
    names = ["gpt-3.5-turbo", "gemma3-270m-sentences"]
    assert select_generators(registry, config(generators=names), models) == names


def test_both_lexicons_can_be_chosen(registry):
    found = select_coded_lexicons(registry, config(lexicons=["gender_decoder", "gaucher"]))
    assert [row.lexicon for row in found] == ["gender_decoder", "gaucher"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"generators": ["gpt-9"]},
            r"stereotypes\.generators: gpt-9 is no row of .*language_models\.tsv; it has gpt-4",
        ),
        (
            {"generators": ["gpt-4o"], "prompt": "none"},
            r"gpt-4o is asked in chat mode, and .* has no prompt none in eng",
        ),
    ],
)
def test_a_generator_that_cannot_be_asked_is_named(registry, models, values, message):
    with pytest.raises(ConfigError, match=message):
        select_generators(registry, config(**values), models)


@pytest.mark.parametrize("generators", [[], ["gpt-4o"]])
def test_person_nouns_are_needed_for_sentences_of_models_and_of_people(registry, models, generators):
    unknown = Config.model_validate({"person_nouns": "none", "stereotypes": {"generators": generators}})
    with pytest.raises(ConfigError, match=r"person_nouns: none is no row of .*; sentences are checked and"):
        select_generators(registry, unknown, models)


def test_an_unknown_lexicon_is_named(registry):
    with pytest.raises(ConfigError, match=r"stereotypes\.lexicons: cryan is no row of .*; it has gaucher, gender_dec"):
        select_coded_lexicons(registry, config(lexicons=["cryan"]))


def test_a_study_that_is_off_asks_nothing_of_the_tables(registry, models):
    off = config(lexicons=["cryan"], generators=["gpt-9"]).model_copy(update={"studies": ["lexicon"]})
    assert select_coded_lexicons(registry, off) == select_generators(registry, off, models) == []
