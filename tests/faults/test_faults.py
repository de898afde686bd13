"""Rounds of kills, full disks and damaged files: each ends in the bytes of an undisturbed run (`make test-faults`).

A round starts from a copy of a finished folder with some outputs deleted. What it does follows from `--fault-seed` and
its number alone, down to the moment of a kill, as far as that is in our hands.
"""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fault_folder import (
    BASE_URL,
    ROOMY,
    Folder,
    Output,
    choose_undone,
    count_jobs,
    digest,
    disk_used,
    downstream,
    flip_bit,
    make_demo,
    make_download,
    output_of,
    resize_disk,
    rules_in_error,
    size_on_disk,
    small_disk,
    wait_for,
    write_urls,
)

pytestmark = pytest.mark.faults

TRACEBACK = "Traceback (most recent call last)"
# Roughly; a moment that turns out to be too late is tried again, earlier.
JOB_SECONDS = 1.5
# What Snakemake itself writes at its start.
SNAKEMAKE_BYTES = 16 << 10
ATTEMPTS = 6


@dataclass(frozen=True)
class Reference:
    """A finished folder, never touched again: its files, and what each was made from."""

    folder: Folder
    files: dict[str, bytes]
    outputs: dict[str, Output]


@dataclass
class Round:
    """One round: `turn` counts the rounds of its kind, so that each variant has its turn."""

    number: int
    kind: str
    turn: int
    rng: random.Random
    reference: Reference
    path: Path
    done: list[str] = field(default_factory=list)
    undone: set[str] = field(default_factory=set)

    def start(self, undone: set[str] | None = None) -> Folder:
        """Copy the finished folder without the outputs `undone`, or without some at random."""
        if undone is None:
            undone = choose_undone(self.reference.outputs, self.rng)
        folder = self.reference.folder.copy(self.path)
        delete(folder, undone)
        self.undone = undone
        self.say(f"{len(undone)} outputs of {count_jobs(self.reference.outputs, undone)} jobs deleted")
        return folder

    def say(self, what: str) -> None:
        """Note what was done or seen."""
        self.done.append(what)


def delete(folder: Folder, names: set[str]) -> None:
    for name in names:
        path = folder.path / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def made_again(folder: Folder, names: set[str]) -> int:
    return sum((folder.path / name).exists() for name in names)


def kill_run(this: Round) -> Folder:
    """Kill -9 of Snakemake and all its jobs at a random moment."""
    folder = this.start()
    longest = JOB_SECONDS * count_jobs(this.reference.outputs, this.undone)
    for _ in range(ATTEMPTS):
        moment = this.rng.uniform(0, longest)
        with folder.running() as process:
            # Before that it only reads its rules.
            assert wait_for(folder.locks, process), folder.said()
            if not wait_for(lambda: False, process, moment) and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                if process.wait() == -signal.SIGKILL:
                    this.say(f"killed {moment:.1f} s into its jobs with {made_again(folder, this.undone)} outputs made")
                    return folder
        # Too late: it had ended.
        delete(folder, this.undone)
        longest = moment
    pytest.fail("no run was killed before its end")


def kill_worker(this: Round) -> Folder:
    """Kill -9 of one job at a random moment of its life."""
    folder = this.start()
    last = count_jobs(this.reference.outputs, this.undone)
    for _ in range(ATTEMPTS):
        wanted = this.rng.randint(1, last)
        patience = this.rng.uniform(0, 1.5)
        with folder.running() as process:
            victim = watch_for_worker(folder, process, wanted, patience)
            code = process.wait()
        if victim and code != 0:
            said = folder.said()
            assert rules_in_error(said), said
            this.say(f"worker {wanted} killed after {patience:.1f} s ({', '.join(rules_in_error(said))})")
            assert folder.half_written(this.reference.files) in ([], hidden_parts(folder)), said
            return folder
        # It ended before its moment, or the kill came after its work.
        delete(folder, this.undone)
        last = max(1, wanted - 1)
    pytest.fail("no worker was killed before its end")


def watch_for_worker(folder: Folder, process: subprocess.Popen[str], wanted: int, patience: float) -> bool:
    """Kill the `wanted`-th worker that shows up, or a later one if it ends too early; return whether one was killed."""
    born: dict[int, float] = {}
    while process.poll() is None:
        alive = folder.workers()
        for pid in alive:
            born.setdefault(pid, time.monotonic())
        for pid in list(born)[wanted - 1 :]:
            if pid in alive and time.monotonic() - born[pid] >= patience:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                return True
        time.sleep(0.02)
    return False


