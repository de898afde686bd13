"""The texts of a source as documents, and in portions, in which they are counted."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

# A portion is complete, and is counted, when it has so many texts or characters.
PORTION_TEXTS, PORTION_SIZE = 20_000, 1 << 20
# Maximum length of a text in characters, because a document is held in memory.
LONGEST_TEXT = 64 << 20
# This character ends a line of a document, and also ends a sentence. An ordinary line end does not, as in hard-wrapped
# text.
LINE_END = "\u2029"
# Between the fields of one text, which are counted like the lines of a document.
FIELDS_END = f"{LINE_END} "

Place = int
"""The number of a line or record in its source, from 1."""


class GivenLanguage(NamedTuple):
    """The language that a record names, or the reason for which its text is left out."""

    lang: str
    reason: str = ""


class Label(NamedTuple):
    """The fields of a record other than its text: its group, language and id, if they were asked for.

    `parts` has the name and length of each field that the text consists of, if they are several.
    """

    group: str = ""
    language: GivenLanguage | None = None
    id: str = ""
    parts: tuple[tuple[str, int], ...] = ()

    def place(self, start: int) -> tuple[str, int]:
        """Find the field that a character of the text is in, and where the field begins in the text."""
        begin = 0
        for field, length in self.parts:
            end = begin + length + len(FIELDS_END)
            if start < end:
                return field, begin
            begin = end
        return "", 0


class Document(NamedTuple):
    """One text of a source: its line or record, the text (None if the record has none), and its label, if asked for."""

    place: Place
    text: str | None
    label: Label | None = None


class Texts(NamedTuple):
    """A portion of a source's texts, with the places of their lines or records, and their labels, if asked for.

    While they are read, the text of a record without one is None. `files` has the name of each text's source, if there
    are several. `are_parts`: they follow each other in one document.
    """

    places: Sequence[Place]
    texts: Sequence[Any]
    labels: Sequence[Label] = ()
    files: Sequence[str] = ()
    are_parts: bool = False

    @property
    def documents(self) -> Sequence[int]:
        """What tells apart the documents of the texts."""
        return [0] * len(self.texts) if self.are_parts else self.places

    def select(self, numbers: Sequence[int]) -> "Texts":
        """Select texts by their numbers in the portion."""
        return self._replace(
            places=[self.places[number] for number in numbers],
            texts=[self.texts[number] for number in numbers],
            labels=[self.labels[number] for number in numbers] if self.labels else (),
            files=[self.files[number] for number in numbers] if self.files else (),
        )


def portions(documents: Iterable[Document | Texts]) -> Iterator[Texts]:
    """Collect documents into portions. A reader of many short texts may yield portions itself, which is faster."""
    places: list[Place] = []
    texts: list[str | None] = []
    labels: list[Label] = []
    characters = 0
    for document in documents:
        if isinstance(document, Texts):
            yield document
            continue
        place, text, label = document
        places.append(place)
        texts.append(text)
        if label is not None:
            labels.append(label)
        characters += len(text or "")
        if len(texts) >= PORTION_TEXTS or characters >= PORTION_SIZE:
            yield Texts(places, texts, labels)
            places, texts, labels, characters = [], [], [], 0
    if texts:
        yield Texts(places, texts, labels)
