"""Datasets of the Hugging Face hub (or a folder of theirs), streamed by the optional package `datasets`."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from textparity.auditing.inputs import Source
from textparity.auditing.records import texts_of_record
from textparity.errors import FetchError, InputError, MissingResourceError


def check_hub() -> None:
    """Raise `MissingResourceError` if the package `datasets` is not installed."""
    if find_spec("datasets") is None:
        raise MissingResourceError(
            "--dataset needs the package datasets, which is not installed; install the extra: "
            "pip install 'textparity[hub]'"
        )


def read_dataset(source: Source, field: str, refuse: Callable[[InputError], None]) -> Iterator[tuple[int, str | None]]:
    """Yield record number (from 1) and text of one split of a dataset, without downloading it whole.

    Raises `FetchError` where the dataset cannot be had, `InputError` for a record without the field.
    """
    check_hub()
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
        try:
            texts = texts_of_record(record, field, f"dataset {source.title}, record {number}")
        except InputError as error:
            refuse(error)
        else:
            for text in texts:
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
