"""Count sources one by one, in a single pass and in memory that does not grow with their size."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import chain, compress
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.auditing import languages, tallying
from textparity.auditing.copies import UniqueTexts
from textparity.auditing.inputs import check_options
from textparity.auditing.labels import RecordLabels
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
from textparity.persons.mentions import PERSONS
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
    ("entity", pa.int32()), ("evidence", pa.string()),
])  # fmt: skip
MENTIONS_SCHEMA = pa.schema([
    ("corpus", pa.string()), ("place", pa.int64()), ("id", pa.string()), ("lang", pa.string()), *MENTION_TYPE,
    ("field", pa.string()),
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
        for lang, found in batch.languages.items():
            tallying.add_tally(self.tallies, found, settings, lang)


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
            raise ConfigError("a pipeline is for one language; name that language (--lang, or --pipeline LANG=NAME)")
        with ExitStack() as of_source:
            # These files have no name, so nothing remains of them if this process is killed.
            waiting = {kind: of_source.enter_context(TemporaryFile()) for kind in self._writers}
            try:
                with ExitStack() as stack:
                    files = {
                        kind: stack.enter_context(fill_batches(one, KEPT_SCHEMAS[kind]))
                        for kind, one in waiting.items()
                    }
                    counted = self._count(name, texts, lang, files)
            except ProcessEnded as ended:
                raise TextparityError(f"{name}: a process that counted it {ended}") from None
            except OSError as error:
                # The error of a full disk does not name a file.
                error.filename = error.filename or gettempdir()
                raise
            if self._unique:
                self._unique.keep()
            for kind, file in waiting.items():
                for batch in iterate_batches(file, ROW_GROUP_ROWS):
                    self._writers[kind].write_table(pa.Table.from_batches([batch]))
        return counted

    def _count(self, name: str, texts: Iterator[Texts], lang: str | None, files: Mapping[str, BatchWriter]) -> Counted:
        self._left_out = Counter()
        self._digest = Digest() if self._with_digests else None
        if self._unique:
            # What is still in it comes from a source that could not be read to its end.
            self._unique.forget()
        if self.settings.counting.unique and (self._unique is None or self.settings.showing.per_file):
            self._unique = UniqueTexts()
        counted = Counted(left_out=self._left_out)
        waiting = deque[Future[tallying.Batch]]()
        count = partial(tallying.tally_batch, self.settings, lang, name)
        of_file, certainty, reason = "", 0, ""
        for number, portion in enumerate(self._portions(texts)):
            if lang and number == 0:
                counted.warning = languages.warn_about_language(lang, portion.texts)
            elif number == 0 and self.settings.counting.detect == "file":
                of_file, certainty, reason = tallying.find_language_of_all(self.settings, portion.texts)
                count = partial(tallying.tally_batch, self.settings, of_file, name)
            if reason:
                self.skip(reason, len(portion.texts))
                continue
            for batch in _by_windows(portion) if self.settings.counting.method == PERSONS else [portion]:
                # If all workers are busy, this process counts the batch itself, which saves the cost of sending it.
                if self._workers.has_room():
                    waiting.append(self._workers.submit(count, batch))
                else:
                    waiting.append(Future[tallying.Batch]())
                    waiting[-1].set_result(count(batch))
                # Batches are collected in order, so that the rows of mentions and records are in order. Only a few wait
                # at a time, so that memory stays constant.
                while waiting and (waiting[0].done() or len(waiting) > 4 * self.settings.counting.jobs):
                    self._collect(counted, self._workers.result(waiting.popleft()), files)
        for future in waiting:
            self._collect(counted, self._workers.result(future), files)
        counted.digest = self._digest.value if self._digest else ""
        if of_file in counted.tallies:
            of_language = counted.tallies[of_file]
            for tally in (of_language, *of_language.groups.values()):
                tally.detected = tally.totals["texts"]
                tally.certainty = certainty * tally.detected
        return counted

    def _portions(self, texts: Iterator[Texts]) -> Iterator[Texts]:
        left = self.settings.reading.max_samples
        for portion in texts:
            if left is not None:
                portion = portion.select(range(min(left, len(portion.texts))))
                left -= len(portion.texts)
            portion = self._without("null", portion, [text is not None for text in portion.texts])
            if self._unique:
                labels = portion.labels or [Label()] * len(portion.texts)
                are_new = [
                    not text.strip() or self._unique.is_new(text.strip(), label.group, str(label.language))
                    for text, label in zip(portion.texts, labels, strict=True)
                ]
                portion = self._without("copy of another text", portion, are_new)
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
        self.skip(reason, len(are_kept) - sum(are_kept))
        return portion.select(list(compress(range(len(are_kept)), are_kept)))

    def _collect(self, counted: Counted, batch: tallying.Batch, files: Mapping[str, BatchWriter]) -> None:
        counted.add(batch, self.settings)
        self._on_batch(batch)
        if "mentions" in files:
            files["mentions"].write(batch.mentions)
        if "records" in files and batch.records is not None:
            files["records"].write_table(batch.records)


def _by_windows(portion: Texts) -> Iterator[Texts]:
    """Split a portion into windows, within which persons are resolved: a pipeline takes a minute for a megabyte."""
    from textparity.persons.methods import WINDOW_CHARACTERS, windows_of

    first = characters = 0
    for window in windows_of(map(NO_FOLDING.fold, portion.texts), portion.documents):
        characters += sum(len(portion.texts[number]) for number in window)
        if characters >= WINDOW_CHARACTERS // 2 or window.stop == len(portion.texts):
            yield portion.select(range(first, window.stop))
            first, characters = window.stop, 0


def keep_languages(path: Path, langs: set[str]) -> None:
    """Remove the rows of all other languages from a file of mentions or records."""
    found = (batch["lang"].unique().to_pylist() for batch in iterate_batches(path, ROW_GROUP_ROWS, ["lang"]))
    if langs.issuperset(chain.from_iterable(found)):
        return
    with open_batches(path, pq.read_schema(path)) as writer:
        writer.metadata = read_metadata(path)
        for batch in iterate_batches(path, ROW_GROUP_ROWS):
            table = pa.Table.from_batches([batch])
            writer.write_table(table.filter(pc.is_in(table["lang"], pa.array(langs, pa.string()))))


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
    named = [(name, check_options(SourceAccess(source, settings.reading))) for name, source in named]
    sources = [source for _, source in named]
    problems = [source.problem for source in sources if source.problem]
    if problems and not options.skip_failed:
        raise InputError(problems[0])
    sizes = {source: Path(source.name).stat().st_size for source in sources if source.is_file and not source.problem}
    known = len(sizes) + len(problems) == len(sources)
    with ExitStack() as stack:
        bar = stack.enter_context(file_bar(sum(sizes.values()) if known else None, options.show_progress))
        counter = stack.enter_context(SourceCounter(settings, writers, with_digests=options.with_digests))
        together = (
            together
            and settings.reading.max_samples is None
            and settings.counting.detect != "file"
            and settings.counting.method != PERSONS
        )
        for group in _groups(named, sizes if together else {}):
            bar.set_description(Path(group[0][0]).name[:30], refresh=False)
            reader = _Reader(settings, options, bar.update)
            found = _count_group(group, counter, reader) if len(group) > 1 else _count_one(*group[0], counter, reader)
            for (name, source), counted in zip(group, found, strict=True):
                yield name, source, counted


# Files of up to this size are counted together, up to this many bytes at a time.
SMALL_FILE, BYTES_TOGETHER = 65_536, 2_000_000


def _groups(
    named: Sequence[tuple[str, InputFile]], sizes: Mapping[InputFile, int]
) -> Iterator[list[tuple[str, InputFile]]]:
    """Put small files that follow each other into groups of one language, and all others into groups of their own."""
    group: list[tuple[str, InputFile]] = []
    size = 0
    for name, source in named:
        is_small = sizes.get(source, SMALL_FILE) < SMALL_FILE and not source.name.endswith(COMPRESSIONS)
        if group and not (is_small and size < BYTES_TOGETHER and source.lang == group[0][1].lang):
            yield group
            group, size = [], 0
        group.append((name, source))
        size += sizes[source] if is_small else BYTES_TOGETHER
    if group:
        yield group


@dataclass(frozen=True)
class _Reader:
    """Read sources. `on_bytes` gets the numbers of bytes read."""

    settings: AuditSettings
    options: CountingRun
    on_bytes: Callable[[int], None]

    def read(self, name: str, source: InputFile, skip: Callable[..., None], warnings: list[str]) -> Iterator[Texts]:
        """Read the texts of a source. `skip` counts what is left out, by reason."""

        def on_invalid(error: InputError) -> None:
            if not self.options.skip_invalid:
                raise InputError(f"{error}; to leave out and count such lines, add --skip-invalid") from None
            # After an unclosed quote, the number of lines is known but the number of texts is not.
            skip(NOT_VALID, error.lines if isinstance(error, RecordError) else 1)
            self.options.note(str(error))

        options = self.settings.reading
        lexicons = self.settings.counting.lexicon_folder
        labels = RecordLabels(options.groups, options.lang_field, options.id_field, lexicons)
        on_record = partial(self.options.on_record, name)
        callbacks = Callbacks(on_invalid, self.on_bytes, skip, on_record, labels.label)
        texts = read_texts(SourceAccess(source, options, callbacks))
        return self._prepare(texts, name, source, warnings)

    def _prepare(self, texts: Iterator[Texts], name: str, source: InputFile, warnings: list[str]) -> Iterator[Texts]:
        """Add to `warnings` what the first texts seem to be, extract the text from HTML, and report each portion."""
        try:
            for number, portion in enumerate(texts):
                if number == 0 and source.format == TEXT_FORMAT.name:
                    head = "\n".join(text or "" for text in portion.texts[:HEAD])[:HEAD]
                    records = warn_about_records(head.split("\n"))
                    warnings.append(records or warn_about_markup(head, self.settings.reading.strip_html))
                if self.settings.reading.strip_html and not FORMATS[source.format].is_html:
                    labels = portion.labels or [Label()] * len(portion.texts)
                    stripped = [
                        (text, label) if text is None else _strip(text, label, f"{name}, line or record {place}")
                        for place, text, label in zip(portion.places, portion.texts, labels, strict=True)
                    ]
                    texts_of, labels_of = zip(*stripped, strict=True)
                    portion = portion._replace(texts=texts_of, labels=labels_of if portion.labels else ())
                self.options.on_texts(name, portion)
                yield portion
        except (InputError, FetchError) as error:
            raise _UnreadableError(error) from error

    def failed(self, error: "_UnreadableError") -> Counted:
        """Make the counts of a source that cannot be read, or raise its error."""
        if not self.options.skip_failed:
            raise error.args[0] from None
        self.options.note(f"skipped: {error}")
        return Counted(error=escaped(str(error)))


def _count_one(name: str, source: InputFile, counter: SourceCounter, reader: _Reader) -> list[Counted]:
    warnings: list[str] = []
    try:
        counted = counter.count(name, reader.read(name, source, counter.skip, warnings), source.lang)
    except _UnreadableError as error:
        return [reader.failed(error)]
    counted.warning = "; ".join(filter(None, [*warnings, counted.warning]))
    return [counted]


def _count_group(group: Sequence[tuple[str, InputFile]], counter: SourceCounter, reader: _Reader) -> list[Counted]:
    """Count the texts of some files in one batch. The first of them that can be read gets the counts."""
    found = [Counted() for _ in group]

    def read() -> Iterator[Texts]:
        portions: list[Texts] = []
        firsts: dict[int, list[str]] = {}
        for number, (name, source) in enumerate(group):
            left_out, warnings = Counter[str](), list[str]()
            skip = partial(_add_to, left_out)
            try:
                of_file = [
                    portion._replace(files=[name] * len(portion.texts))
                    for portion in reader.read(name, source, skip, warnings)
                ]
            except _UnreadableError as error:
                found[number] = reader.failed(error)
                continue
            for reason, times in left_out.items():
                counter.skip(reason, times)
            firsts[number] = list(filter(None, of_file[0].texts)) if of_file else []
            found[number].warning = "; ".join(filter(None, warnings))
            portions += of_file
        if lang := group[0][1].lang:
            for number, doubt in zip(firsts, languages.warn_about_languages(lang, firsts.values()), strict=True):
                found[number].warning = "; ".join(filter(None, (found[number].warning, doubt)))
        if portions:
            places, texts, labels, files = (
                list(chain.from_iterable(column)) for column in zip(*(one[:4] for one in portions), strict=True)
            )
            yield Texts(places, texts, labels, files)

    counted = counter.count(group[0][0], read(), group[0][1].lang)
    first = next((one for one in found if not one.error), None)
    if first is not None:
        first.tallies, first.left_out = counted.tallies, counted.left_out
    return found


def _add_to(left_out: Counter[str], reason: str, number: int = 1) -> None:
    left_out[reason] += number


class _UnreadableError(Exception):
    """A source cannot be read. A separate class distinguishes this from errors in reading a lexicon."""


def _strip(text: str, label: Label, where: str) -> tuple[str, Label]:
    """Extract the text from HTML, of each field separately if there are several."""
    if not label.parts:
        return strip_html(text, where), label
    parts, begin = [], 0
    for name, length in label.parts:
        parts.append((name, strip_html(text[begin : begin + length], where)))
        begin += length + len(FIELDS_END)
    lengths = tuple((name, len(part)) for name, part in parts)
    return FIELDS_END.join(part for _, part in parts), label._replace(parts=lengths)
