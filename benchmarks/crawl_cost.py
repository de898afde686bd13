"""Does the cost of a crawl grow with its documents and nothing else? Time per document and peak memory at each size.

  python benchmarks/crawl_cost.py --ntrex FOLDER --lexicons FOLDER --folder FOLDER --documents 10000 40000 160000

Makes one WET file of each size (benchmarks/make_wet.py) and runs the three steps of the workflow on it, each in a
process of its own: `split` (read, choose the language, keep by language), `collect` (the sample of one language) and
`count` (`icu`, both procedures) for that language. Absolute times depend on the machine; read what stays the same.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_wet import read_texts, write_wet_files

LANG = "deu"
DOCUMENTS_KEPT = 100_000
REPOSITORY = Path(__file__).parents[1]


def split(folder: Path, lexicons: Path) -> int:
    """Split the WET file; return its documents."""
    from textparity_studies.crawls import COUNTS_FILE, split_wet_file
    from textparity_studies.workflow.config import Tables
    from textparity_studies.workflow.registry import StudyRegistry

    rows = StudyRegistry(Tables().model_dump(), REPOSITORY).languages.values()
    codes = {code: row.lang for row in rows for code in (row.lang, row.icu_locale)}
    scripts = {row.lang: row.script for row in rows}
    table = REPOSITORY / "resources" / "registry" / "content_languages.tsv"
    split_wet_file(
        folder / "00000.warc.wet.gz", table, folder / "part", "bench", codes, scripts, DOCUMENTS_KEPT, seed=1
    )
    return json.loads((folder / "part" / COUNTS_FILE).read_text())["records"]


def collect(folder: Path, lexicons: Path) -> int:
    """Collect the sample of one language; return the documents read for it."""
    from textparity.corpora.reading import read_metadata
    from textparity_studies.crawls import collect_documents

    collect_documents([folder / "part"], folder / "texts.parquet", LANG, DOCUMENTS_KEPT)
    return read_metadata(folder / "texts.parquet")["documents"]


def count(folder: Path, lexicons: Path) -> int:
    """Count that sample with ICU; return its documents."""
    from textparity.corpora.reading import count_rows
    from textparity.counting.tokenizers import TokenizerChoice
    from textparity_studies.lexicon.counts import count_lexicon

    counts = folder / "counts.parquet"
    tokenizer = TokenizerChoice("icu", "de", split_sentences=True)
    count_lexicon([folder / "texts.parquet"], lexicons / f"{LANG}_nouns.json", [counts], ["crawl"], LANG, tokenizer)
    return count_rows(counts)


STEPS = {"split": split, "collect": collect, "count": count}


def run_step(name: str, folder: Path, lexicons: Path) -> dict[str, float]:
    """Run one step in a fresh process; return its documents, seconds of processor time and peak memory in MB."""
    command = [sys.executable, __file__, "--step", name, "--folder", str(folder), "--lexicons", str(lexicons)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure every size, or run one step (what `run_step` starts)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ntrex", type=Path)
    parser.add_argument("--lexicons", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 40_000, 160_000])
    parser.add_argument("--step", choices=STEPS)
    arguments = parser.parse_args()
    if arguments.step:
        start = time.process_time()
        documents = STEPS[arguments.step](arguments.folder, arguments.lexicons)
        seconds = time.process_time() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"documents": documents, "seconds": seconds, "memory_mb": memory}))
        return
    texts = read_texts(arguments.ntrex, None)
    print("documents  text_mb  step     ms/document  marginal  MB/s  peak_mb")
    before: dict[str, dict[str, float]] = {}
    for documents in arguments.documents:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
            folder = Path(name)
            size = write_wet_files(texts, documents, 1, folder)
            for step in STEPS:
                found = run_step(step, folder, arguments.lexicons)
                memory = found["memory_mb"]
                per_document = 1000 * found["seconds"] / found["documents"]
                speed = f"{size / 1e6 / found['seconds']:4.0f}" if step == "split" else "    "
                # Of the documents that the size before did not have: without what a process needs to start.
                last = before.get(step, {"seconds": 0.0, "documents": 0})
                more = found["documents"] - last["documents"]
                marginal = f"{1000 * (found['seconds'] - last['seconds']) / more:8.3f}" if step in before else " " * 8
                before[step] = found
                print(
                    f"{documents:9,}  {size / 1e6:7.0f}  {step:7s}  {per_document:11.3f}  {marginal}  {speed}  "
                    f"{memory:7.0f}",
                    flush=True,
                )
            shutil.rmtree(folder / "part")


if __name__ == "__main__":
    main()
