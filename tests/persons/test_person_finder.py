"""The method `persons` on small documents whose parse is written by hand."""

from collections import defaultdict

import pytest

pytest.importorskip("spacy")

import spacy
from spacy.tokens import Doc

from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.persons.person_finder import PersonFinder
from textparity.persons.rules import read_rules

TERMS = {
    "eng": {"nouns": "father/masculine mother/feminine king/masculine chairman/masculine great-grandson/masculine",
            "titles": "mrs/feminine mr/masculine", "names": "anna/feminine john/masculine river/masculine"},
    "fra": {"nouns": "femme/feminine père/masculine hommes/masculine étudiantes/feminine",
            "titles": "madame/feminine monsieur/masculine"},
    "spa": {"titles": "señora/feminine sr/masculine"},
    "nld": {"pronouns": "hij/masculine haar/feminine"},
    "swe": {"pronouns": "hon/feminine", "inclusive": "hen/unspecified"},
}  # fmt: skip
# The genders that are guessed of first names outside the lexicon.
GUESSES = defaultdict(str, {"Xherdan": "masculine", "Olivera": "feminine"})
VOCAB = spacy.blank("en").vocab
NOUNS = {"eng": {"doctor", "friend"}, "fra": {"voisin", "voisine", "ami"}, "spa": {"maestro", "maestra", "persona"},
         "nld": {"arts"}, "swe": {"person"}}  # fmt: skip


@pytest.fixture
def find_mentions(repository):
    """Return the mentions in a document.

    A word is `text/POS`, with `/dep/head` (the number of its head), `/label` of its entity, `/morphology` and `/tag`
    where they matter; `|` ends a sentence, and no space follows `~`.
    """

    def run(lang, line, grammatical=False):
        folder = repository / "resources" / "persons"
        rules = read_rules(folder / "pronouns.tsv", folder / "words.tsv", lang, folder / "places.tsv")
        terms = [
            Term(form, gender, layer)
            for layer, forms in TERMS[lang].items()
            for form, gender in (pair.split("/") for pair in forms.split())
        ] + [Term("m", "masculine", "titles", "capitalised; before .")]
        matcher = TermMatcher(terms, LAYERS)
        neopronouns = frozenset({"hen", "henne"})
        finder = PersonFinder(
            rules,
            matcher,
            frozenset(NOUNS[lang]),
            grammatical,
            guess_name=GUESSES.__getitem__,
            neopronouns=neopronouns,
        )
        return finder.find(parsed(line))

    return run


@pytest.fixture
def find(find_mentions):
    """Return (text, kind, gender, entity) of what is found in a document."""

    def run(lang, line, grammatical=False):
        return [(one.text, one.kind, one.gender, one.entity) for one in find_mentions(lang, line, grammatical)]

    return run


def parsed(line):
    words, starts, begins = [], [], True
    for word in line.split():
        if word == "|":
            begins = True
            continue
        words.append([*word.split("/"), "", "", "", "", "", ""][:7])
        starts.append(begins)
        begins = False
    first = [max(place for place in range(number + 1) if starts[place]) for number in range(len(words))]
    heads = [int(word[3]) if word[3] else first[number] for number, word in enumerate(words)]
    return Doc(
        VOCAB,
        words=[word[0].replace("_", " ").rstrip("~") for word in words],
        spaces=[not word[0].endswith("~") for word in words],
        pos=[word[1] for word in words],
        deps=[("ROOT" if heads[number] == number else word[2] or "dep") for number, word in enumerate(words)],
        heads=heads,
        ents=[
            f"{'I' if number and words[number - 1][4] == word[4] else 'B'}-{word[4]}" if word[4] else "O"
            for number, word in enumerate(words)
        ],
        morphs=[word[5].replace(";", "|") for word in words],
        lemmas=[word[0].lower().rstrip("~") for word in words],
        tags=[word[6] for word in words],
        sent_starts=None if any(word[3] for word in words) else starts,
    )


def genders(found):
    return [(text, gender) for text, _, gender, _ in found]


def test_a_name_has_the_gender_of_its_title_its_first_name_or_the_pronouns_that_refer_to_it(find):
    assert genders(find("eng", "Mrs/PROPN Smith/PROPN///PERSON left/VERB ./PUNCT")) == [("Mrs Smith", "feminine")]
    assert genders(find("eng", "Mr/PROPN ./PUNCT Smith/PROPN///PERSON left/VERB")) == [("Mr . Smith", "masculine")]
    assert genders(find("eng", "Anna/PROPN///PERSON left/VERB ./PUNCT")) == [("Anna", "feminine")]
    line = "Then/ADV Kim/PROPN///PERSON left/VERB ./PUNCT | He/PRON ran/VERB ./PUNCT"
    assert genders(find("eng", line)) == [("Kim", "masculine"), ("He", "masculine")]


