"""Which pronouns come next after a name, and what a text says that somebody is called: hints at the gender of names."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textparity.counting import GENDERS
from textparity.persons.agreement import is_plural
from textparity.persons.mention_spans import SUBJECTS, MentionSpan
from textparity.persons.mentions import UNSPECIFIED
from textparity.persons.rules import PronounRow, Rules

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# A name's gender is probably that of the pronouns that come next after it, within so many tokens, if there are at least
# so many, and if such a share of them agree.
HINT_REACH, MIN_HINTS, SHARE_OF_HINTS = 25, 2, 0.67
# Somebody is called "they" if the word comes next after this share of the mentions of the name, and, if pronouns of a
# gender do as well (they may be other people's), at least so many times as often as those.
NEUTRAL_SHARE, NEUTRAL_ODDS = 0.5, 2
# That share is enough in a text that has a sure sign that it calls one person *they*, such as *ze* or a statement.
SHARE_AFTER_SIGN = 0.2
# A statement of what somebody is called (*non-binary*, *they/them*, *Mx*) counts as much as so many pronouns.
STATEMENT = 3
# A text without pronouns of a gender that has at least so many signs of people called *they* tells nobody's gender by
# a first name.
FEWEST_SIGNS = 2
# Labels of entities that may be called *they*: organisations, peoples, and places for their teams and governments.
_GROUPS = frozenset({"ORG", "NORP", "GPE"})
# How many words a statement may stand below the name in the parse.
_DEPTH = 6
NameParts = tuple[str, ...]
Votes = dict[NameParts, Counter[str]]


def _names_by_token(names: Iterable[MentionSpan]) -> dict[int, MentionSpan]:
    name_at: dict[int, MentionSpan] = {}
    for name in names:
        name_at.update(dict.fromkeys(range(name.start, name.end), name))
    return name_at


def count_pronouns_after(
    doc: "Doc", names: Sequence[MentionSpan], rules: Rules, plurals: frozenset[int] = frozenset()
) -> Votes:
    """Count the genders of the pronouns that come next after each name, by its parts.

    It is unspecified for *ze*, and for *they* where no other name and no group stands between. `plurals` are the tokens
    of plural nouns for persons. A plural noun for things stands in the way of *they*, but not of *their*: things rarely
    have something.
    """
    counter = _PronounCounter(names, rules, plurals)
    for token in doc:
        counter.read(token)
    return counter.votes


class _PronounCounter:
    """Read the tokens of a document, and count the pronouns after each name."""

    def __init__(self, names: Sequence[MentionSpan], rules: Rules, plurals: frozenset[int]) -> None:
        self.votes: Votes = {name.parts: Counter() for name in names}
        self._name_at = _names_by_token(names)
        self._pronouns = rules.pronouns
        self._plural_forms = rules.of_kind("plural_pronoun")
        self._neutral_forms = rules.of_kind("neutral_pronoun")
        self._groups = rules.of_kind("group")
        self._plurals = plurals
        # Objects are mostly things, which have a gender in languages with an impersonal pronoun.
        self._may_be_things_of_gender = bool(rules.of_kind("impersonal"))
        # The last name, unless a pronoun of a gender has followed it.
        self._name: MentionSpan | None = None
        # The name that was the subject last, unless it is one of several joined names.
        self._subject: MentionSpan | None = None
        # Whether *they* may be a group, or things, mentioned since that name.
        self._may_be_group = False
        self._may_be_things = False

    def read(self, token: "Token") -> None:
        """Read the next token."""
        name = self._name_at.get(token.i)
        if name is not None:
            self._read_name(token, name)
            return
        row = self._pronouns.get(token.lower_)
        if row is not None and self._shows_nothing(token, row):
            return
        self._note_plurals(token)
        if self._is_neutral(token):
            self._count_neutral(token)
        elif row is not None and row.gender in GENDERS:
            self._count(token, row.gender)
            self._name = None

    def _shows_nothing(self, token: "Token", row: PronounRow) -> bool:
        """Check whether a form shows no gender of one person: a plural (*elles*), or what may be a thing (*la*)."""
        if row.role == "personal":
            return is_plural(token)
        return row.role == "object" and self._may_be_things_of_gender

    def _read_name(self, token: "Token", name: MentionSpan) -> None:
        # "Ann and Kim … they": the names are joined.
        children = [child.dep_ for child in token.children]
        is_joined = "conj" in (token.dep_, *children)
        is_same = name is self._name
        self._may_be_group = is_joined or (self._may_be_group and is_same)
        self._may_be_things = self._may_be_things and is_same
        self._name = name
        if token.dep_ in SUBJECTS:
            self._subject = None if is_joined else name

    def _note_plurals(self, token: "Token") -> None:
        """Note groups and things to which *they* may refer."""
        if token.ent_type_ in _GROUPS or token.lower_ in self._groups or token.i in self._plurals:
            self._may_be_group = True
        if token.pos_ == "NOUN" and is_plural(token):
            self._may_be_things = True

    def _is_neutral(self, token: "Token") -> bool:
        """Check whether a token is *ze*, or *they* where it may be one person."""
        if token.lower_ in self._neutral_forms:
            return True
        if token.lower_ not in self._plural_forms:
            return False
        is_blocked = self._may_be_group or (self._may_be_things and not _is_possessive(token))
        return not is_blocked or _is_of_one(token)

    def _count_neutral(self, token: "Token") -> None:
        following = _subject_after(token, self._name_at) if _is_possessive(token) else None
        if following is not None:
            # In "on their birthday, Kim …", the pronoun comes before the name.
            self.votes[following.parts][UNSPECIFIED] += 1
        elif self._subject is not None and _is_next_sentence(self._subject, token):
            self.votes[self._subject.parts][UNSPECIFIED] += 1
        else:
            self._count(token, UNSPECIFIED)

    def _count(self, token: "Token", gender: str) -> None:
        """Count a pronoun for the last name, if that is near."""
        if self._name is not None and token.i - self._name.head < HINT_REACH:
            self.votes[self._name.parts][gender] += 1


def _is_possessive(token: "Token") -> bool:
    return token.tag_.endswith("$")


def _is_of_one(token: "Token") -> bool:
    """Check whether a plural pronoun is that of one person, because a singular follows: *they are an artist*."""
    if token.dep_ not in SUBJECTS:
        return False
    attributes = [word for word in token.head.children if word.dep_ == "attr"]
    return any(map(_has_singular_article, attributes))


def _has_singular_article(noun: "Token") -> bool:
    return any(child.lower_ in ("a", "an") for child in noun.children)


def _subject_after(token: "Token", name_at: Mapping[int, MentionSpan]) -> MentionSpan | None:
    """Find the name that is the subject of the sentence, if a word stands before it and after no other name."""
    sentence = token.sent
    for position in range(sentence.start, sentence.end):
        name = name_at.get(position)
        if name is None:
            continue
        is_after = position >= token.i
        is_subject = token.doc[name.head].dep_ in SUBJECTS
        return name if is_after and is_subject else None
    return None


def _is_next_sentence(subject: MentionSpan, token: "Token") -> bool:
    """Check whether a subject is in the sentence before that of a pronoun, which is a subject as well."""
    start = token.sent.start
    if token.dep_ not in SUBJECTS or start == 0:
        return False
    last_before = token.doc[start - 1]
    return last_before.sent.start <= subject.head < start


def count_statements(doc: "Doc", names: Sequence[MentionSpan], rules: Rules) -> Counter[NameParts]:
    """Count how often the text says of a name that the person is non-binary or called *they*, by its parts."""
    statements = Counter(name.parts for name in names if name.is_neutral)
    words = {*rules.of_kind("neutral_word"), *rules.of_kind("stated_pronouns")}
    statements.update(statement.parts for statement in _find_statements(doc, names, words))
    return statements


def find_stated(doc: "Doc", names: Sequence[MentionSpan], rules: Rules) -> set[NameParts]:
    """Find the parts of the names beside which the text states a title or pronouns (*Mx*, *they/them*)."""
    stated = {name.parts for name in names if name.is_neutral}
    words = rules.of_kind("stated_pronouns")
    stated.update(statement.parts for statement in _find_statements(doc, names, words))
    return stated


def _find_statements(doc: "Doc", names: Sequence[MentionSpan], words: Iterable[str]) -> Iterator[MentionSpan]:
    """Find the names that words describe, once for each word."""
    longest_first = sorted(words, key=len, reverse=True)
    if not longest_first:
        return
    name_at = _names_by_token(names)
    alternatives = "|".join(map(re.escape, longest_first))
    for match in re.finditer(rf"(?<!\w)(?:{alternatives})(?!\w)", doc.text.lower()):
        span = doc.char_span(match.start(), match.end(), alignment_mode="expand")
        name = _described(span.root, name_at) if span is not None else None
        if name is not None:
            yield name


def _described(token: "Token", name_at: Mapping[int, MentionSpan]) -> MentionSpan | None:
    """Find the name that a word describes: by the parse, else the last name before it in the sentence, or the next."""
    above = token
    for _ in range(_DEPTH):
        name = name_at.get(above.i) or _subject_or_apposition(above, name_at)
        if name is not None:
            return name
        if above.head == above:
            break
        above = above.head
    sentence = token.sent
    for position in [*range(token.i - 1, sentence.start - 1, -1), *range(token.i, sentence.end)]:
        if position in name_at:
            return name_at[position]
    return None


def _subject_or_apposition(token: "Token", name_at: Mapping[int, MentionSpan]) -> MentionSpan | None:
    for child in token.children:
        if child.i in name_at and (child.dep_ in SUBJECTS or child.dep_ == "appos"):
            return name_at[child.i]
    return None


def has_sign_of_they(doc: "Doc", rules: Rules) -> bool:
    """Check whether a pronoun of a text is surely that of one person of no gender (*ze*; *they are an artist*)."""
    plural_forms, neutral_forms = rules.of_kind("plural_pronoun"), rules.of_kind("neutral_pronoun")
    for token in doc:
        form = token.lower_
        if form in neutral_forms or (form in plural_forms and _is_of_one(token)):
            return True
    return False


def choose_hints(
    votes: Votes, names: Sequence[MentionSpan], statements: Counter[NameParts], has_sign: bool = False
) -> dict[NameParts, str]:
    """Choose the probable gender of names: unspecified for those of somebody who is called *they* or *ze*.

    `has_sign`: a pronoun of the text is surely that of one such person.
    """
    hints: dict[NameParts, str] = {}
    for parts, genders in votes.items():
        gender = _gender_of_most(genders)
        if gender:
            hints[parts] = gender
    whole_names = _whole_names(list(votes))
    signs = _pool_signs(votes, names, statements, whole_names)
    everybody = sum((pooled.genders for pooled in signs.values()), Counter[str]())
    is_nobody = everybody[UNSPECIFIED] >= FEWEST_SIGNS and not _count_gendered(everybody)
    has_sign = has_sign or statements.total() > 0
    share = SHARE_AFTER_SIGN if has_sign else NEUTRAL_SHARE
    for parts in votes:
        signs_of_person = signs[whole_names[parts]]
        is_said = statements[parts] and signs_of_person.is_mostly_neutral
        if is_nobody or is_said or signs_of_person.is_often_neutral(share):
            hints[parts] = UNSPECIFIED
    return hints


def _gender_of_most(genders: Counter[str]) -> str:
    """Find the gender of enough pronouns, and of most. Empty if there is none."""
    total = _count_gendered(genders)
    for gender in GENDERS:
        if genders[gender] >= MIN_HINTS and genders[gender] > SHARE_OF_HINTS * total:
            return gender
    return ""


def _count_gendered(genders: Counter[str]) -> int:
    return sum(genders[gender] for gender in GENDERS)


@dataclass(frozen=True)
class _Signs:
    """How often a person's name stands in a text, and the genders of the pronouns next after it.

    A statement that the person is called *they* counts as several pronouns.
    """

    mentions: int
    genders: Counter[str]

    @property
    def is_mostly_neutral(self) -> bool:
        """Whether *they* comes next more often than pronouns of a gender."""
        return self.genders[UNSPECIFIED] > _count_gendered(self.genders)

    def is_often_neutral(self, share: float) -> bool:
        """Check whether *they* comes next after a share of the mentions, and far more often than other pronouns."""
        odds = NEUTRAL_ODDS * _count_gendered(self.genders)
        return self.genders[UNSPECIFIED] >= max(1, share * self.mentions, odds)


def _pool_signs(
    votes: Votes,
    names: Sequence[MentionSpan],
    statements: Counter[NameParts],
    whole_names: Mapping[NameParts, NameParts],
) -> dict[NameParts, _Signs]:
    """Pool the signs of each whole name with those of its parts."""
    mentions_of = Counter(name.parts for name in names)
    pooled: defaultdict[NameParts, Counter[str]] = defaultdict(Counter)
    mentions = Counter[NameParts]()
    for parts, genders in votes.items():
        whole = whole_names[parts]
        pooled[whole].update(genders)
        pooled[whole][UNSPECIFIED] += STATEMENT * statements[parts]
        mentions[whole] += mentions_of[parts]
    return {whole: _Signs(mentions[whole], genders) for whole, genders in pooled.items()}


def _whole_names(names: list[NameParts]) -> dict[NameParts, NameParts]:
    """Map each name to the longest one that it begins or ends, if only one does, and else to itself."""
    longer: defaultdict[str, set[NameParts]] = defaultdict(set)
    for parts in names:
        if len(parts) > 1:
            longer[parts[0]].add(parts)
            longer[parts[-1]].add(parts)
    whole_names = {}
    for parts in names:
        candidates = longer[parts[0]] if len(parts) == 1 else set()
        whole_names[parts] = min(candidates) if len(candidates) == 1 else parts
    return whole_names
