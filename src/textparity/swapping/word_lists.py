"""The Ukrainian word lists: gendered pairs, words of common gender, first names with their frequencies."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.errors import TableError


@dataclass(frozen=True)
class GenderLists:
    """Words as they stand in the lists, lower case but for names.

    `pairs` maps a masculine word to its feminine ones, in the order of the list; names map to their frequency (a share
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
    """Read the four lists: CSV `male,female` (feminine words with commas between), a word a line, CSV `name,frequency`.

    Raises `TableError` naming the file and the mend where one is not what it should be.
    """
    return GenderLists(
        pairs=_read_pairs(gender_pairs),
        common=frozenset(line.strip().lower() for line in _lines(common_gender_words) if line.strip()),
        feminine_names=_read_names(feminine_names),
        masculine_names=_read_names(masculine_names),
    )


def _read_pairs(path: Path) -> dict[str, tuple[str, ...]]:
    frame = _read_csv(path, ["male", "female"])
    pairs: dict[str, tuple[str, ...]] = {}
    for masculine, feminine in frame.itertuples(index=False):
        words = tuple(word.strip().lower() for word in feminine.split(",") if word.strip())
        # The upstream list has words twice, with other feminines.
        known = pairs.get(masculine.strip().lower(), ())
        pairs[masculine.strip().lower()] = tuple(dict.fromkeys([*known, *words]))
    return pairs


def _read_names(path: Path) -> dict[str, float]:
    frame = _read_csv(path, ["name", "freq_in_corpus"])
    frequencies = pd.to_numeric(frame["freq_in_corpus"], errors="coerce")
    if frequencies.isna().any() or (frequencies < 0).any():
        row = frame[frequencies.isna() | (frequencies < 0)].iloc[0]
        raise TableError(f"{path}: the frequency of {row['name']} is {row['freq_in_corpus']!r}, not a number from 0")
    return dict(zip(frame["name"].str.strip(), frequencies.astype(float), strict=True))


def _read_csv(path: Path, columns: list[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(frame.columns) != columns:
        raise TableError(f"{path}: the header is {','.join(frame.columns)}; it must be {','.join(columns)}")
    return frame


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8-sig").splitlines()
