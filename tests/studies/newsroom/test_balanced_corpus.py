import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textparity.corpora.rows import read_rows
from textparity.errors import InputError
from textparity.studies.newsroom import balanced_corpus
from textparity.studies.newsroom.articles import read_articles
from textparity.studies.newsroom.balanced_corpus import write_balanced_corpus

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

    def read(self, folder: Path) -> list[str]:
        sources = [folder / path.relative_to(self.folder / "corpus") for path in self.sources]
        rows = self.folder / "articles.parquet"
        ids = self.ids and folder / self.ids.name
        read_articles(sources, [rows], self.folder / "rejected.csv", "paper", "deu", self.form, ids)
        return read_rows(rows)["doc_id"].to_pylist()


QUIRKS = {
    "csv": (
        {"a.csv": b'\xef\xbb\xbftopic,"id",text\r\nWeb,1,"x\r\n""y"""\r\n\r\nWeb,2,z\nbad\nWeb,"3",\'u\''},
        CSV,
        {"1": (b'Web,1,"x\r\n""y"""\r\n', b""), "2": (b"Web,2,z\n", b""), "3": (b'Web,"3",\'u\'', b"")},
    ),
    "10kGNAD": (
        {"test.csv": b"Web;'Rock ''n'' Roll; \"so\"'\r\nEtat;kurz\r\nEtat;'z'\r\n"},
        GNAD,
        {"000001": (b"Web;'Rock ''n'' Roll; \"so\"'\r\n", b""), "000003": (b"Etat;'z'\r\n", b"")},
    ),
    "jsonl": (
        {"a.jsonl": b'\xef\xbb\xbf{"id": 1, "text":"\\u00e4", "n": 1.50}\n\n {"text": "x" ,"id":"b"}\r\n{"\n\xff\n'},
        JSONL,
        {"1": (b'{"id": 1, "text":"\\u00e4", "n": 1.50}\n', b""), "b": (b' {"text": "x" ,"id":"b"}\r\n', b"")},
    ),
    "months": (
        {
            "1999/taz_1999-12.json": b'\n{\n  "a": {"text": {"text": "\\u00e4"}, "n": 1.50} ,\n  "b": {"text": null},'
            b'\n\t"c" : {"text": {"text": "\xc3\xa4"}}}\n',
            "2000/taz_2000-01.json": b"{}",
            "2000/taz_2000-02.json": b'[{"id": "d", "text": "x"}, {"id": "e", "text": "y"}]',
            "2000/taz_2000-03.json": b"{broken",
        },
        TAZ,
        {
            "a": (b'"a": {"text": {"text": "\\u00e4"}, "n": 1.50} ,\n  ', b""),
            "c": (b',\n\t"c" : {"text": {"text": "\xc3\xa4"}}', b""),
            "d": (b'{"id": "d", "text": "x"}, ', b""),
            "e": (b', {"id": "e", "text": "y"}', b""),
        },
    ),
    "lines": (
        {"t/a.txt": b"\xef\xbb\xbfx\r\n y\r\n\nz", "ids.tsv": b"b.1\r\nb.1\r\nb.2\nr.1\n"},
        LINES,
        {"b.1": (b"x\r\n y\r\n", b""), "r.1": (b"z", b"")},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("contents", "form", "articles"), QUIRKS.values(), ids=QUIRKS)
def test_what_is_left_keeps_its_bytes(tmp_path, contents, form, articles):
    project = Project(tmp_path, contents, form, "ids.tsv" if form is LINES else "")
    assert project.balance() == contents
    assert set(project.read(project.balanced)) >= set(articles)
    for name, (old, new) in articles.items():
        written = project.balance(name)
        texts = {file: content for file, content in contents.items() if file != "ids.tsv"}
        (changed,) = (file for file, content in texts.items() if content.count(old) == 1)
        assert {file: written[file] for file in texts} == texts | {changed: texts[changed].replace(old, new)}
    assert set(project.balance(*articles)) == set(contents)


def test_document_ids_go_with_their_lines(tmp_path):
    contents, form, _ = QUIRKS["lines"]
    project = Project(tmp_path, contents, form, "ids.tsv")
    assert project.balance("b.1") == {"t/a.txt": b"\xef\xbb\xbf\nz", "ids.tsv": b"b.2\nr.1\n"}
    assert project.balance("r.1") == {"t/a.txt": b"\xef\xbb\xbfx\r\n y\r\n\n", "ids.tsv": b"b.1\r\nb.1\r\nb.2\n"}


def test_a_month_is_still_an_object_or_a_list_when_many_articles_or_all_are_gone(tmp_path):
    contents, form, _ = QUIRKS["months"]
    written = Project(tmp_path, contents, form).balance("a", "c", "d", "e")
    assert json.loads(written["1999/taz_1999-12.json"]) == {"b": {"text": None}}
    assert json.loads(written["2000/taz_2000-02.json"]) == []
    assert written["2000/taz_2000-01.json"] == b"{}"


def test_parquet_keeps_its_schema_metadata_and_compression(tmp_path):
    frame = pd.DataFrame({"id": range(2500), "text": "x", "tags": [["a"], None] * 1250})
    frame["place"] = [{"name": "y", "at": 1.5}] * 2500
    table = pa.Table.from_pandas(frame).append_column("kind", pa.array(["z"] * 2500).dictionary_encode())
    table = table.replace_schema_metadata(table.schema.metadata | {b"huggingface": b"{}"})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="gzip")
    project = Project(tmp_path, {"a.parquet": sink.getvalue().to_pybytes()}, PARQUET)
    project.balance("0", "1500", "2499")
    path = project.balanced / "a.parquet"
    written = pq.ParquetFile(path)
    assert written.schema_arrow.equals(pq.read_schema(project.sources[0]), check_metadata=True)
    assert written.metadata.row_group(0).column(0).compression == "GZIP"
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


