"""The settings of the `swapping` study, the names in its files, and its table of sequence-to-sequence models.

Rule files import this module while they are parsed, so it loads no tool.
"""

from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field
from pydantic.dataclasses import dataclass as checked_dataclass

from textparity_studies.llm.models import load_rows
from textparity_studies.llm.weights import Text, WeightsRow, find_adapter_folder, missing_weights
from textparity_studies.workflow.settings import Closed, Count, Procedure, Seed

Check = Literal["changed", "token_count", "titles_swapped", "titles_paired", "names", "agreement", "other_entities"]
TrainingData = Literal["original", "duplicated", "balanced"]
Architecture = Literal["tok2vec", "transformer"]

SWAPPING_LANGUAGE = "ukr"
# The value of `swapping.swapped` for sentences that the rule-based swapper makes here; no table has a row for it.
RULES = "rules"
# A system whose outputs are its inputs: it shows the scores that are reached without swapping anything.
UNCHANGED = "unchanged"
# The authors' candidates, and the sentences that their reviewers kept.
RECORDED, RECORDED_REVIEWED = "recorded", "recorded_reviewed"

# The compared corpora, and the union of both.
ORIGINAL, SWAPPED, AUGMENTED = "original", "swapped", "augmented"
PAPERS_CORPORA = ("ner_uk", "ner_uk_swapped")
# The sample of Table 1: the lines of the original with a title.
BESIDE_JOB = "original, lines with JOB"
TRAIN, DEV, TEST = "train", "dev", "test"
TOTAL = "total"
# The ending of the names of swapped documents, as in the published corpus.
ENDING = "-swapped"

# Decisions about a candidate; the last one is that of a candidate without any.
ACCEPT, CORRECT, DISMISS, UNDECIDED = "accept", "correct", "dismiss", "undecided"
DECISIONS = (ACCEPT, CORRECT, DISMISS)
# The automatic checks of candidates.
CHECKS = get_args(Check)
# Separates the names and repairs in a cell.
LIST_SEPARATOR = "; "

# The entities whose gender is studied, under NER-UK's labels: job titles and persons' names.
JOB, PERS = "JOB", "PERS"
LABELS = (JOB, PERS)

# The grammatical genders of a title or name (Nahurna and Romanyshyn 2025, §4.1.1).
MASCULINE, FEMININE, COMMON, UNKNOWN = "masculine", "feminine", "common", "unknown"
GENDERS = (MASCULINE, FEMININE, COMMON, UNKNOWN)
# The paper's procedure without and with its hand-made exceptions, and ours.
PUBLISHED, WITH_EXCEPTIONS, CORRECTED = "published", "published with exceptions", "corrected"
# The column of each procedure in the rows of entities.
GENDER_COLUMNS = {
    PUBLISHED: "gender_published",
    WITH_EXCEPTIONS: "gender_published_with_exceptions",
    CORRECTED: "gender_corrected",
}

# Training data of recognizers, and then the test data.
DUPLICATED, BALANCED = "duplicated", "balanced"
TRAINING_DATA = get_args(TrainingData)
TEST_SETS = (ORIGINAL, SWAPPED, AUGMENTED)
MEASURES = ("precision", "recall", "f1")
# The columns that identify a training.
RUN = ("procedure", "data", "seed")
# Rows of scores other than types and genders: all entities, and the mean of the types weighted by their number.
ALL, WEIGHTED = "all", "weighted average"


class SwappingWordLists(Closed):
    """Hold the paths of the study's Ukrainian word lists; files under results/sources/ are fetched."""

    gender_pairs: str = "results/sources/gender_word_mapper/gender_pairs_dictionary.csv"
    common_gender_words: str = "results/sources/gender_word_mapper/common_gender_words_list.txt"
    feminine_names: str = "results/sources/name_frequencies_uk/generated/female_fname_freq_dict.csv"
    masculine_names: str = "results/sources/name_frequencies_uk/generated/male_fname_freq_dict.csv"


class EntityRecognition(Closed):
    """Hold the training settings and data of entity recognizers; one training for each procedure, data and seed."""

    procedures: Annotated[list[Procedure], Field(min_length=1)] = ["published", "corrected"]
    data: Annotated[list[TrainingData], Field(min_length=1)] = ["original", "duplicated", "balanced"]
    seeds: list[Seed] = [1, 2, 3]
    architecture: Architecture = "tok2vec"
    max_steps: Count | None = None
    dev_share: Annotated[float, Field(gt=0, lt=1)] = 0.1


class SwappingSettings(Closed):
    """Settings of the `swapping` study (Nahurna and Romanyshyn 2025)."""

    corpus: str = "ner_uk"
    swapped: str = "ner_uk_swapped"
    word_lists: SwappingWordLists = SwappingWordLists()
    prompt: str = "swap_gender"
    request: Procedure = "published"
    swappers: list[str] = []
    evaluated_swappers: list[str] = []
    review_file: Annotated[str, Field(pattern=r"\{system\}")] = "reviews/{system}.csv"
    gender_exceptions: str = "resources/swapping/word_lists/gender_exceptions_ukr.tsv"
    gender_gold: str = "resources/swapping/gold/gender_ukr.tsv"
    outputs: list[str] = ["gpt-4o-mini", "aya-101", "aya-101-fine-tuned"]
    parallel_sentences: list[str] = [
        f"results/sources/ner_for_fem/data/csv_files_with_par_sentences/{name}_parallel.csv" for name in ("bruk", "ng")
    ]
    reviews: list[str] = [
        f"results/sources/ner_for_fem/annotation_project/sentences_after_annotation/{name}_swapped.csv"
        for name in ("dev", "test")
    ]
    test_set: str | None = (
        "results/sources/ner_for_fem/data/results_of_evaluation/LLM_models_comparisson/"
        "MAIN_gpt_for_the_test_parallel_dataset.csv"
    )
    required_checks: list[Check] = [*CHECKS]
    recognition: EntityRecognition = EntityRecognition()


@checked_dataclass(frozen=True, kw_only=True)
class SequenceModelRow(WeightsRow):
    """Describe one model that swaps (Nahurna 2025, §4.1.4, fine-tunes one of them, Aya-101).

    `adapter` is `train` for one that is trained here, the name of a published one on the Hugging Face hub, a folder, or
    empty for the model without an adapter. `epochs` is the length of its training. `instruction` precedes a sentence to
    swap, and an answer has at most `answer_tokens` tokens.
    """

    adapter: str
    epochs: Count
    answer_tokens: Count
    instruction: Text

    @property
    def is_trained(self) -> bool:
        """True if its adapter is trained here."""
        return self.adapter == "train"


def load_sequence_models(path: str | Path) -> dict[str, SequenceModelRow]:
    """Read the table by name; `TableError` names the line and column of an invalid cell."""
    return load_rows(path, SequenceModelRow)


def missing_sequence_model(row: SequenceModelRow) -> str:
    """Explain why a model or its adapter cannot be loaded here, or return an empty string; the check loads nothing."""
    if reason := missing_weights(row):
        return reason
    if not row.adapter or row.is_trained or find_adapter_folder(row.adapter):
        return ""
    return (
        f"the adapter {row.adapter} is not on this machine: neither a folder with an adapter_config.json, nor in the "
        f"Hugging Face cache (hf download {row.adapter})"
    )
