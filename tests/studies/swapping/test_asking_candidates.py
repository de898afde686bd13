"""Asking a language model to swap sentences: what is sent, how names are drawn, what is made of the answers."""

import csv
import dataclasses
from collections import Counter

import pyarrow.parquet as pq
import pytest
from llm_server import LanguageModelServer, prompt_of

from textparity.corpora.reading import read_metadata, write_batches
from textparity.errors import ApiKeyError, InputError
from textparity.persons.ukrainian_genders import GenderLists, load_gender_lists
from textparity_studies.llm.answering import Asking
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.models import Answer, ModelRow
from textparity_studies.swapping.asking import (
    ask_swapper,
    estimate_swapping,
    offer_names,
    parse_swap,
    parse_swaps,
    read_swap_prompt,
    select_sentences,
    swap_request,
)
from textparity_studies.swapping.candidates import Candidate
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA, Entity, EntityDocument, read_documents

TEXT = "Лікар Іван прийшов .\n Поїзд спізнився.\nІван, каже лікар Іван, лікар.\nЛікар Іван прийшов .\nлікарня"
# A job title that stands in the first line only, and one that goes over a line end.
MARKED = [("JOB", "Лікар", 0), ("PERS", "Іван", 6), ("LOC", "Поїзд", 22), ("JOB", "лікар", 50), ("PERS", "Іван", 56)]
TEMPLATE = """--- ENGLISH VERSION ---

Swap. {female_names} {male_names}

--- UKRAINIAN VERSION ---

Зміни: {female_names} або {male_names}.
"""
LISTS = GenderLists(
    {}, frozenset(), {"Ганна": 0.6, "Леся": 0.3, "Ярина": 0.1}, {"Іван": 3.0, "Остап": 1.0, "Юрій": 1.0}
)


def document(name="aa", text=TEXT, marked=MARKED):
    entities = [
        Entity(f"T{number}", label, start, start + len(words), words)
        for number, (label, words, start) in enumerate(marked)
    ]
    assert all(text[entity.start : entity.end] == entity.text for entity in entities)
    return EntityDocument(name, "s", "train", text, [], entities)


@pytest.fixture
def row():
    return ModelRow("small", "http://127.0.0.1:9/v1", "org/small", "chat", "", 0.8, 1.0, max_tokens=250, seed=None)


@pytest.fixture
def prompt(tmp_path):
    path = tmp_path / "prompt.txt"
    path.write_text(TEMPLATE, "utf-8")
    return path


def test_as_published_whatever_job_of_the_document_stands_in_a_line_counts():
    found = select_sentences([document()], "published")
    assert [(sentence.line, sentence.original, sentence.entities) for sentence in found] == [
        (0, "Лікар Іван прийшов .", {"Лікар": "JOB", "Іван": "PERS"}),
        (2, "Іван, каже лікар Іван, лікар.", {"Іван": "PERS", "лікар": "JOB"}),
        (3, "Лікар Іван прийшов .", {"Лікар": "JOB", "Іван": "PERS"}),
    ]


def test_corrected_takes_what_is_annotated_in_the_line_in_its_order():
    found = select_sentences([document()], "corrected")
    assert [(sentence.line, sentence.entities) for sentence in found] == [
        (0, {"Лікар": "JOB", "Іван": "PERS"}), (2, {"лікар": "JOB", "Іван": "PERS"}),
    ]  # fmt: skip


def test_an_entity_over_a_line_end_is_known_by_its_first_line_as_recorded():
    text = "Він заступник\nдиректора. заступник"
    found = select_sentences([document(text=text, marked=[("JOB", "заступник\nдиректора", 4)])], "published")
    assert [(sentence.line, sentence.entities) for sentence in found] == [
        (0, {"заступник": "JOB"}), (1, {"заступник": "JOB"}),
    ]  # fmt: skip


