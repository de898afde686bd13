"""Who says what: the quotes of parsed sentences and their speakers, in English, French and German."""

import pytest
from annotated import annotate, lists_of

from textparity.persons.actor_languages import load_word_lists
from textparity.persons.mentions import Mention
from textparity.persons.speakers import AttributedQuote, find_quotes, people_quoted

NAMES = ("generic_persons", "titles", "speech_verbs", "quotation_verbs")


def words_of(lang):
    paths = lists_of(lang)
    return load_word_lists(**{name: paths[name] for name in NAMES}, lang=lang)


def mention(text, word, entity, kind="name", gender="feminine", nth=0):
    start = -1
    for _ in range(nth + 1):
        start = text.index(word, start + 1)
    return Mention(start, start + len(word), word, kind, gender, entity)


def find(block, lang, people, scheme="ud"):
    """Return the words of each quote with its speaker; `people` has the number of a person by word."""
    article = annotate(block, scheme)
    text = article.text_of(0, len(article))
    mentions = [mention(text, word, entity) for word, entity in people.items() if word in text]
    quotes = find_quotes(article, mentions, words_of(lang))
    return [(" … ".join(text[start:end] for start, end in quote.spans), quote.speaker) for quote in quotes]


ENGLISH = {"Berger": 0, "Koch": 1, "she": 0}


@pytest.mark.parametrize(
    ("block", "found"),
    [
        # A clause that depends on the verb, with or without that.
        (
            "Berger - PROPN nsubj 2\nsaid say VERB ROOT 0 Fin\nthat - SCONJ mark 5\nprices - NOUN nsubj 5\n"
            "rose rise VERB ccomp 2 Fin\n. - PUNCT punct 2",
            [("that prices rose", 0)],
        ),
        # A verb beside the clause that it reports.
        (
            "prices - NOUN nsubj 2\nrose rise VERB ccomp 5 Fin\n, - PUNCT punct 5\nBerger - PROPN nsubj 5\n"
            "said say VERB ROOT 0 Fin\n. - PUNCT punct 5",
            [("prices rose", 0)],
        ),
        # A verb in the middle, which the parser attached to the clause.
        (
            "prices - NOUN nsubj 6\n, - PUNCT punct 6\nBerger - PROPN nsubj 4\nsaid say VERB parataxis 6 Fin\n"
            ", - PUNCT punct 6\nrose rise VERB ROOT 0 Fin\n. - PUNCT punct 6",
            [("prices … rose.", 0)],
        ),
        # A source.
        (
            "prices - NOUN nsubj 2\nrose rise VERB ROOT 0 Fin\n, - PUNCT punct 2\naccording accord VERB prep 2\n"
            "to - ADP prep 4\nBerger - PROPN pobj 5\n. - PUNCT punct 2",
            [("prices rose", 0)],
        ),
        # A relative pronoun stands for the noun before it.
        (
            "Koch - PROPN nsubj 7\n, - PUNCT punct 1\nwho - PRON nsubj 4\nsaid say VERB relcl 1 Fin\n"
            "prices - NOUN nsubj 6\nrose rise VERB ccomp 4 Fin\nleft leave VERB ROOT 0 Fin\n. - PUNCT punct 7",
            [("prices rose", 1)],
        ),
        # A second verb has the subject of the first.
        (
            "Koch - PROPN nsubj 2\npaused pause VERB ROOT 0 Fin\nand - CCONJ cc 2\nsaid say VERB conj 2 Fin\n"
            "prices - NOUN nsubj 6\nrose rise VERB ccomp 4 Fin\n. - PUNCT punct 2",
            [("prices rose", 1)],
        ),
        # No person says it.
        (
            "Police - NOUN nsubj 2\nsaid say VERB ROOT 0 Fin\nprices - NOUN nsubj 4\nrose rise VERB ccomp 2 Fin",
            [("prices rose", None)],
        ),
        # She who is told says nothing.
        (
            "Berger - PROPN nsubjpass 3\nwas be AUX auxpass 3 Fin\ntold tell VERB ROOT 0 Part\n"
            "prices - NOUN nsubj 5\nrose rise VERB ccomp 3 Fin",
            [("prices rose", None)],
        ),
        # Nobody said it.
        (
            "Berger - PROPN nsubj 4\ndid do AUX aux 4 Fin\nnot - PART neg 4\nsay - VERB ROOT 0 Inf\n"
            "prices - NOUN nsubj 6\nrose rise VERB ccomp 4 Fin",
            [],
        ),
        # A thought is no quote.
        (
            "Berger - PROPN nsubj 2\nthought think VERB ROOT 0 Fin\nprices - NOUN nsubj 4\nrose rise VERB ccomp 2 Fin",
            [],
        ),
    ],
)
def test_english_clauses_that_are_reported(block, found):
    assert find(block, "eng", ENGLISH, "clear") == found


