"""The `stereotypes` study (Soundararajan 2023, §IV): telling stereotypes from their contrary.

NEEDS  sentences of language models, rows of resources/registry/classifiers.tsv, stereotype_pairs (CrowS-Pairs)
GIVES  results/stereotypes/predictions/  per sentence; what was chosen, in *.folds.csv
       results/stereotypes/human_text/   the same for what people wrote
"""

STEREOTYPES = PLANS["stereotypes"]


rule classify_sentences:
    input:
        sentences=STEREOTYPES.sentences,
        all_sentences=STEREOTYPES.all_sentences,
    output:
        predictions=STEREOTYPES.predictions,
        folds=STEREOTYPES.folds(STEREOTYPES.predictions),
    log:
        "logs/classify_sentences/{coded_lexicon}.{generator}.set{number}.{classifier}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.stereotypes.classification:classify_sentences"),
        classifier=lambda wildcards: STEREOTYPES.classifier(wildcards.classifier),
        name="{coded_lexicon}.{generator}.set{number}",
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule classify_human_text:
    input:
        **STEREOTYPES.human_text(),
    output:
        predictions=STEREOTYPES.within_human_text,
        folds=STEREOTYPES.folds([STEREOTYPES.within_human_text]),
    log:
        "logs/classify_human_text/{classifier}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step(
            "textparity.studies.stereotypes.human_classification:classify_human_text"
        ),
        classifier=lambda wildcards: STEREOTYPES.classifier(wildcards.classifier),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule classify_from_generated:
    input:
        **STEREOTYPES.human_text(),
        sentences=lambda wildcards: STEREOTYPES.sets_of(**wildcards),
    output:
        predictions=STEREOTYPES.from_generated,
        folds=STEREOTYPES.folds([STEREOTYPES.from_generated]),
    log:
        "logs/classify_from_generated/{coded_lexicon}.{generator}.{classifier}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step(
            "textparity.studies.stereotypes.human_classification:classify_from_generated"
        ),
        classifier=lambda wildcards: STEREOTYPES.classifier(wildcards.classifier),
        name="{coded_lexicon}.{generator}",
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"
