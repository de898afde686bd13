import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textparity.corpora.reading import read_metadata, read_rows
from textparity.errors import InputError
from textparity_studies.newsroom.articles import ARTICLE_SCHEMA, DUPLICATE, read_articles
from textparity_studies.newsroom.rows import ARTICLE_FORMATS

CSV = {"format": "csv", "id": "id", "text": "text", "group": "topic"}
GNAD = {"format": "csv", "text": "2", "group": "1", "delimiter": ";", "quote": "'"}
JSONL = {"format": "jsonl", "id": "id", "text": "text", "group": "topic"}
PARQUET = {"format": "parquet", "id": "id", "text": "text", "group": "topic"}
TAZ = {"format": "taz_json", "id": "id", "text": "text.text", "group": "file:year"}
LINES = {"format": "lines", "id": "ids.tsv", "group": "id:prefix"}


def read(tmp_path, contents, form, parts=1, document_ids=None):
    """Return the rows, the list of what is rejected without its header, and the metadata."""
    sources = []
    for name, content in contents.items():
        sources.append(tmp_path / "corpus" / name)
        sources[-1].parent.mkdir(parents=True, exist_ok=True)
        sources[-1].write_bytes(content)
    if document_ids is not None:
        (tmp_path / "corpus" / "ids.tsv").write_bytes(document_ids)
        document_ids = tmp_path / "corpus" / "ids.tsv"
    form = {"id": "", "text": "", "group": "", "delimiter": "", "quote": ""} | form
    articles = [tmp_path / "out" / f"articles.{number}.parquet" for number in range(parts)]
    rejected = tmp_path / "out" / "rejected.csv"
    read_articles(sources, articles, rejected, "paper", "deu", form, document_ids)
    rows = [row for path in articles for row in read_rows(path).to_pylist()]
    with rejected.open(encoding="utf-8", newline="") as file:
        return rows, [tuple(row) for row in csv.reader(file)][1:], read_metadata(articles[0])


def taken(rows):
    return [(row["doc_id"], row["group"], row["text"]) for row in rows]


def parquet(columns, **options):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink, **options)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize(
    ("content", "form", "articles"),
    [
        (b"topic;id;text\nWeb;a;x\n", CSV | {"delimiter": ";"}, [("a", "Web", "x")]),
        (b"text\tid\ttopic\n'Tag \t1\tWeb\n", CSV | {"delimiter": r"\t", "quote": "none"}, [("1", "Web", "'Tag ")]),
        (
            b'\xef\xbb\xbfid,text,topic\r\n1,"zwei\r\nZeilen, ""so""\n",Web\r\n\r\n2, roh ,Etat',
            CSV,
            [("1", "Web", 'zwei\r\nZeilen, "so"\n'), ("2", "Etat", " roh ")],
        ),
        (
            b"Web;'Rock ''n'' Roll; \"so\"'\r\nEtat;kurz \r\n",
            GNAD,
            [("000001", "Web", "Rock 'n' Roll; \"so\""), ("000002", "Etat", "kurz ")],
        ),
        (
            '{"id": 7, "text": "M\\u00e4rz", "topic": "Web"}\n\n{"id": "b", "text": "x\u2028y", "topic": 3}'.encode(),
            JSONL,
            [("7", "Web", "März"), ("b", "3", "x\u2028y")],
        ),
        (
            b'{"meta": {"key": "a", "day": "2020-02-29T10:00"}, "body": {"de": "x"}, "a.b": "y"}\n',
            {"format": "jsonl", "id": "meta.key", "text": "body.de", "group": "meta.day:month"},
            [("a", "2020-02", "x")],
        ),
        (b'{"a.b": "x"}\n', {"format": "jsonl", "text": "a.b"}, [("000001", "all", "x")]),
        (
            parquet({"id": [1, 2], "text": ["x", "y\n"], "topic": ["Web", "Etat"], "other": [None, [1.5]]}),
            PARQUET,
            [("1", "Web", "x"), ("2", "Etat", "y\n")],
        ),
        (
            parquet({"id": ["a"], "body": [{"de": "x", "en": "z"}], "day": pa.array([0], pa.date32())}),
            PARQUET | {"text": "body.de", "group": "day:year"},
            [("a", "1970", "x")],
        ),
        (parquet({"id": pa.array([], pa.string()), "text": ["a"][:0], "topic": ["b"][:0]}), PARQUET, []),
    ],
    ids=[
        "csv", "tabs, no quotes", "quoted ends of lines, mark, no last end", "10kGNAD", "jsonl", "nested jsonl",
        "a name with a dot", "parquet", "nested parquet", "no rows",
    ],
)  # fmt: skip
def test_formats_are_read_with_their_texts_unchanged(tmp_path, content, form, articles):
    ending = ARTICLE_FORMATS[form["format"]]
    more = {"b.parquet": parquet({"id": ["z"], "text": ["z"], "topic": ["z"]})} if not articles else {}
    rows, rejected, metadata = read(tmp_path, {f"a{ending}": content} | more, form)
    assert taken(rows)[: len(articles)] == articles
    assert not rejected
    assert metadata == {"articles": len(rows), "rejected": 0, "files": 1 + len(more)}


