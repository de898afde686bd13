"""Errors meant for the person who runs the workflow: each names the file, row or key, and the mend.

No message ever contains the key of a language model's server.
"""

from pathlib import Path

# A checkout has a target of make for each extra, with exact versions; an installed package has pip alone.
_REPOSITORY = Path(__file__).parents[2]


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra: make's in a checkout, pip's for an installed package."""
    is_checkout = all((_REPOSITORY / name).is_file() for name in ("Makefile", "pyproject.toml"))
    return f"make {extra}" if is_checkout else f"pip install 'textparity[{extra}]'"


class TextparityError(Exception):
    """Base of all errors whose message is enough to act on; shown without a traceback."""


class ConfigError(TextparityError):
    """The configuration has an unknown key, a wrong type, or names something that is not there."""


class TableError(TextparityError):
    """A registry table under `resources/` is malformed or contradicts another one."""


class InputError(TextparityError):
    """A text, archive or lexicon cannot be read as what it should be."""


class FetchError(TextparityError):
    """A file cannot be fetched, or is not the file it should be."""


class MissingResourceError(TextparityError):
    """Something the run needs is not on this machine and may not be fetched: a model, a member of an archive."""


class BalanceError(TextparityError):
    """No choice of articles to leave out brings the corpus into the range of ratios that the configuration asks for."""


class LanguageModelError(TextparityError):
    """A language model gives no usable answer, or refuses the way it is asked."""


class ApiKeyError(LanguageModelError):
    """The environment variable with the key is missing, or the server does not accept what it holds."""


class BudgetExceededError(LanguageModelError):
    """The next request could cost more than the budget allows; everything answered so far is in the cache."""


class ResponseCacheError(TextparityError):
    """The file with the answers is damaged, locked, or not what it should be."""
