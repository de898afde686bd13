"""A tiny random mT5 is fine-tuned on pairs, and swaps with its adapter; skipped without peft (extra propagation)."""

import csv
import json
from dataclasses import replace

import pandas as pd
import pytest

pytest.importorskip("peft")
pytestmark = pytest.mark.propagation

import torch  # noqa: E402
from tiny_sequence_model import ROW, write_tiny_sequence_model  # noqa: E402

from textparity.errors import InputError, MissingResourceError  # noqa: E402
from textparity_studies.llm.adapters import add_adapter  # noqa: E402
from textparity_studies.llm.weights import SEQUENCE_TO_SEQUENCE, load_weights  # noqa: E402
from textparity_studies.swapping.asking import parse_swaps, swap_items, swap_sentences, train_swapper, write_answers  # noqa: E402
from textparity_studies.swapping.candidates import read_candidates  # noqa: E402
from textparity_studies.swapping.corpora import Entity, EntityDocument, write_documents  # noqa: E402
from textparity_studies.swapping.outputs import load_outputs  # noqa: E402

WORD = "Перефразуй це слово, змінивши його гендер на протилежний (чоловічий <-> жіночий): "
WORDS_ALONE = [("лікар", "лікарка"), ("кухар", "кухарка")]
PAIRS = [*WORDS_ALONE, *((f"{here} прийшов", f"{there} прийшла") for here, there in WORDS_ALONE)]
BOTH_WAYS = PAIRS + [(there, here) for here, there in PAIRS]


def write_pairs(path, pairs, instruction="заміни : ", header=("inputs", "targets")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *((instruction + here, there) for here, there in pairs)])
    return path


@pytest.fixture(scope="module")
def row(tmp_path_factory):
    return replace(ROW, model=str(write_tiny_sequence_model(tmp_path_factory.mktemp("tiny"))))


@pytest.fixture(scope="module")
def trained(row, tmp_path_factory):
    """The folder of a training: its adapter, log and pairs."""
    folder = tmp_path_factory.mktemp("trained")
    pairs = write_pairs(folder / "pairs.csv", BOTH_WAYS)
    train_swapper(pairs, folder / "adapters", folder / "log.csv", folder / "state", row, seed=13)
    return folder


def test_fine_tuning_lowers_the_loss_and_keeps_the_adapter_of_the_last_step(trained, row):
    log = pd.read_csv(trained / "log.csv")
    # Eight pairs are one step of 4 x 2.
    assert log["step"].tolist() == list(range(1, row.epochs + 1))
    assert log["loss"].iloc[-1] < log["loss"].iloc[0] / 10
    assert set(log["learning_rate"]) == {row.learning_rate}
    assert [path.name for path in (trained / "adapters").iterdir()] == [f"step{row.epochs}"]
    config = json.loads((trained / "adapters" / f"step{row.epochs}" / "adapter_config.json").read_text("utf-8"))
    settings = {name: config[name] for name in ("r", "lora_alpha", "target_modules", "task_type")}
    assert settings == {"r": 8, "lora_alpha": 32, "target_modules": ["q", "v"], "task_type": "SEQ_2_SEQ_LM"}
    assert not (trained / "state").exists()


def test_an_epoch_has_as_many_whole_steps_as_the_pairs_fill(row, tmp_path):
    # As the authors' 2,091 pairs are 261 steps of eight.
    pairs = write_pairs(tmp_path / "pairs.csv", (BOTH_WAYS * 3)[:19])
    train_swapper(pairs, tmp_path / "a", tmp_path / "log.csv", tmp_path / "s", replace(row, epochs=3), seed=13)
    assert len(pd.read_csv(tmp_path / "log.csv")) == 3 * 2


