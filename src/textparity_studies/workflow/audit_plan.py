"""Plan `snakemake audit` from the configuration: the files of each part, and the settings for counting them."""

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError, create_model

from textparity.auditing.inputs import choose_sources, name_documents
from textparity.auditing.languages import load_registry
from textparity.auditing.settings import SETTINGS, AuditSettings, make_settings
from textparity.errors import ConfigError, InputError
from textparity.files import is_unicode, writable
from textparity.persons.mentions import PUBLISHED
from textparity.reading.formats import READER_MODULES
from textparity.reading.sources import InputFile
from textparity_studies.workflow.config import Config, explain
from textparity_studies.workflow.settings import Closed

# Settings that belong to the whole configuration, or to one process.
_ELSEWHERE = {
    "seed", "resamples", "confidence_level", "minimum_matches", "minimum_units", "keep_mentions", "keep_records",
    "jobs", "lang_field",
}  # fmt: skip
# Settings for showing a result; changing these does not repeat the counting.
_SHOWN = ("per_file", "top", "min_size", "max_groups")
# Snakemake takes this for a wildcard.
_WILDCARD = re.compile(r"\{\s*\w+\s*[,}]")
_Counting: type[Closed] = create_model(  # type: ignore[call-overload]
    "_Counting",
    __base__=Closed,
    **{name: (item.type, item.default) for name, item in SETTINGS.items() if name not in _ELSEWHERE},
)


def lexicon_files(settings: AuditSettings) -> list[str]:
    """List the files on which the words that an audit counts depend: the user's own lexicons, or ours."""
    if settings.counting.lexicon_folder:
        return sorted(map(str, settings.counting.lexicon_folder.glob("*.json")))
    if settings.counting.method == PUBLISHED:
        return []
    registry = load_registry()
    tables = [registry.table_file(settings.counting.lexicon, lang) for lang in registry.languages]
    # The judged matches decide which layers are off.
    judged = [registry.judged_matches(lang) for lang in registry.languages]
    return [*filter(None, tables), *filter(None, judged)]


class AuditPlan:
    """Plan an audit; the files are only searched when a job asks for them."""

    readers = READER_MODULES

    def __init__(self, config: Config) -> None:
        self._section = config.audit
        try:
            counting = dict(_Counting.model_validate(config.audit.counting))
        except ValidationError as error:
            raise ConfigError(explain(error, ("audit", "counting"))) from None
        if config.audit.lang and config.audit.lang_field:
            raise ConfigError(
                "audit.lang sets the language of all files, and audit.lang_field names the field with the language of "
                "each text; use only one"
            )
        if counting.get("unique"):
            raise ConfigError("audit.counting.unique needs all texts in one job; use textparity audit --unique")
        shared = config.bootstrap.model_dump() | config.verdicts.model_dump()
        shared["lang_field"] = config.audit.lang_field or ""
        self._documents = Path(config.audit.documents) if config.audit.documents else None
        settings = make_settings(**counting, **shared, seed=config.seed)
        if self._documents:
            settings = settings.by_document()
        self.shown = {name: settings.flat()[name] for name in _SHOWN}
        self.settings = settings.changed(per_file=False, top=0, min_size=0, max_groups=1).flat()
        self._folder = settings.counting.lexicon_folder
        self.lexicons = lexicon_files(settings)
        self.reading = config.audit.model_dump(include={"field", "skip_failed", "skip_invalid"})

    @property
    def parts(self) -> int:
        """The number of parts, which are in the order of their files."""
        return len(self._shares)

    def files(self, part: int) -> list[str]:
        """List the readable files of a part, and the file with the documents of their lines."""
        files = [source.name for source in self._shares[part] if not source.problem]
        return files + [str(self._documents)] * (self._documents is not None)

    def sources(self, part: int) -> list[dict[str, Any]]:
        """Return the sources of a part."""
        return list(map(asdict, self._shares[part]))

    def ignored(self, part: int) -> dict[str, int]:
        """Count the files that are not texts, for the first part only."""
        return self._found[1] if part == 0 else {}

    @property
    def langs(self) -> list[str]:
        """The configured languages; none if languages are detected."""
        langs = {source.lang for source in self._found[0]}
        return [] if None in langs else sorted(filter(None, langs))

    @cached_property
    def _found(self) -> tuple[Sequence[InputFile], dict[str, int]]:
        if not self._section.files:
            raise ConfigError(
                "audit.files is empty; name files or folders: --config audit='{files: [texts], lang: eng}'"
            )
        names = [name for pattern in self._section.files for name in _expand(pattern)]
        langs = [self._section.lang] if self._section.lang else []
        sources, ignored = choose_sources(names, langs, lexicons=self._folder)
        sources = list(map(_checked, sources))
        problems = [source.problem for source in sources if source.problem]
        if problems and not self._section.skip_failed:
            raise InputError(problems[0])
        if self._documents:
            sources = name_documents(sources, self._documents)
        return sources, dict(ignored)

    @cached_property
    def _shares(self) -> list[list[InputFile]]:
        """The sources of each part, which are consecutive and have about the same number of bytes in each part."""
        sources = self._found[0]
        sizes = [0 if source.problem else os.path.getsize(source.name) for source in sources]
        total = sum(sizes) or 1
        shares: dict[int, list[InputFile]] = {}
        done = 0
        for source, size in zip(sources, sizes, strict=True):
            shares.setdefault(min(done * self._section.parts // total, self._section.parts - 1), []).append(source)
            done += size
        return list(shares.values())


def _expand(pattern: str) -> list[str]:
    """List the files of a pattern, in order; a path that is not a pattern or matches nothing is returned unchanged."""
    if os.path.exists(pattern) or not glob.has_magic(pattern):
        return [pattern]
    return sorted(glob.glob(pattern, recursive=True)) or [pattern]


def _checked(source: InputFile) -> InputFile:
    """Mark a source as a problem if Snakemake cannot handle its file name."""
    name = source.name
    if is_unicode(name) and "\n" not in name and not _WILDCARD.search(name):
        return source
    shown = writable(name)
    problem = (
        f"{shown}: Snakemake cannot handle a name with {{…}}, a line break or bytes that are not UTF-8; rename it, or "
        "use textparity audit"
    )
    return replace(source, name=shown, problem=problem)
