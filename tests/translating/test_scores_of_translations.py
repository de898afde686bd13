"""The scores of translations: accuracy, F1, and their differences, against a count by hand."""

import math
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from textparity.estimating.bootstrap import Bootstrap
from textparity.translating.genders import load_rule
from textparity.translating.scores import (
    Finding,
    compare,
    count_pronouns,
    find_genders,
    measure,
    measure_kept,
    score,
    scored_by,
)
from textparity.translating.winomt import Sentence, Translation

BOOTSTRAP = Bootstrap(1, 200, 0.95)
GENDERS = ("feminine", "masculine", "neutral")


def sentence(gender, number=0, stereotype="", occupation="clerk"):
    return Sentence(gender, 1, f"The {occupation} number {number} left.", occupation, stereotype)


def finding(gender, published, corrected="", **details):
    one = sentence(gender, **details)
    return Finding(one, "text", one.text, published, "", corrected or published, "", "unknown")


@given(st.lists(st.tuples(st.sampled_from(GENDERS), st.sampled_from((*GENDERS, "unknown"))), min_size=1))
def test_scores_are_those_of_scikit_learn(pairs):
    found = measure([(sentence(gender), other) for gender, other in pairs])
    gold, others = zip(*pairs, strict=True)
    assert found["accuracy"] == pytest.approx(100 * sum(one == other for one, other in pairs) / len(pairs))
    for gender in ("feminine", "masculine"):
        (precision,), (recall,), _, _ = precision_recall_fscore_support(
            gold, others, labels=[gender], zero_division=math.nan
        )
        assert found[f"precision_{gender}"] == pytest.approx(100 * precision, nan_ok=True)
        assert found[f"recall_{gender}"] == pytest.approx(100 * recall, nan_ok=True)
        if not math.isnan(recall):
            # A gender that is never found has an F1 of 0.
            expected = 200 * precision * recall / (precision + recall) if precision + recall > 0 else 0
            assert found[f"f1_{gender}"] == pytest.approx(expected)


def test_stereotypes_are_a_difference_of_accuracies():
    scored = [
        (sentence("masculine", stereotype="pro"), "masculine"),
        (sentence("feminine", stereotype="pro"), "masculine"),
        (sentence("feminine", stereotype="anti"), "masculine"),
        (sentence("feminine"), "feminine"),
    ]
    assert measure(scored)["delta_s"] == 50
    assert math.isnan(measure(scored[3:])["delta_s"])


def test_corrected_scores_leave_out_what_has_no_gender():
    findings = [
        finding("feminine", "unknown", "feminine", number=1),
        finding("feminine", "feminine", "neutral", number=2),
        finding("masculine", "masculine", number=3),
        finding("masculine", "masculine", number=3),
        finding("neutral", "neutral", number=4),
        finding("masculine", "feminine", number=5)._replace(source="The clerk number six left."),
    ]
    assert [found for _, found in scored_by(findings, "published")].count("unknown") == 1
    assert len(scored_by(findings, "published")) == 6
    assert scored_by(findings, "corrected") == [
        (findings[0].sentence, "feminine"),
        (findings[2].sentence, "masculine"),
    ]
    shown = {name: score(findings, name, BOOTSTRAP, "x")["shown"] for name in ("published", "corrected")}
    # Of five sentences about a woman or a man.
    assert shown == {"published": 80, "corrected": 80}


def test_versions_of_one_sentence_are_resampled_together():
    def made(text):
        found = []
        for number in range(20):
            for pronoun, other in (("she", "feminine"), ("he", "masculine")):
                one = Sentence("feminine", 1, text.format(number, pronoun), "clerk")
                found.append(Finding(one, "text", one.text, other, "", other, "", "unknown"))
        return found

    row = score(made("The clerk {} left because {} was late."), "published", BOOTSTRAP, "x")
    # One version of each sentence is right.
    assert row["accuracy_low"] == row["accuracy_high"] == 50
    row = score(made("The clerk {} left because {}x was late."), "published", BOOTSTRAP, "x")
    assert row["accuracy_low"] < 45 < 55 < row["accuracy_high"]


