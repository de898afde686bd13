"""The sentences of an answer, and what is wrong with each: every one is checked for what it was asked to be.

The paper checked none by rule; Table II says what was asked for: a woman (or a man), a word of the list, more than 15
words. What these checks cannot see is whether the word is said of that person, or in the sense of the list.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from icu4py.breakers import SentenceBreaker

from textparity.measures.lexicon import Entry, read_lexicon, terms_of
from textparity.measures.terms import TermMatcher
from textparity.measures.tokenizers.icu import IcuTokenizer
from textparity.studies.stereotypes.coded_lexicons import CODINGS, CodedLexicon

MORE_WORDS_THAN = 15
# So many words in a row of the prompt, or of a sentence accepted before, make a copy: half of the shortest sentence.
COPIED_WORDS = 8
# In the order in which they count: a sentence is rejected for the first that holds.
NO_ANSWER, NO_SENTENCE = "no answer", "no sentence"
CUT_OFF, NO_WORD, NO_PERSON = "cut off", "no word asked for", "no person"
OTHER_GENDER, BOTH_GENDERS, TOO_SHORT, COPY = "other gender", "both genders", "15 words or fewer", "copy"
REASONS = (NO_ANSWER, NO_SENTENCE, CUT_OFF, NO_WORD, NO_PERSON, OTHER_GENDER, BOTH_GENDERS, TOO_SHORT, COPY)
# Pronouns, and what the paper's prompt calls a person besides the nouns.
PERSON_WORDS = {
    "feminine": ("she", "her", "hers", "herself", "female", "females"),
    "masculine": ("he", "him", "his", "himself", "male", "males"),
}
# "@ss=standard": "Mr." does not end a sentence; ICU's list of abbreviations lacks some titles.
_LOCALE = "en@ss=standard"
_TITLE = re.compile(r"(?:^|\W)(?:Dr|Prof|St|Capt|Lt|Sgt|Rev)\.\s*$")
_LIST_MARK = re.compile(r"^(?:[-–—•·▪◦*+]|\(?\d+[.):\]])\s*(?=\D)")
_MARKUP = re.compile(r"\*\*|`")
_QUOTES = {'"': '"', "“": "”", "'": "'", "‘": "’", "«": "»"}
_ENDED = re.compile(r"[.!?…][\"'”’»)\]]*$")
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of an answer: of each line, without the number, bullet, quotes or markup of a list.

    What has no letter is none.
    """
    sentences = []
    for line in text.splitlines():
        # ICU takes its time for each line.
        if not any(map(str.isalpha, line)):
            continue
        line = _unquote(_LIST_MARK.sub("", _MARKUP.sub("", line).strip()).strip())
        parts = [""]
        for part in SentenceBreaker(line, _LOCALE):
            # The longest title with the letter before it: all that was joined would be searched again and again.
            if _TITLE.search(parts[-1].rstrip()[-6:]):
                parts[-1] += part
            else:
                parts.append(part)
        sentences += [part.strip() for part in parts if any(map(str.isalpha, part))]
    return sentences


def _unquote(line: str) -> str:
    # Only what is around the whole line: "Stop," she said, "or else."
    if len(line) > 1 and _QUOTES.get(line[0]) == line[-1] and not set(line[1:-1]) & {line[0], line[-1]} - set("'’"):
        return line[1:-1].strip()
    return line


@dataclass(frozen=True)
class CheckedSentence:
    """A sentence, the word of the list that it is for, all words of the list in it, and why it is rejected.

    `word` is the longest of those asked for that is in it. Where none is, it is the one that was asked for, or where
    several were, the longest other one of the coding, or empty.
    """

    text: str
    word: str
    words: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.reasons


class PersonWords:
    """The words that say whether someone is a woman or a man: person nouns of the `lexicon` study, and pronouns."""

    def __init__(self, person_nouns: Path) -> None:
        entries = [entry for entry in read_lexicon(person_nouns) if entry.gender_class in CODINGS]
        entries += [Entry(gender, "", word) for gender, words in PERSON_WORDS.items() for word in words]
        self._words = TermMatcher(terms_of(entries))
        self._tokenizer = IcuTokenizer("en")

    def count(self, sentence: str) -> Counter[str]:
        """Return how many words of each gender a sentence has."""
        found: Counter[str] = Counter()
        for tokens in self._tokenizer.cut([sentence])[0]:
            # "she's", "the woman's"
            heads = [re.split("['’]", token)[0] or token for token in tokens]
            for match in self._words.match([heads], " ".join(heads)):
                found.update(match.classes)
        return found


class SentenceChecker:
    """Checks the sentences of one set; it remembers those that passed, so that a copy of them is known."""

    def __init__(self, lexicon: CodedLexicon, persons: PersonWords, prompts: Iterable[str]) -> None:
        self._lexicon = lexicon
        self._persons = persons
        self._seen = {run for prompt in prompts for line in prompt.splitlines() for run in _runs(line)}

    def check(self, text: str, gender: str, coding: str, asked: list[str]) -> list[CheckedSentence]:
        """Return the sentences of an answer that should be about `gender` with words of `coding`, `asked` by name.

        An answer without a sentence is one rejected one without a text.
        """
        sentences = split_sentences(text)
        if not sentences:
            return [CheckedSentence("", asked[0] if len(asked) == 1 else "", reasons=(NO_SENTENCE,))]
        return [self._check(sentence, gender, coding, asked) for sentence in sentences]

    def _check(self, sentence: str, gender: str, coding: str, asked: list[str]) -> CheckedSentence:
        words = tuple(dict.fromkeys(word for word, _ in self._lexicon.find(sentence)))
        longest_first = sorted(words, key=lambda word: -len(word.removesuffix("*")))
        fitting = [word for word in longest_first if word in asked]
        if len(asked) == 1:
            word = asked[0]
        else:
            word = next(iter(fitting or [word for word in longest_first if self._lexicon.words[word] == coding]), "")
        persons = self._persons.count(sentence)
        right, all_persons = persons[gender], persons.total()
        wrong = {
            CUT_OFF: not _ENDED.search(sentence),
            NO_WORD: not fitting,
            NO_PERSON: not all_persons,
            OTHER_GENDER: all_persons and not right,
            # "The girl was faster than any of her male rivals" is about her.
            BOTH_GENDERS: right and right <= all_persons - right,
            TOO_SHORT: count_words(sentence) <= MORE_WORDS_THAN,
            COPY: not self._seen.isdisjoint(runs := _runs(sentence)),
        }
        reasons = tuple(reason for reason, is_so in wrong.items() if is_so)
        if not reasons:
            self._seen |= runs
        return CheckedSentence(sentence, word, words, reasons)


def count_words(sentence: str) -> int:
    """Return how many words stand between the spaces of a sentence; a dash alone is none."""
    return sum(any(map(str.isalnum, word)) for word in sentence.split())


def _runs(sentence: str) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in _WORD.findall(sentence)]
    return {tuple(words[start : start + COPIED_WORDS]) for start in range(max(1, len(words) - COPIED_WORDS + 1))}
