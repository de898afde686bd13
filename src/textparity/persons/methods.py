"""Load the methods that find mentions of persons in texts of one language, by name.

- `published_lexicon`: the nouns of a published lexicon, by the corrected procedure.
- `nouns`: the nouns of the revised lexicon.
- `pronouns`: gendered third-person pronouns of the revised lexicon.
- `words`: nouns, pronouns, titles, first names and inclusive forms of the revised lexicon, except the layers that are
  switched off in the language (`counting.precision`).
- `persons`: a language pipeline with WordNet's person nouns, the revised lexicon and coreference rules
  (`persons.spacy_finder`). German uses the rules of actors (`persons.actors`), Ukrainian a dictionary
  (`persons.ukrainian`).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from textparity.counting.full_names import find_mentions, gender_of
from textparity.counting.lexicon import read_lexicon, terms_of
from textparity.counting.revision import revised_terms
from textparity.counting.terms import LAYERS, TermMatcher
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.errors import InputError, MissingResourceError, how_to_install
from textparity.files import read_lines
from textparity.folding import NO_FOLDING, Folding, load_folding
from textparity.persons.actors.actor_finder import ActorFinder
from textparity.persons.actors.languages import LANGUAGES
from textparity.persons.actors.word_lists import load_word_lists
from textparity.persons.mentions import (
    INCLUSIVE,
    PERSONS,
    PRONOUNS,
    PUBLISHED_LEXICON,
    UNSPECIFIED,
    WORDS,
    Mention,
)
from textparity.persons.rules import read_rules
from textparity.persons.spacy_finder import PersonFinder
from textparity.persons.wordnet import read_person_nouns

if TYPE_CHECKING:
    from spacy.language import Language

_KIND_OF_LAYER = {"nouns": "noun", "pronouns": "pronoun", "titles": "noun", "names": "name", "inclusive": "noun"}
# Values in place of a pipeline: the dictionary of Ukrainian words, or a file with the recorded mentions of a pipeline.
DICTIONARY = "pymorphy3"
RECORDED = ".jsonl"
# The number of characters passed to a pipeline at a time. Batches of short texts are faster, but too many long texts
# fill the memory.
PIPE_CHARACTERS = 32_768


class Method(Protocol):
    """A method that finds mentions of persons in texts."""

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""
        ...


@dataclass(frozen=True)
class LanguageFiles:
    """The files from which the methods of a language are built. All except `tokenizer` may be empty."""

    lang: str
    lexicon: str
    revision: str
    first_names: str
    tokenizer: TokenizerChoice
    pronouns: str
    words: str
    person_nouns: str
    pipeline: str
    # Files by name, for a language with rules of its own.
    lists: dict[str, str] = field(default_factory=dict)


def load_method(name: str, files: LanguageFiles, grammatical: bool = False) -> Method:
    """Load a method. Raises `MissingResourceError` if its pipeline is not installed."""
    if name == PERSONS and files.pipeline.endswith(RECORDED):
        return _Recorded(Path(files.pipeline), grammatical)
    entries = read_lexicon(Path(files.lexicon)) if files.lexicon else []
    terms = terms_of(entries)
    if files.revision and name != PUBLISHED_LEXICON:
        terms = revised_terms(entries, Path(files.revision), files.first_names)
    if name == PERSONS:
        matcher = TermMatcher(terms, LAYERS, load_folding(files.lang))
        return _Folded(_load_persons(files, matcher, grammatical), load_folding(files.lang, merges=False))
    layers: tuple[str, ...] = ("pronouns",) if name == PRONOUNS else ("nouns",)
    if name == WORDS:
        # Imported here because the parser of rules uses this module, and statistics would load NumPy.
        from textparity.counting.precision import layers_off

        layers = tuple(layer for layer in LAYERS if layer not in layers_off(files.lang))
    return _ByTerms(TermMatcher(terms, layers, load_folding(files.lang)), files.tokenizer)


def _load_persons(files: LanguageFiles, matcher: TermMatcher, grammatical: bool) -> Method:
    rules = read_rules(Path(files.pronouns), Path(files.words), files.lang)
    person_nouns = read_person_nouns(Path(files.person_nouns))
    lists = {name: Path(path) for name, path in files.lists.items()}
    if files.pipeline == DICTIONARY:
        if reason := missing_pipeline(DICTIONARY):
            raise MissingResourceError(reason)
        from textparity.persons.ukrainian.dictionary_finder import DictionaryFinder
        from textparity.persons.ukrainian.word_lists import load_gender_lists

        others = _ByTerms(matcher, files.tokenizer)
        return DictionaryFinder(load_gender_lists(**lists), person_nouns, rules, others, grammatical)
    nouns = PersonFinder(rules, matcher, person_nouns, grammatical)
    nlp = load_pipeline(files.pipeline)
    if reason := missing_pipeline(files.pipeline, bool(lists)):
        raise MissingResourceError(reason)
    if nlp.lang != (code := files.tokenizer.code.partition("-")[0]):
        raise MissingResourceError(f"{files.pipeline} is a pipeline of {nlp.lang}, not of {code} ({files.lang})")
    # The rules of actors decide who is meant, so they do not apply if the grammatical gender of nouns is asked for.
    if lists and files.lang in LANGUAGES and not grammatical:
        return _Piped(nlp, ActorFinder(load_word_lists(**lists, lang=files.lang), nouns), matcher)
    return _Piped(nlp, nouns, matcher)


def missing_pipeline(name: str, has_lists: bool = False) -> str:
    """Explain why a pipeline cannot be loaded here, and name the command that installs it. Nothing is loaded.

    `has_lists`: the language has word lists, whose rules also need a package for first names.
    """
    if name == DICTIONARY:
        if find_spec("pymorphy3") and find_spec("pymorphy3_dicts_uk"):
            return ""
        return f"pymorphy3 and its Ukrainian dictionary are not installed: {how_to_install('morphology')}"
    if name.endswith(RECORDED):
        return "" if Path(name).is_file() else f"{name}: no such file of recorded mentions; see person_pipelines"
    if find_spec("spacy") is None:
        return f"spaCy is not installed; install the extra: {how_to_install('persons')}"
    if has_lists and find_spec("gender_guesser") is None:
        return f"gender-guesser is not installed; install the extra: {how_to_install('persons')}"
    is_package = name.isidentifier() and find_spec(name) is not None
    if is_package or (Path(name) / "meta.json").is_file():
        return ""
    return f"the spaCy pipeline {name} is not installed (python -m spacy download {name})"


def load_pipeline(name: str) -> "Language":
    """Load a spaCy pipeline by its package or folder. `MissingResourceError` names the command that installs it."""
    try:
        import spacy
    except ImportError:
        raise MissingResourceError(
            f"the method persons needs spaCy, which is not installed: {how_to_install('persons')}"
        ) from None
    try:
        nlp = spacy.load(name)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        if Path(name).exists():
            raise MissingResourceError(f"{name} cannot be loaded as a spaCy pipeline: {error}") from None
        raise MissingResourceError(
            f"the method persons needs the spaCy pipeline {name}, which is not installed: python -m spacy download "
            f"{name}"
        ) from None
    if not any(nlp.has_pipe(pipe) for pipe in ("parser", "senter", "sentencizer")):
        raise MissingResourceError(f"the spaCy pipeline {name} finds no sentences; use one with a parser")
    return nlp


class _Folded:
    """A method that receives folded texts. The positions of its mentions refer to the text in NFC."""

    def __init__(self, method: Method, folding: Folding) -> None:
        self._method, self._folding = method, folding

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        folded = [self._folding.fold_placed(NO_FOLDING.fold(text)) for text in texts]
        for text, mentions in zip(folded, self._method.find([one.text for one in folded]), strict=True):
            if text.starts is None:
                yield mentions
                continue
            spans = [text.place(one.start, one.end) for one in mentions]
            yield [replace(one, start=start, end=end) for one, (start, end) in zip(mentions, spans, strict=True)]


class _Piped:
    def __init__(self, nlp: "Language", finder: PersonFinder | ActorFinder, matcher: TermMatcher) -> None:
        self._nlp, self._finder, self._matcher = nlp, finder, matcher

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        self._nlp.max_length = max([self._nlp.max_length, *(len(text) + 1 for text in texts)])
        # This frees the words of the batch from the pipeline's memory, which would otherwise grow with the corpus.
        with self._nlp.memory_zone():
            for batch in _batches(texts):
                for doc in self._nlp.pipe(batch, batch_size=len(batch)):
                    yield _with_inclusive(doc.text, self._finder.find(doc), self._matcher)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and characters + len(text) > PIPE_CHARACTERS:
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def _with_inclusive(text: str, mentions: list[Mention], matcher: TermMatcher) -> list[Mention]:
    """Add the forms that name all genders (*Leser*innen*), in place of mentions within them."""
    folded = matcher.folding.fold_placed(text)
    spans = [folded.place(*span) for span in matcher.find_patterns(folded.text)]
    if not spans:
        return mentions
    others = max((mention.entity for mention in mentions), default=-1) + 1
    kept = [one for one in mentions if not any(one.start < end and start < one.end for start, end in spans)]
    for number, (start, end) in enumerate(spans):
        of_form = (one.entity for one in mentions if one.start < end and start < one.end)
        entity = next(of_form, others + number)
        kept.append(Mention(start, end, text[start:end], "noun", INCLUSIVE, entity, "inclusive"))
    return sorted(kept, key=lambda one: (one.start, one.end))


class _Recorded:
    """Mentions that the method found earlier, by text: JSON lines of tools/record_mentions.py, header first."""

    def __init__(self, path: Path, grammatical: bool) -> None:
        head, *texts = map(json.loads, read_lines(path))
        if head["grammatical"] != grammatical:
            kind = "the gender of nouns" if grammatical else "who is meant"
            raise InputError(f"{path}: its mentions were not recorded by {kind}; record them again so")
        self._path = path
        self._found = {row["text"]: [Mention(**mention) for mention in row["mentions"]] for row in texts}

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        for text in texts:
            if text not in self._found:
                raise InputError(f"{self._path}: nothing is recorded of the text {text[:60]!r}; record it again")
            yield self._found[text]


class _ByTerms:
    """Find terms by tokens alone. Adjacent titles and first names form one mention."""

    def __init__(self, matcher: TermMatcher, tokenizer: TokenizerChoice) -> None:
        self._matcher, self._tokenizer = matcher, load_tokenizer(tokenizer)

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        normal = [NO_FOLDING.fold(text.replace("\n", " ")) for text in texts]
        folded = [self._matcher.folding.fold_placed(text) for text in normal]
        cut = self._tokenizer.cut([one.text for one in folded])
        for text, one, sentences in zip(normal, folded, cut, strict=True):
            mentions = list(self._mentions(one.text, sentences))
            spans = [one.place(mention.start, mention.end) for mention in mentions]
            yield [
                replace(mention, start=start, end=end, text=text[start:end])
                for mention, (start, end) in zip(mentions, spans, strict=True)
            ]

    def _mentions(self, text: str, sentences: list[list[str]]) -> Iterator[Mention]:
        entities = dict[str, int]()
        for mention in find_mentions(self._matcher, sentences, text):
            if mention.start >= 0:
                start, end, layer = mention.start, mention.end, mention.match.layer
                kind, found = "name" if mention.is_name else _KIND_OF_LAYER[layer], text[start:end]
                entity = entities.setdefault(found.lower() if mention.is_name else f"{start}", len(entities))
                gender = INCLUSIVE if layer == "inclusive" else gender_of(mention.match) or UNSPECIFIED
                yield Mention(start, end, found, kind, gender, entity, layer)
