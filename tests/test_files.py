"""Writing files: whole or not at all, and only files are replaced."""

import errno
import os
import re
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textparity import files
from textparity.files import atomic_folder, atomic_path, check_target, writable, write_rows, write_text, write_texts

OLD, NEW = "old\n", "new\n"


def described(path):
    found = path.lstat()
    return found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "deep" / "table.csv"
    for content in (None, OLD):
        with pytest.raises(ZeroDivisionError), atomic_path(path) as part:
            part.write_text(NEW)
            raise ZeroDivisionError
        assert [file.name for file in path.parent.iterdir()] == ([path.name] if content else [])
        write_text(path, OLD)
    assert path.read_text() == OLD


@pytest.mark.parametrize("failing", range(3))
@pytest.mark.parametrize("error", [OSError(errno.EIO, "broken"), KeyboardInterrupt()])
def test_files_of_a_set_are_all_replaced_or_none(tmp_path, monkeypatch, failing, error):
    paths = [tmp_path / name for name in ("new.csv", "old.csv", "old.html")]
    for path in paths[1:]:
        path.write_text(OLD)
    replace, outcomes = os.replace, [None, None, None, None, None, None]
    outcomes[failing] = error

    def fail_once(part, target):
        if outcome := outcomes.pop(0):
            raise outcome
        replace(part, target)

    monkeypatch.setattr("os.replace", fail_once)
    with pytest.raises(type(error)):
        write_texts(dict.fromkeys(paths, NEW))
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["old.csv", "old.html"]
    assert [path.read_text() for path in paths[1:]] == [OLD, OLD]
    monkeypatch.undo()
    write_texts(dict.fromkeys(paths, NEW))
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == [NEW] * 3


def test_files_of_a_set_that_are_written_to_get_their_content_back(tmp_path, monkeypatch):
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in paths:
        path.write_text(OLD)

    def copy_half(part, path):
        if part.read_text() == OLD:
            path.write_text(OLD)
            return
        path.write_text(part.read_text()[:1])
        if path.name == "b.csv":
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("textparity.files._take_owner_and_mode", lambda part, target: False)
    monkeypatch.setattr("textparity.files._copy_into", copy_half)
    with pytest.raises(OSError, match="No space left"):
        write_texts(dict.fromkeys(paths, NEW))
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == [OLD, OLD]


def test_another_process_removes_nothing_that_a_set_needs_to_be_put_back(tmp_path, monkeypatch):
    paths = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    write_texts(dict.fromkeys(paths, OLD))
    replace = os.replace

    def fail(part, target):
        if target.name == "c.csv":
            for path in paths:
                files._remove_leftovers(path)
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(part, target)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_texts(dict.fromkeys(paths, NEW))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {path.name: OLD for path in paths}


def test_a_file_with_two_names_keeps_them_after_an_error(tmp_path, monkeypatch):
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    write_texts(dict.fromkeys(paths, OLD))
    other = tmp_path / "other"
    os.link(paths[0], other)
    copy = files._copy_into

    def fail(part, path):
        if path.name == "b.csv" and part.read_text() == NEW:
            raise OSError(errno.ENOSPC, "No space left on device")
        copy(part, path)

    monkeypatch.setattr("textparity.files._take_owner_and_mode", lambda part, target: False)
    monkeypatch.setattr("textparity.files._copy_into", fail)
    with pytest.raises(OSError, match="No space left"):
        write_texts(dict.fromkeys(paths, NEW))
    assert other.samefile(paths[0]) and other.read_text() == OLD


def test_nothing_of_a_set_is_written_if_one_file_does_not_fit(tmp_path, monkeypatch):
    paths = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    write_text(paths[0], OLD)
    write_part = Path.write_text

    def fail(part, text, **options):
        if ".b.csv." in part.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        write_part(part, text, **options)

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(OSError, match=r"No space left on device: '.*/b\.csv'"):
        write_texts(dict.fromkeys(paths, NEW))
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
    assert paths[0].read_text() == OLD


