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
from textparity.studies.representation.availability import representation_gaps, select_taggers, tagged_languages
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


@pytest.mark.parametrize("study", ["lexicon", "representation"])
def test_a_sample_that_is_not_drawn_is_a_config_error(registry, study):
    def config(samples):
        values = {"sampling": {"samples": samples}}
        values.setdefault(study, {})["corpora"] = ["europarl_fresh_2"]
        return load_config(values, environment={})

    find = lexicon_gaps if study == "lexicon" else representation_gaps
    find(registry, config(samples=2))
    with pytest.raises(ConfigError, match=rf"{study}\.corpora: europarl_fresh_2 is sample 2 .*samples is 1"):
        find(registry, config(samples=1))


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
