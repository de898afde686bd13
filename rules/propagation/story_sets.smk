"""The `propagation` study (Derner 2025, §5, App. E, F): sets of stories, and measures of what trained models write.

NEEDS  sets of stories (published, or prompts and a row of the language models table); what models write; a list of
       gendered English words; a sentence encoder
GIVES  results/propagation/story_answers/{condition}.{lang}.{generator}.parquet  stories as a language model answered
       results/propagation/story_sets/{condition}/{lang}.parquet      sentences of them, a corpus
       results/propagation/story_sets/polarity/{condition}.parquet    words of each gender in English sets
       results/propagation/sentences/{base_model}/{lang}.{variant}.parquet  of what models write, for the tagger
       results/propagation/polarity/{base_model}/{lang}.{variant}.parquet   per story: words of each gender
       results/propagation/diversity/{base_model}/{lang}.{variant}.csv      per repetition: diversity, repetition
       results/propagation/tables/story_sets.csv, story_set_overlap.csv
"""

from textparity.measures.encoders import missing_encoder

ENGLISH = "eng"
STORY_SET_UNITS = (
    [
        (condition, lang)
        for lang in PROPAGATION.languages
        if has_story_sets(lang)
        for condition in CONDITIONS
    ]
    if PROPAGATION_ON
    else []
)
# The row of a classifier's model, or the model itself.
ENCODER = (
    CLASSIFIER_ROWS[PROPAGATION.encoder].model
    if PROPAGATION.encoder in CLASSIFIER_ROWS
    else PROPAGATION.encoder
)
ENCODER_GAP = (
    f"{NOT_HERE}: {reason}"
    if PROPAGATION_ON and (reason := missing_encoder(ENCODER))
    else ""
)
STORY_TAGGER = PROPAGATION.tagger
TAGGER_GAP = (
    MODEL_GAPS[STORY_TAGGER]
    if STORY_TAGGER
    else f"{NOT_ASKED}: propagation.tagger is null, and words of this language need one"
)


COUNTED_SETS = [condition for condition, lang in STORY_SET_UNITS if lang == ENGLISH]
TAGGED_SETS = [
    (condition, lang)
    for condition, lang in STORY_SET_UNITS
    if lang != ENGLISH and is_gender_counted(lang)
]
GENERATED_SETS = [
    (condition, lang)
    for lang in dict.fromkeys([*PROPAGATION.languages, *TRAINING_LANGUAGES])
    if STORY_GENERATOR and PROPAGATION_ON and has_story_sets(lang)
    for condition in ASKED_CONDITIONS
]
STORY_LOCALES = {lang: REGISTRY.languages[lang].icu_locale for _, lang in STORY_SETS}

if PROPAGATION_ON and CONFIG.skip_unavailable:
    NOT_RUN["propagation"] += [
        *(
            [f"stories_{condition}", lang, "", gap]
            for (condition, lang), gap in STORY_SET_GAPS.items()
        ),
        *([["", "", PROPAGATION.encoder, ENCODER_GAP]] if ENCODER_GAP else []),
    ]


# Runs on the submit host, as compute nodes are often offline; the work is the server's.
rule ask_story_generator:
    input:
        unpack(story_prompt),
        recorded=recorded_answers(),
    output:
        answers="results/propagation/story_answers/{condition}.{lang}.{generator}.parquet",
    log:
        "logs/ask_story_generator/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=model_names(is_local=False),
    conda:
        "../../envs/ml.yaml"
    resources:
        language_models=1,
    params:
        **step("textparity.studies.propagation.story_generation:ask_story_generator"),
        name="{condition}.{lang}",
        model=lambda wildcards: asdict(LANGUAGE_MODELS[wildcards.generator]),
        icu_locale=icu_locale_of,
        sentences=PROPAGATION.sentences,
        cache=CONFIG.language_models.cache,
        maximum_cost=CONFIG.language_models.budget.cost,
        maximum_requests=CONFIG.language_models.budget.requests,
    script:
        "../../scripts/step.py"


# The model's server is part of the job.
use rule ask_story_generator as ask_local_story_generator with:
    log:
        "logs/ask_local_story_generator/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=model_names(is_local=True),
    threads: ALL_CORES


localrules:
    ask_story_generator,


rule collect_story_sentences:
    input:
        answers=f"results/propagation/story_answers/{{condition}}.{{lang}}.{STORY_GENERATOR}.parquet",
    output:
        story_set="results/propagation/story_sets/{condition}/{lang}.parquet",
    log:
        "logs/collect_story_sentences/{condition}.{lang}.log",
    wildcard_constraints:
        condition=one_of(ASKED_CONDITIONS),
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.propagation.story_generation:collect_story_sentences"
        ),
        condition="{condition}",
        lang="{lang}",
        icu_locale=icu_locale_of,
        sentences=PROPAGATION.sentences,
    script:
        "../../scripts/step.py"


rule alternate_story_sets:
    input:
        first=f"results/propagation/story_sets/{ASKED_CONDITIONS[0]}/{{lang}}.parquet",
        second=f"results/propagation/story_sets/{ASKED_CONDITIONS[1]}/{{lang}}.parquet",
    output:
        story_set="results/propagation/story_sets/balanced/{lang}.parquet",
    log:
        "logs/alternate_story_sets/{lang}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.story_generation:alternate_story_sets"),
        condition="balanced",
        sentences=PROPAGATION.sentences,
    script:
        "../../scripts/step.py"


