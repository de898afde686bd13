"""How long sentences are (Nobody 2026)."""
