"""Corpora of BRAT files, in folders and archives."""

import csv
import io
import tarfile
import zipfile

import pytest

from textparity.errors import InputError
from textparity_studies.swapping.corpora import (
    BLANK_LINE,
    SEPARATORS,
    TWO_CHARACTERS,
    Entity,
    EntityDocument,
    read_documents,
    read_entity_corpus,
)

TITLE = Entity("T1", "JOB", 0, 6, "Лікаря")
NAME = Entity("T2", "PERS", 16, 20, "Юрій")
FILES = {
    "news/a.txt": "Лікаря шукають.\nЮрій знайшов.\n",
    "news/a.ann": "T1\tJOB 0 6\tЛікаря\nT2\tPERS\t16\t20\tЮрій\n",
    "prose/b.txt": "Сніг.\n",
    "prose/b.ann": "",
    "dev-test-split.txt": "DEV\na\n\nTEST\nb\n",
}
SWAPPED = {
    "news/a-swapped.txt": "Лікарку шукають.\n\nЮлія знайшла.\n",
    "news/a-swapped.ann": "T1\tJOB 0 7\tЛікарку\n\nT2\tPERS 18 22\tЮлія\n",
    "news/a-swapped.meta": "0\n1\n",
    "dev-test-split.txt": "TEST\na-swapped\n",
}


@pytest.fixture
def read(tmp_path):
    """Read a corpus of these files (text, or bytes; None: not there); return its documents and its repairs."""

    def read(changes, base=FILES, archive="", split="dev-test-split.txt", wanted=""):
        files = {name: content for name, content in (base | changes).items() if content is not None}
        files = {name: content if isinstance(content, bytes) else content.encode() for name, content in files.items()}
        out = [tmp_path / "out" / name for name in ("documents.parquet", "entities.parquet", "repairs.csv")]
        if archive:
            sources = [tmp_path / archive]
            write_archive(sources[0], {f"corpus-1/v2/{name}": content for name, content in files.items()})
            read_entity_corpus(sources, *out, folder="corpus-1/v2", split=split)
        else:
            for name, content in files.items():
                (tmp_path / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / "corpus" / name).write_bytes(content)
            sources = [tmp_path / "corpus" / name for name in files] or [tmp_path / "corpus"]
            read_entity_corpus(sources, *out, folder="", split=split)
        with out[2].open(encoding="utf-8", newline="") as file:
            return read_documents(*out[:2], wanted), [tuple(row) for row in csv.reader(file)][1:]

    return read


def write_archive(path, files):
    # What lies beside the folder is not read.
    files = files | {"corpus-1/v2-old/news/c.txt": b"\xff", "corpus-1/README.txt": b"x"}
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


@pytest.mark.parametrize("archive", ["", "corpus.tar.gz", "corpus.zip"])
def test_a_corpus_is_a_folder_or_an_archive(read, archive):
    assert read({}, archive=archive) == (
        [
            EntityDocument("a", "news", "train", FILES["news/a.txt"], [], [TITLE, NAME]),
            EntityDocument("b", "prose", "test", "Сніг.\n", [], []),
        ],
        [("news/a.ann", "2", SEPARATORS, "T2\tPERS\t16\t20\tЮрій")],
    )


def test_documents_of_one_split(read):
    assert [document.document for document in read({}, wanted="test")[0]] == ["b"]
    assert [document.document for document in read({}, wanted="train")[0]] == ["a"]


def test_swapped_sentences_know_their_lines(read):
    (document,), repairs = read({}, SWAPPED)
    assert (document.source_lines, document.split) == ([0, 1], "test")
    assert document.lines == [(0, 16), (17, 17), (18, 31), (32, 32)]
    assert [document.text[start:end] for start, end in document.lines][2] == "Юлія знайшла."
    assert repairs == [("news/a-swapped.ann", "2", BLANK_LINE, "")]


@pytest.mark.parametrize(("start", "end"), [(16, 20), (17, 21)], ids=["as one", "as two"])
def test_line_ends_of_two_characters_whichever_way_the_offsets_count_them(read, start, end):
    changes = {
        "news/a.txt": FILES["news/a.txt"].replace("\n", "\r\n"),
        "news/a.ann": f"T1\tJOB 0 6\tЛікаря\r\nT2\tPERS {start} {end}\tЮрій\r\n",
        "dev-test-split.txt": "DEV\r\na\r\nTEST\r\nb\r\n",
    }
    (document, _), repairs = read(changes)
    assert document == EntityDocument("a", "news", "train", FILES["news/a.txt"], [], [TITLE, NAME])
    assert repairs == [("news/a.ann", "0", TWO_CHARACTERS, "2 in the text")]


