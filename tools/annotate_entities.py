"""Write a corpus with entities (texts, BRAT annotations, split) from one marked-up text.

python tools/annotate_entities.py resources/demo/entities.txt resources/demo/entities/data

A document begins with `# subcorpus/document split` (train or test); entities are `[text|LABEL]`, not within each other.
Blank lines stay, but for those before the next document. In a corpus of swapped sentences each line begins with the
number of the line it was swapped from, counted from 0 with blank lines. Nothing is deleted.
"""

import re
import sys
from pathlib import Path

from textparity.files import read_lines
from textparity_studies.swapping.corpora import Entity, format_brat
from textparity_studies.swapping.settings import TEST, TRAIN

DOCUMENT = re.compile(r"# (\w+)/([\w-]+) (train|test)")
ENTITY = re.compile(r"\[([^\[\]|]+)\|([A-Z]+)\]")
NUMBER = re.compile(r"(\d+) (?=\S)")


def main(marked: Path, folder: Path) -> None:
    """Write the files of every document, and of the split, to `folder`."""
    found: list[tuple[str, str, str, list[str]]] = []
    for number, line in enumerate(read_lines(marked), start=1):
        if heading := DOCUMENT.fullmatch(line):
            found.append((*heading.groups(), []))
        elif not found or line.startswith("#"):
            sys.exit(f"{marked}, line {number}: {line!r} is no heading; write # subcorpus/document train (or test)")
        else:
            found[-1][3].append(line)
    for subcorpus, document, _, lines in found:
        numbers = [match[1] for line in lines if (match := NUMBER.match(line))]
        if len(numbers) == sum(map(bool, lines)):
            lines = [NUMBER.sub("", line, count=1) for line in lines]
        else:
            numbers = []
        text, entities = read_marks("\n".join(lines).rstrip("\n"))
        stem = folder / subcorpus / document
        stem.parent.mkdir(parents=True, exist_ok=True)
        contents = {".txt": text, ".ann": format_brat(entities)}
        if numbers:
            contents[".meta"] = "\n".join(numbers)
        for ending, content in contents.items():
            stem.with_suffix(ending).write_text(content.rstrip("\n") + "\n", "utf-8")
    ids = {split: [document for _, document, of_it, _ in found if of_it == split] for split in (TRAIN, TEST)}
    split_file = "\n".join(["DEV", *ids[TRAIN], "", "TEST", *ids[TEST], ""])
    (folder / "dev-test-split.txt").write_text(split_file, "utf-8")


def read_marks(marked: str) -> tuple[str, list[Entity]]:
    """Parse the text without marks, and its entities."""
    text, entities, end = "", [], 0
    for mark in ENTITY.finditer(marked):
        text += marked[end : mark.start()]
        entities.append(Entity(f"T{len(entities) + 1}", mark[2], len(text), len(text) + len(mark[1]), mark[1]))
        text += mark[1]
        end = mark.end()
    text += marked[end:]
    if re.search(r"[\[\]|]", text):
        sys.exit(f"a mark is left in {text!r}; write [text|LABEL]")
    return text, entities


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
