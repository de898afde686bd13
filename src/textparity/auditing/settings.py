"""The settings of an audit and of its tables, shared by the command and the Python interface."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from textparity.counting import CLASSES, OWN_LEXICON
from textparity.counting.terms import LAYERS, LONGEST_FORM, fix_form
from textparity.counting.tokenizers import ENGINES
from textparity.errors import ConfigError
from textparity.estimating import LEAST_RESAMPLES, MOST_RESAMPLES
from textparity.persons.mentions import (
    IN_DOCUMENT,
    KINDS,
    MENTIONS,
    METHODS,
    NOUNS,
    PEOPLE,
    PERSONS,
    PUBLISHED,
    SAME_NAMES,
    UNITS_COUNTED,
    WORDS,
    Measured,
)
from textparity.reading.options import DOCUMENT, PARAGRAPH, ReadingOptions, check_limits

DEFAULT_METHOD = WORDS
DEFAULT_SEED, DEFAULT_TOP = 20231206, 10
PAPERS_LEXICON = "gender_gap_v1.0"
DETECT = ("text", "file")
# What text may show of each language, beside its table: frequent words, the people mentioned most, sentences, and notes
# on what the numbers mean.
SHOWN = ("words", "people", "examples", "notes")
# More processes than any machine has cores, so a larger number is a mistake.
_MOST_JOBS = 1000
# The reason for leaving out texts with --on-error skip.
NOT_VALID = "not valid"


@dataclass(frozen=True)
class CountingOptions:
    """What is counted in the texts, and in which languages.

    `method` is one of `textparity.persons.mentions.METHODS`: `persons` uses a language pipeline, `words` (the default)
    counts nouns, pronouns, titles, first names and inclusive forms of our lexicon, or only some of these
    `layers`, and `nouns` its nouns, or those of a `lexicon_folder` with `{lang}.json` or `{lang}_nouns.json`.
    `count` is what is counted: `mentions`, or with the method `persons` also `people`, each once per document, which is
    its default, or `speakers`, the people who are quoted. If `same_names` is `corpus`, people with the same full name
    count once per corpus and language, and once in each group.
    `published` uses the paper's lexicon and procedure (Muller 2023). `exclude_words` are not counted and
    `include_words`, each written `class:word`, are added. `pipeline` is that of the method `persons` (default: from the
    table of pipelines; `eng=NAME,deu=NAME` sets it by language).

    Unless a field of the records has it, the language is detected from each text or, if `detect` is `file`, from the
    first texts of each file. A text is left out if its language has a probability below `minimum_certainty`. With
    `unique`, a text that occurs more than once in a corpus is counted once in each group. `jobs` is the number of
    processes.
    """

    method: str = ""
    count: str = ""
    same_names: str = IN_DOCUMENT
    layers: tuple[str, ...] = LAYERS
    lexicon_folder: Path | None = None
    engine: str = "icu"
    exclude_words: tuple[str, ...] = ()
    include_words: tuple[str, ...] = ()
    pipeline: str = ""
    detect: str = "text"
    minimum_certainty: float = 0.5
    unique: bool = False
    jobs: int = 1

    def __post_init__(self) -> None:
        # The class is frozen, but a setting that was not given depends on the others.
        default_method = NOUNS if self.lexicon_folder else DEFAULT_METHOD
        object.__setattr__(self, "method", self.method or default_method)
        count = self.count or default_count(self.method)
        object.__setattr__(self, "count", count)
        object.__setattr__(self, "layers", tuple(self.layers))
        check_method(self.method)
        choices = {"engine": ENGINES, "detect": DETECT, "count": UNITS_COUNTED, "same_names": SAME_NAMES}
        for name, known in choices.items():
            value = getattr(self, name)
            if value not in known:
                raise ConfigError(f"{name} {value!r} is not one of {', '.join(known)}")
        if not self.layers or not set(self.layers) <= set(LAYERS):
            raise ConfigError(f"layers {', '.join(self.layers) or 'is empty'}: choose some of {', '.join(LAYERS)}")
        self._check_method()
        if not 0 <= self.minimum_certainty <= 1:
            raise ConfigError(f"minimum_certainty is {self.minimum_certainty}; it must be a probability")
        self._check_words()
        check_limits(self, jobs=(1, _MOST_JOBS))

    def _check_method(self) -> None:
        """Raise `ConfigError` for what the method does not use."""
        own_words = self.exclude_words or self.include_words
        if self.method != WORDS and self.layers != LAYERS:
            raise ConfigError(f"layers are those of the method words, not of {self.method}; remove one of the two")
        if self.method != NOUNS and self.lexicon_folder:
            raise ConfigError(f"a lexicon folder is for the method nouns, not for {self.method}; remove the method")
        if self.method in (PERSONS, PUBLISHED) and own_words:
            raise ConfigError(f"words of your own are for the methods words and nouns, not for {self.method}")
        if self.method == PERSONS and self.engine != "icu":
            raise ConfigError("the method persons uses the icu engine; remove the engine")
        if self.method != PERSONS and self.count != MENTIONS:
            raise ConfigError(
                f"count {self.count}: the method {self.method} does not tell which mentions are the same person; add "
                "--method persons, or count mentions"
            )
        if self.count != PEOPLE and self.same_names != IN_DOCUMENT:
            raise ConfigError("same_names applies to people; add --method persons --count people, or remove it")
        if self.method != PERSONS and self.pipeline:
            raise _needs_persons()

    def _check_words(self) -> None:
        for word in (*self.exclude_words, *self.include_words):
            if len(word) > LONGEST_FORM:
                shown = f"{word[:40]}… has {len(word):,} characters, more than {LONGEST_FORM:,}"
                raise ConfigError(f"the word {shown}; change include_words and exclude_words")
        for word in self.include_words:
            gender_class, _, form = word.partition(":")
            if gender_class not in CLASSES or not fix_form(form):
                raise ConfigError(f"include_words {word!r} is not CLASS:WORD, CLASS one of {', '.join(CLASSES)}")

    @property
    def lexicon(self) -> str:
        """The row of the lexicons table that is counted. Empty if the user gave a folder of lexicons."""
        if self.lexicon_folder:
            return ""
        return PAPERS_LEXICON if self.method == PUBLISHED else OWN_LEXICON

    @property
    def procedure(self) -> str:
        """The procedure for counting words: `published`, with the errors of the paper's code, or `corrected`."""
        return "published" if self.method == PUBLISHED else "corrected"

    @property
    def counted_layers(self) -> tuple[str, ...]:
        """The layers that are counted. With the method `persons`, these are its kinds of mention."""
        if self.method == PERSONS:
            return tuple(f"{kind}s" for kind in KINDS)
        return self.layers if self.method == WORDS else ("nouns",)

    def layers_in(self, lang: str) -> tuple[str, ...]:
        """List the layers counted in a language, without those that are off there unless the user asked for them."""
        if self.method != WORDS or self.layers != LAYERS:
            return self.counted_layers
        # Imported here because the parser of rules uses this module, and statistics would load NumPy.
        from textparity.counting.precision import layers_off

        return tuple(layer for layer in LAYERS if layer not in layers_off(lang))

    def layers_off_in(self, lang: str) -> tuple[str, ...]:
        """List the layers that are not counted in a language because they are off there, in alphabetical order."""
        return tuple(sorted(set(self.counted_layers) - set(self.layers_in(lang))))

    @property
    def measured(self) -> Measured | None:
        """The method and count whose error was measured. None if no comparison covers what is counted."""
        is_measured = not self.is_own and self.engine == "icu" and self.method != PUBLISHED
        # In annotated texts, people were counted once per document.
        is_measured = is_measured and self.same_names == IN_DOCUMENT
        return Measured(self.method, self.count) if is_measured else None

    @property
    def measured_lexicon(self) -> str:
        """The lexicon whose precision was measured. Empty if other words are counted."""
        is_measured = not self.is_own and self.method in (WORDS, NOUNS)
        return self.lexicon if is_measured else ""

    @property
    def is_own(self) -> bool:
        """Whether the words counted differ from those of the method, so that no measurement applies to them."""
        own_words = self.lexicon_folder or self.exclude_words or self.include_words
        return bool(own_words) or self.layers != LAYERS