def test_the_gender_of_a_full_name_outside_the_lexicon_is_guessed_unless_pronouns_show_another(find):
    name = "Xherdan/PROPN///PERSON Shaqiri/PROPN///PERSON"
    assert genders(find("eng", f"Then/ADV {name} left/VERB")) == [("Xherdan Shaqiri", "masculine")]
    listed = name.replace("Xherdan", "Narendra")
    assert genders(find("eng", f"Then/ADV {listed} left/VERB")) == [("Narendra Shaqiri", "masculine")]
    assert genders(find("eng", "Then/ADV Xherdan/PROPN///PERSON left/VERB")) == [("Xherdan", "unspecified")]
    line = (
        f"Then/ADV {name} left/VERB ./PUNCT | She/PRON ran/VERB ./PUNCT | {name} hid/VERB ./PUNCT | She/PRON fell/VERB"
    )
    assert genders(find("eng", line))[0] == ("Xherdan Shaqiri", "feminine")


def test_mentions_of_one_person_share_an_entity(find):
    line = (
        "Anna/PROPN///PERSON Smith/PROPN///PERSON met/VERB Kim/PROPN///PERSON ./PUNCT | Smith/PROPN///PERSON ran/VERB"
    )
    entities = {}
    for text, _, _, entity in find("eng", line):
        entities.setdefault(text, entity)
    assert entities["Anna Smith"] == entities["Smith"] != entities["Kim"]


def test_a_name_that_the_pipeline_misses_is_a_person_where_a_pronoun_refers_to_it(find):
    line = "Then/ADV Pantha/PROPN///PRODUCT came/VERB ./PUNCT | He/PRON writes/VERB ./PUNCT"
    assert genders(find("eng", line)) == [("Pantha", "masculine"), ("He", "masculine")]
    assert genders(find("eng", line.replace("PRODUCT", "GPE"))) == [("He", "masculine")]
    assert find("eng", "Then/ADV Pantha/PROPN///PRODUCT came/VERB ./PUNCT") == []
    assert genders(find("eng", "in/ADP Spain/PROPN///GPE ./PUNCT | He/PRON writes/VERB")) == [("He", "masculine")]


def test_a_noun_has_the_gender_of_the_lexicon_of_its_marker_or_none(find):
    assert genders(find("eng", "Her/PRON father/NOUN")) == [("Her", "feminine"), ("father", "masculine")]
    line = "a/DET/det/2 female/ADJ/amod/2 doctor/NOUN/ROOT/2"
    assert genders(find("eng", line)) == [("doctor", "feminine")]
    assert genders(find("eng", "a/DET doctor/NOUN")) == [("doctor", "unspecified")]


def test_a_french_noun_agrees_with_its_article_and_a_masculine_plural_is_of_any_gender(find):
    assert genders(find("fra", "la/DET/det/1 voisine/NOUN/ROOT/1")) == [("voisine", "feminine")]
    plural = "les/DET/det/1 amis/NOUN/ROOT/1//Gender=Masc;Number=Plur"
    assert find("fra", plural) == []
    plural = "les/DET/det/1 ami/NOUN/ROOT/1//Gender=Masc;Number=Plur"
    assert genders(find("fra", plural)) == [("ami", "unspecified")]
    assert genders(find("fra", "les/DET hommes/NOUN////Number=Plur")) == [("hommes", "masculine")]
    line = "les/DET/det/1 ami/NOUN/ROOT/1//Gender=Masc;Number=Plur ./PUNCT/punct/1 | elles/PRON/ROOT/3//Number=Plur"
    assert genders(find("fra", line)) == [("ami", "unspecified")]


@pytest.mark.parametrize(
    "line",
    [
        "il/PRON faut/VERB partir/VERB",
        "il/PRON n'/ADV y/PRON a/AUX rien/PRON",
        "il/PRON est/AUX vrai/ADJ que/SCONJ",
        "il/PRON semble/VERB que/SCONJ",
        "faut/VERB -il/PRON partir/VERB",
        "il/PRON peut/VERB s'/PRON agir/VERB de/ADP cela/PRON",
        "il/PRON peut/VERB encore/ADV y/PRON avoir/VERB",
        "il/PRON va/VERB sans/ADP dire/VERB que/SCONJ",
        "il/PRON en/PRON va/VERB autrement/ADV",
        "il/PRON est/AUX intéressant/ADJ de/ADP voir/VERB",
        "comme/SCONJ il/PRON a/AUX été/AUX précisé/VERB",
        "quoi/PRON qu'/PRON il/PRON en/PRON soit/AUX",
    ],
)
def test_an_impersonal_il_is_no_mention(find, line):
    assert find("fra", line) == []


def test_where_nouns_have_a_gender_a_pronoun_may_stand_for_a_thing(find):
    thing = "la/DET/det/1 table/NOUN/nsubj/2//Gender=Fem tombe/VERB/ROOT/2"
    assert find("fra", f"{thing} et/CCONJ/cc/5 elle/PRON/nsubj/5 casse/VERB/conj/2") == []
    assert genders(find("fra", f"{thing} dit/VERB/conj/2 -elle/PRON/nsubj/3")) == [("-elle", "feminine")]
    # Nearer than the woman who was mentioned before; but she is the subject.
    woman = "la/DET/det/1 femme/NOUN/nsubj/2 voit/VERB/ROOT/2 la/DET/det/4 table/NOUN/obj/2//Gender=Fem"
    found = find("fra", f"{woman} et/CCONJ/cc/7 elle/PRON/nsubj/7 part/VERB/conj/2")
    assert genders(found) == [("femme", "feminine"), ("elle", "feminine")]


