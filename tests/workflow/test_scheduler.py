"""What the workflow works around in Snakemake's scheduler (rules/common.smk), and whether it still has to."""

import ast
import inspect
import subprocess
import sys
import textwrap

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

pytestmark = pytest.mark.workflow

GONE = "rules/common.smk may not need its lines about MaxJobsPerTimespan any more: see if it can do without"
RULE = 'rule all:\n    output: "made.txt"\n    shell: "touch {output}"\n'


@pytest.fixture
def lines(repository):
    """The lines of the rules that are about the limit of started jobs."""
    rules = (repository / "rules" / "common.smk").read_text("utf-8").splitlines()
    found = [line for line in rules if "MaxJobsPerTimespan" in line]
    assert len(found) == 3
    return "\n".join(found)


def limits_said(folder, lines, *arguments):
    """Return what Snakemake says of a limit when it runs one job."""
    (folder / "Snakefile").write_text(f"{lines}\n{RULE}")
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--forceall", "--verbose", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("Submitting maximum")]


def test_nobody_waits_for_a_limit_that_was_not_asked_for(tmp_path, lines):
    assert limits_said(tmp_path, lines) == []
    asked = "Submitting maximum 7 job(s) over 2.0 second(s)."
    assert limits_said(tmp_path, lines, "--max-jobs-per-timespan", "7/2s") == [asked]
    assert limits_said(tmp_path, "") == ["Submitting maximum 100 job(s) over 1.0 second(s)."], GONE


def test_under_a_limit_each_pass_of_the_scheduler_still_starts_a_timer():
    """Whether or not one is waiting already, and jobs were held back; by the code, as time depends on the machine."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(JobScheduler.schedule)))
    timer = "self._schedule_reevalutation(self.job_rate_limiter.timespan)"
    conditions = [
        ast.unparse(node.test)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and any(ast.unparse(inside) == timer for inside in ast.walk(node))
    ]
    assert conditions == ["not self.dryrun", "self.job_rate_limiter is not None"], GONE
    assert "release" in inspect.getsource(JobScheduler._schedule_reevalutation), GONE
