"""The one client for all language models: it requests what is not in the cache, many requests at a time."""

import logging
import math
import os
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import astuple, dataclass

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_any,
    stop_when_event_set,
    wait_exponential,
    wait_random,
)

from textparity.errors import BudgetExceededError, LanguageModelError
from textparity.progress import progress_bar
from textparity_studies.llm.cache import NOTHING_SPENT, ResponseCache, Spending
from textparity_studies.llm.endpoint import Endpoint, Fault
from textparity_studies.llm.local import serving
from textparity_studies.llm.models import Answer, ModelRow, Request

log = logging.getLogger(__name__)

# The usual estimate is four characters of English per token. Bytes give the same for English, and are much closer for
# other scripts, in which a character has up to three bytes and is often a token.
BYTES_PER_TOKEN = 4
ATTEMPTS = 6
# A server may request any wait; beyond this, another attempt is a better use of the time.
LONGEST_RETRY_AFTER = 600.0
LONGEST_BACK_OFF = 60.0


def estimate_prompt_tokens(request: Request) -> int:
    """Estimate the prompt's tokens as its UTF-8 bytes over four. Only the server's own count is exact."""
    texts = [request.prompt] if isinstance(request.prompt, str) else [str(m["content"]) for m in request.prompt]
    return sum(math.ceil(len(text.encode()) / BYTES_PER_TOKEN) for text in texts)


