import csv
import sys
from types import SimpleNamespace

import pytest
from ledgers import find_ours
from swapped_sentences import PAIRS, PERSONS, write_corpus, write_parallel

for package in ("rouge_score", "sacrebleu", "spacy", "pymorphy3"):
    pytest.importorskip(package)

from textparity.errors import InputError, MissingResourceError  # noqa: E402
from textparity.estimating.bootstrap import Bootstrap  # noqa: E402
from textparity.files import write_rows  # noqa: E402
from textparity.tables import Caption  # noqa: E402
from textparity_studies.swapping import scores as swap_scores  # noqa: E402
from textparity_studies.swapping.outputs import (  # noqa: E402
    OUTPUT_COLUMNS,
    SentenceEntities,
    read_pairs,
)
from textparity_studies.swapping.scores import METRICS, STRATA, compare_outputs, score_outputs, tabulate_swap_scores  # noqa: E402

BOOTSTRAP = Bootstrap(seed=1, resamples=200, confidence_level=0.95)
(FIRST, FIRST_SWAPPED, *_), (SECOND, SECOND_SWAPPED, *_) = PAIRS
ITEMS = [
    ["word", "лікар", "лікарка", "лікарка", "лікар"],
    ["word", "кухар", "кухарка", "Кухарка", "Кухар."],
    ["sentence", FIRST, FIRST_SWAPPED, "Лікарка Марія Коваль прийшла.", FIRST],
    ["sentence", SECOND, SECOND_SWAPPED, "", "Тут працює кухар і лікар ."],
]


@pytest.fixture
def scored(tmp_path):
    """Score items and return the rows by direction, items, metric and procedure."""

    def score(items=ITEMS, steps=(), system="mine", persons=PERSONS):
        outputs = tmp_path / f"{system}_outputs.csv"
        write_rows(outputs, OUTPUT_COLUMNS, ([number, *item] for number, item in enumerate(items, start=1)))
        documents, entities = write_corpus(tmp_path, persons)
        scores = tmp_path / f"{system}.csv"
        score_outputs(
            outputs, [write_parallel(tmp_path)], [documents], [entities], scores, list(steps), BOOTSTRAP
        )  # fmt: skip
        with scores.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        keys = ("direction", "items", "metric", "procedure")
        return {tuple(row[key] for key in keys): row for row in rows}

    score.folder = tmp_path
    return score


def test_shares_are_of_all_items_of_sentences_and_of_words(scored):
    # There is an interval over ten items and more.
    rows = scored(ITEMS * 3)
    assert len(rows) == 2 * len(STRATA) * len(METRICS) * 2
    values = {
        (direction, items): rows[direction, items, "exact_match", "published"]["value"]
        for direction in ("one_way", "round_trip")
        for items in ("all", "sentences", "words")
    }
    assert values == {
        ("one_way", "all"): "0.25", ("one_way", "sentences"): "0.0", ("one_way", "words"): "0.5",
        ("round_trip", "all"): "0.5", ("round_trip", "sentences"): "0.5", ("round_trip", "words"): "0.5",
    }  # fmt: skip
    whole = rows["one_way", "all", "exact_match", "published"]
    assert whole["count"] == "12"
    assert 0 <= float(whole["low"]) < 0.25 < float(whole["high"]) <= 1
    assert rows["one_way", "words", "exact_match", "published"]["low"] == ""
    bleu = rows["round_trip", "all", "bleu", "corrected"]
    assert float(bleu["low"]) < float(bleu["value"]) < float(bleu["high"])
    assert scored()["round_trip", "all", "bleu", "corrected"]["low"] == ""


def test_sentences_of_which_nothing_is_known_are_neither_with_nor_without_persons(scored):
    first, second, unknown = ITEMS[2], ["sentence", "Нема.", "Нема .", "Нема .", ""], ITEMS[3]
    persons = PERSONS | {second[2]: []}
    rows = scored([first, second, unknown], persons=persons)
    counts = {items: rows["one_way", items, "exact_match", "corrected"]["count"] for items in STRATA}
    assert counts == {
        "all": "3", "sentences": "3", "sentences with persons": "1", "sentences without persons": "1", "words": "0",
    }  # fmt: skip
    assert rows["one_way", "sentences without persons", "exact_match", "corrected"]["value"] == "1.0"


@pytest.fixture
def compared(scored):
    """Score two sets and return the rows of their differences by direction, items, metric and procedure."""

    def compare(items, others, tidied=()):
        for system, rows in (("mine", items), ("other", others)):
            scored(rows, system=system)
        outputs = [scored.folder / f"{system}_outputs.csv" for system in ("mine", "other")]
        documents, entities = write_corpus(scored.folder)
        (differences,) = compare_outputs(
            outputs, [write_parallel(scored.folder)], [documents], [entities], list(tidied), {}, BOOTSTRAP
        )
        rows = differences.frame.round(6).to_dict("records")
        keys = ("direction", "items", "metric", "procedure")
        return {tuple(row[key] for key in keys): row for row in rows}

    return compare


