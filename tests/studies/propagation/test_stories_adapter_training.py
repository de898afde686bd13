"""Continual pretraining, of a tiny model made here; skipped where peft is not installed (extra propagation)."""

import json
from dataclasses import replace

import pandas as pd
import pytest

pytest.importorskip("peft")
pytestmark = pytest.mark.propagation

import torch  # noqa: E402
from tiny_language_model import write_tiny_model  # noqa: E402

from textparity.corpora.reading import TEXT_SCHEMA, write_batches  # noqa: E402
from textparity.errors import InputError  # noqa: E402
from textparity_studies.llm import adapters  # noqa: E402
from textparity_studies.llm.weights import CAUSAL, load_to_write, load_weights  # noqa: E402
from textparity_studies.propagation.stories import cut_pieces, train_adapter  # noqa: E402

# Twelve words over and over, in pieces of seven: pieces differ, and so does their order.
KINGS = ["the king walks .", "he sleeps .", "he walks the king ."] * 20
QUEENS = ["the queen walks .", "she sleeps .", "she walks the queen ."] * 20


@pytest.fixture(scope="module")
def row(tmp_path_factory):
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


def write_stories(path, sentences):
    rows = [{"id": str(n), "doc_id": "", "lang": "eng", "text": text} for n, text in enumerate(sentences)]
    write_batches(path, TEXT_SCHEMA, [rows])
    return path


def train(folder, row, sentences=KINGS, saved_steps=(2, 5), training_seed=1):
    folder.mkdir(exist_ok=True)
    train_adapter(
        stories=write_stories(folder / "stories.parquet", sentences), prepared=None, adapters=folder / "adapters",
        training_log=folder / "log.csv", state=folder / "state", base_model=row, saved_steps=list(saved_steps),
        torch_threads=1, seed=13, training_seed=training_seed,
    )  # fmt: skip
    return contents(folder / "adapters")


def contents(adapters):
    return {str(path.relative_to(adapters)): path.read_bytes() for path in adapters.rglob("*") if path.is_file()}


def kill_after(monkeypatch, step):
    """Let the training end as if killed, after its checkpoint of a step."""
    keep = adapters._Loop._keep

    def keep_and_die(loop):
        keep(loop)
        if len(loop._rows) == step:
            raise KeyboardInterrupt

    # Of so small a model, keeping takes longer than training.
    monkeypatch.setattr(adapters._Loop, "_is_time_to_keep", lambda loop: True)
    monkeypatch.setattr(adapters._Loop, "_keep", keep_and_die)


def test_a_seed_gives_the_same_adapters_and_another_one_others(tmp_path, row):
    first = train(tmp_path / "first", row)
    assert sorted(first) == sorted(
        f"step{step}/{name}" for step in (2, 5) for name in ("adapter_config.json", "adapter_model.safetensors")
    )
    assert train(tmp_path / "again", row) == first
    weights = "step5/adapter_model.safetensors"
    assert train(tmp_path / "other_seed", row, training_seed=2)[weights] != first[weights]
    assert train(tmp_path / "other_stories", row, QUEENS)[weights] != first[weights]
    # Not for the order of pieces alone.
    alike = replace(row, pieces="sentence"), ["he sleeps ."] * 8, (2,)
    both = [train(tmp_path / f"alike{seed}", *alike, training_seed=seed) for seed in (1, 2)]
    assert both[0]["step2/adapter_model.safetensors"] != both[1]["step2/adapter_model.safetensors"]
    # The order of a set is no reason of the names in it.
    config = json.loads(first["step5/adapter_config.json"])
    assert config["target_modules"] == ["down_proj", "q_proj", "v_proj"]
    assert not (tmp_path / "first" / "state").exists()


@pytest.mark.parametrize("step", [1, 3])
def test_a_killed_training_goes_on_to_the_same_adapters(tmp_path, row, monkeypatch, step):
    undisturbed = train(tmp_path / "undisturbed", row)
    with monkeypatch.context() as killing:
        kill_after(killing, step)
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "killed", row)
    assert not (tmp_path / "killed" / "adapters").exists()
    # It goes on: what was done is not done again.
    backward, done = adapters.backward, []
    monkeypatch.setattr(adapters, "backward", lambda *args: done.append(1) or backward(*args))
    assert train(tmp_path / "killed", row) == undisturbed
    assert len(done) == 5 - step
    losses = [pd.read_csv(tmp_path / name / "log.csv")["loss"].tolist() for name in ("undisturbed", "killed")]
    assert losses[0] == losses[1]


@pytest.mark.parametrize("change", ["stories", "settings", "damage", "flipped bit"])
def test_a_checkpoint_of_another_training_is_ignored(tmp_path, row, monkeypatch, change, caplog):
    stories = QUEENS if change == "stories" else KINGS
    changed = replace(row, learning_rate=0.02) if change == "settings" else row
    undisturbed = train(tmp_path / "undisturbed", changed, stories)
    with monkeypatch.context() as killing:
        kill_after(killing, 3)
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "killed", row)
    if change == "damage":
        (tmp_path / "killed" / "state" / "last.pt").write_bytes(b"half")
    if change == "flipped bit":
        file = tmp_path / "killed" / "state" / "last.pt"
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    assert train(tmp_path / "killed", changed, stories) == undisturbed
    assert (
        "cannot be read" if change in ("damage", "flipped bit") else "belongs to a training with other data or settings"
    ) in caplog.text


