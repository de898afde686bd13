"""Finding persons in the texts of an annotated corpus, by every method."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from textparity.corpora.rows import write_batches
from textparity.persons.gold import READERS, GoldWords
from textparity.persons.methods import LanguageFiles, load_method
from textparity.persons.rows import found_row, found_schema


def find_persons(
    texts: list[Path],
    gold_words: Path,
    found: Path,
    gold: str,
    texts_format: str,
    complete: bool,
    grammatical: bool,
    methods: list[str],
    language: dict[str, Any],
) -> None:
    """Write the annotations of `texts` and what each method finds in them, a row a text (`persons.rows`).

    `language` are the fields of `persons.methods.LanguageFiles`. The metadata has the corpus, the language, the methods,
    and whether all persons are annotated (`complete`); `grammatical`: by the gender of the noun, whoever is meant.
    """
    files = LanguageFiles(**language)
    words = GoldWords(gold_words, files.lang)
    finders = {name: load_method(name, files, grammatical) for name in methods}

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for path in texts:
            annotated = list(READERS[texts_format](path, words))
            by_method = {name: list(finder.find([one.text for one in annotated])) for name, finder in finders.items()}
            yield [
                found_row(text, {name: mentions[number] for name, mentions in by_method.items()})
                for number, text in enumerate(annotated)
            ]
        return {
            "gold": gold,
            "lang": files.lang,
            "methods": methods,
            "complete": complete,
            "pipeline": files.pipeline if "persons" in methods else "",
        }

    write_batches(found, found_schema(methods), batches())
