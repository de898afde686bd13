"""Any input with any options ends with an exit code from 0 to 4 and no traceback, and no text is lost in silence.

HYPOTHESIS_MAX_EXAMPLES sets how many inputs each test tries; they follow from `SEED`.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import operator
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from lexicons import WITH_NOUNS

from textparity.command import main

SEED = 35
# A run of the audit takes a hundred times as long as other properties.
FEW = settings(max_examples=settings.default.max_examples if "HYPOTHESIS_MAX_EXAMPLES" in os.environ else 40)
PACKED = {
    "": (bytes, bytes),
    ".gz": (gzip.compress, gzip.decompress),
    ".bz2": (bz2.compress, bz2.decompress),
    ".xz": (lzma.compress, lzma.decompress),
    ".zst": (
        lambda raw: pa.compress(raw, codec="zstd", asbytes=True),
        lambda raw: pa.input_stream(io.BytesIO(raw), compression="zstd").read(),
    ),
}
NAMES = [
    "a",
    "ä ö",
    "-x",
    "c{x}",
    "a:eng",
    "a\x1b[31m",
    "[a]*",
    "\udce9",
    "a\n",
    "\u202eb",
    "%s",
    "x" * 200,
    "#",
    "a,b",
]
ENCODINGS = [
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "cp1252",
    "gb18030",
    "utf-7",
    "unicode_escape",
    "idna",
    "rot13",
    "",
    "x",
]
ABSURD = ["-1", "nan", "inf", "-inf", "1e400", "1e-400", "9" * 30, "9" * 5000, "", "0x10", "٣"]
NUMBERS = st.one_of(st.sampled_from(["0", "1", "2", "7", "0.5"]), st.sampled_from(ABSURD))
MADE = [
    "The woman met a man.", "La mujer y el hombre", "", " ", "女人和男人", "der Mann, die Frau", "\ufeff\u200f\u0301",
    "a\0b", "{}", "[1", '"', "1,2\t3;", "<![foo[ x", "<p hidden>he", "she/he", "\u2028woman\x85", "﷽" * 99,
    "\U0001f469\u200d\U0001f467", "\r\n\r", "=1+1", "version https://git-lfs.github.com/spec/",
]  # fmt: skip
TEXTS = st.one_of(st.sampled_from(MADE), st.text(max_size=30))
# What a field may have, and how many texts that is.
OTHERS = [(None, 1), (7, 1), ({}, 1), ([], 0), (["A woman.", None], 2), (True, 1), (10**400, 1), (1e308, 1)]
VALUES = st.one_of(TEXTS.map(lambda text: (text, 1)), TEXTS.map(lambda text: (text, 1)), st.sampled_from(OTHERS))
CONDITIONS = st.one_of(
    st.sampled_from(["matches > 0", "women_share < 30", "verdict == 'feminine'", "lang == 'en' # x", "not " * 99]),
    st.builds("{} {} {}".format, st.sampled_from(["matches", "gap", "1"]), st.sampled_from(["<", "==", "in"]), NUMBERS),
    st.text(max_size=9),
)  # fmt: skip


def option(name, values):
    """Return a strategy of an option with one of the values, or without one."""
    values = st.sampled_from(values) if isinstance(values, list) else values
    return values.map(lambda value: (name, value))


OPTION = st.one_of(
    *(
        option(name, NUMBERS)
        for name in (
            "--max-samples",
            "--minimum-certainty",
            "--seed",
            "--examples",
            "--top",
            "--min-size",
            "--max-groups",
        )
    ),
    option("--encoding", ENCODINGS),
    option("--fail-if", CONDITIONS),
    option("--group-by", ["g", "text", "g.h"]),
    option("--lang-field", ["g", "text", "no"]),
    option("--field", ["g", "text.a", "no", "\0", "\udcff"]),
    option("--text-unit", ["paragraph", "document"]),
    option("--detect", ["file"]),
    option("--delimiter", [";", "tab", "\0", "é", "ab"]),
    option("--lang", ["de", "zho", "xx", "eng,deu", "\udcff"]),
    option("--exclude-words", TEXTS),
    option("--include-words", TEXTS.map("feminine:{}".format)),
    *(st.just((flag,)) for flag in ("--strip-html", "--per-file", "--skip-failed", "--allow-empty", "--quiet")),
)
# Most texts are too short for their language to be detected.
OPTIONS = st.builds(operator.add, st.sampled_from([[], [("--lang", "eng")]]), st.lists(OPTION, max_size=2))


def run(*arguments, read=b""):
    """Return the exit code of a command, what it printed and what it said."""
    streams = {
        "stdin": io.TextIOWrapper(io.BufferedReader(io.BytesIO(read))),
        "stdout": io.TextIOWrapper(io.BytesIO(), "ascii", newline=""),
        "stderr": io.TextIOWrapper(io.BytesIO(), "ascii", "backslashreplace"),
    }
    with mock.patch.multiple(sys, **streams):
        try:
            code = main(list(arguments))
        except SystemExit as left:
            code = left.code
        for name in ("stdout", "stderr"):
            streams[name].flush()
    printed, said = (streams[name].buffer.getvalue().decode("utf-8", "replace") for name in ("stdout", "stderr"))
    assert code in range(5), (code, said)
    assert "Traceback" not in said
    assert said or code in (0, 3), "an error says what is wrong"
    return code, printed, said


def audited(printed):
    """Return how many texts a printed result accounts for: counted, or left out by a reason."""
    found = json.loads(printed)
    return sum(row["texts"] for row in found["rows"] if not row.get("group")) + sum(
        row["number"] for row in found["left_out"] if row["what"] == "texts"
    )


def write_lines(texts):
    lines = [" ".join((value if isinstance(value, str) else "x").split()).replace("\0", "") for value, _ in texts]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"), len(lines)


def write_jsonl(texts):
    records = [{"text": value, "g": number} for number, (value, _) in enumerate(texts)]
    return "\n".join(map(json.dumps, records)).encode(), sum(number for _, number in texts)


def write_json(texts):
    return json.dumps([{"text": value, "g": str(value)[:3]} for value, _ in texts]).encode(), sum(n for _, n in texts)


def write_csv(texts, dialect="excel"):
    file = io.StringIO(newline="")
    writer = csv.writer(file, dialect)
    writer.writerows(
        [("g", "text"), *((number, str(value).replace("\0", "")) for number, (value, _) in enumerate(texts))]
    )
    return file.getvalue().encode("utf-8", "replace"), len(texts)


def write_tsv(texts):
    lines, number = write_lines(texts)
    return b"".join([b"g\ttext\n", *(b"1\t%s\n" % line for line in lines.split(b"\n")[:-1])]), number


def write_parquet(texts):
    file = io.BytesIO()
    column = [str(value).encode("utf-8", "replace").decode() if value is not None else None for value, _ in texts]
    pq.write_table(pa.table({"text": pa.array(column, pa.string()), "g": list(range(len(texts)))}), file)
    return file.getvalue(), len(texts)


def write_html(texts):
    return "".join(f"<p>{value}" for value, _ in texts).encode("utf-8", "replace"), 1


def write_warc(texts):
    heads = ["Content-Type: text/html", "Content-Type: text/html; charset=unicode_escape", "Content-Type: image/png",
             "Content-Type: text/html; charset=cp1252\r\nContent-Encoding: br", "X: y"]  # fmt: skip
    records = []
    for number, (value, _) in enumerate(texts):
        body = f"HTTP/1.1 200 OK\r\n{heads[number % len(heads)]}\r\n\r\n<p>{value}".encode("utf-8", "replace")
        if number % 2:
            body += b"\xe9"
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        records.append(head.encode() + body + b"\r\n\r\n")
    return b"".join(records), len(records)


WRITERS = {".txt": write_lines, ".jsonl": write_jsonl, ".json": write_json, ".csv": write_csv, ".tsv": write_tsv,
           ".parquet": write_parquet, ".html": write_html, ".warc": write_warc}  # fmt: skip
# With these, a text is not what was written as one.
REGROUPING = {"--text-unit", "--encoding", "--field", "--delimiter", "--max-samples"}


def is_counted(code, options, said, path):
    """Whether each text must be in the result: no usage error, no file that was skipped as a whole."""
    return code != 2 and not REGROUPING & {name for name, *_ in options} and f"skipped: {path}" not in said


@FEW
@seed(SEED)
@given(
    st.sampled_from([*WRITERS]),
    st.lists(VALUES, max_size=6),
    st.sampled_from([*PACKED]),
    st.sampled_from(NAMES),
    OPTIONS,
)
def test_what_was_given_is_counted_or_named(format, values, packing, name, options):
    raw, expected = WRITERS[format](values)
    with TemporaryDirectory() as folder:
        packing *= format != ".parquet"
        path = Path(folder, f"{name}{format}{packing}")
        path.write_bytes(PACKED[packing][0](raw))
        flags = ["=".join(one) for one in options]
        code, printed, said = run("audit", str(path), "--write", "json=-", "--on-error", "skip", *WITH_NOUNS, *flags)
        if is_counted(code, options, said, path):
            assert audited(printed) == expected, said


@FEW
@seed(SEED)
@given(
    st.sampled_from([*WRITERS]), st.lists(VALUES, min_size=1, max_size=6), st.sampled_from([*PACKED]), st.booleans(),
    st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=4), st.integers(0, 3)), min_size=1, max_size=4),
    OPTIONS,
)  # fmt: skip
def test_what_is_damaged_is_read_or_named(format, values, packing, is_packed_after, changes, options):
    pack, unpack = PACKED[packing]
    raw = WRITERS[format](values)[0]
    raw = bytearray(raw if is_packed_after else pack(raw))
    for place, put, cut in changes:
        place %= len(raw) + 1
        raw[place : place + cut] = put
    raw = pack(bytes(raw)) if is_packed_after else bytes(raw)
    with TemporaryDirectory() as folder:
        path = Path(folder, f"a{format}{packing}")
        path.write_bytes(raw)
        flags = ["=".join(one) for one in options]
        code, printed, said = run("audit", str(path), "--write", "json=-", "--on-error", "skip", *WITH_NOUNS, *flags)
        run("audit", "-", f"--format={format[1:].replace('txt', 'text')}", *WITH_NOUNS, *flags, read=raw)
        if format == ".txt" and is_packed_after and is_counted(code, options, said, path):
            lines = unpack(raw).removesuffix(b"\n").split(b"\n")
            assert audited(printed) == len(lines) if unpack(raw) else 0, said


@FEW
@seed(SEED)
@given(st.lists(st.lists(TEXTS, max_size=4), min_size=2, max_size=3), st.booleans(), OPTIONS)
def test_comparing_and_merging_end_with_a_message_or_a_result(corpora, is_paired, options):
    flags = ["=".join(one) for one in options]
    with TemporaryDirectory() as folder:
        files = [str(Path(folder, f"{number}.jsonl")) for number in range(len(corpora))]
        for file, texts in zip(files, corpora, strict=True):
            Path(file).write_bytes(write_jsonl([(text, 1) for text in texts])[0])
        run("compare", *files, *WITH_NOUNS, *["--paired"] * is_paired, *flags)
        parts = [f"{file}.part" for file in files]
        codes = [
            run("audit", file, *WITH_NOUNS, "--write", f"part={part}", *flags)[0]
            for file, part in zip(files, parts, strict=True)
        ]
        if 2 not in codes:
            merged = run("merge", *parts, "--write", "json=-", "--min-size=0")
            assert audited(merged[1]) == sum(map(len, corpora)) or REGROUPING & {name for name, *_ in options}
