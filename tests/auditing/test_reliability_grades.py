"""The grade of a method in a language, from constructed tables."""

from types import SimpleNamespace

import pytest

from textparity.auditing.reliability import (
    KIN_NOUNS_ONLY,
    MEASURED,
    NO_GRADE,
    PARTLY,
    decide_grade,
    find_unread_layers,
    grade_language,
    sees_kin_nouns_only,
)
from textparity.counting.precision import Coverage, Judgement, load_coverage
from textparity.persons.mentions import Measured

FOUND = {
    "feminine_nouns": 40, "feminine_pronouns": 30, "feminine_titles": 0, "feminine_names": 30,
    "masculine_nouns": 40, "masculine_pronouns": 30, "masculine_titles": 1, "masculine_names": 30,
}  # fmt: skip


def coverage(feminine=(0.6, 0.5, 0.7), masculine=(0.6, 0.5, 0.7), ratio=(1, 0.8, 1.2), corpus="ntrex", **found):
    values = dict(corpus=corpus, lang="deu", lines=100, documents=10, **(FOUND | found))
    values |= {f"{name}_{gender}": 1 for name in ("english", "shared") for gender in ("feminine", "masculine")}
    for name, numbers in (("feminine", feminine), ("masculine", masculine), ("ratio", ratio)):
        values |= {f"recall_{name}{end}": number for end, number in zip(("", "_low", "_high"), numbers, strict=True)}
    return Coverage(**values)


def cluster(annotation="complete", method="words", lang="deu", corpus="News"):
    return SimpleNamespace(measured=Measured(method), lang=lang, corpus=corpus, annotation=annotation)


def samples(*layers, number=5):
    return [
        Judgement("textparity_v2", "deu", "x", "feminine", layer, "kept", True, "somebody")
        for layer in layers
        for _ in range(number)
    ]


KIN = coverage((0.3, 0.2, 0.4), (0.1, 0.05, 0.15), (0.33, 0.2, 0.5))
READ = samples("nouns", "pronouns", "names")


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        ((0.5, 0.3, 0.7), True),
        # Less than two thirds, but it may be chance.
        ((0.5, 0.2, 1.1), False),
        # Surely less than 1, but not by so much.
        ((0.7, 0.6, 0.8), False),
        # Women are seen less than men: the same rule.
        ((2, 1.4, 3), True),
        ((2, 0.9, 4), False),
        ((float("nan"), float("nan"), float("nan")), False),
    ],
)
def test_one_gender_is_seen_much_less_than_the_other(ratio, expected):
    assert sees_kin_nouns_only(coverage(ratio=ratio)) is expected


def test_so_little_is_seen_of_both_that_nothing_follows():
    assert sees_kin_nouns_only(coverage((0.1, 0.05, 0.24), (0.1, 0.05, 0.2)))
    assert not sees_kin_nouns_only(coverage((0.1, 0.05, 0.26), (0.1, 0.05, 0.2)))


def test_kin_nouns_only_states_both_recalls():
    grade = decide_grade(Measured("words"), "deu", [KIN], [cluster()], READ)
    assert grade.name == KIN_NOUNS_ONLY
    assert grade.reason.startswith(
        "of the lines of NTREX-128 where the English text names a man, it finds one in 10 % (a woman: 30 %)"
    )


def test_the_longer_parallel_text_decides():
    good = coverage(corpus="flores")
    assert decide_grade(Measured("words"), "deu", [good, KIN], [], READ).name == KIN_NOUNS_ONLY
    assert decide_grade(Measured("words"), "deu", [good], [], READ).name == PARTLY


def test_words_are_measured_if_annotated_completely_and_read():
    grade = decide_grade(Measured("words"), "deu", [coverage()], [cluster(), cluster(corpus="Novels")], READ)
    assert grade == (
        MEASURED,
        "its error was measured on News and Novels, and 15 of its matches were read by a somebody",
    )


@pytest.mark.parametrize(
    ("clusters", "read", "reason"),
    [
        ([cluster()], samples("nouns"), "but no sample of its pronouns and names was read"),
        ([cluster("marked")], READ, "15 of its matches were read by a somebody, but its error was not measured"),
        ([cluster(lang="eng")], READ, "but its error was not measured"),
        ([cluster(method="nouns")], READ, "but its error was not measured"),
        (
            [],
            [],
            "its error was not measured, because no text with all persons annotated was available, and no sample of",
        ),
    ],
)
def test_words_are_partly_measured_if_one_of_the_two_is_missing(clusters, read, reason):
    grade = decide_grade(Measured("words"), "deu", [coverage()], clusters, read)
    assert grade.name == PARTLY and reason in grade.reason


def test_a_layer_must_be_read_unless_it_is_negligible_or_off():
    row = coverage()
    assert find_unread_layers(row, samples("nouns")) == ["pronouns", "names"]
    assert find_unread_layers(row, samples("nouns", "pronouns", "names", number=4)) == ["nouns", "pronouns", "names"]
    assert find_unread_layers(row, samples("nouns"), off=["names"]) == ["pronouns"]
    assert find_unread_layers(coverage(masculine_titles=10), READ) == ["titles"]
    # Without a parallel text, nobody knows which layers are used.
    assert find_unread_layers(None, READ) == ["titles"]


def test_persons_are_never_kin_nouns_only():
    assert decide_grade(Measured("persons"), "deu", [KIN], [cluster(method="persons")], []).name == MEASURED
    assert decide_grade(Measured("persons"), "deu", [KIN], [cluster(method="words")], []).name == PARTLY


def test_nouns_are_partly_measured_at_best():
    grade = decide_grade(Measured("nouns"), "deu", [coverage()], [cluster(method="nouns")], READ)
    assert grade == (PARTLY, "nouns alone are no estimate of who is mentioned")
    assert decide_grade(Measured("nouns"), "deu", [KIN], [], READ).name == KIN_NOUNS_ONLY


@pytest.mark.parametrize("method", ["published", "llm:some"])
def test_other_methods_have_no_grade(method):
    assert decide_grade(Measured(method), "deu", [coverage()], [], []) == NO_GRADE


def test_every_language_of_the_shipped_tables_has_a_grade_with_a_reason():
    langs = {row.lang for row in load_coverage()}
    assert len(langs) == 55
    found = [grade_language(Measured(method), lang) for method in ("persons", "words", "nouns") for lang in langs]
    assert {grade.name for grade in found} <= {MEASURED, PARTLY, KIN_NOUNS_ONLY}
    assert all(grade.reason and not grade.reason.endswith(".") for grade in found)
