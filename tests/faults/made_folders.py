"""The working folders that faults happen to: small ones, as each round runs several times in a copy of one."""

import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml
from fault_folder import Folder, digest

from textparity.registry import LOCK, Source, SourceFile
from textparity_studies.llm.models import ModelRow
from textparity_studies.workflow.registry import MultilingualCorpus

BASE_URL = "https://texts.invalid"
LANGUAGES = ("eng", "spa")
# The way of a line from a download to tables, in ten jobs.
TABLES = (
    "results/lexicon/tables/verdicts.csv",
    "results/lexicon/divergence/fetched/spa.csv",
    "results/lexicon/tables/lexicon_sizes.csv",
)
CACHE, LOCK_FILE, TAGGER = "answers.sqlite", "sources.lock.tsv", "loopback"
ANSWERS = f"results/tagging/answers/corpora/town/spa.{TAGGER}.parquet"
TAG_TABLES = ("results/representation/tables/corrected/tags.csv", "results/representation/tables/epicene.csv")
AT_ONCE = 4
SENTENCES = [
    f"{who} vio {what} a las {number} horas."
    for number, (who, what) in enumerate(
        (who, what)
        for who in ("La maestra", "El vecino", "La jueza", "El panadero")
        for what in ("la plaza", "un coche", "los trenes")
    )
]


def make_demo(repository: Path, path: Path, url: str) -> Folder:
    """Make a folder for two studies of the demo in two languages.

    They have every kind of file and job (those of the newsroom would, too, but draw twenty figures).
    """
    shutil.copytree(repository / "resources" / "demo", path / "resources" / "demo")
    config = demo_settings(repository) | {"studies": ["lexicon", "swapping"], "languages": ["eng", "spa"]}
    (path / "config.yaml").write_text(json.dumps(config), "utf-8")
    return Folder(repository, path)


def make_texts(repository: Path, path: Path, url: str) -> Folder:
    """Make a folder whose texts are downloads from a mirror in the folder, up to a few tables."""
    return _make_download(repository, path, BASE_URL, mirror="mirror")


def make_served(repository: Path, path: Path, url: str) -> Folder:
    """Make the same folder with downloads from the server at `url`."""
    return _make_download(repository, path, url, mirror=None)


def make_asked(repository: Path, path: Path, url: str) -> Folder:
    """Make a folder whose sentences the language model at `url` tags."""
    prompts = repository / "resources" / "demo" / "prompts"
    shutil.copytree(prompts, path / "resources" / "demo" / "prompts")
    (path / "town.spa.txt").write_text("".join(f"{line}\n" for line in SENTENCES), "utf-8")
    corpus = {"corpus": "town", "name": "Town", "source": "local", "path": "town.{code}.txt", "code_column": "lang",
              "languages": "spa", "unit": "sentence"}  # fmt: skip
    model = {
        "name": TAGGER, "base_url": f"{url}/v1", "model": "org/loopback", "mode": "completion", "temperature": 0,
        "max_tokens": 100, "price_per_million_input": 1, "price_per_million_output": 2, "requests_at_once": AT_ONCE,
        "timeout_seconds": 20,
    }  # fmt: skip
    models = [field.name for field in fields(ModelRow)]
    for name, names, row in (
        ("corpora", list(MultilingualCorpus.model_fields), corpus),
        ("language_models", models, model),
    ):
        (path / f"{name}.tsv").write_text("\t".join(names) + "\n" + _lines(names, [row]), "utf-8")
    config = {
        "studies": ["representation"],
        "languages": ["spa"],
        "tables": {"corpora": "corpora.tsv", "language_models": "language_models.tsv"},
        "bootstrap": {"resamples": 100},
        "lexicon": demo_settings(repository)["lexicon"] | {"corpora": ["town"]},
        "tagging": {"prompt": "demo"},
        "representation": demo_settings(repository)["representation"]
        | {"corpora": ["town"], "gold": [], "taggers": [TAGGER], "corpus_tagger": TAGGER, "methods": []},
    }
    (path / "config.yaml").write_text(json.dumps(config), "utf-8")
    return Folder(repository, path, TAG_TABLES)


MAKERS = {"demo": make_demo, "texts": make_texts, "served": make_served, "asked": make_asked}


def demo_settings(repository: Path) -> dict[str, Any]:
    """Return the demo's configuration.

    The demo downloads nothing. When a study begins to read another download by default, its section of the demo turns
    that off, and so does every folder here that is based on it.
    """
    return yaml.safe_load((repository / "resources" / "demo" / "config.yaml").read_text("utf-8"))


def write_urls(mirror: Path) -> None:
    """Write the mirror's table with the hashes of the files as they are."""
    rows = [
        {"url": f"{BASE_URL}/{file.name}", "path": file.name, "sha256": digest(file)}
        for file in sorted(mirror.glob("*.txt"))
    ]
    header = ["url", "path", "sha256"]
    (mirror / "urls.tsv").write_text("\t".join(header) + "\n" + _lines(header, rows), "utf-8")


def _make_download(repository: Path, path: Path, base_url: str, mirror: str | None) -> Folder:
    """Make a folder with two downloads, of which the lock file alone pins the English one."""
    demo = repository / "resources" / "demo"
    shutil.copytree(demo / "lexicons", path / "resources" / "demo" / "lexicons")
    names = [f"{lang}.txt" for lang in LANGUAGES]
    if mirror:
        (path / mirror).mkdir()
        for name in names:
            shutil.copy(demo / "texts" / name, path / mirror)
        write_urls(path / mirror)
    pins = {name: digest(demo / "texts" / name) for name in names} | {"eng.txt": LOCK}
    pinned = [{"source": "texts", "path": name, "sha256": pin} for name, pin in pins.items()]
    tables = {
        "sources": (Source, [{"source": "texts", "name": "Texts", "version": "1", "base_url": base_url}]),
        "source_files": (SourceFile, pinned),
        "corpora": (MultilingualCorpus, [{
            "corpus": "fetched", "name": "Fetched sentences", "source": "texts", "path": "{code}.txt",
            "code_column": "lang", "languages": " ".join(LANGUAGES), "unit": "sentence", "parallel_to": "eng",
        }]),
    }  # fmt: skip
    for name, (kind, rows) in tables.items():
        shipped = (repository / "resources" / "registry" / f"{name}.tsv").read_text("utf-8")
        (path / f"{name}.tsv").write_text(shipped + _lines(list(kind.model_fields), rows), "utf-8")
    config = {
        "studies": ["lexicon"],
        "languages": list(LANGUAGES),
        "mirror": mirror,
        "tables": {name: f"{name}.tsv" for name in tables},
        "bootstrap": {"resamples": 100},
        "person_nouns": "demo",
        "lexicon": demo_settings(repository)["lexicon"] | {"corpora": ["fetched"]},
    }
    (path / "config.yaml").write_text(json.dumps(config), "utf-8")
    return Folder(repository, path, TABLES)


def _lines(header: list[str], rows: list[dict[str, object]]) -> str:
    return "".join("\t".join(str(row.get(name, "")) for name in header) + "\n" for row in rows)
