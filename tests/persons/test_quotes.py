"""Who says what, by the corrected rules: spans between marks, their speakers, and indirect speech."""

import pytest
from annotated import annotate, shipped_lists

from textparity.persons.indirect_quotes import find_indirect_quotes
from textparity.persons.quotes import find_direct_quotes, find_marked_spans, has_finite_verb


def words(line):
    """Return an article of one sentence of words alone; `~` after a word: no space follows."""
    return "\n".join(
        f"{word.rstrip('~')} - X {'root 0' if number == 0 else 'dep 1'}{' ~' if word.endswith('~') else ''}"
        for number, word in enumerate(line.split())
    )


def spans(*lines):
    article = annotate("\n\n".join(map(words, lines)))
    return [article.text_of(start, end) for start, end in find_marked_spans(article)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("„ Ja “ , er", ["„Ja“"]),
        ("„ Ja~ ” , er", ["„Ja”"]),
        ('„ Ja~ " , er', ['„Ja"']),
        ("» Ja « , er", ["»Ja«"]),
        ("«~ Ja~ » , er", ["«Ja»"]),
        ("“~ Ja~ ” , er", ["“Ja”"]),
        ('"~ Ja~ " , er', ['"Ja"']),
        ("‚~ Ja~ ‘ , er", ["‚Ja‘"]),
        ('Er : "~ Ja .~ " Und "~ nein~ " .', ['"Ja."', '"nein"']),
        ('(~ "~ Ja~ " )', ['"Ja"']),
        # Marks within marks are not told apart.
        ("„ Er rief ‚~ nein~ ‘ und ging “", ["„Er rief ‚nein‘ und ging“"]),
        # Never closed, or never opened.
        ("„ Ja , er", []),
        ("Ja~ “ , er", []),
        ('er "~ Ja', []),
        ("„ Ja , er „ nein “", ["„nein“"]),
        # Nothing between them.
        ("„~ “ , er", []),
        # A mark with a space on the wrong side, or none on either: inches, minutes.
        ('19~ " und 20~ " breit', []),
        ('19~ "~ breit~ "', []),
        ('er " ja~ "', []),
        ('"~ Ja " nein~ "', ['"Ja " nein"']),
        ('"~ Ja "~ Nein~ "', ['"Nein"']),
        ('so~ : ja "~ Ja~ "', ['"Ja"']),
        ("„", []),
        ("", []),
    ],
)
def test_spans_between_marks_are_found(line, found):
    assert spans(line) == found


def test_a_span_may_run_over_sentences_but_not_for_ever():
    assert spans("„ Ja", "Nein “") == ["„Ja Nein“"]
    many = ["Ja"] * 12
    assert spans("„ Ja", *many[1:], "Nein “") != []
    assert spans("„ Ja", *many, "Nein “") == []
    assert spans("„ Ja", *many, "„ Nein “") == ["„Nein“"]


def test_a_finite_verb_is_looked_for_in_a_span():
    article = annotate("geht - VERB root 0 Fin\nzu - ADP x 1\ngehen - VERB x 1 Inf\nFin - NOUN x 1 Fin")
    assert has_finite_verb(article, 0, 4)
    assert not has_finite_verb(article, 1, 4)
    assert not has_finite_verb(article, 0, 0)


QUOTED = "„ - PUNCT punct 3\nWir - PRON nsubj 3\ngehen - VERB {} {} Fin\n“ - PUNCT punct 3\n"


def quote(relation="root", head=0):
    return QUOTED.format(relation, head)


def find(text, actors, scheme="ud", indirect=False):
    """Return each quote as its words and speaker; `actors` has the actor's number by word."""
    article = annotate(text, scheme)
    actor_of = {place: actors[token] for place, token in enumerate(article.tokens) if token in actors}
    direct = find_direct_quotes(article, actor_of, shipped_lists())
    found = find_indirect_quotes(article, actor_of, shipped_lists(), direct) if indirect else direct
    assert all(one.is_direct != indirect for one in found)
    return [(article.text_of(one.start, one.end), one.speaker) for one in found]


def direct(text, scheme="ud"):
    return find(text, {"Berger": 0, "sie": 0, "Koch": 1}, scheme)


def indirect(text, scheme="ud"):
    return find(text, {"Berger": 0, "sie": 0, "Koch": 1}, scheme, indirect=True)