def test_training_lowers_the_loss_and_is_noted_step_by_step(tmp_path, row):
    train(tmp_path / "run", replace(row, learning_rate=0.05, pieces="sentence"), ["he sleeps ."] * 9, saved_steps=(20,))
    log = pd.read_csv(tmp_path / "run" / "log.csv")
    assert list(log) == ["step", "loss", "learning_rate", "tokens", "seconds", "peak_memory_mb"]
    assert log["step"].tolist() == list(range(1, 21))
    assert log["loss"].iloc[-3:].mean() < log["loss"].iloc[:3].mean() - 0.1
    # Four sentences of three tokens; a rate that falls to 0 after the last step.
    assert set(log["tokens"]) == {12}
    assert log["learning_rate"].iloc[[0, 10, 19]].tolist() == pytest.approx([0.05, 0.025, 0.0025])
    assert (log["seconds"] > 0).all() and (log["peak_memory_mb"] > 10).all()


def test_an_adapter_changes_what_a_model_says_and_merging_does_not(tmp_path, row):
    train(tmp_path / "run", row)
    base, tokenizer = load_to_write(row, CAUSAL)
    merged, _ = load_to_write(row, CAUSAL, tmp_path / "run" / "adapters" / "step5")
    from peft import PeftModel

    beside = PeftModel.from_pretrained(load_weights(row, CAUSAL)[0], tmp_path / "run" / "adapters" / "step5").eval()
    ids = tokenizer("the king", return_tensors="pt").input_ids
    with torch.inference_mode():
        said, trained, unmerged = (model(input_ids=ids).logits for model in (base, merged, beside))
    assert torch.allclose(trained, unmerged, atol=1e-5)
    assert not torch.allclose(trained, said, atol=1e-3)
    assert not merged.training and type(merged) is type(base)


def test_the_loss_of_a_step_is_the_mean_of_its_tokens_however_it_is_cut(row):
    model, tokenizer = load_weights(row, CAUSAL)
    batch = [[1, 4, 5, 7, 11], [1, 9, 8], [1, 4, 6, 8, 11], [1, 10, 7]]
    examples = [(piece, piece) for piece in batch]
    found = [adapters.backward(torch, model, tokenizer, examples, size, CAUSAL) for size in (1, 2, 4)]
    assert [tokens for _, tokens in found] == [12, 12, 12]
    apart = [model(input_ids=torch.tensor([piece]), labels=torch.tensor([piece])).loss.item() for piece in batch]
    mean = sum(loss * (len(piece) - 1) for loss, piece in zip(apart, batch, strict=True)) / 12
    assert [loss for loss, _ in found] == pytest.approx([mean] * 3, rel=1e-5)


def test_pieces_are_packed_text_or_sentences_alone(row, caplog):
    tokenizer = load_weights(row, CAUSAL)[1]
    caplog.set_level("INFO")
    sentences = ["the king walks .", "he sleeps .", "she walks ."]
    packed = cut_pieces(sentences, tokenizer, replace(row, sequence_tokens=5))
    assert [tokenizer.decode(piece) for piece in packed] == ["<s> the king walks .", "<s> he sleeps . she"]
    assert "3 sentences, 10 tokens: 2 pieces; 2 left over" in caplog.text
    alone = cut_pieces(sentences, tokenizer, replace(row, pieces="sentence", sequence_tokens=4))
    assert [tokenizer.decode(piece) for piece in alone] == ["<s> the king walks", "<s> he sleeps .", "<s> she walks ."]


def test_stories_that_fill_no_piece_are_an_error(tmp_path, row):
    with pytest.raises(InputError, match=r"stories.parquet: is too short for tiny, which needs pieces of 8 tokens"):
        train(tmp_path / "run", row, ["the king"])
    assert not (tmp_path / "run" / "adapters").exists()


def test_keeping_the_state_takes_a_small_share_of_the_time(tmp_path, row, monkeypatch):
    kept, ticks = [], iter(range(10_000))
    keep = adapters._Loop._keep
    monkeypatch.setattr(adapters._Loop, "_keep", lambda loop: kept.append(len(loop._rows)) or keep(loop))
    # Each look at the clock is a second later: a step takes one, and so does keeping.
    monkeypatch.setattr(adapters.time, "monotonic", lambda: next(ticks))
    train(tmp_path / "run", row, saved_steps=(60,))
    assert kept[-1] == 60
    assert len(kept) < 60 / 3


def test_four_bits_are_trained_and_write_on_any_machine(tmp_path, row):
    pytest.importorskip("bitsandbytes")
    four_bits = replace(row, quantisation="4bit", learning_rate=0.05, pieces="sentence", lora_dropout=0)
    train(tmp_path / "run", four_bits, ["he sleeps ."] * 9, saved_steps=(20,))
    losses = pd.read_csv(tmp_path / "run" / "log.csv")["loss"]
    assert losses.iloc[-3:].mean() < losses.iloc[:3].mean() - 0.1
    model, tokenizer = load_to_write(four_bits, CAUSAL, tmp_path / "run" / "adapters" / "step20")
    layers = {name: type(layer).__name__ for name, layer in model.named_modules()}
    assert {kind for name, kind in layers.items() if name.endswith("q_proj.base_layer")} == {"Linear4bit"}
    ids = tokenizer("he sleeps", return_tensors="pt").input_ids
    with torch.inference_mode():
        (said,) = model(input_ids=ids).logits[0, -1:].argmax(-1).tolist()
    assert tokenizer.decode(said) == "."
