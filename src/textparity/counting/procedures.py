"""What all figures have in common: the two ways each is computed, and the resamples of its interval.

`published` is the paper's procedure with its slips, `corrected` ours; a study's documentation says where they differ.
"""

PROCEDURES = ("published", "corrected")
# A third one where a lexicon is counted: as corrected, by a revision of the lexicon.
REVISED = "revised"

# Fewer make no interval; more change no digit that is shown, and cost time and memory without end.
LEAST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
