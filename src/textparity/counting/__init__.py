"""What is measured on texts: tokenizers, lexicon matching, counting."""

PROCEDURES = ("published", "corrected")
# A third procedure for counts of a lexicon: like `corrected`, with a revision of the lexicon.
REVISED = "revised"

# The sentences of a text, as lists of lower-cased tokens.
Sentences = list[list[str]]
# The classes of a word, and those that are genders.
GENDERS = ("feminine", "masculine")
UNSPECIFIED = "unspecified"
CLASSES = (*GENDERS, UNSPECIFIED)
# The lexicon of an audit. It comes with the package.
OWN_LEXICON = "textparity_v2"
