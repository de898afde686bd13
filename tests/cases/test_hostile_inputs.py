"""What no reader was made for ends in a message, or is read; never in a traceback."""

import os
import subprocess
import sys

import pytest
from lexicons import WITH_NOUNS

from textparity.command import main


@pytest.mark.parametrize(
    "page", ["<![foo[ bar ]]><p>man", "<![if !IE]>", "<![CDATA[x", "<!DOCTYPE [<!ELEMENT", "<?php x"]
)
def test_a_marked_section_of_html_is_read_or_named(tmp_path, capsys, page):
    (tmp_path / "a.html").write_text(f"<p>A woman.</p>\n{page}")
    code = main(["audit", str(tmp_path / "a.html"), "--lang", "eng", *WITH_NOUNS])
    said = capsys.readouterr()
    assert "women" in said.out if code == 0 else (code == 2 and "HTML" in said.err)


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("audit - <&-", 2, "-: cannot be read"),
        ("audit a.txt >&-", 2, "standard output: "),
        ("audit a.txt --write a.csv --quiet <&- >&- 2>&-", 0, ""),
        ("compare a.txt a.txt >/dev/full", 2, "standard output: "),
        ("audit none.txt 2>/dev/full", 2, ""),
        ("audit a.txt --fail-if 'matches > 0' | true", 4, "failed: matches > 0"),
        ("compare a.txt a.txt", 0, ""),
        ("audit a.txt --write $'n\\xe9.csv'", 0, ""),
    ],
)
def test_a_stream_that_is_closed_full_or_ascii_ends_with_the_right_code(tmp_path, command, code, said):
    (tmp_path / "a.txt").write_text("The woman met a man.\n")
    command, pipe, reader = command.partition("|")
    call = f"{sys.executable} -m textparity {command} --lang eng {' '.join(WITH_NOUNS)} {pipe} {reader}"
    # Python must hold back what it prints, as it does by default.
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict", "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        ["bash", "-c", f"{call}; exit ${{PIPESTATUS[0]}}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (code, True, False), done.stderr


@pytest.mark.parametrize("name", ["a\x1b[31m\n\u202e", "b\udce9"])
def test_what_a_terminal_would_obey_in_a_name_is_in_no_output_of_a_comparison(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    files = [f"{name}.txt", "c.txt"]
    for file in files:
        (tmp_path / file).write_text("The woman met a man.\nHis wife left.\n")
    outputs = ["--write", "o.csv", "--write", "words=w.csv", "--write", "o.html"]
    assert main(["compare", *files, "--lang", "eng", *WITH_NOUNS, *outputs]) == 0
    printed = "".join(capsys.readouterr())
    for text in (printed, *((tmp_path / output).read_text("utf-8") for output in ("o.csv", "w.csv", "o.html"))):
        assert not set(text) & set("\x1b\u202e")
    assert ascii(name)[1:-1] in printed
