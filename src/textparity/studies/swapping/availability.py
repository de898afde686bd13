"""Which corpora, outputs, models and tools the `swapping` study has here, and why it lacks others."""

from importlib.util import find_spec

from textparity.errors import ConfigError
from textparity.llm.models import ModelRow
from textparity.report.ledger import NOT_ASKED, NOT_HERE
from textparity.studies.swapping.names import BALANCED, ORIGINAL, RULES, SWAPPING_LANGUAGE
from textparity.studies.swapping.settings import EntityRecognition
from textparity.workflow.availability import missing_file
from textparity.workflow.config import Config
from textparity.workflow.registry import FileReference, Registry
from textparity.workflow.registry_tables import require_rows

# The titles that the authors' models found and missed, as they recorded them.
_TITLES = "data/results_of_evaluation/NER_JOB_class_results"
RECORDED_TITLES = {
    ORIGINAL: {"found": f"{_TITLES}/orig_tp.txt", "missed": f"{_TITLES}/orig_fn.txt"},
    BALANCED: {"found": f"{_TITLES}/balanced_tp.txt", "missed": f"{_TITLES}/balanced_fn.txt"},
}


def swapping_gaps(registry: Registry, config: Config) -> dict[str, str]:
    """Return the corpora with entities that cannot be had here, with the reason.

    An unknown corpus, or one that is not swapped from the other, is a `ConfigError`, unless the study is off.
    """
    study = config.swapping
    if "swapping" not in config.studies:
        return {}
    rows = {"corpus": study.corpus} | ({} if study.swapped == RULES else {"swapped": study.swapped})
    for key, corpus in rows.items():
        made_here = [RULES] if key == "swapped" else []
        table = registry.paths["entity_corpora"]
        require_rows(f"swapping.{key}", [corpus], registry.entity_corpora, table, besides=made_here)
        if registry.entity_corpora[corpus].lang != SWAPPING_LANGUAGE:
            raise ConfigError(
                f"swapping.{key}: {corpus} is not in {SWAPPING_LANGUAGE}; the study's rules and word lists are "
                "Ukrainian: name another corpus"
            )
    if "swapped" in rows and registry.entity_corpora[study.swapped].swapped_from != study.corpus:
        raise ConfigError(
            f"swapping.swapped: {study.swapped} is not swapped from {study.corpus} by "
            f"{registry.paths['entity_corpora']}; name one that is"
        )
    require_rows("swapping.outputs", study.outputs, registry.swap_outputs, registry.paths["swap_outputs"])
    gaps = {}
    for corpus in rows.values():
        if reason := _first_missing(registry.entity_files(corpus), config.mirror):
            gaps[corpus] = reason
    return gaps


def swap_output_gaps(registry: Registry, config: Config) -> dict[str, str]:
    """Return the sets of swapped outputs that cannot be had here, with the reason."""
    if "swapping" not in config.studies:
        return {}
    reasons = {
        system: _first_missing([registry.swap_output_file(system)], config.mirror) for system in config.swapping.outputs
    }
    return {system: reason for system, reason in reasons.items() if reason}


def recorded_title_gaps(registry: Registry, config: Config) -> dict[str, str]:
    """Return the authors' models whose found and missed titles cannot be had here, with the reason."""
    if "swapping" not in config.studies:
        return {}
    reasons = {
        model: _first_missing([recorded_title_file(registry, model, which) for which in paths], config.mirror)
        for model, paths in RECORDED_TITLES.items()
    }
    return {model: reason for model, reason in reasons.items() if reason}


def recorded_title_file(registry: Registry, model: str, which: str) -> FileReference:
    """Return the file with the titles that a model of the authors `found` or `missed`."""
    return registry.source_file("ner_for_fem", RECORDED_TITLES[model][which])


def _first_missing(files: list[FileReference], mirror: str | None) -> str:
    return next(filter(None, (missing_file(file, mirror) for file in files)), "")


def missing_recognizer(recognition: EntityRecognition) -> str:
    """Return why recognizers of entities are not trained here, or an empty string."""
    if not recognition.seeds:
        return f"{NOT_ASKED}: swapping.recognition.seeds is empty"
    if not find_spec("spacy"):
        return f"{NOT_HERE}: spaCy is not installed (pip install 'textparity[train]')"
    if recognition.architecture != "transformer":
        return ""
    if not find_spec("spacy_transformers"):
        return f"{NOT_HERE}: the package spacy-transformers is not installed (pip install spacy-transformers)"
    import torch

    if torch.cuda.is_available():
        return ""
    return f"{NOT_HERE}: the paper's RoBERTa-large needs a GPU; architecture: tok2vec does not"


def select_swappers(registry: Registry, config: Config, models: dict[str, ModelRow]) -> tuple[list[str], list[str]]:
    """Return the models that swap the corpus, and those that swap the test items.

    An unknown model, or one of the first without a prompt, is a `ConfigError`, unless the study is off.
    """
    study = config.swapping
    if "swapping" not in config.studies:
        return [], []
    for key in ("swappers", "evaluated_swappers"):
        require_rows(f"swapping.{key}", getattr(study, key), models, registry.paths["language_models"])
    if recorded := [name for name in study.evaluated_swappers if name in registry.swap_outputs]:
        raise ConfigError(
            f"swapping.evaluated_swappers: {', '.join(recorded)} is the name of a recorded set in "
            f"{registry.paths['swap_outputs']} too; name one of the two otherwise"
        )
    for name in study.swappers:
        if "prompt" not in registry.prompts.get((study.prompt, SWAPPING_LANGUAGE, models[name].mode), {}):
            raise ConfigError(
                f"swapping.swappers: {name} is asked in {models[name].mode} mode, and {registry.paths['prompts']} has "
                f"no prompt {study.prompt} in {SWAPPING_LANGUAGE} for that; add its rows, or take {name} out"
            )
    return list(study.swappers), list(study.evaluated_swappers)
