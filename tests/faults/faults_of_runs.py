"""Faults of runs: killed, told to end, two at once, a lock left behind, a full disk, a clock set back."""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress

import pytest
from fault_folder import (
    ROOMY,
    Folder,
    count_jobs,
    disk_used,
    output_of,
    resize_disk,
    rules_in_error,
    size_on_disk,
    wait_for,
)
from fault_round import ATTEMPTS, TRACEBACK, Round

# Roughly.
JOB_SECONDS = 1.5
# What Snakemake itself writes at its start.
SNAKEMAKE_BYTES = 16 << 10
# How long a run that was told to end may take: its jobs, which may be told as well, take a second or two.
LAST_SECONDS = 60


def made_again(folder: Folder, names: set[str]) -> int:
    """Return how many of the deleted outputs are there again."""
    return sum((folder.path / name).exists() for name in names)


def hidden_parts(folder: Folder) -> list[str]:
    """Return what a killed writer leaves beside its file; no reader looks at it, and the next run replaces it."""
    return sorted(str(file.relative_to(folder.path)) for file in folder.results.rglob(".*.part"))


def kill_run(this: Round) -> Folder:
    """Kill -9 of Snakemake and all its jobs at a random moment."""
    folder = this.start()
    longest = JOB_SECONDS * count_jobs(this.reference.outputs, this.lost)
    for _ in range(ATTEMPTS):
        moment = this.rng.uniform(0, longest)
        with folder.running() as process:
            # Before that it only reads its rules.
            assert wait_for(folder.locks, process), folder.said()
            if not wait_for(lambda: False, process, moment) and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                if process.wait() == -signal.SIGKILL:
                    this.say(f"killed {moment:.1f} s into its jobs with {made_again(folder, this.lost)} outputs made")
                    return folder
        # Too late: it had ended.
        this.delete(folder, this.lost)
        longest = moment
    pytest.fail("no run was killed before its end")


def signal_run(this: Round) -> Folder:
    """SIGINT or SIGTERM, to Snakemake alone or as Ctrl-C to its jobs, too: it ends by itself, and leaves no lock."""
    number = (signal.SIGINT, signal.SIGTERM)[this.turn % 2]
    to_all = this.turn // 2 % 2 == 0
    folder = this.start()
    longest = JOB_SECONDS * count_jobs(this.reference.outputs, this.lost)
    for _ in range(ATTEMPTS):
        moment = this.rng.uniform(0, longest)
        with folder.running() as process:
            assert wait_for(folder.locks, process), folder.said()
            if not wait_for(lambda: False, process, moment) and process.poll() is None:
                (os.killpg if to_all else os.kill)(process.pid, number)
                code = wait_for_end(process, folder, this)
                said = folder.said()
                assert folder.workers() == [], said
                if code != 0:
                    whom = "all" if to_all else "Snakemake"
                    made = made_again(folder, this.lost)
                    this.say(
                        f"{number.name} to {whom} {moment:.1f} s into its jobs, exit {code} with {made} outputs made"
                    )
                    # Before it listens to signals, the signal itself ends it; then the next run says how to unlock.
                    assert folder.locks() == [] or code in (-number, -signal.SIGABRT), said
                    assert folder.half_written(this.reference.files) in ([], hidden_parts(folder)), said
                    return folder
                # It may have been at its end; but then it has made all.
                assert made_again(folder, this.lost) == len(this.lost), said
        this.delete(folder, this.lost)
        longest = moment
    pytest.fail("no run was told to end before its end")


def wait_for_end(process: subprocess.Popen[str], folder: Folder, this: Round) -> int:
    """Return the exit code of a run that was told to end; one that Snakemake's own deadlock stops is killed, and said.

    Snakemake 9's handler of SIGTERM waits for a lock that its main thread may hold, and then waits for ever. SLURM
    kills such a run a little later. Any other wait is ours, and fails.
    """
    with suppress(subprocess.TimeoutExpired):
        return process.wait(LAST_SECONDS)
    process.send_signal(signal.SIGABRT)
    process.wait()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
        time.sleep(1)
    assert " in exit_gracefully" in folder.said(), folder.said()
    this.say("Snakemake waited for its own lock, and was killed")
    return -signal.SIGABRT


def kill_worker(this: Round) -> Folder:
    """Kill -9 of one job at a random moment of its life."""
    folder = this.start()
    last = count_jobs(this.reference.outputs, this.lost)
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
        this.delete(folder, this.lost)
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


