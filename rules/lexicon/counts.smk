"""Count the lexicon in corpora, and summarise the counts (`lexicon` study, Muller 2023).

Each text gets a row of words and matches by both procedures; each language of a corpus a row of rates, intervals and
verdicts.
"""

from textparity.counting.tokenizers import ENGINES
from textparity_studies.workflow.run_record import code_digest

LEXICON = PLANS["lexicon"]
# The evidence that a verdict needs.
MINIMUM = {"matches": CONFIG.verdicts.minimum_matches, "units": CONFIG.verdicts.minimum_units}


wildcard_constraints:
    engine=one_of(ENGINES),


# Importing Stanza takes as long as counting a thousand sentences, so one job counts all corpora of a language, but for
# crawls. A rule cannot have different outputs for different languages, so there is one for each set of corpora. A rule
# that inherits from another cannot have a computed name.
for TOGETHER, OF_LANGS in LEXICON.counted_together.items():
    COUNTING = f"count_lexicon_in_{'_and_'.join(TOGETHER)}"
    NEEDS[COUNTING] = lambda wildcards: LEXICON.tokenizer_gap(**wildcards)

    rule:
        name:
            COUNTING
        input:
            texts=expand("results/corpora/{corpus}/{{lang}}.parquet", corpus=TOGETHER),
            lexicon=lambda wildcards: REGISTRY.lexicon_file(CONFIG.person_nouns, wildcards.lang).path,
            revision=lambda wildcards: LEXICON.revision(wildcards.lang) or [],
            model=lambda wildcards: expand(
                "results/models/{record}", record=REGISTRY.tokenizer(**wildcards).model_record or []
            ),
        output:
            counts=expand("results/lexicon/counts/{corpus}/{{lang}}.{{engine}}.parquet", corpus=TOGETHER),
        log:
            f"logs/count_lexicon/{'_and_'.join(TOGETHER)}/{{lang}}.{{engine}}.log",
        benchmark:
            f"logs/count_lexicon/{'_and_'.join(TOGETHER)}/{{lang}}.{{engine}}.benchmark.tsv"
        wildcard_constraints:
            lang=one_of(OF_LANGS),
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
            tokenizer=lambda wildcards: REGISTRY.tokenizer(**wildcards),
            pins=lambda wildcards: LEXICON.tokenizer_pins(**wildcards),
            tokenizer_digest=lambda wildcards: code_digest(REGISTRY.tokenizer(**wildcards).module),
            layers=LEXICON.settings.layers,
            names=lambda wildcards: REGISTRY.languages[wildcards.lang].first_names,
        script:
            "../../scripts/step.py"


use rule core_step as summarise_lexicon with:
    input:
        counts=lambda wildcards: each(
            "results/lexicon/counts/{corpus}/{lang}.{engine}.parquet", LEXICON.units_of(**wildcards)
        ),
    output:
        summary="results/lexicon/summary/{corpus}.{engine}.parquet",
    log:
        "logs/summarise_lexicon/{corpus}.{engine}.log",
    params:
        **step("textparity_studies.lexicon.summaries:summarise_lexicon"),
        **BOOTSTRAP,
        minimum=MINIMUM,


# What became of the documents of a crawl, and of its records.
use rule core_step as summarise_crawl with:
    input:
        parts=lambda wildcards: [
            f"results/crawls/{wildcards.crawl}/parts/{number}" for number in CORPORA.wet_files(wildcards.crawl)
        ],
        texts=lambda wildcards: each("results/corpora/{corpus}/{lang}.parquet", LEXICON.units_of(wildcards.crawl)),
    output:
        documents_csv="results/crawls/{crawl}/documents.csv",
        records_csv="results/crawls/{crawl}/records.csv",
    log:
        "logs/summarise_crawl/{crawl}.log",
    params:
        **step("textparity_studies.lexicon.summaries:summarise_crawl"),
