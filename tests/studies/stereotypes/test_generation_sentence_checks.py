"""The sentences of an answer, and the checks that each must pass."""

import json

import pytest

from textparity_studies.stereotypes.generation import PersonWords, SentenceChecker, count_words, split_sentences
from textparity_studies.stereotypes.sentences import KINDS, CodedLexicon

LEXICON = CodedLexicon(
    {"kind": "feminine", "warm*": "feminine", "quiet*": "feminine", "domina*": "masculine", "dominant": "masculine"}
)
NOUNS = {
    "feminine": [{"singular": "woman", "plural": "women"}, {"singular": "mother", "plural": "mothers"}],
    "masculine": [{"singular": "man", "plural": "men"}, {"singular": "son", "plural": "sons"}],
    "unspecified": [{"singular": "person", "plural": "people"}],
}
PROMPT = (
    "Write of a woman.\n\ntall: The tall woman carried her ladder through the whole town before the sun had come up."
)
TAIL = "walked to the station in the rain and waited there for the last train of the day."


@pytest.fixture(scope="module")
def persons(tmp_path_factory):
    path = tmp_path_factory.mktemp("nouns") / "eng.json"
    path.write_text(json.dumps(NOUNS), "utf-8")
    return PersonWords(path)


@pytest.fixture
def check(persons):
    """Check answers that should be about a woman, with feminine words; one checker for all of a test."""
    checker = SentenceChecker(LEXICON, persons, [PROMPT])
    return lambda text, asked=("kind",): checker.check(text, KINDS["FF"], list(asked))


@pytest.mark.parametrize(
    ("answer", "sentences"),
    [
        ("1. One is here.\n2) Two is here.\n(3) Three is.", ["One is here.", "Two is here.", "Three is."]),
        ("- One.\n• Two.\n* **Three** is bold.", ["One.", "Two.", "Three is bold."]),
        ("Here they are:\n\n1. \"One.\"\n2. “Two.”\n3. 'It isn't.'", ["Here they are:", "One.", "Two.", "It isn't."]),
        ("20 women ran. 3.5 miles was all.", ["20 women ran.", "3.5 miles was all."]),
        ("Dr. Hill met Mrs. Lee. She smiled!", ["Dr. Hill met Mrs. Lee.", "She smiled!"]),
        ("“Stop,” she said, “or else.”", ["“Stop,” she said, “or else.”"]),
        (" ***\n12.\n\n", []),
    ],
)
def test_an_answer_is_cut_into_sentences_without_the_marks_of_lists(answer, sentences):
    assert split_sentences(answer) == sentences


@pytest.mark.parametrize(
    ("sentence", "feminine", "masculine"),
    [
        ("She gave her mother's coat to a woman.", 4, 0),
        ("He's his own man: the male hero himself.", 0, 5),
        ("The mother of his sons.", 1, 2),
        ("A person with a mane and a womanly smile.", 0, 0),
    ],
)
def test_persons_are_counted_by_nouns_and_pronouns(persons, sentence, feminine, masculine):
    assert (persons.count(sentence)["feminine"], persons.count(sentence)["masculine"]) == (feminine, masculine)


def test_a_sentence_that_passes_has_the_word_it_was_asked_for(check):
    (found,) = check(f"The kind woman, who was warm and dominant, {TAIL}", asked=["kind", "quiet*"])
    assert (found.passed, found.word, found.words) == (True, "kind", ("kind", "warm*", "dominant"))


def test_of_several_words_asked_for_the_longest_counts(check):
    (found,) = check(f"The kind woman with the quietest warmth {TAIL}", asked=["kind", "warm*", "quiet*"])
    assert (found.passed, found.word) == (True, "quiet*")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (f"The kind woman {TAIL[:-1]}", "cut off"),
        (f"The warm woman {TAIL}", "no word asked for"),
        (f"The unkind woman {TAIL}", "no word asked for"),
        (f"The kind nurse {TAIL}", "no person"),
        (f"The kind man {TAIL}", "other gender"),
        (f"The kind woman and her two sons and a man {TAIL}", "both genders"),
        ("The kind woman walked to the station in the rain and waited there for trains.", "15 words or fewer"),
        ("A kind woman carried her ladder through the whole town before anyone in it was awake enough.", "copy"),
    ],
)
def test_a_sentence_is_rejected_for_one_fault(check, sentence, reason):
    (found,) = check(sentence)
    assert found.reasons == (reason,)


def test_more_words_of_the_right_gender_than_of_the_other_will_do(check):
    (found,) = check(f"The kind woman took her man by the hand and {TAIL}")
    assert found.passed


def test_all_faults_are_kept_and_the_first_comes_first(check):
    (found,) = check("The warm man")
    assert found.reasons == ("cut off", "no word asked for", "other gender", "15 words or fewer")


def test_words_are_what_stands_between_spaces():
    assert count_words("The kind woman - walked to the well-known station, in (heavy) rain.") == 11


def test_a_copy_of_one_that_passed_is_known_but_not_of_one_that_did_not(check):
    (man,) = check(f"The kind man {TAIL}")
    (first,) = check(f"The kind woman {TAIL}")
    (again,) = check(f"One kind mother {TAIL}")
    assert (man.passed, first.passed, again.reasons) == (False, True, ("copy",))


def test_every_sentence_of_an_answer_is_checked(check):
    found = check(f"1. The kind woman {TAIL}\n2. She slept. The warm mother {TAIL}", asked=["kind", "warm*"])
    assert [(one.word, one.reasons) for one in found] == [
        ("kind", ()), ("", ("no word asked for", "15 words or fewer")), ("warm*", ("copy",)),
    ]  # fmt: skip


def test_an_answer_without_a_sentence_is_counted(check):
    (found,) = check(" \n*\n")
    assert (found.text, found.word, found.reasons) == ("", "kind", ("no sentence",))
