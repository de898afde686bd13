"""The page of `textparity check mark`: what it lets through, that nothing is lost, and its work in a real browser."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from textparity.checking.judgements import read_judgements
from textparity.checking.page import MarkServer
from textparity.checking.samples import TextSample
from textparity.errors import InputError


@pytest.fixture
def server(draw):
    running = MarkServer.open(draw("--texts", "25").folder)
    threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


def send(server, method, path="", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    defaults = {"Origin": server.origin, "Content-Type": "application/json"} if body is not None else {}
    sent = json.dumps(body) if body is not None else None
    sent_headers = {name: value for name, value in (defaults | headers).items() if value}
    connection.request(method, f"/{server.token}/{path}", sent, sent_headers)
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer, said


def test_a_judgement_is_written_before_the_answer(server):
    answer, shown = send(server, "POST", body={"text": 1, "found": 1, "judgement": "wrong"})
    assert answer.status == 200
    assert "judged: wrong" in shown
    (text, *_) = read_judgements(server.sample)
    assert text.judgements == {1: "wrong"}


@pytest.mark.parametrize(
    ("path", "body", "headers", "status"),
    [
        ("", {"text": 1, "found": 99, "judgement": "wrong"}, {}, 400),
        ("", {"text": 1, "found": 1, "judgement": "queen"}, {}, 400),
        ("", [1], {}, 400),
        ("", {"text": 1, "read": True}, {"Origin": "http://example.org"}, 403),
        ("", {"text": 1, "read": True}, {"Content-Type": "text/plain"}, 415),
        ("", {"text": 1, "read": True, "more": "x" * 5000}, {}, 413),
        ("2", {"text": 1, "read": True}, {}, 404),
    ],
)
def test_what_is_no_judgement_is_refused_and_not_written(server, path, body, headers, status):
    answer, _ = send(server, "POST", path, body, **headers)
    assert answer.status == status
    assert not (server.sample.folder / "judgements.jsonl").exists()


def test_the_page_begins_with_the_first_text_that_is_not_read(server):
    assert "<h1>Text 1 of" in send(server, "GET")[1]
    send(server, "POST", body={"text": 1, "read": True})
    assert "<h1>Text 2 of" in send(server, "GET")[1]
    assert send(server, "GET", "99")[0].status == 404
    assert send(server, "GET", "../etc")[0].status == 404


def test_what_a_text_has_of_html_is_text(tmp_path, capsys):
    from textparity.command import main

    path = tmp_path / "texts.txt"
    path.write_text('A queen </script><script>alert("x")</script> & a <b>man</b>.\n')
    folder = tmp_path / "check"
    assert main(["check", "draw", str(path), "--lang", "eng", "--texts", "1", "--output", str(folder)]) == 0
    running = MarkServer.open(folder)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    page = send(running, "GET")[1]
    running.shutdown()
    running.server_close()
    assert page.count("<script") == page.count("</script>") == 1
    assert "&lt;script&gt;" in page


def test_a_table_that_is_filled_in_is_not_marked_as_well(draw):
    sample = draw()
    path = sample.folder / "sample.csv"
    path.write_text(path.read_text().replace(",,,", ",read,,", 1))
    with pytest.raises(InputError, match=r"its table sample\.csv is already filled in"):
        MarkServer.open(sample.folder)


def test_a_killed_command_loses_no_judgement(draw):
    folder = draw().folder
    command = [sys.executable, "-m", "textparity", "check", "mark", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        address = running.stdout.readline().strip()
        host, token = address.removeprefix("http://").rstrip("/").split("/")
        connection = http.client.HTTPConnection(host, timeout=60)
        body = json.dumps({"text": 2, "read": True})
        headers = {"Origin": f"http://{host}", "Content-Type": "application/json"}
        connection.request("POST", f"/{token}/", body, headers)
        assert connection.getresponse().status == 200
        running.send_signal(signal.SIGKILL)
    assert [text.is_read for text in read_judgements(TextSample.read(folder))][1]


@pytest.mark.browser
def test_a_text_is_judged_by_keyboard_alone(server, open_page):
    text = next(text for text in server.sample.texts if "the chair" in text.text)
    page = open_page(f"{server.url}{text.number}")
    # The first mark has the focus: "man". The second, "his", is taken for wrong, then taken back.
    page.keyboard.press("x")
    page.wait_for_selector("mark.wrong")
    page.keyboard.press("Backspace")
    page.wait_for_selector("mark.wrong", state="detached")
    page.keyboard.press("Tab")
    page.keyboard.press("n")
    page.wait_for_selector("mark.neither")
    # Select "the chair" word by word, from the mark that has the focus.
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        if page.inner_text("#said") == "Selected: the":
            break
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector("#said:text-is('Selected: the chair')")
    page.keyboard.press("f")
    page.wait_for_selector("mark[data-missed]")
    page.keyboard.press("r")
    page.wait_for_url(lambda url: not url.endswith(f"/{text.number}"))
    assert page.errors == []
    read = read_judgements(server.sample)[text.number - 1]
    assert read.is_read
    assert read.judgements == {2: "neither"}
    (missed,) = read.missed.values()
    assert (missed.words, missed.gender) == ("the chair", "feminine")


@pytest.mark.browser
def test_a_mouse_judges_and_adds_words_behind_other_scripts(tmp_path, open_page, capsys):
    from textparity.command import main

    path = tmp_path / "texts.txt"
    path.write_text("😀😀 The queen met the abbess e\u0301lise.\n")
    folder = tmp_path / "check"
    assert main(["check", "draw", str(path), "--lang", "eng", "--texts", "1", "--output", str(folder)]) == 0
    running = MarkServer.open(folder)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    page = open_page(running.url)
    page.click("mark")
    page.click("button[data-say=masculine]")
    page.wait_for_selector("mark.masculine.changed")
    page.evaluate(
        "() => { const words = [...document.querySelectorAll('#marked span')].at(-1).firstChild;"
        "const at = words.data.indexOf('e\u0301lise'); getSelection().setBaseAndExtent(words, at, words, at + 6); }"
    )
    page.click("button[data-say=feminine]")
    page.wait_for_selector("mark[data-missed]")
    running.shutdown()
    running.server_close()
    (text,) = read_judgements(TextSample.read(folder))
    assert [missed.words for missed in text.missed.values()] == ["e\u0301lise"]
    assert list(text.judgements.values()) == ["masculine"]
    assert page.errors == []


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing(server, browser, scheme, width):
    if not (axe := os.environ.get("TEXTPARITY_AXE")):
        pytest.skip("TEXTPARITY_AXE does not name axe.min.js (npm install axe-core)")
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(server.url)
    page.keyboard.press("x")
    page.wait_for_selector("mark.wrong")
    page.evaluate("document.querySelectorAll('details').forEach((shown) => { shown.open = true; })")
    page.evaluate(Path(axe).read_text("utf-8"))
    found = page.evaluate("axe.run().then((said) => said.violations.map((one) => [one.impact, one.id]))")
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
