"""Review candidates in the browser: python -m textparity_studies.swapping.review --candidates FILE --reviews FILE.

The decisions have one writer, and each is on disk before it is confirmed. The page's server is on this machine's
loopback address only, behind a random token, for its own page alone.
"""

import argparse
import json
import logging
import secrets
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from unicodedata import category

from textparity.errors import InputError, TextparityError
from textparity.files import is_unicode
from textparity.pages import page_environment
from textparity.serving.loopback import LoopbackHandler, LoopbackServer, Refused
from textparity_studies.swapping.candidates.candidates import CHECK_COLUMNS, FAILED
from textparity_studies.swapping.candidates.outputs import read_cells
from textparity_studies.swapping.candidates.reviews import (
    CORRECT,
    UNDECIDED,
    Candidate,
    Key,
    Review,
    read_candidates,
    read_review_file,
    why_not,
    write_review_file,
)

log = logging.getLogger(__name__)
_LONGEST_BODY = 1 << 20
_TEMPLATE = "review.html.j2"


class RefusedDecision(ValueError):
    """Raise this if the decision cannot be kept; the message gives the reason."""


class Conflict(RefusedDecision):
    """Raise this if somebody else has changed the text or decision that this decision is about."""


@dataclass(frozen=True)
class State:
    """Hold the decision about a candidate; `version` grows with each change while the page is open."""

    decision: str
    swapped: str
    version: int


class ReviewStore:
    """Hold the decisions about `candidates`, and write them to the CSV file `path`, which the first one creates."""

    def __init__(self, path: Path, candidates: list[Candidate]) -> None:
        self.candidates = candidates
        self._path = path
        self._known = {candidate.key: candidate for candidate in candidates}
        self._reviews = read_review_file(path, candidates) if path.exists() else {}
        self._versions = dict.fromkeys(self._known, 0)
        self._written = self._content()
        self._lock = threading.Lock()

    def states(self) -> list[State]:
        """List the decisions, in the order of the candidates."""
        with self._lock:
            return [self._state(candidate.key) for candidate in self.candidates]

    def decide(self, key: Key, decision: str, swapped: str, seen_version: int) -> State:
        """Write a decision to the file and return it; `undecided` revokes one.

        Raises `Conflict` if the candidate has changed since `seen_version` or another program has written the file, and
        `RefusedDecision` for an invalid decision.
        """
        with self._lock:
            if key not in self._known:
                raise RefusedDecision(f"{key[0]}, line {key[1]} is not a candidate")
            if seen_version != self._versions[key]:
                raise Conflict("This sentence was decided elsewhere meanwhile, for instance in another tab.")
            reviews = self._changed(key, decision, swapped)
            if self._content() != self._written:
                raise Conflict(
                    f"Another program has written {self._path}. Nothing was overwritten: close the other program, then "
                    "stop this review and start it again."
                )
            write_review_file(self._path, reviews, self.candidates)
            self._reviews = reviews
            self._written = self._content()
            self._versions[key] += 1
            return self._state(key)

    def _changed(self, key: Key, decision: str, swapped: str) -> dict[Key, Review]:
        reviews = dict(self._reviews)
        if decision == UNDECIDED:
            reviews.pop(key, None)
            return reviews
        candidate = self._known[key]
        # A sentence is one line, whatever character ends a line, and has no control characters.
        text = (
            " ".join(filter(None, map(str.strip, swapped.splitlines()))) if decision == CORRECT else candidate.swapped
        )
        if decision == CORRECT and any(category(one) == "Cc" and one != "\t" for one in text):
            raise RefusedDecision("The sentence has a character that cannot be shown: take it out, or write it anew.")
        if decision == CORRECT and text == candidate.swapped:
            raise RefusedDecision("Nothing was corrected: accept the sentence, or change it.")
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        review = Review(*key, candidate.original, text, decision, now)
        if reason := why_not(review, candidate):
            raise RefusedDecision(reason)
        return reviews | {key: review}

    def _state(self, key: Key) -> State:
        review = self._reviews.get(key)
        decision, swapped = (review.decision, review.swapped) if review else (UNDECIDED, self._known[key].swapped)
        return State(decision, swapped, self._versions[key])

    def _content(self) -> bytes | None:
        return self._path.read_bytes() if self._path.exists() else None


