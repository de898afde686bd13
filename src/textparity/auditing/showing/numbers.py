"""Write numbers, intervals and names for readers."""

import math
from typing import TYPE_CHECKING

from textparity.files import printable

if TYPE_CHECKING:
    from textparity.estimating.estimates import Estimate

_LONGEST_NAME = 40


def show_number(value: float, digits: int, unit: str = "") -> str:
    """Format a number, or a dash if it is undefined."""
    if math.isinf(value):
        return "∞"
    if math.isnan(value):
        return "–"
    return f"{value:z.{digits}f}{unit}"


def show_interval(estimate: "Estimate", digits: int) -> str:
    """Format the interval of a number. Returns an empty string if it is undefined."""
    if math.isnan(estimate.low) or math.isnan(estimate.value):
        return ""
    low = f"{estimate.low:z.{digits}f}"
    if math.isinf(estimate.high):
        return f"{low} or more"
    high = f"{estimate.high:z.{digits}f}"
    return f"{low} to {high}" if estimate.low < 0 else f"{low}–{high}"


def show_estimate(estimate: "Estimate", digits: int) -> str:
    """Format a number with its interval."""
    value = show_number(estimate.value, digits)
    interval = show_interval(estimate, digits)
    return f"{value} ({interval})" if interval else value


def shorten_name(name: str) -> str:
    """Cut the beginning of a long name off, and escape what a terminal cannot show."""
    name = printable(name)
    if len(name) <= _LONGEST_NAME:
        return name
    return f"…{name[1 - _LONGEST_NAME :]}"


def begin_sentence(text: str) -> str:
    """Capitalize the first letter. `str.capitalize` would also make all other letters lower-case."""
    return text[:1].upper() + text[1:]