def test_a_thing_stays_the_one_that_pronouns_refer_to(find):
    line = (
        "le/DET/det/1 projet/NOUN/nsubj/2//Gender=Masc marche/VERB/ROOT/2 ./PUNCT/punct/2 "
        "il/PRON/nsubj/5 coûte/VERB/ROOT/5 ./PUNCT/punct/5 il/PRON/nsubj/8 dure/VERB/ROOT/8"
    )
    assert find("fra", line) == []


def test_what_a_thing_cannot_do_is_a_persons(find):
    line = (
        "la/DET/det/1 table/NOUN/nsubj/2//Gender=Fem tombe/VERB/ROOT/2 ./PUNCT/punct/2 elle/PRON/nsubj/5 {}/VERB/ROOT/5"
    )
    assert find("fra", line.format("casse")) == []
    assert genders(find("fra", line.format("sourire"))) == [("elle", "feminine")]


def test_a_plural_that_may_be_anyone_stays_so_with_its_pronoun(find):
    line = (
        "les/DET/det/1 ami/NOUN/nsubj/2//Gender=Masc;Number=Plur partent/VERB/ROOT/2 ./PUNCT/punct/2 "
        "ils/PRON/nsubj/5//Number=Plur chantent/VERB/ROOT/5"
    )
    assert genders(find("fra", line)) == [("ami", "unspecified"), ("ils", "unspecified")]
    line = (
        "chaque/DET/det/1 ami/NOUN/nsubj/2//Gender=Masc sait/VERB/ROOT/2 ce/PRON qu'/PRON il/PRON/nsubj/6 fait/VERB//2"
    )
    assert genders(find("fra", line)) == [("ami", "unspecified"), ("il", "unspecified")]


def test_the_masculine_noun_of_a_pair_is_not_its_women(find):
    line = (
        "les/DET/det/1 étudiantes/NOUN/ROOT/1//Gender=Fem;Number=Plur et/CCONJ/cc/4 les/DET/det/4 "
        "ami/NOUN/conj/1//Gender=Masc;Number=Plur"
    )
    assert genders(find("fra", line)) == [("étudiantes", "feminine"), ("ami", "unspecified")]


def test_an_adjective_after_its_noun_is_nobody_and_a_phrase_may_be_a_thing(find):
    assert find("fra", "les/DET/det/1 revues/NOUN/ROOT/1 amies/NOUN/nmod/1") == []
    assert genders(find("fra", "revue/NOUN d'/ADP un/DET/det/3 ami/NOUN//0")) == [("ami", "masculine")]


def test_a_first_name_outweighs_a_masculine_office_and_a_form_of_address_both(find):
    assert genders(find("eng", "Chairman/PROPN Anna/PROPN///PERSON Smith/PROPN///PERSON left/VERB")) == [
        ("Chairman Anna Smith", "feminine")
    ]
    assert genders(find("eng", "Mr/PROPN Anna/PROPN///PERSON Smith/PROPN///PERSON left/VERB"))[0][1] == "masculine"


def test_the_text_outweighs_a_list_of_first_names(find):
    said = "Anna/PROPN///PERSON Smith/PROPN///PERSON left/VERB ./PUNCT | He/PRON ran/VERB ./PUNCT |"
    assert genders(find("eng", said))[0] == ("Anna Smith", "feminine")
    assert set(genders(find("eng", f"{said} {said}"))) == {("Anna Smith", "masculine"), ("He", "masculine")}


def test_pronouns_after_the_verb_and_before_it(find):
    assert genders(find("fra", "dit/VERB -elle/PRON")) == [("-elle", "feminine")]
    assert genders(find("fra", "elle/PRON avec/ADP lui/PRON ./PUNCT")) == [("elle", "feminine"), ("lui", "masculine")]
    # An article, a clitic, and one that stands for a clause.
    assert find("fra", "la/DET table/NOUN") == []
    assert genders(find("fra", "je/PRON la/PRON vois/VERB")) == [("la", "feminine")]
    assert find("fra", "je/PRON le/PRON dire/VERB") == []


def test_a_title_a_relation_and_a_name_are_one_mention(find):
    line = "monsieur/NOUN de/ADP Sommervieux/PROPN///PER"
    assert genders(find("fra", line.replace("monsieur", "Monsieur"))) == [("Monsieur de Sommervieux", "masculine")]
    line = "père/NOUN Noël/PROPN///PER vit/VERB Noël/PROPN///PER"
    (titled, _, gender, one), (_, _, plain, other) = find("fra", line)
    assert (titled, gender, plain) == ("père Noël", "masculine", "unspecified")
    assert one != other


def test_a_name_is_also_given_without_its_titles(find_mentions):
    line = (
        "King/PROPN John/PROPN///PERSON Henry/PROPN///PERSON met/VERB Mrs/PROPN Koch/PROPN///PERSON and/CCONJ her/PRON"
    )
    untitled = {mention.text: mention.untitled for mention in find_mentions("eng", line)}
    assert untitled == {"King John Henry": "John Henry", "Mrs Koch": "Koch", "her": ""}


