"""Archives are read, never unpacked, and what is no corpus is refused."""

import gzip
import io
import tarfile
import zipfile

import pytest

from textparity import archives
from textparity.archives import list_members, open_member, read_members, read_through
from textparity.errors import FetchError, MissingResourceError

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
