"""The gender of job titles, as published and corrected; where their heads come from."""

import json
from types import SimpleNamespace

import pytest
from ukrainian import LISTS

from textparity.errors import TableError
from textparity.persons.ukrainian_genders import CorrectedJobs
from textparity_studies.swapping.genders import GenderExceptions, PublishedJobs, load_gender_exceptions
from textparity_studies.swapping.title_parsers import (
    BY_RULE,
    BY_STANZA,
    PROCESSORS,
    RuleParser,
    StanzaParser,
    load_parser,
    missing_parser,
    parser_version,
)

EXCEPTIONS = GenderExceptions(
    words={"голова": "common", "керівниця": "feminine", "міністр": "masculine"},
    forms={"голови": "голова", "хліборобок": "хліборобка"},
    parts={"знавиця": "feminine", "знавець": "masculine"},
    wholes={"мера": "masculine"},
    no_heads=frozenset(("віце",)),
)

pytest.importorskip("pymorphy3_dicts_uk")


@pytest.fixture(scope="module")
def corrected():
    return CorrectedJobs(LISTS).gender


@pytest.fixture(scope="module")
def published():
    return PublishedJobs(LISTS, RuleParser()).gender


@pytest.fixture(scope="module")
def with_exceptions():
    return PublishedJobs(LISTS, RuleParser(), EXCEPTIONS).gender


@pytest.mark.parametrize(
    ("title", "gender"),
    [
        # Of the lists, in any case and number; a plural is as its singular.
        ("Директором", "masculine"),
        ("директори", "masculine"),
        ("директорок", "feminine"),
        ("голови", "common"),
        ("суддів", "common"),
        # One word has three apostrophes.
        ("прем'єра", "masculine"),
        ("премʼєрку", "feminine"),
        # The list has a form of the masculine as a feminine.
        ("режисера", "masculine"),
        # The head is the first person, not what stands in the genitive after it.
        ("заступник голови", "masculine"),
        ("заступницю директора", "feminine"),
        ("в. о. голови", "common"),
        ("радник", "masculine"),
        # An adjective is the head if no person follows in agreement.
        ("слідча", "feminine"),
        ("слідчими", "masculine"),
        ("слідчий суддя", "common"),
        ("старша слідча", "feminine"),
        ("керуюча справами", "feminine"),
        ("керуючий справами обласної ради", "masculine"),
        # The adjective tells two forms apart.
        ("старшого маркіза", "masculine"),
        ("молода маркіза", "feminine"),
        ("виконуючий обов'язки директора", "masculine"),
        # Compounds: the whole, the last part, the first.
        ("поетеса-символістка", "feminine"),
        ("екс-голова", "common"),
        ("детектив-слідча", "feminine"),
        ("лікарка-2", "feminine"),
        ("лікар-фтизіатр", "masculine"),
        ("віце-прем’єрка", "feminine"),
        # Outside the lists, by morphology, and by its ending what no dictionary has.
        ("ткаля", "feminine"),
        ("бондар", "masculine"),
        ("бариста", "common"),
        ("дирижаблістка", "feminine"),
        ("лісопатологинею", "feminine"),
        # A stress mark is not one of a word's letters.
        ("заступни\u0301ця", "feminine"),
        ("член журі", "masculine"),
        # No person, or none that can be read.
        ("керівництво", "unknown"),
        ("канд. наук", "unknown"),
        ("", "unknown"),
    ],
)
def test_corrected_gender_of_a_title(corrected, title, gender):
    assert corrected(title) == gender


@pytest.mark.parametrize(
    ("title", "plain", "excepted"),
    [
        ("Директора", "masculine", "masculine"),
        ("директорку", "feminine", "feminine"),
        ("суддя", "common", "common"),
        # The annotation files cut a title at a line end.
        ("голова\nправління", "common", "common"),
        # With the exceptions, any word decides, and common gender before the others.
        ("заступник голови", "masculine", "common"),
        ("керівниця", "unknown", "feminine"),
        ("хліборобок", "unknown", "unknown"),
        ("мовознавиця", "unknown", "feminine"),
        ("мовознавець", "unknown", "masculine"),
        # After a hyphen, the last part is the head, wherever the hyphen stands.
        ("заступник прес-директора", "masculine", "masculine"),
        ("директор науково-дослідного відділу", "unknown", "unknown"),
        # Apostrophes are compared as they are written, here ' with the list's ’.
        ("прем'єр", "unknown", "unknown"),
        # The list's mistake is the procedure's.
        ("режисера", "feminine", "feminine"),
    ],
)
def test_published_gender_of_a_title(published, with_exceptions, title, plain, excepted):
    assert (published(title), with_exceptions(title)) == (plain, excepted)


