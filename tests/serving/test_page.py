"""The page of `textparity serve`: what its server lets through and keeps to itself, and its form in a real browser."""

import http.client
import logging
import re
import socket
import stat
import struct
import sys
import threading
from pathlib import Path
from urllib.parse import unquote, urlencode, urlsplit

import pytest

from textparity.command import main
from textparity.persons import methods
from textparity.serving import marking
from textparity.serving import page as serving
from textparity.serving.local_server import leading_page
from textparity.serving.marking import LONGEST_TEXT
from textparity.serving.page import Choices, Handler, TextServer

TEXT = "A woman met her brothers.\nTwo fathers left."
FORM = {"text": TEXT, "lang": "eng", "method": "words", "text_unit": "line", "layers": "nouns"}
KIND = "application/x-www-form-urlencoded"


@pytest.fixture
def server(monkeypatch):
    running = TextServer(Choices(layers=("nouns",)))
    threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


def send(server, method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=120)
    defaults = {"Origin": server.origin, "Content-Type": KIND} if body is not None else {}
    sent = urlencode(body) if isinstance(body, dict) else body
    connection.request(method, path, sent, {name: value for name, value in (defaults | headers).items() if value})
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer, said


def count(server, **changes):
    return send(server, "POST", f"/{server.token}/", FORM | changes)


def test_a_text_comes_back_with_its_marks_and_its_audit(server):
    answer, page = count(server)
    assert answer.status == 200
    assert '<mark class="feminine" title="feminine">woman<sup>f</sup></mark>' in page
    assert '<mark class="masculine" title="masculine">fathers<sup>m</sup></mark>' in page
    assert "Verdict: <strong>too few: 2 lines with a gendered word, 10 are needed" in page
    # Over few texts there is no interval, and so no line for one.
    assert '<b style="' not in page and '<b style="' in count(server, text="A woman. A man.\n" * 30)[1]
    assert re.search(
        r"textparity [\w.]+ \| method words \| lex textparity_v2@\w+ \| layers nouns \| .* lang eng \| n 2", page
    )


def test_what_a_text_has_of_html_is_text(server):
    page = count(server, text='</textarea><script>alert("x")</script> A <b>woman</b> & a man.')[1]
    assert page.count("<script") == page.count("</script>") == page.count("</textarea>") == 1
    assert "&lt;b&gt;<mark" in page


def test_the_page_is_its_own_and_loads_nothing(server):
    answer, page = send(server, "GET", f"/{server.token}/")
    policy = answer.getheader("Content-Security-Policy")
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "form-action 'self'" in policy
    assert (answer.getheader("Cache-Control"), answer.getheader("Referrer-Policy")) == ("no-store", "same-origin")
    assert not any(word in page for word in ("http://", "https://", "//cdn", "src=", "url("))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://example.org"}, 403),
        ({"Origin": None}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "example.org"}, 403),
        ({"Host": "localhost"}, 403),
        ({"Content-Type": "multipart/form-data"}, 415),
        ({"Content-Length": "99999999"}, 413),
        ({"Content-Length": "9" * 5000}, 413),
    ],
)
def test_other_pages_get_no_count(server, headers, status):
    answer, said = send(server, "POST", f"/{server.token}/", FORM, **headers)
    assert answer.status == status and "<mark" not in said


def test_nothing_is_shown_or_counted_without_the_token(server):
    for path in ("/", "/wrong/", f"/{server.token}", f"/{server.token[:-1]}/"):
        for method, body in (("GET", None), ("POST", FORM)):
            answer, said = send(server, method, path, body)
            assert answer.status == 403 and "<" not in said
    assert send(server, "GET", f"/{server.token}/", Host="example.org")[0].status == 403
    assert send(server, "GET", f"/{server.token}/other")[0].status == 404
    assert send(server, "POST", f"/{server.token}/other", FORM)[0].status == 404


@pytest.mark.parametrize("body", ["", "text=a", b"text=%ff&lang=&text_unit=line", b"\xff"])
def test_what_is_not_the_form_is_refused(server, body):
    assert send(server, "POST", f"/{server.token}/", body)[0].status == 400


