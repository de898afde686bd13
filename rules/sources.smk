"""From the network (or the mirror) to rows of text.

NEEDS  resources/registry/sources.tsv, source_files.tsv, corpora.tsv
GIVES  results/sources/{source}/{path}          verified bytes
       sources.lock.tsv                         hashes learnt from first downloads
       results/samples/{sample_set}.parquet     pairs drawn from an archive, all samples
       results/corpora/{corpus}/{lang}.parquet  id, doc_id, lang, text
       results/models/{tool}/{code}.json        which model a tokenizer loads
"""


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
        sha256=CORPORA.pinned_hash,
        members=CORPORA.pinned_members,
        lock=CORPORA.lock_file,
        source="{source}",
        path="{path}",
        mirror=CONFIG.mirror,


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


use rule core_step as read_corpus with:
    input:
        source=CORPORA.source,
        document_ids=CORPORA.document_ids,
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
        drawn=CORPORA.drawn,
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
