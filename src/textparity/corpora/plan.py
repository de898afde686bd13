"""Functions for the rules that fetch and read files: their inputs and params; no rules."""

from textparity.workflow.registry import LOCK

# In the working directory, to be kept under version control.
LOCK_FILE = "sources.lock.tsv"


def pinned_hash(wildcards):
    """Return the sha256 of a source's file, or nothing where its members or the lock file pin it."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return "".join(
        file.sha256 for file in files if not file.member and file.sha256 != LOCK
    )


def lock_file(wildcards):
    """Return the lock file for a source's file without a known sha256, or nothing."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return LOCK_FILE if any(file.sha256 == LOCK for file in files) else ""


def pinned_members(wildcards):
    """Return the sha256 of each member of a source's archive."""
    files = REGISTRY.source_files.get((wildcards.source, wildcards.path), [])
    return {file.member: file.sha256 for file in files if file.member}


def corpus_source(wildcards):
    """Return the file of a corpus in a language."""
    return paths_of([REGISTRY.corpus_file(wildcards.corpus, wildcards.lang)])[0]


def document_ids_path(wildcards):
    """Return the file of a corpus' document ids, as a list of no or one path."""
    file = REGISTRY.document_ids_file(wildcards.corpus)
    return [file.path] if file else []
