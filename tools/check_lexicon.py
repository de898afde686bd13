"""Check a lexicon of lemmas, and compare what it finds with what another lexicon finds.

    python tools/check_lexicon.py LANG [--rows 40] [--sample 0] [--seed 1]

Prints errors, forms and words of examples that a spelling dictionary does not know (where Debian's hunspell or aspell
and its dictionary are installed), examples in which the lemma is not found in its class, rows of textparity_v1 of our
own that the lexicon lacks, and the matches that only one of the two finds in the development half of NTREX-128 and
FLORES-200. The other half is kept for `compare_lexicons.py`.
"""

import argparse
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from parallel_texts import half_of, load_study_registry, read_lines
from textparity.auditing.languages import PACKAGE_FOLDER, fetch_cached, find_tokenizer, load_registry
from textparity.counting import REVISED
from textparity.counting.lemmas import BY, NOT, NUMBERS, Lemma, forms_of, lemma_terms, load_paradigms, read_lemmas
from textparity.counting.lexicon import Lexicon, read_lexicon, read_revision, revised_terms
from textparity.counting.name_rules import load_name_rules
from textparity.counting.precision import layers_off
from textparity.counting.terms import HIDDEN, LAYERS, Match, Term, TermMatcher, fix_form, is_pattern
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import FetchError, MissingResourceError, TableError
from textparity.folding import load_folding

LEXICONS = PACKAGE_FOLDER / "resources" / "lexicons"
CORPORA = ("ntrex", "flores")


# The names of spelling dictionaries: of hunspell, or of aspell where they are in _ASPELL.
DICTIONARIES = {
    "arb": "ar", "bel": "be_BY", "bul": "bg_BG", "ben": "bn_BD", "cat": "ca_ES", "ces": "cs_CZ", "dan": "da_DK",
    "deu": "de_DE", "ell": "el_GR", "eng": "en_US", "spa": "es_ES", "est": "et_EE", "fra": "fr_FR", "hin": "hi_IN",
    "hun": "hu_HU", "ind": "id_ID", "ita": "it_IT", "lit": "lt_LT", "lvs": "lv_LV", "khk": "mn_MN", "nld": "nl_NL",
    "pol": "pl_PL", "por": "pt_PT", "ron": "ro_RO", "rus": "ru_RU", "slk": "sk_SK", "slv": "sl_SI", "swe": "sv_SE",
    "swh": "sw_KE", "tel": "te_IN", "tgl": "tl", "tur": "tr_TR", "ukr": "uk_UA", "uzn": "uz_UZ", "vie": "vi_VN",
    "cym": "cy", "pes": "fa", "gle": "ga", "kan": "kn", "mar": "mr", "pan": "pa", "tam": "ta",
}  # fmt: skip
_ASPELL = ("cym", "pes", "gle", "kan", "mar", "pan", "tam")


def unknown_words(lang: str, words: Iterable[str]) -> set[str] | None:
    """Find the words that the spelling dictionary of a language does not know. None without a dictionary."""
    program = "aspell" if lang in _ASPELL else "hunspell"
    if lang not in DICTIONARIES or not shutil.which(program):
        return None
    name = DICTIONARIES[lang]
    command = (
        ["aspell", "list", f"--lang={name}", "--encoding=utf-8"] if lang in _ASPELL else ["hunspell", "-l", "-d", name]
    )
    if lang not in _ASPELL:
        command += ["-i", "utf-8"]
    done = subprocess.run(command, input="\n".join(words), capture_output=True, text=True)
    return set(done.stdout.split()) if done.returncode == 0 else None


def misspelled(path: Path) -> tuple[list[str], list[str]] | None:
    """List the forms, and the words of examples, that the spelling dictionary does not know. None without one."""
    lang = path.stem
    forms: dict[str, Lemma] = {}
    words: dict[str, Lemma] = {}
    for lemma in read_lemmas(path):
        if not is_pattern(lemma.lemma):
            for _, _, form in forms_of(lemma, lang):
                # German nouns have a capital, also where the table lists a form in small letters.
                shown = form.title() if lemma.lemma.istitle() else form
                forms.setdefault(shown, lemma)
            for word in re.findall(r"[^\W\d_][\w'’-]*", lemma.example):
                words.setdefault(word, lemma)
    unknown = unknown_words(lang, [*forms, *words])
    if unknown is None:
        return None
    wrong = [f"line {lemma.line}, {lemma.lemma}: {form}" for form, lemma in forms.items() if form in unknown]
    in_examples = [f"line {lemma.line}: {word} in {lemma.example}" for word, lemma in words.items() if word in unknown]
    return wrong, in_examples


