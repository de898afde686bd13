"""Store annotated texts and the methods' findings in them as rows."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from textparity.auditing.counting import MENTION_TYPE
from textparity.persons.mentions import Mention
from textparity_studies.instruments.gold.texts import AnnotatedMention, AnnotatedText

_ANNOTATED_TYPE = pa.struct([*MENTION_TYPE, pa.field("head_start", pa.int32()), pa.field("head_end", pa.int32())])


def found_schema(methods: Iterable[str]) -> pa.Schema:
    """Define the columns of annotated texts with each method's findings, `found_{method}`."""
    keys = [(name, pa.string()) for name in ("id", "unit", "genre", "half", "text")]
    found = [(f"found_{method}", pa.list_(MENTION_TYPE)) for method in methods]
    return pa.schema([*keys, ("annotated", pa.list_(_ANNOTATED_TYPE)), *found])


def found_row(text: AnnotatedText, found: dict[str, list[Mention]]) -> dict[str, Any]:
    """Build the row of a text."""
    keys = {"id": text.id, "unit": text.unit, "genre": text.genre, "half": text.half, "text": text.text}
    columns = {f"found_{method}": list(map(asdict, mentions)) for method, mentions in found.items()}
    return keys | {"annotated": list(map(asdict, text.mentions))} | columns


def read_annotated(row: dict[str, Any]) -> list[AnnotatedMention]:
    """Read the annotated mentions of a text."""
    return [AnnotatedMention(**mention) for mention in row["annotated"]]


def read_found(row: dict[str, Any], method: str) -> list[Mention]:
    """Read a method's findings in a text."""
    return [Mention(**mention) for mention in row[f"found_{method}"]]
