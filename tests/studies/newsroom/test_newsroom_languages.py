"""The rules in English and French: what is other than in German, and all steps on passages parsed beforehand."""

import pytest
from annotated import annotate, lists_of, measure_file, shipped_lists

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import PROCEDURES
from textparity.estimating.bootstrap import Bootstrap
from textparity.persons.actor_languages import GRAMMARS, form_of
from textparity.persons.actors import find_actors
from textparity.persons.annotations import scheme_of
from textparity.persons.first_name_gender import guess_gender
from textparity.persons.indirect_quotes import find_indirect_quotes
from textparity.persons.quotes import find_direct_quotes, find_marked_spans
from textparity.tables import Caption, write_tables
from textparity_studies.newsroom.actor_rules import find_corrected_actors, resolve
from textparity_studies.newsroom.annotations import import_annotations, read_annotations
from textparity_studies.newsroom.balance import balance_corpus, flag_articles
from textparity_studies.newsroom.inclusive_language import find_generic_masculines, find_inclusive_forms
from textparity_studies.newsroom.languages import LANGUAGES
from textparity_studies.newsroom.measuring import stem_counter
from textparity_studies.newsroom.report import write_report
from textparity_studies.newsroom.scores import list_gold_passages, read_gold_passages, score_rules
from textparity_studies.newsroom.settings import NewsroomSettings, Pipelines
from textparity_studies.newsroom.summary import summarise_articles

ENGLISH, FRENCH = GRAMMARS["eng"], GRAMMARS["fra"]

BOOTSTRAP = Bootstrap(1, 50, 0.95)


def english(text):
    return annotate(text, "clear")


def named(article, lang):
    """Return the actors of an article with the words of their mentions, and their gender."""
    words = shipped_lists(lang)
    actors = find_actors(article, words)
    rows, findings = find_corrected_actors(article, actors, resolve(article, actors, words), words, 0.7)
    found = [(row.actor, row.gender, []) for row in rows]
    for item in sorted(findings, key=lambda item: item.place):
        if item.kind in ("named", "generic", "pronoun"):
            found[item.actor][2].append(article.tokens[item.place])
    return found


def roles(article, lang):
    """Return the role of each mention, by its last word."""
    words = shipped_lists(lang)
    actors = find_actors(article, words)
    _, findings = find_corrected_actors(article, actors, resolve(article, actors, words), words, 0.7)
    return {article.tokens[item.place]: item.value for item in findings if item.kind == "role"}


def spoken(article, lang):
    """Return who says what, directly and indirectly."""
    words = shipped_lists(lang)
    actors = find_actors(article, words)
    actor_of = {
        place: number
        for number, actor in enumerate(actors)
        for mention in actor.mentions
        for place in range(mention.start, mention.end)
    }
    direct = find_direct_quotes(article, actor_of, words)
    quotes = [*direct, *find_indirect_quotes(article, actor_of, words, direct)]
    return [(actors[quote.speaker].name, quote.is_direct) for quote in quotes]


def test_every_language_has_all_lists_and_passages(repository):
    assert Pipelines.model_fields.keys() == LANGUAGES.keys() == GRAMMARS.keys()
    for lang in LANGUAGES:
        assert shipped_lists(lang).language is GRAMMARS[lang]
        passages = read_gold_passages(repository / NewsroomSettings().gold.format(lang=lang), lang)
        assert len(passages) >= 40
        assert 2 * sum(passage.held_out for passage in passages) == len(passages)


@pytest.mark.parametrize(
    ("value", "german", "french"),
    [
        ("de_mine", "de_mine", "fr_core_news_lg"),
        ({"fra": "fr_mine"}, "de_core_news_lg", "fr_mine"),
    ],
)
def test_one_pipeline_is_the_german_one_and_what_is_not_named_is_the_default(value, german, french):
    models = NewsroomSettings(spacy_model=value).spacy_model
    assert (models.deu, models.fra) == (german, french)


def test_the_labels_tell_their_scheme():
    assert [scheme_of(labels).name for labels in (["sb", "oa"], ["nsubj", "dobj"], ["nsubj", "obj"])] == [
        "tiger", "clear", "ud",
    ]  # fmt: skip


def test_a_pronoun_is_known_with_its_hyphen_and_apostrophe():
    assert [form_of(token) for token in ("-elle", "L’", "Her")] == ["elle", "l'", "her"]


