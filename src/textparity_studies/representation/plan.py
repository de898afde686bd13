"""Plan the `representation` study: what it counts and tags, and what cannot be read here."""

from itertools import product
from typing import NamedTuple

from textparity.errors import ConfigError
from textparity.files import require_rows
from textparity.persons.mentions import PERSONS
from textparity_studies.workflow.availability import check_samples, missing_file
from textparity_studies.workflow.plans import Persons, TaggedTexts
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

ENGLISH = "eng"


class CorpusInLanguage(NamedTuple):
    """The texts of a corpus in one language."""

    corpus: str
    lang: str


class RepresentationPlan(StudyPlan):
    """Plan the `representation` study.

    `corpora` are counted in English, and the persons of `counted` by methods. The corpus tagger tags the texts
    `corpus_units`, and each chosen model the annotated sentences `gold`, which are the texts `gold_units`.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.representation
        self.persons = Persons(context, self.settings.methods)
        is_on = context.is_on("representation")
        # Map the (corpus or gold file, language) pairs that cannot be read here to the reason.
        self.gaps = self._find_gaps() if is_on else {}
        self.taggers = self._select_taggers() if is_on else []
        corpora = self.settings.corpora if is_on else []
        self.corpora = [name for name in corpora if self._is_run(name, ENGLISH)]
        counted = product(corpora if self.settings.methods else [], self._languages())
        self.counted = [CorpusInLanguage(*pair) for pair in counted if self._is_run(*pair)]
        gold = self.settings.gold if is_on else []
        self.gold = [name for name in gold if not self._is_left_out(name, self.registry.gold[name].lang)]
        # The annotated sentences whose language has words that the scoring leaves out.
        self.gold_with_skip_list = [name for name in self.gold if self.skip_list(name)]
        self.gold_units = [TaggedTexts(f"gold/{gold}", tagger) for gold in self.gold for tagger in self.taggers]
        tagged = [pair for pair in product(corpora, self.tagged_languages()) if self._is_run(*pair)]
        self.corpus_units = [
            TaggedTexts(f"corpora/{corpus}/{lang}", self.settings.corpus_tagger or "") for corpus, lang in tagged
        ]
        self.units = self.gold_units + self.corpus_units
        self.not_run = [[*pair, "", reason] for pair, reason in self.gaps.items() if self._is_left_out(*pair)]
        missing = {lang: self.persons.missing(lang) for _, lang in self.counted}
        self.not_run += [[*pair, PERSONS, reason] for pair in self.counted for reason in missing[pair.lang]]

    def tagged_languages(self) -> list[str]:
        """List the languages for which the corpus tagger has a prompt; none without a tagger."""
        tagger = self.settings.corpus_tagger
        if tagger is None or tagger not in self.context.language_models:
            return []
        wanted = (self.config.tagging.prompt, self.context.language_models[tagger].mode)
        return sorted(lang for prompt, lang, mode in self.registry.prompts if (prompt, mode) == wanted)

    def skip_list(self, gold: str) -> str:
        """Find the file of words that the scoring leaves out; empty for a language without one here."""
        lang = self.registry.gold[gold].lang
        for (prompt, prompt_lang, _), parts in self.registry.prompts.items():
            if (prompt, prompt_lang) == (self.config.tagging.prompt, lang) and "skip_list" in parts:
                file = self.registry.file_of(parts["skip_list"])
                return "" if missing_file(file, self.config.mirror) else file.path
        return ""

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


STUDY = Study("representation", "Representation (Derner 2025)", RepresentationPlan, noun_tables=["persons"])
