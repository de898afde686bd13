"""Load parallel texts and word lists for tools that check lists, fetched into the user's cache as in an audit."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from zlib import crc32

from textparity.auditing.languages import PACKAGE_FOLDER, fetch_cached, find_lexicon, find_tokenizer, load_registry
from textparity.corpora.reading import read_document_ids
from textparity.counting import OWN_LEXICON, REVISED
from textparity.counting.lexicon import Lexicon, read_lexicon, revised_terms, terms_of
from textparity.counting.name_rules import load_name_rules
from textparity.counting.precision import layers_off
from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.counting.text_counter import TextCounter
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import ConfigError, MissingResourceError
from textparity.folding import load_folding
from textparity.sources.archives import open_member
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry


@cache
def load_study_registry() -> StudyRegistry:
    """Load all tables of the repository, whatever the working directory has."""
    tables = {name: str(PACKAGE_FOLDER / path) for name, path in Tables().model_dump().items()}
    return StudyRegistry(tables, base=PACKAGE_FOLDER)


def read_lines(corpus: str, lang: str) -> list[str]:
    """Read the lines of a corpus in a language.

    Raises `FetchError` if the file cannot be fetched, and `MissingResourceError` if an archive lacks the language.
    """
    file = load_study_registry().corpus_file(corpus, lang)
    path = fetch_cached(file, {file.member: file.member_sha256} if file.member else None)
    if file.member:
        with open_member(path, file.member) as stream:
            content = stream.read().decode("utf-8")
    else:
        content = path.read_text("utf-8")
    # Other line ends, such as U+2028, occur within lines.
    return content.removesuffix("\n").split("\n")


def half_of(name: str) -> str:
    """Return the half of a line (`ntrex/000001` is the first): `development`, which authors may read, or `kept`."""
    return "kept" if crc32(name.encode()) % 2 else "development"


def read_documents(corpus: str, lines: int) -> Sequence[str]:
    """Read the document of each line; each line is a document of its own if the corpus or the archive names none."""
    registry = load_study_registry()
    numbers = [str(number) for number in range(lines)]
    file = registry.document_ids_file(corpus)
    if file is None:
        return numbers
    # Only what the lines need is pinned in an archive.
    members: dict[str, str] | None = {} if file.member else None
    try:
        path = fetch_cached(replace(file, member=""), members)
        return read_document_ids(path, registry.corpora[corpus].document_ids, bool(file.member))
    except MissingResourceError:
        return numbers


def load_terms(lang: str) -> list[Term]:
    """Load the terms of all layers of our lexicon; raises `ConfigError` for a language without a lexicon."""
    files = find_lexicon(OWN_LEXICON, lang)
    if files is None:
        raise ConfigError(f"{lang} has no lexicon; see resources/registry/lexicons.tsv")
    entries = read_lexicon(files.nouns) if files.nouns else []
    if files.table is None:
        return terms_of(entries)
    return revised_terms(entries, files.table, load_registry().languages[lang].first_names)


def load_counter(lang: str) -> TextCounter:
    """Load the counter of a language for the method `words`, without the disabled layers."""
    layers = [layer for layer in LAYERS if layer not in layers_off(lang)]
    tokenizer, _ = find_tokenizer("icu", lang)
    folding = load_folding(lang)
    matcher = TermMatcher(load_terms(lang), layers, folding, load_name_rules(lang))
    return TextCounter(load_tokenizer(tokenizer, None), Lexicon([]), False, matcher, (REVISED,), folding)
