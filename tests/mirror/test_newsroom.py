"""The newsroom study's tools themselves: a German spaCy pipeline, Coreferee, sentiment."""

import os
import re
from importlib.util import find_spec

import pyarrow as pa
import pytest

from textparity.corpora.reading import read_metadata, read_rows, write_batches
from textparity.errors import MissingResourceError
from textparity_studies.newsroom.annotations import (
    PARSED_AT_ONCE,
    AnnotatedArticle,
    AnnotationParser,
    export_annotations,
    import_annotations,
    load_pipeline,
    parse_articles,
    read_annotations,
)
from textparity_studies.newsroom.measuring import load_scorer

MODEL = os.environ.get("TEXTPARITY_SPACY_MODEL", "")
if not MODEL:
    pytest.skip("TEXTPARITY_SPACY_MODEL not set", allow_module_level=True)
if not find_spec("spacy"):
    pytest.skip("spaCy is not installed", allow_module_level=True)

pytestmark = pytest.mark.spacy

TEXT = "Anna Berger lobt Peter Koch. Sie sagte: „Er hat recht.“"
TEXTS = [TEXT, "  Zwei\n\nAbsätze  ", "Nein", "Die Ministerin Eva Lang kam nach Rom. Ihr Mann blieb."]
needs_coreferee = pytest.mark.skipif(not find_spec("coreferee"), reason="Coreferee is not installed")


@pytest.fixture(scope="module")
def articles(tmp_path_factory):
    """More batches than wait at a time, the last of them smaller."""
    path = tmp_path_factory.mktemp("articles") / "articles.parquet"
    kinds = {"id": pa.string(), "group": pa.string(), "number": pa.int64(), "text": pa.string()}
    rows = [
        {"id": f"a/{number}", "group": "2001", "number": number, "text": TEXTS[number % len(TEXTS)]}
        for number in range(6 * PARSED_AT_ONCE + 5)
    ]
    write_batches(path, pa.schema(list(kinds.items())), [rows])
    return path


@pytest.fixture(scope="module")
def annotations(articles):
    parse_articles(articles, articles.with_name("one.parquet"), MODEL, "auto")
    return articles.with_name("one.parquet")


def parsed(text):
    """Return a text's annotation without a file in between."""
    row = {"id": "a/1", "group": "", "number": 0, "text": text}
    return AnnotatedArticle(**AnnotationParser(MODEL, "rules").parse([row])[0])


def test_annotations_do_not_depend_on_the_number_of_processes(articles, annotations, tmp_path):
    parse_articles(articles, tmp_path / "two.parquet", MODEL, "auto", threads=2)
    assert read_rows(tmp_path / "two.parquet").equals(read_rows(annotations))
    assert read_metadata(tmp_path / "two.parquet") == read_metadata(annotations)


def test_annotations_make_up_the_texts(articles, annotations):
    texts = read_rows(articles)["text"].to_pylist()
    found = [article for batch in read_annotations(annotations) for article in batch]
    assert [article.number for article in found] == list(range(len(texts)))
    assert [article.text_of(0, len(article)) for article in found[:4]] == texts[:4]
    for article, text in zip(found[:4], texts[:4], strict=True):
        assert [text[start : start + 1] for start in article.offsets] == [token[0] for token in article.tokens]


def test_annotations_have_names_and_roles_by_the_labels_of_the_pipeline():
    article = parsed(TEXT)
    assert [article.text_of(*span) for span in article.entity_spans(("PER",))] == ["Anna Berger", "Peter Koch"]
    assert len(article.sentences) >= 2
    root = article.root_of(0, 2)
    assert article.dependencies[root] in article.scheme.subject


def test_the_metadata_say_what_parsed(annotations):
    described = read_metadata(annotations)
    nlp = load_pipeline(MODEL)
    assert described["model"] == f"de_{nlp.meta['name']} {nlp.meta['version']}"
    assert described["scheme"] == ("tiger" if "sb" in nlp.get_pipe("parser").labels else "ud")
    assert described["coreference"] in ("rules", "coreferee")


