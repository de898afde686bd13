"""What of the newsroom study's tools is found on a machine, and what is said of the rest."""

import pytest

from textparity.errors import MissingResourceError
from textparity_studies.newsroom import settings
from textparity_studies.newsroom.annotations import load_pipeline
from textparity_studies.newsroom.measuring import load_scorer
from textparity_studies.newsroom.settings import PAPER_SENTIMENT, missing_pipeline, pipeline_version, sentiment_method


@pytest.fixture
def installed(monkeypatch):
    """Pretend that these packages are installed, and no others."""

    def installed(*names):
        for module in ("settings", "annotations", "measuring"):
            monkeypatch.setattr(
                f"textparity_studies.newsroom.{module}.find_spec", lambda name: object() if name in names else None
            )

    return installed


def test_without_spacy_no_pipeline_is_there(installed):
    installed("de_core_news_lg")
    assert "make newsroom" in missing_pipeline("de_core_news_lg")
    with pytest.raises(MissingResourceError, match="spaCy is not installed"):
        load_pipeline("de_core_news_lg")


@pytest.mark.parametrize("model", ["de_core_news_lg", "models/de", "de_core_news_lg-3.8.0", "no.such.package", "."])
def test_a_pipeline_that_is_not_there_is_named(installed, tmp_path, monkeypatch, model):
    monkeypatch.chdir(tmp_path)
    installed("spacy")
    assert missing_pipeline(model).startswith(f"there is no spaCy pipeline {model}, neither")
    assert pipeline_version(model) == ""


def test_a_pipeline_is_a_package_or_a_folder(installed, tmp_path):
    installed("spacy", "de_core_news_lg")
    assert missing_pipeline("de_core_news_lg") == ""
    (tmp_path / "meta.json").write_text('{"version": "1.2.3"}')
    assert missing_pipeline(str(tmp_path)) == ""
    assert pipeline_version(str(tmp_path)) == "1.2.3"


def test_a_sentiment_that_is_named_is_taken(installed):
    installed()
    assert [sentiment_method(wanted) for wanted in ("lexicon", "none", "a/model")] == ["lexicon", "none", "a/model"]


@pytest.mark.parametrize(
    ("packages", "is_here", "method"),
    [
        (["transformers", "textblob_de"], True, PAPER_SENTIMENT),
        (["transformers", "textblob_de"], False, "lexicon"),
        (["textblob_de"], True, "lexicon"),
        (["transformers"], False, "none"),
        ([], True, "none"),
    ],
)
def test_automatic_sentiment_is_the_best_that_is_here(installed, tmp_path, monkeypatch, packages, is_here, method):
    pytest.importorskip("huggingface_hub")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_: None)
    if is_here:
        (tmp_path / PAPER_SENTIMENT).mkdir(parents=True)
        (tmp_path / PAPER_SENTIMENT / "config.json").touch()
    installed(*packages)
    assert sentiment_method("auto") == method


@pytest.mark.parametrize(("cached", "is_here"), [("/cache/config.json", True), (None, False), (object(), False)])
def test_the_papers_model_may_be_in_the_hubs_cache(installed, monkeypatch, cached, is_here):
    pytest.importorskip("huggingface_hub")
    installed("transformers")
    # What the cache knows to be missing is an object, too.
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_: cached)
    assert (sentiment_method("auto") == PAPER_SENTIMENT) == is_here


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("lexicon", "textblob-de is not installed.*or set it to none"),
        ("a/model", r"newsroom\.sentiment is a/model, but"),
    ],
)
def test_a_sentiment_without_its_package_says_how_to_mend_it(installed, method, said):
    installed()
    with pytest.raises(MissingResourceError, match=said):
        load_scorer(method)


def test_no_sentiment_needs_nothing(installed):
    installed()
    assert load_scorer(settings.NONE) is None
