"""Training a recognizer: the same seed gives the same model, and so does a training that was killed."""

import os
import subprocess
import sys

import pandas as pd
import pytest

pytest.importorskip("spacy")

import spacy
from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.tokens import DocBin, Span
from spacy.util import load_config, load_model_from_config, registry
from thinc.api import get_current_ops

from textparity.errors import InputError, MissingResourceError
from textparity_studies.swapping.ner_models import train_ner

pytestmark = pytest.mark.train

JOBS = ["лікар", "лікарка", "директор", "директорка", "вчитель", "кухарка"]
SENTENCES = [f"{start} {job} {end}" for job in JOBS for start, end in (("Старий", "пішов."), ("Потім", "мовчить,"))]
RUN = """
import sys
from pathlib import Path
from textparity_studies.swapping.ner_models import train_ner
folder, out = map(Path, sys.argv[1:])
files = (folder / "small.cfg", folder / "train.spacy", folder / "dev.spacy")
train_ner(*files, out / "model", out / "log.csv", out / "state", max_steps=7, seed=3)
"""


class Killed(BaseException):
    """As if the process ended."""


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    """A small architecture, evaluated every 2 updates, and its data."""
    folder = tmp_path_factory.mktemp("ner")
    nlp = spacy.blank("uk")
    for name, sentences in (("train", SENTENCES), ("dev", SENTENCES[:4])):
        corpus = DocBin(attrs=["ENT_IOB", "ENT_TYPE"])
        for sentence in sentences:
            doc = nlp(sentence)
            doc.ents = [Span(doc, 1, 2, "JOB")]
            corpus.add(doc)
        corpus.to_disk(folder / f"{name}.spacy")
    small = {
        "components.tok2vec.model.width": 16,
        "components.tok2vec.model.depth": 1,
        "components.tok2vec.model.embed_size": 100,
        "components.ner.model.hidden_width": 16,
        "training.batcher.size": 12,
        "training.eval_frequency": 2,
    }
    load_config(repository / "resources" / "swapping" / "ner" / "tok2vec.cfg", overrides=small).to_disk(
        folder / "small.cfg"
    )
    return folder


def train(folder, out, max_steps=7, seed=3, config="small.cfg"):
    files = (folder / config, folder / "train.spacy", folder / "dev.spacy")
    train_ner(*files, out / "model", out / "log.csv", out / "state", max_steps=max_steps, seed=seed)
    return content(out)


def content(out):
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def undisturbed(folder, tmp_path_factory):
    return train(folder, tmp_path_factory.mktemp("undisturbed"))


def test_two_runs_with_one_seed_agree_to_the_byte_whatever_the_hash_seed(folder, undisturbed, tmp_path):
    command = [sys.executable, "-c", RUN, str(folder), str(tmp_path)]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": "12345"})
    found = content(tmp_path)
    assert sorted(found) == sorted(undisturbed)
    assert [name for name in found if found[name] != undisturbed[name]] == []


def test_another_seed_gives_another_model(folder, undisturbed, tmp_path):
    assert train(folder, tmp_path, seed=4)["model/ner/model"] != undisturbed["model/ner/model"]


# Before anything is kept, right after a state was kept, and between two of them.
@pytest.mark.parametrize("updates", [1, 2, 5])
def test_a_killed_training_ends_as_if_it_had_not_been_killed(
    folder, undisturbed, tmp_path, monkeypatch, updates, caplog
):
    done = 0
    update = Language.update

    def killed_update(*arguments, **settings):
        nonlocal done
        done += 1
        if done > updates:
            raise Killed
        return update(*arguments, **settings)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Language, "update", killed_update)
        train(folder, tmp_path)
    assert (tmp_path / "state").is_file() == (updates >= 2)
    assert not (tmp_path / "model").exists()
    with caplog.at_level("INFO"):
        assert train(folder, tmp_path) == undisturbed
    assert ("going on after step" in caplog.text) == (updates >= 2)


@pytest.mark.parametrize("damage", ["truncated", "of other data"])
def test_a_state_that_does_not_fit_is_said_and_ignored(folder, undisturbed, tmp_path, monkeypatch, damage, caplog):
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.unlink", lambda *_, **__: None)
        train(folder, tmp_path, max_steps=3 if damage == "of other data" else 7)
    state = tmp_path / "state"
    if damage == "truncated":
        state.write_bytes(state.read_bytes()[:100])
    assert train(folder, tmp_path) == undisturbed
    assert "begins anew" in caplog.text


def test_the_best_state_on_dev_is_the_model_not_the_last(folder, tmp_path, monkeypatch):
    def train_scored(name, *scores):
        found = iter(scores)

        def callback(*_):
            return lambda: (0, dict.fromkeys(("ents_p", "ents_r", "ents_f"), next(found)))

        monkeypatch.setattr("textparity_studies.swapping.ner_models.create_evaluation_callback", callback)
        return train(folder, tmp_path / name, max_steps=7 if len(scores) == 4 else 4)

    best = train_scored("second is best", 0.5, 0.9, 0.7, 0.6)
    course = pd.read_csv(tmp_path / "second is best" / "log.csv")
    assert list(zip(course["step"], course["dev_f1"], strict=True)) == [(2, 0.5), (4, 0.9), (6, 0.7), (7, 0.6)]
    shorter, last = train_scored("shorter", 0.5, 0.9), train_scored("last is best", 0.5, 0.6, 0.7, 0.9)
    assert best["model/ner/model"] == shorter["model/ner/model"] != last["model/ner/model"]


def test_training_ends_when_dev_does_not_improve_for_long(folder, tmp_path):
    impatient = load_config(
        folder / "small.cfg", overrides={"training.patience": 4, "training.optimizer.learn_rate": 0.0}
    )
    impatient.to_disk(folder / "impatient.cfg")
    train(folder, tmp_path, max_steps=100, config="impatient.cfg")
    assert pd.read_csv(tmp_path / "log.csv")["step"].max() == 6


