"""What it takes to have texts tagged by a language model: files and settings, for plans and rules."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from textparity.workflow.study import Context

Unit = tuple[str, str]
"""Texts and who tags them: the path of the texts from `results` on, without its ending, and a language model."""


class Tagging:
    """How texts are tagged: `gold/{gold}`, or a path that ends in the language, or in `{lang}.{variant}`."""

    answers = "results/tagging/answers/{texts}.{tagger}.parquet"
    tags = "results/tagging/tags/{texts}.{tagger}.parquet"
    problems = "results/tagging/problems/{texts}.{tagger}.csv"
    estimate = "results/tagging/estimates/{texts}.{tagger}.csv"

    def __init__(self, context: Context) -> None:
        self._context = context
        self._settings = context.config.tagging

    def lang(self, texts: str) -> str:
        """Return the language of texts."""
        kind, name, *rest = texts.split("/")
        return self._context.registry.gold[name].lang if kind == "gold" else rest[-1].partition(".")[0]

    def runs(self, texts: str) -> int:
        """Return how often a language model is asked about each of these texts."""
        return self._settings.gold_runs if texts.startswith("gold/") else self._settings.corpus_runs

    def prompt(self, texts: str, tagger: str) -> dict[str, str | list[str]]:
        """Return the parts of the prompt that are sent; an empty list for one that there is not."""
        files = self._files(texts, tagger)
        return {part: files.get(part, []) for part in ("prompt", "examples", "system")}

    def skip_list(self, texts: str, tagger: str) -> list[str]:
        """Return the file of words that do not count, as a list of no or one path."""
        files = self._files(texts, tagger)
        return [files["skip_list"]] if "skip_list" in files else []

    def files(self, pattern: str, units: Iterable[Unit]) -> list[str]:
        """Return the file of each unit, by one of the patterns above."""
        return [pattern.format(texts=texts, tagger=tagger) for texts, tagger in units]

    def say_estimates(self, units: Iterable[Unit], recorded: list[str], say: Callable[[str], None]) -> None:
        """Say what asking would take, for texts that are there already; `snakemake estimate` makes them first."""
        from textparity.llm.answering import Asking, estimate
        from textparity.llm.tagging import tagging_questions

        for texts, tagger in units:
            parts: dict[str, Any] = {
                part: Path(path) if isinstance(path, str) else None for part, path in self.prompt(texts, tagger).items()
            }
            files = [Path(f"results/{texts}.parquet"), *filter(None, parts.values())]
            found = "its texts are not there yet; `snakemake estimate` makes them and sends nothing"
            if all(file.is_file() for file in files):
                asking = Asking(**self._context.asking(tagger))
                questions = tagging_questions(asking.row, files[0], **parts, runs=self.runs(texts))
                found = str(estimate(questions, asking, list(map(Path, recorded))))
            say(f"{tagger}, {texts}: {found}")

    def _files(self, texts: str, tagger: str) -> dict[str, str]:
        mode = self._context.language_models[tagger].mode
        files = self._context.registry.prompt_files(self._settings.prompt, self.lang(texts), mode)
        return {part: file.path for part, file in files.items()}
