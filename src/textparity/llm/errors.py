"""What can go wrong between a prompt and its answer. No message ever contains a key."""

from textparity.errors import TextparityError


class LanguageModelError(TextparityError):
    """A language model gives no usable answer, or refuses the way it is asked."""


class ApiKeyError(LanguageModelError):
    """The environment variable with the key is missing, or the server does not accept what it holds."""


class BudgetExceededError(LanguageModelError):
    """The next request could cost more than the budget allows; everything answered so far is in the cache."""


class ResponseCacheError(TextparityError):
    """The file with the answers is damaged, locked, or not what it should be."""
