"""Print how two readers of the news in resources/instruments/news agree on people, on sources and on quotes.

python tools/compare_readings.py

A person is the same if the gender is, and a mention overlaps, one to one; a source is a person who is quoted. A quote
is the same if the characters that both readings have are at least 0.3 of all. F1 is in percent.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from textparity.counting import GENDERS
from textparity.estimating.estimates import percentage
from textparity.files import read_tsv

FOLDER = Path(__file__).parents[1] / "resources" / "instruments" / "news"
READERS = ("A", "B")
LEAST_OVERLAP = 0.3
Spans = dict[str, set[int]]
"""The characters of each person, or quote, by number."""


def main() -> None:
    """Print a line for each language and kind."""
    mentions = _by_article(read_tsv(FOLDER / "mentions.tsv"))
    quotes = _by_article(read_tsv(FOLDER / "quotes.tsv"))
    tables = (mentions, quotes)
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for lang, article in dict.fromkeys([*mentions, *quotes]):
        # Not every article mentions a person, or quotes somebody.
        people, said = ([rows.get((lang, article), {}).get(reader, []) for reader in READERS] for rows in tables)
        for gender in GENDERS:
            of_gender = [[row for row in rows if row["gender"] == gender and row["group"] == "no"] for rows in people]
            _add(counts[lang, f"people, {gender}"], [_spans(rows, "person") for rows in of_gender], 0)
            sources = []
            for rows, of_reader in zip(of_gender, said, strict=True):
                speakers = {row["speaker"] for row in of_reader}
                sources.append(_spans([row for row in rows if row["person"] in speakers], "person"))
            _add(counts[lang, f"sources, {gender}"], sources, 0)
        _add(counts[lang, "quotes"], [_spans(rows, "quote") for rows in said], LEAST_OVERLAP)
    for (lang, kind), count in sorted(counts.items()):
        f1 = percentage(2 * count["same"], count["A"] + count["B"])
        print(f"{lang}  {kind:20} {count['A']:4} {count['B']:4}  F1 {f1:.1f}")


def _by_article(rows: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], dict[str, list[Mapping[str, str]]]]:
    """Map each article to the rows of each reader."""
    by_article: dict[tuple[str, str], dict[str, list[Mapping[str, str]]]] = {}
    for row in rows:
        by_article.setdefault((row["lang"], row["article"]), defaultdict(list))[row["reader"]].append(row)
    return by_article


def _spans(rows: Sequence[Mapping[str, str]], key: str) -> Spans:
    spans: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        spans[row[key]].update(range(int(row["start"]), int(row["end"])))
    return dict(spans)


def _add(count: Counter[str], spans: Sequence[Spans], least: float) -> None:
    """Add what both readers marked, and what is the same: the pairs with most in common first."""
    first, second = spans
    count.update({"A": len(first), "B": len(second)})
    pairs = []
    for name, own in first.items():
        for other, others in second.items():
            if own & others:
                pairs.append((len(own & others) / len(own | others), name, other))
    taken: set[tuple[str, str]] = set()
    for overlap, name, other in sorted(pairs, reverse=True):
        if overlap >= least and taken.isdisjoint({("A", name), ("B", other)}):
            taken.update({("A", name), ("B", other)})
            count["same"] += 1


if __name__ == "__main__":
    main()
