"""Names and texts of others, for terminals and tables: no character of them is obeyed."""

from unicodedata import category

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """Return the text without characters that a terminal would obey."""
    return "".join("�" if _is_obeyed(one) else one for one in text)


def writable(name: str) -> str:
    r"""Return a name with such characters as Python writes them, `\udce9`, `\x1b`: different names stay different."""
    return "".join(ascii(one)[1:-1] if _is_obeyed(one) else one for one in name)


def _is_obeyed(one: str) -> bool:
    # Cc: controls. Cs: bytes of a file name that are no UTF-8. Of the format characters, those that turn the direction
    # of what follows.
    return category(one) in ("Cc", "Cs") or one in _TURNING