def test_a_folder_of_months_is_read_by_its_years(tmp_path):
    months = {
        "1999/taz_1999-12.json": {"!a/1": {"text": {"text": " x\n"}, "author": "A"}, "b": {"text": {"text": "y"}}},
        "2000/taz_2000-01.json": [{"id": "c", "text": "z"}, {"id": 4, "text": {"text": "v", "title": "t"}}],
        "2000/taz_2000-02.json": {},
    }
    contents = {name: json.dumps(month).encode() for name, month in months.items()}
    contents["2000/taz_2000-03.json"] = b'\xef\xbb\xbf \n{ "e" : {"text":\n{"text": "u"}} }\n'
    rows, rejected, metadata = read(tmp_path, contents, TAZ)
    assert taken(rows) == [("!a/1", "1999", " x\n"), ("b", "1999", "y"), ("c", "2000", "z"), ("4", "2000", "v"),
                           ("e", "2000", "u")]  # fmt: skip
    assert rows[0] == {
        "id": "paper/!a/1", "doc_id": "!a/1", "lang": "deu", "text": " x\n", "group": "1999", "number": 0,
        "file": "1999/taz_1999-12.json",
    }  # fmt: skip
    assert not rejected
    assert metadata == {"articles": 5, "rejected": 0, "files": 4}
    rows, *_ = read(tmp_path, contents, TAZ | {"group": "file:month"})
    assert [row["group"] for row in rows] == ["1999-12", "1999-12", "2000-01", "2000-01", "2000-03"]


def test_lines_of_one_document_are_an_article(tmp_path):
    texts = "\ufeffEins .\r\n zwei\r\n\r\nDrei".encode()
    rows, rejected, _ = read(tmp_path, {"a.txt": texts}, LINES, document_ids=b"bbc.1\nbbc.1\nbbc.1\nrt.2.b\n")
    assert taken(rows) == [("bbc.1", "bbc", "Eins .  zwei "), ("rt.2.b", "rt", "Drei")]
    assert not rejected
    rows, *_ = read(tmp_path, {"a.txt": texts}, LINES | {"group": ""}, document_ids=b"1\n1\n1\n2")
    assert [row["group"] for row in rows] == ["all", "all"]


@pytest.mark.parametrize("texts", [b"x\n", b"x\ny\nz\n"])
def test_lines_and_document_ids_go_line_by_line(tmp_path, texts):
    with pytest.raises(InputError, match=r"ends after \d lines, but .* goes on; they must go line by line"):
        read(tmp_path, {"a.txt": texts}, LINES, document_ids=b"b.1\nb.2\n")


GOOD_JSONL = b'{"id": "good", "text": "x", "topic": "Web"}\n'
BAD_JSONL = [
    (b'{"id": "a", "topic": "Web"}', "a", "it has no text"),
    (b'{"id": "a", "text": null, "topic": "Web"}', "a", "it has no text"),
    (b'{"id": "a", "text": " \\n\\u00a0", "topic": "Web"}', "a", "its text is blank"),
    (b'{"id": "a", "text": ["x"], "topic": "Web"}', "a", "its text is no string but list"),
    (b'{"text": "x", "topic": "Web"}', "line 2", "it has no id"),
    (b'{"id": true, "text": "x", "topic": "Web"}', "line 2", "it has no id"),
    (b'{"id": " ", "text": "x", "topic": "Web"}', "line 2", "it has no id"),
    (b'{"id": "good", "text": "y", "topic": "Web"}', "good", DUPLICATE),
    (b'{"id": "a", "text": "x"}', "a", "it has no group (topic)"),
    (b'{"id": "a", "text": "x", "topic": ["Web"]}', "a", "it has no group (topic)"),
    (b'{"id": "a", "text": "\\ud800", "topic": "Web"}', "a", "it has a surrogate that is no character"),
    (b'{"id": "\\udcff", "text": "", "topic": "Web"}', "\\udcff", "its text is blank"),
    (b'{"id": "a", "text": "\xe4", "topic": "Web"}', "line 2", "it is not valid UTF-8 (byte 22: invalid continuation"),
    (b'{"id": "a", "text": "x"', "line 2", "it cannot be read as JSON (Expecting ',' delimiter"),
    (b"[" * 100_000, "line 2", "it cannot be read as JSON (maximum recursion"),
    (b'["x"]', "line 2", "it is no JSON object"),
]


