"""Parse articles with spaCy, in batches and several processes, into files of annotations."""

import io
import logging
from collections.abc import Generator, Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.corpora.rows import count_rows, read_batches, write_batches
from textparity.errors import MissingResourceError
from textparity.persons.actors.annotations import columns_of, scheme_of
from textparity.progress import progress_bar
from textparity_studies.newsroom.annotations import ANNOTATION_SCHEMA
from textparity_studies.newsroom.nlp_models import missing_pipeline

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

log = logging.getLogger(__name__)

# The batches do not depend on the number of processes, so neither do the results.
BATCH_ARTICLES = 128
PIPE_ARTICLES = 32
# The attributes that the rules read, under the names that spaCy uses for what components assign.
_NEEDED = {
    "doc.ents": "names of persons",
    "token.dep": "sentences and grammatical roles",
    "token.pos": "nouns, verbs and pronouns",
    "token.morph": "number, mood and case",
    "token.lemma": "speech verbs",
}
_NEEDED_IN_GERMAN = {"token.tag": "infinitives with zu"}


def load_pipeline(model: str) -> "Language":
    """Load the spaCy pipeline of a package or folder; `MissingResourceError` if it is missing or incomplete."""
    if reason := missing_pipeline(model):
        raise MissingResourceError(reason)
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    # NumPy's own BLAS multiplied three times faster than the one that thinc uses by default.
    set_current_ops(NumpyOps(use_blis=False))
    nlp = spacy.load(model)
    given = {name for pipe in nlp.pipe_names for name in nlp.get_pipe_meta(pipe).assigns}
    if "attribute_ruler" in nlp.pipe_names and "token.tag" in given:
        # This component derives them from the tags, but does not declare them.
        given |= {"token.pos", "token.morph"}
    needed = _NEEDED | (_NEEDED_IN_GERMAN if nlp.lang == "de" else {})
    if missing := [f"{name} ({purpose})" for name, purpose in needed.items() if name not in given]:
        raise MissingResourceError(
            f"the spaCy pipeline {model} assigns no {', '.join(missing)}; name another as newsroom.spacy_model, or "
            "switch its components on"
        )
    return nlp


def pipeline_name(nlp: "Language") -> str:
    """Format a pipeline's language, name and version, as in `de_core_news_lg 3.8.0`."""
    return f"{nlp.meta['lang']}_{nlp.meta['name']} {nlp.meta['version']}"


def load_coreferee(nlp: "Language") -> "Any | None":
    """Load Coreferee for this pipeline, or None if Coreferee or a matching model is not installed."""
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
        # Coreferee also prints the errors that it raises.
        with redirect_stdout(io.StringIO()):
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
        # Coreferee exits the process if its model for the language is not installed.
        log.info("Coreferee's model for %s is not installed", nlp.meta["lang"])
    return None


class Parser:
    """Hold a spaCy pipeline and, if it has a model, Coreferee."""

    def __init__(self, model: str, coreference: str) -> None:
        self.nlp = load_pipeline(model)
        self.coreferee = load_coreferee(self.nlp) if coreference != "rules" else None
        if self.coreferee is None and coreference == "coreferee":
            raise MissingResourceError(
                f"newsroom.coreference is coreferee, which has no model for {pipeline_name(self.nlp)}; install "
                f"coreferee and its model (python -m coreferee install {self.nlp.lang}), or set it to auto or rules"
            )

    @property
    def description(self) -> dict[str, str]:
        """The tools that made the annotations, as stored in their files."""
        labels = set(self.nlp.get_pipe("parser").labels)
        return {
            "model": pipeline_name(self.nlp),
            "scheme": scheme_of(labels).name,
            "coreference": "coreferee" if self.coreferee else "rules",
        }

    def parse(self, articles: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Annotate articles (`id`, `group`, `number`, `text`), in order."""
        longest = max((len(article["text"]) for article in articles), default=0)
        self.nlp.max_length = max(self.nlp.max_length, longest + 1)
        # The memory zone frees the batch's words; otherwise the pipeline's memory would grow with the corpus.
        with self.nlp.memory_zone():
            docs = self.nlp.pipe((article["text"] for article in articles), batch_size=PIPE_ARTICLES)
            return [self._annotate(article, doc) for article, doc in zip(articles, docs, strict=True)]

    def _annotate(self, article: dict[str, Any], doc: "Doc") -> dict[str, Any]:
        row = {
            **{name: article[name] for name in ("id", "group", "number")},
            **columns_of(doc),
            "antecedents": [],
        }
        if self.coreferee:
            row["antecedents"] = self._resolve(doc, self.coreferee)
        return row

    def _resolve(self, doc: "Doc", coreferee: Any) -> list[int]:
        from spacy.pipeline.functions import merge_entities

        # The order follows the paper: names become single tokens, then coreference is resolved.
        is_inside = [token.ent_iob_ == "I" for token in doc]
        first_tokens = [place for place, inside in enumerate(is_inside) if not inside]
        merged = coreferee(merge_entities(doc))
        antecedents = [-1] * len(is_inside)
        if merged._.coref_chains is None:
            # Coreferee logs an internal error and continues.
            return antecedents
        for token, place in zip(merged, first_tokens, strict=True):
            found = merged._.coref_chains.resolve(token)
            if found and len(found) == 1:
                antecedents[place] = first_tokens[found[0].i]
        return antecedents


def parse_articles(articles: Path, annotations: Path, model: str, coreference: str, threads: int = 1) -> None:
    """Parse the texts of `articles` with a spaCy pipeline and write an annotation for each, in the same order.

    `coreference` is `auto` (Coreferee if it has a model, else our rules, which later steps apply), `coreferee` or
    `rules`. The annotations do not depend on `threads`, the number of processes. Raises `MissingResourceError` if the
    pipeline is missing, or if `coreferee` is requested and its model is missing.
    """
    total = count_rows(articles)

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        described: dict[str, str] | None = None
        with progress_bar(total, "parsing", unit="articles") as bar:
            for made_with, rows in _parse_all(_batches_of(articles), model, coreference, threads):
                described = made_with
                bar.update(len(rows))
                yield rows
        return described or _load_parser(model, coreference).description

    write_batches(annotations, ANNOTATION_SCHEMA, batches())


def _batches_of(articles: Path) -> Iterator[list[dict[str, Any]]]:
    for batch in read_batches(articles, BATCH_ARTICLES, ["id", "group", "number", "text"]):
        yield [dict(zip(batch, values, strict=True)) for values in zip(*batch.values(), strict=True)]


def _parse_all(
    batches: Iterator[list[dict[str, Any]]], model: str, coreference: str, processes: int
) -> Iterator[tuple[dict[str, str], list[dict[str, Any]]]]:
    # Processes of multiprocessing would run the whole script of the job again.
    from joblib import Parallel, delayed, parallel_config

    with parallel_config("loky", inner_max_num_threads=1):
        # Only a few batches are in memory at a time, however large the corpus is.
        run = Parallel(processes, batch_size=1, pre_dispatch="2 * n_jobs", return_as="generator")
        yield from run(delayed(_parse_batch)(batch, model, coreference) for batch in batches)


def _parse_batch(
    batch: list[dict[str, Any]], model: str, coreference: str
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    parser = _load_parser(model, coreference)
    return parser.description, parser.parse(batch)


@cache
def _load_parser(model: str, coreference: str) -> Parser:
    """Load the parser of this process."""
    return Parser(model, coreference)
