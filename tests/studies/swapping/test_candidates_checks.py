"""The automatic checks of a swapped sentence; all sentences are made up."""

import csv

import pytest
from ukrainian_lists import LISTS, write_lists

pytest.importorskip("pymorphy3_dicts_uk")

from textparity.corpora.reading import write_batches
from textparity.errors import InputError
from textparity.files import write_rows
from textparity_studies.swapping.candidates import (
    AGREEMENT,
    CHANGED,
    FAILED,
    NAMES,
    NOT_APPLICABLE,
    OTHER_ENTITIES,
    PASSED,
    TITLES_PAIRED,
    TITLES_SWAPPED,
    TOKEN_COUNT,
    Candidate,
    CandidateChecker,
    read_candidates,
    read_checks,
    read_review_file,
)
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA, Entity
from textparity_studies.swapping.output_tables import tabulate_checks
from textparity_studies.swapping.settings import CHECKS
from textparity_studies.swapping.swapped_corpora import check_candidates, review_by_checks


@pytest.fixture(scope="module")
def checker():
    return CandidateChecker(LISTS)


def entities_of(text, words):
    found = []
    for number, (word, label) in enumerate(words, start=1):
        start = text.index(word)
        found.append(Entity(f"T{number}", label, start, start + len(word), word))
    return tuple(found)


@pytest.fixture
def verdicts(checker):
    def run(original, swapped, *words, offered=()):
        candidate = Candidate("a", 0, original, swapped, {}, *offered)
        results = checker.check(candidate, original, entities_of(original, words))
        assert [check for check, _, _ in results] == list(CHECKS)
        return {check: verdict for check, verdict, _ in results}

    return run


LINE = "Новий лікар Петро Коваль працює в «Надії»."
WORDS = (("лікар", "JOB"), ("Петро Коваль", "PERS"), ("«Надії»", "ORG"))


def test_a_good_candidate_passes_all(verdicts):
    swapped = "Нова лікарка Ірина Коваль працює в «Надії»."
    assert set(verdicts(LINE, swapped, *WORDS).values()) == {PASSED}


@pytest.mark.parametrize(
    ("swapped", "failed"),
    [
        (LINE, {CHANGED, TITLES_SWAPPED}),
        ("Новий  лікар Петро Коваль працює в «Надії» .", {CHANGED, TITLES_SWAPPED}),
        ("Нова лікарка Ірина Коваль працює тут в «Надії».", {TOKEN_COUNT}),
        ("Нова вчителька Ірина Коваль працює в «Надії».", {TITLES_PAIRED}),
        ("Новий лікар Ірина Коваль працює в «Надії».", {TITLES_SWAPPED}),
        ("Нова лікарка Андрій Коваль працює в «Надії».", {NAMES}),
        ("Нова лікарка Петрина Коваль працює в «Надії».", {NAMES}),
        ("Новий лікарка Ірина Коваль працює в «Надії».", {AGREEMENT}),
        ("Нова лікарка Ірина Коваль працює в «Вірі».", {OTHER_ENTITIES}),
    ],
)
def test_each_check_fails_for_its_reason(verdicts, swapped, failed):
    found = verdicts(LINE, swapped, *WORDS)
    assert {check for check, verdict in found.items() if verdict == FAILED} == failed


def test_a_name_must_be_one_of_the_offered(verdicts):
    swapped = "Нова лікарка Ірина Коваль працює в «Надії»."
    assert verdicts(LINE, swapped, *WORDS, offered=(("Ірина",), ("Ігор",)))[NAMES] == PASSED
    assert verdicts(LINE, swapped, *WORDS, offered=(("Олена",), ("Ігор",)))[NAMES] == FAILED


def test_a_verb_that_kept_its_gender(verdicts):
    original = "Лікар сказав правду."
    assert verdicts(original, "Лікарка сказав правду.", ("Лікар", "JOB"))[AGREEMENT] == FAILED
    assert verdicts(original, "Лікарка сказала правду.", ("Лікар", "JOB"))[AGREEMENT] == PASSED
    # Another subject may have it.
    other = "Лікар мовчав, бо дощ пройшов."
    assert verdicts(other, "Лікарка мовчала, бо дощ пройшов.", ("Лікар", "JOB"))[AGREEMENT] == PASSED


def test_common_gender_and_plural_adjectives_need_no_swap(verdicts):
    found = verdicts("Голова мовчав.", "Голова мовчав.", ("Голова", "JOB"))
    assert {found[check] for check in (CHANGED, TITLES_SWAPPED, TITLES_PAIRED, AGREEMENT)} == {NOT_APPLICABLE}
    assert verdicts("Слідчі мовчали.", "Слідчі мовчали.", ("Слідчі", "JOB"))[TITLES_SWAPPED] == PASSED


def test_a_feminine_that_no_list_has_is_swapped_but_in_no_pair(verdicts):
    found = verdicts("Лікар мовчав.", "Лікариня мовчала.", ("Лікар", "JOB"))
    assert found[TITLES_SWAPPED] == PASSED and found[TITLES_PAIRED] == FAILED