def direct(words, rest):
    """Return a sentence with `words` in typewriter marks."""
    lines = ['" - PUNCT punct 3 ~']
    lines += [f"{word} - {part} dep 3" + (" Fin" if part == "VERB" else "") for word, part in words]
    lines[-1] += " ~"
    return "\n".join([*lines, '" - PUNCT punct 3', *rest])


WE_GO = (("We", "PRON"), ("go", "VERB"), (",", "PUNCT"))


def test_a_direct_quote_goes_on_after_its_reporting_clause():
    first = direct(WE_GO, ["Berger - PROPN nsubj 7", "said say VERB ROOT 0 Fin", ". - PUNCT punct 7"])
    second = direct((("They", "PRON"), ("stay", "VERB"), ("here", "ADV"), (".", "PUNCT")), [])
    assert find(f"{first}\n\n{second}", "eng", ENGLISH, "clear") == [('"We go," … "They stay here."', 0)]


def test_a_quote_before_the_end_of_a_line_begins_there():
    line = "Berger - PROPN nsubj 2\nsaid say VERB ROOT 0 Fin\n: - PUNCT punct 2"
    quote = direct((("We", "PRON"), ("go", "VERB"), (".", "PUNCT")), [])
    assert find(f"{line}\n\n{quote}", "eng", ENGLISH, "clear") == [('"We go."', 0)]


def test_a_title_in_marks_is_no_quote():
    title = direct((("Hard", "PROPN"), ("Times", "PROPN")), ["is - VERB ROOT 0 Fin", "long - ADJ acomp 5"])
    assert find(title, "eng", ENGLISH, "clear") == []


@pytest.mark.parametrize(
    ("block", "found"),
    [
        (
            "Berger - PROPN nsubj 3\na avoir AUX aux 3 Fin\ndit dire VERB root 0 Part\nque - SCONJ mark 6\n"
            "Koch - PROPN nsubj 6\npart partir VERB ccomp 3 Fin\n. - PUNCT punct 3",
            [("que Koch part", 0)],
        ),
        # The verb comes before its subject; the parser missed both.
        (
            "Koch - PROPN nsubj 2\npart partir VERB root 0 Fin\n, - PUNCT punct 2\na avoir AUX aux 5 Fin\n"
            "déclaré déclarer VERB parataxis 2 Part\nBerger - PROPN dep 5\n. - PUNCT punct 2",
            [("Koch part", 0)],
        ),
        (
            "Selon - ADP case 2\nBerger - PROPN obl 5\n, - PUNCT punct 5\nKoch - PROPN nsubj 5\n"
            "part partir VERB root 0 Fin\n. - PUNCT punct 5",
            [("Koch part.", 0)],
        ),
        # A participle alone is an adjective.
        (
            "le - DET det 2\ncas - NOUN nsubj 5\naffirmé affirmer VERB acl 2 Part.Past\nici - ADV advmod 3\n"
            "dure durer VERB root 0 Fin",
            [],
        ),
    ],
)
def test_french_clauses_that_are_reported(block, found):
    assert find(block, "fra", ENGLISH) == found


SEI = "der - DET det 2\nPreis - NOUN nsubj 4\nsei sein AUX cop 4 Fin.Sub.Pres\nhoch - ADJ {} {}\n"


@pytest.mark.parametrize(
    ("block", "found"),
    [
        (
            SEI.format("ccomp", 6) + ", - PUNCT punct 6\nsagte sagen VERB root 0 Fin\nBerger - PROPN nsubj 6\n"
            ". - PUNCT punct 6",
            [("der Preis sei hoch", 0)],
        ),
        # It goes on in the mood of reported speech.
        (
            "Berger - PROPN nsubj 2\nsagte sagen VERB root 0 Fin\n, - PUNCT punct 2\ndass - SCONJ mark 6\n"
            "Koch - PROPN nsubj 6\ngeht gehen VERB ccomp 2 Fin\n. - PUNCT punct 2\n\n"
            + SEI.format("root", 0)
            + ". - PUNCT punct 4",
            [("dass Koch geht … der Preis sei hoch.", 0)],
        ),
        (
            "Wie - ADV mark 3\nBerger - PROPN nsubj 3\nsagte sagen VERB advcl 6 Fin\n, - PUNCT punct 6\n"
            "ging gehen VERB root 0 Fin\nKoch - PROPN nsubj 5\n. - PUNCT punct 5",
            [("ging Koch.", 0)],
        ),
        (
            "Koch - PROPN nsubj 2\ngeht gehen VERB root 0 Fin\n, - PUNCT punct 2\nso - ADV advmod 5\n"
            "Berger - PROPN dep 2\n. - PUNCT punct 2",
            [("Koch geht", 0)],
        ),
    ],
)
def test_german_clauses_that_are_reported(block, found):
    assert find(block, "deu", ENGLISH) == found


