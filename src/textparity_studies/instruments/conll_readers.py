"""Read coreference in the column formats of CoNLL: GUM, OpenBoek, GerDraCor-coref, KoCoNovel."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from textparity.errors import InputError
from textparity.files import read_lines
from textparity.persons.mentions import UNSPECIFIED
from textparity_studies.instruments.annotated_texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    cut_into_pieces,
    give_genders,
    strip_span,
)
from textparity_studies.instruments.columns import DOCUMENT, cut_cells, read_conllu, read_tsv_rows, split_sentences
from textparity_studies.instruments.slips import Slip, read_each, report_slips

# A mention of GUM begins with its chain, type, and others.
_ENTITY_FIELDS = 3


def read_gum(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the documents of UD GUM (CoNLL-U; entities and coreference in the column MISC)."""
    document: _GumDocument | None = None
    slips: list[str] = []
    number_read = 0
    for sentence in read_conllu(path):
        name = sentence.document.get(DOCUMENT)
        if name is None:
            raise InputError(f"{path}: a sentence stands before the first document (# newdoc id)")
        if document is None or document.name != name:
            if document is not None:
                yield document.finish(words)
            document = _GumDocument(name, sentence.document.get("meta::genre", ""))
        elif any(comment.startswith("newpar") for comment in sentence.comments):
            document.break_line()
        for cells in sentence.rows:
            document.add_word(cells)
        slips += [f"line {sentence.line}: {slip}" for slip in document.close_sentence()]
        number_read += len(sentence.rows)
    if document is not None:
        yield document.finish(words)
    report_slips(path, slips, number_read, "words")


class _GumDocument:
    """A document of GUM while it is read."""

    def __init__(self, name: str, genre: str) -> None:
        self.name, self.genre, self.text = name, genre, ""
        # Start, end and part of speech of each word.
        self._words: list[tuple[int, int, str]] = []
        # Chain, type and places of head words of each span, with its first and, when it is closed, its last word.
        self._open: list[tuple[str, str, str, int]] = []
        self._spans: list[tuple[str, str, str, int, int]] = []
        self._slips: list[str] = []
        # The numbers of the words in a token of several words, and the part of the text that is left for them.
        self._joined: list[int] = []
        self._rest: tuple[int, int] = (0, 0)

    def break_line(self) -> None:
        self.text = self.text.rstrip() + "\n" if self.text else ""

    def add_word(self, cells: Sequence[str]) -> None:
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
        if int(number) in self._joined:
            place = self.text.find(form, *self._rest)
            start, end = (place, place + len(form)) if place >= 0 else self._rest
            self._rest = (end if place >= 0 else self._rest[0], self._rest[1])
            if int(number) == self._joined[-1]:
                self._joined = []
        else:
            start, end = len(self.text), len(self.text) + len(form)
            self.text += form + space
        self._words.append((start, end, cells[3]))
        self._add_entities(misc, len(self._words) - 1)

    def _add_entities(self, misc: str, place: int) -> None:
        entities = re.search(r"(?:^|\|)Entity=([^|]*)", misc)
        for part in re.findall(r"\([^()]*\)?|[^()]+\)", entities[1]) if entities else ():
            fields = part.strip("()").split("-")
            if not fields[0].isdecimal() or (part.startswith("(") and len(fields) < _ENTITY_FIELDS):
                self._slips.append(f"{part!r} is no mention")
                continue
            if part.startswith("("):
                group, kind, *_, heads = fields[:6]
                self._open.append((group, kind, heads, place))
            if part.endswith(")"):
                group = fields[0]
                for number in range(len(self._open) - 1, -1, -1):
                    if self._open[number][0] == group:
                        self._spans.append((*self._open.pop(number), place))
                        break

    def close_sentence(self) -> list[str]:
        """Drop the mentions that the sentence opened and did not close; describe them and what could not be read."""
        slips = self._slips + [f"the mention of {group} is not closed" for group, *_ in self._open]
        self._open, self._slips = [], []
        return slips

    def finish(self, words: GoldWords) -> AnnotatedText:
        """Make the text of what was read, with its mentions of persons."""
        mentions = []
        for group, kind, heads, first, last in self._spans:
            if kind == "person":
                inside = sorted(first + int(head) - 1 for head in heads.split(",") if head.isdigit())
                inside = [place for place in inside if first <= place <= last] or [last]
                tags = {self._words[place][2] for place in inside}
                of_kind = "pronoun" if tags <= {"PRON", "DET"} else "name" if "PROPN" in tags else "noun"
                start, end = self._words[first][0], self._words[last][1]
                head = self._words[inside[0]][0], self._words[inside[-1]][1]
                mentions.append(AnnotatedMention.at(self.text, start, end, of_kind, entity=int(group), head=head))
        return give_genders(AnnotatedText(self.name, self.name, self.genre, self.text, tuple(mentions)), words)


