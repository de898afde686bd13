"""Send one request to one server; the result is an answer, a temporary fault, or a permanent error."""

import asyncio
import html
import json
import logging
import re
import threading
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Coroutine, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote

from textparity.errors import ApiKeyError, LanguageModelError, MissingResourceError, how_to_install
from textparity_studies.llm.models import Answer, ModelRow, Request

MARK = "[key]"
# Escapes may be escaped again this many times.
LEVELS = 4
# A shorter key may occur in any text by chance once it is encoded.
SHORTEST_ENCODED = 12
_BACKSLASH = re.compile(
    r"\\(?:u(?P<unit>[\da-fA-F]{4})|u\{(?P<point>[\da-fA-F]{1,6})\}|x(?P<byte>[\da-fA-F]{2})|(?P<octal>[0-3][0-7]{2})"
    r"|(?P<letter>[!-~]))"
)


class KeyRemover:
    """Replace one key by `MARK` in texts; an empty key matches nothing."""

    def __init__(self, key: str) -> None:
        self._spellings = _spellings(key) if key else []

    def clean(self, text: str) -> str:
        """Remove the key from `text`; if some of its letters are escaped, the whole text is replaced by `MARK`."""
        for spelling in self._spellings:
            text = text.replace(spelling, MARK)
        escaped = any(spelling in view for view in _unescape(text) for spelling in self._spellings)
        return MARK if escaped else text


def _unescape(text: str) -> Iterator[str]:
    """Iterate over `text` without one, two, … levels of the escapes of JSON, URLs and HTML."""
    for _ in range(LEVELS if re.search(r"[\\%&]", text) else 0):
        for decode in (lambda view: _BACKSLASH.sub(_letter, view), unquote, html.unescape):
            text = decode(text)
            yield text


def _letter(found: re.Match[str]) -> str:
    code = found[found.lastgroup or 0]
    if found.lastgroup == "letter":
        return code
    point = int(code, 8 if found.lastgroup == "octal" else 16)
    return chr(point) if point <= 0x10FFFF else ""


def _spellings(key: str) -> list[str]:
    """List the key, the key without what looks like escapes, and its forms in base64 and hexadecimal."""
    found = {key, *_unescape(key)}
    if len(key) >= SHORTEST_ENCODED:
        raw = key.encode()
        found |= {raw.hex(), raw.hex().upper()}
        for encode in (b64encode, urlsafe_b64encode):
            # Text before the key ("Bearer ", a user name) shifts it by up to two bytes. The letters at both ends also
            # contain bits of its neighbours.
            for before in range(3):
                text = encode(b"\0" * before + raw).decode().rstrip("=")
                found.add(text[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6])
    return sorted(found - {""}, key=len, reverse=True)


# Statuses that may disappear at another attempt, in addition to 5xx.
PASSING = (408, 409, 425, 429)
# Statuses that concern only this request: bad, too large, unprocessable.
KEPT = (400, 413, 422)
# An error in a body that does not name its status: it may disappear, and the work may have been done.
UNKNOWN_STATUS = 0
EXCERPT = 300
# The limit of a body in bytes: 100,000 tokens with each letter escaped. Parsing can take ten times as much memory.
LONGEST_BODY = 4 << 20
# A server may redirect a request this often, each time at the cost of another request.
MOST_REDIRECTS = 3
_SENT = "textparity.sent"


