"""`textparity audit` from end to end: what it prints and writes, and its exit codes."""

import csv
import io
import os
import shlex
import subprocess
import sys
import types
from hashlib import sha256
from pathlib import Path
from unittest import mock

import pytest
from lexicons import NOUNS, WITH_NOUNS

from textparity import command
from textparity.auditing import languages
from textparity.auditing.languages import find_lexicon
from textparity.auditing.settings import PAPERS_LEXICON
from textparity.command import main
from textparity.errors import FetchError
from textparity.files import write_rows


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    (tmp_path / "eng.txt").write_text("A woman came.\nTwo fathers met a son.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit(*arguments):
    return main(["audit", *WITH_NOUNS, *map(str, arguments)])


def run(folder, *arguments, input=b"", **environment):
    command = [sys.executable, "-m", "textparity", "audit", *arguments, *WITH_NOUNS]
    return subprocess.run(command, input=input, capture_output=True, cwd=folder, env=os.environ | environment)


def test_a_pipe_becomes_tables_and_a_page(corpus):
    arguments = ["-", "--lang", "en", "--write", "out", "--show", "examples"]
    done = run(corpus, *arguments, input=(corpus / "eng.txt").read_bytes())
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert "-:1  A [woman] came." in done.stdout.decode()
    assert sorted(path.name for path in (corpus / "out").iterdir()) == [
        "audit.csv", "audit.html", "audit.tex", "examples.csv", "left_out.csv", "words.csv",
    ]  # fmt: skip
    with (corpus / "out" / "audit.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    shown = [row[name] for name in ("corpus", "lang", "texts", "feminine", "masculine")]
    assert shown == ["all", "eng", "2", "1", "2"]


def test_what_goes_to_standard_output_goes_there_alone(corpus, capsys):
    assert audit("eng.txt:eng", "--write", "latex=-") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("% Needs \\usepackage")
    assert captured.out.endswith("\\end{table}\n")
    assert captured.err == ""


def test_a_terminal_that_lacks_characters_gets_others_and_files_are_whole(corpus):
    (corpus / "eng.txt").write_text("A woman → came.\n", encoding="utf-8")
    shown = ["--show", "words,examples", "--write", "page.html"]
    done = run(corpus, "eng.txt:eng", *shown, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "A [woman] ? came." in done.stdout.decode("latin-1")
    page = run(corpus, "eng.txt:eng", "--write", "html=-", PYTHONIOENCODING="latin-1").stdout
    assert page == (corpus / "page.html").read_bytes()
    assert "</mark> → came." in page.decode("utf-8")


def test_the_files_are_there_before_anything_is_printed(corpus, monkeypatch):
    def write(text):
        assert (corpus / "page.html").exists()
        raise BrokenPipeError

    with (corpus / "printed").open("w") as file:
        printed = mock.Mock(spec=io.StringIO, fileno=file.fileno, isatty=lambda: False, write=write)
        monkeypatch.setattr(sys, "stdout", printed)
        # A reader that has seen enough is no bad input.
        assert audit("eng.txt:eng", "--write", "page.html") == 0


def test_standard_input_may_have_its_language(corpus, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"La mujer.\n"))))
    assert audit("eng.txt:eng", "-:spa", "--per-file", "--write", "csv=-") == 0
    rows = csv.DictReader(capsys.readouterr().out.splitlines())
    assert [(row["corpus"], row["lang"]) for row in rows] == [("eng.txt", "eng"), ("-", "spa")]


