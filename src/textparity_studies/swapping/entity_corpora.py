"""Read and write corpora with annotated entities, as folders of BRAT files in an archive or on disk, and as rows.

A corpus is a folder of subcorpora (folders) with `x.txt` and `x.ann`. If it consists of sentences of another corpus,
`x.meta` has the number of the line, from 0, from which each line comes. A file has the split: `DEV`, ids of documents,
`TEST`, ids (NER-UK 2.0). Line ends of two characters become one, in texts and in the offsets that count them.

Each offset of the BRAT standoff annotations is checked against the text. Files of NER-UK use tabs in place of BRAT's
spaces, and cut the text of an entity at a line end. Such lines are repaired, and every repair is reported. The readers
on PyPI accept both forms without reporting them, and do not check offsets.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import pyarrow as pa

from textparity.corpora.rows import read_rows, write_batches
from textparity.errors import InputError
from textparity.files import split_lines, write_rows
from textparity.sources.archives import is_archive, read_members
from textparity_studies.swapping.names import TEST, TRAIN

SEPARATORS, BLANK_LINE, CUT_TEXT, WHITE_SPACE, NO_ENTITY = (
    "separators", "blank line", "text cut at a line end", "white space", "no entity, left out",
)  # fmt: skip
_BRAT = re.compile(r"\S+\t\S+ \d+ \d+\t.*")
_ANY_SEPARATORS = re.compile(r"(T\S*\d)[ \t]+(\S+)[ \t]+(\d{1,9})[ \t]+(\d{1,9})[ \t](.*)")
_DISCONTINUOUS = re.compile(r"T\S+[ \t]+\S+[ \t]+\d+[ \t]+\d+;")
# Relations, events, attributes, normalisations, equivalences and notes are skipped.
_OTHER_KIND = re.compile(r"(?:[REAMN]\d+|\*|#\d*)[ \t]")
TWO_CHARACTERS = "line ends of two characters"
_HEADINGS = {"DEV": TRAIN, "TRAIN": TRAIN, "TEST": TEST}
DOCUMENT_SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("subcorpus", pa.string()),
        ("split", pa.string()),
        ("text", pa.string()),
        # For each line that is not blank, its line in the source document, from 0; empty for an original corpus.
        ("source_lines", pa.list_(pa.int32())),
    ]
)
_CELLS = ("label", "start", "end", "text")
ENTITY_SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("entity", pa.string()),
        ("label", pa.string()),
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


@dataclass(frozen=True)
class Repair:
    """Describe a repaired line (from 1) of an annotation file."""

    line: int
    repair: str
    found: str


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
            entity, recorded = _entity(found, text, where)
            if entity.id in entities:
                raise InputError(f"{where}: the id {entity.id} is a duplicate; give each entity its own")
            entities[entity.id] = entity
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
                    f"{where}: the text from {entity.start} to {entity.end} is {entity.text!r}, not {recorded!r}; "
                    "correct the offsets, or put back the text they were made for"
                )
        elif _OTHER_KIND.match(line):
            repairs.append(Repair(number, NO_ENTITY, line))
        else:
            raise InputError(f"{where}: {_why_not(line)}")
    if missing:
        raise InputError(f"{name}: ends before the text of its last entity does; {missing[0]!r} is missing")
    return list(entities.values()), repairs


def format_brat(entities: Iterable[Entity]) -> str:
    """Format the lines of an annotation file; a line end in an entity becomes a space, as BRAT requires."""
    return "".join(
        f"{entity.id}\t{entity.label} {entity.start} {entity.end}\t{' '.join(entity.text.split(chr(10)))}\n"
        for entity in entities
    )


def _entity(found: re.Match[str], text: str, where: str) -> tuple[Entity, str]:
    id_, label, start, end, recorded = found.groups()
    if not int(start) < int(end) <= len(text):
        raise InputError(f"{where}: {start} to {end} is not a place in a text of {len(text)} characters")
    return Entity(id_, label, int(start), int(end), text[int(start) : int(end)]), recorded


def _why_not(line: str) -> str:
    if _DISCONTINUOUS.match(line):
        return f"an entity in pieces, which are not read: {line!r}; make it one, or one for each piece"
    return f"no line of BRAT: {line!r}; an entity is T1, tab, label, start and end with spaces between, tab, its text"


@dataclass
class Document:
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
        corpus.append(Document(document, text_path.parent.name, splits.pop(document), text, source_lines, found))
        file = f"{annotation_path.parent.name}/{annotation_path.name}"
        repair_rows += [[file, repair.line, repair.repair, repair.found] for repair in fixed]
    if splits:
        raise InputError(f"{split}: there is no text of {', '.join(sorted(splits))}; take it out, or add its files")
    write_documents(corpus, documents, entities)
    write_rows(repairs, ["file", "line", "repair", "found"], repair_rows)


def write_documents(corpus: list[Document], documents: Path, entities: Path) -> None:
    """Write documents (`DOCUMENT_SCHEMA`) and their entities (`ENTITY_SCHEMA`)."""
    entity_rows = [
        {"document": document.document, "entity": entity.id, **{name: getattr(entity, name) for name in _CELLS}}
        for document in corpus
        for entity in document.entities
    ]
    document_rows = [{name: getattr(document, name) for name in DOCUMENT_SCHEMA.names} for document in corpus]
    write_batches(documents, DOCUMENT_SCHEMA, [document_rows])
    write_batches(entities, ENTITY_SCHEMA, [entity_rows])


def read_documents(documents: Path, entities: Path, split: str = "") -> list[Document]:
    """Read the documents of a corpus (or of one split) with their entities, in file order."""
    found = {
        row["document"]: Document(**row)
        for row in read_rows(documents).to_pylist()
        if not split or row["split"] == split
    }
    for row in read_rows(entities).to_pylist():
        if row["document"] in found:
            document = found[row.pop("document")]
            document.entities.append(Entity(id=row.pop("entity"), **row))
    return list(found.values())


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
    for path in text_paths:
        if path.stem in folders:
            raise InputError(f"{path}: {folders[path.stem]} has a document of that name, too; rename one")
        folders[path.stem] = path.parent
        if path.with_suffix(".ann") not in files:
            raise InputError(f"{path}: has no annotations; add {path.with_suffix('.ann')}, empty if there is no entity")
    metas = [path for path in files if path.suffix == ".meta"]
    for path in files:
        if path.suffix in (".ann", ".meta") and path.with_suffix(".txt") not in files:
            raise InputError(f"{path}: its text {path.with_suffix('.txt').name} is missing; add it, or take this out")
    for path in text_paths if metas else []:
        if path.with_suffix(".meta") not in files:
            raise InputError(f"{path}: has no source lines, and {metas[0]} has; add {path.with_suffix('.meta')}")


def _parse(text: str, annotations: str, name: str) -> tuple[str, list[Entity], list[Repair]]:
    """Return the text with line ends of one character, its entities with offsets in that text, and the repairs."""
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
    before = [len(text[:place].replace("\r\n", "\n")) for entity in entities for place in (entity.start, entity.end)]
    moved = [
        replace(entity, start=start, end=end, text=flat[start:end])
        for entity, start, end in zip(entities, before[::2], before[1::2], strict=True)
    ]
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
