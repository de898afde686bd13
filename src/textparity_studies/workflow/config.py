"""Define the configuration: typed, closed (an error names an unknown key), and frozen."""

import os
from collections.abc import Mapping
from pathlib import Path
from reprlib import Repr
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, create_model

from textparity.counting import OWN_LEXICON
from textparity.errors import ConfigError
from textparity.estimating import LEAST_RESAMPLES, MOST_RESAMPLES
from textparity.sources.model_files import find_mirror, find_model_folder
from textparity_studies import STUDIES, load_renamed, load_settings, load_tables
from textparity_studies.workflow.settings import MOST, Closed, Count, JobCount, Seed, SharedTables

if TYPE_CHECKING:
    StudyName = str
    Tables = SharedTables
else:
    StudyName = Literal[STUDIES]
    Tables = create_model(
        "Tables",
        __base__=SharedTables,
        **{name: (str, path) for study in STUDIES for name, path in load_tables(study).items()},
    )

# Map former names of keys to the present ones, for error messages.
RENAMED = {"keep_going": "skip_unavailable"} | {
    f"{study}.{old}": new for study in STUDIES for old, new in load_renamed(study).items()
}


class BootstrapSettings(Closed):
    """Configure the seeded percentile bootstrap over texts (sentences or documents)."""

    resamples: Annotated[int, Field(ge=LEAST_RESAMPLES, le=MOST_RESAMPLES)] = 1000
    confidence_level: Annotated[float, Field(gt=0, lt=1)] = 0.95


class Verdicts(Closed):
    """Set the evidence that a language needs for a verdict; with less, it has `too few`."""

    minimum_matches: Count = 20
    minimum_units: Annotated[int, Field(ge=2, le=MOST)] = 10


class BudgetSettings(Closed):
    """Limit the total spending through one cache of answers; None means no limit."""

    cost: Annotated[float, Field(ge=0)] | None = None
    requests: Annotated[int, Field(ge=0)] | None = None


class LanguageModels(Closed):
    """Configure how language models are asked, for all studies."""

    cache: str = "answers.sqlite"
    recorded: list[str] = []
    budget: BudgetSettings = BudgetSettings()


class Models(Closed):
    """Set the folders of downloaded models; unset means the tool's environment variable, then its usual folder."""

    stanza: str | None = None
    nltk: str | None = None


class Sampling(Closed):
    """Configure fresh samples of parallel archives and of crawls, for rows of the corpora table that are samples."""

    pairs: Count = 1000
    samples: JobCount = 2
    letters: Literal["any", "published"] = "any"
    documents: Count = 100_000


class TaggingSettings(Closed):
    """Configure counting by gender and reference, in lists and by language models' tags, for all studies."""

    polarity_words: str = "resources/lexicons/gender_polarity_eng.tsv"
    epicene_words: str = "resources/lexicons/epicene_words.tsv"
    prompt: str = "tag_words"
    gold_runs: JobCount = 5
    corpus_runs: JobCount = 1


class Audit(Closed):
    """Configure the audit of one's own texts; `textparity_studies.workflow.audit_plan` has the keys of `counting`."""

    files: list[str] = []
    lang: str | None = None
    lang_field: str | None = None
    field: str | None = None
    documents: str | None = None
    skip_failed: bool = False
    skip_invalid: bool = False
    counting: dict[str, Any] = {}
    parts: JobCount = 1


def _list_studies(names: Any) -> Any:
    return list(STUDIES) if names == "all" else names


class _Shared(Closed):
    """Define the keys of `config.yaml` outside the studies' sections; the comments in that file explain each key."""

    title: str = ""
    studies: Annotated[list[StudyName], BeforeValidator(_list_studies)] = Field("all", validate_default=True)
    languages: Literal["all"] | Annotated[list[str], Field(min_length=1)] = "all"
    skip_unavailable: bool = False
    seed: Seed = 20231206
    mirror: str | None = None
    models: Models = Models()
    tables: Tables = Tables()
    bootstrap: BootstrapSettings = BootstrapSettings()
    verdicts: Verdicts = Verdicts()
    person_nouns: str = "gender_gap_v1.0"
    word_list: str = OWN_LEXICON
    person_pipelines: dict[str, str] = {}
    sampling: Sampling = Sampling()
    tagging: TaggingSettings = TaggingSettings()
    language_models: LanguageModels = LanguageModels()
    audit: Audit = Audit()


if TYPE_CHECKING:

    class Config(_Shared):
        """Define the whole of `config.yaml`: the shared keys, and a section for each study."""

        def __getattr__(self, study: str) -> Any: ...

else:
    Config = create_model(
        "Config",
        __base__=_Shared,
        **{study: (settings, settings()) for study in STUDIES if (settings := load_settings(study))},
    )


def load_config(values: Mapping[str, Any], environment: Mapping[str, str] = os.environ, base: Path = Path()) -> Config:
    """Validate `values` (the parsed YAML), and set the machine's own folders from the environment.

    `TEXTPARITY_MIRROR` overrides `mirror`, which is searched in the working directory, then in `base`.
    `STANZA_RESOURCES_DIR` and `NLTK_DATA` set `models.*` if they are unset. Raises `ConfigError` with every wrong key.
    """
    try:
        config = Config.model_validate(_with_nulls(values))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None
    models = Models(
        stanza=config.models.stanza or find_model_folder("stanza", environment),
        nltk=config.models.nltk or find_model_folder("nltk", environment),
    )
    mirror = find_mirror(config.mirror, environment, base)
    return config.model_copy(update={"models": models, "mirror": mirror})


# More levels than the configuration has.
_DEEPEST = 8


def _with_nulls(values: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Read the text `null` as null. Snakemake's --config passes each single value as a text."""
    with_nulls: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping) and depth < _DEEPEST:
            value = _with_nulls(value, depth + 1)
        with_nulls[name] = None if value == "null" else value
    return with_nulls


# YAML can define a value that is infinite, or fills the memory when printed.
_SHORT = Repr()
_SHORT.maxlevel, _SHORT.maxlist = 2, 9
_SHORT.maxstring = _SHORT.maxother = 200


def explain(error: ValidationError, section: tuple[str, ...] = ()) -> str:
    """Describe the faults of a section of the configuration, with their keys."""
    lines = []
    for item in error.errors():
        key = ".".join(str(part) for part in (*section, *item["loc"])) or "(top level)"
        if item["type"] == "extra_forbidden":
            lines.append(f"{key}: " + (f"is now {RENAMED[key]}" if key in RENAMED else "unknown key; see config.yaml"))
        elif item["type"] in ("tuple_type", "list_type"):
            lines.append(f"{key}: should be a list, such as [one, other] (got {_SHORT.repr(item['input'])})")
        else:
            lines.append(f"{key}: {item['msg'].lower()} (got {_SHORT.repr(item['input'])})")
    return "the configuration is not valid:\n  " + "\n  ".join(lines)
