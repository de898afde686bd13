"""The word lists of the study: those of the library's rules of actors, and three that only the study uses."""

from dataclasses import dataclass
from pathlib import Path

from textparity.persons.actor_languages import WordLists, load_word_lists, read_genders
from textparity.persons.rules import read_word_list
from textparity_studies.newsroom.languages import PAPER_LANGUAGE


@dataclass(frozen=True)
class StudyWordLists(WordLists):
    """All lists, in lower case. `coded_stems` maps a stem to its gender."""

    coded_stems: dict[str, str]
    stop_words: frozenset[str]
    person_nouns: frozenset[str]


def load_study_lists(
    coded_stems: Path, stop_words: Path, person_nouns: Path, lang: str = PAPER_LANGUAGE, **word_lists: Path
) -> StudyWordLists:
    """Read the lists. `word_lists` are those of the library's `load_word_lists`.

    Raises an error with the file of a wrong list.
    """
    return StudyWordLists(
        **vars(load_word_lists(**word_lists, lang=lang)),
        # For some languages, no list has been published.
        coded_stems=read_genders(coded_stems, "stem", "coding", may_be_empty=True),
        stop_words=read_word_list(stop_words),
        person_nouns=read_word_list(person_nouns),
    )
