"""A folder with sentences and tables of its own, whose one model is a server on loopback."""

import json
import os
import re
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from conftest import Workflow
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.models import Answer, ModelRow
from textparity_studies.workflow.registry import MultilingualCorpus

KEY = "sk-4b7e91d2c6-do-not-show-f80a35b1"
# Half a key is a leak, too.
KEY_PARTS = ("4b7e91d2c6", "f80a35b1")
KEY_VARIABLE = "TEXTPARITY_TEST_KEY"
TAGGER = "loopback"
AT_ONCE = 8
WORDS = {
    "La maestra": "maestra - P, F", "El vecino": "vecino - P, M", "Una víctima": "víctima - P, F",
    "Mi hermano": "hermano - P, M", "Ella": "Ella - P, F", "La jueza": "jueza: P, F",
    "la plaza": "plaza - N, F", "el puente": "puente - N, M", "un coche": "coche - N, M;",
    "las calles": "calles - n, f", "los trenes": "trenes - N, M", "su casa": "- casa - N, F",
}  # fmt: skip
_FIRST, _SECOND = list(WORDS)[:6], list(WORDS)[6:]


def make_sentences(first: int, last: int) -> list[str]:
    """Return as many different sentences; a number always gives the same one."""
    return [
        f"{_FIRST[number % 6]} vio {_SECOND[number // 6 % 6]} desde {_SECOND[number // 36 % 6]} a las {number} horas."
        for number in range(first, last)
    ]


def sentence_of(prompt: str) -> str:
    """Return the sentence that a prompt asks about."""
    return re.findall(r'"([^"]*)"', prompt)[-1]


def tag(body: dict[str, Any]) -> str:
    """Answer as a model would, some words in need of repair."""
    sentence = sentence_of(body["prompt"])
    return "\n".join(line for words, line in WORDS.items() if words in sentence)


class TaggingProject(Workflow):
    """The shipped workflow on `corpora` (sentences by name), tagged by the server at `url`."""

    def __init__(
        self, repository: Path, folder: Path, url: str, corpora: dict[str, list[str]], skip_unavailable: bool = False
    ) -> None:
        folder.mkdir(exist_ok=True)
        super().__init__(repository, folder)
        for name, sentences in corpora.items():
            (folder / f"{name}.spa.txt").write_text("".join(f"{line}\n" for line in sentences), "utf-8")
        # "europarl_1" is named as the paper names it, so that the ledger speaks of it.
        rows = [
            {"corpus": name, "name": name.replace("_", " ").capitalize(), "source": "local",
             "path": name + ".{code}.txt", "code_column": "lang", "languages": "spa", "unit": "sentence"}
            for name in corpora
        ]  # fmt: skip
        _write_tsv(folder / "corpora.tsv", MultilingualCorpus, rows)
        model = {
            "name": TAGGER, "base_url": url, "model": "org/loopback", "mode": "completion", "temperature": 0,
            "api_key_env": KEY_VARIABLE, "max_tokens": 100, "price_per_million_input": 1,
            "price_per_million_output": 2, "requests_at_once": AT_ONCE, "timeout_seconds": 120,
        }  # fmt: skip
        _write_tsv(folder / "language_models.tsv", ModelRow, [model])
        config = {
            "studies": ["representation"],
            "languages": ["spa"],
            "skip_unavailable": skip_unavailable,
            "tables": {"corpora": "corpora.tsv", "language_models": "language_models.tsv"},
            "bootstrap": {"resamples": 100},
            "lexicon": {"corpora": list(corpora)},
            "representation": {"corpora": list(corpora), "gold": [], "corpus_tagger": TAGGER, "methods": []},
            "tagging": {"prompt": "demo"},
        }
        self.config = folder / "config.yaml"
        self.config.write_text(json.dumps(config), "utf-8")
        self.environment[KEY_VARIABLE] = KEY

    def prompt(self, sentence: str) -> str:
        """Return what is sent about a sentence."""
        prompts = self.folder / "resources" / "demo" / "prompts"
        examples = (prompts / "examples.spa.txt").read_text("utf-8")
        template = (prompts / "prompt.spa.txt").read_text("utf-8")
        return template.replace("<EXAMPLES>", examples).replace("<SENTENCE>", sentence)

    def kept(self) -> list[tuple[str, Answer]]:
        """Return what the cache has: sentences and their answers."""
        with ResponseCache(self.folder / "answers.sqlite") as cache:
            return [(sentence_of(payload["body"]["prompt"]), answer) for payload, answer in cache.iterate()]

    def answers(self, corpus: str) -> dict[str, str]:
        """Return the answers to the sentences of a corpus."""
        rows = pq.read_table(self.results / f"tagging/answers/corpora/{corpus}/spa.{TAGGER}.parquet").to_pylist()
        return {row["text"]: row["answer"] for row in rows}

    def files_with(self, text: str) -> set[str]:
        """Return all files of the folder, hidden ones included, that hold `text`."""
        paths = [Path(folder) / name for folder, _, names in os.walk(self.folder) for name in names]
        return {str(path.relative_to(self.folder)) for path in paths if text.encode() in _content(path)}


def command_lines() -> set[str]:
    """Return the arguments of every process that runs now."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        # It may have ended meanwhile.
        with suppress(OSError):
            found.add(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    return found


def _content(path: Path) -> bytes:
    if path.suffix != ".parquet":
        return path.read_bytes()
    # Compressed: its bytes would hide what its cells say.
    table = pq.read_table(path)
    return f"{table.schema.metadata} {table.to_pylist()}".encode()


def _write_tsv(path: Path, kind: type, rows: list[dict[str, Any]]) -> None:
    # Rows of the registry are models of pydantic, others dataclasses.
    names = list(kind.model_fields) if hasattr(kind, "model_fields") else [field.name for field in fields(kind)]
    lines = [names, *([str(row.get(name, "")) for name in names] for row in rows)]
    path.write_text("".join("\t".join(line) + "\n" for line in lines), "utf-8")
