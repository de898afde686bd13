"""Which texts two corpora have in common."""

from unicodedata import normalize

import numpy as np

from textparity.auditing.inputs import Texts
from textparity.comparing.comparison import TextsRead, in_common


def test_a_text_is_the_same_however_it_is_written():
    corpora = []
    for texts in (
        ["L’élève.", "le garçon", "une femme"],
        [normalize("NFD", "L'élève."), "le gar\u00adçon ", "un homme"],
    ):
        read = TextsRead()
        read.add("a", Texts([1, 2, 3], texts))
        corpora.append(read.keys(["a"] * 3, np.array([1, 2, 3])))
    assert in_common(*corpora).tolist() == [True, True, False]
