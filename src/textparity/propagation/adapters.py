"""Where the weights of a variant lie among those that a training left."""

from pathlib import Path

from textparity.errors import InputError
from textparity.propagation.variants import BASE, Variant


def find_adapter(adapters: Path | None, variant: str) -> Path | None:
    """Return the folder of a variant's weights in that of its training; None for the base model.

    Raises `InputError` if the training kept none after so many steps.
    """
    wanted = Variant.parse(variant)
    if wanted.condition == BASE:
        return None
    folder = adapters / f"step{wanted.step}"
    if not folder.is_dir():
        raise InputError(f"{adapters}: has no step{wanted.step}; add {wanted.step} to propagation.doses")
    return folder
