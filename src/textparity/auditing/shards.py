"""Parts of an audit: the counts of some files, written by one job and merged with others into a result.

A part has one row per file with everything the result needs: counts, forms, examples and, for the bootstrap, the number
of texts with each combination of counts. The merged result is therefore identical to that of a single audit of all
files.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from textparity.auditing.contexts import Contexts
from textparity.auditing.copies import DistinctTexts
from textparity.auditing.counting import Counted
from textparity.auditing.inputs import short_names
from textparity.auditing.records import Example
from textparity.auditing.reliability import WRITING
from textparity.auditing.same_names import FirstMention, SameNames, TextCounts
from textparity.auditing.settings import SETTINGS, AuditSettings, make_settings
from textparity.auditing.signature import IDENTIFIER, counted_with
from textparity.auditing.tallying import TOTALS, Tally, new_tally
from textparity.corpora.reading import iterate_batches, open_batches, read_metadata, read_rows, read_schema
from textparity.counting import GENDERS
from textparity.errors import ConfigError, InputError
from textparity.estimating.gaps import GenderGap
from textparity.estimating.streaming_bootstrap import StreamingBootstrap
from textparity.reading.sources import InputFile

# The version of the file format. Parts of another version cannot be read.
FORM = 10
# Settings that affect only how a result is shown. A part contains what is needed for all of their values.
_SHOWN = ("per_file", "top", "min_size", "max_groups", "jobs", "keep_mentions", "keep_records", "id_field")


def _struct(**types: pa.DataType) -> pa.DataType:
    return pa.struct(list(types.items()))


def _counts(*names: str) -> pa.DataType:
    """Make the type of a list of counts by these names."""
    return pa.list_(_struct(**dict.fromkeys(names, pa.string()), count=pa.int64()))


# Where somebody counts who counts once per corpus.
_FIRST_MENTION = {
    "name": pa.string(),
    "text": pa.uint64(),
    **dict.fromkeys(TextCounts._fields, pa.int64()),
    "context": pa.uint64(),
}
_SINGLE = ("tokenizer", "stand_in", "detected", "certainty")
# The counters of a tally, with the names of the parts of their keys.
_COUNTERS = {
    "forms": ("class", "form"),
    "layers": ("layer", "class"),
    "learned": ("class", "form", "source"),
    "documents": ("name", "gender"),
    "mentions": ("name", "gender", "evidence"),
}
# The sums of a language, or of a group of texts.
_SUMS = {
    "tokenizer": pa.string(),
    "stand_in": pa.bool_(),
    "detected": pa.int64(),
    "certainty": pa.int64(),
    "totals": _struct(**dict.fromkeys((*TOTALS, *WRITING), pa.int64())),
    "gap": _struct(**{item.name: pa.int64() for item in fields(GenderGap)}),
    **{name: _counts(*keys) for name, keys in _COUNTERS.items()},
    "same_names": pa.list_(_struct(**_FIRST_MENTION)),
    # What the keys of distinct texts begin with, and these keys.
    "level": pa.int32(),
    "keys": pa.list_(pa.uint64()),
    # The coarseness of the bins of texts, and five numbers per bin: words, feminine, masculine, unspecified, texts.
    "grain": pa.int32(),
    "bins": pa.list_(pa.int64()),
    # Sums of products of the texts' counts. They may exceed 64 bits, so they are stored as text.
    "products": pa.list_(pa.string()),
    # The same of people: women, their mentions, men, their mentions, texts.
    "people_grain": pa.int32(),
    "people_bins": pa.list_(pa.int64()),
    "people_products": pa.list_(pa.string()),
}
_EXAMPLE = {
    "class": pa.string(),
    "rank": pa.uint64(),
    "text": pa.string(),
    "marks": pa.list_(pa.int32()),
    "place": pa.int64(),
}
_TALLY = _struct(
    lang=pa.string(),
    # A digest and versions, as parts of a signature.
    counted_with=pa.string(),
    # The numbers of women and of men by the bin of their contexts, one after the other.
    contexts=pa.list_(pa.int64()),
    **_SUMS,
    groups=pa.list_(_struct(group=pa.string(), **_SUMS)),
    examples=pa.list_(_struct(**_EXAMPLE)),
)
_SOURCE = ("name", "format", "lang", "subset", "split")
# Encodes every name, also one with bytes that are not UTF-8, which Python represents by surrogates.
_ANY_NAME = "surrogatepass"
SCHEMA = pa.schema(
    {
        # Paths are bytes, because not every path is Unicode.
        "name": pa.binary(),
        **dict.fromkeys((*_SOURCE[1:], "error", "warning", "digest"), pa.string()),
        "left_out": _counts("reason"),
        "languages": pa.list_(_TALLY),
    }
)


@contextmanager
def open_part(
    path: Path, settings: AuditSettings, ignored: Mapping[str, int]
) -> Iterator[Callable[[InputFile, Counted], None]]:
    """Open the part `path`, which is written completely or not at all, and give a function that adds a source to it.

    `ignored` is the number of files in folders that are not texts.
    """
    if settings.counting.unique:
        raise ConfigError("copies may be in another part, so unique (--unique) has no parts; remove one of the two")
    with open_batches(path, SCHEMA) as file:
        head = {"part": FORM, "counted": _counted(settings), "ignored": dict(ignored)}
        file.metadata = head | {"digest": _digest(head)}

        def write(source: InputFile, counted: Counted) -> None:
            file.write([_source_row(settings, source, counted)])

        yield write


def _counted(settings: AuditSettings) -> dict[str, Any]:
    """Collect all settings and versions that affect the numbers, by name."""
    values = {name: value for name, value in settings.flat().items() if name not in _SHOWN}
    folder = settings.counting.lexicon_folder
    software = {name: version(name) for name in ("textparity", IDENTIFIER)}
    # A lexicon folder is shown by its name only. A digest covers its content.
    return software | values | {"lexicon_folder": folder.resolve().name if folder else None}


def _settings(counted: Mapping[str, Any]) -> AuditSettings:
    """Read the settings among the values that `_counted` collects."""
    values: dict[str, Any] = {}
    for name in SETTINGS:
        if name in counted:
            value = counted[name]
            values[name] = tuple(value) if isinstance(value, list) else value
    folder = values["lexicon_folder"]
    values["lexicon_folder"] = Path(folder) if folder else None
    return make_settings(**values)


def _source_row(settings: AuditSettings, source: InputFile, counted: Counted) -> dict[str, Any]:
    """Make the row of a source, with all of its counts."""
    # Paths are absolute because other jobs may have other working folders.
    name = os.path.abspath(source.name) if source.is_file else source.name
    languages = [_language_row(settings, lang, tally) for lang, tally in counted.tallies.items()]
    return {
        "name": name.encode("utf-8", _ANY_NAME),
        **{key: getattr(source, key) for key in _SOURCE[1:]},
        "error": counted.error,
        "warning": counted.warning,
        "digest": counted.digest,
        "left_out": [{"reason": reason, "count": count} for reason, count in counted.left_out.items()],
        "languages": languages,
    }


def _language_row(settings: AuditSettings, lang: str, tally: Tally) -> dict[str, Any]:
    return {
        "lang": lang,
        "counted_with": counted_with(settings, lang),
        "contexts": tally.contexts.counts.ravel().tolist(),
        **_sums(tally),
        "groups": [{"group": name, **_sums(group)} for name, group in tally.groups.items()],
        "examples": _example_rows(tally),
    }


def _sums(tally: Tally) -> dict[str, Any]:
    sums = {name: getattr(tally, name) for name in _SINGLE}
    sums["totals"] = {name: tally.totals[name] for name in (*TOTALS, *WRITING)}
    sums["gap"] = asdict(tally.gap)
    for name, keys in _COUNTERS.items():
        sums[name] = _count_rows(getattr(tally, name), keys)
    sums["same_names"] = _first_mention_rows(tally.same_names)
    sums["level"] = tally.distinct.level
    sums["keys"] = tally.distinct.keys
    sums.update(_bins_of(tally.resamples))
    sums.update(_bins_of(tally.people, "people_"))
    return sums


def _bins_of(bootstrap: StreamingBootstrap, prefix: str = "") -> dict[str, Any]:
    """Make the cells for the bins of a bootstrap, in columns that begin with a prefix."""
    products = None
    if bootstrap.grain:
        products = list(map(str, bootstrap.products.ravel()))
    bins = bootstrap.bins.ravel().tolist()
    return {f"{prefix}grain": bootstrap.grain, f"{prefix}bins": bins, f"{prefix}products": products}


def _count_rows(counter: Counter[Any], keys: Sequence[str]) -> list[dict[str, Any]]:
    """List the counts of a counter whose keys are tuples with these names."""
    rows: list[dict[str, Any]] = []
    for values, count in counter.items():
        row = dict(zip(keys, values, strict=True))
        row["count"] = count
        rows.append(row)
    return rows


def _first_mention_rows(same_names: SameNames) -> list[dict[str, Any]]:
    """List where the people count who count once per corpus."""
    rows = []
    for name, first in same_names.firsts.items():
        ends = {"name": name, "text": first.text, "context": first.context}
        rows.append(ends | first.counts._asdict())
    return rows


def _read_first_mentions(rows: Iterable[Mapping[str, Any]]) -> SameNames:
    """Read the rows that `_first_mention_rows` lists."""
    same_names = SameNames()
    for row in rows:
        counts = TextCounts(*(row[name] for name in TextCounts._fields))
        same_names.add(row["name"], FirstMention(row["text"], counts, row["context"]))
    return same_names


def _example_rows(tally: Tally) -> list[dict[str, Any]]:
    rows = []
    for name, sample in tally.samples.items():
        for rank, example in sample.kept.items():
            marks = list(chain.from_iterable(example.marks))
            names = {"class": name, "rank": rank}
            rows.append(names | {"text": example.text, "marks": marks, "place": example.place})
    return rows


def _read_tally(settings: AuditSettings, row: Mapping[str, Any], file: str) -> Tally:
    lang = row["lang"]
    tally = new_tally(settings, lang)
    _read_sums(tally, row)
    tally.counted_with = row["counted_with"]
    tally.contexts = Contexts(np.array(row["contexts"], np.int64).reshape(len(GENDERS), -1))
    for group_row in row["groups"]:
        group = new_tally(settings, lang, group_row["group"])
        _read_sums(group, group_row)
        tally.groups[group_row["group"]] = group
    for example_row in row["examples"]:
        ends = iter(example_row["marks"])
        marks = tuple(zip(ends, ends, strict=True))
        example = Example(example_row["text"], marks, file, example_row["place"])
        tally.samples[example_row["class"]].take(example_row["rank"], example)
    return tally


def _read_sums(tally: Tally, row: Mapping[str, Any]) -> None:
    """Add the sums of a row to an empty tally."""
    for name in _SINGLE:
        setattr(tally, name, row[name])
    tally.totals.update(row["totals"])
    tally.gap = GenderGap(**row["gap"])
    tally.distinct = DistinctTexts(row["level"], np.array(row["keys"], np.uint64))
    for name, keys in _COUNTERS.items():
        getattr(tally, name).update(_read_counts(row[name], keys))
    tally.same_names = _read_first_mentions(row["same_names"])
    _read_bins(tally.resamples, row)
    _read_bins(tally.people, row, "people_")


def _read_bins(bootstrap: StreamingBootstrap, row: Mapping[str, Any], prefix: str = "") -> None:
    """Restore a bootstrap from the cells of `_bins_of`."""
    grain = row[f"{prefix}grain"]
    bins = row[f"{prefix}bins"]
    texts_of_products = row[f"{prefix}products"]
    products = None
    if grain:
        numbers = list(map(int, texts_of_products))
        products = np.array(numbers, object).reshape(4, 4)
    rows = np.array(bins, np.int64).reshape(-1, 5)
    bootstrap.restore(grain, rows, products)


def _read_counts(rows: Iterable[Mapping[str, Any]], keys: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Read the counts that `_count_rows` lists."""
    counts = {}
    for row in rows:
        values = tuple(row[key] for key in keys)
        counts[values] = row["count"]
    return counts


