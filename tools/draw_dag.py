"""Draw docs/images/dag.svg: the rules of each study, in the order in which they run, from the rules themselves.

`make dag` runs it. It draws the rules that the default configuration, with a base model, and the demo need. A rule
belongs to the study whose folder of `rules/` declares it. Graphviz is not needed.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from textparity_studies import STUDIES
from textparity_studies.workflow.rule_files import declared_rules

REPOSITORY = Path(__file__).parents[1]
PICTURE = REPOSITORY / "docs" / "images" / "dag.svg"
# The default configuration trains nothing.
CONFIGURATIONS = (
    ["--config", "propagation={base_models: [gemma3-270m]}"],
    ["--configfile", "resources/demo/config.yaml"],
)
Edges = set[tuple[str, str]]

LINE, LETTER, PAD, GAP = 14, 6.1, 10, 26  # pixels: a line of text, a letter, inside and between boxes


def main() -> None:
    """Ask Snakemake for the dependencies between rules, and draw them."""
    groups = rules_by_group(REPOSITORY / "rules")
    edges = set().union(*(rule_graph(options) for options in CONFIGURATIONS))
    # The Snakefile's own rules only name targets.
    PICTURE.write_text(draw(groups, {edge for edge in edges if groups.keys() >= set(edge)}), encoding="utf-8")
    print(PICTURE.relative_to(REPOSITORY))


def rules_by_group(folder: Path) -> dict[str, str]:
    """Map each rule to the study whose folder declares it, or to the name of the shared file that does."""
    return {
        rule: path.stem if path.parent == folder else path.parent.name
        for path in sorted(folder.rglob("*.smk"))
        for rule in declared_rules(path)
    }


def rule_graph(options: list[str]) -> Edges:
    """List (rule, dependent rule) for a run of everything with these options of Snakemake."""
    command = [sys.executable, "-m", "snakemake", "all", "--rulegraph", "dot", "--snakefile", "Snakefile", *options]
    environment = {name: value for name, value in os.environ.items() if name != "TEXTPARITY_MIRROR"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, "--directory", folder], cwd=REPOSITORY, env=environment, capture_output=True, text=True
        )
    if done.returncode:
        sys.exit(done.stderr)
    names = dict(re.findall(r'^\s*(\d+)\[label *= *"(\w+)', done.stdout, re.MULTILINE))
    return {(names[start], names[end]) for start, end in re.findall(r"(\d+) -> (\d+)", done.stdout)}


def draw(groups: dict[str, str], edges: Edges) -> str:
    """Draw the picture: shared steps before the studies on the left, a box per study, and joint steps on the right."""
    rules = sorted({rule for edge in edges for rule in edge})
    between = {(start, end) for start, end in edges if groups[start] != groups[end]}
    if crossing := [edge for edge in between if {groups[edge[0]], groups[edge[1]]} <= set(STUDIES)]:
        raise ValueError(f"a study reads what another one makes: {crossing}")
    used = {groups[start] for start, end in between if groups[end] in STUDIES}
    joining = {groups[end] for start, end in between if groups[start] in STUDIES} - used
    left = by_group(groups, [rule for rule in rules if groups[rule] not in {*STUDIES, *joining}])
    right = by_group(groups, [rule for rule in rules if groups[rule] in joining])
    x = 3 * PAD + width(left) + GAP
    boxes, arrows = [], []
    y = PAD
    stages = {study: by_stage({rule for rule in rules if groups[rule] == study}, edges) for study in STUDIES}
    wide = max(sum(width(stage) + GAP for stage in found) for found in stages.values()) + PAD
    for study, found in stages.items():
        height = LINE * (1 + max(map(len, found), default=0)) + 2 * PAD
        boxes.append(box(x, y, wide, height) + text(x + PAD, y + PAD + LINE, [study], "bold"))
        at = x + PAD
        for number, stage in enumerate(found):
            boxes.append(text(at, y + PAD + 2 * LINE, stage))
            at += width(stage) + GAP
            if number < len(found) - 1:
                boxes.append(text(at - GAP + 6, y + PAD + 2 * LINE, ["→"]))
        if any(groups[end] == study for _, end in between):
            back = any(groups[start] == study and groups[end] in used for start, end in between)
            arrows.append(arrow(x - GAP, x, y + height / 2, back))
        arrows.append(arrow(x + wide, x + wide + GAP, y + height / 2))
        y += height + PAD
    boxes.append(box(PAD, PAD, x - GAP - PAD, y - 2 * PAD) + listed(2 * PAD, left))
    boxes.append(box(x + wide + GAP, PAD, width(right) + 2 * PAD, y - 2 * PAD) + listed(x + wide + GAP + PAD, right))
    whole = f"{x + wide + GAP + width(right) + 3 * PAD:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {y:.0f}" width="{whole}" height="{y:.0f}" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="10">\n'
        f'<rect width="{whole}" height="{y:.0f}" fill="#ffffff"/>\n' + "".join([*boxes, *arrows]) + "</svg>\n"
    )


def by_group(groups: dict[str, str], rules: list[str]) -> list[str]:
    """Format lines: each group's name and, indented below it, its rules."""
    return [
        line
        for group in dict.fromkeys(groups[rule] for rule in rules)
        for line in (group, *(f"  {rule}" for rule in rules if groups[rule] == group))
    ]


def by_stage(rules: set[str], edges: Edges) -> list[list[str]]:
    """Group a study's rules by the number of its rules that must run before them, in sequence."""
    depth = {rule: 0 for edge in edges for rule in edge}
    for _ in depth:
        for start, end in edges:
            depth[end] = max(depth[end], depth[start] + (start in rules and start != end))
    last = max((depth[rule] for rule in rules), default=-1)
    return [sorted(rule for rule in rules if depth[rule] == number) for number in range(last + 1)]


def width(lines: Iterable[str]) -> float:
    """Compute the width of lines."""
    return max((len(line) for line in lines), default=0) * LETTER


def box(x: float, y: float, wide: float, height: float) -> str:
    """Draw a rounded rectangle."""
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{height:.0f}" rx="6" '
        'fill="#f6f8fa" stroke="#8c959f"/>\n'
    )


def text(x: float, y: float, lines: list[str], weight: str = "normal") -> str:
    """Draw lines of text, the first one at this place."""
    return "".join(
        f'<text x="{x:.0f}" y="{y + LINE * number:.0f}" font-weight="{weight}" xml:space="preserve">'
        f"{escape(line)}</text>\n"
        for number, line in enumerate(lines)
    )


def listed(x: float, lines: list[str]) -> str:
    """Draw the lines of groups, with their names in bold."""
    return "".join(
        text(x, 2 * PAD + LINE * (number + 1), [line], "normal" if line.startswith(" ") else "bold")
        for number, line in enumerate(lines)
    )


def arrow(start: float, end: float, y: float, back: bool = False) -> str:
    """Draw an arrow to the right, or one in both directions."""
    return (
        f'<path d="M{start + 6 * back:.0f} {y:.0f}H{end - 6:.0f}" stroke="#57606a" fill="none"/>'
        f'<path d="M{end:.0f} {y:.0f}l-7 -4v8z" fill="#57606a"/>'
        + (f'<path d="M{start:.0f} {y:.0f}l7 -4v8z" fill="#57606a"/>' if back else "")
        + "\n"
    )


if __name__ == "__main__":
    main()
