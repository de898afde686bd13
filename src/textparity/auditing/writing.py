"""Detect texts that are written in another script than that of the language, or in letters that it rarely uses."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from textparity.auditing.languages import language_row
from textparity.corpora.content_language import CHINESE, has_script, is_of_script
from textparity.folding import load_folding

# The sums over texts: the texts that have letters, and those of them in another script; then the sampled letters that
# are in the script of the language, and those of them that its word lists do not contain.
WRITING = ("lettered_texts", "other_script", "letters", "unknown_letters")
# The number of letters sampled, evenly spread, from each text.
LETTERS_OF_TEXT = 25
# These limits lie above the values of NTREX-128 and FLORES-200 in 55 languages, each checked as its own language.
# There, at most 4 % of the texts are in another script by the letters of a short text, and at most 3 % of the letters
# are not in the lists.
LARGEST_OTHER_SCRIPT, LARGEST_UNKNOWN = 0.1, 0.04
# With fewer letters, or with lists of fewer letters, there is no warning.
FEWEST_LETTERS, FEWEST_KNOWN = 100, 20
# Word lists in these scripts contain only few of the characters.
_NO_ALPHABET = (*CHINESE, "Jpan", "Hang", "Thai")
# A letter adds 1 to the sum, or this much if it is in the script, plus this much if it is unknown. One sum thus holds
# all three counts.
_IN_SCRIPT, _UNKNOWN = 1 << 16, 1 << 32


class _Letters(dict[str, int]):
    """The value of each character, computed once."""

    def __init__(self, lang: str, known: frozenset[str]) -> None:
        self._script, self._fold = language_row(lang).script, load_folding(lang).fold
        self._known = known if len(known) >= FEWEST_KNOWN and self._script not in _NO_ALPHABET else frozenset()

    def __missing__(self, letter: str) -> int:
        value = 0
        if letter.isalpha():
            value = 1
            if is_of_script(letter, self._script):
                value += _IN_SCRIPT
                if self._known and not self._known.issuperset(self._fold(letter.lower())):
                    value += _UNKNOWN
        self[letter] = value
        return value


@lru_cache(maxsize=128)
def _letters(lang: str, known: frozenset[str]) -> _Letters:
    return _Letters(lang, known)


def count_writing(lang: str, known: frozenset[str], texts: Iterable[str]) -> Counter[str]:
    """Compute the sums `WRITING` of texts of a language whose word lists contain the letters `known`."""
    values = _letters(lang, known).__getitem__
    script = language_row(lang).script
    is_chinese = script in CHINESE
    lettered = other = in_script = unknown = 0
    for text in texts:
        sample = text[:: max(1, len(text) // LETTERS_OF_TEXT)]
        if script == "Latn" and sample.isascii():
            # Most texts of most corpora are like this, and their letters need no closer look.
            if sample.lower() != sample.upper():
                lettered += 1
                in_script += len(sample) - sample.count(" ")
            continue
        found = sum(map(values, sample))
        letters, of_script = found & 0xFFFF, found >> 16 & 0xFFFF
        if letters:
            lettered += 1
            other += 2 * of_script < letters or (is_chinese and not has_script(text, script))
            in_script += of_script
            unknown += found >> 32
    return Counter(dict(zip(WRITING, (lettered, other, in_script, unknown), strict=True)))


def doubt_writing(lang: str, counts: Mapping[str, int]) -> Iterator[str]:
    """List the reasons why the summed-up texts are probably not in the writing system of the language."""
    row = language_row(lang)
    texts, other, letters, unknown = (counts[name] for name in WRITING)
    if other > LARGEST_OTHER_SCRIPT * texts:
        yield (
            f"{other:,} of {texts:,} texts are not in the script of {row.name} ({row.script}), in which "
            "alone words are found; write them in it, or name their language"
        )
    if letters >= FEWEST_LETTERS and unknown > LARGEST_UNKNOWN * letters:
        yield (
            f"{unknown / letters:.0%} of the letters do not occur in the word lists of {row.name}; is this the "
            "language, and its usual spelling?"
        )
