"""The rules of the house that a machine can hold (docs/architecture.md)."""

import ast
import re

from textparity.studies import STUDIES

# From the top down; a package imports those below it.
PACKAGES = (
    "studies",
    "serving",
    "comparing",
    "auditing",
    "workflow",
    "report",
    "llm",
    "measures",
    "corpora",
    "sources",
)
# The configuration has a section for each study, by the one list of them.
BY_THE_LIST = {("workflow/config.py", "textparity.studies")}


def imports(repository):
    """Yield each module of the package, as a path below it, with each that it imports."""
    root = repository / "src" / "textparity"
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("textparity."):
                yield path.relative_to(root).as_posix(), node.module


def test_imports_go_down(repository):
    wrong = []
    for path, module in imports(repository):
        above, below = path.partition("/")[0], module.split(".")[1]
        if above in PACKAGES and below in PACKAGES and PACKAGES.index(below) < PACKAGES.index(above):
            wrong.append((path, module))
    assert set(wrong) == BY_THE_LIST


def test_studies_never_import_each_other(repository):
    for path, module in imports(repository):
        if path.startswith("studies/") and module.startswith("textparity.studies."):
            assert path.split("/")[1] == module.split(".")[2], path


def test_a_study_is_named_in_its_own_wing_and_in_one_list(repository):
    # As a key or a part of a path. A lexicon is also what is counted, so that word alone is no study; nor is an extra.
    words = "|".join(study for study in STUDIES if study != "lexicon")
    named = re.compile(rf"[\"'/.](?:{words})[\"'/.]|(?:results|resources|rules|studies)[/.]lexicon[/.]")
    shared = [
        path
        for folder, pattern in (("src/textparity", "*.py"), ("rules", "*.smk"), ("scripts", "*.py"))
        for path in (repository / folder).rglob(pattern)
        if not {*STUDIES} & {*path.relative_to(repository).parts}
    ]
    found = {
        path.relative_to(repository).as_posix(): line.strip()
        for path in [*shared, repository / "Snakefile"]
        for line in path.read_text("utf-8").splitlines()
        if named.search(re.sub(r"how_to_install\(.*?\)", "", line))
    }
    assert found.keys() == {"src/textparity/studies/__init__.py"}, found


def test_a_template_is_named_after_the_module_whose_digest_counts_it(repository):
    templates = [path for path in (repository / "src" / "textparity").rglob("templates/*") if path.is_file()]
    named = {path: (path.parents[1] / path.name.partition(".")[0]).with_suffix(".py") for path in templates}
    assert templates and [path for path, module in named.items() if not module.is_file()] == []