def counter_of(lang: str, terms: Sequence[Term]) -> TextCounter:
    """Make a counter of the method `words`."""
    tokenizer, _ = find_tokenizer("icu", lang)
    layers = [layer for layer in LAYERS if layer not in layers_off(lang)]
    folding = load_folding(lang)
    matcher = TermMatcher(terms, layers, folding, load_name_rules(lang))
    return TextCounter(load_tokenizer(tokenizer, None), Lexicon([]), False, matcher, (REVISED,), folding)


def useless_parts(path: Path) -> list[str]:
    """List what changes nothing: words left out that no paradigm makes or a row lists, and paradigms without forms."""
    lemmas = read_lemmas(path)
    paradigms = load_paradigms(path.stem)
    forms = [form for lemma in lemmas for form in forms_of(lemma, path.stem)]
    made = {fix_form(form.form) for form in forms if not form.is_listed}
    listed = {fix_form(form.form) for form in forms if form.is_listed}
    found, used = [], set[str]()
    for lemma in lemmas:
        for number in NUMBERS:
            for part in lemma.cells(number):
                _, sign, name = part.partition(BY)
                left_out = fix_form(part.removeprefix(NOT)) if part.startswith(NOT) else ""
                if left_out and (left_out not in made or left_out in listed):
                    found.append(f"line {lemma.line}, {lemma.lemma}: {part}")
                elif sign and not left_out and not is_pattern(lemma.lemma):
                    used.add(name)
                    if not paradigms[name].endings[number]:
                        found.append(f"line {lemma.line}, {lemma.lemma}: {part} has no {number}")
    return found + [f"no row uses the paradigm {name}" for name in paradigms if name not in used]


def check_examples(path: Path, counter: TextCounter) -> list[str]:
    """List the rows whose example does not have the lemma in its class."""
    lemmas = [lemma for lemma in read_lemmas(path) if lemma.gender_class != HIDDEN and not is_pattern(lemma.lemma)]
    found = counter.count([lemma.example for lemma in lemmas])[REVISED].matches
    fold = load_folding(path.stem).fold
    wrong = []
    for number, lemma in enumerate(lemmas):
        if lemma.layer in layers_off(path.stem):
            continue
        forms = {fold(fix_form(form)) for _, _, form in forms_of(lemma, path.stem)}
        classes = {lemma.class_of(name) for name in NUMBERS}
        matches = found.get(number, [])
        if not any(fold(match.form) in forms and match.classes & classes for match in matches):
            seen = ", ".join(f"{match.form} ({' '.join(sorted(match.classes))})" for match in matches) or "nothing"
            wrong.append(f"line {lemma.line}, {lemma.lemma} ({lemma.gender_class}): {lemma.example!r} has {seen}")
    return wrong


def lacking_rows(lang: str, terms: Sequence[Term]) -> tuple[list[str], list[str]]:
    """List our own rows of textparity_v1 that the lexicon lacks, and forms that it has in other classes."""
    has: dict[str, set[tuple[str, str]]] = {}
    for term in terms:
        has.setdefault(term.form, set()).add((term.gender_class, term.context))
    lacking, other = [], []
    for change in read_revision(LEXICONS / "textparity_v1" / f"{lang}.tsv"):
        if change.action == "remove" or change.layer == "names":
            continue
        wanted = HIDDEN if change.action == "hide" else change.gender_class
        row = f"{change.form}\t{wanted}\t{change.layer}\t{change.context}\t{change.counterpart}\t{change.reason}"
        if change.form not in has:
            lacking.append(row)
        elif (wanted, change.context) not in has[change.form] and (change.context or change.action != "reclassify"):
            ours = "; ".join(f"{name} [{context}]" for name, context in sorted(has[change.form]))
            other.append(f"{row}\t-- here: {ours}")
        elif wanted not in {name for name, _ in has[change.form]}:
            other.append(f"{row}\t-- here: {sorted(has[change.form])}")
    return lacking, other


def removed_forms(lang: str, terms: Sequence[Term]) -> list[str]:
    """List the forms that textparity_v1 removes as other words, but the lexicon has in that class without a context."""
    has = {(term.form, term.gender_class) for term in terms if not term.context}
    changes = read_revision(LEXICONS / "textparity_v1" / f"{lang}.tsv")
    added = {(change.form, change.gender_class) for change in changes if change.action != "remove"}
    return [
        f"{change.form} ({change.gender_class}): {change.reason}"
        for change in changes
        if change.action == "remove"
        and (change.form, change.gender_class) in has
        and (change.form, change.gender_class) not in added
    ]


