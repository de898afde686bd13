"""Parts of an audit, merged: the result of one audit of all their files, or an error that says why there is none."""

import csv
import io
import os
import shutil
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lexicons import WITH_NOUNS

from textparity.command import main
from textparity.estimating import streaming_bootstrap


@pytest.fixture
def corpus(repository, tmp_path, monkeypatch):
    """Files of the demo in three folders: in several languages, one not readable, one with copies of another."""
    texts = repository / "resources" / "demo" / "texts"
    for folder, langs in {"a": ("deu", "eng"), "b": ("spa",), "c/d": ("rus", "cmn", "arb")}.items():
        (tmp_path / folder).mkdir(parents=True)
        for lang in langs:
            shutil.copy(texts / f"{lang}.txt", tmp_path / folder)
    (tmp_path / "b" / "mixed.txt").write_bytes((tmp_path / "a" / "eng.txt").read_bytes() + b"\nSaluton.\n\n")
    (tmp_path / "c" / "broken.txt").write_bytes(b"A woman.\n\xff\n")
    (tmp_path / "c" / "notes.pdf").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return main([*map(str, arguments), "--quiet"])


def tables(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("held", [streaming_bootstrap.KINDS_HELD, 20])
@pytest.mark.parametrize("shown", [[], ["--per-file", "--top", "3"]])
def test_merged_parts_are_the_audit_of_all_their_files(corpus, monkeypatch, shown, held):
    # With so few, kinds go while a file is counted, and while files are put together.
    monkeypatch.setattr(streaming_bootstrap, "KINDS_HELD", held)
    counted = [*WITH_NOUNS, "--skip-failed", "--minimum-certainty", "0.3"]
    assert run("audit", *"abc", *counted, *shown, "--write", "whole") == 3
    for number, folder in enumerate("abc"):
        # Whatever the working folder of a job is.
        monkeypatch.chdir(corpus / folder)
        code = run("audit", os.curdir, *counted, "--write", f"part={corpus / 'parts' / f'{number}.parquet'}")
        assert code == (3 if folder == "c" else 0)
    monkeypatch.chdir(corpus)
    assert run("merge", "parts", *shown, "--write", "merged") == 3
    whole = tables(corpus / "whole")
    assert len(whole) == 6 and b"broken.txt" in whole["left_out.csv"] and b".pdf" in whole["left_out.csv"]
    # The error has the path that was given.
    assert tables(corpus / "merged") == {
        name: content.replace(b"c/broken.txt, line", b"broken.txt, line") for name, content in whole.items()
    }


def test_a_part_of_own_lexicons_in_a_given_language_and_of_its_first_texts(corpus):
    (corpus / "own").mkdir()
    (corpus / "own" / "eng.json").write_text(
        '{"feminine": [{"singular": "woman"}], "masculine": [], "unspecified": []}'
    )
    counted = ["--lang", "eng", "--lexicon-folder", "own", "--max-samples", "12", "--include-words", "masculine:man"]
    assert run("audit", "a", "b", *counted, "--write", "whole") == 0
    for folder in "ab":
        assert run("audit", folder, *counted, "--write", f"part={folder}.parquet") == 0
    # As on another machine.
    shutil.rmtree("own")
    assert run("merge", "a.parquet", "b.parquet", "--write", "merged") == 0
    assert b"is the language right?" in tables(corpus / "whole")["audit.html"]
    assert tables(corpus / "merged") == tables(corpus / "whole")


@pytest.mark.parametrize(
    ("files", "counted", "said"),
    [
        ("b", [*WITH_NOUNS, "--seed", "5"], "b.parquet: was counted with seed 5, but a.parquet with 20231206"),
        ("b", [*WITH_NOUNS, "--exclude-words", "man"], "with exclude_words man, but a.parquet with none"),
        ("b", [*WITH_NOUNS, "--max-samples", "9"], "with max_samples 9, but a.parquet with None"),
        ("a/eng.txt", [*WITH_NOUNS], "a/eng.txt is also in a.parquet, with the same texts, and would"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(corpus, capsys, files, counted, said):
    assert run("audit", "a", *WITH_NOUNS, "--write", "part=a.parquet") == 0
    assert run("audit", files, *counted, "--write", "part=b.parquet") == 0
    assert run("merge", "a.parquet", "b.parquet") == 2
    assert said in capsys.readouterr().err


def test_a_part_that_is_named_twice_is_refused(corpus, capsys):
    assert run("audit", "a", *WITH_NOUNS, "--write", "part=a.parquet") == 0
    assert run("merge", "a.parquet", "./a.parquet") == 2
    assert "would count twice" in capsys.readouterr().err


def test_parts_of_other_lexicons_with_the_same_name_are_refused(corpus, capsys):
    (corpus / "own").mkdir()
    for folder, word in (("a", "woman"), ("b", "lady")):
        (corpus / "own" / "eng.json").write_text(
            f'{{"feminine": [{{"singular": "{word}"}}], "masculine": [], "unspecified": []}}'
        )
        assert (
            run("audit", folder, "--lang", "eng", "--lexicon-folder", "own", "--write", f"part={folder}.parquet") == 0
        )
    assert run("merge", "a.parquet", "b.parquet") == 2
    assert "b.parquet: was counted eng with lex " in capsys.readouterr().err


def test_files_that_would_be_shown_alike_keep_rows_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = {"a\x1bb": r"a\x1bb", r"a\x1bb": r'"a\x1bb"', "\udce9": r"\udce9", r"\udce9": r'"\udce9"', "./-": "./-"}
    for number, name in enumerate(shown, start=1):
        (tmp_path / name).write_text("A woman.\n" * number)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"A man.\n"))))
    counted = ["--lang", "eng", *WITH_NOUNS]
    assert run("audit", *shown, "-", *counted, "--per-file", "--write", "part=a.part", "--write", "whole.csv") == 0
    assert run("merge", "a.part", "--per-file", "--write", "merged.csv") == 0
    assert (tmp_path / "merged.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    with (tmp_path / "whole.csv").open(encoding="utf-8", newline="") as file:
        women = {row["corpus"]: int(row["feminine"]) for row in csv.DictReader(file)}
    assert women == {name: number for number, name in enumerate(shown.values(), start=1)} | {"-": 0}


def test_what_is_no_part_is_said(corpus, capsys):
    pq.write_table(pa.table({"text": ["A woman."]}), "texts.parquet")
    assert run("merge", "texts.parquet") == 2
    assert "texts.parquet: is not a part that this version can read" in capsys.readouterr().err
    for name in ("a", "no.parquet"):
        assert run("merge", name) == 2
        assert f"{name}: is neither a part nor a folder of .parquet files" in capsys.readouterr().err
    assert run("audit", "a", *WITH_NOUNS, "--write", "part=-") == 2
    assert "part is not a text, so it cannot be printed" in capsys.readouterr().err


def test_no_flipped_bit_of_a_part_is_other_numbers(corpus, capsys):
    """Pages have checksums; the footer, with settings and names of columns, has not."""
    assert run("audit", "a/eng.txt", "--lang", "eng", *WITH_NOUNS, "--examples", "1", "--write", "part=a.part") == 0
    merge = ["merge", "a.part", "--write", "json=-"]
    assert main(merge) == 0
    right, whole = capsys.readouterr().out, (corpus / "a.part").read_bytes()
    noticed = 0
    for place in range(0, len(whole), len(whole) // 80):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        (corpus / "a.part").write_bytes(damaged)
        code = main(merge)
        said = capsys.readouterr()
        assert (code, said.out) == (0, right) or (code == 2 and "a.part" in said.err), place
        noticed += code == 2
    assert noticed > 20


def test_parts_are_known_by_their_texts_not_by_their_path(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # As on two machines with a folder of the same name.
    for part, text in {"1": "A woman.\n" * 3, "2": "A man.\n", "3": "A man.\n", "4": "", "5": ""}.items():
        (tmp_path / "shard.txt").write_text(text, "utf-8")
        assert (
            run("audit", "shard.txt", "--lang", "eng", *WITH_NOUNS, "--write", f"part={part}.parquet", "--allow-empty")
            == 0
        )
    assert run("merge", "1.parquet", "2.parquet", "4.parquet", "5.parquet", "--write", "merged") == 0
    assert "eng,nouns,icu" in (tmp_path / "merged" / "audit.csv").read_text("utf-8")
    assert run("merge", "1.parquet", "2.parquet", "--per-file", "--write", "table.csv") == 0
    rows = [line.split(",")[0] for line in (tmp_path / "table.csv").read_text("utf-8").splitlines()[1:]]
    assert rows == ["shard.txt (1.parquet)", "shard.txt (2.parquet)"]
    for name in "12":
        (tmp_path / f"m{name}").mkdir()
        shutil.copy(f"{name}.parquet", f"m{name}/0.parquet")
    assert run("merge", "m1", "m2", "--per-file", "--write", "table.csv") == 0
    rows = [line.split(",")[0] for line in (tmp_path / "table.csv").read_text("utf-8").splitlines()[1:]]
    assert rows == ["shard.txt (m1/0.parquet)", "shard.txt (m2/0.parquet)"]
    assert run("merge", "2.parquet", "1.parquet", "3.parquet") == 2
    assert "shard.txt is also in 2.parquet, with the same texts, and would count twice" in capsys.readouterr().err
