"""The reproduction ledger.

NEEDS  resources/{study}/published.csv, each study's summaries
GIVES  results/ledger/{study}.csv, results/ledger.csv, results/ledger_counts.csv
"""

PUBLISHED_GOLD = {
    gold.published_table: name
    for name, gold in REGISTRY.gold.items()
    if gold.published_table
}


rule list_gaps:
    output:
        gaps="results/{study}/not_run.csv",
    log:
        "logs/list_gaps/{study}.log",
    wildcard_constraints:
        study=one_of(set(STUDIES) - {"lexicon", "newsroom", "stereotypes", "swapping"}),
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.workflow.availability:list_gaps"),
        reasons=lambda wildcards: NOT_RUN[wildcards.study],
    script:
        "../scripts/step.py"


rule build_representation_ledger:
    input:
        published=resource("resources/representation/published.csv"),
        polarity=(
            [rules.summarise_polarity.output.summary] if REPRESENTATION_CORPORA else []
        ),
        tags=[rules.summarise_tags.output.summary] if TAGGED_UNITS else [],
        scores=collect(
            rules.score_tagger.output.scores_csv,
            gold=[
                gold for gold in REPRESENTATION_GOLD if gold in PUBLISHED_GOLD.values()
            ],
            tagger=TAGGERS,
        ),
        epicene=[rules.tabulate_epicene.output.table_csv] if TAGGED_UNITS else [],
        gaps="results/representation/not_run.csv",
    output:
        ledger="results/ledger/representation.csv",
    log:
        "logs/build_representation_ledger.log",
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.studies.representation.ledger:build_representation_ledger"),
        corpus_names=CORPUS_NAMES,
        gold_tables=PUBLISHED_GOLD,
    script:
        "../scripts/step.py"


rule build_propagation_ledger:
    input:
        published=resource("resources/propagation/published.csv"),
        story_sets=(
            rules.tabulate_story_sets.output.table_csv if STORY_SET_UNITS else []
        ),
        ratios=rules.tabulate_story_ratios.output.table_csv if TABLE_UNITS else [],
        diversity=rules.tabulate_diversity.output.table_csv if WRITTEN_UNITS else [],
        gaps="results/propagation/not_run.csv",
    output:
        ledger="results/ledger/propagation.csv",
    log:
        "logs/build_propagation_ledger.log",
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.ledger:build_propagation_ledger"),
        base_models={name: row.published_name for name, row in BASE_MODELS.items()},
        base_model_gaps={
            name: missing_base_model(row) for name, row in BASE_MODELS.items()
        },
        selected=PROPAGATION.base_models,
        training_languages=PROPAGATION.training_languages,
        training_seed=PROPAGATION.training_seeds[0],
        steps=PROPAGATION.steps,
        encoder=PROPAGATION.encoder,
        tagger=PROPAGATION.tagger,
        story_generator=STORY_GENERATOR,
    script:
        "../scripts/step.py"
