"""Settings of the `newsroom` study."""

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from textparity_studies.workflow.settings import Closed, Count, JobCount, Procedure

Coreference = Literal["auto", "coreferee", "rules"]
Threshold = Annotated[float, Field(ge=0)]
Fraction = Annotated[float, Field(gt=0, le=1)]
PipelineName = Annotated[str, Field(min_length=1)]


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


class Settings(Closed):
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
