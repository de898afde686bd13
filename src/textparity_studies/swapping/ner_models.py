"""Train a recognizer of entities with spaCy, so that a killed training resumes and ends with the same model.

`spacy train` saves models, but neither the optimizer nor the position in the data. We save at every evaluation what the
next update depends on: parameters, the optimizer's moments, and the number of updates, which determines the order of
the sentences. Random numbers are seeded anew after each evaluation, from the seed and that number.
"""

import itertools
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import spacy
import srsly
from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus, Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import create_evaluation_callback, subdivide_batch
from spacy.util import fix_random_seed, load_config, registry, resolve_dot_names
from thinc.api import Config, NumpyOps, Optimizer, get_current_ops, prefer_gpu, set_current_ops

from textparity.corpora.reading import read_rows, write_batches
from textparity.errors import InputError, MissingResourceError
from textparity.estimating.seeds import random_generator
from textparity.files import atomic_folder, atomic_path, write_rows
from textparity.tables import write_csv
from textparity_studies.swapping.settings import ALL, JOB, MEASURES, RUN, TEST_SETS, WEIGHTED

log = logging.getLogger(__name__)

LOG_COLUMNS = ("step", "epoch", "loss", "dev_precision", "dev_recall", "dev_f1")
# A step of a model of this size takes seconds on one core; RoBERTa-large, with 355 million, would take weeks.
MOST_ON_CPU = 50_000_000
_MOMENTS = ("mom1", "mom2", "averages")


@dataclass
class _State:
    """Hold the inputs of the next update and the results so far; `made_for` identifies the training."""

    made_for: str
    step: int = 0
    rows: list[list[float]] = field(default_factory=list)
    best_f1: float = -1.0
    best_step: int = 0
    parameters: dict[str, bytes] = field(default_factory=dict)
    best_parameters: dict[str, bytes] = field(default_factory=dict)
    optimizer: dict[str, dict[str, Any]] = field(default_factory=dict)


def train_ner(
    config: Path, train: Path, dev: Path, model: Path, training_log: Path, state: Path, max_steps: int | None, seed: int
) -> None:
    """Train by a spaCy `config`, and write the model that was best on `dev` and the course of the training.

    `state` is a file beside the outputs during the training; a state made for other data or settings is ignored.
    Without `max_steps`, training ends after those of the `config` at the latest. Raises `InputError` if there is no
    sentence in `train` or `dev`, and `MissingResourceError` for a transformer without its package, or a large one
    without a GPU.
    """
    for path in (train, dev):
        if not len(DocBin().from_disk(path)):
            raise InputError(f"{path}: has no sentence; give the corpus more documents")
    steps = {} if max_steps is None else {"training.max_steps": max_steps}
    paths = {"paths.train": str(train), "paths.dev": str(dev)}
    settings = load_config(config, overrides=paths | steps | {"system.seed": seed})
    has_transformer = "transformer" in settings["nlp"]["pipeline"]
    if has_transformer and not find_spec("spacy_transformers"):
        raise MissingResourceError(
            "the package spacy-transformers is not installed; it wants an older version of transformers than other "
            "studies, so it has an environment of its own: make ner, or snakemake --sdm conda"
        )
    with _device(has_transformer) as on_gpu:
        current, nlp = _train(settings, _fingerprint(settings.to_str(), train, dev), state, on_gpu)
        _write_model(nlp, current, model)
    write_rows(training_log, LOG_COLUMNS, ([f"{value:.6g}" for value in row] for row in current.rows))
    state.unlink(missing_ok=True)


@contextmanager
def _device(wants_gpu: bool) -> Iterator[bool]:
    """Run models created in this context on a GPU, or by NumPy: four to seven times as fast as spaCy's own BLIS."""
    before = get_current_ops()
    try:
        on_gpu = wants_gpu and prefer_gpu()
        if not on_gpu:
            set_current_ops(NumpyOps(use_blis=False))
        yield on_gpu
    finally:
        set_current_ops(before)


