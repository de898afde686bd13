"""Rows of the tables that studies add to those of `textparity.registry.rows`.

This module is imported wherever rules are parsed.
"""

import glob
import re
from typing import Annotated, Literal

from pydantic import Field, model_validator

from textparity.registry.rows import LOCAL, Inside, Language, LanguageCode, Name, Row, has_placeholder
from textparity.tsv import split_group

# Tables whose rows name a source.
SOURCED_TABLES = ("corpora", "article_corpora", "entity_corpora", "swap_outputs", "lexicons", "coded_lexicons", "gold")
# Formats of corpora of articles, with what the files of a folder end in.
ARTICLE_FORMATS = {
    "taz_json": ".json", "csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "lines": ".txt",
}  # fmt: skip
# Of a folder with annotated entities: texts (and the split), annotations, source lines.
ENTITY_FILES = (".txt", ".ann", ".meta")
# What was done to a set of swapped outputs before the paper scored it (docs/configuration.md).
TIDIED, TITLES_PER_ITEM = "tidied", "titles_per_item"
CodePattern = Annotated[str, has_placeholder("code")]


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
