"""The `representation` study (Derner 2025, §3–4).

NEEDS  results/corpora/{corpus}/eng.parquet, a list of gendered English words, annotated sentences
GIVES  results/representation/polarity/{corpus}.parquet  per text: words of each gender, both procedures
       results/representation/polarity_summary.parquet   totals, ratios, intervals
       results/representation/yardstick/{gold}.*.csv     annotators and lexicon on the same sentences
       results/representation/tables/
"""


rule count_polarity:
    input:
        texts="results/corpora/{corpus}/eng.parquet",
        words=resource(CONFIG.representation.polarity_words),
    output:
        counts="results/representation/polarity/{corpus}.parquet",
    log:
        "logs/count_polarity/{corpus}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.measures.polarity:count_polarity"),
    script:
        "../../scripts/step.py"


rule summarise_polarity:
    input:
        counts=collect(
            rules.count_polarity.output.counts, corpus=REPRESENTATION_CORPORA
        ),
    output:
        summary="results/representation/polarity_summary.parquet",
    log:
        "logs/summarise_polarity.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tables:summarise_polarity"),
        corpora=REPRESENTATION_CORPORA,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_polarity:
    input:
        summary=rules.summarise_polarity.output.summary,
    output:
        table_csv="results/representation/tables/{procedure}/polarity.csv",
        table_latex="results/representation/tables/{procedure}/polarity.tex",
    log:
        "logs/tabulate_polarity/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tables:tabulate_polarity"),
        corpus_names=CORPUS_NAMES,
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


rule measure_lexicon_on_gold:
    input:
        gold=lambda wildcards: REGISTRY.gold_file(wildcards.gold).path,
        lexicon=lambda wildcards: REGISTRY.lexicon_file(
            CONFIG.person_nouns, REGISTRY.gold[wildcards.gold].lang
        ).path,
    output:
        words_csv="results/representation/yardstick/{gold}.lexicon.words.csv",
        ratios_csv="results/representation/yardstick/{gold}.lexicon.ratios.csv",
    log:
        "logs/measure_lexicon_on_gold/{gold}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step(
            "textparity.studies.representation.yardstick:measure_lexicon_on_gold",
            "textparity.measures.tokenizers.icu",
        ),
        name="{gold}",
        tokenizer=lambda wildcards: tokenizer_of(
            REGISTRY, REGISTRY.gold[wildcards.gold].lang, "icu"
        ),
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_yardstick:
    input:
        words=collect(
            "results/representation/yardstick/{gold}.{method}.words.csv",
            gold=REPRESENTATION_GOLD,
            method=["lexicon", *TAGGERS],
        ),
        ratios=collect(
            "results/representation/yardstick/{gold}.{method}.ratios.csv",
            gold=REPRESENTATION_GOLD,
            method=["lexicon", *TAGGERS],
        ),
    output:
        table_csv="results/representation/tables/yardstick.csv",
        table_latex="results/representation/tables/yardstick.tex",
        words_csv="results/representation/tables/yardstick_words.csv",
    log:
        "logs/tabulate_yardstick.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.yardstick:tabulate_yardstick"),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_published_numbers:
    input:
        published=resource("resources/representation/published.csv"),
    output:
        scores_csv="results/representation/tables/published_scores.csv",
        totals_csv="results/representation/tables/published_totals.csv",
        epicene_csv="results/representation/tables/published_epicene.csv",
    log:
        "logs/tabulate_published_numbers.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.representation.published_numbers:tabulate_published_numbers"
        ),
    script:
        "../../scripts/step.py"


STUDY_TARGETS["representation"] = [
    *(
        collect(rules.tabulate_polarity.output, procedure=PROCEDURES)
        if REPRESENTATION_CORPORA
        else []
    ),
    *(rules.tabulate_yardstick.output if REPRESENTATION_GOLD else []),
    *rules.tabulate_published_numbers.output,
]
