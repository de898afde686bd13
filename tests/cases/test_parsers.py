"""Whatever a file holds, its reader takes it or says in a message of ours why not; what we write, we read again."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from textparity.corpora.reading import write_batches
from textparity.counting import CLASSES
from textparity.counting.lexicon import NUMBERS, Lexicon, read_lexicon
from textparity.errors import InputError
from textparity_studies.newsroom.annotations import import_annotations
from textparity_studies.newsroom.articles import ARTICLE_SCHEMA, ArticleFiles
from textparity_studies.swapping.candidates import (
    REVIEW_COLUMNS,
    Candidate,
    Review,
    read_candidates,
    read_review_file,
    write_review_file,
)
from textparity_studies.swapping.corpora import Entity, format_brat, parse_brat
from textparity_studies.swapping.settings import CORRECT

# Of JSON, what Python's reader fails at in other ways than by saying that it is no JSON.
NESTED, LONG_NUMBER, HALF_A_PAIR = "[" * 100_000, "9" * 5000, '"\\ud800"'
# What some programs take for the end of a line, and others do not.
LINE_ENDS = "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.text(
    st.sampled_from(LINE_ENDS + '",;\t\0 a')
)


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("parsers")


def refused(read, *arguments):
    """Return what is read, or None where a message says why not."""
    try:
        return read(*arguments)
    except InputError as error:
        assert str(error).encode()
        return None


def json_like(keys):
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(keys) | st.text(max_size=3), inner),
        max_leaves=12,
    )


def lexicons():
    nouns = st.lists(st.dictionaries(st.sampled_from(NUMBERS), texts, min_size=1), max_size=4)
    return st.fixed_dictionaries(dict.fromkeys(CLASSES, nouns))


@given(content=lexicons())
def test_a_lexicon_is_read_as_it_stands(scratch, content):
    path = scratch / "eng.json"
    path.write_text(json.dumps(content), "utf-8")
    entries = read_lexicon(path)
    Lexicon(entries)
    assert [(entry.gender_class, entry.number, entry.form) for entry in entries] == [
        (name, number, noun[number])
        for name in CLASSES
        for noun in content[name]
        for number in NUMBERS
        if number in noun
    ]


@given(content=json_like((*CLASSES, *NUMBERS)).map(json.dumps).map(str.encode) | st.binary(max_size=200))
@example(content=NESTED.encode())
@example(content=LONG_NUMBER.encode())
@example(content=f'{{"feminine": [{{"singular": {HALF_A_PAIR}}}], "masculine": [], "unspecified": []}}'.encode())
def test_what_is_no_lexicon_is_a_message(scratch, content):
    path = scratch / "eng.json"
    path.write_bytes(content)
    for entry in refused(read_lexicon, path) or []:
        assert entry.form.encode() is not None


labels = st.text("JOBPERSLC_", min_size=1, max_size=6)


@given(text=texts.filter(bool), data=st.data())
def test_brat_that_is_written_is_read_again(text, data):
    entities = []
    for number in range(1, data.draw(st.integers(1, 4)) + 1):
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start + 1, len(text)))
        entities.append(Entity(f"T{number}", data.draw(labels), start, end, text[start:end]))
    assert parse_brat(text, format_brat(entities), "a.ann") == (entities, [])


numbers = st.integers(0, 30).map(str) | st.sampled_from([LONG_NUMBER, "-1", "٣", "²", ""])
lines = st.builds(
    "{}\t{} {} {}\t{}".format, st.sampled_from(["T1", "T2", "R1", "#1", "T"]), labels, numbers, numbers, texts
)


@given(text=texts, annotations=st.lists(lines | texts, max_size=4).map("\n".join))
@example(text="Er", annotations=f"T1\tPERS 0 {LONG_NUMBER}\tEr")
def test_what_is_no_brat_is_a_message(text, annotations):
    found = refused(parse_brat, text, annotations, "a.ann")
    for entity in found[0] if found else []:
        assert text[entity.start : entity.end] == entity.text


cells = st.sampled_from(
    ["1", "2", "1-2", "1.1", "_", "", "0", "-1", LONG_NUMBER, "Er", "a=b", "Name=B-PER", "|", "=", "²", "\v"]
)
rows = st.lists(cells, min_size=9, max_size=11).map("\t".join)
comments = st.sampled_from(
    ["# newdoc id = a/1", "# newdoc id", "# newdoc", "# scheme = ud", "# scheme", "# model", "#", "", " "]
)


@given(content=st.lists(rows | comments | texts, max_size=8).map("\n".join).map(str.encode) | st.binary(max_size=100))
def test_what_is_no_conllu_is_a_message(scratch, content):
    articles = scratch / "articles.parquet"
    if not articles.exists():
        row = {"id": "x/a/1", "doc_id": "a/1", "group": "", "number": 1, "lang": "deu", "text": "Er"}
        write_batches(articles, ARTICLE_SCHEMA, [[{name: row.get(name) for name in ARTICLE_SCHEMA.names}]])
    (scratch / "a.conllu").write_bytes(content)
    refused(import_annotations, scratch / "a.conllu", articles, scratch / "annotations.parquet")


FORMS = {
    "a.csv": {"format": "csv", "id": "id", "text": "text", "group": "topic"},
    "b.csv": {"format": "csv", "text": "2", "group": "1", "delimiter": ";", "quote": "'"},
    "a.jsonl": {"format": "jsonl", "id": "id", "text": "text", "group": "topic"},
    "taz_2020-01.json": {"format": "taz_json", "id": "id", "text": "text.text", "group": "file:year"},
}
HEADS = {"a.csv": b"id,text,topic\n"}


def make_contents():
    records = json_like(["id", "text", "topic"]).map(json.dumps).map(str.encode)
    parts = st.binary(max_size=30) | texts.map(str.encode) | records
    hard = st.sampled_from([NESTED.encode(), LONG_NUMBER.encode(), f'{{"id": {HALF_A_PAIR}, "text": "x"}}'.encode()])
    return st.lists(parts | hard, max_size=4).map(b"\n".join)


@pytest.mark.parametrize("name", FORMS)
@given(content=make_contents())
def test_every_article_of_a_file_is_told(scratch, name, content):
    path = scratch / name
    path.write_bytes(HEADS.get(name, b"") + content)
    form = {"id": "", "text": "", "group": "", "delimiter": "", "quote": ""} | FORMS[name]
    for article in refused(lambda: list(ArticleFiles([path], form).articles(path))) or []:
        assert article.reason or (article.doc_id + article.text).encode()


sentences = texts.filter(str.strip)


@given(pairs=st.lists(st.tuples(sentences, sentences), max_size=4))
def test_reviews_that_are_written_are_read_again(scratch, pairs):
    candidates = [Candidate("aa", line, original, "x", {}) for line, (original, _) in enumerate(pairs)]
    reviews = {
        ("aa", line): Review("aa", line, original, swapped, CORRECT) for line, (original, swapped) in enumerate(pairs)
    }
    write_review_file(scratch / "reviews.csv", reviews, candidates)
    assert read_review_file(scratch / "reviews.csv", candidates) == reviews


csv_cells = texts | st.sampled_from(
    ["aa", "0", "²", "٣", LONG_NUMBER, "accept", NESTED, LONG_NUMBER, "{" + HALF_A_PAIR + ": 1}"]
)


@given(table=st.lists(st.lists(csv_cells, min_size=6, max_size=6).map(",".join), max_size=3).map("\n".join))
@example(table=f"aa,0,x,y,,{NESTED}")
@example(table=f"aa,{LONG_NUMBER},x,y,accept,")
@example(table='aa,0,x,y,,"{""a"": ""\\ud800""}"')
@example(table="a" * 200_000)
def test_what_is_no_review_is_a_message(scratch, table):
    path = scratch / "reviews.csv"
    for columns, read in (
        ((*REVIEW_COLUMNS, "repairs"), lambda: read_review_file(path, [Candidate("aa", 0, "x", "y", {})])),
        ((*REVIEW_COLUMNS[:4], "feminine_names", "entities"), lambda: read_candidates(path)),
    ):
        path.write_bytes(f"{','.join(columns)}\n{table}".encode())
        refused(read)


@given(content=st.binary(max_size=100))
def test_any_bytes_are_no_traceback_of_reviews(scratch, content):
    (scratch / "reviews.csv").write_bytes(content)
    refused(read_review_file, scratch / "reviews.csv", [])
    refused(read_candidates, scratch / "reviews.csv")
