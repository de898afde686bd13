"""The rules of the house that a machine can hold (docs/architecture.md)."""

import ast
import re
from dataclasses import fields

from textparity.auditing.settings import AuditSettings
from textparity_studies import STUDIES

# From the top down: a part imports those below it. Studies import the library, never the reverse.
PARTS = (
    *(f"textparity_studies.{study}" for study in STUDIES),
    "textparity_studies.workflow",
    "textparity_studies.report",
    "textparity_studies.llm",
    "textparity_studies",
    "textparity.commands",
    "textparity.serving",
    "textparity.translating",
    "textparity.comparing",
    "textparity.auditing",
    "textparity.reading",
    "textparity.registry",
    "textparity.persons",
    "textparity.counting",
    "textparity.estimating",
    "textparity.corpora",
    "textparity.sources",
)


def part_of(module):
    return max((part for part in PARTS if f"{module}.".startswith(f"{part}.")), key=len, default="")


def imports(repository):
    """Yield the name of each module of both packages with each module of them that it imports."""
    for path in sorted((repository / "src").rglob("*.py")):
        importer = ".".join(path.relative_to(repository / "src").with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textparity"):
                yield importer, node.module


def test_imports_go_down(repository):
    wrong = [
        (importer, module)
        for importer, module in imports(repository)
        if (above := part_of(importer)) and (below := part_of(module)) and PARTS.index(below) < PARTS.index(above)
    ]
    assert wrong == []


def test_the_library_imports_no_study(repository):
    library = [(importer, module) for importer, module in imports(repository) if not importer.startswith("textparity_")]
    assert len(library) > 100
    assert [(importer, module) for importer, module in library if module.startswith("textparity_studies")] == []


def test_studies_never_import_each_other(repository):
    for importer, module in imports(repository):
        parts = [name.split(".")[1] for name in (importer, module) if name.startswith("textparity_studies.")]
        assert len({*parts} & {*STUDIES}) < 2, (importer, module)


def test_a_study_is_named_in_its_own_wing_and_in_one_list(repository):
    # As a key or a part of a path. A lexicon is also what is counted, so that word alone is no study; nor is an extra.
    words = "|".join(study for study in STUDIES if study != "lexicon")
    before = r"[\"'/]|(?i:config|studies|settings|rules)\."
    named = re.compile(rf"(?:{before})(?:{words})[\"'/.]|(?:results|resources|rules|studies)[/.]lexicon[/.]")
    shared = [
        path
        for folder, pattern in (("src", "*.py"), ("rules", "*.smk"), ("scripts", "*.py"))
        for path in (repository / folder).rglob(pattern)
        if not {*STUDIES} & {*path.relative_to(repository).parts}
    ]
    found = {
        path.relative_to(repository).as_posix(): line.strip()
        for path in [*shared, repository / "Snakefile"]
        for line in path.read_text("utf-8").splitlines()
        if named.search(re.sub(r"how_to_install\(.*?\)", "", line))
    }
    assert found.keys() == {"src/textparity_studies/__init__.py"}, found


def test_a_template_is_named_after_the_module_whose_digest_counts_it(repository):
    templates = [path for path in (repository / "src").rglob("templates/*") if path.is_file()]
    named = {path: (path.parents[1] / path.name.partition(".")[0]).with_suffix(".py") for path in templates}
    assert templates and [path for path, module in named.items() if not module.is_file()] == []


def test_few_modules_know_the_settings_of_an_audit(repository):
    # Other functions take the values that they need, so that an option leads through few modules.
    kinds = [type(getattr(AuditSettings(), item.name)) for item in fields(AuditSettings)]
    assert max(len(fields(kind)) for kind in kinds) <= 13
    named = re.compile("|".join(rf"\b{kind.__name__}\b" for kind in [AuditSettings, *kinds]))
    modules = [
        path.relative_to(repository / "src").as_posix()
        for path in sorted((repository / "src" / "textparity").rglob("*.py"))
        if named.search(path.read_text("utf-8"))
    ]
    assert len(modules) <= 10, modules
