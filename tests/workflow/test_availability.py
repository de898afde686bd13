import dataclasses
import re
import zipfile

import pytest

from textparity.errors import ConfigError
from textparity.llm.errors import LanguageModelError
from textparity.llm.local import missing_local_model, serving
from textparity.llm.models import ModelRow
from textparity.studies.representation.availability import representation_gaps, select_taggers, tagged_languages
from textparity.workflow.availability import missing_file, missing_model_access
from textparity.workflow.config import Tables, load_config
from textparity.workflow.registry import Registry
from textparity.workflow.registry_rows import FileReference


@pytest.fixture
def registry(repository):
    return Registry(Tables().model_dump(), repository)


def test_a_study_that_is_off_asks_nothing_of_the_tables(registry):
    unknown = {"representation": {"corpora": ["mine"]}}
    assert representation_gaps(registry, load_config({"studies": ["lexicon"]} | unknown, environment={})) == {}
    with pytest.raises(ConfigError, match=r"representation\.corpora: mine is no row of"):
        representation_gaps(registry, load_config(unknown, environment={}))


def test_a_text_that_is_not_public_says_how_to_get_it(registry):
    reason = missing_file(registry.corpus_file("boua_1", "cat"), None)
    assert reason.startswith("unpublished: no Valencian sample is in the authors' repository")
    assert reason.endswith("at this path; there is no file data/boua.sample.01.cat.txt")
    gated = FileReference("mine.txt", access="gated: sign its form")
    assert missing_file(gated, None) == "gated: sign its form; there is no file mine.txt"


def test_a_mirror_that_has_the_second_samples_leaves_none_of_them_out(registry, tmp_path):
    files = [registry.corpus_file("europarl_2", lang).url for lang in ("eng", "spa")]
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n" + "".join(f"{url}\tx\t\n" for url in files))
    gaps = representation_gaps(registry, load_config({"mirror": str(tmp_path)}, environment={}))
    assert {lang for corpus, lang in gaps if corpus == "europarl_2"} == set()
    assert gaps["ccaligned_2", "eng"].startswith("published, not here: https://")


def test_a_local_archive_without_the_member_is_a_gap(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as file:
        file.writestr("x.en", "")
    path = str(tmp_path / "mine.zip")
    assert missing_file(FileReference(path, member="x.en"), None) == ""
    assert missing_file(FileReference(path, member="x.sv"), None) == f"published, not here: x.sv is not in {path}"


def test_a_sample_that_is_not_drawn_is_a_config_error(registry):
    def config(samples):
        values = {"sampling": {"samples": samples}, "representation": {"corpora": ["europarl_fresh_2"]}}
        return load_config(values, environment={})

    representation_gaps(registry, config(samples=2))
    with pytest.raises(ConfigError, match=r"representation\.corpora: europarl_fresh_2 is sample 2 .*samples is 1"):
        representation_gaps(registry, config(samples=1))


def model(name="small", base_url="http://127.0.0.1:9/v1", mode="chat", key=""):
    return ModelRow(name, base_url, "org/small", mode, key, None, None, max_tokens=10, seed=None)


def representation(**values):
    return load_config({"representation": values}, environment={})


MODELS = {"chat": model("chat"), "base": model("base", mode="completion")}


def test_taggers_are_rows_with_a_prompt_for_every_gold_file(registry):
    assert select_taggers(registry, representation(taggers=["base", "chat"]), MODELS) == ["base", "chat"]
    assert select_taggers(registry, load_config({"studies": ["lexicon"]}, environment={}), {}) == []
    for names in ({"taggers": ["gpt-9"]}, {"corpus_tagger": "gpt-9"}):
        with pytest.raises(
            ConfigError, match=r"tagger.*: gpt-9 is no row of .*language_models\.tsv; it has chat, base"
        ):
            select_taggers(registry, representation(**names), MODELS)
    # The demo has a prompt for base models in Spanish only.
    demo = {"prompt": "demo", "gold": ["demo"]}
    assert select_taggers(registry, representation(taggers=["base"], **demo), MODELS) == ["base"]
    with pytest.raises(ConfigError, match=r"chat is asked in chat mode, and .*prompts\.tsv has no prompt demo in spa"):
        select_taggers(registry, representation(taggers=["chat"], **demo), MODELS)


def test_the_corpus_tagger_reads_the_languages_it_has_a_prompt_for(registry):
    def languages(**values):
        return tagged_languages(registry, representation(**values), MODELS)

    assert languages(corpus_tagger="chat") == languages(corpus_tagger="base") == ["cat", "spa"]
    assert languages(corpus_tagger="base", prompt="demo") == ["spa"]
    assert languages(taggers=["chat"]) == []


def test_of_a_corpus_english_is_wanted_and_what_has_a_prompt(registry, tmp_path):
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "urls.tsv").write_text("url\tpath\tsha256\n")

    def gaps(prompt):
        values = {"corpora": ["europarl_1"], "gold": [], "prompt": prompt}
        config = load_config({"mirror": str(mirror), "representation": values}, environment={})
        return sorted(representation_gaps(registry, config))

    assert gaps("tag_words") == [("europarl_1", "eng"), ("europarl_1", "spa")]
    assert gaps("none") == [("europarl_1", "eng")]


