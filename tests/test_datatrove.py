"""The block of datatrove: its parts, merged, are the audit of the files that a pipeline has read."""

import json
from pathlib import Path

import pytest
from lexicons import NOUNS, WITH_NOUNS

from textparity.command import main
from textparity.errors import ConfigError

pytestmark = pytest.mark.datatrove
pytest.importorskip("datatrove", reason="needs the extra datatrove")


@pytest.fixture
def folder(repository, tmp_path, monkeypatch):
    for path in (repository / "resources" / "demo" / "texts").glob("*.txt"):
        records = [json.dumps({"text": line}) for line in path.read_text("utf-8").splitlines()]
        (tmp_path / f"{path.stem}.jsonl").write_text("\n".join(records) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pipeline(folder, tasks, *blocks):
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader

    reader = JsonlReader(str(folder), glob_pattern="*.jsonl")
    LocalPipelineExecutor([reader, *blocks], tasks=tasks, workers=1, logging_dir=str(folder / "logs")).run()


def test_merged_parts_of_a_pipeline_are_the_audit_of_its_files(folder):
    from datatrove.pipeline.writers import JsonlWriter

    from textparity.datatrove import AuditPart

    parts = AuditPart(str(folder / "parts"), lexicon_folder=NOUNS, examples=2)
    passed = JsonlWriter(str(folder / "passed"), output_filename="${rank}.jsonl", compression=None)
    pipeline(folder, 2, parts, passed)
    assert main(["merge", "parts", "--write", "merged", "--quiet"]) == 0
    # A rank of two reads every other file.
    files = sorted(map(str, Path().glob("*.jsonl")))
    audit = ["audit", *files[0::2], *files[1::2], *WITH_NOUNS, "--examples", "2"]
    assert main([*audit, "--write", "whole", "--quiet"]) == 0
    for path in (folder / "whole").iterdir():
        assert (folder / "merged" / path.name).read_bytes() == path.read_bytes(), path.name
    # The documents go on, in their order.
    texts = [json.loads(line)["text"] for line in (folder / "passed" / "00001.jsonl").read_text("utf-8").splitlines()]
    assert texts == [json.loads(line)["text"] for file in files[1::2] for line in Path(file).read_text().splitlines()]


def test_a_language_that_does_not_fit_is_doubted(folder, capsys):
    from textparity.datatrove import AuditPart

    pipeline(folder, 1, AuditPart(str(folder / "parts"), lang="spa", lexicon_folder=NOUNS))
    assert main(["merge", "parts"]) == 0
    assert "look like Spanish (spa), 36 like arb; is the language right?" in capsys.readouterr().out.replace("\n", " ")


def test_documents_are_grouped_by_their_metadata(folder):
    from textparity.datatrove import AuditPart

    Path("a.jsonl").write_text(
        "".join(json.dumps({"text": "A man.", "year": year}) + "\n" for year in (2019, 2018, 2019))
    )
    for path in set(Path().glob("*.jsonl")) - {Path("a.jsonl")}:
        path.unlink()
    pipeline(folder, 1, AuditPart(str(folder / "parts"), lang="eng", lexicon_folder=NOUNS, group_by="year"))
    assert main(["merge", "parts", "--write", "out.csv", "--quiet"]) == 0
    rows = [line.split(",") for line in Path("out.csv").read_text().splitlines()]
    texts = rows[0].index("texts")
    assert [(row[2], row[texts]) for row in rows[1:]] == [("", "3"), ("2018", "1"), ("2019", "2")]


def test_documents_have_the_language_that_their_metadata_names(folder):
    from textparity.datatrove import AuditPart

    for path in Path().glob("*.jsonl"):
        path.unlink()
    named = (("A man.", "en-US"), ("Ein Mann.", "German"), ("En mann.", "nb"))
    Path("a.jsonl").write_text("".join(json.dumps({"text": text, "lang": code}) + "\n" for text, code in named))
    pipeline(folder, 1, AuditPart(str(folder / "parts"), lexicon_folder=NOUNS, lang_field="lang"))
    assert main(["merge", "parts", "--write", "merged", "--quiet"]) == 0
    assert main(["audit", "a.jsonl", *WITH_NOUNS, "--lang-field", "lang", "--write", "whole", "--quiet"]) == 0
    for name in ("audit", "words", "left_out"):
        assert Path("merged", f"{name}.csv").read_text() == Path("whole", f"{name}.csv").read_text()
    with pytest.raises(ConfigError, match="lang_field that of each"):
        AuditPart(str(folder / "parts"), lang="eng", lang_field="lang")
