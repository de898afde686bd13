"""Downloads, against a real server on loopback that misbehaves on request."""

import errno
import io
import re
import subprocess
import sys
import tarfile
import threading
import time
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest
import requests

from textparity.errors import FetchError, TableError
from textparity.sources import fetch as fetch_module
from textparity.sources.fetch import fetch_file
from textparity.sources.model_files import lock_hash, locked_hash

CONTENT = bytes(range(256)) * 4000


TAG = '"version-1"'
OTHER = bytes(reversed(CONTENT))


class Handler(BaseHTTPRequestHandler):
    """Serves `CONTENT` at /file, and the same with faults at other paths; ranges are honoured.

    What a test puts into `answers` of the server is sent instead, one after the other, then no more.
    """

    def do_GET(self):
        seen = self.server.requests
        seen.append((self.path, self.headers.get("Range")))
        first = sum(path == self.path for path, _ in seen) == 1
        if self.server.answers:
            self.send_as_told(*self.server.answers.pop(0))
        elif self.path == "/busy" and first:
            self.answer(503, b"later")
        elif self.path == "/gone":
            self.answer(404, b"no such file")
        elif self.path == "/empty":
            self.answer(200, b"")
        elif self.path.startswith("/archive."):
            self.answer(200, self.server.archive)
        elif self.headers.get("Range") and self.headers.get("If-Range") == TAG:
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            self.answer(206, CONTENT[start:], start=start)
        else:
            self.answer(200, CONTENT, cut=len(CONTENT) // 2 if self.path == "/breaks" and first else None)

    def answer(self, status, body, cut=None, start=0):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if body:
            self.send_header("Content-Range", f"bytes {start}-{start + len(body) - 1}/{start + len(body)}")
        self.send_header("ETag", TAG)
        self.end_headers()
        self.wfile.write(body[:cut])

    def send_as_told(self, status, headers, body):
        self.close_connection = True
        with suppress(OSError):
            self.wfile.write(f"HTTP/1.1 {status} As told\r\n".encode())
            for name, value in headers.items():
                self.wfile.write(f"{name}: {value}\r\n".encode("utf-8", "surrogateescape"))
            self.wfile.write(b"\r\n")
            for part in [body] if isinstance(body, bytes) else body:
                self.wfile.write(part)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.requests = []
        running.answers = []
        running.url = f"http://127.0.0.1:{running.server_port}"
        threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True).start()
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
    (tmp_path / "file.part.etag").write_text(TAG)
    fetch(f"{server.url}/file", tmp_path / "file", sha256=sha256(CONTENT).hexdigest())
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert server.requests == [("/file", "bytes=1000-")]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_nothing_is_resumed_without_the_tag_of_its_version(server, tmp_path):
    (tmp_path / "file.part").write_bytes(OTHER[:1000])
    fetch(f"{server.url}/file", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert server.requests == [("/file", None)]


def cut_after(share, tag=TAG):
    """Return an answer that breaks off."""
    return (200, {"Content-Length": len(OTHER), "ETag": tag}, OTHER[: int(share * len(OTHER))])


def test_all_that_arrived_of_a_cut_download_is_kept_and_resumed(server, tmp_path):
    # No multiple of any block.
    server.answers = [cut_after(0.4321)] + [(500, {}, b"")] * 4
    with pytest.raises(FetchError, match=r"answered 500 .*; what arrived is kept and the next run resumes it"):
        fetch(f"{server.url}/file", tmp_path / "file")
    arrived = int(0.4321 * len(OTHER))
    assert (tmp_path / "file.part").read_bytes() == OTHER[:arrived]
    assert [asked for _, asked in server.requests] == [None] + [f"bytes={arrived}-"] * 4


@pytest.mark.parametrize(
    "tag",
    ['"version-0"', 'W/"version-1"', "version-1", "", '""', '"\x1b"', '"a\tb"', f'"{"x" * 30_000}"', '"version-1'],
)
def test_a_file_that_changed_between_two_tries_is_not_spliced(server, tmp_path, tag):
    # A weak tag may stand for both; what is no tag says nothing.
    server.answers = [cut_after(0.5, tag)]
    assert f"\t{sha256(CONTENT).hexdigest()}\t" in fetch_locked(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT


HALF = len(CONTENT) // 2
REST = {"Content-Length": HALF, "ETag": TAG}


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (206, REST | {"Content-Range": f"bytes 0-{HALF - 1}/{len(CONTENT)}"}),
        (206, REST | {"Content-Range": f"bytes {HALF - 1}-{len(CONTENT) - 2}/{len(CONTENT)}"}),
        (206, REST | {"Content-Range": f"bytes {HALF}-{len(CONTENT) - 2}/{len(CONTENT)}"}),
        (206, REST | {"Content-Range": f"bytes {HALF}-{len(CONTENT) - 1}/*"}),
        (206, REST | {"Content-Range": "half"}),
        (206, REST),
        (206, REST | {"Content-Range": f"bytes {HALF}-{len(CONTENT) - 1}/{len(CONTENT)}", "ETag": '"version-2"'}),
        (206, {"Content-Type": "multipart/byteranges; boundary=x"}),
        (416, {"Content-Range": f"bytes */{HALF}"}),
    ],
    ids=["from 0", "one early", "one short", "no total", "no range", "none", "other tag", "several parts", "416"],
)
def test_a_rest_that_is_not_the_rest_is_refused(server, tmp_path, status, headers):
    (tmp_path / "file.part").write_bytes(CONTENT[:HALF])
    (tmp_path / "file.part.etag").write_text(TAG)
    server.answers = [(status, headers, OTHER[HALF:])]
    fetch(f"{server.url}/file", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert [asked for _, asked in server.requests] == [f"bytes={HALF}-", None]


def test_the_body_of_a_redirect_is_not_read(server, tmp_path):
    server.answers = [(302, {"Location": "/file"}, endless())]
    fetch(f"{server.url}/file", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize("hops", [["http://b.org/"], ["/other", "//b.org/file", "http://b.org/"]])
def test_what_was_to_be_encrypted_stays_so(hops):
    class Session:
        """Answers with the redirects, then no more."""

        def get(self, url, **_):
            answer = requests.Response()
            answer.url, answer.status_code, answer.raw = url, 302, io.BytesIO()
            answer.headers["Location"] = hops.pop(0)
            return answer

    with pytest.raises(Exception, match=r"redirects to http://b\.org/, which is not encrypted"):
        fetch_module._ask(Session(), "https://a.org/file", {})
    assert not hops


def endless():
    while True:
        yield CONTENT


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((200, {"Content-Length": "abc"}, CONTENT), "the length 'abc', which is not a number"),
        ((200, {"Content-Length": "-5"}, CONTENT), "the length '-5', which is not a number"),
        ((200, {"Content-Length": "9" * 5000}, CONTENT), "which is not a number"),
        ((200, {"Content-Length": "9" * 17}, CONTENT), r"99,999,999,999,999,999 bytes long, and only .* are free"),
        ((416, {}, b""), "answered 416 As told to a request for the whole file"),
        ((206, {"Content-Range": "bytes 0-9/10"}, CONTENT[:10]), "answered 206 .*to a request for the whole file"),
        ((200, {"Content-Encoding": "gzip"}, CONTENT), r"compressed the file \(gzip\)"),
        (
            (200, {}, endless()),
            "sent more than 8,000,000 bytes, which is more than allowed for a file of unknown length",
        ),
        ((429, {"Retry-After": "86400"}, b""), "asks to wait 86,400 seconds; run again then"),
        ((503, {"Retry-After": "Fri, 31 Dec 2199 23:59:59 GMT"}, b""), r"asks to wait [0-9,]{13} seconds"),
        ((302, {"Location": "file:///etc/passwd"}, b""), "No connection adapters"),
        ((302, {"Location": "http://[/"}, b""), "Invalid IPv6|Failed to parse"),
        ((302, {"Location": "/\udcff"}, b""), "codec can't decode"),
        ((302, {"Location": "/file"}, b""), "redirects"),
        ((404, {}, b"\x1b[2J"), "answered 404"),
    ],
)
def test_a_server_that_makes_no_sense_is_a_message(server, tmp_path, monkeypatch, answer, said):
    monkeypatch.setattr(fetch_module, "LARGEST_UNANNOUNCED", 8_000_000)
    server.answers = [answer] * 50
    with pytest.raises(FetchError, match=said) as error:
        fetch(f"{server.url}/file", tmp_path / "file")
    assert f"{server.url}/file: " in str(error.value) and str(error.value).isprintable()
    assert "what arrived is kept" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["-1", "abc", "1e400", "Fri, 99 Dec 99999 00:00:00 GMT", "Fri, 31 Dec 1999 00:00:00 GMT"]
)
def test_a_wait_that_is_none_is_no_wait(server, tmp_path, text):
    server.answers = [(503, {"Retry-After": text}, b"")]
    fetch(f"{server.url}/file", tmp_path / "file")
    assert len(server.requests) == 2


