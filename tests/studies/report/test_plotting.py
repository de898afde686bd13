"""Figures as SVG: what each mark says where a pointer rests on it, and what the whole is."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from textparity_studies.report.plotting import (
    FAINT,
    Chart,
    add_tooltips,
    draw_estimates,
    format_estimates,
    write_charts,
)

SVG = "{http://www.w3.org/2000/svg}"
TEXTS = ["one: 1 & <2>", "two", "„drei“"]


@pytest.fixture
def draw(tmp_path):
    """Return a function that draws marks with the texts and returns the root of the SVG file."""

    def draw(marks, texts=TEXTS):
        path = tmp_path / "figure.svg"
        chart = Chart("figure", (4, 3), "Two of three are $ high", "How it was measured")
        add_tooltips(marks(chart.subplots()), texts)
        chart.save(path)
        return ElementTree.parse(path).getroot()

    return draw


def said(root):
    """Return the texts of marks in the order in which they are drawn, and the names of their elements."""
    found = [(mark.find(f"{SVG}title").text, mark.tag) for mark in root.iter() if mark.find(f"{SVG}title") is not None]
    return [(text, tag.removeprefix(SVG)) for text, tag in found if tag != f"{SVG}svg"]


@pytest.mark.parametrize(
    ("marks", "element"),
    [
        (lambda axes: axes.plot([1, 2, 3], [3, 1, 2], "o")[0], "use"),
        (lambda axes: axes.plot([1, 2, 3], [3, 1, 2], marker="o")[0], "use"),
        (lambda axes: axes.scatter([1, 2, 3], [3, 1, 2], alpha=[1, 0.5, 1]), "use"),
        (lambda axes: axes.bar([1, 2, 3], [3, 1, 2]), "path"),
        (lambda axes: axes.hlines([1, 2, 3], [0, 0, 0], [3, 1, 2]), "path"),
    ],
)
def test_each_mark_says_its_text(draw, marks, element):
    assert said(draw(marks)) == [(text, element) for text in TEXTS]


def test_a_number_that_is_not_drawn_says_nothing(draw):
    for marks in (lambda axes: axes.plot([1, 2, 3], [3, np.nan, 2], "o")[0],
                  lambda axes: axes.scatter([1, 2, 3], [3, np.nan, 2])):  # fmt: skip
        assert [text for text, _ in said(draw(marks))] == [TEXTS[0], TEXTS[2]]
    assert said(draw(lambda axes: axes.plot([1], [np.nan], "o")[0], ["none"])) == []


def test_an_interval_says_what_its_point_says(draw):
    root = draw(lambda axes: axes.errorbar([1, 2, 3], [3, 1, 2], [0.1, np.nan, 0.2], fmt="o"))
    texts = [text for text, _ in said(root)]
    assert (texts.count(TEXTS[0]), texts.count(TEXTS[2])) == (2, 2)


def test_a_text_too_many_is_an_error(draw):
    with pytest.raises(ValueError, match="shorter"):
        draw(lambda axes: axes.plot([1, 2], [3, 1], "o")[0])


def test_the_file_says_what_it_shows_and_how_it_was_measured(draw):
    root = draw(lambda axes: axes.bar([1, 2, 3], [3, 1, 2]))
    assert root.get("role") == "img" and root.get("aria-label") == "Two of three are $ high"
    assert [(child.tag, child.text) for child in root[:2]] == [
        (f"{SVG}title", "Two of three are $ high"), (f"{SVG}desc", "How it was measured"),
    ]  # fmt: skip


def test_ids_are_of_what_is_referred_to_alone(draw):
    """So that two figures in one page have none in common but for equal parts."""
    root = draw(lambda axes: axes.plot([1, 2, 3], [3, 1, 2], "o")[0])
    text = ElementTree.tostring(root, "unicode")
    for element in root.iter():
        if identity := element.get("id"):
            assert f"#{identity}" in text, identity


def test_an_estimate_has_its_interval_if_there_is_one():
    assert format_estimates(pd.DataFrame([[1.256, 1, 2], [3, np.nan, np.nan]]), 2) == ["1.26 [1.00, 2.00]", "3.00"]


def test_charts_are_saved_by_the_ends_of_their_files_paths(tmp_path):
    charts = [Chart(name, (4, 3), name, "How") for name in ("sizes", "other/sizes", "extra")]
    files = [tmp_path / name for name in ("a/sizes.svg", "other/sizes.svg", "other/sizes.pdf")]
    write_charts(charts, files)
    assert ["<title>other/sizes</title>" in file.read_text() for file in files[:2]] == [False, True]
    assert sorted(tmp_path.rglob("*.*")) == sorted(files)
    with pytest.raises(ValueError, match="made no result of this name; it made sizes, other/sizes"):
        write_charts(charts, [tmp_path / "none.svg"])


def test_an_estimate_without_an_interval_is_a_dot_and_faint_ones_have_another_look():
    axes = Chart("figure", (4, 3), "", "").subplots()
    estimates = pd.DataFrame([[2.0, 1.0, 4.0], [3.0, np.nan, np.nan]])
    draw_estimates(axes, [0, 1], estimates, TEXTS[:2], is_faint=[False, True], fmt="o")
    assert [line.get_xydata().tolist() for line in axes.lines] == [[[2, 0]], [[3, 1]]]
    assert [line.get_alpha() for line in axes.lines] == [None, FAINT]
    spans = [segment[:, 0].tolist() for lines in axes.collections for segment in lines.get_segments()]
    assert spans == [[1, 4], [3, 3]]
