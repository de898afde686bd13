"""Find the gender of the occupation in each translation of one system, and what people say of some of them."""

import csv
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.reading import read_metadata, read_rows, write_batches
from textparity.errors import InputError
from textparity.files import write_rows
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.persons.methods import LanguageFiles, load_method
from textparity.translating.genders import GenderRule, load_rule
from textparity.translating.scores import Finding, find_genders
from textparity.translating.winomt import NEUTRAL, Sentence, Translation, read_sentences, read_translations

_GENDERS = {"f": FEMININE, "m": MASCULINE, "n": NEUTRAL}
ANNOTATION_COLUMNS = [
    "system", "aligned_with", "number", "gender", "annotated", "published", "corrected", "pronoun", "words",
    "translation",
]  # fmt: skip


def find_translated_genders(
    sentences: Path,
    pro: Path,
    anti: Path,
    translations: Path,
    annotations: list[Path],
    tools: list[Path],
    findings: Path,
    annotated: Path,
    system: str,
    lang: str,
    pipeline: str,
    methods: list[str],
    language: dict[str, Any],
    annotated_systems: list[str],
) -> None:
    """Write the gender of each translated occupation, with the genders of the persons that each method finds.

    `findings` is Parquet, a row for each translated sentence; its metadata have the number of all sentences. The spaCy
    `pipeline` is that of the language's rule. `language` has the fields of `LanguageFiles` for the methods, and `tools`
    are the files that it names. `annotated` is CSV, a row for each sentence that people annotated: `annotations` has a
    file for each of `annotated_systems`.
    """
    asked = read_sentences(sentences, pro, anti)
    texts = read_translations(translations, asked)
    rule = load_rule(lang, pipeline)
    found = find_genders(asked, texts, rule)
    finders = {name: load_method(name, LanguageFiles(**language)) for name in methods}
    names = [*Sentence._fields, *Finding._fields[1:]]
    schema = pa.schema(
        [*((name, pa.int32() if name == "position" else pa.string()) for name in names)]
        + [(f"{name}_genders", pa.list_(pa.string())) for name in finders]
    )

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        rows = [one.sentence._asdict() | dict(zip(Finding._fields[1:], one[1:], strict=True)) for one in found]
        for name, finder in finders.items():
            mentions = finder.find([one.translation for one in found])
            for row, of_text in zip(rows, mentions, strict=True):
                row[f"{name}_genders"] = sorted({mention.gender for mention in of_text})
        yield rows
        return {"system": system, "lang": lang, "methods": methods, "asked": len(asked)}

    write_batches(findings, schema, batches())
    rows = [
        [annotated_system, system, *row]
        for annotated_system, path in zip(annotated_systems, annotations, strict=True)
        for row in compare_annotations(path, asked, texts, found, rule)
    ]
    write_rows(annotated, ANNOTATION_COLUMNS, rows)


def read_findings(path: Path) -> tuple[dict[str, Any], list[Finding], dict[str, list[set[str]]]]:
    """Read what `find_translated_genders` wrote: the metadata, the findings, and each method's genders by sentence."""
    metadata, rows = read_metadata(path), read_rows(path).to_pylist()
    found = [
        Finding(Sentence(*(row[name] for name in Sentence._fields)), *(row[name] for name in Finding._fields[1:]))
        for row in rows
    ]
    return metadata, found, {name: [set(row[f"{name}_genders"]) for row in rows] for name in metadata["methods"]}


def compare_annotations(
    path: Path, asked: list[Sentence], texts: list[Translation], found: list[Finding], rule: GenderRule
) -> Iterable[list[Any]]:
    """Compare the genders that people gave to occupations with ours: the columns from `number` on.

    If the annotated translations are not those of `texts`, they are aligned together with them.
    """
    rows = list(_read_annotations(path, len(asked)))
    if all(texts[number].text == text for number, text, _ in rows):
        findings = dict(zip([number for number, one in enumerate(texts) if one.text], found, strict=True))
        ours = [findings[number] for number, _, _ in rows]
    else:
        others = [Translation(text, asked[number].text) for number, text, _ in rows]
        own = [asked[number] for number, _, _ in rows]
        ours = find_genders([*asked, *own], [*texts, *others], rule)[-len(own) :]
    for (number, text, gender), one in zip(rows, ours, strict=True):
        genders = [one.sentence.gender, gender, one.published, one.corrected, one.pronoun]
        yield [number, *genders, one.published_words, text]


def _read_annotations(path: Path, sentences: int) -> Iterable[tuple[int, str, str]]:
    """Read the number of each annotated sentence, its translation, and its gender; empty if people gave none."""
    with path.open(encoding="utf-8", newline="") as file:
        for line, cells in enumerate(list(csv.reader(file))[1:], start=2):
            if len(cells) < 5 or not cells[0].isdecimal() or int(cells[0]) >= sentences:
                raise InputError(f"{path}, line {line}: number of the sentence, occupation, translation, found, gender")
            number, _, text, _, gender = cells[:5]
            yield int(number), " ".join(text.split()), _GENDERS.get(gender.strip().lower(), "")
