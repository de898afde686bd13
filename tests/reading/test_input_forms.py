"""Encodings, delimiters, text_units of text, WET files and other names of languages."""

import gzip
import json
import re
from pathlib import Path

import pytest
from lexicons import NOUNS, WITH_NOUNS

from textparity.auditing.audit import audit_files
from textparity.auditing.languages import find_language, load_registry
from textparity.command import main
from textparity.errors import ConfigError, InputError
from textparity.files import read_tsv
from textparity.reading import text_units
from textparity.reading.encodings import check_encoding
from textparity.reading.json_array import read_array

# Python's, of which no text is.
NO_ENCODINGS = (
    "rot13",
    "base64",
    "hex",
    "zlib",
    "idna",
    "punycode",
    "unicode_escape",
    "raw_unicode_escape",
    "undefined",
)
WOMAN = "Die Ärztin sah eine Frau.\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def audit(*arguments, lang="eng"):
    return main(["audit", *arguments, "--lang", lang, *WITH_NOUNS, "--write", "out.csv"])


def written():
    return Path("out.csv").read_text("utf-8")


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16", "utf-16-le"])
def test_another_encoding_gives_the_same_table(encoding):
    # Longer than a block that is read, and blocks may end within a character.
    text = WOMAN * 30_001
    Path("a.txt").write_text(text, "utf-8")
    assert audit("a.txt", lang="deu") == 0
    expected = written()
    Path("a.txt").write_text(text, encoding)
    assert audit("a.txt", "--encoding", encoding, lang="deu") == 0
    assert written() == expected


def test_bytes_that_an_encoding_does_not_have_are_named_with_their_place(capsys):
    Path("a.txt").write_bytes(b"A man.\n" * 50_000 + b"\x81\n")
    assert audit("a.txt", "--encoding", "cp1252") == 2
    assert "a.txt: byte 350,000 (from 0) is not valid cp1252" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="did you mean"):
        check_encoding("latin-11")


@pytest.mark.parametrize("name", [*NO_ENCODINGS, "mbcs", "a\0b", "\udcff", "x" * 5000])
def test_what_is_no_encoding_of_texts_is_named(name):
    with pytest.raises(ConfigError, match=re.escape(f"unknown encoding {name!r}")):
        check_encoding(name)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text", ["The woman saw a man.\n", "Жена и муж, отец.\n", "一个女人，她和男人\n", "สตรีและบุรุษ\n"]
)
def test_wide_characters_without_a_mark_are_named_and_read_if_told(encoding, text, capsys):
    Path("a.txt").write_bytes(text.encode(encoding))
    assert audit("a.txt", "--encoding", encoding[:6]) == 2
    assert f"{encoding[:6]}-" in capsys.readouterr().err
    assert audit("a.txt") == 2
    assert encoding in capsys.readouterr().err or not text.isascii()
    assert audit("a.txt", "--encoding", encoding) == 0


def test_the_order_of_bytes_is_not_taken_for_the_other(capsys):
    Path("a.txt").write_bytes("The woman saw a man.\n".encode("utf-16-le"))
    for given in ("utf-16-be", "utf-32", "cp1252", "utf-8-sig"):
        assert audit("a.txt", "--encoding", given) == 2
        assert (
            f"a.txt: is utf-16-le, not {check_encoding(given)}; give it with --encoding utf-16-le"
            in capsys.readouterr().err
        )


@pytest.mark.parametrize(("given", "used"), [(";", ";"), ("tab", "\t"), ("\\t", "\t")])
def test_cells_may_be_parted_by_another_character(given, used):
    Path("a.csv").write_text(f'id{used}text\n1{used}"A man{used} a woman, a girl."\n')
    assert audit("a.csv", "--delimiter", given) == 0
    other = written()
    Path("a.csv").write_text(f'id,text\n1,"A man{used} a woman, a girl."\n')
    assert audit("a.csv") == 0
    assert written() == other


def test_a_header_of_one_cell_hints_at_the_delimiter(capsys):
    Path("a.csv").write_text("id;text\n1;A man.\n")
    assert audit("a.csv") == 2
    assert "--delimiter" in capsys.readouterr().err


@pytest.mark.parametrize(("unit", "texts"), [("line", 6), ("paragraph", 2), ("document", 1)])
def test_a_text_is_a_line_a_paragraph_or_a_document(unit, texts):
    Path("a.txt").write_text("A man and\na woman.\n\n \nA\r\nwoman.\n")
    result = audit_files(["a.txt"], "eng", lexicon_folder=NOUNS, text_unit=unit)
    assert (result.texts, result["eng"].matches["feminine"], result["eng"].matches["masculine"]) == (texts, 2, 1)
    if unit == "paragraph":
        (places,) = {example.place for example in result["eng"].examples["masculine"]}
        assert places == 1
        assert [example.text for example in result["eng"].examples["masculine"]] == ["A man and a woman."]


def test_a_text_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(text_units, "LONGEST_TEXT", 20)
    Path("a.txt").write_text("A man.\n" * 5)
    with pytest.raises(InputError, match=r"a\.txt, line 3: the text from line 1 on is longer"):
        audit_files(["a.txt"], "eng", lexicon_folder=NOUNS, text_unit="document")


