"""Read the tables of base models, of sets of stories and of prompts, and identify the variants of a base model.

A variant is the base model itself, or the model trained on a set of stories with a seed for a number of steps. Rule
files import this module while they are parsed, so it loads no tool.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass as checked_dataclass

from textparity.errors import ConfigError, InputError, TableError
from textparity.files import read_tsv
from textparity_studies.llm.models import load_rows
from textparity_studies.llm.weights import AboveZero, WeightsRow

MALE, BALANCED, FEMALE = "male", "balanced", "female"
CONDITIONS = (MALE, BALANCED, FEMALE)
BASE = "base"
ENGLISH = "eng"
# Names of variants in file names.
VARIANT_PATTERN = rf"{BASE}|(?:{'|'.join(CONDITIONS)})\.seed\d+\.step\d+"
# A language model is asked for these. Their sentences in turn, beginning with the first as in the published sets, are
# the balanced set.
ASKED_CONDITIONS = (FEMALE, MALE)
# A piece of text is one sentence, as in the authors' notebook, or as many sentences as fill it.
SENTENCE, PACKED = "sentence", "packed"


def _check_steps(steps: str) -> str:
    numbers = [steps] if ":" not in steps else [number for _, number in _pairs(steps)]
    if not all(number.isdigit() and int(number) for number in numbers):
        raise ValueError(f"{steps!r} is neither a number nor one for each language, like eng:9 spa:12")
    return steps


@checked_dataclass(frozen=True, kw_only=True)
class BaseModelRow(WeightsRow):
    """One base model.

    `published_name` is its name in the paper's tables, or empty. `steps` is the length of its training for the paper's
    tables: a number, or one for each language (`eng:9 spa:12`). A piece (`pieces`) is a `sentence`, or `packed` with
    consecutive sentences. `temperature`, `top_p` and `top_k` (0: no limit) apply when it writes.
    """

    published_name: str
    steps: Annotated[str, AfterValidator(_check_steps)]
    temperature: AboveZero
    top_p: Annotated[float, Field(gt=0, le=1)]
    pieces: Literal["sentence", "packed"] = "packed"
    top_k: Annotated[int, Field(ge=0)] = 0

    def steps_in(self, lang: str) -> int | None:
        """Look up the number of training steps in a language; None if the row has none."""
        if self.steps.isdigit():
            return int(self.steps)
        return {name: int(number) for name, number in _pairs(self.steps)}.get(lang)


def load_base_models(path: str | Path) -> dict[str, BaseModelRow]:
    """Read the table of base models by name; `TableError` names the line and column of an invalid cell."""
    return load_rows(path, BaseModelRow)


def _pairs(steps: str) -> list[tuple[str, str]]:
    return [(name, number) for name, _, number in (part.partition(":") for part in steps.split())]


@dataclass(frozen=True)
class Variant:
    """Identify an untrained model (`condition` is `base`), or one after `step` steps on the stories of a condition."""

    condition: str
    seed: int = 0
    step: int = 0

    @property
    def name(self) -> str:
        """The name of its files."""
        return BASE if self.condition == BASE else f"{self.condition}.seed{self.seed}.step{self.step}"

    @classmethod
    def parse(cls, name: str) -> "Variant":
        """Parse the name of a variant; `ConfigError` for an invalid one."""
        if not re.fullmatch(VARIANT_PATTERN, name):
            raise ConfigError(f"{name!r} is no variant of a model: base, or e.g. male.seed1.step16")
        if name == BASE:
            return cls(BASE)
        condition, seed, step = name.split(".")
        return cls(condition, int(seed.removeprefix("seed")), int(step.removeprefix("step")))


def find_adapter(adapters: Path | None, variant: str) -> Path | None:
    """Find the folder of a variant's weights within that of its training; None for the base model.

    Raises `InputError` if the training saved none after that many steps, `ValueError` without a folder.
    """
    wanted = Variant.parse(variant)
    if wanted.condition == BASE:
        return None
    if adapters is None:
        raise ValueError(f"{variant}: needs the folder of its training")
    folder = adapters / f"step{wanted.step}"
    if not folder.is_dir():
        raise InputError(f"{adapters}: has no step{wanted.step}; add {wanted.step} to propagation.checkpoint_steps")
    return folder


def load_story_sets(path: str | Path) -> dict[tuple[str, str], str]:
    """Read the table of story sets: the corpus by condition and language.

    Raises `TableError` with the line and column of an invalid cell, or for a language that lacks a condition.
    """
    corpora: dict[tuple[str, str], str] = {}
    for line, cells in enumerate(read_tsv(path, ["condition", "lang", "corpus"]), start=2):
        where = f"{path}, line {line}"
        if cells["condition"] not in CONDITIONS:
            raise TableError(f"{where}, column condition: {cells['condition']!r} is not one of {', '.join(CONDITIONS)}")
        for column in ("lang", "corpus"):
            if not cells[column].strip():
                raise TableError(f"{where}, column {column}: is empty")
        key = cells["condition"], cells["lang"]
        if key in corpora:
            raise TableError(f"{where}: {' '.join(key)} is a duplicate; keep one row")
        corpora[key] = cells["corpus"]
    for lang in dict.fromkeys(lang for _, lang in corpora):
        if missing := [condition for condition in CONDITIONS if (condition, lang) not in corpora]:
            raise TableError(f"{path}: {lang} has no row for {', '.join(missing)}; conditions are compared, so add it")
    return corpora


def check_story_languages(langs: Iterable[str], corpora: dict[tuple[str, str], str], key: str, table: str) -> None:
    """Raise `ConfigError` for a language (of the setting `key`) without published sets."""
    known = list(dict.fromkeys(lang for _, lang in corpora))
    if unknown := [lang for lang in langs if lang not in known]:
        raise ConfigError(f"propagation.{key}: {', '.join(unknown)} not in {table}; it has {', '.join(known)}")


def load_story_prompts(path: str | Path) -> dict[str, list[str]]:
    """Read the beginnings of stories (Derner 2025, App. G) by language; each language numbers them from 1.

    `TableError` names the line and column of an invalid cell.
    """
    prompts: dict[str, list[str]] = {}
    for line, cells in enumerate(read_tsv(path, ["lang", "number", "topic", "prompt"]), start=2):
        where = f"{path}, line {line}"
        for column in ("lang", "prompt"):
            # A model continues differently after a space than after a word.
            if not cells[column] or cells[column] != cells[column].strip():
                raise TableError(f"{where}, column {column}: {cells[column]!r} is empty, or has a space at an end")
        known = prompts.setdefault(cells["lang"], [])
        if cells["number"] != str(len(known) + 1):
            raise TableError(
                f"{where}, column number: {cells['number']!r} must be {len(known) + 1}; each language counts from 1"
            )
        if cells["prompt"] in known:
            raise TableError(f"{where}, column prompt: {cells['prompt']!r} is a duplicate for {cells['lang']}")
        known.append(cells["prompt"])
    return prompts


def select_story_prompts(langs: list[str], prompts: dict[str, list[str]], table: str) -> dict[str, list[str]]:
    """Select the prompts of the languages in which models write; `ConfigError` for a language without any."""
    if missing := [lang for lang in langs if lang not in prompts]:
        raise ConfigError(
            f"propagation.training_languages: {', '.join(missing)} has no prompt in {table}; add rows, or take it out"
        )
    return {lang: prompts[lang] for lang in langs}