def test_a_name_that_is_no_unicode_is_shown_with_its_bytes(corpus):
    for name in (b"caf\xe8.txt", b"caf\xe9.txt"):
        Path(os.fsdecode(name)).write_text("A woman.\n")
    Path(os.fsdecode(b"bad\xe9.txt")).write_bytes(b"\xff\n")
    done = run(corpus, ".", "--lang", "eng", "--per-file", "--skip-failed", "--write", "out")
    assert done.returncode == 3, done.stderr
    with (corpus / "out" / "audit.csv").open(newline="", encoding="utf-8") as file:
        assert [row["corpus"] for row in csv.DictReader(file)] == [r"caf\udce8.txt", r"caf\udce9.txt", "eng.txt"]
    assert r"bad\udce9.txt, line 1" in (corpus / "out" / "left_out.csv").read_text("utf-8")
    assert "skipped: bad�.txt, line 1" in done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["empty.txt", "--lang", "eng"], 1, "nothing counted; there is no text"),
        (["blank.txt", "--lang", "eng"], 1, "nothing counted; the texts have no words"),
        (["blank.txt"], 1, "nothing counted; texts were left out: 3 blank"),
        (["eng.txt", "--minimum-certainty", "1"], 1, "nothing counted; texts were left out: 2 language not sure"),
        (["eng.txt", "--lang", "swe"], 1, "no lexicon for Swedish"),
        (["no.txt"], 2, "no.txt: no such file"),
        (["bad.txt", "--lang", "eng"], 2, "bad.txt, line 2"),
        (["eng.txt", "--split", "train"], 2, "split and subset apply only to a --dataset"),
        ([], 2, "name files"),
        (["eng.txt", "--lang", "eng", "--write", "csv=-", "--write", "html=-"], 2, "csv and html"),
        (["eng.txt", "bad.txt", "--lang", "eng", "--on-error", "skip"], 3, "bad.txt, line 2"),
        (["eng.txt", "no.txt", "--lang", "eng", "--on-error", "skip"], 3, "skipped: no.txt: no such file"),
        (["bad.txt", "--lang", "eng", "--on-error", "skip"], 3, "bad.txt, line 2"),
        (["bad.txt", "--lang", "eng", "--skip-failed"], 1, "nothing counted; no file could be read"),
    ],
)
def test_the_exit_code_says_how_it_went(corpus, capsys, arguments, code, message):
    (corpus / "empty.txt").touch()
    (corpus / "blank.txt").write_text("\n \n\n")
    (corpus / "bad.txt").write_bytes(b"A man.\n\xff\n")
    assert audit(*arguments) == code
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eng.txt", "--write", "csv=eng.txt"], "eng.txt: is an input and would be overwritten"),
        (["eng.txt", "--write", "html=same.txt"], "same.txt: "),
        (["eng.txt", "--write", "latex=link.txt"], "link.txt: "),
        (["-", "--write", "csv=eng.txt"], "eng.txt: "),
        ([".", "--write", "folder=."], "audit.csv: "),
        (["eng.txt", "--lexicon-folder", "lexicons", "--write", "html=lexicons/eng.json"], "eng.json: "),
        (["eng.txt", "--baseline", "base.json", "--write", "csv=base.json"], "base.json: "),
        (["eng.txt", "--baseline", "base.json", "--write", "junit=hard.json"], "hard.json: "),
        (["eng.txt", "--baseline", "out/audit.csv", "--write", "out"], "audit.csv: "),
        (["eng.txt", "--write", "csv=a", "--write", "html=./a"], "a: two tables would be written to it"),
        (["eng.txt", "--write", "csv=lexicons"], "lexicons: Is a directory"),
        (["eng.txt", "--write", "folder=eng.txt"], "eng.txt: Not a directory"),
        (["eng.txt", "--write", "read_only.csv"], "read_only.csv: Permission denied"),
    ],
)
def test_nothing_is_counted_where_it_could_not_be_written_or_would_take_what_is_read(
    corpus, repository, capsys, arguments, message
):
    os.link(corpus / "eng.txt", corpus / "same.txt")
    (corpus / "link.txt").symlink_to("eng.txt")
    (corpus / "lexicons").mkdir()
    (corpus / "lexicons" / "eng.json").write_bytes(
        (repository / "resources" / "demo" / "lexicons" / "eng.json").read_bytes()
    )
    (corpus / "read_only.csv").touch(0o444)
    (corpus / "out").mkdir()
    for name in ("base.json", "out/audit.csv"):
        (corpus / name).write_text("{}")
    os.link(corpus / "base.json", corpus / "hard.json")
    if arguments[0] == ".":
        (corpus / "same.txt").unlink()
        (corpus / "link.txt").unlink()
        (corpus / "read_only.csv").unlink()
        (corpus / "audit.csv").write_text("text\nA man.\n")
    before = {path: path.read_bytes() for path in corpus.iterdir() if path.is_file()}
    kept = os.dup(0)
    try:
        with (corpus / "eng.txt").open() as text:
            os.dup2(text.fileno(), 0)
        assert audit(*arguments, "--lang", "eng") == 2
    finally:
        os.dup2(kept, 0)
        os.close(kept)
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""
    assert {path: path.read_bytes() for path in corpus.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("command", ["audit eng.txt", "compare other.txt eng.txt", "merge eng.part"])
def test_nothing_is_printed_into_what_is_read(corpus, repository, command):
    (corpus / "other.txt").write_text("A woman.\n")
    assert audit("eng.txt:eng", "--write", "part=eng.part") == 0
    target = command.split()[-1]
    before = (corpus / target).read_bytes()
    options = [] if command.startswith("merge") else ["--lang", "eng", *WITH_NOUNS]
    script = shlex.join([sys.executable, "-m", "textparity", *command.split(), *options]) + f" >> {target}"
    environment = os.environ | {"PYTHONPATH": str(repository / "src")}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=corpus, env=environment)
    assert done.returncode == 2 and "standard output: is an input and would be overwritten" in done.stderr
    assert (corpus / target).read_bytes() == before


