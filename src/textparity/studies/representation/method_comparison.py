"""Methods side by side: what they find of the person words that annotators marked, and which ratio they report.

No paper asks this: the lexicon of Muller 2023, the language models and the annotations of Derner 2025 on the same
sentences.
"""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_metadata, read_rows
from textparity.measures.counting import count_texts
from textparity.measures.lexicon import Lexicon, read_lexicon
from textparity.measures.statistics import Bootstrap, bootstrap_ratios, percentage, random_generator, wilson_interval
from textparity.measures.tag_counts import GENDERS, PERSON
from textparity.measures.terms import Match
from textparity.measures.tokenizers import TokenizerChoice, load_tokenizer
from textparity.report.tables import show_count, show_intervals, write_csv, write_latex
from textparity.studies.representation.gold import TaggedSentence, read_gold

RATIO_COLUMNS = (
    "sentences", "masculine", "feminine",
    "masculine_per_feminine", "masculine_per_feminine_low", "masculine_per_feminine_high",
)  # fmt: skip
ANNOTATORS, LEXICON = "annotators", "lexicon"
CLASSES = (*GENDERS.values(), "unspecified")
WORDS_COLUMNS = ("gender", "word", "person_words", "found", *(f"as_{name}" for name in CLASSES))


class Measured(NamedTuple):
    """What a method finds of the annotators' words, and its ratio; see `evaluate_lexicon`."""

    words: pd.DataFrame
    ratios: pd.DataFrame


def evaluate_lexicon(
    gold: Path, lexicon: Path, name: str, tokenizer: TokenizerChoice, bootstrap: Bootstrap
) -> Measured:
    """Count the lexicon (corrected procedure) in the sentences of `gold`, cut by `tokenizer`.

    `words`: for each person word of the annotators, by their gender, how often they marked it, how often it is found in
    the same sentence, and in which class (a form may be in two); without a gender, what the lexicon finds besides.
    `ratios`: masculine : feminine by the annotators and by the lexicon, with bootstrap intervals.
    """
    sentences = read_gold(gold)
    forms = Lexicon(read_lexicon(lexicon))
    counted = count_texts([one.sentence for one in sentences], load_tokenizer(tokenizer), forms, first_sentence=False)
    found = [of_text["corrected"].matches for of_text in counted]
    annotated = [[_match(tag.word, tag.gender) for tag in one.tags if tag.person == PERSON] for one in sentences]
    rows = [
        {"gold": name, "method": method} | _ratio(matches, 1, bootstrap, name, method)
        for method, matches in ((ANNOTATORS, annotated), (LEXICON, found))
    ]
    labels = {"gold": name, "method": LEXICON}
    return Measured(_words_frame(labels, _words_found(sentences, found)), pd.DataFrame(rows))


def evaluate_tagger(gold: Path, tags: Path, name: str, bootstrap: Bootstrap) -> Measured:
    """Measure a language model's person words (`tags`, the corrected procedure) as `evaluate_lexicon` does.

    Counts are means over its runs. Both tables are empty if answers are missing.
    """
    metadata = read_metadata(tags)
    runs, method = metadata["runs"], metadata["tagger"]
    labels = {"gold": name, "method": method}
    if metadata["missing"]:
        return Measured(_words_frame(labels, []), pd.DataFrame(columns=[*labels, *RATIO_COLUMNS]))
    sentences = read_gold(gold)
    found = [
        [
            _match(word["word"].lower(), word["gender"])
            for word in words
            if word["person"] == PERSON and not word["skipped"]
        ]
        for words in read_rows(tags, columns=["words"])["words"].to_pylist()
    ]
    # One run after another, each over all sentences.
    words = _words_frame(labels, _words_found(sentences * runs, found, runs))
    by_sentence = [
        [match for run in range(runs) for match in found[run * len(sentences) + i]] for i in range(len(sentences))
    ]
    return Measured(words, pd.DataFrame([labels | _ratio(by_sentence, runs, bootstrap, name, method)]))


def _match(word: str, gender: str) -> Match:
    return Match(word, frozenset({GENDERS[gender]}))


def _ratio(matches: list[list[Match]], runs: int, bootstrap: Bootstrap, name: str, method: str) -> dict[str, Any]:
    masculine, feminine = (
        np.array([sum(gender in match.classes for match in some) for some in matches]) for gender in GENDERS.values()
    )
    generator = random_generator(bootstrap.seed, "gold", name, method)
    (interval,) = bootstrap_ratios(masculine[None], feminine[None], bootstrap, generator)
    below = feminine.sum()
    ratio = masculine.sum() / below if below else float("nan")
    values = (len(matches), _mean(masculine.sum(), runs), _mean(below, runs), ratio, interval.low, interval.high)
    return dict(zip(RATIO_COLUMNS, values, strict=True))


