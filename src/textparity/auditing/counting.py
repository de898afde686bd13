"""Count sources one by one, in a single pass and in memory that does not grow with their size."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, compress
from pathlib import Path
from tempfile import TemporaryFile, gettempdir

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.auditing.html_text import strip_html
from textparity.auditing.inputs import PAGES, InputFile, Label, with_fields
from textparity.auditing.known_formats import HEAD, doubt_format
from textparity.auditing.languages import check_lexicon_folder, doubt_language
from textparity.auditing.persons import given_pipelines
from textparity.auditing.processes import ProcessEnded, Workers
from textparity.auditing.reading import DEFAULT_FIELD, Fields, Place, RecordError, Texts, doubt_text, read_texts
from textparity.auditing.records import SCHEMA as RECORDS_SCHEMA
from textparity.auditing.settings import NOT_VALID, AuditSettings
from textparity.auditing.tallying import (
    Batch,
    Tally,
    add_tally,
    check_codes,
    find_language_of_all,
    tally_batch,
)
from textparity.corpora.rows import ROW_GROUP_ROWS, BatchWriter, fill_batches, iterate_batches, open_batches
from textparity.errors import ConfigError, FetchError, InputError, TextparityError
from textparity.files import writable
from textparity.progress import file_bar

# A mention as a cell of a table.
MENTION_TYPE = pa.struct([
    ("start", pa.int32()), ("end", pa.int32()), ("text", pa.string()), ("kind", pa.string()), ("gender", pa.string()),
    ("entity", pa.int32()), ("evidence", pa.string()),
])  # fmt: skip
# The columns of the file of mentions: the place of each mention, then the fields of
# `textparity.persons.mentions.Mention`.
MENTIONS_SCHEMA = pa.schema(
    [("corpus", pa.string()), ("place", pa.int64()), ("lang", pa.string()), *((f.name, f.type) for f in MENTION_TYPE)]
)

_KEPT = {"mentions": MENTIONS_SCHEMA, "records": RECORDS_SCHEMA}


@dataclass
class Counted:
    """The counts of one source: its languages, texts left out by reason, and whether its given language seems wrong.

    If the source could not be read, only `error` is set.
    """

    tallies: dict[str, Tally] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    doubt: str = ""
    error: str = ""

    def add(self, batch: Batch, settings: AuditSettings) -> None:
        """Add the counts of a batch of texts."""
        self.left_out.update(batch.left_out)
        check_codes(self.left_out, settings)
        for lang, found in batch.languages.items():
            add_tally(self.tallies, found, settings, lang)


@contextmanager
def _temporary_space_named() -> Iterator[None]:
    """Add the temporary folder to system errors that name no file, such as a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or gettempdir()
        raise