@dataclass(frozen=True)
class _Token:
    """A token of CoNLL-2012: its cells, its sentence and place in it, and its place in the text."""

    cells: tuple[str, ...]
    sentence: int
    place: int
    start: int
    end: int


@dataclass(frozen=True)
class _ConllFile:
    """A file of CoNLL-2012: its text, its tokens, and the spans of chains (chain, first and last token)."""

    text: str
    tokens: list[_Token]
    spans: list[tuple[str, int, int]]


def _read_columns(path: Path, least: int, separator: str | None = "\t") -> _ConllFile:
    """Read a file of CoNLL-2012 as text with one sentence per line; each token has at least `least` cells.

    `separator` separates them, None is any white space. The fourth cell is the word, the last one its chains.
    Mentions may go on in the next sentence. Those without a beginning or an end are skipped and reported.
    """
    words: list[str] = []
    tokens: list[_Token] = []
    spans: list[tuple[str, int, int]] = []
    slips: list[str] = []
    # For each chain, the first token and the line of the sentence of its mentions that are not closed.
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    start = 0
    for sentence in read_each(path, split_sentences(read_lines(path)), cut_cells(least, separator)):
        if words:
            words[-1] = words[-1].rstrip() + "\n"
        for place, row in enumerate(sentence.rows):
            cells = tuple(normalize("NFC", cell) for cell in row)
            # A token in no chain has a dash or another sign without a bracket.
            for part in re.findall(r"[^|]*[()][^|]*", cells[-1]):
                group = part.strip("()")
                if not group.isdecimal():
                    slips.append(f"line {sentence.line}: the chain {group!r} is no number")
                    continue
                if part.startswith("("):
                    opened[group].append((len(tokens), sentence.line))
                if part.endswith(")") and opened[group]:
                    first, _ = opened[group].pop()
                    spans.append((group, first, len(tokens)))
                elif part.endswith(")"):
                    slips.append(f"line {sentence.line}: the mention of {group} is not opened")
            tokens.append(_Token(cells, sentence.index, place, start, start + len(cells[3])))
            words.append(cells[3] + " ")
            start += len(words[-1])
    if words:
        words[-1] = words[-1].rstrip() + "\n"
    for group, unclosed in opened.items():
        slips += [f"line {line}: the mention of {group} is not closed" for _, line in unclosed]
    report_slips(path, slips, len(spans), "mentions")
    return _ConllFile("".join(words), tokens, spans)


