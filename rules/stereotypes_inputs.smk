"""Functions for the rules of the `stereotypes` study: their inputs and params; no rules."""


def all_sets(wildcards):
    """Return the sentences of all sets of a lexicon and a generator."""
    return collect(ACCEPTED_SENTENCES, number=SET_NUMBERS, **wildcards)


def classifier_row(wildcards):
    """Return the row of a classifier."""
    return asdict(CLASSIFIER_ROWS[wildcards.classifier])
