"""The `stereotypes` study (Soundararajan 2023): all tables, and samples for annotators.

NEEDS  answers, sentences and predictions, files of annotators, the paper's own numbers
GIVES  results/stereotypes/tables/
       results/stereotypes/annotation/{coded_lexicon}.{generator}.*.csv  a sample without labels, and its key
       results/stereotypes/human_text/sentences.csv                      what people wrote, with labels and genders
"""

STEREOTYPES = PLANS["stereotypes"]


# This is a rule of its own, because people fill in a sample and may make mistakes.
rule export_sample:
    input:
        sentences=lambda wildcards: STEREOTYPES.sets_of(**wildcards),
    output:
        sample=STEREOTYPES.sample,
        key=STEREOTYPES.sample_key,
    log:
        "logs/export_sample/{coded_lexicon}.{generator}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.annotation:export_sample"),
        name="{coded_lexicon}.{generator}",
        size=STEREOTYPES.settings.annotated_sentences,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule count_published_sentences:
    input:
        sentences=STEREOTYPES.published_sentences,
    output:
        table="results/stereotypes/tables/published_sentences.csv",
    log:
        "logs/count_published_sentences.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity_studies.stereotypes.published_sentences:count_published_sentences"
        ),
        sets=STEREOTYPES.published_sets,
    script:
        "../../scripts/step.py"


rule tabulate_stereotypes:
    input:
        lexicons=list(map(STEREOTYPES.lexicon_file, STEREOTYPES.lexicons)),
        answers=STEREOTYPES.of_sets(STEREOTYPES.answers),
        all_sentences=STEREOTYPES.of_sets(STEREOTYPES.all_sentences),
        rejected=STEREOTYPES.of_sets(STEREOTYPES.rejected),
        predictions=STEREOTYPES.classified_files,
        human_predictions=STEREOTYPES.human_predictions,
        human_text=list(STEREOTYPES.human_text().values()),
        annotations=STEREOTYPES.annotations,
        sample_keys=STEREOTYPES.sample_keys if STEREOTYPES.annotations else [],
    output:
        **STEREOTYPES.tables,
    log:
        "logs/tabulate_stereotypes.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.tables:tabulate_stereotypes"),
        **BOOTSTRAP,
        names=STEREOTYPES.lexicons,
        forms=list(map(STEREOTYPES.form, STEREOTYPES.lexicons)),
        datasets=STEREOTYPES.datasets,
        sets=STEREOTYPES.sets,
        classified=STEREOTYPES.classified,
        human_experiments=STEREOTYPES.human_experiments,
    script:
        "../../scripts/step.py"
