"""Find the languages of an audit, by code, by name or detected from each text, and the files and tools of each one.

Lexicons and models are files on this machine, or they are downloaded once, verified, into the user's cache folder.
"""

import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_cache_path

from textparity import __version__
from textparity.corpora.content_language import LanguageChooser, has_script
from textparity.counting import OWN_LEXICON
from textparity.counting.tokenizers import TokenizerChoice
from textparity.errors import ConfigError, FetchError, InputError, MissingResourceError, TableError
from textparity.files import read_tsv, writable
from textparity.persons.mentions import MENTIONS, PERSONS, SPEAKERS, WORDS, Method
from textparity.reading.documents import GivenLanguage
from textparity.registry import TABLES, FileReference, Language, Registry
from textparity.sources.model_files import Mirror, find_mirror, find_model_folder, prepare_model

# Its `resources` are a link in the repository and files in an installed package.
PACKAGE_FOLDER = Path(__file__).parents[1]
_ALIASES = PACKAGE_FOLDER / "resources" / "registry" / "language_aliases.tsv"

# A given language seems wrong if less than `LEAST_SHARE` of the first `FIRST_TEXTS` texts is identified as it.
FIRST_TEXTS, FEWEST_TEXTS, LEAST_SHARE = 100, 10, 0.2
# The identifier lid.176 does not cover Ganda and Zulu.
_NOT_IDENTIFIED = ("lug", "zul")
# In these regions, Chinese is written in traditional characters if the code names no script (CLDR, likely subtags).
_TRADITIONAL, _TRADITIONAL_REGIONS = "Hant", {"tw", "hk", "mo"}
# Scripts that a code may name in place of the one in the table of languages.
_SAME_SCRIPTS = {"Kore": "Hang", "Aran": "Arab"}
# The reason for which a text is left out. The language follows.
OTHER_LANGUAGE = "language without a lexicon: "
# A longer value of a field is neither the code nor the name of a language.
_LONGEST_CODE = 40


@cache
def load_registry() -> Registry:
    """Load the registry from the tables that come with the package. The working directory does not matter."""
    return Registry({name: str(PACKAGE_FOLDER / path) for name, path in TABLES.items()}, base=PACKAGE_FOLDER)


@cache
def _codes() -> dict[str, str]:
    rows = load_registry().languages.values()
    own_codes = {row.lang: row.lang for row in rows}
    locales = {row.icu_locale: row.lang for row in rows if row.icu_locale != "root"}
    # ISO 639-1 has no scripts, and uses tl where ICU uses fil.
    short_codes = {}
    for locale, lang in locales.items():
        code, _, _ = locale.partition("-")
        short_codes[code] = lang
    short_codes["tl"] = locales["fil"]
    return short_codes | locales | own_codes


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
    if row is None:
        return ""
    lang = row["lang"]
    return f"{row['code']} is counted as {language_row(lang).name} ({lang}): {row['note']}"


def find_language(code: str) -> str | None:
    """Find the ISO 639-3 code of a language by code (639-3 or 639-1) or English name. None if the table lacks it."""
    return _names().get(code.lower())


def read_language(code: str, folder: Path | None = None) -> str:
    """Find a language as `find_language` does. Raises `ConfigError`, with suggestions, for an unknown one.

    A language that is not in the table is known if the `folder` of lexicons has a file for its ISO 639-3 code.
    """
    code = code.strip()
    lang = find_language(code) or _own_language(code, folder)
    if lang:
        return lang
    near = _suggest_languages(code)
    hint = f"; did you mean {' or '.join(near)}? It has " if near else ", which has "
    known = ", ".join(row.lang for row in load_registry().languages.values())
    own = "; for another, add --lexicon-folder with its list, named by its ISO 639-3 code"
    raise ConfigError(f"language {code!r} is not in the table of languages{hint}{known}{own}")


def _suggest_languages(code: str) -> list[str]:
    """List the codes and names of languages that are similar to an unknown one."""
    # In en-US or eng_Latn, the first part is the language. The table does not distinguish scripts and countries.
    first, *_ = re.split("[-_]", code)
    lang = find_language(first)
    if lang:
        return [lang]
    rows = load_registry().languages.values()
    names = [row.name.lower() for row in rows]
    return get_close_matches(code.lower(), names + [row.lang for row in rows], 3)


def _own_language(code: str, folder: Path | None) -> str:
    code = code.lower()
    is_known = folder and re.fullmatch("[a-z]{3}", code) and find_in_folder(folder, code)
    return code if is_known else ""


