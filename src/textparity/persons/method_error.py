"""placeholder until the branch `errors` is merged"""

from dataclasses import dataclass

from textparity.measures.statistics import Interval


@dataclass(frozen=True)
class MethodError:
    log_sd: float
    corpora: tuple[str, ...]
    clusters: int
    assumed: bool


def load_method_error(method: str, lang: str) -> MethodError | None:
    return MethodError(0.3, ("GUM",), 3, lang != "eng")


def widen(share: float, interval: Interval, error: MethodError, confidence_level: float) -> Interval:
    return interval
