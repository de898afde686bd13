"""Note where the lemmas of textparity_v2 are attested, and check its paradigms against treebanks.

    python tools/attest_lexicon.py write CLDR [LANG …]
    python tools/attest_lexicon.py paradigms [LANG …]

`write` fills the column `evidence`, in which *ours* is the knowledge of the author of a row:

- `wordnet:10787470-n`: the lemma is a word of a synset of WordNet 3.0 or the Open Multilingual Wordnet for persons
  (lexicographer file *noun.person*);
- `cldr:1F478`: the lemma is a name or keyword of an emoji of a person in Unicode's CLDR. CLDR is a folder with the npm
  packages cldr-annotations-full and cldr-annotations-derived-full;
- `treebank:UD_Polish-PDB`: a treebank has it as the lemma of a noun or pronoun.

`paradigms` compares each generated form with the treebanks' forms of that lemma, case and number. Without
languages, it also writes the table of docs/lexicon.md.

The wordnets and treebanks are read from the mirror (TEXTPARITY_MIRROR), and only attest: nothing is copied from them.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from textparity.auditing.languages import PACKAGE_FOLDER, load_registry
from textparity.counting.lemmas import COLUMNS, forms_of, read_lemmas
from textparity.counting.terms import fix_form, is_pattern
from textparity.files import write_text
from textparity.persons.person_nouns import ARCHIVE, ENGLISH, OTHERS, PERSON_FILE, SOURCE, read_senses, synsets_of
from textparity.sources.model_files import Mirror, find_mirror
from write_docs import replace_part

FOLDER = PACKAGE_FOLDER / "resources" / "lexicons" / "textparity_v2"
# English names of emojis for persons have one of these words.
PERSON_WORDS = frozenset({
    "person", "people", "woman", "man", "women", "men", "girl", "boy", "child", "baby", "mother", "father", "prince",
    "princess", "queen", "king", "bride", "santa", "mrs", "family", "couple", "mage", "fairy", "vampire", "elf",
    "genie", "superhero", "supervillain", "ninja", "guard", "angel", "breast-feeding",
})  # fmt: skip
# The treebanks of the mirror by language.
TREEBANKS = {
    "bel": "UD_Belarusian-HSE", "ces": "UD_Czech-FicTree", "ell": "UD_Greek-GUD", "eng": "UD_English-GUM",
    "lit": "UD_Lithuanian-ALKSNIS", "pol": "UD_Polish-PDB", "por": "UD_Portuguese-Bosque", "rus": "UD_Russian-Taiga",
    "slk": "UD_Slovak-SNK", "slv": "UD_Slovenian-SSJ", "ukr": "UD_Ukrainian-IU",
}  # fmt: skip


class Noun(NamedTuple):
    """A noun or pronoun in a treebank, in lower case."""

    form: str
    lemma: str
    case: str
    number: str


@cache
def read_nouns(lang: str) -> list[Noun]:
    """Read the nouns and pronouns of a language's treebank in the mirror, none if there is no treebank."""
    nouns = []
    for path in sorted((mirror_folder() / TREEBANKS[lang]).rglob("*.conllu")) if lang in TREEBANKS else ():
        for line in path.read_text("utf-8").splitlines():
            cells = line.split("\t")
            if len(cells) == 10 and cells[3] in ("NOUN", "PRON"):
                features = dict(pair.split("=", 1) for pair in cells[5].split("|") if "=" in pair)
                number = {"Sing": "singular", "Plur": "plural"}.get(features.get("Number", ""), "")
                case = features.get("Case", "").lower()
                nouns.append(Noun(fix_form(cells[1]), fix_form(cells[2]), case, number))
    return nouns


def mirror_folder() -> Path:
    """Find the mirror. Raises `SystemExit` if there is none."""
    folder = find_mirror()
    if folder is None:
        raise SystemExit("set TEXTPARITY_MIRROR to a mirror of the upstream data")
    return Path(folder)


@cache
def read_wordnets(lang: str) -> Mapping[str, list[str]]:
    """Read the synsets of persons that have each word of a language, from WordNet or the Open Multilingual Wordnet."""
    registry, mirror = load_registry(), Mirror(str(mirror_folder()))
    archive = Path(mirror.find(registry.url(SOURCE, ARCHIVE))[0])
    persons = {f"{synset}-n" for synset in synsets_of(archive, PERSON_FILE)}
    paths = [path for source, path in registry.source_files if source == OTHERS and path.endswith(f"-{lang}.tab")]
    files = [file for path in paths if (file := registry.source_file(OTHERS, path)).url in mirror]
    tabs = [Path(mirror.find(file.url)[0]) for file in files]
    found: dict[str, list[str]] = defaultdict(list)
    for word, synsets in read_senses(archive, None if lang == ENGLISH else tabs).items():
        found[fix_form(word)] += [synset for synset in synsets if synset in persons]
    return {word: synsets for word, synsets in found.items() if synsets}


