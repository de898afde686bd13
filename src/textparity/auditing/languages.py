"""Find the languages of an audit, by code, by name or detected from each text, and the files that each one needs.

Lexicons and models are files on this machine, or they are downloaded once, verified, into the user's cache folder.
"""

import os
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_cache_path

from textparity.auditing.settings import AuditSettings
from textparity.corpora.content_language import Choice, LanguageChooser, has_script
from textparity.counting.tokenizers import TokenizerChoice
from textparity.errors import ConfigError, FetchError, InputError, MissingResourceError, TableError
from textparity.files import writable
from textparity.persons.mentions import PERSONS
from textparity.registry.rows import FileReference, Language
from textparity.registry.tables import TABLES, Registry
from textparity.sources.model_files import find_model_folder, prepare_model
from textparity.sources.pins import find_mirror
from textparity.tsv import read_tsv

# Its `resources` are a link in the repository and files in an installed package.
PACKAGE_FOLDER = Path(__file__).parents[1]
_ALIASES = PACKAGE_FOLDER / "resources" / "registry" / "language_aliases.tsv"


# A given language seems wrong if less than `LEAST_SHARE` of the first `TEXTS_DOUBTED` texts is identified as it.
TEXTS_DOUBTED, FEWEST_DOUBTED, LEAST_SHARE = 100, 10, 0.2
# The identifier lid.176 does not cover Ganda and Zulu, and it labels Cantonese as Chinese.
_NOT_IDENTIFIED = ("lug", "zul")
_CANTONESE, _MANDARIN = "yue", "cmn"
# In these regions, Chinese is written in traditional characters if the code names no script (CLDR, likely subtags).
_TRADITIONAL, _TRADITIONAL_REGIONS = "Hant", ("tw", "hk", "mo")
# Scripts that a code may name in place of the one in the table of languages.
_SAME_SCRIPTS = {"Kore": "Hang", "Aran": "Arab"}
# The reason for which a text is left out. The language follows.
OTHER_LANGUAGE = "language without a lexicon: "
# A longer value of a field is neither the code nor the name of a language.
_LONGEST_CODE = 40
# A few nouns in ten languages. They come with the package, so they can be counted without a network.
DEMO_FOLDER = PACKAGE_FOLDER / "resources" / "demo" / "lexicons"
# Names of the lexicons in a folder of the user's own.
FOLDER_NAMES = ("{lang}.json", "{lang}_nouns.json")


@cache
def load_registry() -> Registry:
    """Load the registry from the tables that come with the package. The working directory does not matter."""
    return Registry({name: str(PACKAGE_FOLDER / path) for name, path in TABLES.items()}, base=PACKAGE_FOLDER)


@cache
def _codes() -> dict[str, str]:
    rows = load_registry().languages.values()
    codes = {row.icu_locale: row.lang for row in rows if row.icu_locale != "root"}
    # ISO 639-1 has no scripts, and uses tl where ICU uses fil.
    shorter = {locale.partition("-")[0]: lang for locale, lang in codes.items()} | {"tl": codes["fil"]}
    return shorter | codes | {row.lang: row.lang for row in rows}


@cache
def _names() -> dict[str, str]:
    """Map each name of a language, in lower case, to its code."""
    names = {row.name: row.lang for row in load_registry().languages.values()}
    others = {code: row["lang"] for code, row in _aliases().items()}
    return {name.lower(): lang for name, lang in (others | names | _codes()).items()}


@cache
def _aliases() -> dict[str, dict[str, str]]:
    """Load the table of other codes: macrolanguages with the language that is counted, and older ISO 639-2 codes."""
    return {row["code"]: row for row in read_tsv(_ALIASES, ("code", "lang", "note"))}


def explain_alias(code: str) -> str:
    """Explain which language a code is read as. Empty if that is the language of the code's own name."""
    row = _aliases().get(code.strip().lower())
    return f"{row['code']} is counted as {language_row(row['lang']).name} ({row['lang']}): {row['note']}" if row else ""


def find_language(code: str) -> str | None:
    """Find the ISO 639-3 code of a language by code (639-3 or 639-1) or English name. None if the table lacks it."""
    return _names().get(code.lower())


