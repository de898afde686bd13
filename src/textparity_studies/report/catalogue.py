"""List the final files that the report shows, with their places, by their paths and their study's plan."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
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
# Formats for machines and papers.
TABLE_FORMATS = ("csv", "tex")
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


class Catalogue:
    """Place final files in the report.

    `study_names` maps all studies to their titles. `captions` has the names of captions by study and kind, such as
    `lexicon/tables`: that of a file is the longest that its name begins with. `shared` names captions for files of
    other names, whose patterns begin with study and kind, such as `newsroom/figures/summary_*`; a table outside a
    folder `tables` needs one.
    """

    def __init__(
        self, study_names: Mapping[str, str], captions: Mapping[str, Collection[str]], shared: Mapping[str, str]
    ) -> None:
        self.study_names = dict(study_names)
        self._captions = captions
        self._shared = shared

    def list_items(self, paths: Iterable[str]) -> list[ReportItem]:
        """List the tables (CSV) and the figures (SVG) among `paths`; tables about all studies are of `summary`."""
        items = []
        for path in paths:
            parts = PurePosixPath(path).with_suffix("").parts[1:]
            if path.endswith(".svg"):
                items.append(self.read_item(path, FIGURES))
            elif path.endswith(".csv") and len(parts) == 1:
                items.append(ReportItem(path, SUMMARY, "Summary", TABLES, parts[0], of="", procedure=""))
            elif path.endswith(".csv") and (TABLES in parts or self._find_shared(parts[0], TABLES, parts[-1])):
                items.append(self.read_item(path, TABLES))
        return items

    def read_item(self, path: str, kind: str) -> ReportItem:
        """Place one table or figure; its path may have wildcards."""
        study, *middle, name = PurePosixPath(path).with_suffix("").parts[1:]
        procedure = next((part for part in middle if part in _PROCEDURES), "")
        of = [part for part in middle if part not in (TABLES, FIGURES, procedure)]
        caption = self._find_shared(study, kind, name) or self._find_caption(study, kind, name)
        if caption != name:
            of.append(name.removeprefix(f"{caption}_"))
        return ReportItem(path, study, self.study_names[study], kind, caption, " ".join(of), procedure)

    def _find_shared(self, study: str, kind: str, name: str) -> str:
        place = f"{study}/{kind}/{name}"
        return next((caption for pattern, caption in self._shared.items() if fnmatchcase(place, pattern)), "")

    def _find_caption(self, study: str, kind: str, name: str) -> str:
        known = self._captions.get(f"{study}/{kind}", ())
        fitting = [caption for caption in known if f"{name}_".startswith(f"{caption}_")]
        return max(fitting, key=len, default=name)


def read_captions(folder: str) -> dict[str, list[str]]:
    """List the names of the captions under `folder`, by study and kind: `Catalogue` has its keys."""
    captions: dict[str, list[str]] = {}
    for path in sorted(Path(folder).glob("*/captions/*/*.rst")):
        captions.setdefault(f"{path.parents[2].name}/{path.parent.name}", []).append(path.stem)
    return captions


def captioned_tables(folder: str) -> list[str]:
    """List the tables with a caption under `folder`, as `study/name`: all that the workflow can make.

    The list includes tables that were made once and are kept there.
    """
    patterns = (f"*/captions/{TABLES}/*.rst", f"{SUMMARY}/captions/*.rst", f"*/{KEPT}/*.csv")
    found = [path for pattern in patterns for path in Path(folder).glob(pattern)]
    return sorted(f"{path.relative_to(folder).parts[0]}/{path.stem}" for path in found)


def write_kept(frame: "pd.DataFrame", path: Path, inputs: Sequence[Path]) -> None:
    """Write a result that is made once and kept, with the date and the sha256 of all its input in each row."""
    digest = sha256(b"".join(file.read_bytes() for file in inputs)).hexdigest()
    write_csv(frame.assign(made=f"{datetime.now(UTC):%Y-%m-%d}", inputs_sha256=digest), path)
