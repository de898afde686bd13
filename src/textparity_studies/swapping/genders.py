"""Classify the gender of titles and names by the paper's procedure and by ours (Nahurna and Romanyshyn 2025, §4.1.1).

The paper's procedure is that of the authors' notebook gender_classification_for_entities. We keep its errors:

- pymorphy3 is loaded without a language, and so analyses Ukrainian with its Russian dictionary;
- a plural becomes a singular of the same case, which no list has;
- after any hyphen, the last part is the head;
- apostrophes are compared as they are written;
- with the exceptions, any word of a title decides (the deputy of a head is a head);
- only the first word of a name is used, which often is the surname.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from textparity.corpora.reading import write_batches
from textparity.errors import TableError
from textparity.files import read_tsv
from textparity.persons.ukrainian_genders import (
    CorrectedJobs,
    CorrectedNames,
    GenderLists,
    analyse,
    load_analyser,
    load_gender_lists,
)
from textparity_studies.swapping.corpora import Entity, EntityDocument, read_documents, recorded_text
from textparity_studies.swapping.settings import (
    COMMON,
    CORRECTED,
    FEMININE,
    GENDER_COLUMNS,
    JOB,
    LABELS,
    MASCULINE,
    PUBLISHED,
    UNKNOWN,
    WITH_EXCEPTIONS,
)
from textparity_studies.swapping.title_parsers import TitleParser, load_parser

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer

GENDER_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("document", "subcorpus", "entity", "label", "text")),
        # The line of the text, from 0.
        ("line", pa.int32()),
        # True if its line has a title; in the second column, if the authors' search finds one there.
        ("beside_job", pa.bool_()),
        ("beside_job_published", pa.bool_()),
        *((column, pa.string()) for column in GENDER_COLUMNS.values()),
        # The source of lemma and head.
        ("method", pa.string()),
    ]
)


@dataclass(frozen=True)
class GenderExceptions:
    """Hold words of titles, parts of forms and whole forms with their gender, forms with their lemma, and words that
    are never the head."""

    words: dict[str, str] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    wholes: dict[str, str] = field(default_factory=dict)
    no_heads: frozenset[str] = frozenset()


def load_gender_exceptions(path: Path) -> GenderExceptions:
    """Read the exceptions; `TableError` names the line of an invalid place or gender, or of a duplicate word."""
    found: dict[str, dict[str, str]] = {place: {} for place in ("word", "form", "part", "whole", "no head")}
    for line, row in enumerate(read_tsv(path, ("place", "word", "value"), allowed={"place": found.keys()}), start=2):
        place, word, value = row.values()
        if place in ("word", "part", "whole") and value not in (MASCULINE, FEMININE, COMMON):
            raise TableError(f"{path}, line {line}: {value!r} must be {MASCULINE}, {FEMININE} or {COMMON}")
        if not word or (place == "form" and not value):
            raise TableError(f"{path}, line {line}: a cell is empty; a form needs its lemma, every row its word")
        if word in found[place]:
            raise TableError(f"{path}, line {line}: {word} is a duplicate as {place!r}; keep one")
        found[place][word] = value
    words, forms, parts, wholes, no_heads = found.values()
    return GenderExceptions(words, forms, parts, wholes, frozenset(no_heads))


class PublishedJobs:
    """Classify job titles, with or without the hand-made exceptions.

    Two further lists of the authors, male_words_list.txt and female_words_list.txt, are not public, so we do without
    them.
    """

    def __init__(self, lists: GenderLists, parser: TitleParser, exceptions: GenderExceptions | None = None) -> None:
        self._listed = {FEMININE: lists.feminine_pairs, MASCULINE: lists.pairs, COMMON: lists.common}
        self._parser = parser
        self._exceptions = exceptions or GenderExceptions()
        self.gender = lru_cache(maxsize=None)(self._gender)

    def _gender(self, title: str) -> str:
        title = recorded_text(title).lower()
        words = self._parser.parse(title)
        joint = " " if " " in title else ""
        lemma = joint.join(word.lemma for word in words)
        second_lemma = joint.join(map(_russian_lemma, title.split()))
        if len(words) > 1:
            lemma, second_lemma = self._head(lemma), self._head(second_lemma)
        forms = [title, lemma, second_lemma]
        if title in self._exceptions.forms:
            forms.append(self._exceptions.forms[title])
        return self._by_exceptions(title.split()) or self._by_lists(forms)

    def _head(self, text: str) -> str:
        """Find the lemma of the head; without a head or after the last hyphen, that of the first word."""
        words = self._parser.parse(text.rpartition("-")[2])
        roots = [word for word in words if word.is_root and word.text not in self._exceptions.no_heads]
        # After a hyphen, the first word is used even if it is not the root.
        chosen = words if "-" in text else roots or words
        return chosen[0].lemma if chosen else ""

    def _by_exceptions(self, words: list[str]) -> str:
        for word in words:
            found = [self._exceptions.words.get(form) for form in (word, self._exceptions.forms.get(word, ""))]
            for gender in (COMMON, FEMININE, MASCULINE):
                if gender in found:
                    return gender
        return ""

    def _by_lists(self, forms: list[str]) -> str:
        for form in forms:
            for gender, words in self._listed.items():
                parts = (part for part, value in self._exceptions.parts.items() if value == gender)
                if form in words or self._exceptions.wholes.get(form) == gender or any(part in form for part in parts):
                    return gender
        return UNKNOWN


class PublishedNames:
    """Classify persons' names: by dict_uk's first names, then by the name lists.

    pymorphy3's Ukrainian dictionary, which is derived from dict_uk, replaces it. A word may be in one list while its
    lemma is in the other. Here it has the lemma's gender; the authors' code leaves this to the order of a set.
    """

    def __init__(self, lists: GenderLists, parser: TitleParser) -> None:
        self._listed = {FEMININE: lists.feminine_names, MASCULINE: lists.masculine_names}
        self._parser = parser
        self.gender = lru_cache(maxsize=None)(self._gender)

    def _gender(self, name: str) -> str:
        first = recorded_text(name).split(" ")[0]
        if found := _dictionary_gender(first):
            return found
        lemmas = [word.lemma for word in self._parser.parse(first)]
        # The substitute's lemmas are in lower case; Stanza's names are not.
        lemmas = [lemma.title() if first[:1].isupper() else lemma for lemma in lemmas]
        for form in (*lemmas, first):
            for gender, names in self._listed.items():
                if form in names:
                    return gender
        return UNKNOWN


def _dictionary_gender(word: str) -> str:
    """Look up the gender of a first name in the nominative; an empty string if there is none."""
    # pymorphy3 reads initials as names; dict_uk has none.
    if not word[:1].isupper() or len(word) == 1:
        return ""
    tags = [parse.tag for parse in analyse(word) if parse.is_known and parse.normal_form == word.lower()]
    for grammeme, gender in (("femn", FEMININE), ("masc", MASCULINE)):
        if any({"Name", "nomn", grammeme} in tag for tag in tags):
            return gender
    return ""


@cache
def _default_analyser() -> "MorphAnalyzer":
    load_analyser()
    import pymorphy3

    # Without a language, pymorphy3 loads Russian, as in the authors' code.
    return pymorphy3.MorphAnalyzer()


@cache
def _russian_lemma(word: str) -> str:
    parse = _default_analyser().parse(word)[0]
    singular = parse.inflect({"sing"}) if "plur" in parse.tag else None
    return singular.word if singular else parse.normal_form


class GenderClassifier:
    """Classify by every procedure at once; the exceptions concern titles, so they do not change the gender of names."""

    def __init__(self, lists: GenderLists, exceptions: GenderExceptions, parser: TitleParser) -> None:
        self.method = parser.method
        names = PublishedNames(lists, parser)
        self._jobs = {
            PUBLISHED: PublishedJobs(lists, parser),
            WITH_EXCEPTIONS: PublishedJobs(lists, parser, exceptions),
            CORRECTED: CorrectedJobs(lists, parser.heads),
        }
        self._names = {PUBLISHED: names, WITH_EXCEPTIONS: names, CORRECTED: CorrectedNames(lists)}
        self.genders = lru_cache(maxsize=None)(self._genders)

    def _genders(self, label: str, text: str) -> dict[str, str]:
        """Classify the gender by each procedure."""
        classifiers: dict[str, Any] = {**(self._jobs if label == JOB else self._names)}
        return {procedure: classifier.gender(text) for procedure, classifier in classifiers.items()}


def load_classifier(stanza_folder: str, exceptions: Path, **word_lists: Path) -> GenderClassifier:
    """Read the lists and load Stanza, or its substitute."""
    lists = load_gender_lists(**word_lists)
    return GenderClassifier(lists, load_gender_exceptions(exceptions), load_parser(stanza_folder))


def classify_entities(documents: Path, entities: Path, genders: Path, stanza_folder: str, **gender_lists: Path) -> None:
    """Write the gender of each title and name of a corpus, by procedure, in the order of `entities`."""
    classifier = load_classifier(stanza_folder, **gender_lists)
    rows = [row for document in read_documents(documents, entities) for row in _gender_rows(document, classifier)]
    write_batches(genders, GENDER_SCHEMA, [rows])


def _gender_rows(document: EntityDocument, classifier: GenderClassifier) -> list[dict[str, object]]:
    starts = [start for start, _ in document.lines]
    lines = {entity.id: bisect_right(starts, entity.start) - 1 for entity in document.entities}
    jobs = [entity for entity in document.entities if entity.label == JOB]
    with_job = {lines[job.id] for job in jobs}
    with_job_published = {lines[job.id] for job in jobs if _is_found(job, document.lines[lines[job.id]], document.text)}
    rows = []
    for entity in [entity for entity in document.entities if entity.label in LABELS]:
        line, genders = lines[entity.id], classifier.genders(entity.label, entity.text)
        rows.append(
            {
                "document": document.document,
                "subcorpus": document.subcorpus,
                "entity": entity.id,
                "label": entity.label,
                "text": entity.text,
                "line": line,
                "beside_job": line in with_job,
                "beside_job_published": line in with_job_published,
                "method": classifier.method,
            }
            | {GENDER_COLUMNS[procedure]: gender for procedure, gender in genders.items()}
        )
    return rows


def _is_found(job: Entity, line: tuple[int, int], text: str) -> bool:
    """Check that the title occurs in its line between word boundaries.

    The authors' 1,513 lines are those with such a title. An underscore beside it (_заступником_), a quotation mark at
    its end, or a title that continues on the next line prevents this.
    """
    return re.search(rf"\b{re.escape(job.text)}\b", text[slice(*line)]) is not None
