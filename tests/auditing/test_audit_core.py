"""The core is enough for an audit: nothing of the extra `workflow` is imported, and no network is needed to begin."""

import re
import subprocess
import sys
import tomllib

import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing import languages
from textparity.command import main
from textparity.errors import FetchError, MissingResourceError

BLOCKED = """\
import sys


class Blocked:
    names = sys.argv.pop(1).split(",")

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Blocked())
from textparity.command import main

sys.exit(main(sys.argv[1:]))
"""


def test_an_audit_imports_nothing_of_the_workflow(repository, tmp_path):
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [line for line in (*extras["workflow"], *extras["web"]) if not line.startswith("textparity")]
    modules = [re.match(r"[\w-]+", line)[0].replace("-", "_") for line in lines]
    assert {"snakemake", "matplotlib", "nltk", "pandas", "scipy"} <= set(modules)
    (tmp_path / "text.txt").write_text("Una mujer y un hombre.\n", "utf-8")
    command = ["audit", "text.txt", "--lang", "spa", *WITH_NOUNS, "--write", "made", "--write", "part=part.parquet"]
    for arguments in (command, ["merge", "part.parquet", "--write", "merged"]):
        done = subprocess.run(
            [sys.executable, "-c", BLOCKED, ",".join(modules), *arguments], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    assert "<mark>mujer</mark>" in (tmp_path / "merged" / "audit.html").read_text("utf-8")


def test_a_frame_without_pandas_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingResourceError, match="make frames"):
        textparity.audit([], "eng", lexicon_folder=NOUNS).to_frame()


def test_a_web_page_without_its_parsers_names_the_extra(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "resiliparse.parse.html", None)
    for name, text in (("a.html", "<p>Una mujer.</p>"), ("a.warc", "WARC/1.0\r\n")):
        (tmp_path / name).write_text(text, "utf-8")
        assert main(["audit", str(tmp_path / name), "--lang", "spa", *WITH_NOUNS]) == 2
        assert "make web" in capsys.readouterr().err


def test_only_the_published_lexicon_is_asked_for_once_and_its_lack_is_said(tmp_path, monkeypatch, capsys):
    asked = []

    def fetch(url, file, attempts, **settings):
        asked.append(attempts)
        raise FetchError(f"{url}: cannot reach the host")

    monkeypatch.setattr("textparity.sources.fetch.fetch_file", fetch)
    monkeypatch.setattr(languages, "cache_folder", lambda: tmp_path / "cache")
    (tmp_path / "text.txt").write_text("Una mujer y un hombre.\n", "utf-8")
    command = ["audit", str(tmp_path / "text.txt"), "--lang", "spa"]
    assert main(command) == 0 and not asked
    assert main([*command, "--method", "published"]) == 2
    said = "the published Spanish lexicon is a download, which only the method published needs"
    assert said in capsys.readouterr().err
    assert set(asked) == {1}