def find_in_folder(folder: Path, lang: str) -> Path | None:
    """Find the lexicon of a language in a folder of the user's own."""
    for path in (folder / f"{lang}.json", folder / f"{lang}_nouns.json"):
        if path.is_file():
            return path
    return None


def read_given(value: Any, field: str, folder: Path | None = None) -> GivenLanguage:
    """Read the language of a record from the `value` of its `field`. `folder` is as for `read_language`."""
    if isinstance(value, list):
        return GivenLanguage("", f"a list in {field}, not one language")
    # NaN does not equal itself.
    if value is None or value != value:
        return GivenLanguage("", f"no language in {field}")
    if not isinstance(value, str):
        return GivenLanguage("", f"no language code in {field}")
    code = value.strip()
    if not code:
        return GivenLanguage("", f"no language in {field}")
    if len(code) > _LONGEST_CODE:
        return GivenLanguage("", f"no language code in {field}")
    given = _read_code(" ".join(code.split()))
    if given.reason.startswith(OTHER_LANGUAGE):
        first, *_ = re.split("[-_]", code)
        own = _own_language(first, folder)
        if own:
            return GivenLanguage(own)
    return given


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
    lang = find_language(code)
    if lang:
        return lang, ""
    # Drop what follows the language in a locale, such as the encoding, and the extensions of BCP 47.
    locale, *_ = re.split("[.@]", code)
    first, *subtags = re.split("[-_]", locale)
    others = list(takewhile(lambda subtag: len(subtag) > 1, subtags))
    has_extended = bool(others) and re.fullmatch("[a-z]{3}", others[0])
    # A longer first part belongs to a name, and names are looked up as a whole.
    if len(first) <= 3:
        lang = find_language(others[0] if has_extended else first)
    return lang, _find_script(lang, others)


def _find_script(lang: str | None, subtags: Sequence[str]) -> str:
    """Find the script that the subtags of a language name. Empty if there is none."""
    for subtag in subtags:
        if re.fullmatch("[a-z]{4}", subtag):
            script = subtag.title()
            return _SAME_SCRIPTS.get(script, script)
    is_traditional = lang == "cmn" and not _TRADITIONAL_REGIONS.isdisjoint(subtags)
    return _TRADITIONAL if is_traditional else ""


def another_script(lang: str) -> str:
    """Describe a text that is left out because it is not in the script of its language."""
    return f"{lang} in another script"


def language_row(lang: str) -> Language:
    """Look up the row of a language."""
    return load_registry().language(lang)


@cache
def load_chooser() -> LanguageChooser:
    """Load the tool that chooses the language of a text among those of the table."""
    scripts = {row.lang: row.script for row in load_registry().languages.values()}
    return LanguageChooser(_codes(), scripts, PACKAGE_FOLDER / "resources" / "registry" / "content_languages.tsv")


def warn_about_language(lang: str, texts: Sequence[str]) -> str:
    """Warn if `texts`, the first of a file, are probably not in `lang`. Returns an empty string if they seem to be."""
    (warning,) = warn_about_languages(lang, [texts])
    return warning


def warn_about_languages(lang: str, files: Iterable[Sequence[str]]) -> list[str]:
    """Do the same for several files at once, which takes less time."""
    firsts = [_first_texts(texts) for texts in files]
    if lang in _NOT_IDENTIFIED or lang not in load_registry().languages:
        return [""] * len(firsts)
    choices = iter(load_chooser().choose_by_text(list(chain.from_iterable(firsts))))
    script = language_row(lang).script
    warnings = []
    for first in firsts:
        identified = Counter[str]()
        for text in first:
            choice = next(choices)
            # The identifier labels Cantonese as Chinese.
            is_cantonese = lang == "yue" and choice.code == "zh" and has_script(text, script)
            identified[lang if is_cantonese else choice.lang or choice.code] += 1
        warnings.append(_doubt(lang, identified))
    return warnings


def _first_texts(texts: Sequence[str]) -> list[str]:
    """Select the first texts of a file that are not blank. None if they are too few to identify a language."""
    first = [text for text in texts[:FIRST_TEXTS] if text.strip()]
    return first if len(first) >= FEWEST_TEXTS else []


def _doubt(lang: str, identified: Counter[str]) -> str:
    if identified[lang] >= LEAST_SHARE * identified.total():
        return ""
    other, number = identified.most_common(1)[0]
    return (
        f"of the first {identified.total()} texts, {identified[lang]} look like {language_row(lang).name} ({lang}), "
        f"{number} like {other or 'no language'}; is the language right?"
    )


def cache_folder() -> Path:
    """Find the folder in which downloads are kept between audits."""
    return user_cache_path("textparity")


