"""Annotate articles with spaCy or from CoNLL-U files: articles are parsed once, and every later step reads the rows."""

import io
import logging
from collections.abc import Generator, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import conllu
import pyarrow as pa
from conllu.models import TokenList

from textparity.corpora.reading import count_rows, read_batches, read_metadata, write_batches
from textparity.errors import InputError, MissingResourceError
from textparity.files import write_text
from textparity.persons.annotations import SCHEMES, Annotation, columns_of, scheme_of
from textparity.progress import progress_bar
from textparity_studies.newsroom.settings import missing_pipeline

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


log = logging.getLogger(__name__)

_STRINGS, _NUMBERS, _FLAGS = pa.list_(pa.string()), pa.list_(pa.int32()), pa.list_(pa.bool_())
ANNOTATION_SCHEMA = pa.schema([
    ("id", pa.string()), ("group", pa.string()), ("number", pa.int64()),
    ("tokens", _STRINGS), ("spaces", _FLAGS), ("lemmas", _STRINGS), ("parts_of_speech", _STRINGS), ("tags", _STRINGS),
    ("morphology", _STRINGS), ("dependencies", _STRINGS), ("heads", _NUMBERS), ("sentence_starts", _FLAGS),
    ("entities", _STRINGS), ("entity_starts", _FLAGS), ("antecedents", _NUMBERS),
])  # fmt: skip
BATCH_ARTICLES = 64
_FIELDS = conllu.parser.DEFAULT_FIELDS
# The batches do not depend on the number of processes, so neither do the results.
PARSED_AT_ONCE = 128
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


@dataclass(kw_only=True)
class AnnotatedArticle(Annotation):
    """The annotation of an article, with the keys of its row in the corpus.

    `antecedents` has the token that a pronoun refers to, or -1, for each token. It is empty without a coreference
    library.
    """

    id: str
    group: str
    number: int
    antecedents: list[int]


def read_annotations(path: Path) -> Iterator[list[AnnotatedArticle]]:
    """Iterate over the articles of a file of annotations in batches, in file order; memory holds one batch."""
    described = read_metadata(path)
    if described.get("scheme") not in SCHEMES:
        raise InputError(f"{path}: its metadata name no dependency scheme; delete it and run again, which parses anew")
    scheme = SCHEMES[described["scheme"]]
    names = ANNOTATION_SCHEMA.names
    for batch in read_batches(path, BATCH_ARTICLES, names):
        columns = [batch[name] for name in names]
        articles = []
        for values in zip(*columns, strict=True):
            row = dict(zip(names, values, strict=True))
            articles.append(AnnotatedArticle(**row, scheme=scheme))
        yield articles


def import_annotations(conllu_file: Path, articles: Path, annotations: Path) -> None:
    """Write the annotations of `articles` from a CoNLL-U file with names in MISC (`Name=B-PER`), in the same order.

    Each article has one `# newdoc id = …`, its id with or without the corpus; `SpaceAfter=No` has its usual meaning.
    The lines `# model = …` and `# scheme = …` (`ud`, `tiger` or `clear`) at the top record what made the annotations.
    Without a scheme, labels including `sb` are TIGER's, and labels including `dobj` are ClearNLP's. Coreference is not
    kept, because we resolve it by rules.

    Raises `InputError` for an article that is not in the file, or whose tokens do not make up its text: with
    annotations of another version of a text, every quote would be misplaced.
    """
    found: dict[str, list[TokenList]] = {}
    described = {"model": f"annotations of {conllu_file.name}", "coreference": "rules"}
    for sentence in _read(conllu_file):
        described |= {name: sentence.metadata[name] for name in ("model", "scheme") if name in sentence.metadata}
        if "newdoc id" in sentence.metadata:
            current = found.setdefault(sentence.metadata["newdoc id"], [])
        elif not found:
            raise InputError(f"{conllu_file}: the first sentence has no `# newdoc id = …`; add the article's id")
        current.append(sentence)
    labels = {token["deprel"] for sentences in found.values() for sentence in sentences for token in sentence}
    described.setdefault("scheme", scheme_of(labels).name)
    if described["scheme"] not in SCHEMES:
        raise InputError(f"{conllu_file}: the scheme {described['scheme']} is not one of {', '.join(SCHEMES)}")

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for batch in read_batches(articles, BATCH_ARTICLES, ["id", "group", "number", "text"]):
            rows = []
            for id_, group, number, text in zip(*batch.values(), strict=True):
                name = next((name for name in (_name_of(id_), id_) if name in found), None)
                if name is None:
                    raise InputError(f"{conllu_file}: has no article {id_}; annotate it too")
                row = _to_row(found[name], conllu_file, name)
                made = "".join(
                    token + " " * space for token, space in zip(row["tokens"], row["spaces"], strict=True)
                ).rstrip()
                if made != text.rstrip():
                    raise InputError(
                        f"{conllu_file}, article {name}: its tokens make up another text ({_difference(made, text)}); "
                        "annotate the text as it is, with SpaceAfter=No where no space follows"
                    )
                rows.append({"id": id_, "group": group, "number": number, **row})
            yield rows
        return described

    write_batches(annotations, ANNOTATION_SCHEMA, batches())


