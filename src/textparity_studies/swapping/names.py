"""Names in the files of the study; rules are parsed with this module, so it loads no tool."""

SWAPPING_LANGUAGE = "ukr"
# As `swapping.swapped`: the sentences that the rule-based swapper makes here, which no table has a row for.
RULES = "rules"
# Its outputs are the inputs: what a score is worth where nothing is swapped.
UNCHANGED = "unchanged"
# The authors' candidates, and what their reviewers left of them.
RECORDED, RECORDED_REVIEWED = "recorded", "recorded_reviewed"

# Corpora that are compared, and their parts.
ORIGINAL, SWAPPED, AUGMENTED = "original", "swapped", "augmented"
PAPERS_CORPORA = ("ner_uk", "ner_uk_swapped")
# The sample of Table 1: the lines of the original with a title.
BESIDE_JOB = "original, lines with JOB"
TRAIN, DEV, TEST = "train", "dev", "test"
TOTAL = "total"
# Of the names of swapped documents, as in the published corpus.
ENDING = "-swapped"

# Between the names and repairs in a cell.
LIST_SEPARATOR = "; "

# The entities whose gender the study is about, as NER-UK labels them: job titles and persons' names.
JOB, PERS = "JOB", "PERS"
LABELS = (JOB, PERS)

# The grammatical genders of a title or name (Nahurna and Romanyshyn 2025, §4.1.1).
MASCULINE, FEMININE, COMMON, UNKNOWN = "masculine", "feminine", "common", "unknown"
GENDERS = (MASCULINE, FEMININE, COMMON, UNKNOWN)
# The paper's procedure without and with its hand-made exceptions, and ours.
PUBLISHED, WITH_EXCEPTIONS, CORRECTED = "published", "published with exceptions", "corrected"
GENDER_PROCEDURES = (PUBLISHED, WITH_EXCEPTIONS, CORRECTED)
# Each procedure's column in the rows of entities.
GENDER_COLUMNS = {
    PUBLISHED: "gender_published",
    WITH_EXCEPTIONS: "gender_published_with_exceptions",
    CORRECTED: "gender_corrected",
}

# What recognizers are trained on, and what they are tested on.
DUPLICATED, BALANCED = "duplicated", "balanced"
TRAINING_DATA = (ORIGINAL, DUPLICATED, BALANCED)
TEST_SETS = (ORIGINAL, SWAPPED, AUGMENTED)
MEASURES = ("precision", "recall", "f1")
# What tells one training from another.
RUN = ("procedure", "data", "seed")
# Rows of scores besides those of types and genders: of all entities, and the mean of the types by their number.
ALL, WEIGHTED = "all", "weighted average"


def recorded_titles_name(model: str) -> str:
    """Return what the authors' lists of the titles that a model found and missed are called among what is not run."""
    return f"{model}_titles"
