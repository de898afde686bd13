"""Score which mentions a method takes for the same person, as the field scores coreference.

Scores are MUC (Vilain et al. 1995), B³ (Bagga and Baldwin 1998) and CEAF over entities (Luo 2005), by the package
scorch, and their mean, the CoNLL score (Pradhan et al. 2012). They are those of predicted mentions, with singletons,
over all texts of a corpus together. Only persons are mentions, without the first and second person. A found mention is
an annotated one if `pair_mentions` pairs the two by the head, where shared tasks require the same span.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from textparity_studies.instruments.findings import Pair

COLUMNS = ["half", "texts", "annotated", "found", "muc", "b_cubed", "ceaf", "conll"]


def score_coreference(
    paired: Iterable[tuple[dict[str, Any], list[Pair]]], labels: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Score the mentions of a corpus by half, and of all texts.

    `annotated` and `found` are numbers of persons; scores are F1 in percent.
    """
    pairs_of_half: defaultdict[str, list[list[Pair]]] = defaultdict(list)
    for text, pairs in paired:
        for half in ("all", text["half"]):
            pairs_of_half[half].append(pairs)
    for half, texts in sorted(pairs_of_half.items()):
        yield labels | {"half": half, "texts": len(texts)} | score_pairs(texts)


def score_pairs(texts: Iterable[Iterable[Pair]]) -> dict[str, float]:
    """Score the pairs of annotated and found mentions of each text, over all texts together."""
    # Imported here because a checkout without the extra `classify` has no scorch, and reads this module's columns.
    from scorch.scores import b_cubed, ceaf_e, muc

    annotated_persons: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    found_persons: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    number = 0
    for index, pairs in enumerate(texts):
        for gold, mention in pairs:
            number += 1
            if gold is not None:
                annotated_persons[index, gold.entity].add(number)
            if mention is not None:
                found_persons[index, mention.entity].add(number)
    annotated, found = list(annotated_persons.values()), list(found_persons.values())
    scores = {}
    for name, score in (("muc", muc), ("b_cubed", b_cubed), ("ceaf", ceaf_e)):
        _, _, f1 = score(annotated, found)
        scores[name] = 100 * float(f1)
    conll = sum(scores.values()) / len(scores)
    return {"annotated": len(annotated), "found": len(found), **scores, "conll": conll}
