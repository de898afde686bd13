"""Describe a study for shared code: a record, and the plan of what it runs."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from textparity.errors import ConfigError
from textparity.files import read_tsv
from textparity.registry import FileReference
from textparity_studies.llm.models import ModelRow, load_models
from textparity_studies.workflow.availability import missing_model_access
from textparity_studies.workflow.config import Config, load_config
from textparity_studies.workflow.registry import StudyRegistry, StudyRow


@dataclass(frozen=True)
class StudyContext:
    """Hold the sources of plans: configuration, registry, language models, and the reasons why some cannot be asked."""

    config: Config
    registry: StudyRegistry
    language_models: dict[str, ModelRow]
    model_gaps: dict[str, str]

    @classmethod
    def load(cls, values: dict[str, Any], base: Path) -> "StudyContext":
        """Read the configuration `values` and the tables, relative to the working directory or to `base`."""
        config = load_config(values, base=base)
        registry = StudyRegistry(config.tables.model_dump(), base=base)
        models = load_models(registry.paths["language_models"])
        gaps = {name: missing_model_access(row, os.environ) for name, row in models.items()}
        return cls(config, registry, models, gaps)

    def is_on(self, study: str) -> bool:
        """Check whether a study is part of this run."""
        return study in self.config.studies

    def resource(self, path: str) -> str:
        """Return a tracked file of the repository, relative to the working directory or the Snakefile's folder."""
        return self.registry.locate(path)

    def captions(self, study: str) -> list[str]:
        """List the captions of a study's tables."""
        return sorted(map(str, Path(self.resource(f"resources/{study}/captions/tables")).glob("*.rst")))

    def source_file(self, path: str) -> FileReference:
        """Return the origin of a file in the config: files under results/sources are fetched."""
        if not path.startswith("results/sources/"):
            return FileReference(path=self.resource(path), url="")
        source, _, inside = path.removeprefix("results/sources/").partition("/")
        return FileReference(path=path, url=self.registry.url(source, inside))

    @property
    def withdrawn(self) -> dict[str, str]:
        """Map each language model that its provider has withdrawn to the reason."""
        return {name: self.model_gaps[name] for name, row in self.language_models.items() if row.withdrawn}

    def asking(self, model: str) -> dict[str, Any]:
        """Return the params of a step with an `Asking` of a language model."""
        settings = self.config.language_models
        return {
            "model": asdict(self.language_models[model]),
            "cache": settings.cache,
            "maximum_cost": settings.budget.cost,
            "maximum_requests": settings.budget.requests,
            "not_available": self.model_gaps[model] if self.config.skip_unavailable else "",
        }

    def bootstrap(self) -> dict[str, Any]:
        """Return the params of a step with a `Bootstrap`."""
        return {"bootstrap": {"seed": self.config.seed, **self.config.bootstrap.model_dump()}}


class StudyPlan:
    """Plan what a study runs, and what it cannot run here and why; rules take their inputs and params from it.

    A subclass sets `not_run` (corpus, language, engine, reason) and `text_names` (the names of its own texts, by their
    keys in tables). It has no paths: those are in the rules.
    """

    def __init__(self, context: StudyContext) -> None:
        self.context = context
        self.config = context.config
        self.registry = context.registry
        self.not_run: list[list[str]] = []
        self.text_names: dict[str, str] = {}

    def require_prompt(self, key: str, model: str, prompt: str, lang: str) -> None:
        """Raise `ConfigError` if a model (of the setting `key`) has no such prompt in a language."""
        mode = self.context.language_models[model].mode
        if "prompt" not in self.registry.prompts.get((prompt, lang, mode), {}):
            raise ConfigError(
                f"{key}: {model} is asked in {mode} mode, and {self.registry.paths['prompts']} has no prompt {prompt} "
                f"in {lang} for that; add its rows, or name another model"
            )

    def prompt_parts(self, prompt: str, lang: str, model: str) -> dict[str, str | list[str]]:
        """Return the parts of a prompt to send to a model; an empty list for a missing part."""
        files = self.registry.prompt_files(prompt, lang, self.context.language_models[model])
        return {part: files[part].path if part in files else [] for part in ("prompt", "system")}


def paper_targets(context: StudyContext, study: str, final_files: Sequence[str]) -> dict[str, list[str]]:
    """Map target names such as `lexicon_table4` to the final files of each table and figure of a study's paper.

    These match a pattern in `resources/{study}/paper_tables.tsv`, if that exists. A table that the run does not make
    has no files.
    """
    table = context.resource(f"resources/{study}/paper_tables.tsv")
    rows = read_tsv(table, ["target", "files"]) if Path(table).is_file() else []
    return {
        f"{study}_{row['target']}": [
            path
            for path in final_files
            if any(fnmatchcase(path, f"results/{study}/{pattern}") for pattern in row["files"].split())
        ]
        for row in rows
    }


def refuse_study(study: str, studies: Sequence[str]) -> Callable[[Any], list[str]]:
    """Build an input function for the targets of a study that is not one of `studies` of this run: it says so."""

    def refuse(wildcards: Any) -> list[str]:
        listed = ",".join(studies)
        raise ConfigError(
            f"the study {study} is off, because `studies` of the configuration is [{listed}]; add it there, or "
            f"run with --config 'studies=[{listed},{study}]'"
        )

    return refuse


@dataclass(frozen=True)
class Study:
    """Describe a study: its name (one word, used everywhere), its title in the report, and its plan.

    `has_ledger` is true for the study of a paper, whose numbers are compared with ours. `tables` are those of the
    registry that no other study reads, each with the class of its rows. `noun_tables` are the captions of final tables
    that depend on the lexicon of person nouns. `captions` are those that files of other names share: see `Catalogue`.
    """

    name: str
    title: str
    plan: Callable[[StudyContext], StudyPlan]
    has_ledger: bool = True
    tables: Mapping[str, type[StudyRow]] = field(default_factory=dict)
    noun_tables: Collection[str] = ()
    captions: Mapping[str, str] = field(default_factory=dict)
