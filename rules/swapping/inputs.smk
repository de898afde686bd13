"""What the `swapping` study reads and makes, and functions for its rules: their inputs and params; no rules."""

from textparity.workflow.registry_tables import TIDIED
from textparity.studies.swapping.names import RULES, SWAPPING_LANGUAGE, UNCHANGED
from textparity.studies.swapping.availability import (
    RECORDED_TITLES,
    missing_recognizer,
    recorded_title_file,
    recorded_title_gaps,
    select_swappers,
    swap_output_gaps,
    swapping_gaps,
)
from textparity.studies.swapping.names import PAPERS_CORPORA, TEST, TRAIN
from textparity.studies.swapping.names import (
    DEV,
    TEST_SETS,
    TRAINING_DATA,
    recorded_titles_name,
)
from textparity.studies.swapping.language.syntax import parser_version

SWAPPING_GAPS = swapping_gaps(REGISTRY, CONFIG)
SWAP_OUTPUT_GAPS = swap_output_gaps(REGISTRY, CONFIG)
RECORDED_TITLE_GAPS = recorded_title_gaps(REGISTRY, CONFIG)
# The authors' models whose found and missed titles are here.
RECORDED_MODELS = [
    model
    for model in RECORDED_TITLES
    if not (CONFIG.skip_unavailable and model in RECORDED_TITLE_GAPS)
]
# The corpus and its swapped sentences; none of them where one cannot be had.
SWAPPING_ON = "swapping" in CONFIG.studies and not (
    CONFIG.skip_unavailable and SWAPPING_GAPS
)
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
IS_PAPERS_CORPUS = ENTITY_CORPORA == [*PAPERS_CORPORA]
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
if not SWAPPING_ON:
    NOT_RUN["swapping"] += [
        [corpus, REGISTRY.entity_corpora[corpus].lang, "", reason]
        for corpus, reason in SWAPPING_GAPS.items()
    ]
if CONFIG.skip_unavailable:
    NOT_RUN["swapping"] += [
        [system, SWAPPING_LANGUAGE, "", reason]
        for system, reason in SWAP_OUTPUT_GAPS.items()
    ]
    NOT_RUN["swapping"] += [
        [recorded_titles_name(model), SWAPPING_LANGUAGE, "", reason]
        for model, reason in RECORDED_TITLE_GAPS.items()
        if IS_PAPERS_CORPUS
    ]
if SWAPPING_ON and RECOGNITION_GAP:
    NOT_RUN["swapping"] += [
        ["recognition", SWAPPING_LANGUAGE, RECOGNITION.architecture, RECOGNITION_GAP]
    ]


def recorded_titles(which):
    """Return the files with the titles that the authors' models found or missed."""
    return [
        recorded_title_file(REGISTRY, model, which).path for model in RECORDED_MODELS
    ]


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


def of_ner_runs(path):
    """Return the files of all trainings."""
    return [
        path.format(procedure=procedure, data=data, seed=seed)
        for procedure, data, seed in NER_RUNS
    ]


def recognized(path):
    """Return the tables for the ledger; what is found in another corpus is not the paper's."""
    return path if RECOGNITION_ON and IS_PAPERS_CORPUS else []
