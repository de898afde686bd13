"""The demo, a crawl and an audit through a real SLURM of two nodes, beside local runs (`make test-cluster`)."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from lexicons import NOUNS

pytestmark = pytest.mark.cluster

# Generous: whoever shares the machine may slow it down several times.
LIMIT_SECONDS = 1800
KILLED = "lexicon_tables"
# The six texts that were written for the demo and its annotated sentences, five to a job.
GROUPS = {"texts": 2, "persons": 1, "lexicon_tables": 1, "answers": 1, "representation_tables": 1}
# The newsroom's many small figures would take minutes more, and try nothing else.
STUDIES = ("studies=[lexicon,representation]", "lexicon={corpora: [demo]}", "representation={corpora: [demo]}")
NODES = {"n1", "n2"}
LOST = "n2"
PARTS = 8
# Of WET files, five to a job; the rest of the crawl is one job of the list, and one of all languages.
WET_FILES = 6


@dataclass(frozen=True)
class SlurmJob:
    """What SLURM knows of a job; `what` is the plugin's comment, which names the group and its rules."""

    id: int
    state: str
    memory: str
    cpus: str
    limit: str
    node: str
    what: str


def list_jobs() -> list[SlurmJob]:
    """Return all jobs since SLURM was started, in the order of submission."""
    query = ["squeue", "--states=all", "--noheader", "--format=%A|%T|%m|%C|%l|%N|%k"]
    lines = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split("|", 6) for line in lines]
    return sorted((SlurmJob(int(row[0]), *row[1:]) for row in rows), key=lambda job: job.id)


def of_group(jobs: list[SlurmJob], group: str) -> list[SlurmJob]:
    return [job for job in jobs if job.what.startswith(f"rule_{group}_")]


def wait_for(what: str, look: Callable[[], object], while_running: subprocess.Popen) -> object:
    """Return what `look` finds, as soon as it finds something; fail if Snakemake ends or the limit passes first."""
    limit = time.monotonic() + LIMIT_SECONDS
    while not (found := look()):
        assert while_running.poll() is None, f"{what}: not seen before Snakemake ended"
        assert time.monotonic() < limit, f"{what}: not within {LIMIT_SECONDS} s"
        time.sleep(0.3)
    return found


def processes(job: SlurmJob) -> list[int]:
    """Return the processes of a running job; none before it has any."""
    said = subprocess.run(["scontrol", "listpids", str(job.id), job.node], capture_output=True, text=True).stdout
    numbers = [line.split()[0] for line in said.splitlines()[1:] if line.split()]
    return [int(number) for number in numbers if number.isdigit() and int(number) > 1]


def kill_a_job(snakemake: subprocess.Popen) -> int:
    """Kill all processes of the first job of the group, as a node that is out of memory does; return its id."""

    def running() -> list[SlurmJob]:
        return [job for job in of_group(list_jobs(), KILLED) if job.state == "RUNNING"]

    job = wait_for(f"a running job of {KILLED}", running, snakemake)[0]
    for process in wait_for(f"processes of job {job.id}", lambda: processes(job), snakemake):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return job.id


def start(repository: Path, folder: Path, config: tuple[str, ...], *arguments: str) -> subprocess.Popen:
    """Start the demo, with another configuration, in `folder`; what it says goes to a file there."""
    command = [
        sys.executable, "-m", "snakemake", *arguments, "--snakefile", repository / "Snakefile", "--directory", folder,
        "--configfile", repository / "resources" / "demo" / "config.yaml", "--config", *config,
    ]  # fmt: skip
    with (folder / "said.txt").open("w", encoding="utf-8") as said:
        # In a session of its own, so that only `end` interrupts it.
        return subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, start_new_session=True)


def end(snakemake: subprocess.Popen) -> None:
    """End a run that has not ended; Snakemake cancels its SLURM jobs."""
    if snakemake.poll() is None:
        snakemake.send_signal(signal.SIGINT)
        try:
            snakemake.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(snakemake.pid, signal.SIGKILL)
            snakemake.wait()


