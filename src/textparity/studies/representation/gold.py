"""Tagged words: `word - P, M`, as gold files hold them and models are asked to answer (Derner 2025, App. B–C)."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from textparity.errors import InputError

PERSON, NOT_PERSON = "P", "N"
GENDERS = {"M": "masculine", "F": "feminine"}
_TAG = re.compile(r"(?P<word>\S.*?) - (?P<person>[PN]), (?P<gender>[MF])")
_BLOCK = re.compile(r'"(?P<sentence>[^"]*)"\s+"(?P<tags>[^"]*)"')


class Tag(NamedTuple):
    """One word of a sentence: whether it refers to a person (P or N), and its grammatical gender (M or F)."""

    word: str
    person: str
    gender: str


@dataclass(frozen=True)
class TaggedSentence:
    """A sentence and its tagged words in text order."""

    sentence: str
    tags: tuple[Tag, ...]


def parse_tag(line: str) -> Tag | None:
    """Return the tag that `line` spells exactly, or nothing."""
    found = _TAG.fullmatch(line)
    return Tag(*found.groups()) if found else None


def read_gold(path: Path) -> list[TaggedSentence]:
    """Read blocks of `"sentence" "word - P, M⏎…"`, parted by empty lines.

    A sentence without nouns has an empty second part. Raises `InputError` naming the block and line.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None
    blocks = [block.strip() for block in re.split(r"\n[ \t]*\n", content.replace("\r\n", "\n")) if block.strip()]
    if not blocks:
        raise InputError(f"{path}: has no annotated sentences")
    return [_read_block(path, number, block) for number, block in enumerate(blocks, start=1)]


def _read_block(path: Path, number: int, block: str) -> TaggedSentence:
    where = f"{path}, block {number}"
    found = _BLOCK.fullmatch(block)
    if found is None:
        raise InputError(f'{where}: must be "sentence" "word - P, M" with straight quotes, not {block[:60]!r}')
    tags = []
    for line in filter(None, found["tags"].split("\n")):
        tag = parse_tag(line)
        if tag is None:
            raise InputError(f"{where}: {line!r} must be word - P or N, M or F; for instance: señor - P, M")
        tags.append(tag)
    if not found["sentence"].strip():
        raise InputError(f"{where}: the sentence is empty; remove the block")
    return TaggedSentence(found["sentence"], tuple(tags))
