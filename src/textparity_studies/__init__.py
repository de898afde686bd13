"""The studies, one package each.

This list is the only place outside a study's own files that names it. A study's package has a module `settings`, which
jobs do not need, with the class of its section of `config.yaml` (`LexiconSettings` for `lexicon`; also `RENAMED`, if
keys had other names, and `TABLES`, if it has tables of its own), and a module `plan` with the record `STUDY`.
"""

from importlib import import_module
from typing import Any

STUDIES = (
    "lexicon",
    "representation",
    "newsroom",
    "swapping",
    "stereotypes",
    "propagation",
    "translation",
    "instruments",
)


def load_settings(study: str) -> Any:
    """Return the class of a study's settings."""
    words = [word.capitalize() for word in study.split("_")]
    return getattr(import_module(f"{__name__}.{study}.settings"), f"{''.join(words)}Settings")


def load_renamed(study: str) -> dict[str, str]:
    """Map former names of keys in a study's section to the present ones, in full."""
    return getattr(import_module(f"{__name__}.{study}.settings"), "RENAMED", {})


def load_tables(study: str) -> dict[str, str]:
    """Map the names of the registry tables that a study alone reads (its `TABLES`) to their paths."""
    names = getattr(import_module(f"{__name__}.{study}.settings"), "TABLES", ())
    return {name: f"resources/registry/{name}.tsv" for name in names}


def load_study(study: str) -> Any:
    """Return the record of a study (`textparity_studies.workflow.study.Study`)."""
    return import_module(f"{__name__}.{study}.plan").STUDY
