"""Lexicons and models of an audit: files on this machine, else fetched once, verified, into the user's cache folder."""

import os
import tempfile
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

from textparity.auditing.languages import language_row, load_registry, mirror_folder
from textparity.auditing.settings import AuditSettings
from textparity.errors import ConfigError, InputError, MissingResourceError, TableError
from textparity.measures.tokenizers import TokenizerChoice
from textparity.sources.fetch import fetch_file
from textparity.sources.tokenizer_models import prepare_model
from textparity.workflow.config import load_config
from textparity.workflow.registry_rows import FileReference
from textparity.workflow.tokenizers import model_record, tokenizer_of

FOLDER_NAMES = ("{lang}.json", "{lang}_nouns.json")


def cache_folder() -> Path:
    """Return where downloads are kept between audits."""
    return user_cache_path("textparity")


def find_lexicon(settings: AuditSettings, lang: str) -> Path | None:
    """Return the lexicon of a language, fetched if it has to be; None where the language has none.

    Raises `ConfigError` for a lexicon that is no row, `FetchError` where it cannot be fetched.
    """
    if settings.lexicon_folder is not None:
        paths = [settings.lexicon_folder / name.format(lang=lang) for name in FOLDER_NAMES]
        return next((path for path in paths if path.is_file()), None)
    registry = load_registry()
    if settings.lexicon not in registry.lexicons:
        raise ConfigError(
            f"lexicon {settings.lexicon!r} has no row in the table of lexicons; it has "
            + ", ".join(registry.lexicons)
            + ", and --lexicon-folder takes a folder of your own"
        )
    try:
        file = registry.lexicon_file(settings.lexicon, lang)
    except TableError:
        return None
    if not file.url:
        return Path(file.path) if Path(file.path).is_file() else None
    return _fetched(file)


def check_lexicon_folder(folder: Path) -> None:
    """Raise `InputError` unless the folder has a lexicon."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; put one lexicon a language into it, such as eng.json")
    if not any(folder.glob("*.json")):
        raise InputError(f"{folder}: has no lexicon; name the files by ISO 639-3 code, such as eng.json")


def _fetched(file: FileReference) -> Path:
    kept = cache_folder() / Path(file.path).relative_to("results")
    if kept.is_file() and sha256(kept.read_bytes()).hexdigest() == file.sha256:
        return kept
    kept.parent.mkdir(parents=True, exist_ok=True)
    # Of its own, as other processes may fetch the same file now.
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        fetched = Path(folder) / kept.name
        fetch_file(file.url, fetched, sha256=file.sha256, mirror=mirror_folder())
        os.replace(fetched, kept)
    return kept


def find_tokenizer(engine: str, lang: str) -> tuple[TokenizerChoice, Path | None]:
    """Return how a language is cut, and the record of the model where that needs one.

    Raises `MissingResourceError` for a tool that is not installed, or a model that may not be fetched.
    """
    row = language_row(lang)
    choice = tokenizer_of(load_registry(), lang, engine)
    if not (name := model_record(choice)):
        return choice, None
    folder = getattr(load_config({}).models, choice.kind)
    record = cache_folder() / "models" / name
    try:
        prepare_model(record, choice.kind, choice.code, folder, offline=mirror_folder() is not None)
    except MissingResourceError as error:
        raise MissingResourceError(f"{row.name} ({lang}) by the paper engine: {error}; or use --engine icu") from None
    return choice, record
