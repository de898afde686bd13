"""A real HTTP server on loopback that speaks the OpenAI protocol and misbehaves on request."""

import json
import os
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HANG_SECONDS = 5.0
FAULTS = (
    "429", "500", "503", "hang", "reset", "cut body", "cut json", "empty choices", "no choices", "html",
    "length", "refusal", "half emoji", "no usage", "400", "401", "403", "404", "quota",
)  # fmt: skip


class LanguageModelServer:
    """Answers /v1/chat/completions and /v1/completions; use it as a context manager.

    `faults` maps a prompt to the faults that its first requests meet, one each: of `FAULTS`, a dict that replaces parts
    of the answer's only choice and of the answer itself, or what to call with the handler and the answer. `reply` makes
    the text of an answer from the body of the request. `counts` has how often each prompt arrived, `bodies` what was
    sent. With `key`, requests need it, and what is said about a wrong one repeats it, as real servers do.
    """

    def __init__(self, latency: float = 0.0, key: str = "", retry_after: str = "0.2") -> None:
        self.latency = latency
        self.key = key
        self.retry_after = retry_after
        self.reply: Callable[[dict[str, Any]], str] = default_reply
        self.faults: dict[str, list[Any]] = {}
        self.counts: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.at_once = 0
        self.most_at_once = 0
        self.lock = threading.Lock()
        self.closing = threading.Event()

    def __enter__(self) -> "LanguageModelServer":
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def prompt_of(body: dict[str, Any]) -> str:
    """Return the prompt, or the last message."""
    return body["prompt"] if "prompt" in body else body["messages"][-1]["content"]


def default_reply(body: dict[str, Any]) -> str:
    """Return a text that depends on all that was sent."""
    return f"{prompt_of(body)} → {body.get('temperature')} {body.get('seed')}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        # Clients are killed and connections cut here on purpose.
        pass


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self) -> None:
        owner: LanguageModelServer = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = prompt_of(body)
        with owner.lock:
            owner.counts[prompt] += 1
            owner.bodies.append(body)
            owner.times.append(time.monotonic())
            owner.at_once += 1
            owner.most_at_once = max(owner.most_at_once, owner.at_once)
            script = owner.faults.get(prompt)
            fault = script.pop(0) if script else ""
        try:
            time.sleep(owner.latency)
            sent = self.headers.get("Authorization", "").removeprefix("Bearer ")
            if owner.key and sent != owner.key:
                self.send(401, {"error": {"message": f"Incorrect API key provided: {sent}."}})
            else:
                self.answer(fault, body, sent)
        finally:
            with owner.lock:
                owner.at_once -= 1

    def answer(self, fault: Any, body: dict[str, Any], sent: str) -> None:
        owner: LanguageModelServer = self.server.owner
        whole = self.completion(body, fault)
        match fault:
            case dict():
                whole["choices"][0] |= fault
                self.send(200, whole | fault)
            case _ if callable(fault):
                fault(self, whole)
            case "429":
                self.send(429, {"error": {"message": "slow down"}}, {"Retry-After": owner.retry_after})
            case "quota":
                self.send(429, {"error": {"message": "no money left", "code": "insufficient_quota"}})
            case "400" | "401" | "403" | "404" | "500" | "503":
                self.send(int(fault), {"error": {"message": f"this is a {fault}, you sent {sent}{' so' * 81} {sent}"}})
            case "hang":
                owner.closing.wait(HANG_SECONDS)
            case "reset":
                # Closing with linger 0 sends RST instead of FIN.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                os.close(self.connection.detach())
                self.close_connection = True
            case "cut body":
                self.send(200, whole, cut=20)
                self.close_connection = True
            case "cut json":
                self.send(200, json.dumps(whole)[:40])
            case "empty choices":
                self.send(200, whole | {"choices": []})
            case "no choices":
                self.send(200, {"error": {"message": "upstream is gone"}})
            case "html":
                self.send(200, "<html>Welcome to the proxy</html>", {"Content-Type": "text/html"})
            case "no usage":
                self.send(200, {key: value for key, value in whole.items() if key != "usage"})
            case _:
                self.send(200, whole)

    def completion(self, body: dict[str, Any], fault: Any) -> dict[str, Any]:
        text = self.server.owner.reply(body) + ("\ud83d" if fault == "half emoji" else "")
        choice: dict[str, Any] = {"index": 0, "finish_reason": "length" if fault == "length" else "stop"}
        if self.path == "/v1/chat/completions":
            choice["message"] = {"role": "assistant", "content": text}
            if fault == "refusal":
                choice["message"] |= {"content": None, "refusal": "I would rather not."}
        else:
            choice["text"] = text
        usage = {"prompt_tokens": len(prompt_of(body).split()), "completion_tokens": len(text.split())}
        return {"id": "x", "object": "x", "model": f"{body['model']}-2024", "choices": [choice], "usage": usage}

    def send(self, status: int, content: Any, headers: dict[str, str] | None = None, cut: int | None = None) -> None:
        data = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:cut])
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass
