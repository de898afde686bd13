import dataclasses
import io
import json
import re
import tarfile
import zipfile

import pytest

from textparity.errors import ConfigError, MissingResourceError
from textparity.llm.errors import LanguageModelError
from textparity.llm.local import missing_local_model, serving
from textparity.llm.models import ModelRow
from textparity.sources.tokenizer_models import find_stanza_model, load_record, prepare_model
from textparity.studies.lexicon.availability import lexicon_gaps, lexicon_units
from textparity.studies.newsroom.availability import newsroom_gaps
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
from textparity.workflow.registry import FileReference, Registry


@pytest.fixture
def registry(repository):
    return Registry(Tables().model_dump(), repository)


@pytest.fixture
def stanza_folder(tmp_path):
    """A resource folder with one official and one stand-in model (empty files: only their being there counts)."""
    folder = tmp_path / "stanza"
    index = {}
    for code, package in (("sv", "talbanken"), ("da", "ddt_standin")):
        (folder / code / "tokenize").mkdir(parents=True)
        (folder / code / "tokenize" / f"{package}.pt").touch()
        index[code] = {"tokenize": {package: {"md5": "0"}}, "packages": {"default": {"tokenize": package}}}
    (folder / "resources.json").write_text(json.dumps(index | {"fi": {"packages": {"default": {"tokenize": "tdt"}}}}))
    return str(folder)


def test_models_are_found_in_their_folder(stanza_folder, tmp_path):
    assert find_stanza_model(stanza_folder, "sv").stand_in is False
    assert find_stanza_model(stanza_folder, "da").stand_in is True
    assert find_stanza_model(stanza_folder, "fi") is None
    assert find_stanza_model(str(tmp_path), "sv") is None


def test_a_model_that_may_not_be_fetched_is_named(stanza_folder, tmp_path, monkeypatch):
    monkeypatch.setattr("textparity.sources.tokenizer_models.find_spec", lambda name: object())
    prepare_model(tmp_path / "sv.json", "stanza", "sv", stanza_folder, offline=True)
    assert load_record(tmp_path / "sv.json").package == "talbanken"
    with pytest.raises(MissingResourceError, match=r"no Stanza model for 'fi' in .*; set STANZA_RESOURCES_DIR"):
        prepare_model(tmp_path / "fi.json", "stanza", "fi", stanza_folder, offline=True)
    assert not (tmp_path / "fi.json").exists()


