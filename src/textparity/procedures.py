"""The two ways every figure is computed, and their order wherever both stand.

`published` is the paper's procedure with its slips, `corrected` ours; a study's documentation says where they differ.
"""

PROCEDURES = ("published", "corrected")
