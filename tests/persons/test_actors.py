"""Who is in an article: which names are one person, what tells a gender, whose role a mention has."""

import pytest
from annotated import annotate, shipped_lists

from textparity.persons.actors import ActorMention, find_actors, role_head
from textparity.persons.first_name_gender import guess_gender


def tokens(line):
    """Return an article of one sentence, a word `form/part of speech/entity`; without a part it is a verb's."""
    rows = []
    for number, word in enumerate(line.split()):
        form, _, rest = word.partition("/")
        part, _, entity = rest.partition("/")
        rows.append(f"{form} - {part or 'X'} {'root 0' if number == 0 else 'dep 1'} {entity}")
    return "\n".join(rows)


def actors_of(*lines):
    return find_actors(annotate("\n\n".join(map(tokens, lines))), shipped_lists())


def found(*lines):
    """Return each actor as name -> the words of its mentions."""
    article = annotate("\n\n".join(map(tokens, lines)))
    return {
        actor.name: [article.text_of(mention.start, mention.end) for mention in actor.mentions]
        for actor in find_actors(article, shipped_lists())
    }


ANNA, PETER = "Anna/PROPN/B-PER Berger/PROPN/I-PER", "Peter/PROPN/B-PER Berger/PROPN/I-PER"
KIM, BERGER = "Kim/PROPN/B-PER Berger/PROPN/I-PER", "Berger/PROPN/B-PER"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Names of several words.
        ([ANNA, ANNA], {"Anna Berger": ["Anna Berger", "Anna Berger"]}),
        (
            ["Anna/PROPN/B-PER Koch/PROPN/I-PER", ANNA],
            {"Anna Koch": ["Anna Koch"], "Anna Berger": ["Anna Berger"]},
        ),
        (
            ["B./PROPN/B-PER Berger/PROPN/I-PER", ANNA],
            {"B. Berger": ["B. Berger"], "Anna Berger": ["Anna Berger"]},
        ),
        (
            ["An/PROPN/B-PER Berger/PROPN/I-PER", ANNA],
            {"An Berger": ["An Berger"], "Anna Berger": ["Anna Berger"]},
        ),
        ([ANNA, PETER], {"Anna Berger": ["Anna Berger"], "Peter Berger": ["Peter Berger"]}),
        ([ANNA, "A./PROPN/B-PER Berger/PROPN/I-PER"], {"Anna Berger": ["Anna Berger", "A. Berger"]}),
        (
            [ANNA, "Anna/PROPN/B-PER Maria/PROPN/I-PER Berger/PROPN/I-PER"],
            {"Anna Maria Berger": ["Anna Berger", "Anna Maria Berger"]},
        ),
        # A single name belongs to the full one, also before it.
        ([BERGER, ANNA, "Anna/PROPN/B-PER"], {"Anna Berger": ["Berger", "Anna Berger", "Anna"]}),
        ([ANNA, PETER, BERGER], {"Anna Berger": ["Anna Berger"], "Peter Berger": ["Peter Berger", "Berger"]}),
        ([PETER, ANNA, BERGER], {"Peter Berger": ["Peter Berger"], "Anna Berger": ["Anna Berger", "Berger"]}),
        # A title that says another gender is another person's.
        (
            [ANNA, f"Herr/NOUN {BERGER}", BERGER],
            {"Anna Berger": ["Anna Berger"], "Berger": ["Berger", "Berger"]},
        ),
        ([f"Frau/NOUN {BERGER}", BERGER], {"Berger": ["Berger", "Berger"]}),
        ([KIM, f"Frau/NOUN {BERGER}"], {"Kim Berger": ["Kim Berger", "Berger"]}),
        # Genitives.
        ([BERGER, "Bergers/PROPN/B-PER"], {"Berger": ["Berger", "Bergers"]}),
        (["Bergers/PROPN/B-PER", BERGER], {"Berger": ["Bergers", "Berger"]}),
        ([ANNA, "Bergers/PROPN/B-PER", "Annas/PROPN/B-PER"], {"Anna Berger": ["Anna Berger", "Bergers", "Annas"]}),
        (
            ["Anna/PROPN/B-PER Bergers/PROPN/I-PER", ANNA],
            {"Anna Berger": ["Anna Bergers", "Anna Berger"]},
        ),
        (
            ["Anna/PROPN/B-PER Bergers/PROPN/I-PER", BERGER, "Bergers/PROPN/B-PER"],
            {"Anna Berger": ["Anna Bergers", "Berger", "Bergers"]},
        ),
        (
            ["Julia/PROPN/B-PER Roberts/PROPN/I-PER", "Robert/PROPN/B-PER"],
            {"Julia Roberts": ["Julia Roberts"], "Robert": ["Robert"]},
        ),
        (
            ["Anna/PROPN/B-PER Peters/PROPN/I-PER", "Peter/PROPN/B-PER Koch/PROPN/I-PER", "Peters/PROPN/B-PER"],
            {"Anna Peters": ["Anna Peters", "Peters"], "Peter Koch": ["Peter Koch"]},
        ),
        ([ANNA, "Anna/PROPN/B-PER Bergers/PROPN/I-PER"], {"Anna Berger": ["Anna Berger", "Anna Bergers"]}),
        (["Fuchs/PROPN/B-PER"], {"Fuchs": ["Fuchs"]}),
        (["Mari/PROPN/B-PER", "Maria/PROPN/B-PER"], {"Mari": ["Mari"], "Maria": ["Maria"]}),
        (["Klaus/PROPN/B-PER Fuchs/PROPN/I-PER", "Fuchs’/PROPN/B-PER"], {"Klaus Fuchs": ["Klaus Fuchs", "Fuchs’"]}),
    ],
)
def test_names_of_one_person_are_one_actor(lines, expected):
    assert found(*lines) == expected


