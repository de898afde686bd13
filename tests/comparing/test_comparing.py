"""Comparisons of corpora: their statistics, and the command."""

import csv
import io
import math
import re

import numpy as np
import pytest
from scipy.stats import fisher_exact

import textparity
from textparity.command import main
from textparity.comparing.statistics import PERMUTATIONS, compare_counts
from textparity.errors import InputError

SETTINGS = {"resamples": 300, "confidence_level": 0.95}


def words(generator, units, share, spread=1.0):
    """Return counts of units whose texts are more about women or more about men, by a beta distribution."""
    counted = generator.poisson(1.0, units)
    feminine = generator.binomial(counted, generator.beta(spread * share, spread * (1 - share), units))
    return np.column_stack([feminine, counted - feminine])


def pairs(generator, units, share):
    """Return two corpora of one ratio, text by text about the same."""
    counted, about = generator.poisson(1.0, units), generator.beta(share, 1 - share, units)
    feminine = [generator.binomial(counted, about) for _ in range(2)]
    return tuple(np.column_stack([of, counted - of]) for of in feminine)


@pytest.mark.parametrize("is_paired", [False, True])
def test_tests_and_intervals_err_as_often_as_they_say(is_paired):
    generator = np.random.default_rng(3)
    rounds, rejected, covered = 120, 0, 0
    for number in range(rounds):
        if is_paired:
            one, other = pairs(generator, 300, 0.3)
        else:
            # Of the same ratio, but other sizes and another spread: a test of any difference would reject.
            one, other = words(generator, 250, 0.3, spread=3), words(generator, 500, 0.3, spread=0.5)
        found = compare_counts(one, other, is_paired, generator=np.random.default_rng(number), **SETTINGS)
        rejected += found.p_value < 0.05
        covered += found.ratio_interval.low <= 1 <= found.ratio_interval.high
    # Three standard errors of a share of 120.
    assert rejected / rounds < 0.05 + 0.06
    assert covered / rounds > 0.95 - 0.06


def test_single_words_have_the_p_value_of_fishers_test():
    # Each unit one word, so that labels are permuted in a table of two by two.
    one = np.repeat([[1, 0], [0, 1]], [12, 28], axis=0)
    other = np.repeat([[1, 0], [0, 1]], [22, 18], axis=0)
    found = compare_counts(one, other, False, generator=np.random.default_rng(1), **SETTINGS)
    assert found.ratio == pytest.approx((18 / 22) / (28 / 12))
    assert found.difference == pytest.approx(25)
    assert found.p_value == pytest.approx(fisher_exact([[12, 28], [22, 18]]).pvalue, abs=0.01)
    assert found.ratio_interval.low < found.ratio < found.ratio_interval.high < 1.2


def test_pairs_that_are_alike_differ_less_than_corpora():
    one = words(np.random.default_rng(5), 400, 0.4)
    other = one.copy()
    # In thirty texts, a woman becomes a man.
    changed = np.flatnonzero(one[:, 0])[:30]
    other[changed] += [-1, 1]
    paired, apart = (
        compare_counts(one, other, is_paired, generator=np.random.default_rng(2), **SETTINGS)
        for is_paired in (True, False)
    )
    assert paired.ratio == apart.ratio > 1
    assert paired.p_value == 1 / (PERMUTATIONS + 1)
    assert apart.p_value > 0.01
    assert compare_counts(one, one, True, generator=np.random.default_rng(2), **SETTINGS).p_value == 1


def test_without_a_gender_nothing_is_said():
    one, other = np.array([[1, 2]] * 20), np.array([[0, 2]] * 20)
    found = compare_counts(one, other, False, generator=np.random.default_rng(2), **SETTINGS)
    assert math.isnan(found.ratio) and math.isnan(found.p_value) and math.isnan(found.ratio_interval.low)
    assert found.difference == pytest.approx(-100 / 3)


