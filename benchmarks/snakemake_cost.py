"""What Snakemake and the start of a job cost, beside the work: ratios and seconds, in one run.

  python benchmarks/snakemake_cost.py [--jobs 800] [--only toy demo imports dag]

`toy`: jobs of a tenth of a second on two cores, with Snakemake as it is, with the greedy scheduler of
profiles/default, and with the lines of rules/common.smk about the limit of started jobs in addition. CPU is that of
Snakemake and all it starts. `demo`: its first run, and a second that finds nothing to do. `imports`: processor time
until a job's step can be called, for each module with a step. `dag`: a dry run of the default `lexicon` study
(TEXTPARITY_MIRROR helps).
Absolute times depend on the machine and its neighbours; read the ratios.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# As the line before each script of a job, and scripts/step.py itself.
START = (
    "import snakemake.iocontainers; from snakemake.logging import logger; import textparity_studies.workflow.runner; "
)
TOY = """
rule all:
    input: [f"{number}.txt" for number in range(JOBS)]

rule wait:
    output: "{number}.txt"
    shell: "sleep 0.1; touch {output}"
"""


def timed(*command: str, folder: Path) -> tuple[float, float, str]:
    """Return seconds on the clock, seconds of processor time and what a command said."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stdout)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def snakemake(*arguments: str, folder: Path) -> tuple[float, float, str]:
    """Run Snakemake on two cores in `folder`."""
    return timed(sys.executable, "-m", "snakemake", "--cores", "2", *arguments, folder=folder)


def limit_lines() -> str:
    """Return the lines of rules/common.smk that are about the limit of started jobs."""
    lines = (ROOT / "rules" / "common.smk").read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if "MaxJobsPerTimespan" in line)


def measure_toy(jobs: int) -> None:
    """Print what the scheduler costs, three ways."""
    settings = (("as it is", [], ""), ("greedy", ["--scheduler", "greedy"], ""))
    settings += (("greedy, without limit", ["--scheduler", "greedy"], limit_lines()),)
    print(f"\n{jobs} jobs of 0.1 s on two cores (floor {jobs / 20:.0f} s)")
    first: tuple[float, float] | None = None
    for name, arguments, lines in settings:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "Snakefile").write_text(f"JOBS = {jobs}\n{lines}\n{TOY}", "utf-8")
            wall, cpu, _ = snakemake("--quiet", "all", *arguments, folder=Path(folder))
        first = first or (wall, cpu)
        ratios = f"ratios {first[0] / wall:.2f} {first[1] / cpu:.2f}"
        print(f"  {name:22} {wall:6.1f} s  CPU {cpu:6.1f} s  {ratios}", flush=True)


def measure_demo() -> None:
    """Print the time of the demo and of a second run."""
    os.environ.pop("TEXTPARITY_MIRROR", None)
    with tempfile.TemporaryDirectory() as folder:
        demo = ["--directory", folder, "--configfile", "resources/demo/config.yaml"]
        wall, cpu, said = snakemake(*demo, folder=ROOT)
        jobs = re.findall(r"^total +(\d+)$", said, re.M)[0]
        print(f"\ndemo: {jobs} jobs, {wall:.1f} s, CPU {cpu:.1f} s ({cpu / int(jobs):.2f} s a job)")
        wall, cpu, _ = snakemake(*demo, folder=ROOT)
        print(f"second run, nothing to do: {wall:.1f} s, CPU {cpu:.1f} s", flush=True)


def measure_imports() -> None:
    """Print the processor time of imports of each module with a step, the least of three."""
    rules = "".join(path.read_text("utf-8") for path in sorted((ROOT / "rules").rglob("*.smk")))
    # As Snakemake sets it for a job of one thread; and without bytecode, the compiler would be measured.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print("\nimports of a job, CPU seconds")
    for module in ["", *sorted(set(re.findall(r'step\(\s*"([\w.]+):', rules)))]:
        code = START + (f"import {module}" if module else "")
        try:
            found = min(timed(sys.executable, "-c", code, folder=ROOT)[1] for _ in range(3))
        except SystemExit:
            print(f"        {module}: needs an extra that is not installed")
            continue
        print(f"  {found:.2f}  {module or '(before any step)'}", flush=True)


def measure_dag() -> None:
    """Print the time of a dry run of the default `lexicon` study."""
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu, said = snakemake("lexicon", "--dry-run", "--quiet", "rules", "--directory", folder, folder=ROOT)
    jobs = re.findall(r"^total +(\d+)$", said, re.M)[0]
    print(f"\ndry run of lexicon: {jobs} jobs, {wall:.1f} s, CPU {cpu:.1f} s", flush=True)


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=800)
    parts = {"dag": measure_dag, "imports": measure_imports, "demo": measure_demo}
    parser.add_argument("--only", nargs="+", choices=["toy", *parts], default=["toy", *parts])
    options = parser.parse_args()
    for part, measure in ({"toy": lambda: measure_toy(options.jobs)} | parts).items():
        if part in options.only:
            measure()


if __name__ == "__main__":
    main()
