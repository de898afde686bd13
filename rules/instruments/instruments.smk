"""The `instruments` study: how well methods find who is mentioned, on annotated texts.

NEEDS  annotated texts, lexicons, results/persons/nouns/{lang}.txt, spaCy pipelines where they are installed
GIVES  results/instruments/found/{gold}/{lang}.parquet     annotations, and what each method finds
       results/instruments/tables/, figures/               recall, precision and the bias of the ratio, by method
"""

INSTRUMENTS = PLANS["instruments"]


rule find_persons:
    input:
        texts=INSTRUMENTS.texts,
        beside=INSTRUMENTS.beside,
        tools=INSTRUMENTS.language_inputs,
        gold_words=resource("resources/persons/gold_words.tsv"),
        given_names=resource("resources/instruments/given_names.tsv"),
    output:
        found="results/instruments/found/{gold}/{lang}.parquet",
    log:
        "logs/find_persons/{gold}_{lang}.log",
    wildcard_constraints:
        gold=one_of({gold for gold, _ in INSTRUMENTS.units}),
    conda:
        "../../envs/ml.yaml"
    params:
        **step(
            "textparity_studies.instruments.findings:find_persons",
            "textparity.persons.dictionary_finder",
        ),
        finding=INSTRUMENTS.finding,
    script:
        "../../scripts/step.py"


rule tabulate_methods:
    input:
        found=INSTRUMENTS.found,
        tags=INSTRUMENTS.tags,
        field_matches=resource("resources/instruments/field_matches.tsv"),
        captions=CONTEXT.captions("instruments"),
    output:
        tables=[*INSTRUMENTS.tables, "results/instruments/method_errors.csv"],
        gaps="results/instruments/not_run.csv",
    log:
        "logs/tabulate_methods.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.instruments.tables:tabulate_methods"),
        **BOOTSTRAP,
        not_run=INSTRUMENTS.not_run,
        corpus_names=INSTRUMENTS.corpus_names,
    script:
        "../../scripts/step.py"


rule plot_methods:
    input:
        methods=INSTRUMENTS.methods,
    output:
        figures=figures(INSTRUMENTS.figures),
    log:
        "logs/plot_methods.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.instruments.figures:plot_methods"),
        corpus_names=INSTRUMENTS.figure_names,
        lexicon_name=REGISTRY.lexicon_name(CONFIG.person_nouns),
    script:
        "../../scripts/step.py"
