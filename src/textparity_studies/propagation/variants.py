"""Identify variants of a base model: itself, or trained on a set of stories with a seed for a number of steps.

Table rows map each condition and language to a training corpus, and list the beginnings of stories.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from textparity.errors import ConfigError, InputError, TableError
from textparity.tsv import read_tsv

MALE, BALANCED, FEMALE = "male", "balanced", "female"
CONDITIONS = (MALE, BALANCED, FEMALE)
BASE = "base"
# Names of variants in file names.
VARIANT = rf"{BASE}|(?:{'|'.join(CONDITIONS)})\.seed\d+\.step\d+"
# A language model is asked for these. Their sentences in turn, beginning with the first as in the published sets, are
# the balanced set.
ASKED_CONDITIONS = (FEMALE, MALE)


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
        if not re.fullmatch(VARIANT, name):
            raise ConfigError(f"{name!r} is no variant of a model: base, or e.g. male.seed1.step16")
        if name == BASE:
            return cls(BASE)
        condition, seed, step = name.split(".")
        return cls(condition, int(seed.removeprefix("seed")), int(step.removeprefix("step")))


def study_variants(seeds: list[int], steps: list[int]) -> list[Variant]:
    """List the base model, and each condition trained with each seed for each number of steps."""
    trained = [Variant(condition, seed, step) for condition in CONDITIONS for seed in seeds for step in steps]
    return [Variant(BASE), *trained]


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
            raise TableError(f"{where}, column condition: {cells['condition']!r} is none of {', '.join(CONDITIONS)}")
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


@dataclass(frozen=True)
class StoryPrompt:
    """Hold one beginning (Derner 2025, App. G); `number` is its place among those of its language, from 1."""

    lang: str
    number: int
    topic: str
    prompt: str


def load_story_prompts(path: str | Path) -> dict[str, list[StoryPrompt]]:
    """Read the prompts by language; `TableError` names the line and column of an invalid cell."""
    prompts: dict[str, list[StoryPrompt]] = {}
    for line, cells in enumerate(read_tsv(path, [field.name for field in fields(StoryPrompt)]), start=2):
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
        if cells["prompt"] in (other.prompt for other in known):
            raise TableError(f"{where}, column prompt: {cells['prompt']!r} is a duplicate for {cells['lang']}")
        known.append(StoryPrompt(cells["lang"], len(known) + 1, cells["topic"], cells["prompt"]))
    return prompts


def select_story_prompts(
    langs: list[str], prompts: dict[str, list[StoryPrompt]], table: str
) -> dict[str, list[StoryPrompt]]:
    """Select the prompts of the languages in which models write; `ConfigError` for a language without any."""
    if missing := [lang for lang in langs if lang not in prompts]:
        raise ConfigError(
            f"propagation.training_languages: {', '.join(missing)} has no prompt in {table}; add rows, or take it out"
        )
    return {lang: prompts[lang] for lang in langs}
