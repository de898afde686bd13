"""What a checkout that was touched, copied or moved with its results runs again."""

import shutil

import pytest
import yaml

from conftest import Checkout

pytestmark = pytest.mark.workflow

# Short jobs of many kinds: inputs from the checkout, none, params of the config; with a digest of their code.
FILES = (
    "results/corpora/demo/spa.parquet",
    "results/gold/demo.parquet",
    "results/newsroom/tables/actor_errors.csv",
    "results/stereotypes/tables/coded_lexicons.csv",
)


@pytest.fixture(scope="module")
def checkout(repository, tmp_path_factory):
    made = Checkout.of(repository, tmp_path_factory.mktemp("checkouts") / "first")
    settings = yaml.safe_load(made.config.read_text("utf-8"))
    # Nothing is asked and classified, so that the tables need only what the paper has printed.
    settings["stereotypes"] |= {"generators": [], "stereotype_pairs": None}
    made.config.write_text(yaml.safe_dump(settings), "utf-8")
    made.build(*FILES)
    return made


def touch_everything(folder):
    for path in folder.rglob("*"):
        if path.is_file() and "demo/.snakemake" not in path.as_posix():
            path.touch()


def test_a_checkout_that_was_written_anew_reruns_nothing(checkout):
    touch_everything(checkout.repository / "scripts")
    touch_everything(checkout.repository / "resources")
    assert checkout.planned(*FILES) == {}


def test_a_checkout_that_was_copied_and_moved_reruns_nothing(checkout, tmp_path):
    # As `cp -r` does it: every file is new.
    copied = Checkout(shutil.copytree(checkout.repository, tmp_path / "copy", copy_function=shutil.copyfile))
    touch_everything(copied.repository / "scripts")
    copied = Checkout(copied.repository.rename(tmp_path / "moved"))
    assert copied.planned(*FILES) == {}


def test_with_the_slurm_profile_a_changed_param_alone_reruns_what_has_it(checkout):
    touch_everything(checkout.repository / "scripts")
    profile = yaml.safe_load((checkout.repository / "profiles" / "slurm" / "config.yaml").read_text("utf-8"))
    # The plugin is not needed for a plan; its settings are unknown without it.
    kept = {key: value for key, value in profile.items() if key not in ("executor", "slurm-status-command")}
    folder = checkout.repository / "profiles" / "without_slurm"
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_text(yaml.safe_dump(kept), "utf-8")
    change = "stereotypes={lexicons: [demo_coded, gaucher]}"
    assert checkout.planned(*FILES, "--profile", str(folder), "--config", change) == {"describe_coded_lexicons": 1}


def test_no_home_is_needed(checkout):
    # Not even the administrator can make a folder there.
    checkout.environment |= {"HOME": "/dev/null/home"}
    checkout.environment.pop("XDG_CACHE_HOME", None)
    checkout.build("--forceall", FILES[0])
