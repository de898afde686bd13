"""Counting lexicon forms in a corpus, one language a job: one pass over the text gives both procedures.

`published` is the paper's code with its slips (Muller 2023, §3.3): single tokens only, white-space tokens count as
words (PyThaiNLP returns them), and only the first sentence of a text where Stanza is used, because the option
meant to keep texts whole was misspelt. `corrected` counts every sentence, finds multi-word forms, compares in
Unicode NFC, does not count white space as words, nor a hyphen as a person where a lexicon writes "-" for no form.
"""

import logging
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from unicodedata import is_normalized, normalize

import pyarrow as pa

from textparity.corpora.rows import count_rows, read_batches, write_batches
from textparity.measures.lexicon import CLASSES, Lexicon, Match, read_lexicon
from textparity.measures.procedures import PROCEDURES
from textparity.measures.tokenizers import Sentences, Tokenizer, TokenizerChoice, load_tokenizer
from textparity.progress import progress_bar

log = logging.getLogger(__name__)

# How much text a tokenizer gets at a time: many short texts keep Stanza's batches even, few long ones bound memory.
BATCH_TEXTS = 2000
BATCH_CHARACTERS = 1_000_000

_MATCHES = pa.list_(pa.struct([("form", pa.string()), ("classes", pa.string())]))


def _columns_of(procedure: str) -> list[tuple[str, pa.DataType]]:
    counts = ["words", *CLASSES, "feminine_and_masculine"]
    return [(f"{procedure}_{name}", pa.int32()) for name in counts] + [(f"{procedure}_matches", _MATCHES)]


COUNT_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("doc_id", pa.string()),
        *(column for procedure in PROCEDURES for column in _columns_of(procedure)),
    ]
)


@dataclass(frozen=True)
class Counts:
    """What one procedure found in one text; `matches` in text order."""

    words: int
    matches: list[Match]


def count_texts(
    texts: list[str], tokenizer: Tokenizer, lexicon: Lexicon, first_sentence: bool
) -> list[tuple[Counts, Counts]]:
    """Return, for each text, the published and the corrected `Counts`.

    `first_sentence`: the published procedure sees only the first sentence of each text.
    """
    # The paper's code replaces line breaks and strips before anything else.
    cleaned = [text.replace("\n", " ").strip() for text in texts]
    spaced = tokenizer.spaces_in_tokens
    return [
        (
            _count_published(sentences, lexicon, first_sentence),
            _count_corrected(text, sentences, lexicon, spaced),
        )
        for text, sentences in zip(cleaned, tokenizer.cut(cleaned), strict=True)
    ]


def _count_published(sentences: Sentences, lexicon: Lexicon, first_sentence: bool) -> Counts:
    words, matches = 0, []
    for tokens in sentences[:1] if first_sentence else sentences:
        words += len(tokens)
        matches += lexicon.match_published(tokens)
    return Counts(words, matches)


def _count_corrected(text: str, sentences: Sentences, lexicon: Lexicon, spaces_in_tokens: bool) -> Counts:
    text = text.lower()
    composed = is_normalized("NFC", text)
    if not composed:
        text = normalize("NFC", text)
    words, matches = 0, []
    for tokens in sentences:
        if not composed:
            tokens = [normalize("NFC", token) for token in tokens]
        words += len(tokens)
        if spaces_in_tokens:
            words -= sum(map(str.isspace, tokens))
            # A token stays whole: Vietnamese "công bố" (to announce) is no "bố" (father).
            tokens = [" ".join(token.split()) for token in tokens if not token.isspace()]
        matches += lexicon.match_corrected(tokens, text)
    return Counts(words, matches)


def count_lexicon(
    texts: Path,
    lexicon: Path,
    counts: Path,
    corpus: str,
    lang: str,
    engine: str,
    tokenizer: TokenizerChoice,
    first_sentence: bool,
    model: Path | None = None,
) -> None:
    """Count `lexicon` in the Parquet file `texts` and write one row a text to `counts` (`COUNT_SCHEMA`).

    `tokenizer` says how to cut words, `model` is the record of its model where it has one. The metadata of `counts` has
    the corpus, language and engine, the tokenizer, and what the corrected procedure fixed in the lexicon.
    """
    forms = Lexicon(read_lexicon(lexicon))
    for repair in ("empty", "no_letter"):
        if dropped := forms.repairs[repair]:
            log.warning(
                "%s: %d forms dropped by the corrected procedure: %s %s", lexicon, len(dropped), repair, dropped
            )
    cutter = load_tokenizer(tokenizer, model)
    log.info("tokenizer: %s", cutter.label)

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        with progress_bar(count_rows(texts), f"counting {counts.name}") as bar:
            for keys, batch in _read_texts(texts):
                both = count_texts(batch, cutter, forms, first_sentence)
                yield [_row(key, *pair) for key, pair in zip(keys, both, strict=True)]
                bar.update(len(both))
        return {
            "corpus": corpus,
            "lang": lang,
            "engine": engine,
            "tokenizer": cutter.label,
            "stand_in": cutter.stand_in,
            "lexicon_sha256": sha256(lexicon.read_bytes()).hexdigest(),
            "lexicon_repairs": {repair: len(found) for repair, found in forms.repairs.items()},
        }

    write_batches(counts, COUNT_SCHEMA, batches())


def _read_texts(path: Path) -> Iterator[tuple[list[tuple[str, str]], list[str]]]:
    """Yield the ids of texts and of their documents, and the texts, in batches."""
    keys, texts, characters = [], [], 0
    for rows in read_batches(path, 100, ["id", "doc_id", "text"]):
        keys += list(zip(rows["id"], rows["doc_id"], strict=True))
        texts += rows["text"]
        characters += sum(map(len, rows["text"]))
        if len(keys) >= BATCH_TEXTS or characters >= BATCH_CHARACTERS:
            yield keys, texts
            keys, texts, characters = [], [], 0
    if keys:
        yield keys, texts


def _row(key: tuple[str, str], published: Counts, corrected: Counts) -> dict[str, Any]:
    row: dict[str, Any] = dict(zip(("id", "doc_id"), key, strict=True))
    for procedure, counts in zip(PROCEDURES, (published, corrected), strict=True):
        row[f"{procedure}_words"] = counts.words
        for name in CLASSES:
            row[f"{procedure}_{name}"] = sum(name in classes for _, classes in counts.matches)
        row[f"{procedure}_feminine_and_masculine"] = sum(
            {"feminine", "masculine"} <= classes for _, classes in counts.matches
        )
        row[f"{procedure}_matches"] = [
            {"form": form, "classes": " ".join(sorted(classes))} for form, classes in counts.matches
        ]
    return row