def two_runs(this: Round) -> Folder:
    """A second run in the same folder: refused before it does anything, and the first one finishes."""
    folder = this.start(set(this.reference.outputs))
    before = folder.logs()
    with folder.running() as first:
        assert wait_for(folder.locks, first), folder.said()
        wait_for(lambda: False, first, this.rng.uniform(0, 2))
        # Held, so that it is still at work when the second has read its rules, however busy the machine is.
        os.killpg(first.pid, signal.SIGSTOP)
        begun = folder.logs()
        second = folder.run()
        os.killpg(first.pid, signal.SIGCONT)
        code = first.wait()
    assert code == 0, folder.said()
    assert second.code != 0, second.said
    assert "Directory cannot be locked" in second.said and "--unlock" in second.said, second.said
    assert TRACEBACK not in second.said, second.said
    assert second.jobs == [] and begun != before, second.jobs
    assert folder.jobs_since(before) == sorted(this.reference.jobs(this.lost)), folder.said()
    this.say(f"the second refused, the first ran its {len(this.reference.jobs(this.lost))} jobs")
    this.must_run = set()
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
        this.delete(folder, this.lost)
    run = folder.run()
    assert run.code != 0, run.said
    assert "Directory cannot be locked" in run.said and "--unlock" in run.said, run.said
    assert run.jobs == []
    this.say(f"killed with {len(folder.locks())} locks, which the next run named with --unlock")
    return folder


def full_disk(this: Round) -> Folder:
    """A full disk at a random moment: a message, nothing half-written; larger again, it finishes."""
    folder = this.start()
    files = this.reference.files
    needed = sum(size_on_disk(files[name]) for name in files if output_of(name, this.lost))
    spare = SNAKEMAKE_BYTES + int(needed * this.rng.uniform(0, 0.9))
    for _ in range(ATTEMPTS):
        resize_disk(folder.path, disk_used(folder.path) + spare)
        run = folder.run()
        resize_disk(folder.path, ROOMY)
        if run.code != 0:
            break
        this.delete(folder, this.lost)
        spare //= 2
    assert run.code != 0
    assert "No space left on device" in run.said, run.said
    ours = run.said.count("free some space and run again")
    rules = ", ".join(rules_in_error(run.said)) or "Snakemake itself"
    this.say(f"{spare} bytes free for results of {needed}, full in {rules}, {ours} messages of ours")
    assert folder.half_written(this.reference.files) == [], run.said
    return folder


def clock_back(this: Round) -> Folder:
    """A clock set back after some outputs were made: named; dated anew, what is missing or was edited is made alone."""
    outputs = this.reference.outputs
    lexicon = "resources/demo/lexicons/spa.json"
    edited = this.turn % 2 == 1
    counts = {name for name, output in outputs.items() if lexicon in output.inputs}
    folder = this.start(set() if edited else this.reference.after(this.rng.choice(sorted(outputs))))
    hours = this.rng.uniform(0.1, 48)
    made_last = this.reference.after(*counts) if edited else set(outputs)
    later = time.time() + 3600 * hours
    for name in made_last - this.lost:
        for path in (folder.path / name, folder.path / ".snakemake" / "sha256" / f"{name}.sha256"):
            os.utime(path, (later, later))
    if edited:
        text = (folder.path / lexicon).read_text("utf-8")
        (folder.path / lexicon).write_text(text.replace(",", ", ", 1), "utf-8")
    run = this.refused(folder, "seconds from now, by the clock; was it set back?")
    assert run.jobs == []
    command = re.search(r"\((find results .*)\), and then touch", run.said)
    assert command, run.said
    subprocess.run(command[1], shell=True, check=True, cwd=folder.path)
    this.must_run = this.reference.jobs(this.lost)
    if edited:
        # Whoever does it by hand takes longer; the kernel dates files by a clock that is some milliseconds behind.
        time.sleep(0.1)
        (folder.path / lexicon).touch()
        this.lost |= this.reference.after(*counts)
        this.must_run = this.reference.jobs(this.lost)
        run = folder.run()
        assert run.code == 0 and run.jobs == sorted(this.must_run), run.said
        # What was made of it says so; for the bytes of the undisturbed run, the edit is taken back.
        (folder.path / lexicon).write_text(text, "utf-8")
    this.say(f"{len(made_last)} outputs made {hours:.1f} hours from now{', a lexicon edited since' if edited else ''}")
    return folder
