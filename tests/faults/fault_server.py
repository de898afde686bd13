"""A server on loopback, for downloads and for questions to a language model, that misbehaves as told."""

import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

JSON = "application/json"
MEGABYTE = bytes(1 << 20)


class FaultServer:
    """Serves the files of `folder` at their names, with strong tags and ranges, and answers `/v1/completions`.

    What is in `script` answers the next requests for a file, or with a prompt that contains the key, instead: functions
    that get the handler and what would be sent. `asked` has the ranges asked for, by file; `paid` how often each prompt
    was answered, `refused` how often it was not.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self.reset()

    def reset(self) -> None:
        """Be well-behaved again, and forget."""
        self.script: dict[str, list[Callable[[Handler, bytes], None]]] = {}
        self.asked: list[tuple[str, str]] = []
        self.paid: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.latency = 0.0

    def __enter__(self) -> "FaultServer":
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self._http.owner = self
        self._http.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def told(self, text: str) -> Callable[["Handler", bytes], None] | None:
        """Return what is to be sent instead of what `text` asks for, if anything."""
        with self.lock:
            return next((faults.pop(0) for key, faults in self.script.items() if key in text and faults), None)


def tag_sentence(prompt: str) -> str:
    """Answer as a model would, the same each time."""
    sentence = prompt.rsplit('"', 2)[-2]
    return f"{sentence.split()[1]} - P, {'F' if sentence.startswith('La') else 'M'}"


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a file, or the rest of it."""
        owner: FaultServer = self.server.owner
        owner.asked.append((self.path, self.headers.get("Range", "")))
        content = (owner.folder / self.path.lstrip("/")).read_bytes()
        if fault := owner.told(self.path):
            fault(self, content)
        elif self.headers.get("Range") and self.headers.get("If-Range") == tag_of(content):
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            self.send(206, content[start:], content_range(start, content), tag=tag_of(content))
        else:
            self.send(200, content, tag=tag_of(content))

    def do_POST(self) -> None:
        """Answer a question."""
        owner: FaultServer = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["prompt"]
        whole = json.dumps(completion(body["model"], tag_sentence(prompt))).encode()
        owner.closing.wait(owner.latency)
        fault = owner.told(prompt)
        with owner.lock:
            (owner.refused if fault else owner.paid)[prompt] += 1
        if fault:
            fault(self, whole)
        else:
            self.send(200, whole)

    def send(
        self, status: int, body: bytes, headers: dict[str, Any] | None = None, tag: str = "", cut: int = 0
    ) -> None:
        """Send an answer, of its body all but the last `cut` bytes."""
        with suppress(OSError):
            self.send_response(status)
            for name, value in (
                {"Content-Type": JSON, "Content-Length": len(body), "ETag": tag} | (headers or {})
            ).items():
                if value not in ("", None):
                    self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(body[: len(body) - cut])
            self.wfile.flush()
        self.close_connection = self.close_connection or bool(cut)

    def log_message(self, *_: object) -> None:
        pass


def tag_of(content: bytes) -> str:
    """Return a strong tag of a version."""
    return f'"{len(content)}-{hash(content)}"'


def content_range(start: int, content: bytes) -> dict[str, str]:
    """Return the header of a rest."""
    return {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"}


def completion(model: str, text: str) -> dict[str, Any]:
    """Return the answer of a model."""
    choice = {"index": 0, "finish_reason": "stop", "text": text}
    return {
        "id": "x", "object": "x", "model": model, "choices": [choice],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
    }  # fmt: skip


def status(code: int, message: str = "told so", headers: dict[str, Any] | None = None):
    """Return a fault: an answer that is an error."""
    body = json.dumps({"error": {"message": message, "code": message}}).encode()
    return lambda handler, whole: handler.send(code, body, headers)


def cut_body(share: float):
    """Return a fault: the stream ends early, of a version that can be resumed."""
    return lambda handler, whole: handler.send(200, whole, tag=tag_of(whole), cut=len(whole) - int(share * len(whole)))


def other_bytes(handler: Handler, whole: bytes) -> None:
    """As long as it should be, but other bytes."""
    handler.send(200, whole[::-1], tag=tag_of(whole))


def packed(handler: Handler, whole: bytes) -> None:
    """Packed, though that was not asked for."""
    handler.send(200, whole, {"Content-Encoding": "gzip"})


def wrong_rest(handler: Handler, whole: bytes) -> None:
    """The rest from another place than asked for."""
    handler.send(206, whole[7:], content_range(7, whole), tag=tag_of(whole))


def immense(handler: Handler, whole: bytes) -> None:
    """More than any disk has, by its own words."""
    handler.send(200, whole, {"Content-Length": 10**17})


def endless(handler: Handler, whole: bytes) -> None:
    """Bytes without end."""
    with suppress(OSError):
        handler.send_response(200)
        handler.end_headers()
        while not handler.server.owner.closing.is_set():
            handler.wfile.write(MEGABYTE)
    handler.close_connection = True


def reset(handler: Handler, whole: bytes) -> None:
    """The connection is gone."""
    # Closing with linger 0 sends RST instead of FIN.
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def body(content: bytes):
    """Return a fault: an answer with another body."""
    return lambda handler, whole: handler.send(200, content)


def cut_answer(handler: Handler, whole: bytes) -> None:
    """An answer of a model that ends early."""
    handler.send(200, whole, cut=20)


def redirect(handler: Handler, whole: bytes) -> None:
    """To somebody else, who would see the texts."""
    handler.send(307, b"", {"Location": "http://127.0.0.2:9/v1/completions"})
