"""Draw matches of a lexicon to be judged in their sentences, and record what was judged.

    python tools/sample_matches.py draw RESULTS LEXICON LANG [--half development] > drawn.tsv
    python tools/sample_matches.py record judged.tsv

RESULTS is a results folder with NTREX and FLORES of the language. The judge fills in person (yes, no), gender
(feminine, masculine, unspecified; - where it is no person), reason and note, and looks at no other file. A match is
drawn once: those recorded earlier count as the development half afterwards, as what was learnt from them may be in the
lexicon.
"""

import argparse
import csv
import sys
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from textparity.corpora.rows import read_rows
from textparity.files import write_text
from textparity.measures.lexicon import read_lexicon
from textparity.measures.precision import COLUMNS, read_judgements
from textparity.measures.revision import revised_terms
from textparity.measures.terms import CLASSES, Term, TermMatcher
from textparity.measures.tokenizers import load_tokenizer
from textparity.tsv import read_tsv
from textparity.workflow.registry import Registry, Tables

REPOSITORY = Path(__file__).parents[1]
GOLD = REPOSITORY / "resources" / "lexicons" / "precision.tsv"
NUMBERS = {"feminine": 25, "masculine": 25, "unspecified": 10}
BESIDES = ("sentence",)


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("draw")
    one.add_argument("results", type=Path)
    one.add_argument("lexicon")
    one.add_argument("lang")
    one.add_argument("--half", choices=("development", "kept"), default="kept")
    one.set_defaults(run=draw)
    one = commands.add_parser("record")
    one.add_argument("judged", type=Path)
    one.set_defaults(run=record)
    arguments = vars(parser.parse_args())
    arguments.pop("run")(**arguments)


def draw(results: Path, lexicon: str, lang: str, half: str) -> None:
    """Print a sample of each class from the sentences of one half."""
    judged = [row for row in read_tsv(GOLD, COLUMNS) if row["lang"] == lang]
    seen = {row["id"] for row in judged if row["lexicon"] == lexicon or row["half"] == "development"}
    matcher, cut = TermMatcher(terms_of(results, lexicon, lang)), load_tokenizer(registry().tokenizer(lang, "icu"))
    found: dict[str, list[dict[str, str]]] = {name: [] for name in CLASSES}
    for corpus in ("ntrex", "flores"):
        path = results / "corpora" / corpus / f"{lang}.parquet"
        for text in read_rows(path).to_pylist() if path.is_file() else ():
            if text["id"] in seen or (crc32(text["id"].encode()) % 2 == 0) != (half == "development"):
                continue
            sentences = next(iter(cut.cut([text["text"]])))
            tokens = [token for sentence in sentences for token in sentence]
            for match in matcher.match(sentences, text["text"]):
                if len(match.classes) == 1:
                    (name,) = match.classes
                    # Where a form stands twice, the words before it tell which is meant.
                    context = " ".join(tokens[max(0, match.start - 3) : match.start])
                    found[name].append(
                        dict.fromkeys((*COLUMNS, *BESIDES), "")
                        | {"lexicon": lexicon, "lang": lang, "corpus": corpus, "id": text["id"], "form": match.form}
                        | {"class": name, "half": half, "sentence": f"[{context} …] {' '.join(text['text'].split())}"}
                    )
    writer = csv.DictWriter(
        sys.stdout, (*COLUMNS, *BESIDES), delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
    )
    writer.writeheader()
    drawn = [row for name in CLASSES for row in sorted(found[name], key=chance)[: NUMBERS[name]]]
    # Classes mixed, so that a judge does not run on.
    writer.writerows(sorted(drawn, key=chance))


def chance(row: dict[str, str]) -> bytes:
    """Return the place of a match in the draw."""
    return sha256("\t".join(row[name] for name in ("lexicon", "id", "form", "sentence")).encode()).digest()


def registry() -> Registry:
    """Return the registry of the repository."""
    return Registry({name: str(REPOSITORY / path) for name, path in Tables().model_dump().items()}, base=REPOSITORY)


def terms_of(results: Path, lexicon: str, lang: str) -> list[Term]:
    """Return the terms of a lexicon that revises another, without first names."""
    rows = registry()
    published = results.parent / rows.lexicon_file(rows.lexicons[lexicon].revises, lang).path
    return revised_terms(read_lexicon(published), Path(rows.revision_file(lexicon, lang)))


def record(judged: Path) -> None:
    """Add judged matches to the gold file; earlier kept ones of the same lexicon and language become development."""
    new = read_tsv(judged, (*COLUMNS, *BESIDES))
    again = {(row["lexicon"], row["lang"]) for row in new}
    rows = read_tsv(GOLD, COLUMNS)
    for row in rows:
        if (row["lexicon"], row["lang"]) in again:
            row["half"] = "development"
    for row in new:
        if row["person"] not in ("yes", "no") or (row["person"] == "yes") != (row["gender"] in CLASSES):
            sys.exit(f"{judged}: {row['id']} {row['form']}: person {row['person']!r}, gender {row['gender']!r}")
        row["right"] = "yes" if row["gender"] == row["class"] else "no"
        rows.append({name: row[name] for name in COLUMNS})
    lines = ["\t".join(COLUMNS), *("\t".join(row.values()) for row in rows)]
    write_text(GOLD, "\n".join(lines) + "\n")
    print(f"{len(new)} matches, {len(read_judgements(GOLD))} in {GOLD.name}")


main()
