"""Ours beside other tools that count words or gender: same file, same machine, one table.

  python benchmarks/peers.py --ntrex FOLDER --lexicons FOLDER --folder FOLDER --stanza FOLDER \
    --datatrove PYTHON --genbit PYTHON [--text FILE] [--new 8] [--megabytes 20] [--rounds 3]

Makes a JSONL file of documents (lines of English NTREX-128 in which `--new` percent of the words are new ones, as in
audit_speed.py, or lines of `--text` as they are, up to `--megabytes`; a document is 20 lines) and runs each tool on it
in a process of its own, in turns. PYTHON is the interpreter of an environment with
datatrove (`pip install datatrove[processing] spacy orjson`) or with GenBiT (`pip install genbit "setuptools<81"`); a
tool that is not given is left out. The paper's Stanza loop gets the first documents only. Needs the lexicon: the
network, or TEXTPARITY_MIRROR. Times are processor time from the opening of the file to the result, without imports and
the loading of models; a megabyte is one of text. Read the ratios: absolute times depend on the machine and its
neighbours.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from audit_speed import ENGLISH, write_text

LINES_OF_DOCUMENT = 20
PORTION = 400
OURS = "audit"


def texts_of(path: Path) -> Iterator[str]:
    """Yield the texts of the documents."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["text"]


def stanza_loop(path: Path, options: argparse.Namespace) -> Callable[[], int]:
    """Count as the GENDER-GAP paper does: Stanza line by line, its first sentence against the forms of each class."""
    import stanza
    import torch
    from count_speed import CLASSES, paper_loop

    from textparity.counting.lexicon import read_lexicon

    torch.set_num_threads(1)
    pipeline = stanza.Pipeline("en", processors="tokenize", dir=options.stanza, download_method=None, verbose=False)
    entries = read_lexicon(options.lexicons / "eng_nouns.json")
    forms = {name: Counter(entry.form.lower() for entry in entries if entry.gender_class == name) for name in CLASSES}

    def work() -> int:
        lines = [line for text in texts_of(path) for line in text.splitlines()]
        tokens, _ = paper_loop(lines, lambda line: [word.text for word in pipeline(line).sentences[0].words], forms)
        return sum(map(len, tokens))

    return work


