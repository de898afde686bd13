"""Config, registry and helpers; no rules. All names in capitals are used by the other rule files."""

import os
import re
import sys
from dataclasses import asdict
from pathlib import Path

from textparity.availability import (
    engines_of,
    find_gaps,
    lexicon_units,
    missing_file,
    missing_model_access,
    missing_recognizer,
    newsroom_gaps,
    representation_gaps,
    select_coded_lexicons,
    select_generators,
    select_swappers,
    select_taggers,
    swap_output_gaps,
    swapping_gaps,
    tagged_languages,
    tokenizer_of,
)
from textparity.config import load_config
from textparity.errors import MissingResourceError
from textparity.llm.models import load_models
from textparity.newsroom.tools import (
    GOLD_CORPUS,
    NEWSROOM_LANGUAGE,
    pipeline_version,
    sentiment_method,
)
from textparity.procedures import PROCEDURES
from textparity.propagation.base_models import load_base_models
from textparity.propagation.variants import BASE, CONDITIONS, VARIANT, Variant
from textparity.provenance import code_digest
from textparity.registry import LOCK, FileReference, Registry
from textparity.report.catalogue import list_figures
from textparity.swapping import RULES, SWAPPING_LANGUAGE
from textparity.swapping.corpus_names import TEST, TRAIN
from textparity.swapping.ner_names import DEV, TEST_SETS, TRAINING_DATA
from textparity.swapping.syntax import parser_version
from textparity.tokenizers import tokenizer_module

CONFIG = load_config(config)
REGISTRY = Registry(CONFIG.tables.model_dump(), base=Path(workflow.basedir))
LEXICON = CONFIG.lexicon
REPRESENTATION = CONFIG.representation
NEWSROOM = CONFIG.newsroom
SWAPPING = CONFIG.swapping
STEREOTYPES = CONFIG.stereotypes
PROPAGATION = CONFIG.propagation
LANGUAGE_MODELS = load_models(REGISTRY.paths["language_models"])
BASE_MODELS = load_base_models(REGISTRY.paths["base_models"])

GAPS = find_gaps(REGISTRY, CONFIG)
REPRESENTATION_GAPS = representation_gaps(REGISTRY, CONFIG)
UNITS = [
    unit
    for unit in lexicon_units(REGISTRY, CONFIG)
    if not (CONFIG.keep_going and unit in GAPS)
]
NEWSROOM_GAPS = newsroom_gaps(REGISTRY, CONFIG)
SWAPPING_GAPS = swapping_gaps(REGISTRY, CONFIG)
SWAP_OUTPUT_GAPS = swap_output_gaps(REGISTRY, CONFIG)
STUDIES = [
    "lexicon",
    "representation",
    "newsroom",
    "swapping",
    "stereotypes",
    "propagation",
]
# Their names in the report.
STUDY_NAMES = {
    "lexicon": "Lexicon (Muller 2023)",
    "representation": "Representation (Derner 2025)",
    "newsroom": "Newsroom (Urchs 2025)",
    "swapping": "Swapping (Nahurna 2025)",
    "stereotypes": "Stereotypes (Soundararajan 2023)",
    "propagation": "Propagation (Derner 2025, §5)",
}
# In the working directory, to be kept under version control.
LOCK_FILE = "sources.lock.tsv"
CRAWLS = [name for name, corpus in REGISTRY.corpora.items() if corpus.wet_files]
SAMPLED_CORPORA = [name for name, corpus in REGISTRY.corpora.items() if corpus.sample]
SAMPLE_SETS = sorted({corpus.sample_set for corpus in REGISTRY.corpora.values()} - {""})
# What each study ends in; filled by its rule file.
STUDY_TARGETS = {}
# What asking language models would take; filled by the rule files that ask.
ESTIMATES = []


# Figures 1 to 3, before and after balancing; the years that the authors publish, in both states.
SHARE_FIGURES = ["references", "quotes", "roles"]
SUMMARIES = ("summary", "balanced_summary")
YEARLY_FIGURES = {
    "unbalanced": "resources/published/urchs2025_yearly_unbalanced.csv",
    "balanced": "resources/published/urchs2025_yearly_balanced.csv",
}
BALANCE_STEPS = ["before", "after_flagging", "after_balancing"]
NEWSROOM_PARTS = range(NEWSROOM.parts)