RECORDS = [
    {"text": "A [man],\n}"},
    {"text": 'A "woman".'},
    {"text": None, "more": [{"text": "x"}] * 40},
    {"text": ""},
]


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_an_array_is_read_record_by_record(indent):
    packed = json.dumps(RECORDS, indent=indent)
    assert list(read_array(packed.split("\n"), "a.json")) == RECORDS
    assert list(read_array(["", " [", "] "], "a.json")) == []
    Path("a.json").write_text(packed)
    result = audit_files(["a.json"], "eng", lexicon_folder=NOUNS)
    assert (result.texts, result.left_out) == (3, {"null": 1})
    assert {example.place for example in result["eng"].examples["feminine"]} == {2}


def test_records_of_an_array_come_before_its_end_is_read():
    def lines():
        yield "["
        for number in range(3):
            seen.append(number)
            yield '{"text": "A man."},'

    seen = []
    next(read_array(lines(), "a.json"))
    assert seen == [0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"text": "A man."}', "has no end after 1 records"),
        ('[{"text": "A man."}, {"text": "A ', "record 2: cannot be read as JSON"),
        ('[{"text": "A man."} {"text": "A man."}]', "record 2: '{' instead of a comma"),
        ('[{"text": "A man."},]', "record 2: cannot be read as JSON"),
        ('[{"text": "A man."}]\n[]', "has text after its JSON array"),
        ('["A man."]', "record 1: is str, not a JSON object"),
    ],
)
def test_a_broken_array_is_named_with_its_record(content, message):
    Path("a.json").write_text(content)
    with pytest.raises(InputError, match=message):
        audit_files(["a.json"], "eng", lexicon_folder=NOUNS)


def record(kind, body):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_each_page_of_a_wet_file_is_a_text(ending):
    records = [
        record("warcinfo", b"x: y\r\n"),
        record("conversion", b"A man.\nA woman."),
        record("conversion", b"Man."),
    ]
    raw = b"".join(map(gzip.compress, records)) if ending else b"".join(records)
    Path(f"a.warc.wet{ending}").write_bytes(raw)
    result = audit_files([f"a.warc.wet{ending}"], "eng", lexicon_folder=NOUNS)
    assert (result.texts, result["eng"].matches["feminine"], result["eng"].matches["masculine"]) == (2, 1, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (record("conversion", b"\xff man."), "record 1: byte 0 of its text"),
        (record("conversion", b"A man.")[:-8], "is incomplete|cannot be read as WARC"),
        (b"A man.\n", "cannot be read as WARC"),
    ],
)
def test_what_is_no_wet_file_is_said(content, message):
    Path("a.wet").write_bytes(content)
    with pytest.raises(InputError, match=message):
        audit_files(["a.wet"], "eng", lexicon_folder=NOUNS)


@pytest.mark.parametrize(("name", "fix"), [("a.pdf", "pdftotext"), ("a.xlsx", "CSV"), ("a.docx", "plain text")])
def test_files_that_are_no_text_say_what_to_do(capsys, name, fix):
    Path(name).write_bytes(b"PK")
    assert audit(name) == 2
    assert fix in capsys.readouterr().err


def test_other_codes_are_taken_for_a_language_and_said(capsys):
    Path("a.txt").write_text("男人\n", "utf-8")
    main(["audit", "a.txt", "--lang", "zho", *WITH_NOUNS])
    assert "zho is counted as Mandarin Chinese (cmn)" in capsys.readouterr().err
    assert [find_language(code) for code in ("ara", "ger", "FAS", "zh")] == ["arb", "deu", "pes", "cmn"]


def test_each_other_code_leads_to_a_language_of_the_table(repository):
    rows = read_tsv(repository / "resources" / "registry" / "language_aliases.tsv")
    known = load_registry().languages
    assert all(row["lang"] in known and row["code"] not in known for row in rows)


def test_lines_of_one_document_are_one_text(capsys):
    # At the end of a line, a sentence and a term end.
    lines = ["A father", "of the bride came.", "", "A woman and a man."]
    Path("a.txt").write_text("\n".join([*lines, ""]))
    Path("documents.txt").write_text("one\none\none\ntwo\n")
    by_line = audit_files(["a.txt"], "eng", lexicon_folder=NOUNS)
    result = audit_files(["a.txt"], "eng", lexicon_folder=NOUNS, documents=Path("documents.txt"))
    assert (by_line.words, by_line["eng"].matches) == (result.words, result["eng"].matches)
    assert (by_line.texts, by_line.unit, result.texts, result.unit) == (4, "line", 2, "document")
    # Of the line where a match stands.
    assert sorted((one.place, one.text) for one in result["eng"].examples["masculine"]) == [
        (1, lines[0]),
        (4, lines[3]),
    ]
    assert "text document" in result.signature
    assert audit("a.txt", "--documents", "documents.txt") == 0
    assert audit("a.txt", "--documents", "documents.txt", "--text-unit", "paragraph") == 2
    Path("a.csv").write_text("text\nA man.\n")
    assert audit("a.csv", "--documents", "documents.txt") == 2
    shown = capsys.readouterr().err
    assert "--text-unit paragraph and --documents exclude each other" in shown and "a.csv: has no lines" in shown


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ("one\ntwo\n", "a.txt: has more lines than documents.txt (2)"),
        ("one\none\ntwo\ntwo\n", "a.txt: has 3 lines, documents.txt 4"),
        ("one\ntwo\none\n", "documents.txt, line 3: one already has lines above"),
    ],
)
def test_documents_that_do_not_fit_are_named(capsys, documents, said):
    Path("a.txt").write_text("A man.\nA woman.\nA man.\n")
    Path("documents.txt").write_text(documents)
    assert audit("a.txt", "--documents", "documents.txt") == 2
    assert said in capsys.readouterr().err and not Path("out.csv").exists()
