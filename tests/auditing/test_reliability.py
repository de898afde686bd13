"""What an audit says of how far its counts can be trusted."""

from collections import Counter
from pathlib import Path

import pytest
from lexicons import NOUNS

from textparity.auditing.audit import audit
from textparity.auditing.cautions import NOT_OF_SHARE, WHOLE_RESULT, Caution, order_cautions
from textparity.auditing.reliability import find_warnings, lexicon_precision
from textparity.auditing.settings import AuditSettings
from textparity.errors import ConfigError


def warnings(forms, lang="ces", words_per_text=20.0, **settings):
    return list(
        order_cautions(find_warnings(AuditSettings(**settings), lang, Counter(forms), words_per_text, Counter()))
    )


def test_a_form_that_makes_up_a_fifth_of_its_class_is_named():
    forms = {("masculine", "a"): 21, ("masculine", "b"): 20, **{("masculine", f"c{n}"): 1 for n in range(59)}}
    # Without a woman, no word for men moves the share. A word for anyone never does.
    assert warnings(forms | {("unspecified", "d"): 30}) == []
    forms |= {("feminine", f"f{n}"): 1 for n in range(19)}
    assert warnings(forms) == ["few words decide: a is 21% of masculine"]
    # With few matches, each is a large part; a pronoun stands for many people.
    assert warnings({("masculine", "a"): 10}) == warnings({("masculine", "on"): 50}) == []


def test_a_person_who_makes_up_a_tenth_of_a_gender_is_named_however_called():
    forms = {("masculine", name): 4 for name in ("donald trump", "mr. trump", "trump")}
    forms |= {("feminine", f"f{number}"): 1 for number in range(50)}
    forms |= {("masculine", "he"): 60} | {("masculine", f"c{number}"): 1 for number in range(28)}
    assert warnings(forms, lang="eng", method="persons") == ["few persons decide: trump is 12% of masculine"]


def test_a_form_that_readers_found_wrong_is_named_where_it_was_found():
    others = {(gender, f"{gender}{number}"): 10 for gender in ("feminine", "masculine") for number in range(10)}
    found = {("feminine", "mám"): 2, **others}
    assert warnings(found, method="published") == []
    # With a tenth of the other matches, these two move the share.
    found |= dict.fromkeys(others, 1)
    (said,) = warnings(found, method="published")
    assert said == "mám (feminine, 2 matches) did not refer to such a person in 4 of 4 sentences that were checked"
    assert warnings({("feminine", "žena"): 2}, method="published") == []


def test_what_moves_the_share_most_is_said_first_and_what_hardly_does_is_not():
    cautions = [Caution("copies", NOT_OF_SHARE), Caution("a", 0.99), Caution("b", 1.0), Caution("c", 7.0)]
    assert order_cautions([*cautions, Caution("script", WHOLE_RESULT)]) == ("script", "c", "b", "copies")


def test_another_kind_of_text_is_said():
    assert warnings({}, words_per_text=101.0) == [
        "texts are long, but precision was measured on single sentences of news and encyclopedias"
    ]


def test_precision_is_of_the_lexicon_and_language_and_of_nothing_else():
    assert lexicon_precision(AuditSettings(), "ces")["feminine"].judged == 27
    assert lexicon_precision(AuditSettings(), "mlt") == {}
    assert lexicon_precision(AuditSettings(include_words=("feminine:x",)), "ces") == {}
    assert lexicon_precision(AuditSettings(lexicon_folder=Path("mine")), "ces") == {}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "lexicon"}, "method 'lexicon' is not one of persons, words, nouns, published"),
        ({"lexikon": "demo"}, "lexikon is not a setting; settings are "),
        ({"method": "published", "exclude_words": ("man",)}, "words of your own are for the methods words and nouns"),
        ({"method": "nouns", "layers": ("nouns",)}, "layers are those of the method words, not of nouns"),
        ({"lexicon_folder": NOUNS, "layers": ("nouns", "pronouns")}, "layers are those of the method words"),
        ({"lexicon_folder": NOUNS, "method": "words"}, "a lexicon folder is for the method nouns"),
        ({"layers": ("verbs",)}, "layers verbs: choose some of nouns, pronouns"),
        ({"layers": ()}, "layers is empty: choose some of nouns, pronouns"),
        ({"include_words": ("chairwoman",)}, "'chairwoman' is not CLASS:WORD"),
    ],
)
def test_what_cannot_be_counted_together_is_said(settings, said):
    with pytest.raises(ConfigError, match=said):
        audit(["A man."], "eng", **settings)


def test_a_word_of_ones_own_brings_no_other_layer():
    found = audit(["His sister, a chairbeing."], "eng", layers=("pronouns",),
                  include_words=("unspecified:chairbeing",))["eng"].matches  # fmt: skip
    assert (found["feminine"], found["masculine"], found["unspecified"]) == (0, 1, 1)


def test_words_and_layers_of_ones_own_change_the_count():
    texts = ["A woman and a man saw the chairbeing."]
    result = audit(
        texts, "eng", lexicon_folder=NOUNS, exclude_words=("Man",), include_words=("unspecified:chairbeing",)
    )
    row = result["eng"].matches
    assert (row["feminine"], row["masculine"], row["unspecified"]) == (1, 0, 1)
    found = audit(["His sister read it to Mary."], "eng", layers=("nouns", "pronouns"))["eng"]
    assert found.layers == {
        "nouns": {"feminine": 1, "masculine": 0, "unspecified": 0},
        "pronouns": {"feminine": 0, "masculine": 1, "unspecified": 0},
    }