def test_a_sentence_of_two_documents_is_asked_with_the_entities_of_the_last():
    other = document("bb", "Лікар Іван прийшов .", [("JOB", "Лікар", 0)])
    assert [sentence.entities for sentence in select_sentences([document(), other], "published")][0::3] == [
        {"Лікар": "JOB"}, {"Лікар": "JOB"},
    ]  # fmt: skip
    first = select_sentences([document(), other], "corrected")[0]
    assert first.entities == {"Лікар": "JOB", "Іван": "PERS"}


NAMES = ("Ганна", "Леся", "Ганна"), ("Іван", "Остап", "Юрій")
SENTENCE = Candidate("aa", 0, "Лікар Іван д'Арк.", "", {"Лікар": "JOB", "Іван д'Арк": "PERS"}, *NAMES)


def test_the_request_is_the_prompt_with_names_then_sentence_and_entities_as_python_shows_them(row, prompt):
    sent = swap_request(row, read_swap_prompt(prompt), SENTENCE)
    system = "Зміни: ['Ганна', 'Леся', 'Ганна'] або ['Іван', 'Остап', 'Юрій']."
    question = "Лікар Іван д'Арк.\n{'Лікар': 'JOB', \"Іван д'Арк\": 'PERS'}"
    assert sent.prompt == [{"role": "system", "content": system}, {"role": "user", "content": question}]
    assert (sent.row.temperature, sent.row.top_p, sent.row.max_tokens) == (0.8, 1.0, 250)
    completing = swap_request(dataclasses.replace(row, mode="completion"), read_swap_prompt(prompt), SENTENCE)
    assert completing.prompt == f"{system}\n\nInput:\n{question}\n\nOutput:\n"


def test_a_prompt_may_be_a_file_of_its_own_but_needs_its_names(prompt):
    prompt.write_text("Зміни {female_names}, {male_names}.\n", "utf-8")
    assert read_swap_prompt(prompt) == "Зміни {female_names}, {male_names}."
    prompt.write_text("Зміни {female_names}.", "utf-8")
    with pytest.raises(InputError, match=r"prompt\.txt: lacks \{male_names\}"):
        read_swap_prompt(prompt)
    prompt.write_text("--- ENGLISH VERSION ---\n{female_names} {male_names}", "utf-8")
    with pytest.raises(InputError, match="has no part --- UKRAINIAN VERSION ---"):
        read_swap_prompt(prompt)


def test_names_are_drawn_by_frequency_and_depend_on_seed_and_sentence_alone():
    sentences = [dataclasses.replace(SENTENCE, original=str(number)) for number in range(2000)]
    drawn = [offer_names(sentence, LISTS, 7, "published") for sentence in sentences]
    counts = Counter(name for sentence in drawn for name in sentence.masculine_names)
    assert [round(counts[name] / 6000, 1) for name in LISTS.masculine_names] == [0.6, 0.2, 0.2]
    assert {name for sentence in drawn for name in sentence.feminine_names} == set(LISTS.feminine_names)
    elsewhere = dataclasses.replace(sentences[3], document="bb", line=9)
    assert offer_names(elsewhere, LISTS, 7, "published") == dataclasses.replace(drawn[3], document="bb", line=9)
    assert [offer_names(sentence, LISTS, 8, "published") for sentence in sentences] != drawn
    # As published a name may be offered twice.
    assert any(len(set(sentence.masculine_names)) < 3 for sentence in drawn)
    corrected = [offer_names(sentence, LISTS, 7, "corrected") for sentence in sentences]
    assert all(len(set(sentence.masculine_names)) == len(set(sentence.feminine_names)) == 3 for sentence in corrected)


