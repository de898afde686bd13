"""The rules of the paper's public code, slips included."""

import pytest
from annotated import annotate, shipped_lists

from textparity_studies.newsroom.actor_rules import find_published_actors, pronoun_gender

# A name and a pronoun for it, so that the name is an actor who has a gender.
ANNA = """
Anna   -       PROPN nsubj 3 B-PER
Berger -       PROPN flat  1 I-PER
lacht  lachen  VERB  root  0
"""
SHE = """
Sie    sie     PRON  nsubj 2
ging   gehen   VERB  root  0
"""
HE = SHE.replace("Sie    sie", "Er     er ")


def find(text, antecedents, share=0.7):
    article = annotate(text, antecedents=antecedents)
    return find_published_actors(article, article.antecedents, shipped_lists(), share)


def rows_of(text, antecedents):
    return find(text, antecedents)[0]


@pytest.mark.parametrize(
    ("pronouns", "gender"),
    [
        ("", ""),
        ("Sie", "feminine"),
        ("sein SEINE er", "masculine"),
        ("ihn ihm sich", ""),
        ("sie ihn ihm ihn", "feminine"),
        ("sie ihr er", ""),
        ("sie ihr ihre er", "feminine"),
        ("er sein seinem sie", "masculine"),
        ("ihrer seiner", ""),
        ("sie sie sie sie sie sie sie er er er", "feminine"),
        ("er er er er er er er sie sie sie", "masculine"),
    ],
)
def test_a_gender_is_that_of_seven_in_ten_pronouns_of_the_codes_lists(pronouns, gender):
    assert pronoun_gender(pronouns.split(), 0.7) == gender


def test_the_share_of_pronouns_can_be_set():
    assert pronoun_gender(["sie", "er"], 0.5) == "feminine"
    assert pronoun_gender(["sie", "er", "er"], 0.5) == "masculine"


def test_a_name_is_an_actor_by_a_pronoun_that_resolves_to_it():
    (actor,), findings = find(ANNA + SHE, {3: 0})
    assert (actor.actor, actor.kind, actor.gender, actor.gender_source) == (
        "Anna Berger", "named", "feminine", "pronouns",
    )  # fmt: skip
    assert (actor.mentions, actor.named_mentions, actor.pronoun_mentions) == (2, 1, 1)
    assert [(item.kind, item.place, item.value) for item in findings] == [
        ("named", 1, ""), ("pronoun", 3, ""), ("role", 1, "subject"), ("role", 3, "subject"),
    ]  # fmt: skip
    assert rows_of(ANNA + SHE, {}) == []


@pytest.mark.parametrize("antecedent", [0, 1])
def test_a_pronoun_may_resolve_to_any_token_of_a_name(antecedent):
    assert [actor.actor for actor in rows_of(ANNA + SHE, {3: antecedent})] == ["Anna Berger"]


def test_only_pronouns_by_part_of_speech_count():
    assert rows_of(ANNA + SHE.replace("PRON", "DET "), {3: 0}) == []


def test_a_generic_person_never_has_a_pronoun():
    assert rows_of("Die - DET det 2\nFrau - NOUN nsubj 3\nlacht lachen VERB root 0\n\n" + SHE, {3: 1}) == []


def test_unless_its_word_is_a_name_in_small_letters_which_counts_twice():
    text = "mama - PROPN nsubj 2 B-PER\nlacht lachen VERB root 0\n\n"
    (actor,) = rows_of(text + SHE, {2: 0})
    assert (actor.actor, actor.kind, actor.named_mentions) == ("mama", "generic", 2)


def test_a_name_with_an_apostrophe_is_nobody():
    text = (ANNA + SHE).replace("Berger", "O'Hara")
    assert rows_of(text, {3: 0}) == []


NAMES = """
Weber  -       PROPN nsubj 2 B-PER
lobt   loben   VERB  root  0
Eva    -       PROPN obj   2 B-PER
Weber  -       PROPN flat  3 I-PER

Jan    -       PROPN nsubj 3 B-PER
Weber  -       PROPN flat  1 I-PER
lacht  lachen  VERB  root  0
"""


