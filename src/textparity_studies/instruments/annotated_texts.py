"""Represent annotated texts, and derive the gender of each mention from the annotation.

A mention has a gender only if the annotation shows it: its own label, else that of its chain. The chain's gender
follows from its third-person pronouns, else from its titles and gendered nouns (`resources/persons/gold_words.tsv`). A
chain that shows both genders contains a wrong link (one in fr-litbank has *il* 72 times and *elle* more often). There,
a mention has the gender that it shows itself, else that of the mentions linked to it most closely. Pronouns of the
first and second person are not mentions.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from pathlib import Path
from zlib import crc32

from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity.files import read_tsv
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention
from textparity.persons.speaker_finder import QuotedText
from textparity.persons.speakers import AttributedQuote

# The evidence for the gender of an annotated mention: its own label, pronouns of its chain, or titles and nouns alone.
LABEL, PRONOUNS, NOUNS = "label", "pronouns", "nouns"
DEVELOPMENT, KEPT = "development", "kept"
# The marks of the first of two readers count.
FIRST_READER = "A"
ARTICLE_COLUMNS = ("article", "lang", "source", "path", "first", "last", "sha256")
MENTION_COLUMNS = ("article", "lang", "reader", "person", "gender", "group", "kind", "start", "end")
QUOTE_COLUMNS = ("article", "lang", "reader", "quote", "speaker", "kind", "start", "end")
READ_GENDERS = (FEMININE, MASCULINE, "neither", "unknown")
MARK_COLUMNS = ("treebank", "sentence", "word", "gender")
WORD_COLUMNS = ("lang", "word", "shows")
# Pronouns decide the gender of a chain before titles and nouns.
_SHOWS = {
    "feminine_pronoun": ("pronouns", FEMININE),
    "masculine_pronoun": ("pronouns", MASCULINE),
    "feminine_noun": ("nouns", FEMININE),
    "masculine_noun": ("nouns", MASCULINE),
    "no_mention": ("", ""),
    "pronoun": ("", ""),
    "no_gender": ("", ""),
    "feminine_article": ("nouns", FEMININE),
    "masculine_article": ("nouns", MASCULINE),
    "group": ("", ""),
    "plural": ("", ""),
    "particle": ("", ""),
}
# Words that may follow the head of a mention, in the languages with plurals in the table (*one of the men*).
_AFTER_HEAD = frozenset({
    "of", "who", "whom", "whose", "that", "which", "in", "with", "on", "at", "from", "to",
    "de", "du", "des", "qui", "que", "dont", "où", "à",
    "von", "der", "mit", "aus",
    "che", "di", "del", "della",
})  # fmt: skip
# So many particles may follow a word (Korean *자매-들-에게-는*).
_PARTICLES = 4
# Up to this share in a chain, the rarer gender is regarded as an annotation error.
MOST_SLIPS = 0.1
GENDER_OF_LABEL = {"m": MASCULINE, "f": FEMININE}
# A long text is cut at the first break after this many characters: about 2,000 words, as long as LitBank's excerpts.
PIECE_CHARACTERS = 10_000
# The context before a word that shows whether it begins a sentence; the novel is not copied for each word.
_CHARACTERS_BEFORE = 100


@dataclass(frozen=True)
class AnnotatedMention(Mention):
    """An annotated mention; `head_start` to `head_end` is its head word or name, if known.

    The gender is empty until `give_genders` finds that of the chain.
    """

    head_start: int = -1
    head_end: int = -1

    @classmethod
    def at(
        cls,
        text: str,
        start: int,
        end: int,
        kind: str,
        gender: str = "",
        entity: int = 0,
        head: tuple[int, int] = (-1, -1),
    ) -> "AnnotatedMention":
        """Mark the characters from `start` to `end` of a text."""
        head_start, head_end = head
        words = text[start:end]
        return cls(start, end, words, kind, gender, entity, LABEL, head_start=head_start, head_end=head_end)


@dataclass(frozen=True)
class AnnotatedText:
    """A text and its mentions; `unit` is the document (the unit of resampling), and `genre` its kind of text.

    `quoted` has the quotes and the mentions of their speakers, if they are annotated.
    """

    id: str
    unit: str
    genre: str
    text: str
    mentions: tuple[AnnotatedMention, ...]
    held_out: bool | None = None
    quoted: QuotedText | None = None

    @property
    def half(self) -> str:
        """The half of its document, if the file does not give one; methods are tuned on `development` alone."""
        if self.held_out is not None:
            return KEPT if self.held_out else DEVELOPMENT
        return DEVELOPMENT if crc32(self.unit.encode()) % 2 else KEPT


class GivenNames:
    """The given names in treebanks that do not tell them from other proper nouns, as we marked them by reading."""

    def __init__(self, path: Path) -> None:
        self._genders: dict[tuple[str, str, str], str] = {}
        self._treebanks: set[str] = set()
        for row in read_tsv(path, MARK_COLUMNS, allowed={"gender": GENDERS}):
            self._treebanks.add(row["treebank"])
            self._genders[row["treebank"], row["sentence"], row["word"]] = row["gender"]

    def has(self, treebank: str) -> bool:
        """Check whether a treebank (the stem of its file) was read."""
        return treebank in self._treebanks

    def gender(self, treebank: str, sentence: str, word: str) -> str:
        """Find the gender of a marked name by the ids of its sentence and word; empty for another word."""
        return self._genders.get((treebank, sentence, word), "")


@dataclass(frozen=True)
class NewsReadings:
    """The articles that were read, by the path of their file; and a reader's marks and quotes by article."""

    articles: dict[str, list[dict[str, str]]]
    marks: dict[tuple[str, str], list[dict[str, str]]]
    quotes: dict[tuple[str, str], list[AttributedQuote]]

    @classmethod
    def load(cls, articles: Path, mentions: Path, quotes: Path) -> "NewsReadings":
        """Read the tables of articles, mentions and quotes."""
        by_path: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
        for row in read_tsv(articles, ARTICLE_COLUMNS):
            by_path[row["path"]].append(row)
        marks: defaultdict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
        for row in read_tsv(mentions, MENTION_COLUMNS, allowed={"gender": READ_GENDERS}):
            if row["reader"] == FIRST_READER:
                marks[row["lang"], row["article"]].append(row)
        return cls(dict(by_path), dict(marks), read_annotated_quotes(quotes))

    def articles_of(self, path: Path) -> list[dict[str, str]]:
        """Look up the articles of a file by its name."""
        return next((rows for name, rows in self.articles.items() if Path(name).name == path.name), [])