WOMEN, MEN = "La mujer canta en la plaza.", "El hombre y el hijo cantan."


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """Write a reference and others: of the same lines, and where half of the women, or most, are men."""
    monkeypatch.chdir(tmp_path)
    lines = [WOMEN, MEN, "Nadie canta."] * 20
    (tmp_path / "one.txt").write_text("\n".join([*lines, ""]), "utf-8")
    (tmp_path / "same.txt").write_text("\n".join([*lines, ""]), "utf-8")
    less = [MEN if line == WOMEN and number % 7 else line for number, line in enumerate(lines)]
    (tmp_path / "less.txt").write_text("\n".join([*less, ""]), "utf-8")
    half = [MEN if line == WOMEN and number % 2 else line for number, line in enumerate(lines)]
    (tmp_path / "half.txt").write_text("\n".join([*half, ""]), "utf-8")
    (tmp_path / "documents.txt").write_text("\n".join(f"d{number // 4}" for number in range(60)) + "\n", "utf-8")
    return tmp_path


def test_a_comparison_is_of_the_counts_of_each_audit(corpora):
    result = textparity.compare_files("one.txt", "same.txt", "less.txt", lang="spa", lexicon="demo", is_paired=True)
    frame = result.frame.set_index("corpus")
    audits = {name: textparity.audit_files(name, "spa", lexicon="demo").languages[0] for name in frame.index}
    for name, row in frame.iterrows():
        assert (row["feminine"], row["masculine"]) == (audits[name].row["feminine"], audits[name].row["masculine"])
        assert row["words"] == audits[name].words
    assert frame.loc["same.txt", ["ratio", "difference", "p_value"]].tolist() == [1, 0, 1]
    assert frame.loc["less.txt", "verdict"] == "masculine" and frame.loc["less.txt", "ratio"] > 1
    # Two tests are a family.
    assert frame.loc["less.txt", "p_value_holm"] == 2 * frame.loc["less.txt", "p_value"]
    changes = result.words_frame[result.words_frame["corpus"] == "less.txt"]
    gaps = 100 * (frame["masculine"] - frame["feminine"]) / frame["words"]
    assert changes["contribution"].sum() == pytest.approx(gaps["less.txt"] - gaps["one.txt"])
    assert set(changes["word"][:2]) <= {"mujer", "hombre", "hijo"}


def test_units_may_be_documents_and_pairs_need_partners(corpora, capsys):
    with (corpora / "less.txt").open("a", encoding="utf-8") as file:
        file.write(f"{WOMEN}\n")
    result = textparity.compare_files("one.txt", "less.txt", lang="spa", lexicon="demo", is_paired=True)
    assert (result.corpora[1].unpaired, len(result.corpora[0].counts)) == (1, 60)
    with pytest.raises(InputError, match=r"less.txt: has more lines than .*documents.txt \(60\)"):
        textparity.compare_files("one.txt", "less.txt", lang="spa", lexicon="demo", documents=corpora / "documents.txt")
    options = ["--lang", "spa", "--lexicon", "demo", "--paired"]
    assert main(["compare", "one.txt", "same.txt", *options, "--documents", "documents.txt", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["units"] for row in rows] == ["15", "15"] and rows[1]["verdict"] == "no clear difference"
    assert main(["compare", "one.txt", "less.txt", *options]) == 0
    shown = capsys.readouterr().out
    assert "left out" not in shown
    # Without a language, short lines are of none for certain.
    found = textparity.compare_files("one.txt", "less.txt", lexicon="demo", minimum_certainty=0.97)
    assert all(row["texts"] + row["left_out"] in (60, 61) for _, row in found.frame.iterrows())
    assert found.frame["left_out"].sum() > 0
    assert "Without a partner, so not compared: 1 line." in shown and "mujer (feminine): 20 → " in shown


def test_lines_that_are_not_valid_are_skipped_if_asked_and_keep_their_pairs(corpora, capsys):
    with (corpora / "same.txt").open("r+b") as file:
        file.write(b"\xff")
    options = ["one.txt", "same.txt", "--lang", "spa", "--lexicon", "demo", "--paired"]
    assert main(["compare", *options]) == 2
    assert "--skip-invalid" in capsys.readouterr().err
    assert main(["compare", *options, "--skip-invalid"]) == 3
    shown = capsys.readouterr().out
    assert "Texts left out, for reasons that textparity audit gives: 1 of same.txt." in shown
    assert "Without a partner, so not compared: 1 line." in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["one.txt", "empty.txt"], "empty.txt: nothing was counted"),
        (["one.txt", "folder", "--paired"], "a corpus of a paired comparison is one file"),
        (["one.txt", "same.txt", "--csv", "one.txt"], "one.txt: is read, and would be overwritten"),
        (["one.txt", "folder", "--html", "folder/a.txt"], "folder/a.txt: is read, and would be overwritten"),
        (["one.txt", "same.txt", "--csv", "t.csv", "--words", "t.csv"], "t.csv: two tables would be written to it"),
        (["one.txt", "same.txt", "--csv", "-", "--html", "-"], "two tables would be printed to standard output"),
        (["one.txt", "gone.txt"], "gone.txt"),
        (["one.txt", "same.txt", "--pipeline", "p"], "a pipeline and mentions are of the method persons"),
    ],
)
def test_what_cannot_be_compared_is_named(corpora, capsys, arguments, said):
    (corpora / "empty.txt").write_text("\n", "utf-8")
    (corpora / "folder").mkdir()
    for name in ("a.txt", "b.txt"):
        (corpora / "folder" / name).write_text(f"{MEN}\n", "utf-8")
    assert main(["compare", *arguments, "--lang", "spa", "--lexicon", "demo"]) == 2
    assert said in capsys.readouterr().err
    assert not (corpora / "t.csv").exists()


