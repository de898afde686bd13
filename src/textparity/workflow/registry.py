"""The registry: languages, sources, corpora and lexicons are rows of tables, cross-checked when loaded.

This module is imported wherever rules are parsed.
"""

import glob
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from textparity.errors import ConfigError, TableError
from textparity.files import leads_out
from textparity.llm.models import ModelRow
from textparity.measures.tokenizers import TokenizerChoice
from textparity.sources.model_files import NLTK_PACKAGE
from textparity.workflow.registry_rows import (
    ARTICLE_FORMATS,
    ENTITY_FILES,
    LOCAL,
    LOCK,
    SOURCED_TABLES,
    ArticleCorpus,
    BalancedTexts,
    CodedLexicon,
    Corpus,
    EntityCorpus,
    FileReference,
    GoldRow,
    Language,
    LexiconRow,
    PersonGold,
    PersonPipeline,
    PromptPart,
    SomeRow,
    Source,
    SourceFile,
    SwapOutputs,
    read_table,
)
from textparity.workflow.settings import Closed


class Tables(Closed):
    """Paths of the registry tables, relative to the working directory or to the Snakefile."""

    languages: str = "resources/registry/languages.tsv"
    sources: str = "resources/registry/sources.tsv"
    source_files: str = "resources/registry/source_files.tsv"
    corpora: str = "resources/registry/corpora.tsv"
    article_corpora: str = "resources/registry/article_corpora.tsv"
    entity_corpora: str = "resources/registry/entity_corpora.tsv"
    swap_outputs: str = "resources/registry/swap_outputs.tsv"
    lexicons: str = "resources/registry/lexicons.tsv"
    coded_lexicons: str = "resources/registry/coded_lexicons.tsv"
    gold: str = "resources/registry/gold.tsv"
    balanced_texts: str = "resources/registry/balanced_texts.tsv"
    person_gold: str = "resources/registry/person_gold.tsv"
    person_pipelines: str = "resources/registry/person_pipelines.tsv"
    prompts: str = "resources/registry/prompts.tsv"
    language_models: str = "resources/registry/language_models.tsv"
    classifiers: str = "resources/registry/classifiers.tsv"
    base_models: str = "resources/registry/base_models.tsv"
    sequence_models: str = "resources/registry/sequence_models.tsv"
    story_sets: str = "resources/registry/story_sets.tsv"
    story_prompts: str = "resources/registry/story_prompts.tsv"