def test_pymorphy3_is_russian_as_in_the_authors_code():
    # A parser that knows nothing leaves the lemma to pymorphy3: a Ukrainian plural is no Russian one.
    def gender(title):
        parser = SimpleNamespace(
            method=BY_RULE, parse=lambda text: [SimpleNamespace(text=text, lemma="?", is_root=True)]
        )
        return PublishedJobs(LISTS, parser).gender(title)

    assert gender("директорка") == gender("директоркою") == "feminine"
    # Their Ukrainian lemmas are in the lists.
    assert gender("директорів") == gender("заступниці") == "unknown"


def test_a_head_that_is_never_one_is_passed_over():
    words = [("віце", True), ("лікар", True)]
    parser = SimpleNamespace(
        method=BY_STANZA,
        parse=lambda text: [SimpleNamespace(text=word, lemma=word, is_root=root) for word, root in words],
    )
    assert PublishedJobs(LISTS, parser).gender("віце лікар") == "unknown"
    assert PublishedJobs(LISTS, parser, EXCEPTIONS).gender("віце лікар") == "masculine"


def stanza_pipeline(heads):
    """Stand for a Stanza pipeline: words at white space, lower-case lemmas of our own, heads as given."""
    lemmas = {"заступника": "заступник", "голови": "голова"}

    def pipeline(text):
        words = [
            SimpleNamespace(text=word, lemma=lemmas.get(word), head=0 if word in heads else 1) for word in text.split()
        ]
        return SimpleNamespace(sentences=[SimpleNamespace(words=words)])

    return pipeline


def test_stanza_says_the_head_where_it_is_installed(corrected):
    parser = StanzaParser(stanza_pipeline({"голови", "голова"}))
    assert [(word.lemma, word.is_root) for word in parser.parse("заступника голови")] == [
        ("заступник", False), ("голова", True),
    ]  # fmt: skip
    # A word without a lemma is its own.
    assert [word.lemma for word in parser.parse("заступником")] == ["заступником"]
    assert CorrectedJobs(LISTS, parser.heads).gender("заступника голови") == "common"
    assert PublishedJobs(LISTS, parser).gender("заступника голови") == "common"
    # Where its head is no person, the rule speaks.
    nothing = StanzaParser(stanza_pipeline({"правління"}))
    by_rule = CorrectedJobs(LISTS, nothing.heads).gender("директор правління")
    assert by_rule == corrected("директор правління") == "masculine"


def test_without_lemma_and_parser_models_a_rule_stands_in(tmp_path):
    pytest.importorskip("stanza")
    packages = dict.fromkeys(PROCESSORS, "iu")
    index = {"uk": {"packages": {"default": packages}}}
    (tmp_path / "resources.json").write_text(json.dumps(index))
    for name in ("tokenize", "mwt", "pos", "lemma"):
        (tmp_path / "uk" / name).mkdir(parents=True)
        (tmp_path / "uk" / name / "iu.pt").touch()
    assert "with depparse in" in missing_parser(str(tmp_path))
    assert parser_version(str(tmp_path)) == load_parser(str(tmp_path)).method == BY_RULE
    (tmp_path / "uk" / "depparse").mkdir()
    (tmp_path / "uk" / "depparse" / "iu.pt").touch()
    assert missing_parser(str(tmp_path)) == ""
    assert parser_version(str(tmp_path)).startswith(f"{BY_STANZA}: tokenize iu")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("words\tголова\tcommon", "line 2: place 'words'"),
        ("word\tголова\tneuter", "line 2: 'neuter' must be masculine, feminine or common"),
        ("form\tголови\t", "line 2: a cell is empty"),
        ("word\tголова\tcommon\nword\tголова\tmasculine", "line 3: голова is a duplicate"),
    ],
)
def test_a_wrong_exception_is_named(tmp_path, rows, message):
    (tmp_path / "exceptions.tsv").write_text(f"place\tword\tvalue\n{rows}\n", encoding="utf-8")
    with pytest.raises(TableError, match=message):
        load_gender_exceptions(tmp_path / "exceptions.tsv")


def test_the_papers_exceptions_are_all_there(repository):
    found = load_gender_exceptions(repository / "resources" / "swapping" / "word_lists" / "gender_exceptions_ukr.tsv")
    assert (len(found.words), len(found.parts), len(found.wholes), len(found.no_heads)) == (28, 2, 1, 5)
    assert found.words["голова"] == "common"
    assert found.forms["ченців"] == "чернець"
