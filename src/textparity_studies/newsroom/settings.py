"""Settings of the `newsroom` study, and the tools that they name: spaCy pipelines and sentiment models on this machine.

Rule files import this module while they are parsed, so it loads and fetches no tool.
"""

import json
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from textparity.errors import how_to_install
from textparity_studies.measures.encoders import cached_file
from textparity_studies.newsroom.languages import PAPER_LANGUAGE
from textparity_studies.workflow.settings import Closed, Count, JobCount, Procedure

# The stages of balancing; each has a row of ratios.
STAGES = ("before", "after_flagging", "after_balancing")
PAPER_CORPUS = "taz"
# The annotated passages, parsed and measured like a corpus of articles.
GOLD_CORPUS = "newsroom_gold"
PAPER_PIPELINE = "de_core_news_lg"
PAPER_COREFERENCE = "coreferee"
PAPER_SENTIMENT = "oliverguhr/german-sentiment-bert"
LEXICON = "lexicon"
NONE = "none"

Coreference = Literal["auto", "coreferee", "rules"]
Threshold = Annotated[float, Field(ge=0)]
Fraction = Annotated[float, Field(gt=0, le=1)]
PipelineName = Annotated[str, Field(min_length=1)]

# The registry tables that this study alone reads.
TABLES = ("article_corpora",)


class Pipelines(Closed):
    """Map each language to the spaCy pipeline of the `newsroom` study."""

    deu: PipelineName = "de_core_news_lg"
    eng: PipelineName = "en_core_web_lg"
    fra: PipelineName = "fr_core_news_lg"


class NewsroomWordLists(Closed):
    """Hold the paths of the study's word lists; `{lang}` stands for the language of a corpus."""

    generic_persons: str = "resources/newsroom/word_lists/generic_persons_{lang}.tsv"
    titles: str = "resources/newsroom/word_lists/titles_{lang}.tsv"
    coded_stems: str = "resources/newsroom/word_lists/gender_coded_stems_{lang}.tsv"
    speech_verbs: str = "resources/newsroom/word_lists/speech_verbs_{lang}.txt"
    quotation_verbs: str = "resources/newsroom/word_lists/quotation_verbs_{lang}.txt"
    stop_words: str = "resources/newsroom/word_lists/stop_words_{lang}.txt"
    person_nouns: str = "resources/newsroom/word_lists/masculine_person_nouns_{lang}.txt"


class AsymmetryFlags(Closed):
    """Hold the thresholds of the four indicators, and the number of exceeded ones that excludes an article."""

    sentiment_gap: Threshold = 0.3
    subject_gap: Threshold = 0.5
    quote_gap: Threshold = 0.5
    naming_gap: Threshold = 0.5
    minimum: Annotated[int, Field(ge=1, le=4)] = 2


class Balance(Closed):
    """Hold the range for feminine : masculine actors and mentions, and the procedures by which a corpus is balanced."""

    lower: Annotated[float, Field(gt=0)] = 0.75
    upper: Annotated[float, Field(gt=0)] = 1.25
    procedures: list[Procedure] = ["published", "corrected"]

    @model_validator(mode="after")
    def _is_a_range(self) -> "Balance":
        if self.lower > self.upper:
            raise ValueError(f"lower ({self.lower}) is above upper ({self.upper})")
        return self


class NewsroomSettings(Closed):
    """Settings of the `newsroom` study (Urchs 2025)."""

    corpora: Annotated[list[str], Field(min_length=1)] = ["gnad", "ntrex_deu", "taz"]
    spacy_model: Pipelines = Pipelines()
    coreference: Coreference = "auto"
    annotations: dict[str, str] = {}
    sentiment: str = "auto"
    parts: JobCount = 1
    pronoun_share: Fraction = 0.7
    minimum_count: Count = 5
    word_lists: NewsroomWordLists = NewsroomWordLists()
    flags: AsymmetryFlags = AsymmetryFlags()
    balance: Balance = Balance()
    gold: str = "resources/newsroom/gold/newsroom_{lang}.txt"

    @field_validator("spacy_model", mode="before")
    @classmethod
    def _may_be_one(cls, value: object) -> object:
        """Accept a single name as that of the German pipeline."""
        if value == "":
            raise ValueError("name a pipeline")
        return {"deu": value} if isinstance(value, str) else value


def language_suffix(lang: str) -> str:
    """Make the suffix for names of a language's files. The paper's language has none."""
    return "" if lang == PAPER_LANGUAGE else f"_{lang}"


def gold_corpus(lang: str) -> str:
    """Name the corpus under which the annotated passages of a language are parsed and measured."""
    return GOLD_CORPUS + language_suffix(lang)


def missing_pipeline(model: str) -> str:
    """Explain why a spaCy pipeline cannot be loaded here, or return an empty string; the check loads nothing."""
    if find_spec("spacy") is None:
        return f"spaCy is not installed; install the extra: {how_to_install('newsroom')}"
    # For a dotted name, find_spec would import the parent packages.
    is_package = model.isidentifier() and find_spec(model) is not None
    if not is_package and not (Path(model) / "meta.json").is_file():
        return (
            f"there is no spaCy pipeline {model}, neither as an installed package (python -m spacy download {model}) "
            "nor as a folder with a meta.json; set newsroom.spacy_model"
        )
    return ""


def pipeline_version(model: str) -> str:
    """Look up the version of a spaCy pipeline without loading it; an empty string if it is not installed."""
    meta = Path(model) / "meta.json"
    if meta.is_file():
        return json.loads(meta.read_text(encoding="utf-8"))["version"]
    try:
        return version(model)
    except PackageNotFoundError:
        return ""


def sentiment_method(wanted: str, lang: str = PAPER_LANGUAGE) -> str:
    """Decide the scorer to use here: `lexicon`, `none`, or the name or folder of a model. Loads and fetches nothing.

    `auto` is the paper's model if its files are on this machine, else the lexicon, else none. Model and lexicon are
    German: for another language, `auto` and the lexicon are none.
    """
    if lang != PAPER_LANGUAGE and wanted in ("auto", LEXICON, PAPER_SENTIMENT):
        return NONE
    if wanted != "auto":
        return wanted
    if find_spec("transformers") is not None and (
        (Path(PAPER_SENTIMENT) / "config.json").is_file() or cached_file(PAPER_SENTIMENT, "config.json")
    ):
        return PAPER_SENTIMENT
    return LEXICON if find_spec("textblob_de") else NONE