@dataclass(frozen=True)
class Parts:
    """Parts counted with the same settings: these settings, the sources in order, and the files ignored in folders.

    `names` has the name of each source in tables. The same path on two machines gets the name of its part, too.
    """

    paths: Sequence[Path]
    settings: AuditSettings
    sources: Sequence[InputFile]
    names: Sequence[str]
    ignored: Mapping[str, int]

    @classmethod
    def of(cls, paths: Sequence[Path]) -> "Parts":
        """Read the parts. Raises `InputError` if one is not a part, settings differ, or a file is repeated."""
        heads = [_read_head(path) for path in paths]
        for path, head in zip(paths, heads, strict=True):
            _check_alike(path, head["counted"], paths[0], heads[0]["counted"])
        ignored: Counter[str] = Counter()
        for head in heads:
            ignored.update(head["ignored"])
        sources = _read_sources(paths)
        files = [source.file for source in sources]
        return cls(paths, _settings(heads[0]["counted"]), files, _name_sources(sources, paths), ignored)

    def counted(self) -> Iterator[Counted]:
        """Read the counts of each source, with its name for examples. Raises the same errors as `of`."""
        counted_with: dict[str, _CountedWith] = {}
        names = iter(self.names)
        for path in self.paths:
            # Rows are read one at a time, because long documents differ so much that there are nearly as many bins as
            # documents.
            for batch in iterate_batches(path, 1):
                (row,) = batch.to_pylist()
                for language_row in row["languages"]:
                    _check_tools(path, language_row, counted_with)
                yield self._read_counted(row, next(names))

    def _read_counted(self, row: Mapping[str, Any], name: str) -> Counted:
        tallies = {}
        for language_row in row["languages"]:
            lang = language_row["lang"]
            tallies[lang] = _read_tally(self.settings, language_row, name)
        left_out = Counter[str]()
        for reason_row in row["left_out"]:
            left_out[reason_row["reason"]] = reason_row["count"]
        return Counted(tallies, left_out, row["warning"], row["error"])


