"""What the propagation study runs and leaves out, and which models it trains and asks."""

from types import SimpleNamespace

import pytest
from plans import make_plan

from textparity.errors import ConfigError
from textparity_studies.propagation import plan as module
from textparity_studies.propagation.base_models import Variant
from textparity_studies.propagation.ledger import _PAPER_STEPS

TRAINED = {"base_models": ["gemma3-270m"], "training_languages": ["eng"], "languages": ["eng"]}


@pytest.fixture
def plan(repository, monkeypatch):
    """Make plans where base models and encoders can be had."""
    monkeypatch.setattr(module, "missing_weights", lambda row: "")
    monkeypatch.setattr(module, "missing_encoder", lambda model: "")

    def plan(study=None, **values):
        return make_plan(repository, "propagation", propagation=study or {}, **values)

    return plan


@pytest.fixture
def mirror(tmp_path):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n", "utf-8")
    return str(tmp_path)


def test_a_study_that_is_off_runs_nothing(plan):
    off = plan(TRAINED | {"base_models": ["gpt2"], "tagger": "gpt-9"}, studies=["lexicon"])
    assert (off.story_sets, off.variants, off.not_run, off.asked_languages) == ([], [], [], [])


def test_a_set_out_of_reach_is_a_gap(plan, mirror):
    only = {"languages": ["eng"], "training_languages": ["eng"]}
    gaps = plan(only, mirror=mirror).set_gaps
    assert sorted(gaps) == [("balanced", "eng"), ("female", "eng"), ("male", "eng")]
    assert "stories-en-M.txt is not in the mirror" in gaps["male", "eng"]
    assert plan().set_gaps == {}
    skipped = plan(TRAINED, mirror=mirror, skip_unavailable=True)
    assert (skipped.story_sets, skipped.training_languages) == ([], [])
    conditions = ("male", "balanced", "female")
    assert [row[:2] for row in skipped.not_run] == [[f"stories_{name}", "eng"] for name in conditions]


def test_a_set_without_its_corpus_is_named(plan, tmp_path):
    rows = "".join(f"{condition}\tspa\tnone\n" for condition in ("male", "balanced", "female"))
    (tmp_path / "sets.tsv").write_text(f"condition\tlang\tcorpus\n{rows}", "utf-8")
    spanish = {"languages": ["spa"], "training_languages": ["spa"]}
    with pytest.raises(ConfigError, match=r"sets\.tsv: none \(male spa\) is not in .*corpora\.tsv"):
        plan(spanish, tables={"story_sets": str(tmp_path / "sets.tsv")})


def test_the_papers_generator_has_a_prompt_in_every_language(plan):
    found = plan({"story_generator": "gpt-4o-stories", "tagger": "gpt-4-turbo"})
    assert found.asked_languages == ["eng", "spa", "cat"]
    assert found.story_set("male", "spa").texts == "propagation/story_sets/male/spa"
    assert plan().asked_languages == []


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"base_models": ["gpt2"]}, r"propagation\.base_models: gpt2 is not a row of .*; it has llama3.1-8b"),
        (
            {"story_generator": "gpt-9"},
            r"propagation\.story_generator: gpt-9 is not a row of .*language_models\.tsv; it has gpt-4",
        ),
        ({"tagger": "gpt-9"}, r"propagation\.tagger: gpt-9 is not a row of"),
        ({"languages": ["deu"]}, r"propagation\.languages: deu not in .*story_sets\.tsv; it has eng"),
        (
            {"story_generator": "gemma3-270m-stories"},
            r"gemma3-270m-stories is asked in completion mode, and .* has no prompt stories_female in spa",
        ),
    ],
)
def test_a_model_or_language_that_is_not_there_is_named(plan, values, said):
    with pytest.raises(ConfigError, match=said):
        plan(values)


def test_words_of_other_languages_need_a_tagger(plan):
    spanish = {"base_models": ["gemma3-270m"], "training_languages": ["eng", "spa"], "languages": ["eng", "spa"]}
    alone = plan(spanish)
    assert alone.tagged_sets == [] and alone.tagger_gap.startswith("not asked for: propagation.tagger is null")
    assert {variant.lang for variant in alone.counted_variants} == {"eng"}
    tagged = plan(spanish | {"tagger": "gpt-4-turbo"})
    assert [texts for texts, _ in tagged.tagged_sets] == [
        f"corpora/stories_{condition}/spa" for condition in ("male", "balanced", "female")
    ]
    assert {variant.lang for variant in tagged.counted_variants} == {"eng", "spa"}
    assert len(tagged.counted_variants) == len(tagged.variants)