@dataclass(frozen=True)
class CostEstimate:
    """Hold the estimated cost of asking, without sending. Repeated requests count once.

    `completion_tokens` assumes answers of the maximum length, so the cost is usually an upper bound. The prompt's
    tokens are estimated from its length.
    """

    in_cache: int = 0
    to_send: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    @classmethod
    def of(cls, requests: list[Request], row: ModelRow, in_cache: int = 0) -> "CostEstimate":
        """Estimate the cost of sending `requests`, except those that are `in_cache`."""
        prompt_tokens = sum(map(estimate_prompt_tokens, requests))
        completion_tokens = sum(request.completion_limit for request in requests)
        cost = row.cost(prompt_tokens, completion_tokens)
        return cls(in_cache, len(requests), prompt_tokens, completion_tokens, cost)

    def __str__(self) -> str:
        return (
            f"{self.in_cache:,} answers in the cache, {self.to_send:,} requests to send, about "
            f"{self.prompt_tokens:,} tokens, at most {self.completion_tokens:,} more in the answers, cost at most "
            f"about {self.cost:.2f}"
        )

    def __add__(self, other: "CostEstimate") -> "CostEstimate":
        return CostEstimate(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


class Budget:
    """Limit the cost (in the currency of the model rows) and the number of requests.

    None means no limit. Repeated attempts and redirects are requests. The limits cover everything that was ever spent
    through one cache, by all processes. A request's maximum cost is reserved before it is sent, and replaced by the
    actual cost afterwards, so the limit holds while many are in flight. Safe to use from many threads.
    """

    def __init__(self, maximum_cost: float | None = None, maximum_requests: int | None = None) -> None:
        self.maximum_cost = maximum_cost
        self.maximum_requests = maximum_requests
        # What the cache has recorded, and what this process has spent since.
        self.recorded = self.unrecorded = NOTHING_SPENT
        self._reserved = 0.0
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spending:
        """Everything that is known to be spent."""
        return self.recorded.plus(self.unrecorded)

    def fits(self, cost: float) -> bool:
        """Check that one more request of this estimated cost stays within the limits."""
        with self._lock:
            return not self._reason(cost)

    def reserve(self, cost: float) -> None:
        """Count one more request and reserve its estimated cost, or raise `BudgetExceededError`."""
        with self._lock:
            self._count_request(cost)
            self._reserved += cost

    def settle(self, reserved: float, cost: float) -> None:
        """Replace the amount reserved for a request by its actual cost."""
        with self._lock:
            self._reserved -= reserved
            self.unrecorded = self.unrecorded.plus(Spending(0, cost))

    def repeat(self, cost: float) -> None:
        """Count one more attempt, after one of the given cost, or raise `BudgetExceededError`.

        The amount reserved for the request stays reserved until it is settled.
        """
        with self._lock:
            self._count_request(cost)
            self.unrecorded = self.unrecorded.plus(Spending(0, cost))

    def count_redirect(self) -> None:
        """Count one more request for a redirect, which costs nothing by itself, or raise `BudgetExceededError`."""
        self.repeat(0.0)

    def record(self, spent: Spending, recorded: Spending) -> None:
        """Note that the cache has recorded `spent`, which makes `recorded` with the spending of other processes."""
        with self._lock:
            self.unrecorded = self.unrecorded.minus(spent)
            self.recorded = recorded

    def _count_request(self, cost: float) -> None:
        if reason := self._reason(cost):
            raise BudgetExceededError(
                f"budget: {reason}; all answers so far are in the cache, so raise the limit and run again to get only "
                "the rest"
            )
        self.unrecorded = self.unrecorded.plus(Spending(1, 0.0))

    def _reason(self, cost: float) -> str:
        spent = self.spent
        if self.maximum_requests is not None and spent.requests >= self.maximum_requests:
            return (
                f"{spent.requests:,} requests were sent through this cache, and {self.maximum_requests:,} are allowed"
            )
        # Sums of floats differ in their last digits, which must not decide.
        if self.maximum_cost is not None and spent.cost + self._reserved + cost > self.maximum_cost * (1 + 1e-9):
            return (
                f"{spent.cost:.4f} is spent through this cache, the next request may cost {cost:.4f} more, and "
                f"{self.maximum_cost:.4f} is allowed"
            )
        return ""


def ask_all(
    requests: Iterable[Request],
    model_row: ModelRow,
    cache: ResponseCache,
    budget: Budget | None = None,
    environment: Mapping[str, str] = os.environ,
    title: str = "language model",
    attempts: int = ATTEMPTS,
    wait_seconds: float = 1.0,
) -> list[Answer]:
    """Return the answers to `requests`, in order, requesting only those that `cache` does not have.

    A temporary fault (429, 5xx, time-outs, broken connections, invalid answers) leads to up to `attempts` attempts. The
    first wait is `wait_seconds`, and then doubles each time or follows the server's request. Refusals and bad requests
    (400) are stored as answers with an `error`. An answer is on disk before the next request takes its
    place, so a killed run loses at most the `requests_at_once` in flight.

    Raises `ApiKeyError`, `BudgetExceededError`, `LanguageModelError` or `ResponseCacheError`; in each case, the answers
    received are in the cache.
    """
    wanted = [(request.digest(), request) for request in requests]
    by_digest = dict(wanted)
    answers = cache.get_many(by_digest)
    missing = {digest: request for digest, request in by_digest.items() if digest not in answers}
    log.info("%s: %d requests, %d in the cache, %d to send", title, len(by_digest), len(answers), len(missing))
    if missing:
        for request in missing.values():
            # A key must only go to the server for which it is meant.
            if request.row.base_url != model_row.base_url:
                raise LanguageModelError(
                    f"a request to {request.row.base_url} cannot go to {model_row.base_url}, the server of the model "
                    f"row {model_row.name}"
                )
        budget = budget or Budget()
        with (
            serving(model_row) as address,
            closing(Endpoint(model_row, address, environment, budget.count_redirect)) as endpoint,
        ):
            asking = _Asking(cache, budget, endpoint, attempts, wait_seconds)
            asking.ask(missing.values(), title, known=len(answers))
        # Read the cache again: if another process was first, its answer is the one that counts.
        answers |= cache.get_many(missing)
    return [answers[digest] for digest, _ in wanted]


class _Stopped(Exception):
    """Signal that another request has ended the run while this one waited for its next attempt."""


class _Asking:
    """Run one call of `ask_all`: only this thread submits, stores and counts; the others wait for the server."""

    def __init__(
        self, cache: ResponseCache, budget: Budget, endpoint: Endpoint, attempts: int, wait_seconds: float
    ) -> None:
        self._row = endpoint.row
        self._cache, self._budget, self._endpoint, self._attempts = cache, budget, endpoint, attempts
        self._stopping = threading.Event()
        self._back_off = wait_exponential(wait_seconds, max=LONGEST_BACK_OFF) + wait_random(0, wait_seconds)
        self._running: dict[Future[tuple[Answer, float]], Request] = {}
        self._tokens = self._errors = self._answered = 0
        self._cost = 0.0
        budget.record(NOTHING_SPENT, cache.spending())

    def ask(self, requests: Iterable[Request], title: str, known: int) -> None:
        queue = deque(requests)
        bar = progress_bar(known + len(queue), title, "requests")
        # Cached answers count as done, but not towards the speed. The line needs room for tokens and cost.
        bar.n = bar.initial = known
        bar.ncols = 140
        with bar, ThreadPoolExecutor(self._row.requests_at_once, thread_name_prefix="llm") as pool:
            try:
                while queue or self._running:
                    self._send_off(queue, pool)
                    done = wait(self._running, return_when=FIRST_COMPLETED).done
                    self._keep(done)
                    bar.set_postfix_str(f"{self._tokens:,} tokens, cost {self._cost:.4f}", refresh=False)
                    bar.update(len(done))
            finally:
                # Requests in flight are paid for, so wait for them and store their answers.
                self._stopping.set()
                self._keep(wait(self._running).done, quietly=True)
                log.info(
                    "%s: %d of %d answered, %s tokens, cost %.4f, %d stored errors and refusals",
                    title, known + self._answered, bar.total, f"{self._tokens:,}", self._cost, self._errors,
                )  # fmt: skip

    def _send_off(self, queue: deque[Request], pool: ThreadPoolExecutor) -> None:
        while queue and len(self._running) < self._row.requests_at_once:
            # Assume an answer of the maximum length.
            cost = self._row.cost(estimate_prompt_tokens(queue[0]), queue[0].completion_limit)
            # Requests in flight may turn out cheaper than their reservations.
            if self._running and not self._budget.fits(cost):
                return
            self._budget.reserve(cost)
            request = queue.popleft()
            self._running[pool.submit(self._ask_patiently, request, cost)] = request

    def _keep(self, done: Iterable[Future[tuple[Answer, float]]], quietly: bool = False) -> None:
        finished = [(future, self._running[future]) for future in done]
        failures = [error for future, _ in finished if (error := future.exception())]
        good = [(request, *future.result()) for future, request in finished if not future.exception()]
        spent = self._budget.unrecorded
        # If nothing can be stored, the requests stay among the running ones, and are stored again at the end.
        recorded = self._cache.put_many([(request, answer) for request, answer, _ in good], spent)
        self._budget.record(spent, recorded)
        for future, _ in finished:
            del self._running[future]
        self._answered += len(good)
        for _, answer, cost in good:
            self._tokens += answer.prompt_tokens + answer.completion_tokens
            self._cost += cost
            self._errors += bool(answer.error)
        if failures and not quietly:
            raise failures[0]

    def _ask_patiently(self, request: Request, reserved: float) -> tuple[Answer, float]:
        """Return the answer and its cost; the budget is settled in every case."""
        owed = 0.0
        tries = Retrying(
            retry=retry_if_exception_type(Fault),
            stop=stop_any(stop_after_attempt(self._attempts), stop_when_event_set(self._stopping)),
            wait=self._wait,
            sleep=sleep_using_event(self._stopping),
            before_sleep=self._log_fault,
            reraise=True,
        )
        last_fault = ""
        try:
            for attempt in tries:
                with attempt:
                    if self._stopping.is_set():
                        raise _Stopped
                    if attempt.retry_state.attempt_number > 1:
                        self._budget.repeat(owed)
                        owed = 0.0
                    try:
                        answer = self._endpoint.ask(request)
                    except Fault as fault:
                        owed = reserved if fault.maybe_billed else 0.0
                        raise
                    owed = self._price(request, answer)
        except Fault as fault:
            last_fault = str(fault)
        finally:
            self._budget.settle(reserved, owed)
        if last_fault:
            raise LanguageModelError(
                f"{self._row.base_url}, model {self._row.model}: no usable answer after {self._attempts} attempts, "
                f"last seen: {last_fault}; check the server and run again: answers so far are in the cache"
            )
        return answer, owed

    def _price(self, request: Request, answer: Answer) -> float:
        if answer.prompt_tokens or answer.completion_tokens:
            return self._row.cost(answer.prompt_tokens, answer.completion_tokens)
        if not answer.text:
            return 0.0
        length = min(request.completion_limit, len(answer.text.encode()))
        return self._row.cost(estimate_prompt_tokens(request), length)

    def _wait(self, state: RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        requested = fault.retry_after if isinstance(fault, Fault) else 0.0
        # Add the back-off, so that requests with the same wait do not return all at once.
        return min(requested, LONGEST_RETRY_AFTER) + self._back_off(state)

    def _log_fault(self, state: RetryCallState) -> None:
        log.warning(
            "%s: %s; attempt %d of %d in %.1f s",
            self._row.base_url, state.outcome and state.outcome.exception(), state.attempt_number + 1, self._attempts,
            state.upcoming_sleep,
        )  # fmt: skip
