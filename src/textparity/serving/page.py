"""The page of `textparity serve`: its form, what it counts, and the server behind it.

The page is only for the user of this machine: the server is on the loopback address, protected by a random token. It
answers only to its own address, because other names that lead here would permit DNS rebinding. It accepts texts only
from its own page.
"""

import logging
import secrets
import sys
import threading
import traceback
import webbrowser
from contextlib import suppress
from dataclasses import dataclass, replace
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs

from textparity.auditing.languages import load_registry, read_language
from textparity.auditing.settings import DEFAULT_METHOD
from textparity.auditing.showing.page import audit_pages
from textparity.counting import CLASSES
from textparity.counting.terms import LAYERS
from textparity.errors import TextparityError
from textparity.files import write_text
from textparity.persons.mentions import METHODS, PERSONS, PUBLISHED, WORDS
from textparity.persons.methods import missing_pipeline
from textparity.reading.formats import FORMAT_BY_ENDING, TEXT_FORMAT
from textparity.reading.options import LINE, TEXT_UNITS
from textparity.reading.recognition import FIX_BY_ENDING
from textparity.serving.marking import LETTERS, LONGEST_TEXT, MarkedAudit, TooLargeError, mark_text

log = logging.getLogger(__name__)
HOST = "127.0.0.1"
_SECURITY = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# A character in a form takes up to four bytes, each encoded as three characters.
_LONGEST_BODY = 12 * LONGEST_TEXT + 4096
_TOO_LONG = (
    f"The text is too long for this page, which takes {LONGEST_TEXT:,} characters; textparity audit takes files of any "
    "size."
)
_FORM = "application/x-www-form-urlencoded"
# This much of a rejected body is read and discarded, because a browser that is still sending would not show the reason.
_MOST_FORGOTTEN, _LONGEST_WAIT = 64 << 20, 2


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


class Refused(Exception):
    """A request is rejected. The message has the reason."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class TextServer(ThreadingHTTPServer):
    """Serve the page. `choices` are the initial ones of the form, and `url` contains the token."""

    daemon_threads = True

    def __init__(self, choices: Choices, port: int = 0) -> None:
        super().__init__((HOST, port), Handler)
        self.choices = choices
        self.token = secrets.token_urlsafe(24)
        # Pipelines and tokenizers are not safe for concurrent use.
        self.counting = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log a connection that the browser closed early, which is normal. Show any other error with its traceback."""
        error = sys.exc_info()[1]
        if isinstance(error, OSError):
            log.debug("a connection ended early (%s)", error)
        else:
            super().handle_error(request, client_address)

    @property
    def origin(self) -> str:
        """The origin of the page's own requests."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"{self.origin}/{self.token}/"

    def serve_user(self, opens_browser: bool) -> None:
        """Serve until the command is interrupted (Ctrl+C)."""
        # The folder is readable only by this user.
        with TemporaryDirectory() as folder:
            if opens_browser:
                webbrowser.open(leading_page(self.url, Path(folder)).as_uri())
            try:
                with suppress(KeyboardInterrupt):
                    self.serve_forever()
            finally:
                self.server_close()


def leading_page(url: str, folder: Path) -> Path:
    """Write a page that leads to `url`, because all users of the machine can read the arguments of a browser."""
    page = folder / "page.html"
    write_text(page, f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={url}"><a href="{url}">Go on</a>\n')
    return page


class Handler(BaseHTTPRequestHandler):
    """Answer requests that have the token and the right address. All others are rejected."""

    protocol_version = "HTTP/1.1"
    # A client that sends less than it announces must not hold its thread forever.
    timeout = 60
    server: TextServer

    def do_GET(self) -> None:
        """Send the empty form."""
        try:
            self._check_address()
            self._send_page(HTTPStatus.OK, self.server.choices)
        except Refused as refused:
            self._refuse(refused)

    def do_POST(self) -> None:
        """Count a text that the page sends."""
        try:
            self._check_address()
            if self.headers.get("Origin") != self.server.origin:
                raise Refused(HTTPStatus.FORBIDDEN, "Only the page itself may send this.")
            self._count(_read_choices(self._read_body()))
        except Refused as refused:
            # The unread rest of the request would be taken for the next one.
            self.close_connection = True
            self._refuse(refused)
            self._forget_body()

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

    def _refuse(self, refused: Refused) -> None:
        if refused.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            self._send_page(refused.status, self.server.choices, error=str(refused))
        else:
            self._send(refused.status, f"{refused}\n", "text/plain")

    def _check_address(self) -> None:
        """Reject other hosts (a name that leads here), wrong tokens, and paths after the token."""
        if self.headers.get("Host") != self.server.origin.removeprefix("http://"):
            raise Refused(HTTPStatus.FORBIDDEN, "This is not the address of the page.")
        token, slash, action = self.path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(
                HTTPStatus.FORBIDDEN,
                "The address is not complete, or the command was started again: open its new address.",
            )
        if action:
            raise Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def _read_body(self) -> bytes:
        """Read the whole body of a form that is not too long."""
        length = self.headers.get("Content-Length", "")
        # The length is converted to a number only if it is short enough.
        if not length.isdecimal() or len(length) > len(str(_LONGEST_BODY)) or int(length) > _LONGEST_BODY:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LONG)
        headers: Message = self.headers
        if headers.get_content_type() != _FORM:
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"The request is no {_FORM}.")
        body_length = int(length)
        body = self.rfile.read(body_length)
        if len(body) < body_length:
            raise Refused(HTTPStatus.BAD_REQUEST, "The request is cut.")
        return body

    def _forget_body(self) -> None:
        self.connection.settimeout(_LONGEST_WAIT)
        left = _MOST_FORGOTTEN
        with suppress(OSError):
            while left > 0 and (read := len(self.rfile.read1(1 << 16))):
                left -= read

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
        self._send(status, page, "text/html", headers)

    def _send(self, status: HTTPStatus, text: str, media_type: str, headers: dict[str, str] | None = None) -> None:
        """Send a text with the headers that isolate a page, and any others."""
        content = text.encode()
        self.send_response(status)
        all_headers = {"Content-Type": f"{media_type}; charset=utf-8", "Content-Length": str(len(content))}
        all_headers |= _SECURITY
        if self.close_connection:
            all_headers["Connection"] = "close"
        all_headers |= headers or {}
        for name, value in all_headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log the request without its address, because the token does not belong in a log."""
        # A connection that sends nothing has no command.
        log.debug("%s %s", getattr(self, "command", ""), arguments[1] if len(arguments) > 1 else "")


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
