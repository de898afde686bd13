"""Articles as tokens, names and roles, parsed once."""
