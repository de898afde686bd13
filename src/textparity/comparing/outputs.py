"""The kinds of output of a comparison."""

from textparity.auditing.showing.outputs import AUDIT_OUTPUTS, OutputKind, OutputKinds
from textparity.comparing.rendering import render_json, render_page

COMPARE_OUTPUTS = OutputKinds(
    {
        "csv": OutputKind((".csv",), lambda report: report.result.table.to_csv()),
        "words": OutputKind((".csv",), lambda report: report.result.words_table.to_csv()),
        "html": OutputKind((".html",), lambda report: render_page(report.result, report.top)),
        "json": OutputKind(
            (".json",), lambda report: render_json(report.result, report.top, report.checks), has_checks=True
        ),
        "junit": AUDIT_OUTPUTS.kinds["junit"],
        "settings": AUDIT_OUTPUTS.kinds["settings"],
    },
    in_folder={"comparison.csv": "csv", "words.csv": "words", "comparison.html": "html"},
)