def test_intervals_over_occupations_are_wider_if_these_decide():
    findings = [
        finding("feminine", "feminine" if number % 2 else "masculine", number=place, occupation=f"clerk {number}")
        for number in range(40)
        for place in range(50)
    ]
    row = score(findings, "published", BOOTSTRAP, "x")
    widths = [row[f"accuracy{by}_high"] - row[f"accuracy{by}_low"] for by in ("", "_by_occupation")]
    assert row["accuracy"] == 50 and widths[0] < 6 < 20 < widths[1]


def test_occupations_are_resampled_within_their_stereotype():
    # All typical of men are right and all others wrong: with as many of each, accuracy has no error.
    findings = [
        finding(gender, "masculine", number=number, stereotype="pro", occupation=f"{gender} {number}")
        for gender in ("feminine", "masculine")
        for number in range(20)
    ]
    row = score(findings, "published", BOOTSTRAP, "x")
    assert row["accuracy_by_occupation_low"] == row["accuracy_by_occupation_high"] == 50


def test_pronouns_are_counted_where_they_show_a_gender():
    she = [
        # Occupation, pronoun.
        ("feminine", "feminine"),
        ("masculine", "feminine"),
        ("masculine", "masculine"),
        ("masculine", "unknown"),
        ("neutral", "feminine"),
    ]
    findings = [finding("feminine", one, number=n)._replace(pronoun=other) for n, (one, other) in enumerate(she)]
    findings += [findings[1], finding("masculine", "feminine")._replace(pronoun="masculine"), finding("neutral", "x")]
    women = count_pronouns(findings, "feminine")
    assert women == {"sentences": 5, "shown": 4, "kept": 3, "lost": 3, "lost_shown": 2, "lost_kept": 1}
    assert count_pronouns(findings, "masculine") == dict.fromkeys(women, 1)


def test_systems_are_compared_over_the_sentences_that_both_score():
    first = [finding("feminine", "feminine" if n % 2 else "masculine", number=n) for n in range(40)]
    # The same translations, but the wrong ones show no gender.
    second = [one._replace(corrected="neutral" if one.corrected == "masculine" else one.corrected) for one in first]
    row = compare(second, first, "corrected", BOOTSTRAP)
    assert (row["sentences_compared"], row["recall_feminine_difference"]) == (20, 0)
    better = [one._replace(published="feminine") for one in first]
    row = compare(better, first, "published", BOOTSTRAP)
    assert (row["sentences_compared"], row["recall_feminine_difference"]) == (40, 50)
    assert 30 < row["recall_feminine_difference_low"] < 50 < row["recall_feminine_difference_high"] < 70
    # One occupation has no interval.
    assert math.isnan(row["recall_feminine_difference_by_occupation_low"])


def test_what_is_kept_needs_no_alignment():
    sentences = [sentence("feminine"), sentence("feminine"), sentence("masculine"), sentence("neutral")]
    genders = [{"feminine", "masculine"}, {"unspecified"}, {"feminine"}, set()]
    row = measure_kept(sentences, genders, BOOTSTRAP, "x")
    assert (row["women_percent"], row["men_percent"]) == (50, 25)
    assert (row["women_kept"], row["men_kept"], row["women_added"], row["men_added"]) == (50, 0, 100, 50)
    # Too few sentences for an interval.
    assert math.isnan(row["women_kept_low"])


@pytest.mark.parametrize(
    "change",
    [
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: re.sub(r"(?<=\w\w)(?=\w)", "\u00ad", text),
        lambda text: text.replace("'", "’"),
    ],
)
@pytest.mark.parametrize(
    ("lang", "translated"),
    [
        ("deu", "Die Köchin sah den Bäcker, weil sie müde war."),
        ("ukr", "Лікарка побачила вчительку, бо її покликали."),
        ("arb", "جاءت الطبيبة لأنها مريضة"),
    ],
)
def test_how_a_translation_is_encoded_changes_no_corrected_gender(change, lang, translated):
    rule = load_rule(lang)
    sentences = [sentence("feminine", number) for number in range(3)]

    def genders(text):
        found = find_genders(sentences, [Translation(text, one.text) for one in sentences], rule)
        return [(one.corrected, one.pronoun) for one in found]

    plain = genders(translated)
    assert plain[0][1] == "feminine" and genders(change(translated)) == plain
