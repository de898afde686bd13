"""textparity: who gets mentioned? The studies of five papers on gender in text, reproduced and corrected.

  snakemake --cores N            everything the config names
  snakemake --cores N lexicon    one study

The way of a line: sources -> corpora -> counts -> summaries -> tables, figures, ledger.
"""

from snakemake.utils import min_version

min_version("9.20")


configfile: workflow.source_path("config.yaml")


include: "rules/common.smk"
include: "rules/lexicon_inputs.smk"
include: "rules/sources_inputs.smk"
include: "rules/sources.smk"
include: "rules/crawl_inputs.smk"
include: "rules/crawl.smk"
include: "rules/lexicon.smk"
include: "rules/representation_inputs.smk"
include: "rules/representation.smk"
include: "rules/tagging.smk"
include: "rules/newsroom_inputs.smk"
include: "rules/newsroom.smk"
include: "rules/newsroom_report.smk"
include: "rules/swapping_inputs.smk"
include: "rules/entities.smk"
include: "rules/candidates.smk"
include: "rules/swapping.smk"
include: "rules/swap_scores.smk"
include: "rules/entity_recognition.smk"
include: "rules/stereotypes_inputs.smk"
include: "rules/stereotypes.smk"
include: "rules/stereotype_classification.smk"
include: "rules/propagation.smk"
include: "rules/propagation_inputs.smk"
include: "rules/propagation_training.smk"
include: "rules/propagation_stories.smk"
include: "rules/propagation_measures.smk"
include: "rules/propagation_tables.smk"
include: "rules/ledger.smk"
include: "rules/front_page.smk"


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
