"""A study is its own files and one word in the list: docs/extending.md is followed word for word."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.workflow

MADE_BY_COMMANDS = {"docs/claims.md", "docs/configuration.md", "docs/images/dag.svg", "docs/index.md"}


@pytest.fixture(scope="module")
def checkout(repository, tmp_path_factory):
    """A checkout with the files that Git would bring; its environment is the one of these tests."""
    folder = tmp_path_factory.mktemp("extended") / "checkout"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=repository, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        # A link of the package leads to a folder of the repository.
        if (repository / name).is_file() or (repository / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(repository / name, folder / name, follow_symlinks=False)
    environment = folder / ".venv"
    environment.mkdir()
    for path in Path(sys.prefix).iterdir():
        if path.name in ("bin", "lib", "lib64", "include", "pyvenv.cfg"):
            (environment / path.name).symlink_to(path)
    # What make takes for its installations; nothing is installed here.
    (environment / "core").touch()
    tokenizers = folder / ".paper-tokenizers"
    tokenizers.mkdir()
    for path in (repository / ".paper-tokenizers").iterdir():
        (tokenizers / path.name).symlink_to(path)
    for extra in ("workflow", "dev"):
        (environment / extra).touch()
    return folder


@pytest.fixture(scope="module")
def follow(checkout):
    """Run the commands of a block of the page in the checkout."""
    paths = [checkout / "src", os.environ["PYTHONPATH"]]
    environment = dict(os.environ) | {
        "PATH": os.pathsep.join([str(checkout / ".venv" / "bin"), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
    }
    for name in ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR", "NLTK_DATA"):
        environment.pop(name, None)

    def follow(block, runs=True):
        command = ["bash", "-e", "-c", block]
        done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)
        assert (done.returncode == 0) == runs, done.stdout + done.stderr
        return done.stdout + done.stderr

    return follow


@pytest.fixture(scope="module")
def blocks(repository):
    """The commands of the page, by block."""
    section = (repository / "docs" / "extending.md").read_text("utf-8").partition("\n## A study\n")[2]
    return re.findall(r"^```bash\n(.*?)^```", section.partition("\n## ")[0], re.M | re.S)


def test_the_study_of_the_docs_is_its_own_files_one_word_and_generated_pages(repository, checkout, follow, blocks):
    copy, run, generate_and_check = blocks
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file() and ".venv" not in path.parts}
    follow(copy)
    follow(run)
    ledger = list(csv.DictReader((checkout / "results" / "ledger.csv").open(encoding="utf-8")))
    assert [(row["study"], row["verdict"]) for row in ledger] == [("lengths", "exact")] * 5
    assert (checkout / "results" / "lengths" / "figures" / "lengths.svg").is_file()
    claims = csv.DictReader((checkout / "results" / "report" / "claims.csv").open(encoding="utf-8"))
    (claim,) = [row for row in claims if row["study"] == "lengths"]
    assert claim["says"] == "Those of Demo sentences have 17.3 words, and 15.5 in English."
    assert "Spanish sentences have more words" in (checkout / "results/report/index.html").read_text("utf-8")
    follow(generate_and_check)
    follow("python -m pytest tests/workflow/test_golden_plans.py -k 'engine or shipped'")
    changed = {path.relative_to(checkout).as_posix() for path, old in before.items() if path.read_bytes() != old}
    assert changed == MADE_BY_COMMANDS | {"src/textparity_studies/__init__.py"}
    diff = ["diff", str(repository / "src/textparity_studies/__init__.py"), "src/textparity_studies/__init__.py"]
    assert "".join(re.findall(r"^[<>].*", follow(" ".join(diff) + " || true"), re.M)) == '>     "lengths",'


def test_a_rule_name_that_another_study_has_is_named_with_its_file(checkout, follow):
    file = checkout / "rules" / "lengths" / "zz.smk"
    file.parent.mkdir(exist_ok=True)
    file.write_text("rule tabulate_polarity:\n    output:\n        'results/lengths/one.csv',\n", "utf-8")
    said = follow("snakemake representation -n --cores 1", runs=False)
    file.unlink()
    assert re.search(r"zz\.smk and .*representation\.smk both have a rule tabulate_polarity", said)


@pytest.mark.parametrize("target", ["stereotypes", "stereotypes_table5", "instruments"])
def test_a_study_that_is_off_is_an_error_before_the_first_job(follow, target):
    said = follow(f"snakemake {target} --cores 1 --config 'studies=[representation]'", runs=False)
    study = target.partition("_")[0]
    assert f"the study {study} is off" in said and f"'studies=[representation,{study}]'" in said
    assert "Finished jobid" not in said