def one_of(names):
    """Return a pattern for one of `names`, and for nothing where there are none."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    tagger="|".join(map(re.escape, LANGUAGE_MODELS)),
    corpus="|".join(map(re.escape, REGISTRY.corpora)),
    lang="|".join(map(re.escape, REGISTRY.languages)),
    engine="published|icu",
    procedure="|".join(PROCEDURES),
    source="|".join(map(re.escape, REGISTRY.sources)),
    study="|".join(STUDIES),
    gold="|".join(map(re.escape, REGISTRY.gold)),
    texts=r"gold/[^/]+|(?:corpora|propagation/story_sets|propagation/sentences)/[^/]+/[^/]+",
    sample_set=one_of(SAMPLE_SETS),
    crawl=one_of(CRAWLS),
    number=r"\d+",
    part=r"\d+",
    coded_lexicon=one_of(REGISTRY.coded_lexicons),
    generator=one_of(LANGUAGE_MODELS),
    entity_corpus=one_of(REGISTRY.entity_corpora),
    base_model=one_of(BASE_MODELS),
    condition=one_of(CONDITIONS),
    variant=VARIANT,
    news=one_of([*REGISTRY.article_corpora, GOLD_CORPUS]),


def resource(path):
    """Return a tracked file of the repository, found from the working directory or the Snakefile's folder."""
    return REGISTRY.locate(path)


def in_report(path):
    """Return a figure (SVG) marked for the report, with the caption that stands for it in report/."""
    (item,) = list_figures([path], STUDY_NAMES, REGISTRY.corpora)
    return report(
        path,
        category=item.study_name,
        subcategory="Figures",
        labels=item.labels(resource(item.caption)),
        caption=f"../{item.caption}",
    )


def source_file(path):
    """Return where a file of the config comes from: what lies under results/sources is fetched."""
    if not path.startswith("results/sources/"):
        return FileReference(path=resource(path), url="")
    source, _, inside = path.removeprefix("results/sources/").partition("/")
    return FileReference(path=path, url=REGISTRY.url(source, inside))


def langs_of(corpus, engine):
    """Return the languages of `corpus` that `engine` can count in this run."""
    return [lang for name, lang, other in UNITS if (name, other) == (corpus, engine)]


def corpora_with(engine):
    """Return the corpora that have at least one language to count with `engine`."""
    return [corpus for corpus in LEXICON.corpora if langs_of(corpus, engine)]


def model_record(tokenizer):
    """Return the model record that a tokenizer needs, as a list of no or one path."""
    if tokenizer.kind == "stanza":
        return [f"results/models/stanza/{tokenizer.code}.json"]
    return ["results/models/nltk/punkt_tab.json"] if tokenizer.kind == "nltk" else []


def main_engine(corpus):
    """Return the engine whose counts of `corpus` fill the tables and figures."""
    return engines_of(REGISTRY.corpora[corpus], CONFIG)[0]


MAIN_CORPORA = [
    corpus for corpus in LEXICON.corpora if langs_of(corpus, main_engine(corpus))
]
CORPUS_NAMES = {name: corpus.name for name, corpus in REGISTRY.corpora.items()}
REPRESENTATION_ON = "representation" in CONFIG.studies


def is_left_out(pair):
    """Whether a (corpus or gold file, language) pair is not run: with keep_going, or because it is not public."""
    corpus = REGISTRY.corpora.get(pair[0])
    return pair in REPRESENTATION_GAPS and (
        CONFIG.keep_going or bool(corpus and corpus.access)
    )


def representation_units(names):
    """Return the (corpus or gold file, language) pairs of the study that this run measures."""
    return (
        [pair for pair in names if not is_left_out(pair)] if REPRESENTATION_ON else []
    )


REPRESENTATION_CORPORA = [
    corpus
    for corpus, _ in representation_units(
        (corpus, "eng")
        for corpus in REPRESENTATION.corpora
        if REGISTRY.corpus_has(corpus, "eng")
    )
]
REPRESENTATION_GOLD = [
    gold
    for gold, _ in representation_units(
        (gold, REGISTRY.gold[gold].lang) for gold in REPRESENTATION.gold
    )
]
TAGGERS = select_taggers(REGISTRY, CONFIG, LANGUAGE_MODELS)
MODEL_GAPS = {
    name: missing_model_access(row, os.environ) for name, row in LANGUAGE_MODELS.items()
}
TAGGED_UNITS = representation_units(
    (corpus, lang)
    for corpus in REPRESENTATION.corpora
    for lang in tagged_languages(REGISTRY, CONFIG, LANGUAGE_MODELS)
    if REGISTRY.corpus_has(corpus, lang)
)
NEWSROOM_WORD_LISTS = {
    name: resource(path) for name, path in NEWSROOM.word_lists.model_dump().items()
}


def is_news_left_out(corpus):
    """Whether a corpus of articles is not run: with keep_going, or because it is not public."""
    row = REGISTRY.article_corpora.get(corpus)
    return corpus in NEWSROOM_GAPS and (CONFIG.keep_going or bool(row and row.access))


