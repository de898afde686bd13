"""The decisions of one review while its page is open: one writer, every decision on disk before it is confirmed."""

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unicodedata import category

from textparity.studies.swapping.candidates.reviews import (
    CORRECT,
    UNDECIDED,
    Candidate,
    Key,
    Review,
    read_review_file,
    why_not,
    write_review_file,
)


class RefusedDecision(ValueError):
    """The decision cannot be kept; the message says why."""


class Conflict(RefusedDecision):
    """Somebody else has changed what this decision was made about."""


@dataclass(frozen=True)
class State:
    """What is decided about a candidate; `version` grows with each change while the page is open."""

    decision: str
    swapped: str
    version: int


class ReviewStore:
    """The decisions about `candidates` in the CSV file `path`, which is made with the first of them."""

    def __init__(self, path: Path, candidates: list[Candidate]) -> None:
        self.candidates = candidates
        self._path = path
        self._known = {candidate.key: candidate for candidate in candidates}
        self._reviews = read_review_file(path, candidates) if path.exists() else {}
        self._versions = dict.fromkeys(self._known, 0)
        self._written = self._content()
        self._lock = threading.Lock()

    def states(self) -> list[State]:
        """Return what is decided, in the order of the candidates."""
        with self._lock:
            return [self._state(candidate.key) for candidate in self.candidates]

    def decide(self, key: Key, decision: str, swapped: str, seen_version: int) -> State:
        """Write a decision to the file and return it; `undecided` takes one back.

        Raises `Conflict` if the candidate has changed since `seen_version`, or another program has written the file,
        and `RefusedDecision` for what is not a decision.
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
        # A sentence is a line, whatever ends one, and has no control character.
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
