import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textparity.corpora.reading import read_rows
from textparity.errors import InputError
from textparity_studies.newsroom import balance
from textparity_studies.newsroom.articles import read_articles
from textparity_studies.newsroom.balance import write_balanced_corpus

CSV = {"format": "csv", "id": "id", "text": "text"}
GNAD = {"format": "csv", "text": "2", "group": "1", "delimiter": ";", "quote": "'"}
JSONL = {"format": "jsonl", "id": "id", "text": "text"}
PARQUET = {"format": "parquet", "id": "id", "text": "text"}
TAZ = {"format": "taz_json", "id": "id", "text": "text.text", "group": "file:year"}
LINES = {"format": "lines", "id": "ids.tsv", "group": "id:prefix"}


class Project:
    """A corpus in a folder, and the folder `balanced` beside it."""

    def __init__(self, folder: Path, contents: dict[str, bytes], form: dict[str, str], ids: str = "") -> None:
        self.folder = folder
        self.form = {"id": "", "text": "", "group": "", "delimiter": "", "quote": ""} | form
        for name, content in contents.items():
            (folder / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "corpus" / name).write_bytes(content)
        self.sources = [folder / "corpus" / name for name in contents if name != ids]
        self.ids = folder / "corpus" / ids if ids else None
        self.balanced = folder / "balanced"

    def balance(self, *excluded: str) -> dict[str, bytes]:
        """Return the files written, by their names."""
        listed = self.folder / "excluded.csv"
        listed.write_text("reason,id\n" + "".join(f'x,"paper/{name}"\n' for name in excluded), encoding="utf-8")
        write_balanced_corpus(self.sources, self.balanced, listed, "paper", self.form, self.ids)
        files = [path for path in self.balanced.rglob("*") if path.is_file()]
        return {path.relative_to(self.balanced).as_posix(): path.read_bytes() for path in files}

    def read(self, folder: Path) -> list[dict]:
        """Return the articles of the corpus in `folder`."""
        sources = [folder / path.relative_to(self.folder / "corpus") for path in self.sources]
        sources = [path for path in sources if path.exists()]
        rows = self.folder / "articles.parquet"
        ids = self.ids and folder / self.ids.name
        read_articles(sources, [rows], self.folder / "rejected.csv", "paper", "deu", self.form, ids)
        return read_rows(rows).to_pylist()


