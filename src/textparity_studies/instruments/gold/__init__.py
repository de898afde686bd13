"""Read texts with hand-annotated mentions of persons, with one reader per format.

`texts` defines an annotated text and derives the gender of a mention; the other modules read files.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from textparity_studies.instruments.gold.brat import read_brat, read_litbank
from textparity_studies.instruments.gold.conll import read_gerdracor, read_gum, read_openboek
from textparity_studies.instruments.gold.ours import read_entities, read_news_passages
from textparity_studies.instruments.gold.quotations import read_quotations
from textparity_studies.instruments.gold.sentences import (
    read_brackets,
    read_gap,
    read_marked_sentences,
    read_schemas,
    read_tagged_sentences,
)
from textparity_studies.instruments.gold.texts import AnnotatedText, GoldWords

READERS: dict[str, Callable[[Path, GoldWords], Iterator[AnnotatedText]]] = {
    "gum": read_gum,
    "brat": read_brat,
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
}
