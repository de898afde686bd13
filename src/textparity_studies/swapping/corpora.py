"""Read and write corpora with annotated entities, and find the entities of a sentence in its swapped version.

A corpus is a folder of subcorpora (folders) with `x.txt` and `x.ann`, in an archive or on disk. If it consists of
sentences of another corpus, `x.meta` has the number of the line, from 0, from which each line comes. A file has the
split: `DEV`, ids of documents, `TEST`, ids (NER-UK 2.0). Line ends of two characters become one, in texts and in the
offsets that count them.

Each offset of the BRAT standoff annotations is checked against the text. Files of NER-UK use tabs in place of BRAT's
spaces, and cut the text of an entity at a line end. Such lines are repaired, and every repair is reported. The readers
on PyPI accept both forms without reporting them, and do not check offsets.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import takewhile
from pathlib import Path, PurePosixPath

import pyarrow as pa

from textparity.corpora.reading import read_rows, write_batches
from textparity.errors import InputError
from textparity.files import atomic_folder, escapes_folder, split_lines, write_rows
from textparity.sources.archives import is_archive, read_members
from textparity_studies.swapping.settings import LABELS, TEST, TRAIN
from textparity_studies.swapping.word_forms import sentence_key

# Kinds of repairs.
SEPARATORS, BLANK_LINE, CUT_TEXT, WHITE_SPACE, NO_ENTITY, TWO_CHARACTERS = (
    "separators", "blank line", "text cut at a line end", "white space", "no entity, left out",
    "line ends of two characters",
)  # fmt: skip
_BRAT = re.compile(r"\S+\t\S+ \d+ \d+\t.*")
_ANY_SEPARATORS = re.compile(r"(T\S*\d)[ \t]+(\S+)[ \t]+(\d{1,9})[ \t]+(\d{1,9})[ \t](.*)")
_DISCONTINUOUS = re.compile(r"T\S+[ \t]+\S+[ \t]+\d+[ \t]+\d+;")
# Relations, events, attributes, normalisations, equivalences and notes are skipped.
_OTHER_KIND = re.compile(r"(?:[REAMN]\d+|\*|#\d*)[ \t]")
SPLIT_FILE = "dev-test-split.txt"
_HEADINGS = {"DEV": TRAIN, "TRAIN": TRAIN, "TEST": TEST}
DOCUMENT_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("document", "subcorpus", "split", "text")),
        # For each line that is not blank, its line in the source document, from 0; empty for an original corpus.
        ("source_lines", pa.list_(pa.int32())),
    ]
)
ENTITY_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("document", "entity", "label")),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("text", pa.string()),
    ]
)


@dataclass(frozen=True)
class Entity:
    """Hold one entity of a text: `text` is the text from character `start` to `end`, line ends included."""

    id: str
    label: str
    start: int
    end: int
    text: str

    def moved(self, distance: int) -> "Entity":
        """Move the entity by a number of characters."""
        return replace(self, start=self.start + distance, end=self.end + distance)


@dataclass(frozen=True)
class Repair:
    """Describe a repaired line (from 1) of an annotation file."""

    line: int
    repair: str
    found: str


@dataclass
class EntityDocument:
    """Hold a text with its entities; `source_lines` as in `DOCUMENT_SCHEMA`."""

    document: str
    subcorpus: str
    split: str
    text: str
    source_lines: list[int] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)

    @property
    def lines(self) -> list[tuple[int, int]]:
        """The start and end of each line, including blank ones; NER-UK has one sentence per line."""
        found, start = [], 0
        for line in self.text.split("\n"):
            found.append((start, start + len(line)))
            start += len(line) + 1
        return found

    def line(self, number: int) -> tuple[str, list[Entity]]:
        """Return a line's text and the entities that begin in it, cut at its end, with offsets from its start."""
        start, end = self.lines[number]
        found = []
        for entity in self.entities:
            if start <= entity.start < end:
                stop = min(entity.end, end)
                text = entity.text[: stop - entity.start]
                found.append(replace(entity, start=entity.start - start, end=stop - start, text=text))
        return self.text[start:end], found


