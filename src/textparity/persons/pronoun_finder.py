"""Find the pronouns of a parsed document that may refer to persons, with their gender and role."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textparity.persons.agreement import is_plural
from textparity.persons.impersonal import ImpersonalFinder
from textparity.persons.mention_spans import PERHAPS_THEY, SINGULAR_THEY, MentionSpan
from textparity.persons.mentions import MASCULINE
from textparity.persons.parsed_document import ParsedDocument
from textparity.persons.rules import ANY, PronounRow, Rules

if TYPE_CHECKING:
    from spacy.tokens import Token

_SECOND_CLITICS = frozenset({"lui", "leur", "y", "en"})


class PronounFinder:
    """Find pronouns by the rows of a language, and `neopronouns` where the lexicon counts them."""

    def __init__(self, rules: Rules, neopronouns: frozenset[str] = frozenset()) -> None:
        self._neopronouns = neopronouns
        self._rules = rules
        self._impersonals = ImpersonalFinder(rules)
        self._is_cased = bool(rules.of_kind("agreement"))
        self._neutral_roles = dict.fromkeys(rules.of_kind("plural_pronoun"), PERHAPS_THEY)
        self._neutral_roles |= dict.fromkeys(rules.of_kind("neutral_pronoun"), SINGULAR_THEY)

    def find(self, parsed: ParsedDocument) -> Iterator[MentionSpan]:
        """Find the pronouns of a parsed document, in text order."""
        for token in parsed.doc:
            row = self._row_of(parsed, token)
            if row is not None:
                pronoun = self._by_row(token, row)
                if pronoun is not None:
                    yield pronoun
            else:
                role = self._neutral_role(parsed, token)
                if role:
                    yield MentionSpan(token.i, token.i + 1, token.i, "pronoun", "", "", role=role)

    def _neutral_role(self, parsed: ParsedDocument, token: "Token") -> str:
        """Find the role of a pronoun without a gender. Empty for another word."""
        if token.lower_ in self._neopronouns and parsed.is_inclusive(token.i):
            return SINGULAR_THEY
        return self._neutral_roles.get(token.lower_, "")

    def _row_of(self, parsed: ParsedDocument, token: "Token") -> PronounRow | None:
        """Look up the gender and the role of a form. A language without rows of its own uses those of its lexicon."""
        if self._rules.pronouns:
            return self._rules.pronouns.get(token.lower_.replace("’", "'"))
        gender = parsed.gender_in("pronouns", token.i)
        if not gender:
            return None
        return PronounRow(gender, "possessive" if token.pos_ == "DET" else "personal")

    def _by_row(self, token: "Token", row: PronounRow) -> MentionSpan | None:
        """Describe a pronoun with a row. None if the form is another word here, or refers to nobody."""
        gender, role = row
        is_group = is_plural(token) and role != "possessive"
        is_it = role == "personal" and gender == MASCULINE and not is_group
        if is_it and self._impersonals.is_impersonal(token):
            return None
        if role == "object":
            if not self._is_object(token):
                return None
            is_group = token.lower_.endswith(("s", "r"))
        elif role == "either":
            # A clitic may refer to any gender; a stressed form may not.
            if _is_stressed(token):
                role = "personal"
            else:
                role, gender = "dative", ANY
        elif role == "joint possessive":
            role, is_group = "personal" if self._is_cased else "possessive", True
        elif role == "demonstrative":
            if not self._precedes_relative(token):
                return None
        elif role != "personal" and gender == ANY and token.pos_ not in ("PRON", "DET", "ADJ"):
            # The noun *son* may also mean a sound. A form with a gender of its own is a pronoun, such as *hers*, which
            # taggers take for a noun.
            return None
        elif role == "personal" and self._is_cased and "Nom" not in token.morph.get("Case"):
            role = "object"
        known_gender = "" if gender == ANY else gender
        return MentionSpan(
            token.i, token.i + 1, token.i, "pronoun", known_gender, "pronoun", is_plural=is_group, role=role
        )

    def _is_object(self, token: "Token") -> bool:
        """Check whether a word is no article, because a verb follows, and refers to no clause (*il le sait*)."""
        if not _is_before_verb(token):
            return False
        clause_verbs = self._rules.of_kind("clause_verb").keys()
        return clause_verbs.isdisjoint((token.nbor(1).lemma_, token.head.lemma_))

    def _precedes_relative(self, token: "Token") -> bool:
        """Check whether a relative pronoun follows a word."""
        is_last = token.i + 1 == len(token.doc)
        return not is_last and token.nbor(1).lower_ in self._rules.of_kind("relative")


def _is_stressed(token: "Token") -> bool:
    """Check whether a pronoun is stressed, that is, stands by itself (*avec lui*, *lui, il …*)."""
    is_last = token.i + 1 == len(token.doc)
    if is_last:
        return True
    after = token.nbor(1)
    follows_preposition = token.i > 0 and token.nbor(-1).pos_ in ("ADP", "CCONJ")
    if follows_preposition:
        return after.pos_ not in ("VERB", "AUX")
    return after.is_punct


def _is_before_verb(token: "Token") -> bool:
    """Check whether a word is a clitic: a finite verb or an infinitive follows it, possibly after another clitic."""
    doc = token.doc
    following = token.i + 1
    if following == len(doc):
        return False
    if doc[following].lower_ in _SECOND_CLITICS and following + 1 < len(doc):
        following += 1
    verb = doc[following]
    return verb.pos_ in ("VERB", "AUX") and "Part" not in verb.morph.get("VerbForm")
