"""What marks speech: spans between quotation marks of any style, and speech verbs."""

from textparity.studies.newsroom.annotations import Annotation
from textparity.studies.newsroom.word_lists import WordLists

# Opening mark: closing marks. German, French and Swiss, English, typewriter.
_PAIRS = {"„": '“”"', "»": "«", "«": "»", "“": "”", "”": "”", '"': '"', "›": "‹", "‚": "‘’"}
OPENING_MARKS = frozenset(_PAIRS)
_LONGEST_QUOTE_SENTENCES = 12


def find_marked_spans(article: Annotation) -> list[tuple[int, int]]:
    """Return the spans between quotation marks, marks included, not nested."""
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    for place, token in enumerate(article.tokens):
        if opened is not None and article.sentence_of[place] - article.sentence_of[opened] > _LONGEST_QUOTE_SENTENCES:
            opened = None
        if opened is None:
            if token in _PAIRS and _opens(article, place):
                opened = place
        elif token in _PAIRS[article.tokens[opened]] and place > opened + 1 and _closes(article, place):
            spans.append((opened, place + 1))
            opened = None
        elif token == article.tokens[opened] and _opens(article, place):
            # The first was never closed.
            opened = place
    return spans


def _opens(article: Annotation, place: int) -> bool:
    if article.tokens[place] in "„‚":
        return True
    return not article.spaces[place] and (
        place == 0 or article.spaces[place - 1] or article.tokens[place - 1] in ("(", ":", "–", "-", "/")
    )


def _closes(article: Annotation, place: int) -> bool:
    return not article.spaces[place - 1]


def has_finite_verb(article: Annotation, start: int, end: int) -> bool:
    """Whether there is a finite verb among tokens `start` to `end`."""
    return any(
        article.parts_of_speech[place] in ("VERB", "AUX") and article.features[place].get("VerbForm") == "Fin"
        for place in range(start, end)
    )


def is_speech_verb(article: Annotation, place: int, words: WordLists) -> bool:
    """Whether a token is a speech verb, with its separated prefix: kündigte … an."""
    if article.parts_of_speech[place] not in ("VERB", "AUX"):
        return False
    lemma = article.lemmas[place].lower()
    prefixes = [
        article.lemmas[child].lower()
        for child in article.children[place]
        if article.dependencies[child] in article.scheme.separable_prefix
    ]
    verbs = words.all_speech_verbs
    return any(prefix + lemma in verbs for prefix in prefixes) if prefixes else lemma in verbs
