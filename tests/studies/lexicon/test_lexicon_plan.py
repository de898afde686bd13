"""What the `lexicon` study counts, and what of it is unavailable."""

import io
import tarfile

import pytest
from stanza_folder import write_stanza_folder

from textparity.errors import ConfigError
from textparity_studies.lexicon import paper_tokenizers
from textparity_studies.lexicon.plan import LexiconPlan
from textparity_studies.workflow.config import Tables, load_config
from textparity_studies.workflow.registry import StudyRegistry
from textparity_studies.workflow.study import StudyContext

DEMO = {"languages": ["deu", "eng"], "person_nouns": "demo", "lexicon": {"corpora": ["demo"], "engines": ["icu"]}}


@pytest.fixture
def registry(repository):
    return StudyRegistry(Tables().model_dump(), repository)


def plan(registry, values):
    return LexiconPlan(StudyContext(load_config(values, environment={}), registry, {}, {}))


def test_what_is_unavailable_is_found_without_running_anything(registry, tmp_path, monkeypatch):
    monkeypatch.setattr("textparity.sources.model_files.find_spec", lambda name: object())
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    member = "flores200_dataset/devtest/swe_Latn.devtest"
    with tarfile.open(mirror / "flores.tar.gz", "w:gz") as archive:
        for name in (member, registry.document_ids_file("flores").member):
            archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    files = {
        registry.url("flores200", "flores200_dataset.tar.gz"): "flores.tar.gz",
        registry.url("gender_gap_lexicon", "swe_nouns.json"): "swe.json",
        registry.url("gender_gap_lexicon", "fin_nouns.json"): "fin.json",
        registry.url("ntrex", "NTREX-128/newstest2019-ref.fin.txt"): "fin.txt",
    }
    rows = "".join(f"{url}\t{path}\t\n" for url, path in files.items())
    (mirror / "urls.tsv").write_text(f"url\tpath\tsha256\n{rows}")
    values = {
        "languages": ["swe", "fin"],
        "mirror": str(mirror),
        "models": {"stanza": write_stanza_folder(tmp_path / "stanza")},
    }
    found = plan(registry, values)
    assert len(found.units) == 8 and not found.not_run
    assert {reason.partition(": ")[0] for reason in found.unavailable.values()} == {"published, not here"}
    assert "newstest2019-ref.swe.txt is not in the mirror" in found.unavailable["ntrex", "swe", "icu"]
    assert "fin_Latn.devtest is not in the mirror's copy" in found.unavailable["flores", "fin", "icu"]
    assert "no Stanza model for 'fi'" in found.unavailable["ntrex", "fin", "paper"]
    left = plan(registry, values | {"skip_unavailable": True})
    assert left.units == [("flores", "swe", "paper"), ("flores", "swe", "icu"), ("ntrex", "fin", "icu")]
    assert len(left.not_run) == 5
    # By its first engine, NTREX has no language.
    assert left.main_corpora == [("flores", "paper")]
    # ICU's words are compared with the paper's numbers where its tokenizer is not here.
    assert left.counted_corpora == left.compared_corpora == [("flores", "paper"), ("flores", "icu"), ("ntrex", "icu")]
    assert left.units_of("ntrex") == []
    assert left.units_of("ntrex", "icu") == [("ntrex", "fin", "icu")]
    assert left.langs == ["fin", "swe"]


@pytest.fixture
def tokenizer_folder(tmp_path, monkeypatch):
    """The folder of the paper's tokenizers, with the NLTK of the lock alone."""
    (tmp_path / "nltk-3.9.1.dist-info").mkdir()
    monkeypatch.setattr(paper_tokenizers, "FOLDER", tmp_path)
    return tmp_path


def test_without_stanza_its_languages_are_unavailable(registry, tokenizer_folder, monkeypatch):
    monkeypatch.setattr("textparity.sources.model_files.find_spec", lambda name: None if name == "stanza" else object())
    unavailable = plan(registry, {"languages": ["swe", "pan"]}).unavailable
    assert set(unavailable) == {("flores", "swe", "paper"), ("ntrex", "swe", "paper")}
    assert "make stanza" in unavailable["ntrex", "swe", "paper"]


def test_without_the_papers_version_of_a_tokenizer_its_languages_are_unavailable(registry, tokenizer_folder):
    found = plan(registry, {"languages": ["tha", "pan"]})
    assert set(found.unavailable) == {("flores", "tha", "paper"), ("ntrex", "tha", "paper")}
    assert found.unavailable["ntrex", "tha", "paper"] == found.tokenizer_gap("tha", "paper")
    assert found.tokenizer_gap("tha", "paper") == (
        "published, not here: pythainlp 4.0.2, which splits words as in the paper, is not installed; run make workflow"
    )
    assert (found.tokenizer_pins("tha", "paper"), found.tokenizer_pins("tha", "icu")) == (["pythainlp==4.0.2"], [])


def test_languages_of_a_parallel_corpus_are_compared_with_its_pivot(registry):
    found = plan(registry, DEMO)
    assert found.pivots == {"demo": "eng"}
    assert found.parallel_units == found.main_units == [("demo", "deu", "icu"), ("demo", "eng", "icu")]
    # There is no other engine to compare.
    assert found.compared_corpora == []


def test_where_nothing_can_be_counted_no_table_of_counts_is_left(registry, tmp_path):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n")
    found = plan(registry, {"mirror": str(tmp_path), "skip_unavailable": True})
    assert len(found.not_run) > 100
    assert not any([found.units, found.langs, found.main_units, found.parallel_units, found.balanced_files])


def test_a_study_that_is_off_asks_nothing_of_the_tables(registry):
    unknown = {"lexicon": {"corpora": ["mine"]}}
    assert plan(registry, unknown | {"studies": ["newsroom"]}).units == []
    with pytest.raises(ConfigError, match=r"lexicon\.corpora: mine is not a row of"):
        plan(registry, unknown)


def test_a_sample_that_is_not_drawn_is_a_config_error(registry):
    values = {"languages": ["eng"], "lexicon": {"corpora": ["europarl_fresh_2"]}}
    assert plan(registry, values | {"sampling": {"samples": 2}}).units
    with pytest.raises(ConfigError, match=r"lexicon\.corpora: europarl_fresh_2 is sample 2 .*samples is 1"):
        plan(registry, values | {"sampling": {"samples": 1}})
