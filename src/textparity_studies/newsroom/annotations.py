"""A parser's annotations of articles, as rows: articles are parsed once, and every later step reads the rows."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from textparity.corpora.rows import read_batches, read_metadata
from textparity.errors import InputError
from textparity.persons.actors.annotations import SCHEMES, Annotation

_STRINGS, _NUMBERS, _FLAGS = pa.list_(pa.string()), pa.list_(pa.int32()), pa.list_(pa.bool_())

ANNOTATION_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("group", pa.string()),
        ("number", pa.int64()),
        ("tokens", _STRINGS),
        ("spaces", _FLAGS),
        ("lemmas", _STRINGS),
        ("parts_of_speech", _STRINGS),
        ("tags", _STRINGS),
        ("morphology", _STRINGS),
        ("dependencies", _STRINGS),
        ("heads", _NUMBERS),
        ("sentence_starts", _FLAGS),
        ("entities", _STRINGS),
        ("entity_starts", _FLAGS),
        ("antecedents", _NUMBERS),
    ]
)
BATCH_ARTICLES = 64


def read_annotations(path: Path) -> Iterator[list[Annotation]]:
    """Iterate over the articles of a file of annotations in batches, in file order; memory holds one batch."""
    described = read_metadata(path)
    if described.get("scheme") not in SCHEMES:
        raise InputError(f"{path}: its metadata name no dependency scheme; delete it and run again, which parses anew")
    scheme = SCHEMES[described["scheme"]]
    for batch in read_batches(path, BATCH_ARTICLES, ANNOTATION_SCHEMA.names):
        rows = zip(*(batch[name] for name in ANNOTATION_SCHEMA.names), strict=True)
        yield [Annotation(*(*values, scheme)) for values in rows]
