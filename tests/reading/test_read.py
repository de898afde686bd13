"""What an audit reads: every format, compressed or not, and what it says of damage."""

import bz2
import csv
import gzip
import json
import lzma
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS

from textparity.auditing.audit import audit_sources
from textparity.auditing.inputs import choose_sources, ending_of
from textparity.auditing.settings import make_settings
from textparity.errors import InputError
from textparity.reading import lines, parquet
from textparity.reading.formats import FORMAT_BY_ENDING, TEXT_FORMAT
from textparity.reading.options import ReadingOptions
from textparity.reading.read import read_texts
from textparity.reading.recognition import warn_about_records
from textparity.reading.sources import Callbacks, InputFile, SourceAccess

TEXTS = ["My mother came.", "Two fathers, “three” sons.", ""]


def zstd(raw):
    return pa.compress(raw, codec="zstd", asbytes=True)


def read(path, field="text", on_invalid=None, format=None):
    known = FORMAT_BY_ENDING.get(ending_of(Path(path)), TEXT_FORMAT)
    source = InputFile(str(path), format or known.name)
    callbacks = Callbacks(**({"on_invalid": on_invalid} if on_invalid else {}), on_skip=pytest.fail)
    portions = read_texts(SourceAccess(source, ReadingOptions(field or "text"), callbacks))
    return [pair for portion in portions for pair in zip(portion.places, portion.texts, strict=True)]


PACKED = {".gz": gzip.compress, ".gzip": gzip.compress, ".zst": zstd, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize(("ending", "pack"), [("", bytes), *PACKED.items()])
def test_lines_are_texts_however_they_are_packed(tmp_path, monkeypatch, ending, pack):
    path = tmp_path / f"corpus.txt{ending}"
    path.write_bytes(pack("\ufeff{}\r\n{}\n{}\n".format(*TEXTS).encode()))
    assert read(path) == list(enumerate(TEXTS, start=1))
    with path.open("rb") as piped:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=piped))
        assert read("-") == list(enumerate(TEXTS, start=1))
    # The name need not say it.
    assert read(path.rename(tmp_path / "corpus.txt")) == list(enumerate(TEXTS, start=1))


@pytest.mark.parametrize(
    ("lines", "format"),
    [
        (["", '{"text": "One."}', '{"text": "Two."}'], "jsonl"),
        (["[", '{"text": "One."},'], "json"),
        (['[{"text": "One."}]'], "json"),
        (['{"text": "One."}', "Two."], None),
        (["[1] A note.", "7", "[]"], None),
        ([], None),
    ],
)
def test_text_that_looks_like_json_is_doubted(lines, format):
    found = warn_about_records(lines)
    assert f"add --format {format}, and" in found if format else found == ""


@pytest.mark.parametrize(("ending", "pack"), PACKED.items())
def test_all_streams_of_a_packed_file_are_read(tmp_path, ending, pack):
    path = tmp_path / f"corpus.txt{ending}"
    path.write_bytes(pack(b"One.\n") + pack(b"Two.\n"))
    assert read(path) == [(1, "One."), (2, "Two.")]
    if ending != ".zst":
        # As blocks of tapes are filled up. Zstandard's own tool refuses it.
        path.write_bytes(pack(b"One.\n") + bytes(12) + pack(b"Two.\n") + bytes(9))
        assert read(path) == [(1, "One."), (2, "Two.")]


