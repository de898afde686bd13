"""Languages of few texts, the language of a whole file, and progress where nobody watches."""

import io
import sys
from pathlib import Path

import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.command import main
from textparity.corpora.reading import read_rows
from textparity.errors import ConfigError
from textparity.progress import file_bar

ENGLISH = "The woman and her two daughters were rescued from the flooded valley on Monday night, as number {} says."
SPANISH = "La mujer y sus dos hijas fueron rescatadas el lunes por la noche del valle inundado."
NORWEGIAN = "Den unge mannen og faren hans kjørte til kirken på lørdag, men det var ingen andre der."
ESPERANTO = "La juna viro kaj lia patro veturis al la preĝejo sabate, sed neniu alia estis tie."
STRAYS = "other languages, each less than 1 % and under {} texts: spa 2, eo 1, no 1"


@pytest.fixture(autouse=True)
def mixed(tmp_path, monkeypatch):
    # Of long texts, each is identified.
    english = [" ".join([ENGLISH.format(number)] * 12) for number in range(300)]
    Path(tmp_path / "a.txt").write_text("\n".join([*english, SPANISH, SPANISH, NORWEGIAN, ESPERANTO]) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)


def test_languages_of_few_texts_are_one_row_that_says_them():
    result = textparity.audit_files(["a.txt"], lexicon_folder=NOUNS)
    assert [item.lang for item in result] == ["eng"]
    assert result.left_out == {STRAYS.format(10): 4}
    assert result.texts + sum(result.left_out.values()) == 304
    whole = textparity.audit_files(["a.txt"], lexicon_folder=NOUNS, min_size=0)
    assert {item.lang: item.texts for item in whole} == {"eng": 300, "spa": 2}
    assert whole.left_out == {"language without a lexicon: no": 1, "language without a lexicon: eo": 1}


def test_what_is_left_out_has_no_record():
    assert main(["audit", "a.txt", *WITH_NOUNS, "--quiet", "--write", "r.parquet"]) == 0
    assert {row["lang"] for row in read_rows(Path("r.parquet")).to_pylist()} == {"eng"}
    assert read_rows(Path("r.parquet")).num_rows == 300
    assert sorted(path.name for path in Path().iterdir()) == ["a.txt", "r.parquet"]
    # The records remain a baseline.
    assert main(["audit", "a.txt", *WITH_NOUNS, "--quiet", "--baseline", "r.parquet"]) == 0
    main(["audit", "a.txt", *WITH_NOUNS, "--quiet", "--write", "r.parquet", "--min-size", "0"])
    assert read_rows(Path("r.parquet")).num_rows == 302


def test_a_language_that_is_given_or_has_its_share_is_no_stray():
    Path("b.txt").write_text(f"{SPANISH}\n", "utf-8")
    main(["audit", "a.txt", *WITH_NOUNS, "--write", "part=a.parquet", "--quiet"])
    main(["audit", "b.txt", "--lang", "spa", *WITH_NOUNS, "--write", "part=b.parquet", "--quiet"])
    assert main(["merge", "a.parquet", "b.parquet", "--write", "out.csv", "--quiet"]) == 0
    assert "all,spa,nouns,icu,," in Path("out.csv").read_text("utf-8")
    few = textparity.audit([SPANISH, ENGLISH.format(1), ENGLISH.format(2)], lexicon_folder=NOUNS)
    assert {item.lang for item in few} == {"eng", "spa"}


def test_a_file_of_strays_alone_has_no_counted_text():
    Path("b.txt").write_text(f"{SPANISH}\n", "utf-8")
    result = textparity.audit_files(["a.txt", "b.txt"], lexicon_folder=NOUNS, per_file=True)
    assert [item.corpus for item in result] == ["a.txt"]
    assert result.empty == ("b.txt",)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_language_of_a_file_is_that_of_most_of_its_text(jobs):
    Path("b.txt").write_text(f"{NORWEGIAN}\n{NORWEGIAN}\n", "utf-8")
    result = textparity.audit_files(["a.txt", "b.txt"], lexicon_folder=NOUNS, detect="file", jobs=jobs)
    assert {item.lang: (item.texts, item.detected) for item in result} == {"eng": (304, 304)}
    assert 0.5 < result["eng"].mean_certainty <= 1
    assert result.left_out == {"language without a lexicon: no": 2}


def test_what_is_of_files_is_refused_for_texts():
    with pytest.raises(ConfigError, match="text_unit applies to text files"):
        textparity.audit(["A man."], "eng", text_unit="paragraph")
    with pytest.raises(ConfigError, match="detect 'word' is not one of text, file"):
        textparity.audit(["A man."], detect="word")


def test_parts_of_other_units_do_not_go_together(capsys):
    for number, unit in enumerate(("line", "paragraph")):
        Path(f"{number}.txt").write_text("A man.\n")
        counted = ["--lang", "eng", *WITH_NOUNS, "--text-unit", unit]
        main(["audit", f"{number}.txt", *counted, "--write", f"part={number}.parquet"])
    assert main(["merge", "0.parquet", "1.parquet"]) == 2
    assert "with text_unit paragraph" in capsys.readouterr().err


def test_progress_is_a_line_where_no_terminal_is(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with file_bar(1000, show=True, seconds=0) as bar:
        bar.update(500)
    assert "textparity: " in (said := sys.stderr.getvalue()) and "500/1.00k" in said and "\r" not in said
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with file_bar(1000, show=False, seconds=0) as bar:
        bar.update(500)
    assert sys.stderr.getvalue() == ""
