"""A working folder that can be copied, damaged, killed, filled up, and compared with an undisturbed one."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

# No run of these folders takes as long on any machine; one that hangs is a fault, too.
PATIENCE_SECONDS = 600
PAGE_BYTES = 4096
ROOMY = "64m"
RUN_RECORD = "results/run/run.json"
# All that an output's job says it writes to: no two jobs have the same.
Job = tuple[str, ...]


@dataclass(frozen=True)
class Output:
    """One file of a finished run: what it was made from, and the job (all its outputs share one)."""

    inputs: frozenset[str]
    job: Job


@dataclass(frozen=True)
class Run:
    """How a run of Snakemake ended, all it said, and the jobs that it started."""

    code: int
    said: str
    jobs: list[Job]


class Folder:
    """The shipped Snakefile, run in the folder `path` with the config file beside it, up to `targets`."""

    def __init__(self, repository: Path, path: Path, targets: tuple[str, ...] = ()) -> None:
        self.repository = repository
        self.path = path
        self.targets = targets
        self.results = path / "results"

    def command(self, *arguments: str) -> list[str]:
        """Return what starts Snakemake; with SIGABRT it says where each of its threads is."""
        return [
            sys.executable, "-X", "faulthandler", "-m", "snakemake", *self.targets, *arguments, "--cores", "2",
            "--directory", str(self.path), "--snakefile", str(self.repository / "Snakefile"),
            "--configfile", str(self.path / "config.yaml"),
        ]  # fmt: skip

    def run(self, *arguments: str) -> Run:
        """Run Snakemake to its end."""
        before = self.logs()
        done = subprocess.run(
            self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        return Run(done.returncode, done.stdout, self.jobs_since(before))

    def logs(self) -> set[Path]:
        """Return the logs of all runs of Snakemake until now."""
        return set((self.path / ".snakemake" / "log").glob("*.log"))

    def jobs_since(self, before: set[Path]) -> list[Job]:
        """Return the jobs that were started by the runs that came after the logs `before`."""
        said = "".join(file.read_text("utf-8", "replace") for file in sorted(self.logs() - before))
        return jobs_started(said)

    def recover(self) -> tuple[Run, bool]:
        """Run again as a user would, unlocking where Snakemake asks for it; return the last run and whether it did."""
        run = self.run("--rerun-incomplete")
        if run.code == 0 or "--unlock" not in run.said:
            return run, False
        unlock = self.run("--unlock")
        return (self.run("--rerun-incomplete") if unlock.code == 0 else unlock), True

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[str]]:
        """Start Snakemake as the leader of a process group of its own; kill what is left of it at the end.

        What it says is in `said.txt` beside the folder.
        """
        with self.path.with_name(f"{self.path.name}.said.txt").open("w+", encoding="utf-8") as said:
            process = subprocess.Popen(
                self.command(), stdout=said, stderr=subprocess.STDOUT, text=True, start_new_session=True
            )
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def said(self) -> str:
        """Return what the run started last by `running` said."""
        return self.path.with_name(f"{self.path.name}.said.txt").read_text("utf-8")

    def copy(self, path: Path) -> "Folder":
        """Copy everything, times and Snakemake's records included."""
        shutil.copytree(self.path, path, dirs_exist_ok=True)
        return Folder(self.repository, path, self.targets)

    def outputs(self) -> dict[str, Output]:
        """Return Snakemake's own records of what it made."""
        found = {}
        for name, file in self._records("metadata"):
            # Of a full disk, a record may be cut.
            with suppress(ValueError):
                record = json.loads(file.read_text("utf-8"))
                found[name] = Output(frozenset(record["input"]), tuple(record["log"]))
        return found

    def to_make(self, outputs: dict[str, Output]) -> set[str]:
        """Return the outputs that are missing, begun but not finished, or without a record, and all made from them."""
        begun = {name for name, _ in self._records("incomplete")}
        known = self.outputs()
        lost = {name for name in outputs if not (self.path / name).exists() or name in begun or name not in known}
        return downstream(outputs, lost)

    def _records(self, kind: str) -> Iterator[tuple[str, Path]]:
        """Yield the outputs that Snakemake has a record of, and the record."""
        records = self.path / ".snakemake" / kind
        for file in sorted(records.rglob("*")):
            if file.is_file():
                name = "".join(part.removeprefix("@") for part in file.relative_to(records).parts)
                yield urlsafe_b64decode(name).decode(), file

    def locks(self) -> list[Path]:
        """Return the locks of a run that is under way, or was killed."""
        folder = self.path / ".snakemake" / "locks"
        return list(folder.iterdir()) if folder.is_dir() else []

    def workers(self) -> list[int]:
        """Return the processes that run a job's script."""
        return [
            pid
            for pid, arguments in self.processes().items()
            if "python" in Path(arguments[0]).name and any(".snakemake/scripts/" in word for word in arguments[1:2])
        ]

    def processes(self) -> dict[int, list[str]]:
        """Return the arguments of every process whose working folder this is."""
        found = {}
        for entry in Path("/proc").glob("[0-9]*"):
            # It may have ended meanwhile, or be someone else's.
            with suppress(OSError):
                if (entry / "cwd").readlink() == self.path:
                    found[int(entry.name)] = (entry / "cmdline").read_text("utf-8", "replace").split("\0")
        return {pid: arguments for pid, arguments in found.items() if arguments[0]}

    def files(self) -> dict[str, bytes]:
        """Return every file of the results, hidden ones included."""
        return {
            str(file.relative_to(self.path)): file.read_bytes() for file in self.results.rglob("*") if file.is_file()
        }

    def differing(self, reference: dict[str, bytes]) -> list[str]:
        """Return the files that differ from those of the undisturbed run, are missing or too many."""
        mine = self.files()
        names = {name for name in mine.keys() | reference.keys() if mine.get(name) != reference.get(name)}
        # Host and time stand there alone.
        return sorted(names - {RUN_RECORD} if RUN_RECORD in mine else names)

    def half_written(self, reference: dict[str, bytes]) -> list[str]:
        """Return the files that are neither missing nor as they should be."""
        mine = {name: content for name, content in self.files().items() if reference.get(name) != content}
        if RUN_RECORD in mine:
            # Of another run, with its host and time; but whole.
            json.loads(mine.pop(RUN_RECORD))
        return sorted(mine)


