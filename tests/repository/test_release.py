"""What a release is made of: versions that agree, and files that name others which are there."""

import json
import re
import shlex
import tomllib

import yaml

import textparity
from textparity.command import main


def test_a_version_stands_in_three_places_alike(repository):
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    citation = yaml.safe_load((repository / "CITATION.cff").read_text("utf-8"))
    assert project["version"] == textparity.__version__ == citation["version"]
    about = json.loads((repository / ".zenodo.json").read_text("utf-8"))
    assert (about["title"], about["license"]) == (citation["title"], citation["license"])
    assert about["keywords"] == citation["keywords"]


def test_the_container_installs_the_locks_of_the_demo(repository):
    container = (repository / "Containerfile").read_text("utf-8")
    (extras,) = re.findall(r"for extra in (.*?);", container)
    demo = re.search(r"^demo: (.*)$", (repository / "Makefile").read_text("utf-8"), re.MULTILINE)[1]
    assert {*extras.split()} == {"core", "workflow"} | {*re.findall(r"\$\(VENV\)/(\w+)", demo)}
    assert "--require-hashes" in container


def test_workflows_run_ci_and_publish_without_a_token(repository):
    folder = repository / ".github" / "workflows"
    ci, release = (yaml.safe_load((folder / f"{name}.yml").read_text("utf-8"))["jobs"] for name in ("ci", "release"))
    assert {"run": ".ci/run"} in ci["tests"]["steps"] and (repository / ".ci" / "run").stat().st_mode & 0o100
    assert release["publish"]["permissions"] == {"id-token": "write"}
    assert release["publish"]["needs"] == ["build", "wheels"]
    assert "secrets." not in (folder / "release.yml").read_text("utf-8")


def test_each_wheel_audits_before_it_is_published(repository, tmp_path, monkeypatch):
    release = yaml.safe_load((repository / ".github" / "workflows" / "release.yml").read_text("utf-8"))["jobs"]
    (build,) = (step for step in release["wheels"]["steps"] if "cibuildwheel" in step.get("uses", ""))
    tried = build["env"]["CIBW_TEST_COMMAND"].replace("{project}", str(repository))
    imports, audit = tried.split(" && ")
    assert "_pieces" in imports and "_identifier" in imports
    monkeypatch.chdir(tmp_path)
    command, *arguments = shlex.split(audit)
    assert (command, main(arguments)) == ("textparity", 0)
    assert (tmp_path / "audited" / "audit.html").is_file()
