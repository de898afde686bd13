"""Verbs of saying."""

from textparity.studies.newsroom.annotations import Annotation
from textparity.studies.newsroom.word_lists import WordLists


def is_saying(article: Annotation, place: int, words: WordLists) -> bool:
    """Whether a token is a verb of saying, with its separated prefix: kündigte … an."""
    if article.parts_of_speech[place] not in ("VERB", "AUX"):
        return False
    lemma = article.lemmas[place].lower()
    prefixes = [
        article.lemmas[child].lower()
        for child in article.children[place]
        if article.dependencies[child] in article.scheme.separable_prefix
    ]
    verbs = words.verbs_of_saying
    return any(prefix + lemma in verbs for prefix in prefixes) if prefixes else lemma in verbs