def test_grammatical_gender_is_that_of_the_word_and_by_default_masculine(find):
    line = "la/DET/det/1 persona/NOUN/ROOT/1"
    assert genders(find("spa", line)) == [("persona", "unspecified")]
    assert genders(find("spa", line, grammatical=True)) == [("persona", "feminine")]
    line = "hay/VERB navegantes/NOUN////Number=Plur"
    assert genders(find("spa", line, grammatical=True)) == [("navegantes", "masculine")]
    assert genders(find("spa", line)) == [("navegantes", "unspecified")]
    assert find("spa", "no/ADV ambiente/NOUN") == []


def test_a_capitalised_noun_that_acts_is_of_the_name_behind_it(find):
    line = "today/NOUN the/DET Doctor/PROPN/nsubj/3 slept/VERB/ROOT/3 |"
    line += " and/CCONJ Doctor/PROPN/nsubj/6 Lee/PROPN/flat/5/PERSON"
    assert [text for text, *_ in find("eng", line)] == ["Doctor", "Doctor Lee"]


def test_a_language_without_pronouns_of_its_own_has_those_of_its_lexicon(find):
    found = find("nld", "de/DET arts/NOUN slaapt/VERB ./PUNCT | Hij/PRON mist/VERB haar/DET boek/NOUN ./PUNCT")
    assert found == [
        ("arts", "noun", "masculine", 0), ("Hij", "pronoun", "masculine", 0), ("haar", "pronoun", "feminine", 1),
    ]  # fmt: skip


def test_a_short_title_is_a_person_only_before_a_name(find):
    assert genders(find("spa", "el/DET Sr./PROPN Provan/PROPN///LOC")) == [("Sr. Provan", "masculine")]
    assert find("spa", "cinco/NUM sr/NOUN") == []


@pytest.mark.parametrize("title", ["M./NOUN", "Monsieur/NOUN", "Monsieur/NOUN/dep//PER"])
@pytest.mark.parametrize("name", ["Durand/PROPN", "Petit/ADJ", "Petit/ADJ/dep//PER"])
def test_a_title_makes_a_person_of_any_name_that_follows(find, title, name):
    words = f"{title.partition('/')[0]} {name.partition('/')[0]}"
    assert find("fra", f"Selon/ADP {title} {name} ,/PUNCT oui/ADV") == [(words, "name", "masculine", 0)]


def test_two_titles_of_one_name_are_two_persons(find):
    assert genders(find("fra", "M./NOUN et/CCONJ Madame/NOUN Petit/ADJ parlent/VERB")) == [
        ("M.", "masculine"), ("Madame Petit", "feminine"),
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["hers/NOUN", "Hers/PROPN", "hers/PRON"])
def test_a_pronoun_with_a_gender_of_its_own_is_one_whatever_a_tagger_calls_it(find, word):
    assert [gender for _, gender in genders(find("eng", f"It/PRON is/AUX {word} ./PUNCT"))] == ["feminine"]


@pytest.mark.parametrize(
    ("lang", "thing"),
    [
        ("eng", "Hurricane/PROPN Rosa/PROPN///PERSON"),
        ("eng", "Hurricane/PROPN///PERSON Rosa/PROPN///PERSON"),
        ("eng", "Rosa/PROPN///PERSON Street/PROPN"),
        ("eng", "Rosa/PROPN///PERSON Street/PROPN///PERSON"),
        ("fra", "rue/NOUN Rosa/PROPN///PER"),
    ],
)
def test_a_name_is_nobody_in_a_document_that_calls_it_once_a_thing(find, lang, thing):
    label = "PERSON" if lang == "eng" else "PER"
    alone = f"Rosa/PROPN///{label} came/VERB ./PUNCT"
    assert "Rosa" in dict(genders(find(lang, alone)))
    assert find(lang, f"{thing} ended/VERB ./PUNCT | {alone}") == []
    somebody = f"Rosa/PROPN///{label} Kahn/PROPN///{label} left/VERB ./PUNCT"
    assert dict(genders(find(lang, f"{thing} ended/VERB ./PUNCT | {somebody} | {alone}"))).keys() == {
        "Rosa Kahn",
        "Rosa",
    }


@pytest.mark.parametrize("name", ["River Phoenix", "Anna Lake"])
def test_a_first_name_makes_a_person_of_a_name_with_a_word_for_a_thing(find, name):
    line = " ".join(f"{word}/PROPN///PERSON" for word in name.split())
    assert [text for text, _ in genders(find("eng", f"{line} left/VERB"))] == [name]


def test_a_first_name_makes_no_person_of_a_name_with_a_word_that_is_no_surname(find):
    assert find("eng", "Anna/PROPN///PERSON Street/PROPN///PERSON ended/VERB") == []


