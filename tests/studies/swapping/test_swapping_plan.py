"""What the study runs, and what it cannot run and why."""

from dataclasses import replace
from pathlib import Path

import pytest

from textparity.errors import ConfigError
from textparity_studies.llm.models import ModelRow
from textparity_studies.swapping.plan import SwappingPlan, missing_recognizer
from textparity_studies.swapping.settings import EntityRecognition, missing_sequence_model
from textparity_studies.workflow.config import Tables, load_config
from textparity_studies.workflow.registry import StudyRegistry
from textparity_studies.workflow.study import StudyContext

DEMO = {"corpus": "demo_entities", "swapped": "demo_entities_swapped"}
MODELS = {
    name: ModelRow(name, "http://127.0.0.1/v1", "m", mode, "", None, None, 10, None)
    for name, mode in (("chat", "chat"), ("base", "completion"), ("gpt-4o-mini", "chat"))
}


@pytest.fixture
def registry(repository):
    found = StudyRegistry(Tables().model_dump(), repository)
    # A plan reads it, and may be made in another folder.
    found.paths["sequence_models"] = str(Path(found.paths["sequence_models"]).resolve())
    return found


@pytest.fixture
def plan(registry):
    """Plan the study with values of its section; others of the config by keyword."""

    def plan(values=None, studies=("swapping",), **others):
        config = load_config({"studies": list(studies), "swapping": values or {}} | others, environment={})
        return SwappingPlan(StudyContext(config, registry, MODELS, {}))

    return plan


@pytest.fixture
def mirror(tmp_path):
    """Make a mirror that has some addresses; return its folder."""

    def mirror(*urls):
        rows = "".join(f"{url}\tx\ty\n" for url in urls)
        (tmp_path / "urls.tsv").write_text(f"url\tpath\tsha256\n{rows}", encoding="utf-8")
        return str(tmp_path)

    return mirror


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"corpus": "mine"}, r"swapping\.corpus: mine is not a row of .*entity_corpora\.tsv; it has ner_uk, ner_uk_sw"),
        ({"swapped": "mine"}, r"swapping\.swapped: mine is not a row of .*; it has .*, rules$"),
        ({"swapped": "ner_uk"}, r"swapping\.swapped: ner_uk is not swapped from ner_uk by"),
        ({"swapped": "demo_entities_swapped"}, r"demo_entities_swapped is not swapped from ner_uk by"),
        ({"outputs": ["gpt-9"]}, r"swapping\.outputs: gpt-9 is not a row of .*swap_outputs\.tsv; it has gpt-4o-mini"),
        ({"swappers": ["none"]}, r"swapping\.swappers: none is not a row of .*; it has chat, base"),
        ({"evaluated_swappers": ["none"]}, r"swapping\.evaluated_swappers: none is not a row of .*; it has chat, base"),
        ({"evaluated_swappers": ["gpt-4o-mini"]}, r"gpt-4o-mini is the name of a recorded set in .*swap_outputs\.tsv"),
        ({"prompt": "other", "swappers": ["chat"]}, r"chat is asked in chat mode, and .* has no prompt other in ukr"),
    ],
)
def test_a_name_that_no_table_has_is_a_config_error_unless_the_study_is_off(plan, values, said):
    with pytest.raises(ConfigError, match=said):
        plan(values)
    off = plan(values, studies=["lexicon"])
    assert (off.runs, off.not_run, off.asked, off.unavailable, off.unavailable_outputs) == (False, [], [], {}, {})


def test_entities_of_another_language_are_a_config_error(plan, registry):
    row = registry.entity_corpora["demo_entities"]
    registry.entity_corpora["demo_entities"] = row.model_copy(update={"lang": "pol"})
    with pytest.raises(ConfigError, match=r"swapping\.corpus: demo_entities is not in ukr"):
        plan(DEMO)


def test_without_one_of_its_corpora_nothing_runs(plan, registry, mirror):
    assert plan().unavailable == plan(DEMO).unavailable == {}
    gaps = plan(mirror=mirror()).unavailable
    assert set(gaps) == {"ner_uk", "ner_uk_swapped"}
    assert gaps["ner_uk"].endswith(".tar.gz is not in the mirror")
    assert set(plan({"swapped": "rules"}, mirror=mirror()).unavailable) == {"ner_uk"}
    row = registry.entity_corpora["demo_entities_swapped"]
    registry.entity_corpora[row.corpus] = row.model_copy(update={"path": "data/mine", "access": "ask its authors"})
    reason = "unpublished: ask its authors; there is no file data/mine"
    # Without `skip_unavailable`, its job fails and says so.
    assert plan(DEMO).unavailable == {row.corpus: reason} and plan(DEMO).runs
    skipped = plan(DEMO | {"outputs": []}, skip_unavailable=True)
    assert (skipped.runs, skipped.scored_systems, skipped.accepted_systems, skipped.trainings) == (False, [], [], [])
    assert skipped.not_run == [[row.corpus, "ukr", "", reason]]


