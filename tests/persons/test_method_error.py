"""How far a method's ratio may be off, and the interval of women's share that includes it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from textparity.estimating.distributions import normal_quantile
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.persons import method_error
from textparity.persons.mentions import Measured
from textparity.persons.method_error import (
    Cluster,
    MethodError,
    describe_accuracy,
    estimate_error,
    find_kinds_where_as_precise,
    load_clusters,
    load_method_error,
    widen,
)
from textparity_studies.instruments.findings import measure_bias

NONE = (0, 0)
ERROR = MethodError(log_sd=0.3, corpora=("Toy",), clusters=3, assumed=False)


def cluster(log_bias, lang="eng", corpus="Toy", standard_error=0.05):
    return Cluster(
        "words",
        "mentions",
        corpus.lower(),
        corpus,
        lang,
        "news",
        "complete",
        "",
        20,
        NONE,
        NONE,
        NONE,
        log_bias,
        standard_error,
    )


def test_log_bias_is_that_of_found_over_true_and_an_error_to_one_gender_moves_it():
    # Annotated in rows, found in columns: feminine, masculine, neither.
    right = np.array([[[400, 0, 0], [0, 800, 0], [0, 0, 7]]])
    assert measure_bias(right)[0] == pytest.approx(0, abs=0.01)
    missed = np.array([[[200, 0, 200], [0, 800, 0], [0, 0, 7]]])
    assert measure_bias(missed)[0] == pytest.approx(math.log(2), abs=0.01)
    swapped = np.array([[[400, 0, 0], [200, 600, 0], [0, 0, 7]]])
    assert measure_bias(swapped)[0] == pytest.approx(-math.log(2), abs=0.01)
    assert measure_bias(missed)[1] > measure_bias(right)[1]


def test_few_mentions_have_a_large_error_and_none_a_finite_one():
    few, many = np.diag([3, 5, 0]), np.diag([300, 500, 0])
    assert measure_bias(few[None])[1] > 5 * measure_bias(many[None])[1]
    # None is found of one woman; and without any woman there is no ratio to be wrong about.
    assert np.isfinite(measure_bias(np.array([[[0, 0, 1], [0, 5, 0], [0, 0, 0]]]))).all()
    assert np.isnan(measure_bias(np.diag([0, 5, 0])[None])).all()


def test_errors_of_one_document_count_as_one():
    """Ten documents that miss half of the women each, and ten of which one half misses all of them."""
    half, whole, none = (np.array([[found, 0, 20 - found], [0, 20, 0], [0, 0, 0]]) for found in (10, 20, 0))
    alike, differing = measure_bias(np.array([half] * 10)), measure_bias(np.array([whole, none] * 5))
    assert alike[0] == differing[0] and differing[1] > 2 * alike[1]


def test_a_method_that_always_errs_to_one_side_has_a_large_error():
    corpora = [f"Toy {number}" for number in range(12)]
    one_side = [cluster(-0.5, corpus=name) for name in corpora]
    assert estimate_error(one_side, "eng").log_sd == pytest.approx(0.5, abs=0.1)
    both_sides = [cluster(0.5 * (-1) ** number, corpus=name) for number, name in enumerate(corpora)]
    assert estimate_error(both_sides, "eng").log_sd == pytest.approx(0.5, abs=0.1)
    # Many corpora without an error leave nearly none, and many kinds of text of one corpus do not.
    right = [cluster(0.0, corpus=name, standard_error=0.01) for name in corpora]
    assert estimate_error(right, "eng").log_sd < 0.05
    assert estimate_error([cluster(0.0, standard_error=0.01)] * 12, "eng").log_sd > 0.1


def test_a_language_has_the_error_of_its_corpora_shrunk_to_that_of_all():
    biases = {"eng": 0.05, "fra": -0.1, "nld": -0.7}
    clusters = [cluster(bias, lang, f"Toy {number}") for lang, bias in biases.items() for number in range(4)]
    english, dutch = (estimate_error(clusters, lang).log_sd for lang in ("eng", "nld"))
    assert english < dutch < 0.7 + 0.1
    # One uncertain cluster says less of its language than those of all others do.
    uncertain = [*clusters, cluster(0.0, "spa", standard_error=0.5)]
    assert dutch > estimate_error(uncertain, "spa").log_sd > english + 0.1
    # A language without annotated texts may err as much as any.
    other = estimate_error(clusters, "tur")
    assert other.log_sd > english and other.assumed and other.clusters == 12


def test_the_corpora_are_named_once():
    found = estimate_error([cluster(0.1), cluster(0.2), cluster(0.3, "fra", "Novels")], "eng")
    assert (found.corpora, found.clusters, found.assumed) == (("Toy",), 2, False)
    assert estimate_error([cluster(0.1), cluster(0.3, "fra", "Novels")], "deu").corpora == ("Novels", "Toy")
    assert estimate_error([], "eng") is None and estimate_error([cluster(math.nan)], "eng") is None


def test_new_texts_lie_within_two_errors_as_often_as_they_should():
    generator = np.random.default_rng(1)
    z = []
    for _ in range(60):
        clusters = []
        for lang in "abcd":
            of_lang = generator.normal(0, 0.2)
            for number in range(4):
                error = generator.uniform(0.02, 0.3)
                bias = of_lang + generator.normal(0, 0.25) + generator.normal(0, error)
                clusters.append(cluster(bias, lang, f"Toy {number}", standard_error=error))
        left_out = clusters.pop()
        found = estimate_error(clusters, left_out.lang)
        z.append(left_out.log_bias / math.hypot(found.log_sd, left_out.standard_error))
    assert np.mean(np.abs(z) <= 2) >= 0.9 and 0.7 < np.std(z) < 1.3


def test_sampling_and_error_add_up_in_quadrature_on_the_logit_of_the_share():
    sampling = Estimate(0.2, 0.2, 0.2)
    _, low, high = vars(widen(sampling, ERROR, 0.95)).values()
    factor = math.exp(normal_quantile(0.95) * 0.3)
    assert (low / (1 - low), high / (1 - high)) == pytest.approx((0.25 / factor, 0.25 * factor))
    wider = widen(Estimate(0.2, 0.1, 0.25), ERROR, 0.95)
    assert wider.low < min(low, 0.1) and wider.high > max(high, 0.25)
    # Not their sum: odds of 0.2 are 1 : 4, of 0.1 1 : 9.
    distance = math.hypot(math.log(9 / 4), math.log(factor))
    assert wider.low / (1 - wider.low) == pytest.approx(0.25 / math.exp(distance))
    # Without an error, nothing changes; men for women, all is mirrored.
    assert vars(widen(Estimate(0.2, 0.1, 0.25), replace(ERROR, log_sd=0), 0.95)) == pytest.approx(
        {"value": 0.2, "low": 0.1, "high": 0.25}
    )
    mirrored = widen(Estimate(0.8, 0.75, 0.9), ERROR, 0.95)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((wider.low, wider.high))


def test_an_end_without_women_or_men_stays_and_the_other_one_moves():
    none = widen(Estimate(0.0, 0.0, 0.2), ERROR, 0.95)
    assert none.low == 0 and 0.2 < none.high < 0.4
    some = widen(Estimate(0.05, 0.0, 0.2), ERROR, 0.95)
    assert some.low == 0 and some.high > 0.2
    assert widen(Estimate(1.0, 0.9, 1.0), ERROR, 0.95).low < 0.9
    assert widen(UNDEFINED, ERROR, 0.95) is UNDEFINED
    assert widen(Estimate(0.2), ERROR, 0.95) is UNDEFINED


def test_the_recorded_errors_are_of_the_methods_of_an_audit():
    for method in ("words", "nouns", "persons"):
        english, other = load_method_error(Measured(method), "eng"), load_method_error(Measured(method), "")
        assert not english.assumed and other.assumed and english.log_sd > 0
        assert "UD English GUM, dev" in english.corpora and set(english.corpora) <= set(other.corpora)
    assert load_method_error(Measured("published"), "eng") is None
    assert {one.annotation for one in load_clusters()} <= {"complete", "marked"}


def test_accuracy_is_described_where_all_persons_are_annotated():
    assert "feminine" in (said := describe_accuracy(Measured("words"), "eng")) and "UD English GUM, dev" in said
    assert describe_accuracy(Measured("words"), "tur") == ""


def test_the_advice_names_the_kinds_of_text_and_ends_with_one_on_which_the_method_is_less_precise(monkeypatch):
    def measured(method, kind, right):
        return replace(cluster(0.0), method=method, kind=kind, found=(10, 10), right=(right, 10))

    rows = [measured("persons", "news", 9), measured("words", "news", 8), measured("persons", "novel", 9)]
    monkeypatch.setattr(method_error, "load_clusters", lambda: rows)
    assert find_kinds_where_as_precise("persons", "words", "eng") == ("news",)
    assert find_kinds_where_as_precise("persons", "words", "deu") == ()
    rows.append(measured("words", "novel", 10))
    assert find_kinds_where_as_precise("persons", "words", "eng") == ()
    # A corpus of which only some persons are annotated shows no precision.
    rows[-1] = replace(rows[-1], annotation="marked")
    assert find_kinds_where_as_precise("persons", "words", "eng") == ("news",)
