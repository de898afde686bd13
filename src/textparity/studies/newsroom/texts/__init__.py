"""Articles in and out of the formats of their corpora."""
