"""Draw the README's figure: languages by verdict, by three readings of the paper's rule and corrected."""

from xml.sax.saxutils import escape

from textparity_studies.lexicon.readings import ONE_UNIT, PERCENT_AND_FRACTION, WITHOUT_ERROR
from textparity_studies.report.plotting import COLOURS

# The label of each rule in docs/verdicts.csv, in two lines: its name, and what it compares.
RULES = {
    f"published, {ONE_UNIT}": (f"{ONE_UNIT}:", "published: gap > 2 standard errors"),
    f"published, {PERCENT_AND_FRACTION}": (f"{PERCENT_AND_FRACTION}:", "our reading of the printed tables"),
    f"published, {WITHOUT_ERROR}": (f"{WITHOUT_ERROR}:", "the count in the authors' script"),
    "corrected, unadjusted": ("corrected:", "each language by itself"),
    "corrected": ("corrected:", "adjusted for all languages"),
}
NEITHER = ("balanced", "no_clear_difference", "too_few")
LEFT, WIDTH, BAR, STEP = 250, 460, 30, 46
FONT = 'font-family="DejaVu Sans, Helvetica, Arial, sans-serif"'


def draw_verdicts(rows: list[dict[str, str]]) -> str:
    """Draw the figure as SVG: a bar per rule, from masculine to feminine."""
    languages = int(rows[0]["languages"])
    lines = [
        text(10, 22, f"{languages} languages of {rows[0]['corpus']}: which gender is mentioned more?", size=15),
        text(LEFT, 46, "masculine", colour=colour("masculine")),
        text(LEFT + WIDTH / 2, 46, "no difference shown", "middle", colour="#57606a"),
        text(LEFT + WIDTH, 46, "feminine", "end", colour=colour("feminine")),
    ]
    # The revised lexicon has fewer languages.
    shown = [row for row in rows if row["procedure"] in RULES]
    for number, row in enumerate(shown):
        y = 56 + STEP * number
        first, second = RULES[row["procedure"]]
        lines += [text(LEFT - 10, y + 13, first, "end"), text(LEFT - 10, y + 27, second, "end", 11, "#57606a")]
        x = float(LEFT)
        counts = {
            "masculine": int(row["masculine"]),
            "neither": sum(int(row[column] or 0) for column in NEITHER),
            "feminine": int(row["feminine"]),
        }
        for name, count in counts.items():
            wide = WIDTH * count / languages
            lines.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{BAR}" fill="{colour(name)}"/>\n')
            if count:
                ink = "#24292f" if name == "neither" else "#ffffff"
                lines.append(text(x + wide / 2, y + 20, str(count), "middle", 13, ink))
            x += wide
    wide, high = LEFT + WIDTH + 20, 56 + STEP * len(shown)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" {FONT}>\n'
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>\n{"".join(lines)}</svg>\n'
    )


def colour(name: str) -> str:
    """Return the colour of a gender, the same in all figures, or the neutral one."""
    return COLOURS.get(name, "#d0d7de")


def text(x: float, y: float, line: str, anchor: str = "start", size: int = 12, colour: str = "#24292f") -> str:
    """Draw a line of text."""
    return (
        f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{escape(line)}</text>\n'
    )
