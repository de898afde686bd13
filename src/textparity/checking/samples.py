"""The sample of a check: which texts were drawn from what, with which chance, and what was found in them.

A folder contains it: `drawn.json` describes the corpus and the design, and `sample.jsonl` has a line for each text.
Both are written once. A digest of each line shows whether it is still the same.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any

from textparity.counting import GENDERS
from textparity.errors import InputError

SAMPLE, DRAWN = "sample.jsonl", "drawn.json"
# The version of the files. Others cannot be read.
_FORM = 1
# What was drawn: whole texts, or single matches.
TEXTS, MATCHES = "texts", "matches"


@dataclass(frozen=True)
class Found:
    """Something that the method counted in a text: a mention, or (with people) a person with all mentions.

    `gender` is the class in which it was counted, and `kind` its kind (names, nouns, pronouns …). `spans` are the
    places of its mentions in the text. There are none if the tokenizer changed the text.
    """

    number: int
    gender: str
    kind: str
    words: str
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Found":
        """Read it from the file."""
        spans = tuple((int(start), int(end)) for start, end in row["spans"])
        return cls(row["number"], row["gender"], row["kind"], row["words"], spans)


@dataclass(frozen=True)
class DrawnText:
    """A text of the sample. `draws` are the numbers of its draws in its stratum, from 1, in which each has `chance`.

    `stratum` is the number of the stratum, from 0. `corpus` and `place` say where the text is from.
    """

    number: int
    stratum: int
    draws: tuple[int, ...]
    chance: float
    corpus: str
    place: int
    id: str
    lang: str
    text: str
    found: tuple[Found, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "DrawnText":
        """Read a text from its row of the file."""
        values = {field.name: row[field.name] for field in fields(cls)}
        values["draws"] = tuple(row["draws"])
        values["found"] = tuple(map(Found.of, row["found"]))
        return cls(**values)

    def found_by_gender(self) -> tuple[int, int]:
        """Count the women and men found."""
        genders = [found.gender for found in self.found]
        women, men = (genders.count(gender) for gender in GENDERS)
        return women, men


@dataclass(frozen=True)
class Stratum:
    """Texts of one row of an audit from which some were drawn: all of a language, or one group of them.

    `texts` are those with words, `women` and `men` what the method found in all of them. `signature` describes how.
    """

    corpus: str
    lang: str
    group: str
    texts: int
    women: int
    men: int
    draws: int
    signature: str

    @property
    def title(self) -> str:
        """The name of the stratum for messages."""
        return ", ".join(filter(None, (self.corpus, self.lang, self.group)))


@dataclass(frozen=True)
class Design:
    """How a sample was drawn: what (`TEXTS` or `MATCHES`), with which seed, from which strata.

    `method` and `count` are those of the audit, and `unit` is the unit of a text.
    """

    drawn: str
    seed: int
    method: str
    count: str
    unit: str
    strata: tuple[Stratum, ...]

    @property
    def is_of_matches(self) -> bool:
        """Whether single matches were drawn, of which only the precision is known."""
        return self.drawn == MATCHES


@dataclass(frozen=True)
class TextSample:
    """A sample of texts, in the order in which they are to be read."""

    folder: Path
    design: Design
    texts: tuple[DrawnText, ...]

    @property
    def digest(self) -> str:
        """A digest of the design and the texts: two readers of one sample have the same."""
        rows = _digests(map(_render_text, self.texts))
        return blake2b(repr((self.design, rows)).encode(), digest_size=8).hexdigest()

    def files(self) -> dict[Path, str]:
        """Render the files of the sample."""
        lines = list(map(_render_text, self.texts))
        head = {"form": _FORM, "design": asdict(self.design), "rows": _digests(lines)}
        return {
            self.folder / DRAWN: json.dumps(head, ensure_ascii=False, indent=1) + "\n",
            self.folder / SAMPLE: "".join(f"{line}\n" for line in lines),
        }

    @classmethod
    def read(cls, folder: Path) -> "TextSample":
        """Read a sample. Raises `InputError` if its files are missing, damaged, or were changed."""
        head = _read_head(folder / DRAWN)
        texts = tuple(_read_texts(folder / SAMPLE, head["rows"]))
        design = dict(head["design"])
        strata = tuple(Stratum(**stratum) for stratum in design.pop("strata"))
        return cls(folder, Design(**design, strata=strata), texts)


def _render_text(text: DrawnText) -> str:
    return json.dumps(asdict(text), ensure_ascii=False)


def _digests(lines: Iterable[str]) -> list[str]:
    return [blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest() for line in lines]


def _read_head(path: Path) -> dict[str, Any]:
    fix = "draw a sample with textparity check draw, or name the folder that has one"
    try:
        head = json.loads(path.read_text("utf-8"))
        if head["form"] != _FORM:
            raise InputError(f"{path}: was written by another version of textparity; draw the sample again")
        if not {"design", "rows"} <= head.keys():
            raise ValueError
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); {fix}") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: is not the record of a sample; {fix}") from None
    return dict(head)


def _read_texts(path: Path, digests: Sequence[str]) -> Iterator[DrawnText]:
    fix = f"{SAMPLE} must stay as it was drawn; take it from a copy, or draw again into another folder"
    try:
        lines = path.read_text("utf-8").split("\n")[:-1]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); {fix}") from None
    if len(lines) != len(digests):
        raise InputError(f"{path}: has {len(lines)} texts instead of {len(digests)}; {fix}")
    for index, digest in enumerate(_digests(lines)):
        if digest != digests[index]:
            raise InputError(f"{path}:{index + 1}: was changed since it was drawn; {fix}")
        row = json.loads(lines[index])
        yield DrawnText.of(row)
