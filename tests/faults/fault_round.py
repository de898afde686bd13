"""One round: a copy of a finished folder, what happened to it, and what must run again because of it."""

import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from fault_folder import Folder, Job, Output, Run, choose_undone, count_jobs, downstream, jobs_of
from fault_server import FaultServer

TRACEBACK = "Traceback (most recent call last)"
# A moment that turns out to be too late is tried again, earlier.
ATTEMPTS = 6


@dataclass(frozen=True)
class Reference:
    """A finished folder, never touched again: its files, and what each was made from."""

    folder: Folder
    files: dict[str, bytes]
    outputs: dict[str, Output]

    def readers(self, name: str) -> list[str]:
        """Return the outputs that are made from a file."""
        return sorted(other for other, output in self.outputs.items() if name in output.inputs)

    def after(self, *names: str) -> set[str]:
        """Return `names`, what else their jobs make, and all that is made from it."""
        return downstream(self.outputs, set(names))

    def jobs(self, names: set[str]) -> set[Job]:
        """Return the jobs that make the files `names`."""
        return jobs_of(self.outputs, names)


@dataclass
class Round:
    """One round: `turn` counts the rounds of its kind, so that each variant has its turn.

    `lost` is all that the next run may make again. What it must make is read from the folder; where a kind knows
    better, `must_run` are the jobs. `cost` is how many requests to a language model the next run may send.
    """

    number: int
    kind: str
    turn: int
    rng: random.Random
    reference: Reference
    path: Path
    server: FaultServer
    done: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    must_run: set[Job] | None = None
    cost: range | None = None

    def start(self, undone: set[str] | None = None) -> Folder:
        """Copy the finished folder without the outputs `undone`, or without some at random."""
        if undone is None:
            undone = choose_undone(self.reference.outputs, self.rng)
        folder = self.reference.folder.copy(self.path)
        self.delete(folder, undone)
        self.lost = set(undone)
        self.say(f"{len(undone)} outputs of {count_jobs(self.reference.outputs, undone)} jobs deleted")
        return folder

    def delete(self, folder: Folder, names: set[str]) -> None:
        """Delete outputs, and nothing else."""
        for name in names:
            path = folder.path / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def lose(self, folder: Folder, name: str) -> None:
        """Delete a damaged output, as the message says: it and all that is made from it must be made again."""
        self.delete(folder, {name})
        self.lost |= self.reference.after(name)

    def say(self, what: str) -> None:
        """Note what was done or seen."""
        self.done.append(what)

    def refused(self, folder: Folder, *words: str, keeps: str = "") -> Run:
        """Run Snakemake, which must end with a message that has `words`, and leave nothing half-written but `keeps`."""
        run = folder.run()
        assert run.code != 0, run.said
        for word in words:
            assert word in run.said, f"{word!r} is not in what it said:\n{run.said}"
        assert TRACEBACK not in run.said, run.said
        half_written = folder.half_written(self.reference.files)
        assert half_written == ([keeps] if keeps else []), f"{half_written}\n{run.said}"
        return run


def damaged_message(file: str, found: str, whole: str, output: str) -> tuple[str, str]:
    """Return what is said of a file, of an output, that is not as its job left it."""
    return f"{file}: has sha256 {found}, not {whole} as when it was made", f"delete {output} and run again"


def exactly(number: int) -> range:
    """Return the range of one number."""
    return range(number, number + 1)