def test_names_in_english():
    article = english("""
Mrs     -      PROPN compound 2
Marsh   -      PROPN nsubj    3 B-ORG
praised praise VERB  ROOT     0 Fin
Ann     -      PROPN compound 5 B-PERSON
Cole    -      PROPN poss     7 I-PERSON
's      -      PART  case     5
speech  -      NOUN  dobj     3

Cole    -      PROPN nsubj    2 B-ORG
thanked thank  VERB  ROOT     0 Fin
her     she    PRON  dobj     2 Fem
for     -      ADP   prep     2
her     she    PRON  poss     6 Fem
words   word   NOUN  pobj     4
""")
    assert named(article, "eng") == [
        ("Marsh", "feminine", ["Marsh", "her"]),
        # A surname under another label is one; the possessive ending is no part of the name.
        ("Ann Cole", "feminine", ["Cole", "Cole", "her"]),
    ]


def test_a_pronoun_in_a_quote_is_not_its_speaker():
    article = english("""
Ann  -     PROPN nsubj 2 B-PERSON
met  meet  VERB  ROOT  0 Fin
Eve  -     PROPN dobj  2 B-PERSON

“    -     PUNCT punct 4 ~
She  she   PRON  nsubj 3 Fem
won  win   VERB  ccomp 7 Fin
,    -     PUNCT punct 7
”    -     PUNCT punct 7
Ann  -     PROPN nsubj 7 B-PERSON
said say   VERB  ROOT  0 Fin
""")
    # The helper's marks are German.
    article.spaces[2], article.spaces[6], article.spaces[7] = True, False, True
    assert [actor[2] for actor in named(article, "eng")] == [["Ann", "Ann"], ["Eve", "She"]]


def test_his_or_her_is_nobody():
    article = english("""
Ann   -    PROPN nsubj 2 B-PERSON
asked ask  VERB  ROOT  0 Fin
for   -    ADP   prep  2
his   -    PRON  poss  7
or    -    CCONJ cc    4
her   -    PRON  conj  4
name  -    NOUN  pobj  3
""")
    assert [actor[2] for actor in named(article, "eng")] == [["Ann"]]


@pytest.mark.parametrize(("form", "gender"), [("La", "feminine"), ("Le", "masculine"), ("L'", "undetermined")])
def test_the_article_of_a_title_tells_the_gender(form, gender):
    article = annotate(f"""
{form}   -     DET   det   2
ministre -     NOUN  nsubj 4
Stern    -     PROPN appos 2 B-PER
arrive   arriver VERB root 0 Fin
""")
    assert [(name, found) for name, found, _ in named(article, "fra")] == [("Stern", gender)]


LOBJET = """
Anne     -        PROPN nsubj 2 B-PER
arrive   arriver  VERB  root  0 Fin

Un       -        DET   det   2
prêtre   -        NOUN  nsubj 5 Masc.Sing
l'       -        NOUN  amod  2 ~
avait    avoir    AUX   aux:tense 5 Fin
reconnue reconnaître VERB root 0 Part
"""


def test_a_clitic_is_an_object_whatever_the_parser_says():
    article = annotate(LOBJET)
    assert named(article, "fra") == [("Anne", "undetermined", ["Anne", "l'"])]
    assert roles(article, "fra") == {"Anne": "subject", "l'": "object"}


INVERTED = """
«       -        PUNCT punct 2
Non     -        INTJ  root  0
»       -        PUNCT punct 2
,       -        PUNCT punct 6
a       avoir    AUX   aux:tense 6 Fin
dit     dire     VERB  conj  2 Part
la      -        DET   det   8
juge    -        NOUN  obj   6
Eva     -        PROPN appos 8 B-PER
Stern   -        PROPN flat:name 9 I-PER
.       -        PUNCT punct 2
"""


def test_who_stands_behind_the_verb_that_reports_is_its_subject():
    article = annotate(INVERTED)
    assert [article.text_of(*span).replace(" ", "") for span in find_marked_spans(article, FRENCH)] == ["«Non»"]
    assert roles(article, "fra") == {"Stern": "subject"}
    assert spoken(article, "fra") == [("Eva Stern", True)]


