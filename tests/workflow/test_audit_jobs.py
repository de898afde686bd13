"""`snakemake audit`: parts as jobs, and the bytes of `textparity audit` on the same files."""

import pytest
from lexicons import NOUNS, WITH_NOUNS

from conftest import Workflow
from textparity.command import main

pytestmark = pytest.mark.workflow


def test_parts_as_jobs_make_the_files_of_the_command(repository, tmp_path, monkeypatch):
    workflow = Workflow(repository, tmp_path)
    texts = "resources/demo/texts"
    (tmp_path / texts / "broken.txt").write_bytes(b"A woman.\n\xff\n")

    def config(**changed):
        section = {
            "files": [texts],
            "parts": 3,
            "skip_failed": True,
            "counting": {"lexicon_folder": str(NOUNS)} | changed,
        }
        return ["audit", "--config", f"audit={section}"]

    workflow.build(*config())
    assert len(list((workflow.results / "audit" / "parts").glob("*.parquet"))) == 3
    monkeypatch.chdir(tmp_path)
    assert main(["audit", texts, *WITH_NOUNS, "--skip-failed", "--output", "whole", "--quiet"]) == 3
    made = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    assert len(made) == 6
    assert {name: (workflow.results / "audit" / name).read_bytes() for name in made} == made
    # Shown in another way, nothing is counted again; counted in another way, all is.
    assert workflow.planned(*config(per_file=True)) == {"audit": 1, "merge_audit": 1}
    assert workflow.planned(*config(examples=2))["count_part"] == 3
