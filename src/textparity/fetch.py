"""The one door to the network: every download is verified, atomic, retried and resumable."""

import logging
import shutil
from collections.abc import Callable
from hashlib import file_digest
from pathlib import Path
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_exponential
from urllib3.util import Retry

from textparity.archives import check_members, is_archive, read_through
from textparity.errors import FetchError
from textparity.lockfile import lock_hash, locked_hash
from textparity.mirror import Mirror
from textparity.progress import progress_bar

log = logging.getLogger(__name__)

ATTEMPTS = 5
CHUNK_BYTES = 1 << 18
TIMEOUT_SECONDS = (10, 60)


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
) -> None:
    """Fetch `url` to `file`, from `mirror` (a folder, see `textparity.mirror`) where one is set.

    `sha256` pins the file; `members` (name → sha256) pins what is inside an archive instead; the lock file `lock`
    pins a file without a known hash, from its first download on, under the names `source` and `path`. A partial
    download stays as `file.part` and is resumed by the next call; `file` appears only once it is verified. Raises
    `FetchError` for an unlisted URL, an unreachable host, a wrong hash or a damaged archive.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    origin = url
    part = file.with_name(f"{file.name}.part")
    if mirror:
        stand_in, mirror_sha256 = Mirror(mirror).find(url)
        shutil.copyfile(stand_in, part)
        origin = f"{url} (in the mirror: {stand_in})"
        _check_hash(part, mirror_sha256, origin, f"{mirror}/urls.tsv")
    else:
        _download(url, part, wait_seconds)
    if sha256:
        _check_hash(part, sha256, origin, "resources/source_files.tsv")
    if members and is_archive(file):
        _check_archive(part, file, lambda archive: _warn_of_missing(archive, file, members))
    if lock:
        _check_lock(part, file, origin, lock, source, path)
    part.replace(file)
    log.info("fetched %s (%s bytes)", file, f"{file.stat().st_size:,}")


def _check_lock(part: Path, file: Path, origin: str, lock: Path, source: str, path: str) -> None:
    if known := locked_hash(lock, source, path):
        _check_hash(part, known, origin, str(lock))
        return
    # An error page that came with status 200 must not become what is expected from now on.
    if is_archive(file):
        _check_archive(part, file, read_through)
    with part.open("rb") as stream:
        found = file_digest(stream, "sha256").hexdigest()
    lock_hash(lock, source, path, found)
    log.warning("%s: now expects sha256 %s of %s; keep the file under version control", lock, found, origin)


def _warn_of_missing(archive: Path, file: Path, members: dict[str, str]) -> None:
    if missing := check_members(archive, members):
        log.warning("%s lacks %d of %d pinned members, first %s", file, len(missing), len(members), missing[0])


def _check_archive(part: Path, file: Path, check: Callable[[Path], None]) -> None:
    # The archive readers go by the name's ending, which `.part` hides.
    whole = part.rename(part.with_name(f".{file.name}"))
    try:
        check(whole)
    except FetchError as error:
        whole.unlink()
        raise FetchError(str(error).replace(str(whole), str(file))) from error
    whole.rename(part)


def _check_hash(part: Path, expected: str, origin: str, table: str) -> None:
    with part.open("rb") as stream:
        found = file_digest(stream, "sha256").hexdigest()
    if found != expected:
        part.unlink()
        raise FetchError(
            f"{origin} has sha256 {found}, but {table} says {expected}; the file changed upstream or was damaged on "
            "the way: fetch again (a mirror's file: put the right one back), and correct the table only if the new "
            "file is the one you mean"
        )


def _download(url: str, part: Path, wait_seconds: float) -> None:
    session = requests.Session()
    policy = Retry(
        connect=0, read=0, status=ATTEMPTS, backoff_factor=wait_seconds,
        status_forcelist=(429, 500, 502, 503, 504), respect_retry_after_header=True, raise_on_status=False,
    )  # fmt: skip
    session.mount("http://", HTTPAdapter(max_retries=policy))
    session.mount("https://", HTTPAdapter(max_retries=policy))

    # urllib3 retries what the server answers; a host that is down or a stream that breaks is retried here.
    @retry(
        retry=retry_if_exception_type((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)),
        stop=stop_after_attempt(ATTEMPTS),
        wait=wait_exponential(multiplier=wait_seconds, max=30),
        reraise=True,
    )
    def resume() -> None:
        _download_rest(session, url, part)

    try:
        resume()
    except requests.RequestException as error:
        raise FetchError(
            f"{url}: {_reason(error, url)}; check the address and the network, or set a mirror "
            "(TEXTPARITY_MIRROR); what arrived is kept and the next run resumes it"
        ) from error
    finally:
        session.close()


def _download_rest(session: requests.Session, url: str, part: Path) -> None:
    start = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
    with session.get(url, headers=headers, stream=True, timeout=TIMEOUT_SECONDS) as answer:
        if answer.status_code == 416:
            # Nothing is left to send, or the file changed: start anew, the hash decides.
            part.unlink()
            raise requests.ConnectionError("the server refused to resume")
        if answer.status_code not in (200, 206):
            raise requests.HTTPError(f"the server answered {answer.status_code} {answer.reason}")
        if answer.status_code == 200:
            start = 0
        length = answer.headers.get("Content-Length")
        total = start + int(length) if length else None
        with part.open("ab" if start else "wb") as out, progress_bar(total, part.name, "bytes") as bar:
            for chunk in answer.iter_content(CHUNK_BYTES):
                out.write(chunk)
                bar.update(len(chunk))
    if total is not None and part.stat().st_size < total:
        raise requests.ConnectionError(f"the stream ended after {part.stat().st_size} of {total} bytes")
    if part.stat().st_size == 0:
        raise requests.HTTPError("the server sent an empty file")


def _reason(error: requests.RequestException, url: str) -> str:
    if isinstance(error, requests.Timeout):
        return "the host did not answer in time"
    if isinstance(error, requests.ConnectionError) and "ConnectionPool" in str(error):
        return f"cannot reach {urlsplit(url).netloc}"
    return str(error)
