"""Which corpora, annotated sentences and models the `representation` study has here, and why it lacks others."""

from textparity.errors import ConfigError
from textparity.llm.models import ModelRow
from textparity.tsv import require_rows
from textparity.workflow.availability import check_samples, missing_file
from textparity.workflow.config import Config
from textparity.workflow.registry import Registry


def representation_gaps(registry: Registry, config: Config) -> dict[tuple[str, str], str]:
    """Return the (corpus or gold file, language) pairs that cannot be read here, with the reason.

    Of a corpus, English counts and what there is a tagging prompt for. An unknown corpus or gold file is a
    `ConfigError`, unless the study is off.
    """
    gaps: dict[tuple[str, str], str] = {}
    if "representation" not in config.studies:
        return gaps
    wanted = config.representation.prompt
    require_rows("representation.corpora", config.representation.corpora, registry.corpora, registry.paths["corpora"])
    require_rows("representation.gold", config.representation.gold, registry.gold, registry.paths["gold"])
    for corpus in config.representation.corpora:
        for lang in sorted({"eng"} | {lang for prompt, lang, _ in registry.prompts if prompt == wanted}):
            if not registry.corpus_has(corpus, lang):
                continue
            if reason := missing_file(registry.corpus_file(corpus, lang), config.mirror):
                gaps[corpus, lang] = reason
    check_samples(registry, config, "representation.corpora", config.representation.corpora)
    for gold in config.representation.gold:
        lang = registry.gold[gold].lang
        reason = missing_file(registry.gold_file(gold), config.mirror) or missing_file(
            registry.lexicon_file(config.person_nouns, lang), config.mirror
        )
        if reason:
            gaps[gold, lang] = reason
    return gaps


def select_taggers(registry: Registry, config: Config, models: dict[str, ModelRow]) -> list[str]:
    """Return the models that tag gold sentences; an unknown model, or one without a prompt, is a `ConfigError`."""
    study = config.representation
    if "representation" not in config.studies:
        return []
    table = registry.paths["language_models"]
    require_rows("representation.taggers", study.taggers, models, table)
    require_rows("representation.corpus_tagger", filter(None, [study.corpus_tagger]), models, table)
    if study.corpus_tagger and not tagged_languages(registry, config, models):
        raise ConfigError(
            f"representation.corpus_tagger: {registry.paths['prompts']} has no prompt {study.prompt} for the "
            f"{models[study.corpus_tagger].mode} mode of {study.corpus_tagger}; add its rows, or name another model"
        )
    for gold in study.gold if study.taggers else []:
        for name in study.taggers:
            key = (study.prompt, registry.gold[gold].lang, models[name].mode)
            if key not in registry.prompts:
                raise ConfigError(
                    f"representation.taggers: {name} is asked in {key[2]} mode, and {registry.paths['prompts']} has no "
                    f"prompt {key[0]} in {key[1]} for that; add its rows, or take {name} or the gold {gold} out"
                )
    return list(study.taggers)


def tagged_languages(registry: Registry, config: Config, models: dict[str, ModelRow]) -> list[str]:
    """Return the languages that the corpus tagger has a prompt for; none without a tagger."""
    tagger = config.representation.corpus_tagger
    if tagger is None or tagger not in models:
        return []
    wanted = (config.representation.prompt, models[tagger].mode)
    return sorted(lang for prompt, lang, mode in registry.prompts if (prompt, mode) == wanted)
