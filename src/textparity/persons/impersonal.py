"""Which *il* is the subject of an impersonal verb (*il faut*, *il peut s'agir de*), and so refers to nobody."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from textparity.persons.rules import Rules

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# How many words after the verb can show that it is impersonal.
_REACH = 3
_CLAUSES = frozenset({"que", "qu'", "de", "d'"})
# Forms that taggers may not trace to their verb.
_GO = frozenset({"aller", "va", "allait", "ira", "irait"})
_BE = frozenset({"être", "est", "était", "sera", "soit"})
_GO_OR_BE = _GO | _BE
_REFLEXIVES = frozenset({"se", "s'"})
# What follows "il va", and "il en va" or "il en est".
_AFTER_GO = (["sans", "dire"], ["de", "soi"])
_AFTER_EN = frozenset({"de", "ainsi", "autrement"})


def position_of_verb(pronoun: "Token") -> int:
    """Find the verb before a pronoun that follows it (*dit-il, a-t-elle*), -1 if the text begins with the pronoun."""
    before = pronoun.i - 1
    if before > 0 and pronoun.doc[before].lower_ == "-t":
        return before - 1
    return before


@dataclass(frozen=True)
class _VerbPhrase:
    """A verb at a token with the clitics before it. `after` is the token after the verb, or after its pronoun."""

    doc: "Doc"
    verb: int
    after: int
    clitics: frozenset[str]

    @cached_property
    def forms(self) -> set[str]:
        """The verb as it stands, and its lemma."""
        token = self.doc[self.verb]
        return {token.lower_, token.lemma_.lower()}

    @cached_property
    def words_after(self) -> list[str]:
        """The words after the verb that are near enough to matter, and one more."""
        return [_plain(word) for word in self.doc[self.after : self.after + _REACH + 1]]

    @property
    def begins_with_been(self) -> bool:
        """Whether *été* follows: the verb is then the auxiliary of *être*."""
        return self.words_after[:1] == ["été"]


class ImpersonalFinder:
    """Find the impersonal subjects of a language, if `rules` list its impersonal verbs, and clitics before verbs."""

    def __init__(self, rules: Rules) -> None:
        self._clitics = rules.of_kind("clitic").keys()
        self._verbs = rules.of_kind("impersonal").keys()
        self._there_is = rules.of_kind("there_is").keys()
        # Verbs that are impersonal in some phrases: il s'agit, il semble que, il est tard, il est clair que, il peut.
        self._reflexive_verbs = rules.of_kind("impersonal_reflexive").keys()
        self._verbs_with_that = rules.of_kind("impersonal_that").keys()
        self._that = rules.of_kind("that").keys()
        self._be = rules.of_kind("impersonal_be").keys()
        self._states = rules.of_kind("impersonal_state").keys()
        self._judgements = rules.of_kind("impersonal_judged").keys()
        self._modals = rules.of_kind("impersonal_modal").keys()

    def is_impersonal(self, token: "Token") -> bool:
        """Check whether a pronoun is the subject of an impersonal verb."""
        if not self._clitics:
            return False
        doc = token.doc
        phrase = self._phrase_of(token)
        if not 0 <= phrase.verb < len(doc):
            return False
        if self._is_impersonal_phrase(phrase):
            return True
        is_be = phrase.begins_with_been or not phrase.forms.isdisjoint(self._be)
        if is_be and _follows_comme(token):
            # "Comme il est dit", "comme il a été précisé".
            near = phrase.words_after[:2]
            return not self._judgements.isdisjoint(near)
        if "en" in phrase.clitics and self._is_need_or_concession(token, phrase):
            return True
        if phrase.forms.isdisjoint(self._modals):
            return False
        infinitive = self._infinitive_after(phrase)
        return infinitive.verb < len(doc) and self._is_impersonal_phrase(infinitive)

    def _phrase_of(self, pronoun: "Token") -> _VerbPhrase:
        """Find the verb before a pronoun with a hyphen, or after any other."""
        doc = pronoun.doc
        if not pronoun.lower_.startswith("-"):
            return self._phrase_from(doc, pronoun.i + 1)
        verb = position_of_verb(pronoun)
        before = [_plain(doc[verb - 1])] if verb > 0 else []
        return _VerbPhrase(doc, verb, after=pronoun.i + 1, clitics=frozenset(before))

    def _phrase_from(self, doc: "Doc", first: int) -> _VerbPhrase:
        """Find the first word that is no clitic, from a token on, and the clitics before it."""
        clitics = set()
        verb = first
        while verb < len(doc):
            word = _plain(doc[verb])
            if word not in self._clitics:
                break
            clitics.add(word)
            verb += 1
        return _VerbPhrase(doc, verb, verb + 1, frozenset(clitics))

    def _is_need_or_concession(self, pronoun: "Token", phrase: _VerbPhrase) -> bool:
        """Check for "s'il en était besoin" and "quoi qu'il en soit"."""
        if phrase.forms.isdisjoint(_BE):
            return False
        if phrase.words_after[:1] == ["besoin"]:
            return True
        before = max(0, pronoun.i - 2)
        return _plain(pronoun.doc[before]) == "quoi"

    def _infinitive_after(self, phrase: _VerbPhrase) -> _VerbPhrase:
        """Find the infinitive after a modal verb and adverbs."""
        doc = phrase.doc
        for token in doc[phrase.after :]:
            if token.pos_ != "ADV" or _plain(token) in self._clitics:
                return self._phrase_from(doc, token.i)
        return self._phrase_from(doc, len(doc))

    def _is_impersonal_phrase(self, phrase: _VerbPhrase) -> bool:
        """Check a verb with the clitics before it and the words after it."""
        token = phrase.doc[phrase.verb]
        forms, clitics, near = phrase.forms, phrase.clitics, phrase.words_after
        if phrase.begins_with_been:
            forms = {"être"}
            near = near[1:]
        near = near[:_REACH]
        if "y" in clitics and (token.lower_ in self._there_is or token.lower_ == "avoir"):
            return _is_there_is(token)
        if "en" in clitics and not forms.isdisjoint(_GO_OR_BE):
            return not _AFTER_EN.isdisjoint(near[:2])
        if near[:2] in _AFTER_GO and not forms.isdisjoint(_GO):
            return True
        if not forms.isdisjoint(self._verbs):
            return True
        is_reflexive = not _REFLEXIVES.isdisjoint(clitics)
        if is_reflexive and not forms.isdisjoint(self._reflexive_verbs):
            return True
        if not forms.isdisjoint(self._verbs_with_that):
            return not self._that.isdisjoint(near)
        if not forms.isdisjoint(self._be):
            return self._is_state_or_judgement(near, phrase.words_after)
        return False

    def _is_state_or_judgement(self, near: list[str], words_after: list[str]) -> bool:
        """Check for "il est tard" and "il est clair que". `words_after` have one word more, or begin with *été*."""
        if not self._states.isdisjoint(near) or near[1:2] in (["que"], ["qu'"]):
            return True
        for index, following in enumerate(words_after[1:]):
            if following in _CLAUSES and words_after[index] in self._judgements:
                return True
        return False


def _is_there_is(verb: "Token") -> bool:
    """Check whether a form of avoir after y stands alone: "il y a eu" is impersonal, but "il y a laissé" is not."""
    is_last = verb.i + 1 == len(verb.doc)
    following = verb if is_last else verb.nbor(1)
    return following.lower_ == "eu" or "Part" not in following.morph.get("VerbForm")


def _follows_comme(token: "Token") -> bool:
    return token.i > 0 and _plain(token.nbor(-1)) == "comme"


def _plain(token: "Token") -> str:
    return token.lower_.replace("’", "'")
