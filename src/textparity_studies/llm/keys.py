"""Remove a key from a server's texts, however it is spelled: plain, in JSON, an address, HTML, or base64."""

import html
import re
from base64 import b64encode, urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Iterator

MARK = "[key]"
# Escapes may be escaped again this many times.
LEVELS = 4
# A shorter key may occur in any text by chance once it is encoded.
SHORTEST_ENCODED = 12
_ESCAPE = re.compile(
    r"\\u(?P<unit>[\da-fA-F]{4})|\\u\{(?P<point>[\da-fA-F]{1,8})\}|\\x(?P<byte>[\da-fA-F]{2})|\\(?P<octal>[0-3][0-7]{2})"
    r"|\\(?P<letter>[!-~])|%(?P<percent>[\da-fA-F]{2})|&(?:#\d{1,8}|#[xX][\da-fA-F]{1,8}|[A-Za-z]\w{1,30});?"
)


class KeyRemover:
    """Replace one key by `MARK` in texts; an empty key matches nothing."""

    def __init__(self, key: str) -> None:
        self._spellings = _spellings(key) if key else []

    def clean(self, text: str) -> str:
        """Remove the key from `text`, in time that grows linearly with its length."""
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
    """View a text with one or more levels of escapes removed, and map its letters to their origins."""

    def __init__(self, text: str, below: "_View | None" = None) -> None:
        self.text = text
        self._below = below
        # The places after each escape: in this text, and in the text below.
        self._offsets, self._offsets_below = [0], [0]

    def origin(self, place: int) -> int:
        """Map a place to the original text."""
        if self._below is None:
            return place
        escape = bisect_right(self._offsets, place) - 1
        return self._below.origin(self._offsets_below[escape] + place - self._offsets[escape])

    def above(self) -> "_View | None":
        """Return the text with one more level of escapes removed; None if there is none."""
        view = _View("", self)
        pieces, length, last = [], 0, 0
        for found in _ESCAPE.finditer(self.text):
            letter = _letter(found)
            if not letter:
                continue
            pieces += [self.text[last : found.start()], letter]
            length += found.start() - last + 1
            last = found.end()
            view._offsets.append(length)
            view._offsets_below.append(last)
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
    """Decode the one letter that an escape stands for; an empty string if it stands for none."""
    kind, code = found.lastgroup, found[found.lastgroup] if found.lastgroup else ""
    if kind == "letter":
        return code
    if kind is None:
        letter = html.unescape(found[0])
        return letter if len(letter) == 1 else ""
    point = int(code, 8 if kind == "octal" else 16)
    return chr(point) if point <= 0x10FFFF else ""


def _spellings(key: str) -> list[str]:
    """List the key, the key without what looks like escapes, and its forms in base64 and hexadecimal."""
    found = {view.text for view in _views(key)}
    if len(key) >= SHORTEST_ENCODED:
        raw = key.encode()
        found |= {raw.hex(), raw.hex().upper()}
        for encode in (b64encode, urlsafe_b64encode):
            # Text before the key ("Bearer ", a user name) shifts it by up to two bytes. The letters at both ends also
            # contain bits of its neighbours.
            for before in range(3):
                text = encode(b"\0" * before + raw).decode().rstrip("=")
                found.add(text[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6])
    return sorted(found)
