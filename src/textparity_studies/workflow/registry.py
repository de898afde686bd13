"""Load the registry: languages, sources, corpora and lexicons are rows of tables, which are checked against each other.

Rule files import this module while they are parsed.
"""

import glob
from dataclasses import replace
from pathlib import Path

from textparity.errors import TableError
from textparity.registry.rows import LOCAL, FileReference, read_table
from textparity.registry.tables import TABLES, Registry
from textparity_studies.llm.models import ModelRow
from textparity_studies.workflow.registry_rows import (
    ARTICLE_FORMATS,
    ENTITY_FILES,
    SOURCED_TABLES,
    ArticleCorpus,
    BalancedTexts,
    CodedLexicon,
    Corpus,
    EntityCorpus,
    GoldRow,
    PersonGold,
    PromptPart,
    SwapOutputs,
)
from textparity_studies.workflow.settings import Closed


class Tables(Closed):
    """Paths of the registry tables, relative to the working directory or to the Snakefile."""

    languages: str = TABLES["languages"]
    sources: str = TABLES["sources"]
    source_files: str = TABLES["source_files"]
    corpora: str = "resources/registry/corpora.tsv"
    article_corpora: str = "resources/registry/article_corpora.tsv"
    entity_corpora: str = "resources/registry/entity_corpora.tsv"
    swap_outputs: str = "resources/registry/swap_outputs.tsv"
    lexicons: str = TABLES["lexicons"]
    coded_lexicons: str = "resources/registry/coded_lexicons.tsv"
    gold: str = "resources/registry/gold.tsv"
    balanced_texts: str = "resources/registry/balanced_texts.tsv"
    person_gold: str = "resources/registry/person_gold.tsv"
    person_pipelines: str = TABLES["person_pipelines"]
    prompts: str = "resources/registry/prompts.tsv"
    language_models: str = "resources/registry/language_models.tsv"
    classifiers: str = "resources/registry/classifiers.tsv"
    base_models: str = "resources/registry/base_models.tsv"
    sequence_models: str = "resources/registry/sequence_models.tsv"
    story_sets: str = "resources/registry/story_sets.tsv"
    story_prompts: str = "resources/registry/story_prompts.tsv"


