"""Functions for the rules that read crawls: their inputs and params; no rules."""


def is_wet_list(crawl):
    """Whether the path of a crawl is a list of WET files, not a WET file itself."""
    return REGISTRY.corpora[crawl].path.endswith(".paths.gz")


def wet_file(wildcards):
    """Return one WET file of a crawl."""
    if is_wet_list(wildcards.crawl):
        return f"results/crawls/{wildcards.crawl}/wet/{wildcards.number}.warc.wet.gz"
    return REGISTRY.corpus_path(wildcards.crawl).path


def crawl_parts(crawl):
    """Return one folder of documents per WET file."""
    files = int(REGISTRY.corpora[crawl].wet_files)
    return [f"results/crawls/{crawl}/parts/{number}" for number in range(files)]


def crawl_langs(crawl):
    """Return the languages whose documents are kept, whatever languages this run counts."""
    return [lang for lang in REGISTRY.languages if REGISTRY.corpus_has(crawl, lang)]


def crawl_codes(crawl):
    """Return the codes of the languages of a crawl: ISO 639-3, and the locale's."""
    rows = [REGISTRY.languages[lang] for lang in crawl_langs(crawl)]
    return {code: row.lang for row in rows for code in (row.lang, row.icu_locale)}


def crawl_scripts(crawl):
    """Return the script of each language of a crawl."""
    return {lang: REGISTRY.languages[lang].script for lang in crawl_langs(crawl)}
