import json

import pytest

from textparity.counting.lexicon import Entry, Lexicon, read_lexicon
from textparity.errors import InputError

EMPTY = {"feminine": [], "masculine": [], "unspecified": []}


def write(tmp_path, content):
    path = tmp_path / "xyz_nouns.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def lexicon(feminine=(), masculine=(), unspecified=()):
    entries = [
        Entry(name, "singular", form)
        for name, forms in zip(EMPTY, (feminine, masculine, unspecified), strict=True)
        for form in forms
    ]
    return Lexicon(entries)


def test_a_lexicon_is_read_as_it_is_spelt(tmp_path):
    nouns = EMPTY | {"feminine": [{"singular": "Mutter ", "plural": ""}, {"plural": "Frauen"}]}
    assert read_lexicon(write(tmp_path, nouns)) == [
        Entry("feminine", "singular", "Mutter "),
        Entry("feminine", "plural", ""),
        Entry("feminine", "plural", "Frauen"),
    ]


def test_other_names_of_the_classes_are_read(tmp_path):
    path = write(tmp_path, {"female": [{"singular": "māte"}], "male": [], "unspecified": []})
    assert read_lexicon(path) == [Entry("feminine", "singular", "māte")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"feminine": [}', "line 1, column 15: not valid JSON"),
        (b"\xff\xfe", "byte 1 is not valid UTF-8"),
        ([], "must be an object with the keys feminine, masculine, unspecified"),
        ({"feminine": [], "masculine": []}, "class unspecified is missing; add it"),
        (EMPTY | {"neuter": []}, "unknown class neuter"),
        (EMPTY | {"masculine": {}}, "masculine: must be a list"),
        (EMPTY | {"masculine": [{"singular": "far"}, {"dual": "x"}]}, "masculine, noun 2: must be an object"),
        (EMPTY | {"masculine": [{"singular": 3}]}, "masculine, noun 1: singular must be a string"),
    ],
)
def test_a_malformed_lexicon_is_named_with_the_place(tmp_path, content, said):
    path = write(tmp_path, content)
    with pytest.raises(InputError) as error:
        read_lexicon(path)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def corrected(words, tokens, text=None):
    return [match.form for match in words.corrected.match([tokens], text or " ".join(tokens))]


@pytest.mark.parametrize(
    ("forms", "tokens", "text", "published", "found"),
    [
        (["эмэгтэй", "эмэгтэй рүү"], ["тэр", "эмэгтэй", "рүү", "явав"], None, ["эмэгтэй"], ["эмэгтэй рүү"]),
        (["女孩", "女"], ["女", "孩", "和", "女", "人"], "女孩和女人", ["女", "女"], ["女孩", "女"]),
        (["แม่บ้าน", "แม่"], ["แม่", "บ้าน", "กับ", "แม่"], "แม่บ้านกับแม่", ["แม่", "แม่"], ["แม่บ้าน", "แม่"]),
        (["ربة بيت"], ["قالت", "ربة", "بيت"], None, [], ["ربة بيت"]),
        (["học sinh"], ["em", "học sinh"], None, ["học sinh"], ["học sinh"]),
        (["grand-mère", "mère"], ["ma", "grand", "-", "mère"], "ma grand-mère", ["mère"], ["grand-mère"]),
        (["grandfather"], ["grand", "father"], "grand father", [], []),
        (["sister ", " aunt"], ["sister", "aunt"], None, [], ["sister", "aunt"]),
        (["", " "], ["x"], None, [], []),
        (["-"], ["a", "-", "b"], None, ["-"], []),
    ],
    ids=["mongolian", "chinese", "thai", "arabic", "vietnamese", "hyphen", "two words", "stray", "empty", "dash"],
)  # fmt: skip
def test_forms_are_found_by_both_procedures(forms, tokens, text, published, found):
    words = lexicon(feminine=forms)
    assert [match.form for match in words.match_published(tokens)] == published
    assert corrected(words, tokens, text) == found


def test_the_longest_match_wins_over_another_class():
    words = lexicon(feminine=["bride"], masculine=["father of the bride", "father"])
    tokens = ["the", "father", "of", "the", "bride", "and", "the", "father", "of", "a", "bride"]
    matches = words.corrected.match([tokens], " ".join(tokens))
    assert [(match.form, *match.classes) for match in matches] == [
        ("father of the bride", "masculine"), ("father", "masculine"), ("bride", "feminine"),
    ]  # fmt: skip


def test_overlapping_forms_give_way_to_the_longer_and_free_the_shorter():
    words = lexicon(feminine=["a b", "b c d", "a"])
    assert corrected(words, list("abcd"), "a b c d") == ["a", "b c d"]


def test_a_form_in_two_classes_counts_in_both():
    words = lexicon(masculine=["Padres"], unspecified=["padres"])
    for match in (
        words.match_published(["los", "padres"]),
        words.corrected.match([["los", "padres"]], "los padres"),
    ):
        assert [one[:2] for one in match] == [("padres", frozenset({"masculine", "unspecified"}))]


def test_unicode_forms_meet_in_nfc_only_when_corrected():
    decomposed = "me\u0300re"
    words = lexicon(feminine=[decomposed])
    assert corrected(words, ["mère"]) == ["mère"]
    assert words.match_published(["mère"]) == []
    assert words.repairs["not_nfc"] == [decomposed]
