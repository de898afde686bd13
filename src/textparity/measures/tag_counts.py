"""From answers to counts L_{p,g}: words per reference (P, N) and gender (M, F) in a text (Derner 2025, §3.2, App. D).

`published` is the paper's notebook: lines whose first part is on the skip list go, and every other line counts wherever
it contains `, M`, `, F`, `N, `, `P, `, `P, M` or `P, F`, whatever else it holds. `corrected` counts the words that
`parse_answer` reads, without those of the skip list.
"""

import logging
import re
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import read_batches, read_metadata, write_batches
from textparity.files import open_rows
from textparity.measures.procedures import PROCEDURES
from textparity.measures.tagged_words import GENDERS, PERSON, ParsedAnswer, Tag, parse_answer
from textparity.tsv import read_tsv

log = logging.getLogger(__name__)

COUNTS = ("masculine", "feminine", "not_person", "person", "person_masculine", "person_feminine")
EPICENE_COUNTS = ("epicene_masculine", "epicene_feminine")
# What the notebook looks for in a line, in the order of COUNTS.
_SUBSTRINGS = (", M", ", F", "N, ", "P, ", "P, M", "P, F")
_USUAL_ENDS = {
    end: [substring in end for substring in _SUBSTRINGS] for end in (" - P, M", " - P, F", " - N, M", " - N, F")
}
_END = len(" - P, M")
_TOKEN = re.compile(r"\w+")
BATCH_ANSWERS = 2000
# `skipped`: on the skip list, not counted. `in_text`: the text has the word; models invent some. `repeated`: the text
# has it, but not so often.
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
        *((f"corrected_{name}", pa.int32()) for name in EPICENE_COUNTS),
    ]
)
FURTHER_EXAMPLES = "further examples"
KEPT_ERROR, CUT, UNPARSED_LINE, NOT_IN_TEXT, REPEATED = PROBLEMS = (
    "error", "cut at max_tokens", "unparsed line", "word not in the text", "word more often than in the text",
)  # fmt: skip
PARSED, PARTLY, UNPARSED, EMPTY, ERROR = STATUSES = ("parsed", "partly parsed", "unparsed", "no words", "error")


