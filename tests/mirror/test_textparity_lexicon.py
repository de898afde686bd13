"""The revision on top of the published lexicons, and homographs that decided verdicts in handbooks."""

import os

import pytest

import textparity
from textparity.auditing.languages import load_registry
from textparity.counting.lexicon import read_lexicon, revised_terms
from textparity.sources.model_files import Mirror

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


def test_every_revision_applies_to_its_lexicon(repository):
    registry, mirror = load_registry(), Mirror(os.environ["TEXTPARITY_MIRROR"])
    revised = [lang for lang in registry.languages if registry.table_file("textparity_v1", lang)]
    assert len(revised) >= 25
    for lang in revised:
        entries = []
        if lang != "ukr":
            entries = read_lexicon(mirror.find(registry.lexicon_file("gender_gap_v1.0", lang).url)[0])
        revision = repository / "resources/lexicons/textparity_v1" / f"{lang}.tsv"
        terms = revised_terms(entries, revision, registry.languages[lang].first_names)
        classes = {}
        for term in terms:
            if not term.context:
                classes.setdefault(term.form, set()).add(term.gender_class)
        assert not {form for form, names in classes.items() if len(names) > 1}, lang


# Words that the published lexicon sees in these sentences, and none of which is one.
HOMOGRAPHS = [
    ("ces", "Člověk má práva a lidé mají povinnosti.", "masculine"),
    ("ces", "Mám nový počítač.", "feminine"),
    ("bul", "Всеки човек има права, а хората имат задължения.", "masculine"),
    ("pol", "Mam pytanie, bo mamy problem.", "feminine"),
    ("rus", "Файлы зависят друг от друга и лежат в другом каталоге.", "masculine"),
    ("fra", "Ce type de fichier et ces types de données.", "masculine"),
    ("deu", "Der Typ der Variablen und die Typen der Felder.", "masculine"),
    ("spa", "El tipo de archivo se escribe a mano.", "masculine"),
    ("arb", "هل هو ملف أم مجلد؟", "feminine"),
    ("pes", "این فایل کوچک است ولی مهم است.", "unspecified"),
    ("eng", "See the man page, or the man pages of the other command.", "masculine"),
]


@pytest.mark.parametrize(("lang", "text", "gender"), HOMOGRAPHS, ids=[f"{row[0]} {row[2]}" for row in HOMOGRAPHS])
def test_homographs_of_handbooks_are_no_persons(lang, text, gender):
    published = textparity.audit([text], lang, method="published")[lang]
    assert published.matches[gender] > 0
    assert textparity.audit([text], lang)[lang].matches[gender] == 0


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("ita", "Il signore e la signora sono arrivati.", (1, 1)),
        ("por", "O avô e a avó chegaram.", (1, 1)),
        ("spa", "El señor y la señora llegaron.", (1, 1)),
        ("ukr", "Жінка та її чоловік приїхали.", (1, 1)),
        ("rus", "Её друг приехал.", (0, 1)),
        ("eng", "A man and a woman came.", (1, 1)),
    ],
)
def test_persons_are_counted_in_their_gender(lang, text, expected):
    row = textparity.audit([text], lang, method="nouns")[lang].matches
    assert (row["feminine"], row["masculine"]) == expected
