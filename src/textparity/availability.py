"""What of the configured work cannot run here, and why: decided before any job starts, from files alone.

With `keep_going` such work is left out of the DAG and reported as `not run`; without it, its jobs fail and say so. What
a study needs is in its own module `availability`.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from textparity.archives import list_members
from textparity.config import Config
from textparity.errors import ConfigError
from textparity.files import write_rows
from textparity.llm.local import missing_local_model
from textparity.llm.models import ModelRow
from textparity.mirror import Mirror
from textparity.registry import FileReference, Registry


def missing_model_access(row: ModelRow, environment: Mapping[str, str]) -> str:
    """Return why a language model cannot be asked from here, or an empty string; nothing is sent to find out."""
    if row.is_local:
        return missing_local_model(row)
    if row.api_key_env and not environment.get(row.api_key_env, "").strip():
        return f"the environment variable {row.api_key_env} is not set"
    return "" if find_spec("openai") else "the package openai is not installed (pip install 'textparity[llm]')"


def missing_file(file: FileReference, mirror: str | None) -> str:
    """Return why a file cannot be had, or an empty string; without a mirror, the network is trusted to have it."""
    if not file.url:
        if not Path(file.path).is_file():
            return f"there is no file {file.path}" + (f"; {file.access}" if file.access else "")
        lacking = file.member and file.member not in _members(Path(file.path))
        return f"{file.member} is not in {file.path}" if lacking else ""
    if not mirror or (Path(file.path).is_file() and not file.member):
        return ""
    stand_in = _mirror(mirror)
    if file.url not in stand_in:
        return f"{file.url} is not in the mirror"
    if file.member and file.member not in _members(stand_in.find(file.url)[0]):
        return f"{file.member} is not in the mirror's copy of {Path(file.path).name}"
    return ""


def check_samples(registry: Registry, config: Config, key: str, corpora: list[str]) -> None:
    """Raise `ConfigError` for a corpus that is a later sample of its archive than are drawn."""
    drawn = config.representation.sampling.samples
    for corpus in corpora:
        if int(registry.corpora[corpus].sample or 0) > drawn:
            raise ConfigError(
                f"{key}: {corpus} is sample {registry.corpora[corpus].sample} of its archive, but "
                f"representation.sampling.samples is {drawn}; raise it, which changes the other samples"
            )


def list_gaps(gaps: Path, reasons: list[list[str]]) -> None:
    """Write what was left out as CSV: corpus, lang, engine (empty where there is no choice), reason."""
    write_rows(gaps, ["corpus", "lang", "engine", "reason"], reasons)


@cache
def _mirror(folder: str) -> Mirror:
    return Mirror(folder)


@cache
def _members(archive: Path) -> frozenset[str]:
    return frozenset(list_members(archive))