def test_gaps_are_found_without_running_anything(registry, stanza_folder, tmp_path, monkeypatch):
    monkeypatch.setattr("textparity.sources.tokenizer_models.find_spec", lambda name: object())
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    member = "flores200_dataset/devtest/swe_Latn.devtest"
    with tarfile.open(mirror / "flores.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo(member), io.BytesIO())
    files = {
        registry.url("flores200", "flores200_dataset.tar.gz"): "flores.tar.gz",
        registry.url("gender_gap_lexicon", "swe_nouns.json"): "swe.json",
        registry.url("gender_gap_lexicon", "fin_nouns.json"): "fin.json",
        registry.url("ntrex", "NTREX-128/newstest2019-ref.fin.txt"): "fin.txt",
    }
    rows = "".join(f"{url}\t{path}\t\n" for url, path in files.items())
    (mirror / "urls.tsv").write_text(f"url\tpath\tsha256\n{rows}")
    config = load_config(
        {"languages": ["swe", "fin"], "mirror": str(mirror), "models": {"stanza": stanza_folder}}, environment={}
    )
    gaps = lexicon_gaps(registry, config)
    assert len(lexicon_units(registry, config)) == 8
    assert ("flores", "swe", "published") not in gaps
    assert ("flores", "swe", "icu") not in gaps
    assert {reason.partition(": ")[0] for reason in gaps.values()} == {"published, not here"}
    assert "newstest2019-ref.swe.txt is not in the mirror" in gaps["ntrex", "swe", "icu"]
    assert "fin_Latn.devtest is not in the mirror's copy" in gaps["flores", "fin", "icu"]
    assert "no Stanza model for 'fi'" in gaps["ntrex", "fin", "published"]
    assert ("ntrex", "fin", "icu") not in gaps


def test_without_stanza_its_languages_are_gaps(registry, monkeypatch):
    monkeypatch.setattr("textparity.sources.tokenizer_models.find_spec", lambda name: None)
    gaps = lexicon_gaps(registry, load_config({"languages": ["swe", "tha", "pan"]}, environment={}))
    assert set(gaps) == {("flores", "swe", "published"), ("ntrex", "swe", "published")}
    assert "pip install 'textparity[stanza]'" in gaps["ntrex", "swe", "published"]


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
        values = {"sampling": {"samples": samples}}
        values["lexicon"] = {"corpora": ["europarl_fresh_2"]}
        return load_config(values, environment={})

    lexicon_gaps(registry, config(samples=2))
    with pytest.raises(ConfigError, match=r"lexicon\.corpora: europarl_fresh_2 is sample 2 .*samples is 1"):
        lexicon_gaps(registry, config(samples=1))


def model(name="small", base_url="http://127.0.0.1:9/v1", mode="chat", key=""):
    return ModelRow(name, base_url, "org/small", mode, key, None, None, max_tokens=10, seed=None)


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


def newsroom(mirror=None, **values):
    return load_config({"mirror": mirror and str(mirror), "newsroom": values}, environment={})


@pytest.fixture
def pipeline(tmp_path, monkeypatch):
    """A folder that passes for a spaCy pipeline, with spaCy installed."""
    monkeypatch.setattr(
        "textparity.studies.newsroom.tools.find_spec", lambda name: object() if name == "spacy" else None
    )
    (tmp_path / "pipeline").mkdir()
    (tmp_path / "pipeline" / "meta.json").write_text("{}")
    return str(tmp_path / "pipeline")


def test_articles_need_their_files_and_a_pipeline(registry, pipeline, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = newsroom_gaps(registry, newsroom(spacy_model=pipeline))
    assert list(found) == ["taz"]
    assert found["taz"].startswith("unpublished: ")
    assert found["taz"].endswith("; there is no file taz/*/taz_*.json")
    without = newsroom_gaps(registry, newsroom(spacy_model="de_none"))
    assert list(without) == ["gnad", "ntrex_deu", "taz", "newsroom_gold"]
    assert without["gnad"].startswith(NO_PIPELINE)
    assert without["taz"] == found["taz"]


def test_each_file_of_articles_is_looked_for_in_the_mirror(registry, pipeline, tmp_path):
    (tmp_path / "urls.tsv").write_text(f"url\tpath\tsha256\n{registry.article_files('ntrex_deu')[0].url}\tdeu.txt\t\n")
    found = newsroom_gaps(registry, newsroom(tmp_path, spacy_model=pipeline, corpora=["gnad", "ntrex_deu"]))
    assert found["gnad"].endswith("test.csv is not in the mirror")
    assert found["ntrex_deu"].endswith("DOCUMENT_IDS.tsv is not in the mirror")


def test_annotations_made_elsewhere_need_no_pipeline(registry):
    annotations = {"gnad": "gnad.conllu", "newsroom_gold": "gold.conllu"}
    config = newsroom(corpora=["gnad", "ntrex_deu"], annotations=annotations, spacy_model="de_none")
    assert list(newsroom_gaps(registry, config)) == ["ntrex_deu"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"corpora": ["taz", "zeit"]},
            r"newsroom\.corpora: zeit is no row of .*article_corpora\.tsv; it has gnad, ntrex_deu",
        ),
        # The annotated passages are measured whatever the corpora.
        ({"corpora": ["newsroom_gold"]}, r"newsroom\.corpora: newsroom_gold is no row of"),
        ({"annotations": {"zeit": "zeit.conllu"}}, r"newsroom\.annotations: zeit is no row of .* taz, .*newsroom_gold"),
        (
            {"annotations": {"gnad": "gnad.conllu"}, "parts": 2},
            r"newsroom\.parts: must be 1 with newsroom\.annotations",
        ),
    ],
)
def test_a_corpus_of_articles_that_is_unknown_is_a_config_error(registry, values, said):
    with pytest.raises(ConfigError, match=said):
        newsroom_gaps(registry, newsroom(**values))
    off = load_config({"studies": ["lexicon"], "newsroom": values}, environment={})
    assert newsroom_gaps(registry, off) == {}


def test_articles_of_another_language_are_a_config_error(repository, tmp_path):
    tables = Tables().model_dump()
    text = (repository / tables["article_corpora"]).read_text("utf-8")
    (tmp_path / "articles.tsv").write_text(text.replace("10kGNAD, test articles\tdeu", "10kGNAD\teng"))
    registry = Registry(tables | {"article_corpora": str(tmp_path / "articles.tsv")}, repository)
    with pytest.raises(ConfigError, match=r"newsroom\.corpora: gnad is not in deu; .* are German"):
        newsroom_gaps(registry, newsroom(corpora=["gnad"]))


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
    registry.entity_corpora["demo_entities"] = dataclasses.replace(row, lang="pol")
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
    registry.entity_corpora[row.corpus] = dataclasses.replace(row, path="data/mine", access="ask its authors")
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
