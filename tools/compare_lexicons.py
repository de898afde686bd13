"""Compare textparity_v2 with textparity_v1: draw the matches that only one of them finds, to be read, and tabulate.

    python tools/compare_lexicons.py draw FOLDER [LANG …]
    python tools/compare_lexicons.py take FOLDER [LANG …]
    python tools/compare_lexicons.py sample [LANG …]
    python tools/compare_lexicons.py table BEFORE AFTER

`draw` writes up to 25 random matches of women and men of each lexicon in the kept half of NTREX-128 and FLORES-200 to
FOLDER/LANG.tsv, mixed and without the name of the lexicon, so that a reader cannot favour one. The reader fills in
`gender`: that of the person meant (feminine, masculine or unspecified), or - if none is meant. `take` adds what was
read to resources/lexicons/lexicon_differences.tsv, with the lexicon that found it. `sample` makes the
sample of textparity_v2 in resources/lexicons/precision/ anew: the matches of textparity_v1 that were judged and that
textparity_v2 finds as well, and of those that only it finds as many as their share in the text. `table` writes
docs/lexicon_corpora.csv, docs/lexicon_languages.csv and the tables of docs/lexicon.md, from
instruments/tables/methods.csv of a run with `word_list: textparity_v1` and of one with `textparity_v2`.
"""

import argparse
import csv
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from check_lexicon import LEXICONS, counter_of, differences, first_version_terms, read_half
from judged_matches import read_rows, write_rows
from parallel_texts import half_of
from textparity.auditing.languages import load_registry
from textparity.counting import CLASSES, GENDERS, OWN_LEXICON, REVISED
from textparity.counting.lemmas import lemma_terms, read_lemmas
from textparity.counting.lexicon import revised_terms
from textparity.counting.precision import NOBODY
from textparity.estimating.estimates import percentage
from textparity.files import read_tsv, write_text
from textparity.persons.mentions import WORDS
from write_docs import replace_part

JUDGED = LEXICONS / "lexicon_differences.tsv"
COLUMNS = ("lang", "id", "found_by", "form", "class", "layer", "gender", "note", "annotator")
SHEET = ("number", "form", "class", "sentence", "gender", "note")
OLD, NEW = "textparity_v1", OWN_LEXICON
VERSIONS = {OLD: "v1", NEW: "v2"}
DOCS = Path(__file__).parents[1] / "docs"
# Columns of methods.csv, and their names in docs/lexicon.md.
MEASURES = {
    "precision_feminine": "precision, women",
    "precision_masculine": "precision, men",
    "recall_feminine": "recall, women",
    "recall_masculine": "recall, men",
    "f1": "F1",
    "bias": "bias",
}
Row = Mapping[str, str]
MOST, SEED = 25, 20261129


class Drawn(NamedTuple):
    """A match that only one lexicon finds. `id` is the corpus and the line."""

    id: str
    found_by: str
    form: str
    gender_class: str
    layer: str
    sentence: str


def find_differences(lang: str) -> tuple[list[Drawn], list[Drawn]]:
    """Find the matches of women and men in the kept half that only the new lexicon finds, and only the old one."""
    path = LEXICONS / NEW / f"{lang}.tsv"
    new = counter_of(lang, revised_terms([], path, load_registry().languages[lang].first_names))
    old = counter_of(lang, first_version_terms(lang))
    named = read_half(lang, "kept")
    names, lines = list(named), list(named.values())
    only_new, only_old = (
        [
            Drawn(names[number], name, match.form, min(match.classes), match.layer, lines[number])
            for number, match in differences(lines, one, other)
            if len(match.classes) == 1 and not match.classes.isdisjoint(GENDERS)
        ]
        for name, one, other in ((NEW, new, old), (OLD, old, new))
    )
    return only_new, only_old


def count_differences(lang: str) -> tuple[int, int]:
    """Count them."""
    only_new, only_old = find_differences(lang)
    return len(only_new), len(only_old)


def draw(lang: str) -> list[Drawn]:
    """Draw random matches that only one lexicon finds, in random order."""
    chance = random.Random(f"{SEED} {lang}")
    drawn = [one for only in find_differences(lang) for one in chance.sample(only, min(MOST, len(only)))]
    chance.shuffle(drawn)
    return drawn


def write_sheet(lang: str, folder: Path) -> None:
    """Write the sheet that a reader fills in."""
    rows = [
        (str(number), one.form, one.gender_class, one.sentence.replace("\t", " "), "", "")
        for number, one in enumerate(draw(lang), start=1)
    ]
    write_text(folder / f"{lang}.tsv", "".join("\t".join(row) + "\n" for row in (SHEET, *rows)))