def read_annotated_quotes(path: Path) -> dict[tuple[str, str], list[AttributedQuote]]:
    """Read the quotes that the first reader marked in news, by language and article, in the order of the file."""
    rows_of: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for row in read_tsv(path, QUOTE_COLUMNS):
        if row["reader"] == FIRST_READER:
            rows_of.setdefault((row["lang"], row["article"], row["quote"]), []).append(row)
    quotes: dict[tuple[str, str], list[AttributedQuote]] = {}
    for (lang, article, _), parts in rows_of.items():
        spans = tuple((int(part["start"]), int(part["end"])) for part in parts)
        speaker = parts[0]["speaker"]
        is_direct = parts[0]["kind"] != "indirect"
        quote = AttributedQuote(spans, is_direct, int(speaker) if speaker else None)
        quotes.setdefault((lang, article), []).append(quote)
    return quotes


class GoldWords:
    """The words of a language that show the gender of a chain, and those that are no third-person mention.

    A word that is not listed is looked up without the particles of its language at its end (Korean *그녀-는*). A noun
    with `no_gender` means both genders, whatever its article or ending shows (Italian *la persona*). A `group` is
    several persons (*they*, *the family*), and a `plural` the head of a mention of several. `given_names` are those
    marked in treebanks, and `news` the marks in news, of any language.
    """

    def __init__(
        self, path: Path, lang: str, given_names: GivenNames | None = None, news: NewsReadings | None = None
    ) -> None:
        self.given_names, self.news = given_names, news
        self._shows: defaultdict[str, set[str]] = defaultdict(set)
        for line, row in enumerate(read_tsv(path, WORD_COLUMNS), start=2):
            if row["shows"] not in _SHOWS:
                raise InputError(f"{path}, line {line}: shows {row['shows']!r} is not one of {', '.join(_SHOWS)}")
            if row["lang"] == lang:
                self._shows[row["word"]].add(row["shows"])
        self._particles = tuple(word for word, shows in self._shows.items() if "particle" in shows)

    def _look_up(self, word: str) -> set[str]:
        """Find what a word shows, without particles if need be."""
        stems = [word]
        for _ in range(_PARTICLES + 1):
            for stem in stems:
                if stem in self._shows and "particle" not in self._shows[stem]:
                    return self._shows[stem]
            stems = [
                stem.removesuffix(particle)
                for stem in stems
                for particle in self._particles
                if stem.endswith(particle) and stem != particle
            ]
        return set()

    def is_mention(self, text: str) -> bool:
        """Check that a span may be a mention, unlike a pronoun of the first or second person."""
        return "no_mention" not in self._look_up(_clean(text))

    def is_pronoun(self, text: str) -> bool:
        """Check whether a span is a pronoun of the third person."""
        return any(shows.endswith("pronoun") for shows in self._look_up(_clean(text)))

    def is_article(self, text: str) -> bool:
        """Check for an article or another word before a noun that shows its gender."""
        return any(shows.endswith("article") for shows in self._look_up(_clean(text)))

    def is_group(self, text: str) -> bool:
        """Check for a word for several persons, whose gender is not that of each."""
        return "group" in self._look_up(_clean(text))

    def is_of_several(self, text: str) -> bool:
        """Check whether a mention is of several persons: a group, or a plural before its other words."""
        if self.is_group(text):
            return True
        for number, word in enumerate(re.findall(r"\w+", text.lower())):
            if number and word in _AFTER_HEAD:
                return False
            shows = self._look_up(word)
            if "plural" in shows:
                return True
            if any(_SHOWS[value][1] for value in shows):
                return False
        return False

    def has_no_gender(self, text: str) -> bool:
        """Check for a noun that means both genders."""
        return "no_gender" in self._look_up(_clean(text))

    def is_known(self, text: str) -> bool:
        """Check whether a word shows anything, or nothing on purpose."""
        return bool(self._look_up(_clean(text)))

    def has_pronoun(self, chain: Iterable[str]) -> bool:
        """Check whether a pronoun of a chain shows its gender."""
        return bool(self._count("pronouns", map(_clean, chain)))

    def shown(self, chain: Iterable[str]) -> Counter[str]:
        """Count the genders that the mentions of one person show: by pronouns, else by nouns."""
        chain = list(chain)
        by_pronouns = self._count("pronouns", map(_clean, chain))
        if len(set(by_pronouns.values())) > 1 or len(by_pronouns) == 1:
            return by_pronouns
        return self._count("nouns", map(str.lower, chain)) + by_pronouns

    def _count(self, kind: str, mentions: Iterable[str]) -> Counter[str]:
        shown: Counter[str] = Counter()
        for mention in mentions:
            # The old-uncle counts as an uncle; "men and women" shows both genders, once each.
            words = {mention} if kind == "pronouns" else set(re.findall(r"[\w.]+", mention))
            pairs = (_SHOWS[shows] for word in words for shows in self._look_up(word))
            shown.update({gender for of_kind, gender in pairs if of_kind == kind})
        return shown


