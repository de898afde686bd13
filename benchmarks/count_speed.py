"""Ours against the paper's own loop, in one process run: same texts, same tokens (asserted), ratios and memory.

  python benchmarks/count_speed.py --ntrex FOLDER --lexicons FOLDER --stanza FOLDER --nltk FOLDER

The folders are the NTREX-128 texts, the GENDER-GAP lexicons (both under results/sources after a run), Stanza's
resources and NLTK's data. Absolute times depend on the machine and its neighbours; read the ratios.
"""

import argparse
import json
import resource
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from textparity.corpora.reading import read_corpus
from textparity.counting.lexicon import Lexicon, read_lexicon
from textparity.counting.text_counter import count_texts
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.sources.model_files import NLTK_PACKAGE, ModelRecord, find_stanza_model
from textparity_studies.lexicon.counts import count_lexicon

REPEATS = 7
CLASSES = ("feminine", "masculine", "unspecified")


def paper_loop(lines: list[str], cut: Callable[[str], list[str]], forms: dict[str, Counter]) -> tuple[list, int]:
    """Count as the paper does: one call a line; per class, the line's types intersected with the class's forms."""
    tokens_of, found = [], 0
    for line in lines:
        tokens = cut(line.strip().lower())
        for name in CLASSES:
            counted = Counter(tokens)
            found += sum(counted[form] for form in set(counted) & set(forms[name]))
        for name in ("masculine", "feminine"):
            [int(token in forms[name]) for token in tokens]
        tokens_of.append(tokens)
    return tokens_of, found


def compare(
    name: str,
    lines: list[str],
    lexicon: Path,
    cut: Callable[[str], list[str]],
    choice: TokenizerChoice,
    model: Path,
) -> None:
    """Print the ratio of the paper's time to ours on the same lines, after asserting equal tokens and counts."""
    entries = read_lexicon(lexicon)
    forms = {
        of_class: Counter(entry.form.lower() for entry in entries if entry.gender_class == of_class)
        for of_class in CLASSES
    }
    words = Lexicon(entries)
    tokenizer = load_tokenizer(choice, model)
    first = choice.kind == "stanza"
    ours_cut = [sentences[0] for sentences in tokenizer.cut([line.strip() for line in lines])]
    theirs_cut, found = paper_loop(lines, cut, forms)
    assert ours_cut == theirs_cut, "tokens differ"
    counts = [of_text["published"] for of_text in count_texts(lines, tokenizer, words, first)]
    assert sum(len(match.classes) for count in counts for match in count.matches) == found, "counts differ"
    tokens = sum(map(len, theirs_cut))
    ratios = []
    for _ in range(REPEATS):
        tokenizer = load_tokenizer(choice, model)
        theirs = timed(lambda: paper_loop(lines, cut, forms))
        ours = timed(lambda tokenizer=tokenizer: count_texts(lines, tokenizer, words, first))
        ratios.append(theirs / ours)
        print(
            f"  {name}: paper {tokens / theirs:9,.0f} tokens/s, ours {tokens / ours:9,.0f}, ratio {theirs / ours:.2f}"
        )
    print(f"{name}: {tokens:,} tokens, median ratio {statistics.median(ratios):.2f}")


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that `work` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def memory(lines: list[str], lexicon: Path) -> None:
    """Print the peak memory of reading and counting files ten times larger each (peaks only ever grow)."""
    with tempfile.TemporaryDirectory() as folder:
        for times in (1, 10, 100):
            text, rows, counts = (Path(folder) / name for name in ("texts.txt", "texts.parquet", "counts.parquet"))
            with text.open("w", encoding="utf-8") as file:
                for _ in range(times):
                    file.writelines(f"{line}\n" for line in lines)
            read_corpus(text, rows, "benchmark", "eng")
            count_lexicon(
                [rows],
                lexicon,
                [counts],
                ["benchmark"],
                "eng",
                TokenizerChoice("icu", "en", split_sentences=True),
            )
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"icu, {times * len(lines):,} texts ({text.stat().st_size / 1e6:.0f} MB): peak memory {peak:.0f} MB")


def read_lines(folder: Path, name: str) -> list[str]:
    """Return the lines of one NTREX file, without their ends."""
    return (folder / f"newstest2019-{name}.txt").read_bytes().decode("utf-8").replace("\r\n", "\n").splitlines()


def records(stanza_folder: str, nltk_folder: str, folder: Path) -> Iterator[Path]:
    """Yield the model records of English Stanza and of NLTK, written to `folder`."""
    for name, record in (
        ("en", find_stanza_model(stanza_folder, "en")),
        ("nltk", ModelRecord("nltk", "english", NLTK_PACKAGE, "", nltk_folder, stand_in=False)),
    ):
        path = folder / f"{name}.json"
        path.write_text(json.dumps(asdict(record)), encoding="utf-8")
        yield path


def main() -> None:
    """Run all comparisons and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ntrex", "lexicons"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("stanza", "nltk"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    lexicon = {lang: options.lexicons / f"{lang}_nouns.json" for lang in ("eng", "kat", "tgl")}
    english = read_lines(options.ntrex, "src.eng")
    memory(english, lexicon["eng"])
    with tempfile.TemporaryDirectory() as folder:
        stanza_record, nltk_record = records(options.stanza, options.nltk, Path(folder))
        import nltk
        import stanza
        import torch

        torch.set_num_threads(1)
        nltk.data.path.insert(0, options.nltk)
        for name, lang in (("ref.kat", "kat"), ("ref.fil", "tgl")):
            compare(
                f"NLTK {lang}", read_lines(options.ntrex, name), lexicon[lang], nltk.word_tokenize,
                TokenizerChoice("nltk", ""), nltk_record,
            )  # fmt: skip
        pipeline = stanza.Pipeline("en", processors="tokenize", dir=options.stanza, download_method=None, verbose=False)
        compare(
            "Stanza eng", english, lexicon["eng"],
            lambda line: [word.text for word in pipeline(line).sentences[0].words],
            TokenizerChoice("stanza", "en", expand_words=True), stanza_record,
        )  # fmt: skip


if __name__ == "__main__":
    main()
