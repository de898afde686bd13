"""A server for a page that is only for the user of this machine.

It is on the loopback address, protected by a random token. It answers only to its own address, because other names that
lead here would permit DNS rebinding. It accepts what is sent only from its own page.
"""

import logging
import secrets
import sys
import webbrowser
from contextlib import suppress
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textparity.errors import ConfigError
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


class LocalServer(ThreadingHTTPServer):
    """Serve a page on this machine. `url` contains the token.

    Raises `ConfigError` if the port is not free.
    """

    daemon_threads = True

    def __init__(self, handler: "type[LocalHandler]", port: int = 0) -> None:
        try:
            super().__init__((HOST, port), handler)
        except (OSError, OverflowError) as error:
            raise ConfigError(f"port {port} cannot be served on ({error}); choose another --port") from None
        self.token = secrets.token_urlsafe(24)

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


class LocalHandler(BaseHTTPRequestHandler):
    """Answer requests that have the token and the right address. All others are rejected.

    A page has `answer_get` and `answer_post`, the media type of what it sends, and the maximum length of it in bytes.
    `too_long` is the message to a sender of more.
    """

    protocol_version = "HTTP/1.1"
    # A client that sends less than it announces must not hold its thread forever.
    timeout = 60
    server: LocalServer
    media_type = ""
    longest_body = 0
    too_long = ""

    def answer_get(self, action: str) -> None:
        """Send the page. `action` is the path after the token."""
        raise NotImplementedError

    def answer_post(self, action: str, body: bytes) -> None:
        """Take what the page sends."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Send the page."""
        try:
            self.answer_get(self._check_address())
        except Refused as refused:
            self.refuse(refused)

    def do_POST(self) -> None:
        """Take what the page sends."""
        try:
            action = self._check_address()
            if self.headers.get("Origin") != self.server.origin:
                raise Refused(HTTPStatus.FORBIDDEN, "Only the page itself may send this.")
            self.answer_post(action, self._read_body())
        except Refused as refused:
            # The unread rest of the request would be taken for the next one.
            self.close_connection = True
            self.refuse(refused)
            self._forget_body()

    def refuse(self, refused: Refused) -> None:
        """Send the reason for which a request is rejected."""
        self.send(refused.status, f"{refused}\n", "text/plain")

    def _check_address(self) -> str:
        """Reject other hosts (a name that leads here) and wrong tokens, and return the path after the token."""
        if self.headers.get("Host") != self.server.origin.removeprefix("http://"):
            raise Refused(HTTPStatus.FORBIDDEN, "This is not the address of the page.")
        token, slash, action = self.path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(
                HTTPStatus.FORBIDDEN,
                "The address is not complete, or the command was started again: open its new address.",
            )
        return action

    def _read_body(self) -> bytes:
        """Read the whole body of a request that is not too long."""
        length = self.headers.get("Content-Length", "")
        # The length is converted to a number only if it is short enough.
        if not length.isdecimal() or len(length) > len(str(self.longest_body)) or int(length) > self.longest_body:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, self.too_long)
        headers: Message = self.headers
        if headers.get_content_type() != self.media_type:
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"The request is no {self.media_type}.")
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

    def send(self, status: HTTPStatus, text: str, media_type: str, headers: dict[str, str] | None = None) -> None:
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


def nothing_here() -> Refused:
    """Make the answer to a path that the page does not have."""
    return Refused(HTTPStatus.NOT_FOUND, "There is nothing here.")
