"""Read the table of classifiers: the kind, model and possible hyperparameters of each.

Rule files import this module while they are parsed, so it loads no tool, but it checks that tools and models are here.
"""

import json
import re
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import TableError, how_to_install
from textparity.tsv import NAME, read_tsv
from textparity_studies.measures.encoders import missing_encoder

MAJORITY, TFIDF, ENCODER, FINE_TUNED = "majority", "tfidf", "encoder", "fine_tuned"
# The hyperparameters that a kind of classifier has, with the type of their values.
HYPERPARAMETERS: dict[str, dict[str, type]] = {
    MAJORITY: {},
    TFIDF: {"c": float, "ngrams": int},
    ENCODER: {"c": float},
    FINE_TUNED: {"learning_rate": float, "epochs": int},
}


@dataclass(frozen=True)
class ClassifierRow:
    """Describe one classifier.

    `kind`: `majority` (the commoner label), `tfidf` (logistic regression on words), `encoder` (logistic regression on
    the vectors of a sentence encoder) or `fine_tuned` (a transformer). `model` is a folder, a package with the model in
    its folder `model`, or a name on the Hugging Face hub whose files are on this machine. `grid` has the candidate
    values of each hyperparameter.
    """

    name: str
    kind: str
    model: str
    grid: dict[str, list[float]]


def load_classifiers(path: str | Path) -> dict[str, ClassifierRow]:
    """Read the table of classifiers by name; `TableError` names the line and column of an invalid cell."""
    rows: dict[str, ClassifierRow] = {}
    for line, cells in enumerate(read_tsv(path, [field.name for field in fields(ClassifierRow)]), start=2):
        where = f"{path}, line {line}"
        name, kind = cells["name"], cells["kind"]
        if not re.fullmatch(NAME, name) or name in rows:
            raise TableError(f"{where}, column name: {name!r} is a duplicate, or has more than letters, digits and ._-")
        if kind not in HYPERPARAMETERS:
            raise TableError(f"{where}, column kind: {kind!r} is none of {', '.join(HYPERPARAMETERS)}")
        if (kind in (ENCODER, FINE_TUNED)) != bool(cells["model"]):
            raise TableError(f"{where}, column model: {ENCODER} and {FINE_TUNED} need a model, the others have none")
        rows[name] = ClassifierRow(name, kind, cells["model"], _parse_grid(cells["grid"], kind, where))
    return rows


def _parse_grid(cell: str, kind: str, where: str) -> dict[str, list[float]]:
    needed, where = HYPERPARAMETERS[kind], f"{where}, column grid"
    try:
        grid = json.loads(cell)
    except json.JSONDecodeError as error:
        raise TableError(f"{where}: not JSON ({error.msg})") from None
    if not isinstance(grid, dict) or set(grid) != set(needed):
        raise TableError(f"{where}: {kind} needs an object with {', '.join(needed) or 'nothing in it'}")
    for name, values in grid.items():
        if not isinstance(values, list) or not values or not all(_fits(value, needed[name]) for value in values):
            kind_of_number = "whole numbers" if needed[name] is int else "numbers"
            raise TableError(f"{where}: {name} must be a list of {kind_of_number} above 0, not {values!r}")
    return grid


def _fits(value: object, kind: type) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return value > 0 and (kind is float or isinstance(value, int))


def missing_classifier(row: ClassifierRow) -> str:
    """Explain why a classifier cannot run here, or return an empty string; the check loads and fetches nothing."""
    if find_spec("sklearn") is None:
        return f"scikit-learn is not installed; install the extra: {how_to_install('classify')}"
    if row.kind in (MAJORITY, TFIDF):
        return ""
    return missing_encoder(row.model)
