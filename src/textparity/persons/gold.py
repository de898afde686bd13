"""Texts whose mentions of persons were annotated by hand, one reader a format.

A mention has a gender only where the annotation shows it: its own label, else that of its chain, by the chain's
third-person pronouns, else by its titles and gendered nouns (`resources/persons/gold_words.tsv`). A chain that shows
both genders was joined by a link too many (in fr-litbank one has *il* 72 times and *elle* more often): there, a mention
has the gender that it shows itself, else that of those linked to it most closely. Pronouns of the first and second
person are no mentions.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from unicodedata import normalize
from zlib import crc32

from textparity.errors import InputError
from textparity.measures.tag_counts import PERSON
from textparity.measures.tagged_sentences import read_gold
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention
from textparity.persons.passages import UNDETERMINED, read_passages
from textparity.tsv import read_tsv

# What shows the gender of an annotated mention: its own label, pronouns of its chain, or titles and nouns alone.
LABEL, PRONOUNS, NOUNS = "label", "pronouns", "nouns"
GENDERS = (FEMININE, MASCULINE)
DEVELOPMENT, KEPT = "development", "kept"
WORD_COLUMNS = ("lang", "word", "shows")
# Of a chain: pronouns are asked before titles and nouns.
_SHOWS = {
    "feminine_pronoun": ("pronouns", FEMININE),
    "masculine_pronoun": ("pronouns", MASCULINE),
    "feminine_noun": ("nouns", FEMININE),
    "masculine_noun": ("nouns", MASCULINE),
    "no_mention": ("", ""),
    "pronoun": ("", ""),
}
# The share of the rarer gender in a chain up to which it is taken for a slip of the annotation.
MOST_SLIPS = 0.1
_GENDER_OF_LABEL = {"m": MASCULINE, "f": FEMININE}


@dataclass(frozen=True)
class AnnotatedMention(Mention):
    """An annotated mention; `head_start` to `head_end` is the word or name that it turns on, if that is known."""

    head_start: int = -1
    head_end: int = -1


@dataclass(frozen=True)
class AnnotatedText:
    """One text; `unit` is the document (what is resampled), `genre` its kind of text."""

    id: str
    unit: str
    genre: str
    text: str
    mentions: tuple[AnnotatedMention, ...]
    held_out: bool | None = None

    @property
    def half(self) -> str:
        """The half that its document is in, where the file does not say: methods are tuned on `development` alone."""
        if self.held_out is not None:
            return KEPT if self.held_out else DEVELOPMENT
        return DEVELOPMENT if crc32(self.unit.encode()) % 2 else KEPT


class GoldWords:
    """Words of a language that show the gender of a chain, and those that are no mention of a third person."""

    def __init__(self, path: Path, lang: str) -> None:
        self._shows: defaultdict[str, set[str]] = defaultdict(set)
        for line, row in enumerate(read_tsv(path, WORD_COLUMNS), start=2):
            if row["shows"] not in _SHOWS:
                raise InputError(f"{path}, line {line}: shows {row['shows']!r} is none of {', '.join(_SHOWS)}")
            if row["lang"] == lang:
                self._shows[row["word"]].add(row["shows"])

    def is_mention(self, text: str) -> bool:
        """Whether a span may be a mention: it is no pronoun of the first or second person."""
        return "no_mention" not in self._shows.get(_clean(text), ())

    def is_pronoun(self, text: str) -> bool:
        """Whether a span is a pronoun of the third person."""
        return any(shows.endswith("pronoun") for shows in self._shows.get(_clean(text), ()))

    def has_pronoun(self, chain: Iterable[str]) -> bool:
        """Whether a pronoun of a chain shows its gender."""
        return bool(self._count("pronouns", map(_clean, chain)))

    def shown(self, chain: Iterable[str]) -> Counter[str]:
        """Return how often the mentions of one person show each gender: by pronouns, or by nouns where those do not."""
        chain = list(chain)
        by_pronouns = self._count("pronouns", map(_clean, chain))
        if len(set(by_pronouns.values())) > 1 or len(by_pronouns) == 1:
            return by_pronouns
        return self._count("nouns", map(str.lower, chain)) + by_pronouns

    def _count(self, kind: str, mentions: Iterable[str]) -> Counter[str]:
        shown: Counter[str] = Counter()
        for mention in mentions:
            # The old-uncle is an uncle; men and women show both, once.
            words = {mention} if kind == "pronouns" else set(re.findall(r"[\w.]+", mention))
            pairs = (_SHOWS[shows] for word in words for shows in self._shows.get(word, ()))
            shown.update({gender for of_kind, gender in pairs if of_kind == kind})
        return shown


def majority(shown: Counter[str]) -> str:
    """Return the gender shown most often; unspecified for none, or for as many of both."""
    (first, number), (_, second) = (*shown.most_common(2), ("", 0), ("", 0))[:2]
    return first if number > second else UNSPECIFIED


def _clean(text: str) -> str:
    return text.lower().strip(" \n").strip("’'-") or text


def read_gum(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Yield the documents of UD GUM (CoNLL-U; entities and coreference in the column MISC)."""
    document: _Document | None = None
    for number, line in enumerate(_lines(path), start=1):
        if line.startswith("# newdoc id = "):
            if document is not None:
                yield document.finish(words)
            document = _Document(line.partition(" = ")[2], "")
        elif document is None:
            raise InputError(f"{path}, line {number}: stands before the first document (# newdoc id)")
        elif line.startswith("# meta::genre = "):
            document.genre = line.partition(" = ")[2]
        elif line.startswith("# newpar"):
            document.break_line()
        elif line and line[0] != "#":
            cells = line.split("\t")
            if len(cells) != 10:
                raise InputError(f"{path}, line {number}: has {len(cells)} cells, CoNLL-U has 10")
            document.add_word(cells)
    if document is not None:
        yield document.finish(words)


