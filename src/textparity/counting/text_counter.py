"""Count the forms of a lexicon in a corpus, one language per job. One pass over the text gives both procedures.

`published` is the paper's code with its errors (Muller 2023, §3.3). It counts single tokens only, and white-space
tokens as words (PyThaiNLP returns them). With Stanza, it counts only the first sentence of a text, because the option
meant to keep texts whole was misspelt. `corrected` counts every sentence, finds multi-word forms, and folds texts and
forms (`textparity.folding`). It does not count white space as words, nor a hyphen as a person if a lexicon writes "-"
for a missing form. `revised` counts like `corrected`, with a revision of the lexicon.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from textparity.corpora.rows import count_rows, open_batches, read_batches
from textparity.counting.full_names import find_mentions
from textparity.counting.icu_counter import BulkCounter, MatchTable
from textparity.counting.lexicon import Lexicon, read_lexicon
from textparity.counting.procedures import PROCEDURES, REVISED
from textparity.counting.revision import revised_terms
from textparity.counting.terms import CLASSES, Match, TermMatcher
from textparity.counting.tokenizers import Sentences, Tokenizer, TokenizerChoice, load_tokenizer
from textparity.counting.tokenizers.icu import IcuTokenizer
from textparity.folding import NO_FOLDING, Folding, load_folding
from textparity.progress import progress_bar

log = logging.getLogger(__name__)

# The amount of text passed to a tokenizer at a time. Many short texts keep Stanza's batches even, and few long ones
# limit memory.
BATCH_TEXTS = 2000
BATCH_CHARACTERS = 1_000_000

_MATCHES = pa.list_(pa.struct([(name, pa.string()) for name in ("form", "classes", "layer")]))


def _columns_of(procedure: str) -> list[tuple[str, pa.DataType]]:
    counts = ["words", *CLASSES, "feminine_and_masculine"]
    return [(f"{procedure}_{name}", pa.int32()) for name in counts] + [(f"{procedure}_matches", _MATCHES)]


def count_schema(procedures: Iterable[str]) -> pa.Schema:
    """Make the columns of a counts file: the text's id, then the counts and matches of each procedure."""
    keys = [("id", pa.string()), ("doc_id", pa.string())]
    return pa.schema([*keys, *(column for procedure in procedures for column in _columns_of(procedure))])


@dataclass(frozen=True)
class Counts:
    """The counts of one procedure in one text. `matches` are in text order."""

    words: int
    matches: list[Match]


def count_texts(
    texts: Sequence[str],
    tokenizer: Tokenizer,
    lexicon: Lexicon,
    first_sentence: bool,
    revised: TermMatcher | None = None,
    folding: Folding = NO_FOLDING,
) -> list[dict[str, Counts]]:
    """Count each text by procedure: published, corrected and, with a `revised` lexicon, revised.

    `first_sentence`: the published procedure uses only the first sentence of each text. `folding` is that of the
    lexicons.
    """
    matchers = {"corrected": lexicon.corrected} | ({"revised": revised} if revised else {})
    # The paper's code replaces line breaks and strips the text first.
    cleaned = [text.replace("\n", " ").strip() for text in texts]
    folded = [folding.fold(text) for text in cleaned]
    as_read = tokenizer.cut(cleaned)
    return [
        {"published": _count_published(sentences, lexicon, first_sentence)}
        | _count_corrected(text, of_folded, matchers, tokenizer.spaces_in_tokens)
        for sentences, text, of_folded in zip(
            as_read, folded, as_read if folded == cleaned else tokenizer.cut(folded), strict=True
        )
    ]


class TextCounter:
    """Count batches of texts of one language by some procedures."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        lexicon: Lexicon,
        first_sentence: bool,
        revised: TermMatcher | None = None,
        procedures: Sequence[str] | None = None,
        folding: Folding = NO_FOLDING,
    ) -> None:
        """Create a counter with the arguments of `count_texts`. If no `procedures` are named, all are used."""
        self.tokenizer, self.folding = tokenizer, folding
        self._known = (tokenizer, lexicon, first_sentence, revised, folding)
        self.procedures = tuple(procedures or ((*PROCEDURES, REVISED) if revised else PROCEDURES))
        self._bulk = None
        if isinstance(tokenizer, IcuTokenizer):
            matchers = {"corrected": lexicon.corrected} | ({REVISED: revised} if revised else {})
            published = lexicon.published if "published" in self.procedures else None
            chosen = {name: matcher for name, matcher in matchers.items() if name in self.procedures}
            self._bulk = BulkCounter(tokenizer, published, first_sentence, chosen, folding)

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters of all forms except first names, which come from all over the world."""
        _, lexicon, _, revised, _ = self._known
        rules = (revised or lexicon.corrected).rules
        return frozenset(chain.from_iterable(form for form, rule in rules.items() if rule.layer != "names"))

    def count(self, texts: Sequence[str]) -> dict[str, MatchTable]:
        """Count the texts by each procedure."""
        if "published" not in self.procedures:
            texts = [self.folding.spaced(text) for text in texts]
        if self._bulk is None:
            found = {name: MatchTable.of(np.zeros(len(texts), np.int64), {}) for name in self.procedures}
            whole: Sequence[int] = range(len(texts))
        else:
            found, whole = self._bulk.count(texts)
        if not whole:
            return found
        counted = count_texts([texts[number] for number in whole], *self._known)
        for name, of_procedure in found.items():
            of_procedure.words[whole] = [of_text[name].words for of_text in counted]
            matches = {number: of_text[name].matches for number, of_text in zip(whole, counted, strict=True)}
            found[name] = MatchTable.of(of_procedure.words, of_procedure.matches | matches)
        return found


