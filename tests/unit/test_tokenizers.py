import random

import pytest
from nltk.tokenize import NLTKWordTokenizer

from textparity.tokenizers import TokenizerChoice, choose_tokenizer, load_tokenizer
from textparity.tokenizers.treebank import tokenize_sentence


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


def test_icu_cuts_sentences_before_lower_casing():
    tokenizer = load_tokenizer(TokenizerChoice("icu", "en", split_sentences=True))
    assert tokenizer.cut(["One. Two.", ""]) == [[["one", "."], ["two", "."]], []]


TRICKY = [
    'he said, "it\'s mine" -- and left...',
    "can't cannot gonna wanna go",
    "''quoted'' ``so'' \"x",
    "$5,000; 50% (a) [b] <c>",
    "d'ye think 'tis 'twas more'n that?",
    "«guillemets» “curly” ‘single’ „low“",
    "the end.) ",
    "a.b. c.d.",
    "e.g. i.e. etc.",
    "dogs' tails, o'clock 'em",
    "--- ... .. * # @ & : ,",
    "nbsp\u00a0and\u2028line",
    "რა ხდება, დედა?",
    "ਮਾਂ। ਪਿਤਾ",
    "'",
    '"',
    " ",
    '"\'"',
]


@pytest.mark.parametrize("text", TRICKY)
def test_the_fast_treebank_tokenizer_is_nltks(text):
    assert tokenize_sentence(text.lower()) == NLTKWordTokenizer().tokenize(text.lower())


def test_the_fast_treebank_tokenizer_is_nltks_on_random_text():
    reference = NLTKWordTokenizer()
    generator = random.Random(5)
    parts = [
        *"ab '\"`.,:;?!-()[]{}<>*$%&@#«»“”’‘„–—3",
        *["n't", "'s", "cannot", "gimme", "...", "--", "''", "мама"],
        "  ",
    ]
    for _ in range(5000):
        text = "".join(generator.choices(parts, k=generator.randint(1, 30)))
        assert tokenize_sentence(text) == reference.tokenize(text), repr(text)


def test_pythainlp_keeps_white_space_as_the_paper_did():
    assert load_tokenizer(TokenizerChoice("pythainlp", "")).cut(["แม่ ของ", ""]) == [[["แม่", " ", "ของ"]], []]


@pytest.mark.parametrize(
    ("engine", "published", "choice"),
    [
        ("icu", "stanza", TokenizerChoice("icu", "sv", split_sentences=True)),
        ("icu", "nltk", TokenizerChoice("icu", "sv")),
        ("published", "stanza", TokenizerChoice("stanza", "sv")),
        ("published", "stanza_mwt", TokenizerChoice("stanza", "sv", expand_words=True)),
        ("published", "nltk", TokenizerChoice("nltk", "")),
    ],
)
def test_an_engine_and_a_row_choose_the_tokenizer(engine, published, choice):
    assert choose_tokenizer(engine, published, "sv", "sv") == choice
