"""Sets of stories are rows of a table: which corpus a condition is trained on in a language."""

from collections.abc import Iterable
from pathlib import Path

from textparity.errors import ConfigError, TableError
from textparity.studies.propagation.variants import CONDITIONS, FEMALE, MALE
from textparity.tsv import read_tsv

# A language model is asked for these; their sentences in turn, the first one's first as in the published sets, are the
# balanced set.
ASKED_CONDITIONS = (FEMALE, MALE)


def load_story_sets(path: str | Path) -> dict[tuple[str, str], str]:
    """Read the table of story sets: the corpus by condition and language.

    `TableError` naming the line and column of a cell that cannot be used, or a language without one of the conditions.
    """
    corpora: dict[tuple[str, str], str] = {}
    for line, cells in enumerate(read_tsv(path, ["condition", "lang", "corpus"]), start=2):
        where = f"{path}, line {line}"
        if cells["condition"] not in CONDITIONS:
            raise TableError(f"{where}, column condition: {cells['condition']!r} is none of {', '.join(CONDITIONS)}")
        for column in ("lang", "corpus"):
            if not cells[column].strip():
                raise TableError(f"{where}, column {column}: is empty")
        key = cells["condition"], cells["lang"]
        if key in corpora:
            raise TableError(f"{where}: {' '.join(key)} stands twice; keep one row")
        corpora[key] = cells["corpus"]
    for lang in dict.fromkeys(lang for _, lang in corpora):
        if missing := [condition for condition in CONDITIONS if (condition, lang) not in corpora]:
            raise TableError(f"{path}: {lang} has no row for {', '.join(missing)}; conditions are compared, so add it")
    return corpora


def check_story_languages(langs: Iterable[str], corpora: dict[tuple[str, str], str], key: str, table: str) -> None:
    """Raise `ConfigError` for a language (of the setting `key`) without published sets."""
    known = list(dict.fromkeys(lang for _, lang in corpora))
    if unknown := [lang for lang in langs if lang not in known]:
        raise ConfigError(f"propagation.{key}: {', '.join(unknown)} not in {table}; it has {', '.join(known)}")
