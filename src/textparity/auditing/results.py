"""The result of an audit as data: frozen objects that know nothing of how they are shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from textparity.auditing.groups import join_group
from textparity.auditing.inputs import TEXT
from textparity.auditing.records import Example
from textparity.auditing.reliability import NO_GRADE, Grade
from textparity.auditing.row_statistics import RowStatistics
from textparity.auditing.settings import DEFAULT_METHOD, AuditSettings
from textparity.counting.precision import Precision
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.estimating.gaps import TOO_FEW
from textparity.persons.method_error import MethodError
from textparity.reading.options import join_names


@dataclass(frozen=True)
class RowName:
    """What distinguishes a row of a result from others: its corpus, language and groups.

    `method` is empty if the result has only one.
    """

    corpus: str
    lang: str
    group: str = ""
    second_group: str = ""
    method: str = ""

    @property
    def group_name(self) -> str:
        """The values of the fields by which the texts are grouped."""
        return join_group(self.group, self.second_group)

    def __str__(self) -> str:
        names = (self.corpus, self.lang, self.group, self.second_group, self.method)
        return join_names(filter(None, names))


@dataclass(frozen=True)
class WordCount:
    """A form and the number of its matches.

    `learned` of them match because the text shows that the form is a name, most often by `learned_from`.
    """

    word: str
    count: int
    learned: int = 0
    learned_from: str = ""


@dataclass(frozen=True)
class PersonCount:
    """Somebody with a name, and the numbers of documents and mentions. People of one name are taken for one.

    `gender` is that of most documents. `evidence` is what shows it in most mentions of this gender.
    """

    name: str
    gender: str
    evidence: str
    documents: int
    mentions: int


@dataclass(frozen=True)
class LanguageAudit:
    """The result for one language of one corpus, or for one `group` of its texts, without words and examples.

    If texts are grouped by two fields, `second_group` is the value of the second. `statistics` has
    its numbers. The bootstrap resamples texts. `frequent_words`,
    `different_words` (their number) and `examples` are by class, `layers` has matches by layer and class. The language
    of `detected` texts was detected, with the probability `mean_certainty` (NaN for none). `grade` describes how well
    the method sees persons in the language, `precision` and `measured` how often it is right, and `error` how far its
    share is off, if that was measured. `counted_with` is the part of the `signature` that names lexicon and software.
    """

    corpus: str
    lang: str
    name: str
    statistics: RowStatistics
    frequent_words: Mapping[str, tuple[WordCount, ...]]
    different_words: Mapping[str, int]
    examples: Mapping[str, tuple[Example, ...]]
    detected: int
    mean_certainty: float
    layers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    precision: Mapping[str, Precision] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    grade: Grade = NO_GRADE
    error: MethodError | None = None
    method: str = DEFAULT_METHOD
    measured: str = ""
    counted_with: str = ""
    signature: str = ""
    group: str = ""
    second_group: str = ""
    # The method, if the result has several.
    shown_method: str = ""
    # The texts and matches that are missing for stating women's share.
    lacking: str = ""
    # Those who are mentioned most by name, if people are counted.
    people: tuple[PersonCount, ...] = ()

    @property
    def matches(self) -> Mapping[str, int]:
        """The number of matches by class."""
        return self.statistics.matches

    @property
    def is_checked(self) -> bool:
        """Whether the result has a corrected share, of this row or of others."""
        return self.statistics.corrected is not None

    @property
    def depends_on_method(self) -> bool:
        """Whether another method in the result leads to another verdict or difference."""
        return bool(self.statistics.depends_on_method)

    @property
    def group_name(self) -> str:
        """The values of the fields by which the texts are grouped."""
        return self.row_name.group_name

    @property
    def row_name(self) -> RowName:
        """What distinguishes this row from others."""
        return RowName(self.corpus, self.lang, self.group, self.second_group, self.shown_method)

    @property
    def unit(self) -> str:
        """The unit of a text, which the bootstrap resamples: a line, a paragraph or a document, else a text."""
        return self.statistics.resampling_unit

    @property
    def texts(self) -> int:
        """The number of texts read, including blank ones."""
        return self.statistics.texts

    @property
    def words(self) -> int:
        """The number of words in all texts."""
        return self.statistics.words

    @property
    def feminine(self) -> Estimate:
        """Feminine person nouns in percent of words."""
        return self.rate("feminine")

    @property
    def masculine(self) -> Estimate:
        """Masculine person nouns in percent of words."""
        return self.rate("masculine")

    @property
    def unspecified(self) -> Estimate:
        """Person nouns of no specified gender in percent of words."""
        return self.rate("unspecified")

    @property
    def women_share(self) -> Estimate:
        """Feminine matches in percent of feminine and masculine ones, with no interval if there are too few texts."""
        return self.statistics.women_share

    @property
    def women_share_with_error(self) -> Estimate:
        """Women's share, with an interval that includes the method's error; NaN if that error is unknown."""
        return self.statistics.women_share_with_error

    @property
    def masculine_per_feminine(self) -> Estimate:
        """Masculine matches per feminine match, computed from women's share. Infinite if there is no feminine match."""
        return self.statistics.masculine_per_feminine

    @property
    def has_verdict(self) -> bool:
        """Whether there is enough text, and a good enough method, for a verdict and for stating women's share.

        The published procedure has a verdict for any text, but no more evidence.
        """
        return not self.lacking and self.verdict not in ("", TOO_FEW)

    def stated(self, estimate: Estimate) -> Estimate:
        """Return an estimate of the share or ratio as readers may see it, which is undefined without a verdict."""
        return estimate if self.has_verdict else UNDEFINED

    @property
    def coverage_percent(self) -> float:
        """Texts with a match, in percent of the texts that contain words."""
        return self.statistics.coverage_percent

    @property
    def verdict(self) -> str:
        """`masculine`, `feminine`, `no clear difference` or `too few`; empty if the grade rules a verdict out.

        It comes from a test of the gap over texts, adjusted by Holm for all rows of the result; with the published
        procedure, from the paper's rule. If the method's error is known, a direction also needs
        `women_share_with_error` to exclude 50 %.
        """
        return self.statistics.verdict

    @property
    def verdict_reason(self) -> str:
        """Why there is no direction, or what decides if test and interval disagree. Otherwise empty."""
        return self.statistics.verdict_reason

    def rate(self, name: str) -> Estimate:
        """Look up the rate of a class in percent of words."""
        return self.statistics.rates[name]


