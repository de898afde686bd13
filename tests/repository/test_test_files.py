"""Each test is where a reader looks for it: beside its module, or in one of a few folders and topics with a reason."""

from pathlib import Path

import pytest

OTHER_FOLDERS = {
    "cases": "inputs that several readers or the whole command must take",
    "cluster": "the demo through a SLURM",
    "faults": "kills, full disks, damaged files and hostile servers",
    "mirror": "real data and real models",
    "repository": "rules for the files of the repository",
    "sessions": "commands with their output, as pages",
    "support": "what tests share",
    "support/offline": "the rule against connections, for each Python that a test starts",
    "workflow": "Snakemake on the demo's data",
}
# Tests of behaviour that no single module has.
TOPICS = {
    "commands/test_killed.py": "any command that is killed or told to end",
    "estimating/test_statistics.py": "estimates, tests and intervals against scipy, formulas and simulations",
    "reading/test_input_forms.py": "encodings, delimiters and units of text as options of an audit",
    "studies/instruments/test_instruments.py": "the study from its plan to its tables",
    "studies/newsroom/test_kept_results.py": "the result that is kept in resources/newsroom, against its sources",
    "studies/stereotypes/test_ledger.py": "the ledger of the study, which is data in resources/",
}
MOST_TOPICS = 25


def package_of(folder: Path) -> Path:
    """Return the package, below src/, that a folder of tests/ mirrors; it may not exist."""
    parts = folder.parts
    if parts[:1] == ("studies",):
        return Path("textparity_studies", *parts[1:])
    return Path("textparity", *parts)


def names_a_module(test: str, package: Path) -> bool:
    """Decide whether a test has a name such as `test_plan`, `test_plan_texts` or `test_lexicon_plan`."""
    topic = test.removeprefix("test_")
    within_package = topic.removeprefix(f"{package.name}_")
    for module in package.glob("*.py"):
        if f"{topic}_".startswith(f"{module.stem}_") or f"{within_package}_".startswith(f"{module.stem}_"):
            return True
    return False


def misplaced(repository: Path) -> list[str]:
    """List the Python files of tests/ that have neither the place nor the name of what they test, topics included."""
    tests = repository / "tests"
    wrong = []
    for path in sorted(tests.rglob("*.py")):
        folder = path.parent.relative_to(tests)
        if path.name == "conftest.py" or folder.as_posix() in OTHER_FOLDERS:
            continue
        package = repository / "src" / package_of(folder)
        is_package = (package / "__init__.py").is_file()
        if not (is_package and path.name.startswith("test_") and names_a_module(path.stem, package)):
            wrong.append(path.relative_to(tests).as_posix())
    return wrong


def test_each_test_is_beside_its_module_or_a_topic_with_a_reason(repository):
    assert misplaced(repository) == sorted(TOPICS)
    assert len(TOPICS) <= MOST_TOPICS and all(TOPICS.values())


def test_other_folders_exist(repository):
    missing = [name for name in OTHER_FOLDERS if not (repository / "tests" / name).is_dir()]
    assert missing == [] and all(OTHER_FOLDERS.values())


@pytest.mark.parametrize(
    ("test", "is_right"),
    [
        ("counting/test_terms.py", True),
        ("counting/test_terms_in_context.py", True),
        ("counting/test_counting_terms.py", True),
        ("studies/lexicon/test_plan.py", True),
        ("test_files.py", True),
        ("cases/test_anything.py", True),
        ("counting/test_words.py", False),
        ("counting/test_termslike.py", False),
        ("counting/helpers.py", False),
        ("lexicon/test_plan.py", False),
        ("studies/test_plan.py", False),
        ("elsewhere/test_terms.py", False),
        ("test_terms.py", False),
    ],
)
def test_a_file_in_a_wrong_place_is_listed(tmp_path, test, is_right):
    library = ("textparity/files", "textparity/counting/terms")
    studies = ("textparity_studies/sampling", "textparity_studies/lexicon/plan")
    for module in library + studies:
        path = tmp_path / "src" / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        path.with_name("__init__.py").touch()
    path = tmp_path / "tests" / test
    path.parent.mkdir(parents=True)
    path.touch()
    assert misplaced(tmp_path) == ([] if is_right else [test])
