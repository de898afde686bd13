"""A repeated sentence, or surnames that the texts teach, may supply most of the women or men: this is said first."""

from itertools import product

import pytest

import textparity
from textparity.auditing.contexts import digest_context

FOOTER = "Pictures by Maria Teknologi, all rights reserved."
# Each sentence has other words. Numbers are not enough, since those of footers differ too.
WORDS = [f"{first}{vowel}{last}ple" for first, vowel, last in product("bdfgk", "aeio", "lm")]
STORIES = [f"The {word} saw a man {word} and the {word} house." for word in WORDS]


def audit(texts, **options):
    (found,) = textparity.audit(texts, "eng", **options)
    return found


def test_a_footer_is_named_in_the_warning_and_the_verdict():
    found = audit([f"{story} {FOOTER}" for story in STORIES])
    assert found.warnings[0] == "one sentence supplies 100 % of the women"
    assert found.verdict_reason.endswith("one sentence supplies 100 % of the women")


def test_a_text_that_is_split_as_a_whole_takes_no_context_from_others():
    # A letter that is not in NFC as lower case, and a line separator alone.
    odd = "I\u0307 went. Stray \u2028 words."
    found = audit([odd, *(f"{story} {FOOTER}" for story in STORIES)])
    assert found.warnings[0] == "one sentence supplies 100 % of the women"


def test_mentions_in_a_footer_have_one_digest_whatever_its_numbers():
    sentences = [f"It ends. Page {number} of 99, pictures by Ann Lee {number}." for number in (7, 1_000)]
    first, second = (digest_context(one, one.index("Ann"), one.index("Lee") + 3) for one in sentences)
    assert first == second
    other = "It ends. Page 7 of 99, texts by Ann Lee 7."
    assert digest_context(other, other.index("Ann"), other.index("Lee") + 3) != first


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_share_of_a_sentence_does_not_depend_on_the_order_of_texts(tmp_path, jobs):
    texts = [f"{story} {FOOTER}" for story in STORIES] + [
        f"The {word} met a woman {word} in a {word} garden." for word in WORDS[:30]
    ]
    for order in (texts, texts[::-1]):
        files = []
        for number, part in enumerate((order[:13], order[13:])):
            files.append(tmp_path / f"{number}.txt")
            files[-1].write_text("\n".join(part) + "\n", encoding="utf-8")
        row = textparity.audit_files(files, "eng", jobs=jobs)["eng"]
        assert "one sentence supplies 57 % of the women" in row.warnings


def test_different_sentences_and_copies_of_texts_are_no_footer():
    assert not [warning for warning in audit(STORIES).warnings if "one sentence" in warning]
    copies = audit(STORIES[:2] * 20)
    assert not [warning for warning in copies.warnings if "one sentence" in warning]
    assert [warning for warning in copies.warnings if "copies" in warning]


def test_learned_surnames_name_their_source_and_can_be_excluded():
    texts = [
        f"Late {word} Angela Zorbat {word} spoke. Then {word} of {word} Zorbat {word} came." for word in WORDS[:20]
    ]
    found = audit(texts)
    (zorbat,) = [word for word in found.frequent_words["feminine"] if word.word == "zorbat"]
    assert (zorbat.count, zorbat.learned, zorbat.learned_from) == (20, 20, "Angela Zorbat")
    assert "50 % of the women and men are names that the texts show, such as zorbat" in found.warnings[0]
    excluded = audit(texts, exclude_words=("Zorbat",))
    assert [word.word for word in excluded.frequent_words["feminine"]] == ["angela"]