def read_emojis(folder: Path, lang: str) -> dict[str, str]:
    """Read the names and keywords of emojis of persons in a language, each with the code points of the first emoji."""
    locale = load_registry().languages[lang].icu_locale
    named: dict[str, str] = {}
    for kind in ("annotations", "annotationsDerived"):
        english = next(iter(folder.rglob(f"{kind}/en/annotations.json")), None)
        if english is None:
            raise SystemExit(
                f"{folder}: has no {kind}/en/annotations.json; unpack the npm package cldr-annotations-full"
            )
        # CLDR names the usual script of a language in no folder (zh for zh-Hans).
        places = (folder.rglob(f"{kind}/{name}/annotations.json") for name in (locale, locale.partition("-")[0]))
        own = next(chain.from_iterable(places), None)
        of_persons = {
            emoji
            for emoji, words in json.loads(english.read_text("utf-8"))[kind]["annotations"].items()
            if PERSON_WORDS & set(" ".join(words.get("tts", [])).lower().replace(":", " ").split())
        }
        content = json.loads(own.read_text("utf-8"))[kind].get("annotations", {}) if own else {}
        for emoji, words in content.items():
            if emoji in of_persons:
                code = "-".join(f"{ord(character):X}" for character in emoji)
                for word in (*words.get("tts", ()), *words.get("default", ())):
                    named.setdefault(fix_form(word), code)
    return named


def attest(lang: str, cldr: Path) -> Counter[str]:
    """Write the evidence of a language's lemmas; returns how many lemmas have each kind."""
    path = FOLDER / f"{lang}.tsv"
    wordnets, emojis = read_wordnets(lang), read_emojis(cldr, lang)
    treebank = {noun.lemma for noun in read_nouns(lang)}
    lines, kinds = ["\t".join(COLUMNS)], Counter[str]()
    for lemma in read_lemmas(path):
        word, evidence = fix_form(lemma.lemma), []
        if not is_pattern(lemma.lemma):
            if synsets := wordnets.get(word):
                evidence.append(f"wordnet:{synsets[0]}")
            if word in emojis:
                evidence.append(f"cldr:{emojis[word]}")
            if word in treebank:
                evidence.append(f"treebank:{TREEBANKS[lang]}")
        evidence = evidence or ["ours"]
        kinds.update(item.partition(":")[0] for item in evidence)
        cells = {**vars(lemma), "class": lemma.gender_class, "evidence": " ".join(evidence)}
        lines.append("\t".join(cells[name] for name in COLUMNS))
    write_text(path, "\n".join(lines) + "\n")
    return kinds


class Cells(NamedTuple):
    """How many generated forms a treebank has in that case and number, in how many others it has another form there."""

    same: int
    other: int
    examples: list[str]


def compare_paradigms(lang: str) -> Cells:
    """Compare the generated forms of a language with those of its treebank, by lemma, case and number."""
    attested: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for noun in read_nouns(lang):
        attested[noun.lemma, noun.case, noun.number].add(noun.form)
    generated: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for lemma in read_lemmas(FOLDER / f"{lang}.tsv"):
        for number, case, form in forms_of(lemma, lang):
            if case:
                generated[fix_form(lemma.lemma), case, number].add(fix_form(form))
    same, other, examples = 0, 0, []
    for key, forms in sorted(generated.items()):
        for form in sorted(attested.get(key, ())):
            if form in forms:
                same += 1
            else:
                other += 1
                examples.append(f"{' '.join(key)}: {form}, not {' or '.join(sorted(forms))}")
    return Cells(same, other, examples)


def tabulate(found: Mapping[str, Cells]) -> str:
    """Render a Markdown table of how the paradigms agree with treebanks."""
    lines = ["| language | treebank | forms as in the treebank | other forms in the treebank |", "|---|---|---|---|"]
    for lang, cells in found.items():
        if cells.same + cells.other:
            name = load_registry().languages[lang].name
            lines.append(f"| {name} | {TREEBANKS[lang]} | {cells.same:,} | {cells.other:,} |")
    return "\n".join(lines)


def languages(chosen: Iterable[str]) -> Iterator[str]:
    """List the chosen languages, or all that have a file."""
    chosen = list(chosen)
    yield from chosen or sorted(path.stem for path in FOLDER.glob("*.tsv"))


def main() -> None:
    """Run the command that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write")
    write.add_argument("cldr", type=Path)
    for command in (write, commands.add_parser("paradigms")):
        command.add_argument("langs", nargs="*")
    options = parser.parse_args()
    found: dict[str, Cells] = {}
    for lang in languages(options.langs):
        if options.command == "write":
            print(lang, dict(attest(lang, options.cldr)))
        elif lang in TREEBANKS:
            found[lang] = cells = compare_paradigms(lang)
            print(f"{lang}: {cells.same} forms as in the treebank, {cells.other} others", *cells.examples, sep="\n  ")
    if found and not options.langs:
        page = PACKAGE_FOLDER.parents[1] / "docs" / "lexicon.md"
        page.write_text(replace_part(page.read_text("utf-8"), "paradigms", tabulate(found), page.name), "utf-8")


if __name__ == "__main__":
    main()