def test_owner_and_mode_of_a_file_are_kept(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(OLD)
    if os.geteuid() == 0:
        os.chown(path, 12345, 54321)
    path.chmod(0o640)
    before = described(path)
    with atomic_path(path) as part:
        part.write_text(NEW)
        assert stat.S_IMODE(part.stat().st_mode) == 0o600, "others could read what they may not"
    assert (path.read_text(), described(path)) == (NEW, before)


def test_where_the_owner_cannot_be_kept_the_file_is_written_to(tmp_path, monkeypatch):
    path, other_name = tmp_path / "table.csv", tmp_path / "same.csv"
    path.write_text(OLD * 9)
    os.link(path, other_name)
    monkeypatch.setattr("textparity.files._take_owner_and_mode", lambda part, target: False)
    write_text(path, NEW)
    assert path.samefile(other_name) and path.read_text() == NEW
    assert len(list(tmp_path.iterdir())) == 2


def test_what_a_link_leads_to_is_replaced(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    for target in ("elsewhere/there.csv", "elsewhere/new.csv"):
        link = tmp_path / f"link to {target.replace('/', ' ')}"
        link.symlink_to(target)
        (tmp_path / "elsewhere" / "there.csv").write_text(OLD)
        write_rows(link, ["a"], [["1"]])
        assert link.is_symlink() and (tmp_path / target).read_text() == "a\n1\n"
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == ["new.csv", "there.csv"]


def test_what_a_link_to_a_folder_leads_to_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old").touch()
    (tmp_path / "link").symlink_to("there")
    with atomic_folder(tmp_path / "link") as part:
        (part / "new").touch()
    assert (tmp_path / "link").is_symlink()
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["new"]
    assert len(list(tmp_path.iterdir())) == 2
    (tmp_path / "file").write_text(OLD)
    with pytest.raises(NotADirectoryError), atomic_folder(tmp_path / "file"):
        pass
    assert (tmp_path / "file").read_text() == OLD


def test_what_stands_at_the_name_of_the_part_is_not_written_to(tmp_path, monkeypatch):
    monkeypatch.setattr("textparity.files.token_hex", lambda _: "foretold")
    (tmp_path / "precious").write_text(OLD)
    (tmp_path / ".table.csv.foretold.part").symlink_to("precious")
    with pytest.raises(FileExistsError):
        write_text(tmp_path / "table.csv", NEW)
    assert (tmp_path / "precious").read_text() == OLD
    assert not (tmp_path / "table.csv").exists()


def test_two_that_write_one_file_at_once_do_not_write_into_each_other(tmp_path):
    path = tmp_path / "table.csv"
    with atomic_path(path) as mine:
        mine.write_text(OLD * 9)
        code = (
            f"from pathlib import Path; from textparity.files import write_text; write_text(Path({str(path)!r}), 'n')"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
        assert path.read_text() == "n"
        assert mine.read_text() == OLD * 9
    assert path.read_text() == OLD * 9
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path):
    path = tmp_path / "table.csv"
    code = (
        "import os, signal; from pathlib import Path; from textparity.files import atomic_path\n"
        f"with atomic_path(Path({str(path)!r})) as part:\n    part.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)"
    )
    for _ in range(2):
        assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
        # The second has removed what the first left.
        (left,) = tmp_path.iterdir()
        assert re.fullmatch(r"\.table\.csv\.[0-9a-f]{8}\.part", left.name) and left.read_text() == "half"
    others = [tmp_path / name for name in (".table.csv.notes.part", ".other.csv.01234567.part", "table.csv.part")]
    for other in others:
        other.write_text(OLD)
    write_text(path, NEW)
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])


def test_a_device_stays_a_device(tmp_path):
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only the administrator makes devices")
    write_text(device, NEW)
    assert stat.S_ISCHR(device.stat().st_mode)
    full = tmp_path / "full"
    os.mknod(full, 0o600 | stat.S_IFCHR, os.makedev(1, 7))
    with pytest.raises(OSError, match=r"No space left on device: '.*full'"):
        write_text(full, NEW)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "null"]


def test_a_pipe_gets_what_is_written_and_nothing_of_what_fails(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ZeroDivisionError), atomic_path(pipe) as part:
        part.write_text(OLD)
        raise ZeroDivisionError
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    write_text(pipe, NEW)
    reader.join(10)
    assert got == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_descriptor_is_written_on_with(tmp_path):
    # As with `--csv /dev/stdout >> file`, where more is printed later; by a link of our own, as a mistake would replace
    # the machine's.
    with (tmp_path / "file").open("w") as file:
        link = tmp_path / "stdout"
        link.symlink_to(f"/proc/self/fd/{file.fileno()}")
        file.write("before\n")
        file.flush()
        write_text(link, NEW)
        write_text(tmp_path / f"../{tmp_path.name}/stdout", NEW)
        file.write("after\n")
    assert link.is_symlink()
    assert (tmp_path / "file").read_text() == f"before\n{NEW}{NEW}after\n"
    with pytest.raises(FileNotFoundError):
        write_text(link, NEW)


def test_what_cannot_be_written_is_named_before(tmp_path):
    (tmp_path / "file").write_text(OLD)
    (tmp_path / "read_only").write_text(OLD)
    (tmp_path / "read_only").chmod(0o444)
    for path, error, named in (
        (tmp_path, IsADirectoryError, tmp_path),
        (tmp_path / "read_only", PermissionError, tmp_path / "read_only"),
        (tmp_path / "file" / "table.csv", NotADirectoryError, tmp_path / "file"),
    ):
        with pytest.raises(error) as raised:
            check_target(path)
        assert raised.value.filename == str(named)
        with pytest.raises(error):
            write_text(path, NEW)
    assert (tmp_path / "read_only").read_text() == OLD
    # Where no file can be made, and what it would be called for a while is not what was asked for.
    with pytest.raises(OSError) as raised:
        write_text(Path("/proc/table.csv"), NEW)
    assert raised.value.filename == "/proc/table.csv"
    check_target(tmp_path / "not" / "yet" / "there.csv")
    assert not (tmp_path / "not").exists()


@pytest.mark.parametrize("letter", ["a", "ä"])
def test_a_name_that_is_too_long_for_its_part_is_refused_beforehand(tmp_path, letter):
    """A file may have a name of 255 bytes here; the part that it is made from has 15 more."""
    longest = os.pathconf(tmp_path, "PC_NAME_MAX") - 15
    fits = tmp_path / (letter * (longest // len(letter.encode())))
    write_text(fits, "x")
    for more in ("bb", "b" * 300):
        with pytest.raises(OSError, match="File name too long"):
            check_target(fits.with_name(fits.name + more))


def test_a_full_disk_is_named_where_the_system_gives_no_name(tmp_path):
    for number in (errno.ENOSPC, errno.EFBIG):
        with pytest.raises(OSError) as raised, atomic_path(tmp_path / "a.csv"):
            raise OSError(number, os.strerror(number))
        assert raised.value.filename == str(tmp_path / "a.csv")


NAMES = st.lists(
    st.sampled_from(['"', "\\", "\x1b", "\\x1b", "\n", "\\n", "\u2028", "\udce9", "x22", "a"]), max_size=5
).map("".join)


@given(NAMES, NAMES)
def test_different_names_stay_different_and_fit_in_a_line(one, other):
    shown = [writable(name) for name in (one, other)]
    assert (shown[0] == shown[1]) is (one == other)
    assert len("".join(shown).splitlines()) <= 1 and "\x1b" not in "".join(shown)
