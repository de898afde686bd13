"""Asking a language model for sentences about women and men with words of a coded lexicon (Soundararajan 2023, §III).

Every word of the lexicon is asked for in each of the four kinds. A word without a sentence that passes all checks is
asked for again, up to `max_attempts` times; the first attempt alone is what the paper did. A prompt with `<WORDS>` asks
for a sentence for each of up to 20 words (Table II; `<NUMBER>` of them), one with `<WORD>` for a sentence at a time, as
a small base model needs it.

The paper checked no sentence by rule; Table II says what was asked for: a woman (or a man), a word of the list, more
than 15 words. What the checks cannot see is whether the word is said of that person, or in the sense of the list.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from icu4py.breakers import SentenceBreaker

from textparity.corpora.rows import write_batches
from textparity.counting.lexicon import Entry, read_lexicon, terms_of
from textparity.counting.terms import TermMatcher
from textparity.counting.tokenizers.icu import IcuTokenizer
from textparity.errors import InputError
from textparity.files import write_rows
from textparity_studies.llm.answering import (
    ANSWER_FIELDS,
    Asking,
    Cells,
    Question,
    Questions,
    ask,
    estimate,
    write_estimate,
)
from textparity_studies.llm.messages import Answer, Request, fill, read_part, to_prompt
from textparity_studies.llm.models import ModelRow
from textparity_studies.stereotypes.sentences import (
    ALL_COLUMNS,
    BOTH_GENDERS,
    CODINGS,
    COPY,
    CUT_OFF,
    KINDS,
    NO_ANSWER,
    NO_PERSON,
    NO_SENTENCE,
    NO_WORD,
    OTHER_GENDER,
    SENTENCE_COLUMNS,
    TOO_SHORT,
    CodedLexicon,
    Kind,
    load_coded_lexicon,
)

MORE_WORDS_THAN = 15
# So many words in a row of the prompt, or of a sentence accepted before, make a copy: half of the shortest sentence.
COPIED_WORDS = 8
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
log = logging.getLogger(__name__)
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
REJECTED_COLUMNS = ["kind", "attempt", "word", "reason", "text"]
# Runs of a set are numbered from here times its number, so that more attempts change no request made before.
RUNS_OF_A_SET = 1000
ANSWERS_SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        # From 1.
        ("attempt", pa.int16()),
        ("number", pa.int32()),
        # As the lexicon spells them.
        ("asked", pa.list_(pa.string())),
        *ANSWER_FIELDS,
    ]
)


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


class SentenceQuestions(Questions):
    """The questions of one set to one model, attempt after attempt: what is asked next depends on what passed."""

    def __init__(
        self,
        row: ModelRow,
        prompt: Path,
        system: Path | None,
        lexicon: Path,
        form: str,
        person_nouns: Path,
        number: int,
        max_attempts: int,
    ) -> None:
        self._row = row
        self._prompt = SentencePrompt(prompt)
        self._system = read_part(system) if system else ""
        self._lexicon = load_coded_lexicon(lexicon, form)
        self._checker = SentenceChecker(self._lexicon, PersonWords(person_nouns), self._prompt.without_words())
        self._run = (number - 1) * RUNS_OF_A_SET
        self._open = {name: self._lexicon.of(kind.coding) for name, kind in KINDS.items()}
        # Cells of the question, which of its sentences, and what is wrong with it.
        self.checked: list[tuple[Cells, int, CheckedSentence]] = []
        self._attempt = 0
        self._max_attempts = max_attempts

    @property
    def repeats(self) -> int:
        """The attempts that are left."""
        return self._max_attempts - self._attempt

    def next_batch(self) -> list[Question]:
        """Return all questions of the next attempt; none if no word is open."""
        if not self.repeats:
            return []
        self._attempt += 1
        size = self._prompt.words_at_once
        groups = [
            (kind, self._open[name][start : start + size])
            for name, kind in KINDS.items()
            for start in range(0, len(self._open[name]), size)
        ]
        questions: list[Question] = []
        for number, (kind, words) in enumerate(groups, start=1):
            prompt = to_prompt(self._prompt.text(kind.gender, words, self._lexicon), self._row.mode, self._system)
            request = Request.to_model(self._row, prompt, self._run + self._attempt - 1)
            questions.append(({"kind": kind.name, "attempt": self._attempt, "number": number, "asked": words}, request))
        return questions

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Check the answers; words of sentences that pass, and those without an answer, are not asked for again."""
        before = len(self.checked)
        for cells, answer in answered:
            kind, done = KINDS[cells["kind"]], set(cells["asked"])
            if answer:
                found = self._check(kind, cells["asked"], answer)
                done = {sentence.word for sentence in found if sentence.passed}
                self.checked += [(cells, number, sentence) for number, sentence in enumerate(found, start=1)]
            self._open[kind.name] = [word for word in self._open[kind.name] if word not in done]
        passed = [sentence.passed for *_, sentence in self.checked[before:]]
        log.info("%s: attempt %d, %d of %d sentences passed", self._row.name, self._attempt, sum(passed), len(passed))

    def _check(self, kind: Kind, asked: list[str], answer: Answer) -> list[CheckedSentence]:
        """Return the sentences of an answer; one without a text for an error that was kept instead of one."""
        if answer.error:
            return [CheckedSentence("", asked[0] if len(asked) == 1 else "", reasons=(NO_ANSWER,))]
        return self._checker.check(answer.text, kind.gender, kind.coding, asked)


def ask_generator(
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    answers: Path,
    sentences: Path,
    all_sentences: Path,
    rejected: Path,
    name: str,
    asking: Asking,
    form: str,
    number: int,
    max_attempts: int,
) -> None:
    """Write the model's answers for all words and kinds of one set (`ANSWERS_SCHEMA`), in the order asked.

    `number` is that of the set, from 1. The metadata count answers and what is missing. `sentences` has those that
    pass every check (`corrected`), labelled by what they were checked for. `all_sentences` has every one, labelled by
    what was asked, with the attempt and all reasons against it; those of attempt 1 are what the paper would have taken
    (`published`). `rejected` has the first reason of each, and answers without any sentence.
    """
    row = asking.row
    questions = SentenceQuestions(row, prompt, system, lexicon, form, person_nouns, number, max_attempts)
    write_batches(answers, ANSWERS_SCHEMA, ask(questions, asking, recorded, generator=row.name, set=number))
    every, bad = [], []
    for asked, place, found in questions.checked:
        kind, attempt = KINDS[asked["kind"]], asked["attempt"]
        if found.text:
            cells = [f"{name}/{attempt}-{asked['number']}-{place}", kind.name, kind.gender, kind.coding, kind.label]
            every.append([*cells, found.word, " ".join(found.words), found.text, attempt, "; ".join(found.reasons)])
        if not found.passed:
            bad.append([kind.name, attempt, found.word, found.reasons[0], found.text])
    write_rows(sentences, SENTENCE_COLUMNS, (cells[: len(SENTENCE_COLUMNS)] for cells in every if not cells[-1]))
    write_rows(all_sentences, ALL_COLUMNS, every)
    write_rows(rejected, REJECTED_COLUMNS, bad)


def estimate_sentences(
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    form: str,
    number: int,
    max_attempts: int,
) -> None:
    """Write one row: what `ask_generator` would send with the same arguments, without sending it.

    Words whose answer is not there yet are taken to need every attempt that is left, so it is at most this.
    """
    questions = SentenceQuestions(asking.row, prompt, system, lexicon, form, person_nouns, number, max_attempts)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))
