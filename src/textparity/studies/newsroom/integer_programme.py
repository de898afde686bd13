"""Integer programmes with very few constraints and many columns, solved on the few columns that matter.

`scipy.optimize.milp` (HiGHS) takes a minute or more for 20,000 columns, and hundredths of a second for a few hundred.
The linear relaxation says which those are: a whole solution that moves a column away from where the relaxation has it
costs at least the column's reduced cost more. So the programme is solved on the columns whose reduced cost is smallest,
with the others fixed, and on more of them until the solution is proved to be the best of all.
"""

import logging
import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

log = logging.getLogger(__name__)

# Columns of the first core; each further one has so many times as many.
CORE = 250
GROWTH = 4
# Nodes of a search, so that the end of a long one does not depend on the machine; seconds are the emergency brake.
NODES = 20_000
SECONDS = 120.0
# HiGHS' own, absolute: a constraint may be missed by so much.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Solution:
    """The best whole solution found, and what none costs less than (infinite: it is proved that there is none)."""

    values: np.ndarray | None
    bound: float

    def cost(self, costs: np.ndarray) -> float:
        """Return what the solution costs, infinite if none was found."""
        return math.inf if self.values is None else float(costs @ self.values)


def minimise(costs: np.ndarray, most: np.ndarray, rows: np.ndarray, limits: np.ndarray) -> Solution:
    """Return whole numbers x in [0, most] with rows · x ≤ limits that minimise costs · x; deterministic.

    `costs` and `most` are whole numbers of shape (columns,), `rows` has the shape (constraints, columns). A search
    ends after `NODES` nodes or `SECONDS`; the solution is then the best so far, and its cost above `bound`.
    """
    within = np.column_stack([np.zeros(len(most)), most])
    relaxed = linprog(costs, A_ub=rows, b_ub=limits, bounds=within, method="highs-ds")
    if relaxed.status != 0:
        log.debug("relaxation: %s", relaxed.message)
        return Solution(None, math.inf if relaxed.status == 2 else -math.inf)
    # Costs are whole.
    best = Solution(None, math.ceil(relaxed.fun - TOLERANCE - abs(relaxed.fun) * 1e-9))
    # Of a column at either end, how much each step away from it costs; 0 for one between them.
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
        # Within the core there is no better one, and whatever leaves it does not cost a whole one less.
        if proved and (whole or best.cost(costs) - 1 < relaxed.fun + steps[order[size]] - TOLERANCE):
            return Solution(best.values, best.cost(costs))
        if whole:
            return best
        size *= GROWTH


def _search(
    costs: np.ndarray, most: np.ndarray, rows: np.ndarray, limits: np.ndarray, fixed: np.ndarray, core: np.ndarray
) -> tuple[np.ndarray | None, bool]:
    """Return the best values found with all columns but `core` as in `fixed`, and whether that is proved."""
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
    # Rounding may break what was met within tolerances.
    if np.any(rows @ values > limits + TOLERANCE):
        return None, False
    return values, found.status == 0
