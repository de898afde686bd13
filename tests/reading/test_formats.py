"""Each format is read, by its name and by the end of its files' names, and says what it does not take."""

import importlib
import json
import pkgutil
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textparity import reading
from textparity.auditing.inputs import check_options, choose_sources
from textparity.errors import ConfigError, InputError
from textparity.reading.documents import Document
from textparity.reading.formats import (
    ENDINGS_IN_FOLDERS,
    FILE_FORMATS,
    FORMAT_BY_ENDING,
    FORMATS,
    READER_MODULES,
    TEXT_FORMAT,
)
from textparity.reading.options import DATASET, TEXT_UNITS, ReadingOptions
from textparity.reading.read import read_texts
from textparity.reading.sources import InputFile, SourceAccess

TEXTS = ["A woman came.", "A man left."]
RECORDS = [{"text": text} for text in TEXTS]


def parquet():
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"text": TEXTS}), sink)
    return sink.getvalue().to_pybytes()


def warc(record_type, content_type, bodies):
    records = []
    for body in bodies:
        head = f"WARC/1.0\r\nWARC-Type: {record_type}\r\nContent-Type: {content_type}\r\n"
        records.append(f"{head}Content-Length: {len(body)}\r\n\r\n{body}\r\n\r\n")
    return "".join(records).encode()


def page(text):
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}</p>"


# A file of each format, and its texts.
EXAMPLES = {
    "text": ("\n".join(TEXTS).encode(), TEXTS),
    "json": (json.dumps(RECORDS).encode(), TEXTS),
    "jsonl": ("\n".join(map(json.dumps, RECORDS)).encode(), TEXTS),
    "csv": ("\n".join(["text", *TEXTS]).encode(), TEXTS),
    "tsv": ("\n".join(["id\ttext", *(f"1\t{text}" for text in TEXTS)]).encode(), TEXTS),
    "parquet": (parquet(), TEXTS),
    "html": (f"<html><p>{TEXTS[0]}</p></html>".encode(), TEXTS[:1]),
    "warc": (warc("response", "application/http; msgtype=response", map(page, TEXTS)), TEXTS),
    "wet": (warc("conversion", "text/plain", TEXTS), TEXTS),
    # Datasets are no files.
    DATASET: (b"", TEXTS),
}
by_format = pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)


def read(source):
    texts = []
    for portion in read_texts(SourceAccess(source)):
        texts += portion.texts
    return texts


def test_each_format_has_an_example():
    assert EXAMPLES.keys() == FORMATS.keys()


def test_each_reader_has_a_row():
    names = [module.name for module in pkgutil.iter_modules(reading.__path__)]
    modules = [importlib.import_module(f"textparity.reading.{name}") for name in names]
    readers = {module for module in modules if hasattr(module, "read")}
    assert {module.__name__ for module in readers} == {*READER_MODULES}
    for module in readers:
        assert len(Path(module.__file__).read_text("utf-8").splitlines()) <= 120


@by_format
def test_a_format_is_read_by_its_name_and_by_the_end_of_the_files_name(tmp_path, monkeypatch, form):
    content, texts = EXAMPLES[form.name]
    if not form.is_file:
        monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=lambda *_, **__: RECORDS))
        monkeypatch.setattr("textparity.reading.hub.find_spec", bool)
        assert read(InputFile(str(tmp_path), form.name)) == texts
        return
    assert form.endings
    for ending in form.endings:
        path = tmp_path / ending[1:] / f"a{ending}"
        path.parent.mkdir()
        path.write_bytes(content)
        (source,), _ = choose_sources([str(path)])
        assert source.format == form.name
        assert read(source) == texts
        if form.is_in_folders:
            assert choose_sources([str(path.parent)])[0] == [source]
        else:
            with pytest.raises(InputError, match="has no file that ends in"):
                choose_sources([str(path.parent)])
        other = path.rename(tmp_path / "a.dat")
        (source,), _ = choose_sources([str(other)], format=form.name)
        assert read(source) == texts


@by_format
def test_a_document_has_the_place_of_its_line_or_record(tmp_path, form):
    content, texts = EXAMPLES[form.name]
    path = tmp_path / "a.dat"
    path.write_bytes(content)
    if form.is_file and form != TEXT_FORMAT:
        documents = list(form.read(SourceAccess(InputFile(str(path), form.name))))
        assert all(isinstance(document, Document) for document in documents)
        assert [document.text for document in documents] == texts
        assert [document.place for document in documents] == sorted(document.place for document in documents)


@by_format
@pytest.mark.parametrize("option", ["--encoding", "--delimiter", "--field", *TEXT_UNITS])
def test_an_option_that_a_format_does_not_take_is_refused(form, option):
    source = InputFile(
        "film", form.name, encoding="cp1252" * (option == "--encoding"), delimiter=";" * (option == "--delimiter")
    )
    options = ReadingOptions(
        field="body" if option == "--field" else "text", text_unit=option if option in TEXT_UNITS else "line"
    )
    (checked,) = check_options([SourceAccess(source, options)])
    problem = checked.problem
    if option in form.options or option == "line" or option in form.text_units:
        assert not problem
    else:
        name = "--text-unit" if option in TEXT_UNITS else option
        assert problem == f"film: is {form.title}, which does not take {name}; remove the file, or {name}"


def test_an_option_may_be_given_for_all_files_if_some_of_them_take_it():
    options = ReadingOptions(field="body", text_unit="paragraph")
    files = [InputFile("a.txt", "text"), InputFile("b.jsonl", "jsonl")]
    checked = check_options([SourceAccess(file, options) for file in files])
    assert [file.problem for file in checked] == ["", ""]


def test_the_reader_that_the_docs_show_reads_subtitles(repository, tmp_path):
    film = tmp_path / "film.srt"
    cues = [f"{number}\n00:00:0{number},000 --> 00:00:0{number},900\n{text}\n" for number, text in enumerate(TEXTS)]
    film.write_text("\n".join(cues))
    example = runpy.run_path(str(repository / "docs" / "examples" / "subtitles.py"))
    documents = example["read"](SourceAccess(InputFile(str(film), "text")))
    assert [document.text for document in documents] == TEXTS


def test_the_list_of_formats_is_that_of_the_registry(tmp_path):
    assert DATASET not in FILE_FORMATS
    assert set(ENDINGS_IN_FOLDERS) <= FORMAT_BY_ENDING.keys()
    Path(tmp_path / "a.txt").write_text("A woman.")
    with pytest.raises(ConfigError, match="format 'nonsense' is not one of text, json, jsonl"):
        choose_sources([str(tmp_path / "a.txt")], format="nonsense")
