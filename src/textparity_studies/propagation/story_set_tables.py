"""Describe sets of stories: their length, their words of each gender, and overlaps (Derner 2025, §5, App. E)."""

import math
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap
from textparity.counting.tokenizers.icu import split_words
from textparity.tables import write_csv, write_latex
from textparity_studies.measures.gender_ratios import RATIO, summarise_polarity, summarise_tags
from textparity_studies.measures.polarity import GENDERS
from textparity_studies.propagation.variants import ASKED_CONDITIONS, BALANCED, CONDITIONS, FEMALE, MALE

ENGLISH = "eng"
POLARITY = "gender polarity"
# The gender that a set should not mention.
_OTHER_GENDER = {MALE: "feminine", FEMALE: "masculine"}
_COLUMNS = ["condition", "lang", "procedure", "method", "sentences", "words", *GENDERS]
_RATIO = "masculine_per_feminine"


def tabulate(
    texts: list[Path],
    polarity: list[Path],
    tags: list[Path],
    table_csv: Path,
    table_latex: Path,
    overlap_csv: Path,
    units: list[list[str]],
    counted: list[str],
    tagged: list[list[str]],
    icu_locales: dict[str, str],
    language_names: dict[str, str],
    reasons: dict[str, str],
    bootstrap: Bootstrap,
) -> None:
    """Write both tables of sets of stories.

    `units` are condition and language of `texts`, and `tagged` those of `tags`; `counted` are the conditions of
    `polarity`, which is English.
    """
    by_words = [
        row
        for condition, path in zip(counted, polarity, strict=True)
        for row in summarise_polarity(path, condition, bootstrap)
    ]
    by_tags = [
        row
        for (condition, lang), path in zip(tagged, tags, strict=True)
        for row in summarise_tags(path, condition, lang, bootstrap)
    ]
    tabulate_story_sets(texts, by_words, by_tags, table_csv, table_latex, units, icu_locales, language_names, reasons)
    compare_story_sets(texts, polarity, overlap_csv, units, counted)


def tabulate_story_sets(
    texts: list[Path],
    polarity: list[dict[str, Any]],
    tags: list[dict[str, Any]],
    table_csv: Path,
    table_latex: Path,
    units: list[list[str]],
    icu_locales: dict[str, str],
    language_names: dict[str, str],
    reasons: dict[str, str],
) -> None:
    """Write the length of each set, and its words of each gender with their ratio, a row per set and procedure.

    English is counted by gender polarity (G_M : G_F, the rows `polarity`), other languages by a model's tags (L_{P,M} :
    L_{P,F}, the rows `tags`); `reasons` explains why a language is not counted.
    """
    counted = {}
    for row in polarity:
        counted[row["corpus"], ENGLISH, row["procedure"]] = {"method": POLARITY} | _ratio(row, "", _RATIO)
    for row in tags:
        found = {"reason": row["reason"]} if row["reason"] else _ratio(row, "person_", RATIO)
        counted[row["corpus"], row["lang"], row["procedure"]] = {"method": row["tagger"]} | found
    rows = []
    for (condition, lang), path in zip(units, texts, strict=True):
        of_set = read_rows(path, ["text"])["text"].to_pylist()
        words = sum(map(len, split_words(of_set, icu_locales[lang])))
        for procedure in PROCEDURES:
            found = counted.get((condition, lang, procedure), {"reason": reasons.get(lang, "")})
            rows.append(
                {"condition": condition, "lang": lang, "procedure": procedure, "sentences": len(of_set), "words": words}
                | found
            )
    columns = [*_COLUMNS, _RATIO, f"{_RATIO}_low", f"{_RATIO}_high", "reason"]
    frame = pd.DataFrame([{"method": "", "reason": ""} | row for row in rows]).reindex(columns=columns)
    # These columns are numeric even if no set has a value.
    numbers = [*GENDERS, *columns[-4:-1]]
    frame[numbers] = frame[numbers].astype("float64")
    write_csv(frame, table_csv)
    _write_latex(frame[frame["reason"] == ""], table_latex, language_names)