WE_GO = [("„Wir gehen“", 0)]


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (", - PUNCT punct 3\nsagte sagen VERB parataxis 3\nBerger - PROPN nsubj 6", WE_GO),
        (
            ", - PUNCT punct 3\nsagte sagen VERB parataxis 3\ndie - DET det 8\nMinisterin - NOUN nsubj 6\n"
            "Berger - PROPN appos 8",
            WE_GO,
        ),
        (
            ", - PUNCT punct 3\nkündigte kündigen VERB parataxis 3\nBerger - PROPN nsubj 6\nan an ADP compound:prt 6",
            WE_GO,
        ),
        # The parser lost the subject.
        (", - PUNCT punct 3\nsagte sagen VERB parataxis 3\nBerger - PROPN dep 3", WE_GO),
        (", - PUNCT punct 3\nso - ADV advmod 7\nBerger - PROPN dep 3", WE_GO),
        (
            ", - PUNCT punct 3\nso - ADV advmod 9\ndie - DET det 8\nMinisterin - NOUN dep 3\nBerger - PROPN appos 8",
            WE_GO,
        ),
        # Somebody who is no actor says it.
        (
            ", - PUNCT punct 3\nsagte sagen VERB parataxis 3\nein - DET det 8\nSprecher - NOUN nsubj 6\n"
            "Berger - PROPN obl 6",
            [],
        ),
        # No saying.
        (", - PUNCT punct 3\nkochte kochen VERB parataxis 3\nBerger - PROPN nsubj 6", []),
        # so, and somebody too far from it.
        (
            ", - PUNCT punct 3\nso - ADV advmod 3\ndie - DET x 3\nneue - ADJ x 3\nund - X x 3\nalte - ADJ x 3\n"
            "und - X x 3\nkluge - ADJ x 3\nfrohe - ADJ x 3\nBerger - PROPN x 3",
            [],
        ),
        # Behind the end of the sentence.
        (". - PUNCT punct 3\nsagte sagen VERB parataxis 3\nBerger - PROPN nsubj 6", []),
        (", - PUNCT punct 3", []),
        ("", []),
    ],
)
def test_the_speaker_stands_in_the_clause_after_the_quote(after, found):
    assert direct(quote() + after) == found


def test_with_tigers_labels_the_subject_may_hang_from_the_auxiliary():
    text = (
        "Berger - PROPN sb 2\nhat haben AUX ROOT 0\ngesagt sagen VERB oc 2 Part\n: - PUNCT punct 2\n"
        + "„ - PUNCT punct 7\nWir - PRON sb 7\ngehen - VERB oc 3 Fin\n“ - PUNCT punct 7"
    )
    assert direct(text, "tiger") == WE_GO


def test_a_sentence_after_a_quote_that_has_ended_is_another():
    text = "„ - PUNCT punct 3\nWir - PRON nsubj 3\ngehen - VERB root 0 Fin\n. - PUNCT punct 3\n“ - PUNCT punct 3\n"
    assert direct(f"{text}Sagte sagen VERB parataxis 3\nBerger - PROPN nsubj 6") == []
    assert direct(f"{text}sagte sagen VERB parataxis 3\nBerger - PROPN nsubj 6") == [("„Wir gehen.“", 0)]


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("Berger - PROPN nsubj 2\nsagte sagen VERB root 0\n: - PUNCT punct 2", WE_GO),
        ("Berger - PROPN nsubj 2\nsagte sagen VERB root 0\n, - PUNCT punct 2", WE_GO),
        # A name before the speech verb, not one in another quote, nor one of the sentence before.
        ("Berger - PROPN dep 2\nsagte sagen VERB root 0\n: - PUNCT punct 2", WE_GO),
        ("Berger - PROPN root 0\n. - PUNCT punct 1\n\nsagte sagen VERB root 0\n: - PUNCT punct 1", []),
        # Without a colon or comma, nobody is announced.
        ("Berger - PROPN nsubj 2\nsagte sagen VERB root 0", []),
        # A colon is enough, with the subject rather than the last who is mentioned.
        ("Berger - PROPN root 0\n: - PUNCT punct 1", WE_GO),
        ("Berger - PROPN nsubj 2\nsuchte suchen VERB root 0\nKoch - PROPN obj 2\n: - PUNCT punct 2", WE_GO),
        ("Berger - PROPN nsubj 2\nkochte kochen VERB root 0\n, - PUNCT punct 2", []),
        ("Der - DET det 2\nSprecher - NOUN nsubj 3\nsagte sagen VERB root 0\n: - PUNCT punct 3", []),
        ("Berger - PROPN nsubj 2\nsagte sagen VERB root 0\n. - PUNCT punct 2", []),
        (": - PUNCT root 0", []),
    ],
)
def test_the_speaker_stands_in_the_clause_before_the_quote(before, found):
    assert direct(f"{before}\n\n{quote()}") == found


