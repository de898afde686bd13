"""What a command leaves that is told to end, killed, or loses one of its processes: no process and no file."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lexicons import WITH_NOUNS


@pytest.fixture
def start(tmp_path):
    """Start an audit with two processes of its own; return it and their numbers once they are there."""
    text = tmp_path / "long.txt"
    text.write_text("The woman saw her mother, and the man met the queen.\n" * 200_000)
    (tmp_path / "tmp").mkdir()
    begun = []

    def start():
        command = ["audit", str(text), "--lang", "eng", "--jobs", "3", "--write", str(tmp_path / "r.parquet")]
        audit = subprocess.Popen(
            [sys.executable, "-m", "textparity", *command, *WITH_NOUNS],
            env={**os.environ, "TMPDIR": str(tmp_path / "tmp")}, start_new_session=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, preexec_fn=heed_signals,
        )  # fmt: skip
        begun.append(audit)
        while len(workers := workers_of(audit.pid)) < 2:
            assert audit.poll() is None, "the audit ended before its processes were there"
            time.sleep(0.05)
        return audit, workers

    yield start
    for audit in begun:
        audit.kill()
        audit.wait()


def heed_signals():
    """Undo what nohup and a shell's background jobs do: they make their programs ignore these."""
    for sign in (signal.SIGHUP, signal.SIGINT):
        signal.signal(sign, signal.SIG_DFL)


def workers_of(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [one for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for_end(workers):
    deadline = time.monotonic() + 60
    while any(map(is_running, workers)):
        assert time.monotonic() < deadline, "processes go on"
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(("sign", "code"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130), ("SIGKILL", -9)])
def test_processes_end_with_the_command_and_nothing_stays(start, tmp_path, sign, code):
    audit, workers = start()
    # Ctrl+C goes to all processes of a terminal.
    (os.killpg if sign == "SIGINT" else os.kill)(audit.pid, getattr(signal, sign))
    said = audit.communicate()[1]
    assert audit.returncode == code
    # A process that was just being started says that what started it is gone.
    assert "Traceback" not in said or sign == "SIGKILL"
    wait_for_end(workers)
    assert list((tmp_path / "tmp").iterdir()) == []
    # The part of what was killed is removed by the next one that writes the file.
    assert len(list(tmp_path.glob(".*"))) == (sign == "SIGKILL")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_process_is_named_with_its_file(start, tmp_path):
    audit, workers = start()
    os.kill(int(workers[0]), signal.SIGKILL)
    said = audit.communicate()[1]
    assert audit.returncode == 2
    assert said == (
        "textparity: long.txt: a process that counted it was killed by signal 9: out of memory? use fewer --jobs\n"
    )
    wait_for_end(workers)
    assert list(tmp_path.glob(".*")) == []
