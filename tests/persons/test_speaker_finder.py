"""The method that finds only those who are quoted, with the words that they say."""

from annotated import annotate, lists_of

from textparity.folding import load_folding
from textparity.persons.actor_languages import load_word_lists
from textparity.persons.mentions import Mention
from textparity.persons.pipeline_finder import ParsedText
from textparity.persons.speaker_finder import QuotedText, SpeakerFinder, mentions_of_speakers
from textparity.persons.speakers import AttributedQuote
from textparity.persons.windows import find_in_documents

NAMES = ("generic_persons", "titles", "speech_verbs", "quotation_verbs")
PATHS = lists_of("eng")
WORDS = load_word_lists(**{name: PATHS[name] for name in NAMES}, lang="eng")


class Parser:
    """A pipeline that gives any text the same parse and mentions, and keeps the texts that it got."""

    def __init__(self, block, **people):
        self.article = annotate(block, "clear")
        self.texts = []
        text = self.article.text_of(0, len(self.article))
        self.mentions = []
        for word, (entity, gender) in people.items():
            start = text.index(word)
            self.mentions.append(Mention(start, start + len(word), word, "name", gender, entity))

    def parse(self, texts):
        for text in texts:
            self.texts.append(text)
            yield ParsedText(self.article, self.mentions)


def finder_of(parser):
    return SpeakerFinder(parser, WORDS, load_folding("eng", merges=False))


SAID = (
    "Koch - PROPN nsubj 2\nleft leave VERB ROOT 0 Fin\n. - PUNCT punct 2\n\n"
    "Berger - PROPN nsubj 2\nsaid say VERB ROOT 0 Fin\nprices - NOUN nsubj 4\nrose rise VERB ccomp 2 Fin\n"
    ". - PUNCT punct 2"
)
PEOPLE = {"Koch": (0, "masculine"), "Berger": (1, "feminine")}


def test_only_those_who_are_quoted_are_found_with_the_words_that_they_say():
    ((mention,),) = finder_of(Parser(SAID, **PEOPLE)).find(["Koch left. Berger said prices rose."])
    assert (mention.text, mention.gender, mention.quoted_words) == ("Berger", "feminine", 2)


def test_positions_are_those_of_the_text_before_it_is_folded():
    text = "Koch left\u00ad. Ber\u00adger said prices rose."
    parser = Parser(SAID, **PEOPLE)
    (quoted,) = finder_of(parser).find_quotes([text])
    assert parser.texts == ["Koch left. Berger said prices rose."]
    (quote,) = quoted.quotes
    ((start, end),) = quote.spans
    assert text[start:end] == "prices rose"


def test_a_quote_over_two_lines_of_a_document_is_one():
    block = (
        '" - PUNCT punct 3 ~\nPrices - NOUN nsubj 3\nrose rise VERB ROOT 0 Fin\n. - PUNCT punct 3\n\n'
        'They - PRON nsubj 2\nfell fall VERB ROOT 0 Fin\nagain - ADV advmod 2\n, - PUNCT punct 2 ~\n" - PUNCT punct 2\n'
        "Berger - PROPN nsubj 7\nsaid say VERB parataxis 2 Fin\n. - PUNCT punct 2"
    )
    parser = Parser(block, Berger=(1, "feminine"))
    lines = ['"Prices rose.', 'They fell again," Berger said.']
    ((), (mention,)) = find_in_documents(finder_of(parser), lines, ["a", "a"])
    assert parser.texts == ["\u2029 ".join(lines)]
    assert mention.quoted_words == 5


def test_the_first_mention_has_the_words_of_all_quotes_and_nobody_else_any():
    def at(start, entity, gender="unspecified", **others):
        return Mention(start, start + 2, "xx", "name", gender, entity, **others)

    quotes = (
        AttributedQuote(((50, 60),), True, 1, words=3),
        AttributedQuote(((70, 80),), False, 1, "feminine", words=4),
        AttributedQuote(((80, 90),), False, None, words=9),
        AttributedQuote(((90, 99),), False, 2, words=5),
    )
    mentions = (at(0, 0), at(3, 1), at(6, 2, is_group=True), at(9, 1))
    found = mentions_of_speakers(QuotedText(mentions, quotes))
    # The pronoun of a reporting clause shows the gender of a person, but not that of a group.
    assert [(mention.start, mention.gender, mention.quoted_words) for mention in found] == [
        (3, "feminine", 7), (6, "unspecified", 5), (9, "feminine", 0),
    ]  # fmt: skip
