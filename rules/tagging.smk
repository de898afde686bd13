"""The `representation` study: what a language model tags (Derner 2025, §3.2, §4.2, App. C, D, I).

NEEDS  results/corpora/{corpus}/{lang}.parquet, annotated sentences, prompts, rows of the language models table
GIVES  results/representation/answers/{texts}.{tagger}.parquet  per text and run: the answer
       results/representation/tags/{texts}.{tagger}.parquet     per text and run: words, counts, both procedures
       results/representation/problems/{texts}.{tagger}.csv     what could not be read, or should not be there
       results/representation/validation/{gold}.{tagger}.*.csv  scores, confusion, hardest words
       results/representation/tables/
"""


rule list_gold_texts:
    input:
        gold=lambda wildcards: REGISTRY.gold_file(wildcards.gold).path,
    output:
        texts="results/gold/{gold}.parquet",
    log:
        "logs/list_gold_texts/{gold}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.gold_texts:list_gold_texts"),
        name="{gold}",
        lang=lambda wildcards: REGISTRY.gold[wildcards.gold].lang,
    script:
        "../../scripts/step.py"


# Runs on the submit host, as compute nodes are often offline; the work is the server's.
rule ask_tagger:
    input:
        unpack(lambda wildcards: tagging_prompt(wildcards.texts, wildcards.tagger)),
        texts="results/{texts}.parquet",
        recorded=recorded_answers(),
    output:
        answers="results/representation/answers/{texts}.{tagger}.parquet",
    log:
        "logs/ask_tagger/{texts}.{tagger}.log",
    wildcard_constraints:
        tagger=model_names(is_local=False),
    conda:
        "../../envs/ml.yaml"
    resources:
        language_models=1,
    params:
        **step("textparity.studies.representation.tagging:ask_tagger"),
        model=lambda wildcards: asdict(LANGUAGE_MODELS[wildcards.tagger]),
        runs=lambda wildcards: runs_of(wildcards.texts),
        cache=CONFIG.language_models.cache,
        maximum_cost=CONFIG.language_models.budget.cost,
        maximum_requests=CONFIG.language_models.budget.requests,
        not_available=lambda wildcards: (
            MODEL_GAPS[wildcards.tagger] if CONFIG.skip_unavailable else ""
        ),
    script:
        "../../scripts/step.py"


# The model's server is part of the job.
use rule ask_tagger as ask_local_tagger with:
    log:
        "logs/ask_local_tagger/{texts}.{tagger}.log",
    wildcard_constraints:
        tagger=model_names(is_local=True),
    threads: ALL_CORES


localrules:
    ask_tagger,


rule parse_answers:
    input:
        skip_list=lambda wildcards: tagging_skip_list(wildcards.texts, wildcards.tagger),
        answers="results/representation/answers/{texts}.{tagger}.parquet",
        epicene_words=resource(CONFIG.representation.epicene_words),
    output:
        tags="results/representation/tags/{texts}.{tagger}.parquet",
        problems="results/representation/problems/{texts}.{tagger}.csv",
    log:
        "logs/parse_answers/{texts}.{tagger}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tag_counts:parse_answers"),
        lang=lambda wildcards: lang_of(wildcards.texts),
    script:
        "../../scripts/step.py"


TAGGING_UNITS = [
    *((f"gold/{gold}", tagger) for gold in REPRESENTATION_GOLD for tagger in TAGGERS),
    *(
        (f"corpora/{corpus}/{lang}", REPRESENTATION.corpus_tagger)
        for corpus, lang in TAGGED_UNITS
    ),
]
TAGS = "results/representation/tags/{}.{}.parquet"
TAGGED_CORPORA = [
    TAGS.format(*unit) for unit in TAGGING_UNITS if unit[0].startswith("corpora/")
]


rule summarise_tags:
    input:
        tags=TAGGED_CORPORA,
    output:
        summary="results/representation/tags_summary.parquet",
    log:
        "logs/summarise_tags.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tag_tables:summarise_tags"),
        corpora=[corpus for corpus, _ in TAGGED_UNITS],
        langs=[lang for _, lang in TAGGED_UNITS],
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_tags:
    input:
        summary=rules.summarise_tags.output.summary,
    output:
        table_csv="results/representation/tables/{procedure}/tags.csv",
        table_latex="results/representation/tables/{procedure}/tags.tex",
    log:
        "logs/tabulate_tags/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tag_tables:tabulate_tags"),
        corpus_names=CORPUS_NAMES,
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


rule tabulate_epicene:
    input:
        tags=TAGGED_CORPORA,
    output:
        table_csv="results/representation/tables/epicene.csv",
        table_latex="results/representation/tables/epicene.tex",
    log:
        "logs/tabulate_epicene.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tag_tables:tabulate_epicene"),
        langs=[lang for _, lang in TAGGED_UNITS],
    script:
        "../../scripts/step.py"