def parse_brat(text: str, annotations: str, name: str) -> tuple[list[Entity], list[Repair]]:
    """Parse the entities of a text in file order, and report every repair.

    Raises `InputError` with the file `name` and the line if a line is not BRAT, or its offsets do not fit the text.
    """
    entities: dict[str, Entity] = {}
    repairs: list[Repair] = []
    # The missing rest of the last entity's text, if it was cut at a line end.
    missing: list[str] = []
    for number, line in enumerate(annotations.removesuffix("\n").split("\n") if annotations else [], start=1):
        where = f"{name}, line {number}"
        if not line.strip():
            repairs.append(Repair(number, BLANK_LINE, line))
        elif missing:
            if line.split() != missing[0].split():
                raise InputError(f"{where}: the text of the entity above goes on with {missing[0]!r}, not {line!r}")
            repairs.append(Repair(number, CUT_TEXT, line))
            del missing[0]
        elif found := _ANY_SEPARATORS.fullmatch(line):
            id_, label, recorded = found[1], found[2], found[5]
            start, end = int(found[3]), int(found[4])
            if not start < end <= len(text):
                raise InputError(f"{where}: {start} to {end} is not a place in a text of {len(text)} characters")
            if id_ in entities:
                raise InputError(f"{where}: the id {id_} is a duplicate; give each entity its own")
            entity = entities[id_] = Entity(id_, label, start, end, text[start:end])
            if not _BRAT.fullmatch(line):
                repairs.append(Repair(number, SEPARATORS, line))
            if recorded in (entity.text, entity.text.replace("\n", " ")):
                continue
            first, *rest = entity.text.split("\n")
            if recorded.split() == entity.text.split():
                repairs.append(Repair(number, WHITE_SPACE, line))
            elif rest and recorded.split() == first.split():
                repairs.append(Repair(number, CUT_TEXT, line))
                missing = [piece for piece in rest if piece.strip()]
            else:
                raise InputError(
                    f"{where}: the text from {start} to {end} is {entity.text!r}, not {recorded!r}; correct the "
                    "offsets, or put back the text they were made for"
                )
        elif _OTHER_KIND.match(line):
            repairs.append(Repair(number, NO_ENTITY, line))
        elif _DISCONTINUOUS.match(line):
            raise InputError(
                f"{where}: an entity in pieces, which are not read: {line!r}; make it one, or one for each piece"
            )
        else:
            raise InputError(
                f"{where}: no line of BRAT: {line!r}; an entity is T1, tab, label, start and end with spaces between, "
                "tab, its text"
            )
    if missing:
        raise InputError(f"{name}: ends before the text of its last entity does; {missing[0]!r} is missing")
    return list(entities.values()), repairs


def format_brat(entities: Iterable[Entity]) -> str:
    """Format the lines of an annotation file; a line end in an entity becomes a space, as BRAT requires."""
    return "".join(
        f"{entity.id}\t{entity.label} {entity.start} {entity.end}\t{' '.join(entity.text.split(chr(10)))}\n"
        for entity in entities
    )


