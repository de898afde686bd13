"""Files that are made from others agree with them."""

import subprocess
import sys


def test_the_environments_are_those_of_pyproject(repository):
    check = [sys.executable, "scripts/maintain/write_envs.py", "--check"]
    done = subprocess.run(check, cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
