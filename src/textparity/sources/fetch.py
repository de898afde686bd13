"""Download files: every download is verified, atomic, retried and resumable. No other module accesses the network."""

import errno
import logging
import re
import shutil
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import requests
import urllib3
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from textparity.errors import FetchError
from textparity.files import sha256_of
from textparity.progress import progress_bar
from textparity.sources.archives import check_members, is_archive, read_through
from textparity.sources.model_files import Mirror, lock_hash, locked_hash

log = logging.getLogger(__name__)
_T = TypeVar("_T")

ATTEMPTS = 5
CHUNK_BYTES = 1 << 18
# To connect, and between two reads.
TIMEOUT_SECONDS = (10, 60)
MOST_REDIRECTS = 10
# Only such a tag can be sent back safely, because a server may send anything.
_STRONG_TAG = re.compile(r'"[\x21\x23-\x7e]{1,200}"')
TRY_AGAIN = (429, 500, 502, 503, 504)
# If a server asks for a longer wait, it is better to run the command again later.
LONGEST_WAIT_SECONDS = 120
# A server that sends less than this between two timeouts blocks the download rather than serving it.
LEAST_BYTES = 4096
# The limit for a server that does not announce the length.
LARGEST_UNANNOUNCED = 8 << 30


def fetch_file(
    url: str,
    file: Path,
    sha256: str = "",
    members: dict[str, str] | None = None,
    mirror: str | None = None,
    wait_seconds: float = 1.0,
    lock: Path | None = None,
    source: str = "",
    path: str = "",
    attempts: int = ATTEMPTS,
) -> None:
    """Download `url` to `file`, or copy it from `mirror` (a folder, see `sources.model_files`) if one is set.

    `sha256` pins the file, or `members` (name → sha256) the content of an archive. `lock` pins a file without a known
    hash from its first download on, under the names `source` and `path`. A partial download stays as `file.part`, and
    the next call resumes it if the server's strong ETag shows that the file is unchanged. `file` appears only after it
    has been verified. Raises `FetchError` for an unlisted URL, an unreachable host (tried `attempts` times), a server
    that misbehaves, a wrong hash or a damaged archive.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    if lock:
        # A damaged lock file is an error before anything is downloaded.
        locked_hash(lock, source, path)
    download = _PartialDownload(file.with_name(f"{file.name}.part"))
    part = download.path
    if mirror:
        origin = _copy_from_mirror(url, download, mirror)
    else:
        origin = url
        _download(url, download, wait_seconds, attempts)
        download.tag_file.unlink(missing_ok=True)
    if sha256:
        _check_hash(part, sha256, origin, "resources/registry/source_files.tsv")
    if members and is_archive(file):
        _check_pinned_members(part, file, members)
    if lock:
        _check_lock(part, file, origin, lock, source, path)
    part.replace(file)
    log.info("fetched %s (%s bytes)", file, f"{file.stat().st_size:,}")


def _copy_from_mirror(url: str, download: "_PartialDownload", mirror: str) -> str:
    """Copy and verify a file of a mirror. Returns its origin, for messages."""
    stand_in, sha256 = Mirror(mirror).find(url)
    download.discard()
    shutil.copyfile(stand_in, download.path)
    origin = f"{url} (in the mirror: {stand_in})"
    _check_hash(download.path, sha256, origin, f"{mirror}/urls.tsv")
    return origin


def _check_pinned_members(part: Path, file: Path, members: dict[str, str]) -> None:
    missing = _check_archive(part, file, partial(check_members, expected=members))
    if missing:
        log.warning("%s lacks %d of %d pinned members, first %s", file, len(missing), len(members), missing[0])


def _check_lock(part: Path, file: Path, origin: str, lock: Path, source: str, path: str) -> None:
    expected = locked_hash(lock, source, path)
    if expected:
        _check_hash(part, expected, origin, str(lock))
        return
    # An error page sent with status 200 must not be recorded as the expected content.
    if is_archive(file):
        _check_archive(part, file, read_through)
    actual = sha256_of(part)
    lock_hash(lock, source, path, actual)
    log.warning("%s: now expects sha256 %s of %s; keep the file under version control", lock, actual, origin)


def _check_archive(part: Path, file: Path, check: Callable[[Path], _T]) -> _T:
    # The archive readers depend on the suffix, which `.part` hides.
    archive = part.rename(part.with_name(f".{file.name}"))
    try:
        result = check(archive)
    except FetchError as error:
        archive.unlink()
        raise FetchError(str(error).replace(str(archive), str(file))) from error
    archive.rename(part)
    return result


def _check_hash(part: Path, expected: str, origin: str, table: str) -> None:
    actual = sha256_of(part)
    if actual != expected:
        part.unlink()
        raise FetchError(
            f"{origin} has sha256 {actual}, not {expected} as in {table}; the file changed upstream or was damaged in "
            "transit: fetch it again (or restore it in the mirror), and correct the table only if the new file is the "
            "right one"
        )


class _TryAgainError(Exception):
    """An error that may not occur again. `wait_seconds` is the wait that the server asks for."""

    def __init__(self, reason: str, wait_seconds: float = 0) -> None:
        super().__init__(reason)
        self.wait_seconds = wait_seconds


class _GiveUpError(Exception):
    """An error that would occur again."""


class _Session(requests.Session):
    """A session that does not follow redirects: requests would read their bodies to an end that may never come."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class _PartialDownload:
    """A download in progress: `file.part`, and beside it the tag of the version that its bytes belong to.

    Without a tag, further bytes might belong to another version, so the download starts again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tag_file = path.with_name(f"{path.name}.etag")

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    @property
    def tag(self) -> str:
        if self.size and self.tag_file.exists():
            return self.tag_file.read_text("latin-1")
        return ""

    def discard(self) -> None:
        """Delete the partial download."""
        self.path.unlink(missing_ok=True)
        self.tag_file.unlink(missing_ok=True)

    def start(self, tag: str) -> None:
        """Start again with the version `tag`. A weak tag is ignored, because it may stand for different contents."""
        # The order matters: a partial file beside the tag of another version would be taken for that version.
        self.discard()
        self.path.touch()
        if _STRONG_TAG.fullmatch(tag):
            self.tag_file.write_text(tag, "latin-1")


def _download(url: str, download: _PartialDownload, wait_seconds: float, attempts: int) -> None:
    """Download a file, several times if need be. Raises `FetchError`."""
    growing_wait = wait_exponential(multiplier=wait_seconds, max=30)

    def pause(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked_for = error.wait_seconds if isinstance(error, _TryAgainError) else 0
        return max(growing_wait(state), asked_for)

    retry = Retrying(
        retry=retry_if_exception_type(_TryAgainError),
        stop=stop_after_attempt(attempts),
        wait=pause,
        reraise=True,
    )
    with _Session() as session:
        try:
            retry(_download_rest, session, url, download)
        except (_TryAgainError, _GiveUpError) as error:
            # A server's message may contain any characters.
            reason = "".join([character if character.isprintable() else "?" for character in str(error)])
            kept = "; what arrived is kept and the next run resumes it" if download.tag else ""
            raise FetchError(
                f"{url}: {reason}; check the address and the network, or set a mirror (TEXTPARITY_MIRROR){kept}"
            ) from error


def _download_rest(session: requests.Session, url: str, download: _PartialDownload) -> None:
    headers = {"Accept-Encoding": "identity"}
    tag = download.tag
    if tag:
        headers |= {"Range": f"bytes={download.size}-", "If-Range": tag}
    try:
        with _ask(session, url, headers) as answer:
            _check_answer(answer)
            total = _begin(answer, download, tag)
            try:
                _append(answer, download, total)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT):
                    download.discard()
                raise
    except (requests.ConnectionError, requests.Timeout, urllib3.exceptions.HTTPError) as error:
        raise _TryAgainError(_reason(error, url)) from error
    # Requests does not convert some errors about malformed addresses.
    except (requests.RequestException, ValueError) as error:
        raise _GiveUpError(str(error)) from error
    if total is not None and download.size < total:
        raise _TryAgainError(f"the stream ended after {download.size} of {total} bytes")
    if download.size == 0:
        download.discard()
        raise _GiveUpError("the server sent an empty file")


def _ask(session: requests.Session, url: str, headers: dict[str, str]) -> requests.Response:
    """Request a URL, following redirects. Returns the final server's answer."""
    for _ in range(MOST_REDIRECTS):
        answer = session.get(url, headers=headers, stream=True, timeout=TIMEOUT_SECONDS)
        target = requests.Session.get_redirect_target(session, answer)
        if target is None:
            return answer
        answer.close()
        target = urljoin(url, target)
        if url.startswith("https:") and not target.startswith("https:"):
            raise _GiveUpError(f"the server redirects to {target}, which is not encrypted")
        url = target
    raise _GiveUpError(f"the server redirects more than {MOST_REDIRECTS} times")


