"""Define requests, which are identified by the digest of all their contents, and answers.

Prompts are files: a text with placeholders in capitals (`<SENTENCE>`) and, for chats, a system message.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from textparity.errors import InputError, LanguageModelError
from textparity.files import is_unicode
from textparity_studies.llm.models import ModelRow

Prompt = str | list[dict[str, str]]
# Tables of answers have 32-bit columns.
MOST_TOKENS = 2**31 - 1


def canonical_json(value: Any) -> str:
    """Format `value` as canonical JSON: sorted keys, no spaces, letters not escaped."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest_of(payload: dict[str, Any]) -> str:
    """Compute the sha256 (hexadecimal) of the canonical JSON of a request's payload."""
    return sha256(canonical_json(payload).encode()).hexdigest()


@dataclass(frozen=True)
class Request:
    """Hold one question to a model: everything on which its answer can depend, and nothing else.

    `prompt` is a string in completion mode, and a list of {role, content} in chat mode. `run` distinguishes repetitions
    of the same question.
    """

    base_url: str
    model: str
    mode: str
    prompt: Prompt
    max_tokens: int
    run: int = 0
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def to_model(cls, row: ModelRow, prompt: Prompt, run: int = 0) -> "Request":
        """Build the request that sends `prompt` to the model of `row`.

        The seed is the row's plus `run`; otherwise a server that honours seeds would repeat itself in every run.
        Raises `LanguageModelError` if the prompt does not fit the mode.
        """
        if isinstance(prompt, str) != (row.mode == "completion"):
            raise LanguageModelError(
                f"model {row.name} is asked in {row.mode} mode, which needs "
                f"{'a text' if row.mode == 'completion' else 'a list of messages'} as prompt; "
                "use another prompt, or change the column mode"
            )
        return cls(
            base_url=row.base_url,
            model=row.model,
            mode=row.mode,
            prompt=prompt,
            max_tokens=row.max_tokens,
            run=run,
            temperature=row.temperature,
            top_p=row.top_p,
            seed=None if row.seed is None else row.seed + run,
            stop=row.stop,
            extra=row.extra,
        )

    @property
    def completion_limit(self) -> int:
        """The maximum number of tokens of the answer."""
        return int(self.extra.get("max_completion_tokens", self.max_tokens))

    def body(self) -> dict[str, Any]:
        """Build the JSON body to send."""
        body: dict[str, Any] = {"model": self.model}
        body["prompt" if self.mode == "completion" else "messages"] = self.prompt
        # Servers that support the limit's newer name reject the older one beside it.
        if "max_completion_tokens" not in self.extra:
            body["max_tokens"] = self.max_tokens
        if self.temperature is not None:
            body["temperature"] = float(self.temperature)
        if self.top_p is not None:
            body["top_p"] = float(self.top_p)
        if self.seed is not None:
            body["seed"] = self.seed
        if self.stop:
            body["stop"] = list(self.stop)
        return body | self.extra

    def payload(self) -> dict[str, Any]:
        """Return everything on which the answer can depend, as JSON."""
        return {"base_url": self.base_url.rstrip("/"), "mode": self.mode, "run": self.run, "body": self.body()}

    def digest(self) -> str:
        """Compute the sha256 (hexadecimal) of the whole request, without the key.

        Raises `LanguageModelError` if the request cannot be sent: half a surrogate pair, a number that JSON lacks.
        """
        try:
            return digest_of(self.payload())
        except ValueError as error:
            reason = "a prompt with half of a surrogate pair" if isinstance(error, UnicodeError) else str(error)
            raise LanguageModelError(
                f"model {self.model} at {self.base_url}: {reason} cannot be sent; mend the text, or the row"
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
                    raise ValueError(f"{name} is no number of tokens")
            elif not isinstance(value, str) or not is_unicode(value):
                raise ValueError(f"{name} is no text")


def read_part(path: Path) -> str:
    """Read a prompt's file unchanged; raise `InputError` if it is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; see resources/registry/prompts.tsv") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None


def check_placeholders(path: Path, text: str, names: list[str]) -> None:
    """Raise `InputError` if the prompt in `path` lacks one of the placeholders `names`."""
    if missing := [name for name in names if name not in text]:
        raise InputError(f"{path}: has no {' and no '.join(missing)}; the text to ask about must go somewhere")


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
