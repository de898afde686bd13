"""The paradigms of textparity_v2 against treebanks."""

import os

import pytest

from attest_lexicon import TREEBANKS, compare_paradigms

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror

# English and Portuguese list their forms as words, and the treebanks have no cases.
INFLECTED = sorted(TREEBANKS.keys() - {"eng", "por"})


@pytest.mark.parametrize("lang", INFLECTED)
def test_paradigms_make_the_forms_of_treebanks(lang):
    cells = compare_paradigms(lang)
    assert cells.same >= 40
    # Variants of one form, such as Polish oficerowie beside oficerzy, and slips of the treebank.
    assert cells.other <= 0.08 * cells.same, cells.examples
