"""Models that tokenizers need: found in their folder or fetched by their own downloader, then put on record.

The record, a small JSON file, is what the counting rules depend on, so that another model recounts its language.
Finding needs only the standard library, since rules are parsed with it.
"""

import json
import logging
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import FetchError, MissingResourceError
from textparity.files import write_text

log = logging.getLogger(__name__)

NLTK_PACKAGE = "punkt_tab"
STAND_IN_SUFFIX = "_standin"


@dataclass(frozen=True)
class ModelRecord:
    """One model on disk: `folder` is the tool's resource folder, `md5` the digest its index gives (or empty)."""

    tool: str
    code: str
    package: str
    md5: str
    folder: str
    stand_in: bool


def load_record(path: Path) -> ModelRecord:
    """Read a record written by this module."""
    return ModelRecord(**json.loads(path.read_text(encoding="utf-8")))


def find_stanza_model(folder: str, code: str) -> ModelRecord | None:
    """Return the tokenizer model that Stanza would load for `code` from `folder`, if it is there.

    A package whose name ends in `_standin` is a replacement for the official model, and marked so.
    """
    index = Path(folder) / "resources.json"
    if not index.is_file():
        return None
    entry = json.loads(index.read_text(encoding="utf-8")).get(code, {})
    package = entry.get("packages", {}).get("default", {}).get("tokenize")
    if package is None or not (Path(folder) / code / "tokenize" / f"{package}.pt").is_file():
        return None
    md5 = entry["tokenize"][package].get("md5", "")
    return ModelRecord("stanza", code, package, md5, folder, stand_in=package.endswith(STAND_IN_SUFFIX))


def find_nltk_data(folder: str) -> ModelRecord | None:
    """Return NLTK's English Punkt data in `folder`, if it is there."""
    if not (Path(folder) / "tokenizers" / NLTK_PACKAGE / "english").is_dir():
        return None
    return ModelRecord("nltk", "english", NLTK_PACKAGE, "", folder, stand_in=False)


def missing_model(tool: str, code: str, folder: str, offline: bool) -> str:
    """Return why a model cannot be had here, or an empty string if it can (or will be downloaded)."""
    if tool == "stanza" and find_spec("stanza") is None:
        return "Stanza is not installed; install the extra: pip install 'textparity[stanza]'"
    found = _find(tool, folder, code)
    if found is None and offline:
        variable = "STANZA_RESOURCES_DIR" if tool == "stanza" else "NLTK_DATA"
        what = f"no Stanza model for {code!r}" if tool == "stanza" else f"no {NLTK_PACKAGE} data"
        return f"{what} in {folder}, and the mirror forbids downloading; set {variable} or unset the mirror"
    return ""


def prepare_model(record: Path, tool: str, code: str, folder: str, offline: bool) -> None:
    """Make sure the model is in `folder` (downloading it unless `offline`) and write its record.

    Raises `MissingResourceError` if it is not there and may not be fetched, `FetchError` if the download fails.
    """
    if reason := missing_model(tool, code, folder, offline):
        raise MissingResourceError(reason)
    model = _find(tool, folder, code)
    if model is None:
        (_download_stanza if tool == "stanza" else _download_nltk)(code, folder)
        model = _find(tool, folder, code)
    if model is None:
        raise FetchError(f"{tool} has downloaded {code!r} to {folder}, but no tokenizer model is there; look into it")
    if model.stand_in:
        log.warning("%s %s: %s is a stand-in for the official model", tool, code, model.package)
    write_text(record, json.dumps(asdict(model), indent=2) + "\n")


def _find(tool: str, folder: str, code: str) -> ModelRecord | None:
    return find_stanza_model(folder, code) if tool == "stanza" else find_nltk_data(folder)


def _download_stanza(code: str, folder: str) -> None:
    import stanza

    try:
        stanza.download(code, model_dir=folder, processors="tokenize,mwt" if code == "ar" else "tokenize")
    except Exception as error:
        raise FetchError(f"stanza.download({code!r}) failed: {error}; check the network and run again") from error


def _download_nltk(code: str, folder: str) -> None:
    import nltk

    if not nltk.download(NLTK_PACKAGE, download_dir=folder):
        raise FetchError(f"nltk.download({NLTK_PACKAGE!r}) to {folder} failed; check the network and run again")
