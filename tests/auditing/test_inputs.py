"""Which files an audit reads, and in which language."""

import os
import shutil
import subprocess
import sys

import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.audit import audit_sources
from textparity.auditing.counting import CountingRun
from textparity.auditing.inputs import choose_sources, short_names
from textparity.auditing.settings import make_settings
from textparity.command import main
from textparity.errors import ConfigError, InputError
from textparity.reading.sources import InputFile


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep" / "none").mkdir(parents=True)
    for name in ("b.txt", "a.jsonl.gz", "deep/c.tsv", "picture.png", "notes", ".hidden/d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("A man.\n")
    return tmp_path


def described(sources, folder):
    return [(source.name.removeprefix(f"{folder}/"), source.format, source.lang) for source in sources]


def test_a_folder_is_its_texts_in_order_and_the_rest_is_counted(folder):
    sources, ignored = choose_sources([str(folder)], ["es"])
    assert described(sources, folder) == [
        ("a.jsonl.gz", "jsonl", "spa"), ("b.txt", "text", "spa"), ("deep/c.tsv", "tsv", "spa"),
    ]  # fmt: skip
    assert ignored == {"hidden files": 1, "files that end in .png": 1, "files that end in nothing": 1}
    assert short_names(sources) == ["a.jsonl.gz", "b.txt", "deep/c.tsv"]


def test_each_file_may_have_its_language(folder):
    first, second = f"{folder}/b.txt", f"{folder}/notes"
    by_name, _ = choose_sources([f"{first}:deu", f"{second}:Modern Standard Arabic"])
    by_order, _ = choose_sources([first, second], ["de", "arb"])
    assert by_name == by_order
    assert [source.lang for source in by_name] == ["deu", "arb"]


@pytest.mark.parametrize(
    ("code", "lang"),
    [("zh", "cmn"), ("zh-hans", "cmn"), ("yue", "yue"), ("tl", "tgl"), ("fil", "tgl"), ("EN", "eng"), ("SWE", "swe"),
     ("german", "deu")],
)  # fmt: skip
def test_a_language_has_codes_of_two_and_three_letters(folder, code, lang):
    assert choose_sources([f"{folder}/b.txt:{code}"]) == choose_sources([f"{folder}/b.txt"], [lang])
    assert choose_sources([f"{folder}/b.txt"], [code])[0][0].lang == lang


def test_a_colon_may_be_part_of_a_name(folder):
    (folder / "b:deu").write_text("Ein Mann.\n")
    ((source,), _) = choose_sources([f"{folder}/b:deu"])
    assert (source.name, source.lang) == (f"{folder}/b:deu", None)


def test_links_of_a_folder_are_followed_counted_or_named(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "e.txt").write_text("A man.\n")
    (folder / "linked.txt").symlink_to(elsewhere / "e.txt")
    (folder / "linked").symlink_to(elsewhere)
    (folder / "missing.txt").symlink_to(elsewhere / "key")
    (folder / "missing.png").symlink_to(elsewhere / "key")
    sources, ignored = choose_sources([str(folder)], ["eng"])
    assert [name for name, _, _ in described(sources, folder)][-2:] == ["linked.txt", "missing.txt"]
    assert (ignored["linked folders"], ignored["files that end in .png"]) == (1, 2)
    with pytest.raises(InputError, match=r"missing\.txt: is a link to .*key, which does not exist; get its content"):
        audit_sources(sources, make_settings(lexicon_folder=NOUNS))
    (folder / "a.jsonl.gz").unlink()
    (folder / "deep" / "c.tsv").unlink()
    sources, _ = choose_sources([str(folder)], ["eng"])
    result = audit_sources(sources, make_settings(lexicon_folder=NOUNS), CountingRun(skip_failed=True))
    assert (result.texts, [name for name, _ in result.failed]) == (2, ["missing.txt"])


def test_pipes_of_a_folder_are_counted_and_not_waited_for(folder):
    os.mkfifo(folder / "pipe.txt")
    (folder / "link.txt").symlink_to("pipe.txt")
    sources, ignored = choose_sources([str(folder)], ["eng"])
    assert len(sources) == 3
    assert ignored["pipes, sockets and devices"] == 2


def test_a_pipe_that_is_named_is_read(folder):
    (source,), _ = choose_sources(["/dev/fd/0"], ["eng"])
    script = f"""from pathlib import Path; from textparity.auditing.audit import audit_sources
from textparity.reading.sources import InputFile; from textparity.auditing.settings import make_settings
print(audit_sources([{source!r}], make_settings(lexicon_folder=Path({str(NOUNS)!r}))).texts)"""
    done = subprocess.run([sys.executable, "-c", script], input=b"A man.\nA woman.\n", capture_output=True)
    assert done.stdout == b"2\n", done.stderr
    pipe = folder / "pipe.parquet"
    os.mkfifo(pipe)
    (source,), _ = choose_sources([str(pipe)], ["eng"])
    assert source.problem.endswith("is not a regular file, and Parquet is read from its end; write it to a file")


@pytest.mark.parametrize("mode", [0o000, 0o444, 0o111])
def test_a_folder_that_cannot_be_read_is_not_passed_over(folder, mode):
    (folder / "a.jsonl.gz").unlink()
    command = [sys.executable, "-m", "textparity", "audit", ".", "--lang", "eng", *WITH_NOUNS]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("the administrator reads everything, and needs setpriv not to")
        command = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", *command]
    closed = [folder / "deep", folder / ".hidden"]
    for path in closed:
        path.chmod(mode)
    try:
        stopped, counted = (
            subprocess.run([*command, *more], cwd=folder, capture_output=True, text=True)
            for more in ([], ["--on-error", "skip"])
        )
    finally:
        for path in closed:
            path.chmod(0o755)
    assert stopped.returncode == 2, stopped.stdout
    assert "deep: is a folder that cannot be read" in stopped.stderr
    assert counted.returncode == 3, counted.stderr
    assert "file deep: is a folder that cannot be read" in counted.stdout
    assert "hidden files: 1" in counted.stdout


def test_a_file_that_may_not_be_read_is_no_damaged_one(folder, monkeypatch):
    # The administrator may read all.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    (source,), _ = choose_sources([f"{folder}/b.txt"])
    assert source.problem.startswith(f"{folder}/b.txt: cannot be read; change its permissions")


def test_an_empty_name_is_no_folder(capsys):
    with pytest.raises(InputError, match="the name of a file is empty"):
        choose_sources([""])
    for option in ("--write", "--csv", "--html", "--card", "--records", "--output", "--lexicon-folder"):
        with pytest.raises(SystemExit, match="2"):
            main(["audit", "a.txt", option, ""])
        assert f"argument {option}: the name is empty" in capsys.readouterr().err


def test_files_of_the_whole_machine_are_named_from_its_root():
    sources = [InputFile("/a/x.txt", "text"), InputFile("/b/x.txt", "text")]
    assert short_names(sources) == ["/a/x.txt", "/b/x.txt"]


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.TGZ", "a.txt.zip"])
def test_an_archive_is_no_text(folder, name):
    (folder / name).write_text("A man.\n")
    ((source,), _) = choose_sources([f"{folder}/{name}"], ["eng"], "text")
    with pytest.raises(InputError, match="is an archive; unpack it"):
        audit_sources([source], make_settings(lexicon_folder=NOUNS))
    sources, ignored = choose_sources([str(folder)], ["eng"], "text")
    assert name not in [name for name, _, _ in described(sources, folder)]
    assert sum(ignored.values()) == 2


@pytest.mark.parametrize(
    ("arguments", "langs", "error", "message"),
    [
        (["{}/deep/none"], [], InputError, "has no file that ends in"),
        (["{}/b.txt:xyz"], [], ConfigError, "language 'xyz' is not in the table"),
        (["{}/b.txt:en-US"], [], ConfigError, r"language 'en-US' is not in the table .* did you mean eng\?"),
        (["{}/b.txt"], ["Swedisch"], ConfigError, "did you mean swedish"),
        (["{}/b.txt:deu"], ["spa"], ConfigError, "give only one"),
        (["{}/b.txt", "{}/notes"], ["spa", "deu", "eng"], ConfigError, "3 languages for 2 files"),
        (["{}", "{}/b.txt"], [], InputError, r"b\.txt: is named twice"),
        (["{}/.hidden"], [], None, ""),
    ],
)
def test_what_does_not_fit_is_said(folder, arguments, langs, error, message):
    arguments = [argument.format(folder) for argument in arguments]
    if error is None:
        assert len(choose_sources(arguments, langs)[0]) == 1
        return
    with pytest.raises(error, match=message):
        choose_sources(arguments, langs)


def test_a_language_that_the_table_lacks_is_counted_with_a_lexicon_of_its_own(repository, tmp_path, capsys):
    lexicon = (repository / "resources/demo/lexicons/spa.json").read_text("utf-8")
    for name in ("glg.json", "ast_nouns.json", "spa.json", "other.json"):
        (tmp_path / name).write_text(lexicon, "utf-8")
    text = str(repository / "resources/demo/texts/spa.txt")
    spanish = textparity.audit_files([text], "spa", lexicon_folder=tmp_path)["spa"]
    for code in ("glg", "ast"):
        found = textparity.audit_files([f"{text}:{code}"], lexicon_folder=tmp_path)[code]
        assert (found.name, found.matches["feminine"], found.warnings) == (code, spanish.matches["feminine"], ())
    records = tmp_path / "a.jsonl"
    records.write_text(
        "".join(f'{{"text": "Una mujer.", "of": "{code}"}}\n' for code in ("glg", "zzz", "GLG-es")), "utf-8"
    )
    found = textparity.audit_files([records], lexicon_folder=tmp_path, lang_field="of")
    assert [(item.lang, item.texts) for item in found] == [("glg", 2)] and found.left_out == {
        "language without a lexicon: zzz": 1
    }
    own = ["--lang", "glg", "--lexicon-folder", str(tmp_path), "--quiet"]
    assert main(["audit", text, *own, "--fail-if", "lang == 'glg' and words > 9"]) == 4
    for arguments in (["--lang", "zzz"], ["--lang", "other"], ["--lang", "gl"]):
        assert main(["audit", text, *arguments, "--lexicon-folder", str(tmp_path)]) == 2
        assert "add --lexicon-folder with its list, named by its ISO 639-3 code" in capsys.readouterr().err