# What is written of a corpus of which no article is excluded, and its articles.
FORMATS = {
    "csv": (
        {"a.csv": b'\xef\xbb\xbftopic,"id",text\r\nWeb,1,"x\r\n""y"""\r\n\r\nWeb,2,z\nbad\nWeb,"3",\'u\''},
        CSV,
        {"a.csv": b'topic,id,text\nWeb,1,"x\r\n""y"""\nWeb,2,z\nWeb,3,\'u\'\n'},
        ["1", "2", "3"],
    ),
    "a column whose name is not UTF-8": (
        {"a.csv": b"id,text,gr\xf6\xdfe\n1,x,y\n"},
        CSV,
        {"a.csv": b"id,text,gr\\udcf6\\udcdfe\n1,x,y\n"},
        ["1"],
    ),
    "10kGNAD": (
        {"test.csv": b"Web;'Rock ''n'' Roll; \"so\"'\r\nEtat;kurz\r\nx;y;z\nEtat;'z'\r\n"},
        GNAD,
        {"test.csv": b"Web;'Rock ''n'' Roll; \"so\"'\nEtat;kurz\nEtat;z\n"},
        ["000001", "000002", "000004"],
    ),
    "tabs, no quotes": (
        {"a.tsv": b"id\ttext\n1\t\"so\", 'so'\n"},
        CSV | {"delimiter": r"\t", "quote": "none"},
        {"a.tsv": b"id\ttext\n1\t\"so\", 'so'\n"},
        ["1"],
    ),
    "jsonl": (
        {"a.jsonl": b'\xef\xbb\xbf{"id": 1, "text":"\\u00e4", "n": 1.5}\n\n'
            b' {"text": "x" ,"o":"\\ud800","id":"b"}\r\n{"\n\xff\n'},
        JSONL,
        {"a.jsonl": b'{"id": 1, "text": "\xc3\xa4", "n": 1.5}\n{"text": "x", "o": "\\ud800", "id": "b"}\n'},
        ["1", "b"],
    ),
    "months": (
        {
            "1999/taz_1999-12.json": b'\n{\n  "a": {"text": {"text": "\\u00e4"}, "n": [1, null]} ,\n'
            b'  "b": {"text": null}}',
            "2000/taz_2000-01.json": b"{}",
            "2000/taz_2000-02.json": b'[{"id": "d", "text": "x"}, {"id": "e", "text": "y"}]',
            "2000/taz_2000-03.json": b"{broken",
        },
        TAZ,
        {
            "1999/taz_1999-12.json": {"a": {"text": {"text": "ä"}, "n": [1, None]}},
            "2000/taz_2000-01.json": {},
            "2000/taz_2000-02.json": [{"id": "d", "text": "x"}, {"id": "e", "text": "y"}],
        },
        ["a", "d", "e"],
    ),
    "lines": (
        {"t/a.txt": b"\xef\xbb\xbfx\r\n y\r\n\nz", "ids.tsv": b"b.1\r\nb.1\r\nb.2\nr.1\n"},
        LINES,
        {"t/a.txt": b"x\n y\nz\n", "ids.tsv": b"b.1\nb.1\nr.1\n"},
        ["b.1", "r.1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("contents", "form", "written", "articles"), FORMATS.values(), ids=FORMATS)
def test_articles_keep_their_fields_and_their_order(tmp_path, contents, form, written, articles):
    project = Project(tmp_path, contents, form, "ids.tsv" if form is LINES else "")
    before = project.read(tmp_path / "corpus")
    assert [row["doc_id"] for row in before] == articles
    found = project.balance()
    assert {name: json.loads(found[name]) if name.endswith(".json") else found[name] for name in found} == written
    # Without ids, articles are numbered, and the numbers of what follows are others.
    names = ["text", "group"] if form is GNAD else ["doc_id", "text", "group", "file"]
    for name in articles if len(articles) > 1 else []:
        project.balance(name)
        left = [[row[key] for key in names] for row in before if row["doc_id"] != name]
        assert [[row[key] for key in names] for row in project.read(project.balanced)] == left


def test_a_corpus_may_lose_all_its_articles(tmp_path):
    contents, form, *_ = FORMATS["months"]
    written = Project(tmp_path, contents, form).balance("a", "d", "e")
    assert {name: json.loads(text) for name, text in written.items()} == {
        "1999/taz_1999-12.json": {}, "2000/taz_2000-01.json": {}, "2000/taz_2000-02.json": [],
    }  # fmt: skip


def test_parquet_keeps_its_schema_and_metadata(tmp_path):
    frame = pd.DataFrame({"id": range(2500), "text": "x", "tags": [["a"], None] * 1250})
    frame["place"] = [{"name": "y", "at": 1.5}] * 2500
    table = pa.Table.from_pandas(frame).append_column("kind", pa.array(["z"] * 2500).dictionary_encode())
    table = table.replace_schema_metadata(table.schema.metadata | {b"huggingface": b"{}"})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    project = Project(tmp_path, {"a.parquet": sink.getvalue().to_pybytes()}, PARQUET)
    project.balance("0", "1500", "2499")
    path = project.balanced / "a.parquet"
    written = pq.ParquetFile(path)
    assert written.schema_arrow.equals(pq.read_schema(project.sources[0]), check_metadata=True)
    assert written.num_row_groups == 1
    expected = frame.drop([0, 1500, 2499])
    assert pq.read_table(path).drop(["kind"]).to_pylist() == expected.to_dict("records")
    assert pd.read_parquet(path)["id"].tolist() == expected["id"].tolist()


def test_parquet_without_rows_stays(tmp_path):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"id": pa.array([], pa.string()), "text": pa.array([], pa.string())}), sink)
    project = Project(tmp_path, {"a.parquet": sink.getvalue().to_pybytes()}, PARQUET)
    project.balance()
    assert pq.read_schema(project.balanced / "a.parquet").equals(pq.read_schema(project.sources[0]))