def test_a_title_is_remembered():
    (actor,) = actors_of(f"Frau/NOUN {BERGER}", BERGER)
    assert actor.known_gender == "feminine"


def test_full_names_of_two_genders_are_two_persons():
    actors = actors_of(f"Herr/NOUN {KIM}", f"Frau/NOUN {KIM}", f"Herr/NOUN {KIM}")
    assert [(actor.title_gender, len(actor.mentions)) for actor in actors] == [("masculine", 2), ("feminine", 1)]


def test_titles_of_two_genders_are_two_persons():
    actors = actors_of(f"Herr/NOUN {BERGER}", f"Frau/NOUN {BERGER}", f"Herr/NOUN {BERGER}")
    assert [(actor.name, actor.title_gender, len(actor.mentions)) for actor in actors] == [
        ("Berger", "masculine", 2),
        ("Berger", "feminine", 1),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Titles, also within what was marked, are not part of the name.
        ("Frau/PROPN/B-PER Dr./PROPN/I-PER Berger/PROPN/I-PER", {"Berger": ["Berger"]}),
        ("Frau/PROPN/B-PER Berger/PROPN/I-PER", {"Berger": ["Berger"]}),
        ("Frau/PROPN/B-PER", {"Frau": ["Frau"]}),
        # Particles, and the surname after them.
        ("Clara/PROPN/B-PER von/ADP Bülow/PROPN", {"Clara von Bülow": ["Clara von Bülow"]}),
        ("Clara/PROPN/B-PER von/ADP der/DET Heide/NOUN", {"Clara von der Heide": ["Clara von der Heide"]}),
        ("Clara/PROPN/B-PER von/ADP der/DET Heide/PROPN/B-PER", {"Clara von der Heide": ["Clara von der Heide"]}),
        ("Clara/PROPN/B-PER der/DET Partei/NOUN", {"Clara": ["Clara"]}),
        ("Clara/PROPN/B-PER der/DET Grünen/PROPN", {"Clara": ["Clara"]}),
        ("Clara/PROPN/B-PER von/ADP Beruf/NOUN", {"Clara": ["Clara"]}),
        ("Clara/PROPN/B-PER Koch/PROPN/I-PER von/ADP der/DET Polizei/NOUN", {"Clara Koch": ["Clara Koch"]}),
        ("Schmidt/PROPN/B-PER von/ADP der/DET Polizei/NOUN", {"Schmidt": ["Schmidt"]}),
        ("Clara/PROPN/B-PER von/ADP", {"Clara": ["Clara"]}),
        # A full name that nobody marked, or as something else; not a part of something else.
        ("Anna/PROPN Berger/PROPN", {"Anna Berger": ["Anna Berger"]}),
        ("Anna/PROPN/B-ORG Berger/PROPN/I-ORG", {"Anna Berger": ["Anna Berger"]}),
        ("Anna/PROPN/B-ORG Berger/PROPN/I-ORG Stiftung/PROPN/I-ORG", {}),
        ("Hamburg/PROPN Süd/PROPN", {}),
        ("Anna/PROPN lacht/PROPN", {}),
        ("Anna/PROPN Lacht/VERB", {}),
        ("Anna/NOUN Berger/PROPN", {}),
        ("Anna/PROPN Maria/PROPN Berger/PROPN", {"Anna Maria": ["Anna Maria"]}),
        # A title of a work; but words with a verb are somebody's.
        ("„/PUNCT Anna/PROPN/B-PER Berger/PROPN/I-PER “/PUNCT", {}),
        ("„/PUNCT Anna/PROPN/B-PER und/X vier/X mal/X zwei/X Meer/X “/PUNCT", {}),
        ("„/PUNCT Anna/PROPN/B-PER und/X vier/X mal/X drei/X mal/X Meer/X “/PUNCT", {"Anna": ["Anna"]}),
        # Neither a name.
        ("berger/PROPN/B-PER", {}),
        ("Berger/PROPN/B-PER 2/NUM/I-PER", {}),
        ("", {}),
    ],
)
def test_what_is_marked_is_cut_to_the_name(line, expected):
    assert found(line) == expected


