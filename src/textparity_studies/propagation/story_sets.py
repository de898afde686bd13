"""Make sets of stories with a language model, and describe sets (Derner 2025, §5, App. E).

There is a set about men, one about women, and one of both in turn. We ask a model the same question again and again,
each time with the next run (and seed), until its stories have enough sentences. The number of simultaneous questions
does not matter, because stories are used in order.
"""

import logging
import math
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from textparity.corpora.reading import TEXT_SCHEMA, read_batches, read_metadata, read_rows, write_batches
from textparity.counting import PROCEDURES
from textparity.counting.tokenizers import split_sentences, split_words
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import Table
from textparity_studies.llm.answering import (
    ANSWER_FIELDS,
    Asking,
    Cells,
    Question,
    Questions,
    ask,
    estimate,
    write_estimate,
)
from textparity_studies.llm.models import Answer, ModelRow, Request, read_part, to_prompt
from textparity_studies.measures.gender_ratios import GENDERS, RATIO, summarise_polarity, summarise_tags
from textparity_studies.propagation.base_models import ASKED_CONDITIONS, BALANCED, CONDITIONS, ENGLISH, FEMALE, MALE

log = logging.getLogger(__name__)

# "About 40-50 sentences" (App. E), for estimates before any story is written.
SENTENCES_OF_A_STORY = 45
# After this many consecutive stories without a new sentence, further requests would be pointless.
USELESS_IN_A_ROW = 20
USED, NOT_NEEDED, NO_STORY, NO_SENTENCE, SAME_AS_BEFORE = STATUSES = (
    "used", "not needed", "no answer", "no sentence", "same as before",
)  # fmt: skip
# `story` counts from 1.
ANSWERS_SCHEMA = pa.schema([("story", pa.int32()), *ANSWER_FIELDS])
POLARITY = "gender polarity"
# The gender that a set should not mention.
_OTHER_GENDER = {MALE: "feminine", FEMALE: "masculine"}
_RATIO = "masculine_per_feminine"


@dataclass
class CollectedStories:
    """Collect the sentences of one set from stories, in the order in which they were requested.

    `sentences` are (story, text), with stories counted from 1; `statuses` counts the stories by outcome. Lines without
    a letter do not count. Nor does the last sentence of a story that was cut at the model's limit (`cut`).
    """

    name: str
    locale: str
    wanted: int
    sentences: list[tuple[int, str]] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    _known: set[str] = field(default_factory=set)
    # Consecutive stories without a new sentence.
    useless: int = 0

    @property
    def stories(self) -> int:
        """The number of stories used so far."""
        return self.statuses.total()

    @property
    def missing(self) -> int:
        """The number of sentences still missing."""
        return self.wanted - len(self.sentences)

    def take(self, text: str, finish_reason: str, error: str) -> None:
        """Add the next story; `InputError` if too many in a row have no new sentence."""
        status = self._take(text, finish_reason, error)
        self.statuses[status] += 1
        self.useless = 0 if status in (USED, NOT_NEEDED) else self.useless + 1
        if self.useless == USELESS_IN_A_ROW:
            found = ", ".join(f"{count} {status}" for status, count in sorted(self.statuses.items()))
            raise InputError(
                f"{self.name}: {USELESS_IN_A_ROW} stories in a row have no new sentence ({len(self.sentences)} of "
                f"{self.wanted} sentences; stories: {found}); see their answers in the cache, and name another model, "
                "or fix its prompt, temperature or max_tokens"
            )

    def _take(self, text: str, finish_reason: str, error: str) -> str:
        if not self.missing:
            return NOT_NEEDED
        if error:
            return NO_STORY
        found = [sentence for sentence in split_sentences(text, self.locale) if any(map(str.isalpha, sentence))]
        is_cut = bool(found) and finish_reason == "length"
        found = found[:-1] if is_cut else found
        if not found:
            return NO_SENTENCE
        if text in self._known:
            return SAME_AS_BEFORE
        self._known.add(text)
        self.cut += is_cut
        number = self.stories + 1
        self.sentences += [(number, sentence) for sentence in found[: self.missing]]
        return USED


