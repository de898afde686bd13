"""Records of an audit: one row per counted text, with the positions of its matches, for filtering a corpus."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from textparity.counting.icu_counter import MatchTable
from textparity.counting.terms import CLASSES, Layout, Match
from textparity.counting.text_counter import TextCounter
from textparity.folding import NO_FOLDING, Folded
from textparity.persons.mentions import Mention

# `start` and `end` count characters of the text as it was read; `end` is exclusive. A match in two classes has two
# genders.
MATCH = pa.struct(
    [("start", pa.int32()), ("end", pa.int32()), ("form", pa.string()), ("gender", pa.string())]
)  # fmt: skip
# `id` consists of the corpus and the place, which is the number of a line or record.
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("corpus", pa.string()),
        ("place", pa.int64()),
        ("lang", pa.string()),
        *((name, pa.int64()) for name in ("words", *CLASSES)),
        ("matches", pa.list_(MATCH)),
    ]
)
Span = tuple[int | None, int | None]


def make_records(
    found: MatchTable,
    texts: Sequence[str],
    places: Sequence[int],
    lang: str,
    corpus: str,
    counter: TextCounter,
    mentions: Sequence[Sequence[Mention]] | None,
) -> pa.Table:
    """Make the records of texts of one language, in their order. If there are `mentions`, they have positions."""
    matches = found.matches
    spans = find_spans(texts, matches, counter) if mentions is None else spans_of_mentions(texts, mentions)
    counts = {"words": found.words} | {name: found.by_class()[name] for name in CLASSES}
    return pa.table(
        {
            "id": [f"{corpus}:{place}" for place in places],
            "corpus": pa.array([corpus] * len(texts), pa.string()),
            "place": pa.array(list(places), pa.int64()),
            "lang": [lang] * len(texts),
            **{name: pa.array(np.asarray(column, np.int64)) for name, column in counts.items()},
            "matches": pa.array(
                [
                    [
                        {"start": start, "end": end, "form": match.form, "gender": gender}
                        for match, (start, end) in zip(matches.get(number, ()), spans.get(number, ()), strict=True)
                        for gender in CLASSES
                        if gender in match.classes
                    ]
                    for number in range(len(texts))
                ],
                pa.list_(MATCH),
            ),
        },
        SCHEMA,
    )


def find_spans(
    texts: Sequence[str], matches: Mapping[int, Sequence[Match]], counter: TextCounter
) -> dict[int, list[Span]]:
    """Find the positions of the matches in each text that has any; None if the tokenizer changed the text."""
    if not matches:
        # The tokenizer would turn an empty list into one text.
        return {}
    tokenizer, folding = counter.tokenizer, counter.folding
    cleaned = [texts[number].replace("\n", " ").strip() for number in matches]
    folded = [folding.fold_placed(text) for text in cleaned]
    cut = tokenizer.cut([one.text for one in folded])
    spans = {}
    for (number, of_text), one, sentences in zip(matches.items(), folded, cut, strict=True):
        shift = len(texts[number]) - len(texts[number].lstrip())
        if tokenizer.spaces_in_tokens:
            sentences = [[" ".join(token.split()) for token in of if not token.isspace()] for of in sentences]
        begins = Layout(one.text, sentences).places
        spans[number] = [_span(one, begins[match.start], folding.fold(match.form), shift) for match in of_text]
    return spans


def spans_of_mentions(texts: Sequence[str], mentions: Sequence[Sequence[Mention]]) -> dict[int, list[Span]]:
    """Find the positions of the mentions in each text that has any. Mentions themselves refer to the text in NFC."""
    spans: dict[int, list[Span]] = {}
    for number, (text, of_text) in enumerate(zip(texts, mentions, strict=True)):
        if of_text:
            normal = NO_FOLDING.fold_placed(text)
            spans[number] = [normal.place(one.start, one.end) for one in of_text]
    return spans


def _span(text: Folded, start: int, form: str, shift: int) -> Span:
    """Find the position of a form that begins at `start` of a text from which `shift` characters were removed."""
    # The module `regex` would take time quadratic in the length of a case-insensitive form.
    words = r"\s*".join(map(re.escape, form.split()))
    found = re.compile(words, re.IGNORECASE).match(text.text, start) if start >= 0 else None
    if not found:
        return None, None
    first, last = text.place(*found.span())
    return first + shift, last + shift
