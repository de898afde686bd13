"""Crawls: WET files into one sample of documents per language, in one pass over each file.

NEEDS  a list of WET files, or one WET file; resources/registry/content_languages.tsv
GIVES  results/crawls/{crawl}/wet_files.tsv        which files of the list are read
       results/crawls/{crawl}/parts/{number}/      documents of one file by language
       results/corpora/{crawl}/{lang}.parquet      id, doc_id, lang, text
"""


wildcard_constraints:
    crawl=one_of(CORPORA.crawls),


rule choose_wet_files:
    input:
        paths=lambda wildcards: REGISTRY.file_of(REGISTRY.corpora[wildcards.crawl]).path,
    output:
        chosen="results/crawls/{crawl}/wet_files.tsv",
    log:
        "logs/choose_wet_files/{crawl}.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity_studies.crawls:choose_wet_files"),
        crawl="{crawl}",
        files=lambda wildcards: int(REGISTRY.corpora[wildcards.crawl].wet_files),
        seed=CONFIG.seed,
    script:
        "../scripts/step.py"


# The files have 70 MB each and are removed once read. This rule runs on the submit host, because compute nodes are
# often offline.
rule fetch_wet_file:
    input:
        chosen=rules.choose_wet_files.output.chosen,
    output:
        file=temp("results/crawls/{crawl}/wet/{number}.warc.wet.gz"),
    log:
        "logs/fetch_wet_file/{crawl}/{number}.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    resources:
        downloads=1,
    params:
        step="textparity_studies.crawls:fetch_wet_file",
        number=lambda wildcards: int(wildcards.number),
        base_url=lambda wildcards: REGISTRY.base_url(wildcards.crawl),
        mirror=CONFIG.mirror,
    script:
        "../scripts/step.py"


rule split_wet_file:
    input:
        wet=CORPORA.wet_file,
        content_languages=resource("resources/registry/content_languages.tsv"),
    output:
        part=directory("results/crawls/{crawl}/parts/{number}"),
    log:
        "logs/split_wet_file/{crawl}/{number}.log",
    benchmark:
        "logs/split_wet_file/{crawl}/{number}.benchmark.tsv"
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity_studies.crawls:split_wet_file"),
        crawl="{crawl}",
        codes=CORPORA.crawl_codes,
        scripts=CORPORA.crawl_scripts,
        documents=CONFIG.sampling.documents,
        seed=CONFIG.seed,
    script:
        "../scripts/step.py"


rule collect_documents:
    input:
        parts=lambda wildcards: CORPORA.crawl_parts(wildcards.corpus),
    output:
        texts="results/corpora/{corpus}/{lang}.parquet",
    log:
        "logs/collect_documents/{corpus}/{lang}.log",
    wildcard_constraints:
        corpus=one_of(CORPORA.crawls),
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity_studies.crawls:collect_documents"),
        lang="{lang}",
        documents=CONFIG.sampling.documents,
    script:
        "../scripts/step.py"
