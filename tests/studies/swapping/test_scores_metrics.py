import sys

import pytest

for package in ("rouge_score", "sacrebleu", "spacy"):
    pytest.importorskip(package)

from textparity.errors import MissingResourceError  # noqa: E402
from textparity_studies.swapping import scores as swap_metrics  # noqa: E402
from textparity_studies.swapping.outputs import tidy  # noqa: E402
from textparity_studies.swapping.scores import (  # noqa: E402
    Pair,
    bleu_counts,
    corpus_bleu,
    exact_match,
    match_without_persons,
    matched_titles,
    rouge_l,
    same_token_count,
)
from textparity_studies.swapping.word_forms import UnicodeWords, pieces, rule_tokens, sentence_key  # noqa: E402


def pair(reference, output, titles=(), persons=(), tidied=None):
    return Pair("sentence", reference, output, output if tidied is None else tidied, titles, persons)


@pytest.mark.parametrize(
    ("package", "measure"), [("rouge_score.rouge_scorer", rouge_l), ("sacrebleu.metrics", bleu_counts)]
)
def test_without_its_package_a_score_names_the_extra(monkeypatch, package, measure):
    monkeypatch.setitem(sys.modules, package, None)
    for load in (swap_metrics._rouge, swap_metrics._bleu):
        load.cache_clear()
    with pytest.raises(MissingResourceError, match=r"is not installed; .*make swapping"):
        measure(pair("а", "б"), True)


def test_white_space_counts_as_published_alone():
    spaced = pair("Він прийшов .\n", "Він прийшов.")
    assert not exact_match(spaced, corrected=False)
    assert exact_match(spaced, corrected=True)
    # A line end that came with the corpus is enough.
    assert not exact_match(pair("Він прийшов.\n", "Він прийшов."), corrected=False)
    assert not exact_match(pair("Він прийшов .", "Він прийшов!"), corrected=True)


@pytest.mark.parametrize(
    ("output", "matches"),
    [
        ("Лікарка Марія Бойко прийшла.", True),
        ("Лікарка М. Бойко-Коваль прийшла.", True),
        ("Лікарка прийшла.", True),
        ("Лікарка та Марія Бойко прийшла.", False),
        ("Лікарка Марія Бойко пішла.", False),
        ("Марія Бойко, лікарка, прийшла.", False),
    ],
)
@pytest.mark.parametrize("corrected", [False, True])
def test_any_name_may_stand_in_a_persons_place(output, matches, corrected):
    tried = pair("Лікарка Ольга Коваль прийшла .", output, persons=("Ольга Коваль",))
    assert match_without_persons(tried, corrected) is matches


def test_a_reference_without_known_persons_is_matched_as_it_stands():
    assert match_without_persons(pair("Ольга прийшла .", "Ольга прийшла.", persons=None), corrected=False)
    assert not match_without_persons(pair("Ольга прийшла .", "Марія прийшла.", persons=None), corrected=False)


def test_the_same_name_twice_is_left_out_in_both_places():
    tried = pair("Ольга й Ольга .", "Марія й Віра.", persons=("Ольга", "Ольга"))
    assert match_without_persons(tried, corrected=True)
    assert not match_without_persons(pair("Ольга й Ольга .", "Марія й Віра.", persons=("Ольга",)), corrected=True)


@pytest.mark.parametrize(
    ("output", "titles", "published", "corrected"),
    [
        ("Прийшла лікарка.", ("лікарка",), 1, 1),
        ("Лікарка прийшла.", ("лікарка",), 0, 1),
        # A part of a word is no title.
        ("Прийшла ветлікарка.", ("лікарка",), 0, 0),
        ("Прийшла в. о. голови.", ("в . о . голови",), 0, 1),
        # Each place counts once, and not as a part of another title.
        ("Прийшла лікарка.", ("лікарка", "лікарка"), 1, 1),
        ("Прийшла головна лікарка.", ("лікарка", "головна лікарка"), 1, 1),
        ("Прийшли головна лікарка й лікарка.", ("лікарка", "головна лікарка"), 2, 2),
        ("Ніхто не прийшов.", None, 0, 0),
    ],
)
def test_titles_are_looked_for_as_whole_words(output, titles, published, corrected):
    tried = pair("-", output, titles=titles)
    assert (matched_titles(tried, corrected=False), matched_titles(tried, corrected=True)) == (published, corrected)


def test_a_tidied_output_takes_beginning_and_end_from_its_source():
    assert tidy("Лікарка.", "лікар") == "лікарка"
    assert tidy("Лікарка.", "Лікар прийшов. ") == "Лікарка."
    assert tidy("", "лікар") == ""
    tidied = pair("лікарка", "Лікарка.", titles=("лікарка",), tidied="лікарка")
    assert match_without_persons(tidied, corrected=False)
    assert matched_titles(tidied, corrected=False) == 1
    assert same_token_count(tidied, corrected=False)
    # What the paper compares as it is: BLEU, ROUGE-L, exact match; corrected, everything.
    assert not exact_match(tidied, corrected=False)
    assert not match_without_persons(tidied, corrected=True)


def test_line_ends_are_tokens_of_the_rules_and_punctuation_is_no_word():
    assert rule_tokens("Він прийшов .\n") == ("Він", "прийшов", ".", "\n")
    tried = pair("Він прийшов .\n", "Він прийшов.")
    assert not same_token_count(tried, corrected=False)
    assert same_token_count(tried, corrected=True)


def test_rouge_as_published_sees_no_cyrillic():
    same = pair("лікарка прийшла", "лікарка прийшла")
    assert rouge_l(same, corrected=False) == 0
    assert rouge_l(same, corrected=True) == 1
    # Years and Latin letters alone decide.
    assert rouge_l(pair("лікар у 2019", "кухар у 2019"), corrected=False) == 1
    # Longest common sequence 2 of 3 and 4 words.
    assert rouge_l(pair("Лікарка Ольга прийшла", "лікарка вчора не прийшла"), True) == pytest.approx(4 / 7)


def test_bleu_is_of_all_items_together():
    pairs = [pair("a b c d e", "a b c d e"), pair("f g", "f h")]
    counts = [bleu_counts(one, corrected=False) for one in pairs]
    sums = [sum(column) for column in zip(*counts, strict=True)]
    assert sums == [6, 4, 3, 2, 7, 5, 3, 2, 7, 7]
    # (6/7 · 4/5 · 3/3 · 2/2) ^ 1/4, no brevity penalty.
    assert corpus_bleu(sums) == pytest.approx((6 / 7 * 4 / 5) ** 0.25)
    assert corpus_bleu(counts[0]) == pytest.approx(1)
    # No four words together agree, and nothing is smoothed.
    assert corpus_bleu(bleu_counts(pair("a b c d e", "a b c x e"), corrected=False)) == 0


def test_bleu_as_published_does_not_cut_off_ukrainian_quotation_marks():
    quoted = pair("фірма «Схід»", "фірма «Захід»")
    assert bleu_counts(quoted, corrected=False)[4] == 2
    assert bleu_counts(quoted, corrected=True)[4] == 4


def test_apostrophes_are_one_and_inside_a_word():
    assert UnicodeWords().tokenize("Прем’єр, премʼєр, прем'єр") == ["прем'єр"] * 3
    assert pieces("в . о .") == pieces("в.о.") == ["в", ".", "о", "."]
    assert sentence_key("здоровʼя людей .\n") == sentence_key("здоров’я  людей.")