def test_each_table_has_its_variants(plan):
    study = TRAINED | {"checkpoint_steps": [4, 20], "training_seeds": [1, 2]}
    found = plan(study | {"repetitions": 5, "checkpoint_repetitions": 1})
    assert [variant.variant for variant in found.table_variants[:2]] == ["base", "male.seed1.step16"]
    assert {Variant.parse(variant.variant).step for variant in found.checkpoint_variants} == {0, 4, 16}
    assert {Variant.parse(variant.variant).seed for variant in found.seed_variants} == {0, 1, 2}
    # Step 20 comes after the last of the row.
    assert found.saved_steps("gemma3-270m", "eng") == [4, 16]
    repetitions = (
        found.repetitions("gemma3-270m", "eng", name)
        for name in ("male.seed1.step16", "male.seed1.step4", "male.seed2.step16")
    )
    assert list(repetitions) == [5, 1, 1]
    assert found.counted_variants == found.variants
    assert set(found.variants) == {*found.table_variants, *found.checkpoint_variants, *found.seed_variants}
    assert len(found.variants) == len(set(found.variants)) == 10
    assert len(found.trainings) == 6


def test_one_run_trains_each_of_the_papers_models_as_long_as_its_authors_did(plan):
    models, langs = ["llama3.1-8b", "qwen2.5-7b", "llama3.2-3b"], ["eng", "spa", "cat"]
    found = plan({"base_models": models, "training_languages": langs, "training_seeds": [1]})
    papers = {
        (lang, found.base_models[model].published_name): found.steps(model, lang) for model in models for lang in langs
    }
    assert papers == _PAPER_STEPS
    for model in models:
        for lang in langs:
            # The schedule ends with the training.
            assert found.saved_steps(model, lang)[-1] == found.steps(model, lang)
            assert (model, lang, f"female.seed1.step{found.steps(model, lang)}") in found.variants
    # Nobody's number of steps is another model's in the paper's tables.
    of_model = [name for model, lang, name in found.table_variants if (model, lang) == ("llama3.1-8b", "eng")]
    assert of_model[1:] == [f"{condition}.seed1.step9" for condition in ("male", "balanced", "female")]


def test_a_language_without_steps_is_named(plan, repository, tmp_path):
    table = (repository / "resources/registry/base_models.tsv").read_text("utf-8").replace("eng:9 spa:12 ", "")
    (tmp_path / "models.tsv").write_text(table, "utf-8")
    with pytest.raises(ConfigError, match=r"models\.tsv, column steps: llama3.1-8b has no number for eng; add one"):
        plan(TRAINED | {"base_models": ["llama3.1-8b"]}, tables={"base_models": str(tmp_path / "models.tsv")})


def test_a_variant_is_made_of_a_dequantised_model_and_its_training(plan, monkeypatch):
    # Whether a package holds a GGUF file is known where it is installed.
    monkeypatch.setattr(module, "is_gguf", lambda row: row.name == "gemma3-270m")
    found = plan(TRAINED)
    assert found.trainings_of("gemma3-270m", "eng", "base") == []
    assert found.trainings_of("gemma3-270m", "eng", "male.seed2.step4") == [("gemma3-270m", "eng", "male", 2)]
    assert found.is_dequantised(SimpleNamespace(base_model="gemma3-270m"))
    assert not found.is_dequantised(SimpleNamespace(base_model="llama3.2-3b"))


def test_without_languages_and_models_nothing_is_measured(plan):
    found = plan({"languages": []})
    assert (found.story_sets, found.trainings, found.counted_variants) == ([], [], [])


def test_what_cannot_run_here_is_left_out_with_its_reason(plan, monkeypatch):
    monkeypatch.setattr(module, "missing_weights", lambda row: "no GPU")
    monkeypatch.setattr(module, "missing_encoder", lambda model: "no torch")
    kept = plan(TRAINED)
    assert (kept.trained_models, kept.not_run) == (["gemma3-270m"], [])
    skipped = plan(TRAINED, skip_unavailable=True)
    assert skipped.trained_models == []
    assert skipped.not_run == [
        ["gemma3-270m", "eng", "", "published, not here: no GPU"],
        ["", "", "all-MiniLM-L6-v2", "published, not here: no torch"],
    ]
