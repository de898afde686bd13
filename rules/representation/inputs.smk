"""What the `representation` study reads, and functions for its rules and for tagging; no rules."""

from textparity.studies.representation.availability import (
    representation_gaps,
    select_taggers,
    tagged_languages,
)

REPRESENTATION_GAPS = representation_gaps(REGISTRY, CONFIG)
REPRESENTATION_ON = "representation" in CONFIG.studies


def is_left_out(pair):
    """Whether a (corpus or gold file, language) pair is not run: with skip_unavailable, or because it is not public."""
    corpus = REGISTRY.corpora.get(pair[0])
    return pair in REPRESENTATION_GAPS and (
        CONFIG.skip_unavailable or bool(corpus and corpus.access)
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
TAGGED_UNITS = representation_units(
    (corpus, lang)
    for corpus in REPRESENTATION.corpora
    for lang in tagged_languages(REGISTRY, CONFIG, LANGUAGE_MODELS)
    if REGISTRY.corpus_has(corpus, lang)
)
NOT_RUN["representation"] = [
    [*pair, "", reason]
    for pair, reason in REPRESENTATION_GAPS.items()
    if is_left_out(pair)
]


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


def say_estimates(units):
    """Log what asking would take, for texts that are there already; `snakemake estimate` makes them first."""
    from textparity.llm.answering import Asking, estimate
    from textparity.studies.representation.tagging import tagging_questions

    for texts, tagger in units:
        parts = {
            part: Path(path) if path else None
            for part, path in tagging_prompt(texts, tagger).items()
        }
        files = [Path(f"results/{texts}.parquet"), *filter(None, parts.values())]
        said = "its texts are not there yet; `snakemake estimate` makes them and sends nothing"
        if all(file.is_file() for file in files):
            asking = Asking(**CONTEXT.asking(tagger))
            questions = tagging_questions(
                asking.row, files[0], **parts, runs=runs_of(texts)
            )
            said = str(estimate(questions, asking, list(map(Path, recorded_answers()))))
        logger.info(f"{tagger}, {texts}: {said}")