def read_language(code: str) -> str:
    """Find a language as `find_language` does. Raises `ConfigError`, with suggestions, for an unknown one."""
    if lang := find_language(code.strip()):
        return lang
    rows = load_registry().languages.values()
    # In en-US or eng_Latn, the first part is the language. The table does not distinguish scripts and countries.
    head = find_language(re.split("[-_]", code.strip())[0])
    known = [*(row.name.lower() for row in rows), *(row.lang for row in rows)]
    near = [head] if head else get_close_matches(code.lower(), known, 3)
    raise ConfigError(
        f"language {code.strip()!r} has no row in the table of languages"
        + (f"; did you mean {' or '.join(near)}? It has " if near else ", which has ")
        + ", ".join(row.lang for row in rows)
    )


class GivenLanguage(NamedTuple):
    """The language that a record names, or the reason for which its text is left out."""

    lang: str
    reason: str = ""


def read_given(value: Any, field: str) -> GivenLanguage:
    """Read the language of a record from the `value` of its `field`."""
    if isinstance(value, list):
        return GivenLanguage("", f"a list in {field}, not one language")
    # NaN does not equal itself.
    if value is None or value != value or (isinstance(value, str) and not value.strip()):
        return GivenLanguage("", f"no language in {field}")
    if not isinstance(value, str) or len(value.strip()) > _LONGEST_CODE:
        return GivenLanguage("", f"no code of a language in {field}")
    return _read_code(" ".join(value.split()))


@lru_cache(maxsize=4096)
def _read_code(code: str) -> GivenLanguage:
    lang, script = _find_code(code.lower())
    if not lang:
        return GivenLanguage("", f"{OTHER_LANGUAGE}{writable(code)}")
    if script and script != language_row(lang).script:
        return GivenLanguage("", another_script(lang))
    return GivenLanguage(lang)


def _find_code(code: str) -> tuple[str | None, str]:
    """Find the language, and the script if there is one, of a code such as `zh-Hant-TW`, `pt_BR` or `eng_Latn`."""
    if lang := find_language(code):
        return lang, ""
    # Drop what follows the language in a locale, such as the encoding, and the extensions of BCP 47.
    parts = re.split("[-_]", re.split("[.@]", code)[0])
    first, *others = [parts[0], *takewhile(lambda part: len(part) > 1, parts[1:])]
    extended = others[0] if others and re.fullmatch("[a-z]{3}", others[0]) else ""
    # A longer first part belongs to a name, and names are looked up as a whole.
    lang = find_language(extended or first) if len(first) <= 3 else None
    script = next((part.title() for part in others if re.fullmatch("[a-z]{4}", part)), "")
    if not script and lang == _MANDARIN and not {*others}.isdisjoint(_TRADITIONAL_REGIONS):
        script = _TRADITIONAL
    return lang, _SAME_SCRIPTS.get(script, script)


def another_script(lang: str) -> str:
    """Describe a text that is left out because it is not in the script of its language."""
    return f"{lang} in another script"


def language_row(lang: str) -> Language:
    """Look up the row of a language."""
    return load_registry().languages[lang]


@cache
def load_chooser() -> LanguageChooser:
    """Load the tool that chooses the language of a text among those of the table."""
    scripts = {row.lang: row.script for row in load_registry().languages.values()}
    return LanguageChooser(_codes(), scripts, PACKAGE_FOLDER / "resources" / "registry" / "content_languages.tsv")


def doubt_language(lang: str, texts: Sequence[str]) -> str:
    """Explain why `texts`, the first of a file, are probably not in `lang`. Empty if they seem to be."""
    if lang in _NOT_IDENTIFIED:
        return ""
    first = [text for text in texts[:TEXTS_DOUBTED] if text.strip()]
    choices = load_chooser().choose_by_text(first)
    found = Counter(_looks_like(lang, *of_text) for of_text in zip(first, choices, strict=True))
    if found.total() < FEWEST_DOUBTED or found[lang] >= LEAST_SHARE * found.total():
        return ""
    other, number = found.most_common(1)[0]
    return (
        f"of the first {found.total()} texts, {found[lang]} look like {language_row(lang).name} ({lang}), {number} "
        f"like {other or 'no language'}; is the language right?"
    )


def _looks_like(lang: str, text: str, choice: Choice) -> str:
    if lang == _CANTONESE and choice.code == "zh" and has_script(text, language_row(lang).script):
        return lang
    return choice.lang or choice.code


def mirror_folder() -> str | None:
    """Look up the folder that replaces the network (TEXTPARITY_MIRROR). Returns None if it is not set."""
    return find_mirror()