def test_of_a_damaged_parquet_file_what_was_read_is_written(tmp_path):
    columns = {"id": [f"{number:04d}" for number in range(4000)], "text": ["x"] * 4000}
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink, row_group_size=2000, use_dictionary=False, compression="zstd")
    content = bytearray(sink.getvalue().to_pybytes())
    offset = pq.ParquetFile(pa.BufferReader(bytes(content))).metadata.row_group(1).column(0).data_page_offset
    content[offset : offset + 60] = b"\xff" * 60
    project = Project(tmp_path, {"a.parquet": bytes(content), "b.parquet": bytes(content[:-1])}, PARQUET)
    assert len(project.read(tmp_path / "corpus")) == 2000
    assert "a.parquet,after record 2000,the file is damaged (" in (tmp_path / "rejected.csv").read_text()
    assert set(project.balance("0000")) == {"a.parquet"}
    assert pq.read_table(project.balanced / "a.parquet")["id"].to_pylist() == columns["id"][1:2000]


def test_a_further_record_with_the_id_of_an_article_goes(tmp_path):
    rows = {name: f'{{"id": "{name[0]}", "text": "{name}"}}\n'.encode() for name in ("a", "a2", "b")}
    blank = b'{"id": "a", "text": ""}\n'
    contents = {"a.jsonl": blank + rows["a"] + rows["b"] + rows["a2"], "b.jsonl": rows["a"] + rows["b"]}
    project = Project(tmp_path, contents, JSONL)
    assert project.balance("a") == {"a.jsonl": rows["b"], "b.jsonl": b""}
    assert project.balance("b") == {"a.jsonl": rows["a"], "b.jsonl": b""}


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("id\npaper/1\npaper/7\n", r"excluded\.csv: 7 \(1 of 2 ids\) are not articles of paper"),
        ("id\npaper/bad\n", "bad .* are not articles of paper that can be taken"),
        ("id\n1\n", r"excluded\.csv, line 2: '1' is no id of paper"),
        ("id\npapers/1\n", r"'papers/1' is no id of paper"),
        ("article\n1\n", r"excluded\.csv: .* id\b"),
        ("", r"excluded\.csv: .* id\b"),
    ],
)
def test_a_list_that_does_not_fit_the_corpus_is_named(tmp_path, listed, said):
    project = Project(tmp_path, {"a.csv": b"id,text\n1,x\n2,y\nbad,\n"}, CSV)
    project.balance("2")
    (tmp_path / "excluded.csv").write_text(listed)
    with pytest.raises(InputError, match=said):
        write_balanced_corpus(project.sources, project.balanced, tmp_path / "excluded.csv", "paper", project.form)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["balanced", "corpus", "excluded.csv"]
    assert (project.balanced / "a.csv").read_bytes() == b"id,text\n1,x\n"


def test_what_fails_on_the_way_leaves_nothing_and_spares_what_was_there(tmp_path, monkeypatch):
    project = Project(tmp_path, {"a.jsonl": b'{"id": "a", "text": "x"}\n'}, JSONL)
    project.balance()
    (tmp_path / ".balanced.part").mkdir()
    (tmp_path / ".balanced.part" / "left_by_a_kill").touch()

    def fail(*_):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setitem(balance._WRITERS, "jsonl", fail)
        with pytest.raises(OSError, match="disk full"):
            project.balance("a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["balanced", "corpus", "excluded.csv"]
    assert (project.balanced / "a.jsonl").read_bytes() == project.sources[0].read_bytes()
    assert project.balance("a") == {"a.jsonl": b""}