def _train(settings: Config, made_for: str, state: Path, on_gpu: bool) -> tuple[_State, Language]:
    seed, max_steps = settings["system"]["seed"], settings["training"]["max_steps"]
    nlp = init_nlp(settings, use_gpu=0 if on_gpu else -1)
    if not on_gpu and (size := _transformer_size(nlp)) > MOST_ON_CPU:
        raise MissingResourceError(
            f"a transformer of {size / 1e6:.0f} million parameters needs a GPU, and this job has none: give it one "
            "(docs/cluster.md), or set architecture: tok2vec in swapping.recognition"
        )
    filled = nlp.config.interpolate()
    plan = registry.resolve(filled["training"], schema=ConfigSchemaTraining)
    train_corpus, dev_corpus = resolve_dot_names(filled, [plan["train_corpus"], plan["dev_corpus"]])
    examples = list(train_corpus(nlp))
    evaluate = create_evaluation_callback(nlp, dev_corpus, plan["score_weights"])
    optimizer = plan["optimizer"]
    current = _load_state(state, made_for)
    if current.step:
        log.info("going on after step %d, kept in %s", current.step, state)
        _restore(nlp, optimizer, current)
    fix_random_seed(_seed_after(seed, current.step))
    losses: dict[str, float] = {}
    begun, first = time.monotonic(), current.step
    for step, (epoch, batch) in enumerate(_batches(examples, plan["batcher"], seed, current.step), start=first + 1):
        for part in subdivide_batch(batch, plan["accumulate_gradient"]):
            # Passing None would make spaCy create an optimizer of its own.
            nlp.update(part, drop=plan["dropout"], losses=losses, sgd=False)
        for _, component in nlp.pipeline:
            component.finish_update(optimizer)
        optimizer.step_schedules()
        if step % plan["eval_frequency"] and step != max_steps:
            continue
        with nlp.use_params(optimizer.averages or {}):
            _, scores = evaluate()
            _note(current, nlp, step, epoch, losses, scores)
        log.info(
            "step %d of at most %d, epoch %d: loss %.0f, F1 on dev %.2f (best %.2f, step %d); %.1f minutes",
            *(step, max_steps, epoch, sum(losses.values()), 100 * scores["ents_f"]),
            *(100 * current.best_f1, current.best_step, (time.monotonic() - begun) / 60),
        )
        losses = {}
        if step >= max_steps or step - current.best_step >= plan["patience"] > 0:
            break
        _save_state(state, current, nlp, optimizer)
        fix_random_seed(_seed_after(seed, step))
    return current, nlp


def _transformer_size(nlp: Language) -> int:
    """Count the parameters of a pipeline's PyTorch models; 0 if it has none."""
    nodes = (node for _, component in nlp.pipeline for node in component.model.walk())
    modules = {id(shim._model): shim._model for node in nodes for shim in node.shims}
    return sum(parameter.numel() for module in modules.values() for parameter in module.parameters())


def _fingerprint(settings: str, train: Path, dev: Path) -> str:
    digest = blake2b(f"{spacy.__version__}\0{settings}".encode(), digest_size=16)
    for path in (train, dev):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _seed_after(seed: int, step: int) -> int:
    return int(random_generator(seed, "updates", str(step)).integers(2**32))


def _batches(examples: list[Example], batcher: Any, seed: int, done: int) -> Iterator[tuple[int, list[Example]]]:
    """Iterate endlessly over batches and epochs after the first `done` batches; each epoch has its own order."""

    def all_batches() -> Iterator[tuple[int, list[Example]]]:
        for epoch in itertools.count():
            order = random_generator(seed, "epoch", str(epoch)).permutation(len(examples))
            for batch in batcher([examples[place] for place in order]):
                yield epoch, list(batch)

    return itertools.islice(all_batches(), done, None)


def _note(
    current: _State, nlp: Language, step: int, epoch: int, losses: dict[str, float], scores: dict[str, float]
) -> None:
    current.step = step
    found = [scores[name] or 0.0 for name in ("ents_p", "ents_r", "ents_f")]
    current.rows.append([step, epoch, sum(losses.values()), *found])
    if found[-1] > current.best_f1:
        current.best_f1, current.best_step = found[-1], step
        current.best_parameters = _parameters(nlp)


def _parameters(nlp: Language) -> dict[str, bytes]:
    return {name: component.model.to_bytes() for name, component in nlp.pipeline}


def _set_parameters(nlp: Language, parameters: dict[str, bytes]) -> None:
    for name, component in nlp.pipeline:
        component.model.from_bytes(parameters[name])


def _stable_keys(nlp: Language) -> dict[int, str]:
    """Map the ids of the model's parts, which differ between processes, to stable names."""
    keys: dict[int, str] = {}
    for name, component in nlp.pipeline:
        for place, node in enumerate(component.model.walk()):
            keys.setdefault(node.id, f"{name} {place}")
            for number, shim in enumerate(node.shims):
                keys.setdefault(shim.id, f"{name} {place} {number}")
    return keys


def _save_state(path: Path, current: _State, nlp: Language, optimizer: Optimizer) -> None:
    names = _stable_keys(nlp)
    moments = {kind: getattr(optimizer, kind) or {} for kind in _MOMENTS} | {"nr_update": optimizer.nr_update}
    ops = nlp.pipeline[0][1].model.ops
    # A state has at most five times the size of the model: its parameters, the best ones, two moments and averages.
    # Without averages, the best parameters are the present ones if the last evaluation was the best.
    is_best = current.best_step == current.step and not optimizer.averages
    current.parameters = {} if is_best else _parameters(nlp)
    current.optimizer = {
        kind: {
            f"{names[part]} {parameter}": value if kind == "nr_update" else ops.to_numpy(value)
            for (part, parameter), value in values.items()
        }
        for kind, values in moments.items()
    }
    with atomic_path(path) as part:
        part.write_bytes(srsly.msgpack_dumps(asdict(current)))


def _load_state(path: Path, made_for: str) -> _State:
    if not path.is_file():
        return _State(made_for)
    try:
        found = _State(**srsly.msgpack_loads(path.read_bytes()))
    except (ValueError, TypeError) as error:
        log.warning("%s cannot be read (%s): the training begins anew", path, error)
        return _State(made_for)
    if found.made_for != made_for:
        log.warning("%s is of another training (its data or settings have changed): the training begins anew", path)
        return _State(made_for)
    return found