def test_a_pipeline_is_not_overwritten(corpus, capsys):
    (corpus / "own").mkdir()
    (corpus / "own" / "meta.json").write_text("{}")
    arguments = [
        "audit",
        "eng.txt:eng",
        "--method",
        "persons",
        "--pipeline",
        "own",
        "--write",
        "json=-",
        "--write",
        "csv=own/meta.json",
    ]
    assert main(arguments) == 2
    assert "own/meta.json: " in capsys.readouterr().err


def test_what_was_downloaded_is_not_overwritten(corpus, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(corpus / "cache"))
    kept = corpus / "cache" / "textparity" / "eng.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("{}")
    assert audit("eng.txt:eng", "--write", f"csv={kept}") == 2
    assert "eng.json: " in capsys.readouterr().err


def test_a_table_goes_to_what_a_shell_has_opened(corpus):
    audit = shlex.join([sys.executable, "-m", "textparity", "audit", "eng.txt:eng", *WITH_NOUNS])
    script = f"{audit} --write csv=/dev/fd/3 3>> table.csv"
    (corpus / "table.csv").write_text("before\n")
    done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=corpus)
    assert done.returncode == 0, done.stderr
    assert (corpus / "table.csv").read_text().startswith("before\ncorpus,lang,")


def test_wrong_options_are_wrong_use(corpus):
    for arguments in (["eng.txt", "--jobs", "0"], ["eng.txt", "--engine", "fast"], ["eng.txt", "--nonsense"]):
        with pytest.raises(SystemExit) as ended:
            audit(*arguments)
        assert ended.value.code == 2


def test_a_dataset_needs_its_package(corpus, capsys, monkeypatch):
    monkeypatch.setattr("textparity.reading.hub.find_spec", lambda name: None)
    assert audit("--dataset", "some/news", "--lang", "eng") == 2
    assert "make hub" in capsys.readouterr().err


def test_with_a_mirror_a_dataset_is_a_folder_here(tmp_path, capsys, monkeypatch):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n")
    monkeypatch.setenv("TEXTPARITY_MIRROR", str(tmp_path))
    stand_in = types.SimpleNamespace(load_dataset=lambda *_, **__: [{"text": "A man."}], __spec__=object())
    monkeypatch.setitem(sys.modules, "datasets", stand_in)
    assert audit("--dataset", "some/news", "--lang", "eng") == 2
    assert "dataset some/news: is not a folder on this machine, and with a mirror" in capsys.readouterr().err
    assert audit("--dataset", tmp_path, "--lang", "eng") == 0


