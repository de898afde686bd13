"""The `stereotypes` study (Soundararajan 2023, §IV): a sample for annotators, and telling stereotypes from their contrary.

NEEDS  results/stereotypes/sentences/ and all_sentences/{coded_lexicon}.{generator}.set{number}.csv,
       rows of resources/registry/classifiers.tsv, stereotype_pairs (CrowS-Pairs), files of annotators
GIVES  results/stereotypes/annotation/{coded_lexicon}.{generator}.*.csv  a sample without labels, and its key
       results/stereotypes/predictions/                                  per sentence; what was chosen, in *.folds.csv
       results/stereotypes/human_text/                                   the same for what people wrote
       results/stereotypes/tables/
"""

from textparity.report.ledger import NOT_HERE
from textparity.studies.stereotypes.classifier_rows import (
    load_classifiers,
    missing_classifier,
    select_classifiers,
)

STEREOTYPE_PAIRS = (
    source_file(STEREOTYPES.stereotype_pairs) if STEREOTYPES.stereotype_pairs else None
)
CLASSIFIER_ROWS = load_classifiers(REGISTRY.paths["classifiers"])
CLASSIFIER_GAPS = {
    name: f"{NOT_HERE}: {reason}"
    for name in select_classifiers(
        STEREOTYPES.classifiers, CLASSIFIER_ROWS, REGISTRY.paths["classifiers"]
    )
    if (reason := missing_classifier(CLASSIFIER_ROWS[name]))
}
HUMAN_TEXT_GAP = (
    missing_file(STEREOTYPE_PAIRS, CONFIG.mirror)
    or missing_file(REGISTRY.lexicon_file(CONFIG.person_nouns, "eng"), CONFIG.mirror)
    if STEREOTYPES_ON and STEREOTYPE_PAIRS
    else ""
)
CLASSIFIERS = [
    name
    for name in (STEREOTYPES.classifiers if STEREOTYPES_ON else [])
    if not (CONFIG.skip_unavailable and name in CLASSIFIER_GAPS)
]
HUMAN_TEXT_ON = (
    STEREOTYPES_ON
    and bool(STEREOTYPE_PAIRS)
    and not (CONFIG.skip_unavailable and HUMAN_TEXT_GAP)
)
# Sets of sentences, by lexicon and generator.
SENTENCE_DATASETS = [
    (row.lexicon, generator) for row in CODED_LEXICONS for generator in GENERATORS
]
SET_NUMBERS = range(1, STEREOTYPES.sets + 1)
ANNOTATED = bool(SENTENCE_DATASETS and STEREOTYPES.annotations)
ACCEPTED_SENTENCES = (
    "results/stereotypes/sentences/{coded_lexicon}.{generator}.set{number}.csv"
)
# Unchecked, as the paper classifies them.
ALL_SENTENCES = (
    "results/stereotypes/all_sentences/{coded_lexicon}.{generator}.set{number}.csv"
)
PREDICTIONS = "results/stereotypes/predictions/{coded_lexicon}.{generator}.set{number}.{procedure}.{classifier}"
HUMAN_TEXT = "results/stereotypes/human_text"
SAMPLE = "results/stereotypes/annotation/{coded_lexicon}.{generator}"

if STEREOTYPES_ON and CONFIG.skip_unavailable:
    NOT_RUN["stereotypes"] += [
        *(["", "eng", name, reason] for name, reason in CLASSIFIER_GAPS.items()),
        *(
            ["", "eng", name, MODEL_GAPS[name]]
            for name in GENERATORS
            if MODEL_GAPS[name]
        ),
        *([["stereotype_pairs", "eng", "", HUMAN_TEXT_GAP]] if HUMAN_TEXT_GAP else []),
    ]


wildcard_constraints:
    classifier=one_of(CLASSIFIER_ROWS),


rule export_sample:
    input:
        sentences=all_sets,
    output:
        sample=f"{SAMPLE}.sample.csv",
        key=f"{SAMPLE}.key.csv",
    log:
        "logs/export_sample/{coded_lexicon}.{generator}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.annotation:export_sample"),
        sets=[str(number) for number in SET_NUMBERS],
        name="{coded_lexicon}.{generator}",
        size=STEREOTYPES.annotated_sentences,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule measure_agreement:
    input:
        key_files=[
            rules.export_sample.output.key.format(
                coded_lexicon=lexicon, generator=generator
            )
            for lexicon, generator in SENTENCE_DATASETS
        ],
        annotations=STEREOTYPES.annotations,
    output:
        agreement_csv="results/stereotypes/tables/agreement.csv",
        levels_csv="results/stereotypes/tables/agreement_levels.csv",
        sentences_csv="results/stereotypes/annotation/agreement_sentences.csv",
    log:
        "logs/measure_agreement.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.annotation:measure_agreement"),
        names=[f"{lexicon}.{generator}" for lexicon, generator in SENTENCE_DATASETS],
    script:
        "../../scripts/step.py"


