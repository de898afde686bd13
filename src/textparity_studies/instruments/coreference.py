"""Score which mentions a method takes for the same person, as the field scores coreference.

Scores are MUC (Vilain et al. 1995), B³ (Bagga and Baldwin 1998) and CEAF over entities (Luo 2005), by the package
scorch, and their mean, the CoNLL score (Pradhan et al. 2012). They are those of predicted mentions, with singletons,
over all texts of a corpus together. Only persons are mentions, without the first and second person. A found mention is
an annotated one if `pair_mentions` pairs the two by the head, where shared tasks require the same span.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.corpora.reading import read_metadata, read_rows
from textparity.persons.mentions import PERSONS, Mention
from textparity.persons.method_error import COMPLETE
from textparity.tables import Table
from textparity_studies.instruments.annotated_texts import AnnotatedMention
from textparity_studies.instruments.findings import Pair, pair_mentions

COLUMNS = ["gold", "lang", "half", "texts", "annotated", "found", "muc", "b_cubed", "ceaf", "conll"]


def score_coreference(found: list[Path]) -> Iterable[Table]:
    """Score the method `persons` on each corpus in which all persons are annotated, by half and in all texts.

    `annotated` and `found` are numbers of persons; scores are F1 in percent.
    """
    rows = []
    for path in found:
        metadata = read_metadata(path)
        if metadata["annotation"] == COMPLETE and PERSONS in metadata["methods"]:
            labels = {"gold": metadata["gold"], "lang": metadata["lang"]}
            rows += [labels | row for row in _score_corpus(path)]
    yield Table("coreference", pd.DataFrame(rows, columns=COLUMNS))


def _score_corpus(path: Path) -> Iterable[dict[str, Any]]:
    pairs_of_half: defaultdict[str, list[list[Pair]]] = defaultdict(list)
    for text in read_rows(path).to_pylist():
        annotated = [AnnotatedMention(**mention) for mention in text["annotated"]]
        pairs = pair_mentions(annotated, [Mention(**mention) for mention in text[f"found_{PERSONS}"]])
        for half in ("all", text["half"]):
            pairs_of_half[half].append(pairs)
    for half, texts in sorted(pairs_of_half.items()):
        yield {"half": half, "texts": len(texts), **score_pairs(texts)}


def score_pairs(texts: Iterable[Iterable[Pair]]) -> dict[str, float]:
    """Score the pairs of annotated and found mentions of each text, over all texts together."""
    from scorch.scores import b_cubed, ceaf_e, muc

    key: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    response: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    number = 0
    for index, pairs in enumerate(texts):
        for gold, mention in pairs:
            number += 1
            if gold is not None:
                key[index, gold.entity].add(number)
            if mention is not None:
                response[index, mention.entity].add(number)
    annotated, found = list(key.values()), list(response.values())
    scores = {
        name: 100 * score(annotated, found)[2] for name, score in (("muc", muc), ("b_cubed", b_cubed), ("ceaf", ceaf_e))
    }
    conll = sum(scores.values()) / len(scores)
    return {"annotated": len(annotated), "found": len(found), **scores, "conll": conll}