rule tabulate_answers:
    input:
        tags=[TAGS.format(*unit) for unit in TAGGING_UNITS],
    output:
        table_csv="results/representation/tables/answers.csv",
    log:
        "logs/tabulate_answers.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tag_tables:tabulate_answers"),
        names=[texts for texts, _ in TAGGING_UNITS],
    script:
        "../../scripts/step.py"


rule score_tagger:
    input:
        gold=lambda wildcards: REGISTRY.gold_file(wildcards.gold).path,
        answers="results/representation/answers/gold/{gold}.{tagger}.parquet",
        tags="results/representation/tags/gold/{gold}.{tagger}.parquet",
        skip_list=lambda wildcards: tagging_skip_list(
            f"gold/{wildcards.gold}", wildcards.tagger
        ),
    output:
        scores_csv="results/representation/validation/{gold}.{tagger}.scores.csv",
        confusion_csv="results/representation/validation/{gold}.{tagger}.confusion.csv",
        words_csv="results/representation/validation/{gold}.{tagger}.words.csv",
    log:
        "logs/score_tagger/{gold}.{tagger}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.scores:score_tagger"),
        name="{gold}",
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule measure_tagger_on_gold:
    input:
        gold=lambda wildcards: REGISTRY.gold_file(wildcards.gold).path,
        tags="results/representation/tags/gold/{gold}.{tagger}.parquet",
    output:
        words_csv="results/representation/yardstick/{gold}.{tagger}.words.csv",
        ratios_csv="results/representation/yardstick/{gold}.{tagger}.ratios.csv",
    log:
        "logs/measure_tagger_on_gold/{gold}.{tagger}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.yardstick:measure_tagger_on_gold"),
        name="{gold}",
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_scores:
    input:
        scores=collect(
            rules.score_tagger.output.scores_csv,
            gold=REPRESENTATION_GOLD,
            tagger=TAGGERS,
        ),
    output:
        table_csv="results/representation/tables/{procedure}/validation.csv",
        table_latex="results/representation/tables/{procedure}/validation.tex",
    log:
        "logs/tabulate_scores/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.scores:tabulate_scores"),
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


rule tabulate_errors:
    input:
        confusion=collect(
            rules.score_tagger.output.confusion_csv,
            gold=REPRESENTATION_GOLD,
            tagger=TAGGERS,
        ),
        words=collect(
            rules.score_tagger.output.words_csv,
            gold=REPRESENTATION_GOLD,
            tagger=TAGGERS,
        ),
    output:
        confusion_csv="results/representation/tables/confusion.csv",
        hardest_csv="results/representation/tables/hardest_words.csv",
    log:
        "logs/tabulate_errors.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.scores:tabulate_errors"),
    script:
        "../../scripts/step.py"


# What asking would take, without asking: `snakemake estimate`.
rule estimate_tagging:
    input:
        unpack(lambda wildcards: tagging_prompt(wildcards.texts, wildcards.tagger)),
        texts="results/{texts}.parquet",
        recorded=recorded_answers(),
    output:
        estimate_csv=temp("results/representation/estimates/{texts}.{tagger}.csv"),
    log:
        "logs/estimate_tagging/{texts}.{tagger}.log",
    conda:
        "../../envs/core.yaml"
    params:
        step="textparity.studies.representation.tagging:write_estimate",
        name="{texts}",
        model=lambda wildcards: asdict(LANGUAGE_MODELS[wildcards.tagger]),
        runs=lambda wildcards: runs_of(wildcards.texts),
        cache=CONFIG.language_models.cache,
    script:
        "../../scripts/step.py"


rule estimate:
    input:
        # Filled by all rule files, so known only when they are read.
        estimates=lambda wildcards: ESTIMATES,
    log:
        "logs/estimate.log",
    localrule: True
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.representation.tagging:show_estimates"),
    script:
        "../../scripts/step.py"


ESTIMATES += [
    f"results/representation/estimates/{texts}.{tagger}.csv"
    for texts, tagger in TAGGING_UNITS
]
if TAGGING_UNITS:
    STUDY_TARGETS["representation"] += rules.tabulate_answers.output
if TAGGED_UNITS:
    STUDY_TARGETS["representation"] += [
        *collect(rules.tabulate_tags.output, procedure=PROCEDURES),
        *rules.tabulate_epicene.output,
    ]
if TAGGERS and REPRESENTATION_GOLD:
    STUDY_TARGETS["representation"] += [
        *collect(rules.tabulate_scores.output, procedure=PROCEDURES),
        *rules.tabulate_errors.output,
    ]
if DRY_RUN and TAGGING_UNITS:
    say_estimates(TAGGING_UNITS)