def _check_answer(answer: requests.Response) -> None:
    """Raise an error if the answer does not contain the file."""
    status = f"the server answered {answer.status_code} {answer.reason}"
    if answer.status_code in TRY_AGAIN:
        wait_seconds = _wait_seconds(answer.headers.get("Retry-After", ""))
        if wait_seconds > LONGEST_WAIT_SECONDS:
            raise _GiveUpError(f"{status} and asks to wait {wait_seconds:,.0f} seconds; run again then")
        raise _TryAgainError(status, wait_seconds)
    if answer.status_code not in (200, 206, 416):
        raise _GiveUpError(status)
    encoding = answer.headers.get("Content-Encoding", "identity")
    if encoding != "identity":
        raise _GiveUpError(f"the server compressed the file ({encoding}), although asked not to")


def _begin(answer: requests.Response, download: _PartialDownload, tag: str) -> int | None:
    """Prepare the download for the content of `answer`. Returns the length of the whole file if it is known."""
    length = answer.headers.get("Content-Length")
    if length is not None and not re.fullmatch(r"[0-9]{1,18}", length):
        raise _GiveUpError(f"the server sent the length {length[:50]!r}, which is not a number")
    if answer.status_code == 200:
        download.start(answer.headers.get("ETag", ""))
        return int(length) if length is not None else None
    if not tag:
        raise _GiveUpError(f"the server answered {answer.status_code} {answer.reason} to a request for the whole file")
    total = _length_if_resumed(answer, download.size, tag)
    if total is None:
        # This also applies if the download was complete and nothing is left to send.
        download.discard()
        raise _TryAgainError("the server did not resume the file where it stopped, or has another version of it")
    return total


