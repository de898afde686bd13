"""textparity: who gets mentioned? The studies of five papers on gender in text, reproduced and corrected.

  snakemake --cores N            everything the config names
  snakemake --cores N lexicon    one study
  snakemake --cores N lexicon_table4    one table of its paper, with the ledger
  snakemake --cores N audit      texts of your own (`audit` in the configuration)

The way of a line: sources -> corpora -> counts -> summaries -> tables, figures, ledger.
"""

from snakemake.utils import min_version

min_version("9.20")


configfile: workflow.source_path("config.yaml")


# Snakemake's own report opens with this page.
report: "resources/summary/workflow.rst"


include: "rules/common.smk"
include: "rules/steps.smk"
include: "rules/sources.smk"
include: "rules/crawl.smk"
include: "rules/audit.smk"
include: "rules/tagging.smk"
include: "rules/persons.smk"


for study in STUDIES:
    for file in sorted((Path(workflow.basedir) / "rules" / study).glob("*.smk")):

        include: f"rules/{study}/{file.name}"


# What each study makes, without its ledger.
FINAL_FILES = {
    study: [str(file) for file in getattr(rules, study).input if file not in LEDGERS.values()] for study in STUDIES
}


include: "rules/models.smk"
include: "rules/report.smk"


onstart:
    warn_of_other_settings(
        CONFIG.model_dump(mode="json", exclude={"mirror", "models"}),
        Path(".snakemake/textparity_settings.json"),
    )
    check_needs(workflow, NEEDS)


rule all:
    default_target: True
    input:
        REPORT.final_files,
        "results/ledger.csv",
        "results/run/run.json",
        rules.write_numbers.output,
        rules.render_report.output,


# Each target makes one table or figure of a paper, with its part of the ledger: snakemake lexicon_table4
PAPER_TARGETS = {study: paper_targets(CONTEXT, study, files) for study, files in FINAL_FILES.items()}
for study, targets in PAPER_TARGETS.items():
    for target, files in targets.items():

        rule:
            name:
                target
            input:
                files,
                LEDGERS.get(study, []),


# Whoever asks for a study that is off learns it before the first job.
for study in set(STUDIES) - set(CONFIG.studies):
    for target in [study, *PAPER_TARGETS[study]]:
        workflow.get_rule(target).set_input(refuse_study(study, CONFIG.studies))


rule ledger:
    input:
        "results/ledger.csv",


rule audit:
    input:
        rules.merge_audit.output,


onsuccess:
    if line := describe_ledgers(map(Path, LEDGERS.values())):
        print(line, file=sys.stderr)
