"""The audit that the README shows is what it prints on the real texts."""

import os
import sys

import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


def test_the_readme_shows_what_the_audit_prints(repository, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(repository / "tools")])
    from record_audit import audit_news, shorten

    shown = shorten(audit_news(tmp_path).to_text())
    assert "Women are " in shown
    for page in ("README.md", "docs/index.md"):
        assert f"```\n{shown}\n```" in (repository / page).read_text("utf-8"), page
