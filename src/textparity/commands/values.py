"""Read the values of options and settings."""

import argparse
from collections.abc import Callable
from pathlib import Path

from textparity.auditing.settings import SHOWN, check_method
from textparity.counting.terms import LAYERS
from textparity.errors import ConfigError

_TABS = ("tab", "\\t")


def read_name(text: str) -> str:
    """Check the name of a file. An empty name usually comes from an unset variable."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; is a variable not set?")
    return text


def read_path(text: str) -> Path:
    """Convert a value to a path. An empty value is an error, because it would mean the working directory."""
    return Path(read_name(text))


def read_list(text: str) -> tuple[str, ...]:
    """Split a value at its commas."""
    values = [value.strip() for value in text.split(",")]
    return tuple(filter(None, values))


def read_languages(text: str) -> tuple[str, ...]:
    """Split languages at their commas. An empty one is kept, so that it is an error and not the default."""
    return tuple(text.split(","))


def read_layers(text: str) -> tuple[str, ...]:
    """Split the names of layers at their commas. `all` stands for all layers."""
    return LAYERS if text == "all" else read_list(text)


def read_method(text: str) -> str:
    """Check the name of a method. An empty string stands for the default."""
    try:
        return text and check_method(text)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def read_methods(text: str) -> str:
    """Check the names of one or more methods."""
    names = [read_method(name) for name in read_list(text)]
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"{text!r} names a method twice; remove one")
    return ",".join(names)


def read_shown(text: str) -> tuple[str, ...]:
    """Split the names of what is printed beside the table."""
    names = read_list(text)
    for name in names:
        if name not in SHOWN:
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(SHOWN)}")
    return names


def read_delimiter(text: str) -> str:
    """Check the character between cells of CSV."""
    character = "\t" if text in _TABS else text
    if len(character) != 1 or character in '"\r\n':
        raise argparse.ArgumentTypeError("must be one character, such as ';' or tab")
    return character


def number_from(smallest: int) -> Callable[[str], int]:
    """Make a function that reads a whole number of at least `smallest`."""

    def number(text: str) -> int:
        value = int(text)
        if value < smallest:
            raise argparse.ArgumentTypeError(f"must be at least {smallest}")
        return value

    return number