class Fault(Exception):
    """Signal a fault that may be gone at the next attempt.

    `maybe_billed`: the server may have done the work. `retry_after`: seconds to wait, if the server gave them.
    """

    def __init__(self, message: str, maybe_billed: bool = True, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.maybe_billed = maybe_billed
        self.retry_after = retry_after


class _OtherServer(Exception):
    """Signal that the server redirects the request to another server."""


class _UnwantedBody(Exception):
    """Signal that the server's body cannot be an answer."""


class Endpoint:
    """Connect to the server of a model row, with the key from the environment; safe to use from many threads.

    `address` is the address of the server; for a local model it was assigned for this job. Raises `ApiKeyError` if the
    variable that the row names is missing or cannot be a key. `on_redirect` is called before a request is sent again
    because the server redirects it, and may raise an error instead.
    """

    def __init__(
        self,
        row: ModelRow,
        address: str,
        environment: Mapping[str, str],
        on_redirect: Callable[[], None] = lambda: None,
    ) -> None:
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
        self._on_redirect = on_redirect
        self._key = _read_key(row, environment)
        self._remover = KeyRemover(self._key)
        # One thread does all waiting for the server, so that an attempt can be cancelled at any point.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="llm server", daemon=True)
        self._thread.start()
        hooks = {"request": [self._check_request], "response": [self._take_in]}
        http = openai.DefaultAsyncHttpxClient(event_hooks=hooks, max_redirects=MOST_REDIRECTS)
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
        response = self._send(request)
        status, text = response.status_code, _text_of(response)
        prefix = f"HTTP {status}"
        if status == 200:
            content = self._parse(response)
            error = _error_of(content)
            if not error:
                return self._read(request.digest(), request.row.mode, content, text)
            # Proxies send the error of the server behind them in an answer of their own.
            status, prefix = _status_of(error), "HTTP 200 with an error"
        reason = f"{prefix}: {self._quote(_message(text))}"
        if status in KEPT:
            return Answer(request.digest(), "", "", 0, 0, "", error=reason)
        if status in (401, 403):
            raise self._key_error(reason)
        if '"insufficient_quota"' not in text and (status in PASSING or status >= 500 or status == UNKNOWN_STATUS):
            retry_after = _seconds(response.headers.get("retry-after", ""))
            raise Fault(reason, maybe_billed=status == UNKNOWN_STATUS, retry_after=retry_after)
        raise LanguageModelError(
            f"{self.row.base_url}, model {self.row.model}: {reason}; another attempt would not help: check base_url "
            f"and model of the row {self.row.name}, and your account there; answers so far are in the cache"
        )

    def _send(self, request: Request) -> Any:
        """Send a request; the result is the response of httpx."""
        import openai

        body = request.body()
        if request.row.mode == "chat":
            create = self._client.chat.completions.with_raw_response.create
            asking = create(model=body.pop("model"), messages=body.pop("messages"), extra_body=body)
        else:
            create = self._client.completions.with_raw_response.create
            asking = create(model=body.pop("model"), prompt=body.pop("prompt"), extra_body=body)
        error: Exception
        try:
            return self._wait_for(asking, self.row.timeout_seconds).http_response
        except openai.APIStatusError as refused:
            return refused.response
        except TimeoutError:
            error = Fault(f"no answer within {self.row.timeout_seconds:g} s")
        except _UnwantedBody as unwanted:
            error = Fault(self._quote(str(unwanted)))
        except _OtherServer as other:
            error = LanguageModelError(
                f"{self.row.base_url}, model {self.row.model}: the server sends requests on to "
                f"{self._quote(str(other))}, another server than the row names; nothing was sent there: if it may have "
                f"your texts and key, write its address up to /v1 into base_url of {self.row.name}; answers so far are "
                "in the cache"
            )
        except openai.APIConnectionError as broken:
            # After ConnectError and ConnectTimeout, the request itself was never sent.
            cause = type(broken.__cause__ or broken).__name__
            if cause == "TooManyRedirects":
                error = LanguageModelError(
                    f"{self.row.base_url}, model {self.row.model}: the server redirects more than {MOST_REDIRECTS} "
                    f"times; check base_url of the row {self.row.name}; answers so far are in the cache"
                )
            else:
                error = Fault(self._quote(f"{cause}: {_reason(broken)}"), maybe_billed=not cause.startswith("Connect"))
        # Raise outside the handler, so that the library's error with its request is not part of the new one.
        raise error

    def _wait_for(self, work: Coroutine[Any, Any, Any], seconds: float | None = None) -> Any:
        async def in_time() -> Any:
            async with asyncio.timeout(seconds):
                return await work

        return asyncio.run_coroutine_threadsafe(in_time(), self._loop).result()

    async def _check_request(self, request: Any) -> None:
        """Stop a redirect to another server, which would see the request's texts, and count one on the same server."""
        if _origin(request.url) != _origin(self._client.base_url):
            raise _OtherServer(f"{request.url.scheme}://{request.url.netloc.decode()}")
        # A request that follows a redirect has the extensions of the one before.
        if _SENT in request.extensions:
            self._on_redirect()
        request.extensions[_SENT] = True

    async def _take_in(self, response: Any) -> None:
        """Read a body up to the maximum length, whatever its status."""
        # A few bytes can be unpacked to gigabytes, so we do not accept compressed bodies.
        if encoding := response.headers.get("content-encoding", "").replace("identity", ""):
            raise _UnwantedBody(f"the body is compressed ({encoding}), which was not requested")
        body = bytearray()
        async for block in response.stream:
            body += block
            if len(body) > LONGEST_BODY:
                raise _UnwantedBody(f"the body goes on after {LONGEST_BODY:,} bytes")
        await response.stream.aclose()
        response.stream = type(response)(200, content=bytes(body)).stream

    def _parse(self, response: Any) -> Any:
        """Parse a body of JSON."""
        kind, body = response.headers.get("content-type", ""), _text_of(response)
        if not re.fullmatch(r"application/(.+\+)?json", kind.split(";")[0].strip().lower()):
            raise Fault(f"{self._quote(kind or 'no content type')} instead of JSON: {self._quote(body)!r}")
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise Fault(f"cut or invalid JSON of {len(body)} characters") from None

    def _read(self, digest: str, mode: str, content: Any, body: str) -> Answer:
        choice = _choice_of(content)
        if choice is None:
            raise Fault(f"no choices in the answer, or none with the index 0: {self._quote(body)!r}")
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
            raise Fault(f"an answer that cannot be stored: {error}") from None

    def _key_error(self, reason: str) -> ApiKeyError:
        variable = self.row.api_key_env
        advice = (
            f"the key in the environment variable {variable} is not accepted; set {variable} to a key that may use "
            f"the model {self.row.model}"
            if variable
            else f"the server requires a key; put the name of its variable into api_key_env of {self.row.name}"
        )
        return ApiKeyError(f"{self.row.base_url}: {reason}; {advice}; answers so far are in the cache")

    def _quote(self, text: str) -> str:
        # Remove the key first, because half of it at the end of the excerpt would not be found. Control characters
        # could affect a terminal.
        excerpt = " ".join(self._clean(text).split())[:EXCERPT]
        return "".join(letter if letter.isprintable() else "\ufffd" for letter in excerpt)

    def _clean(self, value: Any) -> Any:
        """Clean a server's text of the key; null becomes "", and a value that is not a text stays unchanged."""
        # Some servers repeat the key in their messages about it.
        if not isinstance(value, str):
            return "" if value is None else value
        # JSON can hold half of a surrogate pair (an answer cut inside an emoji), which no file can.
        return self._remover.clean(value.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _origin(url: Any) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme, 0)


def _reason(error: BaseException) -> str:
    """Return the innermost message that is not empty, among errors raised from each other."""
    deeper = error.__cause__ or error.__context__
    return (_reason(deeper) if deeper else "") or str(error)


def _text_of(response: Any) -> str:
    # JSON is UTF-8, whatever the header declares.
    return str(response.content.decode("utf-8-sig", "replace"))


def _read_key(row: ModelRow, environment: Mapping[str, str]) -> str:
    if not row.api_key_env:
        return ""
    key = environment.get(row.api_key_env, "").strip()
    if not key:
        raise ApiKeyError(
            f"model {row.name} needs a key for {row.base_url}: set the environment variable {row.api_key_env}, or "
            "empty the column api_key_env if the server needs none; nothing was sent"
        )
    # The underlying libraries would repeat an invalid key in their error.
    if not re.fullmatch(r"[!-~]+", key):
        raise ApiKeyError(
            f"the environment variable {row.api_key_env} holds spaces, line ends or letters outside ASCII, which no "
            "key has; set it again; nothing was sent"
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


def _choice_of(content: Any) -> dict[str, Any] | None:
    """Find the choice with the index 0, wherever it stands. Some servers give no index; its place then decides."""
    choices = content.get("choices") if isinstance(content, dict) else None
    if not isinstance(choices, list):
        return None
    for position, choice in enumerate(choices):
        if isinstance(choice, dict):
            index = choice.get("index")
            if index is None:
                index = position
            if index == 0:
                return choice
    return None


def _error_of(content: Any) -> Any:
    """Find the error that a body reports, for all of it or for its choice. Empty if there is none."""
    whole = content.get("error") if isinstance(content, dict) else None
    choice = _choice_of(content) or {}
    return whole or choice.get("error")


def _status_of(error: Any) -> int:
    """Read the HTTP status from the code of an error, if it has one."""
    code = str(error.get("code")) if isinstance(error, dict) else ""
    return int(code) if re.fullmatch(r"[45]\d\d", code) else UNKNOWN_STATUS


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
