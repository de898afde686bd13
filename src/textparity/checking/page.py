"""The page of `textparity check mark`: one text after the other, with what was found in it, to be judged.

Every judgement is written to the disk before the page shows it, so that nothing is lost if the command is killed.
"""

import json
import secrets
import threading
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

from textparity.auditing.languages import language_row
from textparity.auditing.showing.page import audit_pages
from textparity.checking.judgements import (
    FEMININE,
    JUDGEMENTS,
    MASCULINE,
    NEITHER,
    TABLE,
    UNCLEAR,
    WRONG,
    JudgementLog,
    ReadText,
    read_judgements,
)
from textparity.checking.samples import Found, TextSample
from textparity.errors import InputError
from textparity.files import printable
from textparity.persons.mentions import MENTIONS
from textparity.serving.local_server import LocalHandler, LocalServer, Refused, nothing_here

# The words of the page for judgements, each with its key and the letter of its mark.
SAID = {
    FEMININE: ("Woman", "f"),
    MASCULINE: ("Man", "m"),
    NEITHER: ("Neither", "n"),
    UNCLEAR: ("Cannot tell", "u"),
    WRONG: ("Wrong", "x"),
}


@dataclass(frozen=True)
class PageText:
    """A piece of a text that begins at `start`, with what was found or missed there, if anything."""

    text: str
    start: int
    found: Found | None = None
    missed: int = 0


class MarkServer(LocalServer):
    """Serve the texts of a sample. `sample` is its folder's, and `texts` have the judgements so far."""

    def __init__(self, sample: TextSample, port: int = 0) -> None:
        self.sample = sample
        self.texts = read_judgements(sample)
        self.log = JudgementLog(sample.folder, self.texts)
        # Two judgements at once must not be written into each other.
        self.writing = threading.Lock()
        super().__init__(MarkHandler, port)

    @classmethod
    def open(cls, folder: Path, port: int = 0) -> "MarkServer":
        """Open the sample in a folder. Raises `InputError` if it is damaged, or its table is already filled in."""
        sample = TextSample.read(folder)
        texts = read_judgements(sample)
        if not (folder / JUDGEMENTS).exists() and any(text.is_read or text.judgements for text in texts):
            raise InputError(
                f"{folder}: its table {TABLE} is already filled in; go on with the table, or clear its judgements"
            )
        return cls(sample, port)

    @property
    def read(self) -> int:
        """The number of texts that are read."""
        return sum(text.is_read for text in self.texts)

    def next_unread(self, number: int = 0) -> int:
        """Find the first text after `number` that is not read, or else the first one; 0 if all are read."""
        unread = [text.drawn.number for text in self.texts if not text.is_read]
        after = [other for other in unread if other > number]
        return (after or unread or [0])[0]


class MarkHandler(LocalHandler):
    """Show a text, and take judgements on it, each as one line of JSON."""

    server: MarkServer
    media_type = "application/json"
    longest_body = 4096
    too_long = "This is no judgement."

    def answer_get(self, action: str) -> None:
        """Show a text: the one of the path, or the first that is not read."""
        if action and not action.isdecimal():
            raise nothing_here()
        number = int(action[:9]) if action else self.server.next_unread() or 1
        if not 0 < number <= len(self.server.texts):
            raise nothing_here()
        nonce = secrets.token_urlsafe(16)
        self.send(HTTPStatus.OK, _render_page(self.server, number, nonce), "text/html", _policy(nonce))

    def answer_post(self, action: str, body: bytes) -> None:
        """Write a judgement, and send how the text is shown now."""
        if action:
            raise nothing_here()
        try:
            row = json.loads(body)
            with self.server.writing:
                text = self.server.log.add(row)
        except (ValueError, KeyError, TypeError) as error:
            raise Refused(HTTPStatus.BAD_REQUEST, f"This is no judgement: {error}") from None
        except OSError as error:
            raise Refused(
                HTTPStatus.INTERNAL_SERVER_ERROR, f"The judgement could not be saved: {error.strerror}"
            ) from None
        self.send(HTTPStatus.OK, _render_text(self.server, text), "text/html")


def _policy(nonce: str) -> dict[str, str]:
    return {
        "Content-Security-Policy": f"default-src 'none'; img-src data:; script-src 'nonce-{nonce}'; "
        "style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        # A script sends its origin only to its own address.
        "Referrer-Policy": "same-origin",
    }


def _values(server: MarkServer, text: ReadText) -> dict[str, Any]:
    pieces, unplaced = _cut(text)
    return {
        "text": text,
        "pieces": pieces,
        "unplaced": unplaced,
        "said": SAID,
        "of_people": server.sample.design.count != MENTIONS,
        "of_matches": server.sample.design.is_of_matches,
        "total": len(server.texts),
        "read": server.read,
        "following": server.next_unread(text.drawn.number),
        "folder": server.sample.folder,
        "lang": language_row(text.drawn.lang).icu_locale,
    }


def _render_page(server: MarkServer, number: int, nonce: str) -> str:
    template = audit_pages("textparity.checking").get_template("page.mark.html.j2")
    return template.render(result=None, script="", nonce=nonce, **_values(server, server.texts[number - 1]))


def _render_text(server: MarkServer, text: ReadText) -> str:
    template = audit_pages("textparity.checking").get_template("page.text.html.j2")
    return template.render(**_values(server, text))


class _Place(NamedTuple):
    """What begins at `start` and ends at `end`: something found, or the number of something missed."""

    start: int
    end: int
    found: Found | None
    missed: int


def _places_in(text: ReadText) -> list[_Place]:
    """List the places of all that was found or missed, in their order, the longest first."""
    places: list[_Place] = []
    for found in text.drawn.found:
        places += [_Place(start, end, found, 0) for start, end in found.spans]
    for number, missed in text.missed.items():
        places.append(_Place(missed.start, missed.end, None, number))
    return sorted(places, key=lambda place: (place.start, -place.end))


def _cut(text: ReadText) -> tuple[list[PageText], list[Found]]:
    """Cut a text into pieces, and list what cannot be marked because its place is not known or lies within another."""
    whole = text.drawn.text
    pieces = []
    marked: set[int] = set()
    position = 0
    for start, end, found, missed in _places_in(text):
        if start < position:
            continue
        pieces.append(PageText(_show(whole[position:start]), position))
        pieces.append(PageText(_show(whole[start:end]), start, found, missed))
        if found:
            marked.add(found.number)
        position = end
    pieces.append(PageText(_show(whole[position:]), position))
    unplaced = [found for found in text.drawn.found if found.number not in marked]
    return [piece for piece in pieces if piece.text], unplaced


def _show(text: str) -> str:
    """Show a piece of a text with as many characters as it has, so that its places stay what they are."""
    return "\n".join(map(printable, text.replace("\u2029", "\n").split("\n")))