def head(server, length):
    return (
        f"POST /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\nOrigin: {server.origin}\r\n"
        f"Content-Type: {KIND}\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


@pytest.mark.parametrize("is_reset", [True, False])
def test_connections_that_idle_or_break_off_leave_no_traceback(server, monkeypatch, capfd, is_reset):
    monkeypatch.setattr(Handler, "timeout", 1)
    monkeypatch.setattr(TextServer, "daemon_threads", False)
    body = urlencode(FORM | {"text": TEXT * 9000}).encode()
    page = head(server, 0).replace(b"POST", b"GET")
    for sent in (
        b"",
        b"GET",
        b"\x16\x03\x01\r\n",
        page,
        page * 50,
        head(server, 9) + b"abc",
        head(server, len(body)) + body,
    ):
        with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
            connection.sendall(sent)
            if is_reset:
                # Closed without the usual end, as by a browser that is killed.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                connection.recv(1)
    assert count(server)[0].status == 200
    server.shutdown()
    # It waits for all connections.
    server.server_close()
    assert capfd.readouterr() == ("", "")


def test_a_text_that_was_cut_on_its_way_is_not_counted(server):
    body = urlencode(FORM).encode()
    with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
        connection.sendall(head(server, len(body) + 9) + body)
        connection.shutdown(socket.SHUT_WR)
        assert b"400 Bad Request" in connection.recv(1000)


def test_a_text_that_is_too_long_is_said_on_the_page(server):
    # In one character too many; and as a body that is not even read, but whose sender sees the answer.
    for text in ("a" * (LONGEST_TEXT + 1), "é" * 4 * LONGEST_TEXT):
        answer, page = count(server, text=text)
        assert answer.status == 413
        assert re.search(r'role="alert"[^>]*>[^<]*(1,048,576)[^<]*textparity audit takes\s+files of any size', page)


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("A man.\n" * 11, "line", "has 11 lines, and this page takes 10"),
        ("\n" * 30 + "A man.", "line", "has 31 lines"),
        ("A man.\n\n" * 11, "paragraph", "has 11 paragraphs"),
        ("A man. " * 9, "document", "has over 8 words to mark"),
    ],
)
def test_a_text_that_takes_too_much_work_is_refused_with_the_limit(server, monkeypatch, text, unit, said):
    monkeypatch.setattr(marking, "MOST_UNITS", 10)
    monkeypatch.setattr(marking, "MOST_MATCHES", 8)
    answer, page = count(server, text=text, text_unit=unit)
    assert answer.status == 413 and said in page and "textparity audit takes files of any size" in page
    assert count(server, text="A man. " * 8, text_unit="document")[0].status == 200


def test_a_text_that_takes_too_long_is_refused_with_the_limit(server, monkeypatch):
    monkeypatch.setattr(marking, "LONGEST_WORK", 0)
    answer, page = count(server)
    assert answer.status == 413 and "takes more than 0 seconds to count" in page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"text": " "}, "there is no text; paste one"),
        ({"lang": "tlh"}, "is not in the table of languages"),
        ({"method": "lexicon"}, "is not one of persons, words"),
        ({"layers": "verbs"}, "layers verbs: choose some of"),
        ({"text_unit": "page"}, "is not one of line, paragraph, document"),
        ({"method": "persons", "lang": "arb"}, "Modern Standard Arabic (arb) has no pipeline for the method persons"),
    ],
)
def test_what_cannot_be_counted_is_said_and_the_text_stays_in_the_form(server, changes, said):
    answer, page = count(server, **changes)
    assert answer.status == 400 and said in page
    assert f"\n{(FORM | changes)['text']}</textarea>" in page


