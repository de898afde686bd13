"""Checks of a count by a person who reads a few of the texts: a random sample, judgements, and what follows."""
