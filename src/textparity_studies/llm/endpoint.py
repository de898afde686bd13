"""Send one request to one server; the result is an answer, a temporary fault, or a permanent error."""

import asyncio
import json
import logging
import re
import threading
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from textparity.errors import ApiKeyError, LanguageModelError, MissingResourceError, how_to_install
from textparity_studies.llm.keys import KeyRemover
from textparity_studies.llm.messages import Answer, Request
from textparity_studies.llm.models import ModelRow

# Statuses that may disappear at another attempt, in addition to 5xx.
PASSING = (408, 409, 425, 429)
# Statuses that concern only this request: bad, too large, unprocessable.
KEPT = (400, 413, 422)
EXCERPT = 300
# The limit of a body in bytes: 100,000 tokens with each letter escaped. Parsing can take ten times as much memory.
LONGEST_BODY = 4 << 20


class Fault(Exception):
    """Signal a fault that may be gone at the next attempt.

    `maybe_billed`: the server may have done the work. `retry_after`: seconds to wait, if the server gave them.
    """

    def __init__(self, seen: str, maybe_billed: bool = True, retry_after: float = 0.0) -> None:
        super().__init__(seen)
        self.maybe_billed = maybe_billed
        self.retry_after = retry_after


class _OtherServer(Exception):
    """Signal that the server redirects the request to another server."""


class _UnwantedBody(Exception):
    """Signal that the server's body cannot be an answer."""


@dataclass(frozen=True)
class _Reply:
    """Hold the server's reply."""

    status: int
    text: str
    content_type: str
    retry_after: str


