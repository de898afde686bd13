"""An installed wheel audits outside the repository, on a machine without a network."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

from textparity.auditing.languages import load_registry

# The loopback is the only interface there, as on a machine without a network.
WITHOUT_NETWORK = ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


def without_network():
    """Return the beginning of a command that has no network, nothing where the system does not allow it."""
    if not shutil.which("unshare"):
        return []
    done = subprocess.run([*WITHOUT_NETWORK, "true"], capture_output=True)
    return WITHOUT_NETWORK if done.returncode == 0 else []


def test_the_first_command_of_the_readme_runs_from_a_wheel_without_a_network(repository, tmp_path):
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
        lists = set()
        for row in pipelines:
            places = [*row.files.values(), *row.quote_files.values()]
            lists |= {f"textparity/{path}" for source, path in places if source == "local"}
        assert len(lists) == 12 and templates | lists <= set(archive.namelist())
    shutil.rmtree(source)
    (command,) = re.findall(r"^textparity (audit .+)$", (repository / "README.md").read_text("utf-8"), re.MULTILINE)[:1]
    records = [{"text": "A woman met two men.", "outlet": name} for name in "ab" for _ in range(12)]
    (tmp_path / "articles.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    paths = [str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]
    # A home of its own has no cache.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "HOME": str(tmp_path / "home")}
    environment.pop("XDG_CACHE_HOME", None)
    done = subprocess.run(
        [*without_network(), sys.executable, "-m", "textparity", *command.split(), "--show", "examples"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "A [woman] met two men." in done.stdout
    assert "<mark>woman</mark>" in (tmp_path / "page.html").read_text("utf-8")
