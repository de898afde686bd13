"""Draw matches of a lexicon to be judged in their sentences, and record what was judged.

    python tools/sample_matches.py draw LEXICON LANG [--half development] [--layers LAYER …] [--by corpus] [--number N]
        [--corpora CORPUS …] > drawn.tsv
    python tools/sample_matches.py record judged.tsv [--learnt LAYER …]

Matches are from NTREX and FLORES unless --corpora says otherwise. Without --layers they are nouns, 25 feminine, 25
masculine and 10 unspecified ones; with --layers they are feminine and masculine ones, N in all, spread evenly over
layers and genders, or --by corpus over corpora and genders, so that each layer has its share of what is counted. The
judge fills in person (yes, no), gender (feminine, masculine, unspecified; - where it is no person), reason, note and
annotator, and looks at no other file. A match is drawn once. Those of the --learnt layers (all unless it is given) that
were recorded earlier count as the development half afterwards, as what was learnt from them is in the lexicon.
"""

import argparse
import csv
import sys
from hashlib import sha256
from itertools import islice, zip_longest
from pathlib import Path

from judged_matches import read_rows, write_rows
from parallel_texts import half_of, load_study_registry, load_terms, read_lines
from textparity.auditing.reliability import PARALLEL_TEXTS
from textparity.counting import CLASSES, GENDERS
from textparity.counting.name_rules import load_name_rules
from textparity.counting.names import find_mentions
from textparity.counting.precision import GENDERED_LAYERS, JUDGEMENT_COLUMNS, NOBODY, judgements_file
from textparity.counting.terms import TermMatcher
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import FetchError, MissingResourceError
from textparity.files import read_tsv
from textparity.folding import load_folding

NUMBERS = {"feminine": 25, "masculine": 25, "unspecified": 10}
# The columns of a sheet that a judge fills in.
SHEET = ("lang", *JUDGEMENT_COLUMNS, "sentence")


def main() -> None:
    """Run the command that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("draw")
    one.add_argument("lexicon")
    one.add_argument("lang")
    one.add_argument("--half", choices=("development", "kept"), default="kept")
    one.add_argument("--layers", nargs="+", choices=GENDERED_LAYERS)
    one.add_argument("--by", choices=("layer", "corpus"), default="layer")
    one.add_argument("--number", type=int, default=40)
    one.add_argument("--corpora", nargs="+", default=list(PARALLEL_TEXTS))
    one.set_defaults(run=draw)
    one = commands.add_parser("record")
    one.add_argument("judged", type=Path)
    one.add_argument("--learnt", nargs="*", choices=GENDERED_LAYERS, default=list(GENDERED_LAYERS))
    one.set_defaults(run=record)
    arguments = vars(parser.parse_args())
    arguments.pop("run")(**arguments)


def draw(
    lexicon: str, lang: str, half: str, layers: list[str] | None, by: str, number: int, corpora: list[str]
) -> None:
    """Print a sample from the sentences of one half."""
    wanted = layers or ["nouns"]
    judged = [row for row in read_rows(lang) if row["layer"] in wanted]
    seen = {row["id"] for row in judged if lexicon in row["lexicons"].split() or row["half"] == "development"}
    folding = load_folding(lang)
    matcher = TermMatcher(load_terms(lang), GENDERED_LAYERS, folding, load_name_rules(lang))
    cut = load_tokenizer(load_study_registry().tokenizer(lang, "icu"))
    found: dict[tuple[str, str], list[dict[str, str]]] = {}
    for corpus in corpora:
        try:
            texts = read_lines(corpus, lang) if load_study_registry().corpus_has(corpus, lang) else []
        except (FetchError, MissingResourceError) as error:
            print(error, file=sys.stderr)
            continue
        for place, text in enumerate(texts, start=1):
            name = f"{corpus}/{place:06d}"
            if name in seen or half_of(name) != half:
                continue
            text = folding.fold(text)
            sentences = next(iter(cut.cut([text])))
            tokens = [token for sentence in sentences for token in sentence]
            # Count as an audit does: a full name is one mention, and surnames are included.
            for match in (mention.match for mention in find_mentions(matcher, sentences, text)):
                if len(match.classes) == 1 and match.layer in wanted:
                    (gender_class,) = match.classes
                    # If a form occurs twice, the words before it show which one is meant.
                    context = " ".join(tokens[max(0, match.start - 3) : match.start])
                    cell = corpus if by == "corpus" else match.layer
                    found.setdefault((cell, gender_class), []).append(
                        dict.fromkeys(SHEET, "")
                        | {"lexicons": lexicon, "lang": lang, "id": name, "form": match.form}
                        | {"class": gender_class, "layer": match.layer, "half": half}
                        | {"sentence": f"[{context} …] {' '.join(text.split())}"}
                    )
    writer = csv.DictWriter(
        sys.stdout,
        SHEET,
        delimiter="\t",
        lineterminator="\n",
        quoting=csv.QUOTE_NONE,
        quotechar=None,
    )
    writer.writeheader()
    ranked = {cell: sorted(rows, key=chance) for cell, rows in found.items()}
    if layers:
        groups = corpora if by == "corpus" else layers
        cells = [ranked.get((group, gender), []) for group in groups for gender in GENDERS]
        # Take one match of each cell in turn, so that the others make up for a small cell.
        turns = (row for turn in zip_longest(*cells) for row in turn if row)
        drawn = list(islice(turns, number))
    else:
        drawn = [row for name in CLASSES for row in ranked.get(("nouns", name), [])[: NUMBERS[name]]]
    # Classes are mixed, so that a judge does not fall into a routine.
    writer.writerows(sorted(drawn, key=chance))


def chance(row: dict[str, str]) -> bytes:
    """Compute the pseudo-random place of a match in the draw."""
    return sha256("\t".join(row[name] for name in ("lexicons", "id", "form", "sentence")).encode()).digest()


def record(judged: Path, learnt: list[str]) -> None:
    """Add judged matches to their tables; matches of the `learnt` layers kept earlier move to the development half."""
    by_lang: dict[str, list[dict[str, str]]] = {}
    for row in read_tsv(judged, SHEET):
        if row["gender"] not in (*CLASSES, NOBODY):
            sys.exit(f"{judged}: {row['id']} {row['form']}: gender {row['gender']!r}")
        by_lang.setdefault(row["lang"], []).append(row)
    for lang, new_rows in by_lang.items():
        rows = read_rows(lang)
        move_to_development(rows, {(row["lexicons"], row["layer"]) for row in new_rows if row["layer"] in learnt})
        rows += new_rows
        write_rows(lang, rows)
        print(f"{len(new_rows)} matches, {len(rows)} in {judgements_file(lang)}")


def move_to_development(rows: list[dict[str, str]], learnt: set[tuple[str, str]]) -> None:
    """Mark the matches of `learnt`, pairs of lexicon and layer, as those of the development half."""
    for row in rows:
        if any((lexicon, row["layer"]) in learnt for lexicon in row["lexicons"].split()):
            row["half"] = "development"


if __name__ == "__main__":
    main()
