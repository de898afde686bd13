"""Record the run behind the results: its configuration, code, packages, sources and models, and hashes of final files.

Two equal runs write the same bytes, except to `run.json`. It has the host and the time.
"""

import ast
import atexit
import json
import logging
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from packaging.requirements import Requirement

import textparity
import textparity_studies
from textparity.files import sha256_of, write_rows, write_text

PACKAGES = ("textparity", "textparity_studies")
# Results for modules, by their bytes: parsing all modules takes two seconds, and each job of a cluster does it.
KEPT = Path(".snakemake/code_digests.json")
_RESOURCES = Path(textparity.__file__).parent / "resources"
# Tables that a module reads directly, not as an input of a rule. `*` stands for any name.
_TABLES = {
    "textparity.counting.first_names": [
        "lexicons/first_names/*.tsv",
        "lexicons/name_corrections.tsv",
        "lexicons/endings.tsv",
        "lexicons/name_contexts.tsv",
    ],
    "textparity.counting.lemmas": ["lexicons/paradigms/*.tsv"],
    "textparity.counting.pairs": ["lexicons/pairs.tsv"],
    "textparity.counting.name_rules": ["lexicons/name_words.tsv"],
    "textparity.counting.name_forms": ["lexicons/name_forms.tsv", "lexicons/name_evidence.tsv"],
    "textparity.folding": ["lexicons/folding.tsv"],
    "textparity.persons.actor_languages": ["persons/grammars.toml"],
}


def step(function: str, *modules: str) -> dict[str, str]:
    """Return the params that make `scripts/step.py` call `function` (`module:name`), and rerun if its code changes.

    `modules` are further modules whose code counts, because the function chooses among them at run time.
    """
    return {"step": function, "code_digest": code_digest(function.partition(":")[0], *modules)}


@cache
def code_digest(*modules: str) -> str:
    """Compute 16 hex digits over the syntax trees of `modules` and everything they import from both packages.

    Code counts; docstrings, comments, layout and file times do not. Imports inside functions are choices at run time,
    so name the chosen module as one of `modules`. A template with the name of a module, `templates/{module}.*` in its
    folder, counts with it, and so do its compiled part, `_{module}.c`, and the tables that the module reads directly.
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
    files = [
        source,
        *sorted(source.parent.glob(f"templates/{source.stem}.*")),
        *source.parent.glob(f"_{source.stem}.c"),
    ]
    files += [path for table in _TABLES.get(name, ()) for path in sorted(_RESOURCES.glob(table))]
    texts = [file.read_text("utf-8") for file in files]
    # A module's imports depend on its neighbours, so its name counts, and so does the Python version that parses it.
    key = sha256("\0".join([sys.version, name, *texts]).encode()).hexdigest()
    kept = _kept()
    if key not in kept:
        tree = ast.parse(texts[0])
        imported = _imports_of_package(tree)
        content = "".join([ast.dump(_without_docstrings(tree)), *texts[1:]])
        kept[key] = [sha256(content.encode()).hexdigest(), imported]
        atexit.unregister(_keep)
        atexit.register(_keep)
    digest, imported = kept[key]
    return digest, imported


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        has_docstring = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, has_docstring) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return tree


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


RUN_ID_DIGITS = 12
# A warning names at most this many settings.
SHOWN_SETTINGS = 5
log = logging.getLogger(__name__)


def record_run(
    results: list[Path],
    run: Path,
    config: Path,
    packages: Path,
    sources: Path,
    models: Path,
    files: Path,
    ledger: Path,
    settings: dict[str, Any],
    repository: str,
) -> None:
    """Write the record of a run.

    `config`: all settings that do not belong to the machine, including defaults (JSON, which is YAML). `packages`,
    `sources`, `models`: versions, hashes and records of everything installed and fetched here. `files`: the sha256 of
    `results` and `ledger`. `run`: the run's id (a digest of all these), commit, host and time.
    """
    write_text(config, json.dumps(settings, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    write_rows(packages, ["package", "version"], [("python", platform.python_version()), *_packages()])
    fetched = (path for path in Path("results/sources").rglob("*") if path.is_file() and not path.name.startswith("."))
    write_rows(sources, ["file", "sha256"], _hashes(fetched))
    records = sorted(Path("results/models").rglob("*.json"))
    write_rows(
        models,
        ["record", "content"],
        [(path, json.dumps(json.loads(path.read_text("utf-8")), sort_keys=True)) for path in records],
    )
    write_rows(files, ["file", "sha256"], _hashes([*results, ledger]))
    code = code_digest(
        *(
            module.name
            for package in (textparity, textparity_studies)
            for module in walk_packages(package.__path__, f"{package.__name__}.")
            # The source of what may be compiled counts, not whether it is.
            if str(find_spec(module.name).origin).endswith(".py")  # type: ignore[union-attr]
        )
    )
    digest = sha256(code.encode())
    for part in (config, packages, sources, models):
        digest.update(part.read_bytes())
    about = {
        "run": digest.hexdigest()[:RUN_ID_DIGITS],
        "textparity": metadata.version("textparity"),
        "code": code,
        "commit": _commit(repository),
        "host": platform.node(),
        "system": platform.platform(),
        "python": sys.version,
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    write_text(run, json.dumps(about, indent=1) + "\n")


def warn_of_other_settings(settings: dict[str, Any], record: Path) -> None:
    """Warn if the previous run in this folder had other settings, because this run replaces its tables.

    The choice of studies does not count, because the files of other studies stay.
    """
    found = _flatten({name: value for name, value in settings.items() if name != "studies"})
    before = json.loads(record.read_text("utf-8")) if record.is_file() else found
    changed = [name for name in {**before, **found} if before.get(name) != found.get(name)]
    if changed:
        more = f" and {len(changed) - SHOWN_SETTINGS} more" if len(changed) > SHOWN_SETTINGS else ""
        log.warning(
            "the last run in this folder had another configuration (%s%s): tables under results/ that depend on it are "
            "made again. To keep them, stop this run and give it a folder of its own: --directory FOLDER",
            *(", ".join(changed[:SHOWN_SETTINGS]), more),
        )
    write_text(record, json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _flatten(settings: dict[str, Any], above: str = "") -> dict[str, Any]:
    """Map settings by their full names, such as `lexicon.corpora`."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        flat |= _flatten(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
    return flat


def _hashes(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """Compute the sha256 of files, and of those below folders."""
    files = (file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())
    return [(str(path), sha256_of(path)) for path in sorted(set(files))]


def _packages() -> list[tuple[str, str]]:
    """List the installed packages that this one requires, including extras, with their versions."""
    names = {Requirement(line).name.lower() for line in metadata.requires("textparity") or []}
    found = []
    for name in sorted(names):
        try:
            found.append((name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            continue
    return found


def _commit(repository: str) -> str:
    """Return the commit of the workflow's folder, marked if files differ from it; an empty string without git."""
    command = ["git", "-C", repository, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