def test_sentences_swapped_by_rules_are_made_here(plan):
    made = plan(DEMO | {"swapped": "rules"})
    assert made.entity_corpora == ["demo_entities"]
    assert made.annotated == ["demo_entities", "swapped/rules"]


def test_recorded_outputs_that_are_not_in_the_mirror_are_not_scored(plan, registry, mirror):
    urls = [file.url for name in ("ner_uk", "ner_uk_swapped") for file in registry.entity_files(name)]
    values = {"outputs": ["gpt-4o-mini", "aya-101"]}
    folder = mirror(*urls, registry.file_of(registry.swap_outputs["gpt-4o-mini"]).url)
    (system, reason), *more = plan(values, mirror=folder).unavailable_outputs.items()
    assert (system, more) == ("aya-101", [])
    assert reason.startswith("published, not here: ")
    assert reason.endswith("MAIN_original_aya_for_the_test_parallel_dataset.csv is not in the mirror")
    assert plan(values, mirror=folder).scored_systems == ["rules", "gpt-4o-mini", "aya-101", "unchanged"]
    skipped = plan(values, mirror=folder, skip_unavailable=True)
    assert skipped.scored_systems == ["rules", "gpt-4o-mini", "unchanged"]
    assert ["aya-101", "ukr", "", reason] in skipped.not_run


def test_a_missing_extra_is_named_before_any_job_runs(plan, monkeypatch):
    installed = {"pymorphy3", "spacy", "sacrebleu"}
    monkeypatch.setattr("textparity_studies.swapping.plan.find_spec", installed.__contains__)
    monkeypatch.setattr("textparity.persons.methods.find_spec", installed.__contains__)
    (reason,) = {*plan(skip_unavailable=True).unavailable.values()}
    assert reason.startswith("published, not here: ") and reason.endswith("make morphology")
    installed.add("pymorphy3_dicts_uk")
    made = plan({"recognition": {"seeds": []}}, skip_unavailable=True)
    assert made.runs and made.scored_systems == []
    reason = "published, not here: what scores outputs is not installed (make swapping)"
    assert ["scores", "ukr", "", reason] in made.not_run
    assert plan().scored_systems  # without `skip_unavailable`, its jobs fail and say so


def test_recorded_titles_are_missing_for_a_model_without_one_of_its_lists(plan, registry, mirror):
    lists = {
        model: [plan().recorded_titles(model, outcome).url for outcome in ("tp", "fn")]
        for model in ("original", "balanced")
    }
    urls = [file.url for name in ("ner_uk", "ner_uk_swapped") for file in registry.entity_files(name)]
    made = plan(mirror=mirror(*urls, *lists["original"], lists["balanced"][0]), skip_unavailable=True)
    reason = f"published, not here: {lists['balanced'][1]} is not in the mirror"
    assert made.unavailable_titles == {"balanced": reason}
    assert made.recorded_models == ["original"]
    assert ["balanced_titles", "ukr", "", reason] in made.not_run


def test_what_is_counted_in_another_corpus_is_not_compared_with_the_paper(plan):
    assert plan().is_papers
    demo = plan(DEMO)
    assert not demo.is_papers and demo.recorded_models == []


def test_swappers_have_a_prompt_and_items_need_none(plan):
    made = plan({"swappers": ["base", "chat"], "evaluated_swappers": ["chat"]})
    assert (made.swappers, made.evaluated_swappers) == (["base", "chat"], ["chat"])
    assert made.asked == [("sentences", "base"), ("sentences", "chat"), ("items", "chat")]
    assert plan({"prompt": "other", "evaluated_swappers": ["chat"]}).evaluated_swappers == ["chat"]


