"""How often the language of a short text is mistaken, by its length: the figures of docs/serve.md.

  python tools/short_texts.py NTREX [--texts 200]

NTREX is a folder with the files of NTREX-128. The first sentences of each language with a lexicon are cut to so many
characters; of those that an audit would count in a language, some are in another one.
"""

import argparse
from pathlib import Path

from textparity.auditing.languages import load_chooser, load_registry
from textparity.auditing.settings import make_settings
from textparity.files import read_lines

LENGTHS = (20, 40, 60, 80)


def main() -> None:
    """Print the share of mistaken languages for each length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ntrex", type=Path)
    parser.add_argument("--texts", type=int, default=200)
    options = parser.parse_args()
    chooser, least = load_chooser(), make_settings().counting.minimum_certainty
    texts = {}
    for lang, row in load_registry().languages.items():
        if row.ntrex:
            path = options.ntrex / f"newstest2019-{row.ntrex}.txt"
            texts[lang] = read_lines(path)[: options.texts]
    print(f"{len(texts)} languages")
    for length in LENGTHS:
        sure = [
            choice.lang != lang
            for lang, lines in texts.items()
            for choice in chooser.choose_by_text([line[:length] for line in lines])
            if choice.lang and choice.certainty >= least
        ]
        print(f"{length} characters: {100 * sum(sure) / len(sure):.1f} % of {len(sure):,} are mistaken")


if __name__ == "__main__":
    main()
