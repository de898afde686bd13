"""Tables of sets of stories."""

import pytest

from textparity.corpora.reading import TEXT_SCHEMA, write_batches
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import Caption
from textparity_studies.measures.gender_ratios import count_polarity
from textparity_studies.propagation.story_sets import measure_story_sets, tabulate_story_sets

SETS = {
    ("male", "eng"): ["He left.", "His boy met a man, him.", "It rained.", "She saw men."],
    ("balanced", "eng"): ["She slept.", "He left.", "Women sang.", "His boy met a man, him."],
    ("female", "eng"): ["She slept.", "Women sang.", "It rained.", "It rained."],
    ("male", "spa"): ["Llegó el rey."],
}
NO_TAGGER = "no tagger"


CAPTION = Caption("Sets", "Of stories.")
SPANISH = {("male", "spa"): SETS["male", "spa"]}


@pytest.fixture
def files(repository, tmp_path):
    """Write the sets and their English counts."""
    texts = []
    for (condition, lang), sentences in SETS.items():
        rows = [{"id": str(n), "doc_id": "1", "lang": lang, "text": text} for n, text in enumerate(sentences)]
        texts.append(tmp_path / f"{condition}.{lang}.parquet")
        write_batches(texts[-1], TEXT_SCHEMA, [rows])
    counts = [tmp_path / f"{condition}.counts.parquet" for condition, lang in SETS if lang == "eng"]
    for source, path in zip(texts, counts, strict=False):
        count_polarity(source, repository / "resources" / "lexicons" / "gender_polarity_eng.tsv", path, "sets")
    return texts, counts


@pytest.fixture
def tables(files):
    texts, counts = files
    return list(
        tabulate_story_sets(
            texts, counts, [], list(SETS), {"eng": "en", "spa": "es"}, {"eng": "English", "spa": "Spanish"},
            {"spa": NO_TAGGER}, Bootstrap(1, 100, 0.9),
        )
    )  # fmt: skip


def test_the_table_has_length_words_of_each_gender_and_their_ratio(tables):
    table = tables[0].frame.set_index(["condition", "lang", "procedure"])
    columns = ["sentences", "words", "masculine", "feminine"]
    # "him." counts by the corrected procedure alone.
    assert table.loc[("male", "eng", "published"), columns].tolist() == [4, 13, 3, 1]
    assert table.loc[("male", "eng", "corrected"), columns].tolist() == [4, 13, 6, 1]
    assert table.loc[("balanced", "eng", "corrected"), columns].tolist() == [4, 12, 5, 2]
    assert table.loc[("balanced", "eng", "corrected"), "masculine_per_feminine"] == 2.5
    assert table.loc[("female", "eng", "corrected"), "masculine_per_feminine"] == 0
    assert table.loc[("male", "eng", "published"), "method"] == "gender polarity"
    spanish = table.loc[("male", "spa", "published")]
    assert (spanish["sentences"], spanish["words"], spanish["reason"]) == (1, 3, NO_TAGGER)
    assert spanish[["masculine", "masculine_per_feminine_low"]].isna().all()
    latex = tables[0].to_latex(CAPTION, "tab:sets")
    assert "English & balanced & corrected & 4 & 12 & 5 & 2 & 2.5 : 1 &" in latex
    assert "Spanish" not in latex


def measure_spanish(rows):
    return measure_story_sets(SPANISH, rows, {"spa": "es"}, {"spa": "Spanish"}, {})


def test_a_ratio_below_one_is_shown_from_the_other_side():
    rows = [{
        "corpus": "male", "lang": "spa", "tagger": "small", "reason": "", "procedure": procedure,
        "person_masculine": 2.0, "person_feminine": above, "person_masculine_per_feminine": 2 / above,
        "person_masculine_per_feminine_low": 1 / 250, "person_masculine_per_feminine_high": 1.0,
    } for procedure, above in (("published", 8.0), ("corrected", 1000.0))]  # fmt: skip
    made = measure_spanish(rows)
    assert made.frame["masculine_per_feminine"].tolist() == [0.25, 0.002]
    assert made.frame["method"].tolist() == ["small", "small"]
    latex = made.to_latex(CAPTION, "tab:sets")
    assert "2 & 8 & 1 : 4 & 1 : 250 & 1 : 1 " in latex
    assert "1,000 & 1 : 500 &" in latex


def test_missing_answers_of_a_tagger_are_a_reason():
    rows = [{"corpus": "male", "lang": "spa", "tagger": "small", "reason": "no key", "procedure": "published"}]
    published = measure_spanish(rows).frame.iloc[0]
    assert (published["reason"], published["method"]) == ("no key", "small")


def test_what_sets_share_is_counted(tables):
    table = tables[1].frame.set_index(["lang", "condition"])
    shared = ["distinct", "shared_with_male", "shared_with_balanced", "shared_with_female"]
    assert table.loc[("eng", "male"), shared].tolist()[0::3] == [4, 1]
    assert table.loc[("eng", "female"), shared].tolist()[:3] == [3, 2, 2]
    balanced = table.loc[("eng", "balanced")]
    assert (balanced["shared_with_male"], balanced["shared_with_female"], balanced["in_turn"]) == (2, 2, 4)
    # "She saw men."; nobody in the set about women.
    assert table.loc["eng", "other_gender_sentences"].tolist() == [1, 0, 0]
    assert table.loc[("spa", "male"), [*shared[1:], "other_gender_sentences"]].isna().all()
