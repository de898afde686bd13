"""The action for GitHub and the hook for pre-commit, run as the commands that they are."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from lexicons import NOUNS, WITH_NOUNS

import textparity


@pytest.fixture
def corpus(tmp_path):
    """Texts about more men than women, and a command `textparity` that is the one of this repository."""
    (tmp_path / "my texts").mkdir()
    for name, word, number in (("a b.txt", "man", 60), ("-c.txt", "woman", 9)):
        lines = [f"A {word} came." + " Well." * (place % 5) for place in range(number)]
        (tmp_path / "my texts" / name).write_text("\n".join(lines))
    command = tmp_path / "bin" / "textparity"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m textparity "$@"\n')
    command.chmod(0o755)
    return tmp_path


def environment(corpus):
    # Debian has no command `python` outside of an environment.
    path = os.pathsep.join([str(corpus / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"PATH": path}


def run_action(repository, corpus, **inputs):
    action = yaml.safe_load((repository / "action.yml").read_text("utf-8"))
    (step,) = (step for step in action["runs"]["steps"] if step.get("id") == "audit")
    values = {name: given.get("default") for name, given in action["inputs"].items()} | inputs
    names = {name: value.removeprefix("${{ inputs.").removesuffix(" }}") for name, value in step["env"].items()}
    assert set(names.values()) == set(values)
    given = {name: values[of] for name, of in names.items()}
    given |= {"RUNNER_TEMP": str(corpus), "GITHUB_STEP_SUMMARY": str(corpus / "summary.md"),
              "GITHUB_OUTPUT": str(corpus / "outputs")}  # fmt: skip
    script = corpus / "step.sh"
    script.write_text(step["run"])
    # As GitHub runs `shell: bash`.
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    return subprocess.run(shell, cwd=corpus, capture_output=True, text=True, env=environment(corpus) | given)


@pytest.mark.parametrize(
    ("fail_if", "code"),
    [
        ("", 0),
        ("masculine_per_feminine > 99", 0),
        ("words > 9999\n\nmasculine_per_feminine > 3\n", 4),
        ("$(id) > 1", 2),
    ],
)
def test_the_step_of_the_action(repository, corpus, fail_if, code):
    inputs = {
        "files": "my texts/a b.txt\nmy texts/-c.txt\n",
        "lang": "eng",
        "options": f"--lexicon-folder\n{NOUNS}",
        "fail-if": fail_if,
    }
    done = run_action(repository, corpus, **inputs)
    assert done.returncode == code, done.stderr
    if code == 2:
        for said in (done.stderr, (corpus / "summary.md").read_text()):
            assert "( is not allowed here" in said
        assert (corpus / "outputs").read_text() == "signature=\n"
        return
    assert ("failed: masculine_per_feminine > 3; eng, all" in done.stderr) is (code == 4)
    signature = done.stdout.splitlines()[-1]
    assert signature.startswith(f"textparity {textparity.__version__} | ") and signature.endswith(" | n 69")
    assert (corpus / "outputs").read_text() == f"signature={signature}\n"
    assert f"    {signature}\n" in (corpus / "summary.md").read_text()
    assert (corpus / "textparity" / "audit.html").is_file()


def test_the_action_fails_if_a_filter_removed_women(repository, corpus):
    inputs = {"files": "my texts", "lang": "eng", "options": f"--lexicon-folder\n{NOUNS}\n--write\nlast.parquet"}
    assert run_action(repository, corpus, **inputs).returncode == 0
    (corpus / "my texts" / "-c.txt").write_text("A woman came.\n" * 2)
    inputs |= {"options": f"--lexicon-folder\n{NOUNS}", "baseline": "last.parquet"}
    done = run_action(repository, corpus, **inputs)
    assert (done.returncode, "failed: women_share against last.parquet" in done.stderr) == (4, True), done.stderr


@pytest.mark.parametrize("options", ["--write\njson=-", "--quiet\n--write\ncsv=-\n--write\nelsewhere/"])
def test_the_signature_does_not_depend_on_what_is_printed(repository, corpus, options):
    given = {
        "files": "my texts",
        "lang": "eng",
        "options": f"--lexicon-folder\n{NOUNS}\n--exclude-words\na'<b\n{options}",
    }
    assert run_action(repository, corpus, **given, **{"fail-if": "words > 9999"}).returncode == 0
    said = (corpus / "outputs").read_text().removeprefix("signature=").rstrip("\n")
    assert said.startswith("textparity ") and "exclude a'<b | " in said and said.endswith(" | n 69")
    assert said in (corpus / "summary.md").read_text()


def test_the_entry_of_the_hook(repository, corpus):
    (hook,) = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["require_serial"]
    # As pre-commit does: the entry, the user's args, then names of files.
    given = [*shlex.split(hook["entry"]), "--lang", "eng", *WITH_NOUNS, "--fail-if", "masculine_per_feminine > 3"]
    files = ["my texts/a b.txt", "my texts/-c.txt"]
    done = subprocess.run([*given, *files], cwd=corpus, capture_output=True, text=True, env=environment(corpus))
    assert (done.returncode, done.stdout) == (4, "")
    assert "failed: " in done.stderr


def test_a_commit_of_empty_files_passes_the_hook_and_one_that_cannot_be_counted_does_not(repository, corpus):
    (hook,) = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (corpus / "empty.txt").write_text("\n")
    (corpus / "latin.txt").write_text("Puella cum matre venit.\n" * 3)
    for name, code in (("empty.txt", 0), ("latin.txt", 1)):
        given = [*shlex.split(hook["entry"]), *WITH_NOUNS, name]
        assert subprocess.run(given, cwd=corpus, env=environment(corpus)).returncode == code
