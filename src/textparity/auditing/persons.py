"""Find the tools of the method `persons` on this machine, and look up how reliable each method is in a language."""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from textparity import __version__
from textparity.auditing.grades import NO_GRADE, Grade, grade_language
from textparity.auditing.languages import (
    PACKAGE_FOLDER,
    LexiconFiles,
    cache_folder,
    fetch_cached,
    find_language,
    find_lexicon,
    find_tokenizer,
    language_row,
    load_registry,
    mirror_folder,
)
from textparity.auditing.settings import AuditSettings
from textparity.errors import MissingResourceError
from textparity.persons.mentions import PERSONS, PUBLISHED
from textparity.persons.method_error import MethodError, describe_accuracy, load_clusters, load_method_error
from textparity.registry.rows import FileReference
from textparity.sources.pins import Mirror

if TYPE_CHECKING:
    from textparity.persons.methods import Method

_FOLDER = PACKAGE_FOLDER / "resources/persons"


def given_pipelines(settings: AuditSettings) -> dict[str, str]:
    """Map each language to its given pipeline. The key is an empty string for a pipeline that all languages use."""
    pipelines: dict[str, str] = {}
    lang = ""
    for part in settings.pipeline.split(","):
        code, _, name = part.partition("=")
        if name and (found := find_language(code)):
            lang, pipelines[found] = found, name
        elif part:
            # Without a language before it, this part continues the name of a folder that contains a comma.
            pipelines[lang] = f"{pipelines[lang]},{part}" if lang in pipelines else part
    return pipelines


def find_pipeline(settings: AuditSettings, lang: str) -> str:
    """Choose the pipeline of a language. Returns an empty string if there is none."""
    given = given_pipelines(settings)
    row = load_registry().person_pipelines.get(lang)
    return given.get(lang) or given.get("") or (row.pipeline if row else "")


def has_pipeline(settings: AuditSettings, lang: str) -> bool:
    """Check whether the method `persons` could run here for a language, without loading or downloading anything."""
    from textparity.persons.methods import missing_pipeline

    pipeline, row = find_pipeline(settings, lang), load_registry().person_pipelines.get(lang)
    return bool(pipeline) and not missing_pipeline(pipeline, bool(row and row.files))


def why_no_pipeline(settings: AuditSettings, lang: str) -> str:
    """Explain why the method `persons` cannot count a detected language, without loading anything."""
    from textparity.persons.methods import missing_pipeline

    pipeline = find_pipeline(settings, lang)
    reason = missing_pipeline(pipeline) if pipeline else ""
    if pipeline and not reason:
        return ""
    return f"no pipeline for {language_row(lang).name} ({lang})" + (f": {reason}" if reason else "")


def load_finder(settings: AuditSettings, lang: str) -> "Method":
    """Load the method `persons` for a language that has a lexicon.

    Raises `MissingResourceError` if the language has no pipeline, or its pipeline is not installed.
    """
    pipeline = find_pipeline(settings, lang)
    if not pipeline:
        have = ", ".join(load_registry().person_pipelines)
        raise MissingResourceError(
            f"{language_row(lang).name} ({lang}) has no pipeline for the method persons ({have} have one); use "
            "--method words instead, or name a spaCy pipeline with --pipeline"
        )
    return _load(find_lexicon(settings, lang) or LexiconFiles(None, None), lang, pipeline)


@lru_cache(maxsize=8)
def _load(files: LexiconFiles, lang: str, pipeline: str) -> "Method":
    from textparity.persons.methods import LanguageFiles, load_method

    tokenizer, _ = find_tokenizer("icu", lang)
    return load_method(
        PERSONS,
        LanguageFiles(
            lang=lang,
            lexicon=str(files.lexicon or ""),
            revision=str(files.revision or ""),
            first_names=language_row(lang).first_names,
            tokenizer=tokenizer,
            pronouns=str(_FOLDER / "pronouns.tsv"),
            words=str(_FOLDER / "words.tsv"),
            person_nouns=str(_person_nouns(lang)),
            pipeline=pipeline,
            lists=_lists(lang),
        ),
    )


def _lists(lang: str) -> dict[str, str]:
    registry = load_registry()
    row = registry.person_pipelines.get(lang)
    files = {name: registry.source_file(*place) for name, place in row.files.items()} if row else {}
    return {name: str(fetch_cached(file) if file.url else file.path) for name, file in files.items()}


def _person_nouns(lang: str) -> Path:
    """Find a language's list of person nouns. It is made once from WordNet and the Open Multilingual Wordnet."""
    from textparity.persons.rules import read_rules
    from textparity.persons.wordnet import ARCHIVE, ENGLISH, OTHERS, SOURCE, list_person_nouns

    registry = load_registry()
    row = registry.person_pipelines.get(lang)
    wordnets = [registry.source_file(OTHERS, path) for path in (row.wordnets.split() if row else ())]
    if mirror := mirror_folder():
        # The mirror may lack some wordnets.
        wordnets = [file for file in wordnets if file.url in Mirror(mirror)]
    members = {file.member: file.sha256 for file in registry.source_files[SOURCE, ARCHIVE]}
    rows = (_FOLDER / "words.tsv").read_bytes()
    made_of = "".join([__version__, *members.values(), *(file.sha256 for file in wordnets)]).encode() + rows
    made = cache_folder() / "persons" / "nouns" / f"{lang}.{sha256(made_of).hexdigest()[:12]}.txt"
    if not made.is_file():
        archive = FileReference(
            path=f"results/sources/{SOURCE}/{ARCHIVE}",
            url=registry.url(SOURCE, ARCHIVE),
        )
        rules = read_rules(_FOLDER / "pronouns.tsv", _FOLDER / "words.tsv", lang)
        found = [fetch_cached(file) for file in wordnets]
        tabs = None if lang == ENGLISH else found
        list_person_nouns(fetch_cached(archive, members), made, tabs, rules.feminine_endings)
    return made


def method_of(settings: AuditSettings) -> str:
    """Name the method whose error was measured. Returns an empty string if no comparison covers what is counted."""
    if settings.is_own or settings.engine != "icu" or settings.method == PUBLISHED:
        return ""
    return settings.method


def grade_of(settings: AuditSettings, lang: str) -> Grade:
    """Grade how well the method sees persons in a language. The user's own words have no grade."""
    return grade_language(method, lang) if (method := method_of(settings)) else NO_GRADE


def error_of(settings: AuditSettings, lang: str) -> MethodError | None:
    """Look up the method's measured error in a language. Returns None for the user's own words or layers."""
    method = method_of(settings)
    return load_method_error(method, _measured_language(settings, lang)) if method else None


def measured_on(settings: AuditSettings, lang: str) -> str:
    """Describe the method's measured precision, and the texts on which it was measured."""
    return describe_accuracy(method_of(settings), _measured_language(settings, lang))


def _measured_language(settings: AuditSettings, lang: str) -> str:
    """Check the language. Returns an empty string if its annotated texts were read with another pipeline."""
    if settings.method != PERSONS:
        return lang
    measured = {one.pipeline for one in load_clusters() if (one.method, one.lang) == (PERSONS, lang)}
    # Another build of a pipeline has the same name with a suffix.
    return lang if any(name.startswith(find_pipeline(settings, lang)) for name in measured) else ""
