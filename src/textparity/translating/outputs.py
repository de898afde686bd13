"""The kinds of output of a check of translations."""

from textparity.auditing.showing.outputs import OutputKind, OutputKinds

TRANSLATION_OUTPUTS = OutputKinds(
    {
        "csv": OutputKind((".csv",), lambda report: report.result.to_csv()),
        "html": OutputKind((".html",), lambda report: report.result.to_html()),
    },
    in_folder={"translations.csv": "csv", "translations.html": "html"},
)
