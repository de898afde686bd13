"""Read sentences whose words annotators tagged (Derner 2025, App. B–C)."""

import re
from dataclasses import dataclass
from pathlib import Path

from textparity.errors import InputError
from textparity_studies.measures.tag_counts import Tag, parse_tag

_BLOCK = re.compile(r'"(?P<sentence>[^"]*)"\s+"(?P<tags>[^"]*)"')


@dataclass(frozen=True)
class TaggedSentence:
    """Hold a sentence and its tagged words in text order."""

    sentence: str
    tags: tuple[Tag, ...]


def read_gold(path: Path) -> list[TaggedSentence]:
    """Read blocks of `"sentence" "word - P, M⏎…"`, separated by empty lines.

    A sentence without nouns has an empty second part. Raises `InputError` with the block and line.
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
