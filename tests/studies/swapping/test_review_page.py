"""The review page in a real browser, driven by its keys."""

import csv
import threading

import pytest

from textparity.serving.loopback import leading_page
from textparity_studies.swapping.candidates.reviews import Candidate, read_review_file
from textparity_studies.swapping.review import ReviewServer, ReviewStore

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (extra dev)")
pytestmark = pytest.mark.browser

CANDIDATES = [
    Candidate("aa", 0, "Лікар <b>прийшов</b> .", "Лікарка <b>прийшла</b>.", {"Лікар": "JOB"}),
    Candidate("aa", 4, "Учитель Петро читав.", "Учителька Петро читала.", {"Учитель": "JOB", "Петро": "PERS"}),
    Candidate("bb", 0, "Голова говорить.", "Голова говорить.", {"Голова": "JOB"}),
    Candidate("bb", 7, "Швець шив.", "", {"Швець": "JOB"}, ("no single sentence",)),
]
CHECKS = {("aa", 4): ["name of the right gender: failed"]}


class Review:
    """A running review of `CANDIDATES`, and what is in its file."""

    def __init__(self, folder):
        self.path = folder / "reviews" / "small.csv"
        self.start()

    def start(self):
        self.server = ReviewServer(ReviewStore(self.path, CANDIDATES), CHECKS, "small")
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def rows(self):
        with self.path.open(encoding="utf-8", newline="") as file:
            return [[row["document"], row["line"], row["decision"], row["swapped"]] for row in csv.DictReader(file)]


@pytest.fixture
def review(tmp_path):
    running = Review(tmp_path)
    yield running
    running.stop()


def press(page, *keys, until):
    """Press keys, and wait until the page has said so."""
    for key in keys:
        page.keyboard.press(key)
    playwright.expect(page.locator("#said")).to_contain_text(until)


def place(page):
    return page.locator("#place").inner_text(), page.locator("#original").inner_text()


def test_a_review_by_keys_alone_is_in_the_file_and_goes_on_where_it_ended(review, open_page):
    page = open_page(review.server.url)
    assert place(page) == ("Sentence 1 of 4", "Лікар <b>прийшов</b> .")
    press(page, "a", until="Accepted and saved. 3 to go.")
    assert review.rows() == [["aa", "0", "accept", "Лікарка <b>прийшла</b>."]]
    page.keyboard.press("c")
    page.locator("#text").fill("Учителька Марія\nчитала.")
    # A letter is a letter while one writes.
    page.keyboard.press("End")
    page.keyboard.press("d")
    press(page, "Backspace", "Control+Enter", until="Corrected and saved. 2 to go.")
    assert review.rows()[1:] == [["aa", "4", "correct", "Учителька Марія читала."]]
    page.reload()
    assert place(page) == ("Sentence 1 of 2", "Голова говорить.")
    press(page, "d", until="Dismissed and saved. 1 to go.")
    review.stop()
    review.start()
    page = open_page(review.server.url)
    assert place(page)[1] == "Швець шив."
    assert page.locator("#counts").inner_text() == "3 of 4 decided: 1 accepted, 1 corrected, 1 dismissed"
    assert [row[2] for row in review.rows()] == ["accept", "correct", "dismiss"]
    assert len(read_review_file(review.path, CANDIDATES)) == 3
    assert page.errors == []


def test_the_file_that_the_browser_gets_leads_to_the_page(review, open_page, tmp_path):
    page = open_page(leading_page(review.server.url, tmp_path).as_uri())
    page.wait_for_url(review.server.url)
    press(page, "a", until="Accepted and saved. 3 to go.")
    assert not page.errors


def test_undo_takes_decisions_back_one_by_one(review, open_page):
    page = open_page(review.server.url)
    press(page, "a", until="3 to go")
    press(page, "d", until="2 to go")
    press(page, "u", until="Undone: sentence 2 is undecided again.")
    assert [row[2] for row in review.rows()] == ["accept"]
    press(page, "u", until="Undone: sentence 1 is undecided again.")
    assert review.rows() == []
    press(page, "u", until="nothing to undo")


def test_keys_work_in_a_ukrainian_layout(review, open_page):
    page = open_page(review.server.url)
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ф', code: 'KeyA', bubbles: true}))")
    playwright.expect(page.locator("#said")).to_contain_text("Accepted and saved")
    assert [row[2] for row in review.rows()] == ["accept"]


