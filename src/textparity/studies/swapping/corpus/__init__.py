"""Sentences with named entities: read, counted, and found again in changed text."""
