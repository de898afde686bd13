"""The `lexicon` study (Muller 2023).

NEEDS  results/corpora/{corpus}/{lang}.parquet, a lexicon per language
GIVES  results/lexicon/counts/{corpus}/{lang}.{engine}.parquet  per text: words, matches, both procedures
       results/lexicon/summary/{corpus}.{engine}.parquet        rates, intervals, verdicts
       results/lexicon/tables/, figures/, divergence/
"""

COUNTS = "results/lexicon/counts/{corpus}/{lang}.{engine}.parquet"
SUMMARY = "results/lexicon/summary/{corpus}.{engine}.parquet"


MAIN_SUMMARIES = [summary_of(corpus) for corpus in MAIN_CORPORA]
# Every corpus and language that the tables are of.
MAIN_UNITS = [
    [corpus, lang]
    for corpus in MAIN_CORPORA
    for lang in langs_of(corpus, main_engine(corpus))
]


rule count_lexicon:
    input:
        texts="results/corpora/{corpus}/{lang}.parquet",
        lexicon=lambda wildcards: REGISTRY.lexicon_file(
            CONFIG.person_nouns, wildcards.lang
        ).path,
        model=lambda wildcards: model_record(
            tokenizer_of(REGISTRY, wildcards.lang, wildcards.engine)
        ),
    output:
        counts=COUNTS,
    log:
        "logs/count_lexicon/{corpus}/{lang}.{engine}.log",
    benchmark:
        "logs/count_lexicon/{corpus}/{lang}.{engine}.benchmark.tsv"
    conda:
        "../../envs/ml.yaml"
    params:
        **step("textparity.measures.counting:count_lexicon"),
        tokenizer=lambda wildcards: tokenizer_of(
            REGISTRY, wildcards.lang, wildcards.engine
        ),
        first_sentence=lambda wildcards: REGISTRY.languages[
            wildcards.lang
        ].published_uses_stanza,
        tokenizer_digest=lambda wildcards: code_digest(
            tokenizer_module(tokenizer_of(REGISTRY, wildcards.lang, wildcards.engine))
        ),
    script:
        "../../scripts/step.py"


rule summarise_lexicon:
    input:
        counts=lambda wildcards: collect(
            COUNTS, lang=langs_of(**wildcards), allow_missing=True
        ),
        texts=lambda wildcards: collect(
            "results/corpora/{corpus}/{lang}.parquet",
            lang=langs_of(**wildcards),
            corpus=wildcards.corpus,
        ),
    output:
        summary=SUMMARY,
    log:
        "logs/summarise_lexicon/{corpus}.{engine}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.summary:summarise_lexicon"),
        corpus="{corpus}",
        engine="{engine}",
        langs=lambda wildcards: langs_of(**wildcards),
        seed=CONFIG.seed,
        resamples=CONFIG.bootstrap.resamples,
        confidence_level=CONFIG.bootstrap.confidence_level,
        minimum_matches=CONFIG.verdicts.minimum_matches,
        minimum_units=CONFIG.verdicts.minimum_units,
    script:
        "../../scripts/step.py"


rule tabulate_distribution:
    input:
        summary=lambda wildcards: summary_of(wildcards.corpus),
    output:
        table_csv="results/lexicon/tables/{procedure}/distribution_{corpus}.csv",
        table_latex="results/lexicon/tables/{procedure}/distribution_{corpus}.tex",
    log:
        "logs/tabulate_distribution/{procedure}/{corpus}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.tables:tabulate_distribution"),
        corpus_name=lambda wildcards: CORPUS_NAMES[wildcards.corpus],
        unit=lambda wildcards: REGISTRY.corpora[wildcards.corpus].unit,
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


rule tabulate_overview:
    input:
        summaries=MAIN_SUMMARIES,
    output:
        table_csv="results/lexicon/tables/{procedure}/overview.csv",
        table_latex="results/lexicon/tables/{procedure}/overview.tex",
    log:
        "logs/tabulate_overview/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.tables:tabulate_overview"),
        corpus_names=CORPUS_NAMES,
        procedure="{procedure}",
    script:
        "../../scripts/step.py"


rule tabulate_verdicts:
    input:
        summaries=MAIN_SUMMARIES,
    output:
        table_csv="results/lexicon/tables/verdicts.csv",
        table_latex="results/lexicon/tables/verdicts.tex",
    log:
        "logs/tabulate_verdicts.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.tables:tabulate_verdicts"),
        corpus_names=CORPUS_NAMES,
    script:
        "../../scripts/step.py"


rule tabulate_correction:
    input:
        summaries=MAIN_SUMMARIES,
    output:
        table_csv="results/lexicon/tables/correction.csv",
        table_latex="results/lexicon/tables/correction.tex",
    log:
        "logs/tabulate_correction.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.tables:tabulate_correction"),
        corpus_names=CORPUS_NAMES,
    script:
        "../../scripts/step.py"


rule tabulate_mends:
    input:
        counts=[
            COUNTS.format(corpus=corpus, lang=lang, engine=main_engine(corpus))
            for corpus, lang in MAIN_UNITS
        ],
    output:
        table_csv="results/lexicon/tables/mends.csv",
    log:
        "logs/tabulate_mends.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.mends:tabulate_mends"),
        units=MAIN_UNITS,
        corpus_names=CORPUS_NAMES,
    script:
        "../../scripts/step.py"