def datatrove(path: Path, options: argparse.Namespace) -> Callable[[], int]:
    """Run WordStats over a JSONL reader, without the groups by domain, which need URLs."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.stats import WordStats
    from datatrove.utils.word_tokenizers import load_word_tokenizer

    load_word_tokenizer("eng").word_tokenize("A word.")

    def work() -> int:
        with tempfile.TemporaryDirectory(dir=path.parent) as name:
            steps = [
                JsonlReader(str(path.parent), glob_pattern=path.name),
                WordStats(f"{name}/stats", groups_to_compute=["summary", "histogram"]),
            ]
            LocalPipelineExecutor(pipeline=steps, tasks=1, workers=1, logging_dir=f"{name}/logs").run()
            found = json.loads(Path(f"{name}/stats/summary/n_words/00000.json").read_text())
        return int(found["summary"]["total"])

    return work


def genbit(path: Path, options: argparse.Namespace) -> Callable[[], int]:
    """Add all documents to GenBiT: words and co-occurrences, without the last step, the lemmas of distinct words."""
    from genbit import metrics_calculation
    from genbit.genbit_metrics import GenBitMetrics

    # The model that it loads at once is used in the last step alone.
    metrics_calculation.Lemmatizer = lambda language: None
    metrics = GenBitMetrics("en")

    def work() -> int:
        words = 0
        for text in texts_of(path):
            tokens = metrics._tokenizer.tokenize_data([text])
            metrics.add_data(tokens, tokenized=True)
            words += len(tokens[0])
        return words

    return work


def core(path: Path, options: argparse.Namespace) -> Callable[[], int]:
    """Count the nouns of the audit with the counting core, matches kept by text."""
    from textparity.auditing.languages import find_lexicon, load_registry
    from textparity.counting import OWN_LEXICON
    from textparity.counting.lexicon import Lexicon, revised_terms
    from textparity.counting.terms import TermMatcher
    from textparity.counting.text_counter import TextCounter
    from textparity.counting.tokenizers import load_tokenizer

    files = find_lexicon(OWN_LEXICON, "eng")
    matcher = TermMatcher(revised_terms([], files.table))
    tokenizer = load_tokenizer(load_registry().tokenizer("eng", "icu"))

    def work() -> int:
        counter, texts, words = TextCounter(tokenizer, Lexicon([]), True, matcher, ["revised"]), texts_of(path), 0
        while portion := list(islice(texts, PORTION)):
            words += int(counter.count(portion)["revised"].words.sum())
        return words

    return work


def audit(path: Path, options: argparse.Namespace) -> Callable[[], int]:
    """Run `textparity audit --lang eng` in one job, with intervals, frequent words and examples."""
    from textparity import audit_files

    def work() -> int:
        result = audit_files(path, "eng")
        result.to_text()
        return result.words

    return work


def icu(path: Path, options: argparse.Namespace) -> Callable[[], int]:
    """Split lower-cased texts into words with ICU, and look each up in the forms of a lexicon."""
    from icu4py.breakers import WordBreaker

    forms = _forms(options)

    def work() -> int:
        words = found = 0
        for text in texts_of(path):
            for word in WordBreaker(text.lower(), "en"):
                words += not word.isspace()
                found += word in forms
        return words

    return work


def split(path: Path, options: argparse.Namespace) -> Callable[[], int]:
    """Split lower-cased texts at spaces, and look each part up in the forms of a lexicon: it misses *woman,*."""
    forms = _forms(options)

    def work() -> int:
        words = found = 0
        for text in texts_of(path):
            parts = text.lower().split()
            words += len(parts)
            found += sum(map(forms.__contains__, parts))
        return words

    return work


def _forms(options: argparse.Namespace) -> set[str]:
    from textparity.counting.lexicon import read_lexicon

    return {entry.form.lower() for entry in read_lexicon(options.lexicons / "eng_nouns.json")}


@dataclass(frozen=True)
class Tool:
    """A tool to compare: its name and what it does, whether that is the same work as an audit, and how to run it.

    `documents` is how much of the file it gets (0: all).
    """

    name: str
    does: str
    is_same_work: str
    run: Callable[[Path, argparse.Namespace], Callable[[], int]]
    documents: int = 0


TOOLS = {
    "stanza": Tool(
        "GENDER-GAP's own loop (Stanza)",
        "words of first sentences, matches by class",
        "no: counts only",
        stanza_loop,
        30,
    ),
    "datatrove": Tool("datatrove, `WordStats`", "words and their lengths", "no: no matches", datatrove),
    "genbit": Tool("GenBiT, `add_data`", "words, matches, neighbours", "no: its last step is missing", genbit),
    "icu": Tool("a loop over ICU", "words, matches of nouns in total", "no: no contexts or names", icu),
    "split": Tool("`str.split` and a set", "parts between spaces, matches in total", "no: misses *woman,*", split),
    "core": Tool("ours, counting core alone, nouns", "words, matches of each text", "no: the counting of it", core),
    OURS: Tool("`textparity audit`, one job", "words, all layers, intervals, examples", "yes", audit),
}


def make_file(lines: list[str], size: int, path: Path) -> None:
    """Write documents of these lines, over and over, up to `size` bytes of text."""
    endless, written = cycle(lines), 0
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while written < size:
            text = "\n".join(islice(endless, LINES_OF_DOCUMENT))
            file.write(json.dumps({"text": text, "id": str(number)}, ensure_ascii=False) + "\n")
            written += len(text.encode())
            number += 1


def run_tool(name: str, python: str, path: Path, options: argparse.Namespace) -> dict[str, float]:
    """Run one tool in a fresh process; return MB, words, seconds of processor time and peak memory in MB."""
    command = [python, __file__, "--tool", name, "--file", str(path)]
    for option in ("lexicons", "stanza"):
        command += [f"--{option}", str(getattr(options, option))] if getattr(options, option) else []
    environment = dict(os.environ)
    if python != sys.executable:
        environment.pop("PYTHONPATH", None)
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def work_here(name: str, path: Path, options: argparse.Namespace) -> None:
    """Run one tool and print what `run_tool` reads."""
    work = TOOLS[name].run(path, options)
    start = time.process_time()
    words = work()
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"words": words, "seconds": seconds, "memory_mb": memory}))


def figures(value: float) -> str:
    """Return a number with three figures, or all of them if there are more before the point."""
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def main() -> None:
    """Compare the tools, or run one of them (what `run_tool` starts)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ntrex", "lexicons", "folder", "text", "file"):
        parser.add_argument(f"--{name}", type=Path)
    for name in ("stanza", "datatrove", "genbit"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--new", type=float, default=8, help="percent of words that are new")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tool", choices=TOOLS)
    options = parser.parse_args()
    if options.tool:
        work_here(options.tool, options.file, options)
        return
    pythons = {"stanza": options.stanza and sys.executable, "datatrove": options.datatrove, "genbit": options.genbit}
    chosen = {name: python for name in TOOLS if (python := pythons.get(name, sys.executable))}
    speeds: dict[str, list[float]] = {name: [] for name in chosen}
    memory, words_per_mb = dict.fromkeys(chosen, 0.0), {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        whole = Path(folder) / "documents.jsonl"
        source = options.text
        if source is None:
            source = Path(folder) / "eng.txt"
            write_text(
                source, (options.ntrex / ENGLISH).read_text("utf-8").splitlines(), options.megabytes, options.new
            )
        lines = [line for line in source.read_text("utf-8").splitlines() if line.strip()]
        make_file(lines, int(options.megabytes * 1e6), whole)
        paths, sizes = {}, {}
        for name in chosen:
            path = whole
            if TOOLS[name].documents:
                path = Path(folder) / f"first-{name}" / "documents.jsonl"
                path.parent.mkdir()
                with whole.open(encoding="utf-8") as file:
                    path.write_text("".join(islice(file, TOOLS[name].documents)), "utf-8")
            paths[name], sizes[name] = path, sum(len(text.encode()) for text in texts_of(path)) / 1e6
        for _ in range(options.rounds):
            for name, python in chosen.items():
                found = run_tool(name, python, paths[name], options)
                speeds[name].append(sizes[name] / found["seconds"])
                memory[name] = max(memory[name], found["memory_mb"])
                words_per_mb[name] = found["words"] / sizes[name]
                print(f"  {name}: {sizes[name]:.2f} MB, {speeds[name][-1]:.3g} MB/s", file=sys.stderr, flush=True)
    print("| tool | what it does | same work? | MB | words per MB | MB/s | audit is faster by | core by | peak MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in chosen:
        times = [
            figures(statistics.median(ours / theirs for ours, theirs in zip(speeds[own], speeds[name], strict=True)))
            for own in (OURS, "core")
        ]
        tool = TOOLS[name]
        print(
            f"| {tool.name} | {tool.does} | {tool.is_same_work} | {figures(sizes[name])} | {words_per_mb[name]:,.0f} | "
            f"{figures(statistics.median(speeds[name]))} | {times[0]} | {times[1]} | {memory[name]:,.0f} |"
        )


if __name__ == "__main__":
    main()
