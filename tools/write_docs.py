"""Write the generated parts of README.md and docs/.

The list of studies is made from their pages, the configuration from its schema and config.yaml, sources and hosts from
tables; claims, cells of the ledger and the README's figure from what the last full run recorded (record_claims.py); the
example pages from the demo.

python tools/write_docs.py           write them
python tools/write_docs.py --check   fail if they differ
"""

import argparse
import csv
import json
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from draw_pages import draw_pages, without_versions
from draw_papers import draw_papers
from draw_verdicts import draw_verdicts
from markdown_text import escape, markdown
from record_claims import (
    CHECKS,
    FIELD,
    METHODS,
    NAMES,
    NOT_RECORDED,
    VERDICTS_TABLE,
    all_claims,
    cells_of,
    read_cells,
    read_csv,
    read_record,
    read_scorecard,
    read_verdicts,
)
from textparity_studies import STUDIES, load_study
from textparity_studies.newsroom.tables import KINDS, count_actor_errors
from textparity_studies.report.claims import HOLDS, Claim, heading_of, in_short, table_rows
from textparity_studies.report.ledger import CONTRADICTED, DIFFERS, NOT_RUN, OTHER_SETUP, VERDICTS, EvidenceKind
from textparity_studies.report.scorecard import count_by_evidence, count_by_table, list_reasons
from textparity_studies.workflow.config import Config

REPOSITORY = Path(__file__).parents[1]
LONGEST_DEFAULT, SEE_FILE = 60, "see `config.yaml`"
# Types that a default shows by itself.
PLAIN_TYPES = ("text", "list", "boolean", "mapping")
# Such a maximum never limits a real value, so it is not documented; the error names it.
TECHNICAL_BOUND = 1_000_000_000
# The scorecard combines reasons that apply to fewer numbers than this.
FEWEST_NUMBERS = 6
STUDIES_IN_CONTENTS = ("```{toctree}", ":caption: Studies", ":maxdepth: 1", ":hidden:", "")
# A comment line that is YAML itself, as an example.
_EXAMPLE = re.compile(r"- \S+|\w+:")


