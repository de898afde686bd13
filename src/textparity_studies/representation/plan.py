"""Plan the `representation` study: its outputs, those that cannot be made here, and the inputs of its rules."""

from itertools import product
from typing import Any

from textparity.counting import PROCEDURES
from textparity.errors import ConfigError
from textparity.files import require_rows
from textparity.persons.mentions import PERSONS
from textparity_studies.workflow.availability import check_samples, missing_file
from textparity_studies.workflow.plans import Persons, TaggingPlan
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

ENGLISH = "eng"
FOLDER = "results/representation"
TABLES = f"{FOLDER}/tables"
POLARITY, TAGS, SCORES = (f"{FOLDER}/{name}.csv" for name in ("polarity_summary", "tags_summary", "scores"))
EPICENE = f"{TABLES}/epicene.csv"
VALIDATION = tuple(f"{TABLES}/{procedure}/validation.csv" for procedure in PROCEDURES)


class RepresentationPlan(StudyPlan):
    """Plan the `representation` study.

    `corpora` are counted in English, and the persons of `counted` (corpus, language) by methods. `tagged` (corpus,
    language) are tagged by the corpus tagger, and the annotated sentences `gold` by `taggers`. `tables` are the outputs
    of each rule that makes tables.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.representation
        self.tagging, self.persons = TaggingPlan(context), Persons(context)
        is_on = context.is_on("representation")
        # Map the (corpus or gold file, language) pairs that cannot be read here to the reason.
        self.gaps = self._find_gaps() if is_on else {}
        self.taggers = self._select_taggers() if is_on else []
        corpora = self.settings.corpora if is_on else []
        self.corpora = [name for name in corpora if self._is_run(name, ENGLISH)]
        self.tagged = [(name, lang) for name in corpora for lang in self.tagged_languages() if self._is_run(name, lang)]
        methods = self.settings.methods
        counted = product(corpora if methods else [], self._languages())
        self.counted = [(name, lang) for name, lang in counted if self._is_run(name, lang)]
        gold = self.settings.gold if is_on else []
        self.gold = [name for name in gold if not self._is_left_out(name, self.registry.gold[name].lang)]
        self.gold_units = [(f"gold/{gold}", tagger) for gold in self.gold for tagger in self.taggers]
        self.corpus_units = [(f"corpora/{corpus}/{lang}", self.settings.corpus_tagger) for corpus, lang in self.tagged]
        self.units = self.gold_units + self.corpus_units
        self.corpus_names = {name: corpus.name for name, corpus in self.registry.corpora.items()}
        self.tables = self._tables()
        made = [path for paths in self.tables.values() for path in paths]
        self.targets = [path for path in made if path.startswith(f"{TABLES}/")] if is_on else []
        self.noun_tables = [path for path in self.tables["persons"] if path.endswith(".csv")]
        self.compared_tables = [path for path in made if path in (POLARITY, TAGS, SCORES, EPICENE, *VALIDATION)]
        self.not_run = [[*pair, "", reason] for pair, reason in self.gaps.items() if self._is_left_out(*pair)]
        missing = {lang: self.persons.missing(methods, lang) for _, lang in self.counted}
        self.not_run += [[*pair, PERSONS, reason] for pair in self.counted for reason in missing[pair[1]]]
        self.estimates = self.tagging.files(self.tagging.estimate, self.units)
        self.polarity_counts = [f"results/polarity/corpora/{corpus}/{ENGLISH}.parquet" for corpus in self.corpora]
        self.person_counts = [
            self.persons.counts.format(texts=f"corpora/{corpus}/{lang}") for corpus, lang in self.counted
        ]
        self.corpus_tags = self.tagging.files(self.tagging.tags, self.corpus_units)
        self.gold_files = [self.registry.file_of(self.registry.gold[name]).path for name in self.gold]
        # These lists are parallel.
        self.gold_answers = self.tagging.files(self.tagging.answers, self.gold_units)
        self.gold_tags = self.tagging.files(self.tagging.tags, self.gold_units)

    def tagged_languages(self) -> list[str]:
        """List the languages for which the corpus tagger has a prompt; none without a tagger."""
        tagger = self.settings.corpus_tagger
        if tagger is None or tagger not in self.context.language_models:
            return []
        wanted = (self.config.tagging.prompt, self.context.language_models[tagger].mode)
        return sorted(lang for prompt, lang, mode in self.registry.prompts if (prompt, mode) == wanted)

    def person_tools(self, wildcards: Any) -> list[str]:
        """List the files of the methods that find persons in a language."""
        return self.persons.files(self.settings.methods, wildcards.lang)

    def counting(self, wildcards: Any) -> dict[str, Any]:
        """Collect the params of the job that counts persons, except in English also by the gender of nouns."""
        return {
            "methods": self.persons.methods(self.settings.methods, wildcards.lang),
            "language": vars(self.persons.language(self.settings.methods, wildcards.lang)),
            "grammatical": wildcards.lang != ENGLISH,
        }

    def _tables(self) -> dict[str, list[str]]:
        def both(*names: str) -> list[str]:
            return [f"{TABLES}/{name}.{ending}" for name in names for ending in ("csv", "tex")]

        def by_procedure(name: str) -> list[str]:
            return both(*(f"{procedure}/{name}" for procedure in PROCEDURES))

        scores = [SCORES, *by_procedure("validation"), f"{TABLES}/confusion.csv", f"{TABLES}/hardest_words.csv"]
        return {
            "polarity": [POLARITY, *by_procedure("polarity")] if self.corpora else [],
            "persons": both("persons") if self.counted else [],
            "published": [f"{TABLES}/published_{name}.csv" for name in ("scores", "totals", "epicene")],
            "answers": [f"{TABLES}/answers.csv"] if self.units else [],
            "tags": [TAGS, *by_procedure("tags"), *both("epicene")] if self.tagged else [],
            "scores": scores if self.gold_units else [],
        }

    def _is_run(self, corpus: str, lang: str) -> bool:
        return self.registry.corpus_has(corpus, lang) and not self._is_left_out(corpus, lang)

    def _is_left_out(self, name: str, lang: str) -> bool:
        """Decide whether to skip a corpus or gold file: because of skip_unavailable, or because it is not public."""
        corpus = self.registry.corpora.get(name)
        return (name, lang) in self.gaps and (self.config.skip_unavailable or bool(corpus and corpus.access))

    def _find_gaps(self) -> dict[tuple[str, str], str]:
        """Find unavailable corpora and gold files; a corpus counts in English and languages with a tagging prompt."""
        registry, mirror = self.registry, self.config.mirror
        require_rows("representation.corpora", self.settings.corpora, registry.corpora, registry.paths["corpora"])
        require_rows("representation.gold", self.settings.gold, registry.gold, registry.paths["gold"])
        check_samples(registry, self.config, "representation.corpora", self.settings.corpora)
        gaps = {
            (corpus, lang): missing_file(registry.corpus_file(corpus, lang), mirror)
            for corpus in self.settings.corpora
            for lang in self._languages()
            if registry.corpus_has(corpus, lang)
        }
        for gold in self.settings.gold:
            gaps[gold, registry.gold[gold].lang] = missing_file(registry.file_of(registry.gold[gold]), mirror)
        return {pair: reason for pair, reason in gaps.items() if reason}

    def _languages(self) -> list[str]:
        """List the languages of the study: English, and those in which language models are asked."""
        prompted = {lang for prompt, lang, _ in self.registry.prompts if prompt == self.config.tagging.prompt}
        return sorted({ENGLISH} | prompted)

    def _select_taggers(self) -> list[str]:
        """Select the models that tag gold sentences; an unknown model, or one without a prompt, is a `ConfigError`."""
        settings, registry, models = self.settings, self.registry, self.context.language_models
        table, prompts = registry.paths["language_models"], registry.paths["prompts"]
        prompt = self.config.tagging.prompt
        require_rows("representation.taggers", settings.taggers, models, table)
        require_rows("representation.corpus_tagger", filter(None, [settings.corpus_tagger]), models, table)
        if settings.corpus_tagger and not self.tagged_languages():
            raise ConfigError(
                f"representation.corpus_tagger: {prompts} has no prompt {prompt} for the "
                f"{models[settings.corpus_tagger].mode} mode of {settings.corpus_tagger}; add its rows, or name "
                "another model"
            )
        for gold, name in product(settings.gold, settings.taggers):
            self.require_prompt("representation.taggers", name, prompt, registry.gold[gold].lang)
        return list(settings.taggers)


STUDY = Study("representation", "Representation (Derner 2025)", RepresentationPlan)
