"""What a mirror has, and what it says exists upstream, are rows of the tables of sources."""

import os
from pathlib import Path

import pytest

from textparity.files import read_tsv
from textparity.registry import LOCK
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror
NO_FILE = "not an upstream file"


@pytest.mark.parametrize("table", ["urls.tsv", "absent.tsv"])
def test_every_file_is_pinned_by_its_hash(repository, table):
    registry = StudyRegistry(Tables().model_dump(), repository)
    pinned = {registry.url(*key): {row.sha256 for row in rows} for key, rows in registry.source_files.items()}
    listed = [row for row in read_tsv(Path(os.environ["TEXTPARITY_MIRROR"]) / table) if NO_FILE not in row["note"]]
    assert [row["url"] for row in listed if row["url"] not in pinned] == []
    # An archive is pinned by its members, what has no hash beforehand by the lock file.
    whole = {url for url, hashes in pinned.items() if len(hashes) == 1 and LOCK not in hashes}
    different = [row["url"] for row in listed if row["url"] in whole and row["sha256"] not in pinned[row["url"]]]
    assert different == []
