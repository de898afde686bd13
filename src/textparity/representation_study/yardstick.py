"""Methods on one yardstick: what they find of the person words that annotators marked, and which ratio they report.

No paper asks this: the lexicon of Muller 2023, the language models and the annotations of Derner 2025 on the same
sentences.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.counting import count_texts
from textparity.lexicon import Lexicon, Match, read_lexicon
from textparity.representation_study.tags import GENDERS, PERSON, TaggedSentence, read_gold
from textparity.rows import read_metadata, read_rows
from textparity.statistics import bootstrap_ratios, percentage, random_generator
from textparity.tables import show_count, show_intervals, write_csv, write_latex
from textparity.tokenizers.icu import IcuTokenizer

RATIO_COLUMNS = (
    "sentences", "masculine", "feminine",
    "masculine_per_feminine", "masculine_per_feminine_low", "masculine_per_feminine_high",
)  # fmt: skip
WORDS_COLUMNS = ("gender", "person_words", "found", "found_as_same_gender", "found_percent", "extra_person_words")


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
    annotated = [
        [(tag.word, frozenset({GENDERS[tag.gender]})) for tag in one.tags if tag.person == PERSON] for one in sentences
    ]
    write_csv(
        pd.DataFrame([{"gold": name, "method": "lexicon"} | row for row in _words_found(sentences, found)]), words_csv
    )
    rows = []
    for method, matches in (("annotators", annotated), ("lexicon", found)):
        generator = random_generator(seed, "gold", name, method)
        rows.append({"gold": name, "method": method} | _ratio(matches, 1, resamples, confidence_level, generator))
    write_csv(pd.DataFrame(rows), ratios_csv)


def measure_tagger_on_gold(
    gold: Path,
    tags: Path,
    words_csv: Path,
    ratios_csv: Path,
    name: str,
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Measure a language model's person words (`tags`, the corrected procedure) as `measure_lexicon_on_gold` does.

    Counts are means over its runs. Both files are empty but for their headers if answers are missing.
    """
    metadata = read_metadata(tags)
    runs, method = metadata["runs"], metadata["tagger"]
    labels = {"gold": name, "method": method}
    if metadata["missing"]:
        write_csv(pd.DataFrame(columns=[*labels, *WORDS_COLUMNS]), words_csv)
        write_csv(pd.DataFrame(columns=[*labels, *RATIO_COLUMNS]), ratios_csv)
        return
    sentences = read_gold(gold)
    found = [
        [(word["word"].lower(), frozenset({GENDERS[word["gender"]]})) for word in words if _is_counted_person(word)]
        for words in read_rows(tags, columns=["words"])["words"].to_pylist()
    ]
    # One run after another, each over all sentences.
    words = _words_found(sentences * runs, found, runs)
    write_csv(pd.DataFrame([labels | row for row in words]), words_csv)
    by_sentence = [
        [match for run in range(runs) for match in found[run * len(sentences) + i]] for i in range(len(sentences))
    ]
    generator = random_generator(seed, "gold", name, method)
    ratio = _ratio(by_sentence, runs, resamples, confidence_level, generator)
    write_csv(pd.DataFrame([labels | ratio]), ratios_csv)


def _is_counted_person(word: dict[str, Any]) -> bool:
    return word["person"] == PERSON and not word["skipped"]


def _ratio(
    matches: list[list[Match]], runs: int, resamples: int, confidence_level: float, generator: np.random.Generator
) -> dict[str, Any]:
    masculine, feminine = (
        np.array([sum(gender in classes for _, classes in some) for some in matches]) for gender in GENDERS.values()
    )
    (interval,) = bootstrap_ratios(masculine[None], feminine[None], resamples, confidence_level, generator)
    below = feminine.sum()
    ratio = masculine.sum() / below if below else float("nan")
    values = (len(matches), _mean(masculine.sum(), runs), _mean(below, runs), ratio, interval.low, interval.high)
    return dict(zip(RATIO_COLUMNS, values, strict=True))


def _words_found(sentences: list[TaggedSentence], found: list[list[Match]], runs: int = 1) -> list[dict[str, Any]]:
    totals: dict[str, Counter[str]] = {gender: Counter() for gender in GENDERS.values()}
    extra = 0
    for sentence, matches in zip(sentences, found, strict=True):
        left = list(matches)
        for tag in sentence.tags:
            if tag.person != PERSON:
                continue
            gender = GENDERS[tag.gender]
            totals[gender]["person_words"] += 1
            same = [match for match in left if match[0] == tag.word.lower()]
            match = next((match for match in same if gender in match[1]), same[0] if same else None)
            if match is not None:
                left.remove(match)
                totals[gender]["found"] += 1
                totals[gender]["found_as_same_gender"] += gender in match[1]
        extra += len(left)
    rows = []
    for gender, total in totals.items():
        counts = [_mean(total[name], runs) for name in ("person_words", "found", "found_as_same_gender")]
        values = (gender, *counts, percentage(total["found"], total["person_words"]), _mean(extra, runs))
        rows.append(dict(zip(WORDS_COLUMNS, values, strict=True)))
    return rows


def _mean(total: int, runs: int) -> float:
    # Counts stay whole numbers where they are.
    return total / runs if total % runs else total // runs


def tabulate_yardstick(words: list[Path], ratios: list[Path], table_csv: Path, table_latex: Path) -> None:
    """Join the measurements of all gold files: per method, the ratio and the share of the annotators' words found."""
    shares = pd.concat([pd.read_csv(path) for path in words], ignore_index=True)
    wide = shares.pivot(index=["gold", "method"], columns="gender", values="found_percent").add_prefix("found_percent_")
    table = pd.concat([pd.read_csv(path) for path in ratios], ignore_index=True)
    table = table.merge(wide.reset_index(), on=["gold", "method"], how="left")
    write_csv(table, table_csv)
    shown = table[["gold", "method", "masculine", "feminine", "masculine_per_feminine"]].assign(
        interval=show_intervals(table, "masculine_per_feminine"),
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
            "Person words and their ratio by annotators, by the lexicon of the language and by language models (mean "
            "over runs), on the same sentences; found: the share of the annotators' masculine and feminine person "
            "words that the method finds."
        ),
        label="tab:yardstick",
        formats={"Masculine": show_count, "Feminine": show_count, "Ratio": "{:.2f} : 1"},
    )