class LexiconFiles(NamedTuple):
    """The files that make up a language's lexicon, at least one of them: a list of nouns, and a table with layers.

    The table is a lexicon of lemmas of its own, or a revision of the list (`textparity.counting.lexicon`).
    """

    nouns: Path | None
    table: Path | None


def find_lexicon(lexicon: str, lang: str, folder: Path | None = None) -> LexiconFiles | None:
    """Find a language's file of a lexicon, or download the paper's. None if it has none. Raises `FetchError`.

    `folder` is the user's own, used instead of the lexicon.
    """
    if folder is not None:
        own = find_in_folder(folder, lang)
        return LexiconFiles(own, None) if own else None
    if lexicon != OWN_LEXICON:
        published = _published_lexicon(lexicon, lang)
        return LexiconFiles(published, None) if published else None
    table = load_registry().table_file(lexicon, lang)
    return LexiconFiles(None, Path(table)) if table else None


def _published_lexicon(lexicon: str, lang: str) -> Path | None:
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
        raise FetchError(
            f"the published {language_row(lang).name} lexicon is a download, which only the method published needs; "
            f"run it once where there is a network, and copy the cache folder ({cache_folder()}) ({error})"
        ) from None


def check_lexicon_folder(folder: Path) -> None:
    """Raise `InputError` unless the folder contains a lexicon."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is not a folder; put one lexicon per language into it, such as eng.json")
    if not any(folder.glob("*.json")):
        raise InputError(f"{folder}: has no lexicon; name the files by ISO 639-3 code, such as eng.json")


def fetch_cached(file: FileReference, members: dict[str, str] | None = None, patient: bool = True) -> Path:
    """Find a file of a source in the user's cache, or download and verify it first.

    `members` are the hashes of the files in an archive, used instead of the hash of the archive. Unless `patient`, each
    host is asked only once.
    """
    kept = cache_folder() / Path(file.path).relative_to("results")
    is_kept = kept.is_file()
    if is_kept and not members:
        is_kept = sha256(kept.read_bytes()).hexdigest() == file.sha256
    if is_kept:
        return kept
    # Imported here because its imports take a tenth of an audit's start-up time.
    from textparity.sources.fetch import ATTEMPTS, fetch_file

    attempts = ATTEMPTS if patient else 1
    kept.parent.mkdir(parents=True, exist_ok=True)
    # A folder of its own, because other processes may download the same file now.
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        fetched = Path(folder) / kept.name
        fetch_file(file.url, fetched, sha256=file.sha256, members=members, mirror=find_mirror(), attempts=attempts)
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
        prepare_model(record, choice.kind, choice.code, folder, offline=find_mirror() is not None)
    except MissingResourceError as error:
        raise MissingResourceError(f"{row.name} ({lang}) by the paper engine: {error}; or use the engine icu") from None
    return choice, record


_FOLDER = PACKAGE_FOLDER / "resources/persons"


def given_pipelines(pipeline: str) -> dict[str, str]:
    """Map each language to its pipeline in the setting `pipeline`.

    The key is an empty string for a pipeline that all languages use.
    """
    pipelines: dict[str, str] = {}
    lang = ""
    for part in pipeline.split(","):
        code, _, name = part.partition("=")
        named_language = find_language(code) if name else None
        if named_language:
            lang = named_language
            pipelines[lang] = name
        elif part:
            # Without a language before it, this part continues the name of a folder that contains a comma.
            pipelines[lang] = f"{pipelines[lang]},{part}" if lang in pipelines else part
    return pipelines


def find_pipeline(given: str, lang: str) -> str:
    """Choose the pipeline of a language: the one `given` as the setting, or its own. Empty if there is none."""
    pipelines = given_pipelines(given)
    own = pipelines.get(lang) or pipelines.get("")
    if own:
        return own
    row = load_registry().person_pipelines.get(lang)
    return row.pipeline if row else ""


def has_pipeline(given: str, lang: str) -> bool:
    """Check whether the method `persons` could run here for a language, without loading or downloading anything."""
    from textparity.persons.methods import missing_pipeline

    pipeline = find_pipeline(given, lang)
    row = load_registry().person_pipelines.get(lang)
    has_files = bool(row and row.files)
    return bool(pipeline) and not missing_pipeline(pipeline, has_files)


def why_no_pipeline(given: str, lang: str, count: str = MENTIONS) -> str:
    """Explain why the method `persons` cannot count a detected language, without loading anything.

    `count` is what it counts: only some languages have rules for quotes, and so for speakers.
    """
    from textparity.persons.methods import missing_pipeline

    if count == SPEAKERS and lang not in languages_with_quotes():
        return f"no rules for quotes in {language_row(lang).name} ({lang})"
    pipeline = find_pipeline(given, lang)
    reason = missing_pipeline(pipeline) if pipeline else ""
    if pipeline and not reason:
        return ""
    no_pipeline = f"no pipeline for {language_row(lang).name} ({lang})"
    return f"{no_pipeline}: {reason}" if reason else no_pipeline


def languages_with_quotes() -> list[str]:
    """List the languages that have rules for quotes."""
    return [lang for lang, row in load_registry().person_pipelines.items() if row.quote_files]


def load_finder(method: str, lang: str, given: str = "", count: str = MENTIONS) -> Method:
    """Load the method `persons` or `words` for a language that has a lexicon. `given` is as for `find_pipeline`.

    If it counts speakers, it finds only the mentions of those who are quoted. Raises `MissingResourceError` if the
    language has no pipeline or no rules for quotes, or its pipeline is not installed.
    """
    if count == SPEAKERS and lang not in languages_with_quotes():
        have = ", ".join(languages_with_quotes())
        raise MissingResourceError(
            f"{language_row(lang).name} ({lang}) has no rules for quotes ({have} have them); use --count people instead"
        )
    pipeline = find_pipeline(given, lang) if method == PERSONS else ""
    if method == PERSONS and not pipeline:
        have = ", ".join(load_registry().person_pipelines)
        raise MissingResourceError(
            f"{language_row(lang).name} ({lang}) has no pipeline for the method persons ({have} have one); use "
            "--method words instead, or name a spaCy pipeline in the setting pipeline"
        )
    files = find_lexicon(OWN_LEXICON, lang)
    if method == WORDS and not files:
        raise MissingResourceError(f"{lang} has no lexicon")
    return _load(files or LexiconFiles(None, None), lang, method, pipeline, count == SPEAKERS)


@lru_cache(maxsize=8)
def _load(files: LexiconFiles, lang: str, method: str, pipeline: str, only_speakers: bool) -> Method:
    from textparity.persons.methods import LanguageFiles, load_method, load_speaker_finder

    tokenizer, _ = find_tokenizer("icu", lang)
    row = load_registry().person_pipelines.get(lang) if method == PERSONS else None
    language_files = LanguageFiles(
        lang=lang,
        lexicon=str(files.nouns or ""),
        word_list=str(files.table or ""),
        first_names=language_row(lang).first_names,
        tokenizer=tokenizer,
        pronouns=str(_FOLDER / "pronouns.tsv"),
        words=str(_FOLDER / "words.tsv"),
        places=str(_FOLDER / "places.tsv"),
        person_nouns=str(_person_nouns(lang)) if method == PERSONS else "",
        pipeline=pipeline,
        lists=_find_lists(row.files) if row else {},
        quote_lists=_find_lists(row.quote_files) if row and only_speakers else {},
    )
    return load_speaker_finder(language_files) if only_speakers else load_method(method, language_files)


def _find_lists(places: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Find the files of lists that a pipeline needs, by name, or download them."""
    lists = {}
    for name, source_and_path in places.items():
        file = load_registry().source_file(*source_and_path)
        lists[name] = str(fetch_cached(file) if file.url else file.path)
    return lists


