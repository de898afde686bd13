"""Compute estimates with their uncertainty, tests and verdicts from counts per unit (such as a text or a document).

This is the only place for statistics. Everything here works on counts and does not know what was counted.
"""

# Fewer resamples are not enough for an interval. More do not change any printed digit, and take ever more time and
# memory.
LEAST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
