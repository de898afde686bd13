"""`snakemake lexicon_table4`: the files of one table of a paper."""

import csv
import re

import pytest
import yaml

from textparity.files import read_tsv
from textparity_studies import STUDIES

ROMAN = {"I": "1", "V": "5", "VII": "7"}
# What the default configuration leaves out, as it is large or needs a model.
MORE = ("lexicon={corpora: [cc_main_2022_49]}", "propagation={base_models: [gemma3-270m]}")
RUNS = [("config.yaml",), ("config.yaml", *MORE), ("resources/demo/config.yaml",)]
_TARGET = re.compile(r"^(?:local)?rule (\w+):\n    input: (.*)\n", re.M)


@pytest.fixture(scope="module")
def targets(repository):
    """Names of the targets, from the table of each study."""
    names = []
    for study in STUDIES:
        table = repository / "resources" / study / "paper_tables.tsv"
        rows = read_tsv(table, ["target", "files"]) if table.is_file() else []
        names += [f"{study}_{row['target']}" for row in rows]
    return names


@pytest.mark.workflow
def test_each_target_has_files_in_some_run(targets, repository, tmp_path):
    from conftest import Workflow

    found = {}
    for number, (config, *values) in enumerate(RUNS):
        workflow = Workflow(repository, tmp_path / str(number))
        workflow.config = repository / config
        chosen = yaml.safe_load(workflow.config.read_text("utf-8"))["studies"]
        wanted = [target for target in targets if chosen == "all" or target.partition("_")[0] in chosen]
        said = workflow.build("--dry-run", *wanted, *(["--config", *values] if values else []))
        for target, files in _TARGET.findall(said):
            # The ledger is an input of each.
            found.setdefault(target, set()).update(file for file in files.split(", ") if "/ledger/" not in file)
    assert [target for target in targets if not found.get(target)] == []
    assert {path.rpartition("/")[2] for path in found["swapping_table9"]} == {"composition.csv", "composition.tex"}


def test_each_table_with_published_numbers_is_a_target(targets, repository):
    for study in STUDIES:
        path = repository / "resources" / study / "published.csv"
        rows = csv.DictReader(path.open(encoding="utf-8")) if path.exists() else []
        numbers = {ROMAN.get(row["table"], row["table"]) for row in rows}
        wanted = {f"{study}_table{number}" for number in numbers if re.fullmatch(r"\d+", number)}
        assert wanted <= set(targets)


@pytest.mark.workflow
@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_target_that_newcomers_are_shown_needs_no_more_than_the_demo(repository, tmp_path, page):
    """After `make demo`, there is no model of a tokenizer, nor Stanza, which would fetch one."""
    from conftest import Workflow

    shown = (repository / page).read_text("utf-8")
    (target,) = set(re.findall(r"snakemake --cores 4 (\w+_table\d+)", shown))
    workflow = Workflow(repository, tmp_path)
    workflow.config = repository / "config.yaml"
    planned = workflow.planned(target)
    assert planned[target] == 1
    assert planned["prepare_model"] == 0