def take_sheet(lang: str, folder: Path) -> Iterator[list[str]]:
    """Read a sheet that is filled in, as rows of the table. Raises `SystemExit` if the matches have changed since."""
    rows = read_tsv(folder / f"{lang}.tsv", SHEET, allowed={"gender": (*CLASSES, NOBODY)})
    drawn = draw(lang)
    if [row["form"] for row in rows] != [one.form for one in drawn]:
        raise SystemExit(f"{folder / lang}.tsv: a lexicon has changed since this was drawn; draw it again")
    for row, one in zip(rows, drawn, strict=True):
        yield [lang, one.id, one.found_by, one.form, one.gender_class, one.layer, row["gender"], row["note"], ""]


def sample(lang: str, rows: Sequence[Row], read: Sequence[Row]) -> list[dict[str, str]]:
    """Make the sample of a language: a random one of the matches of both lexicons, joined by one of the rest.

    `rows` are the judged matches of the language, and `read` those that only one lexicon finds, in random order.
    """
    path = LEXICONS / NEW / f"{lang}.tsv"
    new = counter_of(lang, revised_terms([], path, load_registry().languages[lang].first_names))
    named = read_half(lang, "development") | read_half(lang, "kept")
    names = list(named)
    has = Counter(
        (names[number], match.form, name, match.layer)
        for number, matches in new.count(list(named.values()))[REVISED].matches.items()
        for match in matches
        for name in match.classes
    )
    lines = list(read_half(lang, "kept").values())
    only = Counter(
        min(match.classes) for _, match in differences(lines, new, counter_of(lang, first_version_terms(lang)))
    )
    all_new = Counter(name for line, _, name, _ in has.elements() if half_of(line) == "kept")
    taken = {_match_of(row) for row in read}
    made = []
    for row in rows:
        lexicons = row["lexicons"].split()
        if OLD in lexicons:
            made.append({**row, "lexicons": f"{OLD} {NEW}" if _match_of(row) in has else OLD})
        elif NEW not in lexicons or _match_of(row) not in taken:
            made.append(dict(row))
    for name in GENDERS:
        common = all_new[name] - only[name]
        kept = sum((row["lexicons"], row["class"], row["half"]) == (f"{OLD} {NEW}", name, "kept") for row in made)
        # As many as there are for each match of both lexicons.
        wanted = round(kept * only[name] / common) if common > 0 else 0
        added = [row for row in read if (row["found_by"], row["class"]) == (NEW, name)][:wanted]
        made += [{**row, "lexicons": NEW, "half": "kept", "reason": ""} for row in added]
    return made


def _match_of(row: Row) -> tuple[str, str, str, str]:
    return row["id"], row["form"], row["class"], row["layer"]


def write_samples(langs: Sequence[str]) -> None:
    """Write the samples of some languages to their tables of judged matches."""
    differences_read = read_tsv(JUDGED, COLUMNS)
    for lang in langs:
        read = [row for row in differences_read if row["lang"] == lang]
        rows = sample(lang, read_rows(lang), read)
        # A language of which nothing was read has no table.
        if rows:
            write_rows(lang, rows)


def tabulate_languages() -> Iterator[dict[str, str]]:
    """Count the forms of both lexicons in each language, the matches that only one finds, and how many are right."""
    judged: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for row in read_tsv(JUDGED, COLUMNS):
        judged[row["lang"], row["found_by"]] += 1
        right[row["lang"], row["found_by"]] += row["gender"] == row["class"]
    with_text = {lang for lang, _ in judged}
    for lang, language in load_registry().languages.items():
        path = LEXICONS / NEW / f"{lang}.tsv"
        evidence: dict[str, bool] = {}
        for lemma in read_lemmas(path):
            evidence[lemma.lemma] = evidence.get(lemma.lemma, False) or lemma.evidence != "ours"
        old = sum(term.layer != "names" for term in first_version_terms(lang))
        row = {"lang": lang, "language": language.name}
        row |= {"lemmas": str(len(evidence)), "attested_lemmas": str(sum(evidence.values()))}
        row |= {"v2_forms": str(len(lemma_terms(path))), "v1_forms": str(old)}
        for lexicon, number in zip((NEW, OLD), count_differences(lang), strict=True):
            version = VERSIONS[lexicon]
            # Without a parallel text nothing was read.
            row[f"only_{version}"] = str(number) if lang in with_text else ""
            row[f"only_{version}_read"] = str(judged[lang, lexicon])
            row[f"only_{version}_right"] = str(right[lang, lexicon])
        yield row


