"""Read texts with hand-annotated mentions of persons, with one reader per format (`READERS`).

A reader takes a file, and the words of its language that show a gender. A sentence or row of somebody else's file that
it cannot read is skipped and reported (`slips.read_each`). It raises `InputError` if it can read less than it skips,
and for any slip in texts that were annotated for this project.
"""

import ast
import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from textparity.counting.terms import GENDERS
from textparity.errors import InputError
from textparity.files import read_lines, read_tsv
from textparity.persons.mentions import UNSPECIFIED
from textparity_studies.instruments.annotated_texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    cut_into_pieces,
    give_genders,
    kind_of,
    majority,
)
from textparity_studies.instruments.columns import DOCUMENT, cut_cells, read_conllu, split_sentences
from textparity_studies.instruments.slips import Place, Slip, read_each, report_slips
from textparity_studies.instruments.treebank_names import read_treebank_names
from textparity_studies.instruments.webanno import read_full_stack
from textparity_studies.measures.passages import UNDETERMINED, read_passages
from textparity_studies.measures.tag_counts import PERSON, read_block, split_gold

# Coreference in the column formats of CoNLL.

# A mention of GUM begins with its chain, type, and others.
_ENTITY_FIELDS = 3


def read_gum(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the documents of UD GUM (CoNLL-U; entities and coreference in the column MISC)."""
    document: _Document | None = None
    slips: list[str] = []
    number_read = 0
    for sentence in read_conllu(path):
        name = sentence.document.get(DOCUMENT)
        if name is None:
            raise InputError(f"{path}: a sentence stands before the first document (# newdoc id)")
        if document is None or document.name != name:
            if document is not None:
                yield document.finish(words)
            document = _Document(name, sentence.document.get("meta::genre", ""))
        elif any(comment.startswith("newpar") for comment in sentence.comments):
            document.break_line()
        for cells in sentence.rows:
            document.add_word(cells)
        slips += [f"line {sentence.line}: {slip}" for slip in document.close_sentence()]
        number_read += len(sentence.rows)
    if document is not None:
        yield document.finish(words)
    report_slips(path, slips, number_read, "words")


class _Document:
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
class _Columns:
    """A file of CoNLL-2012: its text, its tokens, and the spans of chains (chain, first and last token)."""

    text: str
    tokens: list[_Token]
    spans: list[tuple[str, int, int]]


def _read_columns(path: Path, least: int, separator: str | None = "\t") -> _Columns:
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
    return _Columns("".join(words), tokens, spans)


def read_openboek(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the text of a novel of OpenBoek (CoNLL-2012; `features/{name}.tsv` has the gender of each person)."""
    features = path.parents[1] / "features" / f"{path.stem}.tsv"
    rows = _read_rows(features, ("sentno", "begin", "end", "gender", "category"))
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
        start, end = _strip(scene.text, start, end, _QUOTES)
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


def _strip(text: str, start: int, end: int, characters: str) -> tuple[int, int]:
    """Find the start and end of a span without some characters at its edges."""
    while start < end and text[start] in characters:
        start += 1
    while start < end and text[end - 1] in characters:
        end -= 1
    return start, end


# Novels in the stand-off format of BRAT: annotations (`.ann`), with the text in the same folder (`.txt`).


@dataclass(frozen=True)
class _StandOff:
    """A BRAT pair: its text, the label, start and end of each span by its key, and the pairs of linked keys."""

    text: str
    spans: dict[str, tuple[str, int, int]]
    links: list[tuple[str, str]]


def _read_stand_off(path: Path) -> _StandOff:
    pair = _StandOff(path.with_suffix(".txt").read_text("utf-8"), {}, [])
    length = len(pair.text)
    lines = (Place(number, line) for number, line in enumerate(read_lines(path), start=1))
    for annotation in read_each(path, lines, lambda line: _read_annotation(line, length), unit="annotations"):
        if isinstance(annotation, _Link):
            pair.links.append((annotation.one, annotation.other))
        elif annotation is not None:
            pair.spans[annotation.key] = annotation.label, annotation.start, annotation.end
    return pair


@dataclass(frozen=True)
class _Span:
    key: str
    label: str
    start: int
    end: int


@dataclass(frozen=True)
class _Link:
    one: str
    other: str


def _read_annotation(line: str, length: int) -> _Span | _Link | None:
    """Read a line of BRAT on a text of some length: a span, a link of two spans, or None for another annotation."""
    key, *cells = line.split("\t")
    if key.startswith("R"):
        linked = re.findall(r"Arg[12]:(T\d+)", line)
        return _Link(*linked) if len(linked) == 2 else None
    if not key.startswith("T"):
        return None
    if not key[1:].isdecimal():
        raise Slip(f"{key!r} is no number of a span")
    label, *places = re.split(r"[ ;]", cells[0]) if cells else [""]
    if len(places) < 2 or not all(place.isdecimal() for place in places):
        raise Slip(f"{key} has no start and end")
    start, end = int(places[0]), int(places[-1])
    if end > length:
        raise Slip(f"{key} ends after the text")
    if start >= end:
        raise Slip(f"{key} ends before it starts")
    return _Span(key, label, start, end)


def _root(parents: dict[str, str], key: str) -> str:
    while parents.setdefault(key, key) != key:
        key = parents[key]
    return key


def read_brat(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the text of a BRAT pair whose persons are `PER`, as in fr-litbank."""
    pair = _read_stand_off(path)
    parents: dict[str, str] = {}
    for one, other in pair.links:
        parents[_root(parents, one)] = _root(parents, other)
    mentions: list[AnnotatedMention] = []
    numbers: dict[str, int] = {}
    for key, (label, start, end) in pair.spans.items():
        if label == "PER":
            numbers[key] = len(mentions)
            marked = pair.text[start:end]
            start, end = start + len(marked) - len(marked.lstrip()), end - len(marked) + len(marked.rstrip())
            kind = kind_of(pair.text, start, end, words)
            mentions.append(AnnotatedMention.at(pair.text, start, end, kind, entity=int(_root(parents, key)[1:])))
    links = [(numbers[one], numbers[other]) for one, other in pair.links if one in numbers and other in numbers]
    yield give_genders(AnnotatedText(path.stem, path.stem, "novel", pair.text, tuple(mentions)), words, links)


# In Italian, what follows one of these words says something of the noun before it.
_AFTER_HEAD = re.compile(r"\b(?:di|del|dello|della|dei|degli|delle|d|dell|da|dal|dalla|con|in|a|al|alla|che|cui|,)\b|,")
_BEFORE = 40
_WORDS_BEFORE = re.compile(r"(\w+) ?['’]? ?$")


def read_italian_brat(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the excerpt of a BRAT pair of italian-litbank, which has persons (`PER`) and no coreference.

    Mentions with the same name are one person; other mentions are one each. An article before the mention shows its
    gender, except of a noun that means both (*la guida*); what follows the noun (*di Maria*) shows none. Pronouns are
    not annotated.
    """
    pair = _read_stand_off(path)
    mentions: list[AnnotatedMention] = []
    shows: list[str] = []
    entities: dict[str, int] = {}
    for key, (label, start, end) in sorted(pair.spans.items(), key=lambda item: item[1][1:]):
        if label != "PER":
            continue
        start, end = _strip(pair.text, start, end, " \n")
        marked = pair.text[start:end]
        own = _AFTER_HEAD.split(marked, maxsplit=1)[0].strip() or marked
        before = _WORDS_BEFORE.search(pair.text[max(0, start - _BEFORE) : start])
        kind = kind_of(pair.text, start, end, words)
        names = [word for word in re.findall(r"\w+", own) if word[0].isupper() and not words.is_known(word.lower())]
        # A name at the beginning of a sentence is one if it is a name elsewhere in the text.
        person = names[0] if names and (kind == "name" or names[0] in entities) else key
        of_noun = [before[1]] if before and words.is_article(before[1]) else []
        of_noun += re.findall(r"\w+", own)
        # *Nello* is a name, *nello* an article.
        of_noun = [word for word in of_noun if word.islower() or not words.is_article(word)]
        shows.append("" if any(map(words.has_no_gender, of_noun)) else " ".join(of_noun))
        entity = entities.setdefault(person, len(entities))
        mentions.append(AnnotatedMention.at(pair.text, start, end, kind, entity=entity))
    name = path.stem.removesuffix("_brat")
    yield give_genders(AnnotatedText(name, name, "novel", pair.text, tuple(mentions)), words, shows=shows)


def read_litbank(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the excerpt of a BRAT pair of LitBank, whose persons are `PROP_PER`, `NOM_PER` and `PRON_PER`.

    A line with the span of a mention and `name-number` in place of a kind gives the mention's chain. Predicates and
    appositions (relations `cop` and `appos`) have no such line, and belong to the chain of the other mention.
    """
    pair = _read_stand_off(path)
    parents: dict[str, str] = {}
    marked: list[tuple[int, int, str, str]] = []
    for key, (label, start, end) in pair.spans.items():
        if re.fullmatch(r"(PROP|NOM|PRON)_[A-Z]+", label):
            parents[_root(parents, key)] = _root(parents, f"{start} {end}")
            marked.append((start, end, label, key))
        else:
            parents[_root(parents, f"{start} {end}")] = _root(parents, f"chain {label}")
    for one, other in pair.links:
        parents[_root(parents, one)] = _root(parents, other)
    kinds = {"PROP_PER": "name", "NOM_PER": "noun", "PRON_PER": "pronoun"}
    entities: dict[str, int] = {}
    mentions = []
    for start, end, label, key in sorted(marked, key=lambda span: span[:2]):
        if label in kinds:
            entity = entities.setdefault(_root(parents, key), len(entities))
            mentions.append(AnnotatedMention.at(pair.text, start, end, kinds[label], entity=entity))
    name = path.stem.removesuffix("_brat")
    yield give_genders(AnnotatedText(name, name, "novel", pair.text, tuple(mentions)), words)


# Novels with marked mentions of characters in their quotations: the Project Dialogism Novel Corpus (PDNC).

_LISTS = ("mentionTextsList", "mentionSpansList", "mentionEntitiesList")


def read_quotations(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over a novel of PDNC in pieces, with the mentions in its quotations (`quotation_info.csv`).

    All files of a novel are in one folder. The gender of a character is in `character_info.csv`; several characters
    have a gender if they share it. Nobody is marked in the narration. Each piece ends with a paragraph.
    """
    text = path.with_name("novel_text.txt").read_text("utf-8")
    genders = _read_characters(path.with_name("character_info.csv"))
    quotations = read_each(path, _read_csv(path, _LISTS), lambda row: _read_quotation(row, text), unit="quotations")
    spans: dict[tuple[int, int], frozenset[str]] = {}
    for marked in quotations:
        spans |= marked
    entities: dict[frozenset[str], int] = {}
    mentions = []
    for (start, end), who in sorted(spans.items()):
        shown = {genders.get(name.strip(), UNSPECIFIED) for name in who}
        gender = shown.pop() if len(shown) == 1 else UNSPECIFIED
        entity = entities.setdefault(who, len(entities))
        mentions.append(AnnotatedMention.at(text, start, end, kind_of(text, start, end, words), gender, entity))
    novel = path.parent.name
    yield from cut_into_pieces(give_genders(AnnotatedText(novel, novel, "novel", text, tuple(mentions)), words), "\n\n")


def _read_quotation(row: dict[str, str], text: str) -> dict[tuple[int, int], frozenset[str]]:
    """Read the mentions in a quotation: for the start and end of each, the names of the characters."""
    try:
        lists = [ast.literal_eval(row[name]) for name in _LISTS]
        # A quotation in several parts has one list for each part.
        parts = [zip(*of_part, strict=True) for of_part in zip(*lists, strict=True)]
        marked = [
            (int(start), int(end), str(found), frozenset(who)) for part in parts for found, (start, end), who in part
        ]
    except (ValueError, SyntaxError, TypeError) as error:
        raise Slip(f"{', '.join(_LISTS)} are no lists that match ({error})") from None
    spans = {}
    for start, end, found, who in marked:
        if text[start:end].split() != found.split():
            raise Slip(f"{found!r} does not stand at {start}")
        spans[start + len(found) - len(found.lstrip()), end - len(found) + len(found.rstrip())] = who
    return spans


def _read_characters(path: Path) -> dict[str, str]:
    """Map the name of each character, and each alias that no other character has, to a gender."""
    genders: dict[str, str] = {}
    aliases: defaultdict[str, set[str]] = defaultdict(set)
    rows = _read_csv(path, ("Main Name", "Aliases", "Gender"))
    for name, its_aliases, gender in read_each(path, rows, _read_character, unit="characters"):
        genders[name] = gender
        for alias in its_aliases:
            aliases[alias].add(gender)
    return {alias: shown.pop() for alias, shown in aliases.items() if len(shown) == 1} | genders


def _read_character(row: dict[str, str]) -> tuple[str, list[str], str]:
    """Read the name of a character, its aliases and its gender."""
    try:
        aliases = [alias.strip() for alias in ast.literal_eval(row["Aliases"])]
        gender = GENDER_OF_LABEL.get(row["Gender"].lower(), UNSPECIFIED)
        return row["Main Name"].strip(), aliases, gender
    except (ValueError, SyntaxError, TypeError, AttributeError) as error:
        raise Slip(f"Aliases are no set of names ({error})") from None


def _read_csv(path: Path, columns: tuple[str, ...]) -> Iterator[Place[dict[str, str]]]:
    """Iterate over the rows of a CSV file, with the line on which each ends."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, restval="")
        _require_columns(path, columns, reader.fieldnames or ())
        for row in reader:
            yield Place(reader.line_num, row)


def _read_rows(path: Path, columns: tuple[str, ...]) -> Iterator[Place[dict[str, str]]]:
    """Iterate over the rows of a table with tabs, without quoting; cells that a row lacks are empty."""
    lines = read_lines(path)
    header = lines[0].split("\t") if lines else []
    _require_columns(path, columns, header)
    for number, line in enumerate(lines[1:], start=2):
        if line:
            cells = line.split("\t")
            cells += [""] * (len(header) - len(cells))
            yield Place(number, dict(zip(header, cells, strict=False)))


def _require_columns(path: Path, columns: tuple[str, ...], header: Sequence[str]) -> None:
    if lacking := [name for name in columns if name not in header]:
        raise InputError(f"{path}: has no column {', '.join(lacking)}")


# Sentences and snippets with some marked mentions.

_DOCUMENT = re.compile(r'<doc docid="([^"]*)".*\bgender="(Female|Male)"')
_SEGMENT = re.compile(r"<seg id=\"[^\"]*\">(.*?)(?:<[\\/]seg>)?$")
# A shorter part of a name, such as *de*, also stands elsewhere.
_LEAST_OF_NAME = 3


def read_biographies(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the biographies of GeBioCorpus (`<doc … gender="Female">`, `<title>`, `<seg>`), each read once.

    The biography's subject is marked: parts of the name in the title, and pronouns of the subject's gender.
    """
    seen: set[str] = set()
    for name, gender, text in read_each(path, _split_biographies(read_lines(path)), _read_biography, "biographies"):
        if text in seen:
            continue
        seen.add(text)
        parts = {part for part in re.findall(r"\w+", name) if len(part) >= _LEAST_OF_NAME and part[0].isupper()}
        mentions: list[AnnotatedMention] = []
        for word in re.finditer(r"\w+", text):
            if word[0] in parts:
                between = text[mentions[-1].end : word.start()] if mentions else ""
                start = mentions.pop().start if between == " " and mentions[-1].kind == "name" else word.start()
                mentions.append(AnnotatedMention.at(text, start, word.end(), "name", gender))
            elif words.is_pronoun(word[0]) and majority(words.shown([word[0]])) == gender:
                mentions.append(AnnotatedMention.at(text, *word.span(), "pronoun", gender))
        yield AnnotatedText(f"{path.name}/{len(seen)}", name, "", text, tuple(mentions))


def _split_biographies(lines: list[str]) -> Iterator[Place[list[str]]]:
    """Iterate over the biographies of a file, without the line that ends each."""
    first, biography = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        if line.startswith("<doc") or line.strip() == "</doc>":
            if biography:
                yield Place(first, biography)
            first, biography = number, []
        if line.strip() and line.strip() != "</doc>":
            biography.append(line)
    if biography:
        yield Place(first, biography)


def _read_biography(lines: list[str]) -> tuple[str, str, str]:
    """Read the name and gender of a biography's subject, and its text with one segment per line."""
    document = _DOCUMENT.match(lines[0])
    if document is None:
        raise Slip("is no <doc> with a gender")
    segments = [segment[1].strip() for line in lines if (segment := _SEGMENT.match(line.strip()))]
    if not segments:
        raise Slip("has no <seg>")
    gender = GENDER_OF_LABEL[document[2][0].lower()]
    return document[1], gender, normalize("NFC", "\n".join(segments))


def read_marked_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the lines of one version of MT-GenEval, with gendered words in `<F>…</F>` or `<M>…</M>`.

    A mark is a mention, even on words that only agree with a person (*elegida*). The unit of both versions of a
    sentence is its number.
    """
    lines = (Place(number, (number, line)) for number, line in enumerate(read_lines(path), start=1))
    yield from read_each(path, lines, lambda numbered: _read_marks(path.stem, *numbered, words))


def _read_marks(name: str, number: int, line: str, words: GoldWords) -> AnnotatedText:
    """Read a line of a version of MT-GenEval. A mark must be closed by the same letter before the next one begins."""
    pieces = re.split(r"(</?[FM]>)", normalize("NFC", line.strip()))
    text, opening, begun = "", "", 0
    mentions: list[AnnotatedMention] = []
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            text += piece
        elif not piece.startswith("</"):
            if opening:
                raise Slip(f"{piece} stands inside {opening}")
            opening, begun = piece, len(text)
        elif opening != piece.replace("/", ""):
            raise Slip(f"{piece} has no partner")
        else:
            # A mark around nothing is no mention.
            if begun < len(text):
                kind = kind_of(text, begun, len(text), words)
                gender = GENDER_OF_LABEL[piece[2].lower()]
                mentions.append(AnnotatedMention.at(text, begun, len(text), kind, gender))
            opening = ""
    if opening:
        raise Slip(f"{opening} is not closed")
    return AnnotatedText(f"{name}/{number}", str(number), "sentence", text, tuple(mentions))


def read_tagged_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences in blocks of `"sentence" "word - P, M⏎…"` (Derner 2025); `P`: person, `M` or `F`: gender.

    The gender is grammatical: *persona* is feminine. Adjacent tagged words (*Señor Presidente*) are one mention.
    """
    blocks = enumerate(split_gold(path), start=1)
    places = (Place(line, (number, block)) for number, (line, block) in blocks)
    yield from read_each(path, places, lambda numbered: _read_tagged(path.stem, *numbered, words))


def _read_tagged(name: str, number: int, block: str, words: GoldWords) -> AnnotatedText:
    """Read a block of tagged words."""
    try:
        sentence = read_block(block)
    except ValueError as error:
        raise Slip(str(error)) from None
    text, end, mentions = sentence.sentence, 0, list[AnnotatedMention]()
    for tag in sentence.tags:
        place = re.compile(rf"(?<!\w){re.escape(tag.word)}(?!\w)").search(text, end)
        # A word that is not in the sentence, or precedes the previous one, has no place.
        if place is None or tag.person != PERSON:
            end = place.end() if place else end
            continue
        gender, start, end = GENDER_OF_LABEL[tag.gender.lower()], *place.span()
        if mentions and mentions[-1].gender == gender and text[mentions[-1].end : start].strip() == "":
            start = mentions.pop().start
        kind = "pronoun" if words.is_pronoun(text[start:end]) else "noun"
        mentions.append(AnnotatedMention.at(text, start, end, kind, gender, len(mentions)))
    return AnnotatedText(f"{name}/{number}", str(number), "sentence", text, tuple(mentions))


_GAP_COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL",
)  # fmt: skip


def read_gap(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over GAP's snippets: a pronoun, which has its gender, and two names, at most one of them its antecedent.

    The gender of a name that is not the antecedent is unknown.
    """
    yield from read_each(path, _read_rows(path, _GAP_COLUMNS), lambda row: _read_snippet(row, words), unit="snippets")


def _read_snippet(row: dict[str, str], words: GoldWords) -> AnnotatedText:
    """Read a snippet of GAP."""
    gender = majority(words.shown([row["Pronoun"]]))
    if gender not in GENDERS:
        raise Slip(f"{row['Pronoun']!r} shows no gender; add it to the words of the gold")
    mentions = []
    for number, (name, kind) in enumerate((("Pronoun", "pronoun"), ("A", "name"), ("B", "name"))):
        offset = row[f"{name}-offset"]
        if not offset.isdecimal():
            raise Slip(f"{name}-offset {offset!r} is no number")
        start = int(offset)
        end = start + len(row[name])
        if row["Text"][start:end] != row[name]:
            raise Slip(f"{row[name]!r} does not stand at {start}")
        is_same = name == "Pronoun" or row[f"{name}-coref"].upper() == "TRUE"
        person = (gender, 0) if is_same else (UNSPECIFIED, number)
        mentions.append(AnnotatedMention.at(row["Text"], start, end, kind, *person))
    mentions.sort(key=lambda mention: mention.start)
    return AnnotatedText(row["ID"], row["ID"], "", row["Text"], tuple(mentions))


def read_brackets(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences of WinoBias with occupation and pronoun: `1 [The nurse] called because [he] was late`.

    Both have the pronoun's gender. The sentences of one number and type, for a woman and for a man, are one unit.
    """
    lines = (Place(number, (number, line)) for number, line in enumerate(read_lines(path), start=1))
    yield from read_each(path, lines, lambda numbered: _read_bracketed(path.name, *numbered, words))


def _read_bracketed(name: str, line: int, marked: str, words: GoldWords) -> AnnotatedText:
    """Read a sentence of WinoBias."""
    unit = re.sub("^(pro|anti)_stereotyped_", "", name)
    number, _, sentence = marked.strip().partition(" ")
    pieces = re.split(r"\[(.*?)\]", sentence)
    gender = majority(words.shown(pieces[1::2]))
    if not number.isdecimal() or len(pieces) < 5 or gender not in GENDERS:
        raise Slip("needs a number, and a person and a pronoun that shows the gender in []")
    if any("[" in piece or "]" in piece for piece in pieces):
        raise Slip("a bracket stands inside another, or has no partner")
    text, mentions = "", []
    for place, piece in enumerate(pieces):
        start, text = len(text), text + piece
        if place % 2:
            kind = kind_of(text, start, len(text), words)
            mentions.append(AnnotatedMention.at(text, start, len(text), kind, gender))
    return AnnotatedText(f"{name}/{line}", f"{unit}/{number}", "", text, tuple(mentions))


def read_schemas(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over Winogender's sentences for women and men (the ending of `sentid`), with the pronoun marked.

    The versions of a sentence are one unit; those with *they* are excluded.
    """
    of_gender = (row for row in _read_rows(path, ("sentid", "sentence")) if _read_version(row.item)[1] != "neutral")
    yield from read_each(path, of_gender, lambda row: _read_schema(row, words))


def _read_version(row: dict[str, str]) -> tuple[str, str]:
    unit, _, version = row["sentid"].removesuffix(".txt").rpartition(".")
    return unit, version


def _read_schema(row: dict[str, str], words: GoldWords) -> AnnotatedText:
    """Read a sentence of Winogender."""
    unit, _ = _read_version(row)
    mentions = [
        AnnotatedMention.at(row["sentence"], *word.span(), "pronoun", gender)
        for word in re.finditer(r"\w+", row["sentence"])
        if words.is_pronoun(word[0]) and (gender := majority(words.shown([word[0]]))) in GENDERS
    ]
    if not mentions:
        raise Slip("has no pronoun that shows a gender")
    return AnnotatedText(row["sentid"], unit, "", row["sentence"], tuple(mentions))


# Texts annotated for this project.


def read_news_passages(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the annotated newsroom passages: actors with names or called by a few nouns, and their pronouns."""
    kinds, genders = {"named": "name", "generic": "noun"}, {UNDETERMINED: UNSPECIFIED}
    for passage in read_passages(path, words.is_pronoun):
        numbers = {key: number for number, key in enumerate(passage.actors)}
        mentions = []
        for one in passage.mentions:
            gender = passage.actors[one.actor].gender
            kind, person = kinds.get(one.kind, one.kind), (genders.get(gender, gender), numbers[one.actor])
            mentions.append(AnnotatedMention.at(passage.text, one.start, one.end, kind, *person))
        text = AnnotatedText(passage.id, passage.id, "", passage.text, tuple(mentions), passage.held_out)
        yield give_genders(text, words)


def read_readings(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over documents (`# name`) that were read for persons, with marks such as `[Mary|name f]`."""
    documents: list[tuple[str, list[str]]] = []
    for line in read_lines(path):
        if line.startswith("# "):
            documents.append((line.removeprefix("# "), []))
        elif documents:
            documents[-1][1].append(line)
        else:
            raise InputError(f"{path}: has text before the first document; begin it with `# name`")
    for name, lines in documents:
        text, mentions = "", []
        # A piece of text, then form, kind and gender.
        pieces = re.split(r"\[(.+?)\|(pronoun|noun|name) ([fmu])\]", "\n".join(lines))
        for before, form, kind, gender in zip(*(pieces[place::4] for place in range(4)), strict=False):
            start, text = len(text + before), text + before + form
            mentions.append(AnnotatedMention.at(text, start, len(text), kind, GENDER_OF_LABEL.get(gender, UNSPECIFIED)))
        text += pieces[-1]
        if unread := re.search(r"\[.*", text):
            raise InputError(f"{path}: document {name}: {unread[0][:40]!r} is no mark such as [Mary|name f]")
        yield AnnotatedText(f"{path.stem}/{name}", name, "news", text, tuple(mentions), True)


def read_entities(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over titles and names of NER-UK with their grammatical gender, each as a text.

    The TSV has entity, label and gender. Another gender (of words for both, or of names that show none) is unspecified.
    """
    kinds = {"JOB": ("noun", "title"), "PERS": ("name", "name")}
    for number, row in enumerate(read_tsv(path, at_least=("entity", "label", "gender", "held_out")), start=1):
        if row["label"] not in kinds:
            raise InputError(f"{path}, line {number + 1}: label {row['label']!r} is not one of {', '.join(kinds)}")
        kind, genre = kinds[row["label"]]
        gender = row["gender"] if row["gender"] in GENDERS else UNSPECIFIED
        text = row["entity"]
        mention = AnnotatedMention.at(text, 0, len(text), kind, gender)
        yield AnnotatedText(f"{path.stem}/{number}", str(number), genre, text, (mention,), row["held_out"] == "yes")


READERS: dict[str, Callable[[Path, GoldWords], Iterator[AnnotatedText]]] = {
    "gum": read_gum,
    "brat": read_brat,
    "italian_brat": read_italian_brat,
    "koconovel": read_koconovel,
    "full_stack": read_full_stack,
    "biographies": read_biographies,
    "treebank_names": read_treebank_names,
    "litbank": read_litbank,
    "openboek": read_openboek,
    "gerdracor": read_gerdracor,
    "quotations": read_quotations,
    "marked": read_marked_sentences,
    "gap": read_gap,
    "brackets": read_brackets,
    "schemas": read_schemas,
    "tagged": read_tagged_sentences,
    "passages": read_news_passages,
    "entities": read_entities,
    "readings": read_readings,
}
