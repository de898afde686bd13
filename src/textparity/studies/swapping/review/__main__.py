"""Review candidates in the browser: python -m textparity.studies.swapping.review --candidates FILE --reviews FILE."""

import argparse
import logging
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from textparity.errors import InputError, TextparityError
from textparity.files import write_text
from textparity.studies.swapping.candidates.checks import CHECK_COLUMNS, FAILED
from textparity.studies.swapping.candidates.outputs import read_cells
from textparity.studies.swapping.candidates.reviews import Key, read_candidates
from textparity.studies.swapping.review.page import ReviewServer
from textparity.studies.swapping.review.store import ReviewStore


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the page until it is interrupted; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m textparity.studies.swapping.review", description=__doc__)
    parser.add_argument("--candidates", type=Path, required=True, help="CSV file with the candidates")
    parser.add_argument("--reviews", type=Path, required=True, help="your file of decisions, made if it is not there")
    parser.add_argument("--checks", type=Path, help="CSV file with the automatic checks of the candidates")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: any that is free)")
    parser.add_argument("--no-browser", action="store_true", help="say the address only")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        if _is_made_by_rules(options.reviews):
            raise InputError(
                f"{options.reviews}: files under results/ are written by rules; put your decisions elsewhere, for "
                "instance in reviews/"
            )
        candidates = read_candidates(options.candidates)
        checks = read_failed_checks(options.checks) if options.checks else {}
        store = ReviewStore(options.reviews, candidates)
        server = ReviewServer(store, checks, options.candidates.parent.name or "candidates", options.port)
    except (TextparityError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(
        f"{len(candidates):,} sentences; decisions go to {options.reviews}\n{server.url}\nStop with Ctrl+C.", flush=True
    )
    # For this user alone.
    with TemporaryDirectory() as folder:
        if not options.no_browser:
            webbrowser.open(leading_page(server.url, Path(folder)).as_uri())
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nAll decisions are in the file.")
        finally:
            server.server_close()
    return 0


def leading_page(url: str, folder: Path) -> Path:
    """Return a page that leads to `url`: the arguments of a browser can be read by all users of the machine."""
    page = folder / "review.html"
    write_text(page, f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={url}"><a href="{url}">Review</a>\n')
    return page


def read_failed_checks(path: Path) -> dict[Key, list[str]]:
    """Return what failed of each candidate: the rows of `path` (columns `CHECK_COLUMNS`) with the verdict `failed`."""
    frame = read_cells(path)
    if missing := [name for name in CHECK_COLUMNS if name not in frame.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it has {', '.join(frame.columns)}")
    failed: dict[Key, list[str]] = {}
    for cells in frame[frame["verdict"] == FAILED].to_dict("records"):
        said = f"{cells['check'].replace('_', ' ')}: {cells['detail'] or FAILED}"
        failed.setdefault((cells["document"], int(cells["line"])), []).append(said)
    return failed


def _is_made_by_rules(path: Path) -> bool:
    return Path("results").resolve() in path.resolve().parents


if __name__ == "__main__":
    sys.exit(main())
