"""Plan the `propagation` study: the outputs it makes, those that cannot be made here, and the inputs of its rules."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from itertools import product
from typing import Any

from textparity.counting import PROCEDURES
from textparity.errors import ConfigError
from textparity.files import read_tsv, require_rows
from textparity_studies.llm.weights import is_gguf, missing_weights
from textparity_studies.measures.encoders import missing_encoder
from textparity_studies.propagation.base_models import (
    ASKED_CONDITIONS,
    BASE,
    CONDITIONS,
    ENGLISH,
    VARIANT_PATTERN,
    Variant,
    check_story_languages,
    load_base_models,
    load_story_prompts,
    load_story_sets,
    select_story_prompts,
    study_variants,
)
from textparity_studies.report.catalogue import figure_files
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan, flatten

RESULTS = "results/propagation"
VARIANT_FILE = "{base_model}/{lang}.{variant}"
TRAINING = "{base_model}/{lang}.{condition}.seed{seed}"
SetUnit = tuple[str, str]
"""A condition and a language: a set of stories."""


class PropagationPlan(StudyPlan):
    """Plan the `propagation` study.

    `trained_models` are trained in `training_languages`, and write as each of `variants`: those of the paper's tables
    (`table_variants`), those after each number of steps (`checkpoint_variants`), and those of each training seed
    (`seed_variants`). `set_units` are the measured sets of stories.
    """

    conditions = CONDITIONS
    variant_pattern = VARIANT_PATTERN
    answers = f"{RESULTS}/story_answers/{{condition}}.{{lang}}.{{generator}}.parquet"
    estimate = f"{RESULTS}/estimates/{{condition}}.{{lang}}.{{generator}}.csv"
    generated_set = f"{RESULTS}/story_sets/{{condition}}/{{lang}}.parquet"
    prepared = f"{RESULTS}/base_models/{{base_model}}"
    adapters = f"{RESULTS}/adapters/{TRAINING}"
    training = f"{RESULTS}/training/{TRAINING}"
    stories = f"{RESULTS}/stories/{VARIANT_FILE}"
    sentences = f"{RESULTS}/sentences/{VARIANT_FILE}.parquet"
    persons = f"{RESULTS}/polarity/{VARIANT_FILE}.parquet"
    perplexity = f"{RESULTS}/perplexity/{VARIANT_FILE}.csv"
    diversity = f"{RESULTS}/diversity/{VARIANT_FILE}.csv"

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.propagation
        self.is_on = context.is_on("propagation")
        self.base_models = load_base_models(self.registry.paths["base_models"])
        self.sets = load_story_sets(self.registry.paths["story_sets"])
        self.set_gaps: dict[SetUnit, str] = {}
        if self.is_on:
            self._check_settings()
            self.set_gaps = self._find_set_gaps()
        self._plan_sets()
        self._plan_models()
        self.figures = self._figures()
        if self.is_on:
            self.not_run = self._list_gaps() if self.config.skip_unavailable else []
            self.targets = [
                *flatten(*self.tables.values()),
                *self.files(f"{self.stories}.parquet", self.variants),
                *self.files(self.perplexity, self.seed_variants),
                *self.figures,
            ]
        self.estimates = self._estimates()

    # Sets of stories.

    def story_set(self, condition: str, lang: str) -> str:
        """Name the file of a condition's stories: the published set, or the stories of a language model."""
        if self.settings.story_generator:
            return self.generated_set.format(condition=condition, lang=lang)
        return f"results/corpora/{self.sets[condition, lang]}/{lang}.parquet"

    def story_sets(self, lang: str) -> list[str]:
        """List the set of stories of each condition in a language."""
        return [self.story_set(condition, lang) for condition in CONDITIONS]

    def answers_of(self, condition: str) -> str:
        """Name the answers of a rule's language to the requests for a condition's stories."""
        return self.answers.format(condition=condition, lang="{lang}", generator=self.settings.story_generator)

    def story_prompt(self, condition: str, lang: str, generator: str) -> dict[str, str | list[str]]:
        """List the parts of the prompt for stories of a condition."""
        return self.prompt_parts(f"stories_{condition}", lang, generator)

    def set_inputs(self) -> dict[str, list[str]]:
        """Collect the inputs of the tables of story sets."""
        in_english = [_texts(self.story_set(*unit)) for unit in self.set_units if unit[1] == ENGLISH]
        tagged = [(_texts(self.story_set(*unit)), self.settings.tagger) for unit in self.tagged_sets]
        return {
            "texts": [self.story_set(*unit) for unit in self.set_units],
            "polarity": [f"results/polarity/{texts}.parquet" for texts in in_english],
            "tags": [f"results/tagging/tags/{texts}.{tagger}.parquet" for texts, tagger in tagged],
        }

    def set_params(self) -> dict[str, Any]:
        """Collect the parameters of the tables of story sets."""
        langs = list(dict.fromkeys(lang for _, lang in self.sets))
        return {
            "units": self.set_units,
            "icu_locales": {lang: self.locale(lang) for lang in langs},
            "language_names": {lang: self.registry.languages[lang].name for lang in langs},
            "reasons": {lang: self.tagger_gap for lang in langs if not self.is_gender_counted(lang)},
        }

    def locale(self, lang: str) -> str:
        """Look up the ICU locale of a language."""
        return self.registry.languages[lang].icu_locale

    def is_gender_counted(self, lang: str) -> bool:
        """Check that this run counts the words of each gender in a language."""
        skipped = self.config.skip_unavailable and self.tagger_gap
        return lang == ENGLISH or bool(self.settings.tagger and not skipped)

    # Models that are trained, and what they write.

    def base_model_row(self, base_model: str) -> dict[str, Any]:
        """Look up the row of a base model."""
        return asdict(self.base_models[base_model])

    def prepared_model(self, base_model: str) -> list[str]:
        """List the dequantised model of a GGUF file: one path or none."""
        return [self.prepared.format(base_model=base_model)] if is_gguf(self.base_models[base_model]) else []

    def model_inputs(self, base_model: str, lang: str, variant: str) -> dict[str, list[str]]:
        """List the inputs of a variant: its prepared model and the folder of its training, if it needs them."""
        parsed = Variant.parse(variant)
        named = {"base_model": base_model, "lang": lang, "condition": parsed.condition, "seed": parsed.seed}
        return {
            "adapters": [] if parsed.condition == BASE else [self.adapters.format(**named)],
            "prepared": self.prepared_model(base_model),
        }

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

    def table_variants(self, base_model: str, lang: str) -> list[Variant]:
        """List the variants in the paper's tables."""
        return study_variants(self.settings.training_seeds[:1], [self.steps(base_model, lang)])

    def checkpoint_variants(self, base_model: str, lang: str) -> list[Variant]:
        """List the variants after each number of steps."""
        return study_variants(self.settings.training_seeds[:1], self.saved_steps(base_model, lang))

    def seed_variants(self, base_model: str, lang: str) -> list[Variant]:
        """List the variants of all training seeds, at the paper's number of steps."""
        return study_variants(self.settings.training_seeds, [self.steps(base_model, lang)])

    def variants(self, base_model: str, lang: str) -> list[Variant]:
        """List all variants of a model in a language, beginning with those in the paper's tables."""
        unit = base_model, lang
        found = [*self.table_variants(*unit), *self.checkpoint_variants(*unit), *self.seed_variants(*unit)]
        return list(dict.fromkeys(found))

    def repetitions(self, base_model: str, lang: str, variant: str) -> int:
        """Look up how many times a variant writes its stories: more for the paper's tables."""
        in_tables = variant in _names(self.table_variants(base_model, lang))
        return self.settings.repetitions if in_tables else self.settings.checkpoint_repetitions

    def story_request(self, base_model: str, lang: str, variant: str) -> dict[str, Any]:
        """Describe the stories that a variant writes."""
        return {
            "prompts": self.prompts[lang],
            "stories": self.settings.stories,
            "repetitions": self.repetitions(base_model, lang, variant),
            "tokens": self.settings.story_tokens,
        }

    def story_counts(self) -> list[str]:
        """List the words of each gender in the stories of all variants, as far as they are counted."""
        in_english = f"results/polarity/{_texts(self.stories)}.parquet"
        return [
            (in_english if unit["lang"] == ENGLISH else self.persons).format(**unit)
            for unit in self._units(self.variants)
            if self.is_gender_counted(unit["lang"])
        ]

    def names_by_unit(self, variants: Callable[[str, str], list[Variant]]) -> dict[str, list[str]]:
        """List the names of some variants by model and language."""
        units = product(self.trained_models, self.training_languages)
        return {"/".join(unit): _names(variants(*unit)) for unit in units}

    def figure_params(self) -> dict[str, dict[str, str]]:
        """Map models and languages to the names shown in figures."""
        return {
            "published_names": {name: self.base_models[name].published_name for name in self.trained_models},
            "language_names": {lang: row.name for lang, row in self.registry.languages.items()},
        }

    def figure_inputs(self) -> dict[str, str | list[str]]:
        """Collect the inputs of the figures; a missing table becomes an empty list."""
        made = self.tables["ratios"]
        tables: dict[str, str | list[str]] = {name: _csv(name) if made else [] for name in _SHOWN_TABLES}
        return {**tables, "training_logs": [f"{path}.csv" for path in self._trainings(self.training)]}

    @property
    def tables(self) -> dict[str, list[str]]:
        """The files of tables, by their input; empty without that input."""
        is_trained = bool(self.trained_models and self.training_languages)
        ratios = [_csv("seeds"), *_both("story_ratios", "checkpoint_steps", "shifts")]
        return {
            "sets": [*_both("story_sets"), _csv("story_set_overlap")] * bool(self.set_units),
            "ratios": ratios * self.counts_words,
            "diversity": _both("diversity") * is_trained,
            "perplexity": _both("perplexity") * is_trained,
        }

    # The ledger.

    @property
    def compared_tables(self) -> list[str]:
        """The tables that the ledger compares with the paper's."""
        files = [_csv(name) for name in ("story_sets", "story_ratios", "diversity")]
        return [path for path in flatten(*self.tables.values()) if path in files]

    def run_settings(self) -> dict[str, Any]:
        """Describe this run for the ledger."""
        settings = self.settings
        return {
            "base_models": {name: row.published_name for name, row in self.base_models.items()},
            "base_model_gaps": {name: missing_weights(row) for name, row in self.base_models.items()},
            "selected": settings.base_models,
            "training_languages": settings.training_languages,
            "training_seed": settings.training_seeds[0],
            "steps": {
                name: {lang: self.steps(name, lang) for lang in self.training_languages} for name in self.trained_models
            },
            "encoder": settings.encoder,
            "tagger": settings.tagger,
            "story_generator": settings.story_generator,
        }

    def _check_settings(self) -> None:
        settings, registry, models = self.settings, self.registry, self.context.language_models
        require_rows("propagation.base_models", settings.base_models, self.base_models, registry.paths["base_models"])
        for key in ("languages", "training_languages"):
            check_story_languages(getattr(settings, key), self.sets, key, registry.paths["story_sets"])
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

    def _find_set_gaps(self) -> dict[SetUnit, str]:
        """Map each set of stories that is not available here to the reason."""
        settings, registry = self.settings, self.registry
        if settings.story_generator:
            gap = self.context.model_gaps[settings.story_generator]
            return dict.fromkeys(self.sets, gap) if gap else {}
        gaps = {}
        for (condition, lang), corpus in self.sets.items():
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
        tagger = self.settings.tagger
        nothing = Need(Reason.NOT_CONFIGURED, "propagation.tagger is null, and words of this language need one")
        self.tagger_gap = self.context.model_gaps.get(tagger, "") if tagger else nothing
        langs = [lang for lang in self.settings.languages if self.is_on and self._has_sets(lang)]
        self.set_units = [(condition, lang) for lang in langs for condition in CONDITIONS]
        self.tagged_sets = [
            (condition, lang) for condition, lang in self.set_units if lang != ENGLISH and self.is_gender_counted(lang)
        ]

    def _plan_models(self) -> None:
        settings = self.settings
        names = settings.base_models if self.is_on else []
        reasons = {name: missing_weights(self.base_models[name]) for name in names}
        self.base_model_gaps = {name: Need(Reason.NOT_DOWNLOADED, reason) for name, reason in reasons.items() if reason}
        skipped = self.base_model_gaps if self.config.skip_unavailable else {}
        self.trained_models = [name for name in names if name not in skipped]
        self.training_languages = list(filter(self._has_sets, settings.training_languages))
        self.counts_words = bool(self.trained_models) and any(map(self.is_gender_counted, self.training_languages))
        self.sentence_tags = f"results/tagging/tags/{_texts(self.sentences)}.{settings.tagger}.parquet"
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

    def _units(self, variants: Callable[[str, str], list[Variant]]) -> list[dict[str, str]]:
        """List each trained model in each language as each of its `variants`."""
        return [
            {"base_model": model, "lang": lang, "variant": name}
            for model, lang in product(self.trained_models, self.training_languages)
            for name in _names(variants(model, lang))
        ]

    def files(self, pattern: str, variants: Callable[[str, str], list[Variant]]) -> list[str]:
        """List the files of a pattern for each trained model in each language as each of its `variants`."""
        return [pattern.format(**unit) for unit in self._units(variants)]

    def _trainings(self, pattern: str) -> list[str]:
        units = product(self.trained_models, self.training_languages, CONDITIONS, self.settings.training_seeds)
        names = ("base_model", "lang", "condition", "seed")
        return [pattern.format(**dict(zip(names, unit, strict=True))) for unit in units]

    def _figures(self) -> list[str]:
        """List the files of the figures about stories, and of the figure about training."""
        shown = [f"{procedure}/{name}" for procedure in PROCEDURES for name in _FIGURES] if self.counts_words else []
        trained = ["loss"] if self._trainings(self.training) else []
        return figure_files(f"{RESULTS}/figures", *shown, *trained)

    def _list_gaps(self) -> list[list[str]]:
        gaps = product(self.base_model_gaps.items(), self.training_languages)
        models = [[name, lang, "", reason] for (name, reason), lang in gaps]
        sets = [[f"stories_{condition}", lang, "", gap] for (condition, lang), gap in self.set_gaps.items()]
        encoder = [["", "", self.settings.encoder, self.encoder_gap]] if self.encoder_gap else []
        return models + sets + encoder

    def _estimates(self) -> list[str]:
        generator, tagger = self.settings.story_generator, self.settings.tagger
        if not generator:
            # Estimates cover the sets that exist. The models' own stories are unknown until they are written.
            units = [(_texts(self.story_set(*unit)), tagger) for unit in self.tagged_sets]
            return [f"results/tagging/estimates/{texts}.{tagger}.csv" for texts, tagger in units]
        langs = dict.fromkeys([*self.settings.languages, *self.training_languages])
        return [
            self.estimate.format(condition=condition, lang=lang, generator=generator)
            for lang in langs
            if self.is_on and self._has_sets(lang)
            for condition in ASKED_CONDITIONS
        ]


_SHOWN_TABLES = ("story_ratios", "checkpoint_steps", "shifts", "seeds")
_FIGURES = ("story_ratios", "checkpoint_steps", "shifts")


def _texts(path: str) -> str:
    """Name the path of texts as tagging and counting do."""
    return path.removeprefix("results/").removesuffix(".parquet")


def _csv(name: str) -> str:
    return f"{RESULTS}/tables/{name}.csv"


def _both(*names: str) -> list[str]:
    """List the files of tables for machines and papers."""
    return [f"{RESULTS}/tables/{name}.{ending}" for name in names for ending in ("csv", "tex")]


def _names(variants: Iterable[Variant]) -> list[str]:
    return [variant.name for variant in variants]


STUDY = Study("propagation", "Propagation (Derner 2025, §5)", PropagationPlan)
