"""The configuration: typed, closed (an unknown key is an error that names it), and frozen."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from textparity.errors import ConfigError
from textparity.measures.procedures import LEAST_RESAMPLES, MOST_RESAMPLES

Engine = Literal["published", "icu"]
Study = Literal["lexicon", "representation", "newsroom", "swapping", "stereotypes", "propagation"]
Procedure = Literal["published", "corrected"]
Check = Literal["changed", "token_count", "titles_swapped", "titles_paired", "names", "agreement", "other_entities"]
Coreference = Literal["auto", "coreferee", "rules"]
TrainingData = Literal["original", "duplicated", "balanced"]
Architecture = Literal["tok2vec", "transformer"]
# What a computer can count; a number that nobody can mean is an error before anything is made with it.
_MOST = 10**9
# Of what has jobs of its own: the workflow is planned with all of them.
_MOST_JOBS = 1000
Count = Annotated[int, Field(ge=1, le=_MOST)]
JobCount = Annotated[int, Field(ge=1, le=_MOST_JOBS)]
# As scikit-learn and spaCy take them.
Seed = Annotated[int, Field(ge=0, lt=2**32)]
Fraction = Annotated[float, Field(gt=0, le=1)]
Threshold = Annotated[float, Field(ge=0)]
Letters = Literal["any", "published"]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Tables(_Closed):
    """Paths of the registry tables, relative to the working directory or to the Snakefile."""

    languages: str = "resources/registry/languages.tsv"
    sources: str = "resources/registry/sources.tsv"
    source_files: str = "resources/registry/source_files.tsv"
    corpora: str = "resources/registry/corpora.tsv"
    article_corpora: str = "resources/registry/article_corpora.tsv"
    entity_corpora: str = "resources/registry/entity_corpora.tsv"
    swap_outputs: str = "resources/registry/swap_outputs.tsv"
    lexicons: str = "resources/registry/lexicons.tsv"
    coded_lexicons: str = "resources/registry/coded_lexicons.tsv"
    gold: str = "resources/registry/gold.tsv"
    prompts: str = "resources/registry/prompts.tsv"
    language_models: str = "resources/registry/language_models.tsv"
    classifiers: str = "resources/registry/classifiers.tsv"
    base_models: str = "resources/registry/base_models.tsv"
    story_sets: str = "resources/registry/story_sets.tsv"
    story_prompts: str = "resources/registry/story_prompts.tsv"


class Bootstrap(_Closed):
    """Seeded percentile bootstrap over texts (sentences or documents)."""

    resamples: Annotated[int, Field(ge=LEAST_RESAMPLES, le=MOST_RESAMPLES)] = 1000
    confidence_level: Annotated[float, Field(gt=0, lt=1)] = 0.95


class Verdicts(_Closed):
    """What a language needs for a verdict, else it has `too few`."""

    minimum_matches: Count = 20
    minimum_units: Annotated[int, Field(ge=2, le=_MOST)] = 10


class LexiconStudy(_Closed):
    """Settings of the `lexicon` study (Muller 2023)."""

    lexicon: str = "gender_gap_v1.0"
    corpora: Annotated[list[str], Field(min_length=1)] = ["flores", "ntrex"]
    engines: Annotated[list[Engine], Field(min_length=1)] = ["published", "icu"]
    document_engines: Annotated[list[Engine], Field(min_length=1)] = ["icu"]
    documents: Count = 100_000
    divergence_rows: Count | None = None


class Sampling(_Closed):
    """Fresh samples of parallel archives, for the rows of the corpora table with a `sample`."""

    pairs: Count = 1000
    samples: JobCount = 2
    letters: Letters = "any"


class RepresentationStudy(_Closed):
    """Settings of the `representation` study (Derner 2025)."""

    corpora: Annotated[list[str], Field(min_length=1)] = [
        f"{name}_{sample}"
        for name in ("europarl", "ccaligned", "global_voices", "wmt_news", "boua", "dogv_dogcv", "dscv_dsccv")
        for sample in (1, 2)
    ]
    gold: list[str] = ["spanish", "valencian"]
    polarity_words: str = "resources/lexicons/gender_polarity_eng.tsv"
    epicene_words: str = "resources/representation/word_lists/epicene.tsv"
    prompt: str = "tag_words"
    taggers: list[str] = []
    corpus_tagger: str | None = None
    gold_runs: JobCount = 5
    corpus_runs: JobCount = 1
    sampling: Sampling = Sampling()


class NewsroomWordLists(_Closed):
    """Paths of the German word lists of the `newsroom` study."""

    generic_persons: str = "resources/newsroom/word_lists/generic_persons_deu.tsv"
    titles: str = "resources/newsroom/word_lists/titles_deu.tsv"
    coded_stems: str = "resources/newsroom/word_lists/gender_coded_stems_deu.tsv"
    speech_verbs: str = "resources/newsroom/word_lists/speech_verbs_deu.txt"
    quotation_verbs: str = "resources/newsroom/word_lists/quotation_verbs_deu.txt"
    stop_words: str = "resources/newsroom/word_lists/stop_words_deu.txt"
    person_nouns: str = "resources/newsroom/word_lists/masculine_person_nouns_deu.txt"


class AsymmetryFlags(_Closed):
    """Thresholds of the four indicators, and how many must be exceeded to leave an article out."""

    sentiment_gap: Threshold = 0.3
    subject_gap: Threshold = 0.5
    quote_gap: Threshold = 0.5
    naming_gap: Threshold = 0.5
    minimum: Annotated[int, Field(ge=1, le=4)] = 2


class Balance(_Closed):
    """The range for feminine : masculine actors and mentions, and by which procedures a corpus is balanced."""

    lower: Annotated[float, Field(gt=0)] = 0.75
    upper: Annotated[float, Field(gt=0)] = 1.25
    procedures: list[Procedure] = ["published", "corrected"]

    @model_validator(mode="after")
    def _is_a_range(self) -> "Balance":
        if self.lower > self.upper:
            raise ValueError(f"lower ({self.lower}) is above upper ({self.upper})")
        return self


class NewsroomStudy(_Closed):
    """Settings of the `newsroom` study (Urchs 2025)."""

    corpora: Annotated[list[str], Field(min_length=1)] = ["gnad", "ntrex_deu", "taz"]
    spacy_model: Annotated[str, Field(min_length=1)] = "de_core_news_lg"
    coreference: Coreference = "auto"
    annotations: dict[str, str] = {}
    sentiment: str = "auto"
    parts: JobCount = 1
    pronoun_share: Fraction = 0.7
    minimum_count: Count = 5
    word_lists: NewsroomWordLists = NewsroomWordLists()
    flags: AsymmetryFlags = AsymmetryFlags()
    balance: Balance = Balance()
    gold: str = "resources/newsroom/gold/newsroom_deu.txt"


class SwappingWordLists(_Closed):
    """Paths of the Ukrainian word lists of the `swapping` study; files under results/sources/ are fetched."""

    gender_pairs: str = "results/sources/gender_word_mapper/gender_pairs_dictionary.csv"
    common_gender_words: str = "results/sources/gender_word_mapper/common_gender_words_list.txt"
    feminine_names: str = "results/sources/name_frequencies_uk/generated/female_fname_freq_dict.csv"
    masculine_names: str = "results/sources/name_frequencies_uk/generated/male_fname_freq_dict.csv"


class EntityRecognition(_Closed):
    """How recognizers of entities are trained, and on what; one training for each procedure, data and seed."""

    procedures: Annotated[list[Procedure], Field(min_length=1)] = ["published", "corrected"]
    data: Annotated[list[TrainingData], Field(min_length=1)] = ["original", "duplicated", "balanced"]
    seeds: list[Seed] = [1, 2, 3]
    architecture: Architecture = "tok2vec"
    max_steps: Count = 2000
    dev_share: Annotated[float, Field(gt=0, lt=1)] = 0.1


class SwappingStudy(_Closed):
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


class StereotypesStudy(_Closed):
    """Settings of the `stereotypes` study (Soundararajan 2023)."""

    lexicons: Annotated[list[str], Field(min_length=1)] = ["gaucher"]
    generators: list[str] = []
    prompt: str = "gendered_sentences"
    sets: JobCount = 3
    tries: Annotated[int, Field(ge=1, le=1000)] = 8
    classifiers: Annotated[list[str], Field(min_length=1)] = ["majority", "logistic_regression"]
    stereotype_pairs: str | None = "results/sources/crows_pairs/data/crows_pairs_anonymized.csv"
    annotated_sentences: Annotated[int, Field(ge=2, le=_MOST)] = 50
    annotations: list[str] = []


class PropagationStudy(_Closed):
    """Settings of the `propagation` study (Derner 2025, §5)."""

    base_models: list[str] = []
    languages: list[str] = ["eng", "spa", "cat"]
    training_languages: Annotated[list[str], Field(min_length=1)] = ["eng"]
    steps: Count = 16
    doses: list[Count] = [1, 2, 4, 8, 16, 20]
    training_seeds: Annotated[list[Count], Field(min_length=1)] = [1, 2, 3]
    stories: Count = 10
    repetitions: JobCount = 5
    dose_repetitions: JobCount = 1
    story_tokens: Count = 100
    threads: Count = 1
    encoder: str = "all-MiniLM-L6-v2"
    tagger: str | None = None
    neutral_corpus: str = "ntrex"
    neutral_texts: Count = 300
    story_generator: str | None = None
    sentences: Annotated[int, Field(ge=2, le=_MOST)] = 5000


class Budget(_Closed):
    """The most that may ever be spent through one cache of answers; None: no limit."""

    cost: Annotated[float, Field(ge=0)] | None = None
    requests: Annotated[int, Field(ge=0)] | None = None


class LanguageModels(_Closed):
    """How language models are asked, whichever study asks."""

    cache: str = "answers.sqlite"
    recorded: list[str] = []
    budget: Budget = Budget()


class Models(_Closed):
    """Folders of downloaded models; unset: the tool's environment variable, then its usual folder."""

    stanza: str | None = None
    nltk: str | None = None


