"""Read novels with marked mentions of characters in their quotations: the Project Dialogism Novel Corpus (PDNC)."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from textparity.persons.mentions import UNSPECIFIED, Mention
from textparity.persons.speaker_finder import QuotedText
from textparity.persons.speakers import AttributedQuote
from textparity_studies.instruments.annotated_texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    cut_into_pieces,
    give_genders,
    kind_of,
)
from textparity_studies.instruments.columns import read_csv_rows
from textparity_studies.instruments.slips import Slip, read_each

_LISTS = ("mentionTextsList", "mentionSpansList", "mentionEntitiesList")
_SPEAKER = ("quoteByteSpans", "speaker", "referringExpression")
# The words that report a quotation are at most this many characters from it.
_REACH = 100
# The cells of quotations that no words report.
_NOTHING = ("", "nan")
_PRONOUN = re.compile(r"(?i)\b(?:he|she)\b")


@dataclass(frozen=True)
class _Quotation:
    """A quotation in one or more parts, the name of its speaker, the words that report it (*said Emma*), and the names
    of the characters of each mention in it."""

    spans: tuple[tuple[int, int], ...]
    speaker: str
    reporting: str
    mentions: dict[tuple[int, int], frozenset[str]]


@dataclass(frozen=True)
class _CharacterNames:
    """The gender of each character by name, and by aliases of one gender; and the name of each by unique aliases.

    Names are written with single spaces.
    """

    genders: dict[str, str]
    names: dict[str, str]


def read_quotations(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over a novel of PDNC in pieces, with the mentions in its quotations (`quotation_info.csv`).

    All files of a novel are in one folder. The gender of a character is in `character_info.csv`; several characters
    have a gender if they share it. Nobody is marked in the narration. Each piece ends with a paragraph.
    """
    text = path.with_name("novel_text.txt").read_text("utf-8")
    characters = _read_characters(path.with_name("character_info.csv"))
    genders = characters.genders
    rows = read_csv_rows(path, (*_LISTS, *_SPEAKER))
    quotations = list(read_each(path, rows, lambda row: _read_quotation(row, text), unit="quotations"))
    spans: dict[tuple[int, int], frozenset[str]] = {}
    for quotation in quotations:
        spans |= quotation.mentions
    entities: dict[frozenset[str], int] = {}
    mentions = []
    for (start, end), who in sorted(spans.items()):
        shown = {genders.get(_plain(name), UNSPECIFIED) for name in who}
        gender = shown.pop() if len(shown) == 1 else UNSPECIFIED
        entity = entities.setdefault(who, len(entities))
        mentions.append(AnnotatedMention.at(text, start, end, kind_of(text, start, end, words), gender, entity))
    novel = path.parent.name
    quoted = _find_speakers(text, quotations, characters, words)
    annotated = AnnotatedText(novel, novel, "novel", text, tuple(mentions), quoted=quoted)
    yield from cut_into_pieces(give_genders(annotated, words), "\n\n")


def _read_quotation(row: dict[str, str], text: str) -> _Quotation:
    try:
        quotation_spans = [(int(start), int(end)) for start, end in ast.literal_eval(row["quoteByteSpans"])]
        lists = [ast.literal_eval(row[name]) for name in _LISTS]
        # A quotation in several parts has one list for each part.
        parts = [zip(*of_part, strict=True) for of_part in zip(*lists, strict=True)]
        marked = [
            (int(start), int(end), str(found), frozenset(who)) for part in parts for found, (start, end), who in part
        ]
    except (ValueError, SyntaxError, TypeError) as error:
        raise Slip(f"{', '.join(_LISTS)} are no lists that match ({error})") from None
    spans: dict[tuple[int, int], frozenset[str]] = {}
    for start, end, found, who in marked:
        if text[start:end].split() != found.split():
            raise Slip(f"{found!r} does not stand at {start}")
        spans[start + len(found) - len(found.lstrip()), end - len(found) + len(found.rstrip())] = who
    return _Quotation(tuple(quotation_spans), _plain(row["speaker"]), row["referringExpression"].strip(), spans)


