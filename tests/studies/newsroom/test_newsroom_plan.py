"""What the newsroom study runs, and what it cannot run and why."""

import pytest

from textparity.errors import ConfigError
from textparity_studies.newsroom.plan import NewsroomPlan
from textparity_studies.newsroom.rows import article_files
from textparity_studies.workflow.study import StudyContext

NO_PIPELINE = "there is no spaCy pipeline de_none"
BOTH = {"corpora": ["gnad", "ntrex_deu"]}


@pytest.fixture
def plan(repository):
    """Make the plan of a configuration, from its `newsroom` section and other keys."""

    def plan(values, **others):
        return NewsroomPlan(StudyContext.load({"newsroom": values, **others}, base=repository))

    return plan


@pytest.fixture
def pipeline(tmp_path, monkeypatch):
    """A folder that passes for a spaCy pipeline, with spaCy installed."""
    monkeypatch.setattr(
        "textparity_studies.newsroom.settings.find_spec", lambda name: object() if name == "spacy" else None
    )
    (tmp_path / "pipeline").mkdir()
    (tmp_path / "pipeline" / "meta.json").write_text('{"version": "3.8.0"}')
    return str(tmp_path / "pipeline")


def test_articles_need_their_files_and_a_pipeline(plan, pipeline, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = plan({"spacy_model": pipeline}).find_unavailable()
    assert list(found) == ["taz"]
    assert found["taz"].startswith("unpublished: ")
    assert found["taz"].endswith("; there is no file taz/*/taz_*.json")
    without = plan({"spacy_model": "de_none"}).find_unavailable()
    assert list(without) == ["gnad", "ntrex_deu", "taz", "newsroom_gold"]
    assert without["gnad"].startswith(NO_PIPELINE)
    assert without["taz"] == found["taz"]


def test_each_file_of_articles_is_looked_for_in_the_mirror(plan, pipeline, tmp_path):
    here = article_files(plan(BOTH).registry, "ntrex_deu")[0].url
    (tmp_path / "urls.tsv").write_text(f"url\tpath\tsha256\n{here}\tdeu.txt\t\n")
    found = plan(BOTH | {"spacy_model": pipeline}, mirror=str(tmp_path)).find_unavailable()
    assert found["gnad"].endswith("test.csv is not in the mirror")
    assert found["ntrex_deu"].endswith("DOCUMENT_IDS.tsv is not in the mirror")


def test_annotations_made_elsewhere_need_no_pipeline(plan):
    annotations = {"gnad": "gnad.conllu", "newsroom_gold": "gold.conllu"}
    made = plan(BOTH | {"annotations": annotations, "spacy_model": "de_none"})
    assert list(made.find_unavailable()) == ["ntrex_deu"]
    assert made.annotations == annotations


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"corpora": ["taz", "zeit"]},
            r"newsroom\.corpora: zeit is not a row of .*article_corpora\.tsv; it has gnad, ntrex_deu",
        ),
        # The annotated passages are measured whatever the corpora.
        ({"corpora": ["newsroom_gold"]}, r"newsroom\.corpora: newsroom_gold is not a row of"),
        (
            {"annotations": {"zeit": "zeit.conllu"}},
            r"newsroom\.annotations: zeit is not a row of .* taz, ",
        ),
        (
            {"annotations": {"gnad": "gnad.conllu"}, "parts": 2},
            r"newsroom\.parts: must be 1 with newsroom\.annotations",
        ),
    ],
)
def test_a_corpus_of_articles_that_is_unknown_is_a_config_error(plan, values, said):
    with pytest.raises(ConfigError, match=said):
        plan(values)
    off = plan(values, studies=["lexicon"])
    assert (off.corpora, off.paper_procedures, off.not_run) == ([], (), [])


@pytest.fixture
def plan_in(plan, repository, tmp_path):
    """Make a plan in which 10kGNAD is in another language."""

    def plan_in(lang, values):
        table = repository / "resources" / "registry" / "article_corpora.tsv"
        text = table.read_text("utf-8").replace("10kGNAD, test articles\tdeu", f"10kGNAD\t{lang}")
        (tmp_path / "articles.tsv").write_text(text)
        return plan(values, tables={"article_corpora": str(tmp_path / "articles.tsv")})

    return plan_in


def test_articles_in_a_language_without_rules_are_a_config_error(plan_in):
    with pytest.raises(ConfigError, match=r"newsroom\.corpora: gnad is in none of deu, eng, fra"):
        plan_in("spa", {"corpora": ["gnad"]})


def test_each_corpus_has_the_lists_pipeline_and_passages_of_its_language(plan_in):
    made = plan_in("fra", {**BOTH, "spacy_model": {"fra": "fr_mine"}})
    assert [made.model(corpus) for corpus in made.corpora] == ["fr_mine", "de_core_news_lg"]
    assert made.word_lists("gnad")["titles"].endswith("titles_fra.tsv")
    assert made.gold_corpora == {"newsroom_gold_fra": "fra", "newsroom_gold": "deu"}
    assert made.gold_langs == ["fra", "deu"]
    assert made.model("newsroom_gold_fra") == "fr_mine"
    assert made.gold("newsroom_gold_fra").endswith("newsroom_fra.txt")


def test_one_file_for_several_languages_is_a_config_error(plan_in):
    with pytest.raises(ConfigError, match=r"newsroom\.word_lists\.titles: mine\.tsv is one file, .* fra, deu; write"):
        plan_in("fra", {**BOTH, "word_lists": {"titles": "mine.tsv"}})


def test_what_is_not_public_is_left_out_and_the_rest_only_if_asked_for(plan):
    values = {"corpora": ["gnad", "taz"], "spacy_model": "de_none"}
    made = plan(values)
    assert [row[:3] for row in made.not_run] == [["taz", "deu", ""]]
    assert (made.corpora, made.gold_langs) == (["gnad"], ["deu"])
    made = plan(values, skip_unavailable=True)
    assert [row[0] for row in made.not_run] == ["gnad", "taz", "newsroom_gold"]
    assert (made.corpora, made.gold_langs) == ([], [])


def test_the_papers_corpus_is_compared_where_it_is_here(plan, tmp_path, monkeypatch):
    (tmp_path / "taz" / "1986").mkdir(parents=True)
    (tmp_path / "taz" / "1986" / "taz_1986-01.json").touch()
    monkeypatch.chdir(tmp_path)
    here = plan({"corpora": ["taz"], "annotations": {"taz": "taz.conllu"}})
    assert (here.corpora, here.paper_procedures) == (["taz"], ("published", "corrected"))
    assert plan(BOTH).paper_procedures == ()
