"""Load the methods that find mentions of persons in texts of one language, by name.

- `published_lexicon`: the nouns of a published lexicon, by the corrected procedure.
- `nouns`: the nouns of the word list.
- `pronouns`: gendered third-person pronouns of the word list.
- `words`: nouns, pronouns, titles, first names and inclusive forms of the word list, except the layers that are
  switched off in the language (`counting.precision`).
- `persons`: a language pipeline with WordNet's person nouns, the word list and coreference rules
  (`persons.spacy_finder`). German uses the rules of actors (`persons.actor_finder`), Ukrainian a dictionary
  (`persons.dictionary_finder`), Russian models that are not spaCy's.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.counting.lexicon import read_lexicon, revised_terms, terms_of
from textparity.counting.line_ends import LineMarkedText, mark_line_ends
from textparity.counting.name_forms import load_name_forms
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.errors import InputError, MissingResourceError, how_to_install
from textparity.files import read_lines
from textparity.folding import NO_FOLDING, Folded, Folding, load_folding, plain_spaces
from textparity.persons.actor_finder import ActorFinder
from textparity.persons.actor_languages import GRAMMARS, load_word_lists
from textparity.persons.mentions import (
    INCLUSIVE,
    PERSONS,
    PRONOUNS,
    PUBLISHED_LEXICON,
    UNSPECIFIED,
    WORDS,
    Mention,
    Method,
    Rules,
    read_person_nouns,
    read_rules,
)
from textparity.persons.russian_pipeline import load_russian
from textparity.persons.spacy_finder import PersonFinder

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from textparity.persons.dictionary_finder import DictionaryFinder

# The number of characters of a document within which references are resolved, if it consists of several texts.
WINDOW_CHARACTERS = 65_536
# It ends a paragraph (U+2029).
_SEPARATOR = "\u2029 "
_KIND_OF_LAYER = {"nouns": "noun", "pronouns": "pronoun", "titles": "noun", "names": "name", "inclusive": "noun"}
# Values in place of a pipeline: a dictionary (Ukrainian), models (Russian), or a file with recorded mentions.
DICTIONARY, NATASHA = "pymorphy3", "natasha"
_PACKAGES = {
    DICTIONARY: "pymorphy3 pymorphy3_dicts_uk",
    NATASHA: "pymorphy3_dicts_ru razdel navec slovnet natasha spacy",
}
RECORDED = ".jsonl"
# The number of characters passed to a pipeline at a time. Batches of short texts are faster, but too many long texts
# fill the memory.
PIPE_CHARACTERS = 32_768


@dataclass(frozen=True)
class LanguageFiles:
    """The files from which the methods of a language are built. All except `tokenizer` may be empty."""

    lang: str
    lexicon: str
    word_list: str
    first_names: str
    tokenizer: TokenizerChoice
    pronouns: str
    words: str
    places: str
    person_nouns: str
    pipeline: str
    # Files by name, for a language with rules of its own.
    lists: dict[str, str] = field(default_factory=dict)


def windows_of(texts: Iterable[str], documents: Iterable[Any], most: int = 0) -> list[range]:
    """Group the numbers of consecutive texts of the same document into windows.

    These have up to `most` characters, by default `WINDOW_CHARACTERS`. A text that is longer is a window of its own.
    """
    limit = most or WINDOW_CHARACTERS
    firsts: list[int] = []
    count = size = 0
    before: Any = None
    for text, document in zip(texts, documents, strict=True):
        size += len(text)
        if not firsts or document != before or size > limit:
            firsts.append(count)
            size = len(text)
        before = document
        count += 1
    return [range(first, following) for first, following in pairwise([*firsts, count])]


def find_in_documents(method: Method, texts: Sequence[str], documents: Sequence[Any]) -> Iterator[list[Mention]]:
    """Find the mentions of each text, and resolve references among consecutive texts of the same document.

    `documents` names the document of each text. Numbers of persons are the same in a window (`windows_of`).
    """
    texts = [NO_FOLDING.fold(text) for text in texts]
    windows = _cut(texts, windows_of(texts, documents))
    joined = [_SEPARATOR.join(window) for window in windows]
    found = method.find(joined)
    for window, mentions in zip(windows, found, strict=True):
        yield from _divide(mentions, window)


def _cut(texts: Sequence[str], windows: Iterable[range]) -> list[Sequence[str]]:
    return [texts[window.start : window.stop] for window in windows]


def _divide(mentions: list[Mention], window: Sequence[str]) -> list[list[Mention]]:
    """Give each text of a window its mentions, with their positions in the text."""
    lengths = (len(text) + len(_SEPARATOR) for text in window)
    starts = list(accumulate(lengths, initial=0))
    of_text: list[list[Mention]] = [[] for _ in window]
    for mention in mentions:
        index = bisect_right(starts, mention.start) - 1
        text = window[index]
        start = mention.start - starts[index]
        # A pipeline may take the words on both sides of a line end for one name.
        end = min(mention.end - starts[index], len(text))
        in_text = replace(mention, start=start, end=end, text=text[start:end])
        of_text[index].append(in_text)
    return of_text


def load_method(name: str, files: LanguageFiles, grammatical: bool = False) -> Method:
    """Load a method. Raises `MissingResourceError` if its pipeline is not installed."""
    if name == PERSONS and files.pipeline.endswith(RECORDED):
        return _Recorded(Path(files.pipeline), grammatical)
    folding, name_rules = load_folding(files.lang), load_name_rules(files.lang)
    terms = _read_terms(name, files)
    if name == PERSONS:
        matcher = TermMatcher(terms, LAYERS, folding, name_rules)
        return _Folded(_load_persons(files, matcher, grammatical), load_folding(files.lang, merges=False))
    matcher = TermMatcher(terms, _layers_of(name, files.lang), folding, name_rules)
    return _ByTerms(matcher, files.tokenizer)


def _read_terms(name: str, files: LanguageFiles) -> list[Term]:
    entries = read_lexicon(Path(files.lexicon)) if files.lexicon else []
    if files.word_list and name != PUBLISHED_LEXICON:
        return revised_terms(entries, Path(files.word_list), files.first_names)
    return terms_of(entries)


def _layers_of(name: str, lang: str) -> tuple[str, ...]:
    """List the layers of the word list in which a method without a pipeline looks."""
    if name == PRONOUNS:
        return ("pronouns",)
    if name != WORDS:
        return ("nouns",)
    # Imported here because the parser of rules uses this module, and statistics would load NumPy.
    from textparity.counting.precision import layers_off

    switched_off = layers_off(lang)
    return tuple(layer for layer in LAYERS if layer not in switched_off)


def _load_persons(files: LanguageFiles, matcher: TermMatcher, grammatical: bool) -> Method:
    rules = read_rules(Path(files.pronouns), Path(files.words), files.lang, Path(files.places))
    person_nouns = read_person_nouns(Path(files.person_nouns))
    reason = missing_pipeline(files.pipeline, bool(files.lists))
    if reason:
        raise MissingResourceError(reason)
    if files.pipeline == DICTIONARY:
        return _load_dictionary_finder(files, matcher, rules, person_nouns, grammatical)
    nlp = _load_pipeline(files.pipeline)
    code = files.tokenizer.code.partition("-")[0]
    if nlp.lang != code:
        raise MissingResourceError(f"{files.pipeline} is a pipeline of {nlp.lang}, not of {code} ({files.lang})")
    forms = load_name_forms(files.lang) if rules.of_kind("agreement") else None
    decide_name = forms.decide if forms else None
    finder = PersonFinder(rules, matcher, person_nouns, grammatical, decide_name)
    # The rules of actors decide who is meant, so they do not apply if the grammatical gender of nouns is asked for.
    if files.lists and files.lang in GRAMMARS and not grammatical:
        words = load_word_lists(**_paths_of_lists(files), lang=files.lang)
        return _Piped(nlp, ActorFinder(words, finder), matcher)
    return _Piped(nlp, finder, matcher)


def _load_dictionary_finder(
    files: LanguageFiles, matcher: TermMatcher, rules: Rules, person_nouns: frozenset[str], grammatical: bool
) -> "DictionaryFinder":
    from textparity.persons.dictionary_finder import DictionaryFinder
    from textparity.persons.ukrainian_genders import load_gender_lists

    titles = [form for form, rule in matcher.rules.items() if rule.layer == "titles"]
    return DictionaryFinder(
        load_gender_lists(**_paths_of_lists(files)),
        person_nouns,
        rules,
        others=_ByTerms(matcher, files.tokenizer),
        grammatical=grammatical,
        address=matcher.name_rules.address.union(titles),
    )


def _paths_of_lists(files: LanguageFiles) -> dict[str, Path]:
    return {name: Path(path) for name, path in files.lists.items()}


def missing_pipeline(name: str, has_lists: bool = False) -> str:
    """Explain why a pipeline cannot be loaded here, and how to install it. The rules of word lists need first names."""
    if name in _PACKAGES:
        packages = _PACKAGES[name].split()
        lacking = ", ".join(package for package in packages if not find_spec(package))
        how = how_to_install("russian") if name == NATASHA else how_to_install("morphology")
        return f"{lacking} not installed: {how}" if lacking else ""
    if name.endswith(RECORDED):
        return "" if Path(name).is_file() else f"{name}: no such file of recorded mentions; see person_pipelines"
    if find_spec("spacy") is None:
        return f"spaCy is not installed; install the extra: {how_to_install('persons')}"
    if has_lists and find_spec("gender_guesser") is None:
        return f"gender-guesser is not installed; install the extra: {how_to_install('persons')}"
    is_package = name.isidentifier() and find_spec(name) is not None
    if is_package or (Path(name) / "meta.json").is_file():
        return ""
    command = "pip install" if name.startswith("cs_") else "python -m spacy download"
    return f"the spaCy pipeline {name} is not installed ({command} {name})"


def _load_pipeline(name: str) -> "Language":
    import spacy

    if name == NATASHA:
        return load_russian()
    try:
        nlp = spacy.load(name)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise MissingResourceError(f"{name} cannot be loaded as a spaCy pipeline: {error}") from None
    if not any(nlp.has_pipe(pipe) for pipe in ("parser", "senter", "sentencizer")):
        raise MissingResourceError(f"the spaCy pipeline {name} finds no sentences; use one with a parser")
    return nlp


class _Folded:
    """A method that receives folded texts. The positions of its mentions refer to the text in NFC."""

    def __init__(self, method: Method, folding: Folding) -> None:
        self._method, self._folding = method, folding

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        plain = [plain_spaces(NO_FOLDING.fold(text)) for text in texts]
        folded = [self._folding.fold_placed(text) for text in plain]
        found = self._method.find([text.text for text in folded])
        for text, mentions in zip(folded, found, strict=True):
            if text.starts is None:
                yield mentions
            else:
                yield [_placed(mention, text) for mention in mentions]


def _placed(mention: Mention, text: Folded) -> Mention:
    """Give a mention in a folded text its position in the original."""
    start, end = text.place(mention.start, mention.end)
    return replace(mention, start=start, end=end)


class _Piped:
    def __init__(self, nlp: "Language", finder: PersonFinder | ActorFinder, matcher: TermMatcher) -> None:
        self._nlp, self._finder, self._matcher = nlp, finder, matcher

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        longest = max(map(len, texts), default=0)
        self._nlp.max_length = max(self._nlp.max_length, longest + 1)
        # This frees the words of the batch from the pipeline's memory, which would otherwise grow with the corpus.
        with self._nlp.memory_zone():
            for doc in self._read(texts):
                yield _with_inclusive(doc.text, self._finder.find(doc), self._matcher)

    def _read(self, texts: Sequence[str]) -> Iterator["Doc"]:
        if self._nlp.lang != "cs":
            for batch in _batches(texts):
                yield from self._pipe(batch)
            return
        # The Czech pipeline has seen no ends of lines, and takes them for words.
        for text in texts:
            lines = self._pipe(text.splitlines(True) or [text])
            yield lines[0].from_docs(lines, ensure_whitespace=False)

    def _pipe(self, batch: Sequence[str]) -> list["Doc"]:
        return list(self._nlp.pipe(batch, batch_size=len(batch)))


def _batches(texts: Sequence[str]) -> list[Sequence[str]]:
    same_document = [None] * len(texts)
    return _cut(texts, windows_of(texts, same_document, PIPE_CHARACTERS))


def _with_inclusive(text: str, mentions: list[Mention], matcher: TermMatcher) -> list[Mention]:
    """Add the forms that name all genders (*Leser*innen*), in place of mentions within them."""
    folded = matcher.folding.fold_placed(text)
    spans = [folded.place(*span) for span in matcher.find_patterns(folded.text)]
    if not spans:
        return mentions
    next_entity = max((mention.entity for mention in mentions), default=-1) + 1
    replaced: set[Mention] = set()
    inclusive = []
    for index, (start, end) in enumerate(spans):
        within = [mention for mention in mentions if mention.start < end and start < mention.end]
        replaced.update(within)
        entity = within[0].entity if within else next_entity + index
        form = text[start:end]
        inclusive.append(Mention(start, end, form, "noun", INCLUSIVE, entity, "inclusive"))
    kept = [mention for mention in mentions if mention not in replaced]
    return sorted(kept + inclusive, key=lambda mention: mention.start)


class _Recorded:
    """Mentions that the method found earlier, by text: JSON lines of tools/record_mentions.py, header first."""

    def __init__(self, path: Path, grammatical: bool) -> None:
        head, *rows = map(json.loads, read_lines(path))
        if head["grammatical"] != grammatical:
            kind = "the gender of nouns" if grammatical else "who is meant"
            raise InputError(f"{path}: its mentions were not recorded by {kind}; record them again in that way")
        self._path = path
        self._mentions: dict[str, list[Mention]] = {}
        for row in rows:
            self._mentions[row["text"]] = [Mention(**mention) for mention in row["mentions"]]

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        for text in texts:
            if text not in self._mentions:
                raise InputError(f"{self._path}: has no mentions for the text {text[:60]!r}; record them again")
            yield self._mentions[text]


class _ByTerms:
    """Find terms by tokens alone. Adjacent titles and first names form one mention."""

    def __init__(self, matcher: TermMatcher, tokenizer: TokenizerChoice) -> None:
        self._matcher, self._tokenizer = matcher, load_tokenizer(tokenizer)

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        plain = [plain_spaces(NO_FOLDING.fold(text)) for text in texts]
        marked = [mark_line_ends(text) for text in plain]
        one_line = [text.text.replace("\n", " ") for text in marked]
        folded = [self._matcher.folding.fold_placed(text) for text in one_line]
        cut = self._tokenizer.cut([text.text for text in folded])
        for text, with_marks, of_text, sentences in zip(plain, marked, folded, cut, strict=True):
            mentions = self._mentions(of_text.text, sentences)
            yield [_in_plain_text(mention, of_text, with_marks, text) for mention in mentions]

    def _mentions(self, text: str, sentences: list[list[str]]) -> Iterator[Mention]:
        # Imported here because the parser of rules uses this module, and names would load NumPy.
        from textparity.counting.names import find_mentions, gender_of

        entities: dict[str, int] = {}
        for match in find_mentions(self._matcher, sentences, text):
            start, end, layer = match.start, match.end, match.match.layer
            if start < 0:
                continue
            form = text[start:end]
            # The same name is the same person.
            key = form.lower() if match.is_name else f"{start}"
            entity = entities.setdefault(key, len(entities))
            kind = "name" if match.is_name else _KIND_OF_LAYER[layer]
            gender = INCLUSIVE if layer == "inclusive" else gender_of(match.match) or UNSPECIFIED
            yield Mention(start, end, form, kind, gender, entity, layer)


def _in_plain_text(mention: Mention, folded: Folded, marked: LineMarkedText, plain: str) -> Mention:
    """Give a mention in a folded text with marked line ends its position and its words in the plain text."""
    placed = _placed(mention, folded)
    start, end = marked.original(placed.start), marked.original(placed.end)
    return replace(placed, start=start, end=end, text=plain[start:end].replace("\n", " "))