def _count_published(sentences: Sentences, lexicon: Lexicon, first_sentence: bool) -> Counts:
    words, matches = 0, []
    for tokens in sentences[:1] if first_sentence else sentences:
        words += len(tokens)
        matches += lexicon.match_published(tokens)
    return Counts(words, matches)


def _count_corrected(
    text: str, sentences: Sentences, matchers: dict[str, TermMatcher], spaces_in_tokens: bool
) -> dict[str, Counts]:
    if spaces_in_tokens:
        # A token must stay whole: Vietnamese "công bố" (to announce) does not contain "bố" (father).
        sentences = [[" ".join(token.split()) for token in tokens if not token.isspace()] for tokens in sentences]
    words = sum(map(len, sentences))
    return {
        name: Counts(words, [mention.match for mention in find_mentions(matcher, sentences, text)])
        for name, matcher in matchers.items()
    }


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
    revision: Path | None = None,
    layers: Sequence[str] = ("nouns",),
    names: str = "",
) -> None:
    """Count `lexicon` in the Parquet file `texts`, and write one row per text to `counts` (`count_schema`).

    `tokenizer` describes how to split words, `model` is the record of its model if it has one. With a `revision`, its
    `layers` are counted as a third procedure. `names` are the locales of first names. The metadata of `counts` has the
    corpus, language and engine, the procedures, the tokenizer, and the repairs of the lexicon.
    """
    entries = read_lexicon(lexicon)
    folding = load_folding(lang)
    forms = Lexicon(entries, folding)
    for repair in ("empty", "no_letter"):
        if dropped := forms.repairs[repair]:
            log.warning(
                "%s: %d forms dropped by the corrected procedure: %s %s", lexicon, len(dropped), repair, dropped
            )
    revised = None
    if revision is not None:
        revised = TermMatcher(revised_terms(entries, revision, names if "names" in layers else ""), layers, folding)
    cutter = load_tokenizer(tokenizer, model)
    log.info("tokenizer: %s", cutter.label)
    counter = TextCounter(cutter, forms, first_sentence, revised, folding=folding)
    schema = count_schema(counter.procedures)
    with (
        open_batches(counts, schema) as writer,
        progress_bar(count_rows(texts), f"counting {counts.name}") as bar,
    ):
        for keys, batch in _read_texts(texts):
            writer.write_table(_table(keys, counter.count(batch), schema))
            bar.update(len(batch))
        writer.metadata = {
            "corpus": corpus,
            "lang": lang,
            "engine": engine,
            "procedures": list(counter.procedures),
            "layers": list(layers) if revised else [],
            "tokenizer": cutter.label,
            "stand_in": cutter.stand_in,
            "lexicon_sha256": sha256(lexicon.read_bytes()).hexdigest(),
            "lexicon_repairs": {repair: len(found) for repair, found in forms.repairs.items()},
        }


def _read_texts(path: Path) -> Iterator[tuple[list[tuple[str, str]], list[str]]]:
    """Read the ids of texts and of their documents, and the texts, in batches."""
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


def _table(keys: list[tuple[str, str]], found: dict[str, MatchTable], schema: pa.Schema) -> pa.Table:
    columns: list[Any] = [list(column) for column in zip(*keys, strict=True)]
    for of_procedure in found.values():
        columns += [of_procedure.words, *of_procedure.by_class().values()]
        matches = of_procedure.matches
        columns.append(
            [
                [
                    {"form": match.form, "classes": " ".join(sorted(match.classes)), "layer": match.layer}
                    for match in matches.get(number, ())
                ]
                for number in range(len(keys))
            ]
        )
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema)