class _Document:
    """A document of GUM while it is read."""

    def __init__(self, name: str, genre: str) -> None:
        self.name, self.genre, self.text = name, genre, ""
        self._words: list[tuple[int, int, str]] = []
        self._open: list[tuple[str, str, str, int]] = []
        self._spans: list[tuple[str, str, str, int, int]] = []
        self._joined: list[int] = []
        self._rest: tuple[int, int] = (0, 0)

    def break_line(self) -> None:
        self.text = self.text.rstrip() + "\n" if self.text else ""

    def add_word(self, cells: list[str]) -> None:
        number, form, misc = cells[0], cells[1], cells[9]
        space = "" if "SpaceAfter=No" in misc.split("|") else " "
        if "." in number:
            return
        if "-" in number:
            # A token of several words (don't): they stand in its text one after the other.
            first, last = map(int, number.split("-"))
            self._joined = list(range(first, last + 1))
            self._rest = (len(self.text), len(self.text) + len(form))
            self.text += form + space
            return
        if self._joined and int(number) in self._joined:
            found = self.text.find(form, *self._rest)
            start, end = (found, found + len(form)) if found >= 0 else self._rest
            self._rest = (end if found >= 0 else self._rest[0], self._rest[1])
            if int(number) == self._joined[-1]:
                self._joined = []
        else:
            start, end = len(self.text), len(self.text) + len(form)
            self.text += form + space
        self._words.append((start, end, cells[3]))
        self._add_entities(misc, len(self._words) - 1)

    def _add_entities(self, misc: str, place: int) -> None:
        found = re.search(r"(?:^|\|)Entity=([^|]*)", misc)
        for part in re.findall(r"\([^()]*\)?|[^()]+\)", found[1]) if found else ():
            if part.startswith("("):
                group, kind, *_, heads = [*part.strip("()").split("-")][:6]
                if part.endswith(")"):
                    self._spans.append((group, kind, heads, place, place))
                else:
                    self._open.append((group, kind, heads, place))
            else:
                group = part.strip(")").split("-")[0]
                for number in range(len(self._open) - 1, -1, -1):
                    if self._open[number][0] == group:
                        self._spans.append((*self._open.pop(number), place))
                        break

    def finish(self, words: GoldWords) -> AnnotatedText:
        mentions = []
        for group, kind, heads, first, last in self._spans:
            if kind != "person":
                continue
            start, end = self._words[first][0], self._words[last][1]
            inside = sorted(first + int(head) - 1 for head in heads.split(",") if head.isdigit())
            inside = [place for place in inside if first <= place <= last] or [last]
            tags = {self._words[place][2] for place in inside}
            of_kind = "pronoun" if tags <= {"PRON", "DET"} else "name" if "PROPN" in tags else "noun"
            head_start, head_end = self._words[inside[0]][0], self._words[inside[-1]][1]
            text = self.text[start:end]
            mentions.append(
                AnnotatedMention(start, end, text, of_kind, "", int(group), "annotated", head_start, head_end)
            )
        return _finish(self.name, self.name, self.genre, self.text, mentions, words)