def test_a_model_without_its_key_cannot_be_asked(monkeypatch):
    needs_key = model(key="SOME_KEY")
    for environment in ({}, {"SOME_KEY": " "}):
        assert missing_model_access(needs_key, environment) == "gated: the environment variable SOME_KEY is not set"
    monkeypatch.setattr("textparity.workflow.availability.find_spec", lambda name: object())
    assert missing_model_access(needs_key, {"SOME_KEY": "x"}) == missing_model_access(model(), {}) == ""
    monkeypatch.setattr("textparity.workflow.availability.find_spec", lambda name: None)
    assert missing_model_access(model(), {}).startswith(
        "published, not here: the package openai is not installed (pip install"
    )


def test_a_local_model_needs_neither_key_nor_client(monkeypatch):
    monkeypatch.setattr("textparity.workflow.availability.find_spec", lambda name: None)
    monkeypatch.setattr("textparity.workflow.availability.missing_local_model", lambda row: f"no file for {row.name}")
    assert missing_model_access(model(base_url="local"), {}) == "published, not here: no file for small"


@pytest.mark.parametrize(
    ("file", "installed", "said"),
    [
        ("no.gguf", ["xllamacpp"], "there is no model file no.gguf"),
        ("tiny-gguf", ["xllamacpp"], "tiny-gguf is neither a .gguf file nor an installed model package (pip install"),
        ("llama-3.2-1b", ["xllamacpp"], "llama-3.2-1b is neither a .gguf file nor"),
        ("tiny-gguf", ["tiny_gguf"], "the package xllamacpp is not installed (pip install"),
        ("tiny-gguf", ["xllamacpp", "tiny_gguf"], ""),
    ],
)
def test_a_local_model_that_cannot_be_served_is_an_error_before_anything_starts(monkeypatch, file, installed, said):
    for module in ("textparity.llm.local", "textparity.sources.model_files"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: object() if name in installed else None)
    row = dataclasses.replace(model("tiny", base_url="local"), model=file)
    assert missing_local_model(row).startswith(said)
    assert bool(missing_local_model(row)) == bool(said)
    if said:
        with (
            pytest.raises(LanguageModelError, match=rf"model tiny: {re.escape(said)}.*out of the config"),
            serving(row),
        ):
            pass


def test_a_corpus_tagger_without_a_prompt_is_a_config_error(registry):
    config = load_config({"representation": {"corpus_tagger": "small", "prompt": "demo"}}, environment={})
    with pytest.raises(ConfigError, match=r"corpus_tagger: .* has no prompt demo for the chat mode of small"):
        select_taggers(registry, config, {"small": model(mode="chat")})


NO_PIPELINE = "there is no spaCy pipeline"