def _words_found(sentences: list[TaggedSentence], found: list[list[Match]], runs: int = 1) -> list[dict[str, Any]]:
    totals: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence, matches in zip(sentences, found, strict=True):
        left = list(matches)
        for tag in sentence.tags:
            if tag.person != PERSON:
                continue
            gender, word = GENDERS[tag.gender], tag.word.lower()
            totals[gender, word]["person_words"] += 1
            same = [match for match in left if match.form == word]
            match = next((match for match in same if gender in match.classes), same[0] if same else None)
            if match is not None:
                left.remove(match)
                totals[gender, word].update(["found", *(f"as_{name}" for name in match[1])])
        for match in left:
            totals["", match.form].update(["found", *(f"as_{name}" for name in match.classes)])
    order = sorted(totals, key=lambda key: (-len(key[0]), -totals[key]["person_words"], -totals[key]["found"], key[1]))
    return [
        {"gender": gender, "word": word} | {name: _mean(totals[gender, word][name], runs) for name in WORDS_COLUMNS[2:]}
        for gender, word in order
    ]


def _words_frame(labels: dict[str, str], rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([labels | row for row in rows], columns=[*labels, *WORDS_COLUMNS])


def _mean(total: int, runs: int) -> float:
    # Counts stay whole numbers where they are.
    return total / runs if total % runs else total // runs


def tabulate_method_comparison(
    measured: list[Measured], table_csv: Path, table_latex: Path, words_csv: Path, confidence_level: float
) -> None:
    """Join the measurements of all gold files: per method, the ratio and what it finds of the annotators' words.

    `found_percent_*`: of the words of a gender, those found in any class; `recall_percent_*`: those found as the same
    gender, with a Wilson interval (of a language model, around its mean). `words_csv` has every word.
    """
    every = pd.concat([one.words for one in measured], ignore_index=True)
    write_csv(every, words_csv)
    table = pd.concat([one.ratios for one in measured], ignore_index=True)
    shares = [
        {}
        if method == ANNOTATORS
        else _shares(every[(every["gold"] == gold) & (every["method"] == method)], confidence_level)
        for gold, method in zip(table["gold"], table["method"], strict=True)
    ]
    table = table.join(pd.DataFrame(shares))
    write_csv(table, table_csv)
    shown = table[["gold", "method", "masculine", "feminine", "masculine_per_feminine"]].assign(
        interval=show_intervals(table, "masculine_per_feminine"),
        found=_side_by_side(table, "found_percent"),
        recall=_side_by_side(table, "recall_percent"),
    )
    names = ["Gold", "Method", "Masculine", "Feminine", "Ratio", "Interval", "Found M / F (%)", "Recall M / F (%)"]
    write_latex(
        shown.set_axis(names, axis="columns"),
        table_latex,
        caption=(
            "Person words and their ratio by annotators, by the lexicon of the language and by language models (mean "
            "over runs), on the same sentences; found: the share of the annotators' masculine and feminine person "
            "words that the method finds at all; recall: as the same gender."
        ),
        label="tab:method-comparison",
        formats={"Masculine": show_count, "Feminine": show_count, "Ratio": "{:.2f} : 1"},
    )


def _shares(rows: pd.DataFrame, confidence_level: float) -> dict[str, float]:
    shares: dict[str, float] = {}
    for gender in GENDERS.values():
        annotated, found, same = rows[rows["gender"] == gender][["person_words", "found", f"as_{gender}"]].sum()
        interval = wilson_interval(round(same), round(annotated), confidence_level)
        shares |= {f"found_percent_{gender}": percentage(found, annotated)}
        name = f"recall_percent_{gender}"
        shares |= {name: percentage(same, annotated)}
        shares |= {f"{name}_low": 100 * interval.low, f"{name}_high": 100 * interval.high}
    return shares


def _side_by_side(table: pd.DataFrame, name: str) -> list[str]:
    pairs = zip(*(table[f"{name}_{gender}"] for gender in GENDERS.values()), strict=True)
    return ["" if np.isnan([*pair]).any() else f"{pair[0]:.0f} / {pair[1]:.0f}" for pair in pairs]