rule classify_sentences:
    input:
        sentences=lambda wildcards: (
            ALL_SENTENCES if wildcards.procedure == "published" else ACCEPTED_SENTENCES
        ),
    output:
        predictions=f"{PREDICTIONS}.csv",
        folds=f"{PREDICTIONS}.folds.csv",
    log:
        "logs/classify_sentences/{coded_lexicon}.{generator}.set{number}.{procedure}.{classifier}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.stereotypes.classification:classify_sentences"),
        classifier=classifier_row,
        procedure="{procedure}",
        name="{coded_lexicon}.{generator}.set{number}",
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


CLASSIFIED = [
    (lexicon, generator, str(number), procedure, classifier)
    for lexicon, generator in SENTENCE_DATASETS
    for procedure in PROCEDURES
    for classifier in CLASSIFIERS
    for number in SET_NUMBERS
]


rule tabulate_stereotypes:
    input:
        predictions=[
            rules.classify_sentences.output.predictions.format(
                coded_lexicon=lexicon,
                generator=generator,
                number=number,
                procedure=procedure,
                classifier=classifier,
            )
            for lexicon, generator, number, procedure, classifier in CLASSIFIED
        ],
    output:
        table_csv="results/stereotypes/tables/classification.csv",
        by_set_csv="results/stereotypes/tables/classification_by_set.csv",
        table_latex="results/stereotypes/tables/classification.tex",
    log:
        "logs/tabulate_stereotypes.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.scores:tabulate_stereotypes"),
        datasets=CLASSIFIED,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule list_human_sentences:
    input:
        pairs=STEREOTYPE_PAIRS.path if STEREOTYPE_PAIRS else [],
        lexicon=english_person_nouns,
        polarity_words=resource(CONFIG.tagging.polarity_words),
    output:
        sentences=f"{HUMAN_TEXT}/sentences.csv",
    log:
        "logs/list_human_sentences.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.human_text:list_human_sentences"),
    script:
        "../../scripts/step.py"


rule classify_human_text:
    input:
        sentences=rules.list_human_sentences.output.sentences,
    output:
        predictions=f"{HUMAN_TEXT}/within.{{classifier}}.csv",
        folds=f"{HUMAN_TEXT}/within.{{classifier}}.folds.csv",
    log:
        "logs/classify_human_text/{classifier}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.stereotypes.classification:classify_human_text"),
        classifier=classifier_row,
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule classify_across:
    input:
        training=all_sets,
        test=rules.list_human_sentences.output.sentences,
    output:
        predictions=f"{HUMAN_TEXT}/from.{{coded_lexicon}}.{{generator}}.{{classifier}}.csv",
        folds=f"{HUMAN_TEXT}/from.{{coded_lexicon}}.{{generator}}.{{classifier}}.folds.csv",
    log:
        "logs/classify_across/{coded_lexicon}.{generator}.{classifier}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.stereotypes.classification:classify_across"),
        classifier=classifier_row,
        name="{coded_lexicon}.{generator}",
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


# Within what people wrote, then from each generator to it.
HUMAN_EXPERIMENTS = [
    *(("the pairs (5 folds)", name, "within") for name in CLASSIFIERS),
    *(
        (f"{lexicon}, {generator}", name, f"from.{lexicon}.{generator}")
        for lexicon, generator in SENTENCE_DATASETS
        for name in CLASSIFIERS
    ),
]


rule tabulate_human_text:
    input:
        predictions=[
            f"{HUMAN_TEXT}/{stem}.{classifier}.csv"
            for _, classifier, stem in HUMAN_EXPERIMENTS
        ],
    output:
        table_csv="results/stereotypes/tables/human_text.csv",
        table_latex="results/stereotypes/tables/human_text.tex",
    log:
        "logs/tabulate_human_text.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.human_text:tabulate_human_text"),
        experiments=[(trained_on, name) for trained_on, name, _ in HUMAN_EXPERIMENTS],
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


if CLASSIFIED:
    STUDY_TARGETS["stereotypes"] += rules.tabulate_stereotypes.output
if SENTENCE_DATASETS:
    STUDY_TARGETS["stereotypes"] += [
        output.format(coded_lexicon=lexicon, generator=generator)
        for output in rules.export_sample.output
        for lexicon, generator in SENTENCE_DATASETS
    ]
if ANNOTATED:
    STUDY_TARGETS["stereotypes"] += rules.measure_agreement.output
if CLASSIFIERS and HUMAN_TEXT_ON:
    STUDY_TARGETS["stereotypes"] += rules.tabulate_human_text.output
