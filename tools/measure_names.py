"""Measure how many given names of treebanks a method finds, by language: a fast look without a run of the study.

TEXTPARITY_MIRROR must be a folder of upstream files.

python tools/measure_names.py slv pol                by the method `words`
python tools/measure_names.py --method persons rus   by another method
python tools/measure_names.py --show 20 slv          also print up to 20 names for each kind of miss
python tools/measure_names.py --file x.conllu slv    on another treebank
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from parallel_texts import load_study_registry
from textparity.auditing.languages import load_finder
from textparity.estimating.bootstrap import Bootstrap
from textparity.sources.model_files import Mirror, find_mirror
from textparity_studies.instruments.annotated_texts import AnnotatedText, GivenNames, GoldWords
from textparity_studies.instruments.treebank_names import RESULTS, judge_names, measure_names, read_treebank_names

REPOSITORY = Path(__file__).parents[1]
BOOTSTRAP = Bootstrap(seed=20231206, resamples=2000, confidence_level=0.95)


def find_treebanks() -> dict[str, Path]:
    """Find the treebank of each language in the mirror."""
    registry = load_study_registry()
    folder = find_mirror()
    if folder is None:
        raise SystemExit("set TEXTPARITY_MIRROR to a folder of upstream files")
    mirror = Mirror(folder)
    rows = [row for row in registry.person_gold.values() if row.gold == "names"]
    urls = {row.lang: registry.url(row.source, row.path) for row in rows}
    return {lang: mirror.find(url)[0] for lang, url in urls.items() if url in mirror}


def measure(path: Path, lang: str, method: str, shown: int) -> None:
    """Print the figures of a treebank."""
    resources = REPOSITORY / "resources"
    given_names = GivenNames(resources / "instruments" / "given_names.tsv")
    words = GoldWords(resources / "persons" / "gold_words.tsv", lang, given_names)
    texts: list[AnnotatedText] = list(read_treebank_names(path, words))
    finder = load_finder(method, lang)
    found = list(finder.find([text.text for text in texts]))
    judged = []
    missed: dict[tuple[str, str], Counter[str]] = {}
    for text, mentions in zip(texts, found, strict=True):
        for name, of_name in zip(text.mentions, judge_names(text.mentions, mentions, lang), strict=True):
            judged.append(of_name)
            missed.setdefault((of_name.gender, of_name.result), Counter())[name.text] += 1
    for row in measure_names(judged, {"lang": lang, "method": method}, BOOTSTRAP):
        results = ", ".join(f"{name} {row[name]}" for name in RESULTS)
        print(f"{lang} {method} {row['gender']}: {row['names']} names, {row['lemmas']} lemmas: {results}")
        print(f"   right {_share(row, 'right_percent')} %, wrong {_share(row, 'wrong_percent')} %")
        if row["gender"] == "feminine":
            print(f"   women's recall over men's {_share(row, 'recall_ratio', 2)}")
    for (gender, result), names in sorted(missed.items()):
        if shown and result != "right":
            print(f"   {gender}, {result}:", ", ".join(f"{name} {number}" for name, number in names.most_common(shown)))


def _share(row: dict[str, Any], name: str, digits: int = 0) -> str:
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", help="codes of ISO 639-3; by default, all with a treebank")
    parser.add_argument("--method", default="words")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--show", type=int, default=0)
    arguments = parser.parse_args()
    treebanks = {} if arguments.file else find_treebanks()
    for lang in arguments.languages or treebanks:
        measure(arguments.file or treebanks[lang], lang, arguments.method, arguments.show)


if __name__ == "__main__":
    main()
