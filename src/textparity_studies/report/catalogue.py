"""List the final files that the report shows, with their places, by their paths and their study's plan."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pydantic.dataclasses import dataclass

from textparity.counting import PROCEDURES
from textparity.tables import Caption, write_csv

if TYPE_CHECKING:
    import pandas as pd

SUMMARY = "summary"
TABLES, FIGURES = "tables", "figures"
# Results that were computed once, with the script that made them: `resources/{study}/kept/{name}.csv`.
KEPT = "kept"
# Formats for papers, pages and slides.
FIGURE_FORMATS = ("pdf", "svg", "png")
# A rule may have a wildcard in place of a procedure.
_PROCEDURES = (*PROCEDURES, "{procedure}")


@dataclass(frozen=True)
class ReportItem:
    """Describe a table or figure of the report; `of` names its corpus or step."""

    path: str
    study: str
    study_name: str
    kind: str
    name: str
    of: str
    procedure: str

    @property
    def caption(self) -> str:
        """The path of its caption, relative to the repository's folder."""
        inside = self.name if self.study == SUMMARY else f"{self.kind}/{self.name}"
        return f"resources/{self.study}/captions/{inside}.rst"

    @property
    def page(self) -> str:
        """The page of a table."""
        inside = PurePosixPath(self.path).relative_to("results").with_suffix(".html")
        return "results/report/tables/" + "_".join(part for part in inside.parts if part != TABLES)

    @property
    def detail(self) -> str:
        """Its corpus and procedure, in words."""
        return ", ".join(filter(None, [self.study_name, self.of.replace("_", " "), self.procedure]))

    def labels(self, caption: str) -> dict[str, str]:
        """Build its labels in Snakemake's report, with the title from its caption."""
        return {"title": Caption.read(Path(caption)).title, "of": self.of, "procedure": self.procedure}


@dataclass(frozen=True)
class Run:
    """Describe a run for its pages: the texts of its head, and what it shows.

    `items` are the tables and figures, in the order of their captions. `languages` has names, if the run is limited to
    some; `lexicon` is the name of the lexicon behind the `noun_tables`. `study_names` maps all studies to their titles,
    `studies` are those of this run, and `study_pages` their own pages.
    """

    title: str
    languages: list[str]
    lexicon: str
    noun_tables: list[str]
    studies: list[str]
    study_names: dict[str, str]
    study_pages: list[str]
    items: list[ReportItem]


def list_items(
    paths: Iterable[str], study_names: dict[str, str], corpora: Iterable[str], captions: Mapping[str, str]
) -> list[ReportItem]:
    """List the final tables (CSV) and the figures (SVG) among `paths`, which may contain wildcards.

    A table is in a folder `tables`, or is a key of `captions`, which names the captions that do not follow from the
    path. Tables about all studies belong to the study `summary`.
    """
    items = []
    for path in paths:
        parts = PurePosixPath(path).with_suffix("").parts[1:]
        if path.endswith(".svg"):
            items.append(_read_path(path, FIGURES, study_names, corpora, captions))
        elif path.endswith(".csv") and len(parts) == 1:
            items.append(ReportItem(path, SUMMARY, "Summary", TABLES, parts[0], of="", procedure=""))
        elif path.endswith(".csv") and (TABLES in parts or path in captions):
            items.append(_read_path(path, TABLES, study_names, corpora, captions))
    return items


def figure_files(folder: str, *names: str) -> list[str]:
    """List the files of figures in a folder, in all formats."""
    return [f"{folder}/{name}.{ending}" for name in names for ending in FIGURE_FORMATS]


def captioned_tables(folder: str) -> list[str]:
    """List the tables with a caption under `folder`, as `study/name`: all that the workflow can make.

    The list includes tables that were made once and are kept there.
    """
    patterns = (f"*/captions/{TABLES}/*.rst", f"{SUMMARY}/captions/*.rst", f"*/{KEPT}/*.csv")
    found = [path for pattern in patterns for path in Path(folder).glob(pattern)]
    return sorted(f"{path.relative_to(folder).parts[0]}/{path.stem}" for path in found)


def _read_path(
    path: str, kind: str, study_names: dict[str, str], corpora: Iterable[str], captions: Mapping[str, str]
) -> ReportItem:
    study, *middle, name = PurePosixPath(path).with_suffix("").parts[1:]
    procedure = next((part for part in middle if part in _PROCEDURES), "")
    of = [part for part in middle if part not in (TABLES, FIGURES, procedure)]
    # Choose the longest name, because one corpus may be called `a` and another `b_a`.
    named = [corpus for corpus in (*corpora, "{corpus}") if name.endswith(f"_{corpus}")]
    if named:
        of.append(max(named, key=len))
        name = name.removesuffix(f"_{of[-1]}")
    if (shared := captions.get(path, name)) != name:
        # If files share a caption, the rest of the name distinguishes them.
        of.append(name.removeprefix(f"{shared}_"))
        name = shared
    return ReportItem(path, study, study_names[study], kind, name, " ".join(of), procedure)


def write_kept(frame: "pd.DataFrame", path: Path, inputs: Sequence[Path]) -> None:
    """Write a result that is made once and kept, with the date and the sha256 of all its input in each row."""
    digest = sha256(b"".join(file.read_bytes() for file in inputs)).hexdigest()
    write_csv(frame.assign(made=f"{datetime.now(UTC):%Y-%m-%d}", inputs_sha256=digest), path)