@pytest.mark.parametrize(("line", "article", "reason"), BAD_JSONL, ids=[reason[:40] for *_, reason in BAD_JSONL])
def test_a_malformed_line_is_listed_and_the_next_is_read(tmp_path, line, article, reason):
    content = GOOD_JSONL + line + b"\n" + GOOD_JSONL.replace(b"good", b"next")
    rows, rejected, metadata = read(tmp_path, {"a.jsonl": content}, JSONL)
    assert [row["doc_id"] for row in rows] == ["good", "next"]
    assert [row["number"] for row in rows] == [0, 1]
    assert [row[:2] for row in rejected] == [("a.jsonl", article)]
    assert rejected[0][2].startswith(reason)
    assert metadata == {"articles": 2, "rejected": 1, "files": 1}


BAD_CSV = [
    (b"a,x\n", "line 3", "it has 2 cells, the header has 3"),
    (b"a,x,Web,y\n", "line 3", "it has 4 cells, the header has 3"),
    (b"a,x\xff,Web\n", "line 3", "it is not valid UTF-8"),
    (b'a,"x"y,Web\n', "line 3", "it cannot be read as CSV (',' expected after '\"')"),
    (b'a,"x,Web\nb,"y",Web\n', "lines 3-4", "it cannot be read as CSV (',' expected after '\"')"),
    (b"a,x\ry,Web\n", "line 3", "it cannot be read as CSV (new-line character seen in unquoted field"),
    (b"a,,Web\n", "a", "its text is blank"),
    (b",x,Web\n", "line 3", "it has no id"),
    (b"a,x, \n", "a", "it has no group (topic)"),
]


@pytest.mark.parametrize(("row", "article", "reason"), BAD_CSV, ids=[reason[:40] for *_, reason in BAD_CSV])
def test_a_malformed_row_is_listed_and_the_next_is_read(tmp_path, row, article, reason):
    content = b"id,text,topic\ngood,x,Web\n" + row + b"next,x,Web\n"
    rows, rejected, _ = read(tmp_path, {"a.csv": content}, CSV)
    assert [row["doc_id"] for row in rows] == ["good", "next"]
    assert [row[:2] for row in rejected] == [("a.csv", article)]
    assert rejected[0][2].startswith(reason)


def test_a_quote_that_is_never_closed_is_listed_with_its_lines(tmp_path):
    rows, rejected, _ = read(tmp_path, {"a.csv": b"Web;'x'\r\nEtat;'y\r\nWeb;z\r\n"}, GNAD)
    assert taken(rows) == [("000001", "Web", "x")]
    assert rejected == [("a.csv", "lines 2-3", "it cannot be read as CSV (unexpected end of data)")]


def test_a_cell_may_be_longer_than_the_csv_module_allows(tmp_path):
    rows, *_ = read(tmp_path, {"a.csv": b"Web;" + b"x" * 200_000 + b"\n"}, GNAD)
    assert len(rows[0]["text"]) == 200_000
    assert csv.field_size_limit() == 131_072


def test_without_ids_records_are_numbered_from_file_to_file(tmp_path):
    form = JSONL | {"id": ""}
    first = GOOD_JSONL + b"{\n" + GOOD_JSONL + b'{"topic": "Web"}\n'
    rows, rejected, _ = read(tmp_path, {"a.jsonl": first, "b.jsonl": GOOD_JSONL}, form)
    assert [(row["id"], row["number"]) for row in rows] == [
        ("paper/000001", 0),
        ("paper/000003", 1),
        ("paper/000005", 2),
    ]
    assert [row[1] for row in rejected] == ["line 2", "line 4"]