def test_a_name_in_words_that_somebody_says_is_no_title_of_a_work():
    article = annotate("„ - PUNCT punct 3\nAnna - PROPN nsubj 3 B-PER\nlacht lachen VERB root 0 Fin\n“ - PUNCT punct 3")
    assert [actor.name for actor in find_actors(article, shipped_lists())] == ["Anna"]


@pytest.mark.parametrize(
    ("word", "is_mention"),
    [
        ("Koch/PROPN", True),
        ("gestern/ADV Koch/NOUN", True),
        ("Kochs/PROPN", True),
        ("der/DET Koch/NOUN", False),
        ("guter/ADJ Koch/NOUN", False),
        ("Koch/PROPN/B-ORG", False),
        ("koch/VERB", False),
        ("Koch/ADJ", False),
        ("koch/NOUN", False),
        # First names are many people's.
        ("Anna/PROPN", False),
        ("Köche/NOUN", False),
    ],
)
def test_a_known_surname_is_a_mention_where_none_was_marked(word, is_mention):
    assert len(found("Anna/PROPN/B-PER Koch/PROPN/I-PER", word)["Anna Koch"]) == 1 + is_mention


@pytest.mark.parametrize(("surname", "mentions"), [("Abt", 2), ("Ay", 1)])
def test_but_not_a_short_one(surname, mentions):
    found_ones = found(f"Anna/PROPN/B-PER {surname}/PROPN/I-PER", f"{surname}/PROPN")
    assert len(found_ones[f"Anna {surname}"]) == mentions


def test_nor_one_without_a_first_name():
    assert found("Koch/PROPN/B-PER", "Koch/PROPN") == {"Koch": ["Koch"]}


@pytest.mark.parametrize(
    ("titles", "gender"),
    [
        ("Frau/NOUN", "feminine"),
        ("Herr/NOUN", "masculine"),
        ("Dr./NOUN", ""),
        ("Frau/NOUN Dr./NOUN", "feminine"),
        ("Herrn/NOUN Prof./NOUN Dr./NOUN", "masculine"),
        ("Frau/NOUN Prof./NOUN Dr./NOUN Dr./NOUN med./NOUN", "feminine"),
        # The first that tells: women are called Professor, too.
        ("Frau/NOUN Professor/NOUN", "feminine"),
        ("Professor/NOUN", "masculine"),
        ("Mag./NOUN Ministerin/NOUN", "feminine"),
        ("Ministerin/NOUN ,/PUNCT", ""),
        ("mag/VERB", ""),
        ("Mag./NOUN", ""),
        ("Kultusministerin/NOUN", "feminine"),
        ("Kultusminister/NOUN", "masculine"),
        ("Parteichefin/NOUN", "feminine"),
        ("Parteichef/NOUN", "masculine"),
        ("SPD-Chefin/PROPN", "feminine"),
        ("SPD-Chef/PROPN", "masculine"),
        ("Obfrau/NOUN", "feminine"),
        ("Obmann/NOUN", "masculine"),
        ("Chefärztin/NOUN", "feminine"),
        ("Chefarzt/NOUN", "masculine"),
        ("Abgeordnete/NOUN", "feminine"),
        ("Abgeordneter/NOUN", "masculine"),
        ("Kompromiss/NOUN", ""),
        ("sprecherin/ADJ", ""),
        ("Firmenchefin/ADV", ""),
        ("gestern/ADV", ""),
    ],
)
def test_titles_before_a_name_tell_a_gender(titles, gender):
    (actor,) = actors_of(f"{titles} {BERGER}")
    assert (actor.title_gender, actor.known_gender) == (gender, gender)


@pytest.mark.parametrize(
    ("article", "title", "gender"),
    [
        ("der", "Abgeordnete", "masculine"),
        ("die", "Abgeordnete", "feminine"),
        ("Der", "Parteivorsitzende", "masculine"),
        ("eine", "Parteivorsitzende", "feminine"),
        # der Witwe is a dative.
        ("der", "Witwe", "feminine"),
        ("der", "Tante", "feminine"),
    ],
)
def test_of_titles_that_men_and_women_share_the_article_tells(article, title, gender):
    case = {"Witwe": "Dat", "Tante": ""}.get(title, "Nom")
    text = f"{article} - DET det 2\n{title} - NOUN nsubj 4 {case}\nBerger - PROPN appos 2 B-PER\nlacht - VERB root 0"
    (actor,) = find_actors(annotate(text), shipped_lists())
    assert actor.known_gender == gender