@pytest.fixture
def corpus(tmp_path):
    text = "Лікар мовчав.\n\nНіч.\nДиректор спав.\nЛікар мовчав."
    documents = [{"document": "a", "subcorpus": "s", "split": "train", "text": text, "source_lines": []}]
    entities = [
        {"document": "a", "entity": "T1", "label": "JOB", "start": 0, "end": 5, "text": "Лікар"},
        {"document": "a", "entity": "T2", "label": "JOB", "start": 20, "end": 28, "text": "Директор"},
        {"document": "a", "entity": "T3", "label": "JOB", "start": 35, "end": 40, "text": "Лікар"},
    ]
    assert all(text[entity["start"] : entity["end"]] == entity["text"] for entity in entities)
    paths = {"documents": tmp_path / "documents.parquet", "entities": tmp_path / "entities.parquet"}
    write_batches(paths["documents"], DOCUMENT_SCHEMA, [documents])
    write_batches(paths["entities"], ENTITY_SCHEMA, [entities])
    return paths


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, header, *rows):
    path.parent.mkdir(exist_ok=True)
    write_rows(path, header, rows)
    return path


CANDIDATE = ["document", "line", "original", "swapped"]
# The first sentence occurs twice in the corpus.
MADE = [
    ["a", 0, "Лікар мовчав.", "Лікарка мовчав."],
    ["a", 2, "Ніч.", "Ніч."],
    ["a", 3, "Директор спав .", "Директорка спала ."],
    ["a", 4, "Лікар мовчав.", "Лікарка мовчав."],
]


@pytest.fixture
def candidates(tmp_path):
    return write(tmp_path / "made" / "candidates.csv", CANDIDATE, *MADE)


@pytest.fixture
def reviews(tmp_path):
    decided = [
        ("correct", "Лікарка мовчала."),
        ("dismiss", ""),
        ("accept", MADE[2][3]),
        ("correct", "Лікарка мовчала."),
    ]
    rows = [[*made[:3], swapped, decision] for made, (decision, swapped) in zip(MADE, decided, strict=True)]
    return write(tmp_path / "made" / "reviews.csv", [*CANDIDATE, "decision"], *rows)


def test_checks_foretell_corrections(tmp_path, corpus, candidates, reviews):
    lists, checks = write_lists(tmp_path), [tmp_path / "one.csv", tmp_path / "two.csv"]
    corrected = write(tmp_path / "left" / "candidates.csv", CANDIDATE, [*MADE[0][:3], "Лікарка мовчала."], MADE[2])
    for path, made in zip(checks, (candidates, corrected), strict=True):
        check_candidates(**corpus, **lists, candidates=made, checks=path)
    failed = [(row["line"], row["check"], row["detail"]) for row in read(checks[0]) if row["verdict"] == FAILED]
    assert failed == [(line, AGREEMENT, "Лікарка мовчав") for line in ("0", "4")]
    table, prediction = tabulate_checks([candidates, corrected], checks, [reviews])
    shares = {(row["system"], row["check"]): row for row in table.frame.to_dict("records")}
    assert shares["made", "agreement"]["passed_percent"] == pytest.approx(100 / 3)
    assert shares["made", "any"]["failed"] == 2 and shares["left", "any"]["failed"] == 0
    # What was dismissed is in neither, and a sentence in two places was judged once.
    (row,) = [row for row in prediction.frame.to_dict("records") if row["check"] == "any"]
    assert (row["system"], row["reviewed"], row["flagged_and_corrected"]) == ("made", 2, 1)
    assert (row["precision"], row["recall"]) == (1, 1)


def test_nothing_is_foretold_of_what_nobody_has_reviewed(tmp_path, corpus, candidates):
    checks, empty = tmp_path / "checks.csv", write(tmp_path / "made" / "reviews.csv", [*CANDIDATE, "decision"])
    check_candidates(candidates=candidates, **corpus, **write_lists(tmp_path), checks=checks)
    table, prediction = tabulate_checks([candidates], [checks], [empty])
    assert len(table.frame) == len(CHECKS) + 1 and prediction.frame.empty


def test_failed_checks_are_written_with_their_details(tmp_path, corpus, candidates):
    check_candidates(candidates=candidates, **corpus, **write_lists(tmp_path), checks=tmp_path / "checks.csv")
    rows = read_checks(tmp_path / "checks.csv")
    failed = rows.loc[rows["verdict"] == FAILED, ["document", "line", "check", "detail"]]
    said = ["agreement", "Лікарка мовчав"]
    assert failed.to_numpy().tolist() == [["a", 0, *said], ["a", 4, *said]]


def test_a_candidate_of_another_line_is_an_error(tmp_path, corpus):
    path = tmp_path / "candidates.csv"
    for line, original, message in (
        (3, "Лікар мовчав.", "is not line 3 of a"),
        (9, "Лікар мовчав.", "has no line 9 in a"),
    ):
        path.write_text(f"document,line,original,swapped\na,{line},{original},Лікарка мовчала.\n", encoding="utf-8")
        with pytest.raises(InputError, match=message):
            check_candidates(candidates=path, **corpus, **write_lists(tmp_path), checks=tmp_path / "checks.csv")
    assert not (tmp_path / "checks.csv").exists()


def test_what_fails_a_required_check_is_dismissed(tmp_path, corpus, candidates):
    lists, checks, reviews = write_lists(tmp_path), tmp_path / "checks.csv", tmp_path / "decided.csv"
    check_candidates(candidates=candidates, **corpus, **lists, checks=checks)
    for required, decisions in (
        ([AGREEMENT], ["dismiss", "accept", "accept", "dismiss"]), ([NAMES], ["accept"] * 4),
    ):  # fmt: skip
        review_by_checks(candidates, checks, reviews, required)
        decided = read_review_file(reviews, read_candidates(candidates))
        assert [review.decision for review in decided.values()] == decisions


def test_checks_need_their_columns(tmp_path):
    (tmp_path / "checks.csv").write_text("document,line,check,detail\n", encoding="utf-8")
    with pytest.raises(InputError, match="column verdict"):
        read_checks(tmp_path / "checks.csv")