class LeftOut(NamedTuple):
    """What was left out for one reason: some `texts`, one `file` or some `files`, and their number."""

    what: str
    reason: str
    number: int


@dataclass(frozen=True)
class AuditData:
    """The languages of an audit, most texts first, and all that was left out.

    `files` is the number of files read, `failed` has the error of each that could not be read, `empty` those without a
    row (with `per_file`), and `ignored` the number of files in folders that are not texts. `left_out` is the number of
    texts left out, by reason. `groups` are the groups of each language in turn, `groups_together` is the number of
    groups merged into one row, and `groups_in_time` is true if groups are years or months. If the texts were counted by
    several methods, `of_methods` has the result of each, and `settings` are those of the first.
    """

    languages: tuple[LanguageAudit, ...]
    settings: AuditSettings
    files: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    ignored: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    groups: tuple[LanguageAudit, ...] = ()
    groups_together: int = 0
    groups_in_time: bool = False
    of_methods: tuple[Self, ...] = ()

    def __iter__(self) -> Iterator[LanguageAudit]:
        return iter(self.languages)

    def __getitem__(self, lang: str) -> LanguageAudit:
        """Look up a language by its ISO 639-3 code. If several corpora have it, this is the first."""
        for item in self.languages:
            if item.lang == lang:
                return item
        raise KeyError(lang)

    @property
    def unit(self) -> str:
        """The unit of the texts if it is the same for all: a line, a paragraph or a document, else a text."""
        return self.languages[0].unit if self.languages else TEXT

    @property
    def texts(self) -> int:
        """The number of texts counted."""
        return sum(item.texts for item in self.by_method[0].languages)

    @property
    def words(self) -> int:
        """The number of words counted."""
        return sum(item.words for item in self.by_method[0].languages)

    @property
    def by_method(self) -> tuple[Self, ...]:
        """The result of each method: this one, unless there are several."""
        return self.of_methods or (self,)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods by which the texts were counted."""
        return tuple(result.settings.counting.method for result in self.by_method)

    @property
    def rows(self) -> tuple[LanguageAudit, ...]:
        """Languages, then groups."""
        return self.languages + self.groups

    @property
    def is_checked(self) -> bool:
        """Whether texts of the result were read, which correct women's share."""
        return any(item.is_checked for item in self.rows)

    @property
    def has_corpora(self) -> bool:
        """Whether tables need a column of corpora."""
        return self.settings.showing.per_file or len({item.corpus for item in self.languages}) > 1

    @property
    def left_out_rows(self) -> list[LeftOut]:
        """What was left out, first texts."""
        rows = [LeftOut("texts", reason, number) for reason, number in self.left_out.items()]
        rows += [LeftOut("file", reason, 1) for _, reason in self.failed]
        rows += [LeftOut("file", f"{name}: no text counted", 1) for name in self.empty]
        return rows + [LeftOut("files", reason, number) for reason, number in self.ignored.items()]
