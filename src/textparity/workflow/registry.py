"""The registry: languages, sources, corpora and lexicons are rows of tables, cross-checked when loaded.

This module is imported wherever rules are parsed, so it needs nothing beyond the standard library.
"""

import glob
import os
import re
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path

from textparity.errors import ConfigError, TableError
from textparity.files import leads_out
from textparity.workflow.registry_tables import (
    ARTICLE_FORMATS,
    ENTITY_FILES,
    LOCAL,
    LOCK,
    NAME,
    PROMPT_MODES,
    PROMPT_PARTS,
    SOURCED_TABLES,
    TIDIED,
    TITLES_PER_ITEM,
    TOKENIZERS,
    ArticleCorpus,
    CodedLexicon,
    Corpus,
    EntityCorpus,
    FileReference,
    GoldRow,
    Language,
    LexiconRow,
    PromptPart,
    Row,
    Source,
    SourceFile,
    SwapOutputs,
    read_table,
    read_tsv,
    split_group,
)

# What others take from here, wherever it stands.
__all__ = [
    "ARTICLE_FORMATS",
    "LOCAL",
    "LOCK",
    "TIDIED",
    "TITLES_PER_ITEM",
    "CodedLexicon",
    "Corpus",
    "FileReference",
    "Registry",
    "Source",
    "SourceFile",
    "read_tsv",
    "split_group",
]


