"""Ukrainian words: lists, forms, morphology, and which word a word depends on."""
