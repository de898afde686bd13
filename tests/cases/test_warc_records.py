"""Each record of a WARC file is read, or counted by what it is; a body that is cut is never read in part."""

import gzip
import zlib

import pytest
from lexicons import NOUNS

from textparity.auditing.audit import audit_files
from textparity.errors import InputError

PAGE = b"<html><body><p>The woman met a man.</p></body></html>"
# Long, so that what is left of it when it is cut has words.
LONG = b"<p>" + b" ".join(b"The woman met man number %d." % number for number in range(5000))


def record(kind, body, content_type):
    said = f"Content-Type: {content_type}\r\n" if content_type else ""
    return f"WARC/1.0\r\nWARC-Type: {kind}\r\n{said}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n"


def response(body, coding):
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\r\n".encode()
    return record("response", head + body, "application/http; msgtype=response")


def audit(path, *records):
    path.write_bytes(b"".join(records))
    result = audit_files([path], "eng", lexicon_folder=NOUNS)
    return result.texts, result["eng"].matches["feminine"], result


def test_resources_are_read_and_the_rest_is_counted_by_what_it_is(tmp_path):
    texts, women, result = audit(
        tmp_path / "a.warc",
        record("warcinfo", b"software: x\r\n", "application/warc-fields"),
        record("resource", PAGE, "text/html"),
        record("resource", "<p>Une fée. A woman.".encode("cp1252"), "text/html; charset=windows-1252"),
        record("resource", b"A woman <b> man.", "text/plain"),
        record("conversion", b"A woman.", "text/plain"),
        record("conversion", b"A woman.", ""),
        record("resource", b"\x89PNG", "image/png"),
        record("resource", b"20260101 example.org", "text/dns"),
        record("conversion", b"%PDF", "application/pdf"),
        record("revisit", b"HTTP/1.1 200 OK\r\n\r\n", "application/http"),
        record("continuation", b"...", ""),
    )
    assert (texts, women) == (5, 5)
    assert result.left_out == {
        "WARC resources that are neither HTML nor text: image/png": 1,
        "WARC resources that are neither HTML nor text: text/dns": 1,
        "WARC conversions that are not text: application/pdf": 1,
        "WARC records of type revisit": 1,
        "WARC records of type continuation": 1,
    }


def raw_deflate(body):
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


CODINGS = {
    "gzip": gzip.compress,
    "x-gzip": lambda body: gzip.compress(body[:90]) + gzip.compress(body[90:]),
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "gzip, gzip": lambda body: gzip.compress(gzip.compress(body)),
}


@pytest.mark.parametrize("coding", CODINGS)
def test_a_packed_body_is_read_whole_or_not_at_all(tmp_path, coding):
    packed = CODINGS[coding](LONG)
    texts, women, _ = audit(tmp_path / "a.warc", response(packed, coding))
    assert (texts, women) == (1, 5000)
    for size in (len(packed) // 2, len(packed) - 1):
        with pytest.raises(InputError, match="its Content-Encoding cannot be decoded"):
            audit(tmp_path / "a.warc", response(packed[:size], coding))


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_what_follows_a_packed_body_is_not_passed_over(tmp_path, coding):
    packed = CODINGS[coding](LONG)
    assert audit(tmp_path / "a.warc", response(packed + bytes(3), coding))[1] == 5000
    flipped = bytes([packed[0] ^ 1]) + packed[1:]
    with pytest.raises(InputError, match="its Content-Encoding cannot be decoded"):
        audit(tmp_path / "a.warc", response(packed + flipped, coding))


def test_a_body_that_unpacks_without_limit_is_a_message(tmp_path):
    with pytest.raises(InputError, match="unpacks to more than"):
        audit(tmp_path / "a.warc", response(gzip.compress(bytes(65 << 20)), "gzip"))
