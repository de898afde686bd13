import pytest

from textparity.errors import TableError
from textparity_studies.measures import encoders
from textparity_studies.stereotypes import classifiers
from textparity_studies.stereotypes.classifiers import (
    ClassifierRow,
    load_classifiers,
    missing_classifier,
)

HEADER = "name\tkind\tmodel\tgrid\n"


def test_the_shipped_table_loads(repository):
    rows = load_classifiers(repository / "resources" / "registry" / "classifiers.tsv")
    assert rows["logistic_regression"].kind == "tfidf"
    assert rows["bert-base-uncased"].kind == "fine_tuned"
    assert rows["all-MiniLM-L6-v2"].model


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a b\tmajority\t\t{}", "line 2, column name"),
        ("a\tforest\t\t{}", "line 2, column kind: 'forest'"),
        ("a\tencoder\t\t{}", "line 2, column model"),
        ("a\tmajority\tx\t{}", "line 2, column model"),
        ("a\tmajority\t\t{", "line 2, column grid: not JSON"),
        ('a\ttfidf\t\t{"c": [1]}', "line 2, column grid: tfidf needs an object with c, ngrams"),
        ('a\ttfidf\t\t{"c": [1], "ngrams": [1.5]}', "ngrams must be a list of whole numbers above 0"),
        ('a\ttfidf\t\t{"c": [0], "ngrams": [1]}', "c must be a list of numbers above 0"),
        ('a\ttfidf\t\t{"c": [true], "ngrams": [1]}', "c must be a list of numbers above 0"),
        ('a\ttfidf\t\t{"c": [], "ngrams": [1]}', "c must be a list of numbers above 0"),
        ("a\tmajority\t\t{}\na\tmajority\t\t{}", "line 3, column name: 'a' is a duplicate"),
    ],
)
def test_a_bad_row_is_named(tmp_path, line, said):
    path = tmp_path / "classifiers.tsv"
    path.write_text(HEADER + line + "\n", "utf-8")
    with pytest.raises(TableError) as error:
        load_classifiers(path)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("absent", "kind", "said"),
    [
        ("sklearn", "majority", "scikit-learn is not installed"),
        ("torch", "encoder", "torch is not installed"),
        ("transformers", "fine_tuned", "transformers is not installed"),
        ("", "fine_tuned", "the model no/such-model is not on this machine"),
        ("torch", "tfidf", ""),
    ],
)
def test_what_a_classifier_lacks_is_told(monkeypatch, absent, kind, said):
    for module in (classifiers, encoders):
        monkeypatch.setattr(module, "find_spec", lambda name: None if name in (absent, "huggingface_hub") else 1)
    reason = missing_classifier(ClassifierRow("x", kind, "no/such-model", {}))
    assert said in reason and bool(said) == bool(reason)
