"""What each file was when a job had made it, so that none is read that was damaged since.

One list for each output, beside what Snakemake itself keeps of it, in the form of `sha256sum`, which checks it as well:
`cat .snakemake/sha256/**/*.sha256 | sha256sum --check --quiet`.
"""

import time
from collections.abc import Iterable
from hashlib import file_digest
from pathlib import Path

from textparity.errors import InputError
from textparity.files import write_text

FOLDER = Path(".snakemake/sha256")
# The clocks of machines that share a folder differ by less.
CLOCK_SECONDS = 60


def record_made(outputs: Iterable[str]) -> None:
    """Keep the sha256 of each output, file or folder, of a job that ended well."""
    for output in outputs:
        # A link stands for a file that is not ours.
        if not Path(output).is_symlink() and Path(output).exists():
            write_text(_list_of(output), "".join(f"{_digest(file)}  {file}\n" for file in _files_of(Path(output))))


def check_made(inputs: Iterable[str]) -> None:
    """Raise `InputError` for an input, file or folder, that is not what the job that made it left.

    Files that no job made, or an earlier version of this program, are passed over.
    """
    for name in inputs:
        if Path(name).is_symlink() or not _list_of(name).is_file():
            continue
        # A list that is empty or unreadable itself is one of a file that cannot be trusted.
        for line in _list_of(name).read_text("utf-8", "replace").splitlines() or [""]:
            made, _, listed = line.partition("  ")
            file = Path(listed or name)
            found = _digest(file) if file.is_file() else "none, for it is gone"
            if found != made:
                raise InputError(
                    f"{file}: has sha256 {found}, not {made} as when it was made ({_list_of(name)}); it was damaged or "
                    f"edited since: delete {name} and run again, which makes it anew"
                )


def check_clock() -> None:
    """Raise `InputError` if something was made later than now: what is edited now would count as older than it.

    Snakemake looks into an input only if it is newer than what was made from it.
    """
    now = time.time()
    for record in sorted(FOLDER.rglob("*.sha256")):
        if (later := record.stat().st_mtime - now) > CLOCK_SECONDS:
            name = record.relative_to(FOLDER).as_posix().removesuffix(".sha256")
            date_anew = f'find results {FOLDER} -newermt now -exec touch --date="$(date --iso-8601=ns)" {{}} +'
            raise InputError(
                f"{name}: was made {later:,.0f} seconds from now, by the clock; was it set back? "
                "An edit since then would not be seen: set the clock right; or date what was made to now "
                f"({date_anew}), and then touch what you have edited since"
            )


def _list_of(output: str) -> Path:
    # Outputs are named from the working folder; what a user names elsewhere has no list.
    return FOLDER / f"{output.lstrip('/')}.sha256"


def _files_of(output: Path) -> list[Path]:
    return sorted(path for path in output.rglob("*") if path.is_file()) if output.is_dir() else [output]


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
