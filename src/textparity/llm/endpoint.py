"""One request to one server: what comes back is an answer, a fault that may pass, or an error that will not."""

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from textparity.llm.errors import ApiKeyError, LanguageModelError
from textparity.llm.exchange import Answer, Request
from textparity.llm.models import ModelRow

# Statuses that another attempt may not meet, besides 5xx.
PASSING = (408, 409, 425, 429)
# Statuses that speak of this one request: bad, too large, unprocessable.
KEPT = (400, 413, 422)
EXCERPT = 300


class Fault(Exception):
    """Something that may be gone at the next attempt.

    `maybe_billed`: the server may have done the work. `retry_after`: seconds to wait, if the server said so.
    """

    def __init__(self, seen: str, maybe_billed: bool = True, retry_after: float = 0.0) -> None:
        super().__init__(seen)
        self.maybe_billed = maybe_billed
        self.retry_after = retry_after


@dataclass(frozen=True)
class _Reply:
    """What a server sent, or why it sent nothing (`failure`)."""

    status: int = 0
    content_type: str = ""
    text: str = ""
    retry_after: str = ""
    failure: str = ""
    connected: bool = True


class Endpoint:
    """The server of a model row, with the key that the environment holds; safe to use from many threads.

    `address` is where it is reached, for a local model the one it was given for this job. Raises `ApiKeyError` if the
    variable that the row names is missing or cannot be a key.
    """

    def __init__(self, row: ModelRow, address: str, environment: Mapping[str, str]) -> None:
        import openai

        # They log each request, some of them with its prompt; the workflow's own log would drown.
        for noisy in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
            logging.getLogger(noisy).setLevel(logging.WARNING)
        self.row = row
        self._key = _read_key(row, environment)
        # Attempts are counted, logged and paid for one level up, so the library makes only one.
        self._client = openai.OpenAI(
            base_url=address, api_key=self._key or "none", timeout=row.timeout_seconds, max_retries=0
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, request: Request) -> Answer:
        """Send `request` once.

        Raises `Fault` for what may pass, `ApiKeyError` for 401 and 403, `LanguageModelError` for other refusals.
        """
        reply = self._send(request)
        if reply.failure:
            raise Fault(reply.failure, maybe_billed=reply.connected)
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
        try:
            if request.mode == "chat":
                raw = self._client.chat.completions.with_raw_response.create(
                    model=body.pop("model"), messages=body.pop("messages"), extra_body=body
                )
            else:
                raw = self._client.completions.with_raw_response.create(
                    model=body.pop("model"), prompt=body.pop("prompt"), extra_body=body
                )
            response = raw.http_response
            return _Reply(response.status_code, response.headers.get("content-type", ""), response.text)
        except openai.APIStatusError as error:
            response = error.response
            return _Reply(response.status_code, text=response.text, retry_after=response.headers.get("retry-after", ""))
        except openai.APIConnectionError as error:
            # ConnectError and ConnectTimeout: the request itself never left.
            cause = type(error.__cause__ or error).__name__
            seen = self._without_key(f"{cause}: {error.__cause__ or error}".rstrip(": "))
            if isinstance(error, openai.APITimeoutError):
                seen = f"no answer within {self.row.timeout_seconds:g} s"
            return _Reply(failure=seen, connected=not cause.startswith("Connect"))

    def _read(self, digest: str, mode: str, reply: _Reply) -> Answer:
        if not re.fullmatch(r"application/(.+\+)?json", reply.content_type.split(";")[0].strip().lower()):
            kind = reply.content_type or "no content type"
            raise Fault(f"{kind} instead of JSON: {self._quote(reply.text)!r}")
        try:
            content = json.loads(reply.text)
        except ValueError:
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
        refusal = message.get("refusal")
        usage = content.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return Answer(
            digest=digest,
            text=self._without_key(_well_formed(text)),
            finish_reason=str(choice.get("finish_reason") or ""),
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
            model=self._without_key(str(content.get("model") or "")),
            error=f"refusal: {self._without_key(_well_formed(refusal))}" if refusal else "",
        )

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
        # The key goes first: half of it at the end of the excerpt would not be found.
        return _well_formed(" ".join(self._without_key(text).split())[:EXCERPT])

    def _without_key(self, text: str) -> str:
        # Some servers repeat the key in what they say about it.
        return text.replace(self._key, "[key]") if self._key else text


def _read_key(row: ModelRow, environment: Mapping[str, str]) -> str:
    if not row.api_key_env:
        return ""
    key = environment.get(row.api_key_env, "").strip()
    if not key:
        raise ApiKeyError(
            f"model {row.name} needs a key for {row.base_url}: set the environment variable {row.api_key_env}, or "
            "empty the column api_key_env if the server wants none; nothing was sent"
        )
    # The libraries below would complain by repeating it.
    if not re.fullmatch(r"[!-~]+", key):
        raise ApiKeyError(
            f"the environment variable {row.api_key_env} holds spaces, line ends or letters outside ASCII, which no "
            "key has; set it anew; nothing was sent"
        )
    return key


def _message(text: str) -> str:
    try:
        content = json.loads(text)
    except ValueError:
        return text
    error: Any = content.get("error", content) if isinstance(content, dict) else content
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error
    return error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)


def _well_formed(text: Any) -> str:
    # JSON can hold half of a surrogate pair (a model cut in the middle of an emoji), which no file can.
    return str("" if text is None else text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _count(tokens: Any) -> int:
    return tokens if isinstance(tokens, int) and tokens > 0 else 0


def _seconds(retry_after: str) -> float:
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