def read_entity_corpus(
    sources: list[Path], documents: Path, entities: Path, repairs: Path, folder: str, split: str
) -> None:
    """Write the documents and entities of a corpus as rows, and list each repair of its files.

    `sources` is one archive, with the corpus in `folder`, or the files of a folder. `split` names the file with the
    split in that folder. Raises `InputError` for a text without annotations, source lines or a split if others have
    them (or the reverse of each), and as `parse_brat` does.
    """
    files = _read_files(sources, folder)
    if not any(path.suffix == ".ann" for path in files):
        raise InputError(f"{sources[0]}: there are no annotations (.ann) under {folder or 'its folder'}")
    splits = _read_split(files, split, sources[0])
    text_paths = sorted(path for path in files if path.suffix == ".txt" and path.name != split)
    _check_names(files, text_paths)
    corpus, repair_rows = [], []
    for text_path in text_paths:
        annotation_path, meta_path = text_path.with_suffix(".ann"), text_path.with_suffix(".meta")
        document = text_path.stem
        text, found, fixed = _parse(files[text_path], files[annotation_path], str(annotation_path))
        if document not in splits:
            raise InputError(f"{split}: the document {document} is in no split; add it below DEV or TEST")
        source_lines = _source_lines(files[meta_path], text, meta_path) if meta_path in files else []
        corpus.append(EntityDocument(document, text_path.parent.name, splits.pop(document), text, source_lines, found))
        file = f"{annotation_path.parent.name}/{annotation_path.name}"
        repair_rows += [[file, repair.line, repair.repair, repair.found] for repair in fixed]
    if splits:
        raise InputError(f"{split}: there is no text of {', '.join(sorted(splits))}; take it out, or add its files")
    write_documents(corpus, documents, entities)
    write_rows(repairs, ["file", "line", "repair", "found"], repair_rows)


def write_documents(corpus: list[EntityDocument], documents: Path, entities: Path) -> None:
    """Write documents (`DOCUMENT_SCHEMA`) and their entities (`ENTITY_SCHEMA`)."""
    entity_rows = []
    for document in corpus:
        for entity in document.entities:
            fields = vars(entity).copy()
            entity_rows.append({"document": document.document, "entity": fields.pop("id")} | fields)
    document_rows = [{name: getattr(document, name) for name in DOCUMENT_SCHEMA.names} for document in corpus]
    write_batches(documents, DOCUMENT_SCHEMA, [document_rows])
    write_batches(entities, ENTITY_SCHEMA, [entity_rows])


def read_documents(documents: Path, entities: Path, split: str = "") -> list[EntityDocument]:
    """Read the documents of a corpus (or of one split) with their entities, in file order."""
    found = {
        row["document"]: EntityDocument(**row)
        for row in read_rows(documents).to_pylist()
        if not split or row["split"] == split
    }
    for row in read_rows(entities).to_pylist():
        if row["document"] in found:
            document = found[row.pop("document")]
            document.entities.append(Entity(id=row.pop("entity"), **row))
    return list(found.values())