def _finish(
    name: str,
    unit: str,
    genre: str,
    text: str,
    mentions: list[AnnotatedMention],
    words: GoldWords,
    links: Iterable[tuple[int, int]] = (),
) -> AnnotatedText:
    """Give each mention the gender of its chain, and leave out the first and second person.

    `links` are pairs of mentions by their places in the list; without, neighbours in a chain are linked.
    """
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
    for chain in chains.values():
        texts = [mentions[number].text for number in chain]
        shown = words.shown(texts)
        by_pronouns = words.has_pronoun(texts)
        is_split = bool(shown) and min(shown[gender] for gender in GENDERS) > MOST_SLIPS * shown.total()
        genders |= _split(chain, mentions, words, linked) if is_split else dict.fromkeys(chain, majority(shown))
        for number in chain:
            # Of a chain that was split, what a mention does not show itself is only likely.
            shows = words.has_pronoun([mentions[number].text]) if is_split else by_pronouns
            evidence[number] = PRONOUNS if shows else NOUNS if shown else ""
    kept = [
        replace(
            mention,
            gender=mention.gender or genders[number],
            evidence=LABEL if mention.gender else evidence[number],
        )
        for number, mention in enumerate(mentions)
        if words.is_mention(mention.text)
    ]
    return AnnotatedText(name, unit, genre, text, tuple(sorted(kept, key=lambda mention: (mention.start, mention.end))))


def _split(
    chain: list[int], mentions: list[AnnotatedMention], words: GoldWords, linked: dict[int, list[int]]
) -> dict[int, str]:
    """Return the genders of a chain that shows both: by the mention itself, else by the nearest that show one."""
    own = {number: majority(words.shown([mentions[number].text])) for number in chain}
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


