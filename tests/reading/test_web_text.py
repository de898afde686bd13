"""Web pages as texts: files of HTML, fields of it, and WARC files with pages, other things, and damage."""

import gzip
import json
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.command import main
from textparity.errors import InputError
from textparity.reading.web_text import decode_page, strip_html

PAGE = """<!DOCTYPE html><html><head><title>A woman</title><style>man {}</style><script>"woman"</script></head><body>
<nav>Men <div>Women</div></nav><div role="navigation">A woman.</div><div hidden>A woman.</div>
<header><h1>The m&uuml;&#108;ler</h1></header><p>A wo<b>man</b>
 and<br>a man<p>Second<ul><li>one<li>two</ul><table><tr><td>a<td>b</table><svg><title>man</title></svg>
&lt;p&gt;</body></html>"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def counts(*files, **settings):
    result = textparity.audit_files(files, "eng", lexicon_folder=NOUNS, **settings)
    return (result.texts, *(result["eng"].matches[name] for name in ("feminine", "masculine")))


def test_the_text_of_a_page_is_what_is_read_in_it_with_paragraphs_apart():
    lines = ["The müller", "A woman and", "a man", "Second", "one", "two", "a", "b", "<p>"]
    assert strip_html(PAGE).split("\n") == lines


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("A man", "A man"),
        ("", ""),
        # What is not closed ends with what it is in, and what was not opened ends nothing.
        ("<div><nav>Men</div>A man", "A man"),
        ("<nav>Men<p>All</div></nav>A man", "A man"),
        ("<nav><a>Men</nav>A</a> man", "A man"),
        ("A &amp man <!-- woman --> came\0.", "A & man came."),
        ("<pre>a\n  b</pre>", "a b"),
        # The readings of ruby are no text of their own, with or without end tags.
        ("<p>私は<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>を。", "私は漢字を。"),
        ("<ruby><rb>北<rb>京<rt>ほく<rt><b>きょう</b></ruby>の", "北京の"),
        ("<ruby>東<rtc><rt>とう</rt></rtc></ruby>は", "東は"),
    ],
)
def test_pages_that_are_badly_written_keep_their_text(page, text):
    assert strip_html(page) == text


@pytest.mark.parametrize(
    ("raw", "declared", "text"),
    [
        ("é".encode(), "iso-8859-1", "é"),
        ("\ufeffé".encode(), None, "é"),
        ("é".encode("utf-16"), None, "é"),
        (b'<meta charset="latin1">\x80', None, '<meta charset="latin1">€'),
        (b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xe9", "cp1252", "é"),
        (b'<?xml version="1.0" encoding="koi8-r"?>\xc9', None, "и"),
        ("<p>жена".encode("utf-16-le"), None, "жена"),
        ("<p>жена".encode("utf-32-be"), "cp1252", "жена"),
        ("<p>женщина и её муж, её отец и брат".encode("utf-16-be"), "utf-16be", "брат"),
        ("<p>女人和男人和女人和男人和女人和男人".encode("utf-16-le"), "UTF-16", "男人"),
    ],
)
def test_a_page_is_in_utf8_or_in_the_encoding_that_is_declared(raw, declared, text):
    assert decode_page(raw, declared, "")[-len(text) :] == text


@pytest.mark.parametrize(
    ("raw", "declared", "said"),
    [
        (b"a\xe9", None, "x: byte 1 of its page .* is not valid UTF-8"),
        (b"\x81\x00\xff", "shift_jis", "is not valid cp932"),
        (b"\xe9", "none such", "the unknown encoding none such"),
        *((b"\xe9", name, f"the unknown encoding {name}") for name in ("undefined", "unicode_escape", "rot13", "idna")),
        (b'<meta charset="utf-16">\xe9', None, "is not valid UTF-8"),
        (b"\xe9", "utf-16", "is not valid UTF-8"),
    ],
)
def test_an_encoding_that_does_not_fit_is_named(raw, declared, said):
    with pytest.raises(InputError, match=said):
        decode_page(raw, declared, "x")


def test_files_of_html_are_pages_and_other_formats_are_if_asked_for():
    Path("site").mkdir()
    Path("site/a.html").write_text(PAGE)
    Path("site/b.htm.gz").write_bytes(gzip.compress(b"<p>A man."))
    Path("site/c.css").write_text("man {}")
    assert counts("site") == (2, 1, 2)
    Path("a.jsonl").write_text(json.dumps({"text": PAGE}) + "\n" + json.dumps({"text": None}))
    assert counts("a.jsonl", strip_html=True) == (1, 1, 1)
    assert counts("a.jsonl") == (1, 5, 5)
    (item,) = textparity.audit([PAGE, None], "eng", lexicon_folder=NOUNS, strip_html=True)
    assert item.matches["feminine"] == 1


def test_a_page_that_declares_no_encoding_may_be_given_one(capsys):
    Path("a.html").write_bytes(b"<p>A m\xe9n. A man.")
    command = ["audit", "a.html", "--lang", "eng", *WITH_NOUNS]
    assert main(command) == 2
    assert "a.html: byte 6 of its page" in capsys.readouterr().err
    assert main([*command, "--encoding", "cp1252"]) == 0


def test_a_signature_says_that_html_was_stripped():
    Path("a.txt").write_text("<p>A man.\n")
    result = textparity.audit_files(["a.txt"], "eng", lexicon_folder=NOUNS, strip_html=True)
    assert " | html True | " in result.signature and result.words == 3


def record(kind, body, content_type="application/http; msgtype=response", more=""):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\n{more}Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def response(body, content_type="text/html", status="200 OK", **headers):
    fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return record("response", f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{fields}\r\n".encode() + body)


RECORDS = [
    record("warcinfo", b"software: x\r\n", "application/warc-fields"),
    record("request", b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request"),
    response(PAGE.encode(), "text/html; charset=UTF-8"),
    response("<p>Ein Männer-Chor. A man.".encode("cp1252"), "text/html; charset=ISO-8859-1"),
    response(b"<p>A man.", "application/xhtml+xml"),
    response(gzip.compress(b"<p>A man."), Content_Encoding="gzip"),
    response(b"5\r\n<p>A \r\n4\r\nman.\r\n0\r\n\r\n", Transfer_Encoding="chunked"),
    response(b"\x89PNG", "image/png"),
    response(b"\x89PNG", "image/png"),
    response(b"<p>A man is not here.", status="404 Not Found"),
    record("response", b"A man without a head."),
    record("revisit", b"HTTP/1.1 200 OK\r\n\r\n"),
]


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_pages_of_a_warc_file_are_texts_and_the_rest_is_counted(ending):
    raw = b"".join(map(gzip.compress, RECORDS)) if ending else b"".join(RECORDS)
    Path(f"a.warc{ending}").write_bytes(raw)
    assert counts(f"a.warc{ending}") == (5, 1, 5)
    result = textparity.audit_files([f"a.warc{ending}"], "eng", lexicon_folder=NOUNS)
    assert result.left_out == {
        "web pages that are not HTML: image/png": 2,
        "web pages with HTTP status 404": 1,
        "web pages without a readable HTTP header": 1,
        "WARC records of type revisit": 1,
    }
    # Numbered as records with a page are, whatever they are.
    assert {example.place for example in result["eng"].examples["masculine"]} == {1, 2, 3}


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (response(b"\xe9"), "record 2: byte 0 of its page"),
        (
            response(b"<p>plain text, of a liar", Content_Encoding="gzip"),
            "record 2: its Content-Encoding cannot be decoded",
        ),
    ],
)
def test_a_page_that_is_not_valid_is_named_or_left_out(capsys, broken, said):
    Path("a.warc").write_bytes(b"".join([RECORDS[2], broken, RECORDS[4]]))
    command = ["audit", "a.warc", "--lang", "eng", *WITH_NOUNS]
    assert main(command) == 2
    assert said in capsys.readouterr().err
    assert main([*command, "--on-error", "skip"]) == 3
    assert "1 text: not valid" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "kind", "content_type", "body"),
    [
        ("a.wet.gz", "conversion", "text/plain", "{}"),
        (
            "a.warc",
            "response",
            "application/http; msgtype=response",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}",
        ),
        ("a.warc", "resource", "text/html", "<p>{}"),
    ],
)
def test_pages_of_a_crawl_are_grouped_and_identified_by_their_address(capsys, name, kind, content_type, body):
    addresses = {"https://www.post.org/a": "A woman.", "http://post.org/b": "A woman.", "<http://sun.net>": "A man."}
    records = []
    for address, text in [*addresses.items(), ("", "A man and a man.")]:
        head = f"WARC-Target-URI: {address}\r\n" if address else ""
        records.append(record(kind, body.format(text).encode(), content_type, head))
    packed = map(gzip.compress, records) if name.endswith(".gz") else records
    Path(name).write_bytes(b"".join(packed))
    command = ["audit", name, "--lang", "eng", *WITH_NOUNS, "--quiet"]
    assert main([*command, "--group-by", "url:domain", "--write", "json=-"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    found = {row["group"]: (row["feminine"], row["masculine"]) for row in rows if row["group"]}
    assert found == {"post.org": (2, 0), "sun.net": (0, 1), "(none)": (0, 2)}
    for option, field in (("--group-by", "date"), ("--lang-field", "url"), ("--id-field", "title")):
        options = ["audit", name, *WITH_NOUNS, option, field]
        assert main(options) == 2
        assert f"{name}: pages of a crawl have only the field url, not {field}" in capsys.readouterr().err
    # The page without an address has no id.
    assert main([*command, "--id-field", "url", "--write", "r.parquet"]) == 2
    assert f"{name}, record 4: field url has no single value" in capsys.readouterr().err
    assert main([*command, "--id-field", "url", "--write", "r.parquet", "--on-error", "skip"]) == 3
    assert pq.read_table("r.parquet")["id"].to_pylist() == [
        "https://www.post.org/a",
        "http://post.org/b",
        "http://sun.net",
    ]


def test_a_warc_file_comes_through_a_pipe():
    command = [sys.executable, "-m", "textparity", "audit", "-", "--format", "warc", *WITH_NOUNS]
    options = ["--lang", "eng", "--write", "json=-"]
    done = subprocess.run([*command, *options], input=b"".join(RECORDS), capture_output=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"][0]["texts"] == 5


def test_a_warc_file_that_is_cut_anywhere_in_a_record_is_named():
    # Kinds that are read, left out, and passed over.
    records = [RECORDS[2], RECORDS[7], RECORDS[1], record("conversion", b"A man.")]
    whole = b"".join(records)
    ends = list(accumulate(map(len, records)))
    for size in range(ends[0], len(whole)):
        Path("a.warc").write_bytes(whole[:size])
        # Between the body of a record and the next one, nothing is missing that is known of.
        if any(end - len(b"\r\n\r\n") <= size <= end for end in ends):
            assert counts("a.warc")
        else:
            with pytest.raises(InputError, match=r"a\.warc.* get (it|the file) again"):
                counts("a.warc")
