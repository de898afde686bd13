"""Define what all figures share: the two procedures by which each is computed, and the resamples of its interval.

`published` is the paper's procedure with the errors in its code, `corrected` is ours. The documentation of each study
lists the differences.
"""

PROCEDURES = ("published", "corrected")
# A third procedure for counts of a lexicon: like `corrected`, with a revision of the lexicon.
REVISED = "revised"

# Fewer resamples are not enough for an interval. More do not change any printed digit, and take ever more time and
# memory.
LEAST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
