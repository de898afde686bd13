"""Each number that Derner 2025 prints, beside ours or the reason why there is none."""

import pandas as pd
import pytest
from ledgers import ledger_rows

from textparity.counting import PROCEDURES
from textparity_studies.measures.gender_ratios import RATIO
from textparity_studies.measures.tag_counts import COUNTS
from textparity_studies.report.ledger import read_published
from textparity_studies.representation.scores import MEASURES, SCORE_COLUMNS, summarise_scores
from textparity_studies.workflow.config import Tables, load_config
from textparity_studies.workflow.registry import StudyRegistry

NO_KEY = "gated: the environment variable OPENAI_API_KEY is not set"


@pytest.fixture
def published(repository):
    return repository / "resources" / "representation" / "published.csv"


@pytest.fixture
def build(tmp_path):
    """Build the ledger from frames; returns its rows by table, row and column."""

    def build(polarity=None, tags=None, scores=None, epicene=None, gaps=(), withdrawn=()):
        frames = {"polarity_summary": polarity, "tags_summary": tags, "scores": scores, "tables/epicene": epicene}
        if scores is not None:
            frame = pd.DataFrame(scores).reindex(columns=SCORE_COLUMNS)
            frame[list(MEASURES)] = frame[list(MEASURES)].astype(float)
            for procedure in PROCEDURES:
                frames[f"tables/{procedure}/validation"] = summarise_scores(frame, procedure).frame
        tables = {f"representation/{name}.csv": frame for name, frame in frames.items() if frame is not None}
        return ledger_rows("representation", tmp_path, tables, gaps, withdrawn=dict(withdrawn))

    return build


def tags(corpus, lang, first, reason="", tagger="gpt-4-turbo"):
    """Rows of a summary of tags: counts first, first + 1, …, their ratio first / 10; corrected ones 1,000 more."""
    rows = []
    for number, procedure in enumerate(PROCEDURES):
        row = {"corpus": corpus, "lang": lang, "tagger": tagger, "procedure": procedure, "reason": reason}
        if not reason:
            row |= {name: first + place + 1000 * number for place, name in enumerate(COUNTS)}
            row[RATIO] = first / 10 + number
        rows.append(row)
    return rows


def scores(gold, tagger, accuracies, reason=""):
    rows = [
        {"gold": gold, "tagger": tagger, "procedure": procedure, "run": run, "reason": reason}
        | {name: accuracy + place + 10 * number for place, name in enumerate(("accuracy", "precision", "recall"))}
        | {"f1": accuracy - 1}
        for number, procedure in enumerate(PROCEDURES)
        for run, accuracy in enumerate(accuracies, start=1)
    ]
    return rows or [{"gold": gold, "tagger": tagger, "reason": reason}]


def ours(rows, *keys):
    return [(float(rows[key]["ours_published"]), float(rows[key]["ours_corrected"])) for key in keys]


def test_no_published_number_is_dropped(build, published, tmp_path):
    numbers = read_published(published)
    rows = build()
    assert list(rows) == [(number.table, number.row, number.column) for number in numbers]
    assert {row["study"] for row in rows.values()} == {"representation"}
    arithmetic = [key for key, row in rows.items() if row["evidence"] == "arithmetic"]
    assert {row["verdict"] for key, row in rows.items() if key not in arithmetic} == {"not run"}
    # Every sum and ratio follows from what the paper prints beside it, but one.
    assert len(arithmetic) == 61
    wrong = {key: rows[key]["ours_published"] for key in arithmetic if rows[key]["verdict"] == "differs"}
    assert wrong == {("6", "DSCV+DSCCV 2", "person"): "881"}
    assert all(row["reason"] for row in rows.values())
    assert [row["published"] for row in rows.values()] == [number.value for number in numbers]


def test_english_polarity_goes_to_tables_1_and_7(build):
    frame = [
        {
            "corpus": "europarl_2",
            "procedure": procedure,
            "masculine": 38 + number,
            "feminine": 26,
            "masculine_per_feminine": 1.5,
        }
        for number, procedure in enumerate(PROCEDURES)
    ]
    rows = build(polarity=frame)
    found = ours(rows, ("7", "Europarl 2", "masculine"), ("7", "Europarl 2", "feminine"))
    assert found == [(38, 39), (26, 26)]
    keys = [("7", "Europarl 2", "masculine_per_feminine"), ("1", "Europarl 2", "english_masculine_per_feminine")]
    assert ours(rows, *keys) == [(1.5, 1.5)] * 2
    assert rows["7", "Europarl 2", "masculine"]["verdict"] == "exact"
    assert rows["7", "Europarl 1", "masculine"]["verdict"] == "not run"


