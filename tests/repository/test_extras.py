"""An extra that a message names can be installed: by make in a checkout, by pip elsewhere."""

import ast
import subprocess
import tomllib

import pytest

from textparity import errors


def extras_in_messages(repository):
    """Yield the file and the extra of each call of `how_to_install`."""
    for path in (repository / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "how_to_install":
                # A name that is put together would escape this test.
                assert isinstance(node.args[0], ast.Constant), f"{path}: name the extra itself"
                yield path, node.args[0].value


def test_each_extra_that_a_message_names_can_be_installed(repository):
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    named = {extra for _, extra in extras_in_messages(repository)}
    assert {"qlora", "train", "bert-score"} <= named <= project["project"]["optional-dependencies"].keys()
    # Without a recipe, make says so, and with one nothing is run.
    done = subprocess.run(
        ["make", "--dry-run", "VENV=none", *sorted(named)], cwd=repository, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for extra in named:
        assert f"locks/{extra}.txt" in done.stdout


def test_no_message_names_an_extra_past_the_one_function(repository):
    texts = {path: path.read_text("utf-8") for path in (repository / "src").rglob("*.py")}
    assert [path.name for path, text in texts.items() if "'textparity[" in text] == ["errors.py"]


@pytest.mark.parametrize(
    ("files", "command"),
    [(["Makefile", "pyproject.toml"], "make qlora"), ([], "pip install 'textparity[qlora]'")],
    ids=["checkout", "installed"],
)
def test_a_checkout_has_targets_and_an_installed_package_has_extras(tmp_path, monkeypatch, files, command):
    for name in files:
        (tmp_path / name).touch()
    monkeypatch.setattr(errors, "_REPOSITORY", tmp_path)
    assert errors.how_to_install("qlora") == command
