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
        **step("textparity_studies.stereotypes.sentences:export_sample"),
        name="{coded_lexicon}.{generator}",
        size=STEREOTYPES.settings.annotated_sentences,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule describe_coded_lexicons:
    input:
        lexicons=list(map(STEREOTYPES.lexicon_file, STEREOTYPES.lexicons)),
        captions=CONTEXT.captions("stereotypes"),
    output:
        tables=STEREOTYPES.tables["lexicons"],
    log:
        "logs/describe_coded_lexicons.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.tables:describe_coded_lexicons"),
        names=STEREOTYPES.lexicons,
        forms=list(map(STEREOTYPES.form, STEREOTYPES.lexicons)),
    script:
        "../../scripts/step.py"


rule tabulate_sentences:
    input:
        answers=STEREOTYPES.of_sets(STEREOTYPES.answers),
        all_sentences=STEREOTYPES.of_sets(STEREOTYPES.all_sentences),
        rejected=STEREOTYPES.of_sets(STEREOTYPES.rejected),
        captions=CONTEXT.captions("stereotypes"),
    output:
        tables=STEREOTYPES.tables["sentences"],
    log:
        "logs/tabulate_sentences.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.tables:tabulate_sentences"),
        sets=STEREOTYPES.sets,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule count_published_sentences:
    input:
        sentences=STEREOTYPES.published_sentences,
        captions=CONTEXT.captions("stereotypes"),
    output:
        tables=STEREOTYPES.tables["published"],
    log:
        "logs/count_published_sentences.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.tables:count_published_sentences"),
        sets=STEREOTYPES.published_sets,
    script:
        "../../scripts/step.py"


rule measure_agreement:
    input:
        sample_keys=STEREOTYPES.sample_keys,
        annotations=STEREOTYPES.annotations,
        captions=CONTEXT.captions("stereotypes"),
    output:
        tables=STEREOTYPES.tables["agreement"],
    log:
        "logs/measure_agreement.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.tables:measure_agreement"),
        names=list(map(".".join, STEREOTYPES.datasets)),
    script:
        "../../scripts/step.py"


rule tabulate_classification:
    input:
        predictions=STEREOTYPES.classified_files,
        captions=CONTEXT.captions("stereotypes"),
    output:
        tables=STEREOTYPES.tables["classification"],
    log:
        "logs/tabulate_classification.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.tables:tabulate_classification"),
        **BOOTSTRAP,
        classified=STEREOTYPES.classified,
    script:
        "../../scripts/step.py"


rule tabulate_human_text:
    input:
        **STEREOTYPES.human_text(),
        predictions=STEREOTYPES.human_predictions,
        captions=CONTEXT.captions("stereotypes"),
    output:
        tables=STEREOTYPES.tables["human_text"],
    log:
        "logs/tabulate_human_text.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.stereotypes.tables:tabulate_human_text"),
        **BOOTSTRAP,
        experiments=STEREOTYPES.human_experiments,
    script:
        "../../scripts/step.py"
