"""The `swapping` study (Nahurna and Romanyshyn 2025): gender swapping and balanced entity recognition for Ukrainian."""

SWAPPING_LANGUAGE = "ukr"
# As `swapping.swapped`: the sentences that the rule-based swapper makes here, no row of a table.
RULES = "rules"
# Its outputs are the inputs: what a score is worth where nothing is swapped.
UNCHANGED = "unchanged"