class Registry:
    """All tables of `resources/`, loaded and cross-checked.

    `tables` maps a table's name to its path (see `Tables`); relative paths are looked for in
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
        self.balanced_texts: dict[str, list[BalancedTexts]] = {}
        for texts in read_table(BalancedTexts, self.paths["balanced_texts"]):
            self.balanced_texts.setdefault(texts.texts, []).append(texts)
        self.person_gold: dict[tuple[str, str], list[PersonGold]] = {}
        for annotated in read_table(PersonGold, self.paths["person_gold"]):
            self.person_gold.setdefault((annotated.gold, annotated.lang), []).append(annotated)
        self.person_pipelines = self._load(PersonPipeline, "person_pipelines", key="lang")
        self.source_files: dict[tuple[str, str], list[SourceFile]] = {}
        for file in read_table(SourceFile, self.paths["source_files"]):
            self.source_files.setdefault((file.source, file.path), []).append(file)
        self.prompts: dict[tuple[str, str, str], dict[str, PromptPart]] = {}
        for part in read_table(PromptPart, self.paths["prompts"]):
            parts = self.prompts.setdefault((part.prompt, part.lang, part.mode), {})
            if part.part in parts:
                where = f"{self.paths['prompts']}: {part.prompt} {part.lang} {part.mode} {part.part}"
                raise TableError(f"{where} is there twice; keep one row")
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

    def tokenizer(self, lang: str, engine: str) -> TokenizerChoice:
        """Return how `engine` cuts `lang`: `paper` as the paper did, by its row; `icu` by Unicode's rules."""
        row = self.languages[lang]
        stanza = row.published_uses_stanza
        if engine == "icu":
            return TokenizerChoice("icu", row.icu_locale, split_sentences=stanza, clitics=row.clitics)
        if stanza:
            return TokenizerChoice("stanza", row.stanza, expand_words=row.published_tokenizer == "stanza_mwt")
        return TokenizerChoice(row.published_tokenizer, NLTK_PACKAGE if row.published_tokenizer == "nltk" else "")

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

    def file_of(self, row: Corpus | SwapOutputs | CodedLexicon | GoldRow) -> FileReference:
        """Return the one file of a row."""
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
        """Return the file with a document id for each line, where the corpus has one; in an archive, its member."""
        row = self.corpora[corpus]
        path = row.document_ids.partition("#")[0]
        if not row.document_ids or not row.member:
            return self._reference(row.source, path, "") if path else None
        # Any language's row leads to the archive; the hashes of its texts do not pin this member.
        archive = self.corpus_file(corpus, next(lang for lang in self.languages if self.corpus_has(corpus, lang)))
        return replace(archive, member=path, member_sha256="")

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

    def source_file(self, source: str, path: str) -> FileReference:
        """Return a whole file of a source."""
        return self._reference(source, path, "")

    def lexicon_file(self, lexicon: str, lang: str) -> FileReference:
        """Return the lexicon file of `lang`."""
        row = self.lexicons[lexicon]
        return self._reference(row.source, row.path.format(lang=lang), "")

    def lexicon_name(self, lexicon: str) -> str:
        """Return what people call a lexicon; its own name where there is no row, which stops the studies that count."""
        return self.lexicons[lexicon].name if lexicon in self.lexicons else lexicon

    def revision_file(self, lexicon: str, lang: str) -> str:
        """Return the file that changes what `lexicon` revises in `lang`, an empty string where there is none."""
        path = self.locate(self.lexicons[lexicon].path.format(lang=lang))
        return path if Path(path).is_file() else ""

    def prompt_files(self, prompt: str, lang: str, model: ModelRow) -> dict[str, FileReference]:
        """Return the files of a prompt that a model gets, by part; empty if there is none for its language and mode."""
        parts = self.prompts.get((prompt, lang, model.mode), {})
        return {
            name: self._reference(part.source, part.path, "")
            for name, part in parts.items()
            if model.host not in part.not_sent_to.split()
        }

    def url(self, source: str, path: str) -> str:
        """Return the address of a source's file, percent-encoded; `ConfigError` for an unknown source."""
        if source not in self.sources:
            raise ConfigError(f"results/sources/{source}/{path}: {source} is not a row of {self.paths['sources']}")
        if leads_out(path):
            raise ConfigError(
                f"results/sources/{source}/{path}: leads out of results/sources/{source}; correct the path"
            )
        return f"{self.sources[source].base_url}/{quote(path)}"

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

    def _load(self, kind: type[SomeRow], table: str, key: str) -> dict[str, SomeRow]:
        rows: dict[str, SomeRow] = {}
        for line, row in enumerate(read_table(kind, self.paths[table]), start=2):
            name = getattr(row, key)
            if name in rows:
                raise TableError(f"{self.paths[table]}, line {line}: {key} {name} is there twice; keep one row")
            rows[name] = row
        return rows

    def _check(self) -> None:
        """Check what rows say of other rows; what a cell may be alone is checked as it is read."""
        for corpus in self.corpora.values():
            where = f"{self.paths['corpora']}, {corpus.corpus}"
            self._require_languages(where, "languages", corpus.codes)
            self._require_languages(where, "parallel_to", filter(None, [corpus.parallel_to]))
            if corpus.sample:
                self._check_sample(corpus, where)
        for table, rows in (("article_corpora", self.article_corpora), ("gold", self.gold)):
            for name, row in rows.items():
                self._require_languages(f"{self.paths[table]}, {name}", "lang", [row.lang])
        for lexicon in self.lexicons.values():
            if lexicon.revises:
                where = f"{self.paths['lexicons']}, {lexicon.lexicon}"
                if lexicon.source != LOCAL:
                    raise TableError(f"{where}: what revises a lexicon is of source {LOCAL!r}, not {lexicon.source!r}")
                if lexicon.revises not in self.lexicons or self.lexicons[lexicon.revises].revises:
                    raise TableError(f"{where}: revises {lexicon.revises!r} is not a lexicon of its own in this table")
        for name, balanced in self.balanced_texts.items():
            where = f"{self.paths['balanced_texts']}, {name}"
            self._require_languages(where, "lang", [row.lang for row in balanced])
        for gold, lang in self.person_gold:
            self._require_languages(f"{self.paths['person_gold']}, {gold}", "lang", [lang])
        self._require_languages(self.paths["person_pipelines"], "lang", self.person_pipelines)
        for entities in self.entity_corpora.values():
            if entities.swapped_from and entities.swapped_from not in self.entity_corpora:
                where = f"{self.paths['entity_corpora']}, {entities.corpus}"
                raise TableError(f"{where}: swapped_from {entities.swapped_from!r} is not a row of this table")
        for key, parts in self.prompts.items():
            # As of a corpus with entities: not of the languages table alone.
            if key[1] not in {*self.languages, *(row.lang for row in self.entity_corpora.values())}:
                raise TableError(
                    f"{self.paths['prompts']}: lang {key[1]!r} is not in the languages table, nor of an entity corpus"
                )
            if "prompt" not in parts:
                raise TableError(f"{self.paths['prompts']}: {' '.join(key)} has no part named prompt; add its row")
        self._check_sources()

    def _require_languages(self, where: str, column: str, langs: Iterable[str]) -> None:
        if unknown := [lang for lang in langs if lang not in self.languages]:
            raise TableError(f"{where}: {column} {', '.join(map(repr, unknown))} is not in {self.paths['languages']}")

    def _check_sources(self) -> None:
        named = (
            {
                f"{self.paths[table]}, {name}": row.source
                for table in SOURCED_TABLES
                for name, row in getattr(self, table).items()
            }
            | {
                f"{self.paths['prompts']}, {' '.join([*key, name])}": part.source
                for key, parts in self.prompts.items()
                for name, part in parts.items()
            }
            | {
                f"{self.paths['balanced_texts']}, {name} {row.lang}": row.source
                for name, balanced in self.balanced_texts.items()
                for row in balanced
            }
            | {
                f"{self.paths['person_gold']}, {' '.join(key)}": row.source
                for key, rows in self.person_gold.items()
                for row in rows
            }
        )
        for where, source in named.items():
            if source not in (LOCAL, *self.sources):
                raise TableError(f"{where}: source {source!r} is not {LOCAL!r} or a row of {self.paths['sources']}")
        for source, path in self.source_files:
            if source not in self.sources:
                raise TableError(
                    f"{self.paths['source_files']}, {source} {path}: source is not a row of {self.paths['sources']}"
                )

    def _check_sample(self, row: Corpus, where: str) -> None:
        if missing := [lang for lang in row.codes if not self._code(row.corpus, lang)]:
            raise TableError(f"{where}: {', '.join(missing)} has no {row.code_column} code; write {missing[0]}=code")
        first = self._first_sample(row.sample_set)
        if any(getattr(row, name) != getattr(first, name) for name in ("source", "path", "member", "languages")):
            raise TableError(
                f"{where}: source, path, member and languages are not those of {first.corpus}, by its name a "
                "sample of the same archive; rename one of them"
            )
