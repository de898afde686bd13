"""Record the run behind the results: its configuration, code, packages, sources and models, and hashes of final files.

Files about what two equal runs share are equal to the byte. Only `run.json` has host and time.
"""

import json
import logging
import platform
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from packaging.requirements import Requirement

import textparity
import textparity_studies
from textparity.files import sha256_of, write_rows, write_text
from textparity_studies.workflow.code_version import code_digest

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
            "made anew. To keep them, stop this run and give it a folder of its own: --directory FOLDER",
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
