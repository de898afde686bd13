"""A small lexicon, so that what tests count does not depend on the words of the one that ships."""

from textparity.auditing.languages import PACKAGE_FOLDER

NOUNS = PACKAGE_FOLDER / "resources" / "demo" / "lexicons"
# The same for the command.
WITH_NOUNS = ("--lexicon-folder", str(NOUNS))
