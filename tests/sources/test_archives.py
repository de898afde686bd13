"""Archives are read, never unpacked, and what is no corpus is refused."""

import gzip
import io
import struct
import tarfile
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textparity.errors import FetchError, MissingResourceError
from textparity.sources import archives
from textparity.sources.archives import list_members, open_member, read_members, read_through

TEXT = b"She reads.\n"


@pytest.fixture(params=["texts.zip", "texts.tar", "texts.tar.gz"])
def write_archive(request, tmp_path):
    def write(members):
        path = tmp_path / request.param
        if path.suffix == ".zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
                for name, content in members.items():
                    file.writestr(name, content)
        else:
            with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as file:
                for name, content in members.items():
                    info = tarfile.TarInfo(name)
                    info.size = len(content)
                    file.addfile(info, io.BytesIO(content))
        return path

    return write


def test_members_are_read_in_one_pass(write_archive):
    archive = write_archive({"a/one.txt": TEXT, "two..txt": b"2"})
    assert list_members(archive) == ["a/one.txt", "two..txt"]
    assert [(name, stream.read()) for name, stream in read_members(archive)] == [
        ("a/one.txt", TEXT),
        ("two..txt", b"2"),
    ]
    with open_member(archive, "two..txt") as stream:
        assert stream.read() == b"2"
    with pytest.raises(MissingResourceError, match=r"has no member three\.txt"), open_member(archive, "three.txt"):
        pass


@pytest.mark.parametrize("name", ["../one.txt", "data/../../one.txt", "/etc/one.txt", "data\\..\\one.txt", ".."])
def test_a_name_that_leads_out_of_its_folder_is_refused(write_archive, tmp_path, name):
    archive = write_archive({"good.txt": TEXT, name: TEXT})
    for read in (list_members, read_through, lambda path: list(read_members(path))):
        with pytest.raises(FetchError, match="leads out of its folder"):
            read(archive)
    assert [path.name for path in tmp_path.iterdir()] == [archive.name]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_passed_over(tmp_path, kind):
    (tmp_path / "secret.txt").write_bytes(b"not to be read")
    archive = tmp_path / "texts.tar"
    with tarfile.open(archive, "w") as file:
        info = tarfile.TarInfo("link.txt")
        info.type, info.linkname = kind, str(tmp_path / "secret.txt")
        file.addfile(info)
    assert list_members(archive) == [] and list(read_members(archive)) == []


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr(archives, "ALWAYS_ALLOWED_BYTES", 1 << 20)


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.tar.gz"])
def test_an_archive_that_unpacks_to_far_more_than_it_is_is_refused_before_it_is_read(small_limit, tmp_path, name):
    bomb = tmp_path / name
    content = bytes(4 << 20)
    if bomb.suffix == ".zip":
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("zeros.txt", content)
    else:
        with tarfile.open(bomb, "w:gz") as file:
            info = tarfile.TarInfo("zeros.txt")
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    with pytest.raises(FetchError, match=r"unpacks to more than .* 200 times its own size"):
        next(read_members(bomb))
    with pytest.raises(FetchError, match="unpacks to more than"):
        list_members(bomb)


def test_members_that_share_their_bytes_are_added_up(small_limit, tmp_path):
    # A zip bomb of one small body under many names: each member is modest, their sum is not.
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("first.txt", bytes(900 << 10))
        body = file.getinfo("first.txt")
        for number in range(3):
            copy = zipfile.ZipInfo(f"copy{number}.txt")
            for cell in ("header_offset", "compress_size", "file_size", "CRC", "compress_type"):
                setattr(copy, cell, getattr(body, cell))
            file.filelist.append(copy)
    with pytest.raises(FetchError, match="unpacks to more than"):
        next(read_members(bomb))


def test_a_header_that_claims_to_be_huge_is_refused(small_limit, tmp_path):
    # tar reads a long name into memory as a whole; its size is what the header says.
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 8 << 20
    bomb = tmp_path / "bomb.tar.gz"
    with gzip.open(bomb, "wb") as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT) + bytes(8 << 20))
    with pytest.raises(FetchError, match="unpacks to more than"):
        list_members(bomb)


def test_small_archives_may_hold_what_compresses_well(write_archive):
    archive = write_archive({"same.txt": TEXT * 100_000})
    with open_member(archive, "same.txt") as stream:
        assert len(stream.read()) == 100_000 * len(TEXT)


# Two members, so that one is lost where damage passes for the end.
MEMBERS = {"one.txt": TEXT * 300, "two.txt": bytes(range(256)) * 20}


