"""Crawls: WET files into one sample of documents per language, in one pass over each file."""


wildcard_constraints:
    crawl=one_of(CORPORA.crawls),


use rule core_step as choose_wet_files with:
    input:
        paths=lambda wildcards: REGISTRY.file_of(REGISTRY.corpora[wildcards.crawl]).path,
    output:
        chosen="results/crawls/{crawl}/wet_files.tsv",
    log:
        "logs/choose_wet_files/{crawl}.log",
    localrule: True
    params:
        **step("textparity_studies.crawls:choose_wet_files"),
        crawl="{crawl}",
        files=lambda wildcards: int(REGISTRY.corpora[wildcards.crawl].wet_files),
        seed=CONFIG.seed,


# The files have 70 MB each and are removed once read. This rule runs on the submit host, because compute nodes are
# often offline.
use rule core_step as fetch_wet_file with:
    input:
        chosen=rules.choose_wet_files.output.chosen,
    output:
        file=temp("results/crawls/{crawl}/wet/{number}.warc.wet.gz"),
    log:
        "logs/fetch_wet_file/{crawl}/{number}.log",
    localrule: True
    resources:
        downloads=1,
    params:
        step="textparity_studies.crawls:fetch_wet_file",
        number=lambda wildcards: int(wildcards.number),
        base_url=lambda wildcards: REGISTRY.base_url(wildcards.crawl),
        mirror=CONFIG.mirror,


use rule core_step as split_wet_file with:
    input:
        wet=lambda wildcards: (
            f"results/crawls/{wildcards.crawl}/wet/{wildcards.number}.warc.wet.gz"
            if REGISTRY.is_list_of_files(wildcards.crawl)
            else REGISTRY.file_of(REGISTRY.corpora[wildcards.crawl]).path
        ),
        content_languages=resource("resources/registry/content_languages.tsv"),
    output:
        part=directory("results/crawls/{crawl}/parts/{number}"),
    log:
        "logs/split_wet_file/{crawl}/{number}.log",
    benchmark:
        "logs/split_wet_file/{crawl}/{number}.benchmark.tsv"
    params:
        **step("textparity_studies.crawls:split_wet_file"),
        crawl="{crawl}",
        codes=lambda wildcards: REGISTRY.crawl_codes(wildcards.crawl),
        scripts=lambda wildcards: REGISTRY.crawl_scripts(wildcards.crawl),
        documents=CONFIG.sampling.documents,
        seed=CONFIG.seed,


use rule core_step as collect_documents with:
    input:
        parts=lambda wildcards: [
            f"results/crawls/{wildcards.corpus}/parts/{number}" for number in CORPORA.wet_files(wildcards.corpus)
        ],
    output:
        texts="results/corpora/{corpus}/{lang}.parquet",
    log:
        "logs/collect_documents/{corpus}/{lang}.log",
    wildcard_constraints:
        corpus=one_of(CORPORA.crawls),
    params:
        **step("textparity_studies.crawls:collect_documents"),
        lang="{lang}",
        documents=CONFIG.sampling.documents,
