"""Files of models on this machine, whichever study asks: a folder, an installed package, the hub's cache, a GGUF file.

Rules are parsed with this module: it loads no tool and fetches nothing.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import MissingResourceError

GGUF = ".gguf"
# Whole, or (with an index) in parts.
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")


def find_model(model: str) -> Path | None:
    """Return the folder with the files of a transformer: a folder itself, of a package, or of the hub's cache."""
    for folder in (Path(model), _package_folder(model), _cached_folder(model)):
        if folder and (folder / "config.json").is_file() and any((folder / name).is_file() for name in WEIGHTS):
            return folder
    return None


def model_folder(model: str) -> Path:
    """Return what `find_model` finds; `MissingResourceError` if the model is not on this machine."""
    if folder := find_model(model):
        return folder
    raise MissingResourceError(not_here(model))


def not_here(model: str) -> str:
    """Return what to say of a transformer that `find_model` does not find."""
    return (
        f"the model {model} is not on this machine: neither a folder with a config.json and weights, nor an installed "
        f"package, nor in the Hugging Face cache (hf download {model})"
    )


def is_package(model: str) -> bool:
    """Whether a package of this name (as it is called on the package index) is installed."""
    module = _module(model)
    return module.isidentifier() and find_spec(module) is not None


def find_gguf(model: str, folder: Path) -> Path | None:
    """Return a GGUF file: `model` itself, or that of a model package, put together in `folder`; None if it has none."""
    if model.endswith(GGUF):
        return Path(model)
    # Model packages hold their file in parts, each small enough for the package index.
    package = import_module(_module(model))
    return package.assemble(folder / "model.gguf") if hasattr(package, "assemble") else None


def _module(model: str) -> str:
    return model.replace("-", "_")


def _package_folder(model: str) -> Path | None:
    spec = find_spec(_module(model)) if is_package(model) else None
    return Path(spec.origin).parent / "model" if spec and spec.origin else None


def _cached_folder(model: str) -> Path | None:
    if find_spec("huggingface_hub") is None or model.startswith((".", "/")) or model.count("/") > 1:
        return None
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(model, "config.json")
    return Path(config).parent if isinstance(config, str) else None
