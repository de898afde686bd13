"""Parsing articles with spaCy, in batches and several processes, into files of annotations."""

import logging
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import MissingResourceError
from textparity.newsroom.annotations import ANNOTATION_SCHEMA, TIGER, UNIVERSAL
from textparity.progress import progress_bar
from textparity.rows import count_rows, read_batches, write_batches

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

log = logging.getLogger(__name__)

# Batches are the same however many processes there are, so that results are, too.
BATCH_ARTICLES = 32
_NEEDED_PIPES = {
    "ner": "names of persons",
    "parser": "sentences and grammatical roles",
}
_TOOL: "Parser | None" = None


class Parser:
    """A spaCy pipeline and, where there is a model for it, Coreferee."""

    def __init__(self, model: str, coreference: str) -> None:
        self.nlp = load_pipeline(model)
        self.coreferee = load_coreferee(self.nlp) if coreference != "rules" else None
        if self.coreferee is None and coreference == "coreferee":
            raise MissingResourceError(
                f"newsroom.coreference is coreferee, which has no model for {pipeline_name(self.nlp)}; install "
                "coreferee and its German model (python -m coreferee install de), or set it to auto or rules"
            )

    @property
    def description(self) -> dict[str, str]:
        """What the annotations were made with; stored in their files."""
        labels = set(self.nlp.get_pipe("parser").labels)
        return {
            "model": pipeline_name(self.nlp),
            "scheme": (TIGER if "sb" in labels else UNIVERSAL).name,
            "coreference": "coreferee" if self.coreferee else "rules",
        }

    def parse(self, articles: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the annotations of articles (`id`, `group`, `number`, `text`), in their order."""
        longest = max((len(article["text"]) for article in articles), default=0)
        self.nlp.max_length = max(self.nlp.max_length, longest + 1)
        # Frees the words of the batch from the pipeline's memory, which would grow with the corpus.
        with self.nlp.memory_zone():
            docs = self.nlp.pipe((article["text"] for article in articles), batch_size=len(articles) or 1)
            return [self._annotate(article, doc) for article, doc in zip(articles, docs, strict=True)]

    def _annotate(self, article: dict[str, Any], doc: "Doc") -> dict[str, Any]:
        row = {
            **{name: article[name] for name in ("id", "group", "number")},
            "tokens": [token.text for token in doc],
            "spaces": [bool(token.whitespace_) for token in doc],
            "lemmas": [token.lemma_ for token in doc],
            "parts_of_speech": [token.pos_ for token in doc],
            "tags": [token.tag_ for token in doc],
            "morphology": [str(token.morph) for token in doc],
            "dependencies": [token.dep_ for token in doc],
            "heads": [token.head.i for token in doc],
            "sentence_starts": [bool(token.is_sent_start) for token in doc],
            "entities": [token.ent_type_ for token in doc],
            "entity_starts": [token.ent_iob_ == "B" for token in doc],
            "antecedents": [],
        }
        if self.coreferee:
            row["antecedents"] = self._resolve(doc)
        return row

    def _resolve(self, doc: "Doc") -> list[int]:
        # In the paper's order: names become single tokens, then coreference is resolved.
        is_inside = [token.ent_iob_ == "I" for token in doc]
        first_tokens = [place for place, inside in enumerate(is_inside) if not inside]
        merge_entities = _merge_entities()
        merged = self.coreferee(merge_entities(doc))
        antecedents = [-1] * len(is_inside)
        for token, place in zip(merged, first_tokens, strict=True):
            found = merged._.coref_chains.resolve(token)
            if found and len(found) == 1:
                antecedents[place] = first_tokens[found[0].i]
        return antecedents


def _merge_entities():
    from spacy.pipeline.functions import merge_entities

    return merge_entities


def missing_pipeline(model: str) -> str:
    """Return why a spaCy pipeline cannot be loaded here, or an empty string; nothing is loaded to find out."""
    if find_spec("spacy") is None:
        return "spaCy is not installed; install the extra: pip install 'textparity[newsroom]'"
    if not (Path(model) / "meta.json").is_file() and (os.sep in model or find_spec(model) is None):
        return (
            f"there is no spaCy pipeline {model}, neither as an installed package (python -m spacy download {model}) "
            "nor as a folder with a meta.json; set newsroom.spacy_model"
        )
    return ""


def load_pipeline(model: str) -> "Language":
    """Return the spaCy pipeline of a package or folder; `MissingResourceError` if it is not here or lacks a part."""
    if reason := missing_pipeline(model):
        raise MissingResourceError(reason)
    import spacy

    nlp = spacy.load(model)
    for pipe, purpose in _NEEDED_PIPES.items():
        if pipe not in nlp.pipe_names:
            raise MissingResourceError(f"the spaCy pipeline {model} has no {pipe}, which is needed for {purpose}")
    return nlp


def pipeline_name(nlp: "Language") -> str:
    """Return a pipeline's language, name and version, as in `de_core_news_lg 3.8.0`."""
    return f"{nlp.meta['lang']}_{nlp.meta['name']} {nlp.meta['version']}"


def load_coreferee(nlp: "Language") -> "Any | None":
    """Return Coreferee for this pipeline, or None where it or a model that fits is not installed."""
    if find_spec("coreferee") is None:
        return None
    import coreferee  # noqa: F401  (registers the pipe)
    from coreferee.errors import (
        LanguageNotSupportedError,
        ModelNotSupportedError,
        OutdatedCorefereeModelError,
        VectorsModelHasWrongVersionError,
        VectorsModelNotInstalledError,
    )

    try:
        return nlp.create_pipe("coreferee")
    except (
        ImportError,
        LanguageNotSupportedError,
        ModelNotSupportedError,
        OutdatedCorefereeModelError,
        VectorsModelHasWrongVersionError,
        VectorsModelNotInstalledError,
    ) as error:
        log.info("no Coreferee model for %s: %s", pipeline_name(nlp), error)
    except SystemExit:
        # Coreferee ends the process where its model for the language is not installed.
        log.info("Coreferee's model for %s is not installed", nlp.meta["lang"])
    return None


def parse_articles(articles: Path, annotations: Path, model: str, coreference: str, processes: int = 1) -> None:
    """Parse the texts of `articles` with a spaCy pipeline and write an annotation for each, in the same order.

    `coreference` is `auto` (Coreferee where it has a model, else our rules, which later steps apply), `coreferee` or
    `rules`. The annotations do not depend on `processes`. Raises `MissingResourceError` without the pipeline.
    """
    total = count_rows(articles)

    def batches() -> Iterator[list[dict[str, Any]]]:
        described: dict[str, str] | None = None
        with progress_bar(total, "parsing", unit="articles") as bar:
            for made_with, rows in _parse_all(_batches_of(articles), model, coreference, processes):
                described = made_with
                bar.update(len(rows))
                yield rows
        return described or Parser(model, coreference).description

    write_batches(annotations, ANNOTATION_SCHEMA, batches())


def _batches_of(articles: Path) -> Iterator[list[dict[str, Any]]]:
    for batch in read_batches(articles, BATCH_ARTICLES, ["id", "group", "number", "text"]):
        yield [dict(zip(batch, values, strict=True)) for values in zip(*batch.values(), strict=True)]


def _parse_all(
    batches: Iterator[list[dict[str, Any]]], model: str, coreference: str, processes: int
) -> Iterator[tuple[dict[str, str], list[dict[str, Any]]]]:
    if processes == 1:
        parser = Parser(model, coreference)
        for batch in batches:
            yield parser.description, parser.parse(batch)
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), _start_worker, (model, coreference)) as pool:
        waiting: deque[Future] = deque()
        for batch in batches:
            waiting.append(pool.submit(_parse_batch, batch))
            # So many batches are in memory, however large the corpus is.
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _start_worker(model: str, coreference: str) -> None:
    global _TOOL
    _TOOL = Parser(model, coreference)


def _parse_batch(batch: list[dict[str, Any]]) -> tuple[dict[str, str], list[dict[str, Any]]]:
    return _TOOL.description, _TOOL.parse(batch)
