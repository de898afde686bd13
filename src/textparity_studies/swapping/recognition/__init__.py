"""Recognizers of entities, trained with and without the swapped sentences."""
