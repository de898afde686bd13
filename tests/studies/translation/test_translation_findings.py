"""Annotations of people beside our genders, whether or not the annotated translations are here."""

import pytest

from textparity.errors import InputError
from textparity.translating.genders import load_rule
from textparity.translating.scores import find_genders
from textparity.translating.winomt import read_sentences, read_translations
from textparity_studies.translation.findings import compare_annotations

HEAD = "Index,Entity,Sentence,Find entity? [Y/N],Gender? [M/F/N],Comments\n"


@pytest.fixture(scope="module")
def scored(repository):
    folder = repository / "resources" / "demo" / "winomt"
    sentences = read_sentences(folder / "sentences.txt")
    texts = read_translations(folder / "google.deu.txt", sentences)
    rule = load_rule("deu")
    return sentences, texts, find_genders(sentences, texts, rule), rule


def compare(tmp_path, rows, scored):
    path = tmp_path / "annotated.csv"
    path.write_text(HEAD + "".join(f'{number},the clerk,"{text}",Y,{gender},\n' for number, text, gender in rows))
    return list(compare_annotations(path, *scored))


def test_own_translations_keep_their_genders(tmp_path, scored):
    sentences, texts, found, _ = scored
    rows = compare(tmp_path, [(3, texts[3].text, "M"), (7, texts[7].text, " f"), (9, texts[9].text, "-")], scored)
    assert [row[:3] for row in rows] == [
        [3, sentences[3].gender, "masculine"],
        [7, sentences[7].gender, "feminine"],
        [9, sentences[9].gender, ""],
    ]
    assert [row[3:6] for row in rows] == [[found[n].published, found[n].corrected, found[n].pronoun] for n in (3, 7, 9)]


def test_other_translations_are_aligned_together_with_them(tmp_path, scored):
    _, texts, found, _ = scored
    mechanics = [number for number, one in enumerate(found) if one.sentence.occupation == "mechanic"]
    number = next(number for number in mechanics if "Der Mechaniker" in texts[number].text)
    other = texts[number].text.replace("Der Mechaniker", "Die Mechanikerin")
    ((_, _, _, published, corrected, _, words, text),) = compare(tmp_path, [(number, other, "F")], scored)
    assert (published, corrected, text) == ("feminine", "feminine", other) and "Die" in words


@pytest.mark.parametrize("line", ["x,the clerk,Text,Y,M,\n", "200,the clerk,Text,Y,M,\n", "1,the clerk\n"])
def test_a_line_of_another_form_is_named(tmp_path, scored, line):
    path = tmp_path / "annotated.csv"
    path.write_text(HEAD + line)
    with pytest.raises(InputError, match=r"annotated.csv, line 2: number of the sentence"):
        list(compare_annotations(path, *scored))