def test_a_model_learns_its_titles_and_says_how_far_it_is(folder, tmp_path, caplog):
    with caplog.at_level("INFO"):
        train(folder, tmp_path, max_steps=60)
    nlp = spacy.load(tmp_path / "model")
    assert [entity.text for entity in nlp("Старий лікар пішов.").ents] == ["лікар"]
    assert nlp.config["paths"]["train"] is None
    assert "step 60 of at most 60" in caplog.text


def test_what_calculates_is_as_before(folder, tmp_path):
    before = get_current_ops()
    train(folder, tmp_path, max_steps=1)
    assert get_current_ops() is before


def test_a_state_has_at_most_five_times_the_size_of_the_model(folder, tmp_path, monkeypatch):
    sizes = []
    replace = os.replace

    def kept(part, path):
        if str(path).endswith("state"):
            sizes.append(os.path.getsize(part))
        replace(part, path)

    monkeypatch.setattr(os, "replace", kept)
    train(folder, tmp_path, max_steps=12)
    weights = sum(path.stat().st_size for path in (tmp_path / "model").rglob("model"))
    assert len(sizes) == 5
    # Names and the course of the training are small, even beside so small a model.
    assert max(sizes) < 5.2 * weights


@pytest.fixture
def transformer(folder, repository):
    """The paper's architecture with a tiny random RoBERTa, whose tokenizer knows the letters of the sentences."""
    pytest.importorskip("spacy_transformers")
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizerFast

    bpe = ByteLevelBPETokenizer()
    bpe.train_from_iterator(SENTENCES, vocab_size=300, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    bpe.save_model(str(folder))
    hub = folder / "roberta"
    tokenizer = RobertaTokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"))
    tokenizer.save_pretrained(hub)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    RobertaModel(RobertaConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(hub)
    changes = {"components.transformer.model.name": str(hub), "training.eval_frequency": 2}
    changes |= {"training.batcher.size": 60, "training.optimizer.learn_rate": 0.01, "training.accumulate_gradient": 1}
    config = load_config(repository / "resources" / "swapping" / "ner" / "transformer.cfg", overrides=changes)
    config.to_disk(folder / "transformer.cfg")
    return "transformer.cfg"


def test_a_transformer_learns_and_goes_on_after_a_kill(folder, transformer, tmp_path, monkeypatch):
    train(folder, tmp_path / "whole", max_steps=8, config=transformer)
    losses = pd.read_csv(tmp_path / "whole" / "log.csv")["loss"]
    assert losses.iloc[-1] < losses.iloc[0]
    done, update = 0, Language.update

    def killed_update(*arguments, **settings):
        nonlocal done
        done += 1
        if done > 5:
            raise Killed
        return update(*arguments, **settings)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Language, "update", killed_update)
        train(folder, tmp_path / "killed", max_steps=8, config=transformer)
    train(folder, tmp_path / "killed", max_steps=8, config=transformer)
    assert (tmp_path / "killed" / "log.csv").read_text() == (tmp_path / "whole" / "log.csv").read_text()


def test_a_large_transformer_without_a_gpu_is_an_error_of_the_job(folder, transformer, tmp_path, monkeypatch):
    monkeypatch.setattr("textparity_studies.swapping.ner_models.MOST_ON_CPU", 1000)
    monkeypatch.setattr("textparity_studies.swapping.ner_models.prefer_gpu", lambda: False)
    with pytest.raises(MissingResourceError, match=r"a transformer of 0 million parameters needs a GPU, .*tok2vec"):
        train(folder, tmp_path, config=transformer)


def test_a_transformer_without_its_package_names_the_environment(folder, repository, tmp_path, monkeypatch):
    monkeypatch.setattr("textparity_studies.swapping.ner_models.find_spec", lambda name: None)
    files = (folder / "train.spacy", folder / "dev.spacy", tmp_path / "model", tmp_path / "log.csv", tmp_path / "state")
    with pytest.raises(MissingResourceError, match=r"spacy-transformers is not installed; .*: make ner, or snakemake"):
        train_ner(repository / "resources/swapping/ner/transformer.cfg", *files, max_steps=None, seed=1)


@pytest.mark.parametrize(("architecture", "steps"), [("tok2vec", 2000), ("transformer", 20_000)])
def test_an_architecture_is_what_spacy_takes(repository, architecture, steps):
    if architecture == "transformer":
        pytest.importorskip("spacy_transformers")
    overrides = {"paths.train": "train.spacy", "paths.dev": "dev.spacy"}
    config = load_config(repository / "resources" / "swapping" / "ner" / f"{architecture}.cfg", overrides=overrides)
    nlp = load_model_from_config(config, auto_fill=True, validate=True)
    plan = registry.resolve(nlp.config.interpolate()["training"], schema=ConfigSchemaTraining)
    assert nlp.pipe_names == [architecture, "ner"]
    assert plan["max_steps"] == steps
    assert plan["score_weights"]["ents_f"] == 1


@pytest.mark.parametrize("empty", ["train", "dev"])
def test_without_sentences_there_is_an_error(folder, tmp_path, empty):
    DocBin().to_disk(tmp_path / "none.spacy")
    files = [tmp_path / "none.spacy" if name == empty else folder / f"{name}.spacy" for name in ("train", "dev")]
    outputs = (tmp_path / "model", tmp_path / "log.csv", tmp_path / "state")
    with pytest.raises(InputError, match=r"none\.spacy: has no sentence"):
        train_ner(folder / "small.cfg", *files, *outputs, max_steps=5, seed=1)
