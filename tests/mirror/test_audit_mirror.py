"""The audit on a language of NTREX-128: by the paper's tools and procedure, its Table 4; and languages detected."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

import textparity
from textparity.auditing.languages import load_registry
from textparity.sources.pins import Mirror

VARIABLES = ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR")
if missing := [name for name in VARIABLES if not os.environ.get(name)]:
    pytest.skip(f"{', '.join(missing)} not set", allow_module_level=True)
if find_spec("stanza") is None:
    pytest.skip("Stanza is not installed (make stanza)", allow_module_level=True)

pytestmark = [pytest.mark.mirror, pytest.mark.stanza]


@pytest.fixture
def swedish(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return Mirror(os.environ["TEXTPARITY_MIRROR"]).find(load_registry().corpus_file("ntrex", "swe").url)[0]


def test_the_papers_tools_and_procedure_give_the_papers_table(swedish):
    row = textparity.audit_files(swedish, "swe", engine="paper", method="published")["swe"].row
    rates = [round(row[f"{name}_percent"], 3) for name in ("feminine", "masculine", "unspecified")]
    assert (row["words"], rates) == (42_980, [0.156, 0.265, 0.240])


def test_detection_finds_the_language_of_nearly_every_line(swedish):
    result = textparity.audit_files(swedish)
    assert result["swe"].detected > 0.95 * 1997
    assert result["swe"].mean_certainty > 0.9
    assert result.texts + sum(result.left_out.values()) == 1997
