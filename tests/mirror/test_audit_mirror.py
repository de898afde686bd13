"""The audit on a language of NTREX-128: by the paper's tools and procedure, its Table 4; and languages detected."""

import json
import os
import random
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import textparity
from parallel_texts import load_study_registry
from textparity.command import main
from textparity.sources.model_files import Mirror

VARIABLES = ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR")
if missing := [name for name in VARIABLES if not os.environ.get(name)]:
    pytest.skip(f"{', '.join(missing)} not set", allow_module_level=True)
if find_spec("stanza") is None:
    pytest.skip("Stanza is not installed (make stanza)", allow_module_level=True)

pytestmark = [pytest.mark.mirror, pytest.mark.stanza]


@pytest.fixture
def swedish(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return Mirror(os.environ["TEXTPARITY_MIRROR"]).find(load_study_registry().corpus_file("ntrex", "swe").url)[0]


def test_the_papers_tools_and_procedure_give_the_papers_table(swedish):
    row = textparity.audit_files(swedish, "swe", engine="paper", method="published")["swe"].statistics.columns()
    rates = [round(row[f"{name}_percent"], 3) for name in ("feminine", "masculine", "unspecified")]
    assert (row["words"], rates) == (42_980, [0.156, 0.265, 0.240])


def test_detection_finds_the_language_of_nearly_every_line(swedish):
    result = textparity.audit_files(swedish)
    assert result["swe"].detected > 0.95 * 1997
    assert result["swe"].mean_certainty > 0.9
    assert result.texts + sum(result.left_out.values()) == 1997


def test_two_layouts_of_one_mixed_corpus_give_the_same_bytes(swedish, tmp_path, monkeypatch):
    rng = random.Random(5)
    english, german = (
        [line for line in (swedish.parent / name).read_text("utf-8").splitlines() if line.strip()]
        for name in ("newstest2019-src.eng.txt", "newstest2019-ref.deu.txt")
    )
    records = [json.dumps({"text": f"{rng.choice(english)} {number}"}) for number in range(8000)]
    # Nearly all of one shard is English, and all of the other German.
    for number in range(200):
        records.insert(rng.randrange(len(records)), json.dumps({"text": f"{rng.choice(german)} {number}"}))
    others = [json.dumps({"text": f"{rng.choice(german)} x{number}"}) for number in range(2000)]
    both = [*records, *others]
    rng.shuffle(both)
    monkeypatch.chdir(tmp_path)
    layouts = {"one": {"a": records, "b": others}, "two": {str(number): both[number::3] for number in range(3)}}
    for folder, files in layouts.items():
        Path(folder).mkdir()
        for name, lines in files.items():
            Path(folder, f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        jobs = str(len(files) - 1)
        assert main(["audit", folder, "--layers", "all", "--jobs", jobs, "--quiet", "--write", f"out-{folder}"]) == 0
    for name in ("audit", "words", "left_out"):
        assert Path("out-one", f"{name}.csv").read_bytes() == Path("out-two", f"{name}.csv").read_bytes()


def test_one_english_sentence_does_not_change_the_language_of_an_article(swedish):
    names = (swedish.parent / "DOCUMENT_IDS.tsv").read_text("utf-8").splitlines()
    sentences = (swedish.parent / "newstest2019-src.eng.txt").read_text("utf-8").splitlines()
    lines = (swedish.parent / "newstest2019-ref.deu.txt").read_text("utf-8").splitlines()
    articles: dict[str, list[str]] = {}
    for name, line in zip(names, lines, strict=True):
        articles.setdefault(name, []).append(line)
    # As many lines before as after it.
    texts = [
        " ".join([*of_article[: len(of_article) // 2], sentence, *of_article[len(of_article) // 2 :]])
        for of_article, sentence in zip(articles.values(), sentences, strict=False)
        if len(of_article) > 2
    ]
    assert {item.lang: item.texts for item in textparity.audit(texts)} == {"deu": len(texts)}


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("eng", "woman|women"),
        ("deu", "Frau|Frauen"),
        ("spa", "mujer|mujeres"),
        ("fra", "femme|femmes"),
    ],
)
def test_a_filter_of_a_word_for_women_fails_the_check(swedish, tmp_path, capsys, lang, words):
    name = "newstest2019-src.eng.txt" if lang == "eng" else f"newstest2019-ref.{lang}.txt"
    source, kept, records = swedish.parent / name, tmp_path / "kept.txt", str(tmp_path / "last.parquet")
    lines = source.read_text("utf-8").splitlines()
    kept.write_text("\n".join(line for line in lines if not re.search(rf"\b({words})\b", line, re.I)), "utf-8")
    assert main(["audit", str(source), "--lang", lang, "--quiet", "--write", f"records={records}"]) == 0
    assert main(["audit", str(kept), "--lang", lang, "--quiet", "--baseline", records]) == 4
    check = ["--fail-if", "verdict == 'masculine'"]
    assert main(["compare", str(source), str(kept), "--lang", lang, "--quiet", *check]) == 4
    # As many lines removed at random are no reason to fail.
    some = random.Random(3).sample(lines, len(kept.read_text("utf-8").splitlines()))
    kept.write_text("\n".join(some), "utf-8")
    assert main(["audit", str(kept), "--lang", lang, "--quiet", "--baseline", records]) == 0