def output_of(file: str, outputs: Iterable[str]) -> str:
    """Return which of `outputs` a file is, or lies in, as some are folders; nothing if it belongs to none."""
    names = set(outputs)
    return next((str(path) for path in [Path(file), *Path(file).parents] if str(path) in names), "")


def downstream(outputs: dict[str, Output], start: set[str]) -> set[str]:
    """Return `start`, what else its jobs make, and all that is made from it."""
    found: set[str] = set()
    waiting = set(start)
    while waiting:
        jobs = {outputs[name].job for name in waiting}
        found |= {name for name, output in outputs.items() if output.job in jobs}
        waiting = {name for name, output in outputs.items() if output.inputs & found} - found
    return found


def jobs_of(outputs: dict[str, Output], names: Iterable[str]) -> set[Job]:
    """Return the jobs that make the files `names`."""
    return {outputs[name].job for name in names}


def count_jobs(outputs: dict[str, Output], names: set[str]) -> int:
    """Return how many jobs make the files `names`."""
    return len(jobs_of(outputs, names))


def jobs_started(log: str) -> list[Job]:
    """Return the jobs that Snakemake started, by its log; those without a log of their own are targets."""
    blocks = re.findall(r"^(?:local)?rule \w+:\n((?:    .*\n)*)", log, re.M)
    found = [re.search(r"^    log: (.*)$", block, re.M) for block in blocks]
    return sorted(tuple(match[1].split(", ")) for match in found if match)


def choose_undone(outputs: dict[str, Output], rng: random.Random, least: int = 3, most: int = 8) -> set[str]:
    """Choose outputs at random with all that is made from them, by `least` to `most` jobs in all."""
    names = sorted(outputs)
    rng.shuffle(names)
    chosen: set[str] = set()
    wanted = rng.randint(least, most)
    for name in names:
        more = chosen | downstream(outputs, {name})
        if count_jobs(outputs, more) <= wanted:
            chosen = more
    assert count_jobs(outputs, chosen) >= least
    return chosen


@contextmanager
def small_disk(path: Path) -> Iterator[str]:
    """Mount a tmpfs on `path`; yield why that is not possible, or nothing."""
    path.mkdir()
    if shutil.which("mount") is None:
        yield "there is no mount"
        return
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={ROOMY}", "tmpfs", str(path)], capture_output=True, text=True
    )
    if done.returncode != 0:
        yield f"a tmpfs cannot be mounted here ({done.stderr.strip()})"
        return
    try:
        yield ""
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)


def resize_disk(path: Path, size: int | str) -> None:
    """Give the tmpfs at `path` another size, in bytes or with a unit."""
    subprocess.run(["mount", "-o", f"remount,size={size}", str(path)], check=True)


def disk_used(path: Path) -> int:
    """Return the bytes in use on the file system of `path`."""
    found = os.statvfs(path)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def size_on_disk(content: bytes) -> int:
    """Return the bytes that a file takes on a tmpfs."""
    return -(-len(content) // PAGE_BYTES) * PAGE_BYTES


def wait_for(holds, process: subprocess.Popen[str], seconds: float = PATIENCE_SECONDS) -> bool:
    """Wait until `holds()`; return whether it does, and not whether the process ended or time ran out before."""
    end = time.monotonic() + seconds
    while not holds():
        if process.poll() is not None or time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def flip_bit(path: Path, rng: random.Random) -> int:
    """Flip one bit of a file at a random place, its times unchanged; return the place."""
    content = bytearray(path.read_bytes())
    times = path.stat()
    place = rng.randrange(len(content))
    content[place] ^= 1 << rng.randrange(8)
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return place


def digest(path: Path) -> str:
    """Return the sha256 of a file."""
    return sha256(path.read_bytes()).hexdigest()


def rules_in_error(said: str) -> list[str]:
    """Return the rules of which Snakemake says that a job failed."""
    return sorted(set(re.findall(r"Error in (?:local)?rule (\w+)", said)))
