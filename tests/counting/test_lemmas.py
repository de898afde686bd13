"""Lexicons of lemmas: paradigms, which row decides about a form, errors that name the row, and the one that ships."""

import pytest

from textparity.auditing.languages import load_registry
from textparity.counting import lemmas
from textparity.counting.lemmas import COLUMNS, PARADIGM_COLUMNS, forms_of, lemma_terms, read_lemmas
from textparity.counting.lexicon import revised_terms
from textparity.errors import TableError
from textparity.folding import load_folding

ROW = dict.fromkeys(COLUMNS, "") | {
    "meaning": "m", "class": "feminine", "layer": "nouns", "evidence": "ours", "example": "e",
}  # fmt: skip
PARADIGMS = [
    {"paradigm": "žena", "cut": "a", "singular": "nom:a gen:y", "plural": "nom:y gen:-", "example": "žena"},
    {"paradigm": "muž", "cut": "", "singular": "nom:- gen:e", "plural": "nom:i", "example": "muž"},
    {"paradigm": "chata", "cut": "ia", "singular": "nom:-", "plural": "", "example": "chata"},
    {"paradigm": "def", "cut": "", "singular": "def:al~", "plural": "", "example": "bint"},
]


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a lexicon of Czech with some rows, beside a few paradigms."""

    def table(path, columns, rows):
        path.parent.mkdir(exist_ok=True)
        lines = ["\t".join(columns), *("\t".join(row[name] for name in columns) for row in rows)]
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    table(tmp_path / "paradigms" / "ces.tsv", PARADIGM_COLUMNS, PARADIGMS)
    monkeypatch.setattr(lemmas, "PARADIGMS", tmp_path / "paradigms")
    lemmas.load_paradigms.cache_clear()
    yield lambda *rows: table(tmp_path / "lexicon" / "ces.tsv", COLUMNS, [ROW | row for row in rows])
    lemmas.load_paradigms.cache_clear()


def classes(path):
    return {(term.form, term.gender_class, term.context) for term in lemma_terms(path)}


def test_paradigms_make_the_forms_of_each_number(write):
    path = write(
        {"lemma": "Žena", "singular": "@žena", "plural": "@žena"},
        {
            "lemma": "muž",
            "class": "masculine",
            "plural_class": "unspecified",
            "singular": "@muž",
            "plural": "@muž|muže",
        },
        {"lemma": "bint", "singular": "@def|bint", "plural": "banāt@def"},
        {"lemma": "paní"},
    )
    feminine = {"žena", "ženy", "žen", "albint", "bint", "paní"}
    assert classes(path) == {
        *((form, "feminine", "") for form in feminine),
        ("muž", "masculine", ""), ("muži", "unspecified", ""),
        # A word outweighs a form that the paradigm generates.
        ("muže", "unspecified", ""),
    }  # fmt: skip
    assert ("singular", "gen", "Ženy") in forms_of(read_lemmas(path)[0], "ces")


def test_a_row_that_lists_a_form_outweighs_those_that_generate_it(write):
    path = write(
        {"lemma": "choť", "class": "masculine", "singular": "@muž|!choti"},
        {"lemma": "chota", "singular": "@žena", "plural": "@žena"},
        {"lemma": "choť", "class": "unspecified", "singular": "choty", "context": "after oba"},
    )
    assert ("choty", "unspecified", "after oba") in classes(path)
    assert not any(form == "choty" and name == "feminine" for form, name, _ in classes(path))
    assert not any(form == "choti" for form, *_ in classes(path))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"lemma": "x", "evidence": ""}], "line 2, x: evidence is empty"),
        ([{"lemma": "x", "example": ""}], "line 2, x: example is empty"),
        ([{"lemma": "x", "evidence": "hearsay"}], "evidence 'hearsay' is none of ours"),
        ([{"lemma": "x", "context": "beside y"}], "line 2, x: cannot be read"),
        ([{"lemma": "/a(/"}], "line 2, /a(/: cannot be read"),
        ([{"lemma": "/ab/", "plural": "x"}], "a regular expression has no forms"),
        ([{"lemma": "x", "class": "unspecified", "counterpart": "y"}], "a lemma of any gender has no counterpart"),
        ([{"lemma": "x", "counterpart": "y"}], "line 2: the counterpart 'y' of x is no masculine lemma"),
        ([{"lemma": "x", "singular": "@město"}], "line 2, x: ces has no paradigm 'město'"),
        ([{"lemma": "x", "singular": "@žena"}], "line 2: x does not end in 'a'"),
        (
            [{"lemma": "x", "singular": "y"}, {"lemma": "z", "class": "masculine", "singular": "y"}],
            "'y' is feminine by x (line 2), masculine by z (line 3); list it as a word in the row that decides",
        ),
        (
            [{"lemma": "x"}, {"lemma": "x", "context": "after the"}],
            "'x' is feminine with and without a context; keep one",
        ),
        ([{"lemma": "x"}, {"lemma": "x", "layer": "titles"}], "'x' is in two layers, nouns and titles"),
        ([{"lemma": "museum", "class": "hidden"}], "only a regular expression can hide forms"),
        ([{"lemma": "x", "singular": "-"}], "a form has no letter"),
        ([{"lemma": "x", "plural": "|"}], "has no forms"),
        ([{"lemma": "x", "singular": "/a(/"}], "a regular expression can only be the lemma"),
        (
            [
                {
                    "lemma": "muž",
                    "class": "masculine",
                    "plural_class": "unspecified",
                    "singular": "@muž",
                    "plural": "@muž",
                },
                {"lemma": "mužia", "class": "unspecified", "singular": "@chata"},
            ],
            "'muž' is masculine by muž (line 2), unspecified by mužia (line 3)",
        ),
    ],
)
def test_errors_name_the_row(write, rows, said):
    with pytest.raises(TableError) as error:
        lemma_terms(write(*rows))
    assert said in str(error.value)


def test_the_lexicon_that_ships_has_a_file_of_every_language(repository):
    folder = repository / "resources" / "lexicons" / "textparity_v2"
    languages = load_registry().languages
    assert sorted(path.stem for path in folder.glob("*.tsv")) == sorted(languages)
    for lang, row in languages.items():
        terms = revised_terms([], folder / f"{lang}.tsv", row.first_names)
        genders = [term.gender_class for term in terms if term.layer == "nouns"]
        assert min(genders.count(name) for name in ("feminine", "masculine", "unspecified")) >= 20, lang
        # Forms that are compared alike have one class, too.
        fold, plain = load_folding(lang).fold, {}
        for term in terms:
            if not term.context and term.layer != "names":
                plain.setdefault(fold(term.form), set()).add(term.gender_class)
        assert not [form for form, classes in plain.items() if len(classes) > 1], lang


def test_every_example_of_the_lexicon_that_ships_has_its_lemma_in_its_class(repository):
    from check_lexicon import check_examples, counter_of

    folder = repository / "resources" / "lexicons" / "textparity_v2"
    for lang, row in load_registry().languages.items():
        path = folder / f"{lang}.tsv"
        terms = revised_terms([], path, row.first_names)
        assert check_examples(path, counter_of(lang, terms)) == [], lang
