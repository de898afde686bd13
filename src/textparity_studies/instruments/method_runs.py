"""Find persons in the texts of an annotated corpus, by every method."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textparity.corpora.rows import write_batches
from textparity.persons.methods import LanguageFiles, load_method
from textparity_studies.instruments.gold import READERS
from textparity_studies.instruments.gold.texts import GoldWords
from textparity_studies.instruments.rows import found_row, found_schema


@dataclass(frozen=True)
class AnnotatedCorpus:
    """Describe a corpus of annotated texts in one language, and the `methods` to try on it.

    `genre` is the kind of text, if the files do not give it. `annotation` shows whether all persons are annotated. With
    `grammatical`, the gender is that of the noun, whoever is meant. `lexicon` names the published lexicon, and
    `language` has the fields of `persons.methods.LanguageFiles`.
    """

    gold: str
    texts_format: str
    genre: str
    annotation: str
    grammatical: bool
    methods: list[str]
    lexicon: str
    language: dict[str, Any]


def find_persons(
    texts: list[Path], beside: list[Path], tools: list[Path], gold_words: Path, found: Path, finding: AnnotatedCorpus
) -> None:
    """Write the annotations of `texts` and the findings of each method, a row per text (`persons.rows`).

    `beside` are files that belong to the texts, and `tools` those that `finding.language` names; both are read from
    their paths. The metadata of `found` have the corpus, the language, the methods, and the kind of annotation.
    """
    files = LanguageFiles(**finding.language)
    words = GoldWords(gold_words, files.lang)
    finders = {name: load_method(name, files, finding.grammatical) for name in finding.methods}

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for path in texts:
            annotated = list(READERS[finding.texts_format](path, words))
            by_method = {name: list(finder.find([one.text for one in annotated])) for name, finder in finders.items()}
            yield [
                found_row(
                    text if text.genre else replace(text, genre=finding.genre),
                    {name: mentions[number] for name, mentions in by_method.items()},
                )
                for number, text in enumerate(annotated)
            ]
        return {
            "gold": finding.gold,
            "lang": files.lang,
            "methods": finding.methods,
            "annotation": finding.annotation,
            "grammatical": finding.grammatical,
            "lexicon": finding.lexicon,
            "pipeline": files.pipeline,
        }

    write_batches(found, found_schema(finding.methods), batches())
