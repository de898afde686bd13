"""A mirror: a folder that stands in for the network, with `urls.tsv` saying which file is which URL."""

from pathlib import Path

from textparity.errors import FetchError
from textparity.files import leads_out
from textparity.tsv import read_tsv


class Mirror:
    """Looks up URLs in `folder/urls.tsv` (columns url, path, sha256 and any others)."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.table = self.folder / "urls.tsv"
        self.rows = {row["url"]: row for row in read_tsv(self.table, at_least=("url", "path", "sha256"))}

    def __contains__(self, url: str) -> bool:
        return url in self.rows

    def find(self, url: str) -> tuple[Path, str]:
        """Return the file that stands in for `url`, and its sha256; an unlisted URL is a `FetchError`."""
        if url not in self.rows:
            raise FetchError(
                f"{url} is not in the mirror ({self.table}); add a row and the file, or unset the mirror "
                "to use the network"
            )
        row = self.rows[url]
        if leads_out(row["path"]):
            raise FetchError(
                f"{self.table}: {row['path']}, listed for {url}, leads out of the mirror; put the file into it"
            )
        path = self.folder / row["path"]
        if not path.is_file():
            raise FetchError(f"{self.table}: {row['path']} is listed for {url} but is not there; put it back")
        return path, row["sha256"]
