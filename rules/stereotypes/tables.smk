"""The `stereotypes` study (Soundararajan 2023): all tables, and samples for annotators.

NEEDS  answers, sentences and predictions, files of annotators, the paper's own numbers
GIVES  results/stereotypes/tables/
       results/stereotypes/annotation/{coded_lexicon}.{generator}.*.csv  a sample without labels, and its key
       results/stereotypes/human_text/sentences.csv                      what people wrote, with labels and genders
"""

STEREOTYPES = PLANS["stereotypes"]


rule tabulate_stereotypes:
    input:
        published=resource("resources/stereotypes/published.csv"),
        lexicons=list(map(STEREOTYPES.lexicon_file, STEREOTYPES.lexicons)),
        answers=STEREOTYPES.of_sets(STEREOTYPES.answers),
        sentences=STEREOTYPES.of_sets(STEREOTYPES.sentences),
        all_sentences=STEREOTYPES.of_sets(STEREOTYPES.all_sentences),
        rejected=STEREOTYPES.of_sets(STEREOTYPES.rejected),
        predictions=STEREOTYPES.classified_files,
        human_predictions=(
            STEREOTYPES.of_classifiers(STEREOTYPES.human_predictions)
            if STEREOTYPES.reads_pairs
            else []
        ),
        human_text=list(STEREOTYPES.human_text().values()),
        annotations=STEREOTYPES.annotations,
    output:
        **STEREOTYPES.tables,
        samples=STEREOTYPES.samples,
        sample_keys=STEREOTYPES.sample_keys,
    log:
        "logs/tabulate_stereotypes.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.tables:tabulate_stereotypes"),
        **BOOTSTRAP,
        names=STEREOTYPES.lexicons,
        forms=list(map(STEREOTYPES.form, STEREOTYPES.lexicons)),
        datasets=STEREOTYPES.datasets,
        sets=STEREOTYPES.sets,
        classified=STEREOTYPES.classified,
        human_experiments=STEREOTYPES.human_experiments,
        sample_size=STEREOTYPES.settings.annotated_sentences,
    script:
        "../../scripts/step.py"
