"""The audit itself: from texts to a result, in one pass and in memory that does not grow with them."""

import math
import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
from tqdm import tqdm

from textparity.auditing.inputs import Source, choose_sources, short_names
from textparity.auditing.languages import check_lexicon_folder, doubt_language, language_row, read_language
from textparity.auditing.persons import calibrate_ratio, measured_on
from textparity.auditing.reading import RecordError, Texts, portions, read_texts
from textparity.auditing.reliability import find_warnings, lexicon_precision
from textparity.auditing.results import AuditResult, LanguageAudit, WordCount
from textparity.auditing.settings import AuditSettings
from textparity.auditing.tallying import Batch, Tally, tally_batch
from textparity.corpora.rows import ROW_GROUP_ROWS, BatchWriter, iterate_batches, open_batches
from textparity.errors import ConfigError, FetchError, InputError
from textparity.files import writable
from textparity.measures.statistics import random_generator
from textparity.measures.summary import decide_family
from textparity.measures.terms import CLASSES
from textparity.persons.mentions import KINDS
from textparity.persons.methods import PERSONS
from textparity.persons.rows import MENTION_TYPE

# The name of a corpus that is made of more than one file.
ALL = "all"
# The name of texts that come from Python.
PYTHON = "texts"

# Of the file of mentions: where each stands, and what `textparity.persons.mentions.Mention` says.
MENTIONS_SCHEMA = pa.schema(
    [("corpus", pa.string()), ("place", pa.int64()), ("lang", pa.string()), *((f.name, f.type) for f in MENTION_TYPE)]
)
Tallies = dict[str, Tally]


def audit(texts: Iterable[str], lang: str | None = None, **settings: Any) -> AuditResult:
    """Count the person nouns of `texts` (sentences or documents), by the rules of the lexicon study.

    `lang` is a language's code or English name; without it, each text's language is found out. `settings` are those of
    `textparity.auditing.settings.AuditSettings`: lexicon, engine, procedure, seed, and others. Raises
    `textparity.errors.TextparityError` for what cannot be used.
    """
    if isinstance(texts, str):
        raise InputError("texts is one string; give a list of texts, or files to textparity.audit_files")
    chosen = _settings(settings)
    with Auditor(chosen) as auditor:
        numbered = enumerate(texts, start=1)
        auditor.add(
            PYTHON,
            portions((number, _as_text(text, number)) for number, text in numbered),
            read_language(lang) if lang else None,
        )
        return auditor.result(PYTHON)


def audit_files(
    files: Iterable[str | Path], lang: str | None = None, field: str | None = None, **settings: Any
) -> AuditResult:
    """Audit files and folders, as `textparity audit` does; `field` is the field or column of the texts."""
    if isinstance(files, str | Path):
        files = [files]
    sources, ignored = choose_sources([str(file) for file in files], [lang] if lang else [])
    return audit_sources(sources, _settings(settings), field, ignored=ignored)


def audit_sources(
    sources: Sequence[Source],
    settings: AuditSettings,
    field: str | None = None,
    skip_failed: bool = False,
    skip_invalid: bool = False,
    ignored: Mapping[str, int] | None = None,
    show_progress: bool = False,
    note: Callable[[str], None] = lambda message: None,
    mentions: Path | None = None,
) -> AuditResult:
    """Audit sources one after the other.

    With the method `persons`, each mention becomes a row of the Parquet file `mentions`, if it is given.

    `skip_failed`: a file that cannot be read is left out whole, and named. `skip_invalid`: so is a line or record.
    `note` gets each message of this kind.
    """
    problems = [source.problem for source in sources if source.problem]
    if problems and not skip_failed:
        raise InputError(problems[0])
    sizes = [Path(source.name).stat().st_size for source in sources if source.is_file and not source.problem]
    known = len(sizes) + len(problems) == len(sources)
    names = short_names(sources)
    failed = []
    with ExitStack() as stack:
        bar = stack.enter_context(
            tqdm(total=sum(sizes) if known else None, unit="B", unit_scale=True, disable=not show_progress, leave=False)
        )
        settings = replace(settings, keep_mentions=mentions is not None)
        writer = stack.enter_context(open_batches(mentions, MENTIONS_SCHEMA)) if mentions else None
        auditor = stack.enter_context(Auditor(settings, writer))
        for name, source in zip(names, sources, strict=True):
            bar.set_description(Path(name).name[:30], refresh=False)

            def refuse(error: InputError, auditor: Auditor = auditor) -> None:
                if not skip_invalid:
                    raise InputError(f"{error}; or leave such lines out, counted, with --skip-invalid") from None
                # How many texts an unclosed quote took with it is not known, how many lines is.
                auditor.leave_out("not valid", error.lines if isinstance(error, RecordError) else 1)
                note(str(error))

            try:
                auditor.add(name, _readable(read_texts(source, field, refuse, bar.update)), source.lang)
            except _UnreadableError as error:
                if not skip_failed:
                    raise error.error from None
                failed.append((name, writable(str(error))))
                note(f"skipped: {error}")
        result = auditor.result(names[0] if len(names) == 1 else ALL)
    return replace(result, files=len(sources) - len(failed), failed=tuple(failed), ignored=dict(ignored or {}))


