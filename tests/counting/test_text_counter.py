"""Counting with real tokenizers and a small lexicon."""

import json

import pytest

from textparity.corpora.reading import read_batches, read_corpus, read_metadata
from textparity.counting import PROCEDURES
from textparity.counting.lexicon import Entry, Lexicon
from textparity.counting.text_counter import count_texts
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity_studies.lexicon.counts import count_lexicon, count_schema


def lexicon(**forms):
    return Lexicon([Entry(name, "singular", form) for name, these in forms.items() for form in these])


def both(text, words, kind="icu", code="en", first_sentence=True):
    tokenizer = load_tokenizer(TokenizerChoice(kind, code, split_sentences=True))
    (counted,) = count_texts([text], tokenizer, words, first_sentence)
    return [(counts.words, [match.form for match in counts.matches]) for counts in counted.values()]


def test_the_slip_keeps_only_the_first_sentence():
    words = lexicon(feminine=["mother"], masculine=["father"])
    text = "My Mother came. Her father stayed."
    assert both(text, words) == [(4, ["mother"]), (8, ["mother", "father"])]
    assert both(text, words, first_sentence=False)[0] == (8, ["mother", "father"])


def test_white_space_tokens_are_words_only_in_the_published_count():
    words = lexicon(feminine=["แม่"])
    published, corrected = both("แม่ ของ ฉัน", words, "pythainlp", "", first_sentence=False)
    assert published == (5, ["แม่"])
    assert corrected == (3, ["แม่"])


def test_a_token_with_a_space_is_one_word():
    class Compounds:
        spaces_in_tokens = True

        def cut(self, texts):
            return [[["công bố", "\u00a0", "anh  em", "bố"]] for _ in texts]

    words = lexicon(masculine=["bố"], unspecified=["anh em"])
    (counted,) = count_texts(["công bố\u00a0anh  em bố"], Compounds(), words, first_sentence=False)
    corrected = counted["corrected"]
    assert (corrected.words, [match.form for match in corrected.matches]) == (3, ["anh em", "bố"])


def test_decomposed_text_meets_composed_forms_when_corrected():
    words = lexicon(feminine=["mère"])
    published, corrected = both("Sa me\u0300re.", words, code="fr")
    assert published[1] == []
    assert corrected == (3, ["mère"])


@pytest.mark.parametrize("text", ["", "   ", "\u2028"])
def test_a_blank_text_has_no_words(text):
    assert both(text, lexicon(feminine=["mother"])) == [(0, []), (0, [])]


def test_a_corpus_is_counted_text_by_text(tmp_path):
    (tmp_path / "texts.txt").write_text("Parents and sons.\n\nA son.\n" * 700)
    nouns = {"feminine": [], "masculine": [{"singular": "son", "plural": "sons"}, {"plural": "parents"}],
             "unspecified": [{"plural": "parents"}, {"singular": "family member", "plural": ""}]}  # fmt: skip
    (tmp_path / "lexicon.json").write_text(json.dumps(nouns))
    read_corpus(tmp_path / "texts.txt", tmp_path / "texts.parquet", "demo", "eng")
    count_lexicon(
        [tmp_path / "texts.parquet"], tmp_path / "lexicon.json", [tmp_path / "counts.parquet"],
        ["demo"], "eng", TokenizerChoice("icu", "en", split_sentences=True),
    )  # fmt: skip
    columns = {name: [] for name in count_schema(PROCEDURES).names}
    for batch in read_batches(tmp_path / "counts.parquet", 500):
        for name, values in batch.items():
            columns[name] += values
    assert columns["id"] == [f"demo/{number:06d}" for number in range(1, 2101)]
    assert columns["corrected_words"][:3] == [4, 0, 3]
    assert columns["corrected_masculine"][:3] == [2, 0, 1]
    assert columns["corrected_unspecified"][:3] == [1, 0, 0]
    assert columns["corrected_feminine_and_masculine"][:3] == [0, 0, 0]
    assert columns["published_matches"][0] == [
        {"form": "parents", "classes": "masculine unspecified", "layer": "nouns"},
        {"form": "sons", "classes": "masculine", "layer": "nouns"},
    ]  # fmt: skip
    assert columns["doc_id"][:2] == ["000001", "000002"]
    metadata = read_metadata(tmp_path / "counts.parquet")
    assert (metadata["corpus"], metadata["lang"], metadata["engine"]) == ("demo", "eng", "icu")
    assert metadata["tokenizer"].startswith("ICU (en")
    assert metadata["lexicon_repairs"] == {"empty": 1, "no_letter": 0, "multi_word": 1, "not_nfc": 0, "trimmed": 0}
