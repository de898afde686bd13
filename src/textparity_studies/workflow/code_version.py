"""What a rule's code depends on, as a digest: Snakemake sees `script:` files but not what they import."""

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
# What was read of modules, by their bytes: parsing all of them takes two seconds, and each job of a cluster does it.
KEPT = Path(".snakemake/code_digests.json")
_RESOURCES = Path(textparity.__file__).parent / "resources"
# Tables that a module reads by itself rather than as an input of a rule.
_TABLES = {
    "textparity.counting.names": [
        "lexicons/first_names.tsv",
        "lexicons/endings.tsv",
        "lexicons/name_contexts.tsv",
    ],
    "textparity.folding": ["lexicons/folding.tsv"],
}


def step(function: str, *modules: str) -> dict[str, str]:
    """Return the params that make `scripts/step.py` call `function`, written `module:name`, and rerun it with its code.

    `modules` are further ones whose code counts: those that the function chooses at run time.
    """
    return {"step": function, "code_digest": code_digest(function.partition(":")[0], *modules)}


@cache
def code_digest(*modules: str) -> str:
    """Return 16 hex digits over the syntax trees of `modules` and all they import from both packages.

    Comments, layout and file times do not count; only what Python would run does. Imports inside functions are
    choices made at run time: name the module chosen as one of `modules`. A template that bears the name of a module,
    `templates/{module}.*` beside it, counts with it, letter by letter, as do the tables that it reads by itself.
    """
    return sha256(repr(sorted(modules_of(*modules).items())).encode()).hexdigest()[:16]


def modules_of(*modules: str) -> dict[str, str]:
    """Return `modules` and all they import from both packages, each with what its digest is made of."""
    seen: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen[name], imported = _read_module(name)
        waiting += imported
    return seen


# Rules name dozens of modules, which import each other: parsing each once saves seconds whenever rules are read.
@cache
def _read_module(name: str) -> tuple[str, list[str]]:
    """Return what a module's digest is made of, and the modules of both packages that it imports."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module named {name}")
    source = Path(spec.origin)
    files = [source, *sorted(source.parent.glob(f"templates/{source.stem}.*"))]
    files += [_RESOURCES / table for table in _TABLES.get(name, ())]
    texts = [file.read_text("utf-8") for file in files]
    # What a module imports depends on what else is there, so its name counts, and the Python that parses it.
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
    """Return what earlier runs read; a file that is damaged is as none."""
    with suppress(OSError, ValueError):
        return json.loads(KEPT.read_text("utf-8"))
    return {}


def _keep() -> None:
    # Snakemake makes the folder, and says what is wrong where it cannot.
    if KEPT.parent.is_dir():
        with suppress(OSError):
            write_text(KEPT, json.dumps(_kept()))


def _imports_of_package(tree: ast.Module) -> list[str]:
    names = []
    for node in _outside_functions(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in PACKAGES:
            # What is imported from a package may be a module of it.
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
