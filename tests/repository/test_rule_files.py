"""A search for the path of a table finds the rule that makes it, and plans hold choices alone."""

import ast
import inspect
import re

import pytest

from textparity_studies import STUDIES, load_study

# Names in braces stand for a corpus, a language or an ending.
_WILDCARD = re.compile(r"\\\{+\w+\\\}+")


def rules_of(repository, study):
    """Return the text of a study's rule files."""
    return "\n".join(path.read_text("utf-8") for path in sorted((repository / "rules" / study).glob("*.smk")))


def final_files(repository):
    """List the final tables and figures that the tests know: those of the demo, by their paths."""
    for kind, folder in (("tables", "golden"), ("figures", "golden_figures")):
        for path in sorted((repository / "tests" / "workflow" / folder).rglob("*.*")):
            inside = path.relative_to(repository / "tests" / "workflow" / folder).as_posix()
            if f"/{kind}/" in inside and inside.split("/")[0] in STUDIES:
                yield f"results/{inside}"


def test_a_search_for_a_final_file_finds_its_rule(repository):
    patterns = {}
    for study in STUDIES:
        literals = re.findall(r'"(results/[^"]+)"', rules_of(repository, study))
        patterns[study] = [re.compile(_WILDCARD.sub("[^/]*", re.escape(text))) for text in literals]
    files = list(final_files(repository))
    assert len(files) > 50
    for path in files:
        study = path.split("/")[1]
        assert any(pattern.fullmatch(path) for pattern in patterns[study]), path


@pytest.mark.parametrize("study", STUDIES)
def test_no_wildcard_stands_for_the_name_of_a_table(repository, study):
    for path in re.findall(r'"(results/\w+/(?:tables|figures)/[^"]+)"', rules_of(repository, study)):
        assert re.match(r"[a-z]{3}", path.rpartition("/")[2]), path


def plan_file(repository, study):
    """Return the module of a study's plan."""
    return repository / "src" / "textparity_studies" / study / "plan.py"


@pytest.mark.parametrize("study", STUDIES)
def test_a_plan_has_no_path_of_a_result(repository, study):
    tree = ast.parse(plan_file(repository, study).read_text("utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert [text for text in texts if text.startswith("results/")] == []


# Choices that take several lines, though one rule alone asks for them.
USED_ONCE = {
    "instruments": {"tagged_gold"},
    "lexicon": {"balanced_inputs", "counted_together"},
    "swapping": {"accepted_systems", "recognizer_setup", "reviewed_systems"},
}


@pytest.mark.parametrize("study", STUDIES)
def test_what_one_rule_uses_once_is_in_the_rule(repository, study):
    plan = load_study(study).plan
    source = plan_file(repository, study).read_text("utf-8")
    uses = re.findall(rf"\b{study.upper()}\.(\w+)", rules_of(repository, study))
    once = {name for name in uses if uses.count(name) == 1}
    # A method decides by a wildcard, and what the plan itself uses is a choice.
    methods = {name for name in once if inspect.isfunction(getattr(plan, name, None))}
    own = {name for name in once if len(re.findall(rf"\bself\.{name}\b", source)) > 1}
    # The settings are those of the configuration, and the ledger of every study lists what was not run.
    assert once - methods - own - {"settings", "not_run", "persons"} == USED_ONCE.get(study, set())


def test_each_need_belongs_to_a_rule(repository):
    text = "\n".join(path.read_text("utf-8") for path in sorted((repository / "rules").rglob("*.smk")))
    named = re.findall(r'NEEDS\["(\w+)"\]', text)
    for names in re.findall(r"for name in \((.*)\):\n    NEEDS\[name\]", text):
        named += re.findall(r"\w+", names)
    assert len(named) > 10
    assert {name for name in named if f" as {name} with:" not in text} == set()