class Endpoint:
    """Connect to the server of a model row, with the key from the environment; safe to use from many threads.

    `address` is the address of the server; for a local model it was assigned for this job. Raises `ApiKeyError` if the
    variable that the row names is missing or cannot be a key.
    """

    def __init__(self, row: ModelRow, address: str, environment: Mapping[str, str]) -> None:
        if row.withdrawn:
            # The cache would store a refusal as the answer to each question.
            raise LanguageModelError(
                f"model {row.name}: {row.base_url} withdrew {row.model} on {row.withdrawn}, and nothing was sent; name "
                "another row, or empty the column withdrawn if your account still has the model"
            )
        try:
            import openai
        except ImportError:
            raise MissingResourceError(
                f"the language model {row.name} needs the package openai, which is not installed; install the extra: "
                f"{how_to_install('llm')}"
            ) from None

        # These libraries log each request, some with its prompt, which would swamp the workflow's own log.
        for noisy in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
            logging.getLogger(noisy).setLevel(logging.WARNING)
        self.row = row
        self._key = _read_key(row, environment)
        self._remover = KeyRemover(self._key)
        # One thread does all waiting for the server, so that an attempt can be cancelled at any point.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="llm server", daemon=True)
        self._thread.start()
        http = openai.DefaultAsyncHttpxClient(event_hooks={"request": [self._stay], "response": [self._take_in]})
        # Attempts are counted, logged and paid for one level up, so the library makes only one. Half of the time is for
        # connecting: if that fails, the request was never sent, and costs nothing.
        self._client = openai.AsyncOpenAI(
            base_url=address,
            api_key=self._key or "none",
            timeout=openai.Timeout(None, connect=row.timeout_seconds / 2),
            max_retries=0,
            http_client=http,
            default_headers={"Accept-Encoding": "identity"},
        )

    def close(self) -> None:
        """Close the connections."""
        self._wait_for(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def ask(self, request: Request) -> Answer:
        """Send `request` once.

        Raises `Fault` for temporary faults, `ApiKeyError` for 401 and 403, `LanguageModelError` for other refusals.
        """
        reply = self._send(request)
        digest = request.digest()
        if reply.status == 200:
            return self._read(digest, request.mode, reply)
        said = f"HTTP {reply.status}: {self._quote(_message(reply.text))}"
        if reply.status in KEPT:
            return Answer(digest, "", "", 0, 0, "", error=said)
        if reply.status in (401, 403):
            raise self._key_error(said)
        if '"insufficient_quota"' not in reply.text and (reply.status in PASSING or reply.status >= 500):
            raise Fault(said, maybe_billed=False, retry_after=_seconds(reply.retry_after))
        raise LanguageModelError(
            f"{self.row.base_url}, model {self.row.model}: {said}; asking again would not help: check base_url and "
            f"model of the row {self.row.name}, and your account there; answers so far are in the cache"
        )

    def _send(self, request: Request) -> _Reply:
        import openai

        body = request.body()
        if request.mode == "chat":
            create = self._client.chat.completions.with_raw_response.create
            asking = create(model=body.pop("model"), messages=body.pop("messages"), extra_body=body)
        else:
            create = self._client.completions.with_raw_response.create
            asking = create(model=body.pop("model"), prompt=body.pop("prompt"), extra_body=body)
        elsewhere = ""
        try:
            return _reply(self._wait_for(asking, self.row.timeout_seconds).http_response)
        except openai.APIStatusError as error:
            return _reply(error.response)
        except TimeoutError:
            fault = Fault(f"no answer within {self.row.timeout_seconds:g} s")
        except _UnwantedBody as error:
            fault = Fault(self._quote(str(error)))
        except _OtherServer as error:
            elsewhere = self._quote(str(error))
        except openai.APIConnectionError as error:
            # After ConnectError and ConnectTimeout, the request itself was never sent.
            cause = type(error.__cause__ or error).__name__
            fault = Fault(self._quote(f"{cause}: {_reason(error)}"), maybe_billed=not cause.startswith("Connect"))
        # Raise outside the handler, so that the library's error with its request is not part of the new one.
        if elsewhere:
            raise LanguageModelError(
                f"{self.row.base_url}, model {self.row.model}: the server sends requests on to {elsewhere}, another "
                "server than the row names; nothing was sent there: if it may have your texts and key, write its "
                f"address up to /v1 into base_url of {self.row.name}; answers so far are in the cache"
            )
        raise fault

    def _wait_for(self, work: Coroutine[Any, Any, Any], seconds: float | None = None) -> Any:
        async def in_time() -> Any:
            async with asyncio.timeout(seconds):
                return await work

        return asyncio.run_coroutine_threadsafe(in_time(), self._loop).result()

    async def _stay(self, request: Any) -> None:
        """Stop a redirect to another server, which would see the request's texts."""
        if _origin(request.url) != _origin(self._client.base_url):
            raise _OtherServer(str(request.url))

    async def _take_in(self, response: Any) -> None:
        """Read a body up to the maximum length, whatever its status."""
        # A few bytes can be unpacked to gigabytes, so we do not accept compressed bodies.
        if packed := response.headers.get("content-encoding", "").replace("identity", ""):
            raise _UnwantedBody(f"the body is packed ({packed}), which was not asked for")
        body = bytearray()
        async for block in response.stream:
            body += block
            if len(body) > LONGEST_BODY:
                raise _UnwantedBody(f"the body goes on after {LONGEST_BODY:,} bytes")
        await response.stream.aclose()
        response.stream = type(response)(200, content=bytes(body)).stream

    def _read(self, digest: str, mode: str, reply: _Reply) -> Answer:
        if not re.fullmatch(r"application/(.+\+)?json", reply.content_type.split(";")[0].strip().lower()):
            kind = reply.content_type or "no content type"
            raise Fault(f"{self._quote(kind)} instead of JSON: {self._quote(reply.text)!r}")
        try:
            content = json.loads(reply.text)
        except (ValueError, RecursionError):
            raise Fault(f"cut or invalid JSON of {len(reply.text)} characters") from None
        choices = content.get("choices") if isinstance(content, dict) else None
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise Fault(f"no choices in the answer: {self._quote(reply.text)!r}")
        choice = choices[0]
        message = choice.get("message") if mode == "chat" else {"content": choice.get("text")}
        if not isinstance(message, dict):
            raise Fault("a choice without a message")
        text = message.get("content")
        if text is None and mode == "completion":
            raise Fault("a choice without a text")
        refusal = self._clean(message.get("refusal"))
        usage = content.get("usage")
        usage = {} if usage is None else usage
        try:
            return Answer(
                digest=digest,
                text=self._clean(text),
                finish_reason=self._clean(choice.get("finish_reason")),
                prompt_tokens=_count(usage, "prompt_tokens"),
                completion_tokens=_count(usage, "completion_tokens"),
                model=self._clean(content.get("model")),
                # A value that is not a text is not converted, because it would not have been cleaned.
                error=f"refusal: {refusal}" if refusal and isinstance(refusal, str) else refusal,
            )
        except ValueError as error:
            raise Fault(f"an answer that cannot be kept: {error}") from None

    def _key_error(self, said: str) -> ApiKeyError:
        variable = self.row.api_key_env
        held = (
            f"the key in the environment variable {variable} is not accepted; set {variable} to a key that may use "
            f"the model {self.row.model}"
            if variable
            else f"it wants a key; put the name of the variable that holds it into api_key_env of {self.row.name}"
        )
        return ApiKeyError(f"{self.row.base_url}: {said}; {held}; answers so far are in the cache")

    def _quote(self, text: str) -> str:
        # Remove the key first, because half of it at the end of the excerpt would not be found. Control characters
        # could affect a terminal.
        said = " ".join(self._clean(text).split())[:EXCERPT]
        return "".join(letter if letter.isprintable() else "\ufffd" for letter in said)

    def _clean(self, said: Any) -> Any:
        """Clean a server's text of the key; null becomes "", and a value that is not a text stays unchanged."""
        # Some servers repeat the key in their messages about it.
        return "" if said is None else self._remover.clean(_well_formed(said)) if isinstance(said, str) else said


def _origin(url: Any) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme, 0)


