"""Files that are made from others agree with them."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from textparity_studies import STUDIES


def test_the_environments_are_those_of_pyproject(repository):
    check = [sys.executable, "tools/write_envs.py", "--check"]
    done = subprocess.run(check, cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_rules_name_environments_that_there_are(repository):
    # `snakemake --lint` asks for a name, and not for the file.
    texts = [path.read_text("utf-8") for path in (repository / "rules").rglob("*.smk")]
    named = {name for text in texts for name in re.findall(r"^ +conda:\n(?: +#.*\n)* +.+/envs/(.+)\"$", text, re.M)}
    assert named == {path.name for path in (repository / "envs").glob("*.yaml")}


# A rule, or a copy of one, with what is indented below it.
_RULE = re.compile(r"^( *)(?:rule|use rule (\w+) as) (\w+)(?: with)?:\n((?:\1 +.*\n|\n)+)", re.M)
# No job runs these, which others are made of.
BASES = {"core_step", "ml_step"}


def rules_of(file):
    """Return the rules of a file, by name: the rule that each is a copy of, or nothing, and its text."""
    found = _RULE.findall(file.read_text("utf-8"))
    return {name: (base, text) for _, base, name, text in found if name not in BASES}


def test_the_slurm_profile_groups_every_rule_that_leaves_the_submit_host(repository):
    profile = yaml.safe_load((repository / "profiles" / "slurm" / "config.yaml").read_text("utf-8"))
    files = [*(repository / "rules").rglob("*.smk")]
    text = "".join(file.read_text("utf-8") for file in files)
    local = re.findall(r"\w+", "".join(re.findall(r"^localrules:\n((?:    \w+,\n)+)", text, re.M)))
    on_nodes = {}
    for file in files:
        names = {name for name, (_, text) in rules_of(file).items() if "localrule: True" not in text}
        on_nodes.setdefault(file.parent.name, set()).update(names - {*local, *STUDIES})
    grouped = set(profile["groups"])
    for names in on_nodes.values():
        # SLURM gets the jobs of a study without any group one by one.
        assert names & grouped in (set(), names)
    assert grouped | set(profile["set-resources"]) <= set().union(*on_nodes.values())
    assert set(profile["groups"].values()) == set(profile["group-components"])


def test_a_study_constrains_no_wildcard_of_another(repository):
    # Such a constraint holds in the whole workflow, and another study's rules would silently match nothing.
    constrained, used = {}, {}
    for path in (repository / "rules").glob("*/*.smk"):
        text = path.read_text("utf-8")
        study = path.parent.name
        plan = (repository / "src" / "textparity_studies" / study / "plan.py").read_text("utf-8")
        used.setdefault(study, set()).update(re.findall(r"\{(\w+)[,}]", text + plan))
        for block in re.findall(r"^wildcard_constraints:\n((?:    .*\n)+)", text, re.M):
            constrained.setdefault(study, set()).update(re.findall(r"^    (\w+)=", block, re.M))
    assert constrained
    for study, names in constrained.items():
        assert [(other, names & found) for other, found in used.items() if other != study and names & found] == []


# What these fetch is known by its hash.
WITHOUT_DIGEST = {"fetch_file", "fetch_wet_file", "prepare_model"}


def test_each_rule_names_one_function_whose_code_reruns_it(repository):
    # Snakemake does not look at scripts (rerun-triggers in profiles/default).
    without = set()
    for file in (repository / "rules").rglob("*.smk"):
        for rule, (base, text) in rules_of(file).items():
            named = re.findall(r'(step\(|step=)\s*"([\w.]+):(\w+)"', text)
            if base in BASES or "script:" in text:
                (digested, module, function) = named[0]
                assert re.search(rf"^def {function}\(", Path(find_spec(module).origin).read_text("utf-8"), re.M), rule
                if digested == "step=":
                    without.add(rule)
    assert without == WITHOUT_DIGEST


def test_only_the_default_profile_says_what_reruns(repository):
    default, slurm = (
        yaml.safe_load((repository / "profiles" / name / "config.yaml").read_text("utf-8"))
        for name in ("default", "slurm")
    )
    # Both are read with --profile profiles/slurm; see also tests/workflow/test_checkout.py.
    assert set(default["rerun-triggers"]) == {"mtime", "params", "input", "software-env"}
    assert "rerun-triggers" not in slurm


def test_the_slurm_profile_keeps_the_limits_of_the_default_one(repository):
    default, slurm = (
        yaml.safe_load((repository / "profiles" / name / "config.yaml").read_text("utf-8"))["resources"]
        for name in ("default", "slurm")
    )
    assert slurm == default


@pytest.mark.parametrize("corpus", ["entities", "entities_swapped"])
def test_the_demos_annotations_are_those_of_its_marked_up_text(repository, tmp_path, corpus):
    demo = repository / "resources" / "demo"
    write = [sys.executable, "tools/annotate_entities.py", str(demo / f"{corpus}.txt"), str(tmp_path)]
    done = subprocess.run(write, cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    written, tracked = (
        {path.relative_to(folder): path.read_text("utf-8") for path in folder.glob("**/*") if path.is_file()}
        for folder in (tmp_path, demo / corpus / "data")
    )
    assert written == tracked


def test_rules_are_parsed_without_heavy_libraries(repository):
    # Each job on a cluster parses them again.
    texts = [path.read_text("utf-8") for path in (repository / "rules").rglob("*.smk")]
    modules = sorted({name for text in texts for name in re.findall(r"^from (textparity[\w.]*) import", text, re.M)})
    # Plans are loaded by the list of studies, not by name.
    modules += [f"textparity_studies.{study}.plan" for study in STUDIES]
    heavy = ["pandas", "numpy", "pyarrow", "scipy", "sklearn", "matplotlib", "spacy", "torch", "transformers"]
    code = f"import sys, {', '.join(modules)}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(modules) > 10 and done.stdout.strip() == "[]"


def test_the_help_of_a_command_comes_without_heavy_libraries():
    heavy = ["numpy", "pyarrow", "pandas", "scipy", "jinja2", "http.server"]
    code = f"import sys, textparity.command; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_the_studies_the_workflow_says_how_to_install_them(repository, tmp_path):
    # As after `pip install .`, which installs the library alone.
    code = "import sys; sys.modules['textparity_studies'] = None; from snakemake.cli import main; main()"
    command = [sys.executable, "-c", code, "--dry-run", "--snakefile", str(repository / "Snakefile")]
    done = subprocess.run([*command, "--directory", str(tmp_path)], capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode and "pip install --editable '.[workflow]'" in said and "Traceback" not in said
