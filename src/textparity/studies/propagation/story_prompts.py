"""The beginnings of stories that a model completes (Derner 2025, App. G); rules are parsed with this module."""

from dataclasses import dataclass, fields
from pathlib import Path

from textparity.errors import ConfigError, TableError
from textparity.tsv import read_tsv


@dataclass(frozen=True)
class StoryPrompt:
    """One beginning; `number` is its place among those of its language, from 1."""

    lang: str
    number: int
    topic: str
    prompt: str


def load_story_prompts(path: str | Path) -> dict[str, list[StoryPrompt]]:
    """Read the prompts by language; `TableError` naming the line and column of a cell that cannot be used."""
    prompts: dict[str, list[StoryPrompt]] = {}
    for line, cells in enumerate(read_tsv(path, [field.name for field in fields(StoryPrompt)]), start=2):
        where = f"{path}, line {line}"
        for column in ("lang", "prompt"):
            # A model goes on after a space in another way than after a word.
            if not cells[column] or cells[column] != cells[column].strip():
                raise TableError(f"{where}, column {column}: {cells[column]!r} is empty, or has a space at an end")
        known = prompts.setdefault(cells["lang"], [])
        if cells["number"] != str(len(known) + 1):
            raise TableError(
                f"{where}, column number: {cells['number']!r} must be {len(known) + 1}; each language counts from 1"
            )
        if cells["prompt"] in (other.prompt for other in known):
            raise TableError(f"{where}, column prompt: {cells['prompt']!r} stands twice for {cells['lang']}")
        known.append(StoryPrompt(cells["lang"], len(known) + 1, cells["topic"], cells["prompt"]))
    return prompts


def select_story_prompts(
    langs: list[str], prompts: dict[str, list[StoryPrompt]], table: str
) -> dict[str, list[StoryPrompt]]:
    """Return the prompts of the languages in which models write; `ConfigError` for a language without any."""
    if lacking := [lang for lang in langs if lang not in prompts]:
        raise ConfigError(
            f"propagation.training_languages: {', '.join(lacking)} has no prompt in {table}; add rows, or take it out"
        )
    return {lang: prompts[lang] for lang in langs}