def _name_of(id_: str) -> str:
    """Remove the corpus from an article's id."""
    return id_.partition("/")[2] or id_


def _difference(made: str, text: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(made, text, strict=False)) if a != b), min(len(made), len(text)))
    return f"at character {place + 1}: {made[place : place + 20]!r} instead of {text[place : place + 20]!r}"


def _read(path: Path) -> Iterator[TokenList]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from conllu.parse_incr(file)
    except (conllu.exceptions.ParseException, ValueError) as error:
        raise InputError(f"{path}: not CoNLL-U ({error}); its lines have ten cells between tabs, in UTF-8") from error


def _to_row(sentences: list[TokenList], path: Path, id_: str) -> dict[str, list[Any]]:
    row: dict[str, list[Any]] = {name: [] for name in ANNOTATION_SCHEMA.names[3:]}
    for sentence in sentences:
        first = len(row["tokens"])
        heads = [token["head"] or 0 for token in sentence]
        for number, token in enumerate(sentence, start=1):
            if token["id"] != number:
                raise InputError(
                    f"{path}, article {id_}: token {token['id']} is a multi-word or empty token, or out of order; give "
                    "one line to each word as it stands in the text"
                )
            if not _reaches_root(heads, number):
                raise InputError(
                    f"{path}, article {id_}: the head {heads[number - 1]} of token {number} ({token['form']}) does not "
                    "lead to its sentence's root, whose head is 0"
                )
            misc = token["misc"] or {}
            name = misc.get("Name", "O")
            row["tokens"].append(token["form"])
            row["spaces"].append(misc.get("SpaceAfter") != "No")
            row["lemmas"].append(token["lemma"] or "")
            row["parts_of_speech"].append(token["upos"] or "")
            row["tags"].append(token["xpos"] or "")
            row["morphology"].append("|".join(f"{key}={value}" for key, value in (token["feats"] or {}).items()))
            row["dependencies"].append(token["deprel"] or "")
            row["heads"].append(first + (heads[number - 1] or number) - 1)
            row["sentence_starts"].append(len(row["tokens"]) == first + 1)
            row["entities"].append("" if name == "O" else name[2:])
            row["entity_starts"].append(name.startswith("B-"))
    return row


def _reaches_root(heads: list[int], number: int) -> bool:
    for _ in heads:
        number = heads[number - 1]
        if not 0 < number <= len(heads):
            return number == 0
    return False


