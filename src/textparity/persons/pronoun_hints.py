"""Which pronouns come next after a name, and what a text says that somebody is called: hints at the gender of names."""

import re
from collections import Counter
from typing import TYPE_CHECKING

from textparity.counting import GENDERS
from textparity.persons.mention_spans import SUBJECTS, MentionSpan
from textparity.persons.mentions import UNSPECIFIED, Rules

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
# How many words a statement may stand below the name in the parse.
_DEPTH = 6
_CLAUSES = frozenset({"relcl", "acl:relcl", "acl", "appos"})
Votes = dict[tuple[str, ...], Counter[str]]


def count_pronouns_after(
    doc: "Doc", names: list[MentionSpan], rules: Rules, plurals: frozenset[int] = frozenset()
) -> Votes:
    """Count the genders of the pronouns that come next after each name, by its parts.

    It is unspecified for *ze*, and for *they* where no other name and no group stands between. `plurals` are the places
    of plural nouns for persons. A plural noun for things stands in the way of *they*, but not of *their*: things rarely
    have something.
    """
    plural, neutral, groups = map(rules.of_kind, ("plural_pronoun", "neutral_pronoun", "group"))
    at = {place: one for one in names for place in range(one.start, one.end)}
    votes: Votes = {one.parts: Counter() for one in names}
    name: MentionSpan | None = None
    # The name that was the subject last, and whether it is one of several joined names.
    subject: MentionSpan | None = None
    may_be_group = may_be_things = False
    for token in doc:
        if one := at.get(token.i):
            # "Ann and Kim … they": the names are joined.
            is_joined = any(word.dep_ == "conj" for word in (token, *token.children))
            may_be_group = is_joined or (may_be_group and one is name)
            may_be_things = may_be_things and one is name
            name = one
            if token.dep_ in SUBJECTS:
                subject = None if is_joined else one
            continue
        form = token.lower_
        gender, role = rules.pronouns.get(form, ("", ""))
        if role == "personal" and "Plur" in token.morph.get("Number"):
            # Where a plural pronoun has a gender (*elles*), it shows nothing of one person.
            continue
        may_be_group |= token.ent_type_ == "ORG" or form in groups or token.i in plurals
        may_be_things |= token.pos_ == "NOUN" and "Plur" in token.morph.get("Number")
        is_possessive = token.tag_.endswith("$")
        is_blocked = may_be_group or (may_be_things and not is_possessive)
        is_neutral = form in neutral or (form in plural and (not is_blocked or _is_of_one(token)))
        if is_neutral and is_possessive and (following := _subject_after(token, at)):
            # In "on their birthday, Kim …", the pronoun comes before the name.
            votes[following.parts][UNSPECIFIED] += 1
        elif is_neutral and subject is not None and _is_next_sentence(subject, token):
            votes[subject.parts][UNSPECIFIED] += 1
        elif name is not None and (gender in GENDERS or is_neutral):
            if token.i - name.head < HINT_REACH:
                votes[name.parts][UNSPECIFIED if is_neutral else gender] += 1
            name = name if is_neutral else None
    return votes


def _is_of_one(token: "Token") -> bool:
    """Check whether a plural pronoun is that of one person, because a singular follows: *they are an artist*."""
    attributes = [word for word in token.head.children if word.dep_ == "attr"] if token.dep_ in SUBJECTS else []
    return any(child.lower_ in ("a", "an") for word in attributes for child in word.children)


def _subject_after(token: "Token", at: dict[int, MentionSpan]) -> MentionSpan | None:
    """Find the name that is the subject of the sentence, if a word stands before it and after no other name."""
    start, end = token.sent.start, token.sent.end
    if any(place in at for place in range(start, token.i)):
        return None
    first = [at[place] for place in range(token.i, end) if place in at][:1]
    return first[0] if first and token.doc[first[0].head].dep_ in SUBJECTS else None


def _is_next_sentence(subject: MentionSpan, token: "Token") -> bool:
    """Check whether a subject is in the sentence before that of a pronoun, which is a subject as well."""
    start = token.sent.start
    return token.dep_ in SUBJECTS and start > 0 and token.doc[start - 1].sent.start <= subject.head < start


