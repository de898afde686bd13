"""Settings of the `swapping` study."""

from typing import Annotated, Literal

from pydantic import Field

from textparity_studies.workflow.settings import Closed, Count, Procedure, Seed

Check = Literal["changed", "token_count", "titles_swapped", "titles_paired", "names", "agreement", "other_entities"]
TrainingData = Literal["original", "duplicated", "balanced"]
Architecture = Literal["tok2vec", "transformer"]


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


class Settings(Closed):
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
    required_checks: list[Check] = [
        "changed", "token_count", "titles_swapped", "titles_paired", "names", "agreement", "other_entities",
    ]  # fmt: skip
    recognition: EntityRecognition = EntityRecognition()