def test_differences_are_paired_by_item(compared):
    right = [[*item[:3], item[2], item[1]] for item in ITEMS]
    rows = compared(ITEMS * 3, right * 3)
    row = rows["one_way", "all", "exact_match", "published"]
    assert (row["system"], row["other"]) == ("mine_outputs", "other_outputs")
    # One of four is right here, all are there.
    assert (float(row["difference"]), row["count"]) == (-0.75, 12)
    assert -1 <= float(row["difference_low"]) < -0.75 < float(row["difference_high"]) <= 0
    # One of three titles.
    assert float(rows["one_way", "all", "job_match", "corrected"]["difference"]) == pytest.approx(-2 / 3, abs=1e-6)
    assert ("one_way", "all", "bleu", "corrected") not in rows


def test_what_both_have_is_no_difference_whatever_chance_draws(compared):
    rows = compared(ITEMS * 3, ITEMS * 3)
    cells = ("difference", "difference_low", "difference_high")
    spread = {
        tuple(float(row[name]) for name in cells)
        for key, row in rows.items()
        if key[1] == "all" and key[2] == "exact_match"
    }
    assert spread == {(0, 0, 0)}


def test_systems_with_other_items_or_without_a_way_back_are_not_compared(compared):
    assert compared(ITEMS, ITEMS[1:]) == {}
    rows = compared(ITEMS, [[*item[:4], ""] for item in ITEMS])
    assert {direction for direction, *_ in rows} == {"one_way"}


def test_a_set_without_outputs_has_no_score_and_says_why(scored):
    row = scored([])["one_way", "all", "exact_match", "published"]
    assert (row["value"], row["count"], row["reason"]) == ("", "0", "there are no items in this set")


def test_blank_outputs_are_counted_and_wrong(scored):
    rows = scored()
    assert rows["one_way", "all", "blank_outputs", "corrected"]["value"] == "0.25"
    assert rows["one_way", "sentences", "blank_outputs", "corrected"]["value"] == "0.5"
    assert rows["round_trip", "all", "blank_outputs", "corrected"]["value"] == "0.0"
    assert rows["one_way", "sentences", "rouge_l", "corrected"]["value"] == "0.375"


def test_titles_and_persons_are_those_of_the_reference(scored):
    rows = scored()
    one_way, back = (rows[way, "all", "job_match", "corrected"] for way in ("one_way", "round_trip"))
    assert (one_way["value"], one_way["count"], one_way["reason"]) == ("0.333333", "3", "")
    # "шеф - кухар" is not there, "лікар" is.
    assert (back["value"], back["count"]) == ("0.666667", "3")
    persons = rows["one_way", "all", "exact_match_without_persons", "published"]
    assert persons["value"] == "0.5"
    assert persons["reason"] == "1 of 2 references have no annotated persons"
    assert rows["one_way", "words", "job_match", "published"]["reason"] == "there is no annotated title in these items"


def test_steps_of_the_paper_change_published_numbers_alone(scored):
    plain, stepped = scored(), scored(steps=["tidied", "titles_per_item"])
    changed = {key: row["value"] for key, row in stepped.items() if row["value"] != plain[key]["value"]}
    assert changed == {
        # The second word's capital, and titles by four items.
        ("one_way", "all", "exact_match_without_persons", "published"): "0.75",
        ("one_way", "words", "exact_match_without_persons", "published"): "1.0",
        ("one_way", "all", "job_match", "published"): "0.25",
        ("round_trip", "all", "job_match", "published"): "0.5",
        # Its capital and full stop on the way back, as the tidied first output has neither.
        ("round_trip", "all", "exact_match_without_persons", "published"): "0.75",
        ("round_trip", "words", "exact_match_without_persons", "published"): "1.0",
        ("round_trip", "all", "token_count_match", "published"): "0.75",
        ("round_trip", "words", "token_count_match", "published"): "1.0",
    }


def test_a_set_without_a_way_back_or_without_words_says_so(scored):
    rows = scored([[*item[:4], ""] for item in ITEMS if item[0] == "sentence"])
    back = rows["round_trip", "all", "exact_match", "published"]
    assert (back["value"], back["reason"]) == ("", "there is no output back in this set")
    assert rows["one_way", "words", "bleu", "corrected"]["reason"] == "there are no words in this set"
    assert rows["one_way", "sentences", "exact_match", "published"]["value"] == "0.0"


def test_bleu_is_not_asked_of_single_words(scored):
    rows = scored()
    assert rows["one_way", "words", "bleu", "published"]["value"] == ""
    assert "single ones" in rows["one_way", "words", "bleu", "published"]["reason"]
    assert 0 < float(rows["round_trip", "all", "bleu", "published"]["value"]) < 1


def test_the_same_seed_gives_the_same_file(scored):
    scored()
    first = (scored.folder / "mine.csv").read_bytes()
    scored()
    assert (scored.folder / "mine.csv").read_bytes() == first


