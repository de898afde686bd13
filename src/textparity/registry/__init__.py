"""Tables of languages, sources, lexicons and pipelines."""
