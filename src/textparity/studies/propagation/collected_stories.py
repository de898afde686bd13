"""From a model's stories to a set of sentences: story after story, until there are enough (Derner 2025, App. E)."""

from collections import Counter
from dataclasses import dataclass, field

from textparity.errors import InputError
from textparity.measures.tokenizers.icu import split_sentences

# So many stories in a row without a new sentence, and there is no sense in asking for more.
USELESS_IN_A_ROW = 20
USED, NOT_NEEDED, NO_STORY, NO_SENTENCE, TOLD_BEFORE = STATUSES = (
    "used", "not needed", "no answer", "no sentence", "same as before",
)  # fmt: skip


@dataclass
class CollectedStories:
    """The sentences of one set, taken from stories in the order in which they were asked for.

    `sentences` are (story, text), stories counted from 1; `statuses` counts what became of the stories. The last
    sentence of a story that was cut at the model's limit does not count (`cut`), nor do lines without a letter.
    """

    name: str
    locale: str
    wanted: int
    sentences: list[tuple[int, str]] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    _told: set[str] = field(default_factory=set)
    # Stories without a new sentence, since the last one with any.
    useless: int = 0

    @property
    def stories(self) -> int:
        """How many stories were taken so far."""
        return self.statuses.total()

    @property
    def missing(self) -> int:
        """How many sentences are still wanted."""
        return self.wanted - len(self.sentences)

    def take(self, text: str, finish_reason: str, error: str) -> None:
        """Take the next story; `InputError` if it is one too many without a new sentence."""
        status = self._take(text, finish_reason, error)
        self.statuses[status] += 1
        self.useless = 0 if status in (USED, NOT_NEEDED) else self.useless + 1
        if self.useless == USELESS_IN_A_ROW:
            found = ", ".join(f"{count} {status}" for status, count in sorted(self.statuses.items()))
            raise InputError(
                f"{self.name}: {USELESS_IN_A_ROW} stories in a row have no new sentence ({len(self.sentences)} of "
                f"{self.wanted} sentences; stories: {found}); see their answers in the cache, and name another model, "
                "or mend its prompt, temperature or max_tokens"
            )

    def _take(self, text: str, finish_reason: str, error: str) -> str:
        if not self.missing:
            return NOT_NEEDED
        if error:
            return NO_STORY
        found = [sentence for sentence in split_sentences(text, self.locale) if any(map(str.isalpha, sentence))]
        is_cut = bool(found) and finish_reason == "length"
        found = found[:-1] if is_cut else found
        if not found:
            return NO_SENTENCE
        if text in self._told:
            return TOLD_BEFORE
        self._told.add(text)
        self.cut += is_cut
        number = self.stories + 1
        self.sentences += [(number, sentence) for sentence in found[: self.missing]]
        return USED
