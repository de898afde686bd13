"""Where the texts of each corpus come from."""

import io
import tarfile
from types import SimpleNamespace

import pytest

from textparity.errors import MissingResourceError
from textparity.persons.mentions import PERSONS
from textparity_studies.lexicon.plan import LexiconPlan
from textparity_studies.workflow.config import Tables, load_config
from textparity_studies.workflow.plans import CorpusPlan, Persons
from textparity_studies.workflow.registry import StudyRegistry
from textparity_studies.workflow.study import StudyContext


@pytest.fixture
def plan(repository):
    return CorpusPlan(
        StudyContext(load_config({}, environment={}), StudyRegistry(Tables().model_dump(), repository), {}, {})
    )


def job(**wildcards):
    return SimpleNamespace(**wildcards)


def test_each_corpus_is_of_one_kind(plan):
    assert {"flores", "europarl_1", "demo"} <= {*plan.files}
    assert "europarl_fresh_1" in plan.samples and "europarl_fresh" in plan.sample_sets
    assert plan.crawls == ["cc_main_2022_49", "cc_record"]
    assert sorted([*plan.files, *plan.samples, *plan.crawls]) == sorted(plan.registry.corpora)


def test_a_file_that_is_not_public_says_how_to_get_it(plan):
    assert plan.source(job(corpus="demo", lang="deu")).endswith("resources/demo/texts/deu.txt")
    with pytest.raises(MissingResourceError, match="unpublished: no Valencian sample"):
        plan.source(job(corpus="boua_1", lang="cat"))


def test_documents_are_known_where_a_file_lists_them(plan):
    assert plan.document_ids(job(corpus="ntrex"))[0].endswith("DOCUMENT_IDS.tsv")
    assert plan.document_ids(job(corpus="demo")) == []
    # Without a mirror, the archive that is downloaded has them.
    assert plan.document_ids(job(corpus="flores")) == [plan.source(job(corpus="flores", lang="swe"))]


@pytest.mark.parametrize("has_metadata", [True, False])
def test_an_archive_without_its_metadata_is_read_and_the_gap_is_said(repository, tmp_path, has_metadata):
    registry = StudyRegistry(Tables().model_dump(), repository)
    members = [registry.corpus_file("flores", "swe").member]
    members += [registry.document_ids_file("flores").member] if has_metadata else []
    with tarfile.open(tmp_path / "flores.tar.gz", "w:gz") as archive:
        for member in members:
            archive.addfile(tarfile.TarInfo(member), io.BytesIO())
    url = registry.corpus_file("flores", "swe").url
    (tmp_path / "urls.tsv").write_text(f"url\tpath\tsha256\n{url}\tflores.tar.gz\t\n")
    values = {"mirror": str(tmp_path), "languages": ["swe"], "lexicon": {"corpora": ["flores"], "engines": ["icu"]}}
    context = StudyContext(load_config(values, environment={}), registry, {}, {})
    assert len(CorpusPlan(context).document_ids(job(corpus="flores"))) == has_metadata
    said = [row for row in LexiconPlan(context).not_run if row[1] == ""]
    assert [row[0] for row in said] == ([] if has_metadata else ["flores"])
    for row in said:
        assert row[3].endswith("flores200_dataset.tar.gz; each line counts as a document")


@pytest.mark.parametrize(
    ("source", "path", "pinned", "members", "lock"),
    [
        ("gender_gap_lexicon", "swe_nouns.json", 64, 0, ""),
        ("flores200", "flores200_dataset.tar.gz", 0, 55, ""),
        ("opus_europarl", "moses/en-es.txt.zip", 0, 0, "sources.lock.tsv"),
    ],
)
def test_a_file_is_known_by_its_hash_its_members_or_the_lock_file(plan, source, path, pinned, members, lock):
    file = job(source=source, path=path)
    assert (len(plan.pinned_hash(file)), len(plan.pinned_members(file)), plan.lock_file(file)) == (
        pinned, members, lock,
    )  # fmt: skip


def test_a_crawl_reads_the_files_of_its_list(plan):
    crawl = job(crawl="cc_main_2022_49", number="7")
    assert plan.wet_file(job(crawl="cc_record", number="0")).endswith("whirlwind.warc.wet.gz")
    assert plan.wet_file(crawl) == "results/crawls/cc_main_2022_49/wet/7.warc.wet.gz"
    assert plan.crawl_parts("cc_main_2022_49")[-1] == "results/crawls/cc_main_2022_49/parts/99"
    assert plan.crawl_codes(crawl)["de"] == plan.crawl_codes(crawl)["deu"] == "deu"
    assert plan.crawl_scripts(crawl)["rus"] == "Cyrl"
    assert "eng" in plan.crawl_scripts(crawl) and "lvs" not in plan.crawl_scripts(crawl)


def test_without_spacy_a_plan_names_the_extra(repository, monkeypatch):
    # What is blocked in this way has no spec, as what is not installed.
    monkeypatch.setattr("textparity.persons.methods.find_spec", lambda name: None if name == "spacy" else object())
    registry = StudyRegistry(Tables().model_dump(), repository)
    persons = Persons(StudyContext(load_config({}, environment={}), registry, {}, {}), [PERSONS])
    assert persons.missing("eng") == ["published, not here: spaCy is not installed; install the extra: make persons"]