class _SourceOfPart(NamedTuple):
    """A source, and the part that counted it."""

    file: InputFile
    part: Path


class _CountedWith(NamedTuple):
    """The tools that counted a language, and the part in which they are first named."""

    tools: str
    path: Path


def _check_tools(path: Path, row: Mapping[str, Any], counted_with: dict[str, _CountedWith]) -> None:
    """Raise `InputError` if another part counted the language of this row with other tools."""
    lang = row["lang"]
    tokenizer = row["tokenizer"]
    tools = f"{row['counted_with']}, tokenizer {tokenizer}"
    own = _CountedWith(tools, path)
    first = counted_with.setdefault(lang, own)
    if tools != first.tools:
        raise _counted_otherwise(path, f"{lang} with {tools}", first.path, first.tools)


def _name_sources(sources: Sequence[_SourceOfPart], parts: Sequence[Path]) -> list[str]:
    """Name the sources. The same path in several parts gets the name of its part, too."""
    parts_of: dict[str, set[Path]] = {}
    for source in sources:
        parts_of.setdefault(source.file.title, set()).add(source.part)
    part_names = short_names([InputFile(str(part), "parquet") for part in parts])
    name_of_part = dict(zip(parts, part_names, strict=True))
    names = []
    short = short_names([source.file for source in sources])
    for name, source in zip(short, sources, strict=True):
        if len(parts_of[source.file.title]) > 1:
            name = f"{name} ({name_of_part[source.part]})"
        names.append(name)
    return names


