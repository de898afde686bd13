"""Serve a page only to the user of this machine: a server on the loopback address, protected by a random token.

It answers only to its own address, because other names that lead here would permit DNS rebinding. It accepts requests
that change something, or that send texts, only from its own pages.
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
# This much of a rejected body is read and discarded, because a browser that is still sending would not show the reason.
_MOST_FORGOTTEN, _LONGEST_WAIT = 64 << 20, 2


class Refused(Exception):
    """A request is rejected. The message has the reason."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class LoopbackServer(ThreadingHTTPServer):
    """Serve pages with a `LoopbackHandler`. `url` contains the token."""

    daemon_threads = True

    def __init__(self, port: int, handler: "type[LoopbackHandler]") -> None:
        super().__init__((HOST, port), handler)
        self.token = secrets.token_urlsafe(24)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log a connection that the browser closed early, which is normal. Show any other error with its traceback."""
        if isinstance(error := sys.exc_info()[1], OSError):
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


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answer requests that have the token and the right address. All others are rejected."""

    protocol_version = "HTTP/1.1"
    # A client that sends less than it announces must not hold its thread forever.
    timeout = 60
    server: Any

    @abstractmethod
    def get(self, action: str) -> None:
        """Answer a GET. `action` is the path after the token."""

    @abstractmethod
    def post(self, action: str) -> None:
        """Answer a POST from the page itself."""

    @abstractmethod
    def refuse(self, refused: Refused) -> None:
        """Send the reason for which a request is rejected."""

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
            # The unread rest of the request would be taken for the next one.
            self.close_connection = True
            self.refuse(refused)
            self._forget_body()

    def _action(self) -> str:
        """Extract the path after the token. Other hosts (a name that leads here) and wrong tokens are rejected."""
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
        """Read the body of a request of a content type. If it is longer than `longest`, the message is `too_long`."""
        length = self.headers.get("Content-Length", "")
        # The length is converted to a number only if it is short enough.
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
        """Send a text with the headers that isolate a page, and any others."""
        content = text.encode()
        self.send_response(status)
        described = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(content))}
        closing = {"Connection": "close"} if self.close_connection else {}
        for name, value in (described | _SECURITY | closing | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log the request without its address, because the token does not belong in a log."""
        # A connection that sends nothing has no command.
        log.debug("%s %s", getattr(self, "command", ""), arguments[1] if len(arguments) > 1 else "")
