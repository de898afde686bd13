"""One slip of a corpus' authors costs a sentence, row or mention, and a warning says where."""

import logging
import re

import pytest

from textparity.errors import InputError

CONLLU = "# newdoc id = one\n{}\n\n# newpar\n1\tHe\t_\tPRON\t_\t_\t0\t_\t_\tEntity=(1-person-new-1)\n"
NOVEL = {
    "Novel/novel_text__txt": "Kim saw Lou.",
    "Novel/character_info__csv": "Main Name,Aliases,Gender\nKim,{'Kim'},F\nLou,{'Lou'},M\n",
}
QUOTATIONS = (
    "quoteByteSpans,speaker,referringExpression,mentionTextsList,mentionSpansList,mentionEntitiesList\n"
    "\"[[0, 11]]\",Kim,,[['Lou']],\"[[[8, 11], [0, 3]]]\",[[['Lou']]]\n"
    "\"[[0, 11]]\",Kim,,[['Kim']],\"[[[0, 3]]]\",[[['Kim']]]\n"
)
COREFERENCE = "one\t0\t0\tEr\tPPER\t*\t-\tsg\t-\t-\t{}\none\t0\t1\tich\tPPER\t*\t-\tsg\t-\t-\t(1)\n\n"
WEBANNO = (
    "#FORMAT=WebAnno TSV 3.2\n#T_SP=a.POS|PosValue\n#T_SP=a.Lemma|value\n#T_SP=a.NEtypeslinks|category\n"
    "#T_RL=a.Dependency|DependencyType|BT_a.POS\n"
)
DOC = '<doc docid="Kim Day" gender="{}">\n<title>Kim Day</title>\n<seg id="1">She left.<\\seg>\n</doc>\n'
GAP = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
SNIPPET = "one\tKim met Lou, and she left.\tshe\t{}\tKim\t0\tTRUE\tLou\t8\tFALSE\tx\n"
TREE = "# sent_id = {}\n# text = Kim\n1\tKim\tKim\tPROPN\t_\tGender=Fem|NameType=Giv\t0\troot\t_\t_\n\n"
# Format, language, name and text of the file, files beside it, what the warning says, and the mentions that are left.
CASES = [
    ("marked", "eng", "f.en", "<F>A <F>nurse</F> here</F> left.\n<F>She</F> left.\n", {},
     r"f\.en: skipped 1 of 2 sentences: line 1: <F> stands inside <F>", ["She"]),
    ("marked", "eng", "f.en", "<F>She</M> left.\n<F>She</F> left.\n", {}, r"line 1: </M> has no partner", ["She"]),
    ("quotations", "eng", "Novel/quotation_info.csv", QUOTATIONS, NOVEL,
     r"quotation_info\.csv: skipped 1 of 2 quotations: line 2: .* are no lists that match", ["Kim"]),
    ("quotations", "eng", "Novel/quotation_info.csv", QUOTATIONS.replace("[[['Kim']]]", "[[['Kim']]"), NOVEL,
     r"2 of 2 quotations: .*; line 3: .* are no lists that match", []),
    ("quotations", "eng", "Novel/quotation_info.csv", QUOTATIONS.replace("[[[0, 3]]]", "[[[0, 2]]]"), NOVEL,
     r"2 of 2 quotations: .*; line 3: 'Kim' does not stand at 0", []),
    ("tagged", "spa", "gold.txt", '\n"La persona." "persona"\n\n"La mujer." "mujer - P, F"\n', {},
     r"gold\.txt: skipped 1 of 2 sentences: line 2: 'persona' must be word - P or N", ["mujer"]),
    ("gum", "eng", "a.conllu", CONLLU.format("x\tShe\t_\tPRON\t_\t_\t0\t_\t_\t_"), {},
     r"'x' is no number of a word", ["He"]),
    ("gum", "eng", "a.conllu", CONLLU.format("1\tShe\t_\tPRON\t_\t_\t0\t_\t_\tEntity=(2)"), {},
     r"line 2: '\(2\)' is no mention", ["He"]),
    ("gum", "eng", "a.conllu", CONLLU.format("1\tYou\t_"), {}, r"1 of 2 sentences: line 2: has 3 cells", ["He"]),
    ("gum", "eng", "a.conllu", CONLLU.format("1\tShe\t_\tPRON\t_\t_\t0\t_\t_\tEntity=(2-person-new-1"), {},
     r"1 of 3 words: line 2: the mention of 2 is not closed", ["He"]),
    ("gerdracor", "deu", "a.conll", "one\t0\n\n" + COREFERENCE.format("(1)"), {}, r"line 1: has 2 cells", ["Er"]),
    ("gerdracor", "deu", "a.conll", COREFERENCE.format("(1)|2)"), {},
     r"1 of 3 mentions: line 1: the mention of 2 is not opened", ["Er"]),
    ("koconovel", "kor", "Novel/0.conll", "4 4 0\n\n4 4 0 그녀는 - - - - - - * (1)\n", {},
     r"line 1: has 3 cells", ["그녀는"]),
    ("brat", "eng", "a.ann", "T1\tPER 0 99\tShe\nT2\tPER 0 3\tShe\nT3\tPER\n T4\nR1\tCoreference Arg1:T2\n",
     {"a__txt": "She left."}, r"2 of 5 annotations: line 1: T1 ends after the text; line 3: T3 has no start", ["She"]),
    ("italian_brat", "ita", "a_brat.ann", "T1\tPER 5 2\tx\nT2\tPER 3 8\tmadre\n", {"a_brat__txt": "La madre ."},
     r"1 of 2 annotations: line 1: T1 ends before it starts", ["madre"]),
    ("litbank", "eng", "a_brat.ann", "T1\tPRON_PER 0 99\tShe\nT2\tPRON_PER 0 3\tShe\n", {"a_brat__txt": "She left."},
     r"1 of 2 annotations: line 1: T1 ends after the text", ["She"]),
    ("gap", "eng", "gap.tsv", GAP + SNIPPET.format("16") + SNIPPET.format("17"), {},
     r"line 2: 'she' does not stand at 16", ["Kim", "Lou", "she"]),
    ("gap", "eng", "gap.tsv", GAP + "one\n" + SNIPPET.format("17"), {},
     r"line 2: '' shows no gender", ["Kim", "Lou", "she"]),
    ("gap", "eng", "gap.tsv", GAP + SNIPPET.format("x") + SNIPPET.format("17"), {},
     r"1 of 2 snippets: line 2: Pronoun-offset 'x' is no number", ["Kim", "Lou", "she"]),
    ("brackets", "eng", "type1.txt", "1 [The [nurse] said [he] left.\n2 [The guide] said [he] left.\n", {},
     r"1 of 2 sentences: line 1: a bracket", ["The guide", "he"]),
    ("brackets", "eng", "type1.txt", "[The nurse] called [him].\n4 [The nurse] called.\n4 [A guide] saw [them].\n", {},
     r"3 of 3 sentences: line 1: needs a number, and a person and a pronoun .* line 3: needs", []),
    ("schemas", "eng", "all.tsv", "sentid\tsentence\na.1.male.txt\tNo.\na.1.female.txt\tShe left.\n", {},
     r"1 of 2 sentences: line 2: has no pronoun", ["She"]),
    ("full_stack", "lvs", "p1-p1.tsv",
     WEBANNO + "\n1-1\t0-3\tAna\n\n2-1\t4-7\tAna\tnpfsn4\tAna\tperson\troot\t2-1\n", {},
     r"1 of 2 sentences: line 7: has 3 cells", ["Ana"]),
    ("biographies", "eng", "she.en", DOC.format("x") + DOC.format("Female"), {},
     r"1 of 2 biographies: line 1: is no <doc> with a gender", ["She"]),
    ("treebank_names", "slv", "a.conllu", TREE.format("1").replace("\t_\t_\n", "\n") + TREE.format("2"), {},
     r"1 of 2 sentences: line 3: has 8 cells", ["Kim"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "lang", "name", "text", "beside", "message", "left"), CASES)
def test_a_slip_is_skipped_and_reported(read, caplog, kind, lang, name, text, beside, message, left):
    with caplog.at_level(logging.WARNING):
        texts = read(kind, name, text, lang, **beside)
    (warning,) = caplog.messages
    assert re.search(message, warning), warning
    assert [mention.text for one in texts for mention in one.mentions] == left


def test_a_file_with_more_slips_than_sentences_is_an_error(read):
    with pytest.raises(InputError, match=r"f\.en, line 2: <F> is not closed \(and 3 more\)"):
        read("marked", "f.en", "<F>She</F> left.\n" + 4 * "<F>She left.\n")


def test_a_warning_lists_some_places_and_counts_all(read, caplog):
    read("marked", "f.en", "<F>She left.\n" * 25 + "She left.\n" * 25)
    (warning,) = caplog.messages
    assert "skipped 25 of 50 sentences" in warning and "line 20" in warning
    assert "line 21" not in warning and warning.endswith("; …")
