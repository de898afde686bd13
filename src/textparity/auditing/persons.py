"""The method `persons` in an audit: its tools on this machine, and what is known of how it errs."""

import csv
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from textparity import __version__
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
from textparity.auditing.settings import DEFAULT_LEXICON, AuditSettings
from textparity.errors import MissingResourceError
from textparity.measures.statistics import Bootstrap, Interval, random_generator
from textparity.measures.terms import GENDERS, LAYERS
from textparity.persons.calibration import Confusion, calibrated_ratio
from textparity.persons.mentions import WORDS, PUBLISHED_LEXICON, NOUNS, PERSONS
from textparity.workflow.registry_rows import FileReference

if TYPE_CHECKING:
    from textparity.persons.methods import Method

_FOLDER = PACKAGE_FOLDER / "resources/persons"
CONFUSION = _FOLDER / "confusion.csv"


class Calibrated(NamedTuple):
    """Masculine per feminine as it follows from how the method errs; `by` are the annotated texts that tell it."""

    value: float
    interval: Interval
    by: str


def given_pipelines(settings: AuditSettings) -> dict[str, str]:
    """Return the pipeline that is given for each language; without one (an empty string), for all."""
    pipelines: dict[str, str] = {}
    lang = ""
    for part in settings.pipeline.split(","):
        code, _, name = part.partition("=")
        if name and (found := find_language(code)):
            lang, pipelines[found] = found, name
        elif part:
            # Such signs in the name of a folder are its own.
            pipelines[lang] = f"{pipelines[lang]},{part}" if lang in pipelines else part
    return pipelines


def find_pipeline(settings: AuditSettings, lang: str) -> str:
    """Return the pipeline of a language, an empty string for none."""
    given = given_pipelines(settings)
    row = load_registry().person_pipelines.get(lang)
    return given.get(lang) or given.get("") or (row.pipeline if row else "")


def say_no_pipeline(settings: AuditSettings, lang: str) -> str:
    """Return why the method `persons` cannot count a language that was found out; nothing is loaded to find out."""
    from textparity.persons.methods import missing_pipeline

    pipeline = find_pipeline(settings, lang)
    reason = missing_pipeline(pipeline) if pipeline else ""
    if pipeline and not reason:
        return ""
    return f"no pipeline for {language_row(lang).name} ({lang})" + (f": {reason}" if reason else "")


class _Known(NamedTuple):
    """How a method errs in a language, by a pipeline (empty for none) and some annotated texts."""

    confusion: Confusion
    pipeline: str
    by: str


def load_finder(settings: AuditSettings, lang: str) -> "Method":
    """Return the method `persons` for a language that has a lexicon.

    Raises `MissingResourceError` for a language without a pipeline, or whose pipeline is not installed.
    """
    pipeline = find_pipeline(settings, lang)
    if not pipeline:
        have = ", ".join(load_registry().person_pipelines)
        raise MissingResourceError(
            f"{language_row(lang).name} ({lang}) has no pipeline for the method persons ({have} have one); use "
            "--layers all instead, or name a spaCy pipeline with --pipeline"
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
    """Return the list of a language's person nouns, made once from WordNet and the Open Multilingual Wordnet."""
    from textparity.persons.rules import read_rules
    from textparity.persons.wordnet import ARCHIVE, ENGLISH, OTHERS, SOURCE, list_person_nouns
    from textparity.workflow.availability import missing_file

    registry = load_registry()
    row = registry.person_pipelines.get(lang)
    wordnets = [registry.source_file(OTHERS, path) for path in (row.wordnets.split() if row else ())]
    # A mirror may lack some.
    wordnets = [file for file in wordnets if not missing_file(file, mirror_folder())]
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
    """Return what the comparison of methods calls what is counted, an empty string for what it has not tried."""
    if settings.method == PERSONS:
        return PERSONS if settings.lexicon == DEFAULT_LEXICON else ""
    if settings.lexicon_folder or settings.exclude_words or settings.include_words or settings.engine != "icu":
        return ""
    if settings.lexicon == DEFAULT_LEXICON:
        return {("nouns",): NOUNS, LAYERS: WORDS}.get(tuple(settings.layers), "")
    return PUBLISHED_LEXICON if (settings.lexicon, settings.procedure) == ("gender_gap_v1.0", "corrected") else ""


@cache
def _confusions() -> dict[tuple[str, str], _Known]:
    rows: dict[tuple[str, str], list[dict[str, str]]] = {}
    with open(CONFUSION, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rows.setdefault((row["lang"], row["method"]), []).append(row)
    found = {}
    for key, some in rows.items():
        confusion = Confusion.of({**row, "number": int(row["number"])} for row in some)
        names = {load_registry().person_gold[row["gold"], row["lang"]][0].name for row in some}
        kinds = sorted(set(confusion.genres))
        shown = ", ".join(kinds) if len(kinds) < 4 else f"{len(kinds)} kinds of text"
        by = f"{', '.join(sorted(names))} ({shown}, {len(confusion.units)} documents)"
        found[key] = _Known(confusion, some[0]["pipeline"], by)
    return found


def _known(settings: AuditSettings, lang: str) -> _Known | None:
    found = _confusions().get((lang, method_of(settings)))
    used = find_pipeline(settings, lang)
    if found is None or settings.method != PERSONS or used == found.pipeline:
        return found
    # The usual pipeline was measured in another build, which is said.
    usual = used == find_pipeline(replace(settings, pipeline=""), lang)
    return found._replace(by=f"{found.by}, with {found.pipeline}") if usual else None


def measured_on(settings: AuditSettings, lang: str) -> str:
    """Return recall and precision of what is counted by gender, and the texts that they were measured on, in words."""
    known = _known(settings, lang)
    if known is None:
        return ""
    total = known.confusion.counts.sum(axis=0)
    shares = (
        f"{gender} {total[number, number] / total[number].sum():.0%} (precision "
        f"{total[number, number] / total[:, number].sum():.0%})"
        for number, gender in enumerate(GENDERS)
    )
    return f"{', '.join(shares)}, on {known.by}"


def calibrate_ratio(settings: AuditSettings, lang: str, totals: np.ndarray | None) -> Calibrated | None:
    """Return the calibrated ratio of a language, None where no annotated text tells how the method errs.

    `totals` are words, feminine, masculine and unspecified: of all texts, then of each resample.
    """
    known = _known(settings, lang)
    # Of novels alone, nothing follows for another kind of text, nor well for other novels.
    if known is None or totals is None or len(totals) < 2 or len(set(known.confusion.genres)) < 2:
        return None
    confusion, by = known.confusion, known.by
    bootstrap = Bootstrap(settings.seed, settings.resamples, settings.confidence_level)
    generator = random_generator(settings.seed, "calibration", lang)
    value, interval = calibrated_ratio(confusion, totals[:, 1], totals[:, 2], bootstrap, generator)
    return Calibrated(value, interval, by)
