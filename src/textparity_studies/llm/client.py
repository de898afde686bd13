"""The one client for all language models: it requests what is not in the cache, many requests at a time."""

import logging
import os
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing

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

from textparity.errors import LanguageModelError
from textparity.progress import progress_bar
from textparity_studies.llm.budget import Budget, estimate_prompt_tokens
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.endpoint import Endpoint, Fault
from textparity_studies.llm.local import serving
from textparity_studies.llm.messages import Answer, Request
from textparity_studies.llm.models import ModelRow

log = logging.getLogger(__name__)

ATTEMPTS = 6
# A server may request any wait; beyond this, another attempt is a better use of the time.
LONGEST_RETRY_AFTER = 600.0
LONGEST_BACK_OFF = 60.0


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
            _check(request, model_row)
        with serving(model_row) as address, closing(Endpoint(model_row, address, environment)) as endpoint:
            asking = _Asking(model_row, cache, budget or Budget(), endpoint, attempts, wait_seconds)
            asking.ask(missing.values(), title, known=len(answers))
        # Read the cache again: if another process was first, its answer is the one that counts.
        answers |= cache.get_many(missing)
    return [answers[digest] for digest, _ in wanted]


def _check(request: Request, row: ModelRow) -> None:
    # A key must only go to the server for which it is meant.
    if (request.base_url, request.model, request.mode) != (row.base_url, row.model, row.mode):
        raise LanguageModelError(
            f"a request for {request.model} at {request.base_url} ({request.mode}) cannot go to the model row "
            f"{row.name}, which is {row.model} at {row.base_url} ({row.mode}); make requests with Request.to_model"
        )


class _Stopped(Exception):
    """Signal that another request has ended the run while this one waited for its next attempt."""


class _Asking:
    """Run one call of `ask_all`: only this thread submits, stores and counts; the others wait for the server."""

    def __init__(
        self,
        row: ModelRow,
        cache: ResponseCache,
        budget: Budget,
        endpoint: Endpoint,
        attempts: int,
        wait_seconds: float,
    ) -> None:
        self._row = row
        self._cache = cache
        self._budget = budget
        self._endpoint = endpoint
        self._stopping = threading.Event()
        self._attempts = attempts
        self._back_off = wait_exponential(wait_seconds, max=LONGEST_BACK_OFF) + wait_random(0, wait_seconds)
        self._running: dict[Future[tuple[Answer, float]], Request] = {}
        self._total = cache.spending()
        self._tokens = 0
        self._cost = 0.0
        self._errors = 0
        self._answered = 0

    def ask(self, requests: Iterable[Request], title: str, known: int) -> None:
        queue = deque(requests)
        bar = progress_bar(known + len(queue), title, "requests")
        # Cached answers count as done, but not towards the speed. The line needs room for tokens and cost.
        bar.n = bar.initial = known
        bar.ncols = 140
        threads = ThreadPoolExecutor(self._row.requests_at_once, thread_name_prefix="llm")
        with bar, threads as pool:
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
                    "%s: %d of %d answered, %s tokens, cost %.4f, %d kept errors and refusals",
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
        spent = self._budget.take_unrecorded()
        try:
            total = self._cache.put_many([(request, answer) for request, answer, _ in good], spent)
        except BaseException:
            # Nothing was stored, so the requests stay among the running ones, and are stored again at the end.
            self._budget.give_back(spent)
            raise
        for future, _ in finished:
            del self._running[future]
        self._budget.count_others(total.minus(self._total).minus(spent))
        self._total = total
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
            before_sleep=self._say,
            reraise=True,
        )
        seen = ""
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
            seen = str(fault)
        finally:
            self._budget.settle(reserved, owed)
        if seen:
            raise LanguageModelError(
                f"{self._row.base_url}, model {self._row.model}: no usable answer after {self._attempts} attempts, "
                f"last seen: {seen}; check the server and run again: answers so far are in the cache"
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
        asked = fault.retry_after if isinstance(fault, Fault) else 0.0
        back_off = self._back_off(state)
        # Add the back-off, so that requests with the same wait do not return all at once.
        return min(asked, LONGEST_RETRY_AFTER) + back_off

    def _say(self, state: RetryCallState) -> None:
        log.warning(
            "%s: %s; attempt %d of %d in %.1f s",
            self._row.base_url, state.outcome and state.outcome.exception(), state.attempt_number + 1, self._attempts,
            state.upcoming_sleep,
        )  # fmt: skip
