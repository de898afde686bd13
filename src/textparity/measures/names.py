"""First names by gender, from the lists of Faker (https://faker.readthedocs.io, MIT licence)."""

from collections.abc import Iterable
from importlib import import_module

from textparity.errors import MissingResourceError
from textparity.measures.terms import Term, fix_form

# The lists name no gender where they have both; `first_names_nonbinary` repeats them.
_LISTS = {"feminine": "first_names_female", "masculine": "first_names_male"}


def first_names(locales: Iterable[str]) -> list[Term]:
    """Return the first names of some of Faker's locales, such as `de_DE`, as terms of the layer `names`.

    A name in lists of both genders, of one locale or of several, is unspecified. Where letters have cases, a name
    counts only with a capital. Raises `MissingResourceError` if Faker is not installed.
    """
    genders: dict[str, set[str]] = {}
    for locale in locales:
        for gender, names in _lists_of(locale).items():
            for name in names:
                genders.setdefault(fix_form(name), set()).add(gender)
    return [
        Term(
            name,
            next(iter(found)) if len(found) == 1 else "unspecified",
            "names",
            "capitalised" if name != name.upper() else "",
        )
        for name, found in genders.items()
        if any(map(str.isalpha, name))
    ]


def _lists_of(locale: str) -> dict[str, Iterable[str]]:
    try:
        provider = import_module(f"faker.providers.person.{locale}").Provider
    except ModuleNotFoundError as error:
        if error.name != "faker":
            raise
        raise MissingResourceError("first names need Faker: pip install 'textparity[names]'") from None
    return {gender: getattr(provider, name) for gender, name in _LISTS.items()}
