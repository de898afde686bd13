"""`snakemake lexicon_table4`: the files of one table of a paper."""

import csv
import re

import pytest
import yaml

from textparity_studies import STUDIES, load_study
from textparity_studies.workflow.study import StudyContext, paper_targets

ROMAN = {"I": "1", "V": "5", "VII": "7"}
# What the default configuration leaves out, as it is large or needs a model.
MORE = {"lexicon": {"corpora": ["cc_main_2022_49"]}, "propagation": {"base_models": ["gemma3-270m"]}}


@pytest.fixture(scope="module")
def targets(repository):
    """The files of each target, by the runs of several configurations together."""
    demo = yaml.safe_load((repository / "resources" / "demo" / "config.yaml").read_text("utf-8"))
    found = {}
    for values in ({}, MORE, demo):
        context = StudyContext.load(values, base=repository)
        for study in STUDIES:
            plan = load_study(study).plan(context)
            for target, files in paper_targets(context, study, plan).items():
                found.setdefault(target, set()).update(files)
    return found


def test_each_target_has_files_in_some_run(targets):
    assert [target for target, files in targets.items() if not files] == []
    assert {path.rpartition("/")[2] for path in targets["swapping_table9"]} == {"composition.csv", "composition.tex"}


def test_each_table_with_published_numbers_is_a_target(targets, repository):
    for study in STUDIES:
        path = repository / "resources" / study / "published.csv"
        rows = csv.DictReader(path.open(encoding="utf-8")) if path.exists() else []
        numbers = {ROMAN.get(row["table"], row["table"]) for row in rows}
        wanted = {f"{study}_table{number}" for number in numbers if re.fullmatch(r"\d+", number)}
        assert wanted <= targets.keys()


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
