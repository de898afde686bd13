"""What `make demo` prints while it runs: a line a study, and of a failure all of the log."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("code", [0, 3])
def test_a_line_a_study_and_a_failure_in_full(repository, tmp_path, code):
    said = "    output: results/lexicon/a.csv\\n    output: results/lexicon/b.csv\\nwhat happened"
    log = tmp_path / "logs" / "demo.log"
    command = [sys.executable, "-c", f"import sys; print('{said}'); sys.exit({code})"]
    run = [sys.executable, "tools/run_demo.py", str(log), *command]
    done = subprocess.run(run, cwd=repository, capture_output=True, text=True)
    assert done.returncode == code
    assert done.stdout.splitlines() == ["study 1 begun: lexicon"]
    assert (("what happened" in done.stderr) and (str(log) in done.stderr)) == bool(code)