def test_a_surname_goes_to_every_full_name_with_it():
    # Doubled, too: as a name is within itself, its list is added to itself before the lists of those after it.
    actors = rows_of(NAMES + SHE + HE, {7: 2, 9: 4})
    assert [(actor.actor, actor.gender, actor.named_mentions) for actor in actors] == [
        ("Eva Weber", "feminine", 3),
        ("Jan Weber", "masculine", 3),
    ]


def test_a_pronoun_of_a_merged_name_is_lost():
    assert rows_of(NAMES + HE, {7: 0}) == []


def test_a_name_within_the_letters_of_another_is_merged():
    text = (
        "Ei - PROPN nsubj 2 B-PER\nlacht lachen VERB root 0\n\nEinstein - PROPN nsubj 2 B-PER\ngeht gehen VERB root 0\n"
    )
    (actor,) = rows_of(text + HE, {4: 2})
    assert (actor.actor, actor.named_mentions) == ("Einstein", 3)


def test_of_a_sentence_only_the_first_mentions_role_counts():
    text = """
    Anna   -       PROPN nsubj 2 B-PER
    lobt   loben   VERB  root  0
    Peter  -       PROPN obj   2 B-PER
    ,      -       PUNCT punct 2
    er     -       PRON  nsubj 6
    sieht  sehen   VERB  conj  2
    sie    -       PRON  obj   6
    """
    anna, peter = rows_of(text, {4: 2, 6: 0})
    assert (anna.subject_roles, anna.object_roles) == (1, 0)
    assert (peter.subject_roles, peter.object_roles) == (0, 1)


@pytest.mark.parametrize(
    ("scheme", "relation", "roles"),
    [
        ("ud", "nsubj:pass", (1, 0)),
        ("ud", "obj", (0, 1)),
        ("ud", "iobj", (0, 0)),
        ("ud", "obl", (0, 0)),
        ("tiger", "sb", (1, 0)),
        ("tiger", "oa", (0, 1)),
        ("tiger", "da", (0, 0)),
    ],
)
def test_roles_are_subjects_and_accusative_objects(scheme, relation, roles):
    article = annotate(
        f"Anna - PROPN {relation} 2 B-PER\nsah sehen VERB root 0\n\nsie - PRON x 0", scheme, antecedents={2: 0}
    )
    (actor,), _ = find_published_actors(article, article.antecedents, shipped_lists(), 0.7)
    assert (actor.subject_roles, actor.object_roles) == roles


@pytest.mark.parametrize(
    ("sentence", "quotes"),
    [
        ("„ - PUNCT x 0\nSie - PRON nsubj 3\nlacht lachen VERB x 0\n“ - PUNCT x 0", (1, 0)),
        ('" - PUNCT x 0\nSie - PRON nsubj 3\nlacht lachen VERB x 0', (0, 0)),
        ("» - PUNCT x 0\nSie - PRON nsubj 3\nlacht lachen VERB x 0\n« - PUNCT x 0", (0, 0)),
        ("Sie - PRON nsubj 2\nsagt sagen VERB x 0\nnein - INTJ x 0", (0, 1)),
        ("Sie - PRON nsubj 2\nantwortet antworten VERB x 0", (0, 0)),
        ("Sie - PRON nsubj 2\nsagt sagen VERB x 0\n„ - PUNCT x 0\nNein - INTJ x 0\n“ - PUNCT x 0", (1, 0)),
    ],
)
def test_marks_are_direct_quotes_and_the_codes_verbs_indirect_ones_of_whoever_is_there(sentence, quotes):
    places = len(annotate(ANNA))
    pronoun = places + [line.split()[0] for line in sentence.splitlines()].index("Sie")
    (actor,) = rows_of(ANNA + "\n" + sentence, {pronoun: 0})
    assert (actor.direct_quotes, actor.indirect_quotes) == quotes


@pytest.mark.parametrize("text", ["", "  \n\n "])
def test_an_empty_article_has_no_actors(text):
    assert find(text, {}) == ([], [])


def test_a_name_at_the_very_end_is_read():
    actors = rows_of(
        "Sie - PRON nsubj 2\nist sein AUX root 0\nAnna - PROPN obj 2 B-PER\nBerger - PROPN flat 3 I-PER", {0: 2}
    )
    assert [(actor.actor, actor.subject_roles, actor.object_roles) for actor in actors] == [("Anna Berger", 0, 1)]