def majority(shown: Counter[str]) -> str:
    """Find the gender shown most often; unspecified if there is none or a tie."""
    (first, number), (_, second) = (*shown.most_common(2), ("", 0), ("", 0))[:2]
    return first if number > second else UNSPECIFIED


def _clean(text: str) -> str:
    return text.lower().strip(" \n").strip("’'-") or text


def give_genders(
    text: AnnotatedText,
    words: GoldWords,
    links: Iterable[tuple[int, int]] = (),
    shows: Sequence[str] | None = None,
) -> AnnotatedText:
    """Give each mention the gender of its chain, and exclude the first and second person.

    A chain of several persons is a group. `links` are pairs of mentions by their places in the list; without them,
    neighbours in a chain are linked. `shows` has, for each mention, the words that may show its gender; by default, all
    words of the mention.
    """
    mentions = text.mentions
    texts = [mention.text for mention in mentions] if shows is None else shows
    chains: defaultdict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(mentions):
        chains[mention.entity].append(number)
    links = list(links) or [pair for chain in chains.values() for pair in pairwise(chain)]
    linked: defaultdict[int, list[int]] = defaultdict(list)
    for one, other in links:
        linked[one].append(other)
        linked[other].append(one)
    genders: dict[int, str] = {}
    evidence: dict[int, str] = {}
    groups: set[int] = set()
    for chain in chains.values():
        of_chain = [texts[number] for number in chain]
        shown = words.shown(of_chain)
        by_pronouns = words.has_pronoun(of_chain)
        is_split = bool(shown) and min(shown[gender] for gender in GENDERS) > MOST_SLIPS * shown.total()
        genders |= _split(chain, texts, words, linked) if is_split else dict.fromkeys(chain, majority(shown))
        if _is_group(of_chain, words):
            groups.update(chain)
        for number in chain:
            # In a split chain, a gender that the mention does not show itself is only likely.
            has_pronoun = words.has_pronoun([texts[number]]) if is_split else by_pronouns
            evidence[number] = PRONOUNS if has_pronoun else NOUNS if shown else ""
    kept = [
        replace(
            mention,
            gender=mention.gender or genders[number],
            evidence=LABEL if mention.gender else evidence[number],
            is_group=number in groups,
        )
        for number, mention in enumerate(mentions)
        if words.is_mention(mention.text)
    ]
    return replace(text, mentions=tuple(sorted(kept, key=lambda mention: (mention.start, mention.end))))


