"""The rows of the registry's tables: what a cell may be, checked as it is read.

This module is imported wherever rules are parsed.
"""

import glob
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from textparity.errors import TableError
from textparity.files import leads_out
from textparity.tsv import NAME, read_tsv, split_group

LOCAL = "local"
# Tables whose rows name a source.
SOURCED_TABLES = ("corpora", "article_corpora", "entity_corpora", "swap_outputs", "lexicons", "coded_lexicons", "gold")
# Stands for a sha256 that is learnt from the first download and kept in the lock file.
LOCK = "lock"
# Formats of corpora of articles, with what the files of a folder end in.
ARTICLE_FORMATS = {
    "taz_json": ".json", "csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "lines": ".txt",
}  # fmt: skip
# Of a folder with annotated entities: texts (and the split), annotations, source lines.
ENTITY_FILES = (".txt", ".ann", ".meta")
# What was done to a set of swapped outputs before the paper scored it (docs/configuration.md).
TIDIED, TITLES_PER_ITEM = "tidied", "titles_per_item"


class Row(BaseModel):
    """A row of a table; its first column is its name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


SomeRow = TypeVar("SomeRow", bound=Row)


def _is_name(cell: str) -> str:
    if not re.fullmatch(NAME, cell):
        raise ValueError(
            "becomes part of file names; use letters, digits, dot, dash and underscore, the first not a dot"
        )
    return cell


def _is_code(cell: str) -> str:
    if not re.fullmatch(r"[a-z]{3}", cell):
        raise ValueError("must be an ISO 639-3 code of three letters")
    return cell


def _has_placeholder(name: str) -> AfterValidator:
    """Return a check that all that is in braces is `name`."""

    def check(cell: str) -> str:
        if re.search(r"[{}]", cell.replace(f"{{{name}}}", "")):
            raise ValueError(f"has a placeholder that is not one; only {{{name}}} is")
        return cell

    return AfterValidator(check)


def _stays_inside(cell: str) -> str:
    if leads_out(cell):
        raise ValueError("leads out of results/sources; correct it")
    return cell


Name = Annotated[str, AfterValidator(_is_name)]
LanguageCode = Annotated[str, AfterValidator(_is_code)]
CodePattern = Annotated[str, _has_placeholder("code")]
Inside = Annotated[str, AfterValidator(_stays_inside)]
Needed = Annotated[str, Field(min_length=1)]


class Language(Row):
    """One language: `lang` is ISO 639-3; empty codes mean the resource does not have it.

    `clitics` are the short words joined to others with an apostrophe (see `measures.tokenizers.icu.Clitics`),
    `first_names` the sources of the names that are counted (`measures.names`).
    """

    lang: LanguageCode
    name: str
    script: str
    flores: str
    ntrex: str
    stanza: str
    published_tokenizer: Literal["stanza", "stanza_mwt", "nltk", "pythainlp"]
    icu_locale: Needed
    clitics: str
    first_names: str
    note: str

    @property
    def published_uses_stanza(self) -> bool:
        """Whether the paper cut this language with Stanza, and so kept only the first sentence of each text."""
        return self.published_tokenizer.startswith("stanza")

    @model_validator(mode="after")
    def _check(self) -> "Language":
        if self.published_uses_stanza and not self.stanza:
            raise ValueError(f"published_tokenizer is {self.published_tokenizer} but stanza is empty")
        if wrong := [rule for rule in self.clitics.split() if not re.fullmatch(r"[^']+'|'[^']+", rule)]:
            raise ValueError(f"clitics {' '.join(wrong)} must each begin or end with one apostrophe (U+0027)")
        return self


class Source(Row):
    """Where files come from; `base_url` plus a file's path, percent-encoded, is its URL."""

    source: Name
    name: str
    version: str
    base_url: str
    licence: str
    citation: str


class SourceFile(Row):
    """One file of a source, or one member of an archive, with the sha256 of its bytes (or `lock`)."""

    source: str
    path: Inside
    member: Inside
    sha256: str

    @model_validator(mode="after")
    def _check(self) -> "SourceFile":
        is_learnt = self.sha256 == LOCK and not self.member
        if not is_learnt and not re.fullmatch(r"[0-9a-f]{64}", self.sha256):
            raise ValueError(f"sha256 must be 64 hexadecimal digits, or {LOCK} for a whole file")
        return self


