"""Likelihood of neutral text, by a tiny model made here; skipped where PyTorch is not installed (extra propagation)."""

import math

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("peft")
pytestmark = pytest.mark.propagation

import torch  # noqa: E402
from tiny_language_model import write_tiny_model  # noqa: E402

from textparity.corpora.reading import TEXT_SCHEMA, write_batches  # noqa: E402
from textparity.errors import InputError  # noqa: E402
from textparity_studies.llm.weights import CAUSAL, load_to_write  # noqa: E402
from textparity_studies.propagation import story_measures as module  # noqa: E402
from textparity_studies.propagation.story_measures import choose_texts, log_likelihood, measure_perplexity  # noqa: E402

TEXTS = ["the king sleeps . she walks", "he sleeps", "  ", "the queen walks .", "she"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def texts(tmp_path):
    rows = [{"id": str(n), "doc_id": "1", "lang": "eng", "text": text} for n, text in enumerate(TEXTS, start=1)]
    write_batches(tmp_path / "eng.parquet", TEXT_SCHEMA, [rows])
    return tmp_path / "eng.parquet"


def by_hand(tiny, text):
    model, tokenizer = load_to_write(tiny, CAUSAL)
    ids = [tokenizer.bos_token_id, *tokenizer.convert_tokens_to_ids(text.split())]
    total = 0.0
    for place in range(1, len(ids)):
        with torch.inference_mode():
            scores = model(torch.tensor([ids[:place]])).logits[0, -1].double().numpy()
        total += scores[ids[place]] - np.log(np.exp(scores).sum())
    return len(ids) - 1, total


def test_likelihoods_are_those_of_each_word_after_the_words_before_it(tiny, texts, tmp_path):
    out = tmp_path / "perplexity.csv"
    measure_perplexity(texts, out, tiny, "base", neutral_texts=10, seed=1, torch_threads=1)
    found = pd.read_csv(out, dtype={"id": str})
    assert list(found["id"]) == ["1", "2", "4", "5"]
    expected = [by_hand(tiny, text) for text in TEXTS if text.strip()]
    assert list(found["tokens"]) == [tokens for tokens, _ in expected] == [6, 2, 4, 1]
    assert list(found["log_likelihood"]) == pytest.approx([total for _, total in expected], abs=1e-5)


def test_a_model_that_knows_nothing_finds_all_words_alike(tiny):
    model, tokenizer = load_to_write(tiny, CAUSAL)
    torch.nn.init.zeros_(model.lm_head.weight)
    tokens, found, is_cut = log_likelihood(torch, model, tokenizer, TEXTS[0])
    assert (tokens, is_cut) == (6, False)
    assert found == pytest.approx(-6 * math.log(len(tokenizer)), abs=1e-5)


def test_text_begins_with_the_end_of_text_where_there_is_no_beginning(tiny):
    model, tokenizer = load_to_write(tiny, CAUSAL)
    begun = log_likelihood(torch, model, tokenizer, "she")[1]
    tokenizer.bos_token = None
    ended = log_likelihood(torch, model, tokenizer, "she")[1]
    with torch.inference_mode():
        scores = model(torch.tensor([[tokenizer.eos_token_id]])).logits[0, -1].log_softmax(-1)
    assert ended == pytest.approx(float(scores[tokenizer.convert_tokens_to_ids("she")]), abs=1e-5)
    assert ended != begun


def test_long_texts_are_cut_and_that_is_said(tiny, texts, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(module, "LONGEST", 4)
    out = tmp_path / "perplexity.csv"
    measure_perplexity(texts, out, tiny, "base", neutral_texts=10, seed=1, torch_threads=1)
    assert list(pd.read_csv(out)["tokens"]) == [4, 2, 4, 1]
    assert "1 texts were cut after 4 tokens" in caplog.text


def test_fewer_texts_are_among_more_and_follow_from_the_seed(tmp_path):
    rows = [{"id": str(n), "doc_id": "1", "lang": "eng", "text": "she"} for n in range(50)]
    write_batches(tmp_path / "eng.parquet", TEXT_SCHEMA, [rows])
    few, more, other = (
        list(choose_texts(tmp_path / "eng.parquet", wanted, seed)["id"]) for wanted, seed in ((5, 1), (20, 1), (5, 2))
    )
    assert len(few) == 5
    assert set(few) < set(more)
    assert more == sorted(more, key=int)
    assert few != other


def test_a_corpus_without_text_is_told_of(tmp_path):
    write_batches(tmp_path / "eng.parquet", TEXT_SCHEMA, [[{"id": "1", "doc_id": "1", "lang": "eng", "text": " "}]])
    with pytest.raises(InputError, match=r"eng\.parquet: has no text"):
        choose_texts(tmp_path / "eng.parquet", 3, 1)
