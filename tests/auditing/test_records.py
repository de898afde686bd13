"""Records of an audit: a row for each text, whose matches stand where they say."""

import json
from unicodedata import normalize

import pandas as pd
import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.languages import load_registry
from textparity.command import main
from textparity.counting import CLASSES, text_counter
from textparity.folding import load_folding


def fold(lang, form):
    return load_folding(lang).fold(form).lower()


def audit(folder, *arguments):
    code = main(["audit", *WITH_NOUNS, *map(str, arguments), "--quiet", "--write", str(folder / "r.parquet")])
    assert code in (0, 3)
    return pq.read_table(folder / "r.parquet").to_pylist()


@pytest.mark.parametrize("jobs", [1, 2])
def test_records_add_up_to_the_result(repository, tmp_path, jobs):
    folder = repository / "resources" / "demo" / "texts"
    rows = audit(tmp_path, folder, "--jobs", jobs)
    for item in textparity.audit_files(folder, lexicon_folder=NOUNS):
        own = [row for row in rows if row["lang"] == item.lang]
        assert (len(own), sum(row["words"] for row in own)) == (item.texts, item.words)
        for name in CLASSES:
            genders = [match["gender"] for row in own for match in row["matches"]]
            assert sum(row[name] for row in own) == item.matches[name] == genders.count(name)
    for row in rows:
        text = (folder / row["corpus"]).read_text("utf-8").splitlines()[row["place"] - 1]
        assert row["id"] == f"{row['corpus']}:{row['place']}"
        for match in row["matches"]:
            assert fold(row["lang"], text[match["start"] : match["end"]]) == fold(row["lang"], match["form"])
    assert [row["place"] for row in rows if row["corpus"] == "eng.txt"] == sorted(
        row["place"] for row in rows if row["corpus"] == "eng.txt"
    )


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("  A WOMAN, a woman's son.", "eng", ["WOMAN", "woman", "son"]),
        ("\u00a0Cafe\u0301 de la mujer: n\u0303andu\u0301, hombre", "spa", ["mujer", "hombre"]),
        (normalize("NFD", "Söhne über Väter, Männer"), "deu", ["Söhne", "Väter", "Männer"]),
        ("مرحبا 👩‍👩‍👧 İ woman ß man", "eng", ["woman", "man"]),
        ("Nobody came.", "eng", []),
        ("\u2060The _wo\u00adman\u00ad_ and\u202fa \u200eman\u200f.", "eng", ["wo\u00adman", "man"]),
        ("MUJER ﬁn hom\u00adbre\u202f!", "spa", ["MUJER", "hom\u00adbre"]),
    ],
)
def test_matches_stand_in_the_text_as_it_was_read(repository, tmp_path, text, lang, expected):
    (tmp_path / "a.txt").write_text(f"{text}\n", encoding="utf-8")
    (row,) = audit(tmp_path, tmp_path / "a.txt", "--lang", lang)
    found = [text[match["start"] : match["end"]] for match in row["matches"]]
    assert [normalize("NFC", one) for one in found] == expected
    assert len(found) == sum(row[name] for name in CLASSES)


def test_texts_of_several_languages_stay_in_order(tmp_path):
    lines = [
        "The woman is walking to the market today.",
        "La mujer camina hoy hacia el mercado central.",
        "",
        "123 456",
    ]
    (tmp_path / "a.txt").write_text("\n".join(lines * 3), encoding="utf-8")
    rows = audit(tmp_path, tmp_path / "a.txt")
    assert [(row["place"], row["lang"]) for row in rows] == [
        (1, "eng"), (2, "spa"), (5, "eng"), (6, "spa"), (9, "eng"), (10, "spa"),
    ]  # fmt: skip


