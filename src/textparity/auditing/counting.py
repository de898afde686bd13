"""Count sources one by one, in a single pass and in memory that does not grow with their size."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.auditing import languages, tallying
from textparity.auditing.copies import UniqueTexts
from textparity.auditing.inputs import check_options
from textparity.auditing.labels import RecordLabels
from textparity.auditing.people import KnownNames
from textparity.auditing.processes import ProcessEnded, Workers
from textparity.auditing.records import SCHEMA as RECORDS_SCHEMA
from textparity.auditing.settings import NOT_VALID, AuditSettings
from textparity.compression import COMPRESSIONS
from textparity.corpora.reading import (
    ROW_GROUP_ROWS,
    BatchWriter,
    fill_batches,
    iterate_batches,
    open_batches,
    read_metadata,
)
from textparity.errors import ConfigError, FetchError, InputError, TextparityError
from textparity.files import escaped
from textparity.folding import NO_FOLDING
from textparity.persons.mentions import MENTIONS, PERSONS
from textparity.progress import file_bar
from textparity.reading.documents import FIELDS_END, Label, Place, Texts
from textparity.reading.formats import FORMATS, TEXT_FORMAT
from textparity.reading.read import read_texts
from textparity.reading.recognition import HEAD, warn_about_markup, warn_about_records
from textparity.reading.records import RecordError
from textparity.reading.sources import Callbacks, InputFile, SourceAccess
from textparity.reading.web_text import strip_html

# A mention as a cell of a table, with the fields of `textparity.persons.mentions.Mention`.
MENTION_TYPE = pa.struct([
    ("start", pa.int32()), ("end", pa.int32()), ("text", pa.string()), ("kind", pa.string()), ("gender", pa.string()),
    ("entity", pa.int32()), ("evidence", pa.string()), ("is_group", pa.bool_()),
])  # fmt: skip
MENTIONS_SCHEMA = pa.schema([
    ("corpus", pa.string()), ("place", pa.int64()), ("id", pa.string()), ("lang", pa.string()), *MENTION_TYPE,
    ("field", pa.string()), ("unspecified_as", pa.string()),
])  # fmt: skip
# The tables with a row for each mention or text that an audit can write.
KEPT_SCHEMAS = {"mentions": MENTIONS_SCHEMA, "records": RECORDS_SCHEMA}


@dataclass
class Counted:
    """The counts of one source: its languages, texts left out by reason, and whether its given language seems wrong.

    If the source could not be read, only `error` is set. `digest` is that of its texts, if it was asked for.
    """

    tallies: dict[str, tallying.Tally] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    warning: str = ""
    error: str = ""
    digest: str = ""

    def add(self, batch: tallying.Batch, settings: AuditSettings) -> None:
        """Add the counts of a batch of texts."""
        self.left_out.update(batch.left_out)
        tallying.check_codes(self.left_out, settings)
        for lang, tally in batch.languages.items():
            tallying.add_tally(self.tallies, tally, settings, lang)


class Digest:
    """The digest of the texts of a source, which tells whether two parts have read the same texts."""

    def __init__(self) -> None:
        self._found: Any = None

    def add(self, texts: Texts) -> None:
        """Add a portion of the texts."""
        self._found = self._found or blake2b(digest_size=16)
        self._found.update("".join(f"{text}\n" for text in texts.texts).encode())

    @property
    def value(self) -> str:
        """The digest of all texts. Empty if there are none."""
        return self._found.hexdigest() if self._found else ""


_Result = tallying.Batch | tallying.ReadBatch
_Count = Callable[[Texts], _Result]


class _Waiting(NamedTuple):
    """Texts that are being counted, or only read, perhaps in another process."""

    texts: Texts
    future: Future[_Result]


class SourceCounter:
    """Count one source after the other, in worker processes if more than one job was asked for."""

    def __init__(
        self,
        settings: AuditSettings,
        writers: Mapping[str, BatchWriter] | None = None,
        on_batch: Callable[[tallying.Batch], None] = lambda batch: None,
        with_digests: bool = False,
    ) -> None:
        """Start a counter. `writers` write the `mentions` and `records` of each source that was read to its end.

        `on_batch` gets each batch. `with_digests` fills in `Counted.digest`.
        """
        self.settings = settings
        self._writers = writers or {}
        self._on_batch = on_batch
        if settings.counting.lexicon_folder is not None:
            languages.check_lexicon_folder(settings.counting.lexicon_folder)
        self._left_out: Counter[str] = Counter()
        # The names of the people in the source so far, by language, if it is one document in parts.
        self._names: dict[str, KnownNames] = {}
        self._unique: UniqueTexts | None = None
        self._with_digests = with_digests
        self._digest: Digest | None = None
        # This process counts too, so it is one of the jobs.
        self._workers = Workers(settings.counting.jobs - 1)

    def __enter__(self) -> "SourceCounter":
        return self

    def __exit__(self, *error: object) -> None:
        self._workers.__exit__(*error)

    def skip(self, reason: str, number: int = 1) -> None:
        """Count texts of the current source as left out."""
        self._left_out[reason] += number

    def count(self, name: str, texts: Iterator[Texts], lang: str | None) -> Counted:
        """Count the texts of a source. Examples and mentions show it under `name`."""
        if not lang and "" in languages.given_pipelines(self.settings.counting.pipeline):
            raise ConfigError(
                "a pipeline is for one language; name that language (--lang, or LANG=NAME in the setting pipeline)"
            )
        with ExitStack() as stack:
            # These files have no name, so nothing remains of them if this process is killed.
            files = {kind: stack.enter_context(TemporaryFile()) for kind in self._writers}
            try:
                counted = self._fill_files(name, texts, lang, files)
            except ProcessEnded as ended:
                raise TextparityError(f"{name}: a process that counted it {ended}") from None
            except OSError as error:
                # The error of a full disk does not name a file.
                error.filename = error.filename or gettempdir()
                raise
            if self._unique:
                self._unique.keep()
            for kind, file in files.items():
                for batch in iterate_batches(file, ROW_GROUP_ROWS):
                    self._writers[kind].write_table(pa.Table.from_batches([batch]))
        return counted

    def _fill_files(
        self, name: str, texts: Iterator[Texts], lang: str | None, files: Mapping[str, IO[bytes]]
    ) -> Counted:
        """Count the texts, and write the rows of mentions and records to the files."""
        with ExitStack() as stack:
            writers = {}
            for kind, file in files.items():
                writers[kind] = stack.enter_context(fill_batches(file, KEPT_SCHEMAS[kind]))
            return self._count(name, texts, lang, writers)

    def _count(
        self, name: str, texts: Iterator[Texts], lang: str | None, writers: Mapping[str, BatchWriter]
    ) -> Counted:
        self._start_source()
        counted = Counted(left_out=self._left_out)
        waiting = deque[_Waiting]()
        of_file = tallying.FileLanguage(lang or "")
        for index, portion in enumerate(self._portions(texts)):
            if index == 0 and lang:
                counted.warning = languages.warn_about_language(lang, portion.texts)
            elif index == 0 and self.settings.counting.detect == "file":
                of_file = tallying.find_language_of_all(self.settings, portion.texts)
            if of_file.reason:
                self.skip(of_file.reason, len(portion.texts))
                continue
            count: _Count = partial(tallying.tally_batch, self.settings, of_file.lang, name)
            if portion.are_parts and self.settings.counting.count != MENTIONS:
                # Who counts depends on the earlier parts of the document.
                count = partial(tallying.read_batch, self.settings, of_file.lang)
            for batch in _by_windows(portion) if self.settings.counting.method == PERSONS else [portion]:
                future = self._start_counting(count, batch)
                waiting.append(_Waiting(batch, future))
                # Batches are collected in order, so that the rows of mentions and records are in order. Only a few wait
                # at a time, so that memory stays constant.
                while waiting and (waiting[0].future.done() or len(waiting) > 4 * self.settings.counting.jobs):
                    self._collect(counted, name, waiting.popleft(), writers)
        for batch_waiting in waiting:
            self._collect(counted, name, batch_waiting, writers)
        counted.digest = self._digest.value if self._digest else ""
        if of_file.certainty:
            _set_certainty(counted, of_file)
        return counted

    def _start_source(self) -> None:
        """Forget the previous source."""
        self._left_out = Counter()
        self._names = {}
        self._digest = Digest() if self._with_digests else None
        if self._unique:
            # What is still in it comes from a source that could not be read to its end.
            self._unique.forget()
        if self.settings.counting.unique and (self._unique is None or self.settings.showing.per_file):
            self._unique = UniqueTexts()

    def _start_counting(self, count: _Count, texts: Texts) -> Future[_Result]:
        """Let a worker count texts. If all are busy, this process counts them, which saves the cost of sending them."""
        if self._workers.has_room():
            return self._workers.submit(count, texts)
        future = Future[_Result]()
        future.set_result(count(texts))
        return future

    def _portions(self, texts: Iterator[Texts]) -> Iterator[Texts]:
        left = self.settings.reading.max_samples
        for portion in texts:
            if left is not None:
                portion = portion.select(range(min(left, len(portion.texts))))
                left -= len(portion.texts)
            portion = self._without("null", portion, [text is not None for text in portion.texts])
            if self._unique:
                portion = self._without("copy of another text", portion, _are_new(portion, self._unique))
            if portion.texts:
                if self._digest:
                    self._digest.add(portion)
                yield portion
            if left == 0:
                return

    def _without(self, reason: str, portion: Texts, are_kept: Sequence[bool]) -> Texts:
        """Leave out texts, and count them by the reason."""
        if all(are_kept):
            return portion
        indexes = [index for index, is_kept in enumerate(are_kept) if is_kept]
        self.skip(reason, len(are_kept) - len(indexes))
        return portion.select(indexes)

    def _collect(self, counted: Counted, name: str, waiting: _Waiting, writers: Mapping[str, BatchWriter]) -> None:
        batch = self._workers.result(waiting.future)
        if isinstance(batch, tallying.ReadBatch):
            batch = tallying.tally_read_batch(self.settings, name, waiting.texts, batch, self._names)
        counted.add(batch, self.settings)
        self._on_batch(batch)
        if "mentions" in writers:
            writers["mentions"].write(batch.mentions)
        if "records" in writers and batch.records is not None:
            writers["records"].write_table(batch.records)


def _are_new(portion: Texts, seen: UniqueTexts) -> list[bool]:
    """Check for each text whether its group has not had it yet in its language. Blank texts are no copies."""
    labels = portion.labels or [Label()] * len(portion.texts)
    are_new = []
    for text, label in zip(portion.texts, labels, strict=True):
        stripped = text.strip()
        are_new.append(not stripped or seen.is_new(stripped, label.group, str(label.language)))
    return are_new


def _set_certainty(counted: Counted, of_file: tallying.FileLanguage) -> None:
    """Give all texts of a file the certainty with which its language was detected."""
    of_language = counted.tallies.get(of_file.lang)
    if of_language is None:
        return
    for tally in (of_language, *of_language.groups.values()):
        tally.detected = tally.totals["texts"]
        tally.certainty = of_file.certainty * tally.detected


def _by_windows(portion: Texts) -> Iterator[Texts]:
    """Split a portion into windows, within which persons are resolved: a pipeline takes a minute for a megabyte."""
    from textparity.persons.windows import WINDOW_CHARACTERS, windows_of

    start = 0
    characters = 0
    folded = map(NO_FOLDING.fold, portion.texts)
    for window in windows_of(folded, portion.documents):
        characters += sum(len(portion.texts[index]) for index in window)
        is_last = window.stop == len(portion.texts)
        if is_last or characters >= WINDOW_CHARACTERS // 2:
            yield portion.select(range(start, window.stop))
            start = window.stop
            characters = 0


def keep_languages(path: Path, langs: set[str]) -> None:
    """Remove the rows of all other languages from a file of mentions or records."""
    found: set[str] = set()
    for batch in iterate_batches(path, ROW_GROUP_ROWS, ["lang"]):
        found.update(batch["lang"].unique().to_pylist())
    if found <= langs:
        return
    kept_langs = pa.array(langs, pa.string())
    with open_batches(path, pq.read_schema(path)) as writer:
        writer.metadata = read_metadata(path)
        for batch in iterate_batches(path, ROW_GROUP_ROWS):
            table = pa.Table.from_batches([batch])
            is_kept = pc.is_in(table["lang"], kept_langs)
            writer.write_table(table.filter(is_kept))


@dataclass(frozen=True)
class CountingRun:
    """How the sources of an audit are read and counted, apart from what is counted.

    With `skip_failed`, a file that cannot be read is left out completely and listed in the result. `skip_invalid` does
    the same for single lines and records. `note` gets a message for each of them. With `with_digests`, counts have
    digests of the texts. `on_texts` gets the name of a source and each portion of its texts. `on_record` gets the name
    of the source and the place of each record, even if the record has no text.
    """

    skip_failed: bool = False
    skip_invalid: bool = False
    show_progress: bool = False
    with_digests: bool = False
    note: Callable[[str], None] = lambda message: None
    on_texts: Callable[[str, Texts], None] = lambda name, texts: None
    on_record: Callable[[str, Place], None] = lambda name, place: None


class _NamedSource(NamedTuple):
    """A source, and its name in tables."""

    name: str
    file: InputFile


def count_sources(
    named: Sequence[tuple[str, InputFile]],
    settings: AuditSettings,
    options: CountingRun,
    writers: Mapping[str, BatchWriter] | None = None,
    together: bool = False,
) -> Iterator[tuple[str, InputFile, Counted]]:
    """Count each source in turn. `writers` get the `mentions` and `records`.

    With `together`, small files are counted together, which is much faster. The first has the counts of all.
    """
    checked = check_options([SourceAccess(file, settings.reading) for _, file in named])
    sources = [_NamedSource(name, file) for (name, _), file in zip(named, checked, strict=True)]
    problems = [source.file.problem for source in sources if source.file.problem]
    if problems and not options.skip_failed:
        raise InputError(problems[0])
    sizes = _find_sizes(sources)
    are_sizes_known = len(sizes) + len(problems) == len(sources)
    is_whole = settings.reading.max_samples is None and settings.counting.detect != "file"
    together = together and is_whole and settings.counting.method != PERSONS
    with ExitStack() as stack:
        bar = stack.enter_context(file_bar(sum(sizes.values()) if are_sizes_known else None, options.show_progress))
        counter = stack.enter_context(SourceCounter(settings, writers, with_digests=options.with_digests))
        reader = _Reader(settings, options, bar.update)
        for group in _groups(sources, sizes if together else {}):
            bar.set_description(Path(group[0].name).name[:30], refresh=False)
            count = _count_group if len(group) > 1 else _count_one
            counts = count(group, counter, reader)
            for source, counted in zip(group, counts, strict=True):
                yield source.name, source.file, counted


def read_sources(named: Sequence[tuple[str, InputFile]], settings: AuditSettings) -> Iterator[tuple[str, Texts]]:
    """Read the texts of sources that were counted once more, in portions with the name of the source.

    What could not be read is left out, as it was when the sources were counted.
    """
    checked = check_options([SourceAccess(file, settings.reading) for _, file in named])
    reader = _Reader(settings, CountingRun(skip_failed=True, skip_invalid=True), on_bytes=lambda number: None)
    for (name, _), file in zip(named, checked, strict=True):
        try:
            for texts in reader.read(_NamedSource(name, file), lambda reason, number=1: None, []):
                yield name, texts
        except _UnreadableError:
            continue


def _find_sizes(sources: Sequence[_NamedSource]) -> dict[InputFile, int]:
    """Find the sizes, in bytes, of the sources that are files."""
    sizes = {}
    for source in sources:
        if source.file.is_file and not source.file.problem:
            sizes[source.file] = Path(source.file.name).stat().st_size
    return sizes


# Files of up to this size are counted together, up to this many bytes at a time.
SMALL_FILE, BYTES_TOGETHER = 65_536, 2_000_000


def _groups(sources: Sequence[_NamedSource], sizes: Mapping[InputFile, int]) -> Iterator[list[_NamedSource]]:
    """Put small files that follow each other into groups of one language, and all others into groups of their own."""
    group: list[_NamedSource] = []
    group_size = 0
    for source in sources:
        size = sizes.get(source.file, BYTES_TOGETHER)
        is_small = size < SMALL_FILE and not source.file.name.endswith(COMPRESSIONS)
        has_room = is_small and group_size < BYTES_TOGETHER
        if group and not (has_room and source.file.lang == group[0].file.lang):
            yield group
            group = []
            group_size = 0
        group.append(source)
        group_size += size if is_small else BYTES_TOGETHER
    if group:
        yield group


@dataclass(frozen=True)
class _Reader:
    """Read sources. `on_bytes` gets the numbers of bytes read."""

    settings: AuditSettings
    options: CountingRun
    on_bytes: Callable[[int], None]

    def read(self, source: _NamedSource, skip: Callable[..., None], warnings: list[str]) -> Iterator[Texts]:
        """Read the texts of a source. `skip` counts what is left out, by reason."""

        def on_invalid(error: InputError) -> None:
            if not self.options.skip_invalid:
                raise InputError(f"{error}; to leave out and count such lines, add --on-error skip") from None
            # After an unclosed quote, the number of lines is known but the number of texts is not.
            lines = error.lines if isinstance(error, RecordError) else 1
            skip(NOT_VALID, lines)
            self.options.note(str(error))

        options = self.settings.reading
        lexicons = self.settings.counting.lexicon_folder
        labels = RecordLabels(options.groups, options.lang_field, options.id_field, lexicons)
        on_record = partial(self.options.on_record, source.name)
        callbacks = Callbacks(on_invalid, self.on_bytes, skip, on_record, labels.label)
        texts = read_texts(SourceAccess(source.file, options, callbacks))
        return self._prepare(texts, source, warnings)

    def _prepare(self, texts: Iterator[Texts], source: _NamedSource, warnings: list[str]) -> Iterator[Texts]:
        """Add to `warnings` what the first texts seem to be, extract the text from HTML, and report each portion."""
        has_markup = self.settings.reading.strip_html and not FORMATS[source.file.format].is_html
        try:
            for index, portion in enumerate(texts):
                if index == 0 and source.file.format == TEXT_FORMAT.name:
                    warnings.append(self._warn_about_first(portion.texts))
                if has_markup:
                    portion = _strip_portion(portion, source.name)
                self.options.on_texts(source.name, portion)
                yield portion
        except (InputError, FetchError) as error:
            raise _UnreadableError(error) from error

    def _warn_about_first(self, texts: Sequence[str | None]) -> str:
        """Warn if lines of text look like records or HTML."""
        head = "\n".join(text or "" for text in texts[:HEAD])[:HEAD]
        records = warn_about_records(head.split("\n"))
        return records or warn_about_markup(head, self.settings.reading.strip_html)

    def failed(self, error: "_UnreadableError") -> Counted:
        """Make the counts of a source that cannot be read, or raise its error."""
        if not self.options.skip_failed:
            raise error.args[0] from None
        self.options.note(f"skipped: {error}")
        return Counted(error=escaped(str(error)))


def _count_one(group: Sequence[_NamedSource], counter: SourceCounter, reader: _Reader) -> list[Counted]:
    """Count the texts of a group of one file."""
    (source,) = group
    warnings: list[str] = []
    texts = reader.read(source, counter.skip, warnings)
    try:
        counted = counter.count(source.name, texts, source.file.lang)
    except _UnreadableError as error:
        return [reader.failed(error)]
    counted.warning = _join_warnings(*warnings, counted.warning)
    return [counted]


def _count_group(group: Sequence[_NamedSource], counter: SourceCounter, reader: _Reader) -> list[Counted]:
    """Count the texts of some files in one batch. The first of them that can be read gets the counts."""
    counts = [Counted() for _ in group]
    texts = _read_group(group, counts, counter, reader)
    counted = counter.count(group[0].name, texts, group[0].file.lang)
    for of_file in counts:
        if not of_file.error:
            of_file.tallies = counted.tallies
            of_file.left_out = counted.left_out
            break
    return counts


def _read_group(
    group: Sequence[_NamedSource], counts: Sequence[Counted], counter: SourceCounter, reader: _Reader
) -> Iterator[Texts]:
    """Read the texts of some files as one portion. `counts` get their warnings and errors."""
    portions: list[Texts] = []
    # The texts of the first portion of each file that can be read.
    first_texts: dict[int, list[str]] = {}
    for index, source in enumerate(group):
        left_out = Counter[str]()
        warnings: list[str] = []
        try:
            own_portions = list(reader.read(source, partial(_add_to, left_out), warnings))
        except _UnreadableError as error:
            counts[index].error = reader.failed(error).error
            continue
        for reason, number in left_out.items():
            counter.skip(reason, number)
        counts[index].warning = _join_warnings(*warnings)
        first_texts[index] = list(filter(None, own_portions[0].texts)) if own_portions else []
        for portion in own_portions:
            portions.append(portion._replace(files=[source.name] * len(portion.texts)))
    lang = group[0].file.lang
    if lang:
        doubts = languages.warn_about_languages(lang, first_texts.values())
        for index, doubt in zip(first_texts, doubts, strict=True):
            counts[index].warning = _join_warnings(counts[index].warning, doubt)
    if portions:
        yield _join_portions(portions)


def _join_portions(portions: Sequence[Texts]) -> Texts:
    places: list[int] = []
    texts: list[str] = []
    labels: list[Label] = []
    files: list[str] = []
    for portion in portions:
        places += portion.places
        texts += portion.texts
        labels += portion.labels
        files += portion.files
    return Texts(places, texts, labels, files)


def _join_warnings(*warnings: str) -> str:
    return "; ".join(filter(None, warnings))


def _add_to(left_out: Counter[str], reason: str, number: int = 1) -> None:
    left_out[reason] += number


class _UnreadableError(Exception):
    """A source cannot be read. A separate class distinguishes this from errors in reading a lexicon."""


def _strip_portion(portion: Texts, name: str) -> Texts:
    """Extract the text from HTML, of each field separately if there are several."""
    labels = portion.labels or [Label()] * len(portion.texts)
    stripped_texts: list[str | None] = []
    stripped_labels = []
    for place, text, label in zip(portion.places, portion.texts, labels, strict=True):
        if text is not None:
            text, label = _strip(text, label, f"{name}, line or record {place}")
        stripped_texts.append(text)
        stripped_labels.append(label)
    return portion._replace(texts=stripped_texts, labels=stripped_labels if portion.labels else ())


def _strip(text: str, label: Label, where: str) -> tuple[str, Label]:
    if not label.parts:
        return strip_html(text, where), label
    texts = []
    lengths = []
    begin = 0
    for name, length in label.parts:
        stripped = strip_html(text[begin : begin + length], where)
        texts.append(stripped)
        lengths.append((name, len(stripped)))
        begin += length + len(FIELDS_END)
    return FIELDS_END.join(texts), label._replace(parts=tuple(lengths))
