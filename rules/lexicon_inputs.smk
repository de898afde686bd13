"""Functions for the rules of the `lexicon` study: their inputs and params; no rules."""


def summary_of(corpus):
    """Return the summary that fills the tables and figures."""
    return SUMMARY.format(corpus=corpus, engine=main_engine(corpus))