def count_statements(doc: "Doc", names: list[MentionSpan], rules: Rules) -> Counter[tuple[str, ...]]:
    """Count how often the text says of a name that the person is non-binary or called *they*, by its parts."""
    found = Counter(one.parts for one in names if one.is_neutral)
    words = sorted(rules.of_kind("neutral_word"), key=len, reverse=True)
    if not words:
        return found
    at = {place: one for one in names for place in range(one.start, one.end)}
    text = doc.text.lower()
    for match in re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", text):
        span = doc.char_span(match.start(), match.end(), alignment_mode="expand")
        if span is not None and (one := _described(span.root, at)):
            found[one.parts] += 1
    return found


def _described(token: "Token", at: dict[int, MentionSpan]) -> MentionSpan | None:
    """Find the name that a word describes: by the parse, else the last name before it in the sentence, or the next."""
    place = token
    for _ in range(_DEPTH):
        if one := at.get(place.i):
            return one
        for child in place.children:
            if (child.dep_ in SUBJECTS or child.dep_ == "appos") and (one := at.get(child.i)):
                return one
        if place.head == place:
            break
        place = place.head
    sentence = token.sent
    before = [at[number] for number in range(sentence.start, token.i) if number in at]
    after = [at[number] for number in range(token.i, sentence.end) if number in at]
    nearest = [*before[-1:], *after[:1]]
    return nearest[0] if nearest else None


def has_sign_of_they(doc: "Doc", rules: Rules) -> bool:
    """Check whether a pronoun of a text is surely that of one person of no gender (*ze*; *they are an artist*)."""
    plural, neutral = rules.of_kind("plural_pronoun"), rules.of_kind("neutral_pronoun")
    return any(word.lower_ in neutral or (word.lower_ in plural and _is_of_one(word)) for word in doc)


def choose_hints(
    votes: Votes, names: list[MentionSpan], statements: Counter[tuple[str, ...]], has_sign: bool = False
) -> dict[tuple[str, ...], str]:
    """Choose the probable gender of names: unspecified for those of somebody who is called *they* or *ze*.

    `has_sign`: a pronoun of the text is surely that of one such person.
    """
    mentions = Counter(one.parts for one in names)
    hints = {}
    for parts, genders in votes.items():
        gendered = {gender: genders[gender] for gender in GENDERS if genders[gender]}
        for gender, number in gendered.items():
            if number >= MIN_HINTS and number > SHARE_OF_HINTS * sum(gendered.values()):
                hints[parts] = gender
    share = SHARE_AFTER_SIGN if has_sign or statements.total() else NEUTRAL_SHARE
    whole = _whole_names(list(votes))
    pooled: Votes = {}
    number_of = Counter[tuple[str, ...]]()
    for parts, genders in votes.items():
        pooled.setdefault(whole[parts], Counter()).update(genders)
        pooled[whole[parts]][UNSPECIFIED] += STATEMENT * statements[parts]
        number_of[whole[parts]] += mentions[parts]
    everybody = sum(pooled.values(), Counter[str]())
    is_nobody = everybody[UNSPECIFIED] >= FEWEST_SIGNS and not any(everybody[gender] for gender in GENDERS)
    for parts in votes:
        genders = pooled[whole[parts]]
        gendered_number = sum(genders[gender] for gender in GENDERS)
        is_often = genders[UNSPECIFIED] >= max(1, share * number_of[whole[parts]], NEUTRAL_ODDS * gendered_number)
        is_said = statements[parts] and genders[UNSPECIFIED] > gendered_number
        if is_often or is_said or is_nobody:
            hints[parts] = UNSPECIFIED
    return hints


def _whole_names(names: list[tuple[str, ...]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Map each name to the longest one that it begins or ends, if only one does, and else to itself."""
    longer: dict[str, set[tuple[str, ...]]] = {}
    for parts in names:
        if len(parts) > 1:
            for part in (parts[0], parts[-1]):
                longer.setdefault(part, set()).add(parts)
    whole = {}
    for parts in names:
        of_part = longer.get(parts[0], set()) if len(parts) == 1 else set()
        whole[parts] = min(of_part) if len(of_part) == 1 else parts
    return whole