class _UnreadableError(Exception):
    """A source cannot be read; of a lexicon, the error would be another."""

    def __init__(self, error: InputError | FetchError) -> None:
        super().__init__(str(error))
        self.error = error


def _readable(texts: Iterator[Texts]) -> Iterator[Texts]:
    try:
        yield from texts
    except (InputError, FetchError) as error:
        raise _UnreadableError(error) from error


class Auditor:
    """Counts one corpus after the other; a corpus that fails is forgotten whole."""

    def __init__(self, settings: AuditSettings, mentions: BatchWriter | None = None) -> None:
        """`mentions` gets the mentions of each corpus that was read to its end."""
        self.settings = settings
        self._mentions = mentions
        if settings.lexicon_folder is not None:
            check_lexicon_folder(settings.lexicon_folder)
        self._corpora: dict[str, Tallies] = {}
        self._left_out: Counter[str] = Counter()
        self._left_out_now: Counter[str] = Counter()
        self._doubts: list[str] = []
        self._empty: list[str] = []
        self._pool: Executor | None = None

    def __enter__(self) -> "Auditor":
        if self.settings.jobs > 1:
            # Not forked: threads of Arrow do not survive that.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.settings.jobs, mp_context=context)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def leave_out(self, reason: str, number: int = 1) -> None:
        """Count texts of the corpus that is being read as left out."""
        self._left_out_now[reason] += number

    def add(self, corpus: str, texts: Iterator[Texts], lang: str | None) -> None:
        """Count the texts of a corpus."""
        if self.settings.pipeline and not lang:
            raise ConfigError("a pipeline is of one language; name it (--lang)")
        with TemporaryDirectory() if self._mentions else nullcontext() as folder:
            waiting = Path(folder) / "mentions.parquet" if folder else None
            with open_batches(waiting, MENTIONS_SCHEMA) if waiting else nullcontext() as writer:
                self._add(corpus, texts, lang, writer)
            if waiting and self._mentions:
                for batch in iterate_batches(waiting, ROW_GROUP_ROWS):
                    self._mentions.write_table(pa.Table.from_batches([batch]))

    def _add(self, corpus: str, texts: Iterator[Texts], lang: str | None, mentions: BatchWriter | None) -> None:
        self._left_out_now = Counter()
        tallies: Tallies = {}
        doubt = ""
        waiting: deque[Future[Batch]] = deque()
        count = partial(tally_batch, self.settings, lang, corpus)
        for number, (places, batch) in enumerate(self._batches(texts)):
            if lang and number == 0:
                doubt = doubt_language(lang, batch)
            if self._pool is None:
                self._collect(tallies, corpus, count(batch, places), mentions)
                continue
            waiting.append(self._pool.submit(count, batch, places))
            # A few batches ahead, so that memory stays flat; added in order, so that results do not depend on jobs.
            if len(waiting) > 2 * self.settings.jobs:
                self._collect(tallies, corpus, waiting.popleft().result(), mentions)
        for future in waiting:
            self._collect(tallies, corpus, future.result(), mentions)
        self._left_out.update(self._left_out_now)
        if doubt:
            self._doubts.append(f"{corpus}: {doubt}")
        if self.settings.per_file:
            self._corpora[corpus] = tallies
            if not tallies:
                self._empty.append(corpus)
            return
        together = self._corpora.setdefault(ALL, {})
        for name, tally in tallies.items():
            if name not in together:
                together[name] = self._new_tally(ALL, name)
            together[name].add(tally)

    def result(self, corpus: str) -> AuditResult:
        """Return what was found; `corpus` names all texts together."""
        found = [
            (corpus if name == ALL else name, lang, tally)
            for name, tallies in self._corpora.items()
            for lang, tally in sorted(tallies.items(), key=lambda item: (-item[1].totals["texts"], item[0]))
        ]
        rows = [tally.summary(self.settings) for _, _, tally in found]
        decide_family(rows, self.settings.confidence_level)
        languages = [self._audit_of(*item, row) for item, row in zip(found, rows, strict=True)]
        left_out = dict(sorted(self._left_out.items(), key=lambda item: (-item[1], item[0])))
        return AuditResult(
            tuple(languages), self.settings, left_out=left_out, doubts=tuple(self._doubts), empty=tuple(self._empty)
        )

    def _batches(self, texts: Iterator[Texts]) -> Iterator[tuple[Sequence[int], list[str]]]:
        left = self.settings.max_samples
        for places, portion in texts:
            if left is not None:
                places, portion = places[:left], portion[:left]
                left -= len(portion)
            batch = [text for text in portion if text is not None]
            if len(batch) < len(portion):
                self.leave_out("null", len(portion) - len(batch))
                places = [place for place, text in zip(places, portion, strict=True) if text is not None]
            if batch:
                yield places, batch
            if left == 0:
                return

    def _collect(self, tallies: Tallies, corpus: str, batch: Batch, mentions: BatchWriter | None) -> None:
        self._left_out_now.update(batch.left_out)
        if mentions:
            mentions.write(batch.mentions)
        for lang, found in batch.languages.items():
            if lang not in tallies:
                tallies[lang] = self._new_tally(corpus, lang)
            tallies[lang].add(found)

    def _new_tally(self, corpus: str, lang: str) -> Tally:
        settings = self.settings
        names = (corpus, lang, settings.engine, settings.procedure)
        return Tally.empty(settings, lambda number: random_generator(settings.seed, *names, str(number)))

    def _audit_of(self, corpus: str, lang: str, tally: Tally, row: dict[str, Any]) -> LanguageAudit:
        settings = self.settings
        # Where there are too few for a ratio, there are for a calibrated one.
        is_told = not math.isnan(row["masculine_per_feminine"])
        layers = tuple(f"{kind}s" for kind in KINDS) if settings.method == PERSONS else settings.layers
        totals = np.array([[tally.totals[name] for name in ("words", *CLASSES)]])
        sums = tally.resamples.sums()
        frequent: dict[str, list[WordCount]] = {name: [] for name in CLASSES}
        for (name, word), number in sorted(tally.forms.items(), key=lambda item: (-item[1], item[0])):
            if len(frequent[name]) < settings.top:
                frequent[name].append(WordCount(word, number))
        return LanguageAudit(
            corpus=corpus,
            lang=lang,
            name=language_row(lang).name,
            row=row,
            frequent_words={name: tuple(words) for name, words in frequent.items()},
            examples={name: tuple(tally.samples[name].in_order()) for name in CLASSES},
            detected=tally.detected,
            mean_certainty=tally.certainty / tally.detected if tally.detected else float("nan"),
            layers={layer: {name: tally.layers[layer, name] for name in CLASSES} for layer in layers},
            precision=lexicon_precision(settings, lang),
            method=settings.method,
            measured=measured_on(settings, lang),
            calibrated=calibrate_ratio(settings, lang, None if sums is None else np.concatenate([totals, sums]))
            if is_told
            else None,
            warnings=tuple(find_warnings(settings, lang, tally.forms, row["words"] / max(row["texts"], 1))),
        )


def _settings(settings: Mapping[str, Any]) -> AuditSettings:
    if isinstance(folder := settings.get("lexicon_folder"), str):
        settings = {**settings, "lexicon_folder": Path(folder)}
    return AuditSettings(**settings)


def _as_text(text: Any, number: int) -> str | None:
    if text is None or isinstance(text, str):
        return text
    raise InputError(f"text {number} is {type(text).__name__}, no string")
