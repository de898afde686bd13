"""Names in the files of recognizers; apart from the modules that need spaCy."""

from textparity.studies.swapping.corpus_names import AUGMENTED, ORIGINAL, SWAPPED

DUPLICATED, BALANCED, DEV = "duplicated", "balanced", "dev"
# What models are trained on, and what they are tested on.
TRAINING_DATA = (ORIGINAL, DUPLICATED, BALANCED)
TEST_SETS = (ORIGINAL, SWAPPED, AUGMENTED)
JOB = "JOB"
MEASURES = ("precision", "recall", "f1")
# Rows of scores besides those of types: of all entities together, and the mean of the types by their number.
ALL, WEIGHTED = "all", "weighted average"


def recorded_titles_name(model: str) -> str:
    """Return what the authors' lists of the titles that a model found and missed are called among what was not run."""
    return f"{model}_titles"
