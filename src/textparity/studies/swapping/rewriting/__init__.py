"""Putting the people of a sentence into the other gender by rules."""