class Corpus(Row):
    """One corpus in many languages; `{code}` in `path` and `member` is the cell of `code_column`.

    `languages` names the languages it has, separated by spaces; empty: all with a code. `cmn=zh_CN` gives a language
    another code than the column's. `document_ids` is the path of a file with the document's id for each line, or
    `path#column` of a tab-separated table with a header; if there is a `member`, it is another member of the same
    archive. `sample` is the number of a sample of an archive's pairs; empty: the whole file.
    `access` says how to get a file that is not public (`unpublished`, unless it begins with `gated: `). `wet_files`
    makes the corpus a crawl: so many files of the list of WET files in `path` (`.paths.gz`), or `path` is the one WET
    file itself.
    """

    corpus: Name
    name: str
    source: str
    path: CodePattern
    member: CodePattern
    code_column: str
    languages: str
    unit: Literal["sentence", "document"]
    parallel_to: str
    document_ids: str
    published_table: str
    sample: str
    access: str
    wet_files: Annotated[str, Field(pattern=r"^([1-9]\d*)?$")]

    @property
    def codes(self) -> dict[str, str]:
        """The languages listed, with the code given to each, or an empty string."""
        return {lang: code for lang, _, code in (item.partition("=") for item in self.languages.split())}

    @property
    def sample_set(self) -> str:
        """What the samples of one archive have in common: the name without the sample's number, or nothing."""
        return self.corpus.removesuffix(f"_{self.sample}") if self.sample else ""

    @model_validator(mode="after")
    def _check(self) -> "Corpus":
        if self.code_column not in Language.model_fields:
            raise ValueError(f"code_column {self.code_column!r} is not a column of the languages table")
        if not self.sample:
            return self
        if not re.fullmatch(r"[1-9][0-9]*", self.sample) or not self.corpus.endswith(f"_{self.sample}"):
            raise ValueError(f"sample {self.sample!r} must be a number from 1 and end the corpus, as in x_1")
        if len(self.codes) != 2 or "{code}" not in self.member or "{code}" in self.path or self.document_ids:
            raise ValueError("a sample needs two languages, one archive as path, {code} in member and no document_ids")
        return self


class ArticleCorpus(Row):
    """One corpus of newspaper articles in one language; `path` may be a folder or a pattern if it is local.

    `format` is one of `ARTICLE_FORMATS`. `id`, `text` and `group` name fields (`a.b` is field b of object a), or
    columns by number, from 1, of a CSV file without a header; without `id`, articles are numbered. `group` may be
    `field:year` or `field:month` of a date, `file:year` or `file:month` of a file's name, `id:prefix`, or empty. In
    the format `lines`, `id` is the path of the file with a document id a line. `delimiter` is one character or `\\t`;
    `quote` one character or `none`. `access` says how to get files that are not public.
    """

    corpus: Name
    name: str
    lang: str
    source: str
    path: str
    format: Literal["taz_json", "csv", "jsonl", "parquet", "lines"]
    id: str
    text: str
    group: str
    group_name: str
    delimiter: str
    quote: str
    access: str

    @property
    def form(self) -> dict[str, str]:
        """The columns that say how the files are read, and written again."""
        return {name: getattr(self, name) for name in ("format", "id", "text", "group", "delimiter", "quote")}

    @model_validator(mode="after")
    def _check(self) -> "ArticleCorpus":
        field, part = split_group(self.group)
        is_lines = self.format == "lines"
        is_of_file = field == "file" and bool(part)
        problems = {
            f"path {self.path} is a pattern; only local corpora, not of lines, may have one": (
                glob.has_magic(self.path) and (self.source != LOCAL or is_lines)
            ),
            "format lines needs the file of document ids as id, and no text": is_lines and (self.text or not self.id),
            "text is empty; name the field of the text": not is_lines and not self.text,
            "group and group_name need each other; fill in both, or leave both empty": (
                bool(self.group) != bool(self.group_name)
            ),
            f"group {self.group!r} is neither a field nor field:year, field:month, file:year, file:month or "
            "id:prefix": (
                part not in ("", "year", "month", "prefix") or (part == "prefix") != (field == "id" and bool(part))
            ),
            f"format {self.format} has no group {self.group!r}": (
                (is_of_file and self.format != "taz_json") or (is_lines and self.group and part != "prefix")
            ),
            "delimiter and quote are for format csv; leave them empty": (
                self.format != "csv" and (self.delimiter or self.quote)
            ),
        }
        for problem, holds in problems.items():
            if holds:
                raise ValueError(problem)
        if self.format == "csv":
            self._check_csv([self.id, self.text, "" if part == "prefix" else field])
        return self

    def _check_csv(self, columns: list[str]) -> None:
        columns = [column for column in columns if column]
        if any(map(str.isdecimal, columns)) and not all(re.fullmatch("[1-9][0-9]*", column) for column in columns):
            raise ValueError(
                f"id, text and group are {', '.join(columns)}; all must be numbers of columns, from 1, or all names of "
                "the header"
            )
        delimiter, quote = self.delimiter or ",", self.quote or '"'
        single = (len(delimiter) == 1 or delimiter == "\\t") and (len(quote) == 1 or quote == "none")
        if not single or delimiter == quote:
            raise ValueError(
                f"delimiter {delimiter!r} and quote {quote!r} must be two different characters; \\t is a tab, none is "
                "no quote"
            )


