"""The page of `textparity serve`: its form, what it counts, and the server behind it."""

import logging
import secrets
import threading
import traceback
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from textparity.auditing.languages import load_registry, read_language
from textparity.auditing.settings import DEFAULT_METHOD
from textparity.auditing.showing.page import audit_pages
from textparity.counting import CLASSES
from textparity.counting.terms import LAYERS
from textparity.errors import TextparityError
from textparity.persons.mentions import METHODS, PERSONS, PUBLISHED, WORDS
from textparity.persons.methods import missing_pipeline
from textparity.reading.formats import FORMAT_BY_ENDING, TEXT_FORMAT
from textparity.reading.options import LINE, TEXT_UNITS
from textparity.reading.recognition import FIX_BY_ENDING
from textparity.serving.local_server import LocalHandler, LocalServer, Refused, nothing_here
from textparity.serving.marking import LETTERS, LONGEST_TEXT, MarkedAudit, TooLargeError, mark_text

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Choices:
    """The choices in the page's form. Without `lang`, the language is detected."""

    text: str = ""
    lang: str = ""
    layers: tuple[str, ...] = LAYERS
    method: str = DEFAULT_METHOD
    text_unit: str = LINE

    @property
    def is_usual(self) -> bool:
        """Whether all choices are at their defaults, whatever the text and its language."""
        return replace(self, text="", lang="") == Choices()

    def settings(self) -> dict[str, Any]:
        """List the settings of the audit that the choices set."""
        layers = self.layers if self.method == WORDS else LAYERS
        return {"method": self.method, "layers": layers, "text_unit": self.text_unit}

    def marked(self) -> MarkedAudit:
        """Audit and mark the text. Raises `TextparityError`."""
        return mark_text(self.text, read_language(self.lang) if self.lang else None, **self.settings())


class TextServer(LocalServer):
    """Serve the page. `choices` are the initial ones of the form."""

    def __init__(self, choices: Choices, port: int = 0) -> None:
        super().__init__(Handler, port)
        self.choices = choices
        # Pipelines and tokenizers are not safe for concurrent use.
        self.counting = threading.Lock()


class Handler(LocalHandler):
    """Answer with the form, and with what was counted in a text."""

    server: TextServer
    media_type = "application/x-www-form-urlencoded"
    # A character in a form takes up to four bytes, each encoded as three characters.
    longest_body = 12 * LONGEST_TEXT + 4096
    too_long = (
        f"The text is too long for this page, which takes {LONGEST_TEXT:,} characters; textparity audit takes files of "
        "any size."
    )

    def answer_get(self, action: str) -> None:
        """Send the empty form."""
        if action:
            raise nothing_here()
        self._send_page(HTTPStatus.OK, self.server.choices)

    def answer_post(self, action: str, body: bytes) -> None:
        """Count a text that the page sends."""
        if action:
            raise nothing_here()
        self._count(_read_choices(body))

    def _count(self, choices: Choices) -> None:
        try:
            with self.server.counting:
                marked = choices.marked()
        except TooLargeError as error:
            self._send_page(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, choices, error=f"{error}.")
        except TextparityError as error:
            self._send_page(HTTPStatus.BAD_REQUEST, choices, error=f"{error}.")
        except Exception as error:
            # The error's message may contain words of the text.
            log.error("%s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
            message = f"This is a bug in textparity ({type(error).__name__}), shown in the terminal. Please report it."
            self._send_page(HTTPStatus.INTERNAL_SERVER_ERROR, choices, error=message)
        else:
            self._send_page(HTTPStatus.OK, choices, marked)

    def refuse(self, refused: Refused) -> None:
        """Show on the page that a text is too long. Send any other reason as text."""
        if refused.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            self._send_page(refused.status, self.server.choices, error=str(refused))
        else:
            super().refuse(refused)

    def _send_page(
        self, status: HTTPStatus, choices: Choices, marked: MarkedAudit | None = None, error: str = ""
    ) -> None:
        nonce = secrets.token_urlsafe(16)
        # Bars have their widths as inline styles. A form sends its origin only to its own address.
        headers = {
            "Content-Security-Policy": f"default-src 'none'; img-src data:; script-src 'nonce-{nonce}'; "
            "style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            "Referrer-Policy": "same-origin",
        }
        page = render_text_page(choices, marked, error, nonce)
        self.send(status, page, "text/html", headers)


def _read_choices(body: bytes) -> Choices:
    try:
        cells = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=32, errors="strict")
        return Choices(
            **{name: cells[name][0] for name in ("text", "lang", "method", "text_unit")},
            layers=tuple(cells.get("layers", ())),
        )
    except (ValueError, KeyError):
        raise Refused(HTTPStatus.BAD_REQUEST, "The request is not from the form of this page.") from None


def missing_pipelines() -> dict[str, str]:
    """Explain for each language, by code, why its pipeline for persons cannot be loaded, with the command for it."""
    rows = load_registry().person_pipelines
    return {lang: missing_pipeline(row.pipeline, bool(row.files)) for lang, row in rows.items()}


def render_text_page(choices: Choices, marked: MarkedAudit | None = None, error: str = "", nonce: str = "") -> str:
    """Render the page with its form and the result, if there is one. Without `nonce`, render only the result."""
    template = audit_pages("textparity.serving").get_template("page.html.j2")
    return template.render(
        result=marked.result if marked else None,
        script="",
        choices=choices,
        marked=marked,
        error=error,
        nonce=nonce,
        letters={name: LETTERS[name] for name in CLASSES},
        languages=sorted((row.name, lang) for lang, row in load_registry().languages.items()),
        all_layers=LAYERS,
        methods=[method for method in METHODS if method != PUBLISHED],
        units=TEXT_UNITS,
        persons=PERSONS,
        missing=missing_pipelines(),
        longest=LONGEST_TEXT,
        fixes=FIX_BY_ENDING,
        records=[ending for ending, known in FORMAT_BY_ENDING.items() if known != TEXT_FORMAT],
    )