def test_an_id_counts_once_in_all_files(tmp_path):
    rows, rejected, _ = read(tmp_path, {"2/a.jsonl": GOOD_JSONL, "1/a.jsonl": GOOD_JSONL}, JSONL)
    assert [row["file"] for row in rows] == ["2/a.jsonl"]
    assert rejected == [("1/a.jsonl", "good", DUPLICATE)]


@pytest.mark.parametrize(
    ("month", "listed"),
    [
        (b'{"a": {"text": {"text": "x"}}', ("", "the file cannot be read as JSON (Expecting ',' delimiter")),
        (b'"text"', ("", "the file cannot be read as JSON (it is neither an object nor a list)")),
        (b"", ("", "the file cannot be read as JSON (Expecting value")),
        (b'{"a": "\xff"}', ("", "the file cannot be read as JSON ('utf-8' codec can't decode byte 0xff")),
        (b'{"a": "x"}', ("a", "it is no JSON object")),
        (b'["x"]', ("record 1", "it is no JSON object")),
        (b'[{"text": "x"}]', ("record 1", "it has no id")),
        (b'{"": {"text": {"text": "x"}}}', ("record 1", "it has no id")),
        (b'{"a": {"text": {"title": "x"}}}', ("a", "it has no text")),
        (b'{"a": {"text": {"text": 1}}}', ("a", "its text is no string but int")),
    ],
)
def test_a_malformed_month_or_article_is_listed(tmp_path, month, listed):
    good = b'{"good": {"text": {"text": "x"}}, "more": {"text": {"text": "y"}}}'
    rows, rejected, metadata = read(tmp_path, {"taz_1999-01.json": month, "taz_1999-02.json": good}, TAZ)
    assert [row["doc_id"] for row in rows] == ["good", "more"]
    assert [row[:2] for row in rejected] == [("taz_1999-01.json", listed[0])]
    assert rejected[0][2].startswith(listed[1])
    assert metadata == {"articles": 2, "rejected": 1, "files": 2}


def test_a_duplicate_key_of_a_month_is_listed(tmp_path):
    month = b'{"a": {"text": {"text": "x"}}, "a": {"text": {"text": "y"}}}'
    rows, rejected, _ = read(tmp_path, {"taz_1999-01.json": month}, TAZ)
    assert taken(rows) == [("a", "1999", "x")]
    assert rejected == [("taz_1999-01.json", "a", DUPLICATE)]


@pytest.mark.parametrize(
    ("group", "record", "reason"),
    [
        ("file:year", {}, "it has no group (file:year)"),
        ("day:year", {"day": "1.2.2020"}, "its group (day:year) is '1.2.2020', which is no ISO date"),
        ("day:year", {"day": "2021-02-29"}, "its group (day:year) is '2021-02-29', which is no ISO date"),
        ("day:year", {"day": "20200101"}, "its group (day:year) is '20200101', which is no ISO date"),
        ("day:month", {"day": "2020"}, "its group (day:month) is '2020', which is no ISO date"),
        ("day:month", {"day": 2.5}, "it has no group (day:month)"),
        ("id:prefix", {}, "its id has no prefix that ends in a dot"),
    ],
)
def test_a_group_that_cannot_be_had_is_listed(tmp_path, group, record, reason):
    month = json.dumps([
        {"id": "a", "text": "x"} | record,
        {"id": "b.1", "text": "x", "day": "2020-05"},
    ]).encode()  # fmt: skip
    contents = {"undated.json": month, "taz_2020-05.json": month.replace(b'"b.1"', b'"b.2"').replace(b'"a"', b'""')}
    rows, rejected, _ = read(tmp_path, contents, TAZ | {"group": group})
    assert {row["group"] for row in rows} <= {"2020", "2020-05", "b"} and rows
    assert rejected[0] == ("undated.json", "a", reason)