@pytest.mark.parametrize(
    ("answer", "swapped", "repairs"),
    [
        ("Лікарка Леся прийшла .", "Лікарка Леся прийшла .", []),
        (" Лікарка Леся прийшла .\n", "Лікарка Леся прийшла .", []),
        ("Output: Лікарка Леся прийшла .", "Лікарка Леся прийшла .", ["label"]),
        ("«Лікарка Леся прийшла .»", "Лікарка Леся прийшла .", ["quotes"]),
        ("```text\nЛікарка Леся прийшла .\n```", "Лікарка Леся прийшла .", ["code fence"]),
        ("Лікарка Леся прийшла .\n{'Лікарка': 'JOB'}", "Лікарка Леся прийшла .", ["entities repeated"]),
        ("Лікарка Леся прийшла .\n\nInput: Він.\nOutput: Вона.", "Лікарка Леся прийшла .", ["went on"]),
        ("Ось змінене речення для вас:\n\nЛікарка Леся прийшла .", "Лікарка Леся прийшла .", ["commentary"]),
        ("Лікарка Леся\nприйшла .", "Лікарка Леся прийшла .", ["lines joined"]),
        ("Лікарка Леся прийшла .\nЛікарка Ганна прийшла .", "", ["no single sentence"]),
        ("Я не можу.\nВибачте.", "", ["no single sentence"]),
        ("```\n```", "", ["code fence", "blank answer"]),
        (" ", "", ["blank answer"]),
    ],
)
def test_an_answer_is_repaired_where_the_sentence_is_clear_and_flagged(answer, swapped, repairs):
    assert parse_swap(answer, "Лікар Іван прийшов .") == (swapped, repairs)


@pytest.mark.parametrize("sentence", ["«Лікар»", "Output: лікар {'Лікар': 'JOB'}", "'Він'"])
def test_what_the_original_has_is_no_slip_of_the_answer(sentence):
    assert parse_swap(sentence, sentence) == (sentence, [])


@pytest.fixture
def inputs(tmp_path, prompt):
    """What a swapper is asked with: a corpus, the prompt and small word lists."""
    one = document()
    cells = {"document": "aa", "subcorpus": "s", "split": "train", "text": TEXT, "source_lines": []}
    write_batches(tmp_path / "documents.parquet", DOCUMENT_SCHEMA, [[cells]])
    entities = [{"document": "aa", "entity": entity.id, **dataclasses.asdict(entity)} for entity in one.entities]
    write_batches(
        tmp_path / "entities.parquet", ENTITY_SCHEMA, [[{k: v for k, v in e.items() if k != "id"} for e in entities]]
    )
    for name, text in {
        "gender_pairs": "male,female\nлікар,лікарка\n",
        "common_gender_words": "голова\n",
        "feminine_names": "name,freq_in_corpus\nГанна,0.6\nЛеся,0.4\n",
        "masculine_names": "name,freq_in_corpus\nІван,0.5\nОстап,0.5\n",
    }.items():
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    names = ("gender_pairs", "common_gender_words", "feminine_names", "masculine_names")
    lists = {name: tmp_path / f"{name}.csv" for name in names}
    corpus = {name: tmp_path / f"{name}.parquet" for name in ("documents", "entities")}
    return {**corpus, "prompt": prompt, **lists, "procedure": "published", "seed": 7}


@pytest.fixture
def ask(tmp_path, inputs):
    """Ask; returns the rows of answers."""

    def ask(row, recorded=(), **options):
        asking = Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"), **options)
        ask_swapper(**inputs, recorded=list(recorded), answers=tmp_path / "answers.parquet", asking=asking)
        return pq.read_table(tmp_path / "answers.parquet").to_pylist()

    return ask


@pytest.fixture
def server():
    with LanguageModelServer() as running:
        running.reply = lambda body: "Лікарка Леся прийшла ."
        yield running


def test_every_sentence_has_its_answer_and_the_same_sentence_is_asked_once(server, row, ask, inputs, tmp_path):
    rows = ask(dataclasses.replace(row, base_url=server.url))
    assert [(cells["document"], cells["line"]) for cells in rows] == [("aa", 0), ("aa", 2), ("aa", 3)]
    assert server.total == 2
    assert {prompt_of(body).partition("\n")[0] for body in server.bodies} == {rows[0]["original"], rows[1]["original"]}
    assert all(
        body["temperature"] == 0.8 and body["max_tokens"] == 250 and body["top_p"] == 1 for body in server.bodies
    )
    sentence = select_sentences(read_documents(inputs["documents"], inputs["entities"]), "published")[0]
    lists = load_gender_lists(*(inputs[name] for name in list(inputs)[3:7]))
    assert rows[0]["feminine_names"] == list(offer_names(sentence, lists, 7, "published").feminine_names)
    parse_swaps(tmp_path / "answers.parquet", tmp_path / "candidates.csv")
    made = list(csv.DictReader((tmp_path / "candidates.csv").open(encoding="utf-8")))
    assert [cells["swapped"] for cells in made] == ["Лікарка Леся прийшла ."] * 3
    assert made[0]["entities"] == '{"Лікар": "JOB", "Іван": "PERS"}'
    assert made[0]["model"] == "org/small-2024" and made[0]["raw"] == "Лікарка Леся прийшла ."
    assert len(made[0]["masculine_names"].split("; ")) == 3


