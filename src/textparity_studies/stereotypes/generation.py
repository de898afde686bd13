"""Ask a language model for sentences about women and men with words of a coded lexicon (Soundararajan 2023, §III).

We ask for every word of the lexicon in each of the four kinds. If no sentence passes all checks for a word, we ask
again, up to `max_attempts` times; the paper made only the first attempt. A prompt with `<WORDS>` asks for one sentence
for each of up to 20 words (Table II; `<NUMBER>` is their number). A prompt with `<WORD>` asks for one sentence at a
time, as a small base model requires.

The paper did not check sentences by rule. Table II gives the requirements: a woman (or a man), a word of the list, more
than 15 words. The checks cannot detect whether the word describes that person, or has the sense of the list.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from icu4py.breakers import SentenceBreaker

from textparity.corpora.reading import read_rows, write_batches
from textparity.counting.lexicon import Entry, read_lexicon, terms_of
from textparity.counting.terms import TermMatcher
from textparity.counting.tokenizers import IcuTokenizer
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
from textparity_studies.llm.models import Answer, ModelRow, Request, fill, read_part, to_prompt
from textparity_studies.stereotypes.sentences import (
    ALL_COLUMNS,
    CODINGS,
    KINDS,
    SENTENCE_COLUMNS,
    CodedLexicon,
    Kind,
    RejectReason,
    load_coded_lexicon,
)

MORE_WORDS_THAN = 15
# This many consecutive words of the prompt, or of an accepted sentence, make a copy: half of the shortest sentence.
COPIED_WORDS = 8
# Pronouns, and further words for persons in the paper's prompt.
PERSON_WORDS = {
    "feminine": ("she", "her", "hers", "herself", "female", "females"),
    "masculine": ("he", "him", "his", "himself", "male", "males"),
}
# With "@ss=standard", "Mr." does not end a sentence; ICU's list of abbreviations lacks some titles.
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
# The forms of a person in prompts, by placeholder.
_FORMS = ("<PERSONS>", "<PERSON>", "<YOUNG_PERSON>", "<SUBJECT>", "<OBJECT>", "<POSSESSIVE>")
PERSONS = {
    gender: dict(zip(_FORMS, forms, strict=True))
    for gender, forms in {
        "feminine": ("female, females, woman, women, girl, or girls", "woman", "girl", "she", "her", "her"),
        "masculine": ("male, males, man, men, boy, or boys", "man", "boy", "he", "him", "his"),
    }.items()
}
REJECTED_COLUMNS = ["kind", "attempt", "word", "reason", "text"]
# A set's runs are numbered from its number times this, so that more attempts change no earlier request.
RUNS_OF_A_SET = 1000
# Attempts count from 1. The words asked for are spelt as in the lexicon.
_QUESTION = [("kind", pa.string()), ("attempt", pa.int16()), ("number", pa.int32()), ("asked", pa.list_(pa.string()))]
ANSWERS_SCHEMA = pa.schema([*_QUESTION, *ANSWER_FIELDS])


def split_sentences(text: str) -> list[str]:
    """Split an answer into the sentences of each line, without the number, bullet, quotes or markup of a list.

    A sentence without a letter is dropped.
    """
    sentences = []
    for line in text.splitlines():
        # ICU is slow per line.
        if not any(map(str.isalpha, line)):
            continue
        line = _unquote(_LIST_MARK.sub("", _MARKUP.sub("", line).strip()).strip())
        parts = [""]
        for part in SentenceBreaker(line, _LOCALE):
            # The longest title and the letter before it fit; searching the joined text again and again would be slow.
            if _TITLE.search(parts[-1].rstrip()[-6:]):
                parts[-1] += part
            else:
                parts.append(part)
        sentences += [part.strip() for part in parts if any(map(str.isalpha, part))]
    return sentences


def _unquote(line: str) -> str:
    # Strip only quotes around the whole line, not those of: "Stop," she said, "or else."
    if len(line) > 1 and _QUOTES.get(line[0]) == line[-1] and not set(line[1:-1]) & {line[0], line[-1]} - set("'’"):
        return line[1:-1].strip()
    return line


@dataclass(frozen=True)
class CheckedSentence:
    """A sentence, the listed word that it is for, all listed words in it, and the reasons to reject it.

    `word` is the longest requested word in the sentence. If there is none, it is the requested word; if several were
    requested, it is the longest other word of the coding, or empty.
    """

    text: str
    word: str
    words: tuple[str, ...] = ()
    reasons: tuple[RejectReason, ...] = ()

    @property
    def passed(self) -> bool:
        """True if the sentence has no fault."""
        return not self.reasons


class PersonWords:
    """Count the words that mark someone as a woman or a man: person nouns of the `lexicon` study, and pronouns."""

    def __init__(self, person_nouns: Path) -> None:
        entries = [entry for entry in read_lexicon(person_nouns) if entry.gender_class in CODINGS]
        entries += [Entry(gender, "", word) for gender, words in PERSON_WORDS.items() for word in words]
        self._words = TermMatcher(terms_of(entries))
        self._tokenizer = IcuTokenizer("en")

    def count(self, sentence: str) -> Counter[str]:
        """Count the words of each gender in a sentence."""
        found: Counter[str] = Counter()
        for tokens in self._tokenizer.cut([sentence])[0]:
            # Reduce "she's" and "the woman's" to the word itself.
            heads = [re.split("['’]", token)[0] or token for token in tokens]
            for match in self._words.match([heads], " ".join(heads)):
                found.update(match.classes)
        return found


class SentenceChecker:
    """Check the sentences of one set, and remember those that passed in order to detect copies."""

    def __init__(self, lexicon: CodedLexicon, persons: PersonWords, prompts: Iterable[str]) -> None:
        self._lexicon = lexicon
        self._persons = persons
        self._copied = {run for prompt in prompts for line in prompt.splitlines() for run in _runs(line)}

    def check(self, text: str, kind: Kind, asked: list[str], error: str = "") -> list[CheckedSentence]:
        """Check the sentences of an answer; `asked` are the requested words.

        An error in place of an answer, and an answer without a sentence, become one rejected sentence without a text.
        """
        sentences = [] if error else split_sentences(text)
        if not sentences:
            word = asked[0] if len(asked) == 1 else ""
            return [CheckedSentence("", word, reasons=(RejectReason.NO_ANSWER if error else RejectReason.NO_SENTENCE,))]
        return [self._check(sentence, kind, asked) for sentence in sentences]

    def _check(self, sentence: str, kind: Kind, asked: list[str]) -> CheckedSentence:
        words = tuple(dict.fromkeys(word for word, _ in self._lexicon.find(sentence)))
        longest_first = sorted(words, key=lambda word: -len(word.removesuffix("*")))
        fitting = [word for word in longest_first if word in asked]
        of_coding = [word for word in longest_first if self._lexicon.words[word] == kind.coding]
        word = asked[0] if len(asked) == 1 else next(iter(fitting or of_coding), "")
        persons = self._persons.count(sentence)
        right, all_persons = persons[kind.gender], persons.total()
        wrong = {
            RejectReason.CUT_OFF: not _ENDED.search(sentence),
            RejectReason.NO_WORD: not fitting,
            RejectReason.NO_PERSON: not all_persons,
            RejectReason.OTHER_GENDER: all_persons and not right,
            # "The girl was faster than any of her male rivals" is about her.
            RejectReason.BOTH_GENDERS: right and right <= all_persons - right,
            RejectReason.TOO_SHORT: count_words(sentence) <= MORE_WORDS_THAN,
            RejectReason.COPY: not self._copied.isdisjoint(runs := _runs(sentence)),
        }
        reasons = tuple(reason for reason, is_so in wrong.items() if is_so)
        if not reasons:
            self._copied |= runs
        return CheckedSentence(sentence, word, words, reasons)


def count_words(sentence: str) -> int:
    """Count the words between the spaces of a sentence; a dash alone is not a word."""
    return sum(any(map(str.isalnum, word)) for word in sentence.split())


def _runs(sentence: str) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in _WORD.findall(sentence)]
    return {tuple(words[start : start + COPIED_WORDS]) for start in range(max(1, len(words) - COPIED_WORDS + 1))}


class SentencePrompt:
    """Fill a prompt for sentences of any kind; `InputError` if it lacks its placeholders."""

    def __init__(self, prompt: Path) -> None:
        # Base models continue after the last letter; with a line end there, the answer would begin with one.
        self._template = read_part(prompt).rstrip("\n")
        if (WORD in self._template) == (WORDS in self._template):
            raise InputError(
                f"{prompt}: needs {WORDS}, for a sentence for each of a list, or {WORD}, for one at a time"
            )
        if "<PERSON>" not in self._template and "<PERSONS>" not in self._template:
            raise InputError(f"{prompt}: has neither <PERSONS> nor <PERSON>; the sentences must be about someone")
        self.words_at_once = WORDS_AT_ONCE if WORDS in self._template else 1

    def text(self, gender: str, words: list[str], lexicon: CodedLexicon) -> str:
        """Fill the prompt for a person of `gender`: `<WORDS>` as the lexicon spells them, `<WORD>` written out."""
        values = {NUMBER: str(len(words)), WORDS: ", ".join(words), WORD: ", ".join(map(lexicon.example, words))}
        return fill(self._template, PERSONS[gender] | values)

    def without_words(self) -> list[str]:
        """Fill in the prompts about women and about men without words: their examples, which a model could copy."""
        return [self.text(gender, [], CodedLexicon({})) for gender in PERSONS]


@dataclass(frozen=True)
class SentenceSet:
    """What is asked for: the form of the lexicon, the number of the set from 1, and the most attempts per word."""

    form: str
    number: int
    max_attempts: int


class SentenceQuestions(Questions):
    """The questions of one set to one model; each attempt depends on the sentences that passed before."""

    def __init__(
        self, row: ModelRow, prompt: Path, system: Path | None, lexicon: Path, person_nouns: Path, wanted: SentenceSet
    ) -> None:
        self._row = row
        self._prompt = SentencePrompt(prompt)
        self._system = read_part(system) if system else ""
        self._lexicon = load_coded_lexicon(lexicon, wanted.form)
        self._checker = SentenceChecker(self._lexicon, PersonWords(person_nouns), self._prompt.without_words())
        self._first_run = (wanted.number - 1) * RUNS_OF_A_SET
        self._open = {name: self._lexicon.of(kind.coding) for name, kind in KINDS.items()}
        self._attempt = 0
        self._max_attempts = wanted.max_attempts

    @property
    def repeats(self) -> int:
        """The remaining attempts."""
        return self._max_attempts - self._attempt

    def next_batch(self) -> list[Question]:
        """List all questions of the next attempt; none if no word is open."""
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
            request = Request(self._row, prompt, self._first_run + self._attempt - 1)
            questions.append(({"kind": kind.name, "attempt": self._attempt, "number": number, "asked": words}, request))
        return questions

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Check the answers. Words of sentences that pass, and those without an answer, are not requested again."""
        checked: list[CheckedSentence] = []
        for cells, answer in answered:
            kind, done = KINDS[cells["kind"]], set(cells["asked"])
            if answer:
                found = self._checker.check(answer.text, kind, cells["asked"], answer.error)
                done = {sentence.word for sentence in found if sentence.passed}
                checked += found
            self._open[kind.name] = [word for word in self._open[kind.name] if word not in done]
        passed = sum(sentence.passed for sentence in checked)
        log.info("%s: attempt %d, %d of %d sentences passed", self._row.name, self._attempt, passed, len(checked))


