"""Define the rows of tables that studies add to those of `textparity.registry.rows`.

Rule files import this module while they are parsed.
"""

import glob
import re
from typing import Annotated, Literal

from pydantic import Field, model_validator

from textparity.registry.rows import LOCAL, Inside, Language, LanguageCode, Name, Row, has_placeholder
from textparity.tsv import split_group

# Tables of the studies whose rows name a source.
SOURCED_TABLES = ("corpora", "article_corpora", "entity_corpora", "swap_outputs", "coded_lexicons", "gold")
# Formats of corpora of articles, with the endings of a folder's files.
ARTICLE_FORMATS = {
    "taz_json": ".json", "csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "lines": ".txt",
}  # fmt: skip
# Endings in a folder with annotated entities: texts (and the split), annotations, source lines.
ENTITY_FILES = (".txt", ".ann", ".meta")
# Steps that were applied to a set of swapped outputs before the paper scored it (docs/configuration.md).
TIDIED, TITLES_PER_ITEM = "tidied", "titles_per_item"
CodePattern = Annotated[str, has_placeholder("code")]


class Corpus(Row):
    """Describe one corpus in many languages; `{code}` in `path` and `member` is the cell of `code_column`.

    `languages` lists its languages, separated by spaces; empty means all with a code. `cmn=zh_CN` gives a language a
    code that differs from the column's. `document_ids` is the path of a file with the document's id for each line, or
    `path#column` of a tab-separated table with a header. If there is a `member`, it is another member of the same
    archive. `sample` is the number of a sample of an archive's pairs; empty means the whole file. `access` explains how
    to get a file that is not public (`unpublished`, unless it begins with `gated: `). `wet_files` makes the corpus a
    crawl. It is a number of files from the list of WET files in `path` (`.paths.gz`); or `path` is the only WET file
    itself.
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
        """The listed languages, each with its own code or an empty string."""
        return {lang: code for lang, _, code in (item.partition("=") for item in self.languages.split())}

    @property
    def sample_set(self) -> str:
        """The common name of an archive's samples: the name without the sample's number, or an empty string."""
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
    """Describe one corpus of newspaper articles in one language; a local `path` may be a folder or a pattern.

    `format` is one of `ARTICLE_FORMATS`. `id`, `text` and `group` name fields (`a.b` is field b of object a), or
    columns by number, from 1, in a CSV file without a header. Without `id`, articles are numbered. `group` may be
    `field:year` or `field:month` of a date, `file:year` or `file:month` of a file's name, `id:prefix`, or empty. In the
    format `lines`, `id` is the path of the file with a document id per line. `delimiter` is one character or `\\t`;
    `quote` one character or `none`. `access` explains how to get files that are not public.
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
        """The columns that describe the format of the files, for reading and writing."""
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
    """Describe one corpus with annotated entities: BRAT files in `folder` of an archive, or in the local folder `path`.

    `split` names the file with the split into train and test. `swapped_from` is the corpus whose sentences were
    gender-swapped, empty for an original corpus. `access` explains how to get files that are not public.
    """

    corpus: Name
    name: str
    # The language need not be in the languages table, which has the languages whose words are counted.
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
    """Describe one set of swapped outputs: a CSV file with inputs, references, outputs and outputs swapped back.

    Without swaps back, `round_trip_column` is empty. `published_steps` lists the published procedure's additional steps
    for this set, separated by spaces. `tidied`: names, titles and tokens are compared after a lower-case beginning and
    a missing full stop were copied from the input. `titles_per_item`: matched titles are divided by items.
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
        """The file's columns by their content."""
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
    """Describe one lexicon of words coded as feminine or masculine; `form` is `stems` or `scores`.

    `stems`: tab-separated `stem, coding, example`; the coding is feminine or masculine, and the example is a whole word
    for a stem with `*`, or empty. `scores`: `word, part_of_speech, score, coding`. Adjectives whose score is more than
    a standard deviation from the mean are kept, positive ones as masculine, and those without a score by their coding.
    `licence` and `citation` name the source of the words.
    """

    lexicon: Name
    name: str
    source: str
    path: str
    form: Literal["stems", "scores"]
    licence: str
    citation: str


class GoldRow(Row):
    """Describe one file of annotated sentences; `lang` chooses the lexicon for the comparison.

    `published_table` is the paper's table (or appendix) with scores for these sentences.
    """

    gold: Name
    name: str
    lang: str
    source: str
    path: str
    published_table: str


class BalancedTexts(Row):
    """Describe two files whose sentences differ only in gender; all gendered words are marked `<F>` or `<M>`."""

    texts: Name
    name: str
    lang: str
    source: str
    feminine: str
    masculine: str


class PersonGold(Row):
    """Describe a file of texts with annotated mentions of persons; rows of one name are one corpus per language.

    `format` is one of `persons.gold.READERS`. `beside` are other files that it needs, separated by spaces. `genre` is
    the kind of text, if the file does not give it. With `grammatical`, the gender is that of the noun, whoever is
    meant. `annotation` decides the meaning of a detected mention that is not annotated:

    - `complete`: all persons are annotated, so the mention is wrong;
    - `marked`: only some are, so nothing follows;
    - `balanced`: only some are, in texts made for a test, with about as many women as men. They give no evidence about
      the errors of a ratio in other texts.
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
        """The paths of its files, beginning with the annotated one."""
        return [self.path, *self.beside.split()]


class PromptPart(Row):
    """Describe one file of a prompt, for one language and way of asking.

    `part` is `prompt`, the text with placeholders; `system`, the first message of a chat; or an addition by the study,
    such as `examples` and `skip_list`. Models of the hosts in `not_sent_to`, separated by spaces, do not receive it.
    """

    prompt: str
    lang: str
    mode: Literal["chat", "completion"]
    part: Literal["prompt", "system", "examples", "skip_list"]
    source: str
    path: str
    not_sent_to: str
