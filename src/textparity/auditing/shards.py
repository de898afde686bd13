"""Parts of an audit: the counts of some files, written by one job and merged with others into a result.

A part has one row per file with everything the result needs: counts, forms, examples and, for the bootstrap, the number
of texts with each combination of counts. The merged result is therefore identical to that of a single audit of all
files.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from textparity.auditing.contexts import Contexts
from textparity.auditing.copies import DistinctTexts
from textparity.auditing.counting import Counted
from textparity.auditing.inputs import short_names
from textparity.auditing.records import Example
from textparity.auditing.reliability import WRITING
from textparity.auditing.settings import SETTINGS, AuditSettings, make_settings
from textparity.auditing.signature import IDENTIFIER, counted_with
from textparity.auditing.tallying import TOTALS, Tally, new_tally
from textparity.corpora.reading import iterate_batches, open_batches, read_metadata, read_rows, read_schema
from textparity.counting import GENDERS
from textparity.errors import ConfigError, InputError
from textparity.estimating.gaps import GenderGap
from textparity.reading.sources import InputFile

# The version of the file format. Parts of another version cannot be read.
FORM = 8
# Settings that affect only how a result is shown. A part contains what is needed for all of their values.
_SHOWN = ("per_file", "top", "min_size", "max_groups", "jobs", "keep_mentions", "keep_records", "id_field")


def _struct(**types: pa.DataType) -> pa.DataType:
    return pa.struct(list(types.items()))


def _counts(*names: str) -> pa.DataType:
    """Make the type of a list of counts by these names."""
    return pa.list_(_struct(**dict.fromkeys(names, pa.string()), count=pa.int64()))


_SINGLE = ("tokenizer", "stand_in", "detected", "certainty")
# The sums of a language, or of a group of texts.
_SUMS = {
    "tokenizer": pa.string(), "stand_in": pa.bool_(), "detected": pa.int64(), "certainty": pa.int64(),
    "totals": _struct(**dict.fromkeys((*TOTALS, *WRITING), pa.int64())),
    "gap": _struct(**{item.name: pa.int64() for item in fields(GenderGap)}),
    "forms": _counts("class", "form"), "layers": _counts("layer", "class"),
    "learned": _counts("class", "form", "source"),
    # The coarseness of the bins of texts, and five numbers per bin: words, feminine, masculine, unspecified, texts.
    # The keys of distinct texts, and what they begin with.
    "level": pa.int32(), "keys": pa.list_(pa.uint64()),
    "grain": pa.int32(), "bins": pa.list_(pa.int64()),
    # Sums of products of the texts' counts. They may exceed 64 bits, so they are stored as text.
    "products": pa.list_(pa.string()),
}  # fmt: skip
_EXAMPLE = {
    "class": pa.string(), "rank": pa.uint64(), "text": pa.string(), "marks": pa.list_(pa.int32()), "place": pa.int64(),
}  # fmt: skip
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
        "left_out": _counts("reason"), "languages": pa.list_(_TALLY),
    }
)  # fmt: skip


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
            # Paths are absolute because other jobs may have other working folders.
            name = os.path.abspath(source.name) if source.is_file else source.name
            row = {key: getattr(source, key) for key in _SOURCE} | {"name": name.encode("utf-8", _ANY_NAME)}
            row |= {"error": counted.error, "warning": counted.warning, "digest": counted.digest}
            left_out = [{"reason": reason, "count": count} for reason, count in counted.left_out.items()]
            languages = [_row(settings, lang, tally) for lang, tally in counted.tallies.items()]
            file.write([row | {"left_out": left_out, "languages": languages}])

        yield write


def _counted(settings: AuditSettings) -> dict[str, Any]:
    """Collect all settings and versions that affect the numbers, by name."""
    values = {name: value for name, value in settings.flat().items() if name not in _SHOWN}
    folder = settings.counting.lexicon_folder
    software = {name: version(name) for name in ("textparity", IDENTIFIER)}
    # A lexicon folder is shown by its name only. A digest covers its content.
    return software | values | {"lexicon_folder": folder.resolve().name if folder else None}


def _settings(counted: Mapping[str, Any]) -> dict[str, Any]:
    names = SETTINGS.keys()
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in counted.items()}
    folder = counted["lexicon_folder"]
    return {name: values[name] for name in names & values.keys()} | {"lexicon_folder": Path(folder) if folder else None}


def _sums(tally: Tally) -> dict[str, Any]:
    resamples = tally.resamples
    return {name: getattr(tally, name) for name in _SINGLE} | {
        "totals": {name: tally.totals[name] for name in (*TOTALS, *WRITING)},
        "gap": asdict(tally.gap),
        "forms": [{"class": name, "form": form, "count": count} for (name, form), count in tally.forms.items()],
        "layers": [{"layer": layer, "class": name, "count": count} for (layer, name), count in tally.layers.items()],
        "learned": [
            {"class": name, "form": form, "source": source, "count": count}
            for (name, form, source), count in tally.learned.items()
        ],
        "level": tally.distinct.level,
        "keys": tally.distinct.keys,
        "grain": resamples.grain,
        "bins": resamples.bins.ravel().tolist(),
        "products": [str(number) for number in resamples.products.ravel()] if resamples.grain else None,
    }


def _row(settings: AuditSettings, lang: str, tally: Tally) -> dict[str, Any]:
    return {
        "lang": lang,
        "counted_with": counted_with(settings, lang),
        "contexts": tally.contexts.counts.ravel().tolist(),
        **_sums(tally),
        "groups": [{"group": name, **_sums(group)} for name, group in tally.groups.items()],
        "examples": [
            {"class": name, "rank": rank, "text": one.text, "marks": list(chain(*one.marks)), "place": one.place}
            for name, sample in tally.samples.items()
            for rank, one in sample.kept.items()
        ],
    }


def _tally(settings: AuditSettings, row: Mapping[str, Any], file: str) -> Tally:
    tally = _summed(new_tally(settings, row["lang"]), row)
    tally.counted_with = row["counted_with"]
    tally.contexts = Contexts(np.array(row["contexts"], np.int64).reshape(len(GENDERS), -1))
    tally.groups = {
        one["group"]: _summed(new_tally(settings, row["lang"], group=one["group"]), one) for one in row["groups"]
    }
    for one in row["examples"]:
        marks = iter(one["marks"])
        example = Example(one["text"], tuple(zip(marks, marks, strict=True)), file, one["place"])
        tally.samples[one["class"]].take(one["rank"], example)
    return tally


def _summed(tally: Tally, row: Mapping[str, Any]) -> Tally:
    """Make a tally with the sums of a row."""
    for name in _SINGLE:
        setattr(tally, name, row[name])
    tally.totals.update(row["totals"])
    tally.gap = GenderGap(**row["gap"])
    tally.distinct = DistinctTexts(row["level"], np.array(row["keys"], np.uint64))
    tally.forms.update({(one["class"], one["form"]): one["count"] for one in row["forms"]})
    tally.layers.update({(one["layer"], one["class"]): one["count"] for one in row["layers"]})
    tally.learned.update({(one["class"], one["form"], one["source"]): one["count"] for one in row["learned"]})
    products = np.array(list(map(int, row["products"])), object).reshape(4, 4) if row["grain"] else None
    tally.resamples.restore(row["grain"], np.array(row["bins"], np.int64).reshape(-1, 5), products)
    return tally


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
        parts_of: dict[str, set[Path]] = {}
        for source, path in sources:
            parts_of.setdefault(source.title, set()).add(path)
        short = dict(zip(paths, short_names([InputFile(str(path), "parquet") for path in paths]), strict=True))
        names = [
            f"{name} ({short[path]})" if len(parts_of[source.title]) > 1 else name
            for name, (source, path) in zip(short_names([source for source, _ in sources]), sources, strict=True)
        ]
        settings = make_settings(**_settings(heads[0]["counted"]))
        return cls(paths, settings, [source for source, _ in sources], names, ignored)

    def counted(self) -> Iterator[Counted]:
        """Read the counts of each source, with its name for examples. Raises the same errors as `of`."""
        counted_with: dict[str, tuple[str, Path]] = {}
        waiting = iter(self.names)
        for path in self.paths:
            # Rows are read one at a time, because long documents differ so much that there are nearly as many bins as
            # documents.
            for batch in iterate_batches(path, 1):
                (row,) = batch.to_pylist()
                name = next(waiting)
                for one in row["languages"]:
                    found = f"{one['counted_with']}, tokenizer {one['tokenizer']}"
                    other, where = counted_with.setdefault(one["lang"], (found, path))
                    if found != other:
                        raise _counted_otherwise(path, f"{one['lang']} with {found}", where, other)
                yield Counted(
                    {one["lang"]: _tally(self.settings, one, name) for one in row["languages"]},
                    Counter({one["reason"]: one["count"] for one in row["left_out"]}),
                    row["warning"],
                    row["error"],
                )


def _read_head(path: Path) -> dict[str, Any]:
    head = read_metadata(path)
    if head.get("part") != FORM:
        raise InputError(f"{path}: is not a part that this version can read; write it with textparity audit --part")
    # The pages of Parquet have checksums, but its footer has none.
    if head.pop("digest", "") != _digest(head) or not read_schema(path).equals(SCHEMA):
        raise InputError(f"{path}: is damaged; get it again, or write it again with textparity audit --part")
    return head


def _digest(head: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(head, sort_keys=True, default=str).encode(), digest_size=16).hexdigest()


def _check_alike(path: Path, counted: Mapping[str, Any], first: Path, expected: Mapping[str, Any]) -> None:
    for name in {**expected, **counted}:
        value, other = (
            (", ".join(map(str, one)) if isinstance(one := values.get(name), list) else str(one)) or "none"
            for values in (counted, expected)
        )
        if value != other:
            raise _counted_otherwise(path, f"with {name} {value}", first, other)


def _counted_otherwise(path: Path, found: str, first: Path, other: str) -> InputError:
    return InputError(f"{path}: was counted {found}, but {first} with {other}; count all parts alike")


def _read_sources(paths: Sequence[Path]) -> list[tuple[InputFile, Path]]:
    """Read the sources of the parts. Raises `InputError` if two parts have read the same texts from the same path."""
    sources: list[tuple[InputFile, Path]] = []
    # The number of the part identifies it, because the same path may be given twice.
    places: dict[tuple[str, str], int] = {}
    for number, path in enumerate(paths):
        for row in read_rows(path, [*_SOURCE, "digest"]).to_pylist():
            digest = row.pop("digest")
            name = row.pop("name").decode("utf-8", _ANY_NAME)
            source = InputFile(name, **row)
            first = places.setdefault((source.title, digest), number)
            if digest and first != number:
                raise InputError(
                    f"{path}: {source.title} is also in {paths[first]}, with the same texts, and would count twice; "
                    "leave one out"
                )
            sources.append((source, path))
    return sources
