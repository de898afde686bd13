"""The jobs that configurations plan, with the files of each: a restructuring must not change them.

`pytest tests/workflow/test_golden_plans.py --approve` rewrites the golden file; `PLANS=FOLDER` keeps the jobs as text,
so that those of two commits can be compared.
"""

import csv
import hashlib
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

from textparity.files import read_tsv
from textparity_studies import STUDIES

pytestmark = pytest.mark.workflow

GOLDEN = Path(__file__).parent / "golden_plans.tsv"
# Plans ask for a tool by its name only, so an empty package stands for one that may not be installed.
TOOLS = (
    "bert_score", "natasha", "navec", "openai", "pymorphy3", "pymorphy3_dicts_ru", "pymorphy3_dicts_uk", "razdel",
    "rouge_score", "sacrebleu", "slovnet", "spacy", "stanza", "textblob_de", "torch", "transformers",
)  # fmt: skip
PIPELINES = "resources/registry/person_pipelines.tsv"
SHIPPED, DEMO = "config.yaml", "resources/demo/config.yaml"
# A study is planned here once it is one of the demo's, so that a new one leaves the golden file as it is.
PLANNED = yaml.safe_load((Path(__file__).parents[2] / DEMO).read_text("utf-8"))["studies"]
PLANS = {
    "demo": (DEMO,),
    "demo, one engine and language": (DEMO, "studies=[lexicon]", "languages=[deu]", "lexicon={corpora: [ntrex]}"),
    "demo, other choices": (
        DEMO, "studies=[representation,newsroom,instruments]", "representation={methods: [nouns]}",
        "newsroom={minimum_count: 3}", "bootstrap={resamples: 200}",
    ),
    "demo, swapped by rules": (DEMO, "studies=[swapping]", "swapping={swapped: rules}"),
    "shipped": (SHIPPED, "skip_unavailable=true", f"studies=[{','.join(PLANNED)}]"),
    "shipped, crawls": (
        SHIPPED, "skip_unavailable=true", "studies=[lexicon]", "lexicon={corpora: [cc_main_2022_49, ntrex, flores]}",
    ),
}  # fmt: skip
# The jobs of a group are indented.
_JOB = re.compile(r"^( *)(?:local)?rule (\w+):\n((?:\1    .*\n)+)", re.M)
# All claims are read, also those of studies that are not run.
_OF_OTHER_STUDIES = re.compile(rf", REPOSITORY/resources/(?:{'|'.join({*STUDIES} - {*PLANNED}) or '(?!)'})/[^,\n]+")
_OF_THE_RUN = re.compile(r"^    (?:jobid|reason|threads|resources|priority): .*\n", re.M)


def jobs_of(said, workflow):
    """Return the jobs of a dry run by rule, as text that is the same in every folder."""
    found = defaultdict(list)
    for indent, rule, lines in _JOB.findall(said):
        lines = _OF_THE_RUN.sub("", re.sub(f"^{indent}", "", lines, flags=re.M))
        for path, name in (
            (workflow.folder, "FOLDER"), (workflow.folder.parent, "HOME"), (workflow.repository, "REPOSITORY"),
        ):  # fmt: skip
            lines = lines.replace(str(path), name)
        found[rule].append(_OF_OTHER_STUDIES.sub("", lines))
    return {rule: sorted(texts) for rule, texts in found.items()}


@pytest.fixture
def workflow(repository, tmp_path):
    from conftest import Workflow

    pipelines = [row["pipeline"] for row in read_tsv(repository / PIPELINES) if row["pipeline"].endswith("_sm")]
    for tool in (*TOOLS, *pipelines):
        (tmp_path / "tools" / tool).mkdir(parents=True)
        (tmp_path / "tools" / tool / "__init__.py").touch()
    made = Workflow(repository, tmp_path / "run")
    # Keys, models and data of this machine change what can be run.
    paths = filter(None, [os.environ.get("PYTHONPATH"), str(tmp_path / "tools")])
    made.environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(paths)}
    return made


@pytest.mark.parametrize("name", PLANS)
def test_a_configuration_plans_the_golden_jobs(workflow, request, name):
    config, *values = PLANS[name]
    workflow.config = workflow.repository / config
    # Groups of the cluster that wait for each other are an error only when they are planned.
    groups = yaml.safe_load((workflow.repository / "profiles" / "slurm" / "config.yaml").read_text("utf-8"))["groups"]
    grouped = [f"{rule}={group}" for rule, group in groups.items()]
    said = workflow.build("--dry-run", "--groups", *grouped, "--config", *values)
    jobs = jobs_of(said, workflow)
    if folder := os.environ.get("PLANS"):
        kept = "".join(f"{rule}\n{text}" for rule in sorted(jobs) for text in jobs[rule])
        (Path(folder) / f"{name}.txt").write_text(kept, "utf-8")
    rows = [
        [name, rule, str(len(texts)), hashlib.sha256("".join(texts).encode()).hexdigest()[:12]]
        for rule, texts in sorted(jobs.items())
    ]
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        golden = list(csv.reader(file, delimiter="\t"))
    if request.config.getoption("--approve"):
        others = [row for row in golden if row[0] != name]
        with GOLDEN.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t", lineterminator="\n").writerows(sorted([*others, *rows]))
    else:
        assert rows == [row for row in golden if row[0] == name]
