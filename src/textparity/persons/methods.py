"""Load the methods that find mentions of persons in texts of one language, by name.

- `published_lexicon`: the nouns of a published lexicon, by the corrected procedure.
- `nouns`: the nouns of the word list.
- `pronouns`: gendered third-person pronouns of the word list.
- `words`: nouns, pronouns, titles, first names and inclusive forms of the word list, except the layers that are
  switched off in the language (`counting.precision`).
- `persons`: WordNet's person nouns, the word list and coreference rules, with what the language has: a pipeline
  (`persons.pipeline_finder`), or in Ukrainian a dictionary (`persons.dictionary_finder`). Russian has a pipeline with
  models that are not spaCy's (`persons.russian_pipeline`).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.counting.lexicon import read_lexicon, revised_terms, terms_of
from textparity.counting.name_forms import load_name_forms
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.counting.tokenizers import TokenizerChoice
from textparity.counting.unspecified import read_neither_words
from textparity.errors import InputError, MissingResourceError, how_to_install
from textparity.files import read_lines
from textparity.folding import Folding, load_folding
from textparity.persons.actor_languages import GRAMMARS, WordLists, load_word_lists
from textparity.persons.first_name_gender import guess_gender
from textparity.persons.mentions import PERSONS, PRONOUNS, PUBLISHED_LEXICON, WORDS, Mention, Method
from textparity.persons.neither import NeitherFinder
from textparity.persons.person_finder import PersonFinder
from textparity.persons.person_nouns import read_person_nouns
from textparity.persons.pipeline_finder import PipelineFinder
from textparity.persons.rules import Rules, read_rules
from textparity.persons.russian_pipeline import load_russian
from textparity.persons.speaker_finder import SpeakerFinder
from textparity.persons.term_finder import TermFinder, fold_texts, place_in_original

if TYPE_CHECKING:
    from spacy.language import Language

    from textparity.persons.dictionary_finder import DictionaryFinder

# Values in place of a pipeline: a dictionary (Ukrainian), models (Russian), or a file with recorded mentions.
DICTIONARY, NATASHA = "pymorphy3", "natasha"
_PACKAGES = {
    DICTIONARY: ("pymorphy3", "pymorphy3_dicts_uk"),
    NATASHA: ("pymorphy3_dicts_ru", "razdel", "navec", "slovnet", "natasha", "spacy"),
}
RECORDED = ".jsonl"


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
    # Files by name, for a language with rules of its own, and for one with rules for quotes.
    lists: dict[str, str] = field(default_factory=dict)
    quote_lists: dict[str, str] = field(default_factory=dict)

    @property
    def paths_of_lists(self) -> dict[str, Path]:
        """The paths of `lists`."""
        return {name: Path(path) for name, path in self.lists.items()}

    @property
    def paths_of_quote_lists(self) -> dict[str, Path]:
        """The paths of `quote_lists`."""
        return {name: Path(path) for name, path in self.quote_lists.items()}


def load_method(name: str, files: LanguageFiles, grammatical: bool = False) -> Method:
    """Load a method. Raises `MissingResourceError` if its pipeline is not installed."""
    if name == PERSONS and files.pipeline.endswith(RECORDED):
        return _Recorded(Path(files.pipeline), grammatical)
    folding, name_rules = load_folding(files.lang), load_name_rules(files.lang)
    terms = _read_terms(name, files)
    if name != PERSONS:
        matcher = TermMatcher(terms, _layers_of(name, files.lang), folding, name_rules)
        return TermFinder(matcher, files.tokenizer)
    matcher = TermMatcher(terms, LAYERS, folding, name_rules)
    method = _load_persons(files, matcher, grammatical)
    return _Folded(method, load_folding(files.lang, merges=False))


def load_speaker_finder(files: LanguageFiles) -> SpeakerFinder:
    """Load the method `persons` for those who are quoted, in a language with rules for quotes.

    Raises `MissingResourceError` if its pipeline is not installed, or is a file of recorded mentions.
    """
    if files.pipeline.endswith(RECORDED):
        raise MissingResourceError(f"{files.pipeline}: recorded mentions have no quotes; name a spaCy pipeline")
    terms = _read_terms(PERSONS, files)
    matcher = TermMatcher(terms, LAYERS, load_folding(files.lang), load_name_rules(files.lang))
    finder = _load_pipeline_finder(files, matcher, grammatical=False)
    words = load_word_lists(**files.paths_of_quote_lists, lang=files.lang)
    return SpeakerFinder(finder, words, load_folding(files.lang, merges=False))


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
    if files.pipeline == DICTIONARY:
        return _load_dictionary_finder(files, matcher, grammatical)
    return _load_pipeline_finder(files, matcher, grammatical)


def _load_pipeline_finder(files: LanguageFiles, matcher: TermMatcher, grammatical: bool) -> PipelineFinder:
    rules, person_nouns = _load_rules(files)
    nlp = _load_pipeline(files.pipeline)
    code = files.tokenizer.code.partition("-")[0]
    if nlp.lang != code:
        raise MissingResourceError(f"{files.pipeline} is a pipeline of {nlp.lang}, not of {code} ({files.lang})")
    neither_words = read_neither_words(files.lang)
    name_forms = load_name_forms(files.lang) if rules.of_kind("agreement") else None
    finder = PersonFinder(
        rules,
        matcher,
        person_nouns,
        grammatical=grammatical,
        decide_name=name_forms.decide if name_forms else None,
        guess_name=partial(_guess_first_name, lang=files.lang) if files.lang in GRAMMARS else None,
        # The rules of actors decide who is meant, so they do not apply if the grammatical gender of nouns is asked for.
        actor_words=None if grammatical else _load_actor_words(files),
        neopronouns=frozenset(word for word, kind in neither_words.items() if kind == "pronoun"),
    )
    return PipelineFinder(nlp, finder, matcher, NeitherFinder(neither_words))


def _load_rules(files: LanguageFiles) -> tuple[Rules, frozenset[str]]:
    """Load the rules and the nouns for persons. Raises `MissingResourceError` if the pipeline is not installed."""
    rules = read_rules(Path(files.pronouns), Path(files.words), files.lang, Path(files.places))
    person_nouns = read_person_nouns(Path(files.person_nouns))
    reason = missing_pipeline(files.pipeline, files.lang in GRAMMARS)
    if reason:
        raise MissingResourceError(reason)
    return rules, person_nouns


def _guess_first_name(first_name: str, lang: str) -> str:
    """Guess the gender of a first name in a language, or else in English, the language of many foreign names."""
    return guess_gender(first_name, GRAMMARS[lang]) or guess_gender(first_name, GRAMMARS["eng"])


def _load_actor_words(files: LanguageFiles) -> WordLists | None:
    """Load the lists of a language that uses the rules of actors."""
    if not files.lists or files.lang not in GRAMMARS:
        return None
    return load_word_lists(**files.paths_of_lists, lang=files.lang)


def _load_dictionary_finder(files: LanguageFiles, matcher: TermMatcher, grammatical: bool) -> "DictionaryFinder":
    from textparity.persons.dictionary_finder import DictionaryFinder
    from textparity.persons.ukrainian_genders import load_gender_lists

    rules, person_nouns = _load_rules(files)
    titles = [form for form, rule in matcher.rules.items() if rule.layer == "titles"]
    return DictionaryFinder(
        load_gender_lists(**files.paths_of_lists),
        person_nouns,
        rules,
        others=TermFinder(matcher, files.tokenizer),
        grammatical=grammatical,
        address=matcher.name_rules.address.union(titles),
    )


def missing_pipeline(name: str, has_lists: bool = False) -> str:
    """Explain why a pipeline cannot be loaded here, and how to install it. The rules of word lists need first names."""
    if name in _PACKAGES:
        lacking = [package for package in _PACKAGES[name] if not find_spec(package)]
        install = how_to_install("morphology") if name == DICTIONARY else how_to_install("russian")
        return f"{', '.join(lacking)} not installed: {install}" if lacking else ""
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
        folded_texts = fold_texts(texts, self._folding)
        mentions_of_texts = self._method.find([folded.text for folded in folded_texts])
        for folded, mentions in zip(folded_texts, mentions_of_texts, strict=True):
            if folded.starts is None:
                yield mentions
            else:
                yield [place_in_original(mention, folded) for mention in mentions]


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
