"""Test whether a lexicon finds as many women as men in sentences balanced by construction (MT-GenEval).

Each sentence has a feminine and a masculine version, with its gendered words marked. Both versions together have
equally many of each gender, so M : F must be 1, and a marked word that is found must have the gender of its version.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd

from textparity.counting import GENDERS, Sentences
from textparity.counting.lexicon import read_lexicon, revised_terms, terms_of
from textparity.counting.terms import LAYERS, Layout, Match, TermMatcher
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.estimates import percentage
from textparity.estimating.intervals import clustered_interval
from textparity.estimating.seeds import random_generator
from textparity.tables import Table

ALL = "all"
_TAG = re.compile(r"<(/?)[FM]>")


@dataclass(frozen=True)
class MarkedSentence:
    """Hold a sentence without its marks, in NFC, and the places of the marked words."""

    text: str
    spans: list[tuple[int, int]]


@dataclass(frozen=True)
class BalancedFiles:
    """Hold the two versions of one language's sentences, and the files for counting; `revision` may be empty."""

    lang: str
    feminine: str
    masculine: str
    lexicon: str
    revision: str
    tokenizer: TokenizerChoice
    first_names: str


def read_marked(line: str) -> MarkedSentence:
    """Read a sentence with `<F>…</F>` or `<M>…</M>`."""
    line = normalize("NFC", line.strip())
    text, spans, begun, end = "", [], 0, 0
    for tag in _TAG.finditer(line):
        text += line[end : tag.start()]
        end = tag.end()
        if tag[1]:
            spans.append((begun, len(text)))
        else:
            begun = len(text)
    return MarkedSentence(text + line[end:], spans)


def measure_symmetry(texts: list[Path], files: list[dict[str, Any]], bootstrap: Bootstrap) -> list[Table]:
    """Measure detection, accuracy and M : F over both versions, for each language, lexicon and layer.

    `files` are the fields of `BalancedFiles`, all paths among `texts`; several of one language are joined. Intervals
    resample sentences, each with both versions. The interval of `right_percent`, the accuracy at the marked words
    found, is Wilson's.
    """
    by_lang: dict[str, list[BalancedFiles]] = {}
    for fields in files:
        item = BalancedFiles(**fields)
        by_lang.setdefault(item.lang, []).append(item)
    rows = [row for items in by_lang.values() for row in _measure(items, bootstrap)]
    shares = {
        "seen_feminine_percent": "Seen F (%)",
        "seen_masculine_percent": "Seen M (%)",
        "right_percent": "Right (%)",
    }
    return [
        Table(
            "symmetry",
            pd.DataFrame(rows),
            {"lang": "Lang", "lexicon": "Lexicon", "layer": "Layer"}
            | shares
            | {"masculine_per_feminine": "M : F", "masculine_per_feminine_interval": "Interval"},
            dict.fromkeys(shares, "{:.1f}") | {"masculine_per_feminine": "{:.3f}"},
        )
    ]


def _measure(items: list[BalancedFiles], bootstrap: Bootstrap) -> Iterator[dict[str, Any]]:
    first = items[0]
    # The English sides of several files share many sentences; each counts once.
    pairs: dict[tuple[str, str], None] = {}
    for item in items:
        feminine, masculine = _lines(item.feminine), _lines(item.masculine)
        if len(feminine) != len(masculine):
            raise InputError(f"{item.feminine} has {len(feminine)} lines, {item.masculine} has {len(masculine)}")
        pairs |= dict.fromkeys(zip(feminine, masculine, strict=True))
    versions = {
        name: [read_marked(line) for line in lines]
        for name, lines in zip(GENDERS, zip(*pairs, strict=True), strict=True)
    }
    tokenizer = load_tokenizer(first.tokenizer)
    cut = {
        name: [[[normalize("NFC", token) for token in tokens] for tokens in sentences] for sentences in tokenizer.cut(
            [one.text for one in marked]
        )]
        for name, marked in versions.items()
    }  # fmt: skip
    entries = read_lexicon(Path(first.lexicon))
    matchers = {("published", "nouns"): TermMatcher(terms_of(entries))}
    if first.revision:
        terms = revised_terms(entries, Path(first.revision), first.first_names)
        matchers |= {("revised", layer): TermMatcher(terms, [layer]) for layer in LAYERS}
        matchers["revised", ALL] = TermMatcher(terms, LAYERS)
    for (lexicon, layer), matcher in matchers.items():
        found = {
            name: [matcher.match(sentences, one.text) for sentences, one in zip(cut[name], marked, strict=True)]
            for name, marked in versions.items()
        }
        generator = random_generator(bootstrap.seed, "symmetry", first.lang, lexicon, layer)
        key = {"lang": first.lang, "lexicon": lexicon, "layer": layer}
        yield key | _row(versions, cut, found, bootstrap, generator)


def _lines(path: str) -> list[str]:
    return Path(path).read_text("utf-8").rstrip("\n").split("\n")


def _row(
    versions: dict[str, list[MarkedSentence]],
    cut: dict[str, list[Sentences]],
    found: dict[str, list[list[Match]]],
    bootstrap: Bootstrap,
    generator: np.random.Generator,
) -> dict[str, Any]:
    pairs = len(versions["feminine"])
    seen = {f"seen_{name}_percent": percentage(sum(map(bool, found[name])), pairs) for name in GENDERS}
    # Words of both versions of a sentence form one cluster.
    right, marked = np.zeros(pairs, int), np.zeros(pairs, int)
    for name in GENDERS:
        for pair, texts in enumerate(zip(versions[name], cut[name], found[name], strict=True)):
            genders = list(_marked_genders(*texts))
            marked[pair] += len(genders)
            right[pair] += genders.count(name)
    interval = clustered_interval(right, marked, bootstrap.confidence_level)
    feminine, masculine = (
        np.array([
            sum(gender in match.classes for name in GENDERS for match in found[name][pair]) for pair in range(pairs)
        ])
        for gender in GENDERS
    )  # fmt: skip
    (ratio,) = bootstrap_ratios(masculine[None], feminine[None], bootstrap, generator)
    return {
        "sentences": pairs,
        **seen,
        "marked_found": int(marked.sum()),
        "right_percent": percentage(right.sum(), marked.sum()),
        "right_percent_low": 100 * interval.low,
        "right_percent_high": 100 * interval.high,
        "feminine": int(feminine.sum()),
        "masculine": int(masculine.sum()),
        "masculine_per_feminine": masculine.sum() / feminine.sum() if feminine.sum() else float("nan"),
        "masculine_per_feminine_low": ratio.low,
        "masculine_per_feminine_high": ratio.high,
    }


def _marked_genders(one: MarkedSentence, sentences: Sentences, matches: list[Match]) -> Iterator[str]:
    """Iterate over the genders of matches with exactly one gender that begin in a marked span."""
    if not one.spans or not matches:
        return
    places = Layout(one.text, sentences).places
    for match in matches:
        genders = match.classes & set(GENDERS)
        place = places[match.start]
        if len(genders) == 1 and any(start <= place < end for start, end in one.spans):
            yield from genders
