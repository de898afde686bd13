"""An installed wheel audits outside the repository."""

import os
import shutil
import subprocess
import sys
import zipfile

from lexicons import WITH_NOUNS

from textparity.auditing.languages import load_registry


def test_a_wheel_has_what_an_audit_needs(repository, tmp_path):
    # A copy, as a build leaves files beside the sources.
    source = tmp_path / "source"
    for name in ("src", "resources"):
        shutil.copytree(repository / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(repository / name, source)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    build = subprocess.run([*pip, "--wheel-dir", str(tmp_path), str(source)], capture_output=True, text=True)
    assert build.returncode == 0, build.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        # Those of the audit itself are tried below.
        templates = {
            f"textparity/{name}.html.j2" for name in ("comparing/templates/rendering", "serving/templates/page")
        }
        # Lists of the method persons, which needs a pipeline to be tried.
        pipelines = load_registry().person_pipelines.values()
        lists = {f"textparity/{path}" for row in pipelines for source, path in row.files.values() if source == "local"}
        assert len(lists) == 4 and templates | lists <= set(archive.namelist())
    shutil.rmtree(source)
    (tmp_path / "text.txt").write_text("Una mujer y un hombre.\n")
    audit = [sys.executable, "-m", "textparity", "audit", "text.txt", *WITH_NOUNS, "--minimum-certainty", "0"]
    paths = [str(tmp_path / "site"), os.environ["PYTHONPATH"]]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [*audit, "--html", "page.html", "--show", "examples"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Una [mujer] y un hombre." in done.stdout
    assert "<mark>mujer</mark>" in (tmp_path / "page.html").read_text("utf-8")
