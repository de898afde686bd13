"""The settings of an audit and of its tables, shared by the command and the Python interface."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from textparity.counting import CLASSES, OWN_LEXICON
from textparity.counting.terms import LAYERS, LONGEST_FORM, fix_form
from textparity.counting.tokenizers import ENGINES
from textparity.errors import ConfigError
from textparity.estimating import LEAST_RESAMPLES, MOST_RESAMPLES
from textparity.persons.mentions import KINDS, METHODS, NOUNS, PERSONS, PUBLISHED, WORDS
from textparity.reading.options import DEFAULT_FIELD, OF_DOMAIN, TEXT_UNITS, ReadingOptions, split_names

DEFAULT_METHOD = WORDS
PAPERS_LEXICON = "gender_gap_v1.0"
DETECT = ("text", "file")
# What text may show of each language, beside its table: frequent words, sentences, and notes on what the numbers mean.
SHOWN = ("words", "examples", "notes")
# Groups by more fields would be too many to read.
_MOST_FIELDS = 2
# More processes than any machine has cores, so a larger number is a mistake.
_MOST_JOBS = 1000
# The reason for leaving out texts with --skip-invalid.
NOT_VALID = "not valid"


@dataclass(frozen=True)
class AuditSettings:
    """How texts are counted, and which parts of the result are shown.

    `method` is one of `textparity.persons.mentions.METHODS`: `persons` uses a language pipeline, `words` (the default)
    counts nouns, pronouns, titles, first names and inclusive forms of our lexicon, or only some of these
    `layers`, and `nouns` its nouns, or those of a `lexicon_folder` with `{lang}.json` or `{lang}_nouns.json`.
    `published` uses the paper's lexicon and procedure (Muller 2023). `exclude_words` are not counted and
    `include_words`, each written `class:word`, are added. `pipeline` is that of the method `persons` (default: from the
    table of pipelines; `eng=NAME,deu=NAME` sets it by language).

    `text_unit` is the unit of a text in text files. With `unique`, a text that occurs more than once in a
    corpus is counted once in each group. `id_field` is a field of the records with the id of each text. At
    most `max_samples` texts of each file are read. With `strip_html`, texts and fields are HTML. `lang_field` is a
    field of the records with the language of each text; without it, the language is detected from each text or, if
    `detect` is `file`, from the first texts of each file. A text is left out if its language has a probability below
    `minimum_certainty`. Languages detected in fewer than `min_size` texts and in less than a hundredth of all texts are
    left out together. `group_by` is a field of the records (`url:domain` is the domain of the field url), or two with a
    comma between: each of the `max_groups` largest groups gets a row, and all others together. Dates are grouped by
    year or month; those that are not like 2019-11-26 or 26.11.2019 need a `date_format`, as for `strptime`.

    A verdict needs `minimum_matches` words of exactly one gender in `minimum_units` texts. `examples` and `top` are
    numbers per class. `keep_mentions` keeps each mention found, and `keep_records` a record of each text.
    """

    method: str = ""
    layers: tuple[str, ...] = LAYERS
    lexicon_folder: Path | None = None
    engine: str = "icu"
    max_samples: int | None = None
    minimum_certainty: float = 0.5
    per_file: bool = False
    examples: int = 5
    top: int = 10
    seed: int = 20231206
    resamples: int = 1000
    confidence_level: float = 0.95
    exclude_words: tuple[str, ...] = ()
    include_words: tuple[str, ...] = ()
    pipeline: str = ""
    keep_mentions: bool = False
    keep_records: bool = False
    minimum_matches: int = 20
    minimum_units: int = 10
    jobs: int = 1
    text_unit: str = "line"
    detect: str = "text"
    min_size: int = 10
    lang_field: str = ""
    id_field: str = ""
    group_by: str = ""
    date_format: str = ""
    max_groups: int = 30
    strip_html: bool = False
    unique: bool = False

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "AuditSettings":
        """Make settings from a user's keywords. Raises `ConfigError` for unknown ones."""
        known = {item.name for item in fields(cls)}
        for name in values:
            if name not in known:
                raise ConfigError(f"{name} is not a setting; settings are {', '.join(sorted(known))}")
        if isinstance(folder := values.get("lexicon_folder"), str):
            values = {**values, "lexicon_folder": Path(folder)}
        return cls(**values)

    def __post_init__(self) -> None:
        # The class is frozen, but a setting that was not given depends on the others.
        object.__setattr__(self, "method", self.method or (NOUNS if self.lexicon_folder else DEFAULT_METHOD))
        object.__setattr__(self, "layers", tuple(self.layers))
        check_method(self.method)
        for name, known in (("engine", ENGINES), ("text_unit", TEXT_UNITS), ("detect", DETECT)):
            if (value := getattr(self, name)) not in known:
                raise ConfigError(f"{name} {value!r} is not one of {', '.join(known)}")
        if not self.layers or not set(self.layers) <= set(LAYERS):
            raise ConfigError(f"layers {', '.join(self.layers) or 'is empty'}: choose some of {', '.join(LAYERS)}")
        own_words = (*self.exclude_words, *self.include_words)
        if self.method != WORDS and self.layers != LAYERS:
            raise ConfigError(f"layers are those of the method words, not of {self.method}; remove one of the two")
        if self.method != NOUNS and self.lexicon_folder:
            raise ConfigError(f"a lexicon folder is for the method nouns, not for {self.method}; remove the method")
        if self.method in (PERSONS, PUBLISHED) and own_words:
            raise ConfigError(f"words of your own are for the methods words and nouns, not for {self.method}")
        if self.method == PERSONS and self.engine != "icu":
            raise ConfigError("the method persons uses the icu engine; remove the engine")
        if self.method != PERSONS and (self.pipeline or self.keep_mentions):
            raise ConfigError("a pipeline and mentions require the method persons; add --method persons")
        if self.keep_records and self.method == PUBLISHED:
            raise ConfigError("records need the positions of matches, which the method published lacks; use another")
        if self.lang_field and self.detect != DETECT[0]:
            raise ConfigError("lang_field gives the language of each record, so none is detected; remove detect")
        if len(self.group_fields) > _MOST_FIELDS:
            raise ConfigError(f"group_by {self.group_by!r} names more than two fields; name one or two")
        if self.date_format:
            if not self.group_by:
                raise ConfigError("date_format is for the field of group_by; add group_by, or remove date_format")
            if not re.search(r"%[Yy]", self.date_format) or not re.search(r"%[mbBdj]", self.date_format):
                raise ConfigError(f"date_format {self.date_format!r} has no year and month, such as %d/%m/%Y")
        if not 0 <= self.minimum_certainty <= 1:
            raise ConfigError(f"minimum_certainty is {self.minimum_certainty}; it must be a probability")
        if not 0 < self.confidence_level < 1:
            raise ConfigError(f"confidence_level is {self.confidence_level}; it must lie between 0 and 1")
        for word in own_words:
            if len(word) > LONGEST_FORM:
                shown = f"{word[:40]}… has {len(word):,} characters, more than {LONGEST_FORM:,}"
                raise ConfigError(f"the word {shown}; change include_words and exclude_words")
        for word in self.include_words:
            gender_class, _, form = word.partition(":")
            if gender_class not in CLASSES or not fix_form(form):
                raise ConfigError(f"include_words {word!r} is not CLASS:WORD, CLASS one of {', '.join(CLASSES)}")
        limits = {
            "max_samples": (1, None), "examples": (0, None), "top": (0, None), "minimum_matches": (1, None),
            "minimum_units": (2, None), "min_size": (0, None), "max_groups": (1, None), "jobs": (1, _MOST_JOBS),
            "resamples": (LEAST_RESAMPLES, MOST_RESAMPLES),
        }  # fmt: skip
        for name, (least, most) in limits.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise ConfigError(f"{name} is {value}; it must be at least {least}")
            if most is not None and value > most:
                raise ConfigError(f"{name} is {value}; it must be at most {most}")

    def reading(self, field: str | None = None) -> ReadingOptions:
        """Make the options for reading sources. `field` is the field or column that contains the text."""
        return ReadingOptions(
            field or DEFAULT_FIELD, self.text_unit, self.strip_html, self.max_samples, self.lang_field, self.id_field,
            self.group_by, self.date_format,
        )  # fmt: skip

    @property
    def group_fields(self) -> tuple[str, ...]:
        """The fields of the records that have the group."""
        return tuple(name.removesuffix(OF_DOMAIN) for name in split_names(self.group_by))

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

    @property
    def is_own(self) -> bool:
        """Whether the words counted differ from those of the method, so that no measurement applies to them."""
        own_words = self.lexicon_folder or self.exclude_words or self.include_words
        return bool(own_words) or self.layers != LAYERS


def check_method(method: str) -> str:
    """Check the name of a method. Raises `ConfigError` for an unknown one."""
    if method not in METHODS:
        raise ConfigError(f"method {method!r} is not one of {', '.join(METHODS)}")
    return method
