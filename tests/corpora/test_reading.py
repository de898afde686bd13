import re
import tarfile
import zipfile
from hashlib import sha256

import pytest

from textparity.corpora.reading import read_batches, read_corpus, read_metadata
from textparity.errors import FetchError, InputError, MissingResourceError


def read(tmp_path, content, **options):
    source = tmp_path / "source.txt"
    source.write_bytes(content)
    read_corpus(source, tmp_path / "texts.parquet", "news", "swe", **options)
    return next(read_batches(tmp_path / "texts.parquet", 100_000)), read_metadata(tmp_path / "texts.parquet")


@pytest.mark.parametrize(
    ("content", "texts", "seen"),
    [
        (b"en\ntv\xc3\xa5\n", ["en", "två"], {"lines": 2, "blank": 0, "crlf": 0}),
        (b"en\r\ntv\xc3\xa5\r\n", ["en", "två"], {"lines": 2, "blank": 0, "crlf": 2}),
        (b"\xef\xbb\xbfen\ntv\xc3\xa5", ["en", "två"], {"lines": 2, "blank": 0, "crlf": 0}),
        (b" en \n\n\xe2\x80\xa8\n", [" en ", "", "\u2028"], {"lines": 3, "blank": 2, "crlf": 0}),
        (b"a\rb\n", ["a\rb"], {"lines": 1, "blank": 0, "crlf": 0}),
    ],
    ids=["lf", "crlf", "bom, no last line end", "blank lines", "lone cr"],
)
def test_lines_become_texts_unchanged(tmp_path, content, texts, seen):
    rows, metadata = read(tmp_path, content)
    assert rows["text"] == texts
    assert rows["id"] == [f"news/{number:06d}" for number in range(1, len(texts) + 1)]
    assert set(rows["lang"]) == {"swe"}
    assert metadata == seen


def test_a_line_of_a_megabyte_is_a_text(tmp_path):
    line = "mor och far " * 100_000
    rows, _ = read(tmp_path, f"{line}\nkort\n".encode())
    assert rows["text"] == [line, "kort"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"fine\ncaf\xe9 au lait\n", "source.txt, line 2: byte 4 of the line is not valid UTF-8"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing(tmp_path, content, said):
    with pytest.raises(InputError) as error:
        read(tmp_path, content)
    assert said in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["source.txt"]


def test_document_ids_go_line_by_line(tmp_path):
    ids = tmp_path / "ids.tsv"
    ids.write_text("a.1\na.1\n")
    rows, _ = read(tmp_path, b"x\ny\n", document_ids=ids)
    assert rows["doc_id"] == ["a.1", "a.1"]
    for content in (b"x\n", b"x\ny\nz\n"):
        with pytest.raises(InputError, match="has 2 document ids, but"):
            read(tmp_path, content, document_ids=ids)


@pytest.fixture
def archive(tmp_path):
    (tmp_path / "swe.devtest").write_text("mor\nfar\n")
    with tarfile.open(tmp_path / "set.tar.gz", "w:gz") as file:
        file.add(tmp_path / "swe.devtest", "set/swe.devtest")
    return tmp_path / "set.tar.gz"


def test_a_member_of_an_archive_is_read_and_verified(tmp_path, archive):
    texts = tmp_path / "texts.parquet"
    pin = sha256(b"mor\nfar\n").hexdigest()
    read_corpus(archive, texts, "set", "swe", member="set/swe.devtest", pinned_sha256=pin)
    assert next(read_batches(texts, 10))["text"] == ["mor", "far"]
    texts.unlink()
    with pytest.raises(FetchError, match=r"set\.tar\.gz, member set/swe\.devtest: has sha256"):
        read_corpus(archive, texts, "set", "swe", member="set/swe.devtest", pinned_sha256="0" * 64)
    with pytest.raises(MissingResourceError, match=r"set\.tar\.gz: has no member set/nob\.devtest"):
        read_corpus(archive, texts, "set", "nob", member="set/nob.devtest")
    assert not texts.exists()


METADATA = "URL\tdomain\ttopic\n{}\tnews\tlaw\n{}\tnews\tlaw\n"


@pytest.mark.parametrize(
    ("table", "found"),
    [
        (METADATA.format("https://a.org/1", "https://a.org/1"), ["https://a.org/1"] * 2),
        (METADATA.format("https://a.org/1", "https://a.org/2"), ["https://a.org/1", "https://a.org/2"]),
        (METADATA.format("https://a.org/1", ""), "metadata.tsv, line 3: the cell of URL is empty"),
        (METADATA.format("x", "y").replace("URL", "url"), "metadata.tsv: has no column URL; it has url, domain, topic"),
        (METADATA.format("x", "y") + "z\tnews\tlaw\n", "has 3 document ids, but"),
        ("", "has no column URL"),
    ],
)
def test_a_table_beside_the_texts_gives_their_documents(tmp_path, table, found):
    # As FLORES-200 has it: the article of each sentence, in another member of the archive.
    archive = tmp_path / "set.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("swe.devtest", "mor\nfar\n")
        file.writestr("metadata.tsv", table)

    def read():
        read_corpus(
            archive, tmp_path / "texts.parquet", "set", "swe", member="swe.devtest",
            document_ids=archive, documents="metadata.tsv#URL",
        )  # fmt: skip

    if isinstance(found, str):
        with pytest.raises(InputError, match=re.escape(found)):
            read()
    else:
        read()
        assert next(read_batches(tmp_path / "texts.parquet", 10))["doc_id"] == found


def test_a_downloaded_file_damaged_since_is_named_and_not_read(tmp_path):
    source = tmp_path / "swe.txt"
    source.write_bytes(b"mor\nfar\n")
    pin = sha256(b"mor\nfar\n").hexdigest()
    read_corpus(source, tmp_path / "texts.parquet", "set", "swe", pinned_sha256=pin)
    source.write_bytes(b"mor\nfas\n")
    with pytest.raises(FetchError, match=r"swe\.txt: has sha256 .*: delete .*swe\.txt and run again"):
        read_corpus(source, tmp_path / "again.parquet", "set", "swe", pinned_sha256=pin)
    assert not (tmp_path / "again.parquet").exists()
