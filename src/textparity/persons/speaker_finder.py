"""Find who is quoted in texts of a language that has a pipeline and rules for quotes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from textparity.counting import GENDERS
from textparity.folding import Folded, Folding
from textparity.persons.actor_languages import WordLists
from textparity.persons.mentions import UNSPECIFIED, Mention
from textparity.persons.people import MentionedPerson
from textparity.persons.pipeline_finder import PipelineFinder
from textparity.persons.speakers import AttributedQuote, find_quotes, people_quoted
from textparity.persons.term_finder import fold_texts, place_in_original


@dataclass(frozen=True)
class SpeakerMention(Mention):
    """A mention of somebody who is quoted. `quoted_words` are those of all quotes, at the first mention in a text."""

    quoted_words: int = 0


@dataclass(frozen=True)
class QuotedText:
    """The mentions and quotes of a text, as annotated or found."""

    mentions: tuple[Mention, ...]
    quotes: tuple[AttributedQuote, ...]

    @property
    def sources(self) -> list[MentionedPerson]:
        """The people who are quoted, once each."""
        return people_quoted(self.quotes, self.mentions)


class SpeakerFinder:
    """A method that finds only the mentions of those who are quoted, with the number of words that they say."""

    def __init__(self, finder: PipelineFinder, words: WordLists, folding: Folding) -> None:
        self._finder, self._words, self._folding = finder, words, folding

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of speakers in each text, in text order."""
        for quoted in self.find_quotes(texts):
            yield mentions_of_speakers(quoted)

    def find_quotes(self, texts: Sequence[str]) -> Iterator[QuotedText]:
        """Find all mentions and quotes of each text, in text order."""
        folded_texts = fold_texts(texts, self._folding)
        parsed_texts = self._finder.parse([folded.text for folded in folded_texts])
        for folded, parsed in zip(folded_texts, parsed_texts, strict=True):
            mentions = tuple(parsed.mentions)
            quotes = find_quotes(parsed.doc, mentions, self._words)
            quoted = QuotedText(mentions, tuple(quotes))
            yield _place_in_original(quoted, folded)


def _place_in_original(quoted: QuotedText, folded: Folded) -> QuotedText:
    """Give the mentions and quotes of a folded text their positions in the original."""
    quotes = []
    for quote in quoted.quotes:
        spans = tuple(folded.place(start, end) for start, end in quote.spans)
        quotes.append(replace(quote, spans=spans))
    mentions = tuple(place_in_original(mention, folded) for mention in quoted.mentions)
    return QuotedText(mentions, tuple(quotes))


def mentions_of_speakers(quoted: QuotedText) -> list[Mention]:
    """List the mentions of the people and groups who are quoted."""
    words_left: Counter[int | None] = Counter()
    for quote in quoted.quotes:
        words_left[quote.speaker] += quote.words
    gender_of = {person.entity: person.gender for person in quoted.sources}
    speakers: list[Mention] = []
    for mention in quoted.mentions:
        if mention.entity not in words_left:
            continue
        quoted_words = words_left[mention.entity]
        words_left[mention.entity] = 0
        gender = gender_of.get(mention.entity, UNSPECIFIED)
        if mention.gender == UNSPECIFIED and gender in GENDERS:
            # The pronoun of a reporting clause may refer to somebody whose gender nothing else shows.
            mention = replace(mention, gender=gender, evidence="pronouns")
        speakers.append(SpeakerMention(**vars(mention), quoted_words=quoted_words))
    return speakers