def _is_group(chain: Sequence[str], words: GoldWords) -> bool:
    """Check whether more mentions of a chain are of several persons than show the gender of one."""
    are_several = [words.is_of_several(text) for text in chain]
    of_one = [text for text, is_several in zip(chain, are_several, strict=True) if not is_several]
    return sum(are_several) > sum(bool(words.shown([text])) for text in of_one)


def _split(chain: list[int], texts: Sequence[str], words: GoldWords, linked: dict[int, list[int]]) -> dict[int, str]:
    """Find the genders in a chain that shows both: by the mention itself, else by the nearest linked ones."""
    own = {number: majority(words.shown([texts[number]])) for number in chain}
    genders = {number: gender for number, gender in own.items() if gender != UNSPECIFIED}
    edge = dict(genders)
    while edge:
        votes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for number, gender in edge.items():
            for other in linked.get(number, ()):
                if other not in genders:
                    votes[other][gender] += 1
        edge = {number: majority(shown) for number, shown in votes.items()}
        genders |= edge
    return {number: genders.get(number, UNSPECIFIED) for number in chain}


def cut_into_pieces(text: AnnotatedText, a_break: str) -> Iterator[AnnotatedText]:
    """Iterate over the pieces of a long text that have a mention, each a text of the same unit.

    A piece ends at the first `a_break` after `PIECE_CHARACTERS`. Persons can then be followed through as much text as
    in an excerpt of a novel, and memory does not grow with the novel.
    """
    start = 0
    for number in count(1):
        if start >= len(text.text):
            return
        found = text.text.find(a_break, start + PIECE_CHARACTERS)
        end = found + len(a_break) if found >= 0 else len(text.text)
        inside = [one for one in text.mentions if start <= one.start and one.end <= end]
        moved = tuple(
            replace(one, start=one.start - start, end=one.end - start, head_start=-1, head_end=-1) for one in inside
        )
        if moved:
            quoted = _cut_quotes(text.quoted, start, end) if text.quoted else None
            yield replace(text, id=f"{text.id}/{number}", text=text.text[start:end], mentions=moved, quoted=quoted)
        start = end


def _cut_quotes(quoted: QuotedText, start: int, end: int) -> QuotedText:
    """Keep the mentions and quotes within a piece, with their positions in it."""
    mentions = []
    for mention in quoted.mentions:
        if start <= mention.start and mention.end <= end:
            mentions.append(replace(mention, start=mention.start - start, end=mention.end - start))
    quotes = []
    for quote in quoted.quotes:
        if all(start <= first and last <= end for first, last in quote.spans):
            spans = tuple((first - start, last - start) for first, last in quote.spans)
            quotes.append(replace(quote, spans=spans))
    return QuotedText(tuple(mentions), tuple(quotes))


def kind_of(text: str, start: int, end: int, words: GoldWords) -> str:
    """Infer the kind of a mention from its words, for annotations without one.

    A name has a word that is capitalised other than at the beginning of a sentence.
    """
    if words.is_pronoun(text[start:end]):
        return "pronoun"
    for word in re.finditer(r"\w+", text[start:end]):
        place = start + word.start()
        before = text[max(0, place - _CHARACTERS_BEFORE) : place].rstrip(' \n«—–-“"')
        if word[0][0].isupper() and before and before[-1] not in ".!?…:;":
            return "name"
    return "noun"


def strip_span(text: str, start: int, end: int, characters: str | None = None) -> tuple[int, int]:
    """Find the start and end of a span without some characters, or white space, at its edges."""
    marked = text[start:end]
    start += len(marked) - len(marked.lstrip(characters))
    return start, start + len(marked.strip(characters))