class SourceCounter:
    """Count one source after the other, in worker processes if more than one job was asked for."""

    def __init__(
        self,
        settings: AuditSettings,
        writers: Mapping[str, BatchWriter] | None = None,
        keep: Callable[[Batch], None] = lambda batch: None,
    ) -> None:
        """Start a counter.

        `writers` write the `mentions` and `records` of each source that was read to its end. `keep` gets each batch.
        """
        self.settings = settings
        self._writers = writers or {}
        self._keep = keep
        if settings.lexicon_folder is not None:
            check_lexicon_folder(settings.lexicon_folder)
        self._left_out: Counter[str] = Counter()
        # This process counts too, so it is one of the jobs.
        self._workers = Workers(settings.jobs - 1)

    def __enter__(self) -> "SourceCounter":
        return self

    def __exit__(self, *error: object) -> None:
        self._workers.__exit__(*error)

    def skip(self, reason: str, number: int = 1) -> None:
        """Count texts of the current source as left out."""
        self._left_out[reason] += number

    def count(self, name: str, texts: Iterator[Texts], lang: str | None) -> Counted:
        """Count the texts of a source. Examples and mentions show it under `name`."""
        if not lang and "" in given_pipelines(self.settings):
            raise ConfigError("a pipeline is of one language; name it (--lang, or --pipeline LANG=NAME)")
        with ExitStack() as of_source:
            # These files have no name, so nothing remains of them if this process is killed.
            waiting = {kind: of_source.enter_context(TemporaryFile()) for kind in self._writers}
            with _temporary_space_named(), ExitStack() as stack:
                files = {kind: stack.enter_context(fill_batches(file, _KEPT[kind])) for kind, file in waiting.items()}
                try:
                    counted = self._count(name, texts, lang, files)
                except ProcessEnded as ended:
                    raise TextparityError(f"{name}: a process that counted it {ended}") from None
            for kind, file in waiting.items():
                for batch in iterate_batches(file, ROW_GROUP_ROWS):
                    self._writers[kind].write_table(pa.Table.from_batches([batch]))
        return counted

    def _count(self, name: str, texts: Iterator[Texts], lang: str | None, files: Mapping[str, BatchWriter]) -> Counted:
        self._left_out = Counter()
        counted = Counted(left_out=self._left_out)
        waiting = deque[Future[Batch]]()
        count = partial(tally_batch, self.settings, lang, name)
        of_file, certainty, reason = "", 0, ""
        for number, (places, batch, labels) in enumerate(self._batches(texts)):
            if lang and number == 0:
                counted.doubt = doubt_language(lang, batch)
            elif number == 0 and self.settings.detect == "file":
                of_file, certainty, reason = find_language_of_all(self.settings, batch)
                count = partial(tally_batch, self.settings, of_file, name)
            if reason:
                self.skip(reason, len(batch))
                continue
            # If all workers are busy, this process counts the batch itself, which saves the cost of sending it.
            if self._workers.has_room():
                waiting.append(self._workers.submit(count, batch, places, labels))
            else:
                waiting.append(Future[Batch]())
                waiting[-1].set_result(count(batch, places, labels))
            # Batches are collected in order, so that the rows of mentions and records are in order. Only a few wait at
            # a time, so that memory stays constant.
            while waiting and (waiting[0].done() or len(waiting) > 4 * self.settings.jobs):
                self._collect(counted, self._workers.result(waiting.popleft()), files)
        for future in waiting:
            self._collect(counted, self._workers.result(future), files)
        if of_file in counted.tallies:
            of_language = counted.tallies[of_file]
            for tally in (of_language, *of_language.groups.values()):
                tally.detected = tally.totals["texts"]
                tally.certainty = certainty * tally.detected
        return counted

    def _batches(self, texts: Iterator[Texts]) -> Iterator[tuple[Sequence[int], list[str], Sequence[Label]]]:
        left = self.settings.max_samples
        for places, portion, labels in texts:
            if left is not None:
                places, portion, labels = places[:left], portion[:left], labels[:left]
                left -= len(portion)
            batch = [text for text in portion if text is not None]
            if len(batch) < len(portion):
                self.skip("null", len(portion) - len(batch))
                kept = [text is not None for text in portion]
                places, labels = list(compress(places, kept)), list(compress(labels, kept))
            if batch:
                yield places, batch, labels
            if left == 0:
                return

    def _collect(self, counted: Counted, batch: Batch, files: Mapping[str, BatchWriter]) -> None:
        counted.add(batch, self.settings)
        self._keep(batch)
        if "mentions" in files:
            files["mentions"].write(batch.mentions)
        if "records" in files and batch.records is not None:
            files["records"].write_table(batch.records)


def keep_languages(path: Path, langs: set[str]) -> None:
    """Remove the rows of all other languages from a file of mentions or records."""
    found = (batch["lang"].unique().to_pylist() for batch in iterate_batches(path, ROW_GROUP_ROWS, ["lang"]))
    if langs.issuperset(chain.from_iterable(found)):
        return
    with open_batches(path, pq.read_schema(path)) as writer:
        for batch in iterate_batches(path, ROW_GROUP_ROWS):
            table = pa.Table.from_batches([batch])
            writer.write_table(
                table.filter(pa.array([lang in langs for lang in batch["lang"].to_pylist()], pa.bool_()))
            )


