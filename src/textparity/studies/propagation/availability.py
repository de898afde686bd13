"""Which published sets of stories the `propagation` study has here, and whether it can ask its models."""

from collections.abc import Mapping

from textparity.errors import ConfigError
from textparity.llm.models import ModelRow
from textparity.tsv import require_rows
from textparity.workflow.availability import missing_file
from textparity.workflow.config import Config
from textparity.workflow.registry import Registry


def story_set_gaps(
    registry: Registry, config: Config, sets: Mapping[tuple[str, str], str]
) -> dict[tuple[str, str], str]:
    """Return the published sets of stories (condition, language) that cannot be had here, with the reason.

    `sets` are the corpora of the table. One that is no row of the corpora table, or not in the language, is a
    `ConfigError`.
    """
    study = config.propagation
    gaps = {}
    for (condition, lang), corpus in sets.items():
        if lang not in {*study.languages, *study.training_languages}:
            continue
        if corpus not in registry.corpora or not registry.corpus_has(corpus, lang):
            raise ConfigError(
                f"{registry.paths['story_sets']}: {corpus} ({condition} {lang}) is no row of "
                f"{registry.paths['corpora']} with that language; mend one of the two"
            )
        if reason := missing_file(registry.corpus_file(corpus, lang), config.mirror):
            gaps[condition, lang] = reason
    return gaps


def check_story_models(
    registry: Registry, config: Config, models: Mapping[str, ModelRow], **prompts: list[str]
) -> None:
    """Raise `ConfigError` for a model of the `propagation` study that is no row, or has no prompt for a language.

    `prompts` are what each key of the study (`tagger`, `story_generator`) needs.
    """
    study = config.propagation
    langs = dict.fromkeys([*study.languages, *study.training_languages])
    for key, names in prompts.items():
        model = getattr(study, key)
        if model is None:
            continue
        require_rows(f"propagation.{key}", [model], models, registry.paths["language_models"])
        # English is counted by its words.
        for lang in (lang for lang in langs if key != "tagger" or lang != "eng"):
            for name in names:
                if "prompt" not in registry.prompts.get((name, lang, models[model].mode), {}):
                    raise ConfigError(
                        f"propagation.{key}: {model} is asked in {models[model].mode} mode, and "
                        f"{registry.paths['prompts']} has no prompt {name} in {lang} for that; add its rows, or name "
                        "another model"
                    )
