"""Readers of what was annotated for this project, on tiny texts."""

from hashlib import sha256

import pytest

from textparity.errors import InputError
from textparity.persons.speaker_finder import QuotedText
from textparity.persons.speakers import AttributedQuote
from textparity_studies.instruments.annotated_texts import (
    ARTICLE_COLUMNS,
    MENTION_COLUMNS,
    QUOTE_COLUMNS,
    GoldWords,
    NewsReadings,
)
from textparity_studies.instruments.gold_readers import READERS


def test_titles_and_names_are_texts_of_their_own_with_the_annotated_gender(read):
    head = "entity\tlabel\tgender\theld_out\n"
    job, name = read("entities", "gold.tsv", head + "лікарка\tJOB\tfeminine\tyes\nШевченко\tPERS\tunknown\tno\n")
    assert [(one.genre, one.half, one.mentions[0].kind, one.mentions[0].gender) for one in (job, name)] == [
        ("title", "kept", "noun", "feminine"),
        ("name", "development", "name", "unspecified"),
    ]
    with pytest.raises(InputError, match=r"line 2: label 'ORG'"):
        read("entities", "gold.tsv", head + "Рада\tORG\tfeminine\tyes\n")


def test_readings_are_documents_with_marked_words(read):
    (one, other) = read("readings", "ntrex_eng.txt", "# a\nThe [woman|noun f] met\n[Bo|name m].\n# b\nNobody.\n")
    assert one.text == "The woman met\nBo." and one.held_out and other.mentions == ()
    assert [(m.start, m.text, m.kind, m.gender) for m in one.mentions] == [
        (4, "woman", "noun", "feminine"),
        (14, "Bo", "name", "masculine"),
    ]
    with pytest.raises(InputError, match=r"document a: '\[Bo\|name x\]' is no mark"):
        read("readings", "ntrex_eng.txt", "# a\n[Bo|name x]\n")
    with pytest.raises(InputError, match="begin it with"):
        read("readings", "ntrex_eng.txt", "[Bo|name m]\n")


def test_news_has_the_marks_and_quotes_of_its_first_reader(tmp_path):
    text = "Ann said no.\n"
    (tmp_path / "news.txt").write_text(text)
    digest = sha256(text.strip().encode()).hexdigest()[:16]
    tables = {
        "articles": (ARTICLE_COLUMNS, ["a.1", "eng", "ntrex", "news.txt", "1", "1", digest]),
        "mentions": (MENTION_COLUMNS, ["a.1", "eng", "A", "4", "feminine", "", "name", "0", "3"]),
        "quotes": (QUOTE_COLUMNS, ["a.1", "eng", "A", "1", "4", "indirect", "9", "11"]),
    }
    for name, rows in tables.items():
        (tmp_path / name).write_text("".join("\t".join(row) + "\n" for row in rows))
    (tmp_path / "words").write_text("lang\tword\tshows\n")
    readings = NewsReadings.load(*(tmp_path / name for name in tables))
    (article,) = READERS["news"](tmp_path / "news.txt", GoldWords(tmp_path / "words", "eng", news=readings))
    assert [(mention.text, mention.gender) for mention in article.mentions] == [("Ann", "feminine")]
    assert article.quoted == QuotedText(article.mentions, (AttributedQuote(((9, 11),), False, 4),))
