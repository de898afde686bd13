"""Read the table of language models: the address, parameters and prices of each."""

import json
import math
import re
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from textparity.errors import TableError
from textparity.tsv import NAME, read_tsv

MODES = ("chat", "completion")
# This value in place of an address stands for a local model file that is served while a job uses it.
LOCAL = "local"
# Parameters that the client itself sets, and those that would change the form of the answer.
RESERVED = frozenset(
    ("model", "messages", "prompt", "temperature", "top_p", "max_tokens", "seed", "stop", "stream", "n")
)  # fmt: skip


@dataclass(frozen=True)
class ModelRow:
    """Describe one way of asking one model.

    `base_url` is an address, or `local` for a GGUF file that the workflow serves itself
    (`textparity_studies.llm.local`).
    `api_key_env` is the name of the environment variable that holds the key, empty for servers without keys.
    `temperature`, `top_p` and `seed` are not sent if they are None. `extra` has further parameters of the body. Prices
    are per million tokens, in any one currency; `timeout_seconds` applies to one attempt. `withdrawn` is the day from
    which the server no longer offers the model to everybody, empty as long as it does.
    """

    name: str
    base_url: str
    model: str
    mode: str
    api_key_env: str
    temperature: float | None
    top_p: float | None
    max_tokens: int
    seed: int | None
    stop: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)
    price_per_million_input: float = 0.0
    price_per_million_output: float = 0.0
    requests_at_once: int = 1
    timeout_seconds: float = 60.0
    withdrawn: str = ""

    @property
    def is_local(self) -> bool:
        """True if the workflow serves the model itself."""
        return self.base_url == LOCAL

    @property
    def host(self) -> str:
        """The name of the server's host, empty for a model that the workflow serves itself."""
        return urlsplit(self.base_url).hostname or ""

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Compute the cost of this many tokens, in the currency of the prices."""
        return (
            prompt_tokens * self.price_per_million_input + completion_tokens * self.price_per_million_output
        ) / 1_000_000


def load_models(path: str | Path) -> dict[str, ModelRow]:
    """Read the table of models (tab-separated, columns as `ModelRow`) by name.

    Raises `TableError` with the line and column of an invalid cell.
    """
    rows: dict[str, ModelRow] = {}
    for line, cells in enumerate(read_tsv(path, [column.name for column in fields(ModelRow)]), start=2):
        row = _parse(cells, f"{path}, line {line}")
        if row.name in rows:
            raise TableError(f"{path}, line {line}, column name: {row.name} stands twice; keep one row")
        rows[row.name] = row
    return rows


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def _parse(cells: dict[str, str], where: str) -> ModelRow:
    for column, pattern, need in (
        ("name", NAME, "letters, digits, dot, dash and underscore, since it becomes part of file names"),
        (
            "base_url",
            rf"{LOCAL}|https?://[^\s?#@]+",
            "an http(s) address without user name or query, up to /v1, or local",
        ),
        ("model", r"\S.*", "the model's id on its server"),
        ("mode", "|".join(MODES), " or ".join(MODES)),
    ):
        if not re.fullmatch(pattern, cells[column]):
            raise TableError(f"{where}, column {column}: this will not do; write {need}")
    try:
        withdrawn = cells["withdrawn"] and date.fromisoformat(cells["withdrawn"]).isoformat()
    except ValueError:
        raise TableError(
            f"{where}, column withdrawn: {cells['withdrawn']!r} is not a date; write one such as 2026-10-23, or nothing"
        ) from None
    # The error does not repeat the cell, which may hold the key itself by mistake.
    if not re.fullmatch(r"([A-Z_][A-Z0-9_]*)?", cells["api_key_env"]):
        raise TableError(
            f"{where}, column api_key_env: write the name of an environment variable in capitals, such as "
            "OPENAI_API_KEY (never the key), or nothing for a server without keys"
        )

    def number(column: str, low: float, high: float = math.inf, whole: bool = False) -> Any:
        try:
            value = int(cells[column]) if whole else float(cells[column])
        except ValueError:
            value = math.nan
        if not low <= value <= high or math.isinf(value):
            kind = "a whole number" if whole else "a number"
            upto = "" if math.isinf(high) else f" up to {high:g}"
            raise TableError(f"{where}, column {column}: {cells[column]!r} is not {kind} from {low:g}{upto}; mend it")
        return value

    def optional(column: str, low: float, high: float = math.inf, whole: bool = False) -> Any:
        return number(column, low, high, whole) if cells[column] else None

    def parsed(column: str, empty: Any) -> Any:
        try:
            value = json.loads(cells[column], parse_constant=_refuse) if cells[column] else empty
        except ValueError as error:
            raise TableError(f"{where}, column {column}: not JSON ({error}); mend it, or leave it empty") from None
        if not isinstance(value, type(empty)):
            kind = "list of strings" if isinstance(empty, list) else "object"
            raise TableError(f"{where}, column {column}: a JSON {kind} is needed; mend it, or leave it empty")
        return value

    stop = parsed("stop", [])
    if not all(isinstance(text, str) and text for text in stop):
        raise TableError(f'{where}, column stop: a JSON list of non-empty strings is needed, such as ["."]')
    extra = parsed("extra", {})
    if taken := sorted(RESERVED & extra.keys()):
        raise TableError(f"{where}, column extra: {', '.join(taken)} cannot be set here; use the column, or remove it")
    limit = extra.get("max_completion_tokens", 1)
    if not isinstance(limit, int) or limit < 1:
        raise TableError(f"{where}, column extra: max_completion_tokens is {limit!r}; write a whole number from 1")
    if cells["base_url"] != LOCAL and not urlsplit(cells["base_url"]).hostname:
        raise TableError(f"{where}, column base_url: {cells['base_url']!r} names no host; write an address up to /v1")
    return ModelRow(
        name=cells["name"],
        base_url=cells["base_url"].rstrip("/"),
        model=cells["model"],
        mode=cells["mode"],
        api_key_env=cells["api_key_env"],
        temperature=optional("temperature", 0),
        top_p=optional("top_p", 0, 1),
        max_tokens=number("max_tokens", 1, whole=True),
        seed=optional("seed", 0, whole=True),
        stop=tuple(stop),
        extra=extra,
        price_per_million_input=number("price_per_million_input", 0),
        price_per_million_output=number("price_per_million_output", 0),
        requests_at_once=number("requests_at_once", 1, whole=True),
        timeout_seconds=number("timeout_seconds", 0.001),
        withdrawn=withdrawn,
    )