def tar_bytes(members=MEMBERS, kind=tarfile.GNU_FORMAT):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=kind) as file:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def zip_bytes(method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in MEMBERS.items():
            file.writestr(name, content)
    return buffer.getvalue()


def rewrite_headers(content, local, central, value):
    """Write a 16-bit number into every header of a zip file, at its place in a local and in a central one."""
    content = bytearray(content)
    for mark, offset in ((b"PK\3\4", local), (b"PK\1\2", central)):
        start = -1
        while (start := content.find(mark, start + 1)) >= 0:
            struct.pack_into("<H", content, start + offset, value)
    return bytes(content)


def pax(*records):
    """Return a header with extended records, to stand before a member."""
    content = b"".join(records)
    info = tarfile.TarInfo("PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, len(content)
    return info.tobuf(tarfile.USTAR_FORMAT) + content.ljust(tarfile.BLOCKSIZE, b"\0") + tar_bytes()


def flipped(content, place, bit=0):
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


GZIPPED = gzip.compress(tar_bytes(), mtime=0)
SECOND_HEADER = tar_bytes().find(b"two.txt")
BROKEN = {
    "checksum.tar.gz": (flipped(GZIPPED, -8 + len(GZIPPED)), "CRC check failed"),
    "length.tar.gz": (flipped(GZIPPED, -1 + len(GZIPPED)), "Incorrect length"),
    "no_trailer.tar.gz": (GZIPPED[:-8], "ended before"),
    "more.tar.gz": (GZIPPED + b"<html>", "Not a gzipped file"),
    "encrypted.zip": (rewrite_headers(zip_bytes(), 6, 8, 1), "password required .* unpack it yourself"),
    "deflate64.zip": (rewrite_headers(zip_bytes(), 8, 10, 9), "not supported.* unpack it yourself"),
    "lzma.zip": (flipped(zip_bytes(zipfile.ZIP_LZMA), 60), "is truncated or damaged"),
    "bzip2.zip": (flipped(zip_bytes(zipfile.ZIP_BZIP2), 70), "is truncated or damaged"),
    "name.zip": (
        rewrite_headers(zip_bytes(), 6, 8, 0x800).replace(b"one.txt", b"\xffne.txt"),
        "can't decode byte 0xff",
    ),
    "name.tar": (tar_bytes({"caf\udce9.txt": TEXT}), r"name of the member 'caf\\udce9\.txt' is not text"),
    "escape.tar": (tar_bytes({"a\x1b[31m.txt": TEXT}), r"name of the member 'a\\x1b\[31m\.txt' is not text"),
    "size.tar": (pax(b"12 size=abc\n"), "no header and no end"),
    "negative.tar": (pax(b"11 size=-9\n"), "-9 bytes long"),
    "long.tar": (pax(b"9" * 20 + b" path=a\n"), "is truncated or damaged"),
    "sparse.tar": (pax(b"25 GNU.sparse.map=1,2,x,y\n"), "is truncated or damaged"),
    "sparse1.tar": (pax(b"22 GNU.sparse.major=1\n", b"22 GNU.sparse.minor=0\n"), "is truncated or damaged"),
    "header.tar": (flipped(tar_bytes(), SECOND_HEADER), f"no header and no end at byte {SECOND_HEADER}"),
    "cut.tar": (tar_bytes()[:SECOND_HEADER], "no header and no end"),
    "cut_header.tar": (tar_bytes()[: SECOND_HEADER + 99], "no header and no end"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_a_message(tmp_path, name):
    content, said = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FetchError, match=said) as error:
        read_through(tmp_path / name)
    assert name in str(error.value) and str(error.value).encode()


def test_names_within_names_within_names_are_a_message(tmp_path):
    # Each is read by a call within the last one's.
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 5
    longname = info.tobuf(tarfile.GNU_FORMAT) + b"aaaaa".ljust(tarfile.BLOCKSIZE, b"\0")
    (tmp_path / "names.tar").write_bytes(longname * 3000 + tar_bytes())
    with pytest.raises(FetchError, match="recursion"):
        list_members(tmp_path / "names.tar")


def test_the_checksum_at_the_end_is_checked_for_one_member_too(tmp_path):
    (tmp_path / "texts.tar.gz").write_bytes(BROKEN["checksum.tar.gz"][0])
    with (
        pytest.raises(FetchError, match="CRC check failed"),
        open_member(tmp_path / "texts.tar.gz", "one.txt") as stream,
    ):
        assert stream.read() == MEMBERS["one.txt"]


def test_what_the_reader_of_a_member_does_wrong_is_not_blamed_on_the_archive(write_archive):
    with pytest.raises(OSError, match="disk"), open_member(write_archive({"one.txt": TEXT}), "one.txt") as stream:
        stream.read()
        raise OSError("the disk is full")


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("archives")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@given(data=st.data())
def test_of_a_damaged_zip_file_nothing_is_read_that_was_not_packed(scratch, method, data):
    whole = zip_bytes(method)
    check_damaged(scratch / "texts.zip", whole, data)


@given(data=st.data())
def test_of_a_damaged_tar_gz_file_nothing_is_lost_or_changed(scratch, data):
    found = check_damaged(scratch / "texts.tar.gz", GZIPPED, data)
    assert found in (None, MEMBERS)


@given(data=st.data())
def test_of_a_damaged_tar_file_no_member_is_lost(scratch, data):
    # Only its headers have checksums.
    place = data.draw(st.integers(0, len(tar_bytes()) - 1))
    (scratch / "texts.tar").write_bytes(flipped(tar_bytes(), place, data.draw(st.integers(0, 7))))
    with suppress(FetchError):
        assert len(list_members(scratch / "texts.tar")) == len(MEMBERS)


@pytest.mark.parametrize("name", ["texts.zip", "texts.tar", "texts.tar.gz"])
@given(
    content=st.binary(max_size=2000),
    head=st.sampled_from([b"", b"PK\3\4", b"\x1f\x8b\x08\0", GZIPPED[:80], tar_bytes()[:600]]),
)
def test_any_bytes_are_read_or_refused(scratch, name, content, head):
    (scratch / name).write_bytes(head + content)
    try:
        read_through(scratch / name)
    except FetchError as error:
        assert name in str(error)


def check_damaged(path, whole, data):
    """Cut `whole` or flip some bits of it; what is read must be as it was packed. Return it, None if it is refused."""
    content = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    content = content[: data.draw(st.sampled_from([len(whole), len(whole) - 1, len(whole) // 2]))]
    path.write_bytes(content)
    try:
        found = {name: stream.read() for name, stream in read_members(path)}
    except FetchError as error:
        assert path.name in str(error)
        return None
    assert all(part in MEMBERS.values() for part in found.values())
    return found
