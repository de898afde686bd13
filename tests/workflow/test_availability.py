import dataclasses
import re
import zipfile

import pytest

from textparity.errors import ConfigError
from textparity.llm.errors import LanguageModelError
from textparity.llm.local import missing_local_model, serving
from textparity.llm.models import ModelRow
from textparity.studies.representation.availability import representation_gaps, select_taggers, tagged_languages
from textparity.studies.swapping.availability import (
    missing_recognizer,
    recorded_title_file,
    recorded_title_gaps,
    select_swappers,
    swap_output_gaps,
    swapping_gaps,
)
from textparity.studies.swapping.settings import EntityRecognition
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


@pytest.mark.parametrize(
    ("values", "installed", "said"),
    [
        ({}, ["spacy"], ""),
        ({}, [], "textparity[train]"),
        ({"seeds": []}, ["spacy"], "seeds is empty"),
        ({"architecture": "transformer"}, ["spacy"], "spacy-transformers is not installed"),
    ],
)
def test_recognizers_need_spacy_and_a_transformer_more(monkeypatch, values, installed, said):
    monkeypatch.setattr("textparity.studies.swapping.availability.find_spec", lambda name: name in installed)
    reason = missing_recognizer(EntityRecognition(**values))
    assert said in reason and bool(reason) == bool(said)


def test_a_corpus_tagger_without_a_prompt_is_a_config_error(registry):
    config = load_config({"representation": {"corpus_tagger": "small", "prompt": "demo"}}, environment={})
    with pytest.raises(ConfigError, match=r"corpus_tagger: .* has no prompt demo for the chat mode of small"):
        select_taggers(registry, config, {"small": model(mode="chat")})


NO_PIPELINE = "there is no spaCy pipeline"


def swapping(**values):
    return load_config({"studies": ["swapping"], "swapping": values}, environment={})


def test_swappers_are_rows_with_a_prompt_and_items_need_none(registry):
    models = {"chat": model("chat"), "base": model("base", mode="completion")}
    config = swapping(swappers=["base", "chat"], evaluated_swappers=["chat"])
    assert select_swappers(registry, config, models) == (["base", "chat"], ["chat"])
    off = load_config({"studies": ["lexicon"], "swapping": {"swappers": ["none"]}}, environment={})
    assert select_swappers(registry, off, models) == ([], [])
    for key in ("swappers", "evaluated_swappers"):
        with pytest.raises(ConfigError, match=rf"swapping\.{key}: none is no row of .*; it has chat, base"):
            select_swappers(registry, swapping(**{key: ["none"]}), models)
    recorded = {"gpt-4o-mini": model("gpt-4o-mini")}
    with pytest.raises(ConfigError, match=r"gpt-4o-mini is the name of a recorded set in .*swap_outputs\.tsv too"):
        select_swappers(registry, swapping(evaluated_swappers=["gpt-4o-mini"]), recorded)
    with pytest.raises(ConfigError, match=r"chat is asked in chat mode, and .* has no prompt other in ukr"):
        select_swappers(registry, swapping(prompt="other", swappers=["chat"]), models)
    assert select_swappers(registry, swapping(prompt="other", evaluated_swappers=["chat"]), models) == ([], ["chat"])


DEMO_ENTITIES = {"corpus": "demo_entities", "swapped": "demo_entities_swapped"}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"corpus": "mine"},
            r"swapping\.corpus: mine is no row of .*entity_corpora\.tsv; it has ner_uk, ner_uk_swapped",
        ),
        ({"swapped": "mine"}, r"swapping\.swapped: mine is no row of"),
        ({"swapped": "ner_uk"}, r"swapping\.swapped: ner_uk is not swapped from ner_uk by"),
        ({"swapped": "demo_entities_swapped"}, r"demo_entities_swapped is not swapped from ner_uk by"),
    ],
)
def test_the_swapped_corpus_is_a_row_swapped_from_the_other(registry, values, said):
    with pytest.raises(ConfigError, match=said):
        swapping_gaps(registry, swapping(**values))
    assert swapping_gaps(registry, load_config({"studies": ["lexicon"], "swapping": values}, environment={})) == {}


def test_entities_of_another_language_are_a_config_error(registry):
    row = registry.entity_corpora["demo_entities"]
    registry.entity_corpora["demo_entities"] = row.model_copy(update={"lang": "pol"})
    with pytest.raises(ConfigError, match=r"swapping\.corpus: demo_entities is not in ukr"):
        swapping_gaps(registry, swapping(**DEMO_ENTITIES))


def test_a_corpus_with_entities_that_is_not_here_is_a_gap(registry, tmp_path):
    assert swapping_gaps(registry, swapping()) == swapping_gaps(registry, swapping(**DEMO_ENTITIES)) == {}
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "urls.tsv").write_text("url\tpath\tsha256\n")
    gaps = swapping_gaps(registry, load_config({"mirror": str(mirror)}, environment={}))
    assert set(gaps) == {"ner_uk", "ner_uk_swapped"}
    assert gaps["ner_uk"].endswith(".tar.gz is not in the mirror")
    row = registry.entity_corpora["demo_entities_swapped"]
    registry.entity_corpora[row.corpus] = row.model_copy(update={"path": "data/mine", "access": "ask its authors"})
    assert swapping_gaps(registry, swapping(**DEMO_ENTITIES)) == {
        "demo_entities_swapped": "unpublished: ask its authors; there is no file data/mine"
    }


def test_an_unknown_set_of_swapped_outputs_is_a_config_error(registry):
    values = {"swapping": {"outputs": ["gpt-4o-mini", "gpt-9"]}}
    with pytest.raises(
        ConfigError, match=r"swapping\.outputs: gpt-9 is no row of .*swap_outputs\.tsv; it has gpt-4o-mini"
    ):
        swapping_gaps(registry, load_config(values, environment={}))
    off = load_config(values | {"studies": ["lexicon"]}, environment={})
    assert swapping_gaps(registry, off) == swap_output_gaps(registry, off) == {}


def test_a_set_of_swapped_outputs_that_is_not_in_the_mirror_is_a_gap(registry, tmp_path):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n")
    config = load_config({"mirror": str(tmp_path), "swapping": {"outputs": ["aya-101"]}}, environment={})
    (system, reason), *more = swap_output_gaps(registry, config).items()
    assert (system, more) == ("aya-101", [])
    assert reason.startswith("published, not here: ")
    assert reason.endswith("MAIN_original_aya_for_the_test_parallel_dataset.csv is not in the mirror")


def test_recorded_titles_are_a_gap_of_their_model_while_one_of_their_lists_is_not_in_the_mirror(registry, tmp_path):
    lists = {
        model: [recorded_title_file(registry, model, which).url for which in ("found", "missed")]
        for model in ("original", "balanced")
    }
    rows = "".join(f"{url}\tx\ty\n" for url in [*lists["original"], lists["balanced"][0]])
    (tmp_path / "urls.tsv").write_text(f"url\tpath\tsha256\n{rows}")
    config = load_config({"mirror": str(tmp_path)}, environment={})
    assert recorded_title_gaps(registry, config) == {
        "balanced": f"published, not here: {lists['balanced'][1]} is not in the mirror"
    }
    assert recorded_title_gaps(registry, load_config({"studies": ["lexicon"]}, environment={})) == {}
