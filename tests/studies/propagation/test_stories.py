"""Stories, written by a tiny model made here; skipped where PyTorch is not installed (extra propagation)."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("peft")
pytestmark = pytest.mark.propagation

import torch  # noqa: E402
from tiny_language_model import write_tiny_model  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

from textparity.corpora.reading import read_rows  # noqa: E402
from textparity.errors import InputError  # noqa: E402
from textparity_studies.llm.weights import CAUSAL, load_to_write  # noqa: E402
from textparity_studies.propagation import stories as module  # noqa: E402
from textparity_studies.propagation.stories import (  # noqa: E402
    StoryRequest,
    choose_tokens,
    story_numbers,
    write_stories,
)

PROMPTS = ["the king walks", "the queen sleeps . she walks . the king", "he"]
TOKENS = 12
END = 2


class Killed(BaseException):
    """As if the process ended."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A row whose model has large weights, so that what follows a word depends on all that went before."""
    row = write_tiny_model(tmp_path_factory.mktemp("tiny"))
    model = AutoModelForCausalLM.from_pretrained(row.model)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if "norm" not in name:
                weights *= 25
    model.save_pretrained(row.model)
    return row


@pytest.fixture
def write(tiny, tmp_path, monkeypatch):
    """Return a function that writes stories, in batches of four, and gives their bytes and rows."""
    monkeypatch.setattr(module, "BATCH", 4)

    def run(name="stories", row=None, **changes):
        out = tmp_path / f"{name}.parquet"
        settings = {
            "adapters": None,
            "prepared": None,
            "lang": "eng",
            "variant": "base",
            "seed": 7,
            "torch_threads": 1,
            "state": tmp_path / f"{name}.state",
        }
        wanted = {"prompts": PROMPTS, "stories": 2, "repetitions": 2, "tokens": TOKENS}
        wanted = {key: changes.pop(key, value) for key, value in wanted.items()}
        write_stories(out, base_model=row or tiny, wanted=StoryRequest(**wanted), **settings | changes)
        assert not (tmp_path / f"{name}.state").exists()
        return out.read_bytes(), read_rows(out).to_pylist()

    return run


def by_hand(row, seed, *key):
    """Return what a story must be: one token after another, from the whole text, alone and without a cache."""
    model, tokenizer = load_to_write(row, CAUSAL)
    ids = tokenizer(PROMPTS[key[1] - 1])["input_ids"]
    assert ids[0] == tokenizer.bos_token_id
    begun = len(ids)
    for number in story_numbers(seed, TOKENS, "tiny", "eng", "base", *map(str, key)):
        with torch.inference_mode():
            scores = model(torch.tensor([ids])).logits[0, -1].double().numpy() / row.temperature
        weights = np.exp(scores - scores.max())
        weights /= weights.sum()
        order = np.argsort(-weights)
        weights[order[row.top_k or len(order) :]] = 0
        # Of the likeliest words, those up to the one with which they reach top_p.
        weights[order[np.searchsorted(np.cumsum(weights[order]) / weights.sum(), row.top_p) + 1 :]] = 0
        sums = np.cumsum(weights) / weights.sum()
        ids.append(int(np.searchsorted(sums, number, side="right")))
        if ids[-1] == END:
            break
    tokens = ids[begun:]
    ended = tokens[-1] == END
    return tokenizer.decode(tokens, skip_special_tokens=True), len(tokens) - ended, ended


@pytest.mark.parametrize(
    "settings",
    [{"temperature": 1.0, "top_p": 1.0, "top_k": 0}, {"top_k": 3}, {"temperature": 2.0, "top_p": 0.6, "top_k": 4}],
)
def test_each_story_is_what_drawing_by_hand_gives(write, tiny, settings):
    row = replace(tiny, **settings)
    _, rows = write(row=row)
    keys = [(r, p, s) for r in (1, 2) for p in (1, 2, 3) for s in (1, 2)]
    assert [(row["repetition"], row["prompt_number"], row["story_number"]) for row in rows] == keys
    assert [row["id"] for row in rows] == ["/".join(map(str, key)) for key in keys]
    assert [row["doc_id"] for row in rows] == [str(key[0]) for key in keys]
    assert [row["prompt"] for row in rows] == [PROMPTS[key[1] - 1] for key in keys]
    found = [(row["text"], row["tokens"], row["ended"]) for row in rows]
    assert found == [by_hand(row, 7, *key) for key in keys]
    if not row.top_k:
        # Of both kinds, so that the comparison says something.
        assert {ended for _, _, ended in found} == {True, False}


