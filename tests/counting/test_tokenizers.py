import pytest

from textparity.auditing.languages import load_registry
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer


@pytest.mark.parametrize(
    ("locale", "text", "tokens"),
    [
        ("en", "The Mother's dog, isn't it?", ["the", "mother's", "dog", ",", "isn't", "it", "?"]),
        ("de", "Ex-Frau  und\u00a0Mann", ["ex", "-", "frau", "und", "mann"]),
        ("ar", "قالت الأم: نعم", ["قالت", "الأم", ":", "نعم"]),
        ("th", "แม่ของฉัน", ["แม่", "ของ", "ฉัน"]),
        ("zh-Hans", "我的母亲是老师。", ["我的", "母亲", "是", "老师", "。"]),
        ("mn", "Эмэгтэй рүү.", ["эмэгтэй", "рүү", "."]),
    ],
)
def test_icu_cuts_words_in_many_scripts(locale, text, tokens):
    assert load_tokenizer(TokenizerChoice("icu", locale)).cut([text]) == [[tokens]]


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("fra", "L’homme dit qu'aujourd’hui", ["l’", "homme", "dit", "qu'", "aujourd’hui"]),
        ("fra", "prud'homme, quelqu'un, O'Neill", ["prud'homme", ",", "quelqu'un", ",", "o'neill"]),
        ("ita", "dell'uomo un po' d’acqua", ["dell'", "uomo", "un", "po", "'", "d’", "acqua"]),
        # The clitic after a word is of verbs: cut off dona'ls (gives them), it would leave a woman.
        ("cat", "l'home dona'ls d'en", ["l'", "home", "dona'ls", "d'", "en"]),
        ("eng", "A woman's, men’s, o'clock isn't", ["a", "woman", "'s", ",", "men", "’s", ",", "o'clock", "isn't"]),
        ("cym", "rhieni'n mae’r", ["rhieni", "'n", "mae", "’r"]),
        ("gle", "m'iníon d’imir", ["m'", "iníon", "d’", "imir"]),
        ("mlt", "b'raġel ma' ta’ dawn", ["b'", "raġel", "ma'", "ta’", "dawn"]),
        ("mlt", "'ommi' f' b'", ["'", "ommi'", "f'", "b'"]),
        ("lug", "n'abantu kw’abakyala b'e", ["n'", "abantu", "kw’", "abakyala", "b'", "e"]),
        ("tgl", "ama't ina'y", ["ama", "'t", "ina", "'y"]),
        # Letters, plurals, and suffixes of names.
        ("bel", "сям'я аб’ява", ["сям'я", "аб’ява"]),
        ("uzn", "oʻgʻil o‘g‘il ta'lim", ["oʻgʻil", "o‘g‘il", "ta'lim"]),
        ("asm", "ল'ৰা", ["ল'ৰা"]),
        ("nld", "oma's foto’s", ["oma's", "foto’s"]),
        ("tur", "Nine'nin", ["nine'nin"]),
        ("est", "Google'i", ["google'i"]),
    ],
)
def test_icu_cuts_off_the_clitics_of_a_languages_row(lang, text, tokens):
    row = load_registry().languages[lang]
    tokenizer = load_tokenizer(TokenizerChoice("icu", row.icu_locale, clitics=row.clitics))
    assert tokenizer.cut([text]) == [[tokens]]


def test_icu_cuts_sentences_before_lower_casing():
    tokenizer = load_tokenizer(TokenizerChoice("icu", "en", split_sentences=True))
    assert tokenizer.cut(["One. Two.", ""]) == [[["one", "."], ["two", "."]], []]


def test_pythainlp_keeps_white_space_as_the_paper_did():
    assert load_tokenizer(TokenizerChoice("pythainlp", "")).cut(["แม่ ของ", ""]) == [[["แม่", " ", "ของ"]], []]


@pytest.mark.parametrize(
    ("engine", "lang", "choice"),
    [
        ("icu", "eng", TokenizerChoice("icu", "en", split_sentences=True, clitics="'s 'm 're 've 'll 'd")),
        ("icu", "ben", TokenizerChoice("icu", "bn")),
        ("paper", "swe", TokenizerChoice("stanza", "sv")),
        ("paper", "eng", TokenizerChoice("stanza", "en", expand_words=True)),
        ("paper", "ben", TokenizerChoice("nltk", "punkt_tab")),
    ],
)
def test_an_engine_and_a_row_choose_the_tokenizer(engine, lang, choice):
    assert load_registry().tokenizer(lang, engine) == choice
