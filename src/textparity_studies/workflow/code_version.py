"""Compute a digest of the code that a rule depends on: Snakemake tracks `script:` files, but not their imports."""

import ast
import atexit
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import textparity
from textparity.files import write_text

PACKAGES = ("textparity", "textparity_studies")
# Results for modules, by their bytes: parsing all modules takes two seconds, and each job of a cluster does it.
KEPT = Path(".snakemake/code_digests.json")
_RESOURCES = Path(textparity.__file__).parent / "resources"
# Tables that a module reads directly, not as an input of a rule.
_TABLES = {
    "textparity.counting.names": [
        "lexicons/first_names.tsv",
        "lexicons/endings.tsv",
        "lexicons/name_contexts.tsv",
    ],
    "textparity.folding": ["lexicons/folding.tsv"],
}


def step(function: str, *modules: str) -> dict[str, str]:
    """Return the params that make `scripts/step.py` call `function` (`module:name`), and rerun if its code changes.

    `modules` are further modules whose code counts, because the function chooses among them at run time.
    """
    return {"step": function, "code_digest": code_digest(function.partition(":")[0], *modules)}


@cache
def code_digest(*modules: str) -> str:
    """Compute 16 hex digits over the syntax trees of `modules` and everything they import from both packages.

    Code and docstrings count; comments, layout and file times do not. Imports inside functions are choices at run time,
    so name the chosen module as one of `modules`. A template with the name of a module, `templates/{module}.*` in its
    folder, counts with it, and so do the tables that the module reads directly.
    """
    return sha256(repr(sorted(modules_of(*modules).items())).encode()).hexdigest()[:16]


def modules_of(*modules: str) -> dict[str, str]:
    """List `modules` and everything they import from both packages, each with the content of its digest."""
    seen: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen[name], imported = _read_module(name)
        waiting += imported
    return seen


# Rules name dozens of modules that import each other. Parsing each once saves seconds whenever rules are read.
@cache
def _read_module(name: str) -> tuple[str, list[str]]:
    """Return the content of a module's digest, and the modules of both packages that it imports."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module named {name}")
    source = Path(spec.origin)
    files = [source, *sorted(source.parent.glob(f"templates/{source.stem}.*"))]
    files += [_RESOURCES / table for table in _TABLES.get(name, ())]
    texts = [file.read_text("utf-8") for file in files]
    # A module's imports depend on its neighbours, so its name counts, and so does the Python version that parses it.
    key = sha256("\0".join([sys.version, name, *texts]).encode()).hexdigest()
    kept = _kept()
    if key not in kept:
        tree = ast.parse(texts[0])
        content = "".join([ast.dump(tree), *texts[1:]])
        kept[key] = [sha256(content.encode()).hexdigest(), _imports_of_package(tree)]
        atexit.unregister(_keep)
        atexit.register(_keep)
    digest, imported = kept[key]
    return digest, imported


@cache
def _kept() -> dict[str, Any]:
    """Load the results of earlier runs; a damaged file counts as empty."""
    with suppress(OSError, ValueError):
        return json.loads(KEPT.read_text("utf-8"))
    return {}


def _keep() -> None:
    # Snakemake creates this folder, and reports if it cannot.
    if KEPT.parent.is_dir():
        with suppress(OSError):
            write_text(KEPT, json.dumps(_kept()))


def _imports_of_package(tree: ast.Module) -> list[str]:
    names = []
    for node in _outside_functions(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in PACKAGES:
            # A name imported from a package may be a module of that package.
            names += [node.module] if node.module not in PACKAGES else []
            names += [f"{node.module}.{alias.name}" for alias in node.names if _is_module(node.module, alias.name)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if alias.name.partition(".")[0] in PACKAGES]
    return names


@cache
def _is_module(package: str, name: str) -> bool:
    spec = find_spec(package)
    return bool(spec and spec.submodule_search_locations and find_spec(f"{package}.{name}"))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from _outside_functions(child)
