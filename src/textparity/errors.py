"""Errors meant for the person who runs the workflow. Each names the file, row or key, and the fix.

No message ever contains the key of a language model's server.
"""

from pathlib import Path

# A checkout has a make target for each extra, with exact versions. An installed package can only use pip.
_REPOSITORY = Path(__file__).parents[2]


def how_to_install(extra: str) -> str:
    """Describe the command that installs an extra: make's in a checkout, pip's for an installed package."""
    is_checkout = all((_REPOSITORY / name).is_file() for name in ("Makefile", "pyproject.toml"))
    return f"make {extra}" if is_checkout else f"pip install 'textparity[{extra}]'"


class TextparityError(Exception):
    """Base of all errors whose message is enough to act on. They are shown without a traceback."""


class ConfigError(TextparityError):
    """The configuration has an unknown key or a wrong type, or names something that does not exist."""


class TableError(TextparityError):
    """A registry table under `resources/` is malformed or contradicts another one."""


class InputError(TextparityError):
    """A text, archive or lexicon cannot be read in the expected format."""


class NothingCountedError(InputError):
    """A corpus has no text, or none in a language with a lexicon, so there is nothing to compare."""


class FetchError(TextparityError):
    """A file cannot be downloaded, or differs from the expected one."""


class MissingResourceError(TextparityError):
    """A model or a member of an archive is not on this machine and may not be downloaded, but the run needs it."""


class LanguageModelError(TextparityError):
    """A language model gives no usable answer, or rejects the request."""


class ApiKeyError(LanguageModelError):
    """The environment variable with the key is missing, or the server does not accept the key."""


class BudgetExceededError(LanguageModelError):
    """The next request could cost more than the budget allows. All answers so far are in the cache."""


class ResponseCacheError(TextparityError):
    """The file of answers is damaged, locked, or in another format."""
