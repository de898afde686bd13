"""What a language model is asked in order to swap a sentence (Nahurna 2025, §4.1.2): sentence, entities, names, prompt.

`published` is the authors' notebook: a line is asked about if the text of any JOB entity of its document stands in it
as a word, and the entities are whatever of the document's JOB and PERS texts stand in it. `corrected` takes the
entities that are annotated in the line itself, and draws three different names.
"""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textparity.errors import InputError
from textparity.llm.exchange import Request, check_placeholders, fill, read_part
from textparity.llm.models import ModelRow
from textparity.measures.statistics import random_generator
from textparity.studies.swapping.entity_corpora import Document
from textparity.studies.swapping.language.person_names import OfferedNames, draw
from textparity.studies.swapping.language.word_lists import GenderLists
from textparity.studies.swapping.names import JOB, LABELS

FEMININE_NAMES, MASCULINE_NAMES = "{female_names}", "{male_names}"
# The file has the prompt in two languages; the study's is the second.
_VERSION = re.compile(r"^-+ (\w+) VERSION -+$", re.MULTILINE)
_LANGUAGE = "UKRAINIAN"


@dataclass(frozen=True)
class Sentence:
    """A line (from 0) of a document, without white space around it, and its entities as they are sent: text to label.

    A dictionary, as in the paper: an entity whose text occurs twice is there once.
    """

    document: str
    line: int
    text: str
    entities: dict[str, str]

    @property
    def entities_json(self) -> str:
        """The entities for a cell of a table."""
        return json.dumps(self.entities, ensure_ascii=False)


def select_sentences(documents: list[Document], procedure: str) -> list[Sentence]:
    """Return the lines to swap, in the order of the documents."""
    if procedure == "corrected":
        found = [sentence for document in documents for sentence in _annotated(document)]
    else:
        found = [sentence for document in documents for sentence in _mentioning(document)]
        # The notebook keeps sentences in a dictionary: of a text that stands in several documents, the last one counts.
        last = {sentence.text: sentence.entities for sentence in found}
        found = [replace(sentence, entities=last[sentence.text]) for sentence in found]
    return [sentence for sentence in found if JOB in sentence.entities.values()]


def _mentioning(document: Document) -> list[Sentence]:
    recorded = [(_recorded_text(entity.text), entity.label) for entity in document.entities]
    found = []
    for number, (start, end) in enumerate(document.lines):
        line = document.text[start:end].strip()
        # Whatever its label, a later entity with the same text takes the place of an earlier one.
        entities = {text: label for text, label in recorded if _stands_in(text, line)}
        found.append(Sentence(document.document, number, line, _gendered(entities)))
    return found


def _annotated(document: Document) -> list[Sentence]:
    found = []
    for number, (start, end) in enumerate(document.lines):
        inside = [entity for entity in document.entities if start <= entity.start < end]
        entities = {
            _recorded_text(entity.text): entity.label for entity in sorted(inside, key=lambda entity: entity.start)
        }
        line = document.text[start:end].strip()
        found.append(Sentence(document.document, number, line, _gendered(entities)))
    return found


def _recorded_text(text: str) -> str:
    """Return the text of an entity as NER-UK's files record it: cut at a line end."""
    return text.partition("\n")[0].strip()


def _stands_in(text: str, line: str) -> bool:
    # Looking for the text alone is much faster, and nearly always enough.
    return text in line and bool(re.search(rf"\b{re.escape(text)}\b", line))


def _gendered(entities: dict[str, str]) -> dict[str, str]:
    return {text: label for text, label in entities.items() if label in LABELS}


def draw_names(lists: GenderLists, sentence: Sentence, seed: int, procedure: str) -> OfferedNames:
    """Return three names of each gender, drawn by their frequency; they depend on the seed and the sentence alone.

    As published, a name may be drawn twice.
    """
    generator = random_generator(seed, "names", sentence.text)
    masculine, feminine = (
        draw(names, generator, repeats=procedure == "published")
        for names in (lists.masculine_names, lists.feminine_names)
    )
    return OfferedNames(feminine, masculine)


class SwapPrompt:
    """The question to one model about any sentence."""

    def __init__(self, row: ModelRow, prompt: Path) -> None:
        self._row = row
        self._template = _ukrainian(read_part(prompt), prompt)
        check_placeholders(prompt, self._template, [FEMININE_NAMES, MASCULINE_NAMES])

    def request(self, sentence: Sentence, names: OfferedNames) -> Request:
        """Return what to send: the prompt as the system's message, sentence and entities as the user's.

        A model that completes texts gets them as one more of the prompt's examples.
        """
        # Lists and dictionaries as Python shows them, which is how the notebook puts them into its strings.
        values = {FEMININE_NAMES: str(list(names.feminine)), MASCULINE_NAMES: str(list(names.masculine))}
        instructions = fill(self._template, values)
        question = f"{sentence.text}\n{sentence.entities}"
        prompt: Any = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
        if self._row.mode == "completion":
            prompt = f"{instructions}\n\nInput:\n{question}\n\nOutput:\n"
        return Request.to_model(self._row, prompt)


def _ukrainian(text: str, path: Path) -> str:
    headings = list(_VERSION.finditer(text))
    if not headings:
        return text.strip()
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading[1] == _LANGUAGE:
            return text[heading.end() : following.start() if following else None].strip()
    raise InputError(f"{path}: has no part --- {_LANGUAGE} VERSION ---; add it, or leave out the headings")
