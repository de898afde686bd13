"""Where the weights of a variant lie among those that a training left."""

from pathlib import Path

from textparity.errors import InputError
from textparity.studies.propagation.variants import BASE, Variant


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
        raise InputError(f"{adapters}: has no step{wanted.step}; add {wanted.step} to propagation.doses")
    return folder
