"""Prompts that ask for sentences: a file with placeholders for the words and for who the sentences are about.

One with `<WORDS>` asks for a sentence for each of up to 20 words (Table II; `<NUMBER>` of them), one with `<WORD>` for
a sentence at a time, as a small base model needs it.
"""

from pathlib import Path

from textparity.errors import InputError
from textparity.llm.prompts import fill, read_part
from textparity.studies.stereotypes.coded_lexicons import CodedLexicon

NUMBER, WORDS, WORD = "<NUMBER>", "<WORDS>", "<WORD>"
WORDS_AT_ONCE = 20
PERSONS = {
    "feminine": {
        "<PERSONS>": "female, females, woman, women, girl, or girls",
        "<PERSON>": "woman",
        "<YOUNG_PERSON>": "girl",
        "<SUBJECT>": "she",
        "<OBJECT>": "her",
        "<POSSESSIVE>": "her",
    },
    "masculine": {
        "<PERSONS>": "male, males, man, men, boy, or boys",
        "<PERSON>": "man",
        "<YOUNG_PERSON>": "boy",
        "<SUBJECT>": "he",
        "<OBJECT>": "him",
        "<POSSESSIVE>": "his",
    },
}


class SentencePrompt:
    """A prompt for sentences of any kind; `InputError` for one without its placeholders."""

    def __init__(self, prompt: Path) -> None:
        # Base models go on after the last letter: a line end there would be the answer's first.
        self._template = read_part(prompt).rstrip("\n")
        if (WORD in self._template) == (WORDS in self._template):
            raise InputError(
                f"{prompt}: needs {WORDS}, for a sentence for each of a list, or {WORD}, for one at a time"
            )
        if "<PERSON>" not in self._template and "<PERSONS>" not in self._template:
            raise InputError(f"{prompt}: has neither <PERSONS> nor <PERSON>; the sentences must be about someone")
        self.words_at_once = WORDS_AT_ONCE if WORDS in self._template else 1

    def text(self, gender: str, words: list[str], lexicon: CodedLexicon) -> str:
        """Return the prompt for a person of `gender`: `<WORDS>` as the lexicon spells them, `<WORD>` written out."""
        values = {NUMBER: str(len(words)), WORDS: ", ".join(words), WORD: ", ".join(map(lexicon.example, words))}
        return fill(self._template, PERSONS[gender] | values)

    def without_words(self) -> list[str]:
        """Return the prompt about women and the one about men, with their examples: what a model could copy."""
        return [self.text(gender, [], CodedLexicon({})) for gender in PERSONS]