NEWSROOM_CORPORA = (
    [corpus for corpus in NEWSROOM.corpora if not is_news_left_out(corpus)]
    if "newsroom" in CONFIG.studies
    else []
)


def news_title(wildcards):
    """Return the title of a figure: which articles, by which rules."""
    corpus = REGISTRY.article_corpora[wildcards.news].name
    balanced = ", balanced" if wildcards.summary == "balanced_summary" else ""
    return f"{corpus}{balanced}, {wildcards.procedure} rules"


def paths_of(files):
    """Return where files are; say how to get one that is not public, as Snakemake cannot."""
    for file in files:
        if file.access and (reason := missing_file(file, CONFIG.mirror)):
            raise MissingResourceError(reason)
    return [file.path for file in files]


def article_document_ids(corpus):
    """Return the file of document ids of a corpus of lines, as a list of no or one path."""
    file = REGISTRY.article_document_ids(corpus)
    return [file.path] if file else []


# The corpus and its swapped sentences; none of them where one cannot be had.
SWAPPING_ON = "swapping" in CONFIG.studies and not (CONFIG.keep_going and SWAPPING_GAPS)
RECOGNITION = SWAPPING.recognition
RECOGNITION_GAP = missing_recognizer(RECOGNITION)
RECOGNITION_ON = SWAPPING_ON and not RECOGNITION_GAP
# Those that are read from files; the workflow makes the others itself.
ENTITY_CORPORA = (
    [name for name in (SWAPPING.corpus, SWAPPING.swapped) if name != RULES]
    if SWAPPING_ON
    else []
)
# What is counted in another corpus is not the paper's.
IS_PAPERS_CORPUS = ENTITY_CORPORA == ["ner_uk", "ner_uk_swapped"]
SWAPPERS, EVALUATED_SWAPPERS = (
    select_swappers(REGISTRY, CONFIG, LANGUAGE_MODELS) if SWAPPING_ON else ([], [])
)


# The authors' candidates, and what their reviewers left of them.
RECORDED, RECORDED_REVIEWED = "recorded", "recorded_reviewed"


def entity_rows(corpus, kind):
    """Return the documents, entities or genders (`kind`) of a corpus as rows, read from files or made by the workflow."""
    folder = f"swapped/{corpus}" if corpus == RULES else corpus
    return f"results/swapping/{folder}/{kind}.parquet"


CORPUS_ROWS = {
    kind: entity_rows(SWAPPING.corpus, kind) for kind in ("documents", "entities")
}
# Those of the corpus, then of its swapped sentences.
BOTH_CORPORA = {
    kind: [entity_rows(corpus, kind) for corpus in (SWAPPING.corpus, SWAPPING.swapped)]
    for kind in ("documents", "entities", "genders")
}
SCORED_CORPORA = {kind: BOTH_CORPORA[kind] for kind in ("documents", "entities")}
SWAPPING_WORD_LISTS = {
    name: resource(path) for name, path in SWAPPING.word_lists.model_dump().items()
}


# What each study leaves out: corpus, language, engine, reason.
NOT_RUN = {
    "lexicon": [[*unit, reason] for unit, reason in GAPS.items() if CONFIG.keep_going],
    "representation": [
        [*pair, "", reason]
        for pair, reason in REPRESENTATION_GAPS.items()
        if is_left_out(pair)
    ],
    "newsroom": [
        [corpus, NEWSROOM_LANGUAGE, "", reason]
        for corpus, reason in NEWSROOM_GAPS.items()
        if is_news_left_out(corpus)
    ],
    "swapping": [
        [corpus, REGISTRY.entity_corpora[corpus].lang, "", reason]
        for corpus, reason in SWAPPING_GAPS.items()
        if not SWAPPING_ON
    ]
    + [
        [system, SWAPPING_LANGUAGE, "", reason]
        for system, reason in SWAP_OUTPUT_GAPS.items()
        if CONFIG.keep_going
    ]
    + (
        [["recognition", SWAPPING_LANGUAGE, RECOGNITION.architecture, RECOGNITION_GAP]]
        if SWAPPING_ON and RECOGNITION_GAP
        else []
    ),
    "stereotypes": [],
    "propagation": [],
}
LEXICON_LANGS = sorted({lang for _, lang, _ in UNITS})


def pinned_hash(wildcards):
    """Return the sha256 of a source's file, or nothing where its members or the lock file pin it."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return "".join(
        file.sha256 for file in files if not file.member and file.sha256 != LOCK
    )


def lock_file(wildcards):
    """Return the lock file for a source's file without a known sha256, or nothing."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return LOCK_FILE if any(file.sha256 == LOCK for file in files) else ""


