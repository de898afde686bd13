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
# The third column: what unspecified matches show of the persons. Their pronoun or title is neither a woman's nor a
# man's, or they are called non-binary; a form names all genders; they are several persons; or nothing is known.
NEITHER, INCLUSIVE, GROUPS, UNKNOWN = SPLIT = ("neither", "inclusive", "groups", "unknown")
# The names of the four among totals and in tables.
SPLIT_COLUMNS = {name: f"{UNSPECIFIED}_{name}" for name in SPLIT}
# The lexicon of an audit. It comes with the package.
OWN_LEXICON = "textparity_v2"
