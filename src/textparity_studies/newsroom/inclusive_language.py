"""Find gender-inclusive forms and the generic masculine, per article (Urchs 2025, §2.3).

`published` is the paper's public code. It tries its pattern only on single tokens with capitals at the beginning and
after a sign, and small letters elsewhere (str.istitle). Lehrer:innen, Lehrer*innen, Lehrer_innen and LehrerInnen do not
meet this. Among the usual spellings, only the star before a capital remains (Lehrer*Innen): spaCy splits Lehrer:Innen
and Lehrer/Innen into three tokens each, and in Lehrer_Innen no word ends at the sign, as the pattern requires. The
pattern also matches words like Gewinn and Beginn. An article with three matches "uses gender-neutral language". Every
article with a noun of five letters and no match has "generic masculine usage".
"""

import re

from textparity.persons.annotations import Annotation
from textparity_studies.newsroom.languages import PAPER_LANGUAGE
from textparity_studies.newsroom.word_lists import StudyWordLists

# The label for all spellings together; the paper's check distinguishes no others.
ALL_SPELLINGS = "all"
_PUBLISHED_PATTERN = re.compile(r"\b\w*(?:[:*/_]|[iI]n{2})(?:nen)?\b")
_PUBLISHED_LEAST = 3
_SIGN = r"[:*_·•]"
_FRENCH_ENDINGS = r"(?:e|ne|le|te|se|fe|ve|trice|rice|euse|ère|esse)"
_FRENCH_AND = r"(?:et|ou) (?:(?:les|des|aux|de|ces|ses) |d['’])?"
_GERMAN_FORMS = {
    # The ending -In covers women and men (KollegIn). The excluded words are English.
    "inner capital": re.compile(
        r"\b(?!(?:Linked|Plug|Log|Check|Built|Drive|Opt|Add|Sign|Fade)In\b)[A-ZÄÖÜ][\wäöüß-]*[a-zäöüß]In(?:nen)?\b"
    ),
    # After a colon, a capital In may begin a sentence that lacks the space before it.
    "sign": re.compile(
        rf"\b[A-ZÄÖÜ][\wäöüß-]*[a-zäöüß](?:{_SIGN}(?:[iI]nnen|in|r|n)|[*_·•]In)\b|\b\w+{_SIGN}\w*[iI]nnen\b"
    ),
    "slash": re.compile(r"\b[A-ZÄÖÜ][\wäöüß-]*[a-zäöüß]/-?[iI]n(?:nen)?\b|\b[A-ZÄÖÜ][\wäöüß-]*\([iI]n(?:nen)?\)"),
    "pair": re.compile(
        r"\b([A-ZÄÖÜ][a-zäöüß-]{2,})innen (?:und|oder|sowie|bzw\.) (?:[a-zäöüß]+ )?\1|"
        r"\b([A-ZÄÖÜ][a-zäöüß-]{2,}?)(?:e?n|er)? (?:und|oder|sowie|bzw\.) (?:[a-zäöüß]+ )?\2\w{0,2}innen\b"
    ),
    # Participles that replace an older noun. Others (Reisende, Beschäftigte) have no older noun.
    "participle": re.compile(
        r"\b(?:\w*(?:[Ss]tudierende|[Ll]ehrende|[Mm]itarbeitende|[Tt]eilnehmende|[Ff]orschende|[Aa]uszubildende|"
        r"[Dd]ozierende|[Pp]flegende|[Zz]uhörende|[Ww]ählende|[Dd]emonstrierende|[Gg]eflüchtete|[Mm]itwirkende|"
        r"[Ll]ernende|[Ff]ahrende|[Rr]adfahrende))[nrs]?\b"
    ),
}

