"""The budgets of docs/architecture.md: what one person must hold in mind."""

import ast
import re

import pytest

from textparity_studies import STUDIES


def function_sizes(tree):
    """Yield the number of parameters of each function, without `self` and `cls`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            yield len([name for name in names if name not in ("self", "cls")])


@pytest.fixture(scope="module")
def measured(repository):
    source = repository / "src"
    modules = {path.relative_to(source).as_posix(): path.read_text("utf-8") for path in source.rglob("*.py")}
    lines = {path: len(text.splitlines()) for path, text in modules.items()}
    studies = {
        study: sum(size for path, size in lines.items() if path.startswith(f"textparity_studies/{study}/"))
        for study in STUDIES
    }
    library = sum(size for path, size in lines.items() if path.startswith("textparity/"))
    docs = " ".join(path.read_text("utf-8") for path in (repository / "docs").glob("*.md"))
    return {
        "lines of the library": library,
        "lines of the workflow shell": sum(lines.values()) - library - sum(studies.values()),
        "lines of the largest study": max(studies.values()),
        "modules": len(lines),
        "modules under 60 lines": sum(size < 60 for size in lines.values()),
        "parameters of a function": max(size for text in modules.values() for size in function_sizes(ast.parse(text))),
        # The bars of tables are no words.
        "words of the docs": sum(re.search(r"\w", word) is not None for word in docs.split()),
    }


def test_no_budget_is_exceeded(repository, measured):
    page = (repository / "docs" / "architecture.md").read_text("utf-8").partition("\n## Budgets\n")[2]
    budgets = {
        name: int(most.replace(",", "")) for name, most in re.findall(r"^\| ([a-z][^|]+) \| ([\d,]+) \|", page, re.M)
    }
    assert budgets.keys() == measured.keys()
    assert {name: size for name, size in measured.items() if size > budgets[name]} == {}