def main() -> int:
    """Write or check every generated part; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    parts = {
        ("index.md", "studies"): studies(REPOSITORY / "docs", REPOSITORY / "resources"),
        ("index.md", "pages"): "\n".join([*STUDIES_IN_CONTENTS, *STUDIES, "```"]),
        ("configuration.md", "configuration"): configuration((REPOSITORY / "config.yaml").read_text("utf-8")),
        ("sources.md", "sources"): sources(REPOSITORY / "resources" / "registry"),
        ("security.md", "hosts"): hosts(REPOSITORY / "resources" / "registry"),
        ("newsroom.md", "actors"): actors(REPOSITORY / "resources" / "newsroom" / "gold" / "actors_ntrex_eng.tsv"),
        ("instruments.md", "methods"): methods(read_csv(METHODS), REPOSITORY / "resources" / "registry"),
        ("instruments.md", "names"): names_found(read_csv(NAMES)),
        ("check.md", "checks"): simulated_checks(read_csv(CHECKS)),
        ("instruments.md", "field"): field_precision(read_csv(FIELD), REPOSITORY / "resources" / "registry"),
    }
    stated, recorded, cells = {claim.id: claim for claim in all_claims()}, read_record(), read_cells()
    parts["claims.md", "overview"] = overview_of_claims(stated.values(), recorded)
    parts["scorecard.md", "scorecard"] = scorecard(
        read_scorecard(), {study: load_study(study).title for study in STUDIES}
    )
    parts["claims.md", "claims"] = claims_in_full(stated.values(), recorded)
    stale = []
    whole = {f"examples/{name}": page for name, page in draw_pages().items()}
    papers = draw_papers(read_scorecard(), stated.values(), recorded)
    whole |= {f"papers/{study}.md": page for study, page in papers.items()}
    whole["images/verdicts.svg"] = draw_verdicts(list(read_verdicts(VERDICTS_TABLE).values()))
    for name, drawn in whole.items():
        path = REPOSITORY / "docs" / name
        if not path.is_file() or without_versions(path.read_text("utf-8")) != without_versions(drawn):
            if check:
                stale.append(path.name)
            else:
                path.write_text(drawn, encoding="utf-8")
    for path in [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]:
        old = new = path.read_text("utf-8")
        for (name, part), text in parts.items():
            if name == path.name:
                new = replace_part(new, part, text, name)
        page = "docs/claims.md" if path.name == "README.md" else "claims.md"
        new = fill_in_cells(fill_in_claims(new, stated, recorded, page, path.name), cells)
        if new != old and check:
            stale.append(path.name)
        elif new != old:
            path.write_text(new, encoding="utf-8")
    if stale:
        print(f"{', '.join(stale)}: not what it is generated from; run `make docs-tables`", file=sys.stderr)
    return int(bool(stale))


def fill_in_claims(
    page: str, stated: dict[str, Claim], recorded: dict[str, dict[str, str]], claims_page: str, name: str
) -> str:
    """Insert a line into `page` for each claim that a comment names; an unknown claim is a `ValueError`.

    The line is the plain sentence and the size of the effect. Only the page of the claims has the full text.
    """

    def line(claim: Claim) -> str:
        said = recorded.get(claim.id)
        if not said:
            return f"- [{claim.id}]({claims_page}#{claim.id}): not run"
        text = in_short(heading_of(claim, said["holds"]), said["effect"])
        return f"- {_study_of(claim, name)}{escape(text)} ([{claim.confidence}; objection]({claims_page}#{claim.id}))"

    def filled(found: re.Match[str]) -> str:
        ids = found[2].split()
        if unknown := [claim for claim in ids if claim not in stated]:
            raise ValueError(f"{name}: there is no claim {', '.join(unknown)} in resources/*/claims.tsv")
        lines = [line(stated[claim]) for claim in ids]
        return "\n".join([found[1], "", *lines, "", "<!-- end: claims -->"])

    return re.sub(r"(<!-- claims:([^>]*)-->)\n.*?<!-- end: claims -->", filled, page, flags=re.DOTALL)


def _study_of(claim: Claim, page: str) -> str:
    """Name the study of a claim, except on the study's own page."""
    return "" if page == f"{claim.study}.md" else f"**{load_study(claim.study).title}**: "


def fill_in_cells(page: str, cells: dict[tuple[str, ...], dict[str, str]]) -> str:
    """Insert a table into `page` with the recorded cells of the ledger that each comment names."""
    header = ("study", "table", "row", "column", "published", "ours, as published", "ours, corrected", "verdict")

    def filled(found: re.Match[str]) -> str:
        rows = []
        for cell in cells_of(found[2]):
            row = cells.get(cell, {})
            values = [row.get(column, "") for column in ("published", "ours_published", "ours_corrected")]
            rows.append([*(f"`{name}`" for name in cell), *values, row.get("verdict") or NOT_RECORDED])
        return "\n".join([found[1], "", *markdown(header, rows), "", "<!-- end: ledger -->"])

    return re.sub(r"^(<!-- ledger: (\w.*?) -->)\n.*?<!-- end: ledger -->", filled, page, flags=re.DOTALL | re.MULTILINE)


def studies(docs: Path, resources: Path) -> str:
    """Tabulate the studies: the paper in the heading of each page, its tables and figures, and what a run needs."""
    lines = []
    for study in STUDIES:
        page = (docs / f"{study}.md").read_text("utf-8")
        paper = re.match(r"# .*?\((.+)\)", page)
        needs = re.search(r"^<!-- needs: (.+) -->$", page, re.MULTILINE)
        name = f"[`{study}`]({study}.md)"
        reproduced = _reproduced(resources / study / "paper_tables.tsv")
        lines.append([name, paper[1] if paper else "none", reproduced, needs[1] if needs else ""])
    return "\n".join(markdown(("study", "paper", "reproduces", "before you run it"), lines))


def _reproduced(paper_tables: Path) -> str:
    """List the tables and figures of a paper that are targets, such as `Tables 1, 3–5; Figures 2, 4`."""
    targets = [row["target"] for row in _read(paper_tables)] if paper_tables.is_file() else []
    parts = []
    for kind in ("table", "figure"):
        numbers = sorted(int(target.removeprefix(kind)) for target in targets if re.fullmatch(rf"{kind}\d+", target))
        if numbers:
            parts.append(f"{kind.capitalize()}{'s' * (len(numbers) > 1)} {_ranges(numbers)}")
    parts += [f"`{target}`" for target in targets if not re.search(r"\d", target)]
    return "; ".join(parts)


