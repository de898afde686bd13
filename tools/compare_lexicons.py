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
textparity_v2 finds as well, and of those that only it finds as many as their share in the text. `table` writes the
tables of docs/lexicon.md, from instruments/tables/methods.csv of a run with `word_list: textparity_v1` and of one with
`textparity_v2`.
"""

import argparse
import csv
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


def tabulate_languages() -> Iterator[str]:
    """Render the lines of a table: the forms of both lexicons, and how many of the judged matches are right."""
    judged: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for row in read_tsv(JUDGED, COLUMNS):
        judged[row["lang"], row["found_by"]] += 1
        right[row["lang"], row["found_by"]] += row["gender"] == row["class"]
    yield "| language | lemmas | attested | forms of v2 | forms of v1 | only v2 finds; right | only v1 finds; right |"
    yield "|---|---|---|---|---|---|---|"
    with_text = {lang for lang, _ in judged}
    for lang, language in load_registry().languages.items():
        path = LEXICONS / NEW / f"{lang}.tsv"
        evidence: dict[str, bool] = {}
        for lemma in read_lemmas(path):
            evidence[lemma.lemma] = evidence.get(lemma.lemma, False) or lemma.evidence != "ours"
        old = sum(term.layer != "names" for term in first_version_terms(lang))
        numbers = [len(evidence), sum(evidence.values()), len(lemma_terms(path)), old]
        cells = [f"{number:,}" for number in numbers]
        for name, number in zip((NEW, OLD), count_differences(lang), strict=True):
            read = f"; {right[lang, name]} of {judged[lang, name]}" if judged[lang, name] else ""
            cells.append(f"{number}{read}" if lang in with_text else "not read")
        yield f"| {language.name} | {' | '.join(cells)} |"


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


def tabulate_corpora(before: Path, after: Path) -> Iterator[str]:
    """Render the lines of a table: the method `words` with each lexicon on each annotated corpus.

    `before` and `after` are the tables instruments/tables/methods.csv of two runs.
    """
    old, new = map(_read_words, (before, after))
    measures = [(name, gender) for name in ("precision", "recall") for gender in GENDERS]
    heads = [f"{name}, {'women' if gender == 'feminine' else 'men'}" for name, gender in measures]
    yield f"| corpus | language | {' | '.join(heads)} | F1 | bias of M : F |"
    yield "|---" * (len(heads) + 4) + "|"
    for key in sorted(old.keys() & new.keys()):
        rows = old[key], new[key]
        columns = [f"{name}_{gender}" for name, gender in measures] + ["f1"]
        cells = [" → ".join(f"{float(row[name]):.1f}" for row in rows) for name in columns]
        cells.append(" → ".join(f"{float(row['bias']):.2f}" for row in rows))
        yield f"| `{key[0]}` | {load_registry().languages[key[1]].name} | {' | '.join(cells)} |"


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
    """Write the tables to docs/lexicon.md."""
    page = Path(__file__).parents[1] / "docs" / "lexicon.md"
    text = page.read_text("utf-8")
    parts = {
        "corpora": tabulate_corpora(before, after),
        "readings": tabulate_readings(),
        "languages": tabulate_languages(),
    }
    for part, lines in parts.items():
        text = replace_part(text, part, "\n".join(lines), page.name)
    write_text(page, text)


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