def test_moving_decides_nothing_and_shortcuts_can_be_switched_off(review, open_page):
    page = open_page(review.server.url)
    press(page, "j", "ArrowRight", until="Sentence 3 of 4")
    press(page, "k", "ArrowLeft", "k", until="This is the first sentence.")
    page.locator("#shortcuts").uncheck()
    page.keyboard.press("a")
    page.locator("#next").click()
    playwright.expect(page.locator("#said")).to_contain_text("Sentence 2 of 4")
    assert not review.path.exists()


def test_what_differs_is_marked_word_by_word_and_markup_is_text(review, open_page):
    page = open_page(review.server.url)
    assert page.locator("#original del").all_inner_texts() == ["Лікар", "прийшов"]
    assert page.locator("#candidate ins").all_inner_texts() == ["Лікарка", "прийшла"]
    assert page.locator("#original b").count() == 0
    page.keyboard.press("j")
    assert page.locator("#flags").inner_text() == "name of the right gender: failed"
    assert page.locator("#entities").inner_text().split() == ["JOB", "Учитель", "PERS", "Петро"]
    page.keyboard.press("j")
    assert page.locator("#flags").inner_text() == "the same words as the original"


def test_an_empty_candidate_cannot_be_accepted_but_written(review, open_page):
    page = open_page(review.server.url)
    page.locator("#flagged-first").check()
    page.locator("#next").click()
    assert place(page)[1] == "Швець шив."
    assert page.locator("#accept").is_disabled()
    page.locator("#place").focus()
    press(page, "a", until="There is no candidate to accept.")
    page.keyboard.press("c")
    page.locator("#text").fill("Швачка шила.")
    press(page, "Control+Enter", until="Corrected")
    assert review.rows() == [["bb", "7", "correct", "Швачка шила."]]


def test_two_tabs_do_not_overwrite_each_other(review, open_page):
    first, second = open_page(review.server.url), open_page(review.server.url)
    press(first, "a", until="Accepted")
    # The second tab has not seen that, and its window never lost the focus.
    second.evaluate("sentences[0].version = 0; sentences[0].decision = 'undecided'; showSentence()")
    second.keyboard.press("d")
    playwright.expect(second.locator("#alert")).to_contain_text("Not saved. This sentence was decided elsewhere")
    assert second.locator("#decision").inner_text() == "Accepted"
    assert [row[2] for row in review.rows()] == ["accept"]
    press(second, "d", until="Dismissed")
    press(first, "j", until="Sentence 3")
    assert [row[2] for row in review.rows()] == ["dismiss"]


def test_a_decision_that_is_not_on_disk_is_not_shown_as_one(review, open_page):
    page = open_page(review.server.url)
    page.route("**/decide", lambda route: route.abort())
    page.keyboard.press("a")
    playwright.expect(page.locator("#alert")).to_contain_text("the review is no longer running")
    assert page.locator("#counts").inner_text().startswith("0 of 4 decided")
    assert page.locator("#decision").inner_text() == "Undecided"


def test_a_draft_survives_closing_the_editor(review, open_page):
    page = open_page(review.server.url)
    page.keyboard.press("c")
    page.locator("#text").fill("Лікарка вже тут.")
    press(page, "Escape", until="Your draft is kept")
    page.keyboard.press("c")
    assert page.locator("#text").input_value() == "Лікарка вже тут."
    assert not review.path.exists()


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out_sideways(review, open_page, width):
    page = open_page(review.server.url, viewport={"width": width, "height": 800})
    page.keyboard.press("c")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_each_control_has_a_name_and_focus_follows_the_sentence(review, open_page):
    page = open_page(review.server.url)
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.id") == "place"
    for role, name in (
        ("combobox", "Show"), ("checkbox", "flagged ones first"), ("button", "Accept"), ("region", "Original"),
        ("region", "Candidate"), ("progressbar", "Decided sentences"), ("status", ""), ("main", ""),
    ):  # fmt: skip
        assert page.get_by_role(role, name=name, exact=True).count() == 1, role
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    assert page.get_by_role("textbox", name="Corrected sentence").is_visible()
