"""Which texts two corpora have in common."""

from unicodedata import normalize

import numpy as np

from textparity.auditing.copies import digest_text
from textparity.comparing.texts import in_common


def test_a_text_is_the_same_however_it_is_written():
    text = "L'élève rit.\nUne femme, un garçon."
    spellings = (
        f"  {text}\t",
        normalize("NFD", text),
        text.replace("'", "’").replace("gar", "gar\u00ad"),
        text.replace(" ", "\u00a0").replace("\n", "\r\n"),
        text.replace("\n", "\u2028 "),
    )
    assert {digest_text(spelling) for spelling in spellings} == {digest_text(text)}
    assert digest_text(text.replace("femme", "fille")) != digest_text(text)
    # Records of two machines are compared.
    assert digest_text("A woman.") == 0x7795A0A2AD5E88F


def test_a_text_is_in_common_as_often_as_both_corpora_have_it():
    digests, others = np.array([7, 3, 7, 9, 7, 3], np.uint64), np.array([7, 3, 3, 3, 7, 1], np.uint64)
    assert in_common(digests, others).tolist() == [True, True, True, False, False, True]
    assert in_common(others, digests).sum() == 4
    assert in_common(digests, others[:0]).tolist() == [False] * 6
