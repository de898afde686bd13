"""Readers of Korean, Italian and Latvian texts and of biographies, on tiny ones."""

import pytest

from textparity.errors import InputError


def scene(*rows):
    """A scene of KoCoNovel: words and chains."""
    lines = [f"4   4    {number}      {word}   -   -   -   -   -   -   *   {chains}" for number, (word, chains) in
             enumerate(rows)]  # fmt: skip
    return "\n".join(lines) + "\n"


def test_korean_words_show_their_gender_without_particles(read, shown):
    text = scene(('"정희의', "(1"), ("어머니는", "1)"), ("나는", "(2)"), ("그녀에게", "(3)"), ("정희는", "(3)"))
    (found,) = read("koconovel", "4_Wedding/3.conll", text, lang="kor")
    assert (found.id, found.unit, found.genre) == ("4_Wedding/3", "4_Wedding", "novel")
    # Without the quotation mark and the first person; the last word is the head.
    assert shown(found) == [
        ("정희의 어머니는", "noun", "feminine"), ("그녀에게", "pronoun", "feminine"), ("정희는", "name", "feminine"),
    ]  # fmt: skip
    head = found.mentions[0]
    assert found.text[head.head_start : head.head_end] == "어머니는"


def test_korean_words_for_one_of_a_group_are_not_the_gender_of_the_group(read, shown):
    text = scene(("어머니는", "(1)"), ("그들은", "(1)"), ("그들의", "(1)"))
    (found,) = read("koconovel", "4_Wedding/3.conll", text, lang="kor")
    assert {gender for *_, gender in shown(found)} == {"unspecified"}


def stand_off(text, *forms):
    lines, start = [], 0
    for number, form in enumerate(forms):
        start = text.index(form, start)
        lines.append(f"T{number}\tPER {start} {start + len(form)}\t{form}")
        start += 1
    return "\n".join(lines)


def test_italian_nouns_articles_and_equal_names_show_the_gender(read, shown):
    text = "Il conte vide la guida , la madre di Nello e la Rosa . E Rosa rise ."
    annotation = stand_off(text, "conte", "guida", "madre di Nello", "Nello", "Rosa", "Rosa")
    (found,) = read("italian_brat", "1_rosa_brat.ann", annotation, lang="ita", **{"1_rosa_brat__txt": text})
    # *Guida* means both, *di Nello* is another person, and *Nello* is no article.
    assert shown(found) == [
        ("conte", "noun", "masculine"), ("guida", "noun", "unspecified"), ("madre di Nello", "name", "feminine"),
        ("Nello", "name", "unspecified"), ("Rosa", "name", "feminine"), ("Rosa", "name", "feminine"),
    ]  # fmt: skip
    assert found.mentions[-1].entity == found.mentions[-2].entity


WEBANNO = """\
#FORMAT=WebAnno TSV 3.2
#T_SP=a.POS|PosValue
#T_SP=a.Lemma|value
#T_SP=a.NEtypeslinks|category|link
#T_CH=a.CoreferenceLink|referenceRelation|referenceType
#T_RL=a.Dependency|DependencyType|flavor|BT_a.POS

"""


def webanno(*rows):
    """A sentence of words with tag, lemma, entity, chain and head."""
    lines = [
        "\t".join([f"1-{number}", "0-1", form, tag, lemma, entity, "*", chain, "*", "dep", "basic", f"1-{head}", ""])
        for number, (form, tag, lemma, entity, chain, head) in enumerate(rows, start=1)
    ]
    return WEBANNO + "\n".join(lines) + "\n"


def test_latvian_persons_are_named_or_in_the_chain_of_a_pronoun(read, shown):
    text = webanno(
        ("zvaigzne", "ncfsn5", "zvaigzne", "_", "*->1-1", 3),
        ("Juris", "npmsn2", "Juris", "person[1]|time", "*->1-2[5]", 5),
        ("Day", "xf", "Day", "person[1]", "*->1-2[5]", 2),
        ("un", "cc", "un", "_", "_", 2),
        ("viņa", "pp3fsnn", "viņa", "_", "*->2-1", 3),
        ("birojs", "ncmsn1", "birojs", "organization", "*->3-1", 3),
        ("es", "pp10snn", "es", "_", "*->2-2", 3),
        ("Anna", "npfsn4", "Anna", "person", "_", 3),
        ("Jāņi", "npmpn1", "Jānis", "person", "_", 3),
    )
    (found,) = read("full_stack", "p12-p3.tsv", text, lang="lvs")
    assert (found.unit, found.genre) == ("p12", "news")
    # The chain of the star has the gender of its name; *I* is no mention, and a plural may also be women and men.
    assert shown(found) == [
        ("zvaigzne", "noun", "masculine"), ("Juris Day", "name", "masculine"), ("viņa", "pronoun", "feminine"),
        ("Anna", "name", "feminine"), ("Jāņi", "name", "unspecified"),
    ]  # fmt: skip


def test_a_file_of_webanno_needs_its_layers(read):
    with pytest.raises(InputError, match=r"a\.tsv: has no layer POS, Lemma, head"):
        read("full_stack", "a.tsv", "#FORMAT=WebAnno TSV 3.2\n")


def test_biographies_mark_the_name_and_pronouns_of_their_subject(read, shown):
    biography = (
        '<doc docid="Kim de Day" wpid="1" language="en" topic="C6" gender="Female">\n<title> Kim de Day</title>\n'
        '<seg id="1">Kim Day met a de Wit.<\\seg>\n<seg id="2">He saw her.<\\seg>\n</doc>\n'
    )
    (found,) = read("biographies", "she.en", 2 * biography)
    assert found.text == "Kim Day met a de Wit.\nHe saw her."
    assert shown(found) == [("Kim Day", "name", "feminine"), ("her", "pronoun", "feminine")]
