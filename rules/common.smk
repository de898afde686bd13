"""Config, registry and helpers of more than one study; no rules. Names in capitals are used by the other rule files."""

import os
import re
import sys
from dataclasses import asdict
from pathlib import Path

from textparity.availability import missing_file, missing_model_access
from textparity.config import load_config
from textparity.errors import MissingResourceError
from textparity.llm.models import load_models
from textparity.made_files import check_clock
from textparity.newsroom.tools import GOLD_CORPUS
from textparity.procedures import PROCEDURES
from textparity.propagation.base_models import load_base_models
from textparity.propagation.variants import CONDITIONS, VARIANT
from textparity.provenance import code_digest
from textparity.registry import FileReference, Registry
from textparity.report.catalogue import list_figures

check_clock()
CONFIG = load_config(config)
REGISTRY = Registry(CONFIG.tables.model_dump(), base=Path(workflow.basedir))
LEXICON = CONFIG.lexicon
REPRESENTATION = CONFIG.representation
NEWSROOM = CONFIG.newsroom
SWAPPING = CONFIG.swapping
STEREOTYPES = CONFIG.stereotypes
PROPAGATION = CONFIG.propagation
LANGUAGE_MODELS = load_models(REGISTRY.paths["language_models"])
BASE_MODELS = load_base_models(REGISTRY.paths["base_models"])

STUDIES = [
    "lexicon",
    "representation",
    "newsroom",
    "swapping",
    "stereotypes",
    "propagation",
]
# Their names in the report.
STUDY_NAMES = {
    "lexicon": "Lexicon (Muller 2023)",
    "representation": "Representation (Derner 2025)",
    "newsroom": "Newsroom (Urchs 2025)",
    "swapping": "Swapping (Nahurna 2025)",
    "stereotypes": "Stereotypes (Soundararajan 2023)",
    "propagation": "Propagation (Derner 2025, §5)",
}
CRAWLS = [name for name, corpus in REGISTRY.corpora.items() if corpus.wet_files]
SAMPLED_CORPORA = [name for name, corpus in REGISTRY.corpora.items() if corpus.sample]
SAMPLE_SETS = sorted({corpus.sample_set for corpus in REGISTRY.corpora.values()} - {""})
CORPUS_NAMES = {name: corpus.name for name, corpus in REGISTRY.corpora.items()}
MODEL_GAPS = {
    name: missing_model_access(row, os.environ) for name, row in LANGUAGE_MODELS.items()
}
# `workflow.cores` is an error where nothing is run and no --cores is needed, as with --report.
ALL_CORES = workflow.resource_settings.cores or 1
# What each study ends in; filled by its rule file.
STUDY_TARGETS = {}
# What each study leaves out, filled by its own files: corpus, language, engine, reason.
NOT_RUN = {study: [] for study in STUDIES}
# What asking language models would take; filled by the rule files that ask.
ESTIMATES = []


def one_of(names):
    """Return a pattern for one of `names`, and for nothing where there are none."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    tagger="|".join(map(re.escape, LANGUAGE_MODELS)),
    corpus="|".join(map(re.escape, REGISTRY.corpora)),
    lang="|".join(map(re.escape, REGISTRY.languages)),
    engine="published|icu",
    procedure="|".join(PROCEDURES),
    source="|".join(map(re.escape, REGISTRY.sources)),
    study="|".join(STUDIES),
    gold="|".join(map(re.escape, REGISTRY.gold)),
    texts=r"gold/[^/]+|(?:corpora|propagation/story_sets|propagation/sentences)/[^/]+/[^/]+",
    sample_set=one_of(SAMPLE_SETS),
    crawl=one_of(CRAWLS),
    number=r"\d+",
    part=r"\d+",
    coded_lexicon=one_of(REGISTRY.coded_lexicons),
    generator=one_of(LANGUAGE_MODELS),
    entity_corpus=one_of(REGISTRY.entity_corpora),
    base_model=one_of(BASE_MODELS),
    condition=one_of(CONDITIONS),
    variant=VARIANT,
    news=one_of([*REGISTRY.article_corpora, GOLD_CORPUS]),


def resource(path):
    """Return a tracked file of the repository, found from the working directory or the Snakefile's folder."""
    return REGISTRY.locate(path)


def in_report(path):
    """Return a figure (SVG) marked for the report, with the caption that stands for it in report/."""
    (item,) = list_figures([path], STUDY_NAMES, REGISTRY.corpora)
    return report(
        path,
        category=item.study_name,
        subcategory="Figures",
        labels=item.labels(resource(item.caption)),
        caption=f"../{item.caption}",
    )


def source_file(path):
    """Return where a file of the config comes from: what lies under results/sources is fetched."""
    if not path.startswith("results/sources/"):
        return FileReference(path=resource(path), url="")
    source, _, inside = path.removeprefix("results/sources/").partition("/")
    return FileReference(path=path, url=REGISTRY.url(source, inside))


def paths_of(files):
    """Return where files are; say how to get one that is not public, as Snakemake cannot."""
    for file in files:
        if file.access and (reason := missing_file(file, CONFIG.mirror)):
            raise MissingResourceError(reason)
    return [file.path for file in files]


def model_names(is_local, besides=()):
    """Return a pattern of the language models that the workflow serves itself, or of the others, but for some."""
    rows = LANGUAGE_MODELS.values()
    return one_of(
        row.name for row in rows if row.is_local == is_local and row.name not in besides
    )


def recorded_answers():
    """Return the files of recorded answers."""
    return list(map(resource, CONFIG.language_models.recorded))


# Snakemake knows only later; a job of a real run is never started with it.
DRY_RUN = any(
    re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*|--dry-?run", word) for word in sys.argv
)


def english_person_nouns(wildcards):
    """Return the English lexicon of person nouns."""
    return REGISTRY.lexicon_file(LEXICON.lexicon, "eng").path