rule leave_one_form_out:
    input:
        counts=rules.tabulate_mends.input.counts,
        texts=[
            f"results/corpora/{corpus}/{lang}.parquet" for corpus, lang in MAIN_UNITS
        ],
        summaries=MAIN_SUMMARIES,
    output:
        table_csv="results/lexicon/tables/leave_one_out.csv",
    log:
        "logs/leave_one_form_out.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.leave_one_out:leave_one_form_out"),
        units=MAIN_UNITS,
        corpus_names=CORPUS_NAMES,
        confidence_level=CONFIG.bootstrap.confidence_level,
        minimum_matches=CONFIG.verdicts.minimum_matches,
        minimum_units=CONFIG.verdicts.minimum_units,
    script:
        "../../scripts/step.py"


rule tabulate_fidelity:
    input:
        summaries=[
            path
            for engine in ("published", "icu")
            for path in collect(SUMMARY, corpus=corpora_with(engine), engine=engine)
        ],
    output:
        table_csv="results/lexicon/tables/fidelity.csv",
        table_latex="results/lexicon/tables/fidelity.tex",
    log:
        "logs/tabulate_fidelity.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.fidelity:tabulate_fidelity"),
        corpus_names=CORPUS_NAMES,
    script:
        "../../scripts/step.py"


rule list_divergences:
    input:
        counts=lambda wildcards: COUNTS.format(
            **wildcards, engine=main_engine(wildcards.corpus)
        ),
        pivot_counts=lambda wildcards: COUNTS.format(
            corpus=wildcards.corpus,
            lang=REGISTRY.corpora[wildcards.corpus].parallel_to,
            engine=main_engine(wildcards.corpus),
        ),
        texts="results/corpora/{corpus}/{lang}.parquet",
        pivot_texts=lambda wildcards: f"results/corpora/{wildcards.corpus}/"
        f"{REGISTRY.corpora[wildcards.corpus].parallel_to}.parquet",
    output:
        divergences="results/lexicon/divergence/{corpus}/{lang}.csv",
    log:
        "logs/list_divergences/{corpus}/{lang}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.divergence:list_divergences"),
        lang="{lang}",
        pivot=lambda wildcards: REGISTRY.corpora[wildcards.corpus].parallel_to,
        rows=LEXICON.divergence_rows,
    script:
        "../../scripts/step.py"


rule measure_lexicons:
    input:
        lexicons=[
            REGISTRY.lexicon_file(CONFIG.person_nouns, lang).path
            for lang in LEXICON_LANGS
        ],
    output:
        table_csv="results/lexicon/tables/lexicon_sizes.csv",
    log:
        "logs/measure_lexicons.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.sizes:measure_lexicons"),
        langs=LEXICON_LANGS,
    script:
        "../../scripts/step.py"


rule plot_representation:
    input:
        summary=lambda wildcards: summary_of(wildcards.corpus),
    output:
        figure_pdf="results/lexicon/figures/{procedure}/representation_{corpus}.pdf",
        figure_svg=in_report(
            "results/lexicon/figures/{procedure}/representation_{corpus}.svg"
        ),
    log:
        "logs/plot_representation/{procedure}/{corpus}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.figures:plot_representation"),
        corpus_name=lambda wildcards: CORPUS_NAMES[wildcards.corpus],
        procedure="{procedure}",
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule plot_lexicon_sizes:
    input:
        sizes=rules.measure_lexicons.output.table_csv,
    output:
        figure_pdf="results/lexicon/figures/lexicon_sizes.pdf",
        figure_svg=in_report("results/lexicon/figures/lexicon_sizes.svg"),
    log:
        "logs/plot_lexicon_sizes.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.figures:plot_lexicon_sizes"),
    script:
        "../../scripts/step.py"


rule read_printed_tables:
    input:
        published=resource("resources/lexicon/published.csv"),
    output:
        verdicts="results/lexicon/tables/printed_verdicts.csv",
        sentences="results/lexicon/tables/printed_sentences.csv",
        averages="results/lexicon/tables/printed_averages.csv",
    log:
        "logs/read_printed_tables.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.printed_tables:read_printed_tables"),
    script:
        "../../scripts/step.py"


STUDY_TARGETS["lexicon"] = [
    *rules.read_printed_tables.output,
    *collect(
        rules.tabulate_distribution.output, procedure=PROCEDURES, corpus=MAIN_CORPORA
    ),
    *collect(
        rules.plot_representation.output, procedure=PROCEDURES, corpus=MAIN_CORPORA
    ),
    *(
        collect(rules.tabulate_overview.output, procedure=PROCEDURES)
        if MAIN_CORPORA
        else []
    ),
    *(
        [
            rules.tabulate_verdicts.output,
            rules.tabulate_correction.output,
            rules.tabulate_mends.output,
            rules.leave_one_form_out.output,
        ]
        if MAIN_CORPORA
        else []
    ),
    *(
        [rules.tabulate_fidelity.output]
        if corpora_with("published") and corpora_with("icu")
        else []
    ),
    rules.measure_lexicons.output.table_csv,
    *rules.plot_lexicon_sizes.output,
    *divergence_lists(),
    *(
        f"results/crawls/{corpus}/documents.csv"
        for corpus in MAIN_CORPORA
        if corpus in CRAWLS
    ),
]
