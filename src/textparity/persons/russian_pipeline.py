"""Load a spaCy pipeline of Russian that reads texts with the models of natasha, which are not spaCy's."""

import re
from collections.abc import Iterable
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token
    from spacy.vocab import Vocab

# A line, or a paragraph within it (U+2029), that is not blank.
_LINE = re.compile(r"[^\n\u2029]*\S[^\n\u2029]*")
_GENDERS = {"femn": "Fem", "masc": "Masc"}


def load_russian() -> "Language":
    """Load a pipeline whose tokenizer does everything. A sentence ends with its line."""
    import spacy

    nlp = spacy.blank("ru")
    nlp.tokenizer = _Natasha(nlp.vocab).parse
    return nlp


class _Natasha:
    """The models of natasha, with the dictionary of pymorphy3 for lemmas and animacy."""

    def __init__(self, vocab: "Vocab") -> None:
        from navec import Navec
        from pymorphy3 import MorphAnalyzer
        from slovnet import NER, Morph

        # Only natasha's files are read, because its code needs a library that does not work with this version of
        # Python.
        data = Path(str(getattr(find_spec("natasha"), "origin", ""))).parent / "data"
        vectors = Navec.load(data / "emb/navec_news_v1_1B_250K_300d_100q.tar")
        self._tag = Morph.load(data / "model/slovnet_morph_news_v1.tar").navec(vectors).map
        self._find_names = NER.load(data / "model/slovnet_ner_news_v1.tar").navec(vectors).map
        self._parses_of = MorphAnalyzer(lang="ru").parse
        self._vocab = vocab

    def parse(self, text: str) -> "Doc":
        """Read a text: its sentences, the morphology of its words, and names."""
        from spacy.tokens import Doc
        from spacy.util import get_words_and_spaces

        lines = list(_LINE.finditer(text))
        sentences = _split_sentences(lines)
        doc = Doc(self._vocab, *get_words_and_spaces(list(chain.from_iterable(sentences)), text))
        words = [word for word in doc if not word.is_space]
        tagged = chain.from_iterable(enumerate(sentence.tokens) for sentence in self._tag(sentences))
        for word, (index, token) in zip(words, tagged, strict=True):
            word.is_sent_start = index == 0
            self._set_morphology(word, token)
        self._set_names(doc, lines)
        return doc

    def _set_morphology(self, word: "Token", token: Any) -> None:
        """Give a word what the model tagged (`token`) and the dictionary has."""
        parses = self._parses_of(token.text)
        is_noun = token.pos in ("NOUN", "PROPN")
        best = _best_parse(parses, is_noun)
        word.lemma_ = _lemma_of(best)
        word.pos_ = token.pos
        in_dictionary = _features_in_dictionary(token, best, parses) if is_noun else {}
        word.set_morph({**token.feats, **in_dictionary})

    def _set_names(self, doc: "Doc", lines: list[re.Match[str]]) -> None:
        from spacy.util import filter_spans

        spans = []
        marked_lines = self._find_names([line[0] for line in lines])
        for line, marked in zip(lines, marked_lines, strict=True):
            for name in marked.spans:
                span = doc.char_span(line.start() + name.start, line.start() + name.stop, name.type)
                # A name that does not end with a token is no span.
                if span:
                    spans.append(span)
        doc.ents = filter_spans(spans)


def _split_sentences(lines: Iterable[re.Match[str]]) -> list[list[str]]:
    """List the words of each sentence."""
    from razdel import sentenize, tokenize

    sentences = []
    for line in lines:
        for sentence in sentenize(line[0]):
            sentences.append([token.text for token in tokenize(sentence.text)])
    return sentences


def _best_parse(parses: list[Any], is_noun: bool) -> Any:
    """Choose the most likely parse that is a noun if the model tagged a noun, and is none otherwise."""
    for parse in parses:
        if ("NOUN" in parse.tag) == is_noun:
            return parse
    return parses[0]


def _lemma_of(parse: Any) -> str:
    # A participle has the verb for its lemma, but as a noun it is an adjective.
    is_adjectival = parse.tag.POS in ("ADJF", "PRTF")
    form = parse.inflect({"nomn", "sing", "masc"}) if is_adjectival else None
    return str((form or parse.normalized).word)


def _features_in_dictionary(token: Any, best: Any, parses: list[Any]) -> dict[str, str]:
    """Read which nouns are animate, and the gender of first names: the dictionary is better at both than the model."""
    names = [parse for parse in parses if parse.is_known and "Name" in parse.tag]
    genders = {name.tag.gender for name in names}
    if token.pos == "PROPN" and genders in ({"femn"}, {"masc"}):
        (gender,) = genders
        return {"NameType": "Giv", "Gender": _GENDERS[gender]}
    if not best.is_known:
        return {}
    is_animate = {"NOUN", "anim"} <= best.tag.grammemes
    return {"Animacy": "Anim" if is_animate else "Inan"}
