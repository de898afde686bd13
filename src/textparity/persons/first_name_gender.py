"""Guess the gender of first names with gender-guesser."""

from functools import cache, lru_cache
from typing import Any
from unicodedata import combining, normalize

from textparity.persons.actor_languages import GERMAN, Grammar

_ALL = {"male": "masculine", "female": "feminine"}
_MOSTLY = _ALL | {"mostly_male": "masculine", "mostly_female": "feminine"}


@lru_cache(maxsize=50_000)
def guess_gender(first_name: str, language: Grammar = GERMAN) -> str:
    """Guess the gender of a first name with gender-guesser: that of most people of this name in the language's first
    country, or of all in another one or anywhere. Empty if there is none.
    """
    detector = _detector()
    name = first_name.partition("-")[0]
    first, *others = language.countries
    guess = detector.get_gender(name, first)
    if guess in _MOSTLY:
        return _MOSTLY[guess]
    for country in others:
        guess = detector.get_gender(name, country)
        if guess in _ALL:
            return _ALL[guess]
    if not language.has_later_rules:
        return ""
    # gender-guesser lists many names only without accents.
    plain = "".join(sign for sign in normalize("NFD", name) if not combining(sign))
    return guess_gender(plain, language) if plain != name else ""


@cache
def _detector() -> Any:
    from gender_guesser.detector import Detector

    return Detector(case_sensitive=False)