def test_the_same_settings_give_the_same_bytes_and_others_other_stories(write):
    once, rows = write("once")
    assert write("again")[0] == once
    texts = [row["text"] for row in rows]
    assert len(set(texts)) > len(texts) / 2
    for change in ({"seed": 8}, {"lang": "spa"}):
        assert [row["text"] for row in write("other", **change)[1]] != texts


def test_one_repetition_is_the_beginning_of_more(write):
    assert write("one", repetitions=1)[1] == write("three", repetitions=3)[1][:6]


def test_a_story_does_not_depend_on_those_written_beside_it(write, monkeypatch):
    together = write("together")[1]
    monkeypatch.setattr(module, "BATCH", 1)
    assert write("alone")[1] == together


def kill_in_batch(monkeypatch, number):
    calls, complete = [], module.complete

    def killed(*arguments):
        calls.append(1)
        if len(calls) == number:
            raise Killed
        return complete(*arguments)

    monkeypatch.setattr(module, "complete", killed)
    return calls


def test_a_killed_job_goes_on_to_the_same_bytes(write, monkeypatch):
    undisturbed, _ = write("undisturbed")
    with monkeypatch.context() as patch, pytest.raises(Killed):
        kill_in_batch(patch, 3)
        write("killed")
    with monkeypatch.context() as patch:
        calls = kill_in_batch(patch, 0)
        assert write("killed")[0] == undisturbed
    # Of four batches (a repetition is one of four stories and one of two), two were finished.
    assert len(calls) == 2


@pytest.mark.parametrize("change", [{"seed": 8}, {"prompts": PROMPTS[::-1]}, {"tokens": 5}, {"lang": "spa"}])
def test_what_was_written_for_other_settings_is_not_used(write, monkeypatch, change):
    undisturbed, _ = write("undisturbed", **change)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        kill_in_batch(patch, 2)
        write("killed")
    assert write("killed", **change)[0] == undisturbed


def test_a_damaged_state_is_not_used(write, tmp_path, caplog):
    for damage in ('{"made_for": ', json.dumps([1])):
        (tmp_path / "stories.state").write_text(damage, "utf-8")
        write()
        assert "cannot be read" in caplog.text
        caplog.clear()


def test_a_story_that_was_damaged_in_the_state_is_written_anew(write, tmp_path, monkeypatch, caplog):
    undisturbed, _ = write("undisturbed")
    with monkeypatch.context() as patch, pytest.raises(Killed):
        kill_in_batch(patch, 3)
        write("killed")
    state = tmp_path / "killed.state"
    found = json.loads(state.read_text("utf-8"))
    story = next(iter(found["done"].values()))[0]
    story[0] += "x"
    state.write_text(json.dumps(found), "utf-8")
    assert write("killed")[0] == undisturbed
    assert "cannot be read" in caplog.text


def test_weights_that_are_not_there_are_told_of(write, tmp_path):
    (tmp_path / "adapters" / "step2").mkdir(parents=True)
    with pytest.raises(InputError, match="has no step4"):
        write(variant="male.seed1.step4", adapters=tmp_path / "adapters")


def test_a_number_falls_on_a_token_that_can_be():
    probabilities = torch.tensor([[0.0, 0.5, 0.0, 0.5, 0.0]])
    largest = float(np.nextafter(np.float32(1), np.float32(0)))
    for number, token in ((0.0, 1), (0.49, 1), (0.5, 3), (largest, 3)):
        assert choose_tokens(probabilities, torch.tensor([number])).tolist() == [token]
    # The sum of many is not quite 1.
    many = torch.full((1, 262144), 1 / 262144) * 1.0000002
    assert choose_tokens(many, torch.tensor([largest])).item() < 262144
