"""Where the texts of each corpus come from."""

import io
import tarfile

import pytest

from textparity.errors import MissingResourceError
from textparity.persons.mentions import PERSONS
from textparity_studies.lexicon.plan import LexiconPlan
from textparity_studies.workflow.availability import require_files
from textparity_studies.workflow.config import Tables, load_config
from textparity_studies.workflow.plans import CorpusPlan, Persons
from textparity_studies.workflow.registry import StudyRegistry
from textparity_studies.workflow.study import StudyContext


@pytest.fixture
def registry(repository):
    return StudyRegistry(Tables().model_dump(), repository)


@pytest.fixture
def plan(registry):
    return CorpusPlan(StudyContext(load_config({}, environment={}), registry, {}, {}))


def test_each_corpus_is_of_one_kind(plan):
    assert {"flores", "europarl_1", "demo"} <= {*plan.files}
    assert "europarl_fresh_1" in plan.samples and "europarl_fresh" in plan.sample_sets
    assert plan.crawls == ["cc_main_2022_49", "cc_record"]
    assert sorted([*plan.files, *plan.samples, *plan.crawls]) == sorted(plan.registry.corpora)


def test_a_file_that_is_not_public_says_how_to_get_it(registry):
    (path,) = require_files([registry.corpus_file("demo", "deu")], None)
    assert path.endswith("resources/demo/texts/deu.txt")
    with pytest.raises(MissingResourceError, match="unpublished: no Valencian sample"):
        require_files([registry.corpus_file("boua_1", "cat")], None)


def test_documents_are_known_where_a_file_lists_them(plan):
    assert plan.document_ids("ntrex")[0].endswith("DOCUMENT_IDS.tsv")
    assert plan.document_ids("demo") == []
    # Without a mirror, the archive that is downloaded has them.
    assert plan.document_ids("flores") == [plan.registry.corpus_file("flores", "swe").path]


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
    assert len(CorpusPlan(context).document_ids("flores")) == has_metadata
    said = [row for row in LexiconPlan(context).not_run if row[1] == ""]
    assert [row[0] for row in said] == ([] if has_metadata else ["flores"])
    for row in said:
        assert row[3].endswith("flores200_dataset.tar.gz; each line counts as a document")


@pytest.mark.parametrize(
    ("source", "path", "pinned", "members", "is_locked"),
    [
        ("gender_gap_lexicon", "swe_nouns.json", 64, 0, False),
        ("flores200", "flores200_dataset.tar.gz", 0, 55, False),
        ("opus_europarl", "moses/en-es.txt.zip", 0, 0, True),
    ],
)
def test_a_file_is_known_by_its_hash_its_members_or_the_lock_file(registry, source, path, pinned, members, is_locked):
    file = (source, path)
    known = len(registry.pinned_hash(*file)), len(registry.pinned_members(*file)), registry.is_locked(*file)
    assert known == (pinned, members, is_locked)


def test_a_crawl_has_languages_by_code_and_script(registry):
    crawl = "cc_main_2022_49"
    assert registry.is_list_of_files(crawl) and not registry.is_list_of_files("cc_record")
    assert registry.crawl_codes(crawl)["de"] == registry.crawl_codes(crawl)["deu"] == "deu"
    assert registry.crawl_scripts(crawl)["rus"] == "Cyrl"
    assert "eng" in registry.crawl_scripts(crawl) and "lvs" not in registry.crawl_scripts(crawl)


def test_without_spacy_a_plan_names_the_extra(repository, monkeypatch):
    # What is blocked in this way has no spec, as what is not installed.
    monkeypatch.setattr("textparity.persons.methods.find_spec", lambda name: None if name == "spacy" else object())
    registry = StudyRegistry(Tables().model_dump(), repository)
    persons = Persons(StudyContext(load_config({}, environment={}), registry, {}, {}), [PERSONS])
    assert persons.missing("eng") == ["published, not here: spaCy is not installed; install the extra: make persons"]
