"""Prompts are files: a text with placeholders in capitals (`<SENTENCE>`), and for chats a system message."""

from collections.abc import Mapping
from pathlib import Path

from textparity.errors import InputError
from textparity.llm.exchange import Prompt


def read_part(path: Path) -> str:
    """Return a prompt's file as it is; raise `InputError` if it is not UTF-8 or not there."""
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
    """Return `template` with each placeholder replaced by its value, in the order of `values`."""
    for name, value in values.items():
        template = template.replace(name, value)
    return template


def to_prompt(text: str, mode: str, system: str = "") -> Prompt:
    """Return `text` as the prompt of a completion, or as the user's message of a chat."""
    if mode == "completion":
        return text
    first = [{"role": "system", "content": system}] if system else []
    return [*first, {"role": "user", "content": text}]
