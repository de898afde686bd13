"""The inputs and params of the rules that fetch files and read corpora."""

from typing import Any

from textparity.workflow.availability import require_files
from textparity.workflow.registry_rows import LOCK, SourceFile
from textparity.workflow.study import Context

# In the working directory, to be kept under version control.
LOCK_FILE = "sources.lock.tsv"


class CorpusPlan:
    """What each file is known by, and where the texts of each corpus come from."""

    def __init__(self, context: Context) -> None:
        self.config = context.config
        self.registry = context.registry
        corpora = self.registry.corpora
        self.crawls = [name for name, corpus in corpora.items() if corpus.wet_files]
        self.samples = [name for name, corpus in corpora.items() if corpus.sample]
        self.files = [name for name in corpora if name not in {*self.crawls, *self.samples}]
        self.sample_sets = sorted({corpus.sample_set for corpus in corpora.values()} - {""})

    # Files of sources.

    def pinned_hash(self, wildcards: Any) -> str:
        """Return the sha256 of a source's file, or nothing where its members or the lock file pin it."""
        return "".join(file.sha256 for file in self._rows(wildcards) if not file.member and file.sha256 != LOCK)

    def pinned_members(self, wildcards: Any) -> dict[str, str]:
        """Return the sha256 of each member of a source's archive."""
        return {file.member: file.sha256 for file in self._rows(wildcards) if file.member}

    def lock_file(self, wildcards: Any) -> str:
        """Return the lock file for a source's file without a known sha256, or nothing."""
        return LOCK_FILE if any(file.sha256 == LOCK for file in self._rows(wildcards)) else ""

    def _rows(self, wildcards: Any) -> list[SourceFile]:
        return self.registry.source_files.get((wildcards.source, wildcards.path), [])

    # Corpora of one file a language, and samples of an archive's pairs.

    def source(self, wildcards: Any) -> str:
        """Return the file of a corpus in a language."""
        return require_files([self.registry.corpus_file(wildcards.corpus, wildcards.lang)], self.config.mirror)[0]

    def document_ids(self, wildcards: Any) -> list[str]:
        """Return the file of a corpus' document ids, as a list of no or one path."""
        file = self.registry.document_ids_file(wildcards.corpus)
        return [file.path] if file else []

    def drawn(self, wildcards: Any) -> str:
        """Return the pairs that were drawn for a sample."""
        return f"results/samples/{self.registry.corpora[wildcards.corpus].sample_set}.parquet"

    # Crawls: lists of WET files, or a WET file.

    def wet_file(self, wildcards: Any) -> str:
        """Return one WET file of a crawl: of a list, one that is fetched; else the path of the crawl itself."""
        crawl = wildcards.crawl
        if self.registry.corpora[crawl].path.endswith(".paths.gz"):
            return f"results/crawls/{crawl}/wet/{wildcards.number}.warc.wet.gz"
        return self.registry.corpus_path(crawl).path

    def crawl_parts(self, crawl: str) -> list[str]:
        """Return one folder of documents per WET file."""
        files = int(self.registry.corpora[crawl].wet_files)
        return [f"results/crawls/{crawl}/parts/{number}" for number in range(files)]

    def crawl_codes(self, wildcards: Any) -> dict[str, str]:
        """Return the codes of the languages of a crawl: ISO 639-3, and the locale's."""
        rows = [self.registry.languages[lang] for lang in self._crawl_langs(wildcards)]
        return {code: row.lang for row in rows for code in (row.lang, row.icu_locale)}

    def crawl_scripts(self, wildcards: Any) -> dict[str, str]:
        """Return the script of each language of a crawl."""
        return {lang: self.registry.languages[lang].script for lang in self._crawl_langs(wildcards)}

    def _crawl_langs(self, wildcards: Any) -> list[str]:
        """Return the languages whose documents are kept, whatever languages this run counts."""
        return [lang for lang in self.registry.languages if self.registry.corpus_has(wildcards.crawl, lang)]
