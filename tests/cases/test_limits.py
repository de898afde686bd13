"""What is packed, or made, to fill the memory ends in a message that names the file and the place."""

import resource
import sys
import zlib

import brotli
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS, WITH_NOUNS

from textparity.auditing.audit import audit, audit_files
from textparity.command import main
from textparity.errors import InputError
from textparity.reading import csv_table, http_pages, parquet_batches, warc, web_text
from textparity.reading.read import read_texts
from textparity.reading.sources import Callbacks, InputFile, SourceAccess

PACKED = {
    "br": brotli.compress,
    "deflate": zlib.compress,
    "gzip": lambda raw: zlib.compress(raw, wbits=31),
    "zstd": lambda raw: pa.compress(raw, codec="zstd", asbytes=True),
}


@pytest.mark.parametrize("field", ["Content-Encoding", "Transfer-Encoding"])
@pytest.mark.parametrize("coding", PACKED)
def test_a_body_that_unpacks_to_far_more_is_named(tmp_path, monkeypatch, coding, field):
    for module in (warc, http_pages):
        monkeypatch.setattr(module, "LONGEST_TEXT", 10_000)
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{field}: {coding}\r\n\r\n".encode()
    body += PACKED[coding](b"<p>A woman." * 1000)
    path = tmp_path / "a.warc"
    head = "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n"
    path.write_bytes(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n")
    with pytest.raises(InputError, match=r"a\.warc, record 1: unpacks to more than 0 MB"):
        audit_files([path], "eng", lexicon_folder=NOUNS)


def test_a_long_page_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(web_text, "LONGEST_PAGE", 100)
    page = "<p>A woman." * 10
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "a.jsonl").write_text(f'{{"text": "A man."}}\n{{"text": "{page}"}}\n')
    for name, where in (("a.html", "a.html"), ("a.jsonl", "a.jsonl, line or record 2")):
        with pytest.raises(InputError, match=f"{where}: is HTML of more than"):
            audit_files([tmp_path / name], "eng", lexicon_folder=NOUNS, strip_html=True)
    with pytest.raises(InputError, match="text 2: is HTML of more than"):
        audit(["A man.", page], "eng", lexicon_folder=NOUNS, strip_html=True)


@pytest.mark.parametrize("cell", ["a woman " * 20, '"' + "a woman\n" * 20 + '"'])
def test_a_long_cell_is_named_with_its_row_and_nothing_after_it_is_read(tmp_path, monkeypatch, cell):
    monkeypatch.setattr(csv_table, "LONGEST_CELL", 100)
    path = tmp_path / "a.csv"
    path.write_text(f"text\nA man.\n{cell}\nA man.\n")
    refused = []
    with pytest.raises(InputError, match=r"a\.csv, line 3: has a cell of more than"):
        list(read_texts(SourceAccess(InputFile(str(path), "csv"), callbacks=Callbacks(refused.append))))
    assert not refused


@pytest.mark.parametrize("texts", [["x" * 10_000] * 50, [f"{number:010000}" for number in range(50)]])
def test_a_batch_of_parquet_is_limited_by_its_bytes(tmp_path, monkeypatch, texts):
    monkeypatch.setattr(parquet_batches, "BATCH_SIZE", 100_000)
    path = tmp_path / "a.parquet"
    # A text that all records have is stored once, in a dictionary.
    records = [{"text": text} for text in texts]
    pq.write_table(pa.table({"text": texts, "page": records, "text2": texts}), path)
    for column, values in (("text", texts), ("page", records)):
        with pq.ParquetFile(path) as file:
            batches = list(parquet_batches._read_batches(path, file, [column]))
        assert max(batch.get_total_buffer_size() for batch in batches) < 200_000
        assert [value for batch in batches for value in batch[column].to_pylist()] == values


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.parametrize("is_list", [False, True])
def test_a_batch_of_parquet_is_limited_by_what_it_takes(tmp_path, monkeypatch, is_list):
    # A text is stored once, or as the length of what it shares with the text before.
    texts = pa.array(["woman " * 100_000] * 200)
    path = tmp_path / "a.parquet"
    if is_list:
        lists = pa.ListArray.from_arrays(pa.array(range(201), pa.int32()), texts)
        pq.write_table(pa.table({"text": lists}), path)
    else:
        coding = {"text": "DELTA_BYTE_ARRAY"}
        pq.write_table(pa.table({"text": texts}), path, use_dictionary=False, column_encoding=coding)
    assert path.stat().st_size < 1_000_000
    monkeypatch.setattr(parquet_batches, "DECODING_MEMORY", 64 << 20)
    limit = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(InputError, match=r"a\.parquet, record 1: takes more than 64 MiB of memory to decode"):
        list(read_texts(SourceAccess(InputFile(str(path), "parquet"))))
    assert resource.getrlimit(resource.RLIMIT_AS) == limit
    monkeypatch.setattr(parquet_batches, "DECODING_MEMORY", 1 << 30)
    portions = read_texts(SourceAccess(InputFile(str(path), "parquet")))
    assert sum(len(portion.texts) for portion in portions) == 200


def test_a_giant_word_is_named(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("A woman.\n")
    word = "w" * 100_000
    for option in ("--exclude-words", "--include-words"):
        given = f"feminine:{word}" if option == "--include-words" else word
        assert main(["audit", str(tmp_path / "a.txt"), "--lang", "eng", option, given, *WITH_NOUNS]) == 2
        assert "characters, more than 1,000; change" in capsys.readouterr().err
    (tmp_path / "eng.json").write_text(
        f'{{"feminine": [{{"singular": "{word}"}}], "masculine": [], "unspecified": []}}'
    )
    with pytest.raises(InputError, match=r"eng\.json, feminine, noun 1: singular has 100,000 characters"):
        audit(["A woman."], "eng", lexicon_folder=tmp_path)