def _reason(error: BaseException) -> str:
    """Return the innermost message that is not empty, among errors raised from each other."""
    deeper = error.__cause__ or error.__context__
    return (_reason(deeper) if deeper else "") or str(error)


def _reply(response: Any) -> _Reply:
    headers = response.headers
    # JSON is UTF-8, whatever the header declares.
    text = response.content.decode("utf-8-sig", "replace")
    return _Reply(response.status_code, text, headers.get("content-type", ""), headers.get("retry-after", ""))


def _read_key(row: ModelRow, environment: Mapping[str, str]) -> str:
    if not row.api_key_env:
        return ""
    key = environment.get(row.api_key_env, "").strip()
    if not key:
        raise ApiKeyError(
            f"model {row.name} needs a key for {row.base_url}: set the environment variable {row.api_key_env}, or "
            "empty the column api_key_env if the server wants none; nothing was sent"
        )
    # The underlying libraries would repeat an invalid key in their error.
    if not re.fullmatch(r"[!-~]+", key):
        raise ApiKeyError(
            f"the environment variable {row.api_key_env} holds spaces, line ends or letters outside ASCII, which no "
            "key has; set it anew; nothing was sent"
        )
    return key


def _message(text: str) -> str:
    try:
        content = json.loads(text)
        error: Any = content.get("error", content) if isinstance(content, dict) else content
        if isinstance(error, dict):
            error = error.get("message") or error.get("detail") or error
        return error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _well_formed(text: str) -> str:
    # JSON can hold half of a surrogate pair (an answer cut inside an emoji), which no file can.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _count(usage: Any, name: str) -> Any:
    if not isinstance(usage, dict):
        return usage
    tokens = usage.get(name)
    return 0 if tokens is None else tokens


def _seconds(retry_after: str) -> float:
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