def _ranges(numbers: list[int]) -> str:
    """Join sorted numbers, such as `1, 3–5`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return ", ".join(f"{found[0]}–{found[-1]}" if found[1:] else f"{found[0]}" for found in ranges)


def methods(rows: Iterable[dict[str, str]], registry: Path) -> str:
    """Tabulate the bias of each method's masculine : feminine, by annotated corpus and language.

    If only some mentions are marked, the bias is that at the marked ones. Nouns alone do not estimate who is mentioned,
    so they are only in docs/methods.csv.
    """
    languages = _names_of_languages(registry)
    names = {(row["gold"], row["lang"]): row["name"] for row in _read(registry / "person_gold.tsv")}
    of_methods: dict[tuple[str, str], dict[str, dict[str, str]]] = defaultdict(dict)
    for row in rows:
        if (row["genre"], row["half"]) == ("all", "all"):
            of_methods[row["gold"], row["lang"]][row["method"]] = row
    shown = ["words", "persons"]
    lines = []
    for key, columns in sorted(of_methods.items(), key=lambda item: (item[0][1], item[0][0])):
        any_row = columns["nouns"]
        counts = f"{int(any_row['annotated_feminine']):,}, {int(any_row['annotated_masculine']):,}"
        texts = names[key] + (" (of nouns)" if any_row["grammatical"] == "yes" else "")
        labels = [languages[key[1]], texts, counts]
        lines.append([*labels, *(_bias(columns.get(name)) for name in shown)])
    head = ("language", "texts", "women, men", *(f"`{name}`" for name in shown))
    return "\n".join(markdown(head, lines))


def names_found(rows: Iterable[dict[str, str]]) -> str:
    """Tabulate the given names of all treebanks together that each method finds, by gender of the person."""
    of_methods: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for row in rows:
        if row["lang"] == "all":
            of_methods[row["method"]][row["gender"]] = row
    lines = []
    for method, genders in of_methods.items():
        cells = [f"`{method}`", genders["feminine"]["corpus"]]
        for gender in ("feminine", "masculine"):
            row = genders[gender]
            cells.append(f"{_with_interval(row, 'right_percent', 0)} of {row['names']}; {row['wrong']} wrong")
        cells.append(_with_interval(genders["feminine"], "recall_ratio", 2))
        lines.append(cells)
    head = ("method", "in", "women's names found, %", "men's names found, %", "women's recall over men's")
    return "\n".join(markdown(head, lines))


def field_precision(rows: Iterable[dict[str, str]], registry: Path) -> str:
    """Tabulate the precision of methods on web pages, by language and gender."""
    languages = _names_of_languages(registry)
    of_methods: dict[tuple[str, str, str], dict[str, dict[str, str]]] = defaultdict(dict)
    for row in rows:
        column = "learned" if row["only_learned"] == "yes" else row["gender"]
        of_methods[row["lang"], row["method"], row["pipeline"]][column] = row
    lines = []
    for (lang, method, pipeline), columns in of_methods.items():
        cells = [languages[lang], f"`{method}`" + (f", `{pipeline}`" if pipeline else "")]
        for column in ("feminine", "masculine", "learned"):
            row = columns.get(column)
            cells.append(f"{_with_interval(row, 'precision', 0)} of {row['read']}" if row else "")
        lines.append(cells)
    head = ("language", "method", "right of women, %", "right of men, %", "right of learned surnames, %")
    return "\n".join(markdown(head, lines))


def simulated_checks(rows: Iterable[dict[str, str]]) -> str:
    """Summarize the simulated checks of all corpora by the number of texts that are read."""
    by_kind: dict[tuple[str, str, int], list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_kind[row["genders_found"], row["reader"], int(row["draws"])].append(row)
    lines = []
    for (genders, reader, draws), of_kind in by_kind.items():
        coverage = [float(row["coverage"]) for row in of_kind]
        ratios = [float(row["width_ratio"]) for row in of_kind]
        bias = max(abs(float(row["bias"])) for row in of_kind)
        kind = ", ".join(filter(None, (f"{genders} genders" if genders else "", f"reader: {reader}" if reader else "")))
        ranges = f"{statistics.mean(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
        lines.append([kind or "as they are", str(draws), f"{min(coverage):.1f}", ranges, f"{bias:.1f}"])
    head = ("corpora", "texts read", "lowest coverage, %", "width over that of the texts alone", "largest bias, points")
    return "\n".join(markdown(head, sorted(lines, key=lambda line: (line[0] != "as they are", line[0], int(line[1])))))


def _names_of_languages(registry: Path) -> dict[str, str]:
    return {row["lang"]: row["name"] for row in _read(registry / "languages.tsv")}


def _with_interval(row: dict[str, str], column: str, digits: int) -> str:
    """Format a number with its interval, if there is one."""
    value, low, high = (row[f"{column}{end}"] for end in ("", "_low", "_high"))
    if not value:
        return "–"
    interval = f" [{float(low):.{digits}f}, {float(high):.{digits}f}]" if low and high else ""
    return f"{float(value):.{digits}f}{interval}"


def scorecard(recorded: dict[str, list[dict[str, str]]], titles: dict[str, str]) -> str:
    """Tabulate the verdicts by evidence and paper, why numbers differ from ours, and why numbers were not run."""
    by_evidence: dict[str, Counter[str]] = {evidence: Counter() for evidence in EvidenceKind}
    papers: list[list[str]] = []
    differing: list[list[str]] = []
    runs: dict[str, list[str]] = defaultdict(list)
    total: Counter[str] = Counter()
    for study, rows in recorded.items():
        counts = sum(count_by_table(rows)[study].values(), Counter())
        total += counts
        for evidence, compared in count_by_evidence(rows).items():
            by_evidence[evidence] += compared
        papers.append([titles[study], *_verdict_cells(counts)])
        for run in dict.fromkeys(row["run"] for row in rows):
            runs[run].append(study)
        differing += [[f"`{study}`", *reason] for reason in _main_reasons(list_reasons(rows)[study])]
    papers.append(["all", *_verdict_cells(total)])
    recorded_runs = "; ".join(f"{run} ({', '.join(studies)})" for run, studies in runs.items())
    lines = markdown(("evidence", *VERDICTS[:-1], "numbers"), _evidence_cells(by_evidence))
    lines += ["", *markdown(("paper", *VERDICTS, "numbers"), papers), "", f"Runs: {recorded_runs}."]
    lines += ["", "## Why numbers differ", ""]
    lines += markdown(("study", "verdict", "numbers", "tables", "why"), differing)
    lines += ["", "## Why numbers were not run", ""]
    lines += markdown(("reason", "numbers", "studies"), _reasons_not_run(recorded))
    return "\n".join(lines)


def _reasons_not_run(recorded: dict[str, list[dict[str, str]]]) -> list[list[str]]:
    """Count the numbers that were not run by the kind of reason, the most frequent first, with their studies."""
    numbers: Counter[str] = Counter()
    studies: dict[str, list[str]] = defaultdict(list)
    for study, rows in recorded.items():
        for row in rows:
            if row["verdict"] == NOT_RUN:
                reason = row["reason"].partition(": ")[0]
                numbers[reason] += int(row["numbers"])
                studies[reason].append(f"`{study}`")
    return [
        [reason, f"{count:,}", ", ".join(dict.fromkeys(studies[reason]))] for reason, count in numbers.most_common()
    ]


def _main_reasons(reasons: list[dict[str, str]]) -> list[list[str]]:
    """List the reasons of numbers outside the tolerance, and sum up the rare reasons of each verdict."""
    reasons = [row for row in reasons if row["verdict"] in (DIFFERS, CONTRADICTED, OTHER_SETUP)]
    rare = Counter(row["verdict"] for row in reasons if int(row["numbers"]) < FEWEST_NUMBERS)
    shown, summed = [], Counter[str]()
    for row in reasons:
        verdict, numbers = row["verdict"], row["numbers"]
        if int(numbers) < FEWEST_NUMBERS and rare[verdict] > 1:
            summed[verdict] += int(numbers)
        else:
            shown.append([verdict, numbers, row["tables"], escape(row["reason"])])
    shown += [[verdict, str(numbers), "", f"{rare[verdict]} reasons"] for verdict, numbers in summed.items()]
    return sorted(shown, key=lambda row: VERDICTS.index(row[0]))


def _evidence_cells(by_evidence: Mapping[str, Counter[str]]) -> list[list[str]]:
    """Make a row for each evidence: the numbers of each verdict, but for those not run, which have no evidence."""
    rows = []
    for evidence, counts in by_evidence.items():
        *compared, _, total = _verdict_cells(counts)
        rows.append([evidence, *compared, total])
    return rows


def _verdict_cells(counts: Counter[str]) -> list[str]:
    numbers = (*(counts[verdict] for verdict in VERDICTS), counts.total())
    return [f"{number:,}" if number else "" for number in numbers]


def actors(judged: Path) -> str:
    """Tabulate the verdicts on the checked actors, and women's share as found and without the errors."""
    lines = []
    rows = count_actor_errors(judged)
    for row, shown in zip(rows, ("women", "men"), strict=True):
        low, high = (row[f"right_percent_{end}"] for end in ("low", "high"))
        counts = (str(row[kind.replace(" ", "_")]) for kind in KINDS)
        share = f"{row['right_percent']:.0f} % [{low:.0f}, {high:.0f}]"
        lines.append([shown, f"{row['read']} of {row['found']}", *counts, share])
    table = markdown(("found as", "read", "women", "men", "no persons", "not known", "right"), lines)
    said = "So women are {:.0f} % of the named actors with a gender as found, and about {:.0f} % without these errors."
    return "\n".join([*table, "", said.format(rows[0]["women_percent_found"], rows[0]["women_percent_true"])])


