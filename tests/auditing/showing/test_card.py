"""The part of a dataset's card: what it says, and that text of the corpus is no Markdown in it."""

import html
import json
import re

import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing.settings import CountingOptions
from textparity.auditing.showing.card import render_croissant, render_markdown
from textparity.auditing.showing.citation import methods_paragraph, references
from textparity.command import main
from textparity.counting import CLASSES, OWN_LEXICON


@pytest.fixture
def texts(repository):
    return repository / "resources" / "demo" / "texts"


def test_markdown_has_table_method_precision_limits_and_signature(texts):
    result = textparity.audit_files([texts / "eng.txt", texts / "spa.txt"], lexicon_folder=NOUNS, per_file=True)
    card = render_markdown(result)
    heads = [line for line in card.splitlines() if line.startswith("#")]
    assert heads == ["## Gender representation", "### Method", "### Precision", "### Limits", "### References"]
    table = [line.strip("|").split(" | ") for line in card.splitlines() if line.startswith("| ")]
    assert len(table) == 2 + len(result.languages)
    assert {len(row) for row in table} == {9}
    for item, row in zip(result, table[2:], strict=True):
        assert f"{item.women_share.value:.1f} ({item.women_share.low:.1f}–" in row[4]
    assert "- English: precision (share of the words found that refer to such persons): not measured." in card
    assert card.endswith(f"\n\n`{result.signature}`\n")


def test_measured_precision_is_in_it(texts, monkeypatch):
    result = textparity.audit_files(texts / "spa.txt", "spa", lexicon_folder=NOUNS)
    measured = textparity.auditing.reliability.lexicon_precision(OWN_LEXICON, "spa", 0.95)
    object.__setattr__(result.languages[0], "precision", measured)
    right = f"feminine {100 * measured['feminine'].right / measured['feminine'].judged:.0f} %"
    assert right in render_markdown(result)
    assert right in json.loads(render_croissant(result))["rai:dataLimitations"][0]


def test_croissant_has_the_table_as_records(texts):
    result = textparity.audit_files(texts, lexicon_folder=NOUNS)
    card = json.loads(render_croissant(result))
    (records,) = card["recordSet"]
    ids = {field["@id"] for field in records["field"]}
    assert all(row.keys() == ids for row in records["data"])
    found = {row[f"{records['@id']}/lang"]: row for row in records["data"]}
    assert len(found) == len(card["rai:dataBiases"]) == 6
    for item in result:
        row = found[item.lang]
        assert row["gender_representation/signature"] == item.signature
        for name in CLASSES:
            assert row[f"gender_representation/{name}_percent"] == round(item.rate(name).value, 6)
    # Too few for a ratio there.
    few = json.loads(render_croissant(textparity.audit(["A man."], "eng", lexicon_folder=NOUNS)))
    assert few["recordSet"][0]["data"][0]["gender_representation/masculine_per_feminine"] is None
    none = json.loads(render_croissant(textparity.audit([], "eng", lexicon_folder=NOUNS)))
    assert none["rai:dataBiases"] == [] and "recordSet" not in none


def test_a_name_is_no_markdown(tmp_path):
    for name in ("a|b.txt", "<b>[x](y).txt"):
        (tmp_path / name).write_text("A woman.\n")
    card = render_markdown(textparity.audit_files(tmp_path, "eng", lexicon_folder=NOUNS, per_file=True))
    assert r"a\|b.txt" in card
    assert r"\<b\>\[x\](y).txt" in card


@pytest.mark.parametrize("name", ["card.md", "card.json"])
def test_the_command_writes_it_and_refuses_other_endings(texts, tmp_path, capsys, name):
    options = ["audit", str(texts / "eng.txt"), "--lang", "eng", *WITH_NOUNS, "--quiet"]
    assert main([*options, "--write", f"card={tmp_path / name}", "--write", f"part={tmp_path / 'part.parquet'}"]) == 0
    assert (
        main(["merge", str(tmp_path / "part.parquet"), "--quiet", "--write", f"card={tmp_path / f'merged {name}'}"])
        == 0
    )
    assert (tmp_path / f"merged {name}").read_bytes() == (tmp_path / name).read_bytes()
    assert main([*options, "--write", f"card={tmp_path / 'card.txt'}"]) == 2
    assert "must end in .md (Markdown) or .json (Croissant)" in capsys.readouterr().err
    assert main([*options, "--write", f"card={tmp_path / name}", "--write", f"csv={tmp_path / name}"]) == 2


def test_the_paragraph_for_a_paper_says_what_the_run_did_and_cites_it(monkeypatch):
    texts = [f"She said that the woman and the man came home yesterday at {number}." for number in range(30)]
    found = textparity.audit(texts, seed=7, resamples=500, unique=True)
    paragraph, cited = methods_paragraph(found), references(found)
    counted = f"30 texts (420 words) in English with textparity {textparity.__version__} by the method words"
    detected = "language of each text was detected (Joulin et al. 2017)"
    for said in (counted, "seed 7", "500 resamples", detected, "counted once"):
        assert said in paragraph
    assert re.findall(r"^@\w+{([\w-]+),", cited, re.M) == [
        "textparity",
        "joulin-etal-2017-bag",
        "kish-1965-survey",
    ]
    assert textparity.__version__ in cited
    own = textparity.audit(texts, "eng", lexicon_folder=NOUNS)
    assert "detected" not in methods_paragraph(own)
    monkeypatch.setattr(CountingOptions, "lexicon", "demo")
    published = textparity.audit(texts, "eng", method="published")
    for result, cites in ((found, False), (own, False), (published, True)):
        assert ("Muller" in methods_paragraph(result)) is ("muller-etal-2023" in references(result)) is cites
    assert methods_paragraph(found) in html.unescape(found.to_html())
