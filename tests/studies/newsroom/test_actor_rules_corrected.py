"""All of an article's persons, their roles and quotes, by the corrected rules."""

import pytest
from annotated import annotate, shipped_lists

from textparity.persons.actors import find_actors
from textparity_studies.newsroom.actor_rules import antecedents_of, find_corrected_actors, resolve

LISTS = shipped_lists()
ANNA = "Anna - PROPN nsubj 3 B-PER\nBerger - PROPN flat 1 I-PER\nlobt - VERB root 0 Fin.Sing\nPeter - PROPN obj 3 B-PER"
SHE = "Sie sie PRON nsubj 2 Sing\ngeht - VERB root 0 Fin.Sing"


def find(*sentences, antecedents=None, scheme="ud", share=0.7):
    article = annotate("\n\n".join(sentences), scheme, antecedents)
    actors = find_actors(article, LISTS)
    return find_corrected_actors(article, actors, resolve(article, actors, LISTS), LISTS, share)


def rows(*sentences, **options):
    return {row.actor: row for row in find(*sentences, **options)[0]}


def test_every_person_is_an_actor_with_all_its_mentions_and_roles():
    found = rows(ANNA, "Sie sie PRON nsubj 2 Sing\nhilft - VERB root 0 Fin.Sing\nPeter - PROPN obl:arg 2 B-PER")
    anna, peter = found["Anna Berger"], found["Peter"]
    assert (anna.mentions, anna.named_mentions, anna.pronoun_mentions) == (2, 1, 1)
    assert (anna.subject_roles, anna.object_roles, anna.sentences) == (2, 0, [0, 1])
    assert (peter.mentions, peter.subject_roles, peter.object_roles) == (2, 0, 2)


def test_each_thing_seen_is_told():
    _, findings = find(ANNA, SHE)
    assert [(item.kind, item.place, item.actor, item.value) for item in findings] == [
        ("named", 1, 0, ""),
        ("role", 1, 0, "subject"),
        ("pronoun", 4, 0, ""),
        ("role", 4, 0, "subject"),
        ("named", 3, 1, ""),
        ("role", 3, 1, "object"),
    ]


@pytest.mark.parametrize(
    ("sentences", "name", "gender", "source"),
    [
        ([ANNA], "Anna Berger", "feminine", "first name"),
        ([ANNA, SHE], "Anna Berger", "feminine", "pronouns"),
        ([ANNA], "Peter", "undetermined", ""),
        (["Frau - NOUN nsubj 3\nWolf - PROPN flat 1 B-PER\ngeht - VERB root 0"], "Wolf", "feminine", "title"),
        (["Frau - NOUN nsubj 2\ngeht - VERB root 0"], "Frau", "feminine", "generic noun"),
        (["Mann - NOUN nsubj 2\ngeht - VERB root 0"], "Mann", "masculine", "generic noun"),
    ],
)
def test_the_surest_source_tells_the_gender(sentences, name, gender, source):
    row = rows(*sentences)[name]
    assert (row.gender, row.gender_source) == (gender, source)


WOLF = "Wolf - PROPN nsubj 2 B-PER\nlacht - VERB root 0"
PRONOUNS = "{} - PRON obj 0\n{} - PRON obj 0\n{} - PRON obj 0"


@pytest.mark.parametrize(
    ("pronouns", "gender"),
    [
        # By a library's chains; what the paper's lists lack counts, too.
        (("ihn", "ihm", "seiner"), "masculine"),
        (("ihrer", "ihr", "sie"), "feminine"),
        (("sie", "er", "sie"), "undetermined"),
    ],
)
def test_pronouns_tell_a_gender_if_most_agree(pronouns, gender):
    antecedents = dict.fromkeys((2, 3, 4), 0)
    row = rows(WOLF, PRONOUNS.format(*pronouns), antecedents=antecedents)["Wolf"]
    assert (row.gender, row.pronoun_mentions) == (gender, 3)


def test_of_a_librarys_chains_only_pronouns_are_mentions():
    line = "sich - PRON obj 0\ndabei - ADV x 0\nPolitikerin - NOUN x 0\nihre - DET x 0"
    assert rows(WOLF, line, antecedents=dict.fromkeys((2, 3, 4, 5), 0))["Wolf"].pronoun_mentions == 1


def test_chains_to_nobody_are_left_out():
    article = annotate(f"{WOLF}\n\nsie - PRON obj 0", antecedents={2: 1})
    assert resolve(article, find_actors(article, LISTS), LISTS) == {}


def test_the_published_rules_get_the_first_token_of_an_actors_longest_mention():
    article = annotate("Berger - PROPN nsubj 2 B-PER\nlacht - VERB root 0\n\n" + ANNA + "\n\n" + SHE)
    actors = find_actors(article, LISTS)
    found = antecedents_of(article, actors, resolve(article, actors, LISTS))
    assert found == [-1] * 6 + [2, -1]


def test_or_a_librarys_chains_as_they_are():
    article = annotate(WOLF, antecedents={1: 0})
    assert antecedents_of(article, [], {}) == [-1, 0]


def test_a_quote_is_found_in_each_sentence_it_covers_and_counted_once():
    said = "„ - PUNCT punct 2\nJa - INTJ root 0\n. - PUNCT punct 2"
    more = (
        "Gern - ADV root 0\n“ - PUNCT punct 1\n, - PUNCT punct 1\nsagte sagen VERB parataxis 1\n"
        "Berger - PROPN nsubj 4 B-PER\n. - PUNCT punct 1"
    )
    reported = "Es - PRON nsubj 2\nregne regnen VERB root 0 Fin.Sub.Pres"
    (row,), findings = find(said, more, reported)
    assert (row.direct_quotes, row.indirect_quotes) == (1, 1)
    assert [(item.kind, item.place) for item in findings if "quote" in item.kind] == [
        ("direct quote", 0),
        ("direct quote", 1),
        ("indirect quote", 2),
    ]


@pytest.mark.parametrize(
    ("scheme", "relation", "roles"),
    [
        ("ud", "nsubj:pass", (1, 0)),
        ("ud", "iobj", (0, 1)),
        ("ud", "obl", (0, 0)),
        ("tiger", "sb", (1, 0)),
        ("tiger", "oa", (0, 1)),
        ("tiger", "da", (0, 1)),
        ("tiger", "sbp", (0, 0)),
    ],
)
def test_roles_are_subjects_and_objects_of_both_cases(scheme, relation, roles):
    row = rows(f"Wolf - PROPN {relation} 2 B-PER\nsah - VERB root 0", scheme=scheme)["Wolf"]
    assert (row.subject_roles, row.object_roles) == roles


@pytest.mark.parametrize("antecedents", [None, {}])
def test_an_empty_article_has_no_actors(antecedents):
    assert find(antecedents=antecedents) == ([], [])