class StoryQuestions(Questions):
    """Repeat the one question of a set until it has enough sentences; `story` counts from 1.

    A pending story is assumed to have as many sentences as those before it, or 45 if it is the first.
    """

    def __init__(self, row: ModelRow, prompt: Path, system: Path | None, collected: CollectedStories) -> None:
        self._row = row
        # Base models continue after the last letter; with a line end there, the answer would begin with one.
        text = read_part(prompt).rstrip("\n")
        if not text:
            raise InputError(f"{prompt}: is empty; write what asks for a story")
        self._prompt = to_prompt(text, row.mode, read_part(system) if system else "")
        self._collected = collected
        self._asked = 0
        self._expected = 0.0

    def next_batch(self) -> list[Question]:
        """List the next questions; once there are stories, no more than will probably be needed."""
        missing = self._collected.missing - self._expected
        first = self._asked + 1
        self._asked += self._next_stories(missing) if missing > 0 else 0
        return [
            ({"story": story}, Request(self._row, self._prompt, story - 1)) for story in range(first, self._asked + 1)
        ]

    def _next_stories(self, missing: float) -> int:
        collected = self._collected
        if self._expected:
            return max(1, int(missing / self._sentences_of_a_story()))
        # A model that only repeats itself will be stopped, so until it writes something new we pay for few requests.
        if not collected.sentences or collected.useless:
            return self._row.requests_at_once
        return max(1, collected.missing * collected.statuses[USED] // len(collected.sentences))

    def _sentences_of_a_story(self) -> float:
        collected = self._collected
        return len(collected.sentences) / collected.stories if collected.sentences else SENTENCES_OF_A_STORY

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Collect the sentences of the stories."""
        collected = self._collected
        for _, answer in answered:
            if answer:
                collected.take(answer.text, answer.finish_reason, answer.error)
            else:
                self._expected += self._sentences_of_a_story()
        log.info("%s: %d sentences, %d missing", collected.name, len(collected.sentences), collected.missing)


def ask_story_generator(
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    answers: Path,
    name: str,
    asking: Asking,
    icu_locale: str,
    sentences: int,
) -> None:
    """Write the model's stories (`ANSWERS_SCHEMA`), as many as `sentences` sentences require.

    Raises `InputError` if many stories in a row have no new sentence.
    """
    # A partial set is useless, so missing answers are requested rather than skipped.
    asking = replace(asking, not_available="")
    collected = CollectedStories(f"{name}, {asking.row.name}", icu_locale, sentences)
    questions = StoryQuestions(asking.row, prompt, system, collected)
    write_batches(answers, ANSWERS_SCHEMA, ask(questions, asking, recorded, generator=asking.row.name))


def estimate_stories(
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    icu_locale: str,
    sentences: int,
) -> None:
    """Write one row: the requests that `ask_story_generator` would send, without sending them."""
    collected = CollectedStories(f"{name}, {asking.row.name}", icu_locale, sentences)
    questions = StoryQuestions(asking.row, prompt, system, collected)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


def collect_story_sets(
    female_answers: Path,
    male_answers: Path,
    female: Path,
    male: Path,
    balanced: Path,
    lang: str,
    icu_locale: str,
    sentences: int,
) -> None:
    """Write the sets of a language, from the answers to the requests for each, and the balanced one."""
    for condition, answers, story_set in ((FEMALE, female_answers, female), (MALE, male_answers, male)):
        collect_story_sentences(answers, story_set, condition, lang, icu_locale, sentences)
    interleave_story_sets(female, male, balanced, sentences)


def collect_story_sentences(
    answers: Path, story_set: Path, condition: str, lang: str, icu_locale: str, sentences: int
) -> None:
    """Write the first `sentences` sentences of the stories as a corpus, with each story as a document.

    The metadata count the stories by outcome, and those that were cut at the model's limit.
    """
    generator = read_metadata(answers)["generator"]
    collected = CollectedStories(f"{answers}, {generator}", icu_locale, sentences)
    for batch in read_batches(answers, 1000, ["answer", "finish_reason", "error"]):
        for cells in zip(*batch.values(), strict=True):
            collected.take(*cells)
    if collected.missing:
        raise InputError(
            f"{answers}: its stories have {len(collected.sentences)} of {sentences} sentences; delete the file and run "
            "again, which asks for the rest"
        )
    rows = [
        {"id": f"{condition}/{number:06d}", "doc_id": f"{story:06d}", "lang": lang, "text": text}
        for number, (story, text) in enumerate(collected.sentences, start=1)
    ]
    statuses = dict(sorted(collected.statuses.items()))
    _write_set(story_set, rows, {"generator": generator, "stories": statuses, "cut": collected.cut})


def interleave_story_sets(first: Path, second: Path, story_set: Path, sentences: int) -> None:
    """Write the sentences of two sets alternately, beginning with the first, until there are `sentences` (App. E)."""
    halves = [read_rows(path).slice(0, math.ceil(sentences / 2)).to_pylist() for path in (first, second)]
    turns = [row for pair in zip(*halves, strict=True) for row in pair][:sentences]
    rows = [
        row | {"id": f"{BALANCED}/{number:06d}", "doc_id": row["id"].partition("/")[0] + "/" + row["doc_id"]}
        for number, row in enumerate(turns, start=1)
    ]
    _write_set(story_set, rows, {})


def _write_set(path: Path, rows: list[dict[str, Any]], metadata: dict[str, Any]) -> None:
    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        yield rows
        return metadata

    write_batches(path, TEXT_SCHEMA, batches())


def tabulate_story_sets(
    texts: list[Path],
    polarity: list[Path],
    tags: list[Path],
    units: list[list[str]],
    icu_locales: dict[str, str],
    language_names: dict[str, str],
    reasons: dict[str, str],
    bootstrap: Bootstrap,
) -> Iterator[Table]:
    """Tabulate the sets of stories, and their overlaps.

    `units` are condition and language of `texts`. English sets are counted by gender polarity (`polarity`), the others
    by a model's `tags`, except the languages with a reason in `reasons`.
    """
    english = [condition for condition, lang in units if lang == ENGLISH]
    tagged = [(condition, lang) for condition, lang in units if lang != ENGLISH and lang not in reasons]
    sets = {
        (condition, lang): read_rows(path, ["text"])["text"].to_pylist()
        for (condition, lang), path in zip(units, texts, strict=True)
    }
    polarity_of = dict(zip(english, polarity, strict=True))
    counts = [
        row | {"lang": ENGLISH}
        for condition, path in polarity_of.items()
        for row in summarise_polarity(path, condition, bootstrap)
    ]
    for (condition, lang), path in zip(tagged, tags, strict=True):
        counts += summarise_tags(path, condition, lang, bootstrap)
    yield measure_story_sets(sets, counts, icu_locales, language_names, reasons)
    yield compare_story_sets(
        sets, {condition: _other_gender(condition, path) for condition, path in polarity_of.items()}
    )


def measure_story_sets(
    sets: Mapping[tuple[str, str], list[str]],
    counts: list[dict[str, Any]],
    icu_locales: dict[str, str],
    language_names: dict[str, str],
    reasons: dict[str, str],
) -> Table:
    """Tabulate the length of each set, and its words of each gender with their ratio, a row per set and procedure.

    English is counted by gender polarity (G_M : G_F), other languages by a model's tags (L_{P,M} : L_{P,F}); `reasons`
    explains why a language is not counted.
    """
    found = {(row["corpus"], row["lang"], row["procedure"]): _name_counts(row) for row in counts}
    rows = []
    for (condition, lang), sentences in sets.items():
        words = sum(map(len, split_words(sentences, icu_locales[lang])))
        for procedure in PROCEDURES:
            nothing = {"method": "", "reason": reasons.get(lang, "")}
            sizes = {"procedure": procedure, "sentences": len(sentences), "words": words}
            counted = found.get((condition, lang, procedure), nothing)
            rows.append({"condition": condition, "lang": lang} | sizes | counted)
    numbers = [*GENDERS, _RATIO, f"{_RATIO}_low", f"{_RATIO}_high"]
    columns = ["condition", "lang", "procedure", "method", "sentences", "words", *numbers, "reason"]
    # Numbers have a numeric column even if no set has a value.
    frame = pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(numbers, "float64"))
    in_print = frame[frame["reason"] == ""]
    shown = {name: in_print[name].map(show_ratio) for name in numbers[2:]}
    heads = ["Language", "Stories", "Procedure", "Sentences", "Words", "Masculine", "Feminine", "Ratio", "Low", "High"]
    return Table(
        "story_sets",
        frame,
        dict(zip(["lang", "condition", "procedure", "sentences", "words", *numbers], heads, strict=True)),
        dict.fromkeys(["sentences", "words", *GENDERS], "{:,.0f}"),
        printed=in_print.assign(lang=in_print["lang"].map(language_names), **shown),
    )


def _name_counts(row: dict[str, Any]) -> dict[str, Any]:
    """Give a summary's counts and ratio the names of this table."""
    prefix, ratio = ("person_", RATIO) if "tagger" in row else ("", _RATIO)
    names = {gender: f"{prefix}{gender}" for gender in GENDERS}
    names |= {f"{_RATIO}{end}": f"{ratio}{end}" for end in ("", "_low", "_high")}
    described = {"method": row.get("tagger", POLARITY), "reason": row.get("reason", "")}
    return described | {name: row.get(column) for name, column in names.items()}


def show_ratio(ratio: float) -> str:
    """Format masculine : feminine with the smaller one as 1."""
    if math.isnan(ratio) or ratio == 0:
        return "--" if math.isnan(ratio) else "0 : 1"
    larger = max(ratio, 1 / ratio)
    shown = f"{larger:,.0f}" if larger >= 100 else f"{larger:.3g}"
    return f"{shown} : 1" if ratio >= 1 else f"1 : {shown}"


def compare_story_sets(sets: Mapping[tuple[str, str], list[str]], other_gender: Mapping[str, int]) -> Table:
    """Tabulate the overlaps between the sets of a language, a row per set.

    `shared_with_*` counts sentences that are also in that other set, letter by letter. `in_turn` counts those at the
    places that alternating the female and the male set would give them. `other_gender_sentences` have a word of the
    gender that the set should not mention (for the balanced set: words of both), by the corrected procedure, in
    English.
    """
    rows = []
    for (condition, lang), sentences in sets.items():
        row = {"condition": condition, "lang": lang, "sentences": len(sentences), "distinct": len(set(sentences))}
        for other in CONDITIONS:
            known = set() if other == condition else set(sets.get((other, lang), []))
            row[f"shared_with_{other}"] = sum(text in known for text in sentences) if known else None
        if condition == BALANCED:
            halves = (sets.get((other, lang), []) for other in ASKED_CONDITIONS)
            turns = (text for pair in zip(*halves, strict=False) for text in pair)
            row["in_turn"] = sum(text == expected for text, expected in zip(sentences, turns, strict=False))
        row["other_gender_sentences"] = other_gender.get(condition) if lang == ENGLISH else None
        rows.append(row)
    frame = pd.DataFrame(rows)
    whole = [name for name in frame.columns if name not in ("condition", "lang")]
    return Table("story_set_overlap", frame.astype(dict.fromkeys(whole, "Int64")))


def _other_gender(condition: str, polarity: Path) -> int:
    masculine, feminine = (read_rows(polarity, [f"corrected_{gender}"]).column(0).to_numpy() > 0 for gender in GENDERS)
    if condition == BALANCED:
        return int((masculine & feminine).sum())
    return int({"masculine": masculine, "feminine": feminine}[_OTHER_GENDER[condition]].sum())
