"""The `lexicon` study: gender characterisation of parallel and web text by lexicon (Muller 2023, GENDER-GAP)."""