def interrupt_once(number: int, _: object) -> None:
    """Stop the tests at the first signal; what ends everything is not to be interrupted by a second one."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def finish(snakemake: subprocess.Popen, folder: Path) -> None:
    """Wait for the end of a run, which must be a good one."""
    code = snakemake.wait(LIMIT_SECONDS)
    assert code == 0, (folder / "said.txt").read_text("utf-8")[-10_000:]


@pytest.fixture(scope="module")
def slurm(repository: Path) -> Iterator[None]:
    """SLURM, as long as the tests of this module run."""
    script = repository / "tools" / "slurm_node.sh"
    started = False
    # Whoever ends the tests ends SLURM, too.
    before = signal.signal(signal.SIGTERM, interrupt_once)
    try:
        done = subprocess.run([script, "start"], capture_output=True, text=True)
        started = "already" not in done.stderr
        assert done.returncode == 0, done.stderr
        yield
    finally:
        if started:
            subprocess.run([script, "stop"], check=True)
        signal.signal(signal.SIGTERM, before)


@contextmanager
def both_runs(
    repository: Path, folder: Path, config: tuple[str, ...], disturb: Callable[[subprocess.Popen], object]
) -> Iterator[SimpleNamespace]:
    """Yield both runs, made at the same time and to their ends; the one through SLURM was disturbed on the way."""
    for name in ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR", "NLTK_DATA"):
        os.environ.pop(name, None)
    here, there = folder / "local", folder / "slurm"
    here.mkdir()
    there.mkdir()
    profile = ["--profile", str(repository / "profiles" / "slurm")]
    # Only how soon finished jobs are noticed differs from what the README says.
    quick = ["--slurm-init-seconds-before-status-checks", "2", "--seconds-between-status-checks", "1"]
    before = {job.id for job in list_jobs()}
    begin = time.monotonic()
    through_slurm = start(repository, there, config, *profile, *quick)
    local = start(repository, here, config, "--cores", "2")
    try:
        disturbed = disturb(through_slurm)
        finish(local, here)
        finish(through_slurm, there)
        jobs = [job for job in list_jobs() if job.id not in before]
        print(f"\nThrough SLURM, {time.monotonic() - begin:.0f} s; disturbed: {disturbed}")
        for job in jobs:
            print(f"{job.id:4} {job.state:10} {job.memory:>6} {job.cpus:>2} CPUs {job.limit:>8} {job.node} {job.what}")
        yield SimpleNamespace(local=here / "results", slurm=there / "results", jobs=jobs, disturbed=disturbed)
    finally:
        for process in (local, through_slurm):
            end(process)


@pytest.fixture(scope="module")
def runs(slurm: None, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """Two studies of the demo; one job was killed."""
    with both_runs(repository, tmp_path_factory.mktemp("demo"), STUDIES, kill_a_job) as made:
        yield made


def compare(runs: SimpleNamespace) -> set[Path]:
    """Return the files of both runs, which are the same in every byte."""
    made = {path.relative_to(runs.local) for path in runs.local.rglob("*") if path.is_file()}
    assert made == {path.relative_to(runs.slurm) for path in runs.slurm.rglob("*") if path.is_file()}
    differing = {path for path in made if (runs.local / path).read_bytes() != (runs.slurm / path).read_bytes()}
    # Host and time stand here alone.
    assert differing <= {Path("run/run.json")}
    return made


def test_every_file_is_that_of_a_local_run(runs):
    made = compare(runs)
    tables = {path for path in made if "tables" in path.parts or path.name.startswith("ledger")}
    assert len(tables) > 20
    print(f"{len(made)} files, {len(tables)} of them tables and ledgers: the same bytes in both runs")


def test_the_killed_job_was_retried_with_twice_the_memory(runs):
    first, second = of_group(runs.jobs, KILLED)
    assert (first.id, first.state, first.memory) == (runs.disturbed, "FAILED", "2000M")
    assert (second.state, second.memory) == ("COMPLETED", "4000M")


def test_tens_of_jobs_become_six_slurm_jobs(runs):
    others = [job for job in runs.jobs if job.id != runs.disturbed]
    assert {job.state for job in others} == {"COMPLETED"}
    assert len(others) == sum(GROUPS.values())
    assert {group: len(of_group(others, group)) for group in GROUPS} == GROUPS


def write_crawl(repository: Path, folder: Path) -> tuple[str, ...]:
    """Write WET files and texts of the demo's sentences; return the configuration that crawls and audits them."""
    lines, texts = folder / "lines", folder / "texts"
    lines.mkdir()
    texts.mkdir()
    for lang in ("deu", "eng", "rus", "spa"):
        shutil.copy(repository / "resources" / "demo" / "texts" / f"{lang}.txt", lines / f"newstest2019-{lang}.txt")
    make = [sys.executable, repository / "benchmarks" / "make_wet.py", "--ntrex", lines, "--out", folder / "wet"]
    subprocess.run([*make, "--documents", "3000", "--files", str(WET_FILES)], check=True)
    english = (lines / "newstest2019-eng.txt").read_text("utf-8").splitlines()
    for part in range(PARTS):
        (texts / f"{part}.txt").write_text("\n".join(english[part:] * 50) + "\n", "utf-8")
    corpora = (repository / "resources" / "registry" / "corpora.tsv").read_text("utf-8")
    names = corpora.partition("\n")[0].split("\t")
    row = {
        "corpus": "tiny_crawl", "name": "Tiny crawl", "source": "local", "path": str(folder / "wet" / "wet.paths.gz"),
        "code_column": "lang", "languages": "deu eng rus spa", "unit": "document", "wet_files": str(WET_FILES),
    }  # fmt: skip
    (folder / "corpora.tsv").write_text(corpora + "\t".join(row.get(name, "") for name in names) + "\n", "utf-8")
    audit = f"audit={{files: [{texts}], lang: eng, parts: {PARTS}, counting: {{lexicon_folder: {NOUNS}}}}}"
    crawl = "lexicon={corpora: [tiny_crawl]}"
    return "studies=[lexicon]", "languages=[deu,eng,rus,spa]", f"tables={{corpora: {folder}/corpora.tsv}}", crawl, audit