def _ratio(row: dict[str, Any], prefix: str, ratio: str) -> dict[str, Any]:
    ends = {f"{_RATIO}_{end}": row[f"{ratio}_{end}"] for end in ("low", "high")}
    return {gender: row[f"{prefix}{gender}"] for gender in GENDERS} | {_RATIO: row[ratio]} | ends


def _write_latex(frame: pd.DataFrame, path: Path, language_names: dict[str, str]) -> None:
    ends = frame.reindex(columns=[f"{_RATIO}_low", f"{_RATIO}_high"]).map(_show_ratio)
    shown = frame[["lang", "condition", "procedure", "sentences", "words", *GENDERS]].assign(
        lang=frame["lang"].map(language_names),
        ratio=frame[_RATIO].map(_show_ratio),
        low=ends.iloc[:, 0],
        high=ends.iloc[:, 1],
    )
    heads = ["Language", "Stories", "Procedure", "Sentences", "Words", "Masculine", "Feminine", "Ratio", "Low", "High"]
    counts = dict.fromkeys(["Sentences", "Words", "Masculine", "Feminine"], "{:,.0f}")
    write_latex(
        shown.set_axis(heads, axis="columns"),
        path,
        caption=(
            "Sets of stories for continual pretraining: masculine and feminine words (English: gender polarity; other "
            "languages: words for persons tagged by a model), and their ratio with a bootstrap interval over sentences."
        ),
        formats=counts,
    )


def _show_ratio(ratio: float) -> str:
    """Format masculine : feminine with the smaller one as 1."""
    if math.isnan(ratio) or ratio == 0:
        return "--" if math.isnan(ratio) else "0 : 1"
    larger = max(ratio, 1 / ratio)
    shown = f"{larger:,.0f}" if larger >= 100 else f"{larger:.3g}"
    return f"{shown} : 1" if ratio >= 1 else f"1 : {shown}"


def compare_story_sets(
    texts: list[Path], polarity: list[Path], overlap_csv: Path, units: list[list[str]], counted: list[str]
) -> None:
    """Write the overlaps between the sets of a language, a row per set.

    `shared_with_*` counts sentences that are also in that other set, letter by letter. `in_turn` counts those at the
    places that alternating the female and the male set would give them. `other_gender_sentences` have a word of the
    gender that the set should not mention (for the balanced set: words of both), by the corrected procedure. `polarity`
    has the counts of the conditions `counted`, only in English.
    """
    sets = {
        (condition, lang): read_rows(path, ["text"])["text"].to_pylist()
        for (condition, lang), path in zip(units, texts, strict=True)
    }
    others = {condition: _other_gender(condition, path) for condition, path in zip(counted, polarity, strict=True)}
    rows = []
    for (condition, lang), sentences in sets.items():
        row = {"condition": condition, "lang": lang, "sentences": len(sentences), "distinct": len(set(sentences))}
        for other in CONDITIONS:
            known = set() if other == condition else set(sets.get((other, lang), []))
            row[f"shared_with_{other}"] = sum(text in known for text in sentences) if known else None
        if condition == BALANCED:
            halves = (sets.get((other, lang), []) for other in ASKED_CONDITIONS)
            turns = (text for pair in zip(*halves, strict=False) for text in pair)
            row["in_turn"] = sum(text == expected for text, expected in zip(sentences, turns, strict=False))
        row["other_gender_sentences"] = others.get(condition) if lang == ENGLISH else None
        rows.append(row)
    frame = pd.DataFrame(rows)
    whole = [name for name in frame.columns if name not in ("condition", "lang")]
    write_csv(frame.astype(dict.fromkeys(whole, "Int64")), overlap_csv)


def _other_gender(condition: str, polarity: Path) -> int:
    masculine, feminine = (read_rows(polarity, [f"corrected_{gender}"]).column(0).to_numpy() > 0 for gender in GENDERS)
    if condition == BALANCED:
        return int((masculine & feminine).sum())
    return int({"masculine": masculine, "feminine": feminine}[_OTHER_GENDER[condition]].sum())
