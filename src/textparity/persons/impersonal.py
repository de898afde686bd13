"""Which *il* is the subject of an impersonal verb (*il faut*, *il peut s'agir de*), and so refers to nobody."""

from typing import TYPE_CHECKING

from textparity.persons.mentions import Rules

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# How many words after the verb can show that it is impersonal.
_REACH = 3
_CLAUSES = frozenset({"que", "qu'", "de", "d'"})
# Forms that taggers may not trace to their verb.
_GO, _BE = frozenset({"aller", "va", "allait", "ira", "irait"}), frozenset({"être", "est", "était", "sera", "soit"})


def place_of_verb(pronoun: "Token") -> int:
    """Find the verb before a pronoun that follows it (*dit-il, a-t-elle*), -1 if the text begins with the pronoun."""
    before = pronoun.i - 1
    return before - 1 if before > 0 and pronoun.doc[before].lower_ == "-t" else before


class ImpersonalFinder:
    """Find the impersonal subjects of a language, if `rules` list its impersonal verbs, and clitics before verbs."""

    def __init__(self, rules: Rules) -> None:
        self._words = rules.of_kind

    def is_impersonal(self, token: "Token") -> bool:
        """Check whether a pronoun is the subject of an impersonal verb."""
        if not self._words("clitic"):
            return False
        doc, before = token.doc, token.i - 1
        if token.lower_.startswith("-"):
            verb = place_of_verb(token)
            seen, after = {_plain(doc[verb - 1])} if verb > 0 else set(), token.i + 1
        else:
            verb, seen = self._skip_clitics(doc, token.i + 1)
            after = verb + 1
        if not 0 <= verb < len(doc):
            return False
        if self._has_impersonal_verb(doc, verb, after, seen):
            return True
        forms = _forms(doc[verb])
        near = _words_from(doc, after)
        is_aside = token.i > 0 and _plain(doc[before]) == "comme"
        if is_aside and (near[:1] == ["été"] or forms & self._words("impersonal_be").keys()):
            # "Comme il est dit", "comme il a été précisé".
            return not self._words("impersonal_judged").keys().isdisjoint(near[:2])
        if "en" in seen and forms & _BE and (near[:1] == ["besoin"] or _plain(doc[max(0, before - 1)]) == "quoi"):
            # "Quoi qu'il en soit", "s'il en était besoin".
            return True
        if forms & self._words("impersonal_modal").keys():
            while after < len(doc) and doc[after].pos_ == "ADV" and _plain(doc[after]) not in self._words("clitic"):
                after += 1
            infinitive, seen = self._skip_clitics(doc, after)
            return infinitive < len(doc) and self._has_impersonal_verb(doc, infinitive, infinitive + 1, seen)
        return False

    def _skip_clitics(self, doc: "Doc", place: int) -> tuple[int, set[str]]:
        """Find the first word that is no clitic, from a place on, and the clitics before it."""
        seen = set()
        while place < len(doc) and (word := _plain(doc[place])) in self._words("clitic"):
            seen.add(word)
            place += 1
        return place, seen

    def _has_impersonal_verb(self, doc: "Doc", place: int, after: int, seen: set[str]) -> bool:
        """Check a verb with the clitics `seen` before it, and the words from `after` on."""
        words, verb = self._words, doc[place]
        forms, near = _forms(verb), _words_from(doc, after)
        if near[:1] == ["été"]:
            forms, near = {"être"}, near[1:]
        near = near[:_REACH]
        if "y" in seen and (verb.lower_ in words("there_is") or verb.lower_ == "avoir"):
            # "Il y a eu" is impersonal, but "il y a laissé" is not.
            following = doc[place + 1] if place + 1 < len(doc) else verb
            return following.lower_ == "eu" or "Part" not in following.morph.get("VerbForm")
        if "en" in seen and forms & (_GO | _BE):
            return bool({"de", "ainsi", "autrement"} & set(near[:2]))
        if forms & _GO and (near[:2] in (["sans", "dire"], ["de", "soi"])):
            return True
        if forms & words("impersonal").keys():
            return True
        if seen & {"se", "s'"} and forms & words("impersonal_reflexive").keys():
            return True
        if forms & words("impersonal_that").keys():
            return any(word in words("that") for word in near)
        if forms & words("impersonal_be").keys():
            if any(word in words("impersonal_state") for word in near) or near[1:2] in (["que"], ["qu'"]):
                return True
            near = _words_from(doc, after)
            judged = [number for number, word in enumerate(near[:-1]) if word in words("impersonal_judged")]
            return any(near[number + 1] in _CLAUSES for number in judged)
        return False


def _plain(token: "Token") -> str:
    return token.lower_.replace("’", "'")


def _forms(verb: "Token") -> set[str]:
    return {verb.lower_, verb.lemma_.lower()}


def _words_from(doc: "Doc", place: int) -> list[str]:
    return [_plain(word) for word in doc[place : place + _REACH + 1]]
