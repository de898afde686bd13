"""Krippendorff's alpha, beside the package that the field uses."""

import math

import pytest
from nltk.metrics.agreement import AnnotationTask

from textparity.estimating.agreement import ReaderAgreement

PAIRS = [("f", "f"), ("m", "m"), ("f", "m"), ("m", "m"), ("wrong", "m"), ("f", "f"), ("m", "m")]


def test_alpha_is_that_of_nltk():
    agreement = ReaderAgreement.of(PAIRS)
    answers = [(reader, unit, pair[reader]) for unit, pair in enumerate(PAIRS) for reader in (0, 1)]
    assert agreement.alpha == pytest.approx(AnnotationTask(answers).alpha())
    assert agreement.percent == pytest.approx(100 * 5 / 7)
    assert agreement.units == 7


def test_readers_who_always_say_the_same_have_no_alpha():
    assert ReaderAgreement.of([("f", "f")] * 3).percent == 100
    assert math.isnan(ReaderAgreement.of([("f", "f")] * 3).alpha)
    assert math.isnan(ReaderAgreement.of([]).percent)