def test_countries_are_no_persons_and_cities_where_they_are_marked_as_places(find):
    assert find("eng", "Korea/PROPN///PERSON won/VERB ./PUNCT | Korea/PROPN///PERSON won/VERB") == []
    city = "Athens/PROPN///GPE grew/VERB ./PUNCT | Athens/PROPN///GPE won/VERB ./PUNCT | Athens/PROPN///PERSON won/VERB"
    assert find("eng", city) == []
    person = "Mrs/PROPN Jordan/PROPN///PERSON won/VERB ./PUNCT | Jordan/PROPN///PERSON left/VERB"
    assert genders(find("eng", person)) == [("Mrs Jordan", "feminine"), ("Jordan", "feminine")]
    king = "the/DET/det//PERSON King/PROPN///PERSON of/ADP///PERSON Athens/PROPN///PERSON left/VERB"
    assert genders(find("eng", king)) == [("King", "masculine")]


def test_a_husbands_name_is_not_the_name_of_his_wife(find):
    line = (
        "Mrs/PROPN Newland/PROPN///PERSON Archer/PROPN///PERSON left/VERB ./PUNCT | "
        "Newland/PROPN///PERSON Archer/PROPN///PERSON stayed/VERB ./PUNCT | He/PRON read/VERB ./PUNCT"
    )
    assert dict(genders(find("eng", line))) == {
        "Mrs Newland Archer": "feminine", "Newland Archer": "masculine", "He": "masculine",
    }  # fmt: skip


def test_a_surname_that_two_persons_share_goes_by_the_pronouns_that_follow_each_name(find):
    winnie = "Winnie/PROPN///PERSON Verloc/PROPN///PERSON ran/VERB as/SCONJ she/PRON cried/VERB ./PUNCT"
    line = f"Mr/PROPN Verloc/PROPN///PERSON sat/VERB ./PUNCT | {winnie} | {winnie}"
    found = genders(find("eng", line))
    assert ("Mr Verloc", "masculine") in found
    assert found.count(("Winnie Verloc", "feminine")) == 2


def test_a_surname_alone_is_that_of_the_person_who_bears_it(find):
    line = (
        "Pete/PROPN///PERSON Seeger/PROPN///PERSON sang/VERB ./PUNCT | they/PRON joined/VERB Seeger/PROPN on/ADP a/DET "
        "boat/NOUN ./PUNCT"
    )
    assert [text for text, _ in genders(find("eng", line))] == ["Pete Seeger", "they", "Seeger"]


def test_somebody_who_is_called_they_or_ze_has_no_gender(find):
    line = "Anna/PROPN///PERSON said/VERB they/PRON were/AUX late/ADJ ./PUNCT"
    assert genders(find("eng", line)) == [("Anna", "unspecified"), ("they", "unspecified")]
    assert genders(find("eng", line.replace("they/PRON", "ze/PRON"))) == [
        ("Anna", "unspecified"),
        ("ze", "unspecified"),
    ]
    # Others may be meant, or Anna is called "she" as well.
    group = "Anna/PROPN///PERSON told/VERB friends/NOUN////Number=Plur they/PRON were/AUX late/ADJ ./PUNCT"
    assert ("Anna", "feminine") in genders(find("eng", group))
    assert ("Anna", "feminine") in genders(find("eng", f"{line} | She/PRON ran/VERB ./PUNCT"))
    assert ("Mrs Anna", "feminine") in genders(find("eng", f"Mrs/PROPN {line}"))
    committee = "Anna/PROPN///PERSON met/VERB the/DET committee/NOUN ./PUNCT | They/PRON left/VERB ./PUNCT"
    assert ("Anna", "feminine") in genders(find("eng", committee))


def test_a_neopronoun_counts_where_the_lexicon_has_it(find):
    line = "hen/PRON/nsubj/1 såg/VERB/ROOT/1 henne/PRON/obj/1"
    assert genders(find("swe", line)) == [("hen", "unspecified")]


def test_they_alone_does_not_show_that_somebody_is_neither_woman_nor_man(find_mentions):
    line = "Anna/PROPN///PERSON said/VERB they/PRON were/AUX late/ADJ ./PUNCT"
    assert [mention.is_neither for mention in find_mentions("eng", line)] == [False, False]
    title = f"Mx/PROPN {line}"
    assert {mention.is_neither for mention in find_mentions("eng", title)} == {True}
    stated = f"{line} | Anna/PROPN///PERSON uses/VERB they/PRON pronouns/NOUN ./PUNCT"
    assert {mention.is_neither for mention in find_mentions("eng", stated)} == {True}


@pytest.mark.parametrize(
    "line",
    [
        "Anna/PROPN/nsubj/1/PERSON is/AUX/ROOT/1 non~/ADJ/acomp/1 -~/ADJ/punct/2 binary/ADJ/acomp/1",
        "a/DET/det/2 genderqueer/ADJ/amod/2 friend/NOUN/nsubj/3 met/VERB/ROOT/3 Anna/PROPN/dobj/3/PERSON",
        "Mx/PROPN/compound/1 Anna/PROPN/nsubj/2/PERSON left/VERB/ROOT/2",
        "Mx/PROPN/compound/2 ./PUNCT/punct/2 Anna/PROPN/nsubj/3/PERSON left/VERB/ROOT/3",
        "In/ADP/prep/4 their/PRON/poss/2///PRP$ book/NOUN/pobj/0 Anna/PROPN/nsubj/4/PERSON says/VERB/ROOT/4",
        "Anna/PROPN/nsubj/1/PERSON met/VERB/ROOT/1 fans/NOUN/dobj/1//Number=Plur ./PUNCT/punct/1 "
        "They/PRON/nsubj/5 are/AUX/ROOT/5 an/DET/det/7 artist/NOUN/attr/5",
    ],
)
def test_what_a_text_says_of_somebody_outweighs_a_list_of_first_names(find, line):
    assert ("Anna", "unspecified") in genders(find("eng", line))