@pytest.mark.parametrize(("ending", "pack"), PACKED.items())
def test_what_follows_a_stream_is_read_or_an_error(tmp_path, ending, pack):
    path = tmp_path / f"corpus.txt{ending}"
    first, second = pack(b"One.\n"), pack(b"Two.\n")
    flipped = [bytearray(second) for _ in range(16)]
    for bit, stream in enumerate(flipped):
        stream[bit // 8] ^= 1 << bit % 8
    for following in (*flipped, b"x", b"\0x", b"\nTwo.\n", second[:2], second[:-1]):
        path.write_bytes(first + following)
        with pytest.raises(InputError, match=rf"corpus\.txt{ending}: cannot be read .* damaged or incomplete"):
            read(path)


def test_a_first_record_that_is_cut_off_is_skipped_like_any_other(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"text": "he", "tags": [\n' + '{"text": "One."}\n' * 3)
    invalid = []
    assert len(read(path, on_invalid=invalid.append)) == 3 and len(invalid) == 1


@pytest.mark.parametrize("content", [b"", b"\0" * 4096])
@pytest.mark.parametrize("ending", [".bz2", ".xz"])
def test_a_file_without_any_stream_is_an_error(tmp_path, ending, content):
    path = tmp_path / f"corpus.txt{ending}"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no compressed stream"):
        read(path)


def test_a_window_of_zstandard_that_is_too_long_is_named_with_the_way_out(tmp_path):
    path = tmp_path / "corpus.txt.zst"
    # A frame with a window of 2 GB, as of `zstd --long=31`, and one block that is not compressed.
    block = (1 + (len(b"One.\n") << 3)).to_bytes(3, "little")
    path.write_bytes(zstd(b"One.\n") + b"\x28\xb5\x2f\xfd\x00\xa8" + block + b"One.\n")
    with pytest.raises(InputError, match=r"corpus\.txt\.zst: .* window over 128 MB, .* zstd -d --long=31"):
        read(path)


def test_a_field_of_json_lines_may_be_nested_in_objects_and_lists(tmp_path):
    path = tmp_path / "corpus.jsonl.zst"
    records = [
        {"answers": [{"text": "One."}, {"text": "Two."}], "a.b": "dotted"},
        {"answers": {"text": "Three."}, "a.b": None},
        {"answers": [], "a.b": "again"},
    ]
    path.write_bytes(zstd("\n\n".join(map(json.dumps, records)).encode()))
    assert read(path, "answers.text") == [(1, "One."), (1, "Two."), (3, "Three.")]
    assert read(path, "a.b") == [(1, "dotted"), (3, None), (5, "again")]


def test_json_that_is_no_array_is_json_lines(tmp_path):
    path = tmp_path / "corpus.json"
    path.write_text('{"text": "A man."}\n{"text": "A woman."}\n')
    ((source,), _) = choose_sources([str(path)], ["eng"])
    assert audit_sources([source], make_settings(lexicon_folder=NOUNS)).texts == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{\n "text": "A man."\n}', r"json: has JSON objects of several lines, .* jq -c \. FILE"),
        ('\n{"data": [\n {"text": "A man."}\n]}\n', r"json: has JSON objects of several lines, .* jq -c '\.KEY\[\]'"),
        ('{"text": \n{"text": "A man."}\n', r"line 1: cannot be read as JSON"),
        ('{"text": "A man."}{"text": "A man."}\n', r"line 1: cannot be read as JSON .* jq -c \. FILE"),
        ('["A man.", "A woman."]', r"record 1: is str, .* jq -c '\.\. \| strings \| {text: \.}' FILE"),
        ('"A man."\n"A woman."\n', r"line 1: is str, .* jq -c '\.\. \| strings \| {text: \.}' FILE"),
        ('[["A man."], ["A woman."]]', r"record 1: is list, .* orient=\"records\", lines=True"),
        ('{"text": {"0": "A man.", "1": "A woman."}}', r"line 1: field text .* by columns; .* orient=\"records\""),
        ('{"0": {"text": "A man."}, "1": {"text": "A woman."}}', r"line 1: has no field text; it is a whole table"),
        ('{"columns": ["text"], "data": [["A man."]]}', r"line 1: has no field text; it is a whole table"),
        (json.dumps({f"f{number}": "" for number in range(90)}), r"fields are f0, .*, f19 and 70 more: name one"),
    ],
)
def test_json_in_another_form_is_named_with_the_way_out(tmp_path, content, message):
    path = tmp_path / "corpus.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read(path, format="json")


def test_a_cell_of_csv_may_hold_line_ends_and_quotes(tmp_path):
    path = tmp_path / "corpus.csv"
    path.write_text('id,body\n1,"A ""good""\nman."\n\n2,Two.\n', encoding="utf-8")
    assert read(path, "body") == [(2, 'A "good"\nman.'), (5, "Two.")]


def test_a_long_cell_is_read_and_the_limit_of_the_csv_module_is_that_of_others(tmp_path):
    path = tmp_path / "corpus.csv"
    path.write_text(f"id,body\n1,{'x' * 200_000}\n2,Two.\n", encoding="utf-8")
    portions = read_texts(SourceAccess(InputFile(str(path), "csv"), ReadingOptions("body")))
    limits = [(len(text), csv.field_size_limit()) for portion in portions for text in portion.texts]
    assert limits == [(200_000, 131_072), (4, 131_072)]
    assert csv.field_size_limit() == 131_072


def test_a_quote_is_a_character_of_tsv(tmp_path):
    path = tmp_path / "corpus.tsv"
    path.write_text('id\tbody\n1\t"Good" men.\n2\tTwo."\n', encoding="utf-8")
    assert read(path, "body") == [(2, '"Good" men.'), (3, 'Two."')]


def test_a_column_of_parquet_may_be_a_struct(tmp_path):
    path = tmp_path / "corpus.parquet"
    pq.write_table(pa.table({"id": [1, 2], "article": [{"body": "One."}, None]}), path)
    assert read(path, "article.body") == [(1, "One."), (2, None)]


@pytest.mark.parametrize(
    ("name", "content", "field", "message"),
    [
        ("a.txt", b"One.\nTw\xf6.\n", None, r"a\.txt, line 2: byte 3 .* not valid UTF-8"),
        ("a.txt", "One.".encode("utf-16"), None, r"a\.txt: is UTF-16; add --encoding utf-16"),
        ("a.txt", "One.\nTwo.\n".encode("utf-16-le"), None, r"line 1: has a NUL byte, .* add --encoding utf-16-le;"),
        ("a.txt", "One.".encode("utf-32"), None, r"a\.txt: is UTF-32; add --encoding utf-32"),
        ("a.txt", b"One.\n\0\0Two.\n", None, r"a\.txt, line 2: has a NUL byte, .* a tar archive"),
        ("a.txt.gz", gzip.compress(b"One.\n" * 9, mtime=0)[:-9], None, r"a\.txt\.gz: cannot be read .* damaged or"),
        ("a.txt.gz", b"One.\n", None, r"a\.txt\.gz: cannot be read"),
        ("a.txt.zst", zstd(b"One.\n" * 9)[:-4], None, r"a\.txt\.zst: cannot be read"),
        ("a.jsonl", b'{"text": "One."}\n{"text": \n', None, r"a\.jsonl, line 2: cannot be read as JSON"),
        ("a.jsonl", b'["One."]', None, r"a\.jsonl, line 1: is list, not a JSON object"),
        ("a.jsonl", b'{"body": "One."}', None, r"line 1: has no field text; its fields are body: name one"),
        ("a.jsonl", b'{"text": 7}', None, r"line 1: field text is int, not text"),
        ("a.jsonl", rb'{"text": "\ud800"}', None, r"line 1: .* surrogate"),
        ("a.csv", b"id,body\n1,One.\n", None, r"a\.csv: column text is not in its header, which has id, body"),
        ("a.csv", b"id,text\n1,One.\n2,Two.,3\n", None, r"a\.csv, line 3: has 3 cells, but the header 2"),
        ("a.csv", b'id,text\n1,"One."x\n', None, r"a\.csv, line 2: cannot be read as CSV"),
        ("a.parquet", b"PAR1 no", None, r"a\.parquet: cannot be read as Parquet"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_its_place(tmp_path, name, content, field, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read(path, field)


def test_refused_lines_leave_the_others(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"One.\nTw\xf6.\nThree.\n")
    refused = []
    assert read(path, on_invalid=refused.append) == [(1, "One."), (3, "Three.")]
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("content", "texts", "lines"),
    [
        # A quote that is not closed takes all that follows.
        (b'id,text\n1,One.\n2,"Two.\n3,Three.\n4,Four.\n', [(2, "One.")], [3]),
        (b'id,text\n1,"One.\n2,"Two."\n3,Three.\n', [(4, "Three.")], [2]),
        # A line that is not UTF-8 takes its record, and only that.
        (b'id,text\n1,"A\nTw\xf6\nman."\n2,Two.\n', [(5, "Two.")], [3]),
        (b'id,text\n1,"Tw\xf6\nmen."\n2,Two.\n', [(4, "Two.")], [2]),
        (b"id,text\n1,Tw\xf6\n2,Two.\n3\n", [(3, "Two.")], [1, 1]),
    ],
)
def test_a_record_of_csv_is_refused_whole_with_its_lines(tmp_path, content, texts, lines):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    refused = []
    assert read(path, on_invalid=refused.append) == texts
    assert [error.lines for error in refused] == lines
    assert all((f"has {error.lines} lines" in str(error)) == (error.lines > 1) for error in refused)


def test_a_header_that_is_not_valid_is_not_left_out(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xf6,text\n1,One.\n")
    with pytest.raises(InputError, match="line 1: byte 1 of the line is not valid UTF-8"):
        read(path, on_invalid=lambda error: None)


def test_a_record_of_parquet_that_is_not_utf8_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    texts = pa.array([b"One.", b"Tw\xf6.", b"Three."]).view(pa.string())
    pq.write_table(pa.table({"text": texts}), path)
    refused = []
    assert read(path, on_invalid=refused.append) == [(1, "One."), (3, "Three.")]
    assert [str(error) for error in refused] == [
        f"{path}, record 2: is not valid UTF-8 (invalid start byte); write the column as UTF-8"
    ]


def test_a_line_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "LONGEST_LINE", 1000)
    path = tmp_path / "zeros.txt.gz"
    path.write_bytes(gzip.compress(b"\0" * 100_000))
    with pytest.raises(InputError, match="line 1: is longer"):
        read(path)


def test_a_parquet_file_is_not_held_in_memory_while_it_is_read(tmp_path):
    path, schema = tmp_path / "large.parquet", pa.schema([("text", pa.string())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for _ in range(40):
            writer.write_table(pa.table({"text": ["x" * 1000] * 200}, schema=schema))
    before = pa.total_allocated_bytes()
    texts = parquet.read(SourceAccess(InputFile(str(path), "parquet")))
    held = [pa.total_allocated_bytes() - before for _ in texts]
    assert max(held) < path.stat().st_size / 4
