"""What a job made is what the next one reads, or it is refused."""

import os
import re
import subprocess
import time

import pytest

from textparity.errors import InputError
from textparity_studies.workflow.runner import CLOCK_SECONDS, FOLDER, check_clock, check_made, record_made

MADE = ["results/rows.parquet", "results/table.csv", "results/counts.json", "results/folder"]
FILES = [*MADE[:3], "results/folder/a.txt", "results/folder/deep/b.ann"]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A working folder with files that are on record."""
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(f"made: {name}\n".encode() * 20)
    record_made(MADE)
    check_made(MADE)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("place", [0, 100, -1])
def test_a_flipped_bit_is_named_with_the_mend(made, name, place):
    content = bytearray((made / name).read_bytes())
    content[place] ^= 1
    times = (made / name).stat()
    (made / name).write_bytes(content)
    os.utime(made / name, ns=(times.st_atime_ns, times.st_mtime_ns))
    output = next(output for output in MADE if name.startswith(output))
    with pytest.raises(InputError, match=rf"^{name}: has sha256 [0-9a-f]{{64}}, not .*: delete {output} and run again"):
        check_made(MADE)


def test_a_file_that_is_gone_from_a_folder_is_named(made):
    # Whoever reads the folder would find fewer texts, and say nothing.
    (made / FILES[-1]).unlink()
    with pytest.raises(InputError, match=rf"{FILES[-1]}: .*it is gone, .*: delete results/folder and run again"):
        check_made(["results/folder"])


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"0  results/table.csv"])
def test_a_damaged_record_is_no_reason_to_trust_the_file(made, content):
    (made / FOLDER / "results/table.csv.sha256").write_bytes(content)
    with pytest.raises(InputError, match=r"delete results/table\.csv and run again"):
        check_made(["results/table.csv"])
    record_made(["results/table.csv"])
    check_made(["results/table.csv"])


def test_what_no_job_made_is_passed_over(made):
    (made / "texts.txt").write_text("mine")
    (made / "results/link").symlink_to(made / "texts.txt")
    record_made(["results/link", "results/of_no_job.csv"])
    (made / "texts.txt").write_text("changed")
    check_made([str(made / "texts.txt"), "texts.txt", "results/link"])


def test_the_records_are_those_of_sha256sum(made):
    lists = sorted(str(path) for path in FOLDER.rglob("*.sha256"))
    assert len(lists) == len(MADE)
    assert subprocess.run(["sha256sum", "--check", "--quiet", *lists]).returncode == 0
    (made / FILES[-1]).write_bytes(b"damaged")
    done = subprocess.run(["sha256sum", "--check", "--quiet", *lists], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == f"{FILES[-1]}: FAILED\n"


def test_a_clock_that_was_set_back_is_named_with_a_command_that_mends_it(made):
    check_clock()
    record = FOLDER / "results/table.csv.sha256"
    for later, refused in ((CLOCK_SECONDS / 2, False), (3600, True)):
        for path in (record, made / "results/table.csv"):
            os.utime(path, (time.time() + later,) * 2)
        if not refused:
            check_clock()
            continue
        with pytest.raises(InputError, match=r"^results/table\.csv: was made 3,600 seconds from now") as raised:
            check_clock()
    (command,) = re.findall(r"\((find .*)\), and then touch", str(raised.value))
    subprocess.run(command, shell=True, check=True)
    check_clock()
    check_made(MADE)
    assert (made / "results/table.csv").stat().st_mtime <= time.time()