def test_a_file_that_cannot_be_read_leaves_no_record(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("A woman.\n")
    (tmp_path / "b.txt").write_bytes(b"A man.\n" * 9 + b"\xff\n")
    rows = audit(tmp_path, tmp_path / "b.txt", tmp_path / "a.txt", "--lang", "eng", "--skip-failed")
    assert [row["id"] for row in rows] == ["a.txt:1"]
    before = (tmp_path / "r.parquet").read_bytes()
    wrong = ["audit", str(tmp_path / "b.txt"), "--lang", "eng", "--write"]
    assert main([*wrong, str(tmp_path / "r.parquet")]) == 2
    assert (tmp_path / "r.parquet").read_bytes() == before
    assert main([*wrong, "records=-"]) == 2
    assert "records is not a text, so it cannot be printed" in capsys.readouterr().err
    assert main([*wrong, str(tmp_path / "x.parquet"), "--method", "published"]) == 2
    assert "which the method published lacks" in capsys.readouterr().err


@pytest.mark.parametrize("lang", ["tha", "vie", "tur"])
def test_whatever_cuts_words_places_are_those_of_forms(repository, tmp_path, lang, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    texts = {
        "tha": ("ผู้หญิง", "เธอเป็นผู้หญิงที่ดี"),
        "vie": ("phụ nữ", "Một người phụ nữ đến, phụ  nữ."),
        "tur": ("kadın", "İyi KADIN ve kadın."),
    }
    form, text = texts[lang]
    (own / f"{lang}.json").write_text(f'{{"feminine": [{{"singular": "{form}"}}], "masculine": [], "unspecified": []}}')
    (tmp_path / "a.txt").write_text(f"{text}\n", encoding="utf-8")
    assert load_registry().tokenizer(lang, "icu").kind == "icu"
    (row,) = audit(tmp_path, tmp_path / "a.txt", "--lang", lang, "--lexicon-folder", own)
    assert row["feminine"] > 0
    found = [text[one["start"] : one["end"]] for one in row["matches"]]
    assert {" ".join(fold(lang, one).split()) for one in found} == {form}


def test_a_long_text_is_counted_in_windows_and_its_matches_stand_where_they_say(monkeypatch, tmp_path):
    words = ["The woman and the man came,", "whose mother", "is a prince\u00adss.", "Mrs. Smith’s father", "left;"]
    text = " ".join(words * 40)
    path = tmp_path / "long.txt"
    path.write_text(f"{text}\nA woman.\n{text}\n", encoding="utf-8")
    whole = audit(tmp_path, path, "--lang", "eng")
    monkeypatch.setattr(text_counter, "LONGEST_TEXT", 230)
    in_windows = audit(tmp_path, path, "--lang", "eng")
    assert in_windows == whole
    assert len(whole[0]["matches"]) == 160
    (found,) = textparity.audit_files(path, "eng", lexicon_folder=NOUNS)
    for example in found.examples["feminine"]:
        assert {example.text[start:end] for start, end in example.marks} <= {"woman", "mother", "princess"}
        assert example.marks


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_matches_stand_in_the_field_that_they_came_from(tmp_path, ending):
    rows = [
        {"key": 7, "title": normalize("NFD", "Ein Söhnchen, die Mütter"), "body": "Väter\nund der Mann.", "lead": ""},
        {"key": 8, "title": "Der Vater", "body": None, "lead": "Frau"},
        {"key": 9, "title": None, "body": None, "lead": None},
    ]
    path = tmp_path / f"a.{ending}"
    if ending == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    elif ending == "csv":
        pd.DataFrame(rows).to_csv(path, index=False)
    else:
        pd.DataFrame(rows).to_parquet(path)
    found = audit(tmp_path, path, "--lang", "deu", "--field", "title,lead,body", "--id-field", "key")
    assert [row["id"] for row in found] == (["7", "8", "9"] if ending == "csv" else ["7", "8"])
    shown = [(match["field"], match["form"]) for row in found for match in row["matches"]]
    assert shown == [("title", "mütter"), ("body", "väter"), ("body", "mann"), ("title", "vater"), ("lead", "frau")]
    for row, given in zip(found, rows, strict=False):
        for match in row["matches"]:
            assert fold("deu", given[match["field"]][match["start"] : match["end"]]) == match["form"]


def test_fields_of_html_are_stripped_one_by_one(tmp_path):
    row = {"title": "<b>Women</b> &amp; work", "body": "<p>The man met a woman.</p>"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    (found,) = audit(tmp_path, tmp_path / "a.jsonl", "--lang", "eng", "--field", "title,body", "--strip-html")
    plain = {"title": "Women & work", "body": "The man met a woman."}
    assert [plain[one["field"]][one["start"] : one["end"]] for one in found["matches"]] == ["Women", "man", "woman"]


def test_a_field_whose_name_has_a_comma_stands_in_quotes(tmp_path):
    (tmp_path / "a.csv").write_text('"text, long",y\nA woman.,"1"\n', "utf-8")
    (row,) = audit(tmp_path, tmp_path / "a.csv", "--lang", "eng", "--field", '"text, long"')
    assert row["feminine"] == 1


def test_no_match_extends_over_two_fields(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"title": "My mother in", "body": "law came."}\n', "utf-8")
    (row,) = audit(
        tmp_path, tmp_path / "a.jsonl", "--lang", "eng", "--field", "title,body", "--include-words", "feminine:in law"
    )
    assert [match["form"] for match in row["matches"]] == ["mother"]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"title": ["a", "b"], "body": "c"}, "field title is a list, so it cannot be joined"),
        ({"title": "a"}, "has no field body"),
        ({"title": "a", "body": "b", "key": None}, "field key has no single value; change the setting id_field"),
    ],
)
def test_a_record_without_its_fields_is_refused(tmp_path, capsys, record, said):
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    arguments = ["--lang", "eng", *WITH_NOUNS, "--field", "title,body", "--id-field", "key"]
    assert main(["audit", str(tmp_path / "a.jsonl"), *arguments]) == 2
    assert said in capsys.readouterr().err
