"""Annotated documents as spaCy's training data."""

from collections import Counter

import pandas as pd
import pytest

pytest.importorskip("spacy")

import ner_corpus
import spacy
from spacy.tokens import DocBin

from textparity.corpora.reading import read_rows
from textparity.errors import InputError
from textparity_studies.swapping.corpora import Entity, EntityDocument, read_documents
from textparity_studies.swapping.ner_data import corrected_sentences, prepare_ner_data, published_sentences, unswapped

pytestmark = pytest.mark.train

PARTS = [
    "original_train", "original_dev", "balanced_train", "balanced_dev", "duplicated_train", "duplicated_dev",
    "original_test", "augmented_test",
]  # fmt: skip


def document(marked, name="x"):
    text, found = ner_corpus.parse_marked(marked)
    entities = [Entity(f"T{n}", label, start, end, text[start:end]) for n, (start, end, label) in enumerate(found, 1)]
    return EntityDocument(name, "own", "train", text, entities=entities)


def cut(sentences, *documents):
    """Return the words of each sentence, its entities as (words, label), and the counts."""
    counts = Counter()
    found = list(sentences(documents, counts))
    entities = [[(item.words[e.start : e.end], e.label) for e in item.marked] for item in found]
    return [item.words for item in found], entities, counts


def prepare(folder, procedure="corrected", dev_share=0.5, seed=1, swapped=ner_corpus.SWAPPED):
    own, other = (
        ner_corpus.write_corpus(folder / name, texts) for name, texts in (("own", ner_corpus.TEXTS), ("other", swapped))
    )
    corpora = [folder / f"{part}.spacy" for part in PARTS]
    outputs = {"corpora": corpora, "spans": folder / "spans.parquet", "counts": folder / "data.csv"}
    prepare_ner_data(
        [own[0], other[0]], [own[1], other[1]], **outputs, procedure=procedure, dev_share=dev_share, seed=seed
    )
    vocab = spacy.blank("uk").vocab
    return {path.stem: list(DocBin().from_disk(path).get_docs(vocab)) for path in corpora}


def test_a_sentence_is_a_line_cut_by_the_tokenizer():
    words, entities, _ = cut(corrected_sentences, document("Прийшов [JOB:лікар], потім\n\nкухар."))
    assert words == [["Прийшов", "лікар", ",", "потім"], ["кухар", "."]]
    assert entities == [[(["лікар"], "JOB")], []]


def test_published_words_tell_where_an_entity_ends():
    words, entities, counts = cut(published_sentences, document("Прийшов [JOB:лікар], потім кухар, але не\nслюсар"))
    assert words == [["Прийшов", "лікар", ",", "потім", "кухар,", "але", "не"], ["слюсар"]]
    assert entities[0] == [(["лікар"], "JOB")]
    assert counts["inside_word"] == 1


def test_published_loses_line_ends_beside_entities_and_between_documents():
    words, _, counts = cut(
        published_sentences, document("Був день.\n[PERS:Іван] прийшов.\nІ пішов."), document("Ранок.", "y")
    )
    assert words == [["Був", "день.", "Іван", "прийшов."], ["І", "пішов.", "Ранок."]]
    assert counts["sentences"] == 2


def test_published_loses_a_single_last_character():
    assert cut(published_sentences, document("Це [LOC:Київ]."))[0] == [["Це", "Київ"]]
    assert cut(published_sentences, document("Це [LOC:Київ].\n"))[0] == [["Це", "Київ", "."]]


def test_published_ends_a_sentence_at_two_spaces():
    assert cut(published_sentences, document("Перше  друге"))[0] == [["Перше"], ["друге"]]


@pytest.mark.parametrize("sentences", [published_sentences, corrected_sentences])
def test_the_outer_one_of_nested_entities_is_kept(sentences):
    _, entities, counts = cut(sentences, document("Тут [ORG:завод [LOC:Києва] і ліс] стоять"))
    assert entities == [[(["завод", "Києва", "і", "ліс"], "ORG")]]
    assert (counts["entities"], counts["kept"], counts["nested"]) == (2, 1, 1)


def test_lines_are_joined_where_an_entity_crosses_their_end():
    words, entities, counts = cut(corrected_sentences, document("На [LOC:вул.\nСадовій] тихо.\nІ все."))
    assert words == [["На", "вул.", "Садовій", "тихо", "."], ["І", "все", "."]]
    assert entities[0] == [(["вул.", "Садовій"], "LOC")]
    assert (counts["crossing_line"], counts["kept"]) == (1, 1)


def test_an_entity_inside_a_word_takes_all_of_it():
    _, entities, counts = cut(corrected_sentences, document("Пішли до [ORG:ЖЕК]у разом"))
    assert entities == [[(["ЖЕКу"], "ORG")]]
    assert counts["inside_word"] == 1


def test_of_two_entities_in_a_word_the_first_is_kept_and_the_other_counted():
    _, entities, counts = cut(corrected_sentences, document("Був [LOC:Київ][ORG:банк] там"))
    assert entities == [[(["Київбанк"], "LOC")]]
    assert (counts["kept"], counts["collided"], counts["inside_word"]) == (1, 1, 2)


def test_white_space_of_an_entity_is_no_word_of_it():
    _, entities, counts = cut(corrected_sentences, document("Ця[JOB: лікарка] тут"))
    assert entities == [[(["лікарка"], "JOB")]]
    assert counts["inside_word"] == 0


