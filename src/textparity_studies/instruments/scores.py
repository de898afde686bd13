"""Pair detected mentions of persons with annotated ones."""

from collections import defaultdict
from collections.abc import Sequence

from textparity.persons.mentions import Mention
from textparity_studies.instruments.gold.texts import AnnotatedMention

Pair = tuple[AnnotatedMention | None, Mention | None]


def pair_mentions(annotated: Sequence[AnnotatedMention], found: Sequence[Mention]) -> list[Pair]:
    """Pair annotated with detected mentions, one to one; a mention without a partner is paired with None.

    A detected mention belongs to the annotated one whose head it covers. If heads are not annotated, it belongs to the
    shortest annotated span that contains it or lies in it. Pairs of equal spans come first, and pronouns in a longer
    span last: *his* is not the person of *his wife*.
    """
    at: defaultdict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(found):
        for place in range(mention.start, mention.end):
            at[place].append(number)
    left = dict.fromkeys(range(len(found)))
    pairs: list[Pair] = []
    partner: dict[int, int] = {}
    options = []
    for number, gold in enumerate(annotated):
        start, end = (gold.head_start, gold.head_end) if gold.head_start >= 0 else (gold.start, gold.end)
        for other in sorted({other for place in range(gold.start, gold.end) for other in at.get(place, ())}):
            mention = found[other]
            if (mention.start, mention.end) == (gold.start, gold.end):
                options.append((0, 0, number, False, other))
            elif gold.head_start >= 0:
                if mention.start < end and start < mention.end:
                    options.append((1, gold.end - gold.start, number, False, other))
            elif (gold.start <= mention.start and mention.end <= gold.end) or (
                mention.start <= gold.start and gold.end <= mention.end
            ):
                options.append((1, gold.end - gold.start, number, mention.kind == "pronoun", other))
    for *_, number, _, other in sorted(options):
        if number not in partner and other in left:
            partner[number] = other
            del left[other]
    for number, gold in enumerate(annotated):
        pairs.append((gold, found[partner[number]] if number in partner else None))
    return pairs + [(None, found[other]) for other in left]
