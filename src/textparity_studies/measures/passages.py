"""Read annotated passages: who is mentioned, in which role, and who is quoted.

The header of each file explains the format. Positions count characters of the plain text, without the markup.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textparity.errors import InputError
from textparity.files import read_lines

UNDETERMINED = "undetermined"
# Reports and actors use all three. Indicators and balancing compare only the first two.
ACTOR_GENDERS = ("feminine", "masculine", UNDETERMINED)
KINDS = ("named", "generic")
ROLES = {"S": "subject", "O": "object", "-": ""}
_MARKUP = re.compile(r"\[(?P<mention>\S+) (?P<role>\S)\||<(?P<quote>[di]) (?P<speaker>\S+)\||(?P<close>[\]>])")
_FLAGS = ("inclusive", "generic_masculine", "held_out")


@dataclass(frozen=True)
class GoldActor:
    """One person of a passage."""

    key: str
    gender: str
    kind: str
    name: str


@dataclass(frozen=True)
class GoldMention:
    """Characters `start` to `end` (exclusive) that mention an actor. `role` is subject, object or empty."""

    start: int
    end: int
    actor: str
    role: str
    kind: str


@dataclass(frozen=True)
class GoldQuote:
    """Characters `start` to `end` (exclusive) of direct (with marks) or indirect speech; `speaker` may be empty."""

    start: int
    end: int
    speaker: str
    is_direct: bool


@dataclass(frozen=True)
class GoldPassage:
    """One passage. `inclusive` and `generic_masculine` mark its forms. `held_out`: no rule was fitted to it."""

    id: str
    topic: str
    text: str
    actors: dict[str, GoldActor]
    mentions: list[GoldMention]
    quotes: list[GoldQuote]
    inclusive: bool
    generic_masculine: bool
    held_out: bool


def read_passages(path: Path, is_pronoun: Callable[[str], bool]) -> list[GoldPassage]:
    """Read annotated passages. Raises `InputError`, with the line, if one is malformed.

    `is_pronoun` decides whether the words of a mention are a pronoun.
    """
    passages: list[GoldPassage] = []
    head: dict[str, Any] | None = None
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path}, line {number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("== "):
            if head is not None:
                raise InputError(f"{where}: passage {head['id']} has no text; write it below its actors")
            key, _, topic = line.removeprefix("== ").strip().partition(" ")
            if not topic or any(key == passage.id for passage in passages):
                raise InputError(f"{where}: a passage begins with `== number topic`, each number once")
            head = {"id": key, "topic": topic, "actors": {}, "flags": set()}
        elif head is None:
            raise InputError(f"{where}: text outside of a passage; begin one with `== number topic`")
        elif line.startswith("! "):
            if (flag := line.removeprefix("! ").strip()) not in _FLAGS:
                raise InputError(f"{where}: {flag!r} is not one of {', '.join(_FLAGS)}")
            head["flags"].add(flag)
        elif line.startswith("@ "):
            actor = _read_actor(line, where)
            if actor.key in head["actors"]:
                raise InputError(f"{where}: actor {actor.key} is a duplicate; give each its own key")
            head["actors"][actor.key] = actor
        else:
            passages.append(_read_text(line, head, where, is_pronoun))
            head = None
    if head is not None:
        raise InputError(f"{path}: passage {head['id']} has no text; write it below its actors")
    if not passages:
        raise InputError(f"{path}: has no passages")
    return passages


def _read_actor(line: str, where: str) -> GoldActor:
    cells = line.removeprefix("@ ").split(maxsplit=3)
    if len(cells) != 4 or cells[1] not in ACTOR_GENDERS or cells[2] not in KINDS:
        raise InputError(
            f"{where}: an actor is `@ key gender kind name`, gender one of {', '.join(ACTOR_GENDERS)} and kind one of "
            + ", ".join(KINDS)
        )
    return GoldActor(*cells)


def _read_text(line: str, head: dict[str, Any], where: str, is_pronoun: Callable[[str], bool]) -> GoldPassage:
    text = ""
    opened: list[tuple[str, str, str, int]] = []
    mentions: list[GoldMention] = []
    quotes: list[GoldQuote] = []
    actors: dict[str, GoldActor] = head["actors"]
    place = 0
    for match in _MARKUP.finditer(line):
        text += line[place : match.start()]
        place = match.end()
        if match["close"]:
            if not opened or (match["close"] == "]") != (opened[-1][0] == "["):
                raise InputError(f"{where}: {match['close']!r} at character {match.start() + 1} closes nothing")
            kind, actor, role, start = opened.pop()
            if not (words := text[start:]) or words != words.strip():
                raise InputError(
                    f"{where}: the markup that ends at character {match.start() + 1} is empty or has a space at its "
                    "edge; mark the words alone"
                )
            if kind == "[":
                form = "pronoun" if is_pronoun(words) else actors[actor].kind
                mentions.append(GoldMention(start, len(text), actor, role, form))
            else:
                quotes.append(GoldQuote(start, len(text), actor, kind == "d"))
            continue
        key = match["mention"] or match["speaker"]
        if key not in actors and not (key == "-" and match["quote"]):
            raise InputError(f"{where}: actor {key!r} is not in the list above the text; add its `@` line")
        if match["mention"] and match["role"] not in ROLES:
            raise InputError(f"{where}: role {match['role']!r} is not one of {', '.join(ROLES)}")
        kind = "[" if match["mention"] else match["quote"]
        opened.append((kind, "" if key == "-" else key, ROLES.get(match["role"] or "-", ""), len(text)))
    text += line[place:]
    if opened:
        raise InputError(f"{where}: {opened[-1][0]!r} is never closed")
    if re.search(r"[\[\]<>|]", text):
        raise InputError(f"{where}: markup that cannot be read; the text itself must not contain [ ] < > |")
    if silent := [key for key in actors if all(mention.actor != key for mention in mentions)]:
        raise InputError(
            f"{where}: actor {', '.join(silent)} is never mentioned; mark a mention or remove its `@` line"
        )
    flags = {flag: flag in head["flags"] for flag in _FLAGS}
    return GoldPassage(head["id"], head["topic"], text, actors, mentions, quotes, **flags)
