"""What an annotation tells of its tokens, and annotations as CoNLL-U."""

import pyarrow as pa
import pytest
from annotated import annotate

from textparity.corpora.reading import read_metadata, write_batches
from textparity.errors import InputError
from textparity.persons.annotations import PERSON_LABELS, TIGER, UNIVERSAL, Annotation
from textparity_studies.newsroom.actor_rules import merge_entities
from textparity_studies.newsroom.annotations import (
    ANNOTATION_SCHEMA,
    export_annotations,
    import_annotations,
    read_annotations,
)

TWO_SENTENCES = """
Anna     -        PROPN nsubj 3 B-PER
Berger   -        PROPN flat  1 I-PER
lobt     loben    VERB  root  0 Fin.Sing
Peter    -        PROPN obj   3 B-PER
.        -        PUNCT punct 3

Ohne     -        ADP   case  2
Paris    -        PROPN root  0 B-LOC Sing
?        -        PUNCT punct 2
"""


def article_row(text, id="a/1", number=0):
    return {"id": id, "group": "2001", "number": number, "text": text}


def write_articles(path, rows):
    kinds = {"id": pa.string(), "group": pa.string(), "number": pa.int64(), "text": pa.string()}
    write_batches(path, pa.schema(list(kinds.items())), [rows])
    return path


def write_annotations(path, articles, scheme="ud"):
    def batches():
        yield [{name: getattr(article, name) for name in ANNOTATION_SCHEMA.names} for article in articles]
        return {"model": "by hand 1.0", "scheme": scheme}

    write_batches(path, ANNOTATION_SCHEMA, batches())
    return path


def as_rows(articles):
    return [{name: getattr(article, name) for name in ANNOTATION_SCHEMA.names} for article in articles]


def test_sentences_offsets_and_texts_are_those_of_the_tokens():
    article = annotate(TWO_SENTENCES)
    assert article.sentences == [(0, 5), (5, 8)]
    assert article.sentence_of == [0] * 5 + [1] * 3
    text = article.text_of(0, len(article))
    assert text == "Anna Berger lobt Peter. Ohne Paris?"
    assert [text[start : start + len(token)] for start, token in zip(article.offsets, article.tokens, strict=True)] == (
        article.tokens
    )
    assert (article.text_of(0, 2), article.text_of(3, 5), article.text_of(4, 4)) == ("Anna Berger", "Peter.", "")


def test_an_article_without_tokens_has_no_sentences():
    article = annotate("")
    assert (article.sentences, article.sentence_of, article.offsets, article.children) == ([], [], [], [])
    assert (article.entity_spans(), merge_entities(article), article.text_of(0, 0)) == ([], {}, "")


def test_an_article_of_white_space_is_one_sentence():
    article = Annotation(["  "], [False], [""], ["SPACE"], [""], [""], [""], [0], [True], [""], [False])
    assert article.sentences == [(0, 1)]
    assert article.text_of(0, 1) == "  "


def test_children_and_features_are_found():
    article = annotate(TWO_SENTENCES)
    assert article.children[:3] == [[1], [], [0, 3, 4]]
    assert article.features[2] == {"VerbForm": "Fin", "Number": "Sing"}
    assert article.features[0] == {}


def test_entities_are_spans_of_their_own():
    article = annotate(
        "Anna - PROPN x 0 B-PER\nPeter - PROPN x 0 B-PER\nKoch - PROPN x 0 I-PER\nRom - PROPN x 0 I-LOC\n, - PUNCT x 0"
    )
    assert article.entity_spans() == [(0, 1), (1, 3), (3, 4)]
    assert article.entity_spans(PERSON_LABELS) == [(0, 1), (1, 3)]
    assert merge_entities(article) == {0: (0, 1), 1: (1, 3), 3: (3, 4), 4: (4, 5)}


def test_an_entity_may_begin_an_article_as_if_it_went_on():
    article = annotate("Anna - PROPN x 0 I-PER\nund - CCONJ x 0\nPeter - PROPN x 0 B-PER")
    assert article.entity_spans() == [(0, 1), (2, 3)]