@dataclass(frozen=True)
class EstimatingOptions:
    """How numbers are estimated from counts.

    A verdict needs `minimum_matches` words of exactly one gender in `minimum_units` texts.
    """

    seed: int = DEFAULT_SEED
    resamples: int = 1000
    confidence_level: float = 0.95
    minimum_matches: int = 20
    minimum_units: int = 10

    def __post_init__(self) -> None:
        if not 0 < self.confidence_level < 1:
            raise ConfigError(f"confidence_level is {self.confidence_level}; it must lie between 0 and 1")
        check_limits(
            self, minimum_matches=(1, None), minimum_units=(2, None), resamples=(LEAST_RESAMPLES, MOST_RESAMPLES)
        )


@dataclass(frozen=True)
class ShowingOptions:
    """Which parts of the result are shown and kept.

    Languages detected in fewer than `min_size` texts and in less than a hundredth of all texts are left out together.
    Each of the `max_groups` largest groups gets a row, and all others together. `examples` and `top` are numbers per
    class. `keep_mentions` keeps each mention found, and `keep_records` a record of each text.
    """

    per_file: bool = False
    examples: int = 5
    top: int = DEFAULT_TOP
    keep_mentions: bool = False
    keep_records: bool = False
    min_size: int = 10
    max_groups: int = 30

    def __post_init__(self) -> None:
        check_limits(self, examples=(0, None), top=(0, None), min_size=(0, None), max_groups=(1, None))