def test_errors_cut_answers_and_what_was_not_asked_are_empty_or_flagged(server, row, ask, inputs, tmp_path):
    row = dataclasses.replace(row, base_url=server.url)
    lines = [sentence.original for sentence in select_sentences([document()], "published")][:2]
    questions = [f"{lines[0]}\n{{'Лікар': 'JOB', 'Іван': 'PERS'}}", f"{lines[1]}\n{{'Іван': 'PERS', 'лікар': 'JOB'}}"]
    server.faults = {questions[0]: ["refusal"], questions[1]: ["length"]}
    ask(row)
    parse_swaps(tmp_path / "answers.parquet", tmp_path / "candidates.csv")
    made = list(csv.DictReader((tmp_path / "candidates.csv").open(encoding="utf-8")))
    assert [bool(cells["swapped"]) for cells in made] == [False, True, False]
    assert made[0]["repairs"].startswith("refusal: ") and made[1]["repairs"].endswith("cut at max_tokens")
    ask(dataclasses.replace(row, model="other"), not_available="no key")
    metadata = {"swapper": "small", "answers": 0, "missing": 3, "reason": "no key"}
    assert read_metadata(tmp_path / "answers.parquet") == metadata
    parse_swaps(tmp_path / "answers.parquet", tmp_path / "candidates.csv")
    made = list(csv.DictReader((tmp_path / "candidates.csv").open(encoding="utf-8")))
    assert [(cells["swapped"], cells["repairs"]) for cells in made] == [("", "not asked: no key")] * 3


def test_recorded_answers_need_no_server_and_a_missing_key_leaves_no_file(row, ask, inputs, tmp_path, monkeypatch):
    monkeypatch.delenv("TEST_KEY", raising=False)
    keyed = dataclasses.replace(row, api_key_env="TEST_KEY")
    with pytest.raises(ApiKeyError, match="TEST_KEY"):
        ask(keyed)
    assert not (tmp_path / "answers.parquet").exists()
    lists = load_gender_lists(*(inputs[name] for name in list(inputs)[3:7]))
    requests = [
        swap_request(row, read_swap_prompt(inputs["prompt"]), offer_names(sentence, lists, 7, "published"))
        for sentence in select_sentences(read_documents(inputs["documents"], inputs["entities"]), "published")
    ]
    with ResponseCache(tmp_path / "elsewhere.sqlite") as cache:
        cache.put_many((one, Answer(one.digest(), "Вона.", "stop", 1, 1, "m")) for one in requests)
        cache.export_answers(tmp_path / "recorded.jsonl")
    assert [cells["answer"] for cells in ask(keyed, recorded=[tmp_path / "recorded.jsonl"])] == ["Вона."] * 3


def test_the_estimate_is_what_is_sent(server, row, ask, inputs, tmp_path):
    row = dataclasses.replace(row, base_url=server.url)
    shared = {"recorded": [], "asking": Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"))}

    def estimated():
        estimate_swapping(**inputs, **shared, estimate_csv=tmp_path / "estimate.csv", name="corpus")
        (found,) = csv.DictReader((tmp_path / "estimate.csv").open(encoding="utf-8"))
        return found

    before = estimated()
    assert (before["texts"], before["model"]) == ("corpus", "small")
    assert (before["in_cache"], before["to_send"], before["completion_tokens"]) == ("0", "2", "500")
    assert server.total == 0
    ask(row)
    assert server.total == 2
    assert (estimated()["in_cache"], estimated()["to_send"]) == ("2", "0")