def _bias(row: dict[str, str] | None) -> str:
    """Write the bias of a method with its interval, and the percentages of women and men that it finds."""
    if row is None:
        return ""
    name = "bias" if row["annotation"] == "complete" else "bias_known"
    if not row[name]:
        return "no ratio"
    found = ", ".join(f"{float(row[f'recall_{gender}']):.0f}" for gender in ("feminine", "masculine"))
    return f"{_with_interval(row, name, 2)}; {found}"


def overview_of_claims(claims: Collection[Claim], recorded: dict[str, dict[str, str]]) -> str:
    """Write a row per claim: its statement, the size of the effect, and whether a conclusion of the paper changes."""
    rows = [
        (
            f"[{escape(_heading(claim, recorded.get(claim.id)).removesuffix('.'))}](#{claim.id})",
            escape(recorded[claim.id]["effect"]) if claim.id in recorded else "not run",
            claim.changes,
        )
        for claim in claims
    ]
    table = markdown(("claim", "size of the effect", "changes a conclusion"), rows)
    return "\n".join([*table, "", f"Numbers come from run {_main_run(recorded)} unless a claim names another."])


def _heading(claim: Claim, said: dict[str, str] | None) -> str:
    return heading_of(claim, said["holds"] if said else HOLDS)


def _main_run(recorded: dict[str, dict[str, str]]) -> str:
    runs = Counter(row["run"] for row in recorded.values())
    return runs.most_common(1)[0][0] if runs else ""


