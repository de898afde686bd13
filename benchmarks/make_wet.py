"""WET files of any size from given texts, with the headers, digests and lengths of real ones.

  python benchmarks/make_wet.py --ntrex FOLDER [--news articles.csv] --documents 40000 --files 4 --out FOLDER

A document is lines drawn from the texts of one language: NTREX-128 (`newstest2019-*.txt`) and, for German, articles
of 10kGNAD. Of each 100 documents, one is a copy of another, and ten have no language in their header, as in the real
ones. Also writes `wet.paths.gz`, the list of the files.
"""

import argparse
import base64
import csv
import gzip
import hashlib
import random
import uuid
from collections.abc import Iterator
from pathlib import Path

# What CLD2, which writes the headers of WET files, calls languages that NTREX-128 names otherwise.
HEADER_CODES = {"zho-CN": "zho", "arb": "ara", "fas": "fas", "lav": "lav", "mon": "mon", "ckb-Arab": "kur"}
# Not the language of any document: other spellings and varieties of languages that are there already.
LEFT_OUT = ("zho-TW", "eng-GB", "eng-IN", "eng-US", "fra-CA", "por-BR", "spa-MX", "srp-Latn")
SEED = 20231206
LINES = (5, 60)


def read_texts(ntrex: Path, news: Path | None) -> dict[str, list[str]]:
    """Return lines of text by language code of the header."""
    texts: dict[str, list[str]] = {}
    for path in sorted(ntrex.glob("newstest2019-*.txt")):
        code = path.stem.removeprefix("newstest2019-").removeprefix("ref.").removeprefix("src.")
        if code not in LEFT_OUT:
            texts[HEADER_CODES.get(code, code[:3])] = path.read_text("utf-8").splitlines()
    if news:
        with news.open(encoding="utf-8", newline="") as file:
            articles = csv.reader(file, delimiter=";", quotechar="'")
            texts["deu"] += [line for row in articles for line in row[1].split(". ")]
    return texts


def make_documents(texts: dict[str, list[str]], number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (header, text); lengths vary tenfold, about 4 kB on average in Latin letters."""
    generator = random.Random(seed)
    codes = sorted(texts)
    last = ("eng", "Nothing.")
    for place in range(number):
        if place % 100 != 99:
            code = generator.choice(codes)
            lines = generator.choices(texts[code], k=generator.randint(*LINES))
            last = (code if place % 10 else "", "\n".join(lines))
        yield last


def record(header: str, text: str, generator: random.Random) -> bytes:
    """Return one compressed record as Common Crawl writes it."""
    raw = text.encode()
    digest = base64.b32encode(hashlib.sha1(raw).digest()).decode()
    record_id = uuid.UUID(int=generator.getrandbits(128), version=4)
    language = f"WARC-Identified-Content-Language: {header}\r\n" if header else ""
    head = (
        "WARC/1.0\r\nWARC-Type: conversion\r\n"
        f"WARC-Target-URI: https://example.org/{record_id}\r\nWARC-Date: 2022-12-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{record_id}>\r\nWARC-Block-Digest: sha1:{digest}\r\n{language}"
        f"Content-Type: text/plain\r\nContent-Length: {len(raw)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + raw + b"\r\n\r\n", compresslevel=1, mtime=0)


def write_wet_files(texts: dict[str, list[str]], documents: int, files: int, out: Path, seed: int = SEED) -> int:
    """Write `files` files with `documents` documents in all; return the size of their texts in bytes."""
    out.mkdir(parents=True, exist_ok=True)
    ids = random.Random(seed)
    size = 0
    paths = [out / f"{number:05d}.warc.wet.gz" for number in range(files)]
    for number, path in enumerate(paths):
        share = documents // files + (number < documents % files)
        with path.open("wb") as file:
            for header, text in make_documents(texts, share, seed + number):
                size += len(text.encode())
                file.write(record(header, text, ids))
    with gzip.open(out / "wet.paths.gz", "wt", encoding="utf-8") as listing:
        listing.writelines(f"{path}\n" for path in paths)
    return size


def main() -> None:
    """Write the files that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ntrex", type=Path, required=True)
    parser.add_argument("--news", type=Path)
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    texts = read_texts(arguments.ntrex, arguments.news)
    size = write_wet_files(texts, arguments.documents, arguments.files, arguments.out)
    print(f"{arguments.documents:,} documents in {len(texts)} languages, {size / 1e6:,.0f} MB of text")


if __name__ == "__main__":
    main()