def pinned_members(wildcards):
    """Return the sha256 of each member of a source's archive."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return {file.member: file.sha256 for file in files if file.member}


def corpus_source(wildcards):
    """Return the file of a corpus in a language."""
    return paths_of([REGISTRY.corpus_file(wildcards.corpus, wildcards.lang)])[0]


def document_ids_path(wildcards):
    """Return the file of a corpus' document ids, as a list of no or one path."""
    file = REGISTRY.document_ids_file(wildcards.corpus)
    return [file.path] if file else []


def divergence_lists():
    """Return one list per language that has a text and the pivot's beside it."""
    pivots = {corpus: REGISTRY.corpora[corpus].parallel_to for corpus in MAIN_CORPORA}
    return [
        f"results/lexicon/divergence/{corpus}/{lang}.csv"
        for corpus, pivot in pivots.items()
        if pivot in langs_of(corpus, main_engine(corpus))
        for lang in langs_of(corpus, main_engine(corpus))
        if lang != pivot
    ]


def model_names(is_local, besides=()):
    """Return a pattern of the language models that the workflow serves itself, or of the others, but for some."""
    rows = LANGUAGE_MODELS.values()
    return one_of(
        row.name for row in rows if row.is_local == is_local and row.name not in besides
    )


def lang_of(texts):
    """Return the language of texts: `gold/{gold}`, or a path that ends in the language, or in `{lang}.{variant}`."""
    kind, name, *rest = texts.split("/")
    return REGISTRY.gold[name].lang if kind == "gold" else rest[-1].partition(".")[0]


def runs_of(texts):
    """Return how often a language model is asked about each of these texts."""
    gold = texts.startswith("gold/")
    return REPRESENTATION.gold_runs if gold else REPRESENTATION.corpus_runs


def tagging_files(texts, tagger):
    """Return the files of the tagging prompt for a language and a model, by part."""
    mode = LANGUAGE_MODELS[tagger].mode
    return REGISTRY.prompt_files(REPRESENTATION.prompt, lang_of(texts), mode)


def tagging_prompt(texts, tagger):
    """Return the parts of the prompt that are sent; an empty list for one that there is not."""
    files = tagging_files(texts, tagger)
    return {
        part: files[part].path if part in files else []
        for part in ("prompt", "examples", "system")
    }


def tagging_skip_list(texts, tagger):
    """Return the words that do not count, as a list of no or one path."""
    files = tagging_files(texts, tagger)
    return [files["skip_list"].path] if "skip_list" in files else []


def swap_prompt(swapper):
    """Return the prompt that asks a model to swap a sentence."""
    mode = LANGUAGE_MODELS[swapper].mode
    return REGISTRY.prompt_files(SWAPPING.prompt, SWAPPING_LANGUAGE, mode)[
        "prompt"
    ].path


def review_file(system):
    """Return people's decisions about a system's candidates, as a list of no or one path."""
    path = SWAPPING.review_file.replace("{system}", system)
    return [path] if Path(path).is_file() else []


def recorded_answers():
    """Return the files of recorded answers."""
    return list(map(resource, CONFIG.language_models.recorded))


# Snakemake knows only later; a job of a real run is never started with it.
DRY_RUN = any(
    re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*|--dry-?run", word) for word in sys.argv
)


def say_estimates(units):
    """Log what asking would take, for texts that are there already; `snakemake estimate` makes them first."""
    from textparity.representation_study.tagging import estimate_tagging

    for texts, tagger in units:
        parts = {
            part: Path(path) if path else None
            for part, path in tagging_prompt(texts, tagger).items()
        }
        files = [Path(f"results/{texts}.parquet"), *filter(None, parts.values())]
        said = "its texts are not there yet; `snakemake estimate` makes them and sends nothing"
        if all(file.is_file() for file in files):
            model = asdict(LANGUAGE_MODELS[tagger])
            found = estimate_tagging(
                files[0],
                **parts,
                recorded=list(map(Path, recorded_answers())),
                model=model,
                runs=runs_of(texts),
                cache=CONFIG.language_models.cache,
            )
            said = str(found)
        logger.info(f"{tagger}, {texts}: {said}")


def sentence_prompt(generator):
    """Return the parts of the prompt for sentences that are sent; an empty list for one that there is not."""
    mode = LANGUAGE_MODELS[generator].mode
    files = REGISTRY.prompt_files(STEREOTYPES.prompt, "eng", mode)
    return {
        part: files[part].path if part in files else [] for part in ("prompt", "system")
    }


def english_person_nouns(wildcards):
    """Return the English lexicon of person nouns."""
    return REGISTRY.lexicon_file(LEXICON.lexicon, "eng").path


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
