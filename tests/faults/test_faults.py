"""Rounds of faults: each ends in the bytes of an undisturbed run, by the jobs that must run alone (`make test-faults`).

A round starts from a copy of a finished folder with some outputs deleted. What it does follows from `--fault-seed` and
its number alone, down to the moment of a kill, as far as that is in our hands.
"""

import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fault_folder import Folder, output_of, small_disk
from fault_round import Reference, Round
from fault_server import FaultServer
from faults_of_files import (
    cut_file,
    damaged_cache,
    damaged_lock_file,
    flipped_bit,
    flipped_download,
    vanished_file,
)
from faults_of_runs import clock_back, full_disk, kill_run, kill_worker, signal_run, stale_lock, two_runs
from faults_of_servers import endless_download, hostile_model, hostile_server
from made_folders import CACHE, LOCK_FILE, MAKERS

pytestmark = pytest.mark.faults

# In which folder each happens. That of the demo has all kinds of files and jobs, and takes longest.
KINDS: dict[str, tuple[str, Callable[[Round], Folder]]] = {
    "kill_run": ("demo", kill_run),
    "kill_worker": ("demo", kill_worker),
    "signal_run": ("texts", signal_run),
    "two_runs": ("texts", two_runs),
    "stale_lock": ("texts", stale_lock),
    "full_disk": ("demo", full_disk),
    "clock_back": ("texts", clock_back),
    "cut_file": ("demo", cut_file),
    "flipped_bit": ("demo", flipped_bit),
    "flipped_download": ("texts", flipped_download),
    "vanished_file": ("texts", vanished_file),
    "damaged_lock_file": ("texts", damaged_lock_file),
    "damaged_cache": ("asked", damaged_cache),
    "hostile_server": ("served", hostile_server),
    "endless_download": ("served", endless_download),
    "hostile_model": ("asked", hostile_model),
}
ON_A_SMALL_DISK = ("full_disk", "endless_download")


def plan_rounds(rounds: int, seed: int) -> list[tuple[int, str, int]]:
    """Return the number, kind and turn of each round, `rounds` of each kind.

    The first turn follows from the seed, so that another seed tries other variants of a kind.
    """
    plan = [(kind, seed + turn) for turn in range(rounds) for kind in KINDS]
    random.Random(seed).shuffle(plan)
    return [(number, kind, turn) for number, (kind, turn) in enumerate(plan)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    plan = plan_rounds(metafunc.config.getoption("--fault-rounds"), metafunc.config.getoption("--fault-seed"))
    metafunc.parametrize(("number", "kind", "turn"), plan, ids=[f"{number + 1:02}-{kind}" for number, kind, _ in plan])


@pytest.fixture(scope="session", autouse=True)
def heed_interrupts() -> None:
    """Let runs see Ctrl-C: what a shell starts in the background ignores it, and so would all that is started here."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def server(repository: Path) -> Iterator[FaultServer]:
    with FaultServer(repository / "resources" / "demo" / "texts") as running:
        yield running


@pytest.fixture(scope="session")
def references(
    repository: Path, server: FaultServer, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Reference]:
    """Return the finished folder of a name, made when first asked for."""
    made: dict[str, Reference] = {}

    def get(name: str) -> Reference:
        if name not in made:
            folder = MAKERS[name](repository, tmp_path_factory.mktemp(name), server.url)
            run = folder.run()
            assert run.code == 0, run.said
            made[name] = Reference(folder, folder.files(), folder.outputs())
            # Some outputs are folders; every file is an output, or lies in one.
            assert {output_of(file, made[name].outputs) for file in made[name].files} == made[name].outputs.keys()
            # What counts the jobs sees each of them.
            assert run.jobs == sorted(made[name].jobs(set(made[name].outputs)))
        return made[name]

    return get


def test_a_round_ends_as_if_nothing_had_happened(number, kind, turn, references, server, tmp_path, request, capsys):
    seed = request.config.getoption("--fault-seed")
    reference_name, fault = KINDS[kind]
    outcome = request.config.fault_outcomes.setdefault(
        kind, {"rounds": 0, "failed": 0, "mismatches": 0, "jobs": 0, "skipped": ""}
    )
    outcome["failed"] += 1
    reference = references(reference_name)
    server.reset()
    path = tmp_path / "folder"
    this = Round(number, kind, turn, random.Random(f"{seed} {number}"), reference, path, server)
    start = time.monotonic()
    try:
        if kind in ON_A_SMALL_DISK:
            with small_disk(path) as reason:
                if reason:
                    outcome["failed"] -= 1
                    outcome["skipped"] = reason
                    pytest.skip(reason)
                play(this, fault, outcome)
        else:
            play(this, fault, outcome)
        outcome["failed"] -= 1
    except AssertionError as error:
        this.say(f"FAILED: {str(error)[:500]}")
        raise
    finally:
        with capsys.disabled():
            print(f"\nround {number + 1}, {kind}: {'; '.join(this.done)} [{time.monotonic() - start:.0f} s] ", end="")


def play(this: Round, fault: Callable[[Round], Folder], outcome: dict) -> None:
    """Let the fault happen, then do as a user would, and compare results, jobs, and requests that were paid."""
    outcome["rounds"] += 1
    folder = fault(this)
    reference = this.reference
    # Missing, begun but not finished, or made from such.
    must_run = reference.jobs(folder.to_make(reference.outputs)) if this.must_run is None else this.must_run
    assert must_run <= reference.jobs(this.lost), sorted(must_run - reference.jobs(this.lost))
    this.server.reset()
    run, unlocked = folder.recover()
    if unlocked:
        this.say("unlocked")
    assert run.code == 0, run.said
    differing = folder.differing(reference.files)
    outcome["mismatches"] += len(differing)
    this.say(f"{len(run.jobs)} of {len(reference.jobs(this.lost))} jobs ran again")
    this.say(f"finished; {len(differing)} of {len(reference.files)} files differ")
    assert differing == []
    # None twice, none too few, none too many.
    assert run.jobs == sorted(must_run), run.said
    outcome["jobs"] += len(run.jobs)
    if this.cost is not None:
        assert sum(this.server.paid.values()) in this.cost, (this.server.paid, this.cost)
        this.say(f"{sum(this.server.paid.values())} requests paid again")
    # What is no output: the lock file, byte for byte, and the cache, whose pages are filled in the order of answers.
    for name in (LOCK_FILE, CACHE):
        assert (folder.path / name).exists() == (reference.folder.path / name).exists()
    if (folder.path / LOCK_FILE).exists():
        assert (folder.path / LOCK_FILE).read_bytes() == (reference.folder.path / LOCK_FILE).read_bytes()
