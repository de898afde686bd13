"""The `propagation` study: tables, figures (Derner 2025, Tables 8 and 9, Figure 2, and what the paper leaves out).

NEEDS  results/propagation/{polarity,diversity,perplexity}/{base_model}/{lang}.{variant}.*
GIVES  results/propagation/tables/{story_ratios,diversity,perplexity,shifts,seeds,doses,published_shifts,
       published_pooled_shifts}.csv
       results/propagation/figures/{procedure}/{story_ratios,doses,shifts}.{pdf,svg}
"""

MODEL_TABLES = "results/propagation/tables"
MODEL_FIGURES = "results/propagation/figures/{procedure}"
POLARITY_COUNTS = "results/propagation/polarity/{base_model}/{lang}.{variant}.parquet"
LANGUAGE_NAMES = {lang: row.name for lang, row in REGISTRY.languages.items()}
COUNTED_LANGUAGES = list(filter(is_gender_counted, TRAINING_LANGUAGES))


TABLE_UNITS = variants_of(TABLE_VARIANTS, COUNTED_LANGUAGES)
SEED_UNITS = variants_of(SEED_VARIANTS, COUNTED_LANGUAGES)
# With the paper's number of steps among the doses.
DOSE_UNITS = variants_of(
    dict.fromkeys([*DOSE_VARIANTS, *TABLE_VARIANTS]), COUNTED_LANGUAGES
)
WRITTEN_UNITS = variants_of(VARIANTS)
# Each condition trained for the paper's number of steps.
TRAINED_UNITS = variants_of(SEED_VARIANTS)
BOOTSTRAP_OF_STORIES = {
    "seed": CONFIG.seed,
    "resamples": CONFIG.bootstrap.resamples,
    "confidence_level": CONFIG.bootstrap.confidence_level,
}


rule tabulate_story_ratios:
    input:
        counts=files_of(POLARITY_COUNTS, TABLE_UNITS),
    output:
        table_csv=f"{MODEL_TABLES}/story_ratios.csv",
        table_latex=f"{MODEL_TABLES}/story_ratios.tex",
    log:
        "logs/tabulate_story_ratios.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.ratio_tables:tabulate_story_ratios"),
        **BOOTSTRAP_OF_STORIES,
        units=TABLE_UNITS,
    script:
        "../../scripts/step.py"


rule tabulate_doses:
    input:
        counts=files_of(POLARITY_COUNTS, DOSE_UNITS),
    output:
        table_csv=f"{MODEL_TABLES}/doses.csv",
        table_latex=f"{MODEL_TABLES}/doses.tex",
    log:
        "logs/tabulate_doses.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.ratio_tables:tabulate_doses"),
        **BOOTSTRAP_OF_STORIES,
        units=DOSE_UNITS,
    script:
        "../../scripts/step.py"


rule tabulate_shifts:
    input:
        counts=files_of(POLARITY_COUNTS, SEED_UNITS),
    output:
        shifts_csv=f"{MODEL_TABLES}/shifts.csv",
        seeds_csv=f"{MODEL_TABLES}/seeds.csv",
        shifts_latex=f"{MODEL_TABLES}/shifts.tex",
    log:
        "logs/tabulate_shifts.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.shift_tables:tabulate_shifts"),
        units=SEED_UNITS,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_published_shifts:
    input:
        published=resource("resources/propagation/published.csv"),
    output:
        shifts_csv=f"{MODEL_TABLES}/published_shifts.csv",
        pooled_csv=f"{MODEL_TABLES}/published_pooled_shifts.csv",
    log:
        "logs/tabulate_published_shifts.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.propagation.published_shifts:tabulate_published_shifts"
        ),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_diversity:
    input:
        diversity=files_of(
            "results/propagation/diversity/{base_model}/{lang}.{variant}.csv",
            WRITTEN_UNITS,
        ),
    output:
        table_csv=f"{MODEL_TABLES}/diversity.csv",
        table_latex=f"{MODEL_TABLES}/diversity.tex",
    log:
        "logs/tabulate_diversity.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.text_tables:tabulate_diversity"),
        units=WRITTEN_UNITS,
        table_variants=[variant.name for variant in TABLE_VARIANTS],
    script:
        "../../scripts/step.py"


rule tabulate_perplexity:
    input:
        perplexity=files_of(
            "results/propagation/perplexity/{base_model}/{lang}.{variant}.csv",
            TRAINED_UNITS,
        ),
    output:
        table_csv=f"{MODEL_TABLES}/perplexity.csv",
        table_latex=f"{MODEL_TABLES}/perplexity.tex",
    log:
        "logs/tabulate_perplexity.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.text_tables:tabulate_perplexity"),
        **BOOTSTRAP_OF_STORIES,
        units=TRAINED_UNITS,
    script:
        "../../scripts/step.py"


rule plot_story_ratios:
    input:
        table=rules.tabulate_story_ratios.output.table_csv,
        published=resource("resources/propagation/published.csv"),
    output:
        figure_pdf=f"{MODEL_FIGURES}/story_ratios.pdf",
        figure_svg=in_report(f"{MODEL_FIGURES}/story_ratios.svg"),
    log:
        "logs/plot_story_ratios/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.figures:plot_story_ratios"),
        procedure="{procedure}",
        published_names={
            name: BASE_MODELS[name].published_name for name in TRAINED_MODELS
        },
        language_names=LANGUAGE_NAMES,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule plot_doses:
    input:
        table=rules.tabulate_doses.output.table_csv,
    output:
        figure_pdf=f"{MODEL_FIGURES}/doses.pdf",
        figure_svg=in_report(f"{MODEL_FIGURES}/doses.svg"),
    log:
        "logs/plot_doses/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.figures:plot_doses"),
        procedure="{procedure}",
        language_names=LANGUAGE_NAMES,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule plot_shifts:
    input:
        shifts=rules.tabulate_shifts.output.shifts_csv,
        seeds=rules.tabulate_shifts.output.seeds_csv,
    output:
        figure_pdf=f"{MODEL_FIGURES}/shifts.pdf",
        figure_svg=in_report(f"{MODEL_FIGURES}/shifts.svg"),
    log:
        "logs/plot_shifts/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.propagation.figures:plot_shifts"),
        procedure="{procedure}",
        language_names=LANGUAGE_NAMES,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


if PROPAGATION_ON:
    STUDY_TARGETS["propagation"] += rules.tabulate_published_shifts.output
if TABLE_UNITS:
    STUDY_TARGETS["propagation"] += [
        *rules.tabulate_story_ratios.output,
        *rules.tabulate_doses.output,
        *rules.tabulate_shifts.output,
        *collect(rules.plot_story_ratios.output, procedure=PROCEDURES),
        *collect(rules.plot_doses.output, procedure=PROCEDURES),
        *collect(rules.plot_shifts.output, procedure=PROCEDURES),
    ]
if WRITTEN_UNITS:
    STUDY_TARGETS["propagation"] += [
        *rules.tabulate_diversity.output,
        *rules.tabulate_perplexity.output,
    ]
