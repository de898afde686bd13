"""Swapped sentences: asked of models, read, checked, and taken into a corpus."""
