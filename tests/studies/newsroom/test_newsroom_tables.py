"""What both checks for inclusive language find, what the share of pronouns decides, and all tables together."""

import pytest
from annotated import annotate, measure_file, write_annotations

from textparity.counting import PROCEDURES
from textparity.errors import TableError
from textparity.files import read_tsv
from textparity_studies.newsroom.measuring import PRONOUN_SHARES
from textparity_studies.newsroom.tables import LISTED, tabulate_inclusive_forms, tabulate_pronoun_shares

LIST = """\
form\tspelling\ttokens\tinclusive\tsource
Leser*Innen\tstar, capital\tLeser*Innen\tyes\town
Lehrer*Innen\tstar, capital\tLehrer*Innen\tyes\town
Leser:Innen\tcolon, capital\tLeser : Innen\tyes\town
Unsinn\tnone\tUnsinn\tno\town
Beginn\tnone\tBeginn\tno\t10kGNAD
LeserInnen\tinner capital\tLeserInnen\tyes\t10kGNAD
"""
WORDS = "\n".join(f"{word} - NOUN x 0" for word in ("Beginn", "Beginn", "Leser*Innen", "Zugewinn", "LeserInnen"))


@pytest.fixture
def tabulate(tmp_path):
    """Tabulate a list and articles; returns the rows by texts, procedure and spelling."""

    def tabulate(forms=LIST, articles=()):
        (tmp_path / "forms.tsv").write_text(forms, "utf-8")
        parts = [write_annotations(tmp_path / f"{part}.parquet", *articles[part::2]) for part in range(2)]
        files = [measure_file(part, procedure)["inclusive_forms"] for procedure in PROCEDURES for part in parts]
        (table,) = tabulate_inclusive_forms(tmp_path / "forms.tsv", files, {"news": "deu"})
        return table.frame.set_index(["texts", "procedure", "spelling"])

    return tabulate


def test_the_papers_check_finds_what_a_parser_leaves_whole(tabulate):
    rows = tabulate()
    found = rows.loc[LISTED]["found"]
    assert dict(found["published"]) == {"star, capital": 2, "colon, capital": 0, "none": 1, "all": 3}
    assert dict(found["corrected"]) == {"star, capital": 2, "colon, capital": 1, "none": 0, "all": 3}
    of_all = rows.loc[(LISTED, "published", "all")]
    assert (of_all["listed"], of_all["judged"], of_all["inclusive"]) == (3, 3, 2)
    assert of_all["inclusive_percent"] == pytest.approx(200 / 3, abs=1e-5)


def test_forms_of_articles_are_counted_and_judged_by_the_list(tabulate):
    rows = tabulate(articles=[annotate(WORDS), annotate("Beginn - NOUN x 0"), annotate("Ende - NOUN x 0")])
    published = rows.loc[("news", "published", "all")]
    # Zugewinn is not on the list.
    assert list(published[["found", "words", "articles", "judged", "inclusive"]]) == [5, 3, 2, 4, 1]
    assert (published["inclusive_percent"], published["most_frequent"]) == (25, "Beginn, Leser*Innen, Zugewinn")
    corrected = rows.sort_index().loc[("news", "corrected"), :][["found", "articles", "judged", "inclusive"]]
    assert {kind: list(row) for kind, row in corrected.iterrows()} == {
        "all": [2, 1, 2, 2], "inner capital": [1, 1, 1, 1], "sign": [1, 1, 1, 1],
    }  # fmt: skip


def test_a_verdict_that_is_none_names_its_line(tabulate):
    with pytest.raises(TableError, match=r"forms\.tsv, line 2: inclusive 'maybe'"):
        tabulate(LIST.replace("yes", "maybe", 1))


def test_the_shipped_tokens_are_those_of_spacy(repository):
    spacy = pytest.importorskip("spacy")
    cut = spacy.blank("de")
    rows = read_tsv(repository / "resources" / "newsroom" / "gold" / "inclusive_forms_deu.tsv")
    own = [row for row in rows if row["source"] == "own"]
    assert [row["tokens"] for row in own] == [" ".join(token.text for token in cut(row["form"])) for row in own]
    assert len({row["form"] for row in rows}) == len(rows)


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
    files = [write_annotations(tmp_path / f"{part}.parquet", article) for part in range(2)]
    parts = [measure_file(file, procedure, pronoun_share=0.66)["pronoun_shares"] for file in files]
    (made,) = tabulate_pronoun_shares(parts, procedure, 0.66)
    table = made.frame
    assert list(table["share"]) == sorted({*PRONOUN_SHARES, 0.66})
    assert list(table.loc[table["configured"] == "yes", "share"]) == [0.66]
    women = dict(zip(table["share"], table["feminine_actors"], strict=True))
    # Two thirds are feminine.
    assert women == {share: 2 if share < 2 / 3 else 0 for share in women}
    assert list(table["feminine_mentions"]) == [4 * count for count in table["feminine_actors"]]
    unknown = 0 if procedure == "published" else 2
    assert list(table["undetermined_actors"]) == [0 if count else unknown for count in table["feminine_actors"]]
    assert table["actor_ratio"].isna().all()