def test_a_damaged_parquet_file_stays_if_nothing_of_it_could_be_read(tmp_path):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"id": ["a"], "text": ["x"]}), sink)
    good = sink.getvalue().to_pybytes()
    written = Project(tmp_path, {"b/a.parquet": good[:-1], "c/a.parquet": good}, PARQUET).balance("a")
    assert written["b/a.parquet"] == good[:-1]


def test_a_parquet_file_that_is_damaged_further_on_is_named(tmp_path):
    columns = {"id": [f"{number:04d}" for number in range(4000)], "text": ["x"] * 4000}
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink, row_group_size=2000, use_dictionary=False, compression="zstd")
    content = bytearray(sink.getvalue().to_pybytes())
    offset = pq.ParquetFile(pa.BufferReader(bytes(content))).metadata.row_group(1).column(0).data_page_offset
    content[offset : offset + 60] = b"\xff" * 60
    project = Project(tmp_path, {"a.parquet": bytes(content)}, PARQUET)
    assert len(project.read(tmp_path / "corpus")) == 2000
    assert "a.parquet,after record 2000,the file is damaged (" in (tmp_path / "rejected.csv").read_text()
    with pytest.raises(InputError, match=r"a\.parquet: damaged after record 2000, so it cannot be written again"):
        project.balance("0000")
    assert not project.balanced.exists()


def test_a_further_record_with_an_excluded_id_goes_too(tmp_path):
    row = b'{"id": "a", "text": "x"}\n'
    other = b'{"id": "b", "text": "x"}\n'
    blank = b'{"id": "a", "text": ""}\n'
    project = Project(tmp_path, {"a.jsonl": blank + row + other + row, "b.jsonl": row + other}, JSONL)
    assert project.balance("a") == {"a.jsonl": blank + other, "b.jsonl": other}
    assert project.balance("b") == {"a.jsonl": blank + row + row, "b.jsonl": row}


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("id\npaper/1\npaper/7\n", r"excluded\.csv: 7 \(1 of 2 ids\) are not articles of paper"),
        ("id\npaper/bad\n", "bad .* are not articles of paper that can be taken"),
        ("id\n1\n", r"excluded\.csv, line 2: '1' is no id of paper"),
        ("id\npapers/1\n", r"'papers/1' is no id of paper"),
        ("article\n1\n", r"excluded\.csv: has no column id"),
        ("", r"excluded\.csv: has no column id"),
    ],
)
def test_a_list_that_does_not_fit_the_corpus_is_named(tmp_path, listed, said):
    project = Project(tmp_path, {"a.csv": b"id,text\n1,x\n2,y\nbad,\n"}, CSV)
    project.balance("2")
    (tmp_path / "excluded.csv").write_text(listed)
    with pytest.raises(InputError, match=said):
        write_balanced_corpus(project.sources, project.balanced, tmp_path / "excluded.csv", "paper", project.form)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["balanced", "corpus", "excluded.csv"]
    assert (project.balanced / "a.csv").read_bytes() == b"id,text\n1,x\nbad,\n"


def test_a_corpus_that_reads_otherwise_than_it_should_is_an_error(tmp_path):
    # The first row says how many cells a row has; without it, a malformed one does.
    project = Project(tmp_path, {"a.csv": b"Web;x\nWeb;y;z\nWeb;u\n"}, GNAD)
    with pytest.raises(InputError, match=r"the 1 articles .* are not the 1 that should be left of 2; repair"):
        project.balance("000001")
    assert not project.balanced.exists()


def test_what_fails_on_the_way_leaves_nothing_and_spares_what_was_there(tmp_path, monkeypatch):
    project = Project(tmp_path, {"a.jsonl": b'{"id": "a", "text": "x"}\n'}, JSONL)
    project.balance()
    (tmp_path / ".balanced.part").mkdir()
    (tmp_path / ".balanced.part" / "left_by_a_kill").touch()

    def fail(*_):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(balanced_corpus, "_write_pieces", fail)
        with pytest.raises(OSError, match="disk full"):
            project.balance("a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["balanced", "corpus", "excluded.csv"]
    assert (project.balanced / "a.jsonl").read_bytes() == project.sources[0].read_bytes()
    assert project.balance("a") == {"a.jsonl": b""}
