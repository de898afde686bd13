"""What models answer, read: for any text at all, not only for those that somebody thought of."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textparity_studies.measures.tag_counts import REPAIRS, SEVERAL_TAGS, parse_answer, parse_tag
from textparity_studies.propagation.story_sets import STATUSES, CollectedStories
from textparity_studies.representation.scores import parse_published
from textparity_studies.stereotypes.generation import split_sentences
from textparity_studies.swapping.asking import parse_swap

ANY = settings(deadline=None, max_examples=300, derandomize=True)
# Any text, and texts of the pieces that the parsers look for, which chance would never put together.
PIECES = st.sampled_from(
    [" - ", "P", "N", ", ", "M", "F", "\n", " ", "señor", "frase", "Ejemplo 2:", "```", "- ", "1. ", "(", ")", "**",
     '"', "«", "»", "–", "/", ":", ".", "\t", "\r\n", "\u2028", "\xa0", "　", "Ｐ", "’", "_", "Output: ", "\nInput: ",
     "Вихід:", "{'a': 'JOB'}", "лікарка", "{", "Dr. ", "She left.", "\x00", "\u0301", "😀"]
)  # fmt: skip
TEXTS = st.text() | st.lists(PIECES | st.characters(exclude_categories=["Cs"]), max_size=40).map("".join)


@ANY
@given(TEXTS)
def test_tags_are_words_of_the_answer_and_no_line_is_lost(text):
    parsed = parse_answer(text)
    lines = [line for line in text.splitlines() if line.strip()]
    skipped = parsed.repairs.get("code fence", 0) + parsed.repairs.get("echo", 0)
    if SEVERAL_TAGS not in parsed.repairs:
        assert len(parsed.tags) + len(parsed.unparsed) + skipped <= len(lines) + text.count("\x0b")
    assert len(parsed.tags) + len(parsed.unparsed) + skipped + parsed.cut >= len(lines)
    assert parsed.repairs.keys() <= REPAIRS.keys() | {"code fence", "echo", SEVERAL_TAGS}
    for tag in parsed.tags:
        assert (tag.person in "PN", tag.gender in "MF", tag.word) == (True, True, tag.word.strip())
        assert parse_tag(f"{tag.word} - {tag.person}, {tag.gender}") == tag
    # Nothing is guessed.
    if not parsed.repairs:
        assert all(tag.word in text for tag in parsed.tags)


@ANY
@given(TEXTS)
def test_what_was_read_is_read_again_without_a_repair(text):
    tags = parse_answer(text).tags
    again = parse_answer("\n".join(f"{tag.word} - {tag.person}, {tag.gender}" for tag in tags))
    assert (again.tags, again.repairs, again.unparsed, again.cut) == (tags, {}, (), 0)


@ANY
@given(TEXTS)
def test_the_papers_triples_are_those_of_its_notebook(text):
    pieces = re.split(r" - |, |\n", re.sub(r"\s+\n", "\n", text.strip().upper()))
    assert parse_published(text) == [tuple(pieces[start : start + 3]) for start in range(0, len(pieces), 3)]


@ANY
@given(TEXTS, TEXTS)
def test_a_swapped_sentence_is_one_line_of_the_answer_or_none(answer, original):
    swapped, needed = parse_swap(answer, original)
    assert swapped == swapped.strip()
    assert len(swapped.splitlines()) <= 1
    # What was left out is named.
    assert needed or swapped == answer.strip()
    assert " ".join(swapped.split()) in " ".join(answer.split())


@settings(ANY, max_examples=100)
@given(TEXTS)
def test_sentences_are_parts_of_the_answer_with_a_letter(text):
    sentences = split_sentences(text)
    bare = re.sub(r"\*\*|`", "", text)
    for sentence in sentences:
        assert sentence in bare and sentence == sentence.strip() and any(map(str.isalpha, sentence))
    if not any(map(str.isalpha, text)):
        assert not sentences


@settings(ANY, max_examples=100)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(["stop", "length", ""])), max_size=8), st.integers(1, 5))
def test_no_more_sentences_are_collected_than_wanted(answers, wanted):
    collected = CollectedStories("set", "en", wanted)
    for text, finish_reason in answers:
        collected.take(text, finish_reason, "")
    assert len(collected.sentences) <= wanted
    assert collected.statuses.keys() <= set(STATUSES)
    assert collected.stories == len(answers)
    for story, sentence in collected.sentences:
        assert sentence.strip() in answers[story - 1][0]


UNITS = [
    "a", " ", "* ", "_ ", "** _ ", "a - ", "- ", " - P", "señor - P, M ", "(P", "( ", "1. ", "\t", "'", '"', ": ", "→ ",
    "P/", "«", "```", "{", "{'JOB'", "Output: ", "Dr. ", "\u0301", "\xa0", "' -", "’ ", "\n", "\r", "\u2028",
    "\nInput :", "``",
]  # fmt: skip
PARSERS = [parse_answer, parse_published, lambda text: parse_swap(text, "Слово про лікаря."), split_sentences]


@pytest.mark.parametrize("parse", PARSERS, ids=["tags", "published", "swap", "sentences"])
def test_no_answer_takes_its_length_squared(parse):
    slow = []
    for unit in UNITS:
        for before, after in (("", ""), ("a", "b")):
            started = time.process_time()
            parse(before + unit * (10_000 // len(unit)) + after)
            if time.process_time() - started > 2:
                slow.append((unit, before))
    assert not slow