def test_systems_stand_side_by_side(scored):
    scored()
    scored([[*item[:3], item[2], item[1]] for item in ITEMS], system="other")
    paths = [scored.folder / f"{system}.csv" for system in ("mine", "other")]
    (table,) = tabulate_swap_scores(paths, {"other": "Another & more"})
    rows = table.frame.to_dict("records")
    row = next(row for row in rows if row["metric"] == "exact_match" and row["direction"] == "one_way")
    assert (row["items"], row["procedure"], row["mine"], row["other"], row["other_count"]) == (
        "all", "published", 0.25, 1, 4,
    )  # fmt: skip
    latex = table.to_latex(Caption("Scores", "Of systems."), "tab:scores")
    assert "Another \\& more" in latex
    assert "one way & all & exact match & published & 0.25 (" in latex


def test_bert_score_is_not_run_without_its_package_or_model(scored, monkeypatch):
    monkeypatch.setattr(swap_scores, "find_spec", lambda name: None)
    row = scored()["one_way", "all", "bert_score", "published"]
    assert row["value"] == ""
    assert row["reason"] == ("published, not here: the package bert-score is not installed (make bert-score)")
    with pytest.raises(MissingResourceError, match="bert-score is not installed"):
        swap_scores.bert_scores(["a"], ["a"], "en")
    monkeypatch.setattr(swap_scores, "find_spec", lambda name: object())
    cached = {"config.json": "path"}
    monkeypatch.setattr(swap_scores, "cached_file", lambda model, name: cached.get(name))
    assert swap_scores.missing_bert_score("uk") == (
        "the model bert-base-multilingual-cased is not in the Hugging Face cache "
        "(hf download bert-base-multilingual-cased)"
    )
    cached["pytorch_model.bin"] = "path"
    assert swap_scores.missing_bert_score("uk") == ""


def test_bert_score_is_the_mean_of_its_items_by_an_english_or_a_multilingual_model(scored, monkeypatch):
    asked = []

    def score(outputs, references, lang):
        asked.append((lang, len(outputs)))
        return None, None, [0.5] * len(outputs)

    monkeypatch.setattr(swap_scores, "missing_bert_score", lambda lang: "")
    monkeypatch.setitem(sys.modules, "bert_score", SimpleNamespace(score=score))
    rows = scored()
    with_a_blank = rows["one_way", "all", "bert_score", "published"]
    assert (with_a_blank["value"], with_a_blank["reason"]) == ("0.375", "1 blank outputs count as 0")
    assert rows["one_way", "sentences", "bert_score", "corrected"]["value"] == "0.25"
    assert rows["one_way", "words", "bert_score", "corrected"]["reason"] == ""
    # A blank output is not put to the model.
    assert asked[:2] == [("en", 3), ("uk", 3)]


def test_the_ledger_gets_all_items_of_each_system_and_says_what_stood_in(scored):
    scored(system="gpt-4o-mini", steps=["titles_per_item"])

    def find(*key):
        scores = {"swapping/scores/gpt-4o-mini.csv": scored.folder / "gpt-4o-mini.csv"}
        return find_ours("swapping", key, scores, "0.1")

    titles = find("3", "gpt-4o-mini", "job_match")
    assert (titles.published, titles.corrected) == (0.25, pytest.approx(1 / 3))
    assert "divided by items" in titles.remark
    assert "uk_ner_web_trf_13class" in titles.setup
    exact = find("8", "gpt-4o-mini", "exact_match")
    assert "2 of 4 items are single words" in exact.remark
    assert exact.setup == ""
    assert find("3", "gpt-4o-mini", "bert_score").remark.startswith("published, not here: ")


def test_entities_are_found_whatever_the_white_space(tmp_path):
    documents, entities = write_corpus(tmp_path)
    known = SentenceEntities.load([write_parallel(tmp_path)], [documents], [entities])
    assert known.titles_of("Тут працює шеф-кухар і лікар.\n") == ("шеф - кухар", "лікар")
    assert known.persons_of("Лікар Петро Коваль прийшов.") == ("Петро Коваль",)
    assert known.titles_of("Ніхто не прийшов.") is None
    assert known.persons_of(SECOND) is None


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        ("{'T1': ('лікар', 'JOB')", r"parallel\.csv, row 1: .* is not a dict of ids"),
        ("['лікар']", r"parallel\.csv, row 1: .* is not a dict of ids"),
        ("{'T2': ('лікарка', 'JOB')}", r"parallel\.csv, row 1: the annotations of both sides have other ids"),
    ],
)
def test_annotations_that_cannot_be_read_are_named_with_their_row(tmp_path, annotations, said):
    header = ["original_sentence", "changed_sentence", "orig_ann", "changed_ann"]
    write_rows(tmp_path / "parallel.csv", header, [["а", "б", "{'T1': ('лікар', 'JOB')}", annotations]])
    with pytest.raises(InputError, match=said):
        read_pairs([tmp_path / "parallel.csv"])


def test_parallel_sentences_need_their_columns(tmp_path):
    write_rows(tmp_path / "parallel.csv", ["original_sentence", "changed_sentence"], [["а", "б"]])
    with pytest.raises(InputError, match="column orig_ann, changed_ann"):
        read_pairs([tmp_path / "parallel.csv"])
