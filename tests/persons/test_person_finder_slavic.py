"""The method `persons` in languages with cases: on small documents parsed by hand, and by the pipelines themselves."""

import json
from importlib.util import find_spec

import pytest

pytest.importorskip("spacy")

import spacy
from spacy.tokens import Doc

from textparity.counting.lexicon import COLUMNS
from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.counting.tokenizers import TokenizerChoice
from textparity.errors import MissingResourceError
from textparity.persons import methods
from textparity.persons.methods import LanguageFiles, load_method
from textparity.persons.person_finder import PersonFinder
from textparity.persons.rules import read_rules

TERMS = [Term("marie", "feminine", "names", "capitalised"), Term("pavel", "masculine", "names", "capitalised"),
         Term("pavla", "feminine", "names", "capitalised"), Term("dcera", "feminine", "nouns")]  # fmt: skip
NOMINATIVE, GENITIVE = "Case=Nom;Number=Sing", "Case=Gen;Number=Sing"
PAST = "Number=Sing;Tense=Past"


@pytest.fixture
def find(repository):
    """Return the text and the gender of what is found. A word is `text/lemma/POS/morphology/label/dep/head`."""

    def run(lang, line, decide=None):
        folder = repository / "resources" / "persons"
        rules = read_rules(folder / "pronouns.tsv", folder / "words.tsv", lang, folder / "places.tsv")
        words = [[*word.split("/"), "", "", "", "", ""][:7] for word in line.split()]
        has_parse = any(word[6] for word in words)
        doc = Doc(
            spacy.blank("xx").vocab,
            words=[word[0] for word in words],
            lemmas=[word[1] for word in words],
            pos=[word[2] for word in words],
            morphs=[word[3].replace(";", "|") for word in words],
            ents=[
                f"{'I' if words[n - 1][4] == word[4] and n else 'B'}-{word[4]}" if word[4] else "O"
                for n, word in enumerate(words)
            ],
            deps=[word[5] or "dep" for word in words] if has_parse else None,
            heads=[int(word[6] or 0) for word in words] if has_parse else None,
            sent_starts=None if has_parse else [place == 0 for place in range(len(words))],
        )
        nouns = frozenset({"učitel", "voják", "врач", "-кот"})
        finder = PersonFinder(rules, TermMatcher(TERMS, LAYERS), nouns, decide_name=decide)
        return [(one.text, one.gender) for one in finder.find(doc)]

    return run


def test_a_declined_first_name_has_the_gender_of_its_lemma(find):
    assert find("ces", f"Pavla/Pavel/PROPN/{GENITIVE};Gender=Masc/PERSON") == [("Pavla", "masculine")]
    assert find("ces", f"Marii/Marie/PROPN/{GENITIVE};Gender=Fem/PERSON") == [("Marii", "feminine")]


def test_a_surname_in_ova_is_a_womans_without_a_label_and_after_any_first_name(find):
    surname = f"Kleinovou/Kleinová/PROPN/{GENITIVE};Gender=Fem"
    assert find("ces", f"viděl/vidět/VERB/{PAST};Gender=Masc {surname}") == [("Kleinovou", "feminine")]
    assert find("ces", f"Robin/Robin/X//PERSON {surname}/PERSON")[0][1] == "feminine"


def test_a_verb_of_the_past_shows_the_gender_of_its_subject(find):
    name = f"Ariani/Ariani/PROPN/{NOMINATIVE};Gender=Masc/PERSON/nsubj/1"
    assert find("ces", f"{name} řekla/říci/VERB/{PAST};Gender=Fem//ROOT/1") == [("Ariani", "feminine")]
    assert find("ces", f"{name} říká/říkat/VERB/Number=Sing//ROOT/1") == [("Ariani", "unspecified")]


def test_without_a_parse_a_verb_beside_the_name_does(find):
    name = f"Ариани/ариани/PROPN/{NOMINATIVE};Gender=Masc/PER"
    assert find("rus", f"вчера/вчера/ADV {name} сказала/сказать/VERB/{PAST};Gender=Fem") == [("Ариани", "feminine")]


def test_what_the_dictionary_knows_of_a_first_name_is_surer_than_the_tagger(find):
    first = f"Деборой/дебора/PROPN/{GENITIVE};Gender=Fem;NameType=Giv/PER"
    assert find("rus", f"с/с/ADP {first}") == [("Деборой", "feminine")]


