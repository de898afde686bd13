import dataclasses
import re
import sys
import zipfile
from types import SimpleNamespace

import pytest

from textparity.errors import ConfigError, LanguageModelError, MissingResourceError
from textparity.registry import FileReference
from textparity_studies.llm.endpoint import Endpoint
from textparity_studies.llm.local import missing_local_model, serving
from textparity_studies.llm.models import ModelRow, load_models
from textparity_studies.workflow.availability import check_needs, check_samples, missing_file, missing_model_access
from textparity_studies.workflow.config import Tables, load_config
from textparity_studies.workflow.registry import StudyRegistry


@pytest.fixture
def registry(repository):
    return StudyRegistry(Tables().model_dump(), repository)


def test_a_text_that_is_not_public_says_how_to_get_it(registry):
    reason = missing_file(registry.corpus_file("boua_1", "cat"), None)
    assert reason.startswith("unpublished: no Valencian sample is in the authors' repository")
    assert reason.endswith("at this path; there is no file data/boua.sample.01.cat.txt")
    gated = FileReference("mine.txt", access="gated: sign its form")
    assert missing_file(gated, None) == "gated: sign its form; there is no file mine.txt"


def test_a_local_archive_without_the_member_is_a_gap(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as file:
        file.writestr("x.en", "")
    path = str(tmp_path / "mine.zip")
    assert missing_file(FileReference(path, member="x.en"), None) == ""
    assert missing_file(FileReference(path, member="x.sv"), None) == f"published, not here: x.sv is not in {path}"


def test_a_sample_that_is_not_drawn_is_a_config_error(registry):
    def config(samples):
        return load_config({"sampling": {"samples": samples}}, environment={})

    check_samples(registry, config(samples=2), "representation.corpora", ["europarl_fresh_2"])
    with pytest.raises(ConfigError, match=r"representation\.corpora: europarl_fresh_2 is sample 2 .*samples is 1"):
        check_samples(registry, config(samples=1), "representation.corpora", ["europarl_fresh_2"])


def model(name="small", base_url="http://127.0.0.1:9/v1", mode="chat", key=""):
    return ModelRow(name, base_url, "org/small", mode, key, None, None, max_tokens=10, seed=None)


def test_a_model_without_its_key_cannot_be_asked(monkeypatch):
    needs_key = model(key="SOME_KEY")
    for environment in ({}, {"SOME_KEY": " "}):
        assert missing_model_access(needs_key, environment) == "gated: the environment variable SOME_KEY is not set"
    monkeypatch.setattr("textparity_studies.workflow.availability.find_spec", lambda name: object())
    assert missing_model_access(needs_key, {"SOME_KEY": "x"}) == missing_model_access(model(), {}) == ""
    monkeypatch.setattr("textparity_studies.workflow.availability.find_spec", lambda name: None)
    assert missing_model_access(model(), {}).startswith(
        "published, not here: the package openai is not installed (make "
    )


def test_a_withdrawn_model_cannot_be_asked_by_anyone():
    gone = dataclasses.replace(model(key="SOME_KEY"), withdrawn="2026-10-23")
    assert (
        missing_model_access(gone, {"SOME_KEY": "x"})
        == "withdrawn: org/small by 127.0.0.1, on 2026-10-23 at the latest"
    )


def test_a_local_model_needs_neither_key_nor_client(monkeypatch):
    monkeypatch.setattr("textparity_studies.workflow.availability.find_spec", lambda name: None)
    monkeypatch.setattr(
        "textparity_studies.workflow.availability.missing_local_model", lambda row: f"no file for {row.name}"
    )
    assert missing_model_access(model(base_url="local"), {}) == "published, not here: no file for small"


@pytest.mark.parametrize(
    ("file", "installed", "said"),
    [
        ("no.gguf", ["xllamacpp"], "the model file no.gguf does not exist"),
        ("tiny-gguf", ["xllamacpp"], "tiny-gguf is neither a .gguf file nor an installed model package (make "),
        ("llama-3.2-1b", ["xllamacpp"], "llama-3.2-1b is neither a .gguf file nor"),
        ("tiny-gguf", ["tiny_gguf"], "the package xllamacpp is not installed (make "),
        ("tiny-gguf", ["xllamacpp", "tiny_gguf"], ""),
    ],
)
def test_a_local_model_that_cannot_be_served_is_an_error_before_anything_starts(monkeypatch, file, installed, said):
    for module in ("textparity_studies.llm.local", "textparity_studies.measures.encoders"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: object() if name in installed else None)
    row = dataclasses.replace(model("tiny", base_url="local"), model=file)
    assert missing_local_model(row).startswith(said)
    assert bool(missing_local_model(row)) == bool(said)
    if said:
        with (
            pytest.raises(LanguageModelError, match=rf"model tiny: {re.escape(said)}.*the row from the configuration"),
            serving(row),
        ):
            pass


def test_without_openai_plan_and_job_name_the_extra(repository, monkeypatch):
    rows = load_models(repository / "resources" / "registry" / "language_models.tsv")
    row = next(row for row in rows.values() if not row.is_local and not row.withdrawn)
    environment = {row.api_key_env: "k" * 40} if row.api_key_env else {}
    monkeypatch.setattr("textparity_studies.workflow.availability.find_spec", lambda name: None)
    assert missing_model_access(row, environment).endswith("openai is not installed (make llm)")
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingResourceError, match=rf"{row.name} needs the package openai, .* make llm"):
        Endpoint(row, row.base_url, environment)


def test_only_jobs_that_will_start_are_checked_and_those_with_an_environment_of_their_own_are_not():
    job = SimpleNamespace(rule=SimpleNamespace(name="train"), wildcards=["small"])

    def workflow(*jobs, conda=False):
        dag = SimpleNamespace(needrun_jobs=lambda: jobs)
        return SimpleNamespace(
            deployment_settings=SimpleNamespace(deployment_method={"conda"} if conda else set()), dag=dag
        )

    needs = {"train": lambda wildcards: f"there is no GPU for {wildcards[0]}"}
    check_needs(workflow(), needs)
    check_needs(workflow(job), {"write": needs["train"]})
    check_needs(workflow(job, conda=True), needs)
    with pytest.raises(MissingResourceError, match="none was started:\n  train small and 1 more: there is no GPU"):
        check_needs(workflow(job, job), needs)
