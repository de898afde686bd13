"""`textparity compare`: compare corpora with a reference corpus, from their audits to the differences."""
