"""A datatrove block (extra `datatrove`) that counts documents and writes parts for `textparity merge`."""

import os
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.io import DataFolderLike, get_datafolder
from datatrove.pipeline.base import PipelineStep

from textparity.auditing.counting import Counted, Digest
from textparity.auditing.labels import RecordLabels
from textparity.auditing.languages import check_lexicon_folder, read_language, warn_about_language
from textparity.auditing.settings import SETTINGS, make_settings
from textparity.auditing.shards import open_part
from textparity.auditing.tallying import tally_batch
from textparity.errors import ConfigError
from textparity.reading.documents import Document as CountedDocument
from textparity.reading.documents import portions
from textparity.reading.options import DATASET
from textparity.reading.sources import InputFile

_OF_FILES = ("text_unit", "detect", "strip_html")


class AuditPart(PipelineStep):
    """Count persons in the documents that pass through unchanged, and write a part `{rank:05d}.parquet`.

    The files of a part are those that datatrove's readers give as `file_path`, or else ranks. `lang` and `settings` are
    those of `textparity.audit`. `group_by` and `lang_field` are fields of the documents' metadata. `textparity merge
    FOLDER` makes tables of the parts.
    """

    type = "📊 - STATS"
    name = "⚖️ textparity"

    def __init__(self, output_folder: DataFolderLike, lang: str | None = None, **settings: Any) -> None:
        super().__init__()
        self.output_folder = get_datafolder(output_folder)
        self.settings = make_settings(**settings)
        self.lang = read_language(lang, self.settings.counting.lexicon_folder) if lang else None
        for name in _OF_FILES:
            if self.settings.flat()[name] != SETTINGS[name].default:
                names = ", ".join(_OF_FILES)
                raise ConfigError(f"{names} apply to files, but a text here is a document; remove them")
        if self.lang and self.settings.reading.lang_field:
            raise ConfigError("lang is that of all documents, and lang_field that of each; remove one")
        if self.settings.counting.lexicon_folder:
            check_lexicon_folder(self.settings.counting.lexicon_folder)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Pass the documents on, each portion as soon as it has been counted."""

        def path_of(document: Document) -> str:
            return str(document.metadata.get("file_path", f"rank {rank}"))

        with TemporaryDirectory() as folder:
            part = Path(folder) / f"{rank:05d}.parquet"
            with open_part(part, self.settings, {}) as write:
                for path, documents in groupby(data, path_of):
                    counted = Counted()
                    yield from self._count(documents, counted)
                    # A file on another machine keeps the name that it was given.
                    format = "jsonl" if os.path.exists(path) else DATASET
                    write(InputFile(path, format, self.lang), counted)
            with part.open("rb") as source, self.output_folder.open(part.name, "wb") as target:
                shutil.copyfileobj(source, target)

    def _count(self, documents: Iterator[Document], counted: Counted) -> Iterator[Document]:
        """Count the documents of a file into `counted`, and pass on those of each portion."""
        waiting: list[Document] = []
        options = self.settings.reading
        lexicons = self.settings.counting.lexicon_folder
        labels = RecordLabels(options.groups, options.lang_field, options.id_field, lexicons)

        def numbered() -> Iterator[CountedDocument]:
            for number, document in enumerate(documents, start=1):
                waiting.append(document)
                label = labels.label(document.metadata, f"document {document.id}")
                yield CountedDocument(number, document.text, label)

        digest = Digest()
        for texts in portions(numbered()):
            with self.track_time("portion"):
                if self.lang and texts.places[0] == 1:
                    counted.warning = warn_about_language(self.lang, texts.texts)
                digest.add(texts)
                counted.add(tally_batch(self.settings, self.lang, "", texts), self.settings)
            yield from waiting
            waiting.clear()
        counted.digest = digest.value
