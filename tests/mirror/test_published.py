"""The real study on the real data, for some languages, from the mirror; and Stanza's tokens, for all it takes."""

import csv
import os
import subprocess
import sys
from collections import defaultdict
from importlib.util import find_spec

import pytest

VARIABLES = ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR", "NLTK_DATA")
if missing := [name for name in VARIABLES if not os.environ.get(name)]:
    pytest.skip(f"{', '.join(missing)} not set", allow_module_level=True)
if find_spec("stanza") is None:
    pytest.skip("Stanza is not installed (make stanza)", allow_module_level=True)

pytestmark = [pytest.mark.mirror, pytest.mark.stanza]

# Those that the mirror has, with the tables of the paper.
WITHOUT_STANZA = {
    "asm": ["3"], "ben": ["3", "4"], "ckb": ["4"], "kan": ["3", "4"], "kat": ["4"], "kir": ["4"], "lug": ["3"],
    "pan": ["3", "4"], "tha": ["3", "4"],
}  # fmt: skip
LANGUAGES = ["eng", "spa", "swe", *WITHOUT_STANZA]


@pytest.fixture(scope="module")
def results(repository, tmp_path_factory):
    """Results of `snakemake lexicon` for `LANGUAGES`."""
    folder = tmp_path_factory.mktemp("real")
    command = [
        sys.executable, "-m", "snakemake", "lexicon", "--cores", "2", "--snakefile", str(repository / "Snakefile"),
        "--directory", str(folder), "--config", "skip_unavailable=true", f"languages=[{','.join(LANGUAGES)}]",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "results"


@pytest.fixture(scope="module")
def ledger(results):
    """Ledger rows as table -> row -> column -> cells."""
    tables = defaultdict(lambda: defaultdict(dict))
    for cells in csv.DictReader((results / "ledger" / "lexicon.csv").open(encoding="utf-8")):
        tables[cells["table"]][cells["row"]][cells["column"]] = cells
    return tables


def test_swedish_ntrex_is_exact_in_every_column(ledger):
    row = ledger["4"]["swe"]
    assert len(row) == 7
    assert {cells["verdict"] for cells in row.values()} == {"exact"}
    assert row["words"]["ours_published"] == "42980"
    # 44,260 before folding: the model cuts ’s and 's differently.
    assert row["words"]["ours_corrected"] == "44286"
    corrected = [round(float(row[name]["ours_corrected"]), 3) for name in ("feminine", "masculine", "unspecified")]
    assert corrected == [0.154, 0.269, 0.251]


@pytest.mark.parametrize("lang", WITHOUT_STANZA)
def test_languages_without_stanza_are_exact_in_every_column(ledger, lang):
    tool = "PyThaiNLP newmm (pythainlp 4.0.2)" if lang == "tha" else "NLTK word_tokenize (nltk 3.9.1)"
    for table in WITHOUT_STANZA[lang]:
        row = ledger[table][lang]
        assert len(row) == 7
        assert {cells["verdict"] for cells in row.values()} == {"exact"}
        assert all(f"in the authors' requirements, here {tool}" in cells["reason"] for cells in row.values())


def test_a_stand_in_model_is_labelled_and_never_exact(ledger):
    for cells in ledger["4"]["spa"].values():
        assert cells["verdict"] != "exact"
        assert "stand-in" in cells["reason"]


def test_what_the_mirror_lacks_is_not_run_with_its_reason(ledger):
    cells = ledger["3"]["swe"]["words"]
    assert cells["verdict"] == "not run"
    assert "swe_Latn.devtest is not in the mirror's copy of flores200_dataset.tar.gz" in cells["reason"]
    assert ledger["1"]["common_crawl eng"]["coverage"]["verdict"] == "not run"
    assert "only 10 of the 45 languages" in ledger["4"]["avg."]["words"]["reason"]


def test_every_published_number_has_a_row(ledger, repository):
    with (repository / "resources" / "lexicon" / "published.csv").open(encoding="utf-8") as file:
        numbers = [(cells["table"], cells["row"], cells["column"]) for cells in csv.DictReader(file)]
    rows = [(table, row, column) for table, of in ledger.items() for row, cells in of.items() for column in cells]
    assert sorted(rows) == sorted(numbers)


def test_divergent_pairs_name_the_matched_words(results):
    rows = list(csv.DictReader((results / "lexicon" / "divergence" / "ntrex" / "spa.csv").open(encoding="utf-8")))
    # Table 2, sentence 1: the 13-year-old is a boy in Spanish only.
    shark = next(row for row in rows if "13-year-old on lobster dive" in row["text_eng"])
    assert shark["matched_forms_eng"] == ""
    assert "niño (masculine)" in shark["matched_forms_spa"]
    assert int(rows[0]["gender_difference"]) == max(int(row["gender_difference"]) for row in rows)


@pytest.fixture(scope="module")
def lines(results):
    """Lines of NTREX by the stem of their file."""
    folder = results / "sources" / "ntrex" / "NTREX-128"

    def read(name, count):
        return (folder / f"newstest2019-{name}.txt").read_text("utf-8").splitlines()[:count]

    return read


@pytest.mark.parametrize("release", ["1.15.", "another"])
@pytest.mark.parametrize(("code", "name", "expand"), [("sv", "ref.swe", False), ("en", "src.eng", True)])
def test_batches_cut_what_stanza_cuts_line_by_line(tmp_path, monkeypatch, lines, code, name, expand, release):
    import stanza

    from textparity.counting import stanza_tokenizer
    from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
    from textparity.sources.model_files import prepare_model

    # Of a release whose private parts are not known, the public call is used.
    monkeypatch.setattr(stanza_tokenizer, "KNOWN_RELEASE", release)
    folder = os.environ["STANZA_RESOURCES_DIR"]
    prepare_model(tmp_path / "model.json", "stanza", code, folder, offline=True)
    tokenizer = load_tokenizer(TokenizerChoice("stanza", code, expand_words=expand), tmp_path / "model.json")
    assert not tokenizer.stand_in
    texts = [*lines(name, 200), "", " \u200b ", "a", "Two\n\nparagraphs.", "x" * 2500]
    pipeline = stanza.Pipeline(code, processors="tokenize", dir=folder, download_method=None, verbose=False)
    units = "words" if expand else "tokens"
    expected = [
        [[unit.text for unit in getattr(sentence, units)] for sentence in pipeline(text.lower()).sentences]
        for text in texts[:-2]
    ]
    cut = tokenizer.cut(texts)
    assert cut[:-2] == expected
    # An empty line does not end a text.
    assert "".join(token for sentence in cut[-2] for token in sentence) == "twoparagraphs."
    # A word longer than the network's window is still cut to its end; Stanza itself has no word of that length.
    assert "".join(token for sentence in cut[-1] for token in sentence) == (
        "x" * 2500 if release == "1.15." else "<UNK>"
    )


def test_nltk_words_are_nltks(tmp_path, lines):
    import nltk

    from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
    from textparity.sources.model_files import prepare_model

    prepare_model(tmp_path / "model.json", "nltk", "punkt_tab", os.environ["NLTK_DATA"], offline=True)
    tokenizer = load_tokenizer(TokenizerChoice("nltk", ""), tmp_path / "model.json")
    for name in ("src.eng", "ref.kat", "ref.pan"):
        texts = lines(name, 500)
        assert [sentences[0] for sentences in tokenizer.cut(texts)] == [nltk.word_tokenize(t.lower()) for t in texts]


def test_without_skip_unavailable_a_missing_member_is_an_error(repository, tmp_path):
    command = [
        sys.executable, "-m", "snakemake", "results/corpora/flores/swe.parquet", "--cores", "1",
        "--snakefile", str(repository / "Snakefile"), "--directory", str(tmp_path),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    assert "has no member flores200_dataset/devtest/swe_Latn.devtest" in done.stderr
    assert not (tmp_path / "results" / "corpora" / "flores" / "swe.parquet").exists()
