"""Find files of models on this machine: a folder, an installed package, the hub's cache, a GGUF file, or a tokenizer's
files.

A tokenizer's model is found in its folder, or downloaded by the tool's own downloader. It is then recorded in a small
JSON file on which the counting rules depend, so that another model makes its language be counted again. The parser of
rules uses this module, so finding a model loads no tool and downloads nothing.
"""

import json
import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import FetchError, MissingResourceError, how_to_install
from textparity.files import write_text

log = logging.getLogger(__name__)

NLTK_PACKAGE = "punkt_tab"
# By tool, the environment variable with its folder, and the default below the home folder.
FOLDERS = {"stanza": ("STANZA_RESOURCES_DIR", "stanza_resources"), "nltk": ("NLTK_DATA", "nltk_data")}
STAND_IN_SUFFIX = "_standin"
GGUF = ".gguf"
# Weights in one file or, with an index, in several.
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")


@dataclass(frozen=True)
class ModelRecord:
    """One model on disk. `folder` is the tool's resource folder, `md5` the digest in its index (or empty)."""

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
    """Find the tokenizer model that Stanza would load for `code` from `folder`. Returns None if there is none.

    A package whose name ends in `_standin` replaces the official model, and is marked as such.
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


def find_model_folder(tool: str, environment: Mapping[str, str] = os.environ) -> str:
    """Find the folder of Stanza's models or NLTK's data: from the environment, or else the tool's default."""
    variable, default = FOLDERS[tool]
    return environment.get(variable) or str(Path.home() / default)


def missing_model(tool: str, code: str, folder: str, offline: bool) -> str:
    """Explain why a model is not available here. Returns an empty string if it is, or will be downloaded."""
    if tool == "stanza" and find_spec("stanza") is None:
        return f"Stanza is not installed; install the extra: {how_to_install('stanza')}"
    if tool == "nltk" and find_spec("nltk") is None:
        return f"NLTK is not installed; install the extra: {how_to_install('workflow')}"
    found = _find(tool, folder, code)
    if found is None and offline:
        variable, _ = FOLDERS[tool]
        what = f"no Stanza model for {code!r}" if tool == "stanza" else f"no {NLTK_PACKAGE} data"
        return f"{what} in {folder}, and the mirror forbids downloading; set {variable} or unset the mirror"
    return ""


def prepare_model(record: Path, tool: str, code: str, folder: str, offline: bool) -> None:
    """Make sure that the model is in `folder` (downloading it unless `offline`), and write its record.

    Raises `MissingResourceError` if it is missing and may not be downloaded, `FetchError` if the download fails.
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
    if tool == "stanza":
        return find_stanza_model(folder, code)
    is_here = (Path(folder) / "tokenizers" / NLTK_PACKAGE / "english").is_dir()
    return ModelRecord("nltk", "english", NLTK_PACKAGE, "", folder, stand_in=False) if is_here else None


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


def stay_offline() -> None:
    """Keep the client of the Hugging Face hub from requesting files, in this process and in those that it starts.

    The client reads the variable once, at import. If it is set later, it has no effect, and without a network each file
    of a model costs minutes of retries.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"
    if constants := sys.modules.get("huggingface_hub.constants"):
        constants.HF_HUB_OFFLINE = True  # type: ignore[attr-defined]


def cached_file(model: str, name: str) -> Path | None:
    """Find a file of a model in the hub's cache on this machine. Returns None if it is missing."""
    if find_spec("huggingface_hub") is None:
        return None
    stay_offline()
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(model, name)
    return Path(found) if isinstance(found, str) else None


def find_model(model: str) -> Path | None:
    """Find the folder with the files of a transformer: a given folder, that of a package, or one in the hub's cache."""
    for folder in (Path(model), _package_folder(model), _cached_folder(model)):
        if folder and (folder / "config.json").is_file() and any((folder / name).is_file() for name in WEIGHTS):
            return folder
    return None


def model_folder(model: str) -> Path:
    """Find the folder as `find_model` does. Raises `MissingResourceError` if the model is not on this machine."""
    if folder := find_model(model):
        return folder
    raise MissingResourceError(not_here(model))


def not_here(model: str) -> str:
    """Explain that a transformer is not on this machine, and how to get it."""
    return (
        f"the model {model} is not on this machine: neither a folder with a config.json and weights, nor an installed "
        f"package, nor in the Hugging Face cache (hf download {model})"
    )


def is_package(model: str) -> bool:
    """Check whether a package is installed under this name (its name on the package index)."""
    module = _module(model)
    return module.isidentifier() and find_spec(module) is not None


def find_gguf(model: str, folder: Path) -> Path | None:
    """Find a GGUF file: `model` itself, or that of a model package, assembled in `folder`. None if it has none."""
    if model.endswith(GGUF):
        return Path(model)
    # Model packages hold their file in parts that are small enough for the package index.
    package = import_module(_module(model))
    return package.assemble(folder / "model.gguf") if hasattr(package, "assemble") else None


def _module(model: str) -> str:
    return model.replace("-", "_")


def _package_folder(model: str) -> Path | None:
    spec = find_spec(_module(model)) if is_package(model) else None
    return Path(spec.origin).parent / "model" if spec and spec.origin else None


def _cached_folder(model: str) -> Path | None:
    if model.startswith((".", "/")) or model.count("/") > 1:
        return None
    config = cached_file(model, "config.json")
    return config.parent if config else None
