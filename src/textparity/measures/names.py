"""First names by gender, from the lists of Faker (https://faker.readthedocs.io, MIT licence)."""

from collections.abc import Iterable
from importlib import import_module

from textparity.measures.terms import Term, fix_form


def first_names(locales: Iterable[str]) -> list[Term]:
    """Return the first names of some of Faker's locales, such as `de_DE`, as terms of the layer `names`.

    They count with a capital. A name in the lists of both genders is unspecified; of several locales, the first that
    has a name decides.
    """
    genders: dict[str, str] = {}
    for locale in locales:
        feminine, masculine = ({fix_form(name) for name in names} for names in _lists_of(locale))
        for name in sorted(feminine | masculine):
            only = "feminine" if name not in masculine else "masculine"
            genders.setdefault(name, "unspecified" if name in feminine & masculine else only)
    return [Term(name, gender, "names", "capitalised") for name, gender in genders.items()]


def _lists_of(locale: str) -> list[Iterable[str]]:
    provider = import_module(f"faker.providers.person.{locale}").Provider
    return [provider.first_names_female, provider.first_names_male]
