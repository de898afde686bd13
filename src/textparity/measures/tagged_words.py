"""Tagged words, `word - P, M`: how annotators write them, and how they are read from a language model's answer.

An answer has one word a line. It is read strictly first, then by named repairs, never by guessing.

The paper's notebook splits the whole answer at " - ", ", " and line ends and takes every three pieces for a word
(`parse_published`): one malformed line shifts all words after it.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import normalize

PERSON, NOT_PERSON = "P", "N"
GENDERS = {"M": "masculine", "F": "feminine"}
_TAG = re.compile(r"(?P<word>\S.*?) - (?P<person>[PN]), (?P<gender>[MF])")
_EXAMPLE_HEAD = re.compile(r"(?i)\s*(?:ejemplo|exemple|example|frase|sentence|oración|instruccio\w+|instructions?)\b.*")
_ATTRIBUTES = re.compile(r" - [PNpn], [MFmf]\b")
# A word or name, not a bullet, a number of a list or a word in quotes.
_WORD = re.compile(r"(?!\d+[.)]\s)\w(?:[\w .'’·-]*[\w.'’·-])?")
# An answer as it should be is read at once: line by line takes three times as long.
_STRICT_LINE = re.compile(rf"^({_WORD.pattern}) - ([PN]), ([MF])$", re.MULTILINE)
_FENCE = re.compile(r"\s*```\w*\s*")


class Tag(NamedTuple):
    """One word of a sentence: whether it refers to a person (P or N), and its grammatical gender (M or F)."""

    word: str
    person: str
    gender: str


def parse_tag(line: str) -> Tag | None:
    """Return the tag that `line` spells exactly, or nothing."""
    found = _TAG.fullmatch(line)
    return Tag(*found.groups()) if found else None


@dataclass(frozen=True)
class ParsedAnswer:
    """What an answer says: tags in order, how often each repair was needed, and the lines that fit no rule.

    `cut` is the number of lines behind the answer, where the model went on to invent another example.
    """

    tags: tuple[Tag, ...]
    repairs: dict[str, int]
    unparsed: tuple[str, ...]
    cut: int = 0


def _subn(pattern: str, replacement: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda line: compiled.sub(replacement, line)


# In this order, each on top of those before it, until the line is a tag; names are those of the repairs table. What
# begins with white space looks for it only where a run of it begins, else a long one would take its length squared.
REPAIRS: dict[str, Callable[[str], str]] = {
    "white space": lambda line: " ".join(line.split()),
    "full-width marks": lambda line: normalize("NFKC", line).replace("、", ", "),
    "markup": _subn(r"[*_`]+", ""),
    "bullet": _subn(r"^(?:[-–—•·▪◦+]|\d+[.)])\s+", ""),
    "quotes": _subn(r"[\"“”«»]|^['‘](?=\w)|(?<=\w)['’](?=\s*[-–—:])|['’]$", ""),
    "other dash": _subn(r"(?<!\s)\s*[–—−‐‑:→]\s*(?=\(?[PNpn]\b)", " - "),
    "brackets": _subn(r"(?<!\s)\s*(?:-\s*)?\(\s*([PNpn])\s*[,/;]?\s*([MFmf])\s*\)", r" - \1, \2"),
    "other separator": _subn(r"\b([PNpn])\s*[/;|.]\s*([MFmf])\b", r"\1, \2"),
    "missing space": _subn(r"(?<!\s)\s*-\s*([PNpn])\s*,?\s*([MFmf])\b", r" - \1, \2"),
    "lower case": lambda line: _ATTRIBUTES.sub(lambda found: found[0].upper(), line),
    "trailing words": _subn(r"( - [PN], [MF])\b[\s.,;()].*$|( - [PN], [MF])[.,;]$", r"\1\2"),
}


def parse_answer(text: str) -> ParsedAnswer:
    """Return the tags of an answer; see `REPAIRS` for what is fixed on the way.

    Heads of examples before the first tag are an echo and skipped; from one after a tag on, all is cut, since a
    completion model goes on with examples of its own. Every other line that is no tag is listed as unparsed.
    """
    text = text.strip()
    strict = _STRICT_LINE.findall(text)
    if len(strict) == text.count("\n") + 1:
        return ParsedAnswer(tuple(map(Tag._make, strict)), {}, ())
    tags: list[Tag] = []
    repairs: Counter[str] = Counter()
    unparsed: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        # A tag first: "frase" and "ejemplo" are nouns, too.
        tag, needed = _repair(line)
        if tag is not None:
            tags.append(tag)
            if needed:
                repairs.update(needed)
        elif _FENCE.fullmatch(line):
            repairs["code fence"] += 1
        elif not _EXAMPLE_HEAD.fullmatch(line):
            unparsed.append(line.strip())
        elif tags:
            return ParsedAnswer(tuple(tags), dict(repairs), tuple(unparsed), cut=len(lines) - number)
        else:
            repairs["echo"] += 1
    return ParsedAnswer(tuple(tags), dict(repairs), tuple(unparsed))


def _read(line: str) -> Tag | None:
    tag = parse_tag(line)
    return tag if tag and _WORD.fullmatch(tag.word) else None


def _repair(line: str) -> tuple[Tag | None, list[str]]:
    if tag := _read(line):
        return tag, []
    needed = []
    for name, repair in REPAIRS.items():
        repaired = repair(line)
        if repaired != line:
            needed.append(name)
            line = repaired
            if tag := _read(line):
                return tag, needed
    return None, []


def parse_published(text: str) -> list[tuple[str, ...]]:
    """Return the upper-cased triples of the paper's notebook; the last may be shorter, and any may be nonsense."""
    cleaned = re.sub(r"(?<!\s)\s+\n", "\n", text.strip().upper())
    pieces = re.split(r" - |, |\n", cleaned)
    return [tuple(pieces[start : start + 3]) for start in range(0, len(pieces), 3)]
