"""Read texts with hand-annotated mentions of persons, with one reader per format (`READERS`).

A reader takes a file, and the words of its language that show a gender. A sentence or row of somebody else's file that
it cannot read is skipped and reported (`slips.read_each`). It raises `InputError` if it can read less than it skips,
and for any slip in texts that were annotated for this project.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity.files import read_lines, read_tsv
from textparity.persons.mentions import UNSPECIFIED
from textparity_studies.instruments.annotated_texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    give_genders,
)
from textparity_studies.instruments.brat_readers import read_brat, read_italian_brat, read_litbank
from textparity_studies.instruments.conll_readers import read_gerdracor, read_gum, read_koconovel, read_openboek
from textparity_studies.instruments.news_reader import read_news
from textparity_studies.instruments.quotation_reader import read_quotations
from textparity_studies.instruments.sentence_readers import (
    read_biographies,
    read_brackets,
    read_gap,
    read_marked_sentences,
    read_schemas,
    read_tagged_sentences,
)
from textparity_studies.instruments.treebank_names import read_treebank_names
from textparity_studies.instruments.webanno import read_full_stack
from textparity_studies.measures.passages import UNDETERMINED, read_passages

# Texts annotated for this project.


def read_news_passages(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the annotated newsroom passages: actors with names or called by a few nouns, and their pronouns."""
    kinds, genders = {"named": "name", "generic": "noun"}, {UNDETERMINED: UNSPECIFIED}
    for passage in read_passages(path, words.is_pronoun):
        numbers = {key: number for number, key in enumerate(passage.actors)}
        mentions = []
        for one in passage.mentions:
            gender = passage.actors[one.actor].gender
            kind, person = kinds.get(one.kind, one.kind), (genders.get(gender, gender), numbers[one.actor])
            mentions.append(AnnotatedMention.at(passage.text, one.start, one.end, kind, *person))
        text = AnnotatedText(passage.id, passage.id, "", passage.text, tuple(mentions), passage.held_out)
        yield give_genders(text, words)


def read_readings(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over documents (`# name`) that were read for persons, with marks such as `[Mary|name f]`."""
    documents: list[tuple[str, list[str]]] = []
    for line in read_lines(path):
        if line.startswith("# "):
            documents.append((line.removeprefix("# "), []))
        elif documents:
            documents[-1][1].append(line)
        else:
            raise InputError(f"{path}: has text before the first document; begin it with `# name`")
    for name, lines in documents:
        text, mentions = "", []
        # A piece of text, then form, kind and gender.
        pieces = re.split(r"\[(.+?)\|(pronoun|noun|name) ([fmu])\]", "\n".join(lines))
        for before, form, kind, gender in zip(*(pieces[place::4] for place in range(4)), strict=False):
            start, text = len(text + before), text + before + form
            mentions.append(AnnotatedMention.at(text, start, len(text), kind, GENDER_OF_LABEL.get(gender, UNSPECIFIED)))
        text += pieces[-1]
        if unread := re.search(r"\[.*", text):
            raise InputError(f"{path}: document {name}: {unread[0][:40]!r} is no mark such as [Mary|name f]")
        yield AnnotatedText(f"{path.stem}/{name}", name, "news", text, tuple(mentions), True)


def read_entities(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over titles and names of NER-UK with their grammatical gender, each as a text.

    The TSV has entity, label and gender. Another gender (of words for both, or of names that show none) is unspecified.
    """
    kinds = {"JOB": ("noun", "title"), "PERS": ("name", "name")}
    for number, row in enumerate(read_tsv(path, at_least=("entity", "label", "gender", "held_out")), start=1):
        if row["label"] not in kinds:
            raise InputError(f"{path}, line {number + 1}: label {row['label']!r} is not one of {', '.join(kinds)}")
        kind, genre = kinds[row["label"]]
        gender = row["gender"] if row["gender"] in GENDERS else UNSPECIFIED
        text = row["entity"]
        mention = AnnotatedMention.at(text, 0, len(text), kind, gender)
        yield AnnotatedText(f"{path.stem}/{number}", str(number), genre, text, (mention,), row["held_out"] == "yes")


READERS: dict[str, Callable[[Path, GoldWords], Iterator[AnnotatedText]]] = {
    "gum": read_gum,
    "brat": read_brat,
    "italian_brat": read_italian_brat,
    "koconovel": read_koconovel,
    "full_stack": read_full_stack,
    "biographies": read_biographies,
    "treebank_names": read_treebank_names,
    "litbank": read_litbank,
    "openboek": read_openboek,
    "gerdracor": read_gerdracor,
    "quotations": read_quotations,
    "marked": read_marked_sentences,
    "gap": read_gap,
    "brackets": read_brackets,
    "schemas": read_schemas,
    "tagged": read_tagged_sentences,
    "passages": read_news_passages,
    "entities": read_entities,
    "readings": read_readings,
    "news": read_news,
}