@pytest.mark.parametrize(
    "line",
    [
        "Frau/PROPN/B-PER Professor/PROPN/I-PER Berger/PROPN/I-PER",
        "Frau/PROPN/B-PER Dr./PROPN/I-PER Berger/PROPN/I-PER",
        "Frau/NOUN Professor/PROPN/B-PER Berger/PROPN/I-PER",
    ],
)
def test_so_do_titles_that_were_marked_with_it(line):
    assert [actor.known_gender for actor in actors_of(line)] == ["feminine"]


def test_a_title_of_the_sentence_before_is_anothers():
    woman, berger = actors_of("Die/DET Frau/NOUN", BERGER)
    assert (woman.kind, berger.known_gender) == ("generic", "")


def test_a_verb_that_spells_like_a_title_is_none():
    woman, berger = actors_of(f"Die/DET Frau/NOUN mag/VERB {BERGER}")
    assert (woman.kind, berger.known_gender) == ("generic", "")


def test_first_names_tell_a_gender_of_full_names_only():
    genders = {actor.name: actor.known_gender for actor in actors_of(ANNA, "Peter/PROPN/B-PER", "Kim/PROPN/B-PER")}
    assert genders == {"Anna Berger": "feminine", "Peter": "", "Kim": ""}


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Anna", "feminine"),
        ("PETER", "masculine"),
        ("Andrea", "feminine"),
        ("Anna-Lena", "feminine"),
        ("Karl-Heinz", "masculine"),
        ("Kim", ""),
        ("Xyzzy", ""),
        ("A.", ""),
    ],
)
def test_a_first_name_has_the_gender_of_most_in_germany(name, gender):
    assert guess_gender(name) == gender


def test_a_generic_person_is_one_actor_per_word():
    article = annotate("""
        Die    die  DET  det   2
        Frauen Frau NOUN nsubj 3 Plur
        sehen  -    VERB root  0
        Frau   -    NOUN obj   3 Sing
        Berger -    PROPN flat 4 B-PER

        Eine   -    DET  det   2
        frau   -    NOUN nsubj 3 Sing
        sieht  -    VERB root  0
        Frauen Frau NOUN obj   3 Plur
    """)
    women, berger = find_actors(article, shipped_lists())
    assert (women.name, women.kind, women.known_gender, women.is_plural) == ("Frauen", "generic", "feminine", True)
    assert [mention.start for mention in women.mentions] == [1, 8]
    assert berger.kind == "named"


def test_a_generic_person_before_the_title_of_a_work_stays():
    assert found("Die/DET Frau/NOUN „/PUNCT Vom/ADP Meer/NOUN “/PUNCT") == {"Frau": ["Frau"]}


def test_a_generic_person_in_the_title_of_a_work_does_not():
    assert found("„/PUNCT Die/DET Frau/NOUN “/PUNCT") == {}


@pytest.mark.parametrize(
    ("scheme", "text", "place", "head"),
    [
        # The name beside a noun has the noun's role.
        ("ud", "Ministerin - NOUN nsubj 4\nAnna - PROPN flat 1\nBerger - PROPN flat 1\nlacht - VERB root 0", 1, 0),
        ("tiger", "Ministerin - NOUN sb 4\nAnna - PROPN pnc 3\nBerger - PROPN nk 1\nlacht - VERB ROOT 0", 2, 0),
        # Each member of a coordination has the first one's.
        ("ud", "Anna - PROPN nsubj 4\nund - CCONJ cc 3\nPeter - PROPN conj 1\nlachen - VERB root 0", 2, 0),
        ("tiger", "Anna - PROPN sb 4\nund - CCONJ cd 1\nPeter - PROPN cj 2\nlachen - VERB ROOT 0", 2, 0),
        # Whoever owns a noun is another person.
        ("tiger", "Bergers - PROPN nk 2 Gen\nBruder - NOUN sb 3\nlacht - VERB ROOT 0", 0, 0),
        ("tiger", "Ihr - DET nk 2 Nom\nBruder - NOUN sb 3\nlacht - VERB ROOT 0", 0, 0),
        ("ud", "Ihr - DET det:poss 2 Nom\nBruder - NOUN nsubj 3\nlacht - VERB root 0", 0, 0),
        ("ud", "Bruder - NOUN nsubj 4\nvon - ADP case 3\nBerger - PROPN nmod 1\nlacht - VERB root 0", 2, 2),
        # After a preposition there is no role.
        ("tiger", "lacht - VERB ROOT 0\nmit - ADP mo 1\nBerger - PROPN nk 2", 2, 2),
        ("ud", "Berger - PROPN root 0", 0, 0),
    ],
)
def test_a_mention_has_the_role_of_the_noun_it_stands_beside(scheme, text, place, head):
    assert role_head(annotate(text, scheme), ActorMention(place, place + 1, place, "named")) == head
