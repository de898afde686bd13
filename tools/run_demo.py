"""Run the given Snakemake command, with its output in a log; print a line per study, and the whole log if it fails.

python tools/run_demo.py LOG snakemake --cores 2 …
"""

import re
import subprocess
import sys
from pathlib import Path

from textparity_studies import STUDIES

# The output line of a job, as Snakemake prints it.
_OUTPUT = re.compile(r"^    output: results/(\w+)/")


def main(log: Path, command: list[str]) -> int:
    """Run Snakemake and return its exit code."""
    log.parent.mkdir(parents=True, exist_ok=True)
    begun: set[str] = set()
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
        )
        assert process.stdout
        for line in process.stdout:
            file.write(line)
            file.flush()
            study = (found := _OUTPUT.match(line)) and found[1]
            if study in STUDIES and study not in begun:
                begun.add(study)
                print(f"study {len(begun)} begun: {study}", flush=True)
    code = process.wait()
    if code:
        print(log.read_text("utf-8"), file=sys.stderr)
        print(f"The demo failed; all of its output is {log.resolve()}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