def test_a_corpus_of_a_models_candidates_needs_peoples_decisions(plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert plan({"swappers": ["chat"]}).accepted_systems == ["rules"]
    (tmp_path / "reviews").mkdir()
    (tmp_path / "reviews" / "chat.csv").touch()
    assert plan({"swappers": ["chat"]}).accepted_systems == ["rules", "chat"]


@pytest.mark.parametrize(
    ("values", "setup"),
    [
        ({}, "tok2vec, a small model for the CPU, stands in for RoBERTa-large"),
        # Without max_steps, the authors' configuration decides.
        ({"architecture": "transformer"}, ""),
        ({"architecture": "transformer", "max_steps": 20_000}, ""),
        ({"architecture": "transformer", "max_steps": 2000}, "at most 2,000 steps, the authors' configuration 20,000"),
    ],
)
def test_fewer_steps_or_a_smaller_model_are_another_setup_than_the_papers(plan, values, setup):
    assert plan(DEMO | {"recognition": values}).recognizer_setup == setup


@pytest.mark.parametrize(
    ("values", "installed", "said"),
    [
        ({}, ["spacy"], ""),
        ({}, [], "make train"),
        ({"seeds": []}, ["spacy"], "seeds is empty"),
        # Its package and GPU are in the job's environment and on its node.
        ({"architecture": "transformer"}, ["spacy"], ""),
    ],
)
def test_recognizers_need_spacy(monkeypatch, plan, values, installed, said):
    monkeypatch.setattr("textparity_studies.swapping.plan.find_spec", lambda name: name in installed)
    reason = missing_recognizer(EntityRecognition(**values))
    assert said in reason and bool(reason) == bool(said)
    made = plan(DEMO | {"recognition": values})
    assert len(made.trainings) == (0 if said else 18)
    assert [row[0] for row in made.not_run] == (["recognition"] if said else [])


def test_a_sequence_model_is_a_swapper_like_the_others(plan, monkeypatch):
    monkeypatch.setattr("textparity_studies.swapping.plan.missing_sequence_model", lambda row: "")
    names = ["aya-101-trained", "aya-101-published"]
    made = plan(DEMO | {"swappers": names, "evaluated_swappers": ["chat", *names]})
    assert (made.swappers, made.evaluated_swappers) == (names, ["chat", *names])
    assert set(names) <= set(made.checked_systems) & set(made.reviewed_systems) & set(made.scored_systems)
    # What is not sent has no estimate.
    assert made.asked == [("items", "chat")]


def test_the_rows_of_aya_are_as_its_authors_trained_and_asked_it(plan):
    """Their notebooks: train_llm_aya-101.ipynb and eval_llm_aya-101.ipynb."""
    rows = plan(DEMO).sequence_models
    trained, published, base = (rows[f"aya-101-{name}"] for name in ("trained", "published", "base"))
    lora = trained.lora_rank, trained.lora_alpha, trained.target_modules, trained.epochs
    steps = trained.batch_size, trained.gradient_accumulation, trained.learning_rate, trained.schedule
    assert (lora, steps, trained.weight_decay) == ((32, 32, "q v", 15), (4, 2, 5e-5, "constant"), 0.001)
    assert trained.is_trained and (trained.quantisation, trained.sequence_tokens) == ("4bit", 512)
    assert (published.adapter, base.adapter) == ("linndfors/uk-gender-swapper-aya-101", "")
    assert not published.is_trained and not base.is_trained
    assert {(row.quantisation, row.answer_tokens) for row in (published, base)} == {("bfloat16", 100)}


def test_a_sequence_model_that_is_not_here_is_left_out_with_its_reason(plan, monkeypatch):
    monkeypatch.setattr("textparity_studies.swapping.plan.missing_sequence_model", lambda row: "no weights")
    values = DEMO | {"outputs": [], "swappers": ["aya-101-trained"], "evaluated_swappers": ["aya-101-trained"]}
    # Without `skip_unavailable`, its job fails and says so.
    assert plan(values).swappers == ["aya-101-trained"]
    skipped = plan(values, skip_unavailable=True)
    assert (skipped.swappers, skipped.evaluated_swappers) == ([], [])
    assert ["aya-101-trained", "ukr", "", "published, not here: no weights"] in skipped.not_run


def test_a_sequence_model_with_the_name_of_a_language_model_is_refused(plan, registry, tmp_path):
    rows = Path(registry.paths["sequence_models"]).read_text("utf-8").replace("aya-101-base", "chat")
    (tmp_path / "models.tsv").write_text(rows, "utf-8")
    registry.paths["sequence_models"] = str(tmp_path / "models.tsv")
    with pytest.raises(ConfigError, match=r"models\.tsv: chat is a row of .*language_models\.tsv too; rename"):
        plan(DEMO)


@pytest.mark.parametrize(
    ("adapter", "reason"),
    [
        ("train", ""),
        ("nobody/nothing", "the adapter nobody/nothing is not on this machine: .* (hf download nobody/nothing)"),
        ("folder", ""),
    ],
)
def test_an_adapter_is_a_folder_or_in_the_hubs_cache(plan, monkeypatch, tmp_path, adapter, reason):
    monkeypatch.setattr("textparity_studies.swapping.settings.missing_weights", lambda row: "")
    monkeypatch.setattr("textparity_studies.measures.encoders.cached_file", lambda model, name: None)
    if adapter == "folder":
        adapter = str(tmp_path)
        (tmp_path / "adapter_config.json").touch()
    row = replace(plan(DEMO).sequence_models["aya-101-trained"], adapter=adapter)
    start, _, end = reason.partition(".*")
    found = missing_sequence_model(row)
    assert found.startswith(start) and found.endswith(end) and bool(found) == bool(reason)
