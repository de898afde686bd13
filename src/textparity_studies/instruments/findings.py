"""Find persons in the texts of an annotated corpus by every method, and pair them with the annotated mentions."""

import math
from collections import defaultdict
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from textparity.auditing.counting import MENTION_TYPE
from textparity.corpora.reading import write_batches
from textparity.counting import GENDERS
from textparity.persons.mentions import PERSONS, Mention
from textparity.persons.method_error import Cluster
from textparity.persons.methods import LanguageFiles, load_method, load_speaker_finder
from textparity.persons.speaker_finder import QuotedText
from textparity.persons.speakers import AttributedQuote
from textparity_studies.instruments.annotated_texts import (
    AnnotatedMention,
    AnnotatedText,
    GivenNames,
    GoldWords,
    NewsReadings,
)
from textparity_studies.instruments.gold_readers import READERS

_ANNOTATED_TYPE = pa.struct([*MENTION_TYPE, pa.field("head_start", pa.int32()), pa.field("head_end", pa.int32())])
_QUOTE_TYPE = pa.struct([
    ("spans", pa.list_(pa.list_(pa.int32()))), ("is_direct", pa.bool_()), ("speaker", pa.int32()),
    ("gender", pa.string()), ("words", pa.int32()),
])  # fmt: skip
# The mentions and quotes of a text, empty if its quotes are not annotated.
_QUOTED_TYPE = pa.struct([("mentions", pa.list_(MENTION_TYPE)), ("quotes", pa.list_(_QUOTE_TYPE))])
Pair = tuple[AnnotatedMention | None, Mention | None]


@dataclass(frozen=True)
class AnnotatedCorpus:
    """A corpus of annotated texts in one language.

    `genre` is the kind of text, if the files do not give it. `annotation` shows whether all persons are annotated. With
    `grammatical`, the gender is that of the noun, whoever is meant.
    """

    gold: str
    texts_format: str
    genre: str
    annotation: str
    grammatical: bool


def find_persons(
    texts: list[Path],
    beside: list[Path],
    tools: list[Path],
    gold_words: Path,
    given_names: Path,
    news: list[Path],
    found: Path,
    corpus: AnnotatedCorpus,
    methods: list[str],
    language: LanguageFiles,
    lexicon: str,
    word_list: str,
) -> None:
    """Write the annotations of `texts` and the findings of each method, a row per text.

    `beside` are files that belong to the texts, and `tools` those that `language` names; both are read from their
    paths. `given_names` are those marked in treebanks, and `news` the tables of articles, mentions and quotes that were
    read. If `language` has lists for quotes, the method `persons` also finds quotes and their speakers. The metadata of
    `found` have the corpus, the language, the methods, the kind of annotation, and the names of the published `lexicon`
    and of the `word_list` of all other methods.
    """
    words = GoldWords(gold_words, language.lang, GivenNames(given_names), NewsReadings.load(*news))
    finds_quotes = PERSONS in methods and bool(language.quote_lists)
    speaker_finder = load_speaker_finder(language) if finds_quotes else None
    # The finder of speakers also finds all persons.
    others = [name for name in methods if speaker_finder is None or name != PERSONS]
    finders = {name: load_method(name, language, corpus.grammatical) for name in others}

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for path in texts:
            annotated = list(READERS[corpus.texts_format](path, words))
            words_of = [text.text for text in annotated]
            by_method = {name: list(finder.find(words_of)) for name, finder in finders.items()}
            quoted: Sequence[QuotedText | None] = [None] * len(annotated)
            if speaker_finder is not None:
                quoted = found_quoted = list(speaker_finder.find_quotes(words_of))
                by_method[PERSONS] = [list(of_text.mentions) for of_text in found_quoted]
            rows = []
            for number, text in enumerate(annotated):
                of_text = {name: by_method[name][number] for name in methods}
                row = found_row(text, of_text, quoted[number])
                rows.append(row | {"genre": text.genre or corpus.genre})
            yield rows
        return {
            "gold": corpus.gold,
            "methods": methods,
            "annotation": corpus.annotation,
            "grammatical": corpus.grammatical,
            "lexicon": lexicon,
            "word_list": word_list,
            "lang": language.lang,
            "pipeline": language.pipeline,
        }

    write_batches(found, found_schema(methods), batches())


