"""What is measured on texts: tokenizers, lexicon matching, counting, statistics."""

PROCEDURES = ("published", "corrected")
# A third procedure for counts of a lexicon: like `corrected`, with a revision of the lexicon.
REVISED = "revised"

# Fewer resamples are not enough for an interval. More do not change any printed digit, and take ever more time and
# memory.
LEAST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
# The sentences of a text, as lists of lower-cased tokens.
Sentences = list[list[str]]
# The classes of a word, and those that are genders.
GENDERS = ("feminine", "masculine")
UNSPECIFIED = "unspecified"
CLASSES = (*GENDERS, UNSPECIFIED)
# The lexicon of an audit. It comes with the package.
OWN_LEXICON = "textparity_v2"
