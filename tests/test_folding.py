"""A text is the same to a lexicon however it is written, and what is found in it has its place in the text as read."""

import pytest
from lexicons import NOUNS
from writing import ways_of

from textparity.auditing.languages import load_registry
from textparity.counting.lexicon import Lexicon, read_lexicon
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import TableError
from textparity.folding import COLUMNS, load_folding, read_rows

LANGUAGES = sorted(path.stem for path in NOUNS.glob("*.json"))


@pytest.mark.parametrize(
    ("lang", "text", "folded"),
    [
        ("eng", "plain text, as it is", "plain text, as it is"),
        ("eng", "\ufeffwo\u00adman \u200fman\u200e gr\u2060and\u200bma", "woman man grandma"),
        ("eng", "_She_ told _him_ snake_case ____", "She told him snake_case ____"),
        ("eng", "ﬁancé ｗｏｍａｎ 𝐰𝐨𝐦𝐚𝐧 ma’am", "fiancé woman woman ma'am"),
        ("eng", "’tis the girls’ room", "’tis the girls’ room"),
        ("eng", "👩\u200d⚕️ 👩\u200d👩\u200d👧", "👩\u200d⚕ 👩\u200d👩\u200d👧"),
        ("fra", "«\u202ffille\u202f»\u202f! 1\u202f000", "« fille » ! 1\u202f000"),
        ("tur", "KADIN İnsan İNSAN Irmak", "KADıN Insan INSAN Irmak"),
        ("ell", "Γυναίκα ΓΥΝΑΙΚΑ", "Γυναικα ΓΥΝΑΙΚΑ"),
        ("lit", "i\u0307\u0301", "í"),
        ("ron", "soţ şi SOŢ", "soț și SOȚ"),
        ("pes", "زنهاي دوچرخهٔ كوچك", "زنهای دوچرخه کوچک"),
        ("pes", "خانم\u200cها خانم\u200c", "خانم\u200cها خانم"),
        ("ckb", "ژنه\u200cکان", "ژنەکان"),
        ("arb", "رَجُـــل ﺭﺟﻞ", "رجل رجل"),
        ("uzn", "o'g'il o‘g‘il oʻg`il ma’no", "oʻgʻil oʻgʻil oʻgʻil ma'no"),
        ("ukr", "жі\u0301нка сім’я сімʼя", "жінка сім'я сім'я"),
        ("jpn", "ﾊﾟﾊﾟ，ママ", "パパ，ママ"),
        ("yue", "女仔，", "女仔，"),
    ],
)
def test_what_is_written_in_several_ways_is_folded(lang, text, folded):
    folding = load_folding(lang)
    assert folding.fold(text) == folded == folding.fold(folded)
    placed = folding.fold_placed(text)
    assert placed.text == folded


@pytest.mark.parametrize(
    ("lang", "text", "form", "place"),
    [
        ("eng", "\ufeffthe _wo\u00adman\u00ad_, ﬁne", "woman", "wo\u00adman"),
        ("eng", "the ﬁancé came", "fian", "ﬁan"),
        ("deu", "die Gro\u00adßmutter kam", "Grossmutter", "Gro\u00adßmutter"),
        ("fra", "e\u0301le\u0300ve e\u0301lu", "élu", "e\u0301lu"),
        ("ckb", "ژنه\u200cکان", "ە", "ه\u200c"),
    ],
)
def test_what_is_found_has_its_place_in_the_text_as_read(lang, text, form, place):
    folded = load_folding(lang).fold_placed(text)
    begin = folded.text.index(form)
    start, end = folded.place(begin, begin + len(form))
    assert text[start:end] == place


def test_a_pipeline_gets_the_spelling_that_it_knows():
    assert load_folding("deu", merges=False).fold("Gro\u00adßmutter") == "Großmutter"
    assert load_folding("ell", merges=False).fold("γυναίκα") == "γυναίκα"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_forms_count_in_every_way_of_writing(lang):
    registry, folding = load_registry(), load_folding(lang)
    entries = read_lexicon(NOUNS / f"{lang}.json")
    counter = TextCounter(
        load_tokenizer(registry.tokenizer(lang, "icu")), Lexicon(entries, folding), False, folding=folding,
        procedures=["corrected"],
    )  # fmt: skip
    texts = [f"{entry.form}." for entry in entries]
    expected = classes(counter, texts)
    for name, way in ways_of(lang):
        found = classes(counter, [way.write(text, lang) for text in texts])
        differ = [text for text, before, after in zip(texts, expected, found, strict=True) if before != after]
        assert not differ, f"{lang}, {name}: {differ[:5]} count otherwise"


def classes(counter, texts):
    """Return the numbers of each text."""
    return list(zip(*(counter.count(texts)["corrected"].by_class().values()), strict=True))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("*\tcolour\ta\tb\t", "kind 'colour'"),
        ("*\tspelling\t(\tb\t", "is not a regular expression"),
        ("*\tspelling\t[ab]\t[c]\t", "2 letters are replaced by 1"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, row, message):
    path = tmp_path / "folding.tsv"
    path.write_text("\t".join(COLUMNS) + "\n" + row + "\n")
    with pytest.raises(TableError, match=f"line 2: .*{message}"):
        read_rows(path)


def test_an_apostrophe_that_a_later_rule_replaces_depends_on_the_letters_beside_it():
    assert load_folding("eng").keeps_structure("’")
    assert not load_folding("uzn").keeps_structure("’")
