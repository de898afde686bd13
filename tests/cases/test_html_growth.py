"""Pages are read in time that grows with their length, whatever is wrong with them, and keep the rules of our texts."""

from time import process_time

import pytest

from textparity.reading.web_text import strip_html

UNITS = [
    "<a x='", "<div>", "<p>a", "<ul><li>", "<table><tr><td>a", "<b><p>", "&amp", "<![foo[", "<!--", "<svg>", "<pre>",
    "</div>", "<figure", "<div hidden>", "<nav>", "<nav></nav>", "<div role=navigation>", "<select>", "<optgroup>",
    "<h1><a>", "<font color=x><div>", '"', "'<a ", "a b=c ",
]  # fmt: skip
SIZE = 25_000


def seconds(page):
    def once():
        started = process_time()
        strip_html(page)
        return process_time() - started

    return min(once() for _ in range(3))


@pytest.mark.parametrize("unit", UNITS)
def test_no_page_takes_its_length_squared(unit):
    page = unit * (SIZE // len(unit))
    # Three times twice the page, each at most 2.5 times the time; what takes no measurable time is not measured.
    assert seconds(8 * page) <= 2.5**3 * max(seconds(page), 0.02)


BLOCKS = [
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "div", "dl", "dt", "fieldset",
    "dir", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "legend",
    "li", "listing", "main", "menu", "ol", "p", "pre", "search", "section", "summary", "ul",
]  # fmt: skip
LEFT_OUT = [
    "audio", "button", "canvas", "iframe", "nav", "noscript", "object", "script", "select", "style", "svg", "template",
    "textarea", "title", "video",
]  # fmt: skip


@pytest.mark.parametrize("tag", BLOCKS)
def test_what_is_in_a_block_is_read_on_lines_of_its_own(tag):
    assert strip_html(f"one<{tag}>two</{tag}>three").split("\n") == ["one", "two", "three"]
    assert strip_html(f"one<{tag} hidden>two</{tag}> three").split() == ["one", "three"]


@pytest.mark.parametrize("tag", LEFT_OUT)
def test_what_is_no_text_of_the_page_is_left_out(tag):
    assert strip_html(f"one <{tag}>two</{tag}>three").split() == ["one", "three"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("one <b hidden>two</b><span hidden>three</span>four", "one four"),
        ("one<img alt=two><input value=three> <a href=four>five</a>", "one five"),
        ("<table><caption>one</caption><tr><th>two<th>three<tr><td>a\tb<td>c</table>", "one\ntwo\nthree\na b\nc"),
        ("<pre>one\ttwo\nthree</pre>", "one two three"),
        ("one<![foo[two", "one"),
        ("one\ud800two", "one?two"),
        ("one<nav>two</nav>three", "one\nthree"),
        ("one<div role=navigation>two</div>three", "one\nthree"),
        ("one<br>two<hr>three", "one\ntwo\nthree"),
        # Rows and cells without their table.
        ("<tr><td>one</td><td>two</td></tr>", "one\ntwo"),
        ("<label>one</label> <input>", "one"),
        ("<p title=\"a hidden > b\" class='nav'>one <a href=two>three</a>", "one three"),
        ("<body hidden>one</body>two", "one\ntwo"),
    ],
)
def test_texts_of_pages(page, text):
    assert strip_html(page) == text
