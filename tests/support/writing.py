"""Ways to write the same text: what web pages, keyboards, fonts and headlines make of it."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple
from unicodedata import combining, decomposition, normalize

import regex

from textparity.auditing.languages import load_registry

CASED = ("Latn", "Cyrl", "Grek", "Geor")
SPACED = (*CASED, "Arab", "Deva", "Beng", "Taml", "Telu", "Knda", "Guru", "Hang")
_WORD = regex.compile(r"[\p{L}\p{M}\u200C\u200D]+(?:['’ʻ-][\p{L}\p{M}\u200C\u200D]+)*")
_FULL_WIDTH = {code: code + 0xFEE0 for code in map(ord, "ABCXYZabcdefghijklmnopqrstuvwxyz0123456789")}
_ARABIC_VARIANTS = {
    "pes": ("یکه", "يكہ"),
    "urd": ("یکہ", "يكه"),
    "ckb": ("یک", "يك"),
    "arb": ("يك", "یک"),
}


class Way(NamedTuple):
    """A way of writing: the languages or scripts that have it, and what it makes of a text in a language."""

    of: tuple[str, ...]
    write: Callable[[str, str], str]


def within_words(sign: str) -> Callable[[str, str], str]:
    """Return a way that puts a sign after the second letter of each word and before its last."""

    def one(match: "regex.Match[str]") -> str:
        letters = regex.findall(r"\X", match[0])
        if len(letters) < 3:
            return match[0]
        return "".join([*letters[:2], sign, *letters[2:-1], sign * (len(letters) > 3), letters[-1]])

    return lambda text, lang: _WORD.sub(one, text)


def around_words(before: str, after: str) -> Callable[[str, str], str]:
    """Return a way that puts signs around each word."""
    return lambda text, lang: _WORD.sub(lambda match: before + match[0] + after, text)


def instead(old: str, new: str) -> Callable[[str, str], str]:
    """Return a way that writes other letters, one for each."""
    return lambda text, lang: text.translate(str.maketrans(old, new))


def in_place(old: str, new: str) -> Callable[[str, str], str]:
    """Return a way that writes something instead of what a regular expression finds."""
    return lambda text, lang: regex.sub(old, new, text)


def upper(text: str, lang: str) -> str:
    """Return a text in capitals, by the rules of its language."""
    if lang == "tur":
        text = text.replace("i", "İ").replace("ı", "I")
    if lang == "ell":
        return "".join(sign for sign in normalize("NFD", text) if not combining(sign)).upper()
    if lang == "lit":
        text = text.replace("i\u0307", "i")
    return text.upper()


def bold(text: str, lang: str) -> str:
    """Return a text in the bold letters of mathematics."""
    first = {"A": 0x1D400, "a": 0x1D41A}
    return regex.sub("[A-Z]", lambda one: chr(first["A"] + ord(one[0]) - ord("A")), regex.sub(
        "[a-z]", lambda one: chr(first["a"] + ord(one[0]) - ord("a")), text))  # fmt: skip


def variants(text: str, lang: str) -> str:
    """Return a text typed on the keyboard of another language in Arabic script."""
    return instead(*_ARABIC_VARIANTS[lang])(text, lang)


@cache
def _shapes() -> dict[str, str]:
    found = {}
    for code in (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFF00)):
        kind, *letters = decomposition(chr(code)).split() or [""]
        if kind == "<medial>" and len(letters) == 1:
            found[chr(int(letters[0], 16))] = chr(code)
    return found


def shapes(text: str, lang: str) -> str:
    """Return a text in Arabic letters that have their shape in a code of their own."""
    return text.translate({ord(letter): shape for letter, shape in _shapes().items()})


def half_width(text: str, lang: str) -> str:
    """Return a text with katakana of half width."""
    text = regex.sub("[ガ-ヴ]", _voice_apart, text)
    narrow = {normalize("NFKC", chr(code)): chr(code) for code in range(0xFF66, 0xFF9E)}
    return "".join(narrow.get(sign, sign) for sign in text)


def _voice_apart(match: "regex.Match[str]") -> str:
    return normalize("NFD", match[0]).replace("\u3099", "ﾞ").replace("\u309a", "ﾟ")


WAYS = {
    "soft hyphens": Way(CASED, within_words("\u00ad")),
    "zero width spaces": Way(SPACED, within_words("\u200b")),
    "word joiners": Way(SPACED, within_words("\u2060")),
    "joiners": Way(CASED, within_words("\u200d")),
    "joiners around words": Way((*CASED, "Arab"), around_words("\u200c", "\u200c")),
    "direction marks": Way(SPACED, around_words("\u200e", "\u200f")),
    "embedded words": Way(SPACED, around_words("\u202b", "\u202c")),
    "isolated words": Way(SPACED, around_words("\u2068", "\u2069")),
    "byte order marks": Way((*SPACED, "Hans", "Hant", "Jpan", "Thai"), lambda text, lang: f"\ufeff{text}\ufeff"),
    "zero width spaces around words": Way(SPACED, around_words("\u200b", "\u200b")),
    "decomposed": Way((*SPACED, "Hans", "Hant", "Jpan", "Thai"), lambda text, lang: normalize("NFD", text)),
    "full width": Way(("Latn",), lambda text, lang: text.translate(_FULL_WIDTH)),
    "ligatures": Way(
        ("Latn",),
        lambda text, lang: text.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ").replace("st", "ﬆ"),
    ),
    "bold": Way(("Latn",), bold),
    "half width": Way(("jpn",), half_width),
    "shapes": Way(("Arab",), shapes),
    "letters of another keyboard": Way(tuple(_ARABIC_VARIANTS), variants),
    "tatweel": Way(("Arab",), in_place(r"(?<=[بتثجحخسشصضعغفقكکلمنهی])(?=\p{Arab})", "\u0640")),
    "vowel signs": Way(("arb", "pes", "urd"), in_place(r"(?<=[بتثجحخسشصضعغفقكکلمن])(?!\p{M})", "\u064e")),
    "older vowel": Way(("ckb",), in_place("ە", "ه\u200c")),
    "cedillas": Way(("ron",), instead("șțȘȚ", "şţŞŢ")),
    "straight apostrophes": Way(("Latn", "Cyrl"), in_place(r"(?<=\p{L})[’‘ʻʼ](?=\p{L})", "'")),
    "curly apostrophes": Way(("Latn", "Cyrl"), in_place(r"(?<=\p{L})['‘ʻʼ](?=\p{L})", "’")),
    "letter apostrophes": Way(("ukr", "bel"), in_place(r"(?<=\p{L})['’](?=\p{L})", "ʼ")),
    "letters with turned commas": Way(("uzn",), in_place(r"(?<=[OoGg])['’ʼ](?=\p{L})", "ʻ")),
    "grave accents for apostrophes": Way(("uzn",), in_place(r"(?<=[OoGg])['’ʼ‘ʻ](?=\p{L})", "`")),
    "no dots": Way(("rus",), instead("ёЁ", "еЕ")),
    "Swiss spelling": Way(("deu",), in_place("ß", "ss")),
    "stress marks": Way(("rus", "ukr", "bel", "bul"), in_place(r"(?<=[аеиоуыяюєіїАЕИОУЯЮ])(?=\p{L})", "\u0301")),
    "sara am in two": Way(("tha",), in_place("ำ", "ํา")),
    "dots above": Way(("lit",), in_place("i(?!\u0307)", "i\u0307")),
    "hyphens that do not break": Way(("Latn", "Cyrl"), in_place(r"(?<=\p{L})-(?=\p{L})", "\u2011")),
    "emphasis": Way(SPACED, around_words("_", "_")),
    "narrow spaces": Way(SPACED, in_place(r"(?<!\d) | (?!\d)", "\u202f")),
    "capitals": Way(CASED, upper),
}


def ways_of(lang: str) -> Iterator[tuple[str, Way]]:
    """Yield the ways in which a language is written, by name."""
    script = load_registry().languages[lang].script
    yield from ((name, way) for name, way in WAYS.items() if lang in way.of or script in way.of)
