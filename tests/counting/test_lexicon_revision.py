"""A revision: rows on top of a lexicon, and errors that name the row."""

import pytest

from textparity.counting import CLASSES
from textparity.counting.lexicon import COLUMNS, Entry, read_revision, revised_terms
from textparity.counting.terms import LAYERS, PAIRED, read_context
from textparity.errors import TableError
from textparity.files import read_tsv

BASE = [
    Entry("masculine", "plural", "Padres"), Entry("unspecified", "plural", "padres"),
    Entry("masculine", "singular", "tipo"), Entry("feminine", "singular", "mano"),
    Entry("feminine", "singular", "señora"),
]  # fmt: skip


def write(tmp_path, *rows):
    path = tmp_path / "spa.tsv"
    cells = [
        dict.fromkeys(COLUMNS, "") | {"layer": "nouns", "reason": "r", "evidence": "e", "by": "b"} | row for row in rows
    ]
    lines = ["\t".join(COLUMNS), *("\t".join(row[name] for name in COLUMNS) for row in cells)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def row(action, form, gender_class, **cells):
    return {"action": action, "form": form, "class": gender_class} | cells


def test_rows_change_the_lexicon(tmp_path):
    path = write(
        tmp_path,
        row("reclassify", "padres", "unspecified"),
        row("restrict", "tipo", "masculine", context="after un este"),
        row("remove", "mano", "feminine"),
        row("add", "Señor", "masculine", counterpart="señora"),
        row("add", "periodista", "feminine", context="after la", counterpart="periodista"),
        row("add", "periodista", "masculine", context="after el", counterpart="periodista"),
        row("add", "él", "masculine", layer="pronouns"),
    )
    terms = revised_terms(BASE, path)
    assert {(term.form, term.gender_class, term.layer, term.context) for term in terms} == {
        ("padres", "unspecified", "nouns", ""), ("tipo", "masculine", "nouns", "after un este"),
        ("señora", "feminine", "nouns", ""), ("señor", "masculine", "nouns", ""),
        ("periodista", "feminine", "nouns", "after la"), ("periodista", "masculine", "nouns", "after el"),
        ("él", "masculine", "pronouns", ""),
        # How Spanish joins two nouns to a pair.
        ("/spa/", PAIRED, "inclusive", ""),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("remove", "mujer", "feminine")], "line 2: remove 'mujer': the lexicon does not have it"),
        ([row("remove", "tipo", "feminine")], "remove 'tipo': the lexicon has it as masculine, not as feminine"),
        ([row("add", "tipo", "masculine")], "line 2: add 'tipo': the lexicon has it as masculine"),
        ([row("reclassify", "mano", "feminine")], "line 2: reclassify 'mano': it is already feminine"),
        ([row("restrict", "tipo", "masculine")], "line 2: restrict needs a context"),
        ([row("remove", "tipo", "masculine", context="after un")], "line 2: remove takes no context"),
        ([row("restrict", "tipo", "masculine", context="near un")], "line 2: 'tipo' cannot be read: 'near un' is not"),
        ([row("add", "tipo", "feminine")], "line 2: 'tipo' is now feminine and masculine"),
        ([row("add", "tío", "masculine", counterpart="tía")], "line 2: the counterpart 'tía' of 'tío' is in no class"),
        ([row("add", "tía", "feminine", counterpart="mano")], "of 'tía' is feminine; it must be masculine"),
        ([row("remove", "mano", "feminine"), row("remove", "mano", "feminine")], "line 3: remove 'mano': line 2"),
        ([row("add", "x", "feminine"), row("add", "x", "feminine")], "add 'x': line 2 already makes this change"),
        ([row("add", "x", "feminine", layer="verbs")], "line 2: layer 'verbs' is not one of nouns, pronouns"),
        ([row("add", "x", "neuter")], "line 2: class 'neuter'"),
        ([row("drop", "x", "feminine")], "line 2: action 'drop'"),
        ([row("add", "-", "feminine")], "line 2: form '-' has no letter"),
        ([row("add", "x", "feminine", by=" ")], "line 2: by is empty"),
        ([row("add", "/x(/", "unspecified", layer="inclusive")], "line 2: '/x(/' cannot be read"),
        (
            [row("add", "x", "feminine", context="after a"),
             row("add", "x", "feminine", context="after b", layer="titles")],
            "line 2: 'x' is in two layers",
        ),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_applied_is_named(tmp_path, rows, said):
    path = write(tmp_path, *rows)
    with pytest.raises(TableError) as error:
        revised_terms(BASE, path)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_a_name_of_another_gender_still_needs_its_capital(tmp_path):
    path = write(tmp_path, row("reclassify", "Andrea", "masculine", layer="names"))
    (andrea,) = [term for term in revised_terms(BASE, path, "es_ES") if term.form == "andrea"]
    assert andrea.gender_class == "masculine"
    assert andrea.context.startswith("capitalised; not ")


def test_names_give_way_to_other_words_and_can_be_taken_out(tmp_path):
    path = write(
        tmp_path,
        row("add", "Paz", "unspecified"),
        row("remove", "Carmen", "feminine", layer="names"),
    )
    terms = {term.form: term for term in revised_terms(BASE, path, "es_ES it_IT")}
    assert terms["paz"].layer == "nouns"
    assert "carmen" not in terms
    # A man's name in Italy alone: the first locale that has a name decides.
    assert terms["andrea"].gender_class == "feminine"
    assert [term.form for term in revised_terms(BASE, path) if term.layer == "names"] == []


REVISIONS = "resources/lexicons/textparity_v1"


def test_the_shipped_revisions_can_be_read_and_give_a_form_one_class(repository):
    paths = sorted((repository / REVISIONS).glob("*.tsv"))
    assert len(paths) >= 25
    for path in paths:
        changes = [change for change in read_revision(path) if change.action != "remove"]
        classes = {}
        for change in changes:
            classes.setdefault((change.form, bool(read_context(change.context))), set()).add(change.gender_class)
        assert not [form for (form, has_context), names in classes.items() if len(names) > 1 and not has_context], path


def test_every_shipped_row_says_why_and_by_whom(repository):
    for path in (repository / REVISIONS).glob("*.tsv"):
        for line in read_tsv(path, COLUMNS):
            assert line["class"] in CLASSES
            assert line["layer"] in LAYERS
            assert line["by"] == "language model", (path, line)