@dataclass(frozen=True)
class AuditSettings:
    """How texts are read and counted, how numbers are estimated, and which parts of the result are shown.

    Users name all settings in one flat list, `SETTINGS`; see `AuditSettings.of`.
    """

    reading: ReadingOptions = field(default_factory=ReadingOptions)
    counting: CountingOptions = field(default_factory=CountingOptions)
    estimating: EstimatingOptions = field(default_factory=EstimatingOptions)
    showing: ShowingOptions = field(default_factory=ShowingOptions)

    @classmethod
    def of(cls, values: Mapping[str, Any], field: str | None = None) -> "AuditSettings":
        """Make settings from a user's keywords. Raises `ConfigError` for unknown ones.

        `field` is the field or column that contains the text, which is not part of a result's settings.
        """
        for name in values:
            if name not in SETTINGS:
                raise ConfigError(f"{name} is not a setting; settings are {', '.join(sorted(SETTINGS))}")
        folder = values.get("lexicon_folder")
        if isinstance(folder, str):
            values = {**values, "lexicon_folder": Path(folder)}
        options: dict[str, dict[str, Any]] = {group: {} for group in _KINDS}
        for name, value in values.items():
            options[_GROUPS[name]][name] = value
        if field:
            options["reading"]["field"] = field
        return cls(**{group: _KINDS[group](**given) for group, given in options.items()})

    def __post_init__(self) -> None:
        if self.showing.keep_mentions and self.counting.method != PERSONS:
            raise _needs_persons()
        if self.showing.keep_records and self.counting.method == PUBLISHED:
            raise ConfigError("records need the positions of matches, which the method published lacks; use another")
        if self.showing.keep_records and self.counting.same_names != IN_DOCUMENT:
            raise ConfigError(
                "records count the people of each text, also those of another text; remove same_names (--same-names), "
                "or the records"
            )
        if self.reading.lang_field and self.counting.detect != DETECT[0]:
            raise ConfigError("lang_field gives the language of each record, so none is detected; remove detect")

    def flat(self) -> dict[str, Any]:
        """List all settings that a user can name, in the order of `SETTINGS`."""
        return {name: getattr(getattr(self, _GROUPS[name]), name) for name in SETTINGS}

    def changed(self, **values: Any) -> "AuditSettings":
        """Change settings by their names."""
        options: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            options.setdefault(_GROUPS[name], {})[name] = value
        return replace(self, **{group: replace(getattr(self, group), **given) for group, given in options.items()})

    def by_document(self) -> "AuditSettings":
        """Make the settings for texts that each consist of the lines of a document.

        Raises `ConfigError` if another text unit was chosen.
        """
        if self.reading.text_unit == PARAGRAPH:
            raise ConfigError("--text-unit paragraph and --documents exclude each other; remove one")
        return self.changed(text_unit=DOCUMENT)


_KINDS: dict[str, type] = {
    "reading": ReadingOptions, "counting": CountingOptions, "estimating": EstimatingOptions, "showing": ShowingOptions,
}  # fmt: skip
_GROUPS: dict[str, str] = {}
_FIELDS: dict[str, Field[Any]] = {}
for _group, _kind in _KINDS.items():
    for _item in fields(_kind):
        _GROUPS[_item.name] = _group
        _FIELDS[_item.name] = _item
# The settings that a user can name, in the order in which a result lists them, each with its default and type.
SETTINGS = {
    name: _FIELDS[name]
    for name in (
        "method", "count", "same_names", "layers", "lexicon_folder", "engine", "max_samples", "minimum_certainty",
        "per_file", "examples", "top", "seed", "resamples", "confidence_level", "exclude_words", "include_words",
        "pipeline",
        "keep_mentions", "keep_records", "minimum_matches", "minimum_units", "jobs", "text_unit", "detect", "min_size",
        "lang_field",
        "id_field", "group_by", "date_format", "max_groups", "strip_html", "unique",
    )
}  # fmt: skip


def make_settings(field: str | None = None, **values: Any) -> AuditSettings:
    """Make settings from their names in `SETTINGS`, as `AuditSettings.of`."""
    return AuditSettings.of(values, field)


def _needs_persons() -> ConfigError:
    return ConfigError("a pipeline and mentions require the method persons; add --method persons")


def check_people_counted(settings: AuditSettings) -> None:
    """Raise `ConfigError` if the people of a result are to be listed, but mentions are counted."""
    if settings.counting.count != PEOPLE:
        raise ConfigError("people are listed if they are counted; add --method persons --count people")


def default_count(method: str) -> str:
    """Choose what a method counts unless the user does: people, if it tells which mentions are the same person.

    Several methods (`words,persons`) are compared by what all of them count.
    """
    return PEOPLE if method == PERSONS else MENTIONS


def check_method(method: str) -> str:
    """Check the name of a method. Raises `ConfigError` for an unknown one."""
    if method not in METHODS:
        raise ConfigError(f"method {method!r} is not one of {', '.join(METHODS)}")
    return method
