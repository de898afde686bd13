"""The `propagation` study: tables and figures (Derner 2025, Tables 8 and 9, Figure 2, and what the paper leaves out)."""

if PROPAGATION.counted_variants:

    use rule core_step as tabulate_generated_stories with:
        input:
            counts=[
                *each(
                    "results/polarity/propagation/stories/{base_model}/{lang}.{variant}.parquet",
                    [variant for variant in PROPAGATION.counted_variants if variant.lang == "eng"],
                ),
                *each(
                    "results/propagation/polarity/{base_model}/{lang}.{variant}.parquet",
                    [variant for variant in PROPAGATION.counted_variants if variant.lang != "eng"],
                ),
            ],
            captions=CONTEXT.captions("propagation"),
        output:
            tables=[
                "results/propagation/tables/seeds.csv",
                *expand("results/propagation/tables/story_ratios.{ending}", ending=TABLE),
                *expand("results/propagation/tables/checkpoint_steps.{ending}", ending=TABLE),
                *expand("results/propagation/tables/shifts.{ending}", ending=TABLE),
            ],
        log:
            "logs/tabulate_generated_stories.log",
        params:
            **step("textparity_studies.propagation.tables:tabulate_generated_stories"),
            **BOOTSTRAP,
            table_variants=PROPAGATION.table_variants,
            checkpoint_variants=PROPAGATION.checkpoint_variants,
            seed_variants=PROPAGATION.seed_variants,


if PROPAGATION.trainings:

    use rule core_step as tabulate_diversity with:
        input:
            diversity=each("results/propagation/diversity/{base_model}/{lang}.{variant}.csv", PROPAGATION.variants),
            captions=CONTEXT.captions("propagation"),
        output:
            tables=expand("results/propagation/tables/diversity.{ending}", ending=TABLE),
        log:
            "logs/tabulate_diversity.log",
        params:
            **step("textparity_studies.propagation.tables:tabulate_diversity"),
            table_variants=PROPAGATION.table_variants,

    use rule core_step as tabulate_perplexity with:
        input:
            perplexity=each(
                "results/propagation/perplexity/{base_model}/{lang}.{variant}.csv", PROPAGATION.seed_variants
            ),
            captions=CONTEXT.captions("propagation"),
        output:
            tables=expand("results/propagation/tables/perplexity.{ending}", ending=TABLE),
        log:
            "logs/tabulate_perplexity.log",
        params:
            **step("textparity_studies.propagation.tables:tabulate_perplexity"),
            **BOOTSTRAP,

    use rule core_step as plot_propagation with:
        input:
            story_ratios=made("results/propagation/tables/story_ratios.csv"),
            checkpoint_steps=made("results/propagation/tables/checkpoint_steps.csv"),
            shifts=made("results/propagation/tables/shifts.csv"),
            seeds=made("results/propagation/tables/seeds.csv"),
            training_logs=each(
                "results/propagation/training/{base_model}/{lang}.{condition}.seed{seed}.csv", PROPAGATION.trainings
            ),
            published=resource("resources/propagation/published.csv"),
        output:
            figures=figures(
                expand(
                    [
                        "results/propagation/figures/published/story_ratios.{ending}",
                        "results/propagation/figures/corrected/story_ratios.{ending}",
                        "results/propagation/figures/published/checkpoint_steps.{ending}",
                        "results/propagation/figures/corrected/checkpoint_steps.{ending}",
                        "results/propagation/figures/published/shifts.{ending}",
                        "results/propagation/figures/corrected/shifts.{ending}",
                    ],
                    ending=FIGURE if PROPAGATION.counted_variants else [],
                )
                + expand("results/propagation/figures/loss.{ending}", ending=FIGURE)
            ),
        log:
            "logs/plot_propagation.log",
        params:
            **step("textparity_studies.propagation.figures:plot_propagation"),
            published_names={name: PROPAGATION.base_models[name].published_name for name in PROPAGATION.trained_models},
            language_names={lang: row.name for lang, row in REGISTRY.languages.items()},
            confidence_level=CONFIG.bootstrap.confidence_level,


use rule core_step as build_propagation_ledger with:
    input:
        **ledger_inputs("propagation"),
        tables=made(
            "results/propagation/tables/story_sets.csv",
            "results/propagation/tables/story_ratios.csv",
            "results/propagation/tables/diversity.csv",
        ),
    output:
        ledger="results/ledger/propagation.csv",
        gaps="results/propagation/not_run.csv",
    log:
        "logs/build_propagation_ledger.log",
    params:
        **step("textparity_studies.propagation.ledger:build_propagation_ledger"),
        not_run=PROPAGATION.not_run,
        settings=CONFIG.propagation.model_dump(),
        published_names={name: row.published_name for name, row in PROPAGATION.base_models.items()},
        base_model_gaps=PROPAGATION.base_model_gaps,


rule propagation:
    input:
        final_outputs("propagation"),
        each("results/propagation/stories/{base_model}/{lang}.{variant}.parquet", PROPAGATION.variants),
        each("results/propagation/perplexity/{base_model}/{lang}.{variant}.csv", PROPAGATION.seed_variants),
        rules.build_propagation_ledger.output.ledger,
