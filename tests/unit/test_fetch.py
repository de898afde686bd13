"""Downloads, against a real server on loopback that misbehaves on request."""

import io
import subprocess
import sys
import tarfile
import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from textparity.errors import FetchError
from textparity.fetch import fetch_file

CONTENT = bytes(range(256)) * 4000


class Handler(BaseHTTPRequestHandler):
    """Serves `CONTENT` at /file, and the same with faults at other paths; ranges are honoured."""

    def do_GET(self):
        seen = self.server.requests
        seen.append((self.path, self.headers.get("Range")))
        first = sum(path == self.path for path, _ in seen) == 1
        if self.path == "/busy" and first:
            self.answer(503, b"later")
        elif self.path == "/gone":
            self.answer(404, b"no such file")
        elif self.path == "/empty":
            self.answer(200, b"")
        elif self.path.startswith("/archive."):
            self.answer(200, self.server.archive)
        elif self.headers.get("Range"):
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            self.answer(206, CONTENT[start:])
        else:
            self.answer(200, CONTENT, cut=len(CONTENT) // 2 if self.path == "/breaks" and first else None)

    def answer(self, status, body, cut=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:cut])

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.requests = []
        running.url = f"http://127.0.0.1:{running.server_port}"
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def fetch(url, file, **options):
    fetch_file(url, file, wait_seconds=0.01, **options)


def test_a_file_is_fetched_and_verified(server, tmp_path):
    fetch(f"{server.url}/file", tmp_path / "new" / "file", sha256=sha256(CONTENT).hexdigest())
    assert (tmp_path / "new" / "file").read_bytes() == CONTENT


@pytest.mark.parametrize("path", ["/busy", "/breaks"])
def test_a_server_that_fails_once_is_asked_again(server, tmp_path, path):
    fetch(server.url + path, tmp_path / "file", sha256=sha256(CONTENT).hexdigest())
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert len(server.requests) == 2


def test_a_partial_download_is_resumed(server, tmp_path):
    (tmp_path / "file.part").write_bytes(CONTENT[:1000])
    fetch(f"{server.url}/file", tmp_path / "file", sha256=sha256(CONTENT).hexdigest())
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert server.requests == [("/file", "bytes=1000-")]


@pytest.mark.parametrize(("path", "said"), [("/gone", "answered 404"), ("/empty", "empty file")])
def test_a_bad_answer_is_an_error_that_names_the_address(server, tmp_path, path, said):
    with pytest.raises(FetchError) as error:
        fetch(server.url + path, tmp_path / "file")
    assert server.url + path in str(error.value)
    assert said in str(error.value)
    assert not (tmp_path / "file").exists()


