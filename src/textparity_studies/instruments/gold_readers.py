"""Read texts with hand-annotated mentions of persons, with one reader per format (`READERS`).

A reader takes a file, and the words of its language that show a gender. It raises `InputError` with the line for what
it cannot read.
"""

import ast
import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
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
from textparity_studies.measures.passages import UNDETERMINED, read_passages
from textparity_studies.measures.tag_counts import PERSON, read_gold

# Coreference in the column formats of CoNLL.


def read_gum(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the documents of UD GUM (CoNLL-U; entities and coreference in the column MISC)."""
    document: _Document | None = None
    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith("# newdoc id = "):
            if document is not None:
                yield document.finish(words)
            document = _Document(line.partition(" = ")[2])
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

    def __init__(self, name: str) -> None:
        self.name, self.genre, self.text = name, "", ""
        # Start, end and part of speech of each word.
        self._words: list[tuple[int, int, str]] = []
        # Chain, type and places of head words of each span, with its first and, when it is closed, its last word.
        self._open: list[tuple[str, str, str, int]] = []
        self._spans: list[tuple[str, str, str, int, int]] = []
        # The numbers of the words in a token of several words, and the part of the text that is left for them.
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
            if part.startswith("("):
                group, kind, *_, heads = [*part.strip("()").split("-")][:6]
                self._open.append((group, kind, heads, place))
            if part.endswith(")"):
                group = part.strip("()").split("-")[0]
                for number in range(len(self._open) - 1, -1, -1):
                    if self._open[number][0] == group:
                        self._spans.append((*self._open.pop(number), place))
                        break

    def finish(self, words: GoldWords) -> AnnotatedText:
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

    cells: list[str]
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
        for part in filter(None, cells[-1].split("|")):
            group = part.strip("()")
            if part.startswith("("):
                opened[group].append(len(tokens))
            if part.endswith(")") and opened[group]:
                spans.append((group, opened[group].pop(), len(tokens)))
        tokens.append(_Token(cells, sentence, place, start, start + len(cells[3])))
        words.append(cells[3] + " ")
        place, start = place + 1, start + len(words[-1])
    return _Columns("".join(words), tokens, spans)


def read_openboek(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the text of a novel of OpenBoek (CoNLL-2012; `features/{name}.tsv` has the gender of each person)."""
    features = path.parents[1] / "features" / f"{path.stem}.tsv"
    labels = {
        tuple(map(int, (row["sentno"], row["begin"], row["end"]))): row["gender"]
        for row in read_tsv(features, at_least=("sentno", "begin", "end", "gender", "category"))
    }
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


# Novels in the stand-off format of BRAT: annotations (`.ann`), with the text in the same folder (`.txt`).


@dataclass(frozen=True)
class _StandOff:
    """A BRAT pair: its text, the label, start and end of each span by its key, and the pairs of linked keys."""

    text: str
    spans: dict[str, tuple[str, int, int]]
    links: list[tuple[str, str]]


def _read_stand_off(path: Path) -> _StandOff:
    pair = _StandOff(path.with_suffix(".txt").read_text("utf-8"), {}, [])
    for number, line in enumerate(read_lines(path), start=1):
        key, *cells = line.split("\t")
        if key.startswith("T"):
            label, *places = re.split(r"[ ;]", cells[0])
            pair.spans[key] = label, int(places[0]), int(places[-1])
            if int(places[-1]) > len(pair.text):
                raise InputError(f"{path}, line {number}: {key} ends after the text")
        elif key.startswith("R") and (linked := re.findall(r"Arg[12]:(T\d+)", line)):
            one, other = linked
            pair.links.append((one, other))
    return pair


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
    spans: dict[tuple[int, int], frozenset[str]] = {}
    for line, row in _read_csv(path, _LISTS):
        try:
            lists = [ast.literal_eval(row[name]) for name in _LISTS]
            # A quotation in several parts has one list for each part.
            parts = [zip(*of_part, strict=True) for of_part in zip(*lists, strict=True)]
            marked = [(start, end, found, frozenset(who)) for part in parts for found, (start, end), who in part]
        except (ValueError, SyntaxError, TypeError) as error:
            raise InputError(f"{path}, line {line}: {', '.join(_LISTS)} are no lists that match ({error})") from None
        for start, end, found, who in marked:
            if text[start:end].split() != found.split():
                raise InputError(f"{path}, line {line}: {found!r} does not stand at {start}")
            spans[start + len(found) - len(found.lstrip()), end - len(found) + len(found.rstrip())] = who
    entities: dict[frozenset[str], int] = {}
    mentions = []
    for (start, end), who in sorted(spans.items()):
        shown = {genders.get(name.strip(), UNSPECIFIED) for name in who}
        gender = shown.pop() if len(shown) == 1 else UNSPECIFIED
        entity = entities.setdefault(who, len(entities))
        mentions.append(AnnotatedMention.at(text, start, end, kind_of(text, start, end, words), gender, entity))
    novel = path.parent.name
    yield from cut_into_pieces(give_genders(AnnotatedText(novel, novel, "novel", text, tuple(mentions)), words), "\n\n")


def _read_characters(path: Path) -> dict[str, str]:
    """Map the name of each character, and each alias that no other character has, to a gender."""
    genders: dict[str, str] = {}
    aliases: defaultdict[str, set[str]] = defaultdict(set)
    for line, row in _read_csv(path, ("Main Name", "Aliases", "Gender")):
        gender = GENDER_OF_LABEL.get(row["Gender"].lower(), UNSPECIFIED)
        genders[row["Main Name"].strip()] = gender
        try:
            for alias in ast.literal_eval(row["Aliases"]):
                aliases[alias.strip()].add(gender)
        except (ValueError, SyntaxError, TypeError) as error:
            raise InputError(f"{path}, line {line}: Aliases are no set of names ({error})") from None
    return {alias: shown.pop() for alias, shown in aliases.items() if len(shown) == 1} | genders


def _read_csv(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Iterate over the rows of a CSV file, with the line on which each ends."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if lacking := [name for name in columns if name not in (reader.fieldnames or ())]:
            raise InputError(f"{path}: has no column {', '.join(lacking)}")
        for row in reader:
            yield reader.line_num, row


# Sentences and snippets with some marked mentions.


def read_marked_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the lines of one version of MT-GenEval, with gendered words in `<F>…</F>` or `<M>…</M>`.

    A mark is a mention, even on words that only agree with a person (*elegida*). The unit of both versions of a
    sentence is its number.
    """
    for number, line in enumerate(read_lines(path), start=1):
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
                kind = kind_of(text, begun, len(text), words)
                gender = GENDER_OF_LABEL[piece[2].lower()]
                mentions.append(AnnotatedMention.at(text, begun, len(text), kind, gender))
                begun = -1
        if begun >= 0:
            raise InputError(f"{path}, line {number}: a mark is not closed")
        yield AnnotatedText(f"{path.stem}/{number}", str(number), "sentence", text, tuple(mentions))


def read_tagged_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences in blocks of `"sentence" "word - P, M⏎…"` (Derner 2025); `P`: person, `M` or `F`: gender.

    The gender is grammatical: *persona* is feminine. Adjacent tagged words (*Señor Presidente*) are one mention.
    """
    for number, sentence in enumerate(read_gold(path), start=1):
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
        yield AnnotatedText(f"{path.stem}/{number}", str(number), "sentence", text, tuple(mentions))


_GAP_COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL",
)  # fmt: skip


def read_gap(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over GAP's snippets: a pronoun, which has its gender, and two names, at most one of them its antecedent.

    The gender of a name that is not the antecedent is unknown.
    """
    for line, row in enumerate(read_tsv(path, _GAP_COLUMNS), start=2):
        gender = majority(words.shown([row["Pronoun"]]))
        if gender not in GENDERS:
            raise InputError(
                f"{path}, line {line}: {row['Pronoun']!r} shows no gender; add it to the words of the gold"
            )
        mentions = []
        for number, (name, kind) in enumerate((("Pronoun", "pronoun"), ("A", "name"), ("B", "name"))):
            start = int(row[f"{name}-offset"])
            end = start + len(row[name])
            if row["Text"][start:end] != row[name]:
                raise InputError(f"{path}, line {line}: {row[name]!r} does not stand at {start}")
            is_same = name == "Pronoun" or row[f"{name}-coref"].upper() == "TRUE"
            person = (gender, 0) if is_same else (UNSPECIFIED, number)
            mentions.append(AnnotatedMention.at(row["Text"], start, end, kind, *person))
        mentions.sort(key=lambda mention: mention.start)
        yield AnnotatedText(row["ID"], row["ID"], "", row["Text"], tuple(mentions))


def read_brackets(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences of WinoBias with occupation and pronoun: `1 [The nurse] called because [he] was late`.

    Both have the pronoun's gender. The sentences of one number and type, for a woman and for a man, are one unit.
    """
    unit = re.sub("^(pro|anti)_stereotyped_", "", path.name)
    for line, marked in enumerate(read_lines(path), start=1):
        number, _, sentence = marked.strip().partition(" ")
        pieces = re.split(r"\[(.*?)\]", sentence)
        gender = majority(words.shown(pieces[1::2]))
        if not number.isdecimal() or len(pieces) < 5 or gender not in GENDERS:
            raise InputError(
                f"{path}, line {line}: needs a number, and a person and a pronoun that shows the gender in []"
            )
        text, mentions = "", []
        for place, piece in enumerate(pieces):
            start, text = len(text), text + piece
            if place % 2:
                kind = kind_of(text, start, len(text), words)
                mentions.append(AnnotatedMention.at(text, start, len(text), kind, gender))
        yield AnnotatedText(f"{path.name}/{line}", f"{unit}/{number}", "", text, tuple(mentions))


def read_schemas(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over Winogender's sentences for women and men (the ending of `sentid`), with the pronoun marked.

    The versions of a sentence are one unit; those with *they* are excluded.
    """
    for line, row in enumerate(read_tsv(path, ("sentid", "sentence")), start=2):
        unit, _, version = row["sentid"].removesuffix(".txt").rpartition(".")
        if version == "neutral":
            continue
        mentions = [
            AnnotatedMention.at(row["sentence"], *word.span(), "pronoun", gender)
            for word in re.finditer(r"\w+", row["sentence"])
            if words.is_pronoun(word[0]) and (gender := majority(words.shown([word[0]]))) in GENDERS
        ]
        if not mentions:
            raise InputError(f"{path}, line {line}: has no pronoun that shows a gender")
        yield AnnotatedText(row["sentid"], unit, "", row["sentence"], tuple(mentions))


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
