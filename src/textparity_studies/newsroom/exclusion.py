"""Choose articles to exclude so that the actor and mention ratios fall within a range (Urchs 2025, §4.2, §5.3).

Counts are arrays of shape (articles, 4) with the columns `COUNTS`; the last dimension of totals has the same four. A
choice depends only on the articles, in the order of their numbers, the range and (`remove_fewest`) the seed.

Finding the fewest articles is an integer programme with few constraints and many columns. `scipy.optimize.milp` (HiGHS)
takes a minute or more for 20,000 columns, but hundredths of a second for a few hundred, so we solve the programme on
the few columns that matter. The linear relaxation identifies them: an integer solution that moves a column away from
its relaxed value costs at least the column's reduced cost more. We solve the programme on the columns with the smallest
reduced costs and keep the others fixed. Then we add columns until the solution is proved optimal.
"""

import logging
import math
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import pyarrow as pa

from textparity.counting import GENDERS

log = logging.getLogger(__name__)

# Columns of the first core; each later core has `GROWTH` times as many.
CORE = 250
GROWTH = 4
# A limit in nodes makes the end of a long search independent of the machine. The limit in seconds is only a safety net.
NODES = 20_000
SECONDS = 120.0
# The absolute tolerance of HiGHS: a constraint may be violated by this much.
TOLERANCE = 1e-6
COUNTS = tuple(f"{gender}_{unit}" for unit in ("actors", "mentions") for gender in GENDERS)
# The columns of each ratio: feminine, masculine.
RATIOS = {"actor_ratio": (0, 1), "mention_ratio": (2, 3)}
# The paper's code weighs a one-gender article by its mentions plus this many per actor.
ACTOR_WEIGHT = 10


@dataclass(frozen=True)
class Solution:
    """Hold the best integer solution found and a proved lower bound on any cost (infinite: proved infeasible)."""

    values: np.ndarray | None
    bound: float

    def cost(self, costs: np.ndarray) -> float:
        """Compute the cost of the solution; infinite if none was found."""
        return math.inf if self.values is None else float(costs @ self.values)


def minimise(costs: np.ndarray, most: np.ndarray, rows: np.ndarray, limits: np.ndarray) -> Solution:
    """Minimise costs · x over integers x in [0, most] with rows · x ≤ limits; deterministic.

    `costs` and `most` are integers of shape (columns,); `rows` has the shape (constraints, columns). A search ends
    after `NODES` nodes or `SECONDS`. The solution is then the best so far, and its cost is above `bound`.
    """
    # Imported here, because the study's tables and figures import other names from this module and would wait for
    # SciPy.
    from scipy.optimize import linprog

    within = np.column_stack([np.zeros(len(most)), most])
    relaxed = linprog(costs, A_ub=rows, b_ub=limits, bounds=within, method="highs-ds")
    if relaxed.status != 0:
        log.debug("relaxation: %s", relaxed.message)
        return Solution(None, math.inf if relaxed.status == 2 else -math.inf)
    # Costs are integers, so the bound can be rounded up.
    best = Solution(None, math.ceil(relaxed.fun - TOLERANCE - abs(relaxed.fun) * 1e-9))
    # The cost per step of moving a column away from its bound; 0 for a column strictly between its bounds.
    steps = np.abs(relaxed.lower.marginals + relaxed.upper.marginals)
    order = np.argsort(steps, kind="stable")
    fixed = np.rint(relaxed.x)
    size = CORE
    while True:
        core = order[:size]
        values, proved = _search(costs, most, rows, limits, fixed, core)
        if values is not None and costs @ values < best.cost(costs):
            best = Solution(values, best.bound)
        if best.cost(costs) <= best.bound:
            return best
        whole = size >= len(order)
        # The core has no better solution, and any solution that leaves the core saves less than a whole unit of cost.
        if proved and (whole or best.cost(costs) - 1 < relaxed.fun + steps[order[size]] - TOLERANCE):
            return Solution(best.values, best.cost(costs))
        if whole:
            return best
        size *= GROWTH