def _read_head(path: Path) -> dict[str, Any]:
    head = read_metadata(path)
    if head.get("part") != FORM:
        raise InputError(
            f"{path}: is not a part that this version can read; write it with textparity audit --write part=FILE"
        )
    # The pages of Parquet have checksums, but its footer has none.
    if head.pop("digest", "") != _digest(head) or not read_schema(path).equals(SCHEMA):
        raise InputError(f"{path}: is damaged; get it again, or write it again with textparity audit --write part=FILE")
    return head


def _digest(head: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(head, sort_keys=True, default=str).encode(), digest_size=16).hexdigest()


def _check_alike(path: Path, counted: Mapping[str, Any], first: Path, expected: Mapping[str, Any]) -> None:
    for name in {**expected, **counted}:
        value = _show_value(counted.get(name))
        other = _show_value(expected.get(name))
        if value != other:
            raise _counted_otherwise(path, f"with {name} {value}", first, other)


def _show_value(value: Any) -> str:
    shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return shown or "none"


def _counted_otherwise(path: Path, found: str, first: Path, other: str) -> InputError:
    return InputError(f"{path}: was counted {found}, but {first} with {other}; count all parts alike")


def _read_sources(paths: Sequence[Path]) -> list[_SourceOfPart]:
    """Read the sources of the parts. Raises `InputError` if two parts have read the same texts from the same path."""
    sources: list[_SourceOfPart] = []
    # The index of the part identifies it, because the same path may be given twice.
    first_parts: dict[tuple[str, str], int] = {}
    for index, path in enumerate(paths):
        for row in read_rows(path, [*_SOURCE, "digest"]).to_pylist():
            digest = row.pop("digest")
            name = row.pop("name").decode("utf-8", _ANY_NAME)
            file = InputFile(name, **row)
            first = first_parts.setdefault((file.title, digest), index)
            if digest and first != index:
                raise InputError(
                    f"{path}: {file.title} is also in {paths[first]}, with the same texts, and would count twice; "
                    "leave one out"
                )
            sources.append(_SourceOfPart(file, path))
    return sources