def _length_if_resumed(answer: requests.Response, size: int, tag: str) -> int | None:
    """Read the length of the whole file, None if the answer is not the rest of version `tag` after `size` bytes."""
    if answer.status_code == 416 or answer.headers.get("ETag") != tag:
        return None
    content_range = answer.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})", content_range)
    if match is None:
        return None
    first, last, total = map(int, match.groups())
    is_rest = first == size and last == total - 1
    return total if is_rest else None


def _append(answer: requests.Response, download: _PartialDownload, total: int | None) -> None:
    """Append what the server sends to the partial download. `total` is the length of the whole file if it is known."""
    path = download.path
    if total is not None:
        _check_free_space(download, total)
    largest = LARGEST_UNANNOUNCED if total is None else total
    speed = _Speed()
    with path.open("ab") as out, progress_bar(total, path.name, "bytes") as bar:
        # Bytes are written as soon as they arrive, so that nothing is lost if the stream breaks.
        while chunk := answer.raw.read1(CHUNK_BYTES, decode_content=False):
            size = len(chunk)
            if out.tell() + size > largest:
                out.close()
                download.discard()
                limit = "allowed for a file of unknown length" if total is None else "announced"
                raise _GiveUpError(f"the server sent more than {largest:,} bytes, which is more than {limit}")
            out.write(chunk)
            bar.update(size)
            speed.add(size)


def _check_free_space(download: _PartialDownload, total: int) -> None:
    folder = download.path.parent
    free = shutil.disk_usage(folder).free
    if total - download.size > free:
        download.discard()
        raise _GiveUpError(f"the file is {total:,} bytes long, and only {free:,} are free at {folder}")


class _Speed:
    """The bytes that arrived since a time, of which `LEAST_BYTES` are needed between two timeouts."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._bytes = 0

    def add(self, size: int) -> None:
        """Add bytes that have arrived. Raises `_TryAgainError` if too few did."""
        self._bytes += size
        _, timeout = TIMEOUT_SECONDS
        if time.monotonic() - self._since <= timeout:
            return
        if self._bytes < LEAST_BYTES:
            raise _TryAgainError(f"the server sent only {self._bytes} bytes in {timeout} seconds")
        self._since = time.monotonic()
        self._bytes = 0


def _wait_seconds(text: str) -> float:
    """Read the wait that a `Retry-After` header asks for, in seconds or as a date; 0 if neither."""
    if re.fullmatch(r"[0-9]{1,18}", text):
        return int(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0


def _reason(error: Exception, url: str) -> str:
    if isinstance(error, requests.Timeout | urllib3.exceptions.TimeoutError):
        return "the host did not answer in time"
    if isinstance(error, requests.ConnectionError) and "ConnectionPool" in str(error):
        return f"cannot reach {urlsplit(url).netloc}"
    return str(error)