def test_a_swapped_document_follows_its_source_and_both_models_have_the_same_dev_documents(tmp_path):
    docs = prepare(tmp_path)
    original = {doc.text for doc in docs["original_dev"]}
    train, dev = ({doc.text for doc in docs[f"balanced_{split}"]} for split in ("train", "dev"))
    assert original <= dev
    # Each document's first word, and that of its swapped copy.
    pairs = [("Директор ", "Директорка "), ("Нова ", "Новий ")]
    for words in pairs:
        sides = [any(text.startswith(word) for text in train) for word in words]
        assert sides[0] == sides[1] != any(text.startswith(words[0]) for text in dev)


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_duplicated_data_have_the_sources_of_the_swapped_sentences_in_their_place(tmp_path, procedure):
    docs = prepare(tmp_path, procedure)
    sources = {"Директорка": "Директор", "Потім лікарка": "Потім лікар", "Новий": "Нова"}
    changed = []
    for split in ("train", "dev"):
        # As many sentences in the same places; where one was swapped, its source.
        pairs = zip(docs[f"balanced_{split}"], docs[f"duplicated_{split}"], strict=True)
        texts = [(balanced.text.strip(), duplicated.text.strip()) for balanced, duplicated in pairs]
        changed += [both for both in texts if both[0] != both[1]]
    assert changed
    for balanced, duplicated in changed:
        assert duplicated.startswith(next(source for word, source in sources.items() if balanced.startswith(word)))
    counts = pd.read_csv(tmp_path / "data.csv").set_index(["data", "split"])
    entities = counts["entities"].unstack()[["train", "dev"]].sum(axis="columns")
    assert entities[["original", "duplicated", "balanced"]].tolist() == [8, 14, 14]


def test_a_line_that_the_source_lacks_is_left_out_and_unknown_lines_are_an_error(tmp_path):
    own, other = (
        ner_corpus.write_corpus(tmp_path / name, texts)
        for name, texts in (("own", ner_corpus.TEXTS), ("other", ner_corpus.SWAPPED))
    )
    originals, swapped = read_documents(*own), read_documents(*other)
    swapped[1].source_lines = [9]
    found = {item.document: item.text for item in unswapped(originals, swapped, other[0])}
    assert found["b-swapped"] == ""
    assert found["c-swapped"] == "Старий директор мовчав.\n"
    swapped[0].source_lines = []
    with pytest.raises(InputError, match=r"a-swapped does not name the lines .* take duplicated out of swapping"):
        unswapped(originals, swapped, other[0])


def test_published_draws_a_swapped_document_apart_from_its_source(tmp_path):
    def together(seed):
        docs = prepare(tmp_path / str(seed), "published", seed=seed)
        train = " ".join(doc.text for doc in docs["balanced_train"])
        return ("Директор " in train) == ("Директорка " in train)

    assert not all(together(seed) for seed in range(6))


def test_words_reach_spacy_as_they_were_cut(tmp_path):
    published, corrected = (prepare(tmp_path / name, name)["original_test"] for name in ("published", "corrected"))
    assert all(doc.has_unknown_spaces for doc in published)
    assert not any(doc.has_unknown_spaces for doc in corrected)
    assert corrected[0].text == "Старий директор мовчав."


def test_spans_name_the_entities_of_the_test_sets(tmp_path):
    docs = prepare(tmp_path)
    spans = read_rows(tmp_path / "spans.parquet").to_pylist()
    assert len(spans) == sum(len(doc.ents) for part in PARTS[-2:] for doc in docs[part])
    found = {
        (row["document"], row["entity"]): docs[f"{row['test_set']}_test"][row["sentence"]][row["start"] : row["end"]]
        for row in spans
    }
    assert found["d", "T2"].text == "вчителька"
    assert found["c-swapped", "T1"].text == "директорка"
    assert {row["label"] for row in spans if row["document"] == "c"} == {"JOB", "LOC"}


def test_what_is_left_out_and_what_is_kept_make_the_whole(tmp_path):
    prepare(tmp_path)
    counts = pd.read_csv(tmp_path / "data.csv")
    assert (counts["entities"] == counts["kept"] + counts["nested"] + counts["collided"]).all()
    split = counts.set_index(["data", "split"])["documents"]
    assert split["original", "train"] + split["original", "dev"] == 2
    assert split["augmented", "test"] == 3


@pytest.mark.parametrize("name", ["a", "z-swapped", "c-swapped"])
def test_a_swapped_document_needs_a_source_of_its_split(tmp_path, name, monkeypatch):
    monkeypatch.setitem(ner_corpus.SPLITS, "z", "train")
    own = dict(ner_corpus.SPLITS)
    texts = {name: "Це [LOC:Київ]."}
    documents = ner_corpus.write_corpus(tmp_path / "own", ner_corpus.TEXTS)
    monkeypatch.setitem(ner_corpus.SPLITS, "c", "train")
    swapped = ner_corpus.write_corpus(tmp_path / "other", texts)
    assert own["c"] == "test"
    with pytest.raises(InputError, match=rf"{name} \(train\)"):
        prepare_ner_data(
            [documents[0], swapped[0]], [documents[1], swapped[1]], [tmp_path / "original_test.spacy"],
            tmp_path / "spans.parquet", tmp_path / "data.csv", "corrected", 0.5, 1,
        )  # fmt: skip


def test_without_a_document_left_to_train_on_the_share_is_named(tmp_path):
    with pytest.raises(InputError, match="dev_share"):
        prepare(tmp_path, dev_share=0.9)
