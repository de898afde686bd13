"""From the network (or the mirror) to rows of text: files of sources, models of tokenizers, corpora, samples of pairs."""

from textparity.sources.model_files import missing_model
from textparity_studies.workflow.availability import missing_from_mirror


# This rule runs on the submit host, because compute nodes are often offline.
use rule core_step as fetch_file with:
    output:
        file="results/sources/{source}/{path}",
    log:
        "logs/fetch_file/{source}/{path}.log",
    wildcard_constraints:
        source=one_of(REGISTRY.sources),
        path=".+",
    localrule: True
    resources:
        downloads=1,
    params:
        step="textparity.sources.fetch:fetch_file",
        url=lambda wildcards: REGISTRY.url(wildcards.source, wildcards.path),
        sha256=lambda wildcards: REGISTRY.pinned_hash(**wildcards),
        members=lambda wildcards: REGISTRY.pinned_members(**wildcards),
        # It is in the working directory, where the user can keep it under version control.
        lock=lambda wildcards: "sources.lock.tsv" if REGISTRY.is_locked(**wildcards) else "",
        source="{source}",
        path="{path}",
        mirror=CONFIG.mirror,


NEEDS["fetch_file"] = lambda wildcards: missing_from_mirror(REGISTRY.url(**wildcards), CONFIG.mirror)


use rule ml_step as prepare_model with:
    output:
        record="results/models/{tool}/{code}.json",
    log:
        "logs/prepare_model/{tool}/{code}.log",
    wildcard_constraints:
        tool="stanza|nltk",
    localrule: True
    resources:
        downloads=1,
    params:
        step="textparity.sources.model_files:prepare_model",
        tool="{tool}",
        code="{code}",
        folder=lambda wildcards: getattr(CONFIG.models, wildcards.tool),
        offline=CONFIG.mirror is not None,


NEEDS["prepare_model"] = lambda wildcards: missing_model(
    **wildcards, folder=getattr(CONFIG.models, wildcards.tool), offline=CONFIG.mirror is not None
)


use rule core_step as read_corpus with:
    input:
        source=lambda wildcards: paths_of([REGISTRY.corpus_file(**wildcards)])[0],
        document_ids=lambda wildcards: CORPORA.document_ids(wildcards.corpus),
    output:
        texts="results/corpora/{corpus}/{lang}.parquet",
    log:
        "logs/read_corpus/{corpus}/{lang}.log",
    wildcard_constraints:
        corpus=one_of(CORPORA.files),
    params:
        **step("textparity.corpora.reading:read_corpus"),
        corpus="{corpus}",
        lang="{lang}",
        member=lambda wildcards: REGISTRY.corpus_file(wildcards.corpus, wildcards.lang).member,
        pinned_sha256=lambda wildcards: REGISTRY.corpus_file(wildcards.corpus, wildcards.lang).pinned_sha256,
        documents=lambda wildcards: REGISTRY.corpora[wildcards.corpus].document_ids,


use rule core_step as sample_pairs with:
    input:
        archive=lambda wildcards: REGISTRY.sample_archive(wildcards.sample_set).path,
    output:
        drawn="results/samples/{sample_set}.parquet",
    log:
        "logs/sample_pairs/{sample_set}.log",
    wildcard_constraints:
        sample_set=one_of(CORPORA.sample_sets),
    params:
        **step("textparity_studies.sampling:sample_pairs"),
        members=lambda wildcards: REGISTRY.sample_members(wildcards.sample_set),
        pairs=CONFIG.sampling.pairs,
        samples=CONFIG.sampling.samples,
        letters=CONFIG.sampling.letters,
        seed=CONFIG.seed,


use rule core_step as select_language with:
    input:
        drawn=lambda wildcards: f"results/samples/{REGISTRY.corpora[wildcards.corpus].sample_set}.parquet",
    output:
        texts="results/corpora/{corpus}/{lang}.parquet",
    log:
        "logs/select_language/{corpus}/{lang}.log",
    wildcard_constraints:
        corpus=one_of(CORPORA.samples),
    params:
        **step("textparity_studies.sampling:select_language"),
        corpus="{corpus}",
        lang="{lang}",
        sample=lambda wildcards: int(REGISTRY.corpora[wildcards.corpus].sample),