def test_an_article_begins_a_sentence_whatever_its_first_token_says():
    article = annotate("Ja - INTJ root 0\nNein - INTJ root 0")
    article.sentence_starts[0] = False
    assert article.sentences == [(0, 2)]


def test_the_root_of_a_span_stands_highest_in_the_tree():
    # Karl hangs from Berger's own dependent: the first with a head outside of the span is not its root.
    article = annotate("""
        Karl    - PROPN flat  4
        Berger  - PROPN nsubj 3
        sah     - VERB  root  0
        Peter   - PROPN obj   3
    """)
    assert article.root_of(0, 2) == 1
    assert article.root_of(0, 4) == 2
    assert article.root_of(3, 4) == 3


@pytest.mark.parametrize(
    ("scheme", "text", "main"),
    [
        ("tiger", "hat haben AUX ROOT 0\nBerger - PROPN sb 1\ngelobt loben VERB oc 1 Part", 2),
        ("tiger", "hat haben AUX ROOT 0\nloben - VERB oc 3 Inf\nwollen - AUX oc 1 Inf", 1),
        ("tiger", "ist sein AUX ROOT 0\ngut - ADV pd 1\nkommt kommen VERB oc 1 Fin", 0),
        ("tiger", "ist sein AUX ROOT 0\nverletzt verletzen VERB pd 1 Part", 0),
        ("tiger", "bat bitten VERB ROOT 0\nkommen - VERB oc 1 Inf", 0),
        ("ud", "hat haben AUX aux 2\ngelobt loben VERB root 0 Part", 0),
    ],
)
def test_the_main_verb_of_an_auxiliary_is_below_it_in_tiger(scheme, text, main):
    assert annotate(text, scheme).main_verb(0) == main


def test_annotations_are_read_as_they_were_written(tmp_path):
    articles = [annotate(TWO_SENTENCES), annotate("Nein - INTJ root 0", id="a/2", antecedents={})]
    path = write_annotations(tmp_path / "a.parquet", articles, "tiger")
    found = [article for batch in read_annotations(path) for article in batch]
    assert as_rows(found) == as_rows(articles)
    assert {article.scheme for article in found} == {TIGER}


def test_annotations_without_their_scheme_are_named(tmp_path):
    write_batches(tmp_path / "a.parquet", ANNOTATION_SCHEMA, [[]])
    with pytest.raises(InputError, match=r"a\.parquet: its metadata name no dependency scheme"):
        next(read_annotations(tmp_path / "a.parquet"))


@pytest.mark.parametrize("scheme", ["ud", "tiger"])
def test_annotations_survive_conllu(tmp_path, scheme):
    articles = [
        annotate(TWO_SENTENCES, scheme),
        annotate("„ - PUNCT x 2 !$(\nJa - INTJ x 0\n“ - PUNCT x 2", scheme, id="a/2"),
    ]
    exported = tmp_path / "a.conllu"
    export_annotations(write_annotations(tmp_path / "a.parquet", articles, scheme), exported)
    assert exported.read_text().count("# model = ") == 1
    texts = [article_row(one.text_of(0, len(one)), one.id, one.number) for one in articles]
    import_annotations(exported, write_articles(tmp_path / "articles.parquet", texts), tmp_path / "b.parquet")
    found = [article for batch in read_annotations(tmp_path / "b.parquet") for article in batch]
    # The last token's space is not in the text.
    for article in (*articles, *found):
        article.spaces[-1] = False
    assert as_rows(found) == as_rows(articles)
    assert read_metadata(tmp_path / "b.parquet") == {"model": "by hand 1.0", "scheme": scheme, "coreference": "rules"}