def test_tagged_corpora_go_to_tables_1_2_5_and_6(build):
    # The same corpus may have texts in both languages.
    rows = build(tags=[*tags("europarl_1", "spa", 10), *tags("europarl_1", "cat", 70), *tags("boua_1", "cat", 40)])
    for table, corpus, first in (("5", "Europarl 1", 10), ("6", "BOUA 1", 40)):
        counts = [(first + place, first + place + 1000) for place in range(6)]
        assert ours(rows, *((table, corpus, name) for name in COUNTS)) == counts
    ratios = [
        ("1", "Europarl 1", "spanish_person_masculine_per_feminine"),
        ("5", "Europarl 1", "person_masculine_per_feminine"),
        ("2", "BOUA 1", "person_masculine_per_feminine"),
        ("6", "BOUA 1", "person_masculine_per_feminine"),
    ]
    assert ours(rows, *ratios) == [(1.0, 2.0)] * 2 + [(4.0, 5.0)] * 2
    assert {rows[key]["reason"] for key in ratios} == {"tagged by gpt-4-turbo"}
    assert rows["1", "Europarl 1", "english_masculine_per_feminine"]["evidence"] == "arithmetic"


def test_another_tagger_than_the_papers_is_named(build):
    # Its first count is the paper's.
    rows = build(tags=tags("europarl_1", "spa", 3531, tagger="small"))
    row = rows["5", "Europarl 1", "masculine"]
    assert (row["verdict"], row["setup"]) == ("other setup", "tagged by small, the paper by gpt-4-turbo")
    assert rows["5", "Europarl 1", "person"]["verdict"] == "other setup"


def test_scores_go_to_table_4_and_appendix_c(build):
    rows = build(
        scores=[*scores("spanish", "gpt-4-turbo", [80, 84, 88]), *scores("valencian", "gpt-4-turbo", [70, 72])]
    )
    columns = ("accuracy", "precision", "recall", "f1")
    spanish = [("4", "gpt-4-turbo", column) for column in columns]
    assert ours(rows, *spanish) == [(84, 94), (85, 95), (86, 96), (83, 83)]
    assert ours(rows, ("4", "gpt-4-turbo", "accuracy_sd")) == [(4, 4)]
    valencian = [("App. C", "gpt-4-turbo", column) for column in columns]
    assert ours(rows, *valencian) == [(71, 81), (72, 82), (73, 83), (70, 70)]
    assert rows["4", "gpt-4-turbo", "accuracy"]["setup"] == "3 runs, the paper 5"
    whole = build(scores=scores("spanish", "gpt-4-turbo", [89.4] * 5))["4", "gpt-4-turbo", "accuracy"]
    assert (whole["verdict"], whole["setup"]) == ("exact", "")


def test_epicene_words_go_to_table_10_and_appendix_i(build):
    frame = [
        {"lang": lang, "tagger": "gpt-4-turbo", "word": word, "gender": gender, "frequency": frequency,
         "percent_of_person": frequency / 10}
        for lang, word, gender, frequency in (
            ("spa", "persona", "feminine", 30), ("spa", "miembro", "masculine", 20), ("spa", "miembro", "feminine", 3),
            ("cat", "persona", "feminine", 500),
        )
    ]  # fmt: skip
    corpora = [*tags("europarl_1", "spa", 10), *tags("europarl_2", "spa", 20), *tags("boua_1", "cat", 30)]
    rows = build(tags=corpora, epicene=frame)
    keys = [
        *(("10", word, f"frequency_{gender}") for word, gender in (("persona", "feminine"), ("miembro", "masculine"))),
        ("10", "miembro", "frequency_feminine"),
        ("10", "personas", "frequency_feminine"),
        *(("App. I", "all", column) for column in ("epicene_feminine", "epicene_masculine")),
        ("App. I", "all", "epicene_percent_of_person"),
    ]
    assert [found for found, _ in ours(rows, *keys)] == pytest.approx([30, 20, 3, 0, 33, 20, 5.3])
    assert rows[keys[0]]["reason"] == "counted once, as corrected; tagged by gpt-4-turbo"
    assert rows[keys[0]]["setup"] == "over Europarl 1, Europarl 2, the paper over all of Table 5"
    elsewhere = build(tags=tags("mine", "spa", 10), epicene=frame)
    assert elsewhere[keys[0]]["reason"].startswith("not asked for: no Spanish sample of the paper")


