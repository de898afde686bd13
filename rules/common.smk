"""Config, registry and helpers; no rules. All names in capitals are used by the other rule files."""

import re
from pathlib import Path

from textparity.availability import (
    find_gaps,
    lexicon_units,
    missing_file,
    representation_gaps,
    tokenizer_of,
)
from textparity.config import load_config
from textparity.errors import MissingResourceError
from textparity.procedures import PROCEDURES
from textparity.provenance import code_digest
from textparity.registry import LOCK, Registry
from textparity.tokenizers import tokenizer_module

CONFIG = load_config(config)
REGISTRY = Registry(CONFIG.tables.model_dump(), base=Path(workflow.basedir))
LEXICON = CONFIG.lexicon

GAPS = find_gaps(REGISTRY, CONFIG)
REPRESENTATION_GAPS = representation_gaps(REGISTRY, CONFIG)
UNITS = [
    unit
    for unit in lexicon_units(REGISTRY, CONFIG)
    if not (CONFIG.keep_going and unit in GAPS)
]
MAIN_ENGINE = LEXICON.engines[0]
STUDIES = ["lexicon", "representation"]
# In the working directory, to be kept under version control.
LOCK_FILE = "sources.lock.tsv"
SAMPLED_CORPORA = [name for name, corpus in REGISTRY.corpora.items() if corpus.sample]
SAMPLE_SETS = sorted({corpus.sample_set for corpus in REGISTRY.corpora.values()} - {""})
# What each study ends in; filled by its rule file.
STUDY_TARGETS = {}


def one_of(names):
    """Return a pattern for one of `names`, and for nothing where there are none."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    corpus="|".join(map(re.escape, REGISTRY.corpora)),
    lang="|".join(map(re.escape, REGISTRY.languages)),
    engine="published|icu",
    procedure="|".join(PROCEDURES),
    source="|".join(map(re.escape, REGISTRY.sources)),
    study="|".join(STUDIES),
    gold="|".join(map(re.escape, REGISTRY.gold)),
    sample_set=one_of(SAMPLE_SETS),


def resource(path):
    """Return a tracked file of the repository, found from the working directory or the Snakefile's folder."""
    return REGISTRY.locate(path)


def langs_of(corpus, engine):
    """Return the languages of `corpus` that `engine` can count in this run."""
    return [lang for name, lang, other in UNITS if (name, other) == (corpus, engine)]


def corpora_with(engine):
    """Return the corpora that have at least one language to count with `engine`."""
    return [corpus for corpus in LEXICON.corpora if langs_of(corpus, engine)]


def model_record(tokenizer):
    """Return the model record that a tokenizer needs, as a list of no or one path."""
    if tokenizer.kind == "stanza":
        return [f"results/models/stanza/{tokenizer.code}.json"]
    return ["results/models/nltk/punkt_tab.json"] if tokenizer.kind == "nltk" else []


MAIN_CORPORA = corpora_with(MAIN_ENGINE)
CORPUS_NAMES = {name: corpus.name for name, corpus in REGISTRY.corpora.items()}
REPRESENTATION_ON = "representation" in CONFIG.studies
REPRESENTATION_CORPORA = [
    corpus
    for corpus in CONFIG.representation.corpora
    if REPRESENTATION_ON
    and not (CONFIG.keep_going and (corpus, "eng") in REPRESENTATION_GAPS)
]
REPRESENTATION_GOLD = [
    gold
    for gold in CONFIG.representation.gold
    if REPRESENTATION_ON
    and not (
        CONFIG.keep_going and (gold, REGISTRY.gold[gold].lang) in REPRESENTATION_GAPS
    )
]
# What each study leaves out: corpus, language, engine, reason.
NOT_RUN = {
    "lexicon": [[*unit, reason] for unit, reason in GAPS.items()],
    "representation": [
        [*pair, "", reason] for pair, reason in REPRESENTATION_GAPS.items()
    ],
}
LEXICON_LANGS = sorted({lang for _, lang, _ in UNITS})


def pinned_hash(wildcards):
    """Return the sha256 of a source's file, or nothing where its members or the lock file pin it."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return "".join(
        file.sha256 for file in files if not file.member and file.sha256 != LOCK
    )


def lock_file(wildcards):
    """Return the lock file for a source's file without a known sha256, or nothing."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return LOCK_FILE if any(file.sha256 == LOCK for file in files) else ""


def pinned_members(wildcards):
    """Return the sha256 of each member of a source's archive."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return {file.member: file.sha256 for file in files if file.member}


def corpus_source(wildcards):
    """Return the file of a corpus in a language; say how to get one that is not public, as Snakemake cannot."""
    file = REGISTRY.corpus_file(wildcards.corpus, wildcards.lang)
    if file.access and (reason := missing_file(file, CONFIG.mirror)):
        raise MissingResourceError(reason)
    return file.path


def document_ids_path(wildcards):
    """Return the file of a corpus' document ids, as a list of no or one path."""
    file = REGISTRY.document_ids_file(wildcards.corpus)
    return [file.path] if file else []


def divergence_lists():
    """Return one list per language that has a text and the pivot's beside it."""
    pivots = {corpus: REGISTRY.corpora[corpus].parallel_to for corpus in MAIN_CORPORA}
    return [
        f"results/lexicon/divergence/{corpus}/{lang}.csv"
        for corpus, pivot in pivots.items()
        if pivot in langs_of(corpus, MAIN_ENGINE)
        for lang in langs_of(corpus, MAIN_ENGINE)
        if lang != pivot
    ]