def count_sources(
    named: Sequence[tuple[str, InputFile]],
    settings: AuditSettings,
    field: str | None = None,
    skip_failed: bool = False,
    skip_invalid: bool = False,
    show_progress: bool = False,
    note: Callable[[str], None] = lambda message: None,
    mentions: Path | None = None,
    records: Path | None = None,
    on_batch: Callable[[str, Texts], None] | None = None,
    seen_record: Callable[[str, Place], None] = lambda name, place: None,
) -> Iterator[tuple[str, InputFile, Counted]]:
    """Count each source in turn. The options are those of `textparity.auditing.audit.audit_sources`.

    `mentions` and `records` are temporary paths from `textparity.files.atomic_path`.
    """
    named = [(name, with_fields(source, settings)) for name, source in named]
    sources = [source for _, source in named]
    problems = [source.problem for source in sources if source.problem]
    if problems and not skip_failed:
        raise InputError(problems[0])
    fields = Fields(field or DEFAULT_FIELD, settings.group_by, settings.lang_field)
    sizes = [Path(source.name).stat().st_size for source in sources if source.is_file and not source.problem]
    known = len(sizes) + len(problems) == len(sources)
    with ExitStack() as stack:
        bar = stack.enter_context(file_bar(sum(sizes) if known else None, show_progress))
        kept = {kind: path for kind, path in (("mentions", mentions), ("records", records)) if path}
        writers = {kind: stack.enter_context(fill_batches(path, _KEPT[kind])) for kind, path in kept.items()}
        counter = stack.enter_context(SourceCounter(settings, writers))

        def on_invalid(error: InputError) -> None:
            if not skip_invalid:
                raise InputError(f"{error}; or leave such lines out, counted, with --skip-invalid") from None
            # After an unclosed quote, the number of lines is known but the number of texts is not.
            counter.skip(NOT_VALID, error.lines if isinstance(error, RecordError) else 1)
            note(str(error))

        for name, source in named:
            bar.set_description(Path(name).name[:30], refresh=False)
            try:
                texts = read_texts(
                    source,
                    fields,
                    on_invalid,
                    bar.update,
                    counter.skip,
                    settings.text_unit,
                    partial(seen_record, name),
                )
                warnings: list[str] = []
                if source.format == "text":
                    texts = _doubted(texts, warnings, settings.strip_html)
                if settings.strip_html and source.format not in PAGES:
                    texts = _stripped(texts, name)
                if on_batch:
                    texts = _shown(texts, name, on_batch)
                counted = counter.count(name, _readable(texts), source.lang)
                counted.doubt = "; ".join(filter(None, [*warnings, counted.doubt]))
                yield name, source, counted
            except _UnreadableError as error:
                if not skip_failed:
                    raise error.error from None
                note(f"skipped: {error}")
                yield name, source, Counted(error=writable(str(error)))


class _UnreadableError(Exception):
    """A source cannot be read. A separate class distinguishes this from errors in reading a lexicon."""

    def __init__(self, error: InputError | FetchError) -> None:
        super().__init__(str(error))
        self.error = error


def _stripped(texts: Iterator[Texts], name: str) -> Iterator[Texts]:
    for places, portion, labels in texts:
        pages = [
            text if text is None else strip_html(text, f"{name}, line or record {place}")
            for place, text in zip(places, portion, strict=True)
        ]
        yield places, pages, labels


def _doubted(texts: Iterator[Texts], warnings: list[str], is_stripped: bool) -> Iterator[Texts]:
    for number, (places, portion, labels) in enumerate(texts):
        if number == 0:
            head = "\n".join(text or "" for text in portion[:HEAD])[:HEAD]
            warnings.append(doubt_text(head.split("\n")) or doubt_format(head, is_stripped))
        yield places, portion, labels


def _shown(texts: Iterator[Texts], name: str, on_batch: Callable[[str, Texts], None]) -> Iterator[Texts]:
    for portion in texts:
        on_batch(name, portion)
        yield portion


def _readable(texts: Iterator[Texts]) -> Iterator[Texts]:
    try:
        yield from texts
    except (InputError, FetchError) as error:
        raise _UnreadableError(error) from error
