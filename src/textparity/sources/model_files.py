"""Find what replaces or pins a download: lock files, mirrors, and the models of tokenizers on this machine.

A tokenizer's model is recorded in a small JSON file on which the counting rules depend, so that its language is counted
again with another model. The parser of rules uses this module, so finding a model loads no tool and downloads nothing.
"""

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256 as digest_of
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from textparity.errors import ConfigError, FetchError, MissingResourceError, TableError, how_to_install
from textparity.files import escapes_folder, read_tsv, write_rows, write_text
from textparity.locks import lock as lock_file

COLUMNS = ("source", "path", "sha256", "check")


def locked_hash(lock: Path, source: str, path: str) -> str:
    """Look up the sha256 of a source's file in `lock`. Returns an empty string if there is none."""
    return _read(lock).get((source, path), "")


def lock_hash(lock: Path, source: str, path: str, sha256: str) -> None:
    """Add a line to `lock`, keeping concurrent additions. Raises `TableError` if it already has the file."""
    if not lock.exists():
        _create(lock)
    with _exclusive(lock):
        rows = _read(lock)
        if rows.setdefault((source, path), sha256) != sha256:
            raise TableError(f"{lock}: another process recorded a different sha256 of {source} {path}; run again")
        lines = []
        for (locked_source, locked_path), locked_sha256 in sorted(rows.items()):
            cells = (locked_source, locked_path, locked_sha256)
            lines.append((*cells, _check(*cells)))
        write_rows(lock, COLUMNS, lines, tab_separated=True)


def _read(lock: Path) -> dict[tuple[str, str], str]:
    if not lock.exists():
        return {}
    hashes = {}
    for line, row in enumerate(read_tsv(lock, COLUMNS), start=2):
        source, path, sha256 = row["source"], row["path"], row["sha256"]
        if row["check"] != _check(source, path, sha256):
            raise TableError(
                f"{lock}, line {line}: was changed by hand ({source} {path}); restore the file from "
                "version control, or remove the line to accept the next download"
            )
        hashes[source, path] = sha256
    return hashes


def _check(*cells: str) -> str:
    return digest_of("\t".join(cells).encode()).hexdigest()[:8]


def _create(lock: Path) -> None:
    """Create a lock file without entries, unless another process does so first. It is never seen empty."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=lock.parent) as folder:
        new = Path(folder) / lock.name
        write_rows(new, COLUMNS, [], tab_separated=True)
        with suppress(FileExistsError):
            os.link(new, lock)


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file at `path`. The holder of the lock may replace the file."""
    while True:
        with path.open("a") as file:
            lock_file(file.fileno())
            # The previous holder has replaced the file, so the lock on the new one is needed.
            if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                continue
            yield
            return


def find_mirror(
    mirror: str | None = None, environment: Mapping[str, str] = os.environ, base: Path = Path()
) -> str | None:
    """Find the folder that replaces the network: `TEXTPARITY_MIRROR`, or else `mirror`. Returns None if neither is set.

    It is searched in the working directory, then in `base`. Raises `ConfigError` if it has no `urls.tsv`.
    """
    mirror = environment.get("TEXTPARITY_MIRROR") or mirror
    if mirror is None:
        return None
    if not Path(mirror).exists() and (base / mirror).exists():
        mirror = str(base / mirror)
    if not (Path(mirror) / "urls.tsv").is_file():
        raise ConfigError(
            f"mirror: {mirror} has no urls.tsv; set `mirror` (or TEXTPARITY_MIRROR) to a folder that has one, "
            "or leave both unset to use the network"
        )
    return mirror


class Mirror:
    """A folder that replaces the network. `folder/urls.tsv` has the columns url, path, sha256 and any others."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.table = self.folder / "urls.tsv"
        rows = read_tsv(self.table, at_least=("url", "path", "sha256"))
        self.rows = {row["url"]: row for row in rows}

    def __contains__(self, url: str) -> bool:
        return url in self.rows

    def find(self, url: str) -> tuple[Path, str]:
        """Find the file that replaces `url`, and its sha256. Raises `FetchError` for an unlisted URL."""
        if url not in self.rows:
            raise FetchError(
                f"{url} is not in the mirror ({self.table}); add a row and the file, run with "
                "--config skip_unavailable=true to leave out what needs it, or unset the mirror to use the network"
            )
        row = self.rows[url]
        if escapes_folder(row["path"]):
            raise FetchError(
                f"{self.table}: {row['path']}, listed for {url}, leads out of the mirror; put the file into it"
            )
        path = self.folder / row["path"]
        if not path.is_file():
            raise FetchError(f"{self.table}: {row['path']} is listed for {url} but is not there; put it back")
        return path, row["sha256"]


log = logging.getLogger(__name__)

NLTK_PACKAGE = "punkt_tab"
# By tool, the environment variable with its folder, and the default below the home folder.
FOLDERS = {"stanza": ("STANZA_RESOURCES_DIR", "stanza_resources"), "nltk": ("NLTK_DATA", "nltk_data")}
STAND_IN_SUFFIX = "_standin"


@dataclass(frozen=True)
class ModelRecord:
    """One model on disk. `folder` is the tool's resource folder, `md5` the digest in its index (or empty)."""

    tool: str
    code: str
    package: str
    md5: str
    folder: str
    stand_in: bool


