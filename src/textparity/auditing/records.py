"""Records of an audit: a row for each text that was counted, with where its matches stand, to filter a corpus by."""

from collections.abc import Mapping, Sequence
from unicodedata import is_normalized, normalize

import numpy as np
import pyarrow as pa
import regex

from textparity.measures.bulk import Found
from textparity.measures.terms import CLASSES, Layout, Match
from textparity.measures.tokenizers import Tokenizer
from textparity.persons.mentions import Mention

# Start and end are characters of the text as it was read, without the end; the gender of a match in two classes is two.
MATCH = pa.struct(
    [("start", pa.int32()), ("end", pa.int32()), ("form", pa.string()), ("gender", pa.string())]
)  # fmt: skip
# `id` is corpus and place, which is a line or a record.
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
    found: Found,
    texts: Sequence[str],
    places: Sequence[int],
    lang: str,
    corpus: str,
    tokenizer: Tokenizer,
    mentions: Sequence[Sequence[Mention]] | None,
) -> pa.Table:
    """Return the records of texts of one language, in their order; `mentions`, if there are any, have places."""
    matches = found.matches
    spans = find_spans(texts, matches, tokenizer) if mentions is None else spans_of_mentions(texts, mentions)
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
    texts: Sequence[str], matches: Mapping[int, Sequence[Match]], tokenizer: Tokenizer
) -> dict[int, list[Span]]:
    """Return where the matches of each text that has any stand in it; None for one that the tokenizer has changed."""
    if not matches:
        # Of no texts, a tokenizer makes one.
        return {}
    cleaned = [texts[number].replace("\n", " ").strip() for number in matches]
    spans = {}
    for (number, of_text), text, sentences in zip(matches.items(), cleaned, tokenizer.cut(cleaned), strict=True):
        shift = len(texts[number]) - len(texts[number].lstrip())
        back = None
        if not is_normalized("NFC", text):
            back = _places_before(text)
            text, sentences = normalize("NFC", text), [[normalize("NFC", one) for one in of] for of in sentences]
        if tokenizer.spaces_in_tokens:
            sentences = [[" ".join(one.split()) for one in of if not one.isspace()] for of in sentences]
        begins = Layout(text, sentences).places
        found = [_span(text, begins[match.start], match.form) for match in of_text]
        if back is not None:
            found = [
                (start if start is None else back[start], end if end is None else back[end]) for start, end in found
            ]
        spans[number] = [
            (start if start is None else start + shift, end if end is None else end + shift) for start, end in found
        ]
    return spans


def spans_of_mentions(texts: Sequence[str], mentions: Sequence[Sequence[Mention]]) -> dict[int, list[Span]]:
    """Return where the mentions of each text that has any stand in it; their own places are in the text in NFC."""
    spans: dict[int, list[Span]] = {}
    for number, (text, of_text) in enumerate(zip(texts, mentions, strict=True)):
        if of_text:
            places = range(len(text) + 1) if is_normalized("NFC", text) else _places_before(text)
            spans[number] = [(places[one.start], places[one.end]) for one in of_text]
    return spans


def _span(text: str, start: int, form: str) -> Span:
    words = r"\s*".join(map(regex.escape, form.split()))
    found = regex.compile(words, regex.IGNORECASE).match(text, start) if start >= 0 else None
    return found.span() if found else (None, None)


def _places_before(text: str) -> list[int]:
    """Return, for each character of the text in NFC and for its end, its place in the text as it is."""
    places, start = [], 0
    for cluster in regex.findall(r"\X", text):
        places += [start] * len(normalize("NFC", cluster))
        start += len(cluster)
    return [*places, start]
