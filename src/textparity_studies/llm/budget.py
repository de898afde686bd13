"""Control the cost of requests: estimate it in advance, count it, and stop before the limit."""

import math
import threading
from dataclasses import astuple, dataclass

from textparity.errors import BudgetExceededError
from textparity_studies.llm.cache import NOTHING_SPENT, Spending
from textparity_studies.llm.messages import Request
from textparity_studies.llm.models import ModelRow

# The usual estimate is four characters of English per token. Bytes give the same for English, and are much closer for
# other scripts, in which a character has up to three bytes and is often a token.
BYTES_PER_TOKEN = 4


def estimate_prompt_tokens(request: Request) -> int:
    """Estimate the prompt's tokens as its UTF-8 bytes over four. Only the server's own count is exact."""
    texts = [request.prompt] if isinstance(request.prompt, str) else [str(m["content"]) for m in request.prompt]
    return sum(math.ceil(len(text.encode()) / BYTES_PER_TOKEN) for text in texts)


@dataclass(frozen=True)
class Estimate:
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
    def of(cls, requests: list[Request], row: ModelRow, in_cache: int = 0) -> "Estimate":
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

    def __add__(self, other: "Estimate") -> "Estimate":
        return Estimate(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


class Budget:
    """Limit the cost (in the currency of the model rows) and the number of requests, including repeated attempts.

    None means no limit. A request's maximum cost is reserved before it is sent, and replaced by the actual cost
    afterwards, so the limit holds while many are in flight. One object may serve several calls and threads. `before` is
    the spending of earlier runs (`ResponseCache.spending`).
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
            self.spent += cost

    def repeat(self, cost: float) -> None:
        """Count one more attempt, after one of the given cost, or raise `BudgetExceededError`.

        The amount reserved for the request stays reserved until it is settled.
        """
        with self._lock:
            self._count_request(cost)
            self.spent += cost

    def take_unrecorded(self) -> Spending:
        """Return the spending since the last call, for the caller to record."""
        with self._lock:
            now, before = Spending(self.requests, self.spent), self._recorded
            self._recorded = now
        return now.minus(before)

    def give_back(self, spending: Spending) -> None:
        """Take back spending that could not be recorded."""
        with self._lock:
            self._recorded = self._recorded.minus(spending)

    def count_others(self, spending: Spending) -> None:
        """Count the spending that other processes have recorded."""
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
        # Sums of floats differ in their last digits, which must not decide.
        if self.maximum_cost is not None and committed + cost > self.maximum_cost * (1 + 1e-9):
            return (
                f"{self.spent:.4f} is spent through this cache, the next request may cost {cost:.4f} more, and "
                f"{self.maximum_cost:.4f} is allowed"
            )
        return ""
