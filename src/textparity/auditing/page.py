"""The result as a web page, and as a part of one for notebooks: no script, no font, no network; all text escaped."""

import math

from jinja2 import Environment, PackageLoader, StrictUndefined

from textparity import __version__
from textparity.auditing.findings import Estimate, Findings, LanguageAudit
from textparity.auditing.latex import level_of
from textparity.auditing.terminal import lexicon_of, show_estimate, show_number, verdict_of
from textparity.measures.lexicon import CLASSES

# Of the largest rate, so that the last interval does not touch the edge.
_ROOM = 1.05


def render_page(result: Findings) -> str:
    """Return the page as HTML."""
    return _render("page.html.j2", result)


def render_part(result: Findings) -> str:
    """Return what a notebook shows: the table, words and examples, with their style."""
    return _render("part.html.j2", result)


def _render(template: str, result: Findings) -> str:
    environment = Environment(
        loader=PackageLoader("textparity.auditing"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["estimate"] = show_estimate
    environment.filters["number"] = show_number
    return environment.get_template(template).render(
        result=result,
        classes=CLASSES,
        several=result.has_corpora,
        level=level_of(result),
        lexicon=lexicon_of(result),
        verdict_by=verdict_of(result),
        tokenizers=sorted({item.row["tokenizer"] for item in result.languages}),
        stand_in=any(item.row["stand_in"] for item in result.languages),
        version=__version__,
        bars={(item.corpus, item.lang): _bars(item) for item in result.languages},
    )


def _bars(item: LanguageAudit) -> dict[str, dict[str, float] | None]:
    """Return rate and interval of each class in percent of the language's longest bar."""
    rates = {name: item.rate(name) for name in CLASSES}
    ends = [end for rate in rates.values() for end in (rate.value, rate.high) if not math.isnan(end)]
    longest = _ROOM * max(ends, default=0.0)
    return {name: _bar(rate, longest) for name, rate in rates.items()}


def _bar(rate: Estimate, longest: float) -> dict[str, float] | None:
    if not longest > 0 or math.isnan(rate.value):
        return None
    low, high = (rate.value, rate.value) if math.isnan(rate.low) else (rate.low, rate.high)
    return {
        "width": round(100 * rate.value / longest, 2),
        "low": round(100 * low / longest, 2),
        "span": round(100 * (high - low) / longest, 2),
    }