def _restore(nlp: Language, optimizer: Optimizer, current: _State) -> None:
    _set_parameters(nlp, current.parameters or current.best_parameters)
    ops = nlp.pipeline[0][1].model.ops
    parts = {name: part for part, name in _stable_keys(nlp).items()}
    for kind, values in current.optimizer.items():
        for key, value in values.items():
            name, _, parameter = key.rpartition(" ")
            if kind == "nr_update":
                optimizer.nr_update[parts[name], parameter] = value
            else:
                getattr(optimizer, kind)[parts[name], parameter] = ops.asarray(value).copy()
    for _ in range(current.step):
        optimizer.step_schedules()


def _write_model(nlp: Language, current: _State, model: Path) -> None:
    _set_parameters(nlp, current.best_parameters)
    # The paths of the data are not part of the model.
    nlp.config["paths"] = dict.fromkeys(nlp.config["paths"])
    nlp.meta["performance"] = {"ents_f": current.best_f1}
    with atomic_folder(model) as part:
        nlp.to_disk(part)


JOB_SCHEMA = pa.schema(
    [
        ("procedure", pa.string()),
        ("data", pa.string()),
        ("seed", pa.int64()),
        *((name, pa.string()) for name in ("test_set", "document", "entity", "text")),
        ("found", pa.bool_()),
    ]
)


class EntitySpan(NamedTuple):
    """Hold the place of an entity: its sentence in the test set, its first character, the end, and its label."""

    sentence: int
    start: int
    end: int
    label: str


def evaluate_ner(
    model: Path, tests: list[Path], spans: Path, scores: Path, jobs: Path, procedure: str, data: str, seed: int
) -> None:
    """Write precision, recall and F1 by test set and type, and whether each job title was found.

    `tests` are the files of `TEST_SETS`, in order; `spans` lists the corpus' entities in them. `procedure`, `data` and
    `seed` identify the training.
    """
    nlp = spacy.load(model)
    identities = read_rows(spans, where=pc.field("label") == JOB).to_pandas().groupby("test_set")
    score_rows, job_rows = [], []
    for test_set, path in zip(TEST_SETS, tests, strict=True):
        examples = list(Corpus(path)(nlp))
        gold = entity_places(example.reference for example in examples)
        predicted = entity_places(nlp.pipe(example.predicted for example in examples))
        score_rows += [[test_set, *row] for row in score_types(gold, predicted)]
        found = predicted
        if procedure == "published":
            # As in the authors' notebook, spaCy's tokenizer splits the sentence again.
            found = entity_places(nlp.pipe(example.reference.text for example in examples))
        for row in identities.get_group(test_set).itertuples() if test_set in identities.groups else ():
            title = examples[row.sentence].reference[row.start : row.end]
            place = EntitySpan(row.sentence, title.start_char, title.end_char, JOB)
            job_rows.append([test_set, row.document, row.entity, title.text, place in found])
        log.info("%s: %d of %d entities found", test_set, len(gold & predicted), len(gold))
    columns = ["test_set", "label", *MEASURES, "support", "predicted", "true_positives"]
    run = (procedure, data, seed)
    table = pd.DataFrame(score_rows, columns=columns)
    write_csv(table.assign(**dict(zip(RUN, run, strict=True)))[[*RUN, *columns]], scores)
    write_batches(jobs, JOB_SCHEMA, [[dict(zip(JOB_SCHEMA.names, [*run, *row], strict=True)) for row in job_rows]])


def entity_places(docs: Iterable[Doc]) -> set[EntitySpan]:
    """Collect the places of the entities of sentences."""
    return {
        EntitySpan(sentence, entity.start_char, entity.end_char, entity.label_)
        for sentence, doc in enumerate(docs)
        for entity in doc.ents
    }


def score_types(gold: set[EntitySpan], predicted: set[EntitySpan]) -> list[list[Any]]:
    """Compute label, precision, recall, F1 and the numbers of gold, predicted and correctly predicted entities.

    There is a row for each type of gold or predicted entities, one for all together, and one for the mean weighted by
    gold entities. As in spaCy, precision is 0 if nothing is predicted, and recall is 0 if there is nothing to find.
    """
    counts = [Counter(place.label for place in places) for places in (gold, predicted, gold & predicted)]
    labels = sorted(set().union(*counts))
    rows = [_scored(label, *(count[label] for count in counts)) for label in labels]
    total = _scored(ALL, *(count.total() for count in counts))
    support = total[4] or 1
    weighted = [sum(row[place] * row[4] for row in rows) / support for place in (1, 2, 3)]
    return [*rows, total, [WEIGHTED, *weighted, *total[4:]]]


def _scored(label: str, support: int, predicted: int, true_positives: int) -> list[Any]:
    precision = true_positives / predicted if predicted else 0.0
    recall = true_positives / support if support else 0.0
    # The harmonic mean of precision and recall.
    f1 = 2 * true_positives / (support + predicted) if support + predicted else 0.0
    return [label, precision, recall, f1, support, predicted, true_positives]
