"""Asking a language model and reading its answers: ours against the paper's notebook, in one process run.

  python benchmarks/ask_speed.py [ask | parse]

`ask`: a server that takes 200 ms for an answer (a process of its own, as a real one is), asked by `ask_all`, 16 at
once, and by the notebook's loop, one after another. `parse`: `parse_answers` against the notebook's parsing and
counting, which describes no word and repairs nothing. Absolute times depend on the machine and its neighbours; read
the ratios.
"""

import argparse
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textparity.corpora.reading import read_batches, write_batches
from textparity_studies.llm.answering import ANSWERS_SCHEMA
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.client import ask_all
from textparity_studies.llm.models import ModelRow, Request
from textparity_studies.measures import tag_counts
from textparity_studies.measures.tag_counts import parse_answers, read_skip_list

REPOSITORY = Path(__file__).parents[1]
LATENCY_SECONDS = 0.2
AT_ONCE = 16
SENTENCES = 500
# Half a minute of one after another is enough to know how long one takes.
SEQUENTIAL_SENTENCES = 100
ANSWERS = 40_000
REPEATS = 5
SEED = 20231206
DEMO = REPOSITORY / "resources" / "demo"
SKIP_LIST = DEMO / "prompts" / "skip_list.spa.txt"
EPICENE_WORDS = REPOSITORY / "resources" / "lexicons" / "epicene_words.tsv"
# What models do to a line; one answer in five has one such line.
ODD_LINES = (
    "{} – {}, {}", "- {} - {}, {}", "{}: {}, {}", "**{}** - {}, {}", "{} ({}, {})", "{} - {}, {};", '"{}" - {}, {}',
)  # fmt: skip


def messages_for(sentence: str) -> list[dict[str, str]]:
    """Return the chat about one sentence, as long as the demo's prompt."""
    examples = (DEMO / "prompts" / "examples.spa.txt").read_text("utf-8")
    template = (DEMO / "prompts" / "prompt.spa.txt").read_text("utf-8")
    prompt = template.replace("<EXAMPLES>", examples).replace("<SENTENCE>", sentence)
    return [{"role": "system", "content": "You tag words."}, {"role": "user", "content": prompt}]


def serve() -> None:
    """Serve until standard input is closed; the first line of standard output is the address."""
    sys.path.append(str(REPOSITORY / "tests" / "unit"))
    from llm_server import LanguageModelServer

    with LanguageModelServer(latency=LATENCY_SECONDS) as server:
        server.reply = lambda body: "maestra - P, F\nplaza - N, F\ncoche - N, M"
        print(server.url, flush=True)
        sys.stdin.read()


def notebook_ask(url: str, sentences: list[str], book: Any, folder: Path) -> None:
    """Ask as the notebook does: one after another, the workbook saved after each answer."""
    import openai

    client = openai.OpenAI(base_url=url, api_key="none")
    for row, sentence in enumerate(sentences, start=1):
        reply = client.chat.completions.create(model="m", messages=messages_for(sentence))
        if book is not None:
            book.active.cell(row=row, column=1, value=sentence)
            book.active.cell(row=row, column=2, value=reply.choices[0].message.content)
            book.save(folder / "answers.xlsx")


