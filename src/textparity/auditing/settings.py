"""What an audit does, and the rules of its tables; the same for the command and for Python."""

from dataclasses import dataclass
from pathlib import Path

from textparity.auditing.units import TEXT_UNITS
from textparity.errors import ConfigError
from textparity.measures.procedures import LEAST_RESAMPLES, MOST_RESAMPLES, PROCEDURES
from textparity.measures.terms import CLASSES, LAYERS, fix_form
from textparity.measures.tokenizers import ENGINES

DEFAULT_LEXICON = "textparity_v1"
AUDIT_METHODS = ("lexicon", "persons")
DETECT = ("text", "file")
# Why texts are left out that --skip-invalid skips.
NOT_VALID = "not valid"


@dataclass(frozen=True)
class AuditSettings:
    """How texts are counted and what is shown of them.

    `lexicon` is a row of the lexicons table, a lexicon or a revision of one; of a revision, the `layers` are counted.
    `exclude_words` do not count, `include_words` do besides, each written `class:word`. `lexicon_folder`, if given, has
    `{lang}.json` or `{lang}_nouns.json` instead. `max_samples` is the most texts taken of each file. A text whose
    language the identifier gives less than `minimum_certainty` is left out. A corrected verdict, and masculine per
    feminine, need `minimum_matches` words of exactly one gender in `minimum_units` texts. `examples` and `top` are
    numbers per class. `method` is `lexicon` or `persons` (`textparity.persons.methods`), the latter by a spaCy
    `pipeline` (by default that of the table of pipelines; `eng=NAME,deu=NAME` are those of languages);
    `keep_mentions`: each mention it finds is kept; `keep_records`: so is each text's record.
    A text of a text file is a `text_unit` (`textparity.auditing.units`). With `strip_html`, texts and fields are HTML,
    and what is counted is their text. The language is found out of each text, or where `detect` is `file`, of each file
    from its first texts. Languages that are found out in fewer than `min_size` texts, and in less than a hundredth of
    all, are left out together. With `lang_field`, a field of records has the language of each text instead. With
    `group_by`, a field of records, there is besides a row for each of the `max_groups` groups that have the most texts,
    and one for the others.
    """

    lexicon: str = DEFAULT_LEXICON
    lexicon_folder: Path | None = None
    engine: str = "icu"
    procedure: str = "corrected"
    max_samples: int | None = None
    minimum_certainty: float = 0.5
    per_file: bool = False
    examples: int = 5
    top: int = 10
    seed: int = 20231206
    resamples: int = 1000
    confidence_level: float = 0.95
    layers: tuple[str, ...] = ("nouns",)
    exclude_words: tuple[str, ...] = ()
    include_words: tuple[str, ...] = ()
    method: str = "lexicon"
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
    group_by: str = ""
    max_groups: int = 30
    strip_html: bool = False

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise ConfigError(f"engine {self.engine!r} is none of {', '.join(ENGINES)}")
        if self.procedure not in PROCEDURES:
            raise ConfigError(f"procedure {self.procedure!r} is none of {', '.join(PROCEDURES)}")
        if not self.layers or not set(self.layers) <= set(LAYERS):
            named = (
                f"layers {', '.join(self.layers)}: must be some of" if self.layers else "no layer is chosen; choose of"
            )
            raise ConfigError(f"{named} {', '.join(LAYERS)}")
        if self.procedure == "published" and (self.layers != ("nouns",) or self.exclude_words or self.include_words):
            raise ConfigError("the published procedure counts a lexicon as it is, without layers or words of your own")
        if self.method not in AUDIT_METHODS:
            raise ConfigError(f"method {self.method!r} is none of {', '.join(AUDIT_METHODS)}")
        if self.method == "persons":
            own = self.lexicon_folder or self.exclude_words or self.include_words or self.layers != ("nouns",)
            if own or self.procedure == "published" or self.engine != "icu":
                raise ConfigError(
                    "the method persons takes the icu engine, the corrected procedure and textparity's own lexicon, "
                    "without layers or words of your own; leave these options out, or use --method lexicon"
                )
        elif self.pipeline or self.keep_mentions:
            raise ConfigError("a pipeline and mentions are of the method persons; add --method persons")
        if self.keep_records and self.procedure == "published":
            raise ConfigError("records say where matches stand, which the published procedure does not; leave it out")
        if self.text_unit not in TEXT_UNITS:
            raise ConfigError(f"text_unit {self.text_unit!r} is none of {', '.join(TEXT_UNITS)}")
        if self.detect not in DETECT:
            raise ConfigError(f"detect {self.detect!r} is none of {', '.join(DETECT)}")
        if self.lang_field and self.detect != DETECT[0]:
            raise ConfigError("lang_field takes the language of each record, so none is detected; leave out detect")
        for word in self.include_words:
            gender_class, _, form = word.partition(":")
            if gender_class not in CLASSES or not fix_form(form):
                raise ConfigError(f"include_words {word!r} is not CLASS:WORD, CLASS one of {', '.join(CLASSES)}")
        least = {
            "max_samples": 1, "examples": 0, "top": 0, "resamples": LEAST_RESAMPLES, "minimum_matches": 1,
            "minimum_units": 2, "jobs": 1, "min_size": 0, "max_groups": 1,
        }  # fmt: skip
        for name, smallest in least.items():
            value = getattr(self, name)
            if value is not None and not value >= smallest:
                raise ConfigError(f"{name} is {value}; it must be at least {smallest}")
        if self.resamples > MOST_RESAMPLES:
            raise ConfigError(f"resamples is {self.resamples}; it must be at most {MOST_RESAMPLES}")
        if not 0 <= self.minimum_certainty <= 1:
            raise ConfigError(f"minimum_certainty is {self.minimum_certainty}; it must be a probability")
        if not 0 < self.confidence_level < 1:
            raise ConfigError(f"confidence_level is {self.confidence_level}; it must lie between 0 and 1")
