"""Write a page for each paper: what holds, what does not, what we could not run, and how our procedure deviates.

A page is written for the paper's first author, from the recorded scorecard and claims, and from
`resources/{study}/deviations.tsv` (step, paper, ours).
"""

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from markdown_text import escape, markdown
from textparity.files import read_tsv
from textparity_studies import STUDIES, load_study
from textparity_studies.report.claims import HOLDS, NO_PAPER, Claim, in_short
from textparity_studies.report.ledger import NOT_RUN

RESOURCES = Path(__file__).parents[1] / "resources"
REPRODUCED = ("exact", "within tolerance")
OTHER_SETUP = "other setup"
_OPENING = """# {title}: what holds, what does not, what we could not run

*For the paper's first author. Numbers are from the recorded runs. If anything here is wrong or unfair, please open an
issue: each claim has our strongest objection to it, and what would overturn it.*
"""

Row = dict[str, str]


def draw_papers(scorecard: dict[str, list[Row]], claims: Collection[Claim], recorded: dict[str, Row]) -> dict[str, str]:
    """Write the pages of all papers whose study lists its deviations, by study."""
    pages = {}
    for study in STUDIES:
        deviations = RESOURCES / study / "deviations.tsv"
        if deviations.is_file():
            about = [claim for claim in claims if claim.study == study and claim.changes != NO_PAPER]
            parts = [
                _OPENING.format(title=load_study(study).title),
                *_what_holds(scorecard.get(study, [])),
                *_what_does_not(scorecard.get(study, []), about, recorded),
                *_what_was_not_run(scorecard.get(study, [])),
                *_deviations(deviations, scorecard.get(study, [])),
            ]
            pages[study] = "\n".join(parts)
    return pages


def _what_holds(rows: list[Row]) -> list[str]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        if row["verdict"] in REPRODUCED:
            of_part = counts.setdefault((row["table"], row["evidence"]), Counter())
            of_part[row["verdict"]] += int(row["numbers"])
    cells = [(*part, *(_shown(of_part[verdict]) for verdict in REPRODUCED)) for part, of_part in counts.items()]
    lines = markdown(("the paper's table or section", "evidence", *REPRODUCED), cells)
    return [
        "## What holds",
        "",
        "Numbers that come out as printed. Only *measured* is a reproduction; what",
        "[the other kinds](../report.md) rest on is yours:",
        "",
        *lines,
        "",
    ]


def _what_does_not(rows: list[Row], claims: Iterable[Claim], recorded: dict[str, Row]) -> list[str]:
    lines = ["## What does not hold", ""]
    reasons: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if row["verdict"] not in (*REPRODUCED, OTHER_SETUP, NOT_RUN):
            reasons[row["verdict"], row["reason"]] += int(row["numbers"])
    if reasons:
        cells = [(verdict, escape(reason), str(count)) for (verdict, reason), count in reasons.items()]
        lines += ["Numbers that do not come out:", "", *markdown(("verdict", "with", "numbers"), cells), ""]
    stated = [claim for claim in claims if claim.id in recorded and recorded[claim.id]["holds"] == HOLDS]
    changing = [_line(claim, recorded[claim.id]) for claim in stated if claim.changes != "no"]
    others = [_line(claim, recorded[claim.id]) for claim in stated if claim.changes == "no"]
    if changing:
        lines += ["Conclusions that change, at least in part:", "", *changing, ""]
    if not reasons and not changing:
        lines += ["Nothing that we found.", ""]
    if others:
        lines += ["## Remarks that change no conclusion", "", *others, ""]
    return lines


def _line(claim: Claim, said: Row) -> str:
    text = in_short(claim.plain, said["effect"])
    where = f"“{claim.quote}” ({claim.where})"
    return f"- {escape(text)} {escape(where)} [{claim.confidence}; objection](../claims.md#{claim.id})"


def _what_was_not_run(rows: list[Row]) -> list[str]:
    numbers: Counter[str] = Counter()
    tables: dict[str, list[str]] = {}
    for row in rows:
        if row["verdict"] == NOT_RUN:
            numbers[row["reason"]] += int(row["numbers"])
            tables.setdefault(row["reason"], []).append(row["table"])
    cells = [(escape(reason), str(count), ", ".join(tables[reason])) for reason, count in numbers.items()]
    return ["## What we could not run", "", *markdown(("why", "numbers", "tables"), cells), ""]


def _deviations(path: Path, rows: list[Row]) -> list[str]:
    steps = read_tsv(path, ["step", "paper", "ours"])
    cells = [(escape(row["step"]), escape(row["paper"]), escape(row["ours"])) for row in steps]
    lines = ["## Where our procedure deviates from yours", "", *markdown(("step", "the paper", "ours"), cells), ""]
    replaced: Counter[str] = Counter()
    for row in rows:
        if row["verdict"] == OTHER_SETUP:
            replaced[row["reason"]] += int(row["numbers"])
    if replaced:
        counted = [(escape(reason), str(count)) for reason, count in replaced.items()]
        lines += ["Numbers made in another setup, which neither reproduce nor contradict yours:", ""]
        lines += [*markdown(("setup", "numbers"), counted), ""]
    return lines


def _shown(count: int) -> str:
    return str(count) if count else ""