SAID = ", - PUNCT punct 3\nsagte sagen VERB parataxis 3\nBerger - PROPN nsubj 6\n. - PUNCT punct 3\n\n"


def test_what_is_said_in_a_quote_announces_none():
    inside = (
        "„ - PUNCT punct 3\nBerger - PROPN nsubj 3\nsagte sagen VERB root 0 Fin\n“ - PUNCT punct 3\n, - PUNCT punct 3"
    )
    assert direct(f"{inside}\n\n{quote()}") == []


def test_the_subject_is_taken_before_who_is_nearer():
    text = "Koch - PROPN obj 2\nlobte loben VERB root 0\nKoch - PROPN obj 2\nBerger - PROPN nsubj 2\n: - PUNCT x 2"
    assert direct(f"{text}\n\n{quote()}") == WE_GO


def test_a_quote_right_after_a_reporting_clause_has_the_same_speaker():
    assert direct(quote() + SAID + quote()) == WE_GO * 2
    assert direct(quote() + SAID + "Nein - INTJ root 0\n. - PUNCT punct 1\n\n" + quote()) == WE_GO
    # Within the sentence, but not with more than a reporting clause between, or the beginning of another sentence.
    assert direct(quote() + SAID.replace(". - PUNCT punct 3\n\n", "– - PUNCT punct 3\n") + quote()) == WE_GO * 2
    assert direct(quote() + SAID + "Er - PRON nsubj 2\nging gehen VERB root 0\n\n" + quote()) == WE_GO
    long = "".join(f"w{number} - X x 6\n" for number in range(12))
    assert direct(quote() + SAID.replace(". -", f"{long}. -") + quote()) == WE_GO
    unsaid = quote() + ". - PUNCT punct 3\n\n"
    assert direct(unsaid + quote()) == []


def test_but_words_without_a_verb_are_none():
    title = "„ - PUNCT punct 2\nLicht - NOUN root 0\n“ - PUNCT punct 2"
    assert direct(quote() + SAID + title) == WE_GO


@pytest.mark.parametrize(
    ("verb", "found"),
    [("nannte nennen", [("„absurd“", 0)]), ("fand finden", []), ("war sein", [])],
)
def test_a_fragment_is_said_by_the_subject_of_the_verb_of_saying_above_it(verb, found):
    part = "AUX" if verb == "war sein" else "VERB"
    text = (
        f"Berger - PROPN nsubj 2\n{verb} {part} root 0\ndas - PRON obj 2\n"
        "„ - PUNCT punct 5\nabsurd - ADJ xcomp 2\n“ - PUNCT punct 5"
    )
    assert direct(text) == found


def test_what_a_quote_hangs_from_within_itself_or_beyond_its_sentence_says_nothing():
    text = "„ - PUNCT x 2\nsagte sagen VERB root 0\nBerger - PROPN nsubj 2\n“ - PUNCT x 2"
    assert direct(text) == []
    adjective = "Berger - PROPN nsubj 2\nfroh - ADJ root 0\n„ - PUNCT x 4\nabsurd - ADJ x 2\n“ - PUNCT x 4"
    assert direct(adjective) == []


def test_quotes_without_actors_are_nobodys():
    text = quote() + SAID
    assert find(text, {}) == []
    assert find("", {}) == []


def clause(verb, rest, subject="Berger - PROPN nsubj 2"):
    return f"{subject}\n{verb} VERB root 0 Fin.Ind\n, - PUNCT punct 6\n{rest}"


THAT = "dass - SCONJ mark 6\ner - PRON nsubj 6\nkommt kommen VERB ccomp 2 Fin.Ind"


