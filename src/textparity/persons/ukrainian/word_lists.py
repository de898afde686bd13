"""Read the word lists that determine the gender of Ukrainian titles and names."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.errors import TableError
from textparity.files import read_lines


@dataclass(frozen=True)
class GenderLists:
    """The words as they stand in the lists, in lower case except for names.

    `pairs` maps a masculine word to its feminine ones, in the order of the list. Names map to their frequency (a share
    of all names of that gender).
    """

    pairs: dict[str, tuple[str, ...]]
    common: frozenset[str]
    feminine_names: dict[str, float]
    masculine_names: dict[str, float]

    @cached_property
    def feminine_pairs(self) -> dict[str, tuple[str, ...]]:
        """Map each feminine word to its masculine ones."""
        found: dict[str, tuple[str, ...]] = {}
        for masculine, feminines in self.pairs.items():
            for feminine in feminines:
                found[feminine] = (*found.get(feminine, ()), masculine)
        return found


def load_gender_lists(
    gender_pairs: Path, common_gender_words: Path, feminine_names: Path, masculine_names: Path
) -> GenderLists:
    """Read the four lists: CSV `male,female` (feminine words separated by commas), one word per line, CSV
    `name,frequency`.

    Raises `TableError`, with the file and the fix, if one is wrong.
    """
    return GenderLists(
        pairs=_read_pairs(gender_pairs),
        common=_read_words(common_gender_words),
        feminine_names=_read_names(feminine_names),
        masculine_names=_read_names(masculine_names),
    )


def _read_pairs(path: Path) -> dict[str, tuple[str, ...]]:
    frame = _read_csv(path, ["male", "female"])
    pairs: dict[str, tuple[str, ...]] = {}
    for masculine, feminine in frame.itertuples(index=False):
        words = tuple(word.strip().lower() for word in feminine.split(",") if word.strip())
        if not masculine.strip() or not words:
            raise TableError(f"{path}: a row has {masculine!r} and {feminine!r}; it needs a word of each gender")
        # The upstream list has some words twice, with different feminines.
        known = pairs.get(masculine.strip().lower(), ())
        pairs[masculine.strip().lower()] = tuple(dict.fromkeys([*known, *words]))
    return pairs


def _read_names(path: Path) -> dict[str, float]:
    frame = _read_csv(path, ["name", "freq_in_corpus"])
    frequencies = pd.to_numeric(frame["freq_in_corpus"], errors="coerce")
    if frequencies.isna().any() or (frequencies < 0).any():
        row = frame[frequencies.isna() | (frequencies < 0)].iloc[0]
        raise TableError(f"{path}: the frequency of {row['name']} is {row['freq_in_corpus']!r}, not a number from 0")
    names = frame["name"].str.strip()
    if names.duplicated().any():
        raise TableError(f"{path}: the name {names[names.duplicated()].iloc[0]} is a duplicate; keep one row")
    return dict(zip(names, frequencies.astype(float), strict=True))


def _read_csv(path: Path, columns: list[str]) -> pd.DataFrame:
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise TableError(
            f"{path}: no table of {','.join(columns)} ({str(error).strip()}); quote cells that have commas"
        ) from None
    # If the first row has one cell too many, pandas reads the first column as an index.
    if not isinstance(frame.index, pd.RangeIndex):
        raise TableError(f"{path}: a row has more cells than {','.join(columns)}; quote cells that have commas")
    if list(frame.columns) != columns:
        raise TableError(f"{path}: the header is {','.join(frame.columns)}; it must be {','.join(columns)}")
    if frame.empty:
        raise TableError(f"{path}: has no rows")
    return frame


def _read_words(path: Path) -> frozenset[str]:
    try:
        lines = read_lines(path)
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from None
    words = frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))
    if not words:
        raise TableError(f"{path}: has no words; give it one a line")
    return words


def _not_utf8(path: Path, error: UnicodeDecodeError) -> TableError:
    return TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it")
