"""Read the gender of words from their morphology, and that of subjects from their verbs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textparity.persons.mention_spans import SUBJECTS
from textparity.persons.mentions import FEMININE, MASCULINE

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_GENDERS = {"Fem": FEMININE, "Masc": MASCULINE}


def is_plural(token: "Token") -> bool:
    """Check whether a word is a plural."""
    return "Plur" in token.morph.get("Number")


def grammatical_gender(token: "Token") -> str:
    """Read the grammatical gender that a pipeline gives to a word. Empty for none and for the neuter."""
    for gender in token.morph.get("Gender"):
        return _GENDERS.get(gender, "")
    return ""


def verb_gender(token: "Token") -> str:
    """Find the gender of the verb of a subject, if verbs have one (*řekla*). Without a parse, one close to it."""
    if token.morph.get("Case") not in ([], ["Nom"]):
        return ""
    for word in _words_with_verb(token):
        if word.pos_ == "VERB" and "Sing" in word.morph.get("Number"):
            return grammatical_gender(word)
    return ""


def participle_gender(token: "Token") -> str:
    """Find the gender of the French participle with *être* of a subject in the singular (*elle est arrivée*)."""
    verb = token.head
    if token.dep_ not in SUBJECTS or is_plural(verb) or "Part" not in verb.morph.get("VerbForm"):
        return ""
    if not any(child.lemma_ == "être" for child in verb.children if child.i < verb.i):
        return ""
    return FEMININE if verb.lower_.endswith("e") else MASCULINE


def _words_with_verb(token: "Token") -> "Sequence[Token] | Span":
    """List the words among which the verb of a subject is. There are none for another role in the sentence."""
    if token.dep_ in SUBJECTS:
        return [token.head]
    if token.dep_:
        return []
    first = max(0, token.i - 1)
    return token.doc[first : first + 4]


def agreeing_gender(words: "Span") -> str:
    """Find the gender of a declined name: that of its verb, of a surname in the nominative, or of all parts."""
    genders_of_verbs = {verb_gender(word) for word in words if "Nom" in word.morph.get("Case")} - {""}
    if len(genders_of_verbs) == 1:
        return genders_of_verbs.pop()
    if len(words) == 1:
        return ""
    surname = words[-1]
    if "Nom" in surname.morph.get("Case") and grammatical_gender(surname) == FEMININE:
        return FEMININE
    genders = {grammatical_gender(word) for word in words}
    return genders.pop() if len(genders) == 1 else ""
