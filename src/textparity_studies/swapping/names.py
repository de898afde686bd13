"""Define the names in the files of the study; rule files import this while they are parsed, so it loads no tool."""

SWAPPING_LANGUAGE = "ukr"
# The value of `swapping.swapped` for sentences that the rule-based swapper makes here; no table has a row for it.
RULES = "rules"
# A system whose outputs are its inputs: it shows the scores that are reached without swapping anything.
UNCHANGED = "unchanged"
# The authors' candidates, and the sentences that their reviewers kept.
RECORDED, RECORDED_REVIEWED = "recorded", "recorded_reviewed"

# The compared corpora, and the union of both.
ORIGINAL, SWAPPED, AUGMENTED = "original", "swapped", "augmented"
PAPERS_CORPORA = ("ner_uk", "ner_uk_swapped")
# The sample of Table 1: the lines of the original with a title.
BESIDE_JOB = "original, lines with JOB"
TRAIN, DEV, TEST = "train", "dev", "test"
TOTAL = "total"
# The ending of the names of swapped documents, as in the published corpus.
ENDING = "-swapped"

# Separates the names and repairs in a cell.
LIST_SEPARATOR = "; "

# The entities whose gender is studied, under NER-UK's labels: job titles and persons' names.
JOB, PERS = "JOB", "PERS"
LABELS = (JOB, PERS)

# The grammatical genders of a title or name (Nahurna and Romanyshyn 2025, §4.1.1).
MASCULINE, FEMININE, COMMON, UNKNOWN = "masculine", "feminine", "common", "unknown"
GENDERS = (MASCULINE, FEMININE, COMMON, UNKNOWN)
# The paper's procedure without and with its hand-made exceptions, and ours.
PUBLISHED, WITH_EXCEPTIONS, CORRECTED = "published", "published with exceptions", "corrected"
GENDER_PROCEDURES = (PUBLISHED, WITH_EXCEPTIONS, CORRECTED)
# The column of each procedure in the rows of entities.
GENDER_COLUMNS = {
    PUBLISHED: "gender_published",
    WITH_EXCEPTIONS: "gender_published_with_exceptions",
    CORRECTED: "gender_corrected",
}

# Training data of recognizers, and then the test data.
DUPLICATED, BALANCED = "duplicated", "balanced"
TRAINING_DATA = (ORIGINAL, DUPLICATED, BALANCED)
TEST_SETS = (ORIGINAL, SWAPPED, AUGMENTED)
MEASURES = ("precision", "recall", "f1")
# The columns that identify a training.
RUN = ("procedure", "data", "seed")
# Rows of scores other than types and genders: all entities, and the mean of the types weighted by their number.
ALL, WEIGHTED = "all", "weighted average"


def recorded_titles_name(model: str) -> str:
    """Name, in the list of what was not run, the authors' lists of titles that a model found and missed."""
    return f"{model}_titles"