def hidden_parts(folder: Folder) -> list[str]:
    """Return what a killed writer leaves beside its file; no reader looks at it, and the next run replaces it."""
    return sorted(str(file.relative_to(folder.path)) for file in folder.results.rglob(".*.part"))


def full_disk(this: Round) -> Folder:
    """A full disk at a random moment: a message, nothing half-written; larger again, it finishes."""
    folder = this.start()
    files = this.reference.files
    needed = sum(size_on_disk(files[name]) for name in files if output_of(name, this.undone))
    spare = SNAKEMAKE_BYTES + int(needed * this.rng.uniform(0, 0.9))
    for _ in range(ATTEMPTS):
        resize_disk(folder.path, disk_used(folder.path) + spare)
        run = folder.run()
        resize_disk(folder.path, ROOMY)
        if run.code != 0:
            break
        delete(folder, this.undone)
        spare //= 2
    assert run.code != 0
    assert "No space left on device" in run.said, run.said
    ours = run.said.count("free some space and run again")
    rules = ", ".join(rules_in_error(run.said)) or "Snakemake itself"
    this.say(f"{spare} bytes free for results of {needed}, full in {rules}, {ours} messages of ours")
    assert folder.half_written(this.reference.files) == [], run.said
    return folder


def truncated_parquet(this: Round) -> Folder:
    """A Parquet file cut short, silently (its times unchanged) or not: named by who reads it, with the mend."""
    outputs = this.reference.outputs
    choices = []
    for name in sorted(outputs):
        readers = sorted(other for other, output in outputs.items() if name in output.inputs)
        if name.endswith(".parquet") and readers and count_jobs(outputs, downstream(outputs, {name})) <= 10:
            choices.append((name, readers))
    name, readers = this.rng.choice(choices)
    folder = this.start(downstream(outputs, {this.rng.choice(readers)}))
    file = folder.path / name
    whole = file.stat()
    size = this.rng.choice([0, this.rng.randrange(whole.st_size), whole.st_size - 1])
    os.truncate(file, size)
    silently = this.turn % 2 == 0
    if silently:
        os.utime(file, ns=(whole.st_atime_ns, whole.st_mtime_ns))
    this.say(f"{name} cut from {whole.st_size} to {size} bytes{', its times unchanged' if silently else ''}")
    run = folder.run()
    assert run.code != 0, run.said
    assert f"{name}: has sha256 {digest(file)}, not" in run.said, run.said
    assert f"delete {name} and run again" in run.said
    assert TRACEBACK not in run.said, run.said
    this.say(f"named by {', '.join(rules_in_error(run.said))}")
    assert folder.half_written(this.reference.files) == [name]
    file.unlink()
    return folder


def flipped_byte(this: Round) -> Folder:
    """A flipped bit of a download, in one of three places: both hashes are named, and nothing is used."""
    lang = this.rng.choice(["eng", "spa"])
    fetched, texts = f"results/sources/texts/{lang}.txt", f"results/corpora/fetched/{lang}.parquet"
    where = ("in the mirror", "in the mirror and its table", "after the download")[this.turn % 3]
    after = where == "after the download"
    folder = this.start(downstream(this.reference.outputs, {texts if after else fetched}))
    mirror = folder.path / "mirror"
    damaged = folder.path / fetched if after else mirror / f"{lang}.txt"
    whole, right = damaged.read_bytes(), digest(damaged)
    place = flip_bit(damaged, this.rng)
    if where == "in the mirror and its table":
        write_urls(mirror)
    this.say(f"bit flipped at byte {place} of {lang}.txt {where}")
    run = folder.run()
    assert run.code != 0, run.said
    for word in (right, digest(damaged), fetched if after else f"{BASE_URL}/{lang}.txt", f"{lang}.txt"):
        assert word in run.said, run.said
    assert TRACEBACK not in run.said, run.said
    if after:
        assert folder.half_written(this.reference.files) == [fetched]
        damaged.unlink()
    else:
        assert folder.half_written(this.reference.files) == []
        assert list((folder.results / "sources").rglob("*.part")) == []
        damaged.write_bytes(whole)
        write_urls(mirror)
    this.say(f"named by {', '.join(rules_in_error(run.said))}")
    return folder