def conllu(*lines, head="# newdoc id = a/1"):
    """One sentence; a line is its form, relation and head."""
    rows = []
    for number, line in enumerate(lines, start=1):
        form, relation, governor, *misc = line.split()
        rows.append(f"{number}\t{form}\t_\t_\t_\t_\t{governor}\t{relation}\t_\t{misc[0] if misc else '_'}")
    return "\n".join([head, *rows]) + "\n\n"


@pytest.fixture
def imported(tmp_path):
    """Import CoNLL-U for articles of some texts; returns the annotations and their metadata."""

    def imported(content, *texts):
        rows = [article_row(text, f"a/{number}", number) for number, text in enumerate(texts, start=1)]
        (tmp_path / "a.conllu").write_text(content)
        articles = write_articles(tmp_path / "articles.parquet", rows)
        import_annotations(tmp_path / "a.conllu", articles, tmp_path / "b.parquet")
        found = [article for batch in read_annotations(tmp_path / "b.parquet") for article in batch]
        return found, read_metadata(tmp_path / "b.parquet")

    return imported


def test_imported_annotations_have_the_order_of_the_articles(imported):
    first = conllu("Er sb 2", "kam root 0")
    second = conllu("Anna nsubj 2 Name=B-PER", "geht root 0 SpaceAfter=No", "! punct 2", head="# newdoc id = a/1")
    found, described = imported(first.replace("a/1", "a/2") + second, "Anna geht!", "Er kam ")
    assert [(one.id, one.tokens, one.heads, one.entities) for one in found] == [
        ("a/1", ["Anna", "geht", "!"], [1, 1, 1], ["PER", "", ""]),
        ("a/2", ["Er", "kam"], [1, 1], ["", ""]),
    ]
    assert described == {"model": "annotations of a.conllu", "scheme": "tiger", "coreference": "rules"}


def test_without_tigers_subjects_labels_are_universal(imported):
    found, described = imported(conllu("Er nsubj 2", "kam root 0"), "Er kam")
    assert (found[0].scheme, described["scheme"]) == (UNIVERSAL, "ud")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (conllu("Er x 0", head="# text = Er"), "the first sentence has no `# newdoc id"),
        (conllu("Er x 0", head="# newdoc id = a/9"), "has no article a/1; annotate it too"),
        (conllu("Sie x 0"), r"article a/1: .* another text \(at character 1: 'Sie' instead of 'Er'\)"),
        (
            conllu("Er x 2", "kam x 3"),
            r"article a/1: the head 2 of token 1 \(Er\) does not lead to its sentence's root",
        ),
        (conllu("Er x 2", "kam x 1"), r"the head 2 of token 1 \(Er\) does not lead to"),
        (conllu("Er x 0").replace("1\tEr", "2\tEr"), "token 2 is a multi-word or empty token, or out of order"),
        (conllu("Er x 0").replace("1\tEr", "1-2\tEr"), "is a multi-word or empty token, or out of order"),
        (conllu("Er x 0", head="# newdoc id = a/1\n# scheme = sdp"), "the scheme sdp is not one of tiger, ud"),
        ("# newdoc id = a/1\n1 Er\n", "not CoNLL-U .* ten cells between tabs"),
    ],
)
def test_annotations_that_do_not_fit_are_named(imported, content, said):
    with pytest.raises(InputError, match=rf"a\.conllu.*{said}"):
        imported(content, "Er")


def test_conllu_of_another_encoding_is_named(tmp_path):
    (tmp_path / "a.conllu").write_bytes(conllu("Bär x 0").encode("latin-1"))
    with pytest.raises(InputError, match="not CoNLL-U"):
        import_annotations(tmp_path / "a.conllu", tmp_path / "no.parquet", tmp_path / "b.parquet")


def test_a_run_of_white_space_cannot_be_exported(tmp_path):
    article = annotate("Ja - INTJ root 0\nX - SPACE dep 1")
    article.tokens[1] = " "
    path = write_annotations(tmp_path / "a.parquet", [article])
    with pytest.raises(InputError, match=r"article a/1: has a run of white space"):
        export_annotations(path, tmp_path / "a.conllu")