def lose_a_node(repository: Path) -> Callable[[subprocess.Popen], list[int]]:
    """Return what kills a node where jobs have ended and others run, and returns these."""

    def lose(snakemake: subprocess.Popen) -> list[int]:
        def running() -> list[SlurmJob]:
            here = [job for job in list_jobs() if job.node == LOST]
            return [job for job in of_group(here, "audit_parts") if job.state == "RUNNING"]

        found = wait_for(f"a part that is counted on {LOST}", running, snakemake)
        subprocess.run([repository / "tools" / "slurm_node.sh", "lose", LOST], check=True)
        return [job.id for job in found]

    return lose


@pytest.fixture(scope="module")
def two_nodes(slurm: None, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A crawl and an audit; a node was lost with its jobs."""
    folder = tmp_path_factory.mktemp("crawl")
    config = write_crawl(repository, folder)
    with both_runs(repository, folder, (*config, "--", "lexicon", "audit"), lose_a_node(repository)) as made:
        yield made


def test_after_the_loss_of_a_node_every_file_is_that_of_a_local_run(two_nodes):
    made = compare(two_nodes)
    parts = {path for path in made if path.match("audit/parts/*.parquet")}
    assert len(parts) == PARTS
    crawled = {path for path in made if path.match("corpora/tiny_crawl/*.parquet")}
    assert len(crawled) == 4
    assert {Path("audit/audit.csv"), Path("lexicon/tables/corrected/distribution_tiny_crawl.csv")} <= made


def test_jobs_of_a_lost_node_were_done_by_the_other_one(two_nodes):
    assert {job.state for job in two_nodes.jobs} == {"COMPLETED"}
    lost = [job for job in two_nodes.jobs if job.id in two_nodes.disturbed]
    assert lost and {job.node for job in lost} == NODES - {LOST}
    states = subprocess.run(["sinfo", "--noheader", "-N", "--format=%N %T"], capture_output=True, text=True).stdout
    assert f"{LOST} down*" in states


def test_both_nodes_took_jobs(runs):
    assert {job.node for job in runs.jobs} == NODES


def test_light_steps_stay_on_the_submit_host(runs):
    names = " ".join(job.what for job in runs.jobs)
    assert all(rule not in names for rule in ("sum_up_ledgers", "render_report", "fetch_file", "prepare_model"))