def cache_folder() -> Path:
    """Find the folder in which downloads are kept between audits."""
    return user_cache_path("textparity")


class LexiconFiles(NamedTuple):
    """The files that make up a language's lexicon, at least one of them."""

    lexicon: Path | None
    revision: Path | None


def revised_lexicon(settings: AuditSettings) -> str:
    """Name the lexicon that the chosen lexicon revises. Returns an empty string if it revises none."""
    return load_registry().lexicons[settings.lexicon].revises if settings.lexicon else ""


def find_lexicon(settings: AuditSettings, lang: str) -> LexiconFiles | None:
    """Find the lexicon of a language, and download it if necessary. Returns None if the language has no lexicon.

    Raises `FetchError` if the download fails.
    """
    revised = revised_lexicon(settings)
    if settings.lexicon_folder is not None:
        paths = [settings.lexicon_folder / name.format(lang=lang) for name in FOLDER_NAMES]
        found = next((path for path in paths if path.is_file()), None)
        return LexiconFiles(found, None) if found else None
    revision = load_registry().revision_file(settings.lexicon, lang) if revised else ""
    files = LexiconFiles(_lexicon_of(settings, revised or settings.lexicon, lang), Path(revision) if revision else None)
    return files if any(files) else None


def _lexicon_of(settings: AuditSettings, lexicon: str, lang: str) -> Path | None:
    try:
        file = load_registry().lexicon_file(lexicon, lang)
    except TableError:
        return None
    if not file.url:
        return Path(file.path) if Path(file.path).is_file() else None
    try:
        # A person is waiting, and the error suggests what to do without a network, so there is only one attempt.
        return fetch_cached(file, patient=False)
    except FetchError as error:
        has_demo = (DEMO_FOLDER / f"{lang}.json").is_file()
        mend = (
            f"--lexicon-folder {DEMO_FOLDER}, which has a few nouns" if has_demo else "a --lexicon-folder of your own"
        )
        if settings.engine == "paper":
            mend += ", and --engine icu"
        # The method `persons` needs further downloads, so another lexicon would not be enough.
        without = (
            "fetch it and WordNet once where there is a network, by an audit like this one, and take the cache folder "
            f"along ({cache_folder()})"
            if settings.method == PERSONS
            else f"without it, add {mend}"
        )
        raise FetchError(f"the {language_row(lang).name} lexicon is a download; {without} ({error})") from None


def check_lexicon_folder(folder: Path) -> None:
    """Raise `InputError` unless the folder contains a lexicon."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; put one lexicon a language into it, such as eng.json")
    if not any(folder.glob("*.json")):
        raise InputError(f"{folder}: has no lexicon; name the files by ISO 639-3 code, such as eng.json")


def fetch_cached(file: FileReference, members: dict[str, str] | None = None, patient: bool = True) -> Path:
    """Find a file of a source in the user's cache, or download and verify it first.

    `members` are the hashes of the files in an archive, used instead of the hash of the archive. Unless `patient`, each
    host is asked only once.
    """
    kept = cache_folder() / Path(file.path).relative_to("results")
    if kept.is_file() and (members or sha256(kept.read_bytes()).hexdigest() == file.sha256):
        return kept
    # Imported here because its imports take a tenth of an audit's start-up time.
    from textparity.sources.fetch import ATTEMPTS, fetch_file

    attempts = ATTEMPTS if patient else 1
    kept.parent.mkdir(parents=True, exist_ok=True)
    # A folder of its own, because other processes may download the same file now.
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        fetched = Path(folder) / kept.name
        fetch_file(file.url, fetched, sha256=file.sha256, members=members, mirror=mirror_folder(), attempts=attempts)
        os.replace(fetched, kept)
    return kept


def find_tokenizer(engine: str, lang: str) -> tuple[TokenizerChoice, Path | None]:
    """Choose the tokenizer of a language, and find the record of its model if it needs one.

    Raises `MissingResourceError` if a tool is not installed, or a model may not be downloaded.
    """
    row = language_row(lang)
    choice = load_registry().tokenizer(lang, engine)
    if not choice.model_record:
        return choice, None
    folder = find_model_folder(choice.kind)
    record = cache_folder() / "models" / choice.model_record
    try:
        prepare_model(record, choice.kind, choice.code, folder, offline=mirror_folder() is not None)
    except MissingResourceError as error:
        raise MissingResourceError(f"{row.name} ({lang}) by the paper engine: {error}; or use --engine icu") from None
    return choice, record
