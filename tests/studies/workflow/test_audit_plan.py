"""Which files each job of `snakemake audit` counts, and what the configuration may say."""

import pytest

from textparity.errors import ConfigError, InputError
from textparity_studies.workflow.audit_plan import AuditPlan
from textparity_studies.workflow.config import load_config


def plan(**audit):
    return AuditPlan(load_config({"audit": audit}, {}))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, size in {"a.txt": 10, "b.txt": 500, "c.txt": 300, "d.txt": 200, "e.txt": 10, "notes.pdf": 9}.items():
        (tmp_path / name).write_text("x" * size)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shares(found):
    numbers = range(found.parts)
    return ["".join(name[-5] for name in found.files(number)) for number in numbers]


@pytest.mark.parametrize(("parts", "expected"), [(1, ["abcde"]), (2, ["ab", "cde"]), (1000, ["a", "b", "c", "d", "e"])])
def test_neighbours_make_parts_of_about_the_same_size(folder, parts, expected):
    assert shares(plan(files=["."], parts=parts)) == expected
    assert shares(plan(files=["?.txt"], parts=parts)) == expected


def test_what_is_no_text_is_counted_in_one_part_alone(folder):
    found = plan(files=["."], parts=2)
    assert [found.ignored(number) for number in range(2)] == [{"files that end in .pdf": 1}, {}]


def test_languages_that_are_given_are_those_to_prepare(folder):
    assert plan(files=["a.txt:deu", "b.txt:en"]).langs == ["deu", "eng"]
    assert plan(files=["a.txt:deu", "b.txt"]).langs == []


def test_the_same_settings_as_in_the_command(folder):
    found = plan(files=["."], counting={"layers": ["nouns", "pronouns"], "per_file": True})
    assert plan(files=["."], lang_field="meta.lang").settings["lang_field"] == "meta.lang"
    assert found.settings["layers"] == ("nouns", "pronouns")
    assert found.shown == {"per_file": True, "top": 10, "min_size": 10, "max_groups": 30}
    # Nothing is counted again to be shown in another way.
    assert found.settings == plan(files=["."], counting={"layers": ["nouns", "pronouns"], "top": 3}).settings


def test_lines_of_one_document_are_one_text(folder):
    part = 0
    found = plan(files=["a.txt"], documents="names.tsv")
    assert found.settings["text_unit"] == "document"
    # Changed names count it again.
    assert found.files(part) == ["a.txt", "names.tsv"]
    assert [source["documents"] for source in found.sources(part)] == ["names.tsv"]


@pytest.mark.parametrize(
    ("audit", "said"),
    [
        ({"counting": {"layerz": ["nouns"]}}, r"audit\.counting\.layerz: unknown key"),
        ({"counting": {"examples": "many"}}, r"audit\.counting\.examples: input should be a valid integer"),
        ({"counting": {"layers": "nouns"}}, r"audit\.counting\.layers: should be a list, such as"),
        ({"counting": {"seed": 5}}, r"audit\.counting\.seed: unknown key"),
        ({"counting": {"method": "guess"}}, "method 'guess'"),
        ({"counting": {"unique": True}}, r"audit\.counting\.unique needs all texts in one job"),
        ({}, r"audit\.files is empty"),
        (
            {"files": ["."], "lang": "eng", "lang_field": "lang"},
            r"audit\.lang sets .*, and audit\.lang_field",
        ),
        (
            {"files": ["a.txt"], "documents": "n", "counting": {"text_unit": "paragraph"}},
            "--text-unit paragraph and --documents",
        ),
        ({"files": ["x*.txt"]}, r"x\*\.txt: no such file"),
    ],
)
def test_what_cannot_be_run_is_named(folder, audit, said):
    with pytest.raises((ConfigError, InputError), match=said):
        plan(**audit).parts(None)


def test_a_file_that_is_not_there_is_skipped_if_asked_for(folder):
    found = plan(files=["a.txt", "x.txt"], skip_failed=True)
    assert shares(found) == ["a"]
    assert [source["name"] for source in found.sources(0)] == ["a.txt", "x.txt"]


@pytest.mark.parametrize("name", ["c{x}.txt", "c{ x, [a-z]+}.txt", "c\n.txt", "c\udce9.txt"])
def test_a_name_that_snakemake_cannot_take_is_named(folder, name):
    (folder_of_names := folder / "names").mkdir()
    (folder_of_names / name).write_text("A woman.\n")
    (folder_of_names / "{}{x y}.txt").write_text("A woman.\n")
    with pytest.raises(InputError, match=r"names/c.*txt: Snakemake cannot handle a name with .*; rename it"):
        plan(files=["names"]).parts(None)
    found, part = plan(files=["names"], skip_failed=True), 0
    assert found.files(part) == ["names/{}{x y}.txt"]
    assert [bool(source["problem"]) for source in found.sources(part)] in ([True, False], [False, True])
    assert all(source["name"].isprintable() for source in found.sources(part))
