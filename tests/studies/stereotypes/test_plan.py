"""What the stereotypes study takes from the tables, what it runs, and what it leaves out."""

import pytest

from textparity.errors import ConfigError
from textparity_studies.stereotypes.plan import StereotypesPlan
from textparity_studies.workflow.study import StudyContext

LOCAL, PAPERS = "gemma3-270m-sentences", "gpt-3.5-turbo"


@pytest.fixture
def plan(repository, monkeypatch):
    """Plan the study with these settings of it, and others of the configuration."""
    monkeypatch.chdir(repository)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("TEXTPARITY_MIRROR", raising=False)

    def plan(others=(), **settings):
        return StereotypesPlan(StudyContext.load({"stereotypes": settings, **dict(others)}, base=repository))

    return plan


def test_lexicons_and_generators_make_sets_of_sentences(plan):
    made = plan(generators=[PAPERS, LOCAL], lexicons=["gender_decoder", "gaucher"], sets=2)
    assert len(made.sets) == 8
    assert made.sets[1] == ("gender_decoder", PAPERS, 2)
    # Both procedures, by each of two classifiers.
    assert len(made.classified) == 8 * 2 * 2
    assert made.classified[-1] == ("gaucher", LOCAL, 2, "corrected", "logistic_regression")


def test_sets_that_the_paper_publishes_are_classified_if_the_user_has_them(plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert plan().published_sets == []
    (tmp_path / "soundararajan").mkdir()
    (tmp_path / "soundararajan" / "cryan_2.csv").write_text("kind,word,text\n")
    made = plan(classifiers=["majority"])
    assert made.published_sets == [("cryan", "published", 2)]
    assert [unit[:3] for unit in made.classified] == [("cryan", "published", 2)] * 2


def test_without_a_generator_what_people_wrote_is_classified(plan):
    made = plan()
    assert (made.sets, made.classified, made.datasets) == ([], [], [])
    assert made.human_experiments == [
        ("within", "the pairs (5 folds)", name) for name in ("majority", "logistic_regression")
    ]
    without = plan(stereotype_pairs=None)
    assert (without.reads_pairs, without.human_experiments) == (False, [])


def test_what_people_wrote_is_classified_after_training_on_each_generator(plan):
    made = plan(generators=[LOCAL], sets=2, classifiers=["majority"])
    learnt_from = f"from.gaucher.{LOCAL}"
    assert made.human_experiments[1:] == [(learnt_from, f"gaucher, {LOCAL}", "majority")]
    assert made.training_sets == {"within": [], learnt_from: made.sets}


def test_annotators_are_compared_if_there_is_a_sample(plan):
    assert plan(annotations=["anna.csv"]).annotations == []
    made = plan(annotations=["anna.csv"], generators=[LOCAL])
    assert made.annotations == ["anna.csv"]
    assert made.datasets == [("gaucher", LOCAL)]


def test_what_cannot_run_is_left_out_and_said(plan, tmp_path, monkeypatch):
    reasons = {"bert-base-uncased": "its files are not here"}
    monkeypatch.setattr(f"{StereotypesPlan.__module__}.missing_classifier", lambda row: reasons.get(row.name, ""))
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n", "utf-8")
    others = {"skip_unavailable": True, "mirror": str(tmp_path)}
    settings = {"generators": [PAPERS], "classifiers": ["majority", "bert-base-uncased"]}
    made = plan(others, **settings)
    assert [row[:3] for row in made.not_run] == [
        ["", "eng", "bert-base-uncased"], ["", "eng", PAPERS], ["stereotype_pairs", "eng", ""],
    ]  # fmt: skip
    assert made.not_run[0][3].endswith(": its files are not here")
    assert made.not_run[1][3].startswith("withdrawn: gpt-3.5-turbo by ")
    assert made.classifiers == ["majority"]
    assert made.human_experiments == []
    # Without it, their jobs fail and say so.
    assert plan(**settings).not_run == []
    assert plan(**settings).classifiers == ["majority", "bert-base-uncased"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"lexicons": ["cryan"]}, r"stereotypes\.lexicons: cryan is not a row of .*; it has gaucher, gender_dec"),
        (
            {"generators": ["gpt-9"]},
            r"stereotypes\.generators: gpt-9 is not a row of .*language_models\.tsv; it has gpt-4",
        ),
        (
            {"generators": ["gpt-4o"], "prompt": "none"},
            r"gpt-4o is asked in chat mode, and .* has no prompt none in eng",
        ),
        ({"classifiers": ["none"]}, r"stereotypes\.classifiers: none is not a row of"),
        ({"tries": 3}, r"stereotypes\.tries: is now stereotypes\.max_attempts"),
    ],
)
def test_what_is_in_no_table_is_named(plan, values, message):
    with pytest.raises(ConfigError, match=message):
        plan(**values)


@pytest.mark.parametrize("generators", [[], ["gpt-4o"]])
def test_person_nouns_are_needed_for_sentences_of_models_and_of_people(plan, generators):
    with pytest.raises(ConfigError, match=r"person_nouns: none is not in .*; sentences are checked and"):
        plan({"person_nouns": "none", "studies": ["stereotypes"]}, generators=generators)


def test_a_study_that_is_off_asks_nothing_of_the_tables(plan):
    made = plan({"studies": ["lexicon"]}, lexicons=["cryan"], generators=["gpt-9"], classifiers=["none"])
    assert (made.lexicons, made.not_run, made.sets, made.human_experiments) == ([], [], [], [])
