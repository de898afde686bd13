"""Decide which configured work cannot run here, and why, before any job starts and from files alone.

With `skip_unavailable` such work is excluded from the DAG and reported as `not run`. Without it, the run ends with the
reasons before its first job. Each study's plan lists its requirements. Every reason is a `Need`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import ConfigError, MissingResourceError, how_to_install
from textparity.registry import FileReference
from textparity.sources.archives import list_members
from textparity.sources.model_files import Mirror
from textparity_studies.llm.local import missing_local_model
from textparity_studies.llm.models import ModelRow
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.workflow.registry import StudyRegistry

if TYPE_CHECKING:
    from textparity_studies.workflow.config import Config

# Each folder is read only once.
_read_mirror = cache(Mirror)


def missing_model_access(row: ModelRow, environment: Mapping[str, str]) -> str:
    """Explain why a language model cannot be asked from here, or return an empty string; the check sends nothing.

    A model behind a key is gated, because it requires an account.
    """
    if row.withdrawn:
        return Need(Reason.WITHDRAWN, f"{row.model} by {row.host}, on {row.withdrawn} at the latest")
    if row.is_local:
        missing = missing_local_model(row)
    elif row.api_key_env and not environment.get(row.api_key_env, "").strip():
        return Need(Reason.GATED, f"the environment variable {row.api_key_env} is not set")
    else:
        missing = "" if find_spec("openai") else f"the package openai is not installed ({how_to_install('llm')})"
    return missing and Need(Reason.NOT_DOWNLOADED, missing)


def missing_file(file: FileReference, mirror: str | None) -> str:
    """Explain why a file is not available, or return an empty string.

    Without a mirror, the network is assumed to have the file. A file whose row has an `access` is not public. Its
    reason is `unpublished`, unless `access` itself begins with `gated: `.
    """
    if not file.url and not Path(file.path).is_file():
        if not file.access:
            return Need(Reason.NOT_DOWNLOADED, f"there is no file {file.path}")
        access = file.access if file.access.startswith(f"{Reason.GATED}: ") else Need(Reason.UNPUBLISHED, file.access)
        return f"{access}; there is no file {file.path}"
    missing = _missing_file_of_mirror(file, mirror) if file.url else _missing_member(file, Path(file.path), file.path)
    return missing and Need(Reason.NOT_DOWNLOADED, missing)


def require_files(files: Iterable[FileReference], mirror: str | None) -> list[str]:
    """Return the paths of files; `MissingResourceError` explains how to get one that is neither public nor here.

    Snakemake itself reports a missing public file.
    """
    files = list(files)
    for file in files:
        if file.access and (reason := missing_file(file, mirror)):
            raise MissingResourceError(reason)
    return [file.path for file in files]


def missing_from_mirror(url: str, mirror: str | None) -> str:
    """Explain why the address cannot be read, or return an empty string; without a mirror, the network may have it."""
    return f"{url} is not in the mirror" if mirror and url not in _read_mirror(mirror) else ""


def check_needs(workflow: Any, needs: Mapping[str, Callable[[Any], str]]) -> None:
    """Raise `MissingResourceError` if a job of a Snakemake `workflow` that is about to start cannot run here.

    `needs` maps names of rules to a function of a job's wildcards, which returns the reason or an empty string. What is
    installed here says nothing about jobs with a conda environment of their own, which are not checked.
    """
    if workflow.deployment_settings.deployment_method:
        return
    jobs: dict[str, list[str]] = {}
    for job in workflow.dag.needrun_jobs():
        if job.rule.name in needs and (reason := needs[job.rule.name](job.wildcards)):
            jobs.setdefault(reason, []).append(" ".join([job.rule.name, *job.wildcards]))
    if jobs:
        listed = "".join(f"\n  {of_reason[0]}{_others(of_reason)}: {reason}" for reason, of_reason in jobs.items())
        raise MissingResourceError(
            f"these jobs cannot run here, so none was started:{listed}\n"
            "Add what is missing, or leave this work out and report it as not run: --config skip_unavailable=true"
        )


def _others(jobs: list[str]) -> str:
    return f" and {len(jobs) - 1} more" if len(jobs) > 1 else ""


def _missing_file_of_mirror(file: FileReference, mirror: str | None) -> str:
    if not mirror or (Path(file.path).is_file() and not file.member):
        return ""
    if (reason := missing_from_mirror(file.url, mirror)) or not file.member:
        return reason
    return _missing_member(file, _read_mirror(mirror).find(file.url)[0], f"the mirror's copy of {Path(file.path).name}")


def _missing_member(file: FileReference, archive: Path, what: str) -> str:
    return f"{file.member} is not in {what}" if file.member and file.member not in _members(archive) else ""


def check_samples(registry: StudyRegistry, config: "Config", key: str, corpora: list[str]) -> None:
    """Raise `ConfigError` for a corpus whose sample number exceeds the number of samples drawn from its archive."""
    drawn = config.sampling.samples
    for corpus in corpora:
        if int(registry.corpora[corpus].sample or 0) > drawn:
            raise ConfigError(
                f"{key}: {corpus} is sample {registry.corpora[corpus].sample} of its archive, but "
                f"sampling.samples is {drawn}; raise it, which changes the other samples"
            )


@cache
def _members(archive: Path) -> frozenset[str]:
    return frozenset(list_members(archive))
