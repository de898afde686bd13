"""Find mentions of persons by the terms of a lexicon, without a pipeline."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from textparity.counting.line_ends import LineMarkedText, mark_line_ends
from textparity.counting.terms import TermMatcher
from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer
from textparity.folding import NO_FOLDING, Folded, plain_spaces
from textparity.persons.mentions import INCLUSIVE, UNSPECIFIED, Mention

_KIND_OF_LAYER = {"nouns": "noun", "pronouns": "pronoun", "titles": "noun", "names": "name", "inclusive": "noun"}


class TermFinder:
    """Find terms by tokens alone. Adjacent titles and first names form one mention."""

    def __init__(self, matcher: TermMatcher, tokenizer: TokenizerChoice) -> None:
        self._matcher, self._tokenizer = matcher, load_tokenizer(tokenizer)

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""
        plain_texts = [plain_spaces(NO_FOLDING.fold(text)) for text in texts]
        marked_texts = [mark_line_ends(text) for text in plain_texts]
        fold = self._matcher.folding.fold_placed
        folded_texts = [fold(marked.text.replace("\n", " ")) for marked in marked_texts]
        sentences_of_texts = self._tokenizer.cut([folded.text for folded in folded_texts])
        rows = zip(plain_texts, marked_texts, folded_texts, sentences_of_texts, strict=True)
        for plain, marked, folded, sentences in rows:
            mentions = self._mentions(folded.text, sentences)
            yield [_in_plain_text(mention, folded, marked, plain) for mention in mentions]

    def _mentions(self, text: str, sentences: list[list[str]]) -> Iterator[Mention]:
        # Imported here because the parser of rules uses this module, and names would load NumPy.
        from textparity.counting.names import find_mentions, gender_of

        entities: dict[str, int] = {}
        for term in find_mentions(self._matcher, sentences, text):
            start, end, layer = term.start, term.end, term.match.layer
            if start < 0:
                continue
            form = text[start:end]
            # The same name is the same person.
            key = form.lower() if term.is_name else f"{start}"
            entity = entities.setdefault(key, len(entities))
            kind = "name" if term.is_name else _KIND_OF_LAYER[layer]
            gender = INCLUSIVE if layer == "inclusive" else gender_of(term.match) or UNSPECIFIED
            yield Mention(start, end, form, kind, gender, entity, layer)


def _in_plain_text(mention: Mention, folded: Folded, marked: LineMarkedText, plain: str) -> Mention:
    """Give a mention in a folded text with marked line ends its position and its words in the plain text."""
    placed = place_in_original(mention, folded)
    start, end = marked.original(placed.start), marked.original(placed.end)
    return replace(placed, start=start, end=end, text=plain[start:end].replace("\n", " "))


def place_in_original(mention: Mention, folded: Folded) -> Mention:
    """Give a mention in a folded text its position in the original."""
    start, end = folded.place(mention.start, mention.end)
    return replace(mention, start=start, end=end)