def test_parsed_articles_survive_conllu(articles, tmp_path):
    # Runs of white space cannot.
    row = {"id": "a/1", "group": "", "number": 0, "text": TEXT}
    write_batches(tmp_path / "articles.parquet", read_rows(articles).schema, [[row]])
    parse_articles(tmp_path / "articles.parquet", tmp_path / "a.parquet", MODEL, "rules")
    export_annotations(tmp_path / "a.parquet", tmp_path / "a.conllu")
    import_annotations(tmp_path / "a.conllu", tmp_path / "articles.parquet", tmp_path / "b.parquet")
    assert read_rows(tmp_path / "a.parquet").equals(read_rows(tmp_path / "b.parquet"))
    assert read_metadata(tmp_path / "a.parquet") == read_metadata(tmp_path / "b.parquet")


def test_no_articles_are_no_annotations_with_their_metadata(articles, annotations, tmp_path):
    write_batches(tmp_path / "none.parquet", read_rows(articles).schema, [[]])
    parse_articles(tmp_path / "none.parquet", tmp_path / "a.parquet", MODEL, "auto")
    assert read_rows(tmp_path / "a.parquet").num_rows == 0
    assert read_metadata(tmp_path / "a.parquet") == read_metadata(annotations)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_pipeline_that_is_not_there_is_named_by_every_process(articles, tmp_path, threads):
    with pytest.raises(MissingResourceError, match="there is no spaCy pipeline de_none"):
        parse_articles(articles, tmp_path / "a.parquet", "de_none", "auto", threads)
    assert not (tmp_path / "a.parquet").exists()


@pytest.mark.parametrize(
    ("pipe", "missing"),
    [
        ("ner", r"assigns no doc\.ents \(names of persons\);"),
        ("parser", r"assigns no token\.dep \(sentences and grammatical roles\);"),
        ("lemmatizer", r"assigns no token\.lemma \(speech verbs\);"),
        ("morphologizer", r"assigns no token\.pos \(nouns, verbs and pronouns\), token\.morph \(number"),
    ],
)
def test_a_pipeline_that_lacks_what_the_rules_read_is_refused(tmp_path, pipe, missing):
    nlp = load_pipeline(MODEL)
    nlp.remove_pipe(pipe)
    nlp.to_disk(tmp_path)
    with pytest.raises(MissingResourceError, match=missing):
        load_pipeline(str(tmp_path))


@needs_coreferee
def test_without_a_model_of_coreferees_rules_resolve_and_coreferee_is_an_error(annotations):
    if read_metadata(annotations)["coreference"] == "coreferee":
        pytest.skip("Coreferee has a model for this pipeline")
    assert {article.antecedents == [] for batch in read_annotations(annotations) for article in batch} == {True}
    with pytest.raises(
        MissingResourceError, match=re.escape("(python -m coreferee install de), or set it to auto or rules")
    ):
        AnnotationParser(MODEL, "coreferee")


class Chains:
    """Puts chains of tokens on a document whose names are merged, as Coreferee does; the first token is the name."""

    def __init__(self, *chains):
        self.chains = chains

    def __call__(self, doc):
        from coreferee.data_model import Chain, ChainHolder, Mention

        doc._.coref_chains = ChainHolder()
        for token in doc:
            token._.coref_chains = ChainHolder()
        for texts in self.chains:
            mentions = []
            for text in texts:
                tokens = [token for token in doc if token.text in text.split(" + ")]
                mention = Mention(tokens[0])
                mention.token_indexes = [token.i for token in tokens]
                mentions.append(mention)
            chain = Chain(mentions, 0)
            doc._.coref_chains.chains.append(chain)
            for mention in mentions:
                for place in mention.token_indexes:
                    doc[place]._.coref_chains.chains.append(chain)
        return doc


@pytest.fixture
def resolved():
    """Parse with chains of Coreferee's; returns the text of each resolved token and of what it stands for."""
    from coreferee.manager import CorefereeBroker

    CorefereeBroker.set_extensions()
    parser = AnnotationParser(MODEL, "rules")

    def resolved(text, pipe):
        parser.coreferee = pipe
        row = {"id": "a/1", "group": "", "number": 0, "text": text}
        article = AnnotatedArticle(**parser.parse([row])[0])
        assert parser.description["coreference"] == "coreferee"
        assert len(article.antecedents) == len(article)
        return {
            (article.tokens[place], place): article.tokens[antecedent]
            for place, antecedent in enumerate(article.antecedents)
            if antecedent >= 0
        }

    return resolved