@pytest.mark.parametrize(
    ("text", "lang", "scheme"),
    [
        # With a clause below the verb, around it, before it; with a source.
        ("Ann - PROPN nsubj 2 B-PERSON\nsaid say VERB ROOT 0 Fin\nit - PRON nsubj 4\nrained rain VERB ccomp 2 Fin",
         "eng", "clear"),
        ("It - PRON nsubj 2\nrained rain VERB ROOT 0 Fin\n, - PUNCT punct 2\nAnn - PROPN nsubj 5 B-PERSON\n"
         "said say VERB parataxis 2 Fin\n. - PUNCT punct 2", "eng", "clear"),
        ("According accord VERB prep 5\nto - ADP prep 1\nAnn - PROPN pobj 2 B-PERSON\nit - PRON nsubj 5\n"
         "rained rain VERB ROOT 0 Fin", "eng", "clear"),
        ("Anne - PROPN nsubj 2 B-PER\ndit dire VERB root 0 Fin\nqu' que SCONJ mark 5 ~\nil - PRON expl:subj 5\n"
         "pleut pleuvoir VERB ccomp 2 Fin", "fra", "ud"),
        ("Il - PRON expl:subj 2\npleut pleuvoir VERB root 0 Fin\n, - PUNCT punct 5\na avoir AUX aux:tense 5 Fin\n"
         "indiqué indiquer VERB conj 2 Part\nAnne - PROPN obj 5 B-PER\n. - PUNCT punct 2", "fra", "ud"),
        ("D' - ADP case 3 ~\naprès - ADP case 3\nAnne - PROPN obl:mod 5 B-PER\nil - PRON expl:subj 5\n"
         "pleut pleuvoir VERB root 0 Fin", "fra", "ud"),
    ],
)  # fmt: skip
def test_indirect_speech_without_a_mood_of_its_own(text, lang, scheme):
    assert spoken(annotate(text, scheme), lang) == [("Ann" if lang == "eng" else "Anne", False)]


def test_an_infinitive_and_a_thought_are_no_speech():
    promised = "Ann - PROPN nsubj 2 B-PERSON\npromised promise VERB ROOT 0 Fin\nto - PART aux 4\npay - VERB xcomp 2 Inf"
    thought = (
        "Ann - PROPN nsubj 2 B-PERSON\nthinks think VERB ROOT 0 Fin\nit - PRON nsubj 4\nrains rain VERB ccomp 2 Fin"
    )
    assert spoken(english(promised), "eng") == spoken(english(thought), "eng") == []


def test_an_apostrophe_closes_no_quote():
    article = annotate(
        "‘ - PUNCT p 0 ~\nThe - DET p 0\nplayers - NOUN p 0 ~\n’ - PART p 0\nday - NOUN p 0\n, - PUNCT p 0 ~"
    )
    article.tokens.append("’")
    for values, value in ((article.spaces, False), (article.sentence_starts, False), (article.heads, 6)):
        values.append(value)
    assert find_marked_spans(article, ENGLISH) == [(0, 7)]
    assert find_marked_spans(article) == []


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("eng", "he or she, his/her, s/he", ["he or she", "his/her", "s/he"]),
        ("eng", "Policemen and policewomen; policewomen", ["Policemen and policewomen"]),
        ("eng", "a chairperson and two salespeople", ["chairperson", "salespeople"]),
        ("eng", "men and women told him or his wife", []),
        ("fra", "les étudiant·e·s et citoyen.ne.s", ["étudiant·e·s", "citoyen.ne.s"]),
        ("fra", "habitant(e)s, employé-e-s", ["habitant(e)s", "employé-e-s"]),
        ("fra", "électrices et les électeurs, celles et ceux", ["électrices et les électeurs", "celles et ceux"]),
        ("fra", "les lecteurs et lectrices, les habitants et habitantes",
         ["lecteurs et lectrices", "habitants et habitantes"]),
        ("fra", "iel est venu", ["iel"]),
        ("fra", "peut-être porte-parole, exemple.fr, les maisons et les rues, a-t-elle", []),
    ],
)  # fmt: skip
def test_inclusive_forms_of_other_languages(lang, text, found):
    assert [form for _, form in find_inclusive_forms(text, lang)] == found


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("eng", "Firemen fireman NOUN nsubj 2 Plur\ncame come VERB ROOT 0", ["Firemen"]),
        ("eng", "mankind - NOUN nsubj 2 Sing\ncame come VERB ROOT 0", ["mankind"]),
        ("eng", "fireman - NOUN nsubj 2 Sing\ncame come VERB ROOT 0", []),
        ("eng", "Men - NOUN nsubj 2 Plur\ncame come VERB ROOT 0", []),
        ("eng", "firemen fireman NOUN conj 2 Plur\nfirewomen - NOUN ROOT 0", []),
        ("fra", "habitants habitant NOUN nsubj 2 Masc.Plur\nviennent venir VERB root 0", ["habitants"]),
        ("fra", "acteurs acteur NOUN nsubj 3 Masc.Plur\nactrices actrice NOUN conj 1\nviennent venir VERB root 0", []),
    ],
)  # fmt: skip
def test_generic_masculines_of_other_languages(lang, text, found):
    assert find_generic_masculines(annotate(text), shipped_lists(lang)) == found


