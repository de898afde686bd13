"""Config, registry and helpers of more than one study; no rules. Names in capitals are used by the other rule files."""

import os
import re
import sys
from pathlib import Path

from snakemake.settings.types import MaxJobsPerTimespan
from textparity_studies.workflow.availability import require_files
from textparity_studies.workflow.plans import CorpusPlan
from textparity.counting.procedures import PROCEDURES
from textparity_studies.report.scorecard import describe_ledgers
from textparity_studies import STUDIES, load_study
from textparity_studies.workflow.run_record import warn_of_other_settings
from textparity_studies.workflow.runner import check_clock
from textparity_studies.workflow.code_version import step
from textparity_studies.workflow.study import Context, paper_targets
from textparity_studies.workflow.plans import ReportPlan

# Snakemake's own limit of starting jobs, 100 a second, binds nobody here, but under any limit each pass of the scheduler
# starts a timer that makes a pass, which starts a timer: as many passes a second as jobs have ended, two thirds of its
# CPU (github.com/snakemake/snakemake/pull/3744). No setting means none; --max-jobs-per-timespan still sets another.
# tests/workflow/test_scheduler.py says when these lines can go.
_default_limit = MaxJobsPerTimespan.parse_choice("100/1s")
MaxJobsPerTimespan.__bool__ = lambda limit: vars(limit) != vars(_default_limit)

check_clock()
CONTEXT = Context.load(config, base=Path(workflow.basedir))
CONFIG, REGISTRY = CONTEXT.config, CONTEXT.registry
LANGUAGE_MODELS = CONTEXT.language_models
resource = CONTEXT.resource
BOOTSTRAP = CONTEXT.bootstrap()

PLANS = {study: load_study(study).plan(CONTEXT) for study in STUDIES}
REPORT = ReportPlan(
    CONTEXT, PLANS, {study: load_study(study).title for study in STUDIES}
)
LEDGERS = {
    study: f"results/ledger/{study}.csv"
    for study in STUDIES
    if load_study(study).has_ledger
}
CORPORA = CorpusPlan(CONTEXT)
# `workflow.cores` is an error where nothing is run and no --cores is needed, as with --report.
ALL_CORES = workflow.resource_settings.cores or 1


def one_of(names):
    """Return a pattern for one of `names`, and for nothing where there are none."""
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
    """Return a caption as the report takes it, from wherever a rule file is."""
    return os.path.join(workflow.basedir, caption)


def in_report(path):
    """Return a figure (SVG) marked for the report, with the caption of its name."""
    item = REPORT.figure(path)
    return report(
        path,
        category=item.study_name,
        subcategory="Figures",
        labels=item.labels(resource(item.caption)),
        caption=caption_path(item.caption),
    )


def figures(paths):
    """Return the files of figures, those that are SVG marked for the report."""
    return [in_report(path) if path.endswith(".svg") else path for path in paths]


def paths_of(files):
    """Return where files are; say how to get one that is not public, as Snakemake cannot."""
    return require_files(files, CONFIG.mirror)


# Snakemake knows only later; a job of a real run is never started with it.
DRY_RUN = any(
    re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*|--dry-?run", word) for word in sys.argv
)


def model_names(is_local, besides=()):
    """Return a pattern of the language models that the workflow serves itself, or of the others, but for some."""
    rows = LANGUAGE_MODELS.values()
    return one_of(
        row.name for row in rows if row.is_local == is_local and row.name not in besides
    )


def recorded_answers():
    """Return the files of recorded answers."""
    return list(map(resource, CONFIG.language_models.recorded))