def test_a_word_that_the_pipeline_splits_is_one_mention_or_none(find):
    artist = "a/DET/det/4 non~/ADJ/amod/4 -~/ADJ/amod/4 binary/ADJ/amod/4 friend/NOUN/ROOT/4"
    assert genders(find("eng", artist)) == [("friend", "unspecified")]
    grandson = "a/DET/det/3 great~/ADJ/amod/3 -~/PUNCT/punct/3 grandson/NOUN/ROOT/3"
    assert genders(find("eng", grandson)) == [("great-grandson", "masculine")]


@pytest.mark.parametrize(
    "team",
    [
        "Ayr/PROPN///PERSON 38/NUM -/PUNCT 17/NUM",
        "38/NUM :/PUNCT 17/NUM Ayr/PROPN///PERSON",
        "vs/ADP Ayr/PROPN///PERSON",
        "Ayr/PROPN/nsubj/1/PERSON win/VERB//1///VBP",
    ],
)
def test_a_team_is_nobody(find, team):
    assert find("eng", f"{team} ./PUNCT | Ayr/PROPN///PERSON won/VERB ./PUNCT") == []
    assert find("eng", "Ayr/PROPN/nsubj/1/PERSON wins/VERB//1///VBZ ./PUNCT") != []


def test_a_first_name_is_a_persons_although_the_pipeline_marks_it_as_a_firm(find):
    assert genders(find("eng", "then/ADV Anna/PROPN///ORG left/VERB")) == [("Anna", "feminine")]
    assert genders(find("eng", "then/ADV Anna/PROPN///ORG Krauss/PROPN///ORG left/VERB")) == [
        ("Anna Krauss", "feminine")
    ]
    for place in ("in/ADP Anna/PROPN///GPE", "then/ADV Anna/PROPN///ORG and/CCONJ///ORG Co/PROPN///ORG"):
        assert find("eng", f"{place} left/VERB") == []


def test_french_ils_are_men_where_only_men_were_named(find):
    line = "Monsieur/NOUN Durand/PROPN et/CCONJ {}/NOUN Petit/PROPN ./PUNCT | Ils/PRON////Number=Plur partent/VERB"
    assert ("Ils", "masculine") in genders(find("fra", line.format("Monsieur")))
    assert ("Ils", "unspecified") in genders(find("fra", line.format("Madame")))


def test_what_a_relative_clause_says_of_a_person_is_that_person(find):
    line = "Anna/PROPN/ROOT/0/PERSON ,/PUNCT//0 who/PRON/nsubj/3 is/AUX/relcl/0 our/PRON/poss/5 doctor/NOUN/attr/3"
    assert find("eng", line) == [("Anna", "name", "feminine", 0), ("doctor", "noun", "feminine", 0)]


def people(found):
    """Return the texts of the mentions of each person, in the order of first mentions."""
    texts = {}
    for text, _, _, entity in found:
        texts.setdefault(entity, []).append(text)
    return list(texts.values())


THE = "the/DET/det/{}//Definite=Def;PronType=Art"
ANNA = "Anna/PROPN/nsubj/1/PERSON left/VERB/ROOT/1 ./PUNCT/punct/1"


@pytest.mark.parametrize(
    ("sentence", "persons"),
    [
        # An article or a demonstrative shows that somebody known is meant, and the gender who.
        (f"{THE.format(4)} mother/NOUN/nsubj/5 slept/VERB/ROOT/5", [["Anna", "mother"]]),
        ("that/DET/det/4//PronType=Dem mother/NOUN/nsubj/5 slept/VERB/ROOT/5", [["Anna", "mother"]]),
        (f"{THE.format(4)} father/NOUN/nsubj/5 slept/VERB/ROOT/5", [["Anna"], ["father"]]),
        (f"{THE.format(4)} doctor/NOUN/nsubj/5 slept/VERB/ROOT/5", [["Anna"], ["doctor"]]),
        ("a/DET/det/4//Definite=Ind mother/NOUN/nsubj/5 slept/VERB/ROOT/5", [["Anna"], ["mother"]]),
        # Her mother is somebody else, and so are persons beside each other.
        ("her/PRON/poss/4 mother/NOUN/nsubj/5 slept/VERB/ROOT/5", [["Anna", "her"], ["mother"]]),
        (
            f"she/PRON/nsubj/4 saw/VERB/ROOT/4 {THE.format(6)} mother/NOUN/dobj/4",
            [["Anna", "she"], ["mother"]],
        ),
        (
            f"{THE.format(4)} mother/NOUN/nsubj/7 and/CCONJ/cc/4 father/NOUN/conj/4 slept/VERB/ROOT/7",
            [["Anna"], ["mother"], ["father"]],
        ),
        # A relative clause without a comma shows who else is meant.
        (
            f"{THE.format(4)} mother/NOUN/nsubj/7 who/PRON/nsubj/6 slept/VERB/relcl/4 left/VERB/ROOT/7",
            [["Anna"], ["mother"]],
        ),
        # What is said about a speaker is mostly about the most salient person.
        ("you/PRON/nsubj/4 are/AUX/ROOT/4 a/DET/det/6 mother/NOUN/attr/4", [["Anna", "mother"]]),
        (
            "I/PRON/nsubj/4 am/AUX/ROOT/4 not/PART/neg/4 a/DET/det/7 mother/NOUN/attr/4",
            [["Anna"], ["mother"]],
        ),
    ],
)
def test_a_definite_noun_of_a_gender_refers_to_the_most_salient_person_of_it(find, sentence, persons):
    assert people(find("eng", f"{ANNA} {sentence} {THE.format(0)}")) == persons


