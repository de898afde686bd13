"""Methods that need no pipeline."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from textparity.corpora.reading import write_batches
from textparity.counting.lexicon import COLUMNS, revised_terms
from textparity.counting.terms import LAYERS, TermMatcher
from textparity.counting.tokenizers import TokenizerChoice
from textparity.errors import InputError, MissingResourceError
from textparity.estimating.bootstrap import Bootstrap
from textparity.persons import methods, pipeline_finder
from textparity.persons.mentions import Mention
from textparity.persons.methods import LanguageFiles, load_method
from textparity.persons.neither import NeitherFinder
from textparity.persons.windows import find_in_documents
from textparity_studies.representation.persons import count_persons, summarise_persons

REVISION = [
    ("he", "masculine", "pronouns", ""), ("mr", "masculine", "titles", ""), ("dr", "unspecified", "titles", ""),
    ("/\\bLeser[*]innen\\b/", "unspecified", "inclusive", ""),
]  # fmt: skip


@pytest.fixture
def files(tmp_path):
    nouns = {
        "feminine": [{"singular": "woman"}],
        "masculine": [{"singular": "man"}],
        "unspecified": [{"plural": "people"}],
    }
    (tmp_path / "eng.json").write_text(json.dumps(nouns), "utf-8")
    rows = [(form, name, layer, "add", context, "", "x", "x", "x") for form, name, layer, context in REVISION]
    revision = "\n".join("\t".join(row) for row in [COLUMNS, *rows]) + "\n"
    (tmp_path / "eng.tsv").write_text(revision, "utf-8")
    (tmp_path / "nouns.txt").write_text("teacher\n", "utf-8")
    heads = {"pronouns": "lang\tform\tgender\trole", "words": "lang\tkind\tword\tgender", "places": "place\tkind"}
    for name, head in heads.items():
        (tmp_path / f"{name}.tsv").write_text(f"{head}\n", "utf-8")
    return LanguageFiles(
        lang="eng", lexicon=str(tmp_path / "eng.json"), word_list=str(tmp_path / "eng.tsv"), first_names="en_US",
        tokenizer=TokenizerChoice("icu", "en"), pronouns=str(tmp_path / "pronouns.tsv"),
        words=str(tmp_path / "words.tsv"), places=str(tmp_path / "places.tsv"),
        person_nouns=str(tmp_path / "nouns.txt"), pipeline="no_such_pipeline",
    )  # fmt: skip


def find(files, method, text):
    (mentions,) = load_method(method, files).find([text])
    assert all(text[one.start : one.end] == one.text for one in mentions)
    return [(one.text, one.kind, one.gender) for one in mentions]


def test_persons_are_counted_by_text_and_summed_by_method(files, tmp_path):
    texts = ["The woman met a man. He left.", "Nobody.", "Leser*innen and a woman", "He met a man."]
    rows = [{"id": f"a/{number}", "doc_id": "a", "text": text} for number, text in enumerate(texts)]
    write_batches(tmp_path / "texts", pa.schema([(name, pa.string()) for name in rows[0]]), [rows])
    # Without a pipeline, nothing is counted by the gender of nouns.
    names = (["nouns", "words"], files)
    count_persons(tmp_path / "texts", [], tmp_path / "counts", "corpora/a/eng", *names, grammatical=True)
    nouns, words = summarise_persons(tmp_path / "counts", "a", Bootstrap(1, 200, 0.95))
    names = ("corpus", "lang", "method", "texts", "feminine", "masculine", "inclusive")
    assert [nouns[name] for name in names] == ["a", "eng", "nouns", 4, 2, 2, 0]
    assert [words[name] for name in names] == ["a", "eng", "words", 4, 2, 4, 1]
    assert words["masculine_per_feminine"] == 2.0


def test_each_method_finds_its_layers(files):
    text = "The woman saw that he was a man."
    nouns = [("woman", "noun", "feminine"), ("man", "noun", "masculine")]
    assert find(files, "published_lexicon", text) == find(files, "nouns", text) == nouns
    assert find(files, "pronouns", text) == [("he", "pronoun", "masculine")]
    assert find(files, "words", text) == [nouns[0], ("he", "pronoun", "masculine"), nouns[1]]


def test_a_title_and_the_name_after_it_are_one_mention_and_inclusive_forms_a_gender_of_their_own(files):
    assert find(files, "words", "Dr. Anna, a woman, met\nLeser*innen and Mr. Koch.") == [
        ("Dr. Anna", "name", "feminine"),
        ("woman", "noun", "feminine"),
        ("Leser*innen", "noun", "inclusive"),
        ("Mr. Koch", "name", "masculine"),
    ]


def test_names_on_either_side_of_a_full_stop_are_two_mentions(files):
    found = find(files, "words", "I saw Anna. Anna saw me.")
    assert [text for text, *_ in found] == ["Anna", "Anna"]


def test_places_are_those_of_the_composed_text(files):
    (mentions,) = load_method("nouns", files).find(["Cafe\u0301: a man"])
    assert [(one.start, one.text) for one in mentions] == [(8, "man")]


def test_a_pipeline_that_is_not_installed_is_named_with_the_command(files):
    pytest.importorskip("spacy")
    with pytest.raises(MissingResourceError, match="python -m spacy download no_such_pipeline"):
        load_method("persons", files)
    with pytest.raises(MissingResourceError, match="download other"):
        load_method("persons", replace(files, pipeline="other"))


def test_lists_of_a_language_need_first_names_by_their_extra(monkeypatch):
    there = ["spacy", "de_core_news_sm"]
    monkeypatch.setattr(methods, "find_spec", lambda name: name in there or None)
    assert methods.missing_pipeline("de_core_news_sm") == ""
    assert "make persons" in methods.missing_pipeline("de_core_news_sm", has_lists=True)
    there.append("gender_guesser")
    assert methods.missing_pipeline("de_core_news_sm", has_lists=True) == ""


def test_a_dictionary_that_is_not_installed_is_named_with_the_command(files, monkeypatch):
    monkeypatch.setattr(methods, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match=r"make morphology"):
        load_method("persons", replace(files, lang="ukr", pipeline=methods.DICTIONARY))


def test_recorded_mentions_are_those_of_their_texts_alone(files, tmp_path):
    path = tmp_path / "persons.jsonl"
    mention = Mention(0, 6, "La tía", "noun", "feminine", 0, "morphology")
    lines = [{"pipeline": "a", "grammatical": True}, {"text": "La tía llegó.", "mentions": [vars(mention)]}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    files = replace(files, pipeline=str(path))
    persons = load_method("persons", files, grammatical=True)
    assert list(persons.find(["La tía llegó."])) == [[mention]]
    with pytest.raises(InputError, match="has no mentions for the text 'El tío'"):
        list(persons.find(["El tío"]))
    with pytest.raises(InputError, match="not recorded by who is meant"):
        load_method("persons", files)


def test_a_form_for_all_genders_takes_the_place_of_what_a_pipeline_found_in_it(files):
    text = "Die Leser*innen und die Lehrerin, Leser*innen."
    matcher = TermMatcher(revised_terms([], Path(files.word_list), ""), LAYERS)
    teacher = Mention(24, 32, "Lehrerin", "noun", "feminine", 1, "lexicon")
    found = [Mention(4, 9, "Leser", "noun", "masculine", 0, "lexicon"), teacher]
    first, second, third = pipeline_finder.with_inclusive(text, found, matcher)
    assert (first.start, first.text, first.gender, first.entity) == (4, "Leser*innen", "inclusive", 0)
    assert second == teacher
    assert (third.start, third.text, third.entity) == (34, "Leser*innen", 3)
    assert pipeline_finder.with_inclusive(text[12:33], [teacher], matcher) == [teacher]


def test_the_french_pipeline_gets_straight_apostrophes_and_mentions_keep_those_of_the_text(files):
    spacy = pytest.importorskip("spacy")

    class Whole:
        """Finds one mention, the whole document."""

        def find(self, doc):
            self.text = doc.text
            return [Mention(0, len(doc.text), doc.text, "name", "masculine", 0)]

    matcher = TermMatcher(revised_terms([], Path(files.word_list), ""), LAYERS)
    for lang, text in (("fr", "d'O'Hagan"), ("en", "d’O’Hagan")):
        whole = Whole()
        ((mention,),) = pipeline_finder.PipelineFinder(spacy.blank(lang), whole, matcher, NeitherFinder({})).find(
            ["d’O’Hagan"]
        )
        assert whole.text == text
        assert mention.text == "d’O’Hagan"


def test_a_pipeline_gets_texts_by_their_characters(monkeypatch):
    monkeypatch.setattr(pipeline_finder, "PIPE_CHARACTERS", 5)
    texts = ["ab", "cd", "e", "a long text", "f", ""]
    assert list(pipeline_finder.batches_of(texts)) == [["ab", "cd", "e"], ["a long text"], ["f", ""]]
    assert list(pipeline_finder.batches_of([])) == []


class _Finder:
    """Find names, and give them all the gender of the first pronoun in the text."""

    def find(self, texts):
        for text in texts:
            gender = {"he": "masculine", "she": "feminine"}[re.search("he|she", text + " she")[0]]
            yield [Mention(one.start(), one.end(), one[0], "name", gender, 0) for one in re.finditer(r"[A-Z]\w+", text)]


def test_references_are_resolved_in_the_document_and_positions_are_those_in_the_text():
    texts = ["Kim came.", "", "Lu saw Bo; he left.", "Ada"]
    found = list(find_in_documents(_Finder(), texts, ["a", "a", "a", "b"]))
    assert [[(one.text, one.start, one.gender) for one in of_text] for of_text in found] == [
        [("Kim", 0, "masculine")],
        [],
        [("Lu", 0, "masculine"), ("Bo", 7, "masculine")],
        [("Ada", 0, "feminine")],
    ]


def test_a_document_is_cut_between_its_texts_where_it_is_too_long(monkeypatch):
    monkeypatch.setattr("textparity.persons.windows.WINDOW_CHARACTERS", 20)
    found = list(find_in_documents(_Finder(), ["Kim came.", "Lu saw him.", "Bo and he."], ["a"] * 3))
    assert [of_text[0].gender for of_text in found] == ["feminine", "feminine", "masculine"]
