"""What cutting off clitics changes in NTREX-128 under the icu engine: persons behind an elided article are found."""

import os

import pytest

from parallel_texts import load_study_registry
from textparity.counting.lexicon import Lexicon, read_lexicon
from textparity.counting.text_counter import count_texts
from textparity.counting.tokenizers import IcuTokenizer, load_tokenizer
from textparity.sources.model_files import Mirror

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


@pytest.mark.parametrize(
    ("lang", "without", "cut"),
    [
        # Feminine and masculine; feminine nouns seldom begin with a vowel.
        ("cat", (108, 141), (108, 150)),
        ("eng", (77, 97), (80, 101)),
        ("fra", (77, 109), (77, 117)),
        ("ita", (87, 146), (87, 158)),
        ("gle", (44, 79), (45, 79)),
        # Of ma' (with), ma (mother) was left.
        ("mlt", (481, 102), (409, 103)),
        # Words of the language that are no persons.
        ("cym", (46, 95), (46, 95)),
        ("tgl", (54, 50), (54, 50)),
        # Apostrophes that are letters, or join suffixes to names, are in no row.
        ("bel", (103, 259), (103, 259)),
        ("nld", (95, 102), (95, 102)),
        ("tur", (87, 74), (87, 74)),
        ("uzn", (138, 50), (138, 50)),
    ],
)
def test_persons_behind_a_clitic_are_found(lang, without, cut):
    registry, mirror = load_study_registry(), Mirror(os.environ["TEXTPARITY_MIRROR"])
    texts, lexicon = (
        mirror.find(file.url)[0]
        for file in (registry.corpus_file("ntrex", lang), registry.lexicon_file("gender_gap_v1.0", lang))
    )
    lines, forms = texts.read_text("utf-8").splitlines(), Lexicon(read_lexicon(lexicon))
    locale = registry.languages[lang].icu_locale
    for tokenizer, expected in (
        (IcuTokenizer(locale), without),
        (load_tokenizer(registry.tokenizer(lang, "icu")), cut),
    ):
        counted = [of_text["corrected"] for of_text in count_texts(lines, tokenizer, forms, first_sentence=False)]
        found = [match.classes for counts in counted for match in counts.matches]
        assert tuple(sum(name in classes for classes in found) for name in ("feminine", "masculine")) == expected
