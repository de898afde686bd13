import importlib
import sys

import pytest

from textparity_studies.workflow import run_record


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of three modules: a imports b; c stands alone. Returns (its folder, digest of a)."""
    folder = tmp_path / "sample_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "a.py").write_text("import os\nfrom sample_package.b import value\n")
    (folder / "b.py").write_text("value = 1\n")
    (folder / "c.py").write_text("other = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "sample_package", raising=False)
    monkeypatch.setattr(run_record, "PACKAGES", ("sample_package",))
    monkeypatch.setattr(run_record, "KEPT", tmp_path / "kept.json")

    def forget():
        importlib.invalidate_caches()
        run_record.code_digest.cache_clear()
        run_record._read_module.cache_clear()
        run_record._kept.cache_clear()

    def digest():
        forget()
        return run_record.code_digest("sample_package.a")

    yield folder, digest
    sys.modules.pop("sample_package", None)
    forget()


@pytest.mark.parametrize(
    ("module", "text", "changes"),
    [
        ("b", "value = 2\n", True),
        ("b", "# a word on it\nvalue  =  1\n", False),
        ("b", '"""What it is."""\n\nvalue = 1\n', False),
        ("c", "other = 2\n", False),
        ("a", "import os\nfrom sample_package import c\nfrom sample_package.b import value\n", True),
    ],
)
def test_the_digest_follows_what_python_would_run(package, module, text, changes):
    folder, digest = package
    before = digest()
    (folder / f"{module}.py").write_text(text)
    assert (digest() != before) is changes


def test_the_digest_has_the_template_of_a_module(package):
    folder, digest = package
    (folder / "templates").mkdir()
    (folder / "templates" / "c.html.j2").write_text("not of a or b")
    before = digest()
    (folder / "templates" / "b.html.j2").write_text("{{ value }}")
    assert digest() != before
    (folder / "templates" / "b.html.j2").unlink()
    assert digest() == before


def test_the_digest_has_the_tables_that_a_module_reads_by_itself(package, tmp_path, monkeypatch):
    _, digest = package
    monkeypatch.setattr(run_record, "_RESOURCES", tmp_path)
    monkeypatch.setattr(run_record, "_TABLES", {"sample_package.b": ["names.tsv"]})
    (tmp_path / "names.tsv").write_text("Anna")
    before = digest()
    (tmp_path / "names.tsv").write_text("Anna Otto")
    assert digest() != before


def test_what_was_read_is_kept_for_the_next_run_and_a_damaged_file_is_as_none(package, monkeypatch):
    folder, digest = package
    before = digest()
    run_record._keep()
    with monkeypatch.context() as nothing_is_read:
        nothing_is_read.setattr(run_record.ast, "dump", None)
        assert digest() == before
    run_record.KEPT.write_text("{")
    assert digest() == before
    (folder / "b.py").write_text("value = 2\n")
    assert digest() != before


def test_an_unknown_module_is_an_error():
    with pytest.raises(ModuleNotFoundError, match=r"textparity\.nothing"):
        run_record.code_digest("textparity.nothing")


def test_every_table_that_a_module_reads_is_there():
    for tables in run_record._TABLES.values():
        for table in tables:
            assert any(run_record._RESOURCES.glob(table)), table