def test_people_who_are_quoted_count_once():
    text = "Berger Koch they"
    mentions = [mention(text, "Berger", 0), mention(text, "Koch", 1)]
    mentions.append(Mention(12, 16, "they", "pronoun", "unspecified", 2, is_group=True))
    quotes = [AttributedQuote(((0, 1),), True, speaker) for speaker in (0, 0, 2, None)]
    assert [person.entity for person in people_quoted(quotes, mentions)] == [0]


def test_a_speaker_who_is_a_pronoun_alone_is_the_one_who_spoke_before():
    block = (
        "Berger - PROPN nsubj 2\nsaid say VERB ROOT 0 Fin\nprices - NOUN nsubj 4\nrose rise VERB ccomp 2 Fin\n"
        ". - PUNCT punct 2\n\nshe - PRON nsubj 2\nsaid say VERB ROOT 0 Fin\nprices - NOUN nsubj 4\n"
        "fell fall VERB ccomp 2 Fin\n. - PUNCT punct 2"
    )
    article = annotate(block, "clear")
    text = article.text_of(0, len(article))
    mentions = [mention(text, "Berger", 0), mention(text, "she", 5, kind="pronoun")]
    assert [quote.speaker for quote in find_quotes(article, mentions, words_of("eng"))] == [0, 0]


def speakers_of(*sentences, people):
    """Return the speaker of each sentence `X said prices rose`; `people` has a mention of each word."""
    said = "said say VERB ROOT 0 Fin\nprices - NOUN nsubj {0}\nrose rise VERB ccomp {1} Fin\n. - PUNCT punct {1}"
    blocks = []
    for subject in sentences:
        first = len(subject)
        blocks.append("\n".join([*subject, said.format(first + 3, first + 1)]))
    article = annotate("\n\n".join(blocks), "clear")
    text = article.text_of(0, len(article))
    mentions = [mention(text, *who) for who in people]
    return [quote.speaker for quote in find_quotes(article, mentions, words_of("eng"))]


SHE_SAID = ("she - PRON nsubj 2",)
BERGER_SAID = ("Berger - PROPN nsubj 2",)


def test_a_pronoun_before_all_names_is_the_next_speaker():
    people = [("she", 5, "pronoun"), ("Berger", 0)]
    assert speakers_of(SHE_SAID, BERGER_SAID, people=people) == [0, 0]
    people = [("she", 5, "pronoun"), ("Berger", 0, "name", "masculine")]
    assert speakers_of(SHE_SAID, BERGER_SAID, people=people) == [5, 0]


def test_the_noun_after_a_name_is_the_same_speaker():
    the_lawyer = ("the - DET det 2", "lawyer - NOUN nsubj 3")
    people = [("Berger", 0), ("lawyer", 3, "noun", "unspecified")]
    assert speakers_of(BERGER_SAID, the_lawyer, people=people) == [0, 0]
    a_lawyer = ("a - DET det 2", "lawyer - NOUN nsubj 3")
    assert speakers_of(BERGER_SAID, a_lawyer, people=people) == [0, 3]


def test_a_surname_alone_is_the_one_full_name():
    anna = ("Anna - PROPN compound 2", "Koch - PROPN nsubj 3")
    surname = ("Berger - PROPN nsubj 2",)
    people = [("Anna Koch", 1), ("Berger", 0)]
    assert speakers_of(anna, surname, people=people) == [1, 0]
    full = ("Anna - PROPN compound 2", "Berger - PROPN nsubj 3")
    mentions = [Mention(0, 11, "Anna Berger", "name", "feminine", 1)]
    mentions.append(Mention(30, 36, "Berger", "name", "unspecified", 0))
    said = "said say VERB ROOT 0 Fin\nprices - NOUN nsubj {0}\nrose rise VERB ccomp {1} Fin\n. - PUNCT punct {1}"
    blocks = ["\n".join([*full, said.format(5, 3)]), "\n".join([*surname, said.format(4, 2)])]
    article = annotate("\n\n".join(blocks), "clear")
    text = article.text_of(0, len(article))
    assert text[30:36] == "Berger"
    assert [quote.speaker for quote in find_quotes(article, mentions, words_of("eng"))] == [1, 1]