def compare_asking() -> None:
    """Print the ratio of the notebook's time per sentence to ours."""
    command = [sys.executable, __file__, "serve"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        sentences = [f"La maestra {number} vio un coche en la plaza." for number in range(SENTENCES)]
        row = ModelRow("m", url, "m", "chat", "", None, None, 1024, None, requests_at_once=AT_ONCE)
        try:
            from openpyxl import Workbook
        except ImportError:
            print("ask: openpyxl is not installed, so the notebook's loop is spared saving its workbook each time")
            Workbook = None
        with tempfile.TemporaryDirectory() as folder:
            # Both sides are spared the import of the library and the first connection.
            notebook_ask(url, ["x"], None, Path(folder))
            start = time.monotonic()
            notebook_ask(url, sentences[:SEQUENTIAL_SENTENCES], Workbook and Workbook(), Path(folder))
            theirs = (time.monotonic() - start) / SEQUENTIAL_SENTENCES
            with ResponseCache(Path(folder) / "answers.sqlite") as cache:
                cpu, start = time.process_time(), time.monotonic()
                answers = ask_all([Request(row, messages_for(text)) for text in sentences], row, cache)
                ours, cpu = (time.monotonic() - start) / SENTENCES, (time.process_time() - cpu) / SENTENCES
            assert len(answers) == SENTENCES and all(answer.text for answer in answers)
    finally:
        server.stdin.close()
        server.wait()
    print(
        f"ask: notebook {theirs * 1000:.0f} ms a sentence ({SEQUENTIAL_SENTENCES} sentences), ours {ours * 1000:.1f} "
        f"({SENTENCES} sentences, {AT_ONCE} at once, all on disk; {cpu * 1000:.1f} ms of processor time): "
        f"ratio {theirs / ours:.1f}"
    )


def make_answers(number: int) -> list[dict[str, Any]]:
    """Return rows as `ask_tagger` writes them: as many words as the paper's gold has (7 a sentence), all varied."""
    generator = random.Random(SEED)
    syllables = [a + b for a in "bcdfglmnprstvz" for b in ("a", "e", "i", "o", "ue", "ión", "ar", "os")]
    words = ["".join(generator.choices(syllables, k=generator.randint(2, 4))) for _ in range(60_000)]
    skipped = SKIP_LIST.read_text("utf-8").split()
    rows = []
    for index in range(number):
        chosen = generator.sample(words, generator.randint(1, 13))
        if generator.random() < 0.2:
            chosen[0] = generator.choice(skipped)
        lines = [f"{word} - {generator.choice('PN')}, {generator.choice('MF')}" for word in chosen]
        if generator.random() < 0.2:
            odd = generator.randrange(len(lines))
            lines[odd] = generator.choice(ODD_LINES).format(chosen[odd], "P", "F")
        rows.append(
            {"id": f"benchmark:{index}", "run": 0, "text": f"La {' de la '.join(chosen)} de ayer.", "answer":
             "\n".join(lines), "finish_reason": "stop", "prompt_tokens": 700, "completion_tokens": 40, "model": "m",
             "error": ""}
        )  # fmt: skip
    return rows


def notebook_parse(answers: list[str], skipped: frozenset[str]) -> tuple[int, list[int]]:
    """Parse and count as the notebook does: triples by splitting everything, counts by substrings of lines."""
    triples, totals = 0, [0] * 6
    for answer in answers:
        cleaned = re.sub(r"\s+\n", "\n", answer.strip().upper())
        pieces = re.split(r" - |, |\n", cleaned)
        triples += len([tuple(pieces[start : start + 3]) for start in range(0, len(pieces), 3)])
        lines = answer.splitlines()
        kept = [line for line in lines if " - " not in line or line.split(" - ")[0].strip().upper() not in skipped]
        for place, substring in enumerate((", M", ", F", "N, ", "P, ", "P, M", "P, F")):
            totals[place] += sum(substring in line for line in kept)
    return triples, totals


def compare_parsing() -> None:
    """Print how many answers a second are parsed and counted by both procedures, and the ratio to the notebook."""
    skipped = read_skip_list(SKIP_LIST)
    rates, with_files, ratios = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        answers = folder / "answers.parquet"
        write_batches(answers, ANSWERS_SCHEMA, iter([make_answers(ANSWERS)]))
        texts = [text for batch in read_batches(answers, 5000, ["answer"]) for text in batch["answer"]]
        lines = sum(text.count("\n") + 1 for text in texts)

        def ours() -> None:
            paths = [folder / "tags.parquet", folder / "problems.csv"]
            parse_answers(answers, SKIP_LIST, EPICENE_WORDS, *paths, "corpora/demo/spa", "spa")

        for _ in range(REPEATS):
            theirs = timed(lambda: notebook_parse(texts, skipped))
            whole = timed(ours)
            # The same without its result on disk; nothing is kept, as in a run.
            with patch.object(tag_counts, "write_batches", lambda path, schema, batches: deque(batches, maxlen=0)):
                counting = timed(ours)
            rates.append(ANSWERS / counting)
            with_files.append(ANSWERS / whole)
            ratios.append(theirs / counting)
            print(
                f"  parse: notebook {ANSWERS / theirs:7,.0f} answers/s, ours {rates[-1]:7,.0f}, "
                f"{with_files[-1]:7,.0f} from file to file"
            )
    print(
        f"parse: {ANSWERS:,} answers, {lines:,} lines, both procedures: median {statistics.median(rates):,.0f} "
        f"answers/s, {statistics.median(with_files):,.0f} from file to file, ratio to the notebook "
        f"{statistics.median(ratios):.2f}"
    )


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that `work` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Run what is asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {"ask": compare_asking, "parse": compare_parsing, "serve": serve}
    parser.add_argument("part", nargs="?", choices=list(parts), help="default: ask, then parse")
    chosen = parser.parse_args().part
    for part in [chosen] if chosen else ["ask", "parse"]:
        parts[part]()


if __name__ == "__main__":
    main()