class Registry:
    """All tables of `resources/`, loaded and cross-checked.

    `tables` maps a table's name to its path (see `textparity.workflow.config.Tables`); relative paths are looked for in
    the working directory, then in `base` (the folder of the Snakefile).
    """

    def __init__(self, tables: dict[str, str], base: Path = Path()) -> None:
        # Relative where it can be: a job whose inputs have other names runs again, so results within a checkout that is
        # moved or copied would be made anew.
        within = Path.cwd().is_relative_to(base.resolve())
        self.base = Path(os.path.relpath(base.resolve())) if within else base
        self.paths = {name: self.locate(path) for name, path in tables.items()}
        self.languages = self._load(Language, "languages", key="lang")
        self.sources = self._load(Source, "sources", key="source")
        self.corpora = self._load(Corpus, "corpora", key="corpus")
        self.article_corpora = self._load(ArticleCorpus, "article_corpora", key="corpus")
        self.entity_corpora = self._load(EntityCorpus, "entity_corpora", key="corpus")
        self.swap_outputs = self._load(SwapOutputs, "swap_outputs", key="system")
        self.lexicons = self._load(LexiconRow, "lexicons", key="lexicon")
        self.coded_lexicons = self._load(CodedLexicon, "coded_lexicons", key="lexicon")
        self.gold = self._load(GoldRow, "gold", key="gold")
        self.source_files: dict[tuple[str, str], list[SourceFile]] = {}
        for file in read_table(SourceFile, self.paths["source_files"]):
            self.source_files.setdefault((file.source, file.path), []).append(file)
        self.prompts: dict[tuple[str, str, str], dict[str, PromptPart]] = {}
        for part in read_table(PromptPart, self.paths["prompts"]):
            parts = self.prompts.setdefault((part.prompt, part.lang, part.mode), {})
            where = f"{self.paths['prompts']}: {part.prompt} {part.lang} {part.mode} {part.part}"
            if part.part in parts:
                raise TableError(f"{where} stands twice; keep one row")
            if part.part not in PROMPT_PARTS or part.mode not in PROMPT_MODES:
                raise TableError(
                    f"{where}: part must be one of {', '.join(PROMPT_PARTS)}, mode one of {', '.join(PROMPT_MODES)}"
                )
            parts[part.part] = part
        self._check()

    def locate(self, path: str) -> str:
        """Return `path` as it is found: from the Snakefile's folder if it is only there, else as it stands."""
        return str(self.base / path) if not Path(path).exists() and (self.base / path).exists() else path

    def select_languages(self, wanted: str | Iterable[str]) -> list[str]:
        """Return the languages asked for, in table order; raise `ConfigError` for an unknown one."""
        if wanted == "all":
            return list(self.languages)
        unknown = [lang for lang in wanted if lang not in self.languages]
        if unknown:
            raise ConfigError(
                f"languages: {', '.join(unknown)} not in {self.paths['languages']}; "
                "use its ISO 639-3 codes, or add a row"
            )
        return [lang for lang in self.languages if lang in set(wanted)]

    def corpus_has(self, corpus: str, lang: str) -> bool:
        """Whether the corpus has a text in this language: a code in its code column, and a place in its list."""
        codes = self.corpora[corpus].codes
        return (not codes or lang in codes) and bool(self._code(corpus, lang))

    def corpus_file(self, corpus: str, lang: str) -> FileReference:
        """Return the file that holds `corpus` in `lang`."""
        row = self.corpora[corpus]
        code = self._code(corpus, lang)
        file = self._reference(row.source, row.path.format(code=code), row.member.format(code=code))
        return replace(file, access=row.access)

    def corpus_path(self, corpus: str) -> FileReference:
        """Return the one file of a corpus that holds all its languages."""
        row = self.corpora[corpus]
        return self._reference(row.source, row.path, "")

    def base_url(self, corpus: str) -> str:
        """Return what the addresses of a corpus' files begin with, nothing for files on this machine."""
        source = self.corpora[corpus].source
        return "" if source == LOCAL else self.sources[source].base_url

    def sample_members(self, sample_set: str) -> dict[str, str]:
        """Return the two languages of an archive that is sampled, in table order, with their members."""
        row = self._first_sample(sample_set)
        return {lang: self.corpus_file(row.corpus, lang).member for lang in self.languages if lang in row.codes}

    def sample_archive(self, sample_set: str) -> FileReference:
        """Return the archive that is sampled."""
        row = self._first_sample(sample_set)
        return self.corpus_file(row.corpus, next(iter(row.codes)))

    def document_ids_file(self, corpus: str) -> FileReference | None:
        """Return the file with one document id a line, where the corpus has one."""
        row = self.corpora[corpus]
        return self._reference(row.source, row.document_ids, "") if row.document_ids else None

    def article_files(self, corpus: str) -> list[FileReference]:
        """Return the files of a corpus of articles by path; where there is none, the pattern itself as one."""
        row = self.article_corpora[corpus]
        if row.source != LOCAL:
            return [replace(self._reference(row.source, row.path, ""), access=row.access)]
        return [FileReference(path, access=row.access) for path in self._find(row) or [row.path]]

    def article_document_ids(self, corpus: str) -> FileReference | None:
        """Return the file with one document id a line of a corpus of articles in the format `lines`."""
        row = self.article_corpora[corpus]
        return replace(self._reference(row.source, row.id, ""), access=row.access) if row.format == "lines" else None

    def entity_files(self, corpus: str) -> list[FileReference]:
        """Return the archive of a corpus with entities, or its files by path; where there is none, its folder."""
        row = self.entity_corpora[corpus]
        if row.source != LOCAL:
            return [replace(self._reference(row.source, row.path, ""), access=row.access)]
        folder = Path(self.locate(row.path))
        files = sorted(path for path in folder.glob("**/*") if path.suffix in ENTITY_FILES and path.is_file())
        return [FileReference(str(path), access=row.access) for path in files or [folder]]

    def swap_output_file(self, system: str) -> FileReference:
        """Return the file of a set of swapped outputs."""
        row = self.swap_outputs[system]
        return self._reference(row.source, row.path, "")

    def source_file(self, source: str, path: str) -> FileReference:
        """Return a whole file of a source."""
        return self._reference(source, path, "")

    def lexicon_file(self, lexicon: str, lang: str) -> FileReference:
        """Return the lexicon file of `lang`."""
        row = self.lexicons[lexicon]
        return self._reference(row.source, row.path.format(lang=lang), "")

    def coded_lexicon_file(self, lexicon: str) -> FileReference:
        """Return the file of a coded lexicon."""
        row = self.coded_lexicons[lexicon]
        return self._reference(row.source, row.path, "")

    def gold_file(self, gold: str) -> FileReference:
        """Return the file of annotated sentences."""
        row = self.gold[gold]
        return self._reference(row.source, row.path, "")

    def prompt_files(self, prompt: str, lang: str, mode: str) -> dict[str, FileReference]:
        """Return the files of a prompt by part; empty if there is none for this language and mode."""
        parts = self.prompts.get((prompt, lang, mode), {})
        return {name: self._reference(part.source, part.path, "") for name, part in parts.items()}

    def url(self, source: str, path: str) -> str:
        """Return the address of a source's file; `ConfigError` for an unknown source."""
        if source not in self.sources:
            raise ConfigError(f"results/sources/{source}/{path}: {source} is no row of {self.paths['sources']}")
        if leads_out(path):
            raise ConfigError(
                f"results/sources/{source}/{path}: leads out of results/sources/{source}; correct the path"
            )
        return f"{self.sources[source].base_url}/{path}"

    def _code(self, corpus: str, lang: str) -> str:
        row = self.corpora[corpus]
        return row.codes.get(lang) or getattr(self.languages[lang], row.code_column)

    def _first_sample(self, sample_set: str) -> Corpus:
        return next(row for row in self.corpora.values() if row.sample_set == sample_set)

    def _reference(self, source: str, path: str, member: str) -> FileReference:
        if source == LOCAL:
            return FileReference(path=self.locate(path), member=member)
        rows = self.source_files.get((source, path), [])
        # An archive is pinned by its members, or as a whole by a row without one.
        row = next((row for name in (member, "") for row in rows if row.member == name), None)
        if row is None:
            what = f"{path} with member {member}" if member else path
            raise TableError(
                f"{self.paths['source_files']}: no row for source {source}, path {what}; add it with its sha256"
            )
        return FileReference(
            path=f"results/sources/{source}/{path}",
            url=self.url(source, path),
            sha256="" if row.member or row.sha256 == LOCK else row.sha256,
            member=member,
            member_sha256=row.sha256 if row.member else "",
        )

    def _find(self, row: ArticleCorpus) -> list[str]:
        """Return the files of a local corpus, sorted; the working directory goes before the Snakefile's folder."""
        for path in (row.path, str(self.base / row.path)):
            if Path(path).is_file():
                return [path]
            ending = ARTICLE_FORMATS[row.format]
            pattern = f"{glob.escape(path)}/**/*{ending}" if Path(path).is_dir() else path
            if found := sorted(name for name in glob.glob(pattern, recursive=True) if Path(name).is_file()):
                return found
        return []

    def _load(self, kind: type[Row], table: str, key: str) -> dict[str, Row]:
        rows: dict[str, Row] = {}
        for line, row in enumerate(read_table(kind, self.paths[table]), start=2):
            name = getattr(row, key)
            if name in rows:
                raise TableError(f"{self.paths[table]}, line {line}: {key} {name} stands twice; keep one row")
            if not re.fullmatch(NAME, name):
                raise TableError(
                    f"{self.paths[table]}, line {line}: {key} {name!r} becomes part of file names; "
                    "use letters, digits, dot, dash and underscore, the first no dot"
                )
            rows[name] = row
        return rows

    def _check(self) -> None:
        for language in self.languages.values():
            where = f"{self.paths['languages']}, {language.lang}"
            if not re.fullmatch(r"[a-z]{3}", language.lang):
                raise TableError(f"{where}: lang must be an ISO 639-3 code of three letters")
            if language.published_tokenizer not in TOKENIZERS:
                raise TableError(
                    f"{where}: published_tokenizer {language.published_tokenizer!r} is none of {', '.join(TOKENIZERS)}"
                )
            if language.published_uses_stanza and not language.stanza:
                raise TableError(f"{where}: published_tokenizer is {language.published_tokenizer} but stanza is empty")
            if not language.icu_locale:
                raise TableError(f"{where}: icu_locale is empty; use a locale such as {language.lang[:2]}, or root")
            if wrong := [rule for rule in language.clitics.split() if not re.fullmatch(r"[^']+'|'[^']+", rule)]:
                raise TableError(
                    f"{where}: clitics {' '.join(wrong)} must each begin or end with one apostrophe (U+0027)"
                )
        codes = {field.name for field in fields(Language)}
        for corpus in self.corpora.values():
            where = f"{self.paths['corpora']}, {corpus.corpus}"
            if corpus.code_column not in codes:
                raise TableError(f"{where}: code_column {corpus.code_column!r} is no column of the languages table")
            if corpus.wet_files and not re.fullmatch(r"[1-9]\d*", corpus.wet_files):
                raise TableError(
                    f"{where}: wet_files {corpus.wet_files!r} is no number from 1; leave it empty for no crawl"
                )
            if corpus.unit not in ("sentence", "document"):
                raise TableError(f"{where}: unit {corpus.unit!r} is neither sentence nor document")
            if not _is_pattern(corpus.path, "code") or not _is_pattern(corpus.member, "code"):
                raise TableError(f"{where}: path or member has a placeholder that is none; only {{code}} is one")
            if unknown := [lang for lang in corpus.codes if lang not in self.languages]:
                raise TableError(f"{where}: languages {', '.join(unknown)} are not in {self.paths['languages']}")
            if corpus.parallel_to and corpus.parallel_to not in self.languages:
                raise TableError(f"{where}: parallel_to {corpus.parallel_to!r} is no language of the table")
            if corpus.sample:
                self._check_sample(corpus, where)
        for articles in self.article_corpora.values():
            self._check_articles(articles, f"{self.paths['article_corpora']}, {articles.corpus}")
        for entities in self.entity_corpora.values():
            where = f"{self.paths['entity_corpora']}, {entities.corpus}"
            # Not of the languages table, which is of the languages whose words are counted.
            if not re.fullmatch(r"[a-z]{3}", entities.lang):
                raise TableError(f"{where}: lang {entities.lang!r} must be an ISO 639-3 code of three letters")
            if entities.swapped_from and entities.swapped_from not in self.entity_corpora:
                raise TableError(f"{where}: swapped_from {entities.swapped_from!r} is no row of this table")
            if not entities.split:
                raise TableError(f"{where}: split is empty; name the file with the split")
        for outputs in self.swap_outputs.values():
            where = f"{self.paths['swap_outputs']}, {outputs.system}"
            if lacking := [f"{name}_column" for name in ("input", "reference", "output") if not outputs.columns[name]]:
                raise TableError(f"{where}: {', '.join(lacking)} is empty; name the file's column")
            if steps := set(outputs.published_steps.split()) - {TIDIED, TITLES_PER_ITEM}:
                raise TableError(
                    f"{where}: published_steps {', '.join(sorted(steps))} is none of {TIDIED}, {TITLES_PER_ITEM}"
                )
        for lexicon in self.lexicons.values():
            if not _is_pattern(lexicon.path, "lang"):
                raise TableError(
                    f"{self.paths['lexicons']}, {lexicon.lexicon}: path has a placeholder that is none; {{lang}} is"
                )
        for coded in self.coded_lexicons.values():
            if coded.form not in ("stems", "scores"):
                raise TableError(
                    f"{self.paths['coded_lexicons']}, {coded.lexicon}: form {coded.form!r} is neither stems nor scores"
                )
        for gold in self.gold.values():
            if gold.lang not in self.languages:
                raise TableError(f"{self.paths['gold']}, {gold.gold}: lang {gold.lang!r} is not in the languages table")
        for key, parts in self.prompts.items():
            # As of a corpus with entities: not of the languages table alone.
            if key[1] not in {*self.languages, *(row.lang for row in self.entity_corpora.values())}:
                raise TableError(
                    f"{self.paths['prompts']}: lang {key[1]!r} is not in the languages table, nor of an entity corpus"
                )
            if "prompt" not in parts:
                raise TableError(f"{self.paths['prompts']}: {' '.join(key)} has no part named prompt; add its row")
        prompt_rows = {
            " ".join([*key, name]): part for key, parts in self.prompts.items() for name, part in parts.items()
        }
        tables = {name: getattr(self, name) for name in SOURCED_TABLES}
        tables["prompts"] = prompt_rows
        for table, rows_by_name in tables.items():
            for name, row in rows_by_name.items():
                if row.source != LOCAL and row.source not in self.sources:
                    raise TableError(
                        f"{self.paths[table]}, {name}: source {row.source!r} is neither {LOCAL!r} nor a row of "
                        f"{self.paths['sources']}"
                    )
        for rows in self.source_files.values():
            for file in rows:
                where = f"{self.paths['source_files']}, {file.source} {file.path} {file.member}".rstrip()
                if file.source not in self.sources:
                    raise TableError(f"{where}: source is no row of {self.paths['sources']}")
                if leads_out(file.path) or leads_out(file.member):
                    raise TableError(f"{where}: leads out of results/sources/{file.source}; correct the path or member")
                if file.sha256 == LOCK and not file.member:
                    continue
                if not re.fullmatch(r"[0-9a-f]{64}", file.sha256):
                    raise TableError(f"{where}: sha256 must be 64 hexadecimal digits, or {LOCK} for a whole file")

    def _check_sample(self, row: Corpus, where: str) -> None:
        if not re.fullmatch(r"[1-9][0-9]*", row.sample) or not row.corpus.endswith(f"_{row.sample}"):
            raise TableError(f"{where}: sample {row.sample!r} must be a number from 1 and end the corpus, as in x_1")
        if len(row.codes) != 2 or "{code}" not in row.member or "{code}" in row.path or row.document_ids:
            raise TableError(
                f"{where}: a sample needs two languages, one archive as path, {{code}} in member and no document_ids"
            )
        if lacking := [lang for lang in row.codes if not self._code(row.corpus, lang)]:
            raise TableError(f"{where}: {', '.join(lacking)} has no {row.code_column} code; write {lacking[0]}=code")
        first = self._first_sample(row.sample_set)
        if any(getattr(row, name) != getattr(first, name) for name in ("source", "path", "member", "languages")):
            raise TableError(
                f"{where}: source, path, member and languages are not those of {first.corpus}, by its name a "
                "sample of the same archive; rename one of them"
            )

    def _check_articles(self, row: ArticleCorpus, where: str) -> None:
        field, part = split_group(row.group)
        is_lines = row.format == "lines"
        if row.lang not in self.languages:
            raise TableError(f"{where}: lang {row.lang!r} is not in {self.paths['languages']}")
        if row.format not in ARTICLE_FORMATS:
            raise TableError(f"{where}: format {row.format!r} is none of {', '.join(ARTICLE_FORMATS)}")
        if glob.has_magic(row.path) and (row.source != LOCAL or is_lines):
            raise TableError(f"{where}: path {row.path} is a pattern; only local corpora, not of lines, may have one")
        if is_lines and (row.text or not row.id):
            raise TableError(f"{where}: format lines needs the file of document ids as id, and no text")
        if not is_lines and not row.text:
            raise TableError(f"{where}: text is empty; name the field of the text")
        if bool(row.group) != bool(row.group_name):
            raise TableError(f"{where}: group and group_name need each other; fill in both, or leave both empty")
        if part not in ("", "year", "month", "prefix") or (part == "prefix") != (field == "id" and bool(part)):
            raise TableError(
                f"{where}: group {row.group!r} is neither a field nor field:year, field:month, file:year, file:month "
                "or id:prefix"
            )
        is_of_file = field == "file" and bool(part)
        if (is_of_file and row.format != "taz_json") or (is_lines and row.group and part != "prefix"):
            raise TableError(f"{where}: format {row.format} has no group {row.group!r}")
        if row.format == "csv":
            self._check_csv([row.id, row.text, "" if part == "prefix" else field], row.delimiter, row.quote, where)
        elif row.delimiter or row.quote:
            raise TableError(f"{where}: delimiter and quote are for format csv; leave them empty")

    @staticmethod
    def _check_csv(columns: list[str], delimiter: str, quote: str, where: str) -> None:
        columns = [column for column in columns if column]
        if any(map(str.isdecimal, columns)) and not all(re.fullmatch("[1-9][0-9]*", column) for column in columns):
            raise TableError(
                f"{where}: id, text and group are {', '.join(columns)}; all must be numbers of columns, from 1, or "
                "all names of the header"
            )
        delimiter, quote = delimiter or ",", quote or '"'
        single = (len(delimiter) == 1 or delimiter == "\\t") and (len(quote) == 1 or quote == "none")
        if not single or delimiter == quote:
            raise TableError(
                f"{where}: delimiter {delimiter!r} and quote {quote!r} must be two different characters; \\t is a tab, "
                "none is no quote"
            )


def _is_pattern(path: str, name: str) -> bool:
    """Whether all that stands in braces is `name`."""
    return not re.search(r"[{}]", path.replace(f"{{{name}}}", ""))