def write_brat_folder(folder: Path, corpus: list[EntityDocument]) -> None:
    """Write documents as a folder that `read_entity_corpus` can read."""
    splits: dict[str, list[str]] = {"DEV": [], "TEST": []}
    with atomic_folder(folder) as part:
        for document in corpus:
            splits["TEST" if document.split == TEST else "DEV"].append(document.document)
            name = f"{document.subcorpus}/{document.document}"
            if escapes_folder(name):
                raise InputError(f"{name}: leads out of the folder of the swapped corpus; rename the original's folder")
            base = part / name
            base.parent.mkdir(exist_ok=True)
            contents = {
                ".txt": document.text,
                ".ann": format_brat(document.entities),
                ".meta": "".join(f"{line}\n" for line in document.source_lines),
            }
            for ending, content in contents.items():
                base.with_name(base.name + ending).write_text(content, encoding="utf-8")
        lines = [line for heading, names in splits.items() for line in (heading, *names)]
        (part / SPLIT_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _read_files(sources: list[Path], folder: str) -> dict[PurePosixPath, str]:
    if len(sources) == 1 and is_archive(sources[0]):
        wanted = PurePosixPath(folder)
        found = {
            PurePosixPath(name): stream.read()
            for name, stream in read_members(sources[0])
            if wanted in PurePosixPath(name).parents
        }
    elif len(sources) == 1 and sources[0].is_dir():
        raise InputError(f"{sources[0]}: has no texts (.txt) and annotations (.ann)")
    else:
        found = {PurePosixPath(path): path.read_bytes() for path in sources}
    texts = {}
    for path, content in found.items():
        try:
            texts[path] = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    return texts


def _check_names(files: dict[PurePosixPath, str], text_paths: list[PurePosixPath]) -> None:
    folders: dict[str, PurePosixPath] = {}
    metas = [path for path in files if path.suffix == ".meta"]
    for path in text_paths:
        if path.stem in folders:
            raise InputError(f"{path}: {folders[path.stem]} already has a document with this name; rename one of them")
        folders[path.stem] = path.parent
        if path.with_suffix(".ann") not in files:
            raise InputError(f"{path}: has no annotations; add {path.with_suffix('.ann')}, empty if there is no entity")
    for path in files:
        if path.suffix in (".ann", ".meta") and path.with_suffix(".txt") not in files:
            raise InputError(f"{path}: its text {path.with_suffix('.txt').name} is missing; add it, or take this out")
    for path in text_paths if metas else []:
        if path.with_suffix(".meta") not in files:
            raise InputError(f"{path}: has no source lines, and {metas[0]} has; add {path.with_suffix('.meta')}")


def _parse(text: str, annotations: str, name: str) -> tuple[str, list[Entity], list[Repair]]:
    """Parse a text with line ends of one or two characters; the offsets are those in a text with the former."""
    annotations, flat = annotations.replace("\r\n", "\n"), text.replace("\r\n", "\n")
    if flat == text:
        return text, *parse_brat(text, annotations, name)
    fixed = [Repair(0, TWO_CHARACTERS, f"{text.count(chr(13) + chr(10))} in the text")]
    try:
        entities, repairs = parse_brat(text, annotations, name)
    except InputError:
        # The annotations come from a tool that reads two-character line ends as one character.
        entities, repairs = parse_brat(flat, annotations, name)
        return flat, entities, fixed + repairs
    moved = []
    for entity in entities:
        start, end = (len(text[:place].replace("\r\n", "\n")) for place in (entity.start, entity.end))
        moved.append(replace(entity, start=start, end=end, text=flat[start:end]))
    return flat, moved, fixed + repairs


def _read_split(files: dict[PurePosixPath, str], name: str, source: Path) -> dict[str, str]:
    text = next((text for path, text in files.items() if path.name == name), None)
    if text is None:
        raise InputError(f"{source}: has no file {name} with the split: DEV, ids of documents, TEST, ids, one a line")
    splits: dict[str, str] = {}
    current = ""
    for number, line in enumerate(split_lines(text), start=1):
        word = line.strip()
        if word in _HEADINGS:
            current = _HEADINGS[word]
        elif word and not current:
            raise InputError(f"{name}, line {number}: {word} is above the first of {', '.join(_HEADINGS)}")
        elif word in splits:
            raise InputError(f"{name}, line {number}: {word} is a duplicate; keep one line")
        elif word:
            splits[word] = current
    return splits


def _source_lines(meta: str, text: str, path: PurePosixPath) -> list[int]:
    numbers = meta.split()
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    if len(numbers) != lines or not all(map(str.isdecimal, numbers)):
        raise InputError(f"{path}: has {len(numbers)} numbers for {lines} lines of text; it needs one for each")
    return [int(number) for number in numbers]


def recorded_text(text: str) -> str:
    """Cut the text of an entity at a line end, as NER-UK's files record it."""
    return text.partition("\n")[0].strip()


# Find the places of a sentence's entities in its swapped version. What cannot be anchored is reported, never guessed.

NO_COUNTERPART = "its first or last word has no counterpart"
CHANGED = "is not there word for word"
OTHER_ORDER = "its words stand in another order"
OTHER_LENGTH = "has more or fewer words"
# A title of one word may become one of two (пані мер); more words suggest a wrong counterpart.
_LENGTH_TOLERANCE = 1
# Some texts have combining accents on letters.
_PIECE = re.compile(r"[\w\u0301]+(?:[’'ʼ`][\w\u0301]+)*|[^\w\s]")
# Skipping two words costs slightly more than aligning two that have nothing in common.
_GAP = 0.55


@dataclass(frozen=True)
class Lost:
    """Hold an entity that could not be anchored, and the reason."""

    entity: Entity
    reason: str

    def __str__(self) -> str:
        return f"{self.entity.label} {self.entity.text}: {self.reason}"


def split_pieces(text: str) -> list[re.Match[str]]:
    """Split a text into words (parts between hyphens are words) and marks, with their places."""
    return list(_PIECE.finditer(text))


def reanchor(original: str, entities: Sequence[Entity], swapped: str) -> tuple[list[Entity], list[Lost]]:
    """Find the entities of a line in the swapped line, and list those that could not be anchored.

    A job title or a person may change its words, and extends from its first word to its last. Any other entity must
    recur word for word, apart from white space.
    """
    pieces, others = split_pieces(original), split_pieces(swapped)
    counterparts = _align([piece[0] for piece in pieces], [piece[0] for piece in others])
    anchored, lost = [], []
    for entity in entities:
        places = [
            place for place, piece in enumerate(pieces) if piece.start() < entity.end and piece.end() > entity.start
        ]
        begin, end = (counterparts.get(place) for place in (places[0], places[-1])) if places else (None, None)
        if begin is None or end is None:
            lost.append(Lost(entity, NO_COUNTERPART))
            continue
        if begin > end or abs((end - begin) - (places[-1] - places[0])) > _LENGTH_TOLERANCE:
            lost.append(Lost(entity, OTHER_ORDER if begin > end else OTHER_LENGTH))
            continue
        # An annotated entity may begin or end within a word.
        start = others[begin].start() + max(0, entity.start - pieces[places[0]].start())
        stop = others[end].end() - max(0, pieces[places[-1]].end() - entity.end)
        text = swapped[start:stop]
        if entity.label not in LABELS and sentence_key(text) != sentence_key(entity.text):
            lost.append(Lost(entity, CHANGED))
        elif not text.strip():
            lost.append(Lost(entity, NO_COUNTERPART))
        else:
            anchored.append(replace(entity, start=start, end=stop, text=text))
    return anchored, lost


def _align(one: list[str], other: list[str]) -> dict[int, int]:
    """Map the places of words and marks to their counterparts: by difflib, and within differing stretches by the
    cheapest alignment of words that begin alike. Places without a counterpart are absent."""
    found: dict[int, int] = {}
    for kind, start, end, other_start, other_end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            found |= {start + step: other_start + step for step in range(end - start)}
        elif kind == "replace":
            pairs = _align_unlike(one[start:end], other[other_start:other_end])
            found |= {start + here: other_start + there for here, there in pairs}
    return found


def _align_unlike(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """List the pairs of the cheapest alignment; the less two words have in common, the more their pair costs."""
    rows, columns = len(one) + 1, len(other) + 1
    costs = [[_GAP * (row + column) for column in range(columns)] for row in range(rows)]
    for row in range(1, rows):
        for column in range(1, columns):
            costs[row][column] = min(
                costs[row - 1][column - 1] + _unlikeness(one[row - 1], other[column - 1]),
                costs[row - 1][column] + _GAP,
                costs[row][column - 1] + _GAP,
            )
    pairs, row, column = [], len(one), len(other)
    while row and column:
        if costs[row][column] == costs[row - 1][column - 1] + _unlikeness(one[row - 1], other[column - 1]):
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif costs[row][column] == costs[row - 1][column] + _GAP:
            row -= 1
        else:
            column -= 1
    return pairs[::-1]


def _unlikeness(one: str, other: str) -> float:
    """Compute the distance of two words, from 0 (equal) to 1 (different beginnings); a mark is never like a word."""
    if one[0].isalnum() != other[0].isalnum():
        return 2.0
    one, other = one.lower(), other.lower()
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return 1 - alike / max(len(one), len(other))
