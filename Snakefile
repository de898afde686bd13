"""textparity: who gets mentioned? The studies of five papers on gender in text, reproduced and corrected.

  snakemake --cores N            everything the config names
  snakemake --cores N lexicon    one study

The way of a line: sources -> corpora -> counts -> summaries -> tables, figures, ledger.
"""

from snakemake.utils import min_version

min_version("9.20")


configfile: workflow.source_path("config.yaml")


include: "rules/common.smk"
include: "rules/lexicon/inputs.smk"
include: "rules/sources_inputs.smk"
include: "rules/sources.smk"
include: "rules/crawl_inputs.smk"
include: "rules/crawl.smk"
include: "rules/lexicon/lexicon.smk"
include: "rules/tagging.smk"
include: "rules/representation/ledger.smk"
include: "rules/representation/tables.smk"
include: "rules/newsroom/inputs.smk"
include: "rules/newsroom/articles.smk"
include: "rules/newsroom/report.smk"
include: "rules/swapping/inputs.smk"
include: "rules/swapping/entities.smk"
include: "rules/swapping/candidates.smk"
include: "rules/swapping/corpora.smk"
include: "rules/swapping/scores.smk"
include: "rules/swapping/recognition.smk"
include: "rules/stereotypes/inputs.smk"
include: "rules/stereotypes/sentences.smk"
include: "rules/stereotypes/classification.smk"
include: "rules/propagation/ledger.smk"
include: "rules/propagation/models.smk"
include: "rules/propagation/story_sets.smk"
include: "rules/propagation/tables.smk"
include: "rules/ledger.smk"
include: "rules/report.smk"


rule all:
    default_target: True
    input:
        [STUDY_TARGETS[study] for study in CONFIG.studies],
        "results/ledger.csv",
        "results/run/run.json",
        REPORT_TARGETS,


rule lexicon:
    input:
        STUDY_TARGETS["lexicon"],
        "results/ledger/lexicon.csv",


rule representation:
    input:
        STUDY_TARGETS["representation"],
        "results/ledger/representation.csv",


rule newsroom:
    input:
        STUDY_TARGETS["newsroom"],
        "results/ledger/newsroom.csv",


rule swapping:
    input:
        STUDY_TARGETS["swapping"],
        "results/ledger/swapping.csv",


rule stereotypes:
    input:
        STUDY_TARGETS["stereotypes"],
        "results/ledger/stereotypes.csv",


rule propagation:
    input:
        STUDY_TARGETS["propagation"],
        "results/ledger/propagation.csv",


rule ledger:
    input:
        "results/ledger.csv",
