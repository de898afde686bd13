"""Ukrainian morphology: the one place that loads pymorphy3."""

from functools import cache
from typing import TYPE_CHECKING

from textparity.errors import MissingResourceError

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse


@cache
def load_analyser() -> "MorphAnalyzer":
    """Return pymorphy3 for Ukrainian; `MissingResourceError` where it or its dictionary is not installed."""
    try:
        import pymorphy3
        import pymorphy3_dicts_uk  # noqa: F401
    except ImportError as error:
        raise MissingResourceError(
            f"{error.name} is not installed; install the extra: pip install 'textparity[morphology]'"
        ) from None
    return pymorphy3.MorphAnalyzer(lang="uk")


@cache
def analyse(word: str) -> "list[Parse]":
    """Return what a word can be, the likeliest first."""
    return load_analyser().parse(word)
