"""Any cut of the same records into files, any order and any number of jobs give the same bytes."""

import csv
import json
import random
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import textparity
from textparity.auditing import counting, tallying
from textparity.auditing.showing.tables import left_out_table, result_table, words_table
from textparity.command import main
from textparity.estimating import streaming_bootstrap
from textparity.reading import documents

LANGS = ("arb", "cmn", "deu", "eng", "rus", "spa")
# A language that the identifier knows and no lexicon has; one that the demo has no lexicon of; and what is none.
OTHERS = (
    "Den unge mannen og faren hans kjørte til kirken på lørdag, men det var ingen andre der.",
    "Den unga kvinnan och hennes far åkte till kyrkan i lördags, men ingen annan var där.",
    "這個學校的學生們在圖書館裡學習漢語和歷史，老師說他們進步很快。",
    "12 : 30",
    "",
    " \u3000",
    None,
)
CODES = ("en", "eng_Latn", "German", "ru", "zh", "zh-Hant", "ar", "es-419", "sv", "nb", "xx", "", None, 7, ["en"])


@pytest.fixture(scope="module")
def texts(repository):
    folder = repository / "resources" / "demo" / "texts"
    lines = [line for lang in LANGS for line in (folder / f"{lang}.txt").read_text("utf-8").splitlines()[:15]]
    articles = [" ".join(lines[start : start + 15]) for start in range(0, len(lines), 15)]
    mixed = [f"{articles[2]} {articles[3][:200]} {articles[2]}", f"{lines[20]} {lines[50]}"]
    return [*lines, *articles, *mixed, *OTHERS]


@pytest.fixture(scope="module")
def lexicons(repository):
    return repository / "resources" / "demo" / "lexicons"


def record(text):
    return st.fixed_dictionaries(
        {"text": text, "of": st.sampled_from(["post", "times", "2019-05-01", None]), "lang": st.sampled_from(CODES)}
    )


@contextmanager
def small(held, portion):
    """Hold few kinds of texts, and count few texts at a time, so that a small corpus has what a large one has."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(streaming_bootstrap, "KINDS_HELD", held)
        patch.setattr(tallying, "KINDS_OF_GROUP", held)
        patch.setattr(documents, "PORTION_TEXTS", portion)
        patch.chdir(folder)
        yield


def cut(records, rng, folder):
    """Write records in some order into some files, of which some are empty."""
    files = [Path(folder) / f"{name}.jsonl" for name in rng.sample("abcdefgh", rng.randint(1, 4))]
    Path(folder).mkdir()
    lines = {file: [] for file in files}
    for one in rng.sample(records, len(records)):
        lines[rng.choice(files)].append(json.dumps(one) + "\n")
    for file, of_file in lines.items():
        file.write_text("".join(of_file), "utf-8")
    return [str(file) for file in rng.sample(files, len(files))]


def written(folder):
    """Return the tables that are to be the same, and the texts of the examples."""
    tables = [(Path(folder) / f"{name}.csv").read_bytes() for name in ("audit", "words", "left_out")]
    with (Path(folder) / "examples.csv").open(encoding="utf-8", newline="") as file:
        return *tables, [(row["lang"], row["class"], row["text"]) for row in csv.DictReader(file)]


OPTIONS = (
    (),
    ("--group-by", "of", "--min-size", "4"),
    ("--lang-field", "lang"),
    ("--lang-field", "lang", "--group-by", "of", "--max-groups", "1"),
    ("--lang", "eng"),
)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_any_cut_of_records_gives_the_same_bytes(texts, lexicons, data):
    records = data.draw(st.lists(record(st.sampled_from(texts)), min_size=1, max_size=60))
    rng = data.draw(st.randoms(use_true_random=False))
    common = ["--lexicon-folder", str(lexicons), "--quiet", *data.draw(st.sampled_from(OPTIONS))]
    with small(data.draw(st.sampled_from([2, 50_000])), data.draw(st.sampled_from([1, 7, 20_000]))):
        code = main(["audit", *cut(records, rng, "first"), *common, "--write", "a"])
        assert main(["audit", *cut(records, rng, "second"), *common, "--write", "b"]) == code
        assert written("b") == written("a")
        # In parts, merged in any order.
        for number, file in enumerate(files := cut(records, rng, "third")):
            main(["audit", file, *common, "--write", f"part={number}.parquet"])
        shown = [part for part in common[3:] if part.isdigit() or part in ("--min-size", "--max-groups")]
        parts = [f"{number}.parquet" for number in rng.sample(range(len(files)), len(files))]
        assert main(["merge", *parts, *shown, "--quiet", "--write", "c"]) == code
        assert written("c") == written("a")


@pytest.mark.parametrize("options", [{}, {"lang_field": "lang", "group_by": "of"}])
def test_processes_change_nothing(texts, lexicons, monkeypatch, tmp_path, options):
    rng = random.Random(6)
    records = [
        {"text": rng.choice(texts), "of": rng.choice(["a", "b", None]), "lang": rng.choice(CODES)} for _ in range(2000)
    ]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(documents, "PORTION_TEXTS", 100)
    results = [
        textparity.audit_files(cut(records, rng, str(jobs)), lexicon_folder=lexicons, jobs=jobs, **options)
        for jobs in (1, 2)
    ]
    one, two = (
        [make_table(result).to_csv() for make_table in (result_table, words_table, left_out_table)]
        for result in results
    )
    assert one == two
    assert results[0].texts > 300


def test_small_files_are_counted_together_as_one_by_one(texts, lexicons, monkeypatch, tmp_path, capsys):
    for number, text in enumerate(text for text in texts if text):
        (tmp_path / f"f{number:03}.txt").write_text(f"{text}\nThe woman and {number} men came.\n", encoding="utf-8")
    (tmp_path / "f010a.txt").write_bytes(b"A man.\nA m\xe4n.\n")
    (tmp_path / "f020.csv").write_text('text\nThe woman.\n"\n', encoding="utf-8")
    (tmp_path / "f030.jsonl").write_text('{"text": null}\n{"text": "A man"}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for options in ([], ["--lang", "eng"]):
        found = []
        for size in (counting.SMALL_FILE, 0):
            monkeypatch.setattr(counting, "SMALL_FILE", size)
            code = main(
                ["audit", ".", "--write", "json=-", "--skip-failed", "--lexicon-folder", str(lexicons), *options]
            )
            found.append((code, *capsys.readouterr()))
            monkeypatch.undo()
            monkeypatch.chdir(tmp_path)
        assert found[0] == found[1]
        assert "f010a.txt, line 2" in found[0][1]
