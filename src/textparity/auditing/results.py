"""What an audit returns: its findings, which can be shown as text, LaTeX and a page."""

from dataclasses import dataclass

from textparity.auditing.findings import Findings


@dataclass(frozen=True)
class AuditResult(Findings):
    """The languages of an audit, most texts first, and all that was left out (see `Findings`)."""

    def to_text(self, colour: bool = False, width: int | None = None) -> str:
        """Return the readable table, with words and examples; see `textparity.auditing.terminal.render_text`."""
        from textparity.auditing.terminal import render_text

        return render_text(self, colour, width)

    def to_latex(self) -> str:
        """Return a booktabs table."""
        from textparity.auditing.latex import render_latex

        return render_latex(self)

    def to_html(self) -> str:
        """Return a page that needs nothing else; all texts are escaped."""
        from textparity.auditing.page import render_page

        return render_page(self)

    def _repr_html_(self) -> str:
        from textparity.auditing.page import render_part

        return render_part(self)

    def __str__(self) -> str:
        return self.to_text()
