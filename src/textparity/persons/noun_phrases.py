"""Read from the parse of a noun how it refers: to somebody known, to somebody new or to nobody in particular."""

from typing import TYPE_CHECKING

from textparity.persons.agreement import is_plural

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# Words before a noun for somebody new, or for nobody in particular.
_INDEFINITE = frozenset({"a", "an", "another", "un", "une", "una", "no", "some", "any", "every", "each", "such"})
_ROLES_OF_DETERMINERS = frozenset({"det", "predet", "poss", "det:poss", "nmod:poss", "nummod"})
_ROLES_OF_OWNERS = frozenset({"det", "poss", "det:poss", "nmod:poss"})


def find_article(doc: "Doc") -> "Token | None":
    """Find the first article of a text. None in a language without articles."""
    for token in doc:
        if token.pos_ == "DET" and token.morph.get("Definite"):
            return token
    return None


def is_indefinite(token: "Token", has_articles: bool, has_bare_singulars: bool) -> bool:
    """Check whether a noun refers to nobody who was mentioned before.

    `has_articles`: nouns of the language have articles, so that a plural without one is anyone (*men*).
    `has_bare_singulars`: a singular without one is nobody known (*the history of man*), unless it is a form of address.
    """
    children = list(token.children)
    if any(map(_is_indefinite_word, children)):
        return True
    if not has_articles:
        return False
    determiners = [child for child in children if child.i < token.i and _is_determiner(child)]
    if determiners:
        return any(child.dep_ == "nummod" for child in determiners)
    is_kept = token.text[:1].isupper() or _stands_alone(token)
    return is_plural(token) or (has_bare_singulars and not is_kept)


def is_definite(token: "Token") -> bool:
    """Check whether an article, a demonstrative or a possessive shows that a noun refers to somebody known."""
    return any(map(_is_definite_word, token.children))


def owner_in(token: "Token") -> "Token | None":
    """Find the word for the person to whom somebody is a relative or a servant (*her* in *her mother*)."""
    for child in token.children:
        if child.dep_ in _ROLES_OF_OWNERS and (child.dep_ != "det" or _is_possessive(child)):
            return child
    return None


def is_coordinated(token: "Token") -> bool:
    """Check whether a noun is one of several that are joined (*the father and son*)."""
    return token.dep_ == "conj" or any(child.dep_ == "conj" for child in token.children)


def is_restricted(token: "Token") -> bool:
    """Check whether a relative clause without a comma shows who is meant (*the man who knew too much*)."""
    for child in token.children:
        if child.dep_ in ("relcl", "acl:relcl") and not any(word.is_punct for word in token.doc[token.i + 1 : child.i]):
            return True
    return False


def _is_determiner(token: "Token") -> bool:
    # In French "du père", the article is part of the preposition.
    return token.dep_ in _ROLES_OF_DETERMINERS or "Def" in token.morph.get("Definite")


def _is_indefinite_word(token: "Token") -> bool:
    return token.lower_ in _INDEFINITE or "Ind" in token.morph.get("Definite")


def _is_definite_word(token: "Token") -> bool:
    is_article = "Def" in token.morph.get("Definite")
    is_demonstrative = token.dep_ == "det" and "Dem" in token.morph.get("PronType")
    return is_article or is_demonstrative or _is_possessive(token)


def _is_possessive(token: "Token") -> bool:
    return token.dep_ == "poss" or "Yes" in token.morph.get("Poss")


def _stands_alone(token: "Token") -> bool:
    """Check whether punctuation stands on both sides of a noun, as in a form of address (*Surely, uncle, …*)."""
    doc = token.doc
    start = token.left_edge.i
    after = token.i + 1
    is_first = start == 0 or doc[start - 1].is_punct or doc[start - 1].is_space
    is_last = after == len(doc) or doc[after].is_punct
    return is_first and is_last