@pytest.mark.parametrize(
    ("text", "is_indirect"),
    [
        (clause("sagte sagen", THAT), True),
        (clause("fragte fragen", THAT.replace("dass", "ob")), True),
        # The Konjunktiv is enough, by its features or where no indicative looks so.
        (clause("sagte sagen", "er - PRON nsubj 6\nnun - ADV advmod 6\nkomme kommen VERB dep 2 Fin.Sub.Pres"), True),
        (clause("sagte sagen", "er - PRON nsubj 6\nnun - ADV advmod 6\nhabe haben VERB dep 2 Fin.Ind.Pres.3"), True),
        (clause("sagte sagen", "ich - PRON nsubj 6\nnun - ADV advmod 6\nhabe haben VERB dep 2 Fin.Ind.Pres.1"), False),
        (clause("sagte sagen", "er - PRON nsubj 6\nnun - ADV advmod 6\nkäme kommen VERB dep 2 Fin.Sub.Past"), False),
        # What hangs from the verb in another sentence, or between marks, is no clause of it.
        (
            "Berger - PROPN nsubj 2\nsagte sagen VERB root 0 Fin.Ind\n„ - PUNCT x 2\n"
            "regne - VERB ccomp 2 Fin.Sub.Pres\n“ - PUNCT x 2",
            False,
        ),
        # dass after a comma, and after the verb.
        (clause("sagte sagen", "das - PRON obj 2\ndass - SCONJ x 2\ner - PRON x 2"), False),
        (
            "Es - PRON x 6\n, - PUNCT x 6\ndass - SCONJ x 6\nalles - PRON x 6\n, - PUNCT x 6\n"
            "sagte sagen VERB root 0 Fin.Ind\nBerger - PROPN nsubj 6",
            False,
        ),
        # The parser may have lost the clause.
        (clause("sagte sagen", THAT.replace("ccomp", "dep")), True),
        # Thinking, a mere noun, an infinitive.
        (clause("glaubte glauben", THAT), False),
        ("Berger - PROPN nsubj 2\nforderte fordern VERB root 0 Fin.Ind\nGeld - NOUN obj 2", False),
        (clause("forderte fordern", "mehr - ADV advmod 6\nzu zu PART mark 6 !PTKZU\nzahlen - VERB ccomp 2 Inf"), False),
        (
            clause(
                "kündigte kündigen", "Geld - NOUN obj 6\nan an ADP compound:prt 2\nauszugeben - VERB ccomp 2 Inf !VVIZU"
            ),
            False,
        ),
        # The saying itself is reported: whose it is is not told here.
        (clause("sagte sagen", THAT).replace("Fin.Ind\n,", "Fin.Sub.Pres\n,"), False),
        # Somebody who is no actor says it.
        (clause("sagte sagen", THAT, "Er - PRON nsubj 2"), False),
    ],
)
def test_a_clause_below_a_verb_of_saying_is_indirect_speech(text, is_indirect):
    assert len(indirect(text)) == is_indirect


def test_with_tigers_labels_the_infinitive_has_the_label_of_a_clause():
    that = "Berger - PROPN sb 2\nsagte sagen VERB ROOT 0 Fin.Ind\n, - PUNCT punct 2\n{} VERB oc 2 {}"
    assert len(indirect(that.format("komme kommen", "Fin.Ind"), "tiger")) == 1
    assert indirect(that.format("auszugehen ausgehen", "Inf !VVIZU"), "tiger") == []


