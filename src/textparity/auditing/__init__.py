"""The audit of any texts by the rules of the lexicon study: `textparity audit`, and `textparity.audit` in Python."""
