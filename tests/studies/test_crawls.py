"""WET files into samples: what is kept depends on the documents alone, and nothing is lost."""

import base64
import csv
import gzip
import hashlib
import json

import pyarrow.parquet as pq
import pytest

from textparity.corpora.reading import read_metadata
from textparity.errors import FetchError, InputError
from textparity_studies.crawls import (
    choose_wet_files,
    collect_documents,
    fetch_wet_file,
    split_wet_file,
)
from textparity_studies.lexicon.summaries import summarise_crawl

CODES = {"spa": "spa", "es": "spa", "eng": "eng", "en": "eng"}
SCRIPTS = {"spa": "Latn", "eng": "Latn"}
DOCUMENTS = [(f"id-{number:03d}", "spa", f"Documento {number} de la alcaldesa y su hijo.\n") for number in range(60)]


def record(id_, header, text, digest=""):
    raw = text if isinstance(text, bytes) else text.encode()
    digest = digest or base64.b32encode(hashlib.sha1(raw).digest()).decode()
    language = f"WARC-Identified-Content-Language: {header}\r\n" if header else ""
    head = (
        f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:{id_}>\r\n"
        f"WARC-Block-Digest: sha1:{digest}\r\n{language}Content-Length: {len(raw)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + raw + b"\r\n\r\n")


@pytest.fixture
def split(repository, tmp_path):
    """Write WET files, split each, and return the folders."""
    table = repository / "resources" / "registry" / "content_languages.tsv"

    def split(*files, documents=100):
        parts = []
        for number, content in enumerate(files):
            wet, part = tmp_path / f"{number}.warc.wet.gz", tmp_path / f"part-{len(files)}-{number}"
            wet.write_bytes(content if isinstance(content, bytes) else b"".join(record(*one) for one in content))
            split_wet_file(wet, table, part, "crawl", CODES, SCRIPTS, documents, seed=1)
            parts.append(part)
        return parts

    return split


@pytest.fixture
def collect(tmp_path):
    def collect(parts, documents, lang="spa"):
        collect_documents(parts, tmp_path / f"{lang}.parquet", lang, documents)
        return pq.read_table(tmp_path / f"{lang}.parquet").to_pylist(), read_metadata(tmp_path / f"{lang}.parquet")

    return collect


def test_the_sample_is_the_same_for_one_file_and_for_many(split, collect):
    one, _ = collect(split(DOCUMENTS), 20)
    many, _ = collect(split(DOCUMENTS[40:], DOCUMENTS[:7], DOCUMENTS[7:40]), 20)
    assert len(one) == 20
    assert sorted(row["id"] for row in one) == sorted(row["id"] for row in many)
    assert {row["text"] for row in one} <= {text for _, _, text in DOCUMENTS}


def test_a_smaller_sample_lies_in_a_larger_one(split, collect):
    small, large = (collect(split(DOCUMENTS, documents=size), size)[0] for size in (5, 30))
    assert {row["id"] for row in small} < {row["id"] for row in large}


def test_of_equal_texts_one_stays_whichever_file_it_is_in(split, collect):
    copies = [(f"copy-{number}", "spa", "El mismo texto.\n") for number in range(6)]
    (kept,), counts = collect(split(copies[:2], copies[2:]), 10)
    (again,), _ = collect(split(copies[::-1]), 10)
    assert kept == again
    assert counts == {"documents": 6, "by_identifier": 0, "duplicates": 5, "kept": 1}
    # Also where a file keeps fewer texts than it has documents.
    rows, counts = collect(split(DOCUMENTS + copies, documents=3), 3)
    assert (len(rows), counts["documents"], counts["duplicates"]) == (3, 66, 5)


@pytest.mark.parametrize("size", [1, 5, 20, 45])
def test_copies_take_no_place_of_other_texts(split, collect, size):
    copies = [(f"{number}-{id_}", lang, text) for number in range(5) for id_, lang, text in DOCUMENTS[:30]]
    rows, _ = collect(split(DOCUMENTS + copies, documents=size), size)
    assert rows == collect(split(DOCUMENTS + copies, documents=1000), size)[0]
    assert len({row["text"] for row in rows} - {None}) == size


def test_every_record_is_accounted_for(split, collect, tmp_path):
    documents = [
        ("a", "spa", "Una alcaldesa."),
        ("b", "eng", "A mayor."),
        ("c", "deu", "Eine Stadt."),
        ("d", "", "Las vecinas de la ciudad hablaron con la alcaldesa sobre el puente y la escuela."),
        ("e", "spa", " \n"),
        ("f", "spa", b"\xff\xfe"),
        ("g", "spa", "Это другой алфавит."),
    ]
    parts = split(documents)
    for lang in ("spa", "eng"):
        collect(parts, 10, lang)
    texts = [tmp_path / "spa.parquet", tmp_path / "eng.parquet"]
    summarise_crawl(parts, texts, tmp_path / "documents.csv", tmp_path / "records.csv")
    rows = {row["outcome"]: int(row["records"]) for row in csv.DictReader((tmp_path / "records.csv").open())}
    assert rows == {
        "spa by header": 1, "eng by header": 1, "spa by identifier": 1, "another language": 1, "blank": 1,
        "not UTF-8": 1, "spa in another script": 1, "all": 7,
    }  # fmt: skip
    (spanish, english) = csv.DictReader((tmp_path / "documents.csv").open())
    assert spanish == {"lang": "spa", "documents": "2", "by_identifier": "1", "duplicates": "0", "kept": "2"}
    assert english["documents"] == "1"


def test_a_language_without_documents_has_an_empty_sample(split, collect):
    rows, counts = collect(split(DOCUMENTS), 10, lang="eng")
    assert (rows, counts["documents"]) == ([], 0)


SECOND = len(record(*DOCUMENTS[0]))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda whole: whole[:-20], "0.warc.wet.gz"),
        (lambda whole: whole[:5000] + bytes([whole[5000] ^ 255]) + whole[5001:], "0.warc.wet.gz"),
        (lambda whole: whole + record("z", "spa", "Otro.", digest="A" * 32), "record z does not match its digest"),
        # The header of the second member gets a flag, and FastWARC would stop before it.
        (lambda whole: whole[: SECOND + 3] + b"\4" + whole[SECOND + 4 :], "0.warc.wet.gz: damaged"),
        (lambda whole: b"<html>no</html>", "0.warc.wet.gz: damaged"),
        (lambda whole: b"", "0.warc.wet.gz: has no WARC records"),
    ],
    ids=["cut", "flipped byte", "wrong digest", "flipped header", "not a WET file", "empty"],
)
def test_a_damaged_file_is_named_and_nothing_is_kept(split, damage, said, tmp_path):
    whole = b"".join(record(*one) for one in DOCUMENTS)
    with pytest.raises(FetchError, match=said) as error:
        split(damage(whole))
    assert "delete the file" in str(error.value)
    assert not (tmp_path / "part-1-0" / "counts.json").exists()


