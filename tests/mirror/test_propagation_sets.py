"""The published sets of stories, from the mirror: what they are, as far as it can be counted without a model."""

import os
import subprocess
import sys

import pandas as pd
import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = [pytest.mark.mirror, pytest.mark.slow]

EXPECTED = {"male": [2987, 7], "balanced": [1569, 1776], "female": [9, 3389]}


@pytest.fixture(scope="module")
def tables(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("propagation")
    names = ("story_sets.csv", "story_set_overlap.csv")
    command = [
        sys.executable, "-m", "snakemake", *(f"results/propagation/tables/{name}" for name in names), "--cores", "2",
        "--snakefile", str(repository / "Snakefile"), "--directory", str(folder), "--config", "studies=[propagation]",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return [pd.read_csv(folder / "results" / "propagation" / "tables" / name) for name in names]


def test_every_set_has_the_papers_number_of_sentences(tables):
    sets, _ = tables
    assert len(sets) == 9 * 2
    assert (sets["sentences"] == 5000).all()
    assert (sets.loc[sets["lang"] != "eng", "reason"].str.startswith("not asked for: propagation.tagger is null")).all()


def test_english_sets_lean_as_they_should_and_further_than_the_paper_says(tables):
    sets = tables[0].set_index(["lang", "procedure", "condition"])
    for procedure in ("published", "corrected"):
        male, balanced, female = (
            sets.loc[("eng", procedure, name), "masculine_per_feminine"] for name in ("male", "balanced", "female")
        )
        assert male > 300 and 0.8 < balanced < 1 and 1 / female > 250
    # As counted apart from the workflow: words in lower case, split at white space.
    words = {name: sets.loc[("eng", "published", name), ["masculine", "feminine"]].tolist() for name in EXPECTED}
    assert words == EXPECTED


def test_the_balanced_sets_are_the_first_halves_of_the_others_in_turn(tables):
    overlap = tables[1].set_index("condition")
    assert (overlap.loc["balanced", "in_turn"] == 5000).all()
    # A few sentences are duplicates within a set, and some are in sets of both genders.
    assert overlap.loc["balanced", "shared_with_male"].tolist() == [2500, 2504, 2500]
    assert (overlap["distinct"] >= 4980).all()
    assert overlap["other_gender_sentences"].dropna().tolist() == [9, 7, 14]
