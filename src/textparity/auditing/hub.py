"""Datasets of the Hugging Face hub (or a folder of theirs), streamed by the optional package `datasets`."""

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from textparity.auditing.inputs import Source
from textparity.auditing.languages import mirror_folder
from textparity.auditing.records import accepted_texts
from textparity.errors import FetchError, InputError, MissingResourceError


def check_hub(names: Iterable[str]) -> None:
    """Raise `MissingResourceError` if `datasets` is not installed, or may not fetch a dataset as there is a mirror."""
    if find_spec("datasets") is None:
        raise MissingResourceError(
            "--dataset needs the package datasets, which is not installed; install the extra: "
            "pip install 'textparity[hub]'"
        )
    if mirror := mirror_folder():
        for name in names:
            if not Path(name).is_dir():
                raise MissingResourceError(
                    f"dataset {name}: is no folder on this machine, and with a mirror ({mirror}) nothing is fetched "
                    "from the hub; download it beforehand and name its folder, or unset TEXTPARITY_MIRROR"
                )


def read_dataset(source: Source, field: str, refuse: Callable[[InputError], None]) -> Iterator[tuple[int, str | None]]:
    """Yield record number (from 1) and text of one split of a dataset, without downloading it whole.

    Raises `FetchError` where the dataset cannot be had, `InputError` for a record without the field.
    """
    check_hub([source.name])
    records = iter(_open(source))
    number = 0
    while True:
        try:
            record = next(records)
        except StopIteration:
            return
        except Exception as error:
            # Of many kinds: of the network, of the hub, of the file format.
            raise FetchError(
                f"dataset {source.title}: stopped after {number} records ({_first_line(error)})"
            ) from error
        number += 1
        for text in accepted_texts(record, field, f"dataset {source.title}, record {number}", refuse):
            yield number, text


def _open(source: Source) -> Any:
    from datasets import load_dataset

    try:
        return load_dataset(source.name, source.subset, split=source.split, streaming=True)
    except Exception as error:
        raise FetchError(
            f"dataset {source.title}: {_first_line(error)}; check its name, --subset and --split, and the network"
        ) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