def vanished_file(this: Round) -> Folder:
    """A file of the mirror, or its table, is gone: named; put back, it finishes."""
    lang = this.rng.choice(["eng", "spa"])
    folder = this.start(downstream(this.reference.outputs, {f"results/sources/texts/{lang}.txt"}))
    name, said = (
        ("urls.tsv", "mirror: mirror has no urls.tsv"),
        (f"{lang}.txt", f"mirror/urls.tsv: {lang}.txt is listed for {BASE_URL}/{lang}.txt but is not there"),
    )[this.turn % 2]
    gone = folder.path / "mirror" / name
    away = gone.rename(folder.path / f"{name}.away")
    run = folder.run()
    assert run.code != 0, run.said
    assert said in run.said, run.said
    assert folder.half_written(this.reference.files) == []
    this.say(f"mirror/{name} gone and named")
    away.rename(gone)
    return folder


def stale_lock(this: Round) -> Folder:
    """The lock of a killed run: Snakemake says how to unlock."""
    folder = this.start()
    for _ in range(ATTEMPTS):
        with folder.running() as process:
            assert wait_for(folder.locks, process), folder.said()
            time.sleep(this.rng.uniform(0, 0.5))
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        if code == -signal.SIGKILL and folder.locks():
            break
        delete(folder, this.undone)
    run = folder.run()
    assert run.code != 0, run.said
    assert "Directory cannot be locked" in run.said and "--unlock" in run.said, run.said
    this.say(f"killed with {len(folder.locks())} locks, which the next run named with --unlock")
    return folder


KINDS: dict[str, tuple[str, Callable[[Round], Folder]]] = {
    "kill_run": ("demo", kill_run),
    "kill_worker": ("demo", kill_worker),
    "full_disk": ("demo", full_disk),
    "truncated_parquet": ("demo", truncated_parquet),
    "flipped_byte": ("download", flipped_byte),
    "vanished_file": ("download", vanished_file),
    "stale_lock": ("demo", stale_lock),
}
MAKERS = {"demo": make_demo, "download": make_download}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    rounds = metafunc.config.getoption("--fault-rounds")
    kinds = [list(KINDS)[number % len(KINDS)] for number in range(rounds)]
    random.Random(metafunc.config.getoption("--fault-seed")).shuffle(kinds)
    plan = [(number, kind, kinds[:number].count(kind)) for number, kind in enumerate(kinds)]
    metafunc.parametrize(("number", "kind", "turn"), plan, ids=[f"{number + 1:02}-{kind}" for number, kind, _ in plan])


@pytest.fixture(scope="session")
def references(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Reference]:
    """Return the finished folder of a name, made when first asked for."""
    made: dict[str, Reference] = {}

    def get(name: str) -> Reference:
        if name not in made:
            folder = MAKERS[name](repository, tmp_path_factory.mktemp(name))
            run = folder.run()
            assert run.code == 0, run.said
            made[name] = Reference(folder, folder.files(), folder.outputs())
            # Some outputs are folders; every file is an output, or lies in one.
            assert {output_of(file, made[name].outputs) for file in made[name].files} == made[name].outputs.keys()
        return made[name]

    return get


def test_a_round_ends_as_if_nothing_had_happened(number, kind, turn, references, tmp_path, request, capsys):
    seed = request.config.getoption("--fault-seed")
    reference_name, fault = KINDS[kind]
    outcome = request.config.fault_outcomes.setdefault(kind, {"rounds": 0, "failed": 0, "mismatches": 0, "skipped": ""})
    outcome["failed"] += 1
    reference = references(reference_name)
    path = tmp_path / "folder"
    this = Round(number, kind, turn, random.Random(f"{seed} {number}"), reference, path)
    start = time.monotonic()
    try:
        if kind == "full_disk":
            with small_disk(path) as reason:
                if reason:
                    outcome["failed"] -= 1
                    outcome["skipped"] = reason
                    pytest.skip(reason)
                play(this, fault, outcome)
        else:
            play(this, fault, outcome)
        outcome["failed"] -= 1
    finally:
        with capsys.disabled():
            print(f"\nround {number + 1}, {kind}: {'; '.join(this.done)} [{time.monotonic() - start:.0f} s] ", end="")


def play(this: Round, fault: Callable[[Round], Folder], outcome: dict) -> None:
    """Let the fault happen, then do as a user would, and compare."""
    outcome["rounds"] += 1
    folder = fault(this)
    run, unlocked = folder.recover()
    if unlocked:
        this.say("unlocked")
    assert run.code == 0, run.said
    differing = folder.differing(this.reference.files)
    outcome["mismatches"] += len(differing)
    this.say(f"finished; {len(differing)} of {len(this.reference.files)} files differ")
    assert differing == []
