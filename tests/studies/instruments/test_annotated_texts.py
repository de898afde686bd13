"""The gender of mentions, halves, and cutting long texts."""

from textparity_studies.instruments.annotated_texts import (
    PIECE_CHARACTERS,
    AnnotatedMention,
    AnnotatedText,
    cut_into_pieces,
    kind_of,
)


def test_a_mention_shows_each_gender_once(words):
    assert words().shown(["men and women, and other men"]) == {"masculine": 1, "feminine": 1}
    assert words().shown(["the old-uncle"]) == {"masculine": 1}


def test_both_versions_of_a_sentence_are_in_one_half(read):
    line = "\n".join("She" for _ in range(40))
    feminine, masculine = read("marked", "feminine.en", line), read("marked", "masculine.en", line)
    assert [text.half for text in feminine] == [text.half for text in masculine]
    assert {text.half for text in feminine} == {"development", "kept"}


def test_a_long_text_is_cut_at_breaks_and_pieces_without_a_mention_are_left_out():
    part = "x" * PIECE_CHARACTERS
    text = f"{part} Kim.\n\n{part}\n\nLou slept."
    places = [text.index(name) for name in ("Kim", "Lou")]
    mentions = tuple(AnnotatedMention(start, start + 3, text[start : start + 3], "name", "", 0) for start in places)
    first, last = cut_into_pieces(AnnotatedText("book", "book", "novel", text, mentions), "\n\n")
    assert (first.id, last.id, last.unit, last.text) == ("book/1", "book/3", "book", "Lou slept.")
    for piece, name in ((first, "Kim"), (last, "Lou")):
        (mention,) = piece.mentions
        assert piece.text[mention.start : mention.end] == name


def test_a_capital_within_a_sentence_makes_a_name(words):
    text = "Old men met Kim. Men came, and he."
    kinds = {found: kind_of(text, text.index(found), text.index(found) + len(found), words()) for found in (
        "Old men", "Kim", "Men", "he",
    )}  # fmt: skip
    assert kinds == {"Old men": "noun", "Kim": "name", "Men": "noun", "he": "pronoun"}
