"""Differences in women's share between groups: their intervals, their test, and where they are printed."""

import json
import math

import numpy as np
import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.differences import compare_shares
from textparity.auditing.row_statistics import GroupDifference
from textparity.auditing.settings import AuditSettings
from textparity.auditing.tallying import Tally
from textparity.command import main
from textparity.estimating.gaps import GenderGap
from textparity.estimating.seeds import random_generator

SETTINGS = AuditSettings(resamples=200)


def tally(counts, name):
    """Make a tally of texts with these feminine and masculine words, shape (texts, 2)."""
    feminine, masculine = counts.T
    words = np.full(len(counts), 20)
    found = Tally.empty(SETTINGS, lambda: random_generator(1, name))
    found.totals.update(feminine=int(feminine.sum()), masculine=int(masculine.sum()))
    found.gap = GenderGap.of(words, feminine, masculine, np.zeros_like(words))
    found.resamples.add(np.column_stack([words, feminine, masculine, np.zeros_like(words)]).astype(np.int64))
    return found


def draw(generator, women, texts):
    total = generator.integers(0, 9, texts)
    # Texts differ in their own shares, so their words are not independent.
    feminine = generator.binomial(total, generator.beta(4 * women, 4 * (1 - women), texts))
    return np.column_stack([feminine, total - feminine])


def test_the_test_keeps_its_level_and_the_interval_covers():
    generator = np.random.default_rng(5)
    p_values, covered = [], []
    for _ in range(400):
        one, other = draw(generator, 0.3, 80), draw(generator, 0.3, 40)
        difference, p_value = compare_shares(tally(one, "a"), tally(other, "b"), SETTINGS)
        p_values.append(p_value)
        covered.append(difference.low <= 0 <= difference.high)
    assert 0.03 <= np.mean(np.array(p_values) < 0.05) <= 0.075
    assert np.mean(covered) >= 0.91


def test_the_difference_is_that_of_the_shares_and_its_sign_is_that_of_the_order():
    generator = np.random.default_rng(6)
    one, other = draw(generator, 0.2, 300), draw(generator, 0.5, 300)
    there, p_value = compare_shares(tally(one, "a"), tally(other, "b"), SETTINGS)
    back, same = compare_shares(tally(other, "b"), tally(one, "a"), SETTINGS)
    shares = [100 * counts[:, 0].sum() / counts.sum() for counts in (one, other)]
    assert there.value == pytest.approx(shares[1] - shares[0]) == -back.value
    assert (p_value < 1e-6) and p_value == same and there.low > 0
    # One group is unanimous: its bootstrap is certain, its share is not.
    alone, mixed = np.array([[1, 0]] * 10), np.array([[1, 0]] * 180 + [[0, 1]] * 20)
    difference, p_value = compare_shares(tally(alone * 3, "a"), tally(mixed, "b"), SETTINGS)
    assert difference.low < 0 < difference.high and p_value > 0.05
    few = tally(other[:5], "c")
    assert all(map(math.isnan, (*vars(compare_shares(few, tally(one, "a"), SETTINGS)[0]).values(),)))


def test_each_group_is_compared_with_the_first_and_the_sentence_names_both(tmp_path, capsys):
    says = {"post": "The woman met {} men.", "sun": "The man met {} women.", "times": "A man, {} men."}
    path = tmp_path / "a.jsonl"
    rows = [{"text": say.format(n), "of": name} for name, say in says.items() for n in range(30 + len(name))]
    rows += [{"text": "A man."}] * 30
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    result = textparity.audit_files([path], "eng", lexicon_folder=NOUNS, group_by="of")
    assert [row.statistics.difference.reference for row in result.groups] == ["", "times", "times", ""]
    for row in result.groups[1:3]:
        share = row.women_share.value - result.groups[0].women_share.value
        difference = row.statistics.difference
        assert difference.points.value == pytest.approx(share)
        assert difference.p_value_holm >= difference.p_value
    assert set(GroupDifference().columns()) <= {*result.to_frame().columns}
    assert "difference: post +50.0 points from times (+" in " ".join(result.to_text().split())
    failing = ["--fail-if", "difference > 20 and group == 'post'"]
    assert main(["audit", str(path), "--lang", "eng", *WITH_NOUNS, "--group-by", "of", "--quiet", *failing]) == 4


def test_the_first_group_with_enough_text_is_what_others_are_compared_with(tmp_path):
    rows = [{"text": "A man.", "y": "2001"}]
    rows += [{"text": f"A {('man', 'woman', 'woman')[n % 3]} {n}.", "y": "2002"} for n in range(60)]
    rows += [{"text": f"A {('man', 'man', 'man', 'woman')[n % 4]} {n}.", "y": "2003"} for n in range(60)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    found = textparity.audit_files([tmp_path / "a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="y")
    assert [row.statistics.difference.reference for row in found.groups] == ["", "", "2002"]