def _person_nouns(lang: str) -> Path:
    """Find a language's list of person nouns. It is made once from WordNet and the Open Multilingual Wordnet."""
    from textparity.persons.person_nouns import ARCHIVE, OTHERS, SOURCE, list_nouns

    registry = load_registry()
    row = registry.person_pipelines.get(lang)
    names = row.wordnets.split() if row else []
    wordnets = [registry.source_file(OTHERS, name) for name in names]
    mirror = find_mirror()
    if mirror:
        # The mirror may lack some wordnets.
        wordnets = [file for file in wordnets if file.url in Mirror(mirror)]
    members = {file.member: file.sha256 for file in registry.source_files[SOURCE, ARCHIVE]}
    pronouns = _FOLDER / "pronouns.tsv"
    words = _FOLDER / "words.tsv"
    hashes = [*members.values(), *(file.sha256 for file in wordnets)]
    made_of = "".join([__version__, *hashes]).encode() + words.read_bytes()
    digest = sha256(made_of).hexdigest()[:12]
    made = cache_folder() / "persons" / "nouns" / f"{lang}.{digest}.txt"
    if not made.is_file():
        archive = FileReference(path=f"results/sources/{SOURCE}/{ARCHIVE}", url=registry.url(SOURCE, ARCHIVE))
        wordnet_files = list(map(fetch_cached, wordnets))
        list_nouns(fetch_cached(archive, members), wordnet_files, pronouns, words, made, lang)
    return made
