"""Finding a transformer's files; nothing is loaded."""

import json

import pytest

from textparity_studies.measures.encoders import LONGEST, find_model, longest_text


@pytest.fixture
def model_folder(tmp_path):
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).touch()
    return tmp_path


def test_a_model_is_found_in_a_folder_and_in_a_package(model_folder, tmp_path_factory, monkeypatch):
    assert find_model(str(model_folder)) == model_folder
    site = tmp_path_factory.mktemp("site")
    (site / "a_packaged_model").mkdir()
    (site / "a_packaged_model" / "__init__.py").touch()
    model_folder.rename(site / "a_packaged_model" / "model")
    monkeypatch.syspath_prepend(site)
    assert find_model("a-packaged-model") == site / "a_packaged_model" / "model"


def test_a_folder_without_weights_is_no_model(model_folder):
    (model_folder / "model.safetensors").unlink()
    assert find_model(str(model_folder)) is None


def test_an_encoder_says_itself_how_long_a_text_may_be(model_folder):
    assert longest_text(model_folder) == LONGEST == 128
    (model_folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 256}), "utf-8")
    assert longest_text(model_folder) == 256