def claims_in_full(claims: Iterable[Claim], recorded: dict[str, dict[str, str]]) -> str:
    """Write each claim with the paper's words, the objection and the tables behind it."""
    lines: list[str] = []
    study = ""
    for claim in claims:
        if claim.study != study:
            study = claim.study
            lines += [f"## {study}", ""]
        lines += _claim_in_full(claim, recorded.get(claim.id), _main_run(recorded))
    return "\n".join(lines)


def _claim_in_full(claim: Claim, said: dict[str, str] | None, main_run: str) -> list[str]:
    first = f"**{escape(_heading(claim, said))}** "
    first += escape(said["says"]) if said else f"[How to run it]({claim.study}.md)."
    kind = f"{claim.kind.capitalize()}, {claim.confidence if said else 'not run'}"
    rests = ", ".join(f"`{table}`" for table in _tables_read(claim, said))
    if said and said["run"] != main_run:
        rests += f" of run {said['run']}"
    lines = [f"### {claim.id}", "", first, "", f"*{kind}.* From {rests}."]
    if claim.quote:
        lines[-1] += f" “{escape(claim.quote)}” ({escape(claim.where)})"
    if said and (rows := table_rows(escape(said["table"]))):
        lines += ["", *markdown(rows[0], rows[1:])]
    # What this run does not show is neither argued for nor against.
    if said and said["holds"] != HOLDS:
        return [*lines, ""]
    if said:
        lines += ["", "**Objection:** " + escape(said["objection"])]
    overturned = said["overturned_by"] if said else claim.overturned_by
    return [*lines, "", f"**Overturned by:** {escape(overturned)}", ""]


