"""Plan the `propagation` study: which sets of stories it measures, which models it trains, and what cannot run here."""

from itertools import product
from typing import Any, NamedTuple

from textparity.errors import ConfigError
from textparity.files import read_tsv, require_rows
from textparity_studies.llm.weights import is_gguf, missing_weights
from textparity_studies.measures.encoders import missing_encoder
from textparity_studies.propagation.base_models import (
    ASKED_CONDITIONS,
    BASE,
    CONDITIONS,
    ENGLISH,
    Variant,
    check_story_languages,
    load_base_models,
    load_story_prompts,
    load_story_sets,
    select_story_prompts,
)
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.plans import TaggedTexts
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan


class StorySet(NamedTuple):
    """The stories of a condition in a language; `texts` is their path below `results`, without its ending."""

    condition: str
    lang: str
    texts: str


class TrainedModel(NamedTuple):
    """A base model after its training with a seed on the stories of a condition."""

    base_model: str
    lang: str
    condition: str
    seed: int


class ModelVariant(NamedTuple):
    """A base model that writes in a language, as the variant of this name."""

    base_model: str
    lang: str
    variant: str


class PropagationPlan(StudyPlan):
    """Plan the `propagation` study.

    `languages` have measured sets of stories, `story_sets`. A language model is asked for sets in `asked_languages`.
    `trained_models` write as `variants`: those of the paper's tables (`table_variants`), those after each number of
    steps (`checkpoint_variants`), and those of each training seed (`seed_variants`). Words are counted by lists in
    English, and by a tagger in other languages.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.propagation
        self.is_on = context.is_on("propagation")
        self.base_models = load_base_models(self.registry.paths["base_models"])
        self.set_corpora = load_story_sets(self.registry.paths["story_sets"])
        # Map the sets (condition, language) that are not available here to the reason.
        self.set_gaps: dict[tuple[str, str], str] = {}
        if self.is_on:
            self._check_settings()
            self.set_gaps = self._find_set_gaps()
        self._plan_sets()
        self._plan_models()
        self._plan_variants()
        if self.is_on and self.config.skip_unavailable:
            self.not_run = self._list_gaps()

    def story_set(self, condition: str, lang: str) -> StorySet:
        """Return a condition's stories: the published set, or the stories of a language model."""
        if self.settings.story_generator:
            return StorySet(condition, lang, f"propagation/story_sets/{condition}/{lang}")
        return StorySet(condition, lang, f"corpora/{self.set_corpora[condition, lang]}/{lang}")

    def is_gender_counted(self, lang: str) -> bool:
        """Check that this run counts the words of each gender in a language."""
        skipped = self.config.skip_unavailable and self.tagger_gap
        return lang == ENGLISH or bool(self.settings.tagger and not skipped)

    def is_dequantised(self, wildcards: Any) -> bool:
        """Check whether the weights of a base model must be read from a GGUF file first."""
        return is_gguf(self.base_models[wildcards.base_model])

    def steps(self, base_model: str, lang: str) -> int:
        """The number of training steps of a base model in a language, for the paper's tables."""
        steps = self.base_models[base_model].steps_in(lang)
        if steps is None:
            raise ConfigError(
                f"{self.registry.paths['base_models']}, column steps: {base_model} has no number for {lang}; add one, "
                "or take the language out of propagation.training_languages"
            )
        return steps

    def saved_steps(self, base_model: str, lang: str) -> list[int]:
        """List the steps after which the adapter is saved; the last one ends the training and its schedule."""
        last = self.steps(base_model, lang)
        return sorted({last, *(step for step in self.settings.checkpoint_steps if step < last)})

    def trainings_of(self, base_model: str, lang: str, variant: str) -> list[TrainedModel]:
        """List the training that a variant needs: one, or none for the base model."""
        parsed = Variant.parse(variant)
        return [] if parsed.condition == BASE else [TrainedModel(base_model, lang, parsed.condition, parsed.seed)]

    def repetitions(self, base_model: str, lang: str, variant: str) -> int:
        """Look up how many times a variant writes its stories: more for the paper's tables."""
        in_tables = ModelVariant(base_model, lang, variant) in self.table_variants
        return self.settings.repetitions if in_tables else self.settings.checkpoint_repetitions

    def _check_settings(self) -> None:
        settings, registry, models = self.settings, self.registry, self.context.language_models
        require_rows("propagation.base_models", settings.base_models, self.base_models, registry.paths["base_models"])
        for key in ("languages", "training_languages"):
            check_story_languages(getattr(settings, key), self.set_corpora, key, registry.paths["story_sets"])
        langs = dict.fromkeys([*settings.languages, *settings.training_languages])
        asked = [f"stories_{condition}" for condition in ASKED_CONDITIONS]
        for key, prompts in (("tagger", [self.config.tagging.prompt]), ("story_generator", asked)):
            model = getattr(settings, key)
            if model is None:
                continue
            require_rows(f"propagation.{key}", [model], models, registry.paths["language_models"])
            # English is counted by its words, without a tagger.
            for lang in (lang for lang in langs if key != "tagger" or lang != ENGLISH):
                for prompt in prompts:
                    self.require_prompt(f"propagation.{key}", model, prompt, lang)

    def _find_set_gaps(self) -> dict[tuple[str, str], str]:
        settings, registry = self.settings, self.registry
        if settings.story_generator:
            gap = self.context.model_gaps[settings.story_generator]
            return dict.fromkeys(self.set_corpora, gap) if gap else {}
        gaps = {}
        for (condition, lang), corpus in self.set_corpora.items():
            if lang not in {*settings.languages, *settings.training_languages}:
                continue
            if corpus not in registry.corpora or not registry.corpus_has(corpus, lang):
                raise ConfigError(
                    f"{registry.paths['story_sets']}: {corpus} ({condition} {lang}) is not in "
                    f"{registry.paths['corpora']} with that language; fix one of the two"
                )
            if reason := missing_file(registry.corpus_file(corpus, lang), self.config.mirror):
                gaps[condition, lang] = reason
        return gaps

    def _has_sets(self, lang: str) -> bool:
        """Check that this run has, or makes, the sets of stories of a language."""
        return not (self.config.skip_unavailable and any(gap_lang == lang for _, gap_lang in self.set_gaps))

    def _plan_sets(self) -> None:
        settings = self.settings
        tagger = settings.tagger or ""
        nothing = Need(Reason.NOT_CONFIGURED, "propagation.tagger is null, and words of this language need one")
        self.tagger_gap = self.context.model_gaps.get(tagger, "") if tagger else nothing
        available = list(filter(self._has_sets, dict.fromkeys([*settings.languages, *settings.training_languages])))
        self.asked_languages = available if self.is_on and settings.story_generator else []
        self.languages = [lang for lang in settings.languages if self.is_on and lang in available]
        self.story_sets = [self.story_set(condition, lang) for lang in self.languages for condition in CONDITIONS]
        others = [stories for stories in self.story_sets if stories.lang != ENGLISH]
        self.tagged_sets = [
            TaggedTexts(stories.texts, tagger) for stories in others if self.is_gender_counted(stories.lang)
        ]

    def _plan_models(self) -> None:
        settings = self.settings
        reasons = {name: missing_weights(row) for name, row in self.base_models.items()}
        self.base_model_gaps = {name: reason for name, reason in reasons.items() if reason}
        skipped = self.base_model_gaps if self.config.skip_unavailable else {}
        names = settings.base_models if self.is_on else []
        self.trained_models = [name for name in names if name not in skipped]
        self.training_languages = list(filter(self._has_sets, settings.training_languages))
        self.prompts: dict[str, list[str]] = {}
        if self.trained_models:
            table = self.registry.paths["story_prompts"]
            self.prompts = select_story_prompts(self.training_languages, load_story_prompts(table), table)
        # The setting names a row of the classifiers table, or a model itself.
        classifiers = read_tsv(self.registry.paths["classifiers"], ["name", "kind", "model", "grid"])
        models = {row["name"]: row["model"] for row in classifiers}
        self.encoder = models.get(settings.encoder, settings.encoder)
        reason = missing_encoder(self.encoder) if self.is_on else ""
        self.encoder_gap = Need(Reason.NOT_DOWNLOADED, reason) if reason else ""

    def _plan_variants(self) -> None:
        seeds = self.settings.training_seeds
        self.trainings: list[TrainedModel] = []
        self.variants: list[ModelVariant] = []
        self.table_variants: list[ModelVariant] = []
        self.checkpoint_variants: list[ModelVariant] = []
        self.seed_variants: list[ModelVariant] = []
        for model, lang in product(self.trained_models, self.training_languages):
            self.trainings += [TrainedModel(model, lang, *unit) for unit in product(CONDITIONS, seeds)]
            last = self.steps(model, lang)
            of_tables = _variants_of(model, lang, seeds[:1], [last])
            of_checkpoints = _variants_of(model, lang, seeds[:1], self.saved_steps(model, lang))
            of_seeds = _variants_of(model, lang, seeds, [last])
            self.table_variants += of_tables
            self.checkpoint_variants += of_checkpoints
            self.seed_variants += of_seeds
            self.variants += dict.fromkeys([*of_tables, *of_checkpoints, *of_seeds])
        self.counted_variants = [variant for variant in self.variants if self.is_gender_counted(variant.lang)]

    def _list_gaps(self) -> list[list[str]]:
        rows = []
        for name in self.settings.base_models:
            if name in self.base_model_gaps:
                reason = Need(Reason.NOT_DOWNLOADED, self.base_model_gaps[name])
                rows += [[name, lang, "", reason] for lang in self.training_languages]
        rows += [[f"stories_{condition}", lang, "", gap] for (condition, lang), gap in self.set_gaps.items()]
        if self.encoder_gap:
            rows.append(["", "", self.settings.encoder, self.encoder_gap])
        return rows


def _variants_of(base_model: str, lang: str, seeds: list[int], steps: list[int]) -> list[ModelVariant]:
    """List the base model, and each condition trained with each seed for each number of steps."""
    trained = [Variant(*unit) for unit in product(CONDITIONS, seeds, steps)]
    return [ModelVariant(base_model, lang, variant.name) for variant in (Variant(BASE), *trained)]


STUDY = Study("propagation", "Propagation (Derner 2025, §5)", PropagationPlan)