def tabulate_readings() -> Iterator[str]:
    """Render the lines of a table: the judged matches of all languages, by lexicon and class."""
    rows = read_tsv(JUDGED, COLUMNS)
    yield "| only found by | read | right | women's: right | men's: right |"
    yield "|---|---|---|---|---|"
    for name in (NEW, OLD):
        cells = []
        for classes in (GENDERS, ("feminine",), ("masculine",)):
            some = [row for row in rows if row["found_by"] == name and row["class"] in classes]
            right = sum(row["gender"] == row["class"] for row in some)
            cells += [f"{len(some):,}"] * (classes == GENDERS) + [f"{percentage(right, len(some)):.0f} %"]
        yield f"| `{name}` | {' | '.join(cells)} |"


def tabulate_corpora(before: Path, after: Path) -> Iterator[dict[str, str]]:
    """Compare the method `words` with each lexicon on each annotated corpus.

    `before` and `after` are the tables instruments/tables/methods.csv of two runs.
    """
    old, new = map(_read_words, (before, after))
    for gold, lang in sorted(old.keys() & new.keys()):
        row = {"corpus": gold, "lang": lang, "language": load_registry().languages[lang].name}
        for column in MEASURES:
            digits = 2 if column == "bias" else 1
            for version, rows in (("v1", old), ("v2", new)):
                row[f"{column}_{version}"] = f"{float(rows[gold, lang][column]):.{digits}f}"
        yield row


def summarise_corpora(rows: Sequence[Row]) -> Iterator[str]:
    """Render the lines of a table: in how many corpora textparity_v2 is better, as good and worse by each measure.

    A bias is better the closer its logarithm is to 0. Numbers are compared as the CSV file has them.
    """
    yield f"| of {len(rows)} corpora by language | better with v2 | the same | worse |"
    yield "|---|---|---|---|"
    for column, name in MEASURES.items():
        compared: Counter[int] = Counter()
        for row in rows:
            old, new = float(row[f"{column}_v1"]), float(row[f"{column}_v2"])
            if column == "bias":
                old, new = -abs(math.log(old)), -abs(math.log(new))
            compared[(new > old) - (new < old)] += 1
        yield f"| {name} | {compared[1]} | {compared[0]} | {compared[-1]} |"


def _read_words(path: Path) -> dict[tuple[str, str], Row]:
    """Read the rows of the method `words` for whole corpora, by corpus and language."""
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["method"] == WORDS]
    return {
        (row["gold"], row["lang"]): row
        for row in rows
        if row["half"] == row["genre"] == "all" and row["recall_feminine"]
    }


def write_tables(before: Path, after: Path) -> None:
    """Write the CSV files of docs/ and the tables of docs/lexicon.md."""
    corpora = list(tabulate_corpora(before, after))
    for name, rows in (("lexicon_corpora", corpora), ("lexicon_languages", list(tabulate_languages()))):
        with (DOCS / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    page = DOCS / "lexicon.md"
    text = replace_part(page.read_text("utf-8"), "corpora", "\n".join(summarise_corpora(corpora)), page.name)
    write_text(page, replace_part(text, "readings", "\n".join(tabulate_readings()), page.name))


def chosen_languages(langs: Iterable[str]) -> list[str]:
    """List the chosen languages, or all."""
    return list(langs) or sorted(load_registry().languages)


def main() -> None:
    """Run the command that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("draw", "take"):
        command = commands.add_parser(name)
        command.add_argument("folder", type=Path)
        command.add_argument("langs", nargs="*")
    commands.add_parser("sample").add_argument("langs", nargs="*")
    table = commands.add_parser("table")
    table.add_argument("before", type=Path)
    table.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "table":
        write_tables(options.before, options.after)
        return
    if options.command == "sample":
        write_samples(chosen_languages(options.langs))
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.command == "draw":
        for lang in chosen_languages(options.langs):
            write_sheet(lang, options.folder)
        return
    langs = chosen_languages(options.langs)
    kept = [row for row in read_tsv(JUDGED, COLUMNS) if row["lang"] not in langs] if JUDGED.is_file() else []
    rows = [list(row.values()) for row in kept] + [row for lang in langs for row in take_sheet(lang, options.folder)]
    rows.sort(key=lambda row: row[0])
    write_text(JUDGED, "".join("\t".join(row) + "\n" for row in (COLUMNS, *rows)))


if __name__ == "__main__":
    main()
