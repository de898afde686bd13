"""Variants of a base model: itself, or trained on a set of stories with a seed for a number of steps."""

import re
from dataclasses import dataclass
from pathlib import Path

from textparity.errors import ConfigError, InputError

MALE, BALANCED, FEMALE = "male", "balanced", "female"
CONDITIONS = (MALE, BALANCED, FEMALE)
BASE = "base"
# Of names, in file names.
VARIANT = rf"{BASE}|(?:{'|'.join(CONDITIONS)})\.seed\d+\.step\d+"


@dataclass(frozen=True)
class Variant:
    """A model as it is (`condition` is `base`), or after `step` steps on the stories of a condition."""

    condition: str
    seed: int = 0
    step: int = 0

    @property
    def name(self) -> str:
        """The name of its files."""
        return BASE if self.condition == BASE else f"{self.condition}.seed{self.seed}.step{self.step}"

    @classmethod
    def parse(cls, name: str) -> "Variant":
        """Return the variant of a name; `ConfigError` for another name."""
        if not re.fullmatch(VARIANT, name):
            raise ConfigError(f"{name!r} is no variant of a model: base, or e.g. male.seed1.step16")
        if name == BASE:
            return cls(BASE)
        condition, seed, step = name.split(".")
        return cls(condition, int(seed.removeprefix("seed")), int(step.removeprefix("step")))


def study_variants(seeds: list[int], steps: list[int]) -> list[Variant]:
    """Return the base model, and each condition trained with each seed for each number of steps."""
    trained = [Variant(condition, seed, step) for condition in CONDITIONS for seed in seeds for step in steps]
    return [Variant(BASE), *trained]


def find_adapter(adapters: Path | None, variant: str) -> Path | None:
    """Return the folder of a variant's weights in that of its training; None for the base model.

    Raises `InputError` if the training kept none after so many steps, `ValueError` without a folder to look in.
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