def _find_speakers(
    text: str, quotations: Sequence[_Quotation], characters: _CharacterNames, words: GoldWords
) -> QuotedText:
    """Find the quotes of a novel, and the mentions of characters by which a speaker can be recognized.

    These are the mentions marked in quotations, the words that report a quotation, and names and aliases that only one
    character has.
    """
    name_at = _find_names(text, characters)
    for quotation in quotations:
        for span, who in quotation.mentions.items():
            marked = {characters.names.get(_plain(name)) for name in who}
            name = marked.pop() if len(marked) == 1 else None
            if name:
                name_at[span] = name
    name_from = {start: name for (start, _), name in name_at.items()}
    quotes = []
    numbers: dict[str, int] = {}
    for quotation in quotations:
        name = characters.names.get(quotation.speaker)
        speaker = None if name is None else numbers.setdefault(name, len(numbers))
        quotes.append(AttributedQuote(quotation.spans, True, speaker))
        reporting = _find_reporting(text, quotation)
        if name is None or reporting is None:
            continue
        has_name = any(name_from.get(place) == name for place in range(*reporting))
        if not has_name:
            name_at.setdefault(reporting, name)
    mentions = []
    for (start, end), name in sorted(name_at.items()):
        entity = numbers.setdefault(name, len(numbers))
        kind = kind_of(text, start, end, words)
        mentions.append(Mention(start, end, text[start:end], kind, characters.genders[name], entity))
    return QuotedText(tuple(mentions), tuple(quotes))


def _find_names(text: str, characters: _CharacterNames) -> dict[tuple[int, int], str]:
    """Find the names and aliases of characters in a novel, the longest at each place."""
    names = [name for name in characters.names if name[:1].isupper()]
    if not names:
        return {}
    longest_first = sorted(names, key=len, reverse=True)
    any_name = "|".join(map(_pattern_of, longest_first))
    name_at = {}
    for match in re.finditer(rf"(?<!\w)(?:{any_name})(?!\w)", text):
        name_at[match.span()] = characters.names[_plain(match[0])]
    return name_at


def _find_reporting(text: str, quotation: _Quotation) -> tuple[int, int] | None:
    """Find who is the subject of the words that report a quotation: the pronoun, or else all words beside it."""
    if quotation.reporting in _NOTHING:
        return None
    first, last = quotation.spans[0][0], quotation.spans[-1][1]
    reporting = re.compile(_pattern_of(quotation.reporting))
    nearest: re.Match[str] | None = None
    least = _REACH
    for match in reporting.finditer(text, max(0, first - _REACH), last + _REACH):
        distance = min(_distance(match, *span) for span in quotation.spans)
        if distance < least:
            nearest, least = match, distance
    if nearest is None:
        return None
    pronoun = _PRONOUN.search(text, nearest.start(), nearest.end())
    return pronoun.span() if pronoun else nearest.span()


def _distance(match: re.Match[str], start: int, end: int) -> int:
    return max(match.start() - end, start - match.end(), 0)


def _plain(name: str) -> str:
    return " ".join(name.split())


def _pattern_of(words: str) -> str:
    """Write an expression for some words with any white space between them."""
    return r"\s+".join(map(re.escape, words.split()))


def _read_characters(path: Path) -> _CharacterNames:
    genders: dict[str, str] = {}
    names: defaultdict[str, set[str]] = defaultdict(set)
    aliases: defaultdict[str, set[str]] = defaultdict(set)
    rows = read_csv_rows(path, ("Main Name", "Aliases", "Gender"))
    for name, its_aliases, gender in read_each(path, rows, _read_character, unit="characters"):
        genders[name] = gender
        for alias in its_aliases:
            aliases[alias].add(gender)
            names[alias].add(name)
    of_one_gender = {alias: shown.pop() for alias, shown in aliases.items() if len(shown) == 1}
    of_one_character = {alias: named.pop() for alias, named in names.items() if len(named) == 1}
    own_names = {name: name for name in genders}
    return _CharacterNames(of_one_gender | genders, of_one_character | own_names)


def _read_character(row: dict[str, str]) -> tuple[str, list[str], str]:
    """Read the name of a character, its aliases and its gender."""
    try:
        aliases = [_plain(alias) for alias in ast.literal_eval(row["Aliases"])]
        gender = GENDER_OF_LABEL.get(row["Gender"].lower(), UNSPECIFIED)
        return _plain(row["Main Name"]), aliases, gender
    except (ValueError, SyntaxError, TypeError, AttributeError) as error:
        raise Slip(f"Aliases are no set of names ({error})") from None
