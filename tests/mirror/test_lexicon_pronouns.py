"""Pronouns: what is impersonal is nobody, and what tells no gender has none."""

import pytest

import textparity

pytestmark = pytest.mark.mirror


def count(lang, text):
    row = textparity.audit([text], lang, method="words")[lang].matches
    return row["feminine"], row["masculine"], row["unspecified"]


IMPERSONAL = [
    "Il y a du pain.", "Il n’y a pas de pain.", "Il faut partir.", "Il ne faut pas partir.", "Il me faut partir.",
    "Il s'agit de partir.", "Il s’agit de partir.", "Il ne s'agit pas de cela.", "Il est nécessaire de partir.",
    "Il n'est pas nécessaire de partir.", "Il ne sera pas possible de partir.", "Il est très important que tu lises.",
    "Il m'est impossible de partir.", "Il semble que tout change.", "Il me semble que oui.", "Il paraît que tu lis.",
    "Il pleut.", "Il ne pleut pas.", "Il fait froid.", "Il est tard.", "Il est huit heures.", "Il vaut mieux partir.",
    "Il convient de noter la date.", "Il suffit de lire.", "Il reste deux jours.", "Il a fallu partir.",
    "Il a été décidé de partir.", "Il doit y avoir du pain.", "Il se peut que tout change.", "Il en va de même.",
    "Faut-il partir ?", "Y a-t-il du pain ?", "Est-il possible de partir ?", "Quelle heure est-il ?",
    "Je crois qu'il faut partir.", "IL FAUT PARTIR.",
]  # fmt: skip


@pytest.mark.parametrize("text", IMPERSONAL)
def test_impersonal_il_is_nobody(text):
    assert count("fra", text) == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Il rit.", (0, 1, 0)),
        ("Elle rit.", (1, 0, 0)),
        ("Il est parti, et elle est restée.", (1, 1, 0)),
        ("Vient-il ? Dort-elle ?", (1, 1, 0)),
        ("Je sais qu’il dort et qu'elle lit.", (1, 1, 0)),
        ("Il a faim. Il ne dort pas. Il fait ses devoirs.", (0, 3, 0)),
        ("Il reste ici, et il y va.", (0, 2, 0)),
        # Of things.
        ("Il coûte cher, elle contient du sucre.", (0, 0, 0)),
    ],
)
def test_other_il_and_elle_are_persons(text, expected):
    assert count("fra", text) == expected


@pytest.mark.parametrize(
    ("lang", "text", "unspecified"),
    [
        ("kor", "그는 왔다. 그가 말했다.", 2),
        ("eng", "Xe smiled, and I met xem.", 2),
        ("eng", "Ze took hir book.", 2),
        ("eng", "Mx Smith spoke.", 1),
        ("eng", "Ey told eir friend.", 3),
        ("fra", "Iel rit. Ielle rit.", 2),
        ("deu", "Xier lacht, und dey lacht.", 2),
        ("spa", "Elle ríe.", 1),
        ("swe", "Hen skrattar.", 1),
    ],
)
def test_neutral_pronouns_have_no_gender(lang, text, unspecified):
    assert count(lang, text) == (0, 0, unspecified)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("nld", "Ze lacht."),
        ("deu", "Der Dey von Algier."),
        ("eng", "Xe isotopes and ze cars set the MX record."),
        ("bel", "Беларускі бок і старонкі беларускай гісторыі."),
    ],
)
def test_homographs_of_pronouns_and_nouns_are_nobody(lang, text):
    assert count(lang, text) == (0, 0, 0)


def test_the_belarusian_woman_is_found():
    assert count("bel", "Гэта дом маёй беларускі.") == (1, 0, 0)
