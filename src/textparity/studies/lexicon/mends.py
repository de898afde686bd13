"""What the single mends of the corrected procedure change, from the forms that both procedures matched."""

from collections import Counter
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.measures.lexicon import CLASSES
from textparity.measures.statistics import percentage
from textparity.report.tables import write_csv

GENDERS = CLASSES[:2]


def tabulate_mends(counts: list[Path], table_csv: Path, units: list[list[str]], corpus_names: dict[str, str]) -> None:
    """Write, per corpus and language (`units`, in the order of `counts`), what each mend changes.

    Rates are in percent of words: `published`, `without_signs` (published, without matches of forms that have no
    letter, as "-"), and `corrected`. `sign_matches` are those matches, `multi_word_matches_*` those of forms with white
    space inside.
    """
    rows = [
        {"corpus": corpus_names[corpus], "lang": lang} | measure_mends(path)
        for path, (corpus, lang) in zip(counts, units, strict=True)
    ]
    write_csv(pd.DataFrame(rows), table_csv)


def measure_mends(counts: Path) -> dict[str, float]:
    """Return the numbers of one counts file, as `tabulate_mends` says."""
    words, matches = {}, {}
    for procedure in ("published", "corrected"):
        table = read_rows(counts, columns=[f"{procedure}_words", f"{procedure}_matches"])
        words[procedure] = int(table[f"{procedure}_words"].to_numpy().sum())
        found = (match for of_text in table[f"{procedure}_matches"].to_pylist() for match in of_text)
        matches[procedure] = Counter((match["form"], match["classes"]) for match in found)
    signs = Counter({key: number for key, number in matches["published"].items() if not any(map(str.isalpha, key[0]))})
    row: dict[str, float] = {f"words_{procedure}": words[procedure] for procedure in words}
    row["sign_matches"] = signs.total()
    row |= {
        f"multi_word_matches_{procedure}": sum(number for (form, _), number in found.items() if len(form.split()) > 1)
        for procedure, found in matches.items()
    }
    steps = {
        "published": (matches["published"], words["published"]),
        "without_signs": (matches["published"] - signs, words["published"]),
        "corrected": (matches["corrected"], words["corrected"]),
    }
    for gender in GENDERS:
        for step, (counted, of) in steps.items():
            number = sum(number for (_, classes), number in counted.items() if gender in classes.split())
            row[f"{gender}_percent_{step}"] = percentage(number, of)
    return row