def first_version_terms(lang: str) -> list[Term]:
    """Load the terms of textparity_v1."""
    registry = load_registry()
    revision = LEXICONS / "textparity_v1" / f"{lang}.tsv"
    try:
        file = registry.lexicon_file("gender_gap_v1.0", lang)
        entries = read_lexicon(fetch_cached(file) if file.url else Path(file.path))
    except TableError:
        # Ukrainian has no published lexicon.
        entries = []
    return revised_terms(entries, revision, registry.languages[lang].first_names)


def read_half(lang: str, half: str) -> dict[str, str]:
    """Read the lines of one half of the parallel texts of a language, by corpus and number."""
    found: dict[str, str] = {}
    for corpus in CORPORA:
        if load_study_registry().corpus_has(corpus, lang):
            try:
                lines = read_lines(corpus, lang)
            except (FetchError, MissingResourceError):
                continue
            named = {f"{corpus}/{number:06}": line for number, line in enumerate(lines, start=1)}
            found |= {name: line for name, line in named.items() if half_of(name) == half}
    return found


def differences(lines: Sequence[str], one: TextCounter, other: TextCounter) -> list[tuple[int, Match]]:
    """List the matches that only one counter finds, with their line."""
    found, others = (counter.count(lines)[REVISED].matches for counter in (one, other))
    only = []
    for number in sorted(found):
        rest = Counter((match.form, match.classes, match.start) for match in others.get(number, []))
        only += [(number, match) for match in found[number] if not rest[match.form, match.classes, match.start]]
    return only


def show(title: str, rows: Sequence[str], most: int) -> None:
    """Print the first rows of a list, with their number."""
    print(f"\n{title}: {len(rows):,}")
    for row in rows[:most]:
        print("  " + row)


def main() -> None:
    """Run the checks of one language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang")
    parser.add_argument("--rows", type=int, default=40, help="at most this many rows of each list")
    parser.add_argument("--sample", type=int, default=0, help="print so many random matches that only one finds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lang = options.lang
    path = LEXICONS / "textparity_v2" / f"{lang}.tsv"
    words = lemma_terms(path)
    lemmas = read_lemmas(path)
    print(f"{lang}: {len(lemmas):,} lemmas, {len(words):,} forms", Counter(term.gender_class for term in words))
    terms = revised_terms([], path, load_registry().languages[lang].first_names)
    counter = counter_of(lang, terms)
    if spelled := misspelled(path):
        for title, rows in zip(("forms", "words of examples"), spelled, strict=True):
            show(f"{title} that the spelling dictionary does not know", rows, options.rows)
    show("parts of rows that change nothing", useless_parts(path), options.rows)
    plain: dict[str, dict[str, str]] = {}
    for term in words:
        if not term.context:
            plain.setdefault(load_folding(lang).fold(term.form), {})[term.gender_class] = term.form
    twice = [f"{form}: {classes}" for form, classes in plain.items() if len(classes) > 1]
    show("forms that are compared alike and have two classes", twice, options.rows)
    show("examples without their lemma", check_examples(path, counter), options.rows)
    lacking, other = lacking_rows(lang, words)
    show(
        "own rows of textparity_v1 that are lacking (form, class, layer, context, counterpart, reason)",
        lacking,
        options.rows,
    )
    show("own rows of textparity_v1 with another class or context here", other, options.rows)
    show("removed by textparity_v1 as other words, and found here", removed_forms(lang, words), options.rows)
    named = read_half(lang, "development")
    names, lines = list(named), list(named.values())
    first = counter_of(lang, first_version_terms(lang))
    both = {"only this lexicon": (counter, first), "only textparity_v1": (first, counter)}
    for title, (one, another) in both.items():
        only = differences(lines, one, another)
        forms = Counter((match.form, " ".join(sorted(match.classes)), match.layer) for _, match in only)
        rows = [f"{number} × {' | '.join(form)}" for form, number in forms.most_common()]
        show(f"matches in the development half that {title} finds: {len(only):,}; forms", rows, options.rows)
        for number, match in random.Random(options.seed).sample(only, min(options.sample, len(only))):
            print(f"    {match.form} ({' '.join(sorted(match.classes))}) {names[number]}: {lines[number]}")


if __name__ == "__main__":
    main()
