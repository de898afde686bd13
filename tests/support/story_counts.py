"""Invented counts of stories: what trained models would have written."""

import pandas as pd

MODEL, LANG = "small", "eng"


def write_counts(folder, variants, model=MODEL, lang=LANG):
    """Write (masculine, feminine) per story, by repetition and variant; return paths.

    As published, each story that has masculine words has one fewer than as corrected.
    """
    paths = []
    for name, repetitions in variants.items():
        rows = [
            {
                "id": f"{repetition}/1/{number}",
                "published_words": 20, "published_masculine": max(masculine - 1, 0), "published_feminine": feminine,
                "corrected_words": 20, "corrected_masculine": masculine, "corrected_feminine": feminine,
            }
            for repetition, stories in enumerate(repetitions, start=1)
            for number, (masculine, feminine) in enumerate(stories, start=1)
        ]  # fmt: skip
        paths.append(folder / model / f"{lang}.{name}.parquet")
        paths[-1].parent.mkdir(exist_ok=True)
        pd.DataFrame(rows).to_parquet(paths[-1])
    return paths