_ENGLISH_FORMS = {
    "pair": re.compile(
        r"\b(?:(?:he|him|his|himself)(?: or |/)(?:she|hers?|herself)|"
        r"(?:she|hers?|herself)(?: or |/)(?:he|him|his|himself)|"
        r"s/he|(\w{2,})(?:men and \1women|women and \1men|boys and \1girls|girls and \1boys|man or \1woman))\b",
        re.IGNORECASE,
    ),
    "person": re.compile(
        r"\b(?:chair|spokes|sales|business|states|congress|council|crafts|lay|news|camera)(?:persons?|people)\b",
        re.IGNORECASE,
    ),
    "x": re.compile(r"\b(?:Latinx|womxn|folx|Mx)\b"),
}
_FRENCH_FORMS = {
    "dot": re.compile(rf"\b\w+[·•‧]{_FRENCH_ENDINGS}(?:[·•‧.-]?s)?\b|\b\w{{3,}}\.{_FRENCH_ENDINGS}\.?s\b"),
    "hyphen": re.compile(rf"\b\w{{3,}}-{_FRENCH_ENDINGS}-s\b"),
    "slash": re.compile(rf"\b\w{{3,}}/{_FRENCH_ENDINGS}s?\b|\b\w{{3,}}\({_FRENCH_ENDINGS}\)s?"),
    "pair": re.compile(
        r"\b(?:celles et ceux|ceux et celles|toutes et tous|tous et toutes|chacune et chacun|chacun et chacune)\b|"
        rf"\b(\w{{3,}}){_FRENCH_ENDINGS}s {_FRENCH_AND}\1(?!{_FRENCH_ENDINGS}s)\w{{0,4}}s\b|"
        rf"\b(\w{{3,}}?)(?:s|[ei]?[nr]s|eurs|fs|x) {_FRENCH_AND}\2\w?{_FRENCH_ENDINGS}s\b",
        re.IGNORECASE,
    ),
    "pronoun": re.compile(r"\biels?\b", re.IGNORECASE),
}
INCLUSIVE_FORMS = {"deu": _GERMAN_FORMS, "eng": _ENGLISH_FORMS, "fra": _FRENCH_FORMS}
# These words have no plural.
_ALL_PEOPLE = frozenset({"mankind", "manpower"})
# Map the ending of a masculine noun to that of its feminine; the first match applies.
_FEMININES = {
    "deu": (("e", "innen"), ("", "innen")),
    "eng": (("man", "wom"), ("", "womankind")),
    "fra": (
        *(("teur", "trice"), ("eur", "euse"), ("er", "ère"), ("ien", "ienne"), ("en", "enne"), ("on", "onne")),
        *(("if", "ive"), ("eux", "euse"), ("el", "elle"), ("", "e")),
    ),
}


def find_forms(article: Annotation, procedure: str, lang: str = PAPER_LANGUAGE) -> list[tuple[str, str]]:
    """List each form that a procedure finds with its spelling, and again under `ALL_SPELLINGS`."""
    if procedure == "published":
        return [(ALL_SPELLINGS, form) for form in find_published_forms(article)]
    found = find_inclusive_forms(article.text_of(0, len(article)), lang)
    return [*found, *((ALL_SPELLINGS, form) for _, form in found)]


def find_inclusive_forms(text: str, lang: str = PAPER_LANGUAGE) -> list[tuple[str, str]]:
    """Find each gender-inclusive form of a text, with its kind, in text order (corrected)."""
    found = [
        (match.start(), kind, match.group())
        for kind, pattern in INCLUSIVE_FORMS[lang].items()
        for match in pattern.finditer(text)
        if kind != "participle" or match.group()[:1].isupper()
    ]
    return [(kind, form) for _, kind, form in sorted(found)]


def find_generic_masculines(article: Annotation, words: StudyWordLists) -> list[str]:
    """Find the masculine plurals of persons without a feminine or inclusive form in the article (corrected)."""
    lang = words.language.code
    text = article.text_of(0, len(article))
    if find_inclusive_forms(text, lang):
        return []
    lowered = text.lower()
    found = []
    for token, lemma, part, features in zip(
        article.tokens, article.lemmas, article.parts_of_speech, article.features, strict=True
    ):
        is_plural = features.get("Number") == "Plur" or lemma in _ALL_PEOPLE
        if part != "NOUN" or not is_plural or features.get("Gender") not in ("Masc", None):
            continue
        # Choose the longest noun: Mitarbeiter, not Arbeiter.
        noun = max((noun for noun in words.person_nouns if lemma.lower().endswith(noun)), key=len, default="")
        if noun and _feminine_of(noun, lang) not in lowered:
            found.append(token)
    return found


def _feminine_of(noun: str, lang: str) -> str:
    """Form the feminine of a masculine noun, or its beginning."""
    endings = _FEMININES[lang]
    masculine, feminine = next(pair for pair in endings if noun.endswith(pair[0]))
    return noun.removesuffix(masculine) + feminine


def published_flags(article: Annotation) -> tuple[bool, bool]:
    """Judge by the paper's code whether an article uses gender-neutral language, and the generic masculine."""
    neutral = find_published_forms(article)
    return len(neutral) >= _PUBLISHED_LEAST, not neutral and bool(_published_candidates(article))


def find_published_forms(article: Annotation) -> list[str]:
    """List the words that the paper's code counts as gender-neutral, in text order."""
    return [token for token in _published_candidates(article) if _PUBLISHED_PATTERN.search(token)]


def finds_as_noun(token: str) -> bool:
    """Check a token against the paper's code for gender-neutral words, as if it were a noun and not a name."""
    return _is_candidate(token) and bool(_PUBLISHED_PATTERN.search(token))


def _published_candidates(article: Annotation) -> list[str]:
    return [
        token
        for token, part, entity in zip(article.tokens, article.parts_of_speech, article.entities, strict=True)
        if part == "NOUN" and not entity and _is_candidate(token)
    ]


def _is_candidate(token: str) -> bool:
    return token.istitle() and len(token) > 4


def corrected_flags(article: Annotation, words: StudyWordLists) -> tuple[bool, bool]:
    """Judge whether an article has a gender-inclusive form, and a generic masculine."""
    text = article.text_of(0, len(article))
    return bool(find_inclusive_forms(text, words.language.code)), bool(find_generic_masculines(article, words))
