"""A real WET record of Common Crawl, from the mirror."""

import csv
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


def test_a_real_record_goes_through(repository, tmp_path):
    command = [
        sys.executable, "-m", "snakemake", "lexicon", "--cores", "2",
        "--config", "lexicon={corpora: [cc_record]}", "languages=[spa]",
        "--snakefile", str(repository / "Snakefile"), "--directory", str(tmp_path),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = pq.read_table(tmp_path / "results" / "corpora" / "cc_record" / "spa.parquet").to_pylist()
    assert row["id"] == "ba729a40-ff84-4085-8d48-0a5b2ee0c42d"
    assert row["text"].startswith("Escopete - Biquipedia, a enciclopedia libre\n")
    assert len(row["text"].encode()) == 4456
    records = list(csv.DictReader((tmp_path / "results" / "crawls" / "cc_record" / "records.csv").open()))
    assert records == [{"outcome": "spa by header", "records": "1"}, {"outcome": "all", "records": "1"}]