@pytest.mark.parametrize(
    ("texts", "ids", "listed"),
    [
        (b"x\ny\xff\nz\n", b"b.1\nb.1\nb.2\n", ("b.1", "it is not valid UTF-8")),
        (b"\n \nz\n", b"b.1\nb.1\nb.2\n", ("b.1", "its text is blank")),
        (b"x\nz\ny\n", b"b.1\nb.2\nb.1\n", ("b.1", DUPLICATE)),
        (b"z\nx\ny\n", b"b.2\n\n\n", ("lines 2-3", "it has no id")),
        (b"z\nx\n", b"b.2\nb\xff.1\n", ("b\\udcff.1", "it has a surrogate that is no character")),
    ],
)
def test_a_malformed_document_is_listed(tmp_path, texts, ids, listed):
    rows, rejected, _ = read(tmp_path, {"a.txt": texts}, LINES, document_ids=ids)
    assert ("b.2", "b", "z") in taken(rows)
    assert rejected == [("a.txt", *listed)]


@pytest.mark.parametrize("size", [0, 3, 100, -1])
def test_a_damaged_parquet_file_is_listed(tmp_path, size):
    good = parquet({"id": ["a"], "text": ["x"], "topic": ["Web"]})
    rows, rejected, _ = read(tmp_path, {"a.parquet": good[:size], "b.parquet": good}, PARQUET)
    assert len(rows) == 1
    assert rejected[0][:2] == ("a.parquet", "")
    assert rejected[0][2].startswith("the file is damaged (")


def test_null_cells_of_parquet_are_listed(tmp_path):
    columns = {"id": ["a", None, "c", "d"], "text": [None, "x", "x", "x"], "topic": ["Web", "Web", None, "Web"]}
    rows, rejected, _ = read(tmp_path, {"a.parquet": parquet(columns)}, PARQUET)
    assert [row["doc_id"] for row in rows] == ["d"]
    assert [row[1:] for row in rejected] == [
        ("a", "it has no text"), ("record 2", "it has no id"), ("c", "it has no group (topic)"),
    ]  # fmt: skip


@pytest.mark.parametrize("parts", [1, 3, 8])
def test_parts_are_of_equal_load(tmp_path, parts):
    lines = [json.dumps({"id": f"{number}", "text": "x", "topic": "Web"}).encode() for number in range(2500)]
    rows, _, metadata = read(tmp_path, {"a.jsonl": b"\n".join([*lines, b"{"])}, JSONL, parts=parts)
    assert metadata == {"articles": 2500, "rejected": 1, "files": 1}
    assert sorted(row["number"] for row in rows) == list(range(2500))
    for part in range(parts):
        path = tmp_path / "out" / f"articles.{part}.parquet"
        table = read_rows(path)
        assert table.schema.equals(ARTICLE_SCHEMA)
        assert table["number"].to_pylist() == list(range(part, 2500, parts))
        assert read_metadata(path) == metadata


@pytest.mark.parametrize(
    ("contents", "form", "said"),
    [
        (
            {"a.csv": b"id,body,topic\n1,x,Web\n"},
            CSV,
            r"a\.csv: the column 'text' must be there, and once, but it has id, body",
        ),
        ({"a.csv": b"id,text,text,topic\n"}, CSV, "the column 'text' must be there, and once"),
        ({"a.csv": b"id;text;topic\n1;x;Web\n"}, CSV, "it has id;text;topic; see id, text, group, delimiter"),
        ({"a.csv": b"Web\n"}, GNAD, r"a\.csv: the column '2' must be there, and once, but it has 1"),
        (
            {"a.parquet": parquet({"id": ["a"]})},
            PARQUET,
            r"a\.parquet: the column 'text' must be there, and once, but it has id",
        ),
        (
            {"a.csv": b"id,text,topic\n"},
            CSV,
            r"paper: no article can be taken from .*a\.csv \(files: 1; there is none\)",
        ),
        ({"a.csv": b""}, CSV, "no article can be taken"),
        (
            {"b.jsonl": b"{\n", "a.jsonl": b"[]\n"},
            JSONL,
            r"\(files: 2; the first of 2 faults: b\.jsonl: line 1: it cannot",
        ),
        ({}, CSV, "a corpus of articles has no files"),
        ({"a.txt": b"x\n"}, LINES, "one file of texts and one of document ids"),
    ],
)
def test_what_cannot_be_read_at_all_is_an_error_and_leaves_nothing(tmp_path, contents, form, said):
    with pytest.raises(InputError, match=said):
        read(tmp_path, contents, form, parts=2)
    assert not list((tmp_path / "out").rglob("*"))


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"gone\.csv: no such file"):
        read_articles(
            [tmp_path / "gone.csv"],
            [tmp_path / "a"],
            tmp_path / "r",
            "paper",
            "deu",
            CSV | {"delimiter": "", "quote": ""},
        )
