"""Running the real workflow in a folder of its own, with the demo's data copied there to be edited."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest


class Workflow:
    """The shipped Snakefile, run in `folder` with the demo's config; files in `folder` hide the shipped ones."""

    def __init__(self, repository: Path, folder: Path) -> None:
        self.repository = repository
        self.folder = folder
        self.results = folder / "results"
        self.said = ""
        self.config = repository / "resources" / "demo" / "config.yaml"
        self.environment = dict(os.environ)
        for name in ("demo", "lexicons", "newsroom"):
            shutil.copytree(repository / "resources" / name, folder / "resources" / name)

    def command(self, *arguments: str, cores: int = 2) -> list[str]:
        """Return what starts Snakemake."""
        return [
            sys.executable, "-m", "snakemake", *arguments, "--cores", str(cores), "--directory", str(self.folder),
            "--snakefile", str(self.repository / "Snakefile"), "--configfile", str(self.config),
        ]  # fmt: skip

    def run(self, *arguments: str, cores: int = 2) -> subprocess.CompletedProcess[str]:
        """Run Snakemake; the caller looks at the return code."""
        return subprocess.run(
            self.command(*arguments, cores=cores), capture_output=True, text=True, env=self.environment
        )

    def build(self, *arguments: str) -> str:
        """Run Snakemake to its end and return what it said."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def planned(self, *arguments: str) -> Counter[str]:
        """Return how many jobs of each rule a run would start now."""
        said = self.build(*arguments, "--dry-run", "--quiet", "rules")
        return Counter({name: int(count) for name, count in re.findall(r"^(\w+)\s+(\d+)$", said, re.M)}) - Counter(
            ["total"] * 10_000
        )


class Checkout(Workflow):
    """A copy of the workflow's files, run in its folder `demo` as `make demo` does."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder
        self.folder = folder / "demo"
        self.results = self.folder / "results"
        self.config = folder / "resources" / "demo" / "config.yaml"
        self.environment = dict(os.environ)

    @classmethod
    def of(cls, repository: Path, folder: Path) -> "Checkout":
        """Copy what Git would bring, but for the package, which is installed."""
        (folder / "demo").mkdir(parents=True)
        for name in ("Snakefile", "config.yaml", "rules", "scripts", "profiles", "resources", "envs"):
            copy = shutil.copytree if (repository / name).is_dir() else shutil.copyfile
            copy(repository / name, folder / name)
        return cls(folder)


@pytest.fixture(scope="module")
def demo(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Workflow:
    """The demo, built once per module."""
    for name in ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR", "NLTK_DATA"):
        os.environ.pop(name, None)
    workflow = Workflow(repository, tmp_path_factory.mktemp("demo"))
    workflow.said = workflow.build()
    return workflow