def test_wet_files_are_chosen_nested_and_by_their_names_alone(tmp_path):
    def choose(files, paths):
        with gzip.open(tmp_path / "wet.paths.gz", "wt") as listing:
            listing.writelines(f"{path}\n" for path in paths)
        choose_wet_files(tmp_path / "wet.paths.gz", tmp_path / "chosen.tsv", "crawl", files, seed=1)
        return [line.split("\t")[1] for line in (tmp_path / "chosen.tsv").read_text().splitlines()[1:]]

    paths = [f"crawl/{number}.warc.wet.gz" for number in range(50)]
    assert choose(3, paths) == choose(8, paths[::-1])[:3]
    with pytest.raises(InputError, match="lists 50 WET files, fewer than the 51"):
        choose(51, paths)


@pytest.mark.parametrize(
    "damage",
    [b"<html>", gzip.compress(b"a\nb\n", mtime=0)[:-4], gzip.compress(b"\xff\n", mtime=0), b"\x1f\x8b\x08\0"],
    ids=["html", "cut", "not UTF-8", "head alone"],
)
def test_a_damaged_list_of_wet_files_is_named(tmp_path, damage):
    (tmp_path / "wet.paths.gz").write_bytes(damage)
    with pytest.raises(InputError, match=r"wet\.paths\.gz: is not a list of WET files"):
        choose_wet_files(tmp_path / "wet.paths.gz", tmp_path / "chosen.tsv", "crawl", 1, seed=1)


def test_a_local_list_names_files_of_this_machine(tmp_path):
    (tmp_path / "a.wet.gz").write_bytes(b"x")
    (tmp_path / "chosen.tsv").write_text(f"number\tpath\n0\t{tmp_path}/a.wet.gz\n1\t{tmp_path}/b.wet.gz\n")
    fetch_wet_file(tmp_path / "chosen.tsv", tmp_path / "0", 0, base_url="", mirror=None)
    assert (tmp_path / "0").read_bytes() == b"x"
    with pytest.raises(InputError, match=r"chosen.tsv: no such file .*b\.wet\.gz"):
        fetch_wet_file(tmp_path / "chosen.tsv", tmp_path / "1", 1, base_url="", mirror=None)


def test_counts_are_written_last(split):
    (part,) = split(DOCUMENTS)
    assert json.loads((part / "counts.json").read_text()) == {"records": 60, "spa by header": 60}