def test_pronouns_that_report_show_a_gender_that_is_unknown():
    mentions = [mention("Berger", "Berger", 0, gender="unspecified")]
    quotes = [AttributedQuote(((0, 1),), True, 0), AttributedQuote(((1, 2),), True, 0, "feminine")]
    assert [person.gender for person in people_quoted(quotes, mentions)] == ["feminine"]
    both = [*quotes, AttributedQuote(((2, 3),), True, 0, "masculine")]
    assert [person.gender for person in people_quoted(both, mentions)] == ["unspecified"]


def test_a_parsed_document_of_spacy_is_read():
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import Doc

    doc = Doc(
        spacy.blank("en").vocab,
        words=["Berger", "said", "prices", "rose", "."],
        heads=[1, 1, 3, 1, 1],
        deps=["nsubj", "ROOT", "nsubj", "ccomp", "punct"],
        pos=["PROPN", "VERB", "NOUN", "VERB", "PUNCT"],
        lemmas=["Berger", "say", "price", "rise", "."],
        morphs=["", "VerbForm=Fin", "", "VerbForm=Fin", ""],
        sent_starts=[True, False, False, False, False],
    )
    mentions = [mention(doc.text, "Berger", 0)]
    assert find_quotes(doc, mentions, words_of("eng")) == [AttributedQuote(((12, 23),), False, 0, words=2)]


def test_with_tigers_labels_the_subject_and_the_clause_may_hang_from_the_auxiliary():
    block = (
        "Berger - PROPN sb 2\nhat haben AUX ROOT 0 Fin\ngesagt sagen VERB oc 2 Part\n, - PUNCT punct 2\n"
        "dass - SCONJ cp 7\nKoch - PROPN sb 7\ngeht gehen VERB oc 3 Fin\n. - PUNCT punct 2"
    )
    assert find(block, "deu", ENGLISH, "tiger") == [("dass Koch geht", 0)]


@pytest.mark.parametrize(
    ("block", "found"),
    [
        # A comma before a clause in the subjunctive, which the parser attached elsewhere.
        (
            "Berger - PROPN nsubj 2\nsagte sagen VERB root 0 Fin\n, - PUNCT punct 2\nKoch - PROPN nsubj 6\n"
            "sei sein AUX cop 6 Fin.Sub.Pres\nda - ADJ acl 2\n. - PUNCT punct 2",
            [("Koch sei da.", 0)],
        ),
        # What somebody says after a colon, without marks.
        (
            "Berger - PROPN nsubj 2\nsagte sagen VERB root 0 Fin\n: - PUNCT punct 2\nKoch - PROPN nsubj 5\n"
            "geht gehen VERB dep 2 Fin\n. - PUNCT punct 2",
            [("Koch geht.", 0)],
        ),
        (
            "Das - PRON nsubj 2\nzeigte sagen VERB root 0 Fin\n: - PUNCT punct 2\nKoch - PROPN nsubj 5\n"
            "geht gehen VERB dep 2 Fin\n. - PUNCT punct 2",
            [],
        ),
        (
            "Berger - PROPN nmod 4\nzufolge - ADP case 1\ngeht gehen VERB root 0 Fin\nKoch - PROPN nsubj 3\n"
            ". - PUNCT punct 3",
            [("geht Koch.", 0)],
        ),
        (
            "Nach - ADP case 2\nAngaben - NOUN obl 5\nvon - ADP case 4\nBerger - PROPN nmod 2\n"
            "geht gehen VERB root 0 Fin\nKoch - PROPN nsubj 5\n. - PUNCT punct 5",
            [("Nach … geht Koch.", 0)],
        ),
    ],
)
def test_german_reports_beside_dependent_clauses(block, found):
    assert find(block, "deu", ENGLISH) == found


@pytest.mark.parametrize(
    ("block", "found"),
    [
        # Whom somebody is quoted by goes before the source.
        (
            "Berger - PROPN nsubj 2\nsaid say VERB ROOT 0 Fin\nprices - NOUN nsubj 4\nrose rise VERB ccomp 2 Fin\n"
            ", - PUNCT punct 2\naccording accord VERB prep 2\nto - ADP prep 6\nKoch - PROPN pobj 7\n. - PUNCT punct 2",
            [("prices rose", 0)],
        ),
        # What somebody is asked to do.
        (
            "Berger - PROPN nsubj 2\nurged urge VERB ROOT 0 Fin\nthem - PRON dobj 2\nto - PART aux 5\n"
            "leave - VERB xcomp 2 Inf\n. - PUNCT punct 2",
            [("to leave", 0)],
        ),
        # The parser missed the clause.
        (
            "Berger - PROPN nsubj 2\nsaid say VERB ROOT 0 Fin\nprices - NOUN dep 2\nrose rise VERB dep 2 Fin",
            [("prices rose", 0)],
        ),
    ],
)
def test_english_reports_that_are_harder(block, found):
    assert find(block, "eng", ENGLISH, "clear") == found