class Config(_Closed):
    """The whole of `config.yaml`; every key is commented there."""

    studies: list[Study] = ["lexicon", "representation", "newsroom", "swapping", "stereotypes", "propagation"]
    languages: Literal["all"] | Annotated[list[str], Field(min_length=1)] = "all"
    keep_going: bool = False
    seed: Seed = 20231206
    mirror: str | None = None
    models: Models = Models()
    tables: Tables = Tables()
    bootstrap: Bootstrap = Bootstrap()
    verdicts: Verdicts = Verdicts()
    lexicon: LexiconStudy = LexiconStudy()
    representation: RepresentationStudy = RepresentationStudy()
    newsroom: NewsroomStudy = NewsroomStudy()
    swapping: SwappingStudy = SwappingStudy()
    stereotypes: StereotypesStudy = StereotypesStudy()
    propagation: PropagationStudy = PropagationStudy()
    language_models: LanguageModels = LanguageModels()


def load_config(values: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Config:
    """Validate `values` (the parsed YAML) and let the environment fill the machine's own folders.

    `TEXTPARITY_MIRROR` overrides `mirror`; `STANZA_RESOURCES_DIR` and `NLTK_DATA` fill `models.*` where
    they are unset. Raises `ConfigError` naming every wrong key.
    """
    try:
        config = Config.model_validate(dict(values))
    except ValidationError as error:
        raise ConfigError(_explain(error)) from None
    models = Models(
        stanza=config.models.stanza or environment.get("STANZA_RESOURCES_DIR") or str(Path.home() / "stanza_resources"),
        nltk=config.models.nltk or environment.get("NLTK_DATA") or str(Path.home() / "nltk_data"),
    )
    mirror = environment.get("TEXTPARITY_MIRROR") or config.mirror
    if mirror is not None and not (Path(mirror) / "urls.tsv").is_file():
        raise ConfigError(
            f"mirror: {mirror} has no urls.tsv; set `mirror` (or TEXTPARITY_MIRROR) to a folder that has one, "
            "or leave both unset to use the network"
        )
    return config.model_copy(update={"models": models, "mirror": mirror})


def _explain(error: ValidationError) -> str:
    lines = []
    for item in error.errors():
        key = ".".join(str(part) for part in item["loc"]) or "(top level)"
        if item["type"] == "extra_forbidden":
            lines.append(f"{key}: unknown key; see the keys in config.yaml")
        else:
            lines.append(f"{key}: {item['msg'].lower()} (got {item['input']!r})")
    return "the configuration is not valid:\n  " + "\n  ".join(lines)
