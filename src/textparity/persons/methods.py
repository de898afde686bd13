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
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from textparity.counting.lexicon import read_lexicon, revised_terms, terms_of
from textparity.counting.line_ends import mark_line_ends
from textparity.counting.name_forms import load_name_forms
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import LAYERS, TermMatcher
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.errors import InputError, MissingResourceError, how_to_install
from textparity.files import read_lines
from textparity.folding import NO_FOLDING, Folded, Folding, load_folding, plain_spaces
from textparity.persons.actor_finder import ActorFinder
from textparity.persons.actor_languages import LANGUAGES, load_word_lists
from textparity.persons.mentions import (
    INCLUSIVE,
    PERSONS,
    PRONOUNS,
    PUBLISHED_LEXICON,
    UNSPECIFIED,
    WORDS,
    Mention,
    read_person_nouns,
    read_rules,
)
from textparity.persons.spacy_finder import PersonFinder

if TYPE_CHECKING:
    from spacy.language import Language

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


class Method(Protocol):
    """A method that finds mentions of persons in texts."""

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""


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
    firsts: list[int] = []
    number = size = 0
    before: Any = None
    for number, (text, document) in enumerate(zip(texts, documents, strict=True)):
        size += len(text)
        if not firsts or document != before or size > (most or WINDOW_CHARACTERS):
            firsts.append(number)
            size = len(text)
        before = document
    return [range(*ends) for ends in pairwise([*firsts, number + 1])]


def find_in_documents(method: Method, texts: Sequence[str], documents: Sequence[Any]) -> Iterator[list[Mention]]:
    """Find the mentions of each text, and resolve references among consecutive texts of the same document.

    `documents` names the document of each text. Numbers of persons are the same in a window (`windows_of`).
    """
    texts = list(map(NO_FOLDING.fold, texts))
    windows = [texts[of.start : of.stop] for of in windows_of(texts, documents)]
    for window, mentions in zip(windows, method.find(list(map(_SEPARATOR.join, windows))), strict=True):
        starts = list(accumulate((len(text) + len(_SEPARATOR) for text in window), initial=0))
        found: list[list[Mention]] = [[] for _ in window]
        for one in mentions:
            number = bisect_right(starts, one.start) - 1
            # A pipeline may take the words on both sides of a line end for one name.
            start, end = one.start - starts[number], min(one.end - starts[number], len(window[number]))
            found[number].append(replace(one, start=start, end=end, text=window[number][start:end]))
        yield from found


def load_method(name: str, files: LanguageFiles, grammatical: bool = False) -> Method:
    """Load a method. Raises `MissingResourceError` if its pipeline is not installed."""
    if name == PERSONS and files.pipeline.endswith(RECORDED):
        return _Recorded(Path(files.pipeline), grammatical)
    entries = read_lexicon(Path(files.lexicon)) if files.lexicon else []
    terms = terms_of(entries)
    if files.word_list and name != PUBLISHED_LEXICON:
        terms = revised_terms(entries, Path(files.word_list), files.first_names)
    if name == PERSONS:
        matcher = TermMatcher(terms, LAYERS, load_folding(files.lang), load_name_rules(files.lang))
        return _Folded(_load_persons(files, matcher, grammatical), load_folding(files.lang, merges=False))
    layers: tuple[str, ...] = ("pronouns",) if name == PRONOUNS else ("nouns",)
    if name == WORDS:
        # Imported here because the parser of rules uses this module, and statistics would load NumPy.
        from textparity.counting.precision import layers_off

        layers = tuple(layer for layer in LAYERS if layer not in layers_off(files.lang))
    matcher = TermMatcher(terms, layers, load_folding(files.lang), load_name_rules(files.lang))
    return _ByTerms(matcher, files.tokenizer)


