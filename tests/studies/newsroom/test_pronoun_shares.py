"""The least share of pronouns that tells a gender, on annotated articles."""

import pandas as pd
import pytest
from annotated import LISTS, annotate

from textparity.corpora.rows import write_batches
from textparity.studies.newsroom.annotations import ANNOTATION_SCHEMA
from textparity.studies.newsroom.extraction.pronoun_shares import (
    SHARES,
    count_by_pronoun_share,
    tabulate_pronoun_shares,
)

# A library found three pronouns of Kim, one of them a man's.
KIM = """
Kim - PROPN nsubj 2 B-PER
lacht lachen VERB root 0

Sie sie PRON nsubj 2 Sing
singt singen VERB root 0

Sie sie PRON nsubj 2 Sing
tanzt tanzen VERB root 0

Er er PRON nsubj 2 Sing
schläft schlafen VERB root 0
"""


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_an_actor_with_pronouns_of_both_genders_depends_on_the_share(tmp_path, procedure):
    article = annotate(KIM, antecedents={2: 0, 4: 0, 6: 0})
    rows = [{name: getattr(article, name) for name in ANNOTATION_SCHEMA.names}]

    def batches():
        yield rows
        return {"scheme": "ud"}

    write_batches(tmp_path / "a.parquet", ANNOTATION_SCHEMA, batches())
    parts = [tmp_path / f"{part}.csv" for part in range(2)]
    for part in parts:
        count_by_pronoun_share(tmp_path / "a.parquet", part, procedure, 0.66, **LISTS)
    tabulate_pronoun_shares(parts, tmp_path / "t.csv", tmp_path / "t.tex", procedure, 0.66)
    table = pd.read_csv(tmp_path / "t.csv")
    assert list(table["share"]) == sorted({*SHARES, 0.66})
    assert list(table.loc[table["configured"] == "yes", "share"]) == [0.66]
    women = dict(zip(table["share"], table["feminine_actors"], strict=True))
    # Two thirds are feminine.
    assert women == {share: 2 if share < 2 / 3 else 0 for share in women}
    assert list(table["feminine_mentions"]) == [4 * count for count in table["feminine_actors"]]
    unknown = 0 if procedure == "published" else 2
    assert list(table["undetermined_actors"]) == [0 if count else unknown for count in table["feminine_actors"]]
    assert table["actor_ratio"].isna().all()