def read_openboek(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the text of a novel of OpenBoek (CoNLL-2012; `features/{name}.tsv` has the gender of each person)."""
    features = path.parents[1] / "features" / f"{path.stem}.tsv"
    rows = read_tsv_rows(features, ("sentno", "begin", "end", "gender", "category"))
    labels = dict(read_each(features, rows, _read_label, unit="rows"))
    novel = _read_columns(path, least=6)
    genders: dict[str, str] = {}
    for group, first, last in novel.spans:
        token = novel.tokens[first]
        label = labels.get((token.sentence, token.place, token.place + last - first + 1))
        if label in ("m", "f", "fm"):
            genders.setdefault(group, GENDER_OF_LABEL.get(label, UNSPECIFIED))
    mentions = []
    for group, first, last in novel.spans:
        if group in genders:
            tags = [token.cells[4] for token in novel.tokens[first : last + 1]]
            is_pronoun = first == last and tags[0].startswith("VNW")
            is_name = any(tag.startswith(("N[eigen", "SPEC[deeleigen")) for tag in tags)
            kind = "pronoun" if is_pronoun else "name" if is_name else "noun"
            start, end = novel.tokens[first].start, novel.tokens[last].end
            mentions.append(AnnotatedMention.at(novel.text, start, end, kind, genders[group], int(group)))
    yield give_genders(AnnotatedText(path.stem, path.stem, "novel", novel.text, tuple(mentions)), words)


def _read_label(row: dict[str, str]) -> tuple[tuple[int, int, int], str]:
    """Read the sentence, first and last word of a mention of OpenBoek, and its gender."""
    try:
        return (int(row["sentno"]), int(row["begin"]), int(row["end"])), row["gender"]
    except ValueError as error:
        raise Slip(f"has no place of a mention ({error})") from None


def read_gerdracor(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over a play of GerDraCor-coref (CoNLL-2012 with the number of words) in pieces.

    The annotation does not mark persons. We take the chains in which somebody speaks or is addressed, by a pronoun of
    the first or second person.
    """
    # The eighth of eleven cells is the number of a word, the last its chains.
    play = _read_columns(path, least=11)
    chains: defaultdict[str, list[list[_Token]]] = defaultdict(list)
    for group, first, last in play.spans:
        # Drop the full stop after a speaker's name.
        last -= last > first and play.tokens[last].cells[3] == "."
        chains[group].append(play.tokens[first : last + 1])
    mentions: list[AnnotatedMention] = []
    shows: list[str] = []
    for number, chain in enumerate(chains.values()):
        others = [tokens for tokens in chain if not _is_of_speech(tokens, words)]
        if len(others) == len(chain):
            continue
        shown = [_words_with_gender(tokens) for tokens in others]
        plural = sum(len(tokens) == 1 and tokens[0].cells[3].lower() in ("wir", "uns", "euch") for tokens in chain)
        # *Ihr* is also the plural of *du*, so a group that calls itself *wir* would wrongly show women.
        shows += [""] * len(others) if plural > sum(map(words.is_pronoun, filter(None, shown))) else shown
        for tokens in others:
            is_name = any(token.cells[4] == "NE" for token in tokens)
            kind = "pronoun" if _is_pronoun(tokens) else "name" if is_name else "noun"
            mentions.append(AnnotatedMention.at(play.text, tokens[0].start, tokens[-1].end, kind, entity=number))
    name = path.name.partition(".")[0]
    text = AnnotatedText(name, name, "play", play.text, tuple(mentions))
    yield from cut_into_pieces(give_genders(text, words, shows=shows), "\n")


def _is_pronoun(tokens: list[_Token]) -> bool:
    return len(tokens) == 1 and tokens[0].cells[4].startswith("P")


def _is_of_speech(tokens: list[_Token], words: GoldWords) -> bool:
    """Check for a first- or second-person pronoun, also one whose capital may make it a form of address (*Sie*)."""
    form = tokens[0].cells[3]
    is_address = form[0].isupper() and (tokens[0].place > 0 or form.startswith(("Sie", "Ih")))
    return _is_pronoun(tokens) and (is_address or not words.is_mention(form))


def _words_with_gender(tokens: list[_Token]) -> str:
    """Join the words of a mention that may show a gender: none for a pronoun that is not singular (*sie*)."""
    return "" if _is_pronoun(tokens) and tokens[0].cells[7] != "sg" else " ".join(token.cells[3] for token in tokens)


# KoCoNovel has twelve cells in a row, padded with spaces.
_KOCONOVEL_CELLS = 12
_QUOTES = "\"'“”‘’「」『』()[]<>,.!?…:;~-—· "


def read_koconovel(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read a scene of a novel of KoCoNovel; the unit is the novel, whose folder has a file for each scene.

    The annotation marks characters, but not predicates (*he is a student*) and people in general. A word keeps its
    particles (*그녀-는*), and loses quotation marks and full stops. Korean puts the head last, so only the last word of
    a mention shows its gender.
    """
    scene = _read_columns(path, _KOCONOVEL_CELLS, separator=None)
    mentions: list[AnnotatedMention] = []
    shows: list[str] = []
    for group, first, last in scene.spans:
        start, end = scene.tokens[first].start, scene.tokens[last].end
        start, end = strip_span(scene.text, start, end, _QUOTES)
        if start == end:
            continue
        form = scene.text[start:end]
        head = form.split()[-1]
        is_pronoun = head == form and (words.is_pronoun(form) or not words.is_mention(form))
        kind = "pronoun" if is_pronoun else "noun" if words.is_known(head) else "name"
        place = end - len(head), end
        mentions.append(AnnotatedMention.at(scene.text, start, end, kind, entity=int(group), head=place))
        shows.append(head)
    chains: defaultdict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(mentions):
        chains[mention.entity].append(number)
    for chain in chains.values():
        # *The family, they, the mother*: a word for one of a group is not the group's.
        groups = sum(words.is_group(shows[number]) for number in chain)
        if groups > words.shown([shows[number] for number in chain]).total():
            for number in chain:
                shows[number] = ""
    novel = path.parent.name
    text = AnnotatedText(f"{novel}/{path.stem}", novel, "novel", scene.text, tuple(mentions))
    yield give_genders(text, words, shows=shows)