def _load_persons(files: LanguageFiles, matcher: TermMatcher, grammatical: bool) -> Method:
    rules = read_rules(Path(files.pronouns), Path(files.words), files.lang, Path(files.places))
    person_nouns = read_person_nouns(Path(files.person_nouns))
    lists = {name: Path(path) for name, path in files.lists.items()}
    if reason := missing_pipeline(files.pipeline, bool(lists)):
        raise MissingResourceError(reason)
    if files.pipeline == DICTIONARY:
        from textparity.persons.dictionary_finder import DictionaryFinder
        from textparity.persons.ukrainian_genders import load_gender_lists

        others = _ByTerms(matcher, files.tokenizer)
        titles = [form for form, of_form in matcher.rules.items() if of_form.layer == "titles"]
        address = matcher.name_rules.address.union(titles)
        return DictionaryFinder(load_gender_lists(**lists), person_nouns, rules, others, grammatical, address)
    forms = load_name_forms(files.lang) if rules.of_kind("agreement") else None
    nouns = PersonFinder(rules, matcher, person_nouns, grammatical, forms.decide if forms else None)
    nlp = _load_pipeline(files.pipeline)
    if nlp.lang != (code := files.tokenizer.code.partition("-")[0]):
        raise MissingResourceError(f"{files.pipeline} is a pipeline of {nlp.lang}, not of {code} ({files.lang})")
    # The rules of actors decide who is meant, so they do not apply if the grammatical gender of nouns is asked for.
    if lists and files.lang in LANGUAGES and not grammatical:
        return _Piped(nlp, ActorFinder(load_word_lists(**lists, lang=files.lang), nouns), matcher)
    return _Piped(nlp, nouns, matcher)


def missing_pipeline(name: str, has_lists: bool = False) -> str:
    """Explain why a pipeline cannot be loaded here, and how to install it. The rules of word lists need first names."""
    if name in _PACKAGES:
        lacking = ", ".join(package for package in _PACKAGES[name].split() if not find_spec(package))
        how = how_to_install("russian") if name == NATASHA else how_to_install("morphology")
        return lacking and f"{lacking} not installed: {how}"
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
        return _load_russian()
    try:
        nlp = spacy.load(name)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise MissingResourceError(f"{name} cannot be loaded as a spaCy pipeline: {error}") from None
    if not any(nlp.has_pipe(pipe) for pipe in ("parser", "senter", "sentencizer")):
        raise MissingResourceError(f"the spaCy pipeline {name} finds no sentences; use one with a parser")
    return nlp


def _load_russian() -> "Language":
    """Load a pipeline whose tokenizer does everything, by models of natasha. A sentence ends with its line."""
    import spacy
    from navec import Navec
    from pymorphy3 import MorphAnalyzer
    from razdel import sentenize, tokenize
    from slovnet import NER, Morph
    from spacy.tokens import Doc
    from spacy.util import filter_spans, get_words_and_spaces

    nlp, parses_of = spacy.blank("ru"), MorphAnalyzer(lang="ru").parse
    # Only natasha's files are read, because its code needs a library that does not work with this version of Python.
    data = Path(str(getattr(find_spec("natasha"), "origin", ""))).parent / "data"
    vectors = Navec.load(data / "emb/navec_news_v1_1B_250K_300d_100q.tar")
    tag = Morph.load(data / "model/slovnet_morph_news_v1.tar").navec(vectors).map
    find_names = NER.load(data / "model/slovnet_ner_news_v1.tar").navec(vectors).map

    def parse(text: str) -> "Doc":
        lines = list(re.finditer(r"[^\n\u2029]*\S[^\n\u2029]*", text))
        sentences = [[token.text for token in tokenize(one.text)] for line in lines for one in sentenize(line[0])]
        doc = Doc(nlp.vocab, *get_words_and_spaces(list(chain(*sentences)), text))
        tagged = chain.from_iterable(enumerate(one.tokens) for one in tag(sentences))
        for word, (number, token) in zip((word for word in doc if not word.is_space), tagged, strict=True):
            parses, is_noun = parses_of(token.text), token.pos in ("NOUN", "PROPN")
            best = next((one for one in parses if ("NOUN" in one.tag) == is_noun), parses[0])
            # A participle has the verb for its lemma, but as a noun it is an adjective.
            form = best.inflect({"nomn", "sing", "masc"}) if best.tag.POS in ("ADJF", "PRTF") else None
            # The dictionary knows which nouns are animate, and the gender of first names, better than the model.
            known = {"Animacy": "Anim" if {"NOUN", "anim"} <= best.tag.grammemes else "Inan"} if best.is_known else {}
            genders = {one.tag.gender for one in parses if one.is_known and "Name" in one.tag}
            if token.pos == "PROPN" and genders in ({"femn"}, {"masc"}):
                known = {"NameType": "Giv", "Gender": "Fem" if genders == {"femn"} else "Masc"}
            word.lemma_, word.pos_, word.is_sent_start = (form or best.normalized).word, token.pos, number == 0
            word.set_morph({**token.feats, **(known if is_noun else {})})
        names = zip([line.start() for line in lines], find_names([line[0] for line in lines]), strict=True)
        spans = [doc.char_span(at + one.start, at + one.stop, one.type) for at, its in names for one in its.spans]
        doc.ents = filter_spans([span for span in spans if span])
        return doc

    nlp.tokenizer = parse
    return nlp


