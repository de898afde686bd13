"""Plan the `lexicon` study: what it counts, and what cannot be counted here."""

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

from textparity.counting.tokenizers import ENGINES, TokenizerChoice
from textparity.errors import ConfigError
from textparity.files import require_rows
from textparity.sources.model_files import missing_model
from textparity_studies.lexicon.paper_tokenizers import missing_package, pins_of
from textparity_studies.lexicon.rows import BalancedTexts
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.workflow.availability import check_samples, missing_file
from textparity_studies.workflow.plans import CorpusPlan
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

# The languages of the sentences that the paper's Table 2 prints.
SENTENCE_LANGS = ("eng", "spa", "cat", "cmn", "vie")


class CountedCorpus(NamedTuple):
    """Identify a corpus, counted with an engine."""

    corpus: str
    engine: str


class Unit(NamedTuple):
    """Identify a corpus in a language, counted with an engine."""

    corpus: str
    lang: str
    engine: str


class LexiconPlan(StudyPlan):
    """Plan the `lexicon` study.

    `units` are counted; `counted_corpora` are their corpora, the paper's engine first. If there are several engines to
    compare, `compared_corpora` are the same. The `main_units`, by the first engine of their corpus, provide the tables
    and figures; `main_corpora` are theirs.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = self.config.lexicon
        known = self._known_units()
        reasons = {unit: self._missing(unit) for unit in known}
        self.unavailable = {unit: reason for unit, reason in reasons.items() if reason}
        skipped = self.unavailable if self.config.skip_unavailable else {}
        self.units = [unit for unit in known if unit not in skipped]
        self.langs = sorted({unit.lang for unit in self.units})
        self.not_run = [[*unit, reason] for unit, reason in skipped.items()]
        self.not_run += self._missing_documents()
        self.counted_corpora = _corpora_of(sorted(self.units, key=lambda unit: ENGINES.index(unit.engine)))
        engines = {corpus.engine for corpus in self.counted_corpora}
        self.compared_corpora = self.counted_corpora if len(engines) == len(ENGINES) else []
        self.main_units = [unit for unit in self.units if unit.engine == self._engines_of(unit.corpus)[0]]
        self.main_corpora = _corpora_of(self.main_units)
        # The units of corpora whose languages translate the same documents.
        self.parallel_units = [unit for unit in self.main_units if self.registry.corpora[unit.corpus].parallel_to]
        # The language with which the others of a corpus are compared, text by text.
        self.pivots = {
            unit.corpus: unit.lang
            for unit in self.parallel_units
            if unit.lang == self.registry.corpora[unit.corpus].parallel_to
        }
        self.balanced_files = self._balanced_files() if context.is_on("lexicon") else []

    def units_of(self, corpus: str, engine: str | None = None) -> list[Unit]:
        """List the units of a corpus, by an engine or else by its first."""
        engine = engine or self._engines_of(corpus)[0]
        return [unit for unit in self.units if (unit.corpus, unit.engine) == (corpus, engine)]

    @property
    def counted_together(self) -> dict[tuple[str, ...], list[str]]:
        """The languages of each set of corpora that one job counts: a crawl, or all others of one unit."""
        of_job: dict[tuple[str, str], list[str]] = {}
        for corpus, lang in dict.fromkeys((unit.corpus, unit.lang) for unit in self.units):
            row = self.registry.corpora[corpus]
            of_job.setdefault((corpus if row.wet_files else row.unit, lang), []).append(corpus)
        together: dict[tuple[str, ...], list[str]] = {}
        for (_, lang), corpora in of_job.items():
            together.setdefault(tuple(corpora), []).append(lang)
        return together

    @property
    def is_revised(self) -> bool:
        """True if the configured revision belongs to the counted lexicon, or is a lexicon of its own."""
        revision = self.settings.revision
        return revision is not None and self.registry.is_table_of(revision, self.config.person_nouns)

    def revision(self, lang: str) -> str:
        """Return the file that revises the lexicon of a language, or an empty string."""
        return self.registry.table_file(self.settings.revision, lang) if self.is_revised else ""

    def tokenizer_pins(self, lang: str, engine: str) -> list[str]:
        """List the packages that replace the environment's (`nltk==3.9.1`) when an engine splits a language."""
        return pins_of(self.registry.tokenizer(lang, engine).kind)

    def tokenizer_gap(self, lang: str, engine: str) -> str:
        """Explain why these packages are not here, or return an empty string."""
        missing = missing_package(self.tokenizer_pins(lang, engine))
        return missing and Need(Reason.NOT_DOWNLOADED, missing)

    @property
    def balanced_inputs(self) -> list[str]:
        """The files of `balanced_files`."""
        paths: list[str] = []
        for file in self.balanced_files:
            paths += [file["feminine"], file["masculine"], file["lexicon"], file["revision"]]
        return list(dict.fromkeys(filter(None, paths)))

    def _missing_documents(self) -> list[list[str]]:
        """List the corpora in which lines replace documents, because the file of documents is not available."""
        plan = CorpusPlan(self.context)
        rows = []
        for corpus in dict.fromkeys(unit.corpus for unit in self.units):
            if reason := plan.missing_documents(corpus):
                rows.append([corpus, "", "", f"{reason}; each line counts as a document"])
        return rows

    def _known_units(self) -> list[Unit]:
        """List every unit in the tables; an unknown name is a `ConfigError`."""
        corpora, person_nouns = self.settings.corpora, self.config.person_nouns
        registry = self.registry
        is_known = person_nouns in registry.lexicons and registry.corpora.keys() >= set(corpora)
        if not self.context.is_on("lexicon") and not is_known:
            return []
        require_rows("lexicon.corpora", corpora, registry.corpora, registry.paths["corpora"])
        require_rows("person_nouns", [person_nouns], registry.lexicons, registry.paths["lexicons"])
        self._check_revision()
        check_samples(registry, self.config, "lexicon.corpora", corpora)
        languages = registry.select_languages(self.config.languages)
        units = []
        for corpus, lang in product(corpora, languages):
            if registry.corpus_has(corpus, lang):
                units += [Unit(corpus, lang, engine) for engine in self._engines_of(corpus)]
        return units

    def _check_revision(self) -> None:
        person_nouns, revision = self.config.person_nouns, self.settings.revision
        if revised := self.registry.lexicons[person_nouns].revises:
            raise ConfigError(f"person_nouns: {person_nouns} revises {revised}; name it in lexicon.revision")
        if revision is not None:
            require_rows("lexicon.revision", [revision], self.registry.lexicons, self.registry.paths["lexicons"])

    def _balanced_files(self) -> list[dict[str, Any]]:
        """Collect the files for measuring the symmetry of lexicons: the fields of `symmetry.BalancedFiles`."""
        registry, names = self.registry, self.settings.balanced_texts
        rows = registry.balanced_texts.values()
        require_rows("lexicon.balanced_texts", names, {row.texts for row in rows}, registry.paths["balanced_texts"])
        languages = registry.select_languages(self.config.languages)
        files = []
        for name, row in product(names, rows):
            if row.texts == name and row.lang in languages:
                files += self._balanced_files_of(row)
        return files

    def _balanced_files_of(self, row: BalancedTexts) -> list[dict[str, Any]]:
        registry = self.registry
        feminine = registry.source_file(row.source, row.feminine)
        masculine = registry.source_file(row.source, row.masculine)
        lexicon = registry.lexicon_file(self.config.person_nouns, row.lang)
        is_missing = any(missing_file(file, self.config.mirror) for file in (feminine, masculine, lexicon))
        if is_missing and self.config.skip_unavailable:
            return []
        return [
            {
                "lang": row.lang,
                "feminine": feminine.path,
                "masculine": masculine.path,
                "lexicon": lexicon.path,
                "revision": self.revision(row.lang),
                "tokenizer": registry.tokenizer(row.lang, "icu"),
                "first_names": registry.languages[row.lang].first_names,
            }
        ]

    def _engines_of(self, corpus: str) -> list[str]:
        is_of_sentences = self.registry.corpora[corpus].unit == "sentence"
        return self.settings.engines if is_of_sentences else self.settings.document_engines

    def _missing(self, unit: Unit) -> str:
        """Explain why a unit cannot be counted here, or return an empty string."""
        return (
            missing_file(self.registry.corpus_file(unit.corpus, unit.lang), self.config.mirror)
            or missing_file(self.registry.lexicon_file(self.config.person_nouns, unit.lang), self.config.mirror)
            or self.tokenizer_gap(unit.lang, unit.engine)
            or self._missing_model(self.registry.tokenizer(unit.lang, unit.engine))
        )

    def _missing_model(self, choice: TokenizerChoice) -> str:
        if not choice.model_record:
            return ""
        folder = str(getattr(self.config.models, choice.kind))
        missing = missing_model(choice.kind, choice.code, folder, offline=self.config.mirror is not None)
        # The models are public, so the only reason is a missing download.
        return missing and Need(Reason.NOT_DOWNLOADED, missing)


def _corpora_of(units: Iterable[Unit]) -> list[CountedCorpus]:
    return list(dict.fromkeys(CountedCorpus(unit.corpus, unit.engine) for unit in units))


STUDY = Study(
    "lexicon",
    "Lexicon (Muller 2023)",
    LexiconPlan,
    tables={"balanced_texts": BalancedTexts},
    noun_tables=(
        "lexicon_sizes",
        "distribution",
        "overview",
        "verdicts",
        "correction",
        "revision",
        "fidelity",
        "fixes",
        "leave_one_out",
        "layers",
    ),
)