def load_record(path: Path) -> ModelRecord:
    """Read a record written by this module."""
    return ModelRecord(**json.loads(path.read_text(encoding="utf-8")))


def find_stanza_model(folder: str, code: str) -> ModelRecord | None:
    """Find the tokenizer model that Stanza would load for `code`; one whose name ends in `_standin` is a stand-in."""
    index = Path(folder) / "resources.json"
    if not index.is_file():
        return None
    resources = json.loads(index.read_text(encoding="utf-8"))
    language = resources.get(code, {})
    defaults = language.get("packages", {}).get("default", {})
    package = defaults.get("tokenize")
    if package is None:
        return None
    model = Path(folder) / code / "tokenize" / f"{package}.pt"
    if not model.is_file():
        return None
    md5 = language["tokenize"][package].get("md5", "")
    return ModelRecord("stanza", code, package, md5, folder, stand_in=package.endswith(STAND_IN_SUFFIX))


def find_model_folder(tool: str, environment: Mapping[str, str] = os.environ) -> str:
    """Find the folder of Stanza's models or NLTK's data: from the environment, or else the tool's default."""
    variable, default = FOLDERS[tool]
    return environment.get(variable) or str(Path.home() / default)


def missing_model(tool: str, code: str, folder: str, offline: bool) -> str:
    """Explain why a model is not available here. Returns an empty string if it is, or will be downloaded."""
    if find_spec(tool) is None:
        if tool == "stanza":
            return f"Stanza is not installed; install the extra: {how_to_install('stanza')}"
        return f"NLTK is not installed; install the extra: {how_to_install('workflow')}"
    if not offline or _find(tool, folder, code):
        return ""
    variable, _ = FOLDERS[tool]
    what = f"Stanza model for {code!r}" if tool == "stanza" else f"{NLTK_PACKAGE} data"
    return f"no {what} in {folder}, and the mirror forbids downloading; set {variable} or unset the mirror"


def prepare_model(record: Path, tool: str, code: str, folder: str, offline: bool) -> None:
    """Make sure that the model is in `folder` (downloading it unless `offline`), and write its record.

    Raises `MissingResourceError` if it is missing and may not be downloaded, `FetchError` if the download fails.
    """
    reason = missing_model(tool, code, folder, offline)
    if reason:
        raise MissingResourceError(reason)
    if _find(tool, folder, code) is None:
        _download(tool, code, folder)
    model = _find(tool, folder, code)
    if model is None:
        raise FetchError(f"{tool} has downloaded {code!r} to {folder}, but no tokenizer model is there; look into it")
    if model.stand_in:
        log.warning("%s %s: %s is a stand-in for the official model", tool, code, model.package)
    write_text(record, json.dumps(asdict(model), indent=2) + "\n")


def _find(tool: str, folder: str, code: str) -> ModelRecord | None:
    if tool == "stanza":
        return find_stanza_model(folder, code)
    if not (Path(folder) / "tokenizers" / NLTK_PACKAGE / "english").is_dir():
        return None
    return ModelRecord("nltk", "english", NLTK_PACKAGE, "", folder, stand_in=False)


def _download(tool: str, code: str, folder: str) -> None:
    if tool == "nltk":
        import nltk

        if not nltk.download(NLTK_PACKAGE, download_dir=folder):
            raise FetchError(f"nltk.download({NLTK_PACKAGE!r}) to {folder} failed; check the network and run again")
        return
    import stanza

    try:
        stanza.download(code, model_dir=folder, processors="tokenize,mwt" if code == "ar" else "tokenize")
    except Exception as error:
        raise FetchError(f"stanza.download({code!r}) failed: {error}; check the network and run again") from error
