"""Languages of an audit: by the codes and names that people write, or found out for each text."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from textparity.corpora.content_language import Choice, LanguageChooser, has_script
from textparity.errors import ConfigError
from textparity.workflow.config import Tables, load_config
from textparity.workflow.registry import Registry
from textparity.workflow.registry_rows import Language

# A link in the repository, files in an installed package.
PACKAGE_FOLDER = Path(__file__).parents[1]


# A given language is doubted if less than this share of the first texts is identified as it.
TEXTS_DOUBTED, FEWEST_DOUBTED, LEAST_SHARE = 100, 10, 0.2
# lid.176 has no Ganda and no Zulu; Cantonese it calls Chinese.
_NOT_IDENTIFIED = ("lug", "zul")
_CANTONESE = "yue"


@cache
def load_registry() -> Registry:
    """Return the registry of the tables that come with the package, whatever the working directory has."""
    tables = Tables().model_dump()
    return Registry({name: str(PACKAGE_FOLDER / path) for name, path in tables.items()}, base=PACKAGE_FOLDER)


@cache
def _codes() -> dict[str, str]:
    rows = load_registry().languages.values()
    codes = {row.icu_locale: row.lang for row in rows if row.icu_locale != "root"}
    # ISO 639-1 has no scripts, and tl where ICU has fil.
    shorter = {locale.partition("-")[0]: lang for locale, lang in codes.items()} | {"tl": codes["fil"]}
    return shorter | codes | {row.lang: row.lang for row in rows}


@cache
def _names() -> dict[str, str]:
    """Return all that a language may be called, in lower case."""
    names = {row.name: row.lang for row in load_registry().languages.values()}
    return {name.lower(): lang for name, lang in (names | _codes()).items()}


def find_language(code: str) -> str | None:
    """Return the ISO 639-3 code of a language of the table by its code (639-3 or 639-1) or English name, or None."""
    return _names().get(code.lower())


def read_language(code: str) -> str:
    """Return the same as `find_language`; an unknown language is a `ConfigError` that names likely ones."""
    if lang := find_language(code.strip()):
        return lang
    rows = load_registry().languages.values()
    # Of en-US or eng_Latn the language; which script or country is meant, the table does not say.
    head = find_language(re.split("[-_]", code.strip())[0])
    known = [*(row.name.lower() for row in rows), *(row.lang for row in rows)]
    near = [head] if head else get_close_matches(code.lower(), known, 3)
    raise ConfigError(
        f"language {code.strip()!r} has no row in the table of languages; "
        + (f"did you mean {' or '.join(near)}? " if near else "")
        + "It has: "
        + ", ".join(row.lang for row in rows)
    )


def language_row(lang: str) -> Language:
    """Return the row of a language."""
    return load_registry().languages[lang]


@cache
def load_chooser() -> LanguageChooser:
    """Return what chooses the language of a text, among those of the table."""
    scripts = {row.lang: row.script for row in load_registry().languages.values()}
    return LanguageChooser(_codes(), scripts, PACKAGE_FOLDER / "resources" / "registry" / "content_languages.tsv")


def doubt_language(lang: str, texts: Sequence[str]) -> str:
    """Return why `texts`, the first of a file, are probably not in `lang`, or an empty string."""
    if lang in _NOT_IDENTIFIED:
        return ""
    found = Counter(_looks_like(lang, text) for text in texts[:TEXTS_DOUBTED] if text.strip())
    if found.total() < FEWEST_DOUBTED or found[lang] >= LEAST_SHARE * found.total():
        return ""
    other, number = found.most_common(1)[0]
    return (
        f"of the first {found.total()} texts, {found[lang]} look like {language_row(lang).name} ({lang}), {number} "
        f"like {other or 'no language'}; is the language right?"
    )


def _looks_like(lang: str, text: str) -> str:
    choice: Choice = load_chooser().choose("", text)
    if lang == _CANTONESE and choice.code == "zh" and has_script(text, language_row(lang).script):
        return lang
    return choice.lang or choice.code


def mirror_folder() -> str | None:
    """Return the folder that stands in for the network (TEXTPARITY_MIRROR), if one is set."""
    return load_config({}).mirror
