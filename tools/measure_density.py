"""Measure how dense the code is, and what is there twice.

    python tools/measure_density.py [--without NAME.py] … [FOLDER …]

For each folder (default: the packages under src): lines of code, expressions of the syntax tree per line;
comprehensions, nested ones, conditional and assignment expressions per 1,000 lines; class names that are used twice;
a circle of imports, if there is one; and the densest functions. Blank lines, comments and docstrings are no code.
Imports within functions, and those for types alone, count. By the same measure, sacrebleu and datatrove have 4.0 and
3.6 expressions per line.
"""

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SHORTEST_FUNCTION = 6
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
RATES = ("comprehensions", "nested", "conditional", "assignment")
DENSEST = 15


@dataclass(frozen=True, order=True)
class Function:
    """A function of at least `SHORTEST_FUNCTION` lines, with its expressions per line."""

    density: float
    lines: int
    place: str


@dataclass
class Density:
    """What was counted in a folder. `imports` are the modules of the folder that each module imports."""

    counts: Counter[str] = field(default_factory=Counter)
    functions: list[Function] = field(default_factory=list)
    classes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    imports: dict[str, set[str]] = field(default_factory=dict)

    @property
    def expressions_per_line(self) -> float:
        """The number of expressions per line of code."""
        return self.counts["expressions"] / self.counts["lines"]

    @property
    def repeated_classes(self) -> dict[str, list[str]]:
        """The class names that are used twice, each with its places."""
        return {name: places for name, places in sorted(self.classes.items()) if len(places) > 1}

    def per_thousand_lines(self, name: str) -> float:
        """Return a number per 1,000 lines of code."""
        return 1000 * self.counts[name] / self.counts["lines"]

    def find_circle(self) -> list[str]:
        """Find modules that import each other in a circle, the first one again at the end; empty if none do."""
        try:
            TopologicalSorter(self.imports).prepare()
        except CycleError as error:
            return list(error.args[1])
        return []


def measure_density(folder: Path, without: Collection[str] = ()) -> Density:
    """Measure the Python files of a package or of a folder of packages, except those with a name in `without`."""
    density = Density()
    package = folder if (folder / "__init__.py").is_file() else None
    for path in sorted(path for path in folder.rglob("*.py") if path.name not in without):
        tree = ast.parse(path.read_text("utf-8"))
        code = _lines_of_code(path, tree)
        density.counts["lines"] += len(code)
        for node in ast.walk(tree):
            _count(node, density.counts)
            if isinstance(node, ast.ClassDef):
                density.classes[node.name].append(f"{path}:{node.lineno}")
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = sum(node.lineno <= line <= (node.end_lineno or 0) for line in code)
                if size >= SHORTEST_FUNCTION:
                    expressions = sum(isinstance(inner, ast.expr) for inner in ast.walk(node))
                    density.functions.append(Function(expressions / size, size, f"{path}:{node.lineno} {node.name}"))
        if package:
            density.imports[_module_name(path, package)] = set(_imported(tree, package.name))
    _keep_modules(density.imports, folder.name)
    return density


def _lines_of_code(path: Path, tree: ast.Module) -> set[int]:
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            docstrings.update(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    code = set()
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#") and number not in docstrings:
            code.add(number)
    return code


def _count(node: ast.AST, counts: Counter[str]) -> None:
    counts["expressions"] += isinstance(node, ast.expr)
    counts["conditional"] += isinstance(node, ast.IfExp)
    counts["assignment"] += isinstance(node, ast.NamedExpr)
    if isinstance(node, COMPREHENSIONS):
        inner = [other for other in ast.walk(node) if isinstance(other, COMPREHENSIONS) and other is not node]
        counts["comprehensions"] += 1
        counts["nested"] += bool(inner) or len(node.generators) > 1


def _module_name(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == package:
            yield node.module
            for name in node.names:
                yield f"{node.module}.{name.name}"


def _keep_modules(imports: dict[str, set[str]], package: str) -> None:
    """Leave out what is imported from modules, and the package itself, which imports what users need."""
    imports.pop(package, None)
    for module, imported in imports.items():
        imported.intersection_update(imports.keys() - {module})


def _describe(folder: Path, density: Density) -> str:
    rates = {
        name: density.per_thousand_lines(name) for name in ("comprehensions", "nested", "conditional", "assignment")
    }
    lines = [
        f"{folder}: {density.counts['lines']} lines, {density.expressions_per_line:.2f} expressions per line; "
        f"per 1,000 lines {_join(rates)}; class names used twice: {len(density.repeated_classes)}"
    ]
    circle = density.find_circle()
    if circle:
        lines.append(f"  circle: {' '.join(circle)}")
    for name, places in density.repeated_classes.items():
        lines.append(f"  {name}: {' '.join(places)}")
    for function in sorted(density.functions, reverse=True)[:DENSEST]:
        lines.append(f"  {function.density:5.1f} per line, {function.lines:3d} lines  {function.place}")
    return "\n".join(lines)


def _join(rates: Mapping[str, float]) -> str:
    return ", ".join(f"{rate:.1f} {name}" for name, rate in rates.items())


def main() -> None:
    """Measure the folders of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    packages = [Path("src/textparity"), Path("src/textparity_studies")]
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path, default=packages)
    parser.add_argument("--without", metavar="NAME.py", action="append", default=[], help="file that is left out")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        print(_describe(folder, measure_density(folder, arguments.without)))


if __name__ == "__main__":
    main()
