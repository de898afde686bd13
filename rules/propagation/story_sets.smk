"""The `propagation` study: sets of stories, published or written by a language model (Derner 2025, §5, App. E)."""

if PROPAGATION.asked_languages:
    ESTIMATES += expand(
        "results/propagation/estimates/{condition}.{lang}.{generator}.csv",
        condition=["female", "male"],
        lang=PROPAGATION.asked_languages,
        generator=PROPAGATION.settings.story_generator,
    )
else:
    # Estimates cover the sets that exist. The models' own stories are unknown until they are written.
    ESTIMATES += each("results/tagging/estimates/{texts}.{tagger}.csv", PROPAGATION.tagged_sets)


# This rule runs on the submit host, because compute nodes are often offline and the server does the work.
use rule ml_step as ask_story_generator with:
    input:
        unpack(
            lambda wildcards: PROPAGATION.prompt_parts(
                f"stories_{wildcards.condition}", wildcards.lang, wildcards.generator
            )
        ),
        recorded=recorded_answers(),
    output:
        answers="results/propagation/story_answers/{condition}.{lang}.{generator}.parquet",
    log:
        "logs/ask_story_generator/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=model_names(is_local=False),
    resources:
        language_models=1,
    params:
        **step("textparity_studies.propagation.story_sets:ask_story_generator"),
        name="{condition}.{lang}",
        asking=lambda wildcards: CONTEXT.asking(wildcards.generator),
        icu_locale=lambda wildcards: REGISTRY.languages[wildcards.lang].icu_locale,
        sentences=PROPAGATION.settings.sentences,


# Here the model's server is part of the job.
use rule ask_story_generator as ask_local_story_generator with:
    log:
        "logs/ask_local_story_generator/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=model_names(is_local=True),
    threads: ALL_CORES


localrules:
    ask_story_generator,


# `snakemake estimate` runs this: it estimates the cost without asking.
use rule ask_story_generator as estimate_stories with:
    output:
        estimate_csv=temp("results/propagation/estimates/{condition}.{lang}.{generator}.csv"),
    log:
        "logs/estimate_stories/{condition}.{lang}.{generator}.log",
    wildcard_constraints:
        generator=one_of(LANGUAGE_MODELS),
    conda:
        "../../envs/core.yaml"
    resources:
        language_models=0,
    params:
        step="textparity_studies.propagation.story_sets:estimate_stories",
        name="stories_{condition}.{lang}",


if PROPAGATION.asked_languages:

    use rule core_step as collect_story_sets with:
        input:
            female_answers=expand(
                "results/propagation/story_answers/female.{lang}.{generator}.parquet",
                generator=PROPAGATION.settings.story_generator,
                allow_missing=True,
            ),
            male_answers=expand(
                "results/propagation/story_answers/male.{lang}.{generator}.parquet",
                generator=PROPAGATION.settings.story_generator,
                allow_missing=True,
            ),
        output:
            female="results/propagation/story_sets/female/{lang}.parquet",
            male="results/propagation/story_sets/male/{lang}.parquet",
            balanced="results/propagation/story_sets/balanced/{lang}.parquet",
        log:
            "logs/collect_story_sets/{lang}.log",
        params:
            **step("textparity_studies.propagation.story_sets:collect_story_sets"),
            lang="{lang}",
            icu_locale=lambda wildcards: REGISTRY.languages[wildcards.lang].icu_locale,
            sentences=PROPAGATION.settings.sentences,


if PROPAGATION.story_sets:

    use rule core_step as tabulate_story_sets with:
        input:
            texts=each("results/{texts}.parquet", PROPAGATION.story_sets),
            polarity=each(
                "results/polarity/{texts}.parquet", [texts for texts in PROPAGATION.story_sets if texts.lang == "eng"]
            ),
            tags=each("results/tagging/tags/{texts}.{tagger}.parquet", PROPAGATION.tagged_sets),
            captions=CONTEXT.captions("propagation"),
        output:
            tables=[
                *expand("results/propagation/tables/story_sets.{ending}", ending=TABLE),
                "results/propagation/tables/story_set_overlap.csv",
            ],
        log:
            "logs/tabulate_story_sets.log",
        params:
            **step("textparity_studies.propagation.story_sets:tabulate_story_sets"),
            **BOOTSTRAP,
            units=[(stories.condition, stories.lang) for stories in PROPAGATION.story_sets],
            icu_locales={lang: REGISTRY.languages[lang].icu_locale for lang in PROPAGATION.languages},
            language_names={lang: REGISTRY.languages[lang].name for lang in PROPAGATION.languages},
            reasons={
                lang: PROPAGATION.tagger_gap
                for lang in PROPAGATION.languages
                if not PROPAGATION.is_gender_counted(lang)
            },
