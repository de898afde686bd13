"""The counting core against cutting and matching text by text, in one process run: same counts (asserted), ratios.

  python benchmarks/core_speed.py --ntrex FOLDER --lexicons FOLDER [--langs eng spa …] [--text FILE]

`by text` is `count_texts`, the loop of the `icu` engine until the core came, which is still its reference. Both count
both procedures (the published lexicon), then the nouns of the revised lexicon alone, as an audit does. The core begins
with nothing remembered and gets the lines of NTREX-128 `--times` over; so a longer corpus would be, or `--text FILE`,
lines of real text in the one language asked for. Rounds take turns; medians. Absolute times depend on the machine and
its neighbours; read the ratios.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from textparity.auditing.languages import PACKAGE_FOLDER, load_registry
from textparity.counting.lexicon import Lexicon, read_lexicon, revised_terms
from textparity.counting.terms import TermMatcher
from textparity.counting.text_counter import TextCounter, count_texts
from textparity.counting.tokenizers import load_tokenizer

LANGS = ["eng", "spa", "deu", "fra", "rus", "arb", "hin", "fin", "tur", "vie", "tha", "cmn"]
PORTION = 8000


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that `work` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(lang: str, lines: list[str], lexicon: Path, times: int, rounds: int) -> None:
    """Print the speeds and the median ratio of one language, for the procedures of the workflow and of an audit."""
    registry = load_registry()
    row, tokenizer = registry.languages[lang], load_tokenizer(registry.tokenizer(lang, "icu"))
    entries = read_lexicon(lexicon)
    revision = PACKAGE_FOLDER / "resources" / "lexicons" / "textparity_v1" / f"{lang}.tsv"
    revised = TermMatcher(revised_terms(entries, revision))
    megabytes = sum(len(line.encode()) for line in lines) / 1e6
    for name, forms, matcher, procedures in (
        ("both procedures", Lexicon(entries), None, ["published", "corrected"]),
        ("revised nouns", Lexicon([]), revised, ["revised"]),
    ):
        known = tokenizer, forms, row.published_uses_stanza, matcher
        counted = count_texts(lines, *known)
        found = TextCounter(*known, procedures).count(lines)
        for procedure in procedures:
            assert found[procedure].words.tolist() == [of_text[procedure].words for of_text in counted], "words differ"
            matches = {number: of_text[procedure].matches for number, of_text in enumerate(counted)}
            assert {number: these for number, these in matches.items() if these} == found[procedure].matches, "matches"
        words = int(found[procedures[-1]].words.sum())
        seconds: list[tuple[float, float]] = []
        for _ in range(rounds):
            counter, longer = TextCounter(*known, procedures), lines * times
            by_text = timed(lambda known=known: count_texts(lines, *known))
            core = timed(
                lambda counter=counter, longer=longer: [
                    counter.count(longer[start : start + PORTION]) for start in range(0, len(longer), PORTION)
                ]
            )
            seconds.append((by_text, core / times))
        by_text, core = (statistics.median(column) for column in zip(*seconds, strict=True))
        ratio = statistics.median(one / other for one, other in seconds)
        print(
            f"{lang}  {name:15s}  by text {megabytes / by_text:5.1f} MB/s {words / by_text / 1e6:5.2f} M words/s   "
            f"core {megabytes / core:5.1f} MB/s {words / core / 1e6:5.2f} M words/s   ratio {ratio:5.1f}",
            flush=True,
        )


def main() -> None:
    """Compare the languages asked for; print the peak memory at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ntrex", type=Path, required=True)
    parser.add_argument("--lexicons", type=Path, required=True)
    parser.add_argument("--langs", nargs="+", default=LANGS)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for lang in options.langs:
        path = options.text or options.ntrex / f"newstest2019-{load_registry().languages[lang].ntrex}.txt"
        lines = path.read_text("utf-8").splitlines()
        lexicon = options.lexicons / f"{lang}_nouns.json"
        compare(lang, lines, lexicon, 1 if options.text else options.times, options.rounds)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
