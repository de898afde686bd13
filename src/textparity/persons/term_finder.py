"""Find mentions of persons by the terms of a lexicon, without a pipeline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from textparity.counting.line_ends import LineMarkedText, mark_line_ends
from textparity.counting.terms import TermMatcher
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.folding import NO_FOLDING, Folded, Folding, plain_spaces
from textparity.persons.mentions import INCLUSIVE, UNSPECIFIED, Mention

_KIND_OF_LAYER = {"nouns": "noun", "pronouns": "pronoun", "titles": "noun", "names": "name", "inclusive": "noun"}


class TermFinder:
    """Find terms by tokens alone. Adjacent titles and first names form one mention."""

    def __init__(self, matcher: TermMatcher, tokenizer: TokenizerChoice) -> None:
        self._matcher, self._tokenizer = matcher, load_tokenizer(tokenizer)

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""
        prepared_texts = list(map(self._prepare, texts))
        folded_texts = [prepared.folded.text for prepared in prepared_texts]
        sentences_of_texts = self._tokenizer.cut(folded_texts)
        for prepared, sentences in zip(prepared_texts, sentences_of_texts, strict=True):
            mentions = self._mentions(prepared.folded.text, sentences)
            yield list(map(prepared.place, mentions))

    def _prepare(self, text: str) -> "_PreparedText":
        """Fold a text on one line, in which signs mark the ends of its lines."""
        plain = plain_spaces(NO_FOLDING.fold(text))
        marked = mark_line_ends(plain)
        one_line = marked.text.replace("\n", " ")
        return _PreparedText(plain, marked, self._matcher.folding.fold_placed(one_line))

    def _mentions(self, text: str, sentences: list[list[str]]) -> Iterator[Mention]:
        # Imported here because the parser of rules uses this module, and names would load NumPy.
        from textparity.counting.names import find_mentions, gender_of

        entities: dict[str, int] = {}
        for term in find_mentions(self._matcher, sentences, text):
            start, end, layer = term.start, term.end, term.match.layer
            if start < 0:
                continue
            form = text[start:end]
            if term.is_name:
                # The same name is the same person.
                kind, key = "name", form.lower()
            else:
                kind, key = _KIND_OF_LAYER[layer], f"{start}"
            entity = entities.setdefault(key, len(entities))
            gender = INCLUSIVE if layer == "inclusive" else gender_of(term.match) or UNSPECIFIED
            yield Mention(start, end, form, kind, gender, entity, layer)


@dataclass(frozen=True)
class _PreparedText:
    """A text with plain spaces, with marked line ends, and folded."""

    plain: str
    marked: LineMarkedText
    folded: Folded

    def place(self, mention: Mention) -> Mention:
        """Give a mention in the folded text its position and its words in the plain text."""
        placed = place_in_original(mention, self.folded)
        start = self.marked.original(placed.start)
        end = self.marked.original(placed.end)
        words = self.plain[start:end].replace("\n", " ")
        return replace(placed, start=start, end=end, text=words)


def fold_texts(texts: Sequence[str], folding: Folding) -> list[Folded]:
    """Fold texts in NFC with plain spaces, to which the positions of mentions refer."""
    plain_texts = [plain_spaces(NO_FOLDING.fold(text)) for text in texts]
    return list(map(folding.fold_placed, plain_texts))


def place_in_original(mention: Mention, folded: Folded) -> Mention:
    """Give a mention in a folded text its position in the original."""
    start, end = folded.place(mention.start, mention.end)
    return replace(mention, start=start, end=end)
