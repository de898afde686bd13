"""Measures that several studies share."""