class EntityCorpus(Row):
    """One corpus with annotated entities: BRAT files in `folder` of an archive, or in the folder `path` if it is local.

    `split` names the file with the split into train and test. `swapped_from` is the corpus whose sentences these are,
    gender-swapped; empty for a corpus of its own. `access` says how to get files that are not public.
    """

    corpus: Name
    name: str
    # Not of the languages table, which is of the languages whose words are counted.
    lang: LanguageCode
    source: str
    path: str
    folder: str
    split: str
    swapped_from: str
    access: str

    @model_validator(mode="after")
    def _check(self) -> "EntityCorpus":
        if not self.split:
            raise ValueError("split is empty; name the file with the split")
        return self


class SwapOutputs(Row):
    """One set of swapped outputs: a CSV file with a column of inputs, references, outputs and swaps of these back.

    Without swaps back, `round_trip_column` is empty. `published_steps` names what else the published procedure does to
    this set, separated by spaces: `tidied` (names, titles and tokens are compared after a lower-case beginning and a
    missing full stop were taken over from the input), `titles_per_item` (matched titles are divided by items).
    """

    system: Name
    name: str
    source: str
    path: str
    input_column: str
    reference_column: str
    output_column: str
    round_trip_column: str
    published_steps: str

    @property
    def columns(self) -> dict[str, str]:
        """The file's columns by what they hold."""
        names = ("input", "reference", "output", "round_trip")
        return {name: getattr(self, f"{name}_column") for name in names}

    @model_validator(mode="after")
    def _check(self) -> "SwapOutputs":
        if missing := [f"{name}_column" for name in ("input", "reference", "output") if not self.columns[name]]:
            raise ValueError(f"{', '.join(missing)} is empty; name the file's column")
        if steps := set(self.published_steps.split()) - {TIDIED, TITLES_PER_ITEM}:
            raise ValueError(f"published_steps {', '.join(sorted(steps))} is not {TIDIED} or {TITLES_PER_ITEM}")
        return self


class LexiconRow(Row):
    """One lexicon in many languages, or changes to one; `{lang}` in `path` is the ISO 639-3 code.

    `revises` is the lexicon that its files change (`measures.revision.read_revision`), empty for a lexicon of its own.
    """

    lexicon: Name
    name: str
    source: str
    path: Annotated[str, _has_placeholder("lang")]
    revises: str


class CodedLexicon(Row):
    """One lexicon of words coded as feminine or masculine; `form` is `stems` or `scores`.

    `stems`: tab-separated `stem, coding, example`: feminine or masculine; a whole word for a stem with `*`, or nothing.
    `scores`: `word, part_of_speech, score, coding`; adjectives whose score is more than a standard deviation from the
    mean are kept, positive ones as masculine, and those without a score by their coding. `licence` and `citation` say
    where the words come from.
    """

    lexicon: Name
    name: str
    source: str
    path: str
    form: Literal["stems", "scores"]
    licence: str
    citation: str


