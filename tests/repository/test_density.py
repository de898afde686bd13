"""The budgets of the code: how dense it may be, and that nothing is there twice."""

import pytest

from measure_density import Density, measure_density

# The counting core that is compiled in part, which one of its own will replace.
WITHOUT = ("icu_counter.py", "pieces.py", "regex_prefilter.py")
# In expressions per line, of functions of six or more lines.
DENSEST_FUNCTION = 8


@pytest.fixture(scope="module")
def library(repository) -> Density:
    return measure_density(repository / "src" / "textparity")


def test_no_modules_import_each_other_in_a_circle(library, repository):
    assert library.find_circle() == []
    assert measure_density(repository / "src" / "textparity_studies").find_circle() == []


def test_a_circle_of_imports_is_found(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "first.py").write_text("from package.second import name\n")
    (package / "second.py").write_text("def name():\n    from package import first\n")
    assert set(measure_density(package).find_circle()) == {"package.first", "package.second"}


def test_each_class_has_a_name_of_its_own(repository):
    assert measure_density(repository / "src").repeated_classes == {}


def test_the_code_gets_no_denser(repository):
    library = measure_density(repository / "src" / "textparity", WITHOUT)
    studies = measure_density(repository / "src" / "textparity_studies")
    assert library.expressions_per_line <= 5.0
    assert library.per_thousand_lines("nested") <= 2
    assert [function for function in library.functions if function.density > DENSEST_FUNCTION] == []
    assert studies.expressions_per_line <= 6.01