def test_the_page_needs_no_network(server, tmp_path, monkeypatch):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n")
    monkeypatch.setenv("TEXTPARITY_MIRROR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    answer, page = count(server)
    assert answer.status == 200 and '<mark class="feminine" title="feminine">woman<sup>f</sup></mark>' in page


_watched: list[str] | None = None


def _watch(event, arguments):
    if _watched is not None and event == "open":
        path, mode, flags = arguments
        if (mode and set(mode) & set("wax+")) or (not mode and flags & 3):
            _watched.append(str(path))


def test_a_text_is_neither_written_nor_logged(server, monkeypatch, capfd, caplog):
    # What is loaded with the first text may write bytecode.
    count(server)
    global _watched
    sys.addaudithook(_watch)
    caplog.set_level(logging.DEBUG)
    _watched = []
    try:
        open("/dev/null", "w").close()
        pages = [count(server, text="The Zanzibarian woman.", **changes)[1] for changes in ({}, {"lang": ""})]
        monkeypatch.setattr(serving, "mark_text", lambda text, *_: [][text])
        pages.append(count(server, text="The Zanzibarian woman.")[1])
        written = _watched
    finally:
        _watched = None
    assert written == ["/dev/null"]
    assert all("Zanzibarian" in page for page in pages)
    assert "a bug in textparity (TypeError)" in pages[-1] and "TypeError" in caplog.text
    for said in (*capfd.readouterr(), caplog.text):
        assert "Zanzibarian" not in said and server.token not in said


def test_a_language_that_was_not_found_out_is_to_be_chosen(server):
    for lang, said in (("", 1), ("swe", 0)):
        page = count(server, text="zzz 123 qqq", lang=lang)[1]
        assert page.count("Nothing was counted.") == page.count("choose it above") == said


def test_persons_can_be_chosen_where_a_pipeline_is_and_else_the_command_is_said(server, monkeypatch, capsys):
    path = f"/{server.token}/"
    monkeypatch.setattr(serving, "missing_pipeline", lambda name, _: "" if name == "fr_core_news_sm" else "not here")
    page = send(server, "GET", path)[1]
    assert "<option>persons</option>" in page
    assert '<span data-pipeline="fra" hidden>French: installed.</span>' in page
    assert '<span data-pipeline="eng" hidden>English: not here.</span>' in page
    for lang, shown in (("eng", "English: not here."), ("fra", "French: installed."), ("jpn", "There is none")):
        page = count(server, text="A text.", lang=lang)[1]
        (line,) = re.findall(r'<span data-pipeline="\w*">([^<]*)</span>', page)
        assert line.startswith(shown)
    monkeypatch.setattr(serving, "missing_pipeline", methods.missing_pipeline)
    monkeypatch.setattr(methods, "find_spec", lambda name: None if name.endswith("_sm") or "pymorphy" in name else True)
    page = send(server, "GET", path)[1]
    assert "<option disabled>persons</option>" in page and "python -m spacy download en_core_web_sm" in page
    assert main(["serve", "--method", "persons", "--no-browser"]) == 2
    assert "python -m spacy download en_core_web_sm" in capsys.readouterr().err


def test_the_command_says_the_address_and_what_is_wrong(capsys, monkeypatch):
    def end(server):
        raise KeyboardInterrupt

    monkeypatch.setattr(TextServer, "serve_forever", end)
    assert main(["serve", "--no-browser", "--lang", "Spanish"]) == 0
    assert re.match(r"http://127\.0\.0\.1:\d+/[\w-]{32}/\n", capsys.readouterr().out)
    with TextServer(Choices()) as other:
        assert main(["serve", "--no-browser", "--port", str(other.server_port)]) == 2
    assert re.search(r"port \d+ cannot be served on \(.*in use\); choose another --port", capsys.readouterr().err)
    for wrong, said in (
        (["--method", "published"], "the page needs the positions of words"),
        (["--lang", "tlh"], "language 'tlh'"),
        (["--port", "70000"], "port 70000 cannot be served on"),
    ):
        assert main(["serve", "--no-browser", *wrong]) == 2
        assert said in capsys.readouterr().err


def test_the_token_is_in_no_argument_of_the_browser(capsys, monkeypatch):
    opened = []

    def open_browser(address):
        page = Path(unquote(urlsplit(address).path))
        opened.append((address, page.read_text(), stat.S_IMODE(page.parent.stat().st_mode)))

    def end(server):
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", open_browser)
    monkeypatch.setattr(TextServer, "serve_forever", end)
    assert main(["serve"]) == 0
    (url,) = re.findall(r"http://127\S+", capsys.readouterr().out)
    ((address, page, mode),) = opened
    assert url in page and urlsplit(url).path.strip("/") not in address
    assert mode == 0o700
    assert not Path(urlsplit(address).path).exists()


@pytest.mark.browser
def test_the_file_that_the_browser_gets_leads_to_the_page(server, open_page, tmp_path):
    page = open_page(leading_page(server.url, tmp_path).as_uri())
    page.wait_for_url(server.url)
    page.get_by_label("Text", exact=True).wait_for()
    assert not page.errors


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_a_reader_pastes_a_text_and_sees_its_words(server, open_page, scripts):
    page = open_page(server.url, java_script_enabled=scripts)
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_label("Language").select_option("English")
    page.get_by_role("button", name="Count").press("Enter")
    page.get_by_role("heading", name="Result").wait_for()
    assert page.locator(".marked mark").all_inner_texts() == ["womanf", "brothersm", "fathersm"]
    assert page.locator(".legend mark").all_inner_texts() == ["femininef", "masculinem", "unspecifiedu"]
    assert page.get_by_label("Text", exact=True).input_value() == TEXT
    assert page.errors == []
    if scripts:
        assert page.evaluate("document.activeElement.id") == "result"
        lines = page.locator(".marked mark").evaluate_all(
            "all => all.map(one => getComputedStyle(one).borderBottomStyle)"
        )
        # Of two classes, marks are lines of two kinds, whatever their colours.
        assert lines == ["solid", "double", "double"]


@pytest.mark.browser
def test_a_file_is_read_into_the_field_and_one_that_is_no_text_is_said(server, open_page, tmp_path):
    page = open_page(server.url)
    (tmp_path / "long.txt").write_bytes(b"a" * (4 * LONGEST_TEXT + 1))
    (tmp_path / "latin.txt").write_bytes(b"Se\xf1ora")
    (tmp_path / "text.txt").write_text("Señora <b>", "utf-8")
    (tmp_path / "empty.txt").touch()
    expect = pytest.importorskip("playwright.sync_api").expect
    for name, said in (
        ("long", "is too long for this page"),
        ("latin", "is not UTF-8 text"),
        ("empty", "is empty"),
        ("text", "in the field"),
    ):
        page.get_by_label("or a text file").set_input_files(tmp_path / f"{name}.txt")
        expect(page.get_by_role("status")).to_contain_text(f"{name}.txt")
        expect(page.get_by_role("status")).to_contain_text(said)
    assert page.get_by_label("Text", exact=True).input_value() == "Señora <b>"
    drop = """(field, names) => { const data = new DataTransfer();
      for (const name of names) data.items.add(new File(["Dos mujeres"], name));
      field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); }"""
    for names, said in (
        (["b.txt", "c.txt"], "These are 2 files; choose one."),
        (["b.JSONL"], "counted otherwise here"),
        (["b.DOCX"], "is a .docx file, not text: make plain text of it"),
    ):
        page.get_by_label("Text", exact=True).evaluate(drop, names)
        expect(page.get_by_role("status")).to_contain_text(said)
        expect(page.get_by_label("Text", exact=True)).to_have_value("Señora <b>")
    page.get_by_label("Text", exact=True).evaluate(drop, ["b.txt"])
    expect(page.get_by_label("Text", exact=True)).to_have_value("Dos mujeres")
    assert page.errors == []


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1100])
def test_right_to_left_text_stands_so_and_nothing_sticks_out(server, open_page, repository, width):
    page = open_page(server.url, viewport={"width": width, "height": 800})
    page.get_by_label("Text", exact=True).fill((repository / "resources/demo/texts/arb.txt").read_text("utf-8"))
    page.get_by_role("button", name="Count").click()
    page.get_by_role("heading", name="Result").wait_for()
    direction = "all => new Set(all.map(one => getComputedStyle(one).direction + one.lang)).size"
    paragraphs = page.locator(".marked p")
    assert paragraphs.evaluate_all(direction) == 1
    assert paragraphs.first.evaluate("one => getComputedStyle(one).direction + one.lang") == "rtlar"
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
def test_a_mistake_has_the_focus(server, open_page):
    page = open_page(server.url)
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_label("nouns", exact=True).uncheck()
    page.get_by_role("button", name="Count").click()
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "layers is empty" in alert.inner_text()
    assert page.evaluate("document.activeElement.id") == "error"