def test_stems_begin_words_as_their_list_says():
    count = stem_counter(shipped_lists("eng"))
    assert count("“Children, gentle; management of a gentleman") == (2, 0)
    assert stem_counter(shipped_lists("fra"))("douce et forte") == (0, 0)


@pytest.mark.parametrize(
    ("name", "language", "gender"),
    [("Jean", ENGLISH, "feminine"), ("Jean", FRENCH, "masculine"), ("Élodie", FRENCH, "feminine")],
)
def test_a_first_name_tells_a_gender_in_its_language(name, language, gender):
    assert guess_gender(name, language) == gender


@pytest.fixture(scope="module", params=["eng", "fra"])
def passages(request, repository, tmp_path_factory):
    """Return the language, its passages, and their annotations as they were recorded (tools/record_annotations.py)."""
    lang = request.param
    folder = tmp_path_factory.mktemp(lang)
    gold = repository / NewsroomSettings().gold.format(lang=lang)
    list_gold_passages(gold, folder / "articles.parquet", lang=lang)
    recorded = repository / "tests" / "studies" / "newsroom" / "recorded" / f"{lang}.conllu"
    import_annotations(recorded, folder / "articles.parquet", folder / "annotations.parquet")
    return lang, gold, folder / "annotations.parquet"


def test_recorded_passages_have_the_scheme_of_their_pipeline(passages):
    lang, _, annotations = passages
    assert read_metadata(annotations)["scheme"] == {"eng": "clear", "fra": "ud"}[lang]
    assert sum(len(batch) for batch in read_annotations(annotations)) == 40


def test_what_is_found_of_held_out_passages(passages, tmp_path):
    lang, gold, annotations = passages
    (made,) = score_rules(gold, annotations, 0.7, BOOTSTRAP, lang=lang, **lists_of(lang))
    table = made.frame.set_index(["procedure", "passages", "phenomenon"])["f1"]
    found = table.sort_index().loc[("corrected", "held out")]
    floors = {"named mentions": 95, "actors": 90, "subject roles": 85, "direct quotes": 80, "indirect quotes": 80}
    assert {name: found[name] for name in floors if found[name] < floors[name]} == {}
    assert made.name == f"quality_{lang}"
    assert LANGUAGES[lang].name in made.to_latex(Caption("Quality", "In percent."), "tab:quality")


def test_all_steps_run_on_passages(passages, tmp_path):
    lang, _, annotations = passages
    copy = tmp_path / "annotations.parquet"
    copy.write_bytes(annotations.read_bytes())
    made = [measure_file(copy, procedure, lists_of(lang), lang=lang) for procedure in PROCEDURES]
    actors = read_rows(made[1]["actors"]).to_pylist()
    women = sum(row["gender"] == "feminine" for row in actors) / sum(row["gender"] != "undetermined" for row in actors)
    assert 0.5 < women < 0.6
    flags, kept = tmp_path / "flags.parquet", tmp_path / "kept.parquet"
    measures = [made[1]["measures"]]
    flag_articles(measures, flags, "corrected", NewsroomSettings().flags.model_dump(exclude={"minimum"}), 2)
    tables = {table.name: table for table in balance_corpus(measures, flags, kept, "corrected", 0.75, 1.25, BOOTSTRAP)}
    assert tables["ratios"].frame["in_range"].iloc[-1] == "true"
    page = tmp_path / "page.html"
    for place, procedure in enumerate(PROCEDURES):
        files = tmp_path / "summary.csv", tmp_path / "top_words.csv"
        measured = made[place]["measures"]
        write_tables(summarise_articles([measured], [made[place]["words"]], procedure, 1, BOOTSTRAP), files, [])
        write_report(*files, measured, [], tmp_path / "t.tex", page, "News", procedure, 0.95, lang)
        text = page.read_text(encoding="utf-8")
        assert f'<td lang="{LANGUAGES[lang].tag}">' in text
        assert (f"its procedure with pronouns and word lists of {LANGUAGES[lang].name}" in text) is (place == 0)
        assert (f"the rules and word lists for {LANGUAGES[lang].name} are ours" in text) is (place == 1)
        assert "Gewinn" not in text
        assert ("No list of gender-coded words" in text) == (lang == "fra")