def read_brat(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Yield the text of a BRAT pair (`.ann`, with the `.txt` beside it), whose persons are `PER`, as in fr-litbank."""
    text = path.with_suffix(".txt").read_text("utf-8")
    spans: dict[str, tuple[str, int, int]] = {}
    parents: dict[str, str] = {}
    relations: list[tuple[str, str]] = []
    for number, line in enumerate(_lines(path), start=1):
        key, *cells = line.split("\t")
        if key.startswith("T"):
            kind, *places = re.split(r"[ ;]", cells[0])
            spans[key] = (kind, int(places[0]), int(places[-1]))
            parents.setdefault(key, key)
            if spans[key][2] > len(text):
                raise InputError(f"{path}, line {number}: {key} ends after the text")
        elif key.startswith("R") and (linked := re.findall(r"Arg[12]:(T\d+)", line)):
            one, other = linked
            relations.append((one, other))
            parents[_root(parents, one)] = _root(parents, other)
    mentions: list[AnnotatedMention] = []
    numbers: dict[str, int] = {}
    for key, (kind, start, end) in spans.items():
        if kind == "PER":
            numbers[key] = len(mentions)
            found = text[start:end]
            start, end = start + len(found) - len(found.lstrip()), end - len(found) + len(found.rstrip())
            found = text[start:end]
            of_kind = "pronoun" if words.is_pronoun(found) else "name" if _has_name(text, start, end) else "noun"
            entity = int(_root(parents, key)[1:])
            mentions.append(AnnotatedMention(start, end, found, of_kind, "", entity, "annotated"))
    links = [(numbers[one], numbers[other]) for one, other in relations if one in numbers and other in numbers]
    yield _finish(path.stem, path.stem, "novel", text, mentions, words, links)


def _has_name(text: str, start: int, end: int) -> bool:
    """Whether a word of a span has a capital that is not that of a sentence's beginning."""
    for word in re.finditer(r"\w+", text[start:end]):
        before = text[: start + word.start()].rstrip(' \n«—–-“"')
        if word[0][0].isupper() and before and before[-1] not in ".!?…:;":
            return True
    return False


def _root(parents: dict[str, str], key: str) -> str:
    while parents.setdefault(key, key) != key:
        key = parents[key]
    return key


def read_openboek(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Yield the text of a novel of OpenBoek (CoNLL-2012; `features/{name}.tsv` has the gender of each person)."""
    features = path.parents[1] / "features" / f"{path.stem}.tsv"
    labels = {
        tuple(map(int, (row["sentno"], row["begin"], row["end"]))): row
        for row in read_tsv(features, at_least=("sentno", "begin", "end", "gender", "category"))
    }
    text, sentence = "", -1
    places: list[int] = []
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    spans: list[tuple[str, int, int, int, int]] = []
    tags: list[str] = []
    bounds: list[tuple[int, int]] = []
    for line in _lines(path):
        if not line.strip() or line.startswith("#"):
            if places:
                text, places = text.rstrip() + "\n", []
            continue
        cells = line.split("\t")
        if not places:
            sentence += 1
        place = len(places)
        places.append(place)
        bounds.append((len(text), len(text) + len(cells[3])))
        tags.append(cells[4])
        text += cells[3] + " "
        for part in filter(None, cells[-1].split("|")):
            group = part.strip("()")
            if part.startswith("("):
                opened[group].append((place, len(bounds) - 1))
            if part.endswith(")") and opened[group]:
                begun, first = opened[group].pop()
                spans.append((group, sentence, begun, first, len(bounds) - 1))
    genders: dict[str, str] = {}
    for group, number, begun, first, last in spans:
        row = labels.get((number, begun, begun + last - first + 1))
        if row is not None and row["gender"] in ("m", "f", "fm"):
            genders.setdefault(group, _GENDER_OF_LABEL.get(row["gender"], UNSPECIFIED))
    mentions = []
    for group, _, _, first, last in spans:
        if group in genders:
            start, end = bounds[first][0], bounds[last][1]
            is_pronoun = first == last and tags[first].startswith("VNW")
            is_name = any(tag.startswith(("N[eigen", "SPEC[deeleigen")) for tag in tags[first : last + 1])
            of_kind = "pronoun" if is_pronoun else "name" if is_name else "noun"
            mentions.append(
                AnnotatedMention(start, end, text[start:end], of_kind, genders[group], int(group), "annotated")
            )
    yield _finish(path.stem, path.stem, "novel", text, mentions, words)


def read_marked_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Yield the sentences of one version of MT-GenEval, a line each, with gendered words in `<F>…</F>` or `<M>…</M>`.

    A mark is a mention; words that only agree with a person (*elegida*) are marked as well. Both versions of a sentence
    have its number for their unit.
    """
    for number, line in enumerate(_lines(path), start=1):
        pieces = re.split(r"(</?[FM]>)", normalize("NFC", line.strip()))
        text, begun, mentions = "", -1, []
        for place, piece in enumerate(pieces):
            if place % 2 == 0:
                text += piece
            elif piece.startswith("</") == (begun < 0):
                raise InputError(f"{path}, line {number}: {piece} has no partner")
            elif begun < 0:
                begun = len(text)
            else:
                marked, gender = text[begun:], _GENDER_OF_LABEL[piece[2].lower()]
                of_kind = (
                    "pronoun" if words.is_pronoun(marked) else "name" if _has_name(text, begun, len(text)) else "noun"
                )
                mentions.append(AnnotatedMention(begun, len(text), marked, of_kind, gender, 0, "annotated"))
                begun = -1
        if begun >= 0:
            raise InputError(f"{path}, line {number}: a mark is not closed")
        yield AnnotatedText(f"{path.stem}/{number}", str(number), "sentence", text, tuple(mentions))


def read_tagged_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Yield sentences in blocks of `"sentence" "word - P, M⏎…"` (Derner 2025); `P` is a person, `M` or `F` the gender.

    The gender is grammatical: *persona* is feminine. Tagged words that stand together (*Señor Presidente*) are one
    mention.
    """
    for number, sentence in enumerate(read_gold(path), start=1):
        text, end, mentions = sentence.sentence, 0, list[AnnotatedMention]()
        for tag in sentence.tags:
            place = re.compile(rf"(?<!\w){re.escape(tag.word)}(?!\w)").search(text, end)
            # A word that the sentence has not, or that stands before the last one, has no place.
            if place is None or tag.person != PERSON:
                end = place.end() if place else end
                continue
            gender, start, end = _GENDER_OF_LABEL[tag.gender.lower()], *place.span()
            if mentions and mentions[-1].gender == gender and text[mentions[-1].end : start].strip() == "":
                start = mentions.pop().start
            of_kind = "pronoun" if words.is_pronoun(text[start:end]) else "noun"
            mentions.append(AnnotatedMention(start, end, text[start:end], of_kind, gender, len(mentions), "annotated"))
        yield AnnotatedText(f"{path.stem}/{number}", str(number), "sentence", text, tuple(mentions))


def _lines(path: Path) -> Iterator[str]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def read_news_passages(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Yield the annotated passages of the newsroom: actors with a name or called by a few nouns, and their pronouns."""
    genders = {UNDETERMINED: UNSPECIFIED}
    for passage in read_passages(path, words.is_pronoun):
        numbers = {key: number for number, key in enumerate(passage.actors)}
        kinds = {"named": "name", "generic": "noun"}
        mentions = [
            AnnotatedMention(
                one.start,
                one.end,
                passage.text[one.start : one.end],
                kinds.get(one.kind, one.kind),
                genders.get(passage.actors[one.actor].gender, passage.actors[one.actor].gender),
                numbers[one.actor],
                LABEL,
            )
            for one in passage.mentions
        ]
        finished = _finish(passage.id, passage.id, "", passage.text, mentions, words)
        yield replace(finished, held_out=passage.held_out)


def read_entities(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Yield titles and names with their grammatical gender, each a text of its own: TSV of entity, label and gender.

    A gender that is neither (of words for both, of names that do not tell) is unspecified.
    """
    kinds = {"JOB": ("noun", "title"), "PERS": ("name", "name")}
    for number, row in enumerate(read_tsv(path, at_least=("entity", "label", "gender", "held_out")), start=1):
        if row["label"] not in kinds:
            raise InputError(f"{path}, line {number + 1}: label {row['label']!r} is none of {', '.join(kinds)}")
        kind, genre = kinds[row["label"]]
        gender = row["gender"] if row["gender"] in GENDERS else UNSPECIFIED
        text = row["entity"]
        mention = AnnotatedMention(0, len(text), text, kind, gender, 0, LABEL)
        is_held_out = row["held_out"] == "yes"
        yield AnnotatedText(f"{path.stem}/{number}", str(number), genre, text, (mention,), is_held_out)


READERS: dict[str, Callable[[Path, GoldWords], Iterator[AnnotatedText]]] = {
    "gum": read_gum,
    "brat": read_brat,
    "openboek": read_openboek,
    "marked": read_marked_sentences,
    "tagged": read_tagged_sentences,
    "passages": read_news_passages,
    "entities": read_entities,
}
