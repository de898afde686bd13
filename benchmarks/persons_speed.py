"""The method persons against the method words, people against mentions, and asking a model, in one process run.

  python benchmarks/persons_speed.py TEXTS LANG [--pipeline NAME] [--ask MODEL]

TEXTS has one text a line, such as an NTREX-128 file. The model (a row of the language models table; in Spanish or
Catalan, as the prompts are) is asked about the first lines alone, as `representation` asks. Times are of the
processor, but that of asking; those of a shared machine vary, so read the ratios. Words are those of the icu engine.
Counting after the pipeline is measured on one batch, in which the mentions are found already.
"""

import argparse
import os
import resource
import statistics
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

from textparity.auditing.audit import audit
from textparity.auditing.languages import PACKAGE_FOLDER, fetch_cached, load_registry
from textparity.auditing.settings import make_settings
from textparity.auditing.tallying import read_batch, tally_read_batch
from textparity.reading.documents import Texts
from textparity_studies.llm.answering import Asking, Questions, TaggingPrompt, ask
from textparity_studies.llm.local import serving
from textparity_studies.llm.models import load_models

REPEATS = 5
TEXTS_ASKED = 20


def seconds_of_asking(texts: list[str], lang: str, model: str) -> float:
    """Return how long a model takes to answer about texts; a local server is there when the clock starts."""
    registry = load_registry()
    row = load_models(PACKAGE_FOLDER / "resources/registry/language_models.tsv")[model]
    parts = registry.prompt_files("tag_words", lang, row.mode).items()
    files = {part: fetch_cached(file) if file.url else Path(file.path) for part, file in parts}
    with tempfile.TemporaryDirectory() as folder, serving(row) as address:
        row = replace(row, base_url=address)
        prompt = TaggingPrompt(row, files["prompt"], files["examples"], files.get("system"))
        asking = Asking(asdict(row), os.path.join(folder, "answers.sqlite"))
        begun = time.perf_counter()
        questions = Questions(({"id": text}, prompt.request(text, 0)) for text in texts)
        assert all(cells["answer"] is not None for batch in ask(questions, asking, []) for cells in batch)
        return time.perf_counter() - begun


def print_ratio(name: str, slow: list[float], fast: list[float]) -> None:
    """Print the median of the ratios of two lists of times, and their range."""
    ratios = [one / other for one, other in zip(slow, fast, strict=True)]
    print(f"time of {name}: {statistics.median(ratios):.3g} ({min(ratios):.3g} to {max(ratios):.3g})")


def time_counting(texts: list[str], lang: str, pipeline: str) -> dict[str, list[float]]:
    """Measure how long counting takes once the mentions are found, by what is counted."""
    portion = Texts(range(len(texts)), texts, are_parts=True)
    seconds: dict[str, list[float]] = {"people": [], "mentions": []}
    settings = {count: make_settings(method="persons", pipeline=pipeline, count=count) for count in seconds}
    read = read_batch(settings["mentions"], lang, portion)
    for _ in range(REPEATS):
        for count, times in seconds.items():
            begun = time.process_time()
            tally_read_batch(settings[count], "", portion, read, {})
            times.append(time.process_time() - begun)
    return seconds


def main() -> None:
    """Print words per second and median ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("lang")
    parser.add_argument("--pipeline", default="")
    parser.add_argument("--ask", metavar="MODEL", default="")
    options = parser.parse_args()
    texts = options.texts.read_text("utf-8").splitlines()
    persons = {"method": "persons", "pipeline": options.pipeline}
    ways = {"words": {}, "mentions": persons | {"count": "mentions"}, "people": persons | {"count": "people"}}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    words = 0
    for settings in ways.values():
        # Lexicons and pipelines are loaded once.
        audit(texts[:100], lang=options.lang, **settings)
    for _ in range(REPEATS):
        for name, settings in ways.items():
            begun = time.process_time()
            words = audit(texts, lang=options.lang, resamples=100, **settings).words
            seconds[name].append(time.process_time() - begun)
    for name, values in seconds.items():
        print(f"{name}: {words / statistics.median(values):,.0f} words/s")
    print_ratio("mentions / words", seconds["mentions"], seconds["words"])
    print_ratio("people / mentions", seconds["people"], seconds["mentions"])
    counting = time_counting(texts, options.lang, options.pipeline)
    print_ratio("counting people / counting mentions", counting["people"], counting["mentions"])
    print_ratio("counting mentions / mentions", counting["mentions"], seconds["mentions"])
    if options.ask:
        some = texts[:TEXTS_ASKED]
        asked = audit(some, lang=options.lang, resamples=100).words / seconds_of_asking(some, options.lang, options.ask)
        per_second = words / statistics.median(seconds["mentions"])
        print(f"{options.ask}: {asked:,.1f} words/s; time of asking / persons: {per_second / asked:,.0f}")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