def read_skip_list(path: Path | None) -> frozenset[str]:
    """Return the words of the file, one a line, in capitals as the notebook compares them; none without a file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path else []
    return frozenset(line.strip().upper() for line in lines if line.strip())


def read_epicene_words(path: Path, lang: str) -> frozenset[str]:
    """Return the words of one language from the table of `lang` and `word`, in lower case."""
    return frozenset(row["word"].lower() for row in read_tsv(path, ["lang", "word"]) if row["lang"] == lang)


def parse_answers(
    answers: Path, skip_list: Path | None, epicene_words: Path, tags: Path, problems: Path, name: str, lang: str
) -> None:
    """Read the answers of `answers` (`tagging.ANSWERS_SCHEMA`) into words and counts, one row an answer.

    `tags` (`TAGS_SCHEMA`) has in its metadata the name of the texts, their language and the skip list, how many answers
    have each status, how often each repair was needed, and what `answers` says of missing answers. `problems` is a CSV
    of answers that are errors or were cut at the model's limit, lines that fit no rule, and words that are not in the
    text.
    """
    skipped = read_skip_list(skip_list)
    epicene = read_epicene_words(epicene_words, lang)
    repairs: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    problems_found = Counter(dict.fromkeys(PROBLEMS, 0))

    def row_of(answer: dict[str, Any], writer: Any) -> dict[str, Any]:
        parsed = parse_answer(answer["answer"])
        words = _describe(parsed.tags, answer["text"].lower(), skipped, epicene)
        status = _status(answer, parsed)
        if parsed.repairs:
            repairs.update(parsed.repairs)
        if parsed.cut:
            repairs[FURTHER_EXAMPLES] += 1
        statuses[status] += 1
        for problem, line in _problems(answer, parsed, words):
            problems_found[problem] += 1
            writer.writerow([answer["id"], answer["run"], problem, answer["text"], line])
        counts = [*_count_published(answer["answer"], skipped), *_count_corrected(words).values()]
        return dict(zip(TAGS_SCHEMA.names, [answer["id"], answer["run"], status, words, *counts], strict=True))

    def batches(writer: Any) -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for batch in read_batches(answers, BATCH_ANSWERS):
            rows = [dict(zip(batch, cells, strict=True)) for cells in zip(*batch.values(), strict=True)]
            yield [row_of(row, writer) for row in rows if row["answer"] is not None]
        counted: dict[str, Any] = {"texts": name, "lang": lang, "skip_list": sorted(skipped)}
        counted |= {"statuses": dict(sorted(statuses.items())), "repairs": dict(sorted(repairs.items()))}
        for status in (ERROR, UNPARSED):
            if statuses[status]:
                log.warning("%s: %d answers are %s and count as no words", answers.name, statuses[status], status)
        return read_metadata(answers) | counted | {"problems": dict(sorted(problems_found.items()))}

    with open_rows(problems, ["id", "run", "problem", "text", "line"]) as writer:
        write_batches(tags, TAGS_SCHEMA, batches(writer))


def _describe(
    tags: tuple[Tag, ...], text: str, skipped: frozenset[str], epicene: frozenset[str]
) -> list[dict[str, Any]]:
    tokens = set(_TOKEN.findall(text))
    lowers = [tag.word.lower() for tag in tags]
    distinct = len(set(lowers)) == len(lowers)
    words = []
    for place, ((word, person, gender), lower) in enumerate(zip(tags, lowers, strict=True)):
        # Tags of several words, and with marks, are no tokens.
        in_text = lower in tokens or _occurrences(lower, text) > 0
        repeated = in_text and not distinct and lowers[:place].count(lower) >= _occurrences(lower, text)
        words.append({
            "word": word, "person": person, "gender": gender, "skipped": word.upper() in skipped,
            "in_text": in_text, "repeated": repeated, "epicene": person == PERSON and lower in epicene,
        })  # fmt: skip
    return words


def _occurrences(word: str, text: str) -> int:
    """Return how often `word` stands in `text` as a word, not inside another."""
    count, start = 0, text.find(word)
    while start >= 0:
        end = start + len(word)
        inside = (start and text[start - 1].isalnum()) or (end < len(text) and text[end].isalnum())
        count += not inside
        start = text.find(word, end)
    return count


def _status(answer: dict[str, Any], parsed: ParsedAnswer) -> str:
    if answer["error"]:
        return ERROR
    if parsed.unparsed:
        return PARTLY if parsed.tags else UNPARSED
    return PARSED if parsed.tags else EMPTY


def _problems(answer: dict[str, Any], parsed: ParsedAnswer, words: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
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
    totals = [0] * len(_SUBSTRINGS)
    usual = dict.fromkeys(_USUAL_ENDS, 0)
    for line in answer.splitlines():
        word, end = line[:-_END], line[-_END:]
        # Nothing else in such a line can hold what is looked for.
        if end in usual and ", " not in word and " - " not in word:
            usual[end] += word.strip().upper() not in skipped
        elif " - " not in line or line.partition(" - ")[0].strip().upper() not in skipped:
            totals = [total + (substring in line) for total, substring in zip(totals, _SUBSTRINGS, strict=True)]
    for end, lines in usual.items():
        totals = [total + lines * found for total, found in zip(totals, _USUAL_ENDS[end], strict=True)]
    return totals


def _count_corrected(words: list[dict[str, Any]]) -> dict[str, int]:
    counts = dict.fromkeys([*COUNTS, *EPICENE_COUNTS], 0)
    for word in words:
        if word["skipped"]:
            continue
        gender = GENDERS[word["gender"]]
        counts[gender] += 1
        if word["person"] == PERSON:
            counts["person"] += 1
            counts[f"person_{gender}"] += 1
            counts[f"epicene_{gender}"] += word["epicene"]
        else:
            counts["not_person"] += 1
    return counts