def test_what_only_a_withdrawn_model_could_give_says_so(build):
    gone = {name: f"withdrawn: {name} by its host" for name in ("gpt-4-turbo", "gpt-4o")}
    rows = build(withdrawn=gone)
    for key in (
        ("5", "Europarl 1", "person_feminine"),
        ("6", "BOUA 1", "masculine"),
        ("10", "persona", "frequency_feminine"),
    ):
        assert rows[key]["reason"] == gone["gpt-4-turbo"]
    assert rows["4", "gpt-4o", "accuracy"]["reason"] == gone["gpt-4o"]
    assert rows["4", "llama-3.3-70b", "accuracy"]["reason"].startswith("not asked for: ")
    assert rows["2", "BOUA 1", RATIO]["reason"].endswith(f"; not measured: {gone['gpt-4-turbo']}")
    # Another model can still be asked: its numbers stand.
    assert (
        build(tags=tags("europarl_1", "spa", 10, tagger="other"), withdrawn=gone)["5", "Europarl 1", "person"][
            "verdict"
        ]
        == "other setup"
    )


def test_without_a_tagger_the_reason_is_the_config(build):
    rows = build()
    assert rows["5", "Europarl 1", "masculine"]["reason"] == (
        "not asked for: no language model is named in representation.corpus_tagger"
    )
    assert rows["4", "gpt-4o", "accuracy"]["reason"] == "not asked for: gpt-4o is not in representation.taggers"
    assert rows["10", "persona", "frequency_feminine"]["reason"] == (
        "not asked for: no Spanish sample of the paper was tagged by a language model"
    )


def test_a_missing_key_is_the_reason_of_what_it_would_have_given(build):
    frame = [*tags("europarl_1", "spa", 10, NO_KEY), *tags("europarl_2", "spa", 20)]
    rows = build(tags=frame, scores=[*scores("spanish", "gpt-4o", [], NO_KEY), *scores("spanish", "gpt-4-turbo", [80])])
    for key in (("5", "Europarl 1", "masculine"), ("4", "gpt-4o", "recall")):
        assert (rows[key]["verdict"], rows[key]["reason"], rows[key]["ours_published"]) == ("not run", NO_KEY, "")
    assert rows["5", "Europarl 2", "masculine"]["verdict"] != "not run"
    assert rows["4", "gpt-4-turbo", "recall"]["verdict"] != "not run"


def test_a_missing_corpus_is_the_reason_in_its_own_language_only(build):
    gaps = [
        ["europarl_1", "eng", "", "unpublished: no English"],
        ["europarl_1", "spa", "", "unpublished: no Spanish"],
    ]
    rows = build(tags=tags("europarl_2", "spa", 10), gaps=gaps)
    assert rows["7", "Europarl 1", "feminine"]["reason"] == "unpublished: no English"
    assert rows["5", "Europarl 1", "feminine"]["reason"] == "unpublished: no Spanish"
    assert rows["7", "Europarl 2", "feminine"]["reason"] == "not asked for: the corpus is not part of this run"


def test_a_gold_file_that_is_not_there_is_the_reason_of_its_table(build):
    gaps = [["spanish", "spa", "", "published, not here: gt-es.txt is not in the mirror"]]
    rows = build(scores=scores("valencian", "gpt-4-turbo", [80]), gaps=gaps)
    assert rows["4", "gpt-4-turbo", "recall"]["reason"] == "published, not here: gt-es.txt is not in the mirror"


def test_with_a_tagger_a_corpus_outside_the_run_is_no_missing_tagger(build):
    rows = build(tags=tags("europarl_1", "spa", 10))
    assert rows["6", "DSCV+DSCCV 1", "masculine"]["reason"] == "not asked for: the corpus is not part of this run"


def test_no_epicene_word_found_is_zero_and_no_tags_have_the_reason_of_the_tags(build):
    key = ("10", "persona", "frequency_feminine")
    assert build(tags=tags("europarl_1", "spa", 10))[key]["ours_published"] == "0.00"
    assert build(tags=tags("europarl_1", "spa", 10, NO_KEY))[key]["reason"] == NO_KEY


def test_one_run_has_no_standard_deviation(build):
    rows = build(scores=scores("spanish", "gpt-4-turbo", [80]))
    assert rows["4", "gpt-4-turbo", "accuracy_sd"]["reason"].startswith(
        "not asked for: a standard deviation needs two runs"
    )


def test_every_sample_of_the_paper_is_a_configured_corpus_with_a_hash(repository, published):
    registry, config = StudyRegistry(Tables().model_dump(), repository), load_config({}, environment={})
    names = {registry.corpora[name].name: name for name in config.representation.corpora}
    for table, lang in (("5", "spa"), ("7", "eng")):
        files = [
            registry.corpus_file(names[row], lang)
            for row in {number.row for number in read_published(published) if number.table == table}
        ]
        assert len(files) == len({file.sha256 for file in files} - {""}) == 8