class ReviewServer(LoopbackServer):
    """Serve the page of one `ReviewStore`. `checks` are the failed checks of a candidate."""

    def __init__(self, store: ReviewStore, checks: Mapping[Key, list[str]], title: str, port: int = 0) -> None:
        super().__init__(port, _Handler)
        self.store = store
        self.checks = checks
        self.title = title


class _Handler(LoopbackHandler):
    server: ReviewServer

    def get(self, action: str) -> None:
        if action == "":
            nonce = secrets.token_urlsafe(16)
            page = render_review_page(self.server.store, self.server.checks, self.server.title, nonce)
            policy = (
                f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
            self.send(HTTPStatus.OK, page, "text/html", {"Content-Security-Policy": policy})
        elif action == "states":
            self._send_json(HTTPStatus.OK, [asdict(state) for state in self.server.store.states()])
        else:
            raise Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def post(self, action: str) -> None:
        if action != "decide":
            raise Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")
        cells = self._cells()
        try:
            key = (cells["document"], cells["line"])
            state = self.server.store.decide(key, cells["decision"], cells["swapped"], cells["version"])
        except Conflict as conflict:
            raise Refused(HTTPStatus.CONFLICT, str(conflict)) from None
        except RefusedDecision as refused:
            raise Refused(HTTPStatus.BAD_REQUEST, str(refused)) from None
        except OSError as error:
            log.error("%s", error)
            raise Refused(HTTPStatus.INTERNAL_SERVER_ERROR, f"The file cannot be written: {error}") from None
        self._send_json(HTTPStatus.OK, asdict(state))

    def refuse(self, refused: Refused) -> None:
        self._send_json(refused.status, {"error": str(refused)})

    def _cells(self) -> dict[str, Any]:
        body = self.read_body("application/json", _LONGEST_BODY, "The decision is too long.")
        try:
            cells = json.loads(body)
            types = {"document": str, "line": int, "decision": str, "swapped": str, "version": int}
            if any(type(cells[name]) is not kind for name, kind in types.items()):
                raise TypeError
            # A lone surrogate could neither be written nor be sent back.
            if not all(is_unicode(cells[name]) for name, kind in types.items() if kind is str):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Refused(HTTPStatus.BAD_REQUEST, "This is not a decision.") from None
        return cells

    def _send_json(self, status: HTTPStatus, value: Any) -> None:
        self.send(status, json.dumps(value, ensure_ascii=False), "application/json")


def render_review_page(store: ReviewStore, checks: Mapping[Key, list[str]], title: str, nonce: str) -> str:
    """Render the page with the decisions so far; `nonce` marks its script and style as its own."""
    environment = page_environment("textparity_studies.swapping")
    sentences = [
        {
            "document": candidate.document,
            "line": candidate.line,
            "original": candidate.original,
            "candidate": candidate.swapped,
            "entities": list(candidate.entities.items()),
            "flags": [*candidate.repairs, *checks.get(candidate.key, [])],
            **asdict(state),
        }
        for candidate, state in zip(store.candidates, store.states(), strict=True)
    ]
    # Inside a script element, no text may close the element.
    data = json.dumps(sentences, ensure_ascii=False).replace("<", "\\u003c")
    return environment.get_template(_TEMPLATE).render(title=title, data=data, nonce=nonce)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the page until it is interrupted; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m textparity_studies.swapping.review", description=__doc__)
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
    server.serve_user(not options.no_browser)
    print("\nAll decisions are in the file.")
    return 0


def read_failed_checks(path: Path) -> dict[Key, list[str]]:
    """Read the failed checks of each candidate, the rows of `path` (`CHECK_COLUMNS`) with the verdict `failed`."""
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
