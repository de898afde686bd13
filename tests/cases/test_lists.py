"""Names, pronouns and nouns that are no person of their gender: counted from real lists."""

import pytest

from parallel_texts import load_counter


def count(lang, texts):
    """Return the feminine and masculine matches of each text."""
    (found,) = load_counter(lang).count(texts).values()
    genders = found.by_class()
    return list(zip(genders["feminine"].tolist(), genders["masculine"].tolist(), strict=True))


@pytest.mark.parametrize(
    ("lang", "texts", "found"),
    [
        (
            "eng",
            ["Mr Sharon spoke.", "Ariel Sharon spoke.", "On Christmas Eve in Victoria.", "To Port Augusta."],
            [(0, 1), (0, 0), (0, 0), (0, 0)],
        ),
        ("eng", ["On New Year's Eve.", "Chelsea won.", "Hurricane Rosa hit Charlotte County."], [(0, 0)] * 3),
        ("eng", ["Mrs. Sharon and Rosa Parks spoke."], [(2, 0)]),
        # As in a list of the same case: nothing, a woman, a man.
        (
            "fra",
            ["Le comité directeur et le plan directeur.", "Directrice du musée.", "Directeur du musée."],
            [(0, 0), (1, 0), (0, 1)],
        ),
        ("fra", ["Une ligne directrice et des idées directrices."], [(0, 0)]),
        ("fra", ["Les droits de l'homme.", "L’homme a parlé.", "Une voix d'homme."], [(0, 0), (0, 1), (0, 1)]),
        ("ita", ["Mi scusi, signore.", "Un signore anziano.", "Le signore anziane."], [(0, 1), (0, 1), (1, 0)]),
        ("deu", ["Sie sagte nichts.", "Er sagte nichts."], [(1, 0), (0, 1)]),
        ("deu", ["Sie wurde gebaut.", "Er wurde gebaut.", "Haben Sie Zeit?"], [(0, 0)] * 3),
        ("pol", ["Widzę ją i go.", "Poznał jej siłę i jego siłę.", "Zapytano ją.", "Zapytano go."],
         [(0, 0), (0, 0), (1, 0), (0, 1)]),
        ("rus", ["Они видят ее цвет и его цвет.", "Ее голова.", "Его голова."], [(0, 0), (1, 0), (0, 1)]),
    ],
)  # fmt: skip
def test_what_is_no_person_is_not_counted(lang, texts, found):
    assert count(lang, texts) == found


@pytest.mark.parametrize(
    ("lang", "frames"),
    [
        ("deu", "{} sagte das. |Das sagte {}. |{} wird gebaut. |{} ist alt. |{} dachte nach. "),
        ("fra", "{} a dit cela. |« Oui », a-t-{} dit. |{} coûte cher. |{} contient du sucre. "),
        ("pol", "Wiem, że {} mówi. |Jest {} duży. |{} mówi. "),
        ("por", "{} disse. |{} fica longe. |{} existe. "),
    ],
)
def test_both_pronouns_of_a_pair_count_in_the_same_places(lang, frames):
    pairs = {"deu": "sie er", "fra": "elle il", "pol": "ona on", "por": "ela ele"}
    feminine, masculine = (
        count(lang, [frame.format(word).capitalize() for frame in frames.split("|")]) for word in pairs[lang].split()
    )
    assert [women for women, _ in feminine] == [men for _, men in masculine]
    assert 0 < sum(women for women, _ in feminine) < len(feminine)
