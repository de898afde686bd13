"""Counting all layers of the revised lexicon against nouns alone, in one process run: same texts, same tokens.

  python benchmarks/layers_speed.py TEXTS LANG

TEXTS has one text a line, such as an NTREX-128 file. Absolute times depend on the machine and its neighbours; read the
ratio.
"""

import argparse
import statistics
import time
from pathlib import Path

from textparity.auditing.languages import find_lexicon, language_row, load_registry
from textparity.counting import OWN_LEXICON
from textparity.counting.lexicon import Lexicon, revised_terms
from textparity.counting.terms import LAYERS, TermMatcher
from textparity.counting.text_counter import count_texts
from textparity.counting.tokenizers import load_tokenizer

REPEATS = 9


def main() -> None:
    """Print the median ratio of the time for nouns to that for all layers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("lang")
    options = parser.parse_args()
    texts = options.texts.read_text("utf-8").splitlines()
    files = find_lexicon(OWN_LEXICON, options.lang)
    terms = revised_terms([], files.table, language_row(options.lang).first_names)
    tokenizer = load_tokenizer(load_registry().tokenizer(options.lang, "icu"))
    empty = Lexicon([])
    matchers = {"nouns": TermMatcher(terms), "all layers": TermMatcher(terms, LAYERS)}
    seconds = {name: [] for name in matchers}
    for _ in range(REPEATS):
        for name, matcher in matchers.items():
            begun = time.perf_counter()
            count_texts(texts, tokenizer, empty, first_sentence=False, revised=matcher)
            seconds[name].append(time.perf_counter() - begun)
    ratios = [nouns / every for nouns, every in zip(*seconds.values(), strict=True)]
    for name, values in seconds.items():
        print(f"{name}: {statistics.median(values):.3f} s for {len(texts):,} texts")
    print(f"speed of all layers / nouns: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
