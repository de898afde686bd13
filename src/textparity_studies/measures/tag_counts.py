"""Read answers and count L_{p,g}: words per reference (P, N) and gender (M, F) in a text (Derner 2025, §3.2, App. D).

Tagged words have the form `word - P, M`, one per line of an answer. We read it strictly first, then with named repairs,
and never guess.

`published` counts are the notebook's. Lines whose first part is on the skip list are dropped. Every other line counts
wherever it contains `, M`, `, F`, `N, `, `P, `, `P, M` or `P, F`, whatever else it contains. `corrected` counts the
words that `parse_answer` reads, except those on the skip list, and at most as often as the text has them. `not_in_text`
is the number of words excluded because the text does not have them.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

import pyarrow as pa

from textparity.corpora.reading import read_batches, read_metadata, write_batches
from textparity.counting import PROCEDURES
from textparity.errors import InputError
from textparity.files import open_rows, read_lines, read_tsv
from textparity.folding import Folding, load_folding

log = logging.getLogger(__name__)

PERSON = "P"
GENDERS = {"M": "masculine", "F": "feminine"}
_TAG = re.compile(r"(?P<word>\S.*?) - (?P<person>[PN]), (?P<gender>[MF])")
_EXAMPLE_HEAD = re.compile(r"(?i)\s*(?:ejemplo|exemple|example|frase|sentence|oración|instruccio\w+|instructions?)\b.*")
_ATTRIBUTES = re.compile(r" - [PNpn], [MFmf]\b")
# Match a word or name, but not a bullet, a number of a list or a word in quotes.
_WORD = re.compile(r"(?!\d+[.)]\s)\w(?:[\w .'’·-]*[\w.'’·-])?")
# A well-formed answer is read at once, because reading line by line takes three times as long.
_STRICT_LINE = re.compile(rf"^({_WORD.pattern}) - ([PN]), ([MF])$", re.MULTILINE)
_FENCE = re.compile(r"\s*```\w*\s*")
# The end of one of several tags on a line, in the spellings that the repairs accept.
_TAG_END = re.compile(r"[-–—−‐‑:→(][ \t]*\(?[PNpn][ \t]*[,/;|.][ \t]*[MFmf]\b\)?")
_SEPARATOR = re.compile(r"[\s;,|/.]+")
SEVERAL_TAGS = "several tags on a line"
_THINKING = re.compile(r"(</?(?:think|thinking|reasoning)>)", re.IGNORECASE)


class Tag(NamedTuple):
    """A word of a sentence, its reference to a person (P or N), and its grammatical gender (M or F)."""

    word: str
    person: str
    gender: str


def parse_tag(line: str) -> Tag | None:
    """Parse a line that is exactly a tag, else return None."""
    found = _TAG.fullmatch(line)
    return Tag(*found.groups()) if found else None


@dataclass(frozen=True)
class ParsedAnswer:
    """The content of an answer: tags in order, the number of each repair, and the lines that fit no rule.

    `cut` is the number of lines after the answer, in which the model invented another example.
    """

    tags: tuple[Tag, ...]
    repairs: dict[str, int]
    unparsed: tuple[str, ...]
    cut: int = 0


def _subn(pattern: str, replacement: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda line: compiled.sub(replacement, line)


# The repairs are applied in this order, each after those before it, until the line is a tag; their names are those of
# the repairs table. A pattern that begins with white space only matches at the start of a run of it. Otherwise a long
# run would take quadratic time.
REPAIRS: dict[str, Callable[[str], str]] = {
    "white space": lambda line: " ".join(line.split()),
    "full-width marks": lambda line: normalize("NFKC", line).replace("、", ", "),
    # The star of a list is also Markdown.
    "markup": lambda line: re.sub(r"[*_`]+", "", line).strip(),
    "bullet": _subn(r"^(?:[-–—•·▪◦+]|\d+[.)])\s+", ""),
    "quotes": _subn(r"[\"“”«»]|^['‘](?=\w)|(?<=\w)['’](?=\s*[-–—:])|['’]$", ""),
    "other dash": _subn(r"(?<!\s)\s*[–—−‐‑:→]\s*(?=\(?[PNpn]\b)", " - "),
    "brackets": _subn(r"(?<!\s)\s*(?:-\s*)?\(\s*([PNpn])\s*[,/;]?\s*([MFmf])\s*\)", r" - \1, \2"),
    "other separator": _subn(r"\b([PNpn])\s*[/;|.]\s*([MFmf])\b", r"\1, \2"),
    "missing space": _subn(r"(?<!\s)\s*-\s*([PNpn])\s*,?\s*([MFmf])\b", r" - \1, \2"),
    "lower case": lambda line: _ATTRIBUTES.sub(lambda found: found[0].upper(), line),
    "trailing words": _subn(r"( - [PN], [MF])\b[\s.,;()].*$|( - [PN], [MF])[.,;]$", r"\1\2"),
}


def parse_answer(text: str) -> ParsedAnswer:
    """Parse the tags of an answer; see `REPAIRS` for the repairs on the way.

    Headings of examples before the first tag are an echo and skipped. After a tag, a heading ends the answer, because
    completion models continue with examples of their own. Every other line that is no tag is listed as unparsed. So is
    the model's thinking before it answers (`<think>`), whatever tags it contains.
    """
    text, unparsed = _remove_thinking(text.strip())
    strict = _STRICT_LINE.findall(text)
    if len(strict) == text.count("\n") + 1:
        return ParsedAnswer(tuple(map(Tag._make, strict)), {}, tuple(unparsed))
    tags: list[Tag] = []
    repairs: Counter[str] = Counter()
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        # Try a tag first, because "frase" and "ejemplo" are nouns, too.
        found, needed, rest = _read_tags(line)
        if found:
            tags += found
            repairs.update(needed)
            unparsed += rest
        elif _FENCE.fullmatch(line):
            repairs["code fence"] += 1
        elif not _EXAMPLE_HEAD.fullmatch(line):
            unparsed.append(line.strip())
        elif tags:
            return ParsedAnswer(tuple(tags), dict(repairs), tuple(unparsed), cut=len(lines) - number)
        else:
            repairs["echo"] += 1
    return ParsedAnswer(tuple(tags), dict(repairs), tuple(unparsed))


def _remove_thinking(text: str) -> tuple[str, list[str]]:
    """Separate an answer from its model's thinking, and return the lines of the latter.

    Thinking without an opening mark starts with the answer, because some chat templates write the mark themselves.
    Thinking without a closing mark was cut.
    """
    # Every second piece is a mark.
    first, *pieces = _THINKING.split(text)
    if not pieces:
        return text, []
    parts: dict[bool, list[str]] = {True: [], False: []}
    parts[pieces[0].startswith("</")].append(first)
    for mark, piece in zip(pieces[::2], pieces[1::2], strict=True):
        parts[not mark.startswith("</")].append(piece)
    lines = [line.strip() for line in "\n".join(parts[True]).splitlines()]
    return "\n".join(parts[False]).strip(), list(filter(None, lines))


def _read_tags(line: str) -> tuple[list[Tag], list[str], list[str]]:
    """Parse the tags of a line; also return the necessary repairs, and the rest of a line with several tags."""
    ends = [found.end() for found in _TAG_END.finditer(line)]
    if len(ends) < 2:
        tag, needed = _repair(line)
        return [tag] if tag else [], needed, []
    tags, repairs, rest = list[Tag](), [SEVERAL_TAGS], list[str]()
    for start, end in zip([0, *ends], [*ends, len(line)], strict=True):
        separator = _SEPARATOR.match(line, start)
        piece = line[separator.end() if separator else start : end].strip()
        tag, needed = _repair(piece)
        if tag:
            tags.append(tag)
            repairs += needed
        elif piece:
            rest.append(piece)
    return tags, repairs, rest


def _read(line: str) -> Tag | None:
    tag = parse_tag(line)
    return tag if tag and _WORD.fullmatch(tag.word) else None


def _repair(line: str) -> tuple[Tag | None, list[str]]:
    if tag := _read(line):
        return tag, []
    needed = []
    for name, repair in REPAIRS.items():
        repaired = repair(line)
        if repaired != line:
            needed.append(name)
            line = repaired
            if tag := _read(line):
                return tag, needed
    return None, []


COUNTS = ("masculine", "feminine", "not_person", "person", "person_masculine", "person_feminine")
FURTHER_COUNTS = ("epicene_masculine", "epicene_feminine", "not_in_text")
# The notebook's search strings in a line, in the order of COUNTS.
_SUBSTRINGS = (", M", ", F", "N, ", "P, ", "P, M", "P, F")
BATCH_ANSWERS = 2000
# `skipped`: the word is on the skip list and not counted. `in_text`: the text has the word; models invent some.
# `repeated`: the text has the word, but fewer times.
WORD_TYPE = pa.struct(
    [(name, pa.string()) for name in ("word", "person", "gender")]
    + [(name, pa.bool_()) for name in ("skipped", "in_text", "repeated", "epicene")]
)
TAGS_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("run", pa.int16()),
        ("status", pa.string()),
        ("words", pa.list_(WORD_TYPE)),
        *((f"{procedure}_{name}", pa.int32()) for procedure in PROCEDURES for name in COUNTS),
        *((f"corrected_{name}", pa.int32()) for name in FURTHER_COUNTS),
    ]
)
FURTHER_EXAMPLES = "further examples"
KEPT_ERROR, CUT, UNPARSED_LINE, NOT_IN_TEXT, REPEATED = PROBLEMS = (
    "error", "cut at max_tokens", "unparsed line", "word not in the text", "word more often than in the text",
)  # fmt: skip
PARSED, PARTLY, UNPARSED, EMPTY, ERROR = STATUSES = ("parsed", "partly parsed", "unparsed", "no words", "error")


def read_skip_list(path: Path | None) -> frozenset[str]:
    """Read the words of the file, one per line, in capitals as the notebook compares them; none without a file."""
    lines = read_lines(path) if path else []
    return frozenset(line.strip().upper() for line in lines if line.strip())


def read_epicene_words(path: Path, lang: str) -> frozenset[str]:
    """Read the words of one language from the table of `lang` and `word`, in lower case."""
    return frozenset(row["word"].lower() for row in read_tsv(path, ["lang", "word"]) if row["lang"] == lang)


def parse_answers(
    answers: Path, skip_list: Path | None, epicene_words: Path, tags: Path, problems: Path, name: str, lang: str
) -> None:
    """Parse the answers of `answers` (`llm.answering.ANSWERS_SCHEMA`) into words and counts, one row per answer.

    The metadata of `tags` (`TAGS_SCHEMA`) have the name of the texts, their language and the skip list, the number of
    answers with each status, the number of each repair, and the information of `answers` about missing answers.
    `problems` is a CSV of errors and answers that were cut at the model's limit, lines that fit no rule, and words that
    are not in the text.
    """
    skipped = read_skip_list(skip_list)
    epicene = read_epicene_words(epicene_words, lang)
    statuses: Counter[str] = Counter()
    repairs: Counter[str] = Counter()
    found_problems = Counter(dict.fromkeys(PROBLEMS, 0))

    def parse_row(answer: dict[str, Any], writer: Any) -> dict[str, Any]:
        parsed = parse_answer(answer["answer"])
        words = _describe_words(parsed.tags, answer["text"], skipped, epicene, load_folding(lang))
        status = _describe_status(answer, parsed)
        statuses[status] += 1
        repairs.update(parsed.repairs | ({FURTHER_EXAMPLES: 1} if parsed.cut else {}))
        for problem, line in _find_problems(answer, parsed, words):
            found_problems[problem] += 1
            writer.writerow([answer["id"], answer["run"], problem, answer["text"], line])
        counts = [*_count_published(answer["answer"], skipped), *_count_corrected(words).values()]
        return dict(zip(TAGS_SCHEMA.names, [answer["id"], answer["run"], status, words, *counts], strict=True))

    def batches(writer: Any) -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for batch in read_batches(answers, BATCH_ANSWERS):
            rows = [dict(zip(batch, cells, strict=True)) for cells in zip(*batch.values(), strict=True)]
            yield [parse_row(row, writer) for row in rows if row["answer"] is not None]
        for status in (ERROR, UNPARSED):
            if statuses[status]:
                log.warning("%s: %d answers are %s and count as no words", answers.name, statuses[status], status)
        return read_metadata(answers) | {
            "texts": name,
            "lang": lang,
            "skip_list": sorted(skipped),
            "statuses": dict(sorted(statuses.items())),
            "repairs": dict(sorted(repairs.items())),
            "problems": dict(sorted(found_problems.items())),
        }

    with open_rows(problems, ["id", "run", "problem", "text", "line"]) as writer:
        write_batches(tags, TAGS_SCHEMA, batches(writer))


def _describe_words(
    tags: tuple[Tag, ...], text: str, skipped: frozenset[str], epicene: frozenset[str], folding: Folding
) -> list[dict[str, Any]]:
    text = folding.fold(text).lower()
    lowers = [folding.fold(tag.word).lower() for tag in tags]
    words = []
    for place, ((word, person, gender), lower) in enumerate(zip(tags, lowers, strict=True)):
        occurrences = _count_occurrences(lower, text)
        in_text, repeated = occurrences > 0, 0 < occurrences <= lowers[:place].count(lower)
        words.append({
            "word": word, "person": person, "gender": gender, "skipped": word.upper() in skipped,
            "in_text": in_text, "repeated": repeated, "epicene": person == PERSON and lower in epicene,
        })  # fmt: skip
    return words


def _count_occurrences(word: str, text: str) -> int:
    """Count the occurrences of `word` in `text` as a word, not inside another."""
    # Folding may leave nothing of a word.
    count, start = 0, text.find(word) if word else -1
    while start >= 0:
        end = start + len(word)
        inside = (start and text[start - 1].isalnum()) or (end < len(text) and text[end].isalnum())
        count += not inside
        start = text.find(word, end)
    return count


def _describe_status(answer: dict[str, Any], parsed: ParsedAnswer) -> str:
    if answer["error"]:
        return ERROR
    if parsed.unparsed:
        return PARTLY if parsed.tags else UNPARSED
    return PARSED if parsed.tags else EMPTY


def _find_problems(
    answer: dict[str, Any], parsed: ParsedAnswer, words: list[dict[str, Any]]
) -> Iterator[tuple[str, str]]:
    if answer["error"]:
        yield KEPT_ERROR, answer["error"]
    if answer["finish_reason"] == "length":
        yield CUT, answer["answer"].rpartition("\n")[2]
    for line in parsed.unparsed:
        yield UNPARSED_LINE, line
    for word in words:
        if not word["in_text"]:
            yield NOT_IN_TEXT, word["word"]
        elif word["repeated"]:
            yield REPEATED, word["word"]


def _count_published(answer: str, skipped: frozenset[str]) -> list[int]:
    totals = dict.fromkeys(_SUBSTRINGS, 0)
    for line in answer.splitlines():
        word, dash, _ = line.partition(" - ")
        if not dash or word.strip().upper() not in skipped:
            for substring in _SUBSTRINGS:
                totals[substring] += substring in line
    return list(totals.values())


def _count_corrected(words: list[dict[str, Any]]) -> dict[str, int]:
    counts = dict.fromkeys([*COUNTS, *FURTHER_COUNTS], 0)
    for word in words:
        gender = GENDERS[word["gender"]]
        if word["skipped"]:
            continue
        if not word["in_text"] or word["repeated"]:
            counts["not_in_text"] += 1
        elif word["person"] == PERSON:
            counts["person"] += 1
            counts[gender] += 1
            counts[f"person_{gender}"] += 1
            counts[f"epicene_{gender}"] += word["epicene"]
        else:
            counts["not_person"] += 1
            counts[gender] += 1
    return counts


_BLOCK = re.compile(r'"(?P<sentence>[^"]*)"\s+"(?P<tags>[^"]*)"')


@dataclass(frozen=True)
class TaggedSentence:
    """A sentence and its tagged words in text order."""

    sentence: str
    tags: tuple[Tag, ...]


def read_gold(path: Path) -> list[TaggedSentence]:
    """Read blocks of `"sentence" "word - P, M⏎…"`, separated by empty lines.

    A sentence without nouns has an empty second part. Raises `InputError` with the block and line.
    """
    sentences = []
    for number, (_, block) in enumerate(split_gold(path), start=1):
        try:
            sentences.append(read_block(block))
        except ValueError as error:
            raise InputError(f"{path}, block {number}: {error}") from None
    return sentences


def split_gold(path: Path) -> list[tuple[int, str]]:
    """Split a file of blocks, each with the number of its first line. Raises `InputError` if there is none."""
    try:
        content = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None
    blocks = []
    line = 1
    for part in re.split(r"(\n[ \t]*\n)", content):
        if part.strip():
            blank = part[: len(part) - len(part.lstrip())]
            blocks.append((line + blank.count("\n"), part.strip()))
        line += part.count("\n")
    if not blocks:
        raise InputError(f"{path}: has no annotated sentences")
    return blocks


def read_block(block: str) -> TaggedSentence:
    """Read a block. Raises `ValueError` with the reason."""
    parts = _BLOCK.fullmatch(block)
    if parts is None:
        raise ValueError(f'must be "sentence" "word - P, M" with straight quotes, not {block[:60]!r}')
    tags = []
    for line in filter(None, parts["tags"].split("\n")):
        tag = parse_tag(line)
        if tag is None:
            raise ValueError(f"{line!r} must be word - P or N, M or F; for instance: señor - P, M")
        tags.append(tag)
    if not parts["sentence"].strip():
        raise ValueError("the sentence is empty; remove the block")
    return TaggedSentence(parts["sentence"], tuple(tags))
