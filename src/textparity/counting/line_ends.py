"""Mark where a line of a text ends a heading or a paragraph, so that no name goes on beyond it.

A line that was wrapped ends because the next word did not fit. In any other line, something ends: a blank line follows,
or there was room for the next word in a line as long as the longest one of the text.
"""

from bisect import bisect_left
from dataclasses import dataclass

import regex

LINE_FEED = "\n"
# The marks of a line end, and of a blank line. ICU ends a sentence at both.
LINE_MARK, PARAGRAPH_MARK = MARKS = "\u2028\u2029"
# Only before a capital can a name go on.
_BREAK = regex.compile(r"(?<=[\p{L}\p{N}.'’)\]])[^\S\n\u2029]*\n(?=[^\p{L}\n]*+(?:\n|(?P<word>\p{Lu}\S*)))")


@dataclass(frozen=True)
class MarkedText:
    """A text with a mark before each line feed that ends a heading or paragraph, and the places of the marks."""

    text: str
    marks: tuple[int, ...] = ()

    def original(self, place: int) -> int:
        """Convert a place in the marked text to the place in the original one."""
        return place - bisect_left(self.marks, place)


def mark_line_ends(text: str) -> MarkedText:
    """Mark the line ends of a text that end a heading or a paragraph."""
    if LINE_FEED not in text:
        return MarkedText(text)
    longest = max(len(line) for line in text.split(LINE_FEED))
    parts: list[str] = []
    marks: list[int] = []
    done = 0
    for match in _BREAK.finditer(text):
        end = match.end() - 1
        mark = PARAGRAPH_MARK
        if match["word"] is not None:
            mark = LINE_MARK
            line_length = end - (text.rfind(LINE_FEED, 0, end) + 1)
            is_wrapped = line_length + 1 + len(match["word"]) > longest
            if is_wrapped:
                continue
        parts += [text[done:end], mark]
        marks.append(end + len(marks))
        done = end
    return MarkedText("".join([*parts, text[done:]]), tuple(marks))
