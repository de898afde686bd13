"""Config, registry and helpers of more than one study; no rules. Names in capitals are used by the other rule files."""

import os
import re
import sys
from dataclasses import asdict
from pathlib import Path

from textparity.workflow.availability import missing_file
from textparity.errors import MissingResourceError
from textparity.studies.newsroom.tools import GOLD_CORPUS
from textparity.measures.procedures import PROCEDURES
from textparity.studies import STUDIES, load_study
from textparity.workflow.digests import code_digest, step
from textparity.workflow.study import Context
from textparity.report.catalogue import list_figures

CONTEXT = Context.load(config, base=Path(workflow.basedir))
CONFIG, REGISTRY = CONTEXT.config, CONTEXT.registry
LANGUAGE_MODELS, MODEL_GAPS = CONTEXT.language_models, CONTEXT.model_gaps
resource, source_file = CONTEXT.resource, CONTEXT.source_file
BOOTSTRAP = CONTEXT.bootstrap()
LEXICON = CONFIG.lexicon
NEWSROOM = CONFIG.newsroom
SWAPPING = CONFIG.swapping
STEREOTYPES = CONFIG.stereotypes

PLANS = {study: load_study(study).plan(CONTEXT) for study in STUDIES}
# Their names in the report.
STUDY_NAMES = {study: load_study(study).title for study in STUDIES}
CRAWLS = [name for name, corpus in REGISTRY.corpora.items() if corpus.wet_files]
SAMPLED_CORPORA = [name for name, corpus in REGISTRY.corpora.items() if corpus.sample]
SAMPLE_SETS = sorted({corpus.sample_set for corpus in REGISTRY.corpora.values()} - {""})
CORPUS_NAMES = {name: corpus.name for name, corpus in REGISTRY.corpora.items()}
# `workflow.cores` is an error where nothing is run and no --cores is needed, as with --report.
ALL_CORES = workflow.resource_settings.cores or 1
# What each study ends in, leaves out, and what asking its language models would take.
STUDY_TARGETS = {study: plan.targets for study, plan in PLANS.items()}
NOT_RUN = {study: plan.not_run for study, plan in PLANS.items()}
ESTIMATES = [file for plan in PLANS.values() for file in plan.estimates]


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
    texts=r"[^/]+(?:/[^/]+){1,3}",
    sample_set=one_of(SAMPLE_SETS),
    crawl=one_of(CRAWLS),
    number=r"\d+",
    part=r"\d+",
    coded_lexicon=one_of(REGISTRY.coded_lexicons),
    generator=one_of(LANGUAGE_MODELS),
    entity_corpus=one_of(REGISTRY.entity_corpora),
    news=one_of([*REGISTRY.article_corpora, GOLD_CORPUS]),


def caption_path(caption):
    """Return a caption as the report takes it, from wherever a rule file is."""
    return os.path.join(workflow.basedir, caption)


def in_report(path):
    """Return a figure (SVG) marked for the report, with the caption of its name."""
    (item,) = list_figures([path], STUDY_NAMES, REGISTRY.corpora)
    return report(
        path,
        category=item.study_name,
        subcategory="Figures",
        labels=item.labels(resource(item.caption)),
        caption=caption_path(item.caption),
    )


def all_in_report(figures):
    """Return named figures, those in SVG marked for the report."""
    return {
        name: in_report(path) if path.endswith(".svg") else path
        for name, path in figures.items()
    }


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
    return REGISTRY.lexicon_file(CONFIG.person_nouns, "eng").path
