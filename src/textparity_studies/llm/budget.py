"""What asking costs: estimated before, counted while it is done, stopped before it is too much."""

import math
import threading
from dataclasses import astuple, dataclass

from textparity.errors import BudgetExceededError
from textparity_studies.llm.cache import NOTHING_SPENT, Spending
from textparity_studies.llm.messages import Request
from textparity_studies.llm.models import ModelRow

# The usual rule of thumb is four characters of English a token. Bytes say the same for English and are much closer
# for other scripts, where a character is up to three bytes and often a token.
BYTES_PER_TOKEN = 4


def estimate_prompt_tokens(request: Request) -> int:
    """Return an estimate of the prompt's tokens: its UTF-8 bytes over four. Only the server's own count is exact."""
    texts = [request.prompt] if isinstance(request.prompt, str) else [str(m["content"]) for m in request.prompt]
    return sum(math.ceil(len(text.encode()) / BYTES_PER_TOKEN) for text in texts)


@dataclass(frozen=True)
class Estimate:
    """What asking would take: a dry run. A request that is asked more than once counts once.

    `completion_tokens` assumes the longest answers allowed, so the cost is usually an upper bound; the prompt's tokens
    are estimated from its length.
    """

    in_cache: int = 0
    to_send: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    @classmethod
    def of(cls, requests: list[Request], row: ModelRow, in_cache: int = 0) -> "Estimate":
        """Return what sending `requests` would take, besides those that are `in_cache`."""
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

    def __add__(self, other: "Estimate") -> "Estimate":
        return Estimate(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


class Budget:
    """A limit on cost (in the currency of the model rows) and on requests sent, repeated attempts included.

    None is no limit. What a request may cost is reserved before it is sent and corrected by what it did cost, so the
    limit holds while many are under way. One object may serve several calls and threads. `before` is what earlier
    runs have used (`ResponseCache.spending`).
    """

    def __init__(
        self,
        maximum_cost: float | None = None,
        maximum_requests: int | None = None,
        before: Spending = NOTHING_SPENT,
    ) -> None:
        self.maximum_cost = maximum_cost
        self.maximum_requests = maximum_requests
        self.requests, self.spent = before
        self._recorded = before
        self._reserved = 0.0
        self._lock = threading.Lock()

    def fits(self, cost: float) -> bool:
        """Whether one more request of this estimated cost stays within the limits."""
        with self._lock:
            return not self._reason(cost)

    def reserve(self, cost: float) -> None:
        """Count one more request and set its estimated cost aside, or raise `BudgetExceededError`."""
        with self._lock:
            self._count_request(cost)
            self._reserved += cost

    def settle(self, reserved: float, cost: float) -> None:
        """Replace what was set aside for a request by what it did cost."""
        with self._lock:
            self._reserved -= reserved
            self.spent += cost

    def repeat(self, cost: float) -> None:
        """Count one more attempt, after one that did cost `cost`, or raise `BudgetExceededError`.

        What was set aside for the request stays so, and is still to be settled.
        """
        with self._lock:
            self._count_request(cost)
            self.spent += cost

    def take_unrecorded(self) -> Spending:
        """Return what was used since the last call, for the caller to write down."""
        with self._lock:
            now, before = Spending(self.requests, self.spent), self._recorded
            self._recorded = now
        return now.minus(before)

    def give_back(self, spending: Spending) -> None:
        """Take back what could not be written down."""
        with self._lock:
            self._recorded = self._recorded.minus(spending)

    def count_others(self, spending: Spending) -> None:
        """Count what other processes have used, who wrote it down themselves."""
        with self._lock:
            self.requests += spending.requests
            self.spent += spending.cost
            self._recorded = self._recorded.plus(spending)

    def _count_request(self, cost: float) -> None:
        if reason := self._reason(cost):
            raise BudgetExceededError(
                f"budget: {reason}; all answers so far are in the cache, so raise the limit and run again to get only "
                "the rest"
            )
        self.requests += 1

    def _reason(self, cost: float) -> str:
        if self.maximum_requests is not None and self.requests >= self.maximum_requests:
            return f"{self.requests:,} requests were sent through this cache, and {self.maximum_requests:,} are allowed"
        committed = self.spent + self._reserved
        # Sums of floats differ in their last digits, which are worth nothing.
        if self.maximum_cost is not None and committed + cost > self.maximum_cost * (1 + 1e-9):
            return (
                f"{self.spent:.4f} is spent through this cache, the next request may cost {cost:.4f} more, and "
                f"{self.maximum_cost:.4f} is allowed"
            )
        return ""
