"""Lexicons that need no download: a few nouns in ten languages, which the package has, and their revision."""

import pytest

from textparity.auditing.languages import DEMO_FOLDER as NOUNS
from textparity.auditing.settings import AuditSettings

# The same for the command.
WITH_NOUNS = ("--lexicon-folder", str(NOUNS))


def use_demo_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the methods words and nouns count the demo's lexicon and its revision, which need no download."""
    monkeypatch.setattr(AuditSettings, "lexicon", "demo_v1")
