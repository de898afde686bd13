"""Words written so that they name both genders count for anyone; pairs of both genders count alike for each."""

import pytest

from textparity.auditing.audit import audit_files


def count(tmp_path, lang, text, **settings):
    (tmp_path / "a.txt").write_text(text, "utf-8")
    result = audit_files([tmp_path / "a.txt"], lang, **settings)[lang]
    return [result.matches[name] for name in ("feminine", "masculine", "unspecified")]


@pytest.mark.parametrize(
    ("lang", "text", "number"),
    [
        ("eng", "If s/he or (s)he comes, the (wo)man and the fe/male clown may go.", 4),
        ("spa", "El profesor(a), la señor/a y un niño/a.", 3),
        ("fra", "Le directeur/trice, des ami·e·s et l'acteur/trice.", 3),
        ("nld", "Een vriend(in) komt.", 1),
        ("pol", "Szanowny Pan(i), PAN/I.", 2),
        ("rus", "Каждый студент/ка здесь.", 1),
        ("deu", "Leser:innen, KOLLEG*INNEN, ein Freund(in).", 3),
    ],
)
def test_splitting_forms_count_for_anyone(tmp_path, lang, text, number):
    assert count(tmp_path, lang, text) == [0, 0, number]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("deu", "Bürgerinnen und Bürger"), ("deu", "Schülerinnen und Schüler"), ("deu", "Frauen und Männer"),
        ("spa", "Sus niñas y niños."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["words", "nouns"])
def test_pairs_of_both_genders_count_alike(tmp_path, lang, text, method):
    feminine, masculine, _ = count(tmp_path, lang, text, method=method)
    assert feminine == masculine
