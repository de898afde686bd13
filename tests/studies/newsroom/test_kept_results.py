"""Where the paper's balancing stops: what is kept is what the authors' yearly reports add up to."""

import pandas as pd
import pytest

AUTHORS = "the authors' reports"


def test_the_reports_are_added_up(repository):
    folder = repository / "resources" / "newsroom"
    rows = pd.read_csv(folder / "kept" / "balancing_stops.csv").set_index(["corpus", "balanced"])
    yearly = pd.read_csv(folder / "published_yearly_balanced.csv")
    after = rows.loc[("taz2024full", AUTHORS)]
    women, men = (yearly[f"pronoun_distribution_{pronoun}"] for pronoun in ("she_her", "he_him"))
    assert after["actor_ratio"] == pytest.approx(women.sum() / men.sum(), abs=1e-6)
    # No year has more women than texts, so that many texts at least have none.
    assert (women < yearly["texts_with_actors"]).all()
    assert after["men_alone_left"] == (yearly["texts_with_actors"] - women).sum()
    # Printed: 564 without a flag, 17,212 with one, 20 with several.
    kinds = [f"{name}_percent" for name in ("no_flag", "one_flag", "more_flags")]
    assert list(after[kinds]) == pytest.approx([100 * count / 17796 for count in (564, 17212, 20)], abs=1e-5)
    assert not after["in_range"] and after["groups"] == len(yearly)
    assert after["actor_ratio_in_range"] == ((women / men >= 0.75) & (women / men <= 1.25)).sum()
    assert after["actor_ratio_largest"] == pytest.approx((women / men).max(), abs=1e-6)
