"""Settings come from options or from a file, with the same result."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lexicons import NOUNS, WITH_NOUNS

from textparity.command import main
from textparity.commands.settings import (
    SETTINGS,
    default_of,
    read_settings,
    render_settings,
    setting_names,
)
from textparity.errors import ConfigError

TEXT = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1)
VALUES = {
    bool: st.booleans(),
    int: st.integers(1, 10**9),
    float: st.floats(0, 1),
    str: TEXT,
    tuple: st.lists(TEXT, min_size=1).map(tuple),
}


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("A woman came.\nTwo fathers met a son.\n")
    (tmp_path / "b.csv").write_text("id;of;text\n1;x;A woman.\n2;y;A man and a <b>king</b>.\n3;y;A man.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit(capsys, *arguments):
    """Return the result of an audit as JSON, and its messages."""
    assert main(["audit", *WITH_NOUNS, *arguments, "--write", "json=-"]) == 0
    printed = capsys.readouterr()
    return json.loads(printed.out), printed.err


def test_a_settings_file_takes_every_setting():
    assert sorted(setting_names()) == sorted(SETTINGS)


def test_the_texts_of_settings_have_their_defaults():
    for name, setting in SETTINGS.items():
        shown = re.search(r"\(default: ([\w.]+)\)|default: (\w+)\)", setting.text)
        if shown and default_of(name) and setting.type in (int, float):
            assert setting.type(shown[1] or shown[2]) == default_of(name), name


@given(st.data())
def test_what_is_written_is_read(tmp_path_factory, data):
    values = {}
    for name, setting in SETTINGS.items():
        value = default_of(name)
        if setting.type in VALUES and not setting.choices and setting.read is None:
            value = data.draw(VALUES[setting.type])
        values[name] = value
    path = tmp_path_factory.getbasetemp() / "audit.toml"
    path.write_text(render_settings(values), "utf-8")
    written = {name: value for name, value in values.items() if value not in (None, "", ())}
    assert read_settings(path) == written


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (["--seed", "7"], "seed = 7"),
        (["--engine", "icu"], 'engine = "icu"'),
        (["--layers", "all"], 'layers = "all"'),
        (["--minimum-certainty", "0.25"], "minimum_certainty = 0.25"),
        (["--examples", "1"], "examples = 1"),
        (["--max-samples", "1"], "max_samples = 1"),
        (["--strip-html"], "strip_html = true"),
        (["--exclude-words", "father,woman"], 'exclude_words = ["father", "woman"]'),
        (["--jobs", "2"], "jobs = 2"),
        (["--lang", "eng"], 'lang = "eng"'),
    ],
)
def test_an_option_and_a_line_of_the_file_are_the_same(corpus, capsys, option, line):
    (corpus / "s.toml").write_text(line)
    by_option, said = audit(capsys, "a.txt", *option)
    by_file, nothing = audit(capsys, "a.txt", "--settings", "s.toml")
    assert by_option == by_file
    assert (said == "" or line.partition(" = ")[0] in said) and nothing == ""


def test_options_win_over_the_file(corpus, capsys):
    (corpus / "s.toml").write_text('lang = "deu"\ntop = 1\nexclude_words = ["woman"]\n')
    result, _ = audit(capsys, "a.txt", "--settings", "s.toml", "--lang", "eng", "--exclude-words", "son")
    assert result["settings"]["exclude_words"] == ["son"] and result["settings"]["top"] == 1
    assert [row["lang"] for row in result["rows"]] == ["eng"]


def test_the_file_of_a_run_repeats_it(corpus, capsys):
    options = ["--lang", "en", "--delimiter", ";", "--group-by", "of", "--unique", "--on-error", "skip"]
    first, _ = audit(capsys, "b.csv", *options, "--strip-html", "--write", "s.toml")
    assert main(["audit", "b.csv", "--settings", "s.toml", "--write", "json=-"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert f'lexicon_folder = "{NOUNS}"' in (corpus / "s.toml").read_text()


def test_a_comparison_takes_the_settings_of_an_audit(corpus, capsys):
    assert main(["audit", "a.txt", *WITH_NOUNS, "--lang", "eng", "--quiet", "--write", "s.toml"]) == 0
    assert main(["compare", "a.txt", "a.txt", "--settings", "s.toml", "--quiet", "--write", "t.toml"]) == 0
    assert (corpus / "s.toml").read_text() == (corpus / "t.toml").read_text()
    (corpus / "s.toml").write_text('group_by = "of"')
    assert main(["compare", "a.txt", "a.txt", "--settings", "s.toml"]) == 2
    assert "group_by is not a setting of textparity compare" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("seed = true", "seed True: must be a whole number"),
        ("seed = 1.5", "seed 1.5: must be a whole number"),
        ("unique = 1", "unique 1: must be true or false"),
        ("minimum_certainty = 'x'", "minimum_certainty 'x': must be a number"),
        ("layers = [1]", r"layers \[1\]: must be a list of strings"),
        ("engine = 'fast'", "engine 'fast': must be one of paper, icu"),
        ("method = 'word'", "method 'word': method 'word'"),
        ("delimiter = 'ab'", "must be one character"),
        ("documents = ''", "the name is empty"),
        ("[audit]\nseed = 1", "audit is not a setting"),
        ("seed = 1\njobs = two", "is not TOML .*line 2"),
        (b"\xff", "not UTF-8"),
        (None, "cannot be read"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path, content, message):
    path = tmp_path / "s.toml"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ConfigError, match=rf"s\.toml: .*{message}|s\.toml: {message}"):
        read_settings(path)


def test_the_settings_file_is_not_overwritten(corpus, capsys):
    (corpus / "s.toml").write_text("seed = 1")
    assert main(["audit", "a.txt", "--settings", "s.toml", "--write", "s.toml"]) == 2
    assert "s.toml: " in capsys.readouterr().err


def test_a_name_that_is_no_unicode_stops_only_a_file_of_settings(corpus, capsys):
    (corpus / "\udce9").mkdir()
    (corpus / "\udce9" / "eng.json").write_bytes((NOUNS / "eng.json").read_bytes())
    command = ["audit", "a.txt", "--lang", "eng", "--quiet", "--lexicon-folder", "\udce9"]
    assert main(command) == 0
    assert main([*command, "--write", "s.toml"]) == 2
    assert "lexicon_folder is not Unicode, so a settings file cannot have it" in capsys.readouterr().err
    assert main([*command, "--id-field", "\udce9"]) == 2
    assert "--id-field is now id_field = " in capsys.readouterr().err


def test_every_old_option_names_what_replaces_it(corpus, capsys):
    old = ["--csv", "t.csv", "--output", "out", "--seed", "7", "--skip-failed", "--pipeline", "a", "--pipeline", "b"]
    assert main(["audit", "a.txt", *WITH_NOUNS, *old]) == 2
    said = capsys.readouterr().err
    assert said.splitlines()[0] == (
        "textparity: --csv is now --write csv=t.csv, --output is now --write folder=out, --seed is now seed = 7 in a "
        'file for --settings, --skip-failed is now --on-error skip, --pipeline is now pipeline = "a" in a file for '
        '--settings, --pipeline is now pipeline = "a,b" in a file for --settings; the old options end with the next '
        "version"
    )
