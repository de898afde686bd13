"""The `lexicon` study (Muller 2023).

NEEDS  results/corpora/{corpus}/{lang}.parquet, a lexicon per language
GIVES  results/lexicon/counts/{corpus}/{lang}.{engine}.parquet  per text: words, matches, both procedures
       results/lexicon/summary/{corpus}.{engine}.parquet        rates, intervals, verdicts
       results/lexicon/tables/, figures/, divergence/
       results/crawls/{crawl}/documents.csv, records.csv        what became of documents and records
"""

LEXICON = PLANS["lexicon"]


# Importing Stanza takes as long as counting a thousand sentences, so one job counts all corpora of a language, but for
# crawls. A rule cannot have different outputs for different languages, so there is one for each set of corpora.
for TOGETHER, OF_LANGS in LEXICON.counted_together.items():

    rule:
        name:
            f"count_lexicon_in_{'_and_'.join(TOGETHER)}"
        input:
            texts=expand("results/corpora/{corpus}/{{lang}}.parquet", corpus=TOGETHER),
            lexicon=lambda wildcards: LEXICON.lexicon(wildcards.lang),
            revision=LEXICON.revision,
            model=LEXICON.model,
        output:
            counts=expand(
                "results/lexicon/counts/{corpus}/{{lang}}.{{engine}}.parquet",
                corpus=TOGETHER,
            ),
        log:
            f"logs/count_lexicon/{'_and_'.join(TOGETHER)}/{{lang}}.{{engine}}.log",
        benchmark:
            f"logs/count_lexicon/{'_and_'.join(TOGETHER)}/{{lang}}.{{engine}}.benchmark.tsv"
        wildcard_constraints:
            lang=one_of(OF_LANGS),
            engine=one_of(LEXICON.engines),
        # As for the rules that profiles/slurm names.
        group:
            "texts"
        conda:
            "../../envs/ml.yaml"
        resources:
            mem_mb=lambda wildcards, attempt: 4000 * attempt,
            runtime=lambda wildcards, attempt: 15 * attempt,
        params:
            **step("textparity_studies.lexicon.counts:count_lexicon"),
            corpora=TOGETHER,
            lang="{lang}",
            tokenizer=LEXICON.tokenizer,
            tokenizer_digest=LEXICON.tokenizer_digest,
            layers=LEXICON.settings.layers,
            names=lambda wildcards: REGISTRY.languages[wildcards.lang].first_names,
        script:
            "../../scripts/step.py"


rule summarise_lexicon:
    input:
        counts=lambda wildcards: LEXICON.counts(**wildcards),
    output:
        summary="results/lexicon/summary/{corpus}.{engine}.parquet",
    log:
        "logs/summarise_lexicon/{corpus}.{engine}.log",
    wildcard_constraints:
        engine=one_of(LEXICON.engines),
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.summaries:summarise_lexicon"),
        **BOOTSTRAP,
        minimum=LEXICON.minimum,
    script:
        "../../scripts/step.py"


rule describe_lexicons:
    input:
        judged=LEXICON.judged,
        lexicons=list(map(LEXICON.lexicon, LEXICON.langs)),
        captions=CONTEXT.captions("lexicon"),
    output:
        tables=LEXICON.tables["lexicons"],
    log:
        "logs/describe_lexicons.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.tables:describe_lexicons"),
        langs=LEXICON.langs,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_lexicon:
    input:
        summaries=LEXICON.main_summaries,
        compared_summaries=LEXICON.compared_summaries,
        captions=CONTEXT.captions("lexicon"),
    output:
        tables=LEXICON.tables["summaries"],
    log:
        "logs/tabulate_lexicon.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.tables:tabulate_lexicon"),
        corpus_names=LEXICON.corpus_names,
    script:
        "../../scripts/step.py"


rule tabulate_matches:
    input:
        counts=LEXICON.main_counts,
        texts=LEXICON.main_texts,
        summaries=LEXICON.main_summaries,
        captions=CONTEXT.captions("lexicon"),
    output:
        tables=LEXICON.tables["matches"],
    log:
        "logs/tabulate_matches.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.tables:tabulate_matches"),
        corpus_names=LEXICON.corpus_names,
        pivots=LEXICON.pivots,
        divergence_rows=LEXICON.settings.divergence_rows,
        confidence_level=CONFIG.bootstrap.confidence_level,
        minimum=LEXICON.minimum,
    script:
        "../../scripts/step.py"


rule measure_symmetry:
    input:
        texts=LEXICON.balanced_inputs,
        captions=CONTEXT.captions("lexicon"),
    output:
        tables=LEXICON.symmetry,
    log:
        "logs/measure_symmetry.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.symmetry:measure_symmetry"),
        **BOOTSTRAP,
        files=LEXICON.balanced_files,
    script:
        "../../scripts/step.py"


rule tabulate_average_leads:
    input:
        counts=LEXICON.parallel_counts,
        captions=CONTEXT.captions("lexicon"),
    output:
        tables=LEXICON.average_lead,
    log:
        "logs/tabulate_average_leads.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.tables:tabulate_average_leads"),
        **BOOTSTRAP,
        corpus_names=LEXICON.corpus_names,
    script:
        "../../scripts/step.py"


rule plot_lexicon:
    input:
        summaries=LEXICON.main_summaries,
        lexicon_sizes=LEXICON.lexicon_sizes,
    output:
        figures=figures(LEXICON.figures),
    log:
        "logs/plot_lexicon.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.figures:plot_lexicon"),
        corpus_names=LEXICON.corpus_names,
        lexicon_name=LEXICON.lexicon_name,
        language_names=LEXICON.language_names,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule summarise_crawl:
    input:
        parts=lambda wildcards: CORPORA.crawl_parts(wildcards.crawl),
        texts=lambda wildcards: LEXICON.crawl_texts(wildcards.crawl),
    output:
        documents_csv="results/crawls/{crawl}/documents.csv",
        records_csv="results/crawls/{crawl}/records.csv",
    log:
        "logs/summarise_crawl/{crawl}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.summaries:summarise_crawl"),
    script:
        "../../scripts/step.py"