def export_annotations(annotations: Path, conllu_file: Path) -> None:
    """Write annotations as CoNLL-U, for other tools or to keep them as text.

    Raises `InputError` for a text with a run of white space, which is a token in spaCy but not in CoNLL-U.
    """
    described = read_metadata(annotations)
    lines: list[str] = []
    for batch in read_annotations(annotations):
        for article in batch:
            if any(map(str.isspace, article.tokens)):
                raise InputError(
                    f"{annotations}, article {article.id}: has a run of white space, which CoNLL-U cannot hold"
                )
            for start, end in article.sentences:
                head = {"newdoc id": _name_of(article.id)} if start == 0 else {}
                if not lines:
                    head |= {name: described[name] for name in ("model", "scheme")}
                tokens = [dict(zip(_FIELDS, _cells(article, place, start), strict=True)) for place in range(start, end)]
                lines.append(TokenList(tokens, metadata=head).serialize())
    write_text(conllu_file, "".join(lines))


def _cells(article: AnnotatedArticle, place: int, start: int) -> list[Any]:
    misc = {} if article.spaces[place] else {"SpaceAfter": "No"}
    if label := article.entities[place]:
        misc["Name"] = f"{'B' if article.entity_starts[place] else 'I'}-{label}"
    head = 0 if article.heads[place] == place else article.heads[place] - start + 1
    return [
        place - start + 1,
        article.tokens[place],
        article.lemmas[place] or "_",
        article.parts_of_speech[place] or "_",
        article.tags[place] or "_",
        article.features[place] or None,
        head,
        article.dependencies[place] or "_",
        None,
        misc or None,
    ]


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
    from coreferee.errors import CorefereeError

    try:
        # Coreferee also prints the errors that it raises.
        with redirect_stdout(io.StringIO()):
            return nlp.create_pipe("coreferee")
    except (ImportError, CorefereeError) as error:
        log.info("no Coreferee model for %s: %s", pipeline_name(nlp), error)
    except SystemExit:
        # Coreferee exits the process if its model for the language is not installed.
        log.info("Coreferee's model for %s is not installed", nlp.meta["lang"])
    return None


class AnnotationParser:
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
        keys = {name: article[name] for name in ("id", "group", "number")}
        # Resolving merges the tokens of names, so the columns are read first.
        columns = columns_of(doc)
        return {**keys, **columns, "antecedents": self._resolve(doc, self.coreferee) if self.coreferee else []}

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
    # Processes of multiprocessing would run the whole script of the job again.
    from joblib import Parallel, delayed, parallel_config

    tools = model, coreference
    columns = ["id", "group", "number", "text"]
    jobs = (
        delayed(_parse_batch)([dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)], *tools)
        for batch in read_batches(articles, PARSED_AT_ONCE, columns)
    )

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        described: dict[str, str] | None = None
        with (
            progress_bar(count_rows(articles), "parsing", unit="articles") as bar,
            parallel_config("loky", inner_max_num_threads=1),
        ):
            # Only a few batches are in memory at a time, however large the corpus is.
            run = Parallel(threads, batch_size=1, pre_dispatch="2 * n_jobs", return_as="generator")
            for made_with, rows in run(jobs):
                described = made_with
                bar.update(len(rows))
                yield rows
        return described or _load_parser(*tools).description

    write_batches(annotations, ANNOTATION_SCHEMA, batches())


def _parse_batch(
    batch: list[dict[str, Any]], model: str, coreference: str
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    parser = _load_parser(model, coreference)
    return parser.description, parser.parse(batch)


@cache
def _load_parser(model: str, coreference: str) -> AnnotationParser:
    """Load the parser of this process."""
    return AnnotationParser(model, coreference)


@dataclass
class ActorRow:
    """One actor of an article. `sentences` are the numbers of the sentences that mention the actor."""

    actor: str
    kind: str
    gender: str
    gender_source: str
    mentions: int = 0
    named_mentions: int = 0
    pronoun_mentions: int = 0
    subject_roles: int = 0
    object_roles: int = 0
    direct_quotes: int = 0
    indirect_quotes: int = 0
    sentences: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class RuleFinding:
    """Something that a rule found, to be compared with the annotation.

    `kind` is named, generic, pronoun, role, direct quote or indirect quote. `place` is the last token of the mention,
    or the number of the quote's sentence. `actor` is the number of the actor in the article's list. `value` is the
    role.
    """

    kind: str
    place: int
    actor: int
    value: str = ""
