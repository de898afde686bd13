"""What does an audit cost beside the counting in it? Processor time, peak memory and their growth with the file.

  python benchmarks/audit_speed.py --ntrex FOLDER --folder FOLDER --megabytes 10 40 --new 0 2 8 20

Makes English text of each size from the lines of NTREX-128, in which a share of the words (`--new`, in percent) becomes
new ones, always the same (with 0, lines are only repeated). Runs on it, each in a process of its own: `count` (the
engine `icu` text by text, all lines in memory, nothing kept: the loop before the counting core), `audit` (`textparity
audit --lang eng`), `nouns` (the same with `--method nouns`), `python` (audit without the compiled core) and `detect`
(audit without a language). Needs the lexicon: the network, or TEXTPARITY_MIRROR. The
marginal speed is that of the text which the size before did not have: without what a process needs to start.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

ENGLISH = "newstest2019-src.eng.txt"


def count(path: Path) -> int:
    """Count the lines text by text, as an audit did until the counting core came; return their words."""
    from textparity.auditing.languages import find_lexicon, load_registry
    from textparity.counting import OWN_LEXICON
    from textparity.counting.lexicon import Lexicon, revised_terms
    from textparity.counting.terms import TermMatcher
    from textparity.counting.text_counter import count_texts
    from textparity.counting.tokenizers import load_tokenizer
    from textparity_studies.lexicon.counts import BATCH_TEXTS

    files = find_lexicon(OWN_LEXICON, "eng")
    matcher = TermMatcher(revised_terms([], files.table))
    tokenizer = load_tokenizer(load_registry().tokenizer("eng", "icu"))
    texts = path.read_text("utf-8").splitlines()
    batches = (texts[start : start + BATCH_TEXTS] for start in range(0, len(texts), BATCH_TEXTS))
    return sum(
        of_text["revised"].words
        for batch in batches
        for of_text in count_texts(batch, tokenizer, Lexicon([]), True, matcher)
    )


def audit(path: Path, lang: str | None = "eng", method: str = "words") -> int:
    """Audit the file; return its words."""
    from textparity import audit_files

    result = audit_files(path, lang, method=method)
    result.to_text()
    return result.words


def detect(path: Path) -> int:
    """Audit the file, the language of each line found out."""
    return audit(path, None)


def nouns(path: Path) -> int:
    """Audit the file by nouns alone."""
    return audit(path, method="nouns")


def python(path: Path) -> int:
    """Audit the file without the compiled core."""
    from textparity.counting import pieces

    pieces.CompiledReader = None
    return audit(path)


STEPS = {"count": count, "audit": audit, "nouns": nouns, "python": python, "detect": detect}


def write_text(path: Path, lines: list[str], megabytes: float, new: float) -> None:
    """Write lines up to a size, in which `new` percent of the words become words that were never there before."""
    draws, number, size = random.Random(1), 0, 0
    with path.open("w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            for line in lines:
                words = line.split(" ")
                for place, word in enumerate(words):
                    if new and word.isalpha() and draws.random() < new / 100:
                        number += 1
                        words[place] = word + f"{number:x}".translate(str.maketrans("0123456789", "ghijklmnop"))
                size += file.write(" ".join(words) + "\n")


def run_step(name: str, path: Path) -> dict[str, float]:
    """Run one step in a fresh process; return its words, seconds of processor time and peak memory in MB."""
    done = subprocess.run(
        [sys.executable, __file__, "--step", name, "--file", str(path)], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure every size, or run one step (what `run_step` starts)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ntrex", type=Path, help="folder with newstest2019-src.eng.txt")
    parser.add_argument("--folder", type=Path, help="where the files are made, and removed")
    parser.add_argument("--megabytes", type=int, nargs="+", default=[10, 40])
    parser.add_argument("--new", type=float, nargs="+", default=[0, 2, 8, 20], help="percent of words that are new")
    parser.add_argument("--step", choices=STEPS)
    parser.add_argument("--file", type=Path)
    arguments = parser.parse_args()
    if arguments.step:
        start = time.process_time()
        words = STEPS[arguments.step](arguments.file)
        seconds = time.process_time() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"words": words, "seconds": seconds, "memory_mb": memory}))
        return
    lines = (arguments.ntrex / ENGLISH).read_text("utf-8").splitlines()
    print("new %  MB     step     words        seconds  ratio to count  marginal MB/s  words/s  peak_mb")
    before: dict[tuple[float, str], tuple[float, float, float]] = {}
    for new, megabytes in product(arguments.new, arguments.megabytes):
        with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
            path = Path(name) / "eng.txt"
            write_text(path, lines, megabytes, new)
            size = path.stat().st_size / 1e6
            found = {step: run_step(step, path) for step in STEPS}
        # Detection may leave out or misplace a line.
        assert found["audit"]["words"] == found["count"]["words"]
        marginal = {}
        for step, one in found.items():
            last = before.get((new, step), (0.0, 0.0, 0.0))
            seconds = one["seconds"] - last[1]
            marginal[step] = ((size - last[0]) / seconds, (one["words"] - last[2]) / seconds, seconds)
            before[new, step] = (size, one["seconds"], one["words"])
            ratio = marginal[step][2] / marginal["count"][2]
            print(
                f"{new:5.0f}  {size:5.0f}  {step:7s}  {one['words']:11,}  {one['seconds']:7.1f}  {ratio:14.2f}  "
                f"{marginal[step][0]:13.1f}  {marginal[step][1]:7,.0f}  {one['memory_mb']:7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