def test_a_wrong_hash_leaves_nothing(server, tmp_path):
    with pytest.raises(FetchError, match=r"has sha256 .* but resources/source_files\.tsv says 0000"):
        fetch(f"{server.url}/file", tmp_path / "file", sha256="0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_a_dead_host_is_named(tmp_path):
    with pytest.raises(FetchError, match=r"cannot reach 127\.0\.0\.1:9"):
        fetch("http://127.0.0.1:9/file", tmp_path / "file")


def tar(members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def test_an_archive_is_pinned_by_its_members(server, tmp_path):
    server.archive = tar({"a.txt": b"one", "b.txt": CONTENT})
    members = {"a.txt": sha256(b"one").hexdigest(), "not_in_this_subset.txt": "0" * 64}
    fetch(f"{server.url}/archive.tar.gz", tmp_path / "archive.tar.gz", members=members)
    assert (tmp_path / "archive.tar.gz").read_bytes() == server.archive


@pytest.mark.parametrize(
    ("share", "pin", "said"),
    [(0.5, sha256(b"one").hexdigest(), "truncated or damaged"), (1, "0" * 64, r"member a\.txt has sha256")],
)
def test_a_damaged_archive_leaves_nothing(server, tmp_path, share, pin, said):
    whole = tar({"a.txt": b"one", "b.txt": CONTENT})
    server.archive = whole[: int(share * len(whole))]
    with pytest.raises(FetchError, match=said):
        fetch(f"{server.url}/archive.tar.gz", tmp_path / "archive.tar.gz", members={"a.txt": pin})
    assert list(tmp_path.iterdir()) == []


def fetch_locked(server, tmp_path, name="file"):
    lock = tmp_path / "sources.lock.tsv"
    fetch(f"{server.url}/{name}", tmp_path / name, lock=lock, source="demo", path=name)
    return lock.read_text()


def test_the_first_download_locks_a_file_without_a_known_hash(server, tmp_path):
    locked = f"source\tpath\tsha256\ndemo\tfile\t{sha256(CONTENT).hexdigest()}\n"
    assert fetch_locked(server, tmp_path) == locked
    assert fetch_locked(server, tmp_path) == locked


def test_another_file_than_the_locked_one_is_refused(server, tmp_path):
    lock = tmp_path / "sources.lock.tsv"
    lock.write_text(before := f"source\tpath\tsha256\ndemo\tfile\t{'0' * 64}\n")
    with pytest.raises(FetchError, match=rf"{sha256(CONTENT).hexdigest()}, but .*sources\.lock\.tsv says 0000"):
        fetch_locked(server, tmp_path)
    assert lock.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["sources.lock.tsv"]


def test_what_is_no_archive_is_not_locked(server, tmp_path):
    server.archive = b"<html>please sign in</html>"
    with pytest.raises(FetchError, match=r"archive\.zip: cannot be read as an archive"):
        fetch_locked(server, tmp_path, "archive.zip")
    assert list(tmp_path.iterdir()) == []


def test_processes_that_lock_at_once_lose_no_line(tmp_path):
    lock = tmp_path / "sources.lock.tsv"
    run = "import sys; from pathlib import Path; from textparity.lockfile import lock_hash\n"
    run += "for i in range(50): lock_hash(Path(sys.argv[1]), sys.argv[2], f'{i:02}', '0')"
    processes = [subprocess.Popen([sys.executable, "-c", run, str(lock), name]) for name in "abcd"]
    assert [process.wait() for process in processes] == [0] * 4
    expected = [f"{name}\t{i:02}\t0" for name in "abcd" for i in range(50)]
    assert lock.read_text().splitlines() == ["source\tpath\tsha256", *expected]
    assert [path.name for path in tmp_path.iterdir()] == ["sources.lock.tsv"]


@pytest.fixture
def mirror(tmp_path):
    folder = tmp_path / "mirror"
    folder.mkdir()
    (folder / "here").write_bytes(CONTENT)
    rows = [("https://example.org/file", "here", sha256(CONTENT).hexdigest()),
            ("https://example.org/changed", "here", "0" * 64),
            ("https://example.org/lost", "lost", "0" * 64)]  # fmt: skip
    (folder / "urls.tsv").write_text("url\tpath\tsha256\n" + "".join("\t".join(row) + "\n" for row in rows))
    return folder


def test_a_mirror_stands_in_for_the_network(mirror, tmp_path):
    fetch("https://example.org/file", tmp_path / "file", mirror=str(mirror), sha256=sha256(CONTENT).hexdigest())
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("name", "said"),
    [("unlisted", "https://example.org/unlisted is not in the mirror"), ("lost", "is not there; put it back"),
     ("changed", r"in the mirror: .*/mirror/here\) has sha256 [0-9a-f]{64}, but .*urls.tsv says 0000")],
)  # fmt: skip
def test_a_mirror_never_falls_back_to_the_network(mirror, tmp_path, name, said):
    with pytest.raises(FetchError, match=said):
        fetch(f"https://example.org/{name}", tmp_path / "file", mirror=str(mirror))
    assert not list(tmp_path.glob("file*"))