class _Folded:
    """A method that receives folded texts. The positions of its mentions refer to the text in NFC."""

    def __init__(self, method: Method, folding: Folding) -> None:
        self._method, self._folding = method, folding

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        folded = [self._folding.fold_placed(plain_spaces(NO_FOLDING.fold(text))) for text in texts]
        for text, mentions in zip(folded, self._method.find([one.text for one in folded]), strict=True):
            yield mentions if text.starts is None else [_placed(one, text) for one in mentions]


def _placed(mention: Mention, text: Folded) -> Mention:
    """Give a mention in a folded text its position in the original."""
    start, end = text.place(mention.start, mention.end)
    return replace(mention, start=start, end=end)


class _Piped:
    def __init__(self, nlp: "Language", finder: PersonFinder | ActorFinder, matcher: TermMatcher) -> None:
        self._nlp, self._finder, self._matcher = nlp, finder, matcher

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        self._nlp.max_length = max([self._nlp.max_length, *(len(text) + 1 for text in texts)])
        # This frees the words of the batch from the pipeline's memory, which would otherwise grow with the corpus.
        with self._nlp.memory_zone():
            # The Czech pipeline has seen no ends of lines, and takes them for words.
            is_czech = self._nlp.lang == "cs"
            for batch in [text.splitlines(True) or [text] for text in texts] if is_czech else _batches(texts):
                docs = list(self._nlp.pipe(batch, batch_size=len(batch)))
                for doc in [docs[0].from_docs(docs, ensure_whitespace=False)] if is_czech else docs:
                    yield _with_inclusive(doc.text, self._finder.find(doc), self._matcher)


def _batches(texts: Sequence[str]) -> list[Sequence[str]]:
    return [texts[of.start : of.stop] for of in windows_of(texts, [None] * len(texts), PIPE_CHARACTERS)]


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
            raise InputError(f"{path}: its mentions were not recorded by {kind}; record them again in that way")
        self._path = path
        self._found = {row["text"]: [Mention(**mention) for mention in row["mentions"]] for row in texts}

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        for text in texts:
            if text not in self._found:
                raise InputError(f"{self._path}: has no mentions for the text {text[:60]!r}; record them again")
            yield self._found[text]


class _ByTerms:
    """Find terms by tokens alone. Adjacent titles and first names form one mention."""

    def __init__(self, matcher: TermMatcher, tokenizer: TokenizerChoice) -> None:
        self._matcher, self._tokenizer = matcher, load_tokenizer(tokenizer)

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        normal = [plain_spaces(NO_FOLDING.fold(text)) for text in texts]
        marked = [mark_line_ends(text) for text in normal]
        folded = [self._matcher.folding.fold_placed(one.text.replace("\n", " ")) for one in marked]
        cut = self._tokenizer.cut([one.text for one in folded])
        for text, with_marks, one, sentences in zip(normal, marked, folded, cut, strict=True):
            for_text = []
            for mention in self._mentions(one.text, sentences):
                placed = _placed(mention, one)
                start, end = with_marks.original(placed.start), with_marks.original(placed.end)
                shown = text[start:end].replace("\n", " ")
                for_text.append(replace(placed, start=start, end=end, text=shown))
            yield for_text

    def _mentions(self, text: str, sentences: list[list[str]]) -> Iterator[Mention]:
        # Imported here because the parser of rules uses this module, and names would load NumPy.
        from textparity.counting.names import find_mentions, gender_of

        entities = dict[str, int]()
        for mention in find_mentions(self._matcher, sentences, text):
            if mention.start >= 0:
                start, end, layer = mention.start, mention.end, mention.match.layer
                kind, found = "name" if mention.is_name else _KIND_OF_LAYER[layer], text[start:end]
                entity = entities.setdefault(found.lower() if mention.is_name else f"{start}", len(entities))
                gender = INCLUSIVE if layer == "inclusive" else gender_of(mention.match) or UNSPECIFIED
                yield Mention(start, end, found, kind, gender, entity, layer)
