"""The review page's server: on this machine's loopback address only, behind a random token, for its own page alone."""

import json
import logging
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from textparity.files import is_unicode
from textparity.report.pages import page_environment
from textparity.studies.swapping.candidates.reviews import Key
from textparity.studies.swapping.review.store import Conflict, RefusedDecision, ReviewStore

log = logging.getLogger(__name__)
HOST = "127.0.0.1"
_LONGEST_BODY = 1 << 20
_SECURITY = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_TEMPLATE = "page.html.j2"


class ReviewServer(ThreadingHTTPServer):
    """Serves the page of one `ReviewStore`; `url` has the token. `checks` are the failed checks of a candidate."""

    daemon_threads = True

    def __init__(self, store: ReviewStore, checks: Mapping[Key, list[str]], title: str, port: int = 0) -> None:
        super().__init__((HOST, port), _Handler)
        self.store = store
        self.checks = checks
        self.title = title
        self.token = secrets.token_urlsafe(24)

    @property
    def origin(self) -> str:
        """What the page's own requests come from."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"{self.origin}/{self.token}/"


class _Refused(Exception):
    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    protocol_version = "HTTP/1.1"
    # A client that sends less than it says must not hold its thread for ever.
    timeout = 60

    def do_GET(self) -> None:
        try:
            action = self._action()
            if action == "":
                nonce = secrets.token_urlsafe(16)
                page = render_review_page(self.server.store, self.server.checks, self.server.title, nonce)
                policy = (
                    f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                )
                self._send(HTTPStatus.OK, page, "text/html", {"Content-Security-Policy": policy})
            elif action == "states":
                self._send_json(HTTPStatus.OK, [asdict(state) for state in self.server.store.states()])
            else:
                raise _Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")
        except _Refused as refused:
            self._send_json(refused.status, {"error": str(refused)})

    def do_POST(self) -> None:
        try:
            if self._action() != "decide":
                raise _Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")
            if self.headers.get("Origin") != self.server.origin:
                raise _Refused(HTTPStatus.FORBIDDEN, "Only the review page itself may decide.")
            cells = self._body()
            try:
                key = (cells["document"], cells["line"])
                state = self.server.store.decide(key, cells["decision"], cells["swapped"], cells["version"])
            except Conflict as conflict:
                raise _Refused(HTTPStatus.CONFLICT, str(conflict)) from None
            except RefusedDecision as refused:
                raise _Refused(HTTPStatus.BAD_REQUEST, str(refused)) from None
            except OSError as error:
                log.error("%s", error)
                raise _Refused(HTTPStatus.INTERNAL_SERVER_ERROR, f"The file cannot be written: {error}") from None
            self._send_json(HTTPStatus.OK, asdict(state))
        except _Refused as refused:
            # What was not read of the request would be taken for the next one.
            self.close_connection = True
            self._send_json(refused.status, {"error": str(refused)})

    def _action(self) -> str:
        """Return what stands behind the token; refuse other hosts (a name that leads here) and wrong tokens."""
        if self.headers.get("Host") != self.server.origin.removeprefix("http://"):
            raise _Refused(HTTPStatus.FORBIDDEN, "This is not the address of the review page.")
        token, slash, action = self.path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            raise _Refused(
                HTTPStatus.FORBIDDEN,
                "The address is not complete, or the review was started again: open its new address.",
            )
        return action

    def _body(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        # Not read as a number before it is short enough to be one.
        if not length.isdecimal() or len(length) > len(str(_LONGEST_BODY)) or int(length) > _LONGEST_BODY:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The decision is too long.")
        if self.headers.get_content_type() != "application/json":
            raise _Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A decision is JSON.")
        try:
            cells = json.loads(self.rfile.read(int(length)))
            types = {"document": str, "line": int, "decision": str, "swapped": str, "version": int}
            if any(type(cells[name]) is not kind for name, kind in types.items()):
                raise TypeError
            # Half of a pair of surrogates could neither be written nor be sent back.
            if not all(is_unicode(cells[name]) for name, kind in types.items() if kind is str):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _Refused(HTTPStatus.BAD_REQUEST, "This is not a decision.") from None
        return cells

    def _send_json(self, status: HTTPStatus, value: Any) -> None:
        self._send(status, json.dumps(value, ensure_ascii=False), "application/json", {})

    def _send(self, status: HTTPStatus, text: str, kind: str, headers: dict[str, str]) -> None:
        content = text.encode()
        self.send_response(status)
        described = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(content))}
        for name, value in (described | _SECURITY | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        # The address with the token does not belong in a log.
        log.debug("%s %s", self.command, arguments[1] if len(arguments) > 1 else "")


def render_review_page(store: ReviewStore, checks: Mapping[Key, list[str]], title: str, nonce: str) -> str:
    """Return the page with what is decided by now; `nonce` marks its script and style as its own."""
    environment = page_environment("textparity.studies.swapping.review")
    sentences = [
        {
            "document": candidate.document,
            "line": candidate.line,
            "original": candidate.original,
            "candidate": candidate.swapped,
            "entities": list(candidate.entities.items()),
            "flags": [*candidate.repairs, *checks.get(candidate.key, [])],
            **asdict(state),
        }
        for candidate, state in zip(store.candidates, store.states(), strict=True)
    ]
    # Inside a script element, no text may end it.
    data = json.dumps(sentences, ensure_ascii=False).replace("<", "\\u003c")
    return environment.get_template(_TEMPLATE).render(title=title, data=data, nonce=nonce)
