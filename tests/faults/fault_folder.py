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
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path

from textparity.workflow.registry_rows import Corpus, Source, SourceFile

# No run of these folders takes as long on any machine; one that hangs is a fault, too.
PATIENCE_SECONDS = 600
PAGE_BYTES = 4096
ROOMY = "64m"
BASE_URL = "https://texts.invalid"
DOWNLOAD_LANGUAGES = ("eng", "spa")


@dataclass(frozen=True)
class Output:
    """One file of a finished run: what it was made from, and the job (all its outputs share one)."""

    inputs: frozenset[str]
    job: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """How a run of Snakemake ended, and all it said."""

    code: int
    said: str


class Folder:
    """The shipped Snakefile, run in the folder `path` with the config file beside it."""

    def __init__(self, repository: Path, path: Path) -> None:
        self.repository = repository
        self.path = path
        self.results = path / "results"

    def command(self, *arguments: str) -> list[str]:
        """Return what starts Snakemake."""
        return [
            sys.executable, "-m", "snakemake", *arguments, "--cores", "2", "--directory", str(self.path),
            "--snakefile", str(self.repository / "Snakefile"), "--configfile", str(self.path / "config.yaml"),
        ]  # fmt: skip

    def run(self, *arguments: str) -> Run:
        """Run Snakemake to its end."""
        done = subprocess.run(
            self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        return Run(done.returncode, done.stdout)

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
        return Folder(self.repository, path)

    def outputs(self) -> dict[str, Output]:
        """Return Snakemake's own records of what it made."""
        records = self.path / ".snakemake" / "metadata"
        found = {}
        for file in records.rglob("*"):
            if file.is_file():
                name = "".join(part.removeprefix("@") for part in file.relative_to(records).parts)
                record = json.loads(file.read_text("utf-8"))
                found[urlsafe_b64decode(name).decode()] = Output(frozenset(record["input"]), tuple(record["log"]))
        return found

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
        return sorted(names - {"results/run/run.json"} if "results/run/run.json" in mine else names)

    def half_written(self, reference: dict[str, bytes]) -> list[str]:
        """Return the files that are neither missing nor as they should be."""
        return sorted(name for name, content in self.files().items() if reference.get(name) != content)


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


def count_jobs(outputs: dict[str, Output], names: set[str]) -> int:
    """Return how many jobs make the files `names`."""
    return len({outputs[name].job for name in names})


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


def make_demo(repository: Path, path: Path) -> Folder:
    """Make a folder for the demo: its config and its data."""
    shutil.copytree(repository / "resources" / "demo", path / "resources" / "demo")
    shutil.copy(repository / "resources" / "demo" / "config.yaml", path)
    return Folder(repository, path)


def make_download(repository: Path, path: Path) -> Folder:
    """Make a folder whose texts are downloads: the demo's, pinned, from a mirror in the folder."""
    texts = repository / "resources" / "demo" / "texts"
    shutil.copytree(repository / "resources" / "demo" / "lexicons", path / "resources" / "demo" / "lexicons")
    mirror = path / "mirror"
    mirror.mkdir()
    names = [f"{lang}.txt" for lang in DOWNLOAD_LANGUAGES]
    for name in names:
        shutil.copy(texts / name, mirror)
    write_urls(mirror)
    tables = {
        "sources": (Source, [{"source": "texts", "name": "Texts", "version": "1", "base_url": BASE_URL}]),
        "source_files": (
            SourceFile, [{"source": "texts", "path": name, "sha256": digest(mirror / name)} for name in names],
        ),
        "corpora": (Corpus, [{
            "corpus": "fetched", "name": "Fetched sentences", "source": "texts", "path": "{code}.txt",
            "code_column": "lang", "languages": " ".join(DOWNLOAD_LANGUAGES), "unit": "sentence", "parallel_to": "eng",
        }]),
    }  # fmt: skip
    for name, (kind, rows) in tables.items():
        shipped = (repository / "resources" / "registry" / f"{name}.tsv").read_text("utf-8")
        (path / f"{name}.tsv").write_text(shipped + _lines([field.name for field in fields(kind)], rows), "utf-8")
    config = {
        "studies": ["lexicon"],
        "languages": list(DOWNLOAD_LANGUAGES),
        "mirror": "mirror",
        "tables": {name: f"{name}.tsv" for name in tables},
        "bootstrap": {"resamples": 100},
        "person_nouns": "demo",
        "lexicon": {"corpora": ["fetched"], "engines": ["icu"]},
    }
    (path / "config.yaml").write_text(json.dumps(config), "utf-8")
    return Folder(repository, path)


def write_urls(mirror: Path) -> None:
    """Write the mirror's table with the hashes of the files as they are."""
    rows = [
        {"url": f"{BASE_URL}/{file.name}", "path": file.name, "sha256": digest(file)}
        for file in sorted(mirror.glob("*.txt"))
    ]
    header = ["url", "path", "sha256"]
    (mirror / "urls.tsv").write_text("\t".join(header) + "\n" + _lines(header, rows), "utf-8")


def _lines(header: list[str], rows: list[dict[str, str]]) -> str:
    return "".join("\t".join(row.get(name, "") for name in header) + "\n" for row in rows)