def found_schema(methods: Sequence[str]) -> pa.Schema:
    """Define the columns of annotated texts with each method's findings, `found_{method}`.

    `quoted` and `found_quoted` have the quotes, if they are annotated.
    """
    keys = [(name, pa.string()) for name in ("id", "unit", "genre", "half", "text")]
    found = [(f"found_{method}", pa.list_(MENTION_TYPE)) for method in methods]
    quoted = [("quoted", _QUOTED_TYPE), ("found_quoted", _QUOTED_TYPE)]
    return pa.schema([*keys, ("annotated", pa.list_(_ANNOTATED_TYPE)), *found, *quoted])


def found_row(text: AnnotatedText, found: dict[str, list[Mention]], quoted: QuotedText | None = None) -> dict[str, Any]:
    """Build the row of a text, with the findings of each method, and what is `quoted` as it was found."""
    keys = {"id": text.id, "unit": text.unit, "genre": text.genre, "half": text.half, "text": text.text}
    columns = {f"found_{method}": list(map(asdict, mentions)) for method, mentions in found.items()}
    both = {"quoted": _quoted_cell(text.quoted), "found_quoted": _quoted_cell(quoted)}
    return keys | {"annotated": list(map(asdict, text.mentions))} | columns | both


def _quoted_cell(quoted: QuotedText | None) -> dict[str, Any] | None:
    """Build a cell of a column of quotes."""
    return None if quoted is None else asdict(quoted)


def read_quoted_cell(cell: dict[str, Any] | None) -> QuotedText | None:
    """Read a cell of a column of quotes."""
    if cell is None:
        return None
    mentions = tuple(Mention(**mention) for mention in cell["mentions"])
    quotes = []
    for quote in cell["quotes"]:
        spans = tuple((start, end) for start, end in quote["spans"])
        quotes.append(AttributedQuote(**{**quote, "spans": spans}))
    return QuotedText(mentions, tuple(quotes))


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
            elif (start <= mention.start and mention.end <= end) or (mention.start <= start and end <= mention.end):
                options.append((1, end - start, number, mention.kind == "pronoun", other))
    partner: dict[int, int] = {}
    left = dict.fromkeys(range(len(found)))
    for *_, number, _, other in sorted(options):
        if number not in partner and other in left:
            partner[number] = other
            del left[other]
    pairs: list[Pair] = [
        (gold, found[partner[number]] if number in partner else None) for number, gold in enumerate(annotated)
    ]
    return pairs + [(None, found[other]) for other in left]


# Half a mention of each gender is added to those found correctly, missed and found wrongly. This keeps ratios and
# variances finite (Haldane–Anscombe). Nothing is added for mentions found with the other gender, since one such mention
# is an error for both genders.
_CONTINUITY = np.array([[0.5, 0, 0.5], [0, 0.5, 0.5], [0.5, 0.5, 0]])


def measure_bias(documents: np.ndarray) -> tuple[float, float]:
    """Estimate the log bias of a cluster and its standard error. Both are NaN if no woman or no man is annotated.

    `documents` has shape (documents, 3, 3): how many mentions are annotated as, and found as, feminine, masculine or
    neither. The variance is that between documents, but at least the multinomial variance of mentions.
    """
    if not documents.sum(axis=(0, 2))[:2].all():
        return math.nan, math.nan
    cells = documents.sum(axis=0) + _CONTINUITY
    true, found = cells.sum(axis=1), cells.sum(axis=0)
    log_bias = math.log(found[1] / found[0]) - math.log(true[1] / true[0])
    # The change of the log bias with one more mention in a cell (delta method).
    moves_true, moves_found = (np.array([-1 / total[0], 1 / total[1], 0]) for total in (true, found))
    moves = moves_found[None, :] - moves_true[:, None]
    variance = float((cells * moves**2).sum())
    if (number := len(documents)) > 1:
        per_document = (documents * moves).sum(axis=(1, 2))
        variance = max(variance, number / (number - 1) * float(per_document @ per_document))
    return log_bias, math.sqrt(variance)


def cluster_row(cluster: Cluster) -> dict[str, Any]:
    """Convert a cluster to a row of the table, with two columns for each pair of numbers."""
    row: dict[str, Any] = {}
    for name, value in vars(cluster).items():
        if isinstance(value, tuple):
            row |= {f"{name}_{gender}": number for gender, number in zip(GENDERS, value, strict=True)}
        else:
            row[name] = value
    return row