# What asking would take, without asking: `snakemake estimate`.
rule estimate_stories:
    input:
        unpack(story_prompt),
        recorded=recorded_answers(),
    output:
        estimate_csv=temp(
            "results/propagation/estimates/{condition}.{lang}.{generator}.csv"
        ),
    log:
        "logs/estimate_stories/{condition}.{lang}.{generator}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.story_generation:estimate_stories"),
        name="stories_{condition}.{lang}",
        model=lambda wildcards: asdict(LANGUAGE_MODELS[wildcards.generator]),
        icu_locale=icu_locale_of,
        sentences=PROPAGATION.sentences,
        cache=CONFIG.language_models.cache,
    script:
        "../../scripts/step.py"


use rule count_polarity as count_story_set_polarity with:
    input:
        texts=lambda wildcards: story_set(wildcards.condition, ENGLISH),
        words=resource(REPRESENTATION.polarity_words),
    output:
        counts="results/propagation/story_sets/polarity/{condition}.parquet",
    log:
        "logs/count_story_set_polarity/{condition}.log",


use rule summarise_polarity as summarise_story_set_polarity with:
    input:
        counts=collect(
            rules.count_story_set_polarity.output.counts, condition=COUNTED_SETS
        ),
    output:
        summary="results/propagation/story_sets/polarity_summary.parquet",
    log:
        "logs/summarise_story_set_polarity.log",
    params:
        **step("textparity.studies.representation.tables:summarise_polarity"),
        corpora=COUNTED_SETS,
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,


use rule summarise_tags as summarise_story_set_tags with:
    input:
        tags=[tagged_set(*unit) for unit in TAGGED_SETS],
    output:
        summary="results/propagation/story_sets/tags_summary.parquet",
    log:
        "logs/summarise_story_set_tags.log",
    params:
        **step("textparity.studies.representation.tag_tables:summarise_tags"),
        corpora=[condition for condition, _ in TAGGED_SETS],
        langs=[lang for _, lang in TAGGED_SETS],
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,


rule tabulate_story_sets:
    input:
        texts=[story_set(*unit) for unit in STORY_SET_UNITS],
        polarity=(
            rules.summarise_story_set_polarity.output.summary if COUNTED_SETS else []
        ),
        tags=rules.summarise_story_set_tags.output.summary if TAGGED_SETS else [],
    output:
        table_csv="results/propagation/tables/story_sets.csv",
        table_latex="results/propagation/tables/story_sets.tex",
    log:
        "logs/tabulate_story_sets.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.story_set_tables:tabulate_story_sets"),
        units=[list(unit) for unit in STORY_SET_UNITS],
        icu_locales=STORY_LOCALES,
        language_names={lang: REGISTRY.languages[lang].name for lang in STORY_LOCALES},
        reasons={
            lang: TAGGER_GAP for lang in STORY_LOCALES if not is_gender_counted(lang)
        },
    script:
        "../../scripts/step.py"


rule compare_story_sets:
    input:
        texts=[story_set(*unit) for unit in STORY_SET_UNITS],
        polarity=collect(
            rules.count_story_set_polarity.output.counts, condition=COUNTED_SETS
        ),
    output:
        overlap_csv="results/propagation/tables/story_set_overlap.csv",
    log:
        "logs/compare_story_sets.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.story_set_tables:compare_story_sets"),
        units=[list(unit) for unit in STORY_SET_UNITS],
        counted=COUNTED_SETS,
    script:
        "../../scripts/step.py"


use rule count_polarity as count_story_polarity with:
    input:
        texts=lambda wildcards: written_stories(dict(wildcards, lang=ENGLISH)),
        words=resource(REPRESENTATION.polarity_words),
    output:
        counts="results/propagation/polarity/{base_model}/eng.{variant}.parquet",
    log:
        "logs/count_story_polarity/{base_model}/eng.{variant}.log",


rule split_stories:
    input:
        stories=written_stories,
    output:
        texts="results/propagation/sentences/{base_model}/{lang}.{variant}.parquet",
    log:
        "logs/split_stories/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.tagged_stories:split_stories"),
        icu_locale=icu_locale_of,
    script:
        "../../scripts/step.py"


rule count_tagged_persons:
    input:
        stories=written_stories,
        texts=rules.split_stories.output.texts,
        tags=TAGS.format(
            "propagation/sentences/{base_model}/{lang}.{variant}", STORY_TAGGER
        ),
    output:
        counts="results/propagation/polarity/{base_model}/{lang}.{variant}.parquet",
    log:
        "logs/count_tagged_persons/{base_model}/{lang}.{variant}.log",
    wildcard_constraints:
        lang=one_of([lang for lang in STORY_LOCALES if lang != ENGLISH]),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.tagged_stories:count_tagged_persons"),
    script:
        "../../scripts/step.py"


rule measure_diversity:
    input:
        stories=written_stories,
        story_sets=lambda wildcards: [
            story_set(condition, wildcards.lang) for condition in CONDITIONS
        ],
    output:
        diversity="results/propagation/diversity/{base_model}/{lang}.{variant}.csv",
    log:
        "logs/measure_diversity/{base_model}/{lang}.{variant}.log",
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.studies.propagation.diversity:measure_diversity"),
        conditions=CONDITIONS,
        encoder=ENCODER,
        icu_locale=icu_locale_of,
        not_available=ENCODER_GAP if CONFIG.skip_unavailable else "",
    script:
        "../../scripts/step.py"


if STORY_SET_UNITS:
    STUDY_TARGETS["propagation"] += [
        *rules.tabulate_story_sets.output,
        *rules.compare_story_sets.output,
    ]
ESTIMATES += [
    f"results/propagation/estimates/{condition}.{lang}.{STORY_GENERATOR}.csv"
    for condition, lang in GENERATED_SETS
]
# Sets that are there; what models write is not known before they wrote it.
if not STORY_GENERATOR:
    ESTIMATES += [
        f"results/representation/estimates/corpora/{STORY_SETS[unit]}/{unit[1]}.{STORY_TAGGER}.csv"
        for unit in TAGGED_SETS
    ]