def test_a_short_wait_that_is_asked_for_is_kept(server, tmp_path):
    server.answers = [(503, {"Retry-After": "1"}, b"")]
    start = time.monotonic()
    fetch(f"{server.url}/file", tmp_path / "file")
    assert time.monotonic() - start >= 1


def test_a_server_that_trickles_is_left(server, tmp_path, monkeypatch):
    def trickle():
        while True:
            yield b"."
            time.sleep(0.01)

    monkeypatch.setattr(fetch_module, "TIMEOUT_SECONDS", (1, 1))
    server.answers = [(200, {"Content-Length": 10**6}, trickle()) for _ in range(5)]
    with pytest.raises(FetchError, match=r"sent only [0-9]+ bytes in 1 seconds"):
        fetch(f"{server.url}/file", tmp_path / "file")
    assert len(server.requests) == 5


def test_a_file_of_no_stated_length_is_taken(server, tmp_path):
    server.answers = [(200, {}, CONTENT)]
    fetch(f"{server.url}/file", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize(("path", "said"), [("/gone", "answered 404"), ("/empty", "empty file")])
def test_a_bad_answer_is_an_error_that_names_the_address(server, tmp_path, path, said):
    with pytest.raises(FetchError) as error:
        fetch(server.url + path, tmp_path / "file")
    assert server.url + path in str(error.value)
    assert said in str(error.value)
    assert not (tmp_path / "file").exists()


def test_a_wrong_hash_leaves_nothing(server, tmp_path):
    with pytest.raises(FetchError, match=r"has sha256 .* not 0000\w+ as in resources/registry/source_files\.tsv"):
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
    locked = fetch_locked(server, tmp_path)
    assert re.fullmatch(
        rf"source\tpath\tsha256\tcheck\ndemo\tfile\t{sha256(CONTENT).hexdigest()}\t[0-9a-f]{{8}}\n", locked
    )
    assert fetch_locked(server, tmp_path) == locked


def test_another_file_than_the_locked_one_is_refused(server, tmp_path):
    lock = tmp_path / "sources.lock.tsv"
    lock_hash(lock, "demo", "file", "0" * 64)
    before = lock.read_text()
    with pytest.raises(FetchError, match=rf"{sha256(CONTENT).hexdigest()}, not 0000\w+ as in .*sources\.lock\.tsv"):
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
    run = "import sys; from pathlib import Path; from textparity.sources.model_files import lock_hash\n"
    run += "for i in range(50): lock_hash(Path(sys.argv[1]), sys.argv[2], f'{i:02}', '0')"
    processes = [subprocess.Popen([sys.executable, "-c", run, str(lock), name]) for name in "abcd"]
    assert [process.wait() for process in processes] == [0] * 4
    assert [locked_hash(lock, name, f"{i:02}") for name in "abcd" for i in range(50)] == ["0"] * 200
    assert len(lock.read_text().splitlines()) == 201
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


@pytest.mark.parametrize("path", ["../here", "/etc/hostname", "a/../../here"])
def test_a_mirror_has_its_own_files_only(mirror, tmp_path, path):
    (mirror / "urls.tsv").write_text(f"url\tpath\tsha256\nhttps://example.org/file\t{path}\t{'0' * 64}\n")
    with pytest.raises(FetchError, match=rf"urls\.tsv: {path}, listed for .*, leads out of the mirror"):
        fetch("https://example.org/file", tmp_path / "file", mirror=str(mirror))


def test_a_mirror_whose_table_lacks_a_column_is_a_message(mirror, tmp_path):
    (mirror / "urls.tsv").write_text("url\tfile\tsha256\n")
    with pytest.raises(TableError, match=r"urls\.tsv: has no column path"):
        fetch("https://example.org/file", tmp_path / "file", mirror=str(mirror))


@pytest.mark.parametrize(
    ("name", "said"),
    [("unlisted", "https://example.org/unlisted is not in the mirror"), ("lost", "is not there; put it back"),
     ("changed", r"in the mirror: .*/mirror/here\) has sha256 [0-9a-f]{64}, not 0000\w* as in .*urls.tsv")],
)  # fmt: skip
def test_a_mirror_never_falls_back_to_the_network(mirror, tmp_path, name, said):
    with pytest.raises(FetchError, match=said):
        fetch(f"https://example.org/{name}", tmp_path / "file", mirror=str(mirror))
    assert not list(tmp_path.glob("file*"))


def test_no_bit_of_the_lock_file_can_flip_unnoticed(tmp_path):
    lock = tmp_path / "sources.lock.tsv"
    for path in ("a.zip", "b.zip"):
        lock_hash(lock, "demo", path, sha256(path.encode()).hexdigest())
    whole = lock.read_bytes()
    damaged = [
        whole[:place] + bytes([whole[place] ^ 1 << (place + turn) % 8]) + whole[place + 1 :]
        for place in range(len(whole))
        for turn in (0, 3, 5)
    ]
    for content in (b"", *damaged):
        lock.write_bytes(content)
        with pytest.raises(TableError, match=r"sources\.lock\.tsv"):
            locked_hash(lock, "demo", "a.zip")


def test_a_full_disk_keeps_nothing_of_a_download(server, tmp_path, monkeypatch):
    @contextmanager
    def full(*_):
        def update(size):
            raise OSError(errno.ENOSPC, "No space left on device")

        yield SimpleNamespace(update=update)

    monkeypatch.setattr(fetch_module, "progress_bar", full)
    with pytest.raises(OSError, match="No space left on device"):
        fetch(f"{server.url}/file", tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_fetched_where_the_lock_file_is_damaged(server, tmp_path):
    lock = tmp_path / "sources.lock.tsv"
    lock_hash(lock, "source", "file", sha256(CONTENT).hexdigest())
    lock.write_text(lock.read_text().replace("source\tfile", "source\tfine"))
    with pytest.raises(TableError, match=r"sources\.lock\.tsv, line 2: was changed by hand"):
        fetch(f"{server.url}/file", tmp_path / "file", lock=lock, source="source", path="file")
    assert server.requests == []
    assert [path.name for path in tmp_path.iterdir()] == ["sources.lock.tsv"]
