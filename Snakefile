"""textparity: who gets mentioned? The studies of five papers on gender in text, reproduced and corrected.

  snakemake --cores N            everything the config names
  snakemake --cores N lexicon    one study

The way of a line: sources -> corpora -> counts -> summaries -> tables, figures, ledger.
"""

from snakemake.utils import min_version

min_version("9.20")


configfile: workflow.source_path("config.yaml")


include: "rules/common.smk"
include: "rules/models.smk"
include: "rules/sources.smk"
include: "rules/crawl.smk"
include: "rules/lexicon/ledger.smk"
include: "rules/lexicon/lexicon.smk"
include: "rules/tagging.smk"
include: "rules/representation/ledger.smk"
include: "rules/representation/tables.smk"
include: "rules/newsroom/articles.smk"
include: "rules/newsroom/ledger.smk"
include: "rules/newsroom/tables.smk"
include: "rules/swapping/candidates.smk"
include: "rules/swapping/corpus.smk"
include: "rules/swapping/ledger.smk"
include: "rules/swapping/recognition.smk"
include: "rules/swapping/scores.smk"
include: "rules/stereotypes/sentences.smk"
include: "rules/stereotypes/classification.smk"
include: "rules/stereotypes/tables.smk"
include: "rules/stereotypes/ledger.smk"
include: "rules/propagation/ledger.smk"
include: "rules/propagation/models.smk"
include: "rules/propagation/story_sets.smk"
include: "rules/propagation/tables.smk"
include: "rules/report.smk"


rule all:
    default_target: True
    input:
        [STUDY_TARGETS[study] for study in CONFIG.studies],
        "results/ledger.csv",
        "results/run/run.json",
        REPORT_TARGETS,


for study in STUDIES:

    rule:
        name:
            study
        input:
            STUDY_TARGETS[study],
            f"results/ledger/{study}.csv",


rule ledger:
    input:
        "results/ledger.csv",
