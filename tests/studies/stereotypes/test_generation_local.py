"""The shipped prompt for base models, and a real small one: a sentence for each of two words, about women and men."""

import csv
import dataclasses
import json

import pytest

from textparity.corpora.reading import read_metadata
from textparity_studies.llm.answering import Asking
from textparity_studies.llm.models import load_models
from textparity_studies.stereotypes.generation import SentenceSet, ask_generator, check_sentences
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

pytest.importorskip("xllamacpp")
pytestmark = pytest.mark.local_llm


def test_a_small_base_model_writes_sentences_that_pass(repository, tmp_path):
    registry = StudyRegistry(Tables().model_dump(), repository)
    model = load_models(registry.paths["language_models"])["gemma3-270m-sentences"]
    nouns = {"feminine": [{"singular": "woman"}], "masculine": [{"singular": "man"}], "unspecified": []}
    (tmp_path / "nouns.json").write_text(json.dumps(nouns), "utf-8")
    (tmp_path / "lexicon.tsv").write_text(
        "stem\tcoding\texample\nloyal*\tfeminine\tloyal\ngreedy\tmasculine\t\n", "utf-8"
    )
    prompt = repository / registry.prompt_files("gendered_sentences", "eng", model)["prompt"].path
    files = {"lexicon": tmp_path / "lexicon.tsv", "person_nouns": tmp_path / "nouns.json", "prompt": prompt}
    files |= {"answers": tmp_path / "answers.parquet"}
    asking = Asking(dataclasses.asdict(model), str(tmp_path / "answers.sqlite"))
    ask_generator(**files, system=None, recorded=[], asking=asking, wanted=SentenceSet("stems", 1, 3))
    outputs = {name: tmp_path / f"{name}.csv" for name in ("sentences", "all_sentences", "rejected")}
    check_sentences(**files, **outputs, name="own.gemma.set1", form="stems")
    sentences, every, rejected = (list(csv.DictReader(path.open(encoding="utf-8"))) for path in outputs.values())
    assert 4 <= read_metadata(tmp_path / "answers.parquet")["answers"] <= 12
    # A model that continues the examples passes for nearly every word within three attempts.
    assert len({(one["kind"], one["word"]) for one in sentences}) >= 2
    for one in sentences:
        assert one["word"].removesuffix("*") in one["text"].lower()
        assert len(one["text"].split()) > 15
    assert len(every) == len(sentences) + sum(bool(one["text"]) for one in rejected)