def test_a_file_with_its_language_is_not_overwritten_either(corpora, capsys):
    before = (corpora / "one.txt").read_bytes()
    assert main(["compare", "one.txt:spa", "same.txt:spa", "--lexicon", "demo", "--html", "one.txt"]) == 2
    assert "one.txt: is read, and would be overwritten" in capsys.readouterr().err
    assert (corpora / "one.txt").read_bytes() == before


def test_the_page_has_the_chart_and_the_table_of_the_comparison(corpora, capsys):
    (corpora / "half.txt").rename(corpora / "<b>half.txt")
    options = ["--lang", "spa", "--lexicon", "demo", "--paired", "--top", "2", "--quiet"]
    assert main(["compare", "one.txt", "same.txt", "<b>half.txt", *options, "--html", "page.html"]) == 0
    assert capsys.readouterr().out == ""
    page = (corpora / "page.html").read_text("utf-8")
    result = textparity.compare_files("one.txt", "same.txt", "<b>half.txt", lang="spa", lexicon="demo", is_paired=True)
    assert result.to_html(top=2) == page
    assert "<script" not in page and "<b>half" not in page and "http" not in page.partition("</head>")[2]
    one = result.corpora[2]
    ends = f"{one.comparison.ratio_interval.low:.2f} to {one.comparison.ratio_interval.high:.2f}"
    assert f"{one.comparison.ratio:.2f} ({ends})<small>more masculine</small>" in page
    assert f'<td class="n">{one.comparison.ratio:.2f}<small>{ends}</small></td>' in page
    # By logarithms: on the chart, twice as many is as far from 1 as half as many.
    marks = [float(place) for place in re.findall(r'<i style="left:([\d.]+)%"', page)]
    (line,) = set(re.findall(r'<u class="one" style="left:([\d.]+)%"', page))
    ticks = {float(tick): float(place) for place, tick in re.findall(r'<small style="left:([\d.]+)%">([\d.]+)<', page)}
    assert marks[0] == ticks[1] == float(line) < marks[1]
    ratio = max(ticks)
    expected = ticks[1] + (ticks[ratio] - ticks[1]) * math.log(one.comparison.ratio) / math.log(ratio)
    assert marks[1] == pytest.approx(expected, abs=0.05)
    assert page.count(one.audit.signature) == 1 and page.count('<th scope="row"><bdi>') == 4


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1100])
def test_the_chart_is_on_the_first_screen(corpora, open_page, width):
    result = textparity.compare_files("one.txt", "same.txt", "half.txt", lang="spa", lexicon="demo")
    (corpora / "page.html").write_text(result.to_html(), "utf-8")
    page = open_page((corpora / "page.html").as_uri(), offline=True, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("dl.ratios").bounding_box()
    assert box["y"] + box["height"] < 800 and page.errors == []
    # The mark of a corpus that differs lies within its interval.
    mark, interval = (page.locator(f"dl.ratios dd.masculine {name}").bounding_box() for name in ("i", "b"))
    assert interval["x"] < mark["x"] + mark["width"] / 2 < interval["x"] + interval["width"]
