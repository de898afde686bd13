"""The audits that the README and the docs show are what the command prints."""

import os
import sys

import pytest

import textparity

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


def test_the_readme_shows_what_the_audit_prints(repository, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(repository / "tools")])
    from record_audit import audit_news, shorten

    shown = shorten(audit_news(tmp_path).to_text())
    assert "Of the mentions of women and men, " in shown
    for page in ("README.md", "docs/index.md"):
        assert f"```\n{shown}\n```" in (repository / page).read_text("utf-8"), page


def test_the_docs_show_what_the_audit_of_the_spanish_demo_prints(repository, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    printed = textparity.audit_files([repository / "resources" / "demo" / "texts" / "spa.txt"], "spa").to_text()
    sentence = printed.partition("\n")[0]
    (row,) = (line for line in printed.splitlines() if line.startswith("spa "))
    for page in ("first-corpus.md", "audit.md"):
        shown = (repository / "docs" / page).read_text("utf-8")
        assert sentence in shown and row in shown, page
