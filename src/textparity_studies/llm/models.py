"""Describe language models, the requests to them and their answers; read the table of models and the parts of prompts.

Rule files import this module while they are parsed, so it loads no tool.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from textparity.errors import InputError, LanguageModelError, TableError
from textparity.files import NAME, is_unicode, read_tsv

# This value in place of an address stands for a local model file that is served while a job uses it.
LOCAL = "local"
# Parameters that the client itself sets, and those that would change the form of the answer.
RESERVED = frozenset(
    ("model", "messages", "prompt", "temperature", "top_p", "max_tokens", "seed", "stop", "stream", "n")
)  # fmt: skip
# Tables of answers have 32-bit columns.
MOST_TOKENS = 2**31 - 1
Prompt = str | list[dict[str, str]]


def matches(pattern: str, meaning: str) -> AfterValidator:
    """Make a check of a cell. The error says what to write but does not repeat the cell, which may hold a key."""

    def check(cell: str) -> str:
        if not re.fullmatch(pattern, cell):
            raise ValueError(f"write {meaning}")
        return cell

    return AfterValidator(check)


def _empty_is_none(cell: Any) -> Any:
    return None if cell == "" else cell


def _read_json(empty: Any) -> BeforeValidator:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a JSON number")

    def read(cell: Any) -> Any:
        if not isinstance(cell, str):
            return cell
        try:
            return json.loads(cell, parse_constant=refuse) if cell else empty
        except ValueError as error:
            raise ValueError(f"is not JSON ({error}); correct it, or leave it empty") from None

    return BeforeValidator(read)


def _check_address(url: str) -> str:
    if url != LOCAL and not urlsplit(url).hostname:
        raise ValueError("the address has no host; write an address up to /v1")
    return url.rstrip("/")


def _check_extra(extra: dict[str, Any]) -> dict[str, Any]:
    if taken := sorted(RESERVED & extra.keys()):
        raise ValueError(f"{', '.join(taken)} cannot be set here; use the column of that name, or remove it")
    limit = extra.get("max_completion_tokens", 1)
    if not isinstance(limit, int) or limit < 1:
        raise ValueError(f"max_completion_tokens is {limit!r}; write a whole number from 1")
    return extra


def _check_day(cell: str) -> str:
    try:
        return cell and date.fromisoformat(cell).isoformat()
    except ValueError:
        raise ValueError(f"{cell!r} is not a date; write one such as 2026-10-23, or nothing") from None


RowName = Annotated[
    str, matches(NAME, "letters, digits, dots, hyphens and underscores, because names become part of file names")
]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@checked_dataclass(frozen=True)
class ModelRow:
    """Describe one way of asking one model; each field is a column of the table of models, and is checked.

    `base_url` is an address, or `local` for a GGUF file that the workflow serves itself
    (`textparity_studies.llm.local`).
    `api_key_env` is the name of the environment variable that holds the key, empty for servers without keys.
    `temperature`, `top_p` and `seed` are not sent if they are None. `extra` has further parameters of the body. Prices
    are per million tokens, in any one currency; `timeout_seconds` applies to one attempt. `withdrawn` is the day from
    which the server no longer offers the model to everybody, empty as long as it does.
    """

    name: RowName
    base_url: Annotated[
        str,
        AfterValidator(_check_address),
        matches(
            rf"{LOCAL}|https?://[^\s?#@]+",
            f"an http(s) address without a user name or query, up to /v1, or {LOCAL}",
        ),
    ]
    model: Annotated[str, matches(r"\S.*", "the model's id on its server")]
    mode: Literal["chat", "completion"]
    api_key_env: Annotated[
        str,
        matches(
            "([A-Z_][A-Z0-9_]*)?",
            "the name of an environment variable in capitals, such as OPENAI_API_KEY (never the key), or nothing for "
            "a server without keys",
        ),
    ]
    temperature: Annotated[Price | None, BeforeValidator(_empty_is_none)]
    top_p: Annotated[Annotated[float, Field(ge=0, le=1)] | None, BeforeValidator(_empty_is_none)]
    max_tokens: Annotated[int, Field(ge=1)]
    seed: Annotated[Annotated[int, Field(ge=0)] | None, BeforeValidator(_empty_is_none)]
    stop: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], _read_json([])] = ()
    extra: Annotated[dict[str, Any], AfterValidator(_check_extra), _read_json({})] = field(default_factory=dict)
    price_per_million_input: Price = 0.0
    price_per_million_output: Price = 0.0
    requests_at_once: Annotated[int, Field(ge=1)] = 1
    timeout_seconds: Annotated[float, Field(ge=0.001, allow_inf_nan=False)] = 60.0
    withdrawn: Annotated[str, AfterValidator(_check_day)] = ""

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


Row = TypeVar("Row")


def load_rows(path: str | Path, kind: type[Row]) -> dict[str, Row]:
    """Read a table whose columns are the fields of `kind`, a checked dataclass, by the column `name`.

    Raises `TableError` with the line and column of an invalid cell.
    """
    rows: dict[str, Row] = {}
    columns = [column.name for column in fields(kind)]  # type: ignore[arg-type]
    for line, cells in enumerate(read_tsv(path, columns), start=2):
        try:
            row = kind(**cells)
        except ValidationError as error:
            fault = error.errors()[0]
            message = fault["msg"].removeprefix("Value error, ").replace("Input should be", "should be")
            raise TableError(f"{path}, line {line}, column {fault['loc'][0]}: {message}") from None
        if cells["name"] in rows:
            raise TableError(f"{path}, line {line}, column name: {cells['name']} occurs twice; keep one row")
        rows[cells["name"]] = row
    return rows


def load_models(path: str | Path) -> dict[str, ModelRow]:
    """Read the table of language models by name; `TableError` names the line and column of an invalid cell."""
    return load_rows(path, ModelRow)


def canonical_json(value: Any) -> str:
    """Format `value` as canonical JSON: sorted keys, no spaces, letters not escaped."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest_of(payload: dict[str, Any]) -> str:
    """Compute the sha256 (hexadecimal) of the canonical JSON of a request's payload."""
    return sha256(canonical_json(payload).encode()).hexdigest()


