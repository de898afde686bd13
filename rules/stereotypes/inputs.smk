"""Functions for the rules of the `stereotypes` study: their inputs and params; no rules."""

from textparity.studies.stereotypes.availability import (
    select_coded_lexicons,
    select_generators,
)


def all_sets(wildcards):
    """Return the sentences of all sets of a lexicon and a generator."""
    return collect(ACCEPTED_SENTENCES, number=SET_NUMBERS, **wildcards)


def classifier_row(wildcards):
    """Return the row of a classifier."""
    return asdict(CLASSIFIER_ROWS[wildcards.classifier])


def sentence_prompt(generator):
    """Return the parts of the prompt for sentences that are sent; an empty list for one that there is not."""
    mode = LANGUAGE_MODELS[generator].mode
    files = REGISTRY.prompt_files(STEREOTYPES.prompt, "eng", mode)
    return {
        part: files[part].path if part in files else [] for part in ("prompt", "system")
    }
