"""Config, registry, and what the rules of all studies share. Names in capitals are used by the other rule files."""

import os
import re
import sys
from collections import ChainMap
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.settings.types import MaxJobsPerTimespan

try:
    import textparity_studies
except ModuleNotFoundError:
    # The wheel has the library alone.
    raise WorkflowError(
        "the studies are not installed: run pip install --editable '.[workflow]' in this checkout, or make workflow"
    ) from None

from textparity_studies.workflow.availability import check_needs, require_files
from textparity_studies.workflow.plans import CorpusPlan
from textparity.counting import PROCEDURES
from textparity_studies.report.comparison import check_published
from textparity_studies.report.scorecard import describe_ledgers
from textparity_studies import STUDIES, load_study
from textparity_studies.workflow.run_record import warn_of_other_settings
from textparity_studies.workflow.rule_files import check_rule_names
from textparity_studies.workflow.runner import check_clock
from textparity_studies.workflow.run_record import step
from textparity_studies.workflow.study import StudyContext, paper_targets, refuse_study
from textparity_studies.report.catalogue import (
    FIGURE_FORMATS,
    FIGURES,
    TABLE_FORMATS,
    Catalogue,
    captioned_tables,
    read_captions,
)

# Snakemake limits the start of jobs to 100 per second, a rate that we never reach. Under any limit, however, each
# pass of the scheduler starts a timer that causes another pass. There are then as many passes per second as jobs that
# have ended, which takes two thirds of its CPU time (github.com/snakemake/snakemake/pull/3744). These lines remove
# the default limit; --max-jobs-per-timespan still sets one. tests/workflow/test_scheduler.py shows when these lines
# can be removed.
_default_limit = MaxJobsPerTimespan.parse_choice("100/1s")
MaxJobsPerTimespan.__bool__ = lambda limit: vars(limit) != vars(_default_limit)

check_clock()
CONTEXT = StudyContext.load(config, base=Path(workflow.basedir))
CONFIG, REGISTRY = CONTEXT.config, CONTEXT.registry
# Each job reads the rules again; once is enough.
if workflow.is_main_process:
    check_rule_names(sorted(Path(workflow.basedir, "rules").rglob("*.smk")))
LANGUAGE_MODELS = CONTEXT.language_models
resource = CONTEXT.resource
BOOTSTRAP = CONTEXT.bootstrap()

PLANS = {study: load_study(study).plan(CONTEXT) for study in STUDIES}
RESOURCES = str(REGISTRY.base / "resources")
CATALOGUE = Catalogue(
    {study: load_study(study).title for study in STUDIES},
    read_captions(RESOURCES),
    shared=dict(ChainMap(*(load_study(study).captions for study in STUDIES))),
)
KNOWN_TABLES = captioned_tables(RESOURCES)
LEDGERS = {study: f"results/ledger/{study}.csv" for study in STUDIES if load_study(study).has_ledger}
# The formats of final tables and figures.
TABLE, FIGURE = TABLE_FORMATS, FIGURE_FORMATS
# The files with the estimated requests and costs of each study.
ESTIMATES = []
# By a rule's name, why its jobs cannot run here (a function of the wildcards, or an empty string). Language
# models that are asked are not here, because all of their answers may be in the cache.
NEEDS = {}
CORPORA = CorpusPlan(CONTEXT)
# `workflow.cores` raises an error if nothing is run and --cores is not needed, as with --report.
ALL_CORES = workflow.resource_settings.cores or 1


def ledger_inputs(study, published=None):
    """Return the inputs of every study's ledger; what its published numbers name must exist if the study is run."""
    published = resource(published or f"resources/{study}/published.csv")
    functions = resource("resources/ledger_functions.tsv")
    notes = Path(resource(f"resources/{study}/ledger_notes.csv"))
    if study in CONFIG.studies and workflow.is_main_process:
        check_published(Path(published), Path(functions), KNOWN_TABLES)
    return {
        "published": published,
        "notes": str(notes) if notes.is_file() else [],
        "functions": functions,
    }


def one_of(names):
    """Build a pattern that matches one of `names`; without names, it matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    tagger=one_of(LANGUAGE_MODELS),
    corpus=one_of(REGISTRY.corpora),
    lang=one_of(REGISTRY.languages),
    procedure=one_of(PROCEDURES),
    gold=one_of(REGISTRY.gold),
    texts=r"[^/]+(?:/[^/]+){1,3}",
    number=r"\d+",
    part=r"\d+",
    generator=one_of(LANGUAGE_MODELS),


def caption_path(caption):
    """Return the path of a caption, which the report requires to be independent of the rule file's folder."""
    return os.path.join(workflow.basedir, caption)


def in_report(path):
    """Mark a figure (SVG) for the report, with the caption that belongs to its name."""
    item = CATALOGUE.read_item(path, FIGURES)
    return report(
        path,
        category=item.study_name,
        subcategory="Figures",
        labels=item.labels(resource(item.caption)),
        caption=caption_path(item.caption),
    )


def figures(paths):
    """List the files of figures, with SVG files marked for the report."""
    return [in_report(path) if path.endswith(".svg") else path for path in paths]


def each(pattern, units):
    """List a file of each unit, a named tuple with the wildcards of `pattern`."""
    return [pattern.format(**unit._asdict()) for unit in units]


def made(*paths):
    """List those of `paths` that a rule of this run makes; a rule is left out if it has no input."""
    outputs = {str(file) for rule in workflow.rules for file in rule.output}
    return [path for path in paths if path in outputs]


def final_outputs(study):
    """List the tables and figures that the rules of a study make, except those with wildcards."""
    folder = os.path.join(workflow.basedir, "rules", study, "")
    of_study = [rule for rule in workflow.rules if str(rule.snakefile).startswith(folder)]
    outputs = [rule.output.get(kind, []) for kind in ("tables", "figures") for rule in of_study]
    return [str(file) for files in outputs for file in files if not file.contains_wildcard()]


def paths_of(files):
    """Return the paths of files; for a missing one that is not public, an error explains how to get it."""
    return require_files(files, CONFIG.mirror)


# Snakemake determines this too late for us. A job of a real run is never started with these options.
DRY_RUN = any(re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*|--dry-?run", word) for word in sys.argv)


def model_names(is_local, besides=()):
    """Build a pattern of the language models that the workflow serves itself, or of the others, except `besides`."""
    rows = LANGUAGE_MODELS.values()
    return one_of(row.name for row in rows if row.is_local == is_local and row.name not in besides)


def recorded_answers():
    """List the files of recorded answers."""
    return list(map(resource, CONFIG.language_models.recorded))
