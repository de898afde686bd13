"""Stream datasets of the Hugging Face hub, or folders that contain one, by the optional package `datasets`."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import FetchError, MissingResourceError, how_to_install
from textparity.reading.documents import Document
from textparity.reading.records import Record, documents_of
from textparity.reading.sources import SourceAccess
from textparity.sources.model_files import find_mirror


def read(source: SourceAccess) -> Iterator[Document]:
    """Read the texts of a dataset's split. Raises `FetchError` if the dataset is not available."""
    yield from documents_of(source, _read_records(source))


def check_hub(names: Iterable[str]) -> None:
    """Raise `MissingResourceError` if `datasets` is not installed, or if a mirror forbids downloading a dataset."""
    if find_spec("datasets") is None:
        raise MissingResourceError(
            f"--dataset needs the package datasets, which is not installed; install the extra: {how_to_install('hub')}"
        )
    mirror = find_mirror()
    if not mirror:
        return
    for name in names:
        if not Path(name).is_dir():
            raise MissingResourceError(
                f"dataset {name}: is not a folder on this machine, and with a mirror ({mirror}) nothing is "
                "downloaded from the hub; download it beforehand and name its folder, or unset TEXTPARITY_MIRROR"
            )


def _read_records(source: SourceAccess) -> Iterator[Record]:
    check_hub([source.name])
    from datasets import load_dataset

    title = source.file.title
    try:
        dataset = load_dataset(source.name, source.file.subset, split=source.file.split, streaming=True)
    except Exception as error:
        raise FetchError(
            f"dataset {title}: {_first_line(error)}; check its name, the settings subset and split, and the network"
        ) from error
    number = 0
    try:
        for number, row in enumerate(dataset, start=1):
            yield Record(number, f"dataset {title}, record {number}", row)
    except Exception as error:
        # `datasets` raises many kinds of exceptions: from the network, the hub and the file format.
        raise FetchError(f"dataset {title}: stopped after {number} records ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
