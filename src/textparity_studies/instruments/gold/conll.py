"""Read coreference in the column formats of CoNLL: UD GUM, OpenBoek and GerDraCor-coref."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from textparity.errors import InputError
from textparity.persons.mentions import UNSPECIFIED
from textparity.tsv import read_tsv
from textparity_studies.instruments.gold.texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    cut_into_pieces,
    give_genders,
    read_lines,
)

# The eighth cell is the number of a word, the last its chains.
_GERDRACOR_CELLS = 11
# Plural pronouns of the first and second person.
_PLURAL = ("wir", "uns", "euch")


def read_gum(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the documents of UD GUM (CoNLL-U; entities and coreference in the column MISC)."""
    document: _Document | None = None
    for number, line in enumerate(read_lines(path), start=1):
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
    """Collect a document of GUM while it is read."""

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
            # A token of several words (don't): its words are consecutive in its text.
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
        document = AnnotatedText(self.name, self.name, self.genre, self.text, tuple(mentions))
        return give_genders(document, words)


@dataclass(frozen=True)
class _Token:
    """Hold a token: its cells, its sentence and place in it, and its place in the text."""

    cells: list[str]
    sentence: int
    place: int
    start: int
    end: int


@dataclass(frozen=True)
class _Columns:
    """Hold a file of CoNLL-2012: its text, its tokens, and the spans of chains (chain, first and last token)."""

    text: str
    tokens: list[_Token]
    spans: list[tuple[str, int, int]]


def _read_columns(path: Path, least: int) -> _Columns:
    """Read a file of CoNLL-2012 as text with one sentence per line; each token has at `least` this many cells."""
    words: list[str] = []
    tokens: list[_Token] = []
    spans: list[tuple[str, int, int]] = []
    opened: defaultdict[str, list[int]] = defaultdict(list)
    sentence, place, start = -1, 0, 0
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip() or line.startswith("#"):
            if place:
                words[-1] = words[-1].rstrip() + "\n"
                place = 0
            continue
        cells = normalize("NFC", line).split("\t")
        if len(cells) < least:
            raise InputError(f"{path}, line {number}: has {len(cells)} cells, {least} are needed")
        sentence += place == 0
        here = len(tokens)
        tokens.append(_Token(cells, sentence, place, start, start + len(cells[3])))
        words.append(cells[3] + " ")
        place, start = place + 1, start + len(words[-1])
        for part in filter(None, cells[-1].split("|")):
            group = part.strip("()")
            if part.startswith("("):
                opened[group].append(here)
            if part.endswith(")") and opened[group]:
                spans.append((group, opened[group].pop(), here))
    return _Columns("".join(words), tokens, spans)


def read_openboek(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the text of a novel of OpenBoek (CoNLL-2012; `features/{name}.tsv` has the gender of each person)."""
    features = path.parents[1] / "features" / f"{path.stem}.tsv"
    labels = {
        tuple(map(int, (row["sentno"], row["begin"], row["end"]))): row
        for row in read_tsv(features, at_least=("sentno", "begin", "end", "gender", "category"))
    }
    read = _read_columns(path, least=6)
    genders: dict[str, str] = {}
    for group, first, last in read.spans:
        token = read.tokens[first]
        row = labels.get((token.sentence, token.place, token.place + last - first + 1))
        if row is not None and row["gender"] in ("m", "f", "fm"):
            genders.setdefault(group, GENDER_OF_LABEL.get(row["gender"], UNSPECIFIED))
    mentions = []
    for group, first, last in read.spans:
        if group in genders:
            tags = [token.cells[4] for token in read.tokens[first : last + 1]]
            is_pronoun = first == last and tags[0].startswith("VNW")
            is_name = any(tag.startswith(("N[eigen", "SPEC[deeleigen")) for tag in tags)
            of_kind = "pronoun" if is_pronoun else "name" if is_name else "noun"
            start, end = read.tokens[first].start, read.tokens[last].end
            found = read.text[start:end]
            mentions.append(AnnotatedMention(start, end, found, of_kind, genders[group], int(group), "annotated"))
    yield give_genders(AnnotatedText(path.stem, path.stem, "novel", read.text, tuple(mentions)), words)


def read_gerdracor(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over a play of GerDraCor-coref (CoNLL-2012 with the number of words) in pieces.

    The annotation does not mark persons. We take the chains in which somebody speaks or is addressed, by a pronoun of
    the first or second person.
    """
    read = _read_columns(path, least=_GERDRACOR_CELLS)
    chains: defaultdict[str, list[list[_Token]]] = defaultdict(list)
    for group, first, last in read.spans:
        # Drop the full stop after a speaker's name.
        last -= last > first and read.tokens[last].cells[3] == "."
        chains[group].append(read.tokens[first : last + 1])
    mentions: list[AnnotatedMention] = []
    shows: list[str] = []
    for number, chain in enumerate(chains.values()):
        others = [tokens for tokens in chain if not _is_of_speech(tokens, words)]
        if len(others) == len(chain):
            continue
        shown = [_shows(tokens) for tokens in others]
        plural = sum(len(tokens) == 1 and tokens[0].cells[3].lower() in _PLURAL for tokens in chain)
        # *Ihr* is also the plural of *du*, so a group that calls itself *wir* would wrongly show women.
        shows += [""] * len(others) if plural > sum(map(words.is_pronoun, filter(None, shown))) else shown
        for tokens in others:
            is_name = any(token.cells[4] == "NE" for token in tokens)
            of_kind = "pronoun" if _is_pronoun(tokens) else "name" if is_name else "noun"
            start, end = tokens[0].start, tokens[-1].end
            mentions.append(AnnotatedMention(start, end, read.text[start:end], of_kind, "", number, "annotated"))
    name = path.name.partition(".")[0]
    play = AnnotatedText(name, name, "play", read.text, tuple(mentions))
    yield from cut_into_pieces(give_genders(play, words, shows=shows), "\n")


def _is_pronoun(tokens: list[_Token]) -> bool:
    return len(tokens) == 1 and tokens[0].cells[4].startswith("P")


def _is_of_speech(tokens: list[_Token], words: GoldWords) -> bool:
    """Check for a first- or second-person pronoun, also one whose capital may make it a form of address (*Sie*)."""
    form = tokens[0].cells[3]
    is_address = form[0].isupper() and (tokens[0].place > 0 or form.startswith(("Sie", "Ih")))
    return _is_pronoun(tokens) and (is_address or not words.is_mention(form))


def _shows(tokens: list[_Token]) -> str:
    """Return the words of a mention that may show a gender: none for a pronoun that is not singular (*sie*)."""
    return "" if _is_pronoun(tokens) and tokens[0].cells[7] != "sg" else " ".join(token.cells[3] for token in tokens)
