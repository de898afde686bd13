"""Methods on one yardstick: what they find of the person words that annotators marked, and which ratio they report.

No paper asks this: the lexicon of Muller 2023 and the annotations of Derner 2025 on the same sentences.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.counting import count_texts
from textparity.lexicon import Lexicon, Match, read_lexicon
from textparity.representation_study.tags import PERSON, TaggedSentence, read_gold
from textparity.statistics import bootstrap_ratios, percentage, random_generator
from textparity.tables import show_interval, write_csv, write_latex
from textparity.tokenizers.icu import IcuTokenizer

GENDERS = {"M": "masculine", "F": "feminine"}


def measure_lexicon_on_gold(
    gold: Path,
    lexicon: Path,
    words_csv: Path,
    ratios_csv: Path,
    name: str,
    icu_locale: str,
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Count the lexicon (corrected procedure, `icu` engine) in the sentences of `gold`.

    `words_csv`: per gender of the annotators, how many person words the lexicon finds in the same sentence, and in
    which class. `ratios_csv`: masculine : feminine by the annotators and by the lexicon, with bootstrap intervals.
    """
    sentences = read_gold(gold)
    tokenizer = IcuTokenizer(icu_locale)
    forms = Lexicon(read_lexicon(lexicon))
    counted = count_texts([one.sentence for one in sentences], tokenizer, forms, first_sentence=False)
    found = [corrected.matches for _, corrected in counted]
    write_csv(pd.DataFrame([{"gold": name} | row for row in _words_found(sentences, found)]), words_csv)
    per_method = {"annotators": _gold_counts(sentences), "lexicon": _lexicon_counts(found)}
    rows = []
    for method, (masculine, feminine) in per_method.items():
        (interval,) = bootstrap_ratios(
            masculine[None], feminine[None], resamples, confidence_level, random_generator(seed, "gold", name, method)
        )
        rows.append(
            {"gold": name, "method": method, "sentences": len(sentences)}
            | {"masculine": int(masculine.sum()), "feminine": int(feminine.sum())}
            | {"masculine_per_feminine": masculine.sum() / feminine.sum() if feminine.sum() else float("nan")}
            | {"masculine_per_feminine_low": interval.low, "masculine_per_feminine_high": interval.high}
        )
    write_csv(pd.DataFrame(rows), ratios_csv)


def _words_found(sentences: list[TaggedSentence], found: list[list[Match]]) -> list[dict]:
    totals = {gender: Counter() for gender in GENDERS.values()}
    extra = 0
    for sentence, matches in zip(sentences, found, strict=True):
        left = list(matches)
        for tag in sentence.tags:
            if tag.person != PERSON:
                continue
            gender = GENDERS[tag.gender]
            totals[gender]["person_words"] += 1
            match = next((match for match in left if match[0] == tag.word.lower()), None)
            if match is not None:
                left.remove(match)
                totals[gender]["found"] += 1
                totals[gender]["found_as_same_gender"] += gender in match[1]
        extra += len(left)
    rows = []
    for gender, total in totals.items():
        counts = {name: total[name] for name in ("person_words", "found", "found_as_same_gender")}
        rows.append({"gender": gender} | counts | {"found_percent": percentage(total["found"], total["person_words"])})
    return [row | {"lexicon_words_not_in_gold": extra} for row in rows]


def _gold_counts(sentences: list[TaggedSentence]) -> tuple[np.ndarray, np.ndarray]:
    return tuple(
        np.array([sum((tag.person, tag.gender) == (PERSON, gender) for tag in one.tags) for one in sentences])
        for gender in GENDERS
    )


def _lexicon_counts(found: list[list[Match]]) -> tuple[np.ndarray, np.ndarray]:
    return tuple(
        np.array([sum(gender in classes for _, classes in matches) for matches in found]) for gender in GENDERS.values()
    )


def tabulate_yardstick(words: list[Path], ratios: list[Path], table_csv: Path, table_latex: Path) -> None:
    """Join the measurements of all gold files: per method, the ratio; for the lexicon, the share of words found."""
    shares = pd.concat([pd.read_csv(path) for path in words])
    wide = shares.pivot(index="gold", columns="gender", values="found_percent").add_prefix("found_percent_")
    table = pd.concat([pd.read_csv(path) for path in ratios], ignore_index=True)
    table = table.merge(wide.reset_index().assign(method="lexicon"), on=["gold", "method"], how="left")
    write_csv(table, table_csv)
    shown = table[["gold", "method", "masculine", "feminine", "masculine_per_feminine"]].assign(
        interval=[
            show_interval(*ends)
            for ends in zip(table["masculine_per_feminine_low"], table["masculine_per_feminine_high"], strict=True)
        ],
        found=table[["found_percent_masculine", "found_percent_feminine"]].apply(
            lambda row: "" if row.isna().any() else f"{row.iloc[0]:.0f} / {row.iloc[1]:.0f}", axis=1
        ),
    )
    write_latex(
        shown.set_axis(
            ["Gold", "Method", "Masculine", "Feminine", "Ratio", "Interval", "Found M / F (%)"], axis="columns"
        ),
        table_latex,
        caption=(
            "Person words and their ratio by annotators and by the lexicon of the language, on the same sentences; "
            "found: the share of the annotators' masculine and feminine person words that the lexicon finds."
        ),
        label="tab:yardstick",
        formats={"Ratio": "{:.2f} : 1"},
    )
