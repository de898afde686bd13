"""The `translation` study (Stanovsky 2019): whether translations of WinoMT keep the gender of persons.

NEEDS  rows of resources/registry/translations.tsv, the sentences, spaCy pipelines for Spanish, French and Italian
GIVES  results/translation/findings/{system}/{lang}.parquet  per sentence: the gender of the translated occupation
       results/translation/annotated/{system}/{lang}.csv     the same beside what people annotated
       results/translation/tables/, figures/                 scores, problems, agreement, recall of women and men
       results/ledger/translation.csv                        the authors' recorded results beside ours
"""

TRANSLATION = PLANS["translation"]


rule find_translated_genders:
    input:
        **TRANSLATION.sentences(),
        translations=TRANSLATION.translations,
        annotations=TRANSLATION.annotations,
        tools=TRANSLATION.tools,
    output:
        findings=f"{TRANSLATION.results}/findings/{{system}}/{{lang}}.parquet",
        annotated=f"{TRANSLATION.results}/annotated/{{system}}/{{lang}}.csv",
    log:
        "logs/find_translated_genders/{system}_{lang}.log",
    wildcard_constraints:
        system=one_of({system for system, _ in TRANSLATION.rows}),
        lang=one_of({lang for _, lang in TRANSLATION.rows}),
    conda:
        "../../envs/ml.yaml"
    params:
        **step(
            "textparity_studies.translation.findings:find_translated_genders",
            "textparity.persons.dictionary_finder",
        ),
        finding=TRANSLATION.finding,
    script:
        "../../scripts/step.py"


rule tabulate_translations:
    input:
        findings=TRANSLATION.findings,
        annotated=TRANSLATION.annotated_files,
        published=resource("resources/winomt/recorded.csv"),
        captions=CONTEXT.captions("translation"),
    output:
        tables=TRANSLATION.tables,
    log:
        "logs/tabulate_translations.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.translation.tables:tabulate_translations"),
        **BOOTSTRAP,
        system_names=TRANSLATION.system_names,
        language_names=TRANSLATION.language_names,
    script:
        "../../scripts/step.py"


rule build_translation_ledger:
    input:
        **ledger_inputs("translation", "resources/winomt/recorded.csv"),
        tables=expand(
            f"{TRANSLATION.results}/tables/{{name}}.csv",
            name=["scores", "confusion", "agreement"],
        ),
    output:
        ledger=TRANSLATION.ledger,
        gaps=TRANSLATION.gaps,
    log:
        "logs/build_translation_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity_studies.report.comparison:build_ledger",
            "textparity_studies.translation.ledger",
        ),
        study="translation",
        not_run=TRANSLATION.not_run,
    script:
        "../../scripts/step.py"


rule plot_recall:
    input:
        scores=f"{TRANSLATION.results}/tables/scores.csv",
    output:
        figures=figures(TRANSLATION.figures),
    log:
        "logs/plot_recall.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.translation.figures:plot_recall"),
    script:
        "../../scripts/step.py"