@pytest.mark.parametrize(
    "determiner", ["no/DET/det/{}", "every/DET/det/{}", "some/DET/det/{}", "two/NUM/nummod/{}", ""]
)
def test_a_noun_for_anybody_does_not_refer_back(find, determiner):
    before = f"{THE.format(1)} king/NOUN/nsubj/2 left/VERB/ROOT/2 ./PUNCT/punct/2"
    place = 5 if determiner else 4
    again = f"{determiner.format(place)} king/NOUN/nsubj/{place + 1} slept/VERB/ROOT/{place + 1}"
    assert people(find("eng", f"{before} {again}")) == [["king"], ["king"]]
    known = f"{THE.format(5)} king/NOUN/nsubj/6 slept/VERB/ROOT/6"
    assert people(find("eng", f"{before} {known}")) == [["king", "king"]]


def test_a_form_of_address_refers_back(find):
    line = (
        f"{THE.format(1)} father/NOUN/nsubj/2 left/VERB/ROOT/2 ./PUNCT/punct/2 "
        "yes/INTJ/intj/7 ,/PUNCT/punct/7 father/NOUN/npadvmod/7 ,/PUNCT/punct/7 go/VERB/ROOT/8"
    )
    assert people(find("eng", line)) == [["father", "father"]]


@pytest.mark.parametrize(
    "line",
    [
        "Anna/PROPN/nsubj/1/PERSON lived/VERB/ROOT/1 as/ADP/prep/1 a/DET/det/4 mother/NOUN/pobj/2",
        "they/PRON/nsubj/1 saw/VERB/ROOT/1 Anna/PROPN/dobj/1/PERSON as/ADP/prep/1 a/DET/det/5 mother/NOUN/pobj/3",
        "being/AUX/advcl/5 a/DET/det/2 mother/NOUN/attr/0 ,/PUNCT/punct/5 Anna/PROPN/nsubj/5/PERSON left/VERB/ROOT/5",
        "Anna/PROPN/nsubj/1/PERSON seems/VERB/ROOT/1 to/PART/aux/3 be/AUX/xcomp/1 a/DET/det/5 mother/NOUN/attr/3",
        "a/DET/det/1 mother/NOUN/attr/4 now/ADV/advmod/4 Anna/PROPN/nsubj/4/PERSON was/AUX/ROOT/4",
        "a/DET/det/1 mother/NOUN/ROOT/1 call/VERB/acl/1 Anna/PROPN/oprd/2/PERSON",
        f"saw/VERB/ROOT/0 Anna/PROPN/dobj/0/PERSON {THE.format(3)} mother/NOUN/dobj/0",
        "saw/VERB/ROOT/0 Anna/PROPN/dobj/0/PERSON ,/PUNCT/punct/0 my/PRON/poss/4 mother/NOUN/dobj/0 ,/PUNCT/punct/0",
    ],
)
def test_a_noun_that_the_sentence_gives_to_a_person_is_that_person(find, line):
    (person,) = [texts for texts in people(find("eng", f"{line} {THE.format(0)}")) if "mother" in texts]
    assert sorted(person) == ["Anna", "mother"]


def test_a_relative_is_the_other_person_of_the_same_surname(find):
    line = (
        "Mrs/PROPN/compound/1 Lee/PROPN/nsubj/2/PERSON left/VERB/ROOT/2 ./PUNCT/punct/2 Anna/PROPN/nsubj/5/PERSON "
        "stayed/VERB/ROOT/5 ./PUNCT/punct/5 Mr/PROPN/compound/8 Lee/PROPN/nsubj/9/PERSON saw/VERB/ROOT/9 "
        "his/PRON/poss/11 mother/NOUN/dobj/9 "
    )
    assert people(find("eng", line + THE.format(0))) == [["Mrs Lee", "mother"], ["Anna"], ["Mr Lee", "his"]]


def test_a_relation_before_a_first_name_makes_no_other_person_of_it(find):
    line = "mother/NOUN Anna/PROPN///PERSON left/VERB ./PUNCT | Anna/PROPN///PERSON ran/VERB"
    assert people(find("eng", line)) == [["mother Anna", "Anna"]]