def test_the_trained_adapter_is_loaded_again_and_swaps_sentences_of_a_corpus(trained, row, tmp_path):
    lines = ["лікар прийшов", "слово", "кухар прийшов"]
    titles = [Entity("T1", "JOB", 0, 5, "лікар"), Entity("T2", "JOB", 20, 25, "кухар")]
    document = EntityDocument("a", "bruk", "train", "\n".join(lines), [], titles)
    corpus = tmp_path / "documents.parquet", tmp_path / "entities.parquet"
    write_documents([document], *corpus)
    answers, candidates = tmp_path / "answers.parquet", tmp_path / "candidates.csv"
    swap_sentences(*corpus, [trained / "adapters"], answers, row, "corrected", seed=13)
    parse_swaps(answers, candidates)
    made = {candidate.original: candidate.swapped for candidate in read_candidates(candidates)}
    assert made == {"лікар прийшов": "лікарка прийшла", "кухар прийшов": "кухарка прийшла"}
    # Without it, the random model does not.
    asked = [f"заміни : {line}" for line in made]
    without = write_answers(replace(row, adapter=""), asked, [], seed=13)
    assert not {answer["answer"] for answer in without} & set(made.values())


def test_items_are_swapped_there_and_back_in_the_form_of_every_swapper(trained, row, tmp_path):
    items = write_pairs(tmp_path / "items.csv", [("лікар", "лікарка"), ("кухарка", "кухар")], WORD)
    outputs, answers = tmp_path / "outputs.csv", tmp_path / "answers.csv"
    # The items' own instruction: words that the tiny model has not seen.
    swap_items(items, [trained / "adapters"], outputs, answers, row, seed=13)
    rows = load_outputs(outputs)
    assert rows[["input", "reference"]].to_numpy().tolist() == [["лікар", "лікарка"], ["кухарка", "кухар"]]
    given = pd.read_csv(answers, keep_default_na=False)
    there = given[given["step"] == "there"]
    assert rows["output"].tolist() == there["answer"].tolist()
    assert set(given["finish_reason"]) <= {"stop", "length"}
    assert len(given[given["step"] == "back"]) == sum(rows["output"].str.strip() != "")


def test_a_published_adapter_with_embeddings_of_another_size_is_loaded(row, tmp_path):
    """The adapter that the authors publish has 6.3 GB: the embeddings of a vocabulary that they had cut are in it."""
    model = write_tiny_sequence_model(tmp_path / "model", unused=4)
    larger = replace(row, model=str(model), adapter=str(tmp_path / "adapter"))
    weights, tokenizer = load_weights(larger, SEQUENCE_TO_SEQUENCE)
    weights.resize_token_embeddings(len(tokenizer))
    add_adapter(weights, larger, SEQUENCE_TO_SEQUENCE).save_pretrained(tmp_path / "adapter", save_embedding_layers=True)
    (answer,) = write_answers(larger, ["заміни : лікар"], [], seed=13)
    assert answer["model"] == f"{model} with {larger.adapter}"


def test_an_adapter_of_four_bits_is_trained_and_swaps_on_any_machine(row, tmp_path):
    pytest.importorskip("bitsandbytes")
    four_bits = replace(row, quantisation="4bit", epochs=20, answer_tokens=1)
    pairs = write_pairs(tmp_path / "pairs.csv", BOTH_WAYS)
    train_swapper(pairs, tmp_path / "a", tmp_path / "log.csv", tmp_path / "s", four_bits, seed=13)
    losses = pd.read_csv(tmp_path / "log.csv")["loss"]
    assert losses.iloc[-1] < losses.iloc[0] - 0.5
    answers = write_answers(four_bits, [f"заміни : {here}" for here, _ in BOTH_WAYS], [tmp_path / "a"], seed=13)
    # The limit of the row holds beneath an adapter that is not merged, too.
    assert {(answer["finish_reason"], answer["completion_tokens"]) for answer in answers} == {("length", 1)}


def test_what_cannot_be_used_is_named(row, tmp_path):
    wrong = write_pairs(tmp_path / "pairs.csv", PAIRS, header=("input", "target"))
    with pytest.raises(InputError, match=r"pairs.csv: .*inputs, targets"):
        train_swapper(wrong, tmp_path / "a", tmp_path / "log.csv", tmp_path / "s", row, seed=13)
    with pytest.raises(MissingResourceError, match=r"model tiny: .* is not on this machine"):
        write_answers(replace(row, model="nobody/nothing", adapter=""), ["слово"], [], seed=13)
    assert not torch.is_inference_mode_enabled()
