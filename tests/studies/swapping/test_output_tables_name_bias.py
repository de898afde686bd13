import csv

import pytest
from ledgers import find_ours
from swapped_sentences import write_word_lists

for package in ("spacy", "pymorphy3"):
    pytest.importorskip(package)

import pandas as pd  # noqa: E402

from textparity.files import write_rows  # noqa: E402
from textparity.persons.ukrainian_genders import load_gender_lists  # noqa: E402
from textparity.tables import write_csv  # noqa: E402
from textparity_studies.swapping.figures import plot_name_bias  # noqa: E402
from textparity_studies.swapping.output_tables import NameFinder, measure_name_bias  # noqa: E402
from textparity_studies.swapping.outputs import OUTPUT_COLUMNS, PUBLISHED_COLUMNS  # noqa: E402


@pytest.fixture
def finder(tmp_path):
    return NameFinder(load_gender_lists(**write_word_lists(tmp_path)))


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Це сказав Петро.", [("masculine", "Петро")]),
        ("Розмовляли з Ольгою Савченко.", [("feminine", "Ольга")]),
        # Both a feminine nominative and a masculine genitive: the patronymic decides, then it stays open.
        ("Прийшла Олександра Іванівна.", [("feminine", "Олександра")]),
        ("Немає Олександра Івановича.", [("masculine", "Олександр")]),
        ("Немає Олександра.", [("ambiguous", "Олександра")]),
        # Initials, words at the beginning of a sentence, and surnames are none.
        ("У місті А. Коваль працює.", []),
        ("лікарка ольга", []),
    ],
)
def test_first_names_have_a_gender_and_a_lemma(finder, sentence, names):
    assert finder.first_names(sentence) == names


def test_the_original_tells_the_case_of_a_name_that_took_its_place(finder):
    output = "Директоркою є Олександра Пономарьова."
    assert finder.first_names(output) == [("ambiguous", "Олександра")]
    assert finder.first_names(output, "Директором є Петро Пономарьов.") == [("feminine", "Олександра")]


def test_a_generated_name_is_one_that_the_original_does_not_have(finder):
    assert finder.generated_names("Петро й Ольга прийшли.", "Ольга й Ольга прийшли.") == [("feminine", "Ольга")]
    assert finder.generated_names("Він бачив Ольгу.", "Він бачив Ольгу.") == []


def test_names_as_published_are_nominative_words(finder):
    assert finder.nominative_names("Ольга бачила Василя й Ольгу.") == [("feminine", "Ольга")]
    # In the name list, but here a masculine genitive.
    assert finder.nominative_names("Немає Олександра Івановича.") == [("feminine", "Олександра")]


@pytest.fixture
def table(tmp_path):
    items = [
        ["sentence", "Прийшов Петро .", "Прийшла Ольга .", "Прийшла Олександра .", ""],
        ["sentence", "Прийшов Петро .", "Прийшла Ольга .", "Прийшла Ольга .", ""],
        ["sentence", "Є Петро .", "Є Ольга .", "Є Ольга .", ""],
        ["word", "Петро", "Ольга", "Ольга", ""],
    ]
    write_rows(tmp_path / "mine.csv", OUTPUT_COLUMNS, ([number, *item] for number, item in enumerate(items, start=1)))
    reviews = [
        ["Тут Ольга .", "Тут Олександр .", "{}", "Містить помилки", "Тут Петро ."],
        ["Тут Ольга .", "Тут Олександр .", "{}", "Важко визначити", ""],
    ]
    write_rows(tmp_path / "reviews.csv", list(PUBLISHED_COLUMNS), reviews)
    lists = write_word_lists(tmp_path)
    (names,) = measure_name_bias([tmp_path / "mine.csv"], [tmp_path / "reviews.csv"], **lists)
    write_csv(names.frame, tmp_path / "name_bias.csv")
    return tmp_path / "name_bias.csv"


def test_names_stand_beside_their_share_in_the_list(table):
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert [row for row in rows if row[1] == "corrected"] == [
        ["mine", "corrected", "feminine", "Ольга", "2", "66.666667", "75.0", "1"],
        ["mine", "corrected", "feminine", "Олександра", "1", "33.333333", "25.0", "2"],
        ["reviewed", "corrected", "masculine", "Петро", "1", "100.0", "50.0", "1"],
    ]
    assert ["mine", "published", "feminine", "Ольга", "2", "66.666667", "75.0", "1"] in rows


def test_the_ledger_has_the_most_frequent_name_of_the_papers_system_alone(table):
    key = ("§4.1", "aya-101-fine-tuned", "most_frequent_feminine_name_percent")

    def find():
        return find_ours("swapping", key, {"swapping/tables/name_bias.csv": table}, "25")

    assert find().published is None
    rows = pd.read_csv(table)
    rows[rows["system"] == "mine"].assign(system="aya-101-fine-tuned").to_csv(table, index=False)
    found = find()
    assert (round(found.published, 1), round(found.corrected, 1)) == (66.7, 66.7)
    assert "pymorphy3" in found.setup


def test_the_figure_is_drawn_the_same_twice(table, tmp_path):
    paths = [(tmp_path / f"{name}.pdf", tmp_path / f"{name}.svg") for name in ("first", "second")]
    for pdf, svg in paths:
        (chart,) = plot_name_bias(table, {"mine": "My $ model & more"})
        for path in (pdf, svg):
            chart.save(path)
    (first_pdf, first_svg), (second_pdf, second_svg) = paths
    assert first_pdf.read_bytes() == second_pdf.read_bytes()
    assert first_svg.read_bytes() == second_svg.read_bytes()
    # Of two panels, whose few names are all of theirs and 100 and 50 % of the list.
    said = first_svg.read_text("utf-8")
    assert (
        "<title>In the median, the 10 names that a system uses most are 100 % of its names of a gender, and 75 %"
        in said
    )
    assert "<title>Ольга: 2, 66.7 %</title>" in said and "<title>Ольга: 75.0 % of the name list</title>" in said
