"""A page for the user of this machine alone: a server on the loopback address, behind a random token.

It answers its own address only (a name that leads here is refused, as DNS rebinding needs one), and takes requests that
change something, or that send texts, from its own pages.
"""

import logging
import secrets
import sys
import webbrowser
from abc import abstractmethod
from contextlib import suppress
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textparity.files import write_text

log = logging.getLogger(__name__)
HOST = "127.0.0.1"
_SECURITY = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Of a body that was refused, so much is read and forgotten: a browser that still sends would not see why.
_MOST_FORGOTTEN, _LONGEST_WAIT = 64 << 20, 2


class Refused(Exception):
    """A request that is not answered; the message says why."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class LoopbackServer(ThreadingHTTPServer):
    """Serves pages by a `LoopbackHandler`; `url` has the token."""

    daemon_threads = True

    def __init__(self, port: int, handler: "type[LoopbackHandler]") -> None:
        super().__init__((HOST, port), handler)
        self.token = secrets.token_urlsafe(24)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log a connection that its other end broke off, which browsers do; show any other error with its traceback."""
        if isinstance(error := sys.exc_info()[1], OSError):
            log.debug("a connection ended early (%s)", error)
        else:
            super().handle_error(request, client_address)

    @property
    def origin(self) -> str:
        """What the page's own requests come from."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"{self.origin}/{self.token}/"

    def serve_user(self, opens_browser: bool) -> None:
        """Serve until the command is interrupted (Ctrl+C)."""
        # For this user alone.
        with TemporaryDirectory() as folder:
            if opens_browser:
                webbrowser.open(leading_page(self.url, Path(folder)).as_uri())
            try:
                with suppress(KeyboardInterrupt):
                    self.serve_forever()
            finally:
                self.server_close()


def leading_page(url: str, folder: Path) -> Path:
    """Return a page that leads to `url`: the arguments of a browser can be read by all users of the machine."""
    page = folder / "page.html"
    write_text(page, f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={url}"><a href="{url}">Go on</a>\n')
    return page


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers what comes with the token to the right address; what else comes is refused."""

    protocol_version = "HTTP/1.1"
    # A client that sends less than it says must not hold its thread for ever.
    timeout = 60
    server: Any

    @abstractmethod
    def get(self, action: str) -> None:
        """Answer a GET; `action` is the path behind the token."""

    @abstractmethod
    def post(self, action: str) -> None:
        """Answer a POST of the page itself."""

    @abstractmethod
    def refuse(self, refused: Refused) -> None:
        """Send why a request is refused."""

    def do_GET(self) -> None:
        """See `get`."""
        try:
            self.get(self._action())
        except Refused as refused:
            self.refuse(refused)

    def do_POST(self) -> None:
        """See `post`."""
        try:
            action = self._action()
            if self.headers.get("Origin") != self.server.origin:
                raise Refused(HTTPStatus.FORBIDDEN, "Only the page itself may send this.")
            self.post(action)
        except Refused as refused:
            # What was not read of the request would be taken for the next one.
            self.close_connection = True
            self.refuse(refused)
            self._forget_body()

    def _action(self) -> str:
        """Return what stands behind the token; refuse other hosts (a name that leads here) and wrong tokens."""
        if self.headers.get("Host") != self.server.origin.removeprefix("http://"):
            raise Refused(HTTPStatus.FORBIDDEN, "This is not the address of the page.")
        token, slash, action = self.path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(
                HTTPStatus.FORBIDDEN,
                "The address is not complete, or the command was started again: open its new address.",
            )
        return action

    def read_body(self, kind: str, longest: int, too_long: str) -> bytes:
        """Return the body of a request of a content type; `too_long` is said of one that is longer than `longest`."""
        length = self.headers.get("Content-Length", "")
        # Not read as a number before it is short enough to be one.
        if not length.isdecimal() or len(length) > len(str(longest)) or int(length) > longest:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_long)
        headers: Message = self.headers
        if headers.get_content_type() != kind:
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"The request is no {kind}.")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise Refused(HTTPStatus.BAD_REQUEST, "The request is cut.")
        return body

    def _forget_body(self) -> None:
        self.connection.settimeout(_LONGEST_WAIT)
        left = _MOST_FORGOTTEN
        with suppress(OSError):
            while left > 0 and (read := len(self.rfile.read1(1 << 16))):
                left -= read

    def send(self, status: HTTPStatus, text: str, kind: str, headers: dict[str, str] | None = None) -> None:
        """Send a text with the headers that keep a page to itself, and others."""
        content = text.encode()
        self.send_response(status)
        described = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(content))}
        closing = {"Connection": "close"} if self.close_connection else {}
        for name, value in (described | _SECURITY | closing | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log what was asked for; the address with the token does not belong in a log."""
        # A connection that sends nothing has no command.
        log.debug("%s %s", getattr(self, "command", ""), arguments[1] if len(arguments) > 1 else "")
