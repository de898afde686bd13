"""Models of tokenizers: found in their folder, or named."""

import pytest
from stanza_folder import write_stanza_folder

from textparity.errors import MissingResourceError
from textparity.sources.model_files import find_stanza_model, load_record, prepare_model


@pytest.fixture
def stanza_folder(tmp_path):
    return write_stanza_folder(tmp_path / "stanza")


def test_models_are_found_in_their_folder(stanza_folder, tmp_path):
    assert find_stanza_model(stanza_folder, "sv").stand_in is False
    assert find_stanza_model(stanza_folder, "da").stand_in is True
    assert find_stanza_model(stanza_folder, "fi") is None
    assert find_stanza_model(str(tmp_path), "sv") is None


def test_a_model_that_may_not_be_fetched_is_named(stanza_folder, tmp_path, monkeypatch):
    monkeypatch.setattr("textparity.sources.model_files.find_spec", lambda name: object())
    prepare_model(tmp_path / "sv.json", "stanza", "sv", stanza_folder, offline=True)
    assert load_record(tmp_path / "sv.json").package == "talbanken"
    with pytest.raises(MissingResourceError, match=r"no Stanza model for 'fi' in .*; set STANZA_RESOURCES_DIR"):
        prepare_model(tmp_path / "fi.json", "stanza", "fi", stanza_folder, offline=True)
    assert not (tmp_path / "fi.json").exists()
