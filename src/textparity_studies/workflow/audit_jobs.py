"""Run the jobs of `snakemake audit`: prepare languages, count a part of the files, merge all parts."""

import logging
import os
from pathlib import Path
from typing import Any

from textparity.auditing.audit import merge_parts
from textparity.auditing.counting import CountingRun, count_sources
from textparity.auditing.inputs import short_names
from textparity.auditing.languages import find_lexicon, load_finder, load_registry, why_no_pipeline
from textparity.auditing.settings import make_settings
from textparity.auditing.shards import open_part
from textparity.auditing.showing.outputs import write_folder
from textparity.auditing.signature import counted_with
from textparity.files import write_rows
from textparity.persons.mentions import PERSONS
from textparity.reading.sources import InputFile

log = logging.getLogger(__name__)


def prepare_audit(
    lexicons: Path, settings: dict[str, Any], langs: list[str], mirror: str | None, own: list[Path]
) -> None:
    """Fetch the requirements for counting languages (all, if none is named), and list them in a file.

    `own` are the user's own lexicons; if one changes, the list is made again.
    """
    if mirror:
        # Fetching for an audit reads this environment variable.
        os.environ["TEXTPARITY_MIRROR"] = mirror
    chosen = make_settings(**settings)
    counting = chosen.counting
    rows = []
    for lang in langs or load_registry().languages:
        if find_lexicon(counting.lexicon, lang, counting.lexicon_folder):
            if counting.method == PERSONS and (langs or not why_no_pipeline(counting.pipeline, lang, counting.count)):
                load_finder(PERSONS, lang, counting.pipeline, counting.count)
            rows.append((lang, counted_with(chosen, lang)))
    write_rows(lexicons, ("lang", "counted_with"), rows, tab_separated=True)


def count_part(
    files: list[Path],
    lexicons: Path,
    part: Path,
    sources: list[dict[str, str]],
    ignored: dict[str, int],
    settings: dict[str, Any],
    field: str | None,
    skip_failed: bool,
    skip_invalid: bool,
) -> None:
    """Count the `sources`, whose paths are `files`, and write them as a part."""
    found = [InputFile(**source) for source in sources]
    named = list(zip(short_names(found), found, strict=True))
    chosen = make_settings(field, **settings)
    with open_part(part, chosen, ignored) as write:
        options = CountingRun(skip_failed, skip_invalid, with_digests=True, note=log.warning)
        for _, source, counted in count_sources(named, chosen, options):
            write(source, counted)


def merge_audit(
    parts: list[Path],
    tables: list[Path],
    latex: Path,
    page: Path,
    per_file: bool,
    top: int,
    min_size: int,
    max_groups: int,
) -> None:
    """Merge all parts, files of one folder, into `tables`, `latex` and `page`."""
    write_folder(merge_parts(parts, per_file, top, min_size, max_groups), page.parent)
