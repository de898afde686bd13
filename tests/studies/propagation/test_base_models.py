"""Rows of base models, and why one cannot be had; nothing is loaded."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from textparity.errors import TableError
from textparity.files import read_tsv
from textparity_studies.llm import weights
from textparity_studies.llm.weights import is_gguf, missing_weights
from textparity_studies.propagation.base_models import BaseModelRow, load_base_models

TABLE = Path(__file__).parents[3] / "resources" / "registry" / "base_models.tsv"


def write_table(path, **changes):
    cells = read_tsv(TABLE)[0] | changes
    names = [field.name for field in fields(BaseModelRow)]
    path.write_text("\t".join(names) + "\n" + "\t".join(cells[name] for name in names) + "\n", "utf-8")
    return path


@pytest.fixture
def row():
    return replace(load_base_models(TABLE)["gemma3-270m"], name="tiny", model="tiny-gguf")


@pytest.fixture
def installed(monkeypatch):
    """All tools are installed, but those in the set that this returns; model packages are in the list beside it."""
    absent, packages = set(), []
    monkeypatch.setattr(weights, "find_spec", lambda name: None if name in absent else name)
    monkeypatch.setattr(weights, "is_package", lambda name: name in packages)
    return absent, packages


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("quantisation", "8bit", "column quantisation: should be 'none', 'bfloat16' or '4bit'"),
        ("pieces", "lines", "column pieces: should be 'sentence' or 'packed'"),
        ("schedule", "steps", "column schedule: should be 'constant', 'linear' or 'cosine'"),
        ("model", " ", "column model: is empty"),
        ("lora_rank", "0", "column lora_rank: should be greater than or equal to 1"),
        ("learning_rate", "fast", "column learning_rate: should be a valid number"),
        ("top_p", "1.5", "column top_p: should be less than or equal to 1"),
        ("steps", "soon", "column steps: 'soon' is neither a number nor one for each language, like eng:9 spa:12"),
        ("steps", "eng:9 spa:0", "column steps: 'eng:9 spa:0' is neither a number"),
        ("steps", "", "column steps: '' is neither a number"),
        ("top_k", "-1", "column top_k: should be greater than or equal to 0"),
        ("batch_size", "2.5", "column batch_size: should be a valid integer"),
        ("name", "a b", "column name: write letters, digits"),
    ],
)
def test_a_cell_that_cannot_be_used_is_named(tmp_path, column, cell, said):
    with pytest.raises(TableError, match=rf"models.tsv, line 2, {said}"):
        load_base_models(write_table(tmp_path / "models.tsv", **{column: cell}))


def test_steps_are_for_all_languages_or_for_each(tmp_path):
    for cell, found in (("16", (16, 16)), ("eng:9 spa:12", (9, 12)), ("spa:12", (None, 12))):
        (row,) = load_base_models(write_table(tmp_path / "models.tsv", steps=cell)).values()
        assert (row.steps_in("eng"), row.steps_in("spa")) == found


@pytest.mark.parametrize("tool", ["torch", "transformers", "peft", "gguf"])
def test_a_tool_that_is_not_installed_is_named_with_its_extra(row, installed, tool):
    absent, packages = installed
    packages.append("tiny-gguf")
    assert missing_weights(row) == ""
    absent.add(tool)
    assert missing_weights(row) == f"{tool} is not installed; install the extra: make propagation"


def test_only_gguf_files_need_the_package_that_reads_them(row, installed, tmp_path):
    installed[0].add("gguf")
    for name in ("config.json", "model.safetensors.index.json"):
        (tmp_path / name).touch()
    folder = replace(row, model=str(tmp_path))
    assert not is_gguf(folder)
    assert missing_weights(folder) == ""


def test_four_bits_need_bitsandbytes(row, installed):
    absent, packages = installed
    packages.append("tiny-gguf")
    four_bits = replace(row, quantisation="4bit")
    assert missing_weights(four_bits) == ""
    absent.add("bitsandbytes")
    assert missing_weights(four_bits) == "bitsandbytes is not installed; install the extra: make qlora"


def test_a_model_that_is_not_here_is_told_with_the_way_to_get_it(row, installed, tmp_path):
    assert missing_weights(replace(row, model="absent/model")).endswith("(hf download absent/model)")
    file = tmp_path / "model.gguf"
    assert missing_weights(replace(row, model=str(file))) == f"the model file {file} does not exist"
    file.touch()
    assert missing_weights(replace(row, model=str(file))) == ""
    assert is_gguf(replace(row, model=str(file)))
