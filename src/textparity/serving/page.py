"""The page of `textparity serve`, and its server. Texts stay in memory, and are neither written nor logged."""

import logging
import secrets
import threading
import traceback
from dataclasses import dataclass, replace
from http import HTTPStatus
from urllib.parse import parse_qs

from textparity.auditing.inputs import NAMED_FORMATS, TEXT
from textparity.auditing.languages import load_registry, read_language
from textparity.auditing.rendering import audit_pages, page_values
from textparity.auditing.settings import DEFAULT_METHOD, AuditSettings
from textparity.auditing.text_units import LINE, TEXT_UNITS
from textparity.counting.terms import CLASSES, LAYERS
from textparity.errors import TextparityError
from textparity.persons.mentions import METHODS, PERSONS, PUBLISHED, WORDS
from textparity.persons.methods import missing_pipeline
from textparity.serving.loopback import LoopbackHandler, LoopbackServer, Refused
from textparity.serving.marking import LETTERS, LONGEST_TEXT, MarkedAudit, mark_text

log = logging.getLogger(__name__)
# A character in a form takes up to four bytes, each encoded as three characters.
_LONGEST_BODY = 12 * LONGEST_TEXT + 4096
_TOO_LONG = (
    f"The text is too long for this page, which takes {LONGEST_TEXT:,} characters; textparity audit takes files of any "
    "size."
)
_FORM = "application/x-www-form-urlencoded"


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

    def settings(self) -> AuditSettings:
        """Make the settings of the audit. Raises `ConfigError` if choices are not compatible."""
        layers = self.layers if self.method == WORDS else LAYERS
        return AuditSettings(method=self.method, layers=layers, text_unit=self.text_unit)

    def marked(self) -> MarkedAudit:
        """Audit and mark the text. Raises `TextparityError`."""
        return mark_text(self.text, read_language(self.lang) if self.lang else None, self.settings())


class TextServer(LoopbackServer):
    """Serve the page. `choices` are the initial ones of the form."""

    def __init__(self, choices: Choices, port: int = 0) -> None:
        super().__init__(port, _Handler)
        self.choices = choices
        # Pipelines and tokenizers are not safe for concurrent use.
        self.counting = threading.Lock()


class _Handler(LoopbackHandler):
    server: TextServer

    def get(self, action: str) -> None:
        if action:
            raise Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")
        self._send_page(HTTPStatus.OK, self.server.choices)

    def post(self, action: str) -> None:
        if action:
            raise Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")
        choices = _read_choices(self.read_body(_FORM, _LONGEST_BODY, _TOO_LONG))
        try:
            with self.server.counting:
                marked = choices.marked()
        except TextparityError as error:
            self._send_page(HTTPStatus.BAD_REQUEST, choices, error=f"{error}.")
        except Exception as error:
            # The error's message may contain words of the text.
            log.error("%s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
            said = (
                f"This is a mistake of textparity ({type(error).__name__}); the terminal says where. Please report it."
            )
            self._send_page(HTTPStatus.INTERNAL_SERVER_ERROR, choices, error=said)
        else:
            self._send_page(HTTPStatus.OK, choices, marked)

    def refuse(self, refused: Refused) -> None:
        if refused.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            self._send_page(refused.status, self.server.choices, error=str(refused))
        else:
            self.send(refused.status, f"{refused}\n", "text/plain")

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
        self.send(status, render_text_page(choices, marked, error, nonce), "text/html", headers)


def _read_choices(body: bytes) -> Choices:
    try:
        cells = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=32, errors="strict")
        return Choices(
            **{name: cells[name][0] for name in ("text", "lang", "method", "text_unit")},
            layers=tuple(cells.get("layers", ())),
        )
    except (ValueError, KeyError):
        raise Refused(HTTPStatus.BAD_REQUEST, "This is not the form of the page.") from None


def missing_pipelines() -> dict[str, str]:
    """Explain for each language why its pipeline for persons cannot be loaded, with the command that installs it."""
    registry = load_registry()
    rows = registry.person_pipelines.items()
    return {registry.languages[lang].name: missing_pipeline(row.pipeline, bool(row.files)) for lang, row in rows}


def render_text_page(choices: Choices, marked: MarkedAudit | None = None, error: str = "", nonce: str = "") -> str:
    """Render the page with its form and the result, if there is one. Without `nonce`, render only the result."""
    registry = load_registry()
    template = audit_pages("textparity.serving", "textparity.auditing").get_template("page.html.j2")
    return template.render(
        **{"result": None} | (page_values(marked.result) if marked else {}),
        choices=choices,
        marked=marked,
        error=error,
        nonce=nonce,
        letters={name: LETTERS[name] for name in CLASSES},
        languages=sorted((row.name, lang) for lang, row in registry.languages.items()),
        all_layers=LAYERS,
        methods=[method for method in METHODS if method != PUBLISHED],
        units=TEXT_UNITS,
        persons=PERSONS,
        missing=missing_pipelines(),
        longest=LONGEST_TEXT,
        records=[ending for ending, format in NAMED_FORMATS.items() if format != TEXT],
    )
