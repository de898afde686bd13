"""Read texts annotated for this project: passages of news, and titles and names of NER-UK."""

from collections.abc import Iterator
from pathlib import Path

from textparity.errors import InputError
from textparity.persons.mentions import UNSPECIFIED
from textparity.persons.passages import UNDETERMINED, read_passages
from textparity.tsv import read_tsv
from textparity_studies.instruments.gold.texts import (
    GENDERS,
    LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    give_genders,
)


def read_news_passages(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the annotated newsroom passages: actors with names or called by a few nouns, and their pronouns."""
    genders = {UNDETERMINED: UNSPECIFIED}
    for passage in read_passages(path, words.is_pronoun):
        numbers = {key: number for number, key in enumerate(passage.actors)}
        kinds = {"named": "name", "generic": "noun"}
        mentions = [
            AnnotatedMention(
                one.start,
                one.end,
                passage.text[one.start : one.end],
                kinds.get(one.kind, one.kind),
                genders.get(passage.actors[one.actor].gender, passage.actors[one.actor].gender),
                numbers[one.actor],
                LABEL,
            )
            for one in passage.mentions
        ]
        text = AnnotatedText(passage.id, passage.id, "", passage.text, tuple(mentions), passage.held_out)
        yield give_genders(text, words)


def read_entities(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over titles and names with their grammatical gender, each as a text: TSV of entity, label and gender.

    Another gender (of words for both, or of names that show none) is unspecified.
    """
    kinds = {"JOB": ("noun", "title"), "PERS": ("name", "name")}
    for number, row in enumerate(read_tsv(path, at_least=("entity", "label", "gender", "held_out")), start=1):
        if row["label"] not in kinds:
            raise InputError(f"{path}, line {number + 1}: label {row['label']!r} is none of {', '.join(kinds)}")
        kind, genre = kinds[row["label"]]
        gender = row["gender"] if row["gender"] in GENDERS else UNSPECIFIED
        text = row["entity"]
        mention = AnnotatedMention(0, len(text), text, kind, gender, 0, LABEL)
        is_held_out = row["held_out"] == "yes"
        yield AnnotatedText(f"{path.stem}/{number}", str(number), genre, text, (mention,), is_held_out)