def test_a_finite_auxiliary_makes_a_clause_of_an_infinitive():
    rest = "das - PRON nsubj 6\nzu zu PART mark 6 !PTKZU\nzahlen - VERB ccomp 2 Inf\nsei sein AUX aux 6 Fin.Ind"
    assert len(indirect(clause("sagte sagen", rest))) == 1
    assert len(indirect(clause("sagte sagen", rest.replace("sei sein", "ist sein")))) == 1
    # An infinitive without zu is one that the tagger took for it.
    rest = "er - PRON nsubj 6\nihn - PRON obj 6\nrufe rufen VERB ccomp 2 Inf"
    assert len(indirect(clause("sagte sagen", rest))) == 1


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Laut - ADP case 2\nBerger - PROPN obl 3\nregnet - VERB root 0", [0]),
        ("Berger - PROPN obl 3\nzufolge - ADP case 1\nregnet - VERB root 0", [0]),
        ("Berger - PROPN x 5\nund - X x 5\ndem - X x 5\nAmt - X x 5\nzufolge - ADP root 0", [0]),
        ("Berger - PROPN x 6\nund - X x 6\nauch - X x 6\ndem - X x 6\nAmt - X x 6\nzufolge - ADP root 0", []),
        ("Nach - ADP case 2\nAngaben - NOUN obl 5\nvon - ADP case 4\nBerger - PROPN nmod 2\nregnet - VERB root 0", [0]),
        (
            "Nach - ADP case 3\nden - DET det 3\nWorten - NOUN obl 5\nBerger - PROPN nmod 3\nregnet - VERB root 0",
            [0],
        ),
        ("Die - DET det 2\nAussage - NOUN nsubj 5\nvon - ADP case 4\nBerger - PROPN nmod 2\nstört - VERB root 0", []),
        ("Laut - ADP case 2\nPolizei - NOUN obl 3\nregnet - VERB root 0", []),
        ("Es - PRON nsubj 2\nregnet - VERB root 0\n, - PUNCT punct 2\nso - ADV advmod 5\nBerger - PROPN dep 2", [0]),
        (
            "Es - PRON nsubj 2\nregnet - VERB root 0\n, - PUNCT punct 2\nso - ADV advmod 5\nging - VERB dep 2 Fin\n"
            "Berger - PROPN nsubj 5",
            [],
        ),
        ("So - ADV advmod 2\nBerger - PROPN root 0", []),
        # Too far away, or in the next sentence.
        (
            "Laut - ADP x 7\nder - DET x 7\nneuen - ADJ x 7\nund - X x 7\nalten - ADJ x 7\nChefin - NOUN x 7\n"
            "Berger - PROPN root 0",
            [],
        ),
        ("Das - PRON root 0\nlaut - ADP x 1\n\nBerger - PROPN root 0", []),
        ("Nach - ADP x 6\nden - DET x 6\nneuen - ADJ x 6\nund - X x 6\nWorten - NOUN x 6\nBerger - PROPN root 0", []),
        ("Nach - ADP x 4\nden - DET x 4\nWorten - NOUN x 4\nBerger - PROPN root 0", [0]),
        # "so" begins a clause of its own, or stands beside a quote.
        ("Es - PRON nsubj 2\nregnet - VERB root 0\nso - ADV advmod 2\nBerger - PROPN dep 2", []),
        ("Es - PRON nsubj 2\nregnet - VERB root 0\n, - PUNCT punct 2\nnun - ADV advmod 2\nBerger - PROPN dep 2", []),
        ("Es - PRON nsubj 2\nregnet - VERB root 0\n, - PUNCT punct 2\nso - ADV advmod 2\nviel - ADV dep 2", []),
        # Two who say it.
        (
            "Laut - ADP case 2\nBerger - PROPN obl 6\nund - CCONJ cc 5\nlaut - ADP case 5\nKoch - PROPN conj 2\n"
            "regnet - VERB root 0",
            [0, 1],
        ),
    ],
)
def test_according_to_somebody_is_indirect_speech(text, speakers):
    assert [speaker for _, speaker in indirect(text)] == speakers


REPORTED = "Es - PRON nsubj 2\nregne regnen VERB root 0 Fin.Sub.Pres"
PLAIN = "Es - PRON nsubj 2\nregnet regnen VERB root 0 Fin.Ind.Pres"
SAID_THAT = clause("sagte sagen", THAT)


def test_sentences_in_the_konjunktiv_go_on_with_it():
    said = (annotate(SAID_THAT).text_of(0, 6), 0)
    assert indirect("\n\n".join([SAID_THAT, REPORTED, REPORTED])) == [said, ("Es regne", 0), ("Es regne", 0)]
    assert indirect("\n\n".join([SAID_THAT, PLAIN, REPORTED])) == [said]
    assert indirect(REPORTED) == []


def test_who_says_it_anew_is_the_speaker():
    comes = "er - PRON nsubj 6\nnun - ADV advmod 6\nkomme kommen VERB dep 2 Fin.Sub.Pres"
    koch = clause("sagte sagen", comes, "Koch - PROPN nsubj 2")
    assert [speaker for _, speaker in indirect(f"{SAID_THAT}\n\n{koch}\n\n{REPORTED}")] == [0, 1, 1]


def test_direct_quotes_of_the_sentences_around_do_not_matter():
    said = (annotate(SAID_THAT).text_of(0, 6), 0)
    announced = "Berger - PROPN nsubj 2\nsagte sagen VERB root 0 Fin.Ind\n: - PUNCT punct 2\n" + quote("dep", 2)
    assert indirect(f"{announced}\n{SAID_THAT}\n\n{quote()}{SAID}") == [said]


def test_a_direct_quote_goes_on_in_the_konjunktiv_and_is_not_indirect_too():
    assert indirect(quote() + SAID + REPORTED) == [("Es regne", 0)]
    said = quote("ccomp", 6) + ", - PUNCT punct 3\nsagte sagen VERB root 0 Fin.Ind\nBerger - PROPN nsubj 6"
    assert indirect(said) == []


def test_a_konjunktiv_between_marks_reports_nothing():
    inside = "„ - PUNCT punct 3\nEs - PRON nsubj 3\nregne regnen VERB root 0 Fin.Sub.Pres\n“ - PUNCT punct 3"
    assert indirect(SAID_THAT + "\n\n" + inside) == [(annotate(SAID_THAT).text_of(0, 6), 0)]
