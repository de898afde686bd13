"""Which lexicons and models the `stereotypes` study is asked for."""

from textparity.errors import ConfigError
from textparity.llm.models import ModelRow
from textparity.tsv import require_rows
from textparity.workflow.config import Config
from textparity.workflow.registry import Registry
from textparity.workflow.registry_rows import CodedLexicon


def select_coded_lexicons(registry: Registry, config: Config) -> list[CodedLexicon]:
    """Return the lexicons of the `stereotypes` study; an unknown one is a `ConfigError`."""
    if "stereotypes" not in config.studies:
        return []
    names, table = config.stereotypes.lexicons, registry.paths["coded_lexicons"]
    require_rows("stereotypes.lexicons", names, registry.coded_lexicons, table)
    return [registry.coded_lexicons[name] for name in names]


def select_generators(registry: Registry, config: Config, models: dict[str, ModelRow]) -> list[str]:
    """Return the models that write sentences; an unknown model, or one without a prompt, is a `ConfigError`."""
    study = config.stereotypes
    if "stereotypes" not in config.studies:
        return []
    if config.person_nouns not in registry.lexicons:
        raise ConfigError(
            f"person_nouns: {config.person_nouns} is no row of {registry.paths['lexicons']}; sentences are "
            "checked and read with its English person nouns: name one that is, or take stereotypes out of studies"
        )
    require_rows("stereotypes.generators", study.generators, models, registry.paths["language_models"])
    for name in study.generators:
        if (study.prompt, "eng", models[name].mode) not in registry.prompts:
            raise ConfigError(
                f"stereotypes.generators: {name} is asked in {models[name].mode} mode, and {registry.paths['prompts']} "
                f"has no prompt {study.prompt} in eng for that; add its rows, or take {name} out"
            )
    return list(study.generators)
