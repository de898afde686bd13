"""Mark where a line of a text ends a heading or a paragraph, so that no name goes on beyond it.

A line that was wrapped ends because the next word did not fit. In any other line, something ends: a blank line follows,
or there was room for the next word in a line as long as the longest one of the text.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

LINE_FEED = "\n"
# The marks of a line end, and of a blank line. ICU ends a sentence at both.
LINE_MARK, PARAGRAPH_MARK = MARKS = "\u2028\u2029"
# A name may end with these. After other signs, no name goes on.
_LAST = ".'’)]"
_FIRST_WORD = re.compile(r"[\W\d_]*([^\W\d_]\S*)")


@dataclass(frozen=True)
class LineMarkedText:
    """A text with a mark before each line feed that ends a heading or paragraph, and the positions of the marks."""

    text: str
    marks: tuple[int, ...] = ()

    def original(self, position: int) -> int:
        """Convert a position in the marked text to the position in the original one."""
        return position - bisect_left(self.marks, position)


def mark_line_ends(text: str) -> LineMarkedText:
    """Mark the line ends of a text that end a heading or a paragraph."""
    if LINE_FEED not in text:
        return LineMarkedText(text)
    # Nothing goes on after the last line, so it needs no mark.
    content = text.rstrip()
    lines = content.split(LINE_FEED)
    bare_lines = [line.rstrip() for line in lines]
    longest = max(map(len, bare_lines))
    marked: list[str] = []
    marks: list[int] = []
    start = 0
    for line, bare, following in zip(lines, bare_lines, lines[1:], strict=False):
        mark = _mark_between(bare, following, longest)
        # The mark belongs to the word before it, so it stands before the white space at the end of the line.
        marked.append(bare + mark + line[len(bare) :])
        if mark:
            marks.append(start + len(bare) + len(marks))
        start += len(line) + 1
    marked.append(lines[-1])
    white_space_at_end = text[len(content) :]
    return LineMarkedText(LINE_FEED.join(marked) + white_space_at_end, tuple(marks))


def _mark_between(line: str, following: str, longest: int) -> str:
    """Choose the mark between two lines of a text whose longest line has so many letters. Empty if there is none."""
    last = line[-1:]
    if not last or not (last.isalnum() or last in _LAST):
        return ""
    if not following or following.isspace():
        return PARAGRAPH_MARK
    if following[0].islower():
        return ""
    word = _FIRST_WORD.match(following)
    # A name goes on only with a capital.
    if word is None or not word[1][0].isupper():
        return ""
    # A line ends early if there was room for the next word.
    has_room = len(line) + 1 + len(word[1]) <= longest
    return LINE_MARK if has_room else ""
