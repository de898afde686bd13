"""The `translation` study (Stanovsky 2019): whether translations of WinoMT keep the gender of persons.

It finds the gender of each translated occupation, and compares it with the person's and with what people annotated.
The ledger has the authors' recorded results beside ours.
"""

from textparity.translating.genders import missing_rule

TRANSLATION = PLANS["translation"]


# The gender of the translated occupation of each sentence, and the same beside what people annotated.
use rule ml_step as find_translated_genders with:
    input:
        sentences=CONTEXT.source_file(CONFIG.translation.sentences).path,
        pro=CONTEXT.source_file(CONFIG.translation.stereotypical).path,
        anti=CONTEXT.source_file(CONFIG.translation.unstereotypical).path,
        translations=lambda wildcards: REGISTRY.file_of(
            REGISTRY.translations[f"{wildcards.system} {wildcards.lang}"]
        ).path,
        annotations=lambda wildcards: [
            REGISTRY.file_of(row, row.annotations).path for row in TRANSLATION.annotated(**wildcards)
        ],
        tools=lambda wildcards: TRANSLATION.tools(wildcards.lang),
    output:
        findings="results/translation/findings/{system}/{lang}.parquet",
        annotated="results/translation/annotated/{system}/{lang}.csv",
    log:
        "logs/find_translated_genders/{system}_{lang}.log",
    wildcard_constraints:
        system=one_of({row.system for row in REGISTRY.translations.values()}),
        lang=one_of({row.lang for row in REGISTRY.translations.values()}),
    params:
        **step(
            "textparity_studies.translation.findings:find_translated_genders", "textparity.persons.dictionary_finder"
        ),
        system="{system}",
        lang="{lang}",
        pipeline=lambda wildcards: TRANSLATION.persons.pipeline(wildcards.lang),
        methods=lambda wildcards: TRANSLATION.methods(wildcards.lang),
        language=lambda wildcards: TRANSLATION.language(wildcards.lang),
        annotated_systems=lambda wildcards: [row.system for row in TRANSLATION.annotated(**wildcards)],


NEEDS["find_translated_genders"] = lambda wildcards: missing_rule(
    wildcards.lang, TRANSLATION.persons.pipeline(wildcards.lang)
)


use rule core_step as tabulate_translations with:
    input:
        findings=each("results/translation/findings/{system}/{lang}.parquet", TRANSLATION.units),
        annotated=each("results/translation/annotated/{system}/{lang}.csv", TRANSLATION.units),
        published=resource("resources/winomt/recorded.csv"),
        captions=CONTEXT.captions("translation"),
    output:
        tables=[
            "results/translation/tables/scores.csv",
            "results/translation/tables/problems.csv",
            "results/translation/tables/kept.csv",
            "results/translation/tables/pronouns.csv",
            "results/translation/tables/confusion.csv",
            "results/translation/tables/agreement.csv",
            "results/translation/tables/occupations.csv",
            "results/translation/tables/examples.csv",
            "results/translation/tables/scores.tex",
        ],
    log:
        "logs/tabulate_translations.log",
    params:
        **step("textparity_studies.translation.tables:tabulate_translations"),
        **BOOTSTRAP,
        system_names={row.system: row.name for row in REGISTRY.translations.values()},
        language_names={row.lang: row.language for row in REGISTRY.translations.values()},


if TRANSLATION.units:

    use rule core_step as plot_recall with:
        input:
            scores="results/translation/tables/scores.csv",
        output:
            figures=figures(expand("results/translation/figures/recall.{ending}", ending=FIGURE)),
        log:
            "logs/plot_recall.log",
        params:
            **step("textparity_studies.translation.figures:plot_recall"),


use rule core_step as build_translation_ledger with:
    input:
        **ledger_inputs("translation", "resources/winomt/recorded.csv"),
        tables=[
            "results/translation/tables/scores.csv",
            "results/translation/tables/confusion.csv",
            "results/translation/tables/agreement.csv",
        ],
    output:
        ledger="results/ledger/translation.csv",
        gaps="results/translation/not_run.csv",
    log:
        "logs/build_translation_ledger.log",
    params:
        **step("textparity_studies.report.comparison:build_ledger", "textparity_studies.translation.ledger"),
        study="translation",
        not_run=TRANSLATION.not_run,


rule translation:
    input:
        final_outputs("translation"),
        rules.build_translation_ledger.output,