def _search(
    costs: np.ndarray, most: np.ndarray, rows: np.ndarray, limits: np.ndarray, fixed: np.ndarray, core: np.ndarray
) -> tuple[np.ndarray | None, bool]:
    """Search for the best values, with columns outside `core` as in `fixed`; the second value is true if proved."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    values = fixed.astype(np.int64)
    values[core] = 0
    found = milp(
        costs[core],
        integrality=np.ones(len(core)),
        bounds=Bounds(0, most[core]),
        constraints=LinearConstraint(rows[:, core], -np.inf, limits - rows @ values),
        options={"mip_rel_gap": 0, "node_limit": NODES, "time_limit": SECONDS},
    )
    log.debug("core of %d columns: %s (%s nodes)", len(core), found.message, found.get("mip_node_count"))
    if found.x is None:
        return None, found.status == 2
    values[core] = np.rint(found.x).astype(np.int64)
    # Rounding may break a constraint that held within tolerance.
    if np.any(rows @ values > limits + TOLERANCE):
        return None, False
    return values, found.status == 0


@dataclass(frozen=True)
class RemovalChoice:
    """Hold the articles to remove, as positions in the order of removal, and the outcome."""

    removed: np.ndarray
    outcome: str


def ratio(feminine: np.ndarray, masculine: np.ndarray) -> np.ndarray:
    """Compute feminine / masculine, infinite if there is nothing masculine."""
    return np.divide(feminine, masculine, out=np.full(np.shape(masculine), np.inf), where=np.asarray(masculine) > 0)


def is_in_range(totals: np.ndarray, lower: float, upper: float) -> np.ndarray:
    """Check that both ratios are in [lower, upper]; the shape is that of `totals` without its last dimension."""
    values = [ratio(totals[..., feminine], totals[..., masculine]) for feminine, masculine in RATIOS.values()]
    return np.logical_and.reduce([(lower <= value) & (value <= upper) for value in values])


def remove_one_sided(counts: np.ndarray, lower: float, upper: float) -> RemovalChoice:
    """Choose as the paper's code does: one-gender articles of the overrepresented gender, the heaviest first.

    The overrepresented gender is the masculine if either ratio is too low, else the feminine. Articles are removed one
    by one until both ratios are in the range (a cumulative sum) or none is left. Ties go by article number.
    """
    totals = counts.sum(axis=0)
    if is_in_range(totals, lower, upper):
        return RemovalChoice(np.empty(0, np.int64), "in range without balancing")
    too_low = any(ratio(totals[feminine], totals[masculine]) < lower for feminine, masculine in RATIOS.values())
    excess, gender, of_gender, of_other = (
        ("masculine", 1, [1, 3], [0, 2]) if too_low else ("feminine", 0, [0, 2], [1, 3])
    )
    candidates = np.flatnonzero((counts[:, gender] > 0) & ~counts[:, of_other].any(axis=1))
    actors, mentions = counts[candidates][:, of_gender].T
    candidates = candidates[np.argsort(-(mentions + ACTOR_WEIGHT * actors), kind="stable")]
    reached = np.flatnonzero(is_in_range(totals - counts[candidates].cumsum(axis=0), lower, upper))
    if not len(reached):
        return RemovalChoice(candidates, f"not in range, though no articles with {excess} actors alone are left")
    return RemovalChoice(candidates[: reached[0] + 1], "brought into range")


def remove_fewest(counts: np.ndarray, ids: pa.ChunkedArray, lower: float, upper: float, seed: int) -> RemovalChoice:
    """Choose the fewest articles, of any kind; among such choices, one that removes the fewest mentions.

    Among articles with equal counts, those with the smallest hashes of seed and id go. Removes nothing if nothing
    helps.
    """
    nothing = np.empty(0, np.int64)
    totals = counts.sum(axis=0)
    if is_in_range(totals, lower, upper):
        return RemovalChoice(nothing, "in range without balancing")
    if missing := [gender for place, gender in enumerate(GENDERS) if not totals[place]]:
        return RemovalChoice(nothing, f"there are no {' and no '.join(missing)} actors")
    # Removing the other articles changes nothing.
    gendered = np.flatnonzero(counts.any(axis=1))
    kinds, kind_of, sizes = np.unique(counts[gendered], axis=0, return_inverse=True, return_counts=True)
    kind_of = kind_of.ravel()
    solution = solve_balance(kinds, sizes, lower, upper)
    if solution.values is None:
        if solution.bound == math.inf:
            return RemovalChoice(nothing, "no choice of articles to leave out is in range")
        return RemovalChoice(nothing, f"no choice found within {NODES:,} nodes or {SECONDS:.0f} s of the search")
    whole = solution.values == sizes
    parts = [gendered[whole[kind_of]]]
    for kind in np.flatnonzero((solution.values > 0) & ~whole):
        members = gendered[kind_of == kind]
        parts.append(_draw(members, ids.take(members).to_pylist(), int(solution.values[kind]), seed))
    removed = np.sort(np.concatenate(parts))
    fewest = (
        "the fewest articles" if len(removed) <= solution.bound else f"the fewest are {solution.bound:,.0f} or more"
    )
    return RemovalChoice(removed, f"brought into range ({fewest})")


def solve_balance(kinds: np.ndarray, sizes: np.ndarray, lower: float, upper: float) -> Solution:
    """Compute how many articles of each kind to remove: the fewest, and among such choices the fewest mentions.

    `kinds` are the counts of each kind of article, and `sizes` the number of articles of each kind. At least one item
    of each gender is kept. The bound applies to the number of articles.
    """
    totals = sizes @ kinds
    rows, limits = [], []
    for feminine, masculine in RATIOS.values():
        f, m = kinds[:, feminine], kinds[:, masculine]
        all_f, all_m = totals[feminine], totals[masculine]
        # Each removed sum is limited by that of the corpus, so that no remainder becomes negative.
        rows += [f - lower * m, upper * m - f, f, m]
        limits += [all_f - lower * all_m, upper * all_m - all_f, all_f - 1, all_m - 1]
    matrix, bounds = np.array(rows, dtype=float), np.array(limits, dtype=float)
    each = np.ones(len(kinds), np.int64)
    fewest = minimise(each, sizes, matrix, bounds)
    if fewest.values is None:
        return fewest
    count = fewest.values.sum()
    mentions = kinds[:, 2:].sum(axis=1)
    lightest = minimise(mentions, sizes, np.vstack([matrix, each]), np.append(bounds, count))
    if lightest.cost(mentions) > fewest.cost(mentions):
        lightest = Solution(fewest.values, lightest.bound)
    log.info(
        "removing %s articles (proved: at least %s needed) with %s mentions (proved: so few articles have at least %s)",
        *(f"{number:,.0f}" for number in (count, fewest.bound, lightest.cost(mentions), lightest.bound)),
    )
    return Solution(lightest.values, fewest.bound)


def _draw(members: np.ndarray, ids: list[str], count: int, seed: int) -> np.ndarray:
    """Choose the `count` members whose ids have the smallest hashes."""
    prefix = blake2b(f"{seed}\0newsroom.balance\0".encode(), digest_size=16)
    digests = []
    for name in ids:
        hashed = prefix.copy()
        hashed.update(name.encode())
        digests.append(hashed.digest())
    return members[sorted(range(len(members)), key=digests.__getitem__)[:count]]