def ask_generator(
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    answers: Path,
    asking: Asking,
    wanted: SentenceSet,
) -> None:
    """Write the model's answers for all words and kinds of one set (`ANSWERS_SCHEMA`), in the order asked.

    The metadata count the answers and the missing ones.
    """
    questions = SentenceQuestions(asking.row, prompt, system, lexicon, person_nouns, wanted)
    rows = ask(questions, asking, recorded, generator=asking.row.name, set=wanted.number)
    write_batches(answers, ANSWERS_SCHEMA, rows)


def estimate_sentences(
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    wanted: SentenceSet,
) -> None:
    """Write one row: the requests that `ask_generator` would send with the same arguments, without sending them.

    A word without an answer so far is assumed to need every remaining attempt, so the estimate is an upper bound.
    """
    questions = SentenceQuestions(asking.row, prompt, system, lexicon, person_nouns, wanted)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


def check_sentences(
    answers: Path,
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    sentences: Path,
    all_sentences: Path,
    rejected: Path,
    name: str,
    form: str,
) -> None:
    """Write the sentences of a set's answers with the results of the checks; ids begin with `name`.

    `sentences` has those that pass every check (`corrected`), labelled by the kind for which they were checked.
    `all_sentences` has all of them, labelled by the requested kind, with the attempt and all reasons to reject them;
    those of attempt 1 are the paper's choice (`published`). `rejected` has the first reason for each, and answers
    without any sentence.
    """
    prompts = SentencePrompt(prompt).without_words()
    checker = SentenceChecker(load_coded_lexicon(lexicon, form), PersonWords(person_nouns), prompts)
    every, bad = [], []
    for row in read_rows(answers).to_pylist():
        if row["answer"] is None:
            continue
        kind, attempt = KINDS[row["kind"]], row["attempt"]
        for place, found in enumerate(checker.check(row["answer"], kind, row["asked"], row["error"]), start=1):
            if found.text:
                cells = [f"{name}/{attempt}-{row['number']}-{place}", kind.name, kind.gender, kind.coding, kind.label]
                every.append([*cells, found.word, " ".join(found.words), found.text, attempt, "; ".join(found.reasons)])
            if not found.passed:
                bad.append([kind.name, attempt, found.word, found.reasons[0], found.text])
    write_rows(sentences, SENTENCE_COLUMNS, (cells[: len(SENTENCE_COLUMNS)] for cells in every if not cells[-1]))
    write_rows(all_sentences, ALL_COLUMNS, every)
    write_rows(rejected, REJECTED_COLUMNS, bad)
