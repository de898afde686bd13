"""Names of corpora that are compared, and of their parts; rules are parsed with this module, so it loads no tool."""

ORIGINAL, SWAPPED, AUGMENTED = "original", "swapped", "augmented"
PAPERS_CORPORA = ("ner_uk", "ner_uk_swapped")
TRAIN, TEST = "train", "test"
