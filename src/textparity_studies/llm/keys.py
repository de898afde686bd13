"""Taking a key out of what a server says, however it is spelled there: as it is, in JSON, an address, HTML, base64."""

import html
import re
from base64 import b64encode, urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Iterator

MARK = "[key]"
# Escapes of escapes of escapes.
LEVELS = 4
# A key so short may stand in any text by chance, once it is encoded.
SHORTEST_ENCODED = 12
_ESCAPE = re.compile(
    r"\\u(?P<unit>[\da-fA-F]{4})|\\u\{(?P<point>[\da-fA-F]{1,8})\}|\\x(?P<byte>[\da-fA-F]{2})|\\(?P<octal>[0-3][0-7]{2})"
    r"|\\(?P<letter>[!-~])|%(?P<percent>[\da-fA-F]{2})|&(?:#\d{1,8}|#[xX][\da-fA-F]{1,8}|[A-Za-z]\w{1,30});?"
)


class KeyRemover:
    """Replaces one key by `MARK` in texts; an empty key is nowhere."""

    def __init__(self, key: str) -> None:
        self._spellings = _spellings(key) if key else []

    def clean(self, text: str) -> str:
        """Return `text` without the key, in time that grows with its length."""
        if not self._spellings:
            return text
        spans = []
        for view in _views(text):
            for spelling in self._spellings:
                start = view.text.find(spelling)
                while start >= 0:
                    end = start + len(spelling)
                    spans.append((view.origin(start), view.origin(end)))
                    start = view.text.find(spelling, end)
        kept, last = [], 0
        for start, end in sorted(spans):
            if start >= last:
                kept += [text[last:start], MARK]
            last = max(last, end)
        return "".join([*kept, text[last:]])


class _View:
    """A text with so many levels of escapes taken away, and where each of its letters comes from."""

    def __init__(self, text: str, below: "_View | None" = None) -> None:
        self.text = text
        self._below = below
        # Behind each escape: here, and in the text below.
        self._here, self._require_value = [0], [0]

    def origin(self, place: int) -> int:
        """Return the place in the text as it was."""
        if self._below is None:
            return place
        escape = bisect_right(self._here, place) - 1
        return self._below.origin(self._require_value[escape] + place - self._here[escape])

    def above(self) -> "_View | None":
        """Return the text with one more level taken away; None if there is none."""
        view = _View("", self)
        pieces, length, last = [], 0, 0
        for found in _ESCAPE.finditer(self.text):
            letter = _letter(found)
            if not letter:
                continue
            pieces += [self.text[last : found.start()], letter]
            length += found.start() - last + 1
            last = found.end()
            view._here.append(length)
            view._require_value.append(last)
        view.text = "".join([*pieces, self.text[last:]])
        return view if pieces else None


def _views(text: str) -> Iterator[_View]:
    view: _View | None = _View(text)
    for _ in range(LEVELS):
        if view is None:
            return
        yield view
        view = view.above()


def _letter(found: re.Match[str]) -> str:
    """Return the one letter that an escape stands for; nothing if it does not."""
    kind, code = found.lastgroup, found[found.lastgroup] if found.lastgroup else ""
    if kind == "letter":
        return code
    if kind is None:
        letter = html.unescape(found[0])
        return letter if len(letter) == 1 else ""
    point = int(code, 8 if kind == "octal" else 16)
    return chr(point) if point <= 0x10FFFF else ""


def _spellings(key: str) -> list[str]:
    """Return the key, also without what looks like escapes in it, and what base64 and hexadecimal make of it."""
    found = {view.text for view in _views(key)}
    if len(key) >= SHORTEST_ENCODED:
        raw = key.encode()
        found |= {raw.hex(), raw.hex().upper()}
        for encode in (b64encode, urlsafe_b64encode):
            # What stands before the key ("Bearer ", a user name) shifts it by up to two bytes; the letters at both
            # ends also hold bits of its neighbours.
            for before in range(3):
                text = encode(b"\0" * before + raw).decode().rstrip("=")
                found.add(text[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6])
    return sorted(found)