@pytest.mark.parametrize(("gender", "case"), [("feminine", "Nom"), ("masculine", "Gen")])
def test_all_parts_of_a_name_that_agree_outweigh_its_lemma(find, gender, case):
    marks = f"Case={case};Number=Sing;Gender={'Fem' if gender == 'feminine' else 'Masc'}"
    names = f"Pavla/pavel/PROPN/{marks}/PER Nová/nová/PROPN/{marks}/PER"
    assert find("rus", names) == [("Pavla Nová", gender)]


def test_a_surname_in_the_nominative_and_the_verb_tell_of_a_woman(find):
    first = f"Pavla/pavel/PROPN/{GENITIVE};Gender=Masc/PERSON"
    surname = f"Malá/malý/ADJ/{NOMINATIVE};Gender=Fem/PERSON"
    assert find("ces", f"{first} {surname}") == [("Pavla Malá", "feminine")]
    subject = f"Pavla/pavel/PROPN/{NOMINATIVE};Gender=Masc/PERSON"
    assert find("rus", f"{subject} ушла/уйти/VERB/{PAST};Gender=Fem") == [("Pavla", "feminine")]


def test_what_is_known_of_the_forms_of_names_comes_first(find):
    asked = []

    def decide(*evidence):
        asked.append(evidence)
        return "feminine"

    line = f"včera/včera/ADV Pavel/pavel/PROPN/{NOMINATIVE};Gender=Masc/PERSON ,/,/PUNCT šel/jít/VERB/Number=Sing"
    assert find("ces", line, decide) == [("Pavel", "feminine")]
    assert asked == [("pavel", [], ["včera"], ["šel"])]


def test_animals_are_nobody_and_a_name_of_a_thing_has_no_gender_by_the_tagger(find):
    assert find("rus", f"кот/кот/NOUN/{NOMINATIVE};Animacy=Anim;Gender=Masc") == []
    style = f"Готика/готика/PROPN/{NOMINATIVE};Animacy=Inan;Gender=Fem/PER"
    assert find("rus", style) == [("Готика", "unspecified")]


def test_an_office_with_an_attribute_is_that_of_the_name_after_it(find):
    office = f"директор/директор/NOUN/{NOMINATIVE};Animacy=Anim;Gender=Masc"
    name = f"Анна/анна/PROPN/{NOMINATIVE};Gender=Fem;NameType=Giv/PER"
    line = f"{office} школы/школа/NOUN/{GENITIVE};Animacy=Inan;Gender=Fem {name}"
    assert find("rus", line) == [("директор", "feminine"), ("Анна", "feminine")]


def test_animate_nouns_are_persons_and_those_of_an_office_take_the_gender_of_the_woman_beside_them(find):
    office = f"директора/директор/NOUN/{GENITIVE};Animacy=Anim;Gender=Masc"
    assert find("rus", office) == [("директора", "masculine")]
    assert find("rus", office.replace("Anim", "Inan")) == []
    name = f"Анны/анна/PROPN/{GENITIVE};Gender=Fem;NameType=Giv/PER"
    assert find("rus", f"{office} {name}") == [("директора", "feminine"), ("Анны", "feminine")]


@pytest.mark.parametrize("between", [",/,/PUNCT старший/старший/ADJ", "—/—/PUNCT"])
def test_an_office_after_a_womans_name_is_hers(find, between):
    name = f"Анна/анна/PROPN/{NOMINATIVE};Gender=Fem;NameType=Giv/PER"
    office = f"директор/директор/NOUN/{NOMINATIVE};Animacy=Anim;Gender=Masc"
    assert find("rus", f"{name} {between} {office}") == [("Анна", "feminine"), ("директор", "feminine")]


def test_a_verb_of_the_past_shows_that_an_office_is_a_womans(find):
    office = f"врач/врач/NOUN/{NOMINATIVE};Animacy=Anim;Gender=Masc"
    assert find("rus", f"{office} сказала/сказать/VERB/{PAST};Gender=Fem") == [("врач", "feminine")]
    assert find("rus", f"{office} сказал/сказать/VERB/{PAST};Gender=Masc") == [("врач", "masculine")]


