"""The `stereotypes` study (Soundararajan 2023, §IV): classifying sentences as stereotypes or their opposite.

NEEDS  sentences of language models, rows of resources/registry/classifiers.tsv, stereotype_pairs (CrowS-Pairs)
GIVES  results/stereotypes/predictions/  per sentence; the choices in each fold are in *.folds.csv
       results/stereotypes/human_text/   the same for what people wrote
"""

STEREOTYPES = PLANS["stereotypes"]


rule classify_sentences:
    input:
        sentences=STEREOTYPES.sentences,
        all_sentences=STEREOTYPES.all_sentences,
    output:
        **STEREOTYPES.predictions(),
    log:
        "logs/classify_sentences/{coded_lexicon}.{generator}.set{number}.{classifier}.log",
    wildcard_constraints:
        generator=one_of(["published", *LANGUAGE_MODELS]),
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.stereotypes.classification:classify_sentences"),
        classifier=lambda wildcards: STEREOTYPES.classifier(wildcards.classifier),
        name="{coded_lexicon}.{generator}.set{number}",
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


# The training data are a generator's sentences, or the other folds of the human-written sentences.
rule classify_human_text:
    input:
        **STEREOTYPES.human_text(),
        sentences=lambda wildcards: STEREOTYPES.learnt_from[wildcards.learnt_from],
    output:
        predictions=STEREOTYPES.human_prediction,
        folds=STEREOTYPES.folds(STEREOTYPES.human_prediction),
    log:
        "logs/classify_human_text/{learnt_from}.{classifier}.log",
    wildcard_constraints:
        learnt_from=one_of(STEREOTYPES.learnt_from),
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity_studies.stereotypes.classification:classify_human_text"),
        classifier=lambda wildcards: STEREOTYPES.classifier(wildcards.classifier),
        name=lambda wildcards: wildcards.learnt_from.removeprefix("from."),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"
