"""Count a lexicon in corpora, one language per job (Muller 2023, §3.3)."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.reading import count_rows, open_batches, read_batches
from textparity.counting import CLASSES
from textparity.counting.icu_counter import MatchTable
from textparity.counting.lexicon import Lexicon, read_lexicon, revised_terms
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import TermMatcher
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.folding import load_folding
from textparity.progress import progress_bar
from textparity_studies.lexicon.paper_tokenizers import import_from_folder

log = logging.getLogger(__name__)

# The amount of text passed to a tokenizer at a time. Many short texts keep Stanza's batches even, and few long ones
# limit memory.
BATCH_TEXTS = 2000
BATCH_CHARACTERS = 1_000_000

_MATCHES = pa.list_(pa.struct([(name, pa.string()) for name in ("form", "classes", "layer")]))


def count_schema(procedures: Iterable[str]) -> pa.Schema:
    """Make the columns of a counts file: the text's id, then the counts and matches of each procedure."""
    columns = [("id", pa.string()), ("doc_id", pa.string())]
    for procedure in procedures:
        counts = ("words", *CLASSES, "feminine_and_masculine")
        columns += [(f"{procedure}_{name}", pa.int32()) for name in counts]
        columns.append((f"{procedure}_matches", _MATCHES))
    return pa.schema(columns)


def count_lexicon(
    texts: list[Path],
    lexicon: Path,
    counts: list[Path],
    corpora: Sequence[str],
    lang: str,
    tokenizer: TokenizerChoice,
    model: Path | None = None,
    revision: Path | None = None,
    layers: Sequence[str] = ("nouns",),
    names: str = "",
    pins: Sequence[str] = (),
) -> None:
    """Count `lexicon` in Parquet files of the `texts` of `corpora`. `counts` get a row for each text (`count_schema`).

    `model` is the record of the tokenizer's model if it has one. With a `revision`, its `layers` are counted as a third
    procedure. `names` are the sources of first names. `pins` are packages that replace the environment's.
    """
    entries = read_lexicon(lexicon)
    folding = load_folding(lang)
    forms = Lexicon(entries, folding)
    for repair in ("empty", "no_letter"):
        if dropped := forms.repairs[repair]:
            log.warning("%s: the corrected procedure drops %d forms: %s %s", lexicon, len(dropped), repair, dropped)
    revised = None
    if revision is not None:
        terms = revised_terms(entries, revision, names if "names" in layers else "")
        revised = TermMatcher(terms, layers, folding, load_name_rules(lang))
    import_from_folder(pins)
    cutter = load_tokenizer(tokenizer, model)
    log.info("tokenizer: %s", cutter.label)
    # The paper's procedure counts only the first sentence of each text where the paper used Stanza.
    first_sentence = tokenizer.kind == "stanza" or tokenizer.split_sentences
    counter = TextCounter(cutter, forms, first_sentence, revised, folding=folding)
    schema = count_schema(counter.procedures)
    about = {
        "lang": lang,
        "engine": tokenizer.engine,
        "procedures": list(counter.procedures),
        "layers": list(layers) if revised else [],
        "tokenizer": cutter.label,
        "stand_in": cutter.stand_in,
        "lexicon_sha256": sha256(lexicon.read_bytes()).hexdigest(),
        "lexicon_repairs": {repair: len(found) for repair, found in forms.repairs.items()},
    }
    for corpus, source, made in zip(corpora, texts, counts, strict=True):
        with (
            open_batches(made, schema) as writer,
            progress_bar(count_rows(source), f"counting {corpus}, {made.name}") as bar,
        ):
            for keys, batch in _read_texts(source):
                writer.write_table(_table(keys, counter.count(batch), schema))
                bar.update(len(batch))
            writer.metadata = {"corpus": corpus} | about


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
        matches: list[list[dict[str, str]]] = [[] for _ in keys]
        for number, of_text in of_procedure.matches.items():
            matches[number] = [
                {"form": match.form, "classes": " ".join(sorted(match.classes)), "layer": match.layer}
                for match in of_text
            ]
        columns += [of_procedure.words, *of_procedure.by_class().values(), matches]
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema)
