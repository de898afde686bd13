"""Find mentions of persons in texts of a language that has a pipeline."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textparity.counting.terms import TermMatcher
from textparity.persons.mentions import INCLUSIVE, Mention
from textparity.persons.neither import NeitherFinder
from textparity.persons.person_finder import PersonFinder
from textparity.persons.windows import cut, windows_of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# The number of characters passed to a pipeline at a time. Batches of short texts are faster, but too many long texts
# fill the memory.
PIPE_CHARACTERS = 32_768
# The French pipeline has seen only straight apostrophes, and tags l’ and qu’ as nouns.
_STRAIGHT_APOSTROPHES = {"fr": str.maketrans("’", "'")}


@dataclass(frozen=True)
class ParsedText:
    """A parsed text, and the mentions of persons in it."""

    doc: "Doc"
    mentions: list[Mention]


class PipelineFinder:
    """A method that reads texts with a pipeline. `matcher` has the language's forms that name all genders.

    `neither` marks persons who are called neither women nor men.
    """

    def __init__(self, nlp: "Language", finder: PersonFinder, matcher: TermMatcher, neither: NeitherFinder) -> None:
        self._nlp, self._finder, self._matcher, self._neither = nlp, finder, matcher, neither

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order."""
        for parsed in self.parse(texts):
            yield parsed.mentions

    def parse(self, texts: Sequence[str]) -> Iterator[ParsedText]:
        """Parse each text, and find its mentions. A parse is valid until the next one."""
        nlp = self._nlp
        longest = max(map(len, texts), default=0)
        nlp.max_length = max(nlp.max_length, longest + 1)
        # This frees the words of the batch from the pipeline's memory, which would otherwise grow with the corpus.
        with nlp.memory_zone():
            for text, doc in zip(texts, self._read(texts), strict=True):
                mentions = self._finder.find(doc)
                if doc.text != text:
                    mentions = [replace(mention, text=text[mention.start : mention.end]) for mention in mentions]
                mentions = with_inclusive(text, mentions, self._matcher)
                marked = self._neither.mark(doc, mentions)
                yield ParsedText(doc, marked)

    def _read(self, texts: Sequence[str]) -> Iterator["Doc"]:
        if self._nlp.lang != "cs":
            for batch in batches_of(texts):
                yield from self._pipe(batch)
            return
        # The Czech pipeline has seen no ends of lines, and takes them for words.
        for text in texts:
            lines = self._pipe(text.splitlines(True) or [text])
            yield lines[0].from_docs(lines, ensure_whitespace=False)

    def _pipe(self, batch: Sequence[str]) -> list["Doc"]:
        straight = _STRAIGHT_APOSTROPHES.get(self._nlp.lang, {})
        texts = [text.translate(straight) for text in batch]
        return list(self._nlp.pipe(texts, batch_size=len(batch)))


def batches_of(texts: Sequence[str]) -> list[Sequence[str]]:
    """Divide texts into batches of up to `PIPE_CHARACTERS`."""
    same_document = [None] * len(texts)
    return cut(texts, windows_of(texts, same_document, PIPE_CHARACTERS))


@dataclass(frozen=True)
class _InclusiveForm:
    """A form on characters `start` to `end`, with the mentions that it replaces."""

    start: int
    end: int
    within: list[Mention]


def with_inclusive(text: str, mentions: list[Mention], matcher: TermMatcher) -> list[Mention]:
    """Add the forms that name all genders (*Leser*innen*), in place of mentions within them."""
    folded = matcher.folding.fold_placed(text)
    forms = []
    for span in matcher.find_patterns(folded.text):
        start, end = folded.place(*span)
        within = [mention for mention in mentions if mention.start < end and start < mention.end]
        forms.append(_InclusiveForm(start, end, within))
    if not forms:
        return mentions
    replaced: set[Mention] = set()
    inclusive = []
    new_entity = _next_entity(mentions)
    for entity_of_form, form in enumerate(forms, start=new_entity):
        replaced.update(form.within)
        entity = form.within[0].entity if form.within else entity_of_form
        words = text[form.start : form.end]
        mention = Mention(form.start, form.end, words, "noun", INCLUSIVE, entity, "inclusive")
        inclusive.append(mention)
    kept = [mention for mention in mentions if mention not in replaced]
    return sorted(kept + inclusive, key=lambda mention: mention.start)


def _next_entity(mentions: Iterable[Mention]) -> int:
    """Find a number above those of all persons."""
    entities = [mention.entity for mention in mentions]
    return max(entities, default=-1) + 1
