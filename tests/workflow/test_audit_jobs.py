"""`snakemake audit`: parts as jobs, and the bytes of `textparity audit` on the same files."""

from pathlib import Path

import pytest
from lexicons import NOUNS, WITH_NOUNS

from conftest import Workflow
from textparity.auditing.settings import AuditSettings
from textparity.command import main
from textparity_studies.workflow.audit_plan import lexicon_files

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
    assert main(["audit", texts, *WITH_NOUNS, "--skip-failed", "--write", "whole", "--quiet"]) == 3
    made = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    assert len(made) == 6
    assert {name: (workflow.results / "audit" / name).read_bytes() for name in made} == made
    # Shown in another way, nothing is counted again; counted in another way, all is.
    assert workflow.planned(*config(per_file=True)) == {"audit": 1, "merge_audit": 1}
    assert workflow.planned(*config(examples=2))["count_part"] == 3


def test_an_audit_depends_on_the_words_that_it_counts(tmp_path):
    (tmp_path / "eng.json").write_text("{}")
    own = lexicon_files(AuditSettings(lexicon_folder=tmp_path))
    assert own == [str(tmp_path / "eng.json")]
    ours = lexicon_files(AuditSettings())
    # The tables of 56 languages, and the judged matches of 35.
    assert len(ours) == 91 and all(Path(path).is_file() for path in ours)
    assert lexicon_files(AuditSettings(method="published")) == []