@needs_coreferee
def test_a_chain_of_coreferees_leads_to_the_first_token_of_a_name(resolved):
    found = resolved(TEXT, Chains(["Anna Berger", "Sie"], ["Peter Koch", "Er"]))
    places = {token: place for place, token in enumerate(parsed(TEXT).tokens)}
    # Places are those of the tokens before names were merged.
    assert found == {("Sie", places["Sie"]): "Anna", ("Er", places["Er"]): "Peter"}


@needs_coreferee
def test_a_chain_to_two_persons_leads_to_nobody(resolved):
    assert resolved("Anna Berger und Peter Koch sagten, sie kämen.", Chains(["Anna Berger + Peter Koch", "sie"])) == {}


@needs_coreferee
def test_without_chains_nobody_is_meant(resolved):
    assert resolved(TEXT, Chains()) == {}
    assert resolved("  ", Chains()) == {}
    # Coreferee failed, said so and went on.
    assert resolved(TEXT, lambda doc: doc) == {}


def test_the_lexicon_scores_a_sentence_between_minus_one_and_one():
    pytest.importorskip("textblob_de")
    score = load_scorer("lexicon")
    good, bad, neither = (
        score(parsed(text), 0) for text in ("Das ist gut.", "Das ist schlecht.", "Das ist ein Tisch.")
    )
    assert 0 < good <= 1
    assert -1 <= bad < 0
    assert neither == 0
    assert score(parsed("Das ist nicht gut."), 0) < good
    assert score(parsed("..."), 0) == 0


@pytest.fixture(scope="module")
def sentiment_model(tmp_path_factory):
    """A BERT of two layers with random weights, and its word pieces."""
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("sentiment")
    (folder / "vocab.txt").write_text(
        "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "das", "ist", "gut", "."])
    )
    labels = dict(enumerate(("positive", "negative", "neutral")))
    config = transformers.BertConfig(
        vocab_size=9, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=32, id2label=labels, label2id={label: number for number, label in labels.items()},
    )  # fmt: skip
    transformers.set_seed(1)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=32).save_pretrained(folder)
    return folder


def test_a_model_scores_a_sentence_by_its_label_and_probability(sentiment_model):
    from transformers import pipeline

    score = load_scorer(str(sentiment_model))
    found = pipeline("sentiment-analysis", model=str(sentiment_model))("Das ist gut.")[0]
    sign = {"positive": 1, "negative": -1, "neutral": 0}[found["label"]]
    assert score(parsed("Das ist gut."), 0) == pytest.approx(sign * found["score"])
    # Longer than the model reads.
    assert -1 <= score(parsed("gut " * 100), 0) <= 1


def test_a_model_with_other_labels_is_refused(sentiment_model, tmp_path):
    import transformers

    model = transformers.BertForSequenceClassification.from_pretrained(sentiment_model)
    model.config.id2label = {0: "1 star", 1: "2 stars", 2: "3 stars"}
    model.save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(sentiment_model).save_pretrained(tmp_path)
    with pytest.raises(MissingResourceError, match="has the labels 1 star, 2 stars, 3 stars; it must have positive"):
        load_scorer(str(tmp_path))


def test_a_model_that_is_not_on_this_machine_is_not_fetched(sentiment_model):
    with pytest.raises(MissingResourceError, match=r"the model nobody/nothing cannot be loaded .*hf download nobody"):
        load_scorer("nobody/nothing")


def test_the_shipped_stop_words_are_spacys(repository):
    import spacy

    lines = (
        (repository / "resources" / "newsroom" / "word_lists" / "stop_words_deu.txt").read_text("utf-8").splitlines()
    )
    assert {line for line in lines if not line.startswith("#")} == spacy.blank("de").Defaults.stop_words