def test_every_split_of_a_dataset_is_streamed(corpus, capsys, monkeypatch):
    asked = []

    def load_dataset(name, subset, split, streaming):
        asked.append((name, subset, split, streaming))
        if split == "nosplit":
            raise ValueError("Unknown split")
        return [{"answers": [{"text": "A woman."}, {"text": "A man."}]}, {"answers": []}]

    # A module of the kind that `import datasets` finds, without the package.
    stand_in = types.SimpleNamespace(load_dataset=load_dataset, __spec__=types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "datasets", stand_in)
    options = ["--dataset", "some/news", "--subset", "en", "--field", "answers.text", "--lang", "eng"]
    assert audit(*options, "--split", "train", "--split", "test", "--write", "csv=-", "--per-file") == 0
    assert asked == [("some/news", "en", "train", True), ("some/news", "en", "test", True)]
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [(row["corpus"], row["texts"]) for row in rows] == [("some/news-en-train", "2"), ("some/news-en-test", "2")]
    assert audit(*options, "--split", "nosplit") == 2
    assert "dataset some/news-en-nosplit: Unknown split; check its name" in capsys.readouterr().err


def test_a_lexicon_is_fetched_once_and_verified(tmp_path, monkeypatch, repository):
    content = (repository / "resources" / "demo" / "lexicons" / "eng.json").read_bytes()
    reference = languages.load_registry().lexicon_file("gender_gap_v1.0", "eng")
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "eng.json").write_bytes(content)
    write_rows(mirror / "urls.tsv", ["url", "path", "sha256"],
               [(reference.url, "eng.json", sha256(content).hexdigest())], tab_separated=True)  # fmt: skip
    monkeypatch.setenv("TEXTPARITY_MIRROR", str(mirror))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # Of the pinned hash, not of any file of that name.
    with pytest.raises(FetchError, match=r"not 49b15239\w+ as in resources/registry/source_files\.tsv"):
        find_lexicon(PAPERS_LEXICON, "eng")
    files, key = languages.load_registry().source_files, ("gender_gap_lexicon", "eng_nouns.json")
    monkeypatch.setitem(files, key, [files[key][0].model_copy(update={"sha256": sha256(content).hexdigest()})])
    path = find_lexicon(PAPERS_LEXICON, "eng").nouns
    assert path.is_relative_to(tmp_path / "cache")
    (mirror / "eng.json").unlink()
    assert find_lexicon(PAPERS_LEXICON, "eng").nouns == path
    path.write_bytes(content[:-1])
    with pytest.raises(FetchError):
        find_lexicon(PAPERS_LEXICON, "eng")
    assert find_lexicon("", "swe", NOUNS) is None


@pytest.mark.parametrize("compiled", [None, "json"])
def test_the_version_says_whether_the_core_is_compiled(monkeypatch, capsys, compiled):
    monkeypatch.setattr(command, "COMPILED", ("json", compiled or "textparity.counting.none"))
    with pytest.raises(SystemExit):
        command.main(["--version"])
    assert ("in Python" in capsys.readouterr().out) == (compiled is None)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_audit_needs_nothing_that_windows_lacks(corpus, repository, jobs):
    (corpus / "spa.txt").write_text("Una mujer vino.\n")
    (corpus / "out").mkdir()
    (corpus / "out" / "audit.csv").write_text("of an earlier audit\n")
    command = "import like_windows, sys; from textparity.command import main; sys.exit(main(sys.argv[1:]))"
    arguments = ["audit", "eng.txt:eng", "spa.txt:spa", *WITH_NOUNS, "--write", "out", "--jobs", jobs]
    paths = [str(repository / "tests" / "support"), os.environ["PYTHONPATH"]]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments], cwd=corpus, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (corpus / "out" / "audit.csv").read_text().startswith("corpus,lang,")
    assert len(list((corpus / "out").iterdir())) == 6