def test_a_nickname_is_that_of_the_person_with_the_first_name(find):
    line = "Margaret/PROPN///PERSON left/VERB ./PUNCT | Then/ADV Meg/PROPN///PERSON ran/VERB"
    assert people(find("eng", line)) == [["Margaret", "Meg"]]
    full = "Margaret/PROPN///PERSON Lee/PROPN///PERSON left/VERB ./PUNCT | Then/ADV Meg/PROPN///PERSON {}ran/VERB"
    assert people(find("eng", full.format(""))) == [["Margaret Lee", "Meg"]]
    assert people(find("eng", full.format("Lee/PROPN///PERSON "))) == [["Margaret Lee", "Meg Lee"]]
    assert people(find("eng", full.format("Kahn/PROPN///PERSON "))) == [["Margaret Lee"], ["Meg Kahn"]]


def test_a_name_is_rather_that_of_somebody_who_has_it_than_a_nickname(find):
    names = ["Justin/PROPN///PERSON Thomas/PROPN///PERSON", "Tommy/PROPN///PERSON Lee/PROPN///PERSON"]
    line = f"{names[0]} met/VERB {names[1]} ./PUNCT | Then/ADV Thomas/PROPN///PERSON ran/VERB"
    assert people(find("eng", line)) == [["Justin Thomas", "Thomas"], ["Tommy Lee"]]


def test_a_surname_that_is_also_a_first_name_of_another_gender_is_a_surname(find):
    full = "Anna/PROPN///PERSON John/PROPN///PERSON"
    line = f"{full} left/VERB ./PUNCT | Then/ADV John/PROPN///PERSON ran/VERB"
    assert genders(find("eng", line)) == [("Anna John", "feminine"), ("John", "feminine")]


@pytest.mark.parametrize("office", ["Prof/PROPN///PERSON", "Macedonian/PROPN///PERSON President/PROPN///PERSON"])
def test_a_word_for_an_office_is_no_part_of_a_name(find, office):
    name = "Kahn/PROPN///PERSON"
    line = f"Anna/PROPN///PERSON {name} left/VERB ./PUNCT | Then/ADV {office} {name} ran/VERB"
    assert [len(entity) for entity in people(find("eng", line))] == [2]


def test_a_possessive_is_that_of_the_subject_above_it_or_of_whom_its_clause_modifies(find):
    john = "John/PROPN/nsubj/1/PERSON left/VERB/ROOT/1 ./PUNCT/punct/1"
    line = f"{john} {{}}/DET/det/4 doctor/NOUN/nsubj/5 lost/VERB/ROOT/5 his/PRON/poss/7 hat/NOUN/dobj/5"
    assert people(find("eng", line.format("a"))) == [["John"], ["doctor", "his"]]
    line = (
        f"{john} he/PRON/nsubj/4 saw/VERB/ROOT/4 a/DET/det/6 doctor/NOUN/dobj/4 who/PRON/nsubj/8 lost/VERB/relcl/6 "
        "his/PRON/poss/10 hat/NOUN/dobj/8"
    )
    assert people(find("eng", line)) == [["John", "he"], ["doctor", "his"]]


def test_a_pronoun_refers_farther_back_if_nobody_else_fits(find):
    pause = "it/PRON rained/VERB ./PUNCT | "
    line = f"Anna/PROPN///PERSON left/VERB ./PUNCT | {5 * pause} She/PRON slept/VERB"
    assert people(find("eng", line)) == [["Anna", "She"]]
    far = f"Anna/PROPN///PERSON left/VERB ./PUNCT | {25 * pause} She/PRON slept/VERB"
    assert people(find("eng", far)) == [["Anna"], ["She"]]
    assert people(find("eng", line.replace("She", "He"))) == [["Anna"], ["He"]]


def test_a_full_name_that_is_marked_as_a_firm_is_somebodys_who_acts_by_the_surname(find):
    full = "from/ADP Anna/PROPN///ORG Blasey/PROPN///ORG Ford/PROPN///ORG ./PUNCT"
    found = genders(find("eng", f"{full} | Ford/PROPN/nsubj/6/ORG testified/VERB//6"))
    assert ("Anna Blasey Ford", "feminine") in found
    assert find("eng", f"{full} | the/DET//6 Ford/PROPN/nsubj/7/ORG testified/VERB//7") == []


def test_a_part_of_a_places_name_is_nobody_though_it_acts(find):
    acts = "the/DET///GPE United/PROPN///GPE Provinces/PROPN/nsubj/{0}/GPE act/VERB//{0} ./PUNCT//{0}"
    assert find("eng", f"{acts.format(3)} | {acts.format(8)}") == []


def test_a_captain_of_a_team_is_not_called_they_though_the_team_is(find):
    line = "Anna/PROPN///PERSON Kahn/PROPN///PERSON led/VERB {}/PROPN///{} ./PUNCT | They/PRON won/VERB"
    assert genders(find("eng", line.format("Europe", "GPE")))[0] == ("Anna Kahn", "feminine")
    assert genders(find("eng", line.format("on", "")))[0] == ("Anna Kahn", "unspecified")