def test_a_masculine_plural_may_be_anyone_and_a_feminine_one_is_of_women(find):
    plural = "Case=Nom;Number=Plur;Gender="
    assert find("ces", f"učitelé/učitel/NOUN/{plural}Masc") == [("učitelé", "unspecified")]
    assert find("ces", f"učitelky/učitelka/NOUN/{plural}Fem") == [("učitelky", "feminine")]
    assert find("ces", f"soudce/soudce/NOUN/{NOMINATIVE};Gender=Fem") == [("soudce", "masculine")]


def load(repository, tmp_path, lang, code, pipeline, nouns):
    folder = repository / "resources" / "persons"
    lexicon = {gender: [{"singular": form} for form in forms.split()] for gender, forms in nouns.items()}
    (tmp_path / f"{lang}.json").write_text(json.dumps(lexicon | {"unspecified": [{"singular": "xx"}]}), "utf-8")
    row = "\t".join(("xy", "unspecified", "nouns", "add", "", "", "x", "x", "x"))
    (tmp_path / f"{lang}.tsv").write_text("\t".join(COLUMNS) + f"\n{row}\n", "utf-8")
    (tmp_path / "nouns.txt").write_text("učitel\n", "utf-8")
    files = LanguageFiles(
        lang=lang, lexicon=str(tmp_path / f"{lang}.json"), word_list=str(tmp_path / f"{lang}.tsv"),
        first_names="cs_CZ" if lang == "ces" else "ru_RU", tokenizer=TokenizerChoice("icu", code),
        pronouns=str(folder / "pronouns.tsv"), words=str(folder / "words.tsv"), places=str(folder / "places.tsv"),
        person_nouns=str(tmp_path / "nouns.txt"), pipeline=pipeline,
    )  # fmt: skip
    return load_method("persons", files)


def test_the_czech_pipeline_reads_a_text_line_by_line(repository, tmp_path):
    pytest.importorskip("cs_core_news_sm")
    nouns = {"feminine": "žena matka matce dcera", "masculine": "muž otec syn"}
    method = load(repository, tmp_path, "ces", "cs", "cs_core_news_sm", nouns)
    text = "Žena a její dcera\nJana Nováková včera přijela z Brna.\n\nUčitel Petr Novák ji viděl a řekl jí o své matce."
    for found in method.find([text, "", text]):
        assert all(text[one.start : one.end] == one.text for one in found)
        if found:
            genders = {one.text: one.gender for one in found}
            assert genders["Žena"] == genders["její"] == genders["Jana Nováková"] == genders["matce"] == "feminine"
            assert genders["Petr Novák" if "Petr Novák" in genders else "Učitel Petr Novák"] == "masculine"


def test_the_russian_pipeline_reads_a_text_line_by_line(repository, tmp_path):
    if methods.missing_pipeline(methods.NATASHA):
        pytest.skip("the extra russian is not installed")
    nouns = {"feminine": "женщина мать дочь", "masculine": "мужчина отец сын"}
    method = load(repository, tmp_path, "rus", "ru", methods.NATASHA, nouns)
    text = "Женщина и её дочь\nХиллари Клинтон вчера приехала в Минск.\n\n  Доктор Пётр Иванов видел Анну Иванову."
    for found in method.find([text, "", " ", text]):
        assert all(text[one.start : one.end] == one.text for one in found)
        if found:
            genders = {one.text: one.gender for one in found}
            assert [genders[word] for word in ("Женщина", "дочь", "Хиллари Клинтон", "Анну Иванову")] == [
                "feminine"
            ] * 4
            assert next(gender for form, gender in genders.items() if form.endswith("Пётр Иванов")) == "masculine"


def test_what_the_pipelines_lack_is_named_with_the_command(repository, tmp_path, monkeypatch):
    monkeypatch.setattr(
        methods, "find_spec", lambda name: None if name in ("slovnet", "cs_core_news_sm") else find_spec
    )
    assert methods.missing_pipeline("cs_core_news_sm").endswith("(pip install cs_core_news_sm)")
    with pytest.raises(MissingResourceError, match=r"slovnet not installed: make russian"):
        load(repository, tmp_path, "rus", "ru", methods.NATASHA, {"feminine": "мать", "masculine": "отец"})