class StudyRegistry(Registry):
    """Hold all tables of `resources/`, by the names in `Tables`; see `Registry`."""

    def __init__(self, tables: dict[str, str], base: Path = Path()) -> None:
        super().__init__(tables, base)
        self.corpora = self._load(Corpus, "corpora", key="corpus")
        self.article_corpora = self._load(ArticleCorpus, "article_corpora", key="corpus")
        self.entity_corpora = self._load(EntityCorpus, "entity_corpora", key="corpus")
        self.swap_outputs = self._load(SwapOutputs, "swap_outputs", key="system")
        self.coded_lexicons = self._load(CodedLexicon, "coded_lexicons", key="lexicon")
        self.gold = self._load(GoldRow, "gold", key="gold")
        self.balanced_texts: dict[str, list[BalancedTexts]] = {}
        for texts in read_table(BalancedTexts, self.paths["balanced_texts"]):
            self.balanced_texts.setdefault(texts.texts, []).append(texts)
        self.person_gold: dict[tuple[str, str], list[PersonGold]] = {}
        for annotated in read_table(PersonGold, self.paths["person_gold"]):
            self.person_gold.setdefault((annotated.gold, annotated.lang), []).append(annotated)
        self.prompts: dict[tuple[str, str, str], dict[str, PromptPart]] = {}
        for part in read_table(PromptPart, self.paths["prompts"]):
            parts = self.prompts.setdefault((part.prompt, part.lang, part.mode), {})
            if part.part in parts:
                where = f"{self.paths['prompts']}: {part.prompt} {part.lang} {part.mode} {part.part}"
                raise TableError(f"{where} is there twice; keep one row")
            parts[part.part] = part
        self._check_studies()

    def corpus_has(self, corpus: str, lang: str) -> bool:
        """Check whether the corpus has a text in this language: a code in its code column, and an entry in its list."""
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
        """Return the common beginning of the addresses of a corpus' files; empty for files on this machine."""
        source = self.corpora[corpus].source
        return "" if source == LOCAL else self.sources[source].base_url

    def sample_members(self, sample_set: str) -> dict[str, str]:
        """Map the two languages of a sampled archive, in table order, to their members."""
        row = self._first_sample(sample_set)
        return {lang: self.corpus_file(row.corpus, lang).member for lang in self.languages if lang in row.codes}

    def sample_archive(self, sample_set: str) -> FileReference:
        """Return the sampled archive."""
        row = self._first_sample(sample_set)
        return self.corpus_file(row.corpus, next(iter(row.codes)))

    def document_ids_file(self, corpus: str) -> FileReference | None:
        """Return the file with a document id for each line, if the corpus has one; in an archive, its member."""
        row = self.corpora[corpus]
        path = row.document_ids.partition("#")[0]
        if not row.document_ids or not row.member:
            return self._reference(row.source, path, "") if path else None
        # Any language's row leads to the archive. The hashes of its texts do not pin this member.
        archive = self.corpus_file(corpus, next(lang for lang in self.languages if self.corpus_has(corpus, lang)))
        return replace(archive, member=path, member_sha256="")

    def article_files(self, corpus: str) -> list[FileReference]:
        """Return the files of a corpus of articles by path; if there are none, the pattern itself as the only one."""
        row = self.article_corpora[corpus]
        if row.source != LOCAL:
            return [replace(self._reference(row.source, row.path, ""), access=row.access)]
        return [FileReference(path, access=row.access) for path in self._find(row) or [row.path]]

    def article_document_ids(self, corpus: str) -> FileReference | None:
        """Return the file with one document id per line, for a corpus of articles in the format `lines`."""
        row = self.article_corpora[corpus]
        return replace(self._reference(row.source, row.id, ""), access=row.access) if row.format == "lines" else None

    def entity_files(self, corpus: str) -> list[FileReference]:
        """Return the archive of a corpus with entities, or its files by path; if there are none, its folder."""
        row = self.entity_corpora[corpus]
        if row.source != LOCAL:
            return [replace(self._reference(row.source, row.path, ""), access=row.access)]
        folder = Path(self.locate(row.path))
        files = sorted(path for path in folder.glob("**/*") if path.suffix in ENTITY_FILES and path.is_file())
        return [FileReference(str(path), access=row.access) for path in files or [folder]]

    def prompt_files(self, prompt: str, lang: str, model: ModelRow) -> dict[str, FileReference]:
        """Return the files of a prompt for a model, by part; empty if its language or mode has none."""
        parts = self.prompts.get((prompt, lang, model.mode), {})
        return {
            name: self._reference(part.source, part.path, "")
            for name, part in parts.items()
            if model.host not in part.not_sent_to.split()
        }

    def _code(self, corpus: str, lang: str) -> str:
        row = self.corpora[corpus]
        return row.codes.get(lang) or getattr(self.languages[lang], row.code_column)

    def _first_sample(self, sample_set: str) -> Corpus:
        return next(row for row in self.corpora.values() if row.sample_set == sample_set)

    def _find(self, row: ArticleCorpus) -> list[str]:
        """List the files of a local corpus, sorted; the working directory comes before the Snakefile's folder."""
        for path in (row.path, str(self.base / row.path)):
            if Path(path).is_file():
                return [path]
            ending = ARTICLE_FORMATS[row.format]
            pattern = f"{glob.escape(path)}/**/*{ending}" if Path(path).is_dir() else path
            if found := sorted(name for name in glob.glob(pattern, recursive=True) if Path(name).is_file()):
                return found
        return []

    def _check_studies(self) -> None:
        """Check references between the rows of studies' tables."""
        for corpus in self.corpora.values():
            where = f"{self.paths['corpora']}, {corpus.corpus}"
            self._require_languages(where, "languages", corpus.codes)
            self._require_languages(where, "parallel_to", filter(None, [corpus.parallel_to]))
            if corpus.sample:
                self._check_sample(corpus, where)
        for table, rows in (("article_corpora", self.article_corpora), ("gold", self.gold)):
            for name, row in rows.items():
                self._require_languages(f"{self.paths[table]}, {name}", "lang", [row.lang])
        for name, balanced in self.balanced_texts.items():
            where = f"{self.paths['balanced_texts']}, {name}"
            self._require_languages(where, "lang", [row.lang for row in balanced])
        for gold, lang in self.person_gold:
            self._require_languages(f"{self.paths['person_gold']}, {gold}", "lang", [lang])
        for entities in self.entity_corpora.values():
            if entities.swapped_from and entities.swapped_from not in self.entity_corpora:
                where = f"{self.paths['entity_corpora']}, {entities.corpus}"
                raise TableError(f"{where}: swapped_from {entities.swapped_from!r} is not a row of this table")
        for key, parts in self.prompts.items():
            # As for a corpus with entities, the language need not be in the languages table.
            if key[1] not in {*self.languages, *(row.lang for row in self.entity_corpora.values())}:
                raise TableError(
                    f"{self.paths['prompts']}: lang {key[1]!r} is not in the languages table, nor of an entity corpus"
                )
            if "prompt" not in parts:
                raise TableError(f"{self.paths['prompts']}: {' '.join(key)} has no part named prompt; add its row")
        self._check_sources()

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
            self._require_source(where, source)

    def _check_sample(self, row: Corpus, where: str) -> None:
        if missing := [lang for lang in row.codes if not self._code(row.corpus, lang)]:
            raise TableError(f"{where}: {', '.join(missing)} has no {row.code_column} code; write {missing[0]}=code")
        first = self._first_sample(row.sample_set)
        if any(getattr(row, name) != getattr(first, name) for name in ("source", "path", "member", "languages")):
            raise TableError(
                f"{where}: source, path, member and languages are not those of {first.corpus}, by its name a "
                "sample of the same archive; rename one of them"
            )