class GoldRow(Row):
    """One file of annotated sentences; `lang` chooses the lexicon it is compared with.

    `published_table` is the paper's table (or appendix) with scores on these sentences.
    """

    gold: Name
    name: str
    lang: str
    source: str
    path: str
    published_table: str


class BalancedTexts(Row):
    """Two files of sentences, line by line the same but for gender: all gendered words marked `<F>` or `<M>`."""

    texts: Name
    name: str
    lang: str
    source: str
    feminine: str
    masculine: str


class PersonGold(Row):
    """A file of texts in which mentions of persons are annotated; several rows of one name are one corpus a language.

    `format` is one of `persons.gold.READERS`; `beside` are other files that it needs, separated by spaces; `genre` is
    the kind of text, where the file does not say. `grammatical`: the gender is that of the noun, whoever is meant.
    `annotation` says what follows from a mention that is found beside the annotated ones:

    - `complete`: all persons are annotated, so it is wrong;
    - `marked`: some are, so nothing follows;
    - `balanced`: some are, in texts that were made for a test, with about as many women as men; they say nothing of how
      a ratio errs in other texts.
    """

    gold: Name
    name: str
    lang: LanguageCode
    format: Literal[
        "gum",
        "brat",
        "litbank",
        "openboek",
        "gerdracor",
        "quotations",
        "marked",
        "gap",
        "brackets",
        "schemas",
        "tagged",
        "passages",
        "entities",
    ]
    source: str
    path: Inside
    beside: Inside
    genre: str
    annotation: Literal["complete", "marked", "balanced"]
    grammatical: Literal["yes", "no"]

    @property
    def files(self) -> list[str]:
        """The paths of its files, the annotated one first."""
        return [self.path, *self.beside.split()]


class PersonPipeline(Row):
    """What the method `persons` needs of a language: a spaCy pipeline, and files of the Open Multilingual Wordnet.

    `wordnets` are separated by spaces; English has WordNet's own. A language with rules of its own has `lists`,
    separated by spaces: `name=source:path`; its pipeline may be a dictionary (`textparity.persons.methods`).
    """

    lang: LanguageCode
    pipeline: Needed
    wordnets: str
    lists: str

    @property
    def files(self) -> dict[str, tuple[str, str]]:
        """The source and path of each of its lists, by name."""
        pairs = (cell.split("=", 1) for cell in self.lists.split())
        return {name: (place.partition(":")[0], place.partition(":")[2]) for name, place in pairs}


class PromptPart(Row):
    """One file of a prompt, for one language and way of asking.

    `part` is `prompt`, the text with placeholders; `system`, the first message of a chat; or what the study fills in,
    such as `examples` and `skip_list`. Models of the hosts in `not_sent_to`, separated by spaces, are asked without it.
    """

    prompt: str
    lang: str
    mode: Literal["chat", "completion"]
    part: Literal["prompt", "system", "examples", "skip_list"]
    source: str
    path: str
    not_sent_to: str


@dataclass(frozen=True)
class FileReference:
    """A file that a rule reads: `path` on disk once fetched, `url` empty for local files, `access` how to get it."""

    path: str
    url: str = ""
    sha256: str = ""
    member: str = ""
    member_sha256: str = ""
    access: str = ""

    @property
    def pinned_sha256(self) -> str:
        """The sha256 of the bytes to be read, of the member or the whole file; empty where it is not known."""
        return self.member_sha256 if self.member else self.sha256


def read_table(kind: type[SomeRow], path: str) -> list[SomeRow]:
    """Read a table of rows of one kind; `TableError` names the file, the row and the cell that is not valid."""
    rows = []
    for line, cells in enumerate(read_tsv(path, kind.model_fields), start=2):
        try:
            rows.append(kind(**cells))
        except ValidationError as error:
            name = next(iter(cells.values()))
            raise TableError(f"{path}, line {line}, {name}: {_explain(error.errors())}") from None
    return rows


def _explain(errors: Iterable[Any]) -> str:
    """Return what is wrong with the first cell that is not valid."""
    error = next(iter(errors))
    said = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return said
    column = error["loc"][0]
    if error["type"] == "literal_error":
        return f"{column} {error['input']!r} is not one of {error['ctx']['expected']}"
    if error["type"] == "string_too_short":
        return f"{column} is empty"
    return f"{column} {error['input']!r} {said[0].lower()}{said[1:]}"