def _tables_read(claim: Claim, said: dict[str, str] | None) -> list[str]:
    """List the tables that a recorded claim read (docs/claims.csv also has the rows), or those that it needs."""
    if not said or not said["cells"]:
        return claim.evidence.split()
    return list(dict.fromkeys(re.sub(r"\[.*", "", cell) for cell in said["cells"].split("; ")))


def replace_part(page: str, part: str, text: str, name: str) -> str:
    """Insert `text` into `page` between the comments that mark `part`; a page without them is a `ValueError`."""
    marked = re.compile(rf"(<!-- generated: {part}\b[^>]*-->\n).*?(<!-- end: {part} -->)", re.DOTALL)
    if not marked.search(page):
        raise ValueError(f"docs/{name}: has no <!-- generated: {part} --> and <!-- end: {part} -->; put them back")
    return marked.sub(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", page)


def configuration(config_yaml: str) -> str:
    """Build a table per section: keys, possible values, defaults, and the comments of config.yaml."""
    schema = Config.model_json_schema()
    comments = read_comments(config_yaml)
    tops = {key: _resolve(found, schema) for key, found in schema["properties"].items()}
    plain = [key for key, found in tops.items() if "properties" not in found]
    lines = [*_table(_rows(plain, comments, schema))]
    for key, found in tops.items():
        if key not in plain:
            keys = list(_keys(found, key, schema))
            lines += ["", f"## `{key}`", "", comments.get(key, found.get("description", "")), ""]
            lines += _table(_rows(keys, comments, schema))
    return "\n".join(lines)


def read_comments(config_yaml: str) -> dict[str, str]:
    """Map each dotted key to the comment above it, joined to one line; a blank line ends a comment."""
    found: dict[str, str] = {}
    above: list[str] = []
    path: list[tuple[int, str]] = []
    for line in config_yaml.splitlines():
        text = line.strip()
        if text.startswith("#"):
            above += [] if _EXAMPLE.fullmatch(text.lstrip("# ")) else [text.lstrip("# ")]
            continue
        if key := re.match(r"( *)(\w+):", line):
            path = [step for step in path if step[0] < len(key[1])] + [(len(key[1]), key[2])]
            if above:
                found[".".join(name for _, name in path)] = " ".join(above)
        above = []
    return found


def sources(registry: Path) -> str:
    """Build a row per source: its version and its licence."""
    rows = [
        (f"`{row['source']}`", _linked(row["name"], row["base_url"]), _short(row["version"]), row["licence"])
        for row in _read(registry / "sources.tsv")
    ]
    return "\n".join(markdown(("source", "name", "version", "licence"), rows))


def hosts(registry: Path) -> str:
    """Build a row per host in sources.tsv, with the number of its sources."""
    numbers = Counter(urlsplit(row["base_url"]).netloc for row in _read(registry / "sources.tsv"))
    return "\n".join(markdown(("host", "sources"), [(f"`{host}`", str(numbers[host])) for host in sorted(numbers)]))


def _rows(keys: list[str], comments: dict[str, str], schema: dict[str, Any]) -> Iterator[list[str]]:
    for key in keys:
        found = _lookup(key, schema)
        if "properties" in found:
            yield [f"`{key}.*`", "", "", comments.get(key, found.get("description", ""))]
        else:
            default = _default(found)
            yield [f"`{key}`", _allowed(found, schema), default, comments.get(key, "")]


def _keys(found: dict[str, Any], prefix: str, schema: dict[str, Any]) -> Iterator[str]:
    for name, below in found["properties"].items():
        yield f"{prefix}.{name}"
        if "properties" in (inner := _resolve(below, schema)):
            yield from _keys(inner, f"{prefix}.{name}", schema)


def _lookup(key: str, schema: dict[str, Any]) -> dict[str, Any]:
    found = schema
    for name in key.split("."):
        found = _resolve(found["properties"][name], schema)
    return found


def _resolve(found: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    return schema["$defs"][found["$ref"].rpartition("/")[2]] if "$ref" in found else found


def _allowed(found: dict[str, Any], schema: dict[str, Any]) -> str:
    """Describe the possible values in words."""
    if "anyOf" in found:
        return " or ".join(_allowed(one, schema) for one in found["anyOf"])
    if "enum" in found:
        return ", ".join(f"`{one}`" for one in found["enum"])
    if "const" in found:
        return f"`{found['const']}`"
    kind = found.get("type")
    if kind == "array":
        least = "non-empty list" if found.get("minItems") else "list"
        items = _allowed(found["items"], schema).removesuffix(", not empty")
        return least if items == "text" else f"{least} of {items}"
    if kind == "object":
        return "mapping"
    if "minimum" in found and found.get("maximum", TECHNICAL_BOUND) < TECHNICAL_BOUND:
        return f"{kind} {found['minimum']:,}–{found['maximum']:,}"
    bounds = [
        f"{sign} {found[name]:,.10g}"
        for name, sign in (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))
        if name in found and found[name] < TECHNICAL_BOUND
    ]
    words = {"string": "text", "integer": "integer", "number": "number", "boolean": "boolean"}
    return " ".join([words.get(kind or "", "`null`"), " and ".join(bounds)]).strip()


def _folded(rows: Iterable[list[str]]) -> list[list[str]]:
    """Join neighbours of one type without a meaning of their own; the first of a group gets the group's meaning."""
    folded: list[list[str]] = []
    for _, group in groupby(rows, key=lambda row: (row[1], row[3] or row[0].strip("`").rpartition(".")[0])):
        keys, allowed, defaults, meanings = zip(*group, strict=True)
        default = defaults[0] if len(set(defaults)) == 1 else ", ".join(defaults)
        row = [", ".join(keys), allowed[0], default if len(default) <= LONGEST_DEFAULT else SEE_FILE, meanings[0]]
        if not row[3] and folded and folded[-1][0].endswith(".*`"):
            row[3] = folded.pop()[3]
        folded.append(row)
    return folded


def _default(found: dict[str, Any]) -> str:
    value = found["default"]
    if not isinstance(value, list):
        return f"`{value if isinstance(value, str) else json.dumps(value)}`"
    text = "[" + ", ".join(str(one) for one in value) + "]"
    return f"`{text}`" if len(text) <= LONGEST_DEFAULT else SEE_FILE


def _table(rows: Iterable[list[str]]) -> list[str]:
    lines = [[keys, _with_type(default, allowed), meaning] for keys, allowed, default, meaning in _folded(rows)]
    columns = 3 if any(line[2] for line in lines) else 2
    return markdown(("key", "default (may be)", "meaning")[:columns], [line[:columns] for line in lines])


def _with_type(default: str, allowed: str) -> str:
    """Add what a value may be to its default, unless the default shows it."""
    return default if not allowed or allowed in PLAIN_TYPES else f"{default} ({allowed})"


def _linked(name: str, base_url: str) -> str:
    """Link to a page that a person can open; base addresses that are only folders get no link."""
    raw = re.fullmatch(r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)(.*)", base_url)
    return f"[{name}](https://github.com/{raw[1]}/tree/{raw[2]}{raw[3]})" if raw else name


def _short(version: str) -> str:
    return re.sub(r"(?:commit )?\b([0-9a-f]{7})[0-9a-f]{33}\b", r"`\1`", version)


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    # Check config.yaml before generating anything from it.
    Config.model_validate(yaml.safe_load((REPOSITORY / "config.yaml").read_text("utf-8")))
    sys.exit(main())
