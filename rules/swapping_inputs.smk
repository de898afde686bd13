"""Functions for the rules of the `swapping` study: their inputs and params; no rules."""


def of_ner_runs(path):
    """Return the files of all trainings."""
    return [
        path.format(procedure=procedure, data=data, seed=seed)
        for procedure, data, seed in NER_RUNS
    ]


def recognized(path):
    """Return the tables for the ledger; what is found in another corpus is not the paper's."""
    return path if RECOGNITION_ON and IS_PAPERS_CORPUS else []
