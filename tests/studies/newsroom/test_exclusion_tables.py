"""What one threshold changed decides, against flags made anew with it."""

import pandas as pd
import pytest
from article_corpus import random_articles, write_articles

from textparity.corpora.rows import read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.errors import InputError
from textparity_studies.newsroom.balance import INDICATORS, flag_articles
from textparity_studies.newsroom.exclusion_tables import MINIMUM, vary_thresholds

THRESHOLDS = {"sentiment_gap": 0.3, "subject_gap": 0.5, "quote_gap": 0.5, "naming_gap": 0.5}


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_each_row_is_what_flags_made_with_its_setting_are(tmp_path, procedure):
    rows = random_articles(3, 200)
    articles, flags = write_articles(tmp_path, rows, 2), tmp_path / "flags.parquet"
    flag_articles(articles, flags, procedure, THRESHOLDS, 2)
    vary_thresholds(articles, flags, tmp_path / "table.csv", tmp_path / "table.tex")
    table = pd.read_csv(tmp_path / "table.csv")
    assert set(table["setting"]) == {*INDICATORS, MINIMUM}
    assert (table["configured"] == "yes").sum() == 5
    assert table.loc[table["configured"] == "yes", "excluded"].nunique() == 1
    for place in range(0, len(table), 3):
        row = table.iloc[place]
        settings = THRESHOLDS | {row["setting"]: row["value"]}
        minimum = int(settings.pop(MINIMUM, 2))
        flag_articles(articles, tmp_path / "anew.parquet", procedure, settings, minimum)
        anew = read_rows(tmp_path / "anew.parquet").to_pylist()
        gone = {flag["id"] for flag in anew if flag["excluded"]}
        flagged = gone if row["setting"] == MINIMUM else {flag["id"] for flag in anew if flag[row["setting"]]}
        left = [row for row in rows if row["id"] not in gone]
        assert (row["excluded"], row["flagged"]) == (len(gone), len(flagged))
        assert row["excluded_percent"] == pytest.approx(100 * len(gone) / row["judged"], abs=1e-5)
        for unit, ratio in (("actors", "actor_ratio"), ("mentions", "mention_ratio")):
            women, men = (sum(row[f"{gender}_{unit}"] for row in left) for gender in ("feminine", "masculine"))
            assert row[ratio] == pytest.approx(women / men, abs=1e-5)


def test_flags_of_other_articles_are_refused(tmp_path):
    flag_articles(write_articles(tmp_path / "a", random_articles(1, 5)), tmp_path / "f", "published", THRESHOLDS, 2)
    others = write_articles(tmp_path / "b", random_articles(1, 6))
    with pytest.raises(InputError, match="flags other articles than those of"):
        vary_thresholds(others, tmp_path / "f", tmp_path / "t.csv", tmp_path / "t.tex")