@dataclass(frozen=True)
class Request:
    """Hold one question to a model.

    `prompt` is a string in completion mode, and a list of {role, content} in chat mode. `run` distinguishes repetitions
    of the same question. Raises `LanguageModelError` if the prompt does not fit the mode.
    """

    row: ModelRow
    prompt: Prompt
    run: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.prompt, str) != (self.row.mode == "completion"):
            raise LanguageModelError(
                f"model {self.row.name} is asked in {self.row.mode} mode, which needs "
                f"{'a text' if self.row.mode == 'completion' else 'a list of messages'} as prompt; "
                "use another prompt, or change the column mode"
            )

    @property
    def completion_limit(self) -> int:
        """The maximum number of tokens of the answer."""
        return int(self.row.extra.get("max_completion_tokens", self.row.max_tokens))

    def body(self) -> dict[str, Any]:
        """Build the JSON body to send."""
        row = self.row
        body: dict[str, Any] = {"model": row.model}
        body["prompt" if row.mode == "completion" else "messages"] = self.prompt
        # Servers that support the limit's newer name reject the older one beside it.
        if "max_completion_tokens" not in row.extra:
            body["max_tokens"] = row.max_tokens
        if row.temperature is not None:
            body["temperature"] = row.temperature
        if row.top_p is not None:
            body["top_p"] = row.top_p
        if row.seed is not None:
            # Otherwise a server that honours seeds would repeat itself in every run.
            body["seed"] = row.seed + self.run
        if row.stop:
            body["stop"] = list(row.stop)
        return body | row.extra

    def payload(self) -> dict[str, Any]:
        """Return everything on which the answer can depend, and nothing else, as JSON."""
        return {"base_url": self.row.base_url, "mode": self.row.mode, "run": self.run, "body": self.body()}

    def digest(self) -> str:
        """Compute the sha256 (hexadecimal) of the whole request, without the key.

        Raises `LanguageModelError` if the request cannot be sent: half a surrogate pair, a number that JSON lacks.
        """
        try:
            return digest_of(self.payload())
        except ValueError as error:
            reason = "a prompt with half of a surrogate pair" if isinstance(error, UnicodeError) else str(error)
            raise LanguageModelError(
                f"model {self.row.model} at {self.row.base_url}: {reason} cannot be sent; correct the text, or the row"
            ) from None


@dataclass(frozen=True)
class Answer:
    """Hold a model's answer to the request with this digest.

    `error` is empty, or describes what was stored instead of a text: `refusal: ...` or `HTTP 400: ...`. Token counts
    are the server's, 0 if it reports none; `model` is the id that it reports. A value that does not fit a table is
    invalid: `ValueError` names the field, but not its content.
    """

    digest: str
    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    model: str
    error: str = ""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if name.endswith("tokens"):
                # In Python, True is an int.
                if type(value) is not int or not 0 <= value <= MOST_TOKENS:
                    raise ValueError(f"{name} is not a number of tokens")
            elif not isinstance(value, str) or not is_unicode(value):
                raise ValueError(f"{name} is not a text")


def read_part(path: Path) -> str:
    """Read a prompt's file unchanged; raise `InputError` if it is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: this file does not exist; see resources/registry/prompts.tsv") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None


def check_placeholders(path: Path, text: str, names: list[str]) -> None:
    """Raise `InputError` if the prompt in `path` lacks one of the placeholders `names`."""
    if missing := [name for name in names if name not in text]:
        raise InputError(f"{path}: lacks {' and '.join(missing)}; add what the prompt must have")


def fill(template: str, values: Mapping[str, str]) -> str:
    """Replace each placeholder in `template` by its value, in the order of `values`."""
    for name, value in values.items():
        template = template.replace(name, value)
    return template


def to_prompt(text: str, mode: str, system: str = "") -> Prompt:
    """Wrap `text` as the prompt of a completion, or as the user's message of a chat."""
    if mode == "completion":
        return text
    first = [{"role": "system", "content": system}] if system else []
    return [*first, {"role": "user", "content": text}]