@pytest.mark.parametrize("recorded", ["шукають . Юрій", "шукають .\r\nЮрій"], ids=["space", "cut"])
def test_an_entity_over_a_line_end_of_two_characters(read, recorded):
    text = "Лікаря шукають .\r\nЮрій знайшов.\r\n"
    (document, _), _ = read({"news/a.txt": text, "news/a.ann": f"T1\tART 7 22\t{recorded}\r\n"})
    assert document.entities == [Entity("T1", "ART", 7, 21, "шукають .\nЮрій")]
    assert document.text[7:21] == document.entities[0].text


def test_offsets_that_fit_neither_way_are_an_error(read):
    changes = {"news/a.txt": FILES["news/a.txt"].replace("\n", "\r\n"), "news/a.ann": "T2\tPERS 18 22\tЮрій\r\n"}
    with pytest.raises(InputError, match=r"news/a\.ann, line 1: the text from 18 to 22 is 'ій з', not 'Юрій'"):
        read(changes)


def test_a_byte_order_mark_is_no_character(read):
    (document, _), _ = read({"news/a.txt": b"\xef\xbb\xbf" + FILES["news/a.txt"].encode()})
    assert document.entities == [TITLE, NAME]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"news/a.ann": None}, r"news/a\.txt: has no annotations; add .*news/a\.ann, empty if there is no entity"),
        ({"news/c.ann": ""}, r"news/c\.ann: its text c\.txt is missing"),
        ({"news/c.meta": "0"}, r"news/c\.meta: its text c\.txt is missing"),
        ({"prose/a.txt": "x", "prose/a.ann": ""}, r"prose/a\.txt: .*news already has a document with this name"),
        ({"news/a.ann": None, "prose/b.ann": None}, "there are no annotations"),
        ({"news/a.txt": "Лікаря".encode("cp1251")}, r"news/a\.txt: not UTF-8 \(.* at byte 2\); re-encode it"),
        ({"news/a.ann": "T1\tJOB 1 7\tЛікаря\n"}, r"news/a\.ann, line 1: the text from 1 to 7 is 'ікаря '"),
        # The split.
        ({"dev-test-split.txt": None}, "has no file dev-test-split.txt with the split"),
        ({"dev-test-split.txt": "DEV\na\n"}, "dev-test-split.txt: the document b is in no split; add it below DEV"),
        ({"dev-test-split.txt": "DEV\na\nTEST\na\nb\n"}, "dev-test-split.txt, line 4: a is a duplicate"),
        ({"dev-test-split.txt": "a\nDEV\nb\n"}, "dev-test-split.txt, line 1: a is above the first of DEV"),
        ({"dev-test-split.txt": "DEV\na\nTEST\nb\nc\nd\n"}, "dev-test-split.txt: there is no text of c, d; take it"),
    ],
)
def test_an_incomplete_corpus_is_named_and_leaves_nothing(read, tmp_path, changes, said):
    with pytest.raises(InputError, match=said):
        read(changes)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"news/a-swapped.meta": "0\n"}, r"news/a-swapped\.meta: has 1 numbers for 2 lines of text; it needs one"),
        ({"news/a-swapped.meta": ""}, "has 0 numbers for 2 lines"),
        ({"news/a-swapped.meta": "0\nперший\n"}, "it needs one for each"),
        ({"news/a-swapped.meta": "0\n-1\n"}, "it needs one for each"),
        (
            {"news/b.txt": "Сніг.\n", "news/b.ann": "", "dev-test-split.txt": "TEST\na-swapped\nb\n"},
            r"news/b\.txt: has no source lines, and .*news/a-swapped\.meta has; add .*news/b\.meta",
        ),
    ],
)
def test_source_lines_that_do_not_fit_the_text_are_named(read, changes, said):
    with pytest.raises(InputError, match=said):
        read(changes, SWAPPED)


def test_a_folder_without_files_is_named(read, tmp_path):
    (tmp_path / "corpus").mkdir()
    with pytest.raises(InputError, match=r"corpus: has no texts \(\.txt\) and annotations"):
        read({}, base={})
