"""What single matches tell: the fixes of the corrected procedure, and whether a verdict hangs on one form."""

import pandas as pd
import pytest
from lexicon_counts import write_rows_of_counts

from textparity.corpora.reading import TEXT_SCHEMA, write_batches
from textparity.errors import InputError
from textparity.estimating.gaps import EvidenceThreshold
from textparity_studies.lexicon.matches import CountedTexts, leave_one_form_out, list_divergences, measure_fixes


def test_each_fix_has_its_part(tmp_path):
    def matches(*forms):
        return [{"form": form, "classes": classes} for form, classes in forms]

    row = {
        "published_words": 10, "corrected_words": 8,
        "published_matches": matches(("-", "feminine unspecified"), ("-", "feminine unspecified"), ("her", "feminine"),
                                     ("anh em", "masculine")),
        "corrected_matches": matches(("her", "feminine"), ("anh em", "masculine"), ("old man", "masculine")),
    }  # fmt: skip
    assert measure_fixes(write_rows_of_counts(tmp_path / "counts.parquet", [row])) == pytest.approx(
        {
            "words_published": 10, "words_corrected": 8, "sign_matches": 2,
            "multi_word_matches_published": 1, "multi_word_matches_corrected": 2,
            "feminine_percent_published": 30, "feminine_percent_without_signs": 10, "feminine_percent_corrected": 12.5,
            "masculine_percent_published": 10, "masculine_percent_without_signs": 10, "masculine_percent_corrected": 25,
        }
    )  # fmt: skip


@pytest.fixture
def leave_out(tmp_path):
    """Leave out the forms of texts, each a document; return the row of the one language."""

    def leave_out(*found, minimum=(2, 2)):
        rows = [
            {
                "corrected_words": 20 + number,
                "corrected_matches": [{"form": form, "classes": classes} for form, classes in of_text],
                **{f"corrected_{name}": sum(name in classes.split() for _, classes in of_text)
                   for name in ("feminine", "masculine")},
                "corrected_feminine_and_masculine": sum(classes == "feminine masculine" for _, classes in of_text),
            }
            for number, of_text in enumerate(found)
        ]  # fmt: skip
        counts = write_rows_of_counts(tmp_path / "counts.parquet", rows)
        summary = pd.DataFrame(
            {"corpus": "made", "lang": ["eng", "swe"], "procedure": "corrected", "p_value": [0.5, 0.9]}
        )
        (row,) = leave_one_form_out([CountedTexts.of(counts, counts)], summary, 0.95, EvidenceThreshold(*minimum))
        return row

    return leave_out


MAN, MAN_TOO, WOMAN, GIRL = ("man", "masculine"), ("guy", "masculine"), ("woman", "feminine"), ("girl", "feminine")
PERSON = ("person", "unspecified")


def test_a_verdict_that_hangs_on_one_form_says_which(leave_out):
    row = leave_out([MAN, PERSON], [MAN, MAN], [MAN, WOMAN], [MAN], [MAN, MAN], [MAN, MAN_TOO], [MAN, GIRL])
    assert (row["verdict"], row["forms"]) == ("masculine", 4)
    # Three matches in three documents are left, of both genders.
    assert (row["flipping_forms"], row["flips"]) == (1, "man: no clear difference")
    assert (row["most_influential_form"], row["its_matches"]) == ("man", 9)
    assert (row["masculine_per_feminine"], row["masculine_per_feminine_without"]) == (5, 0.5)


def test_too_few_matches_may_be_left(leave_out):
    row = leave_out([MAN], [MAN, MAN], [MAN, WOMAN], [MAN], [MAN, MAN], [MAN, MAN_TOO], [MAN], minimum=(5, 2))
    assert row["flips"] == "man: too few"


def test_a_form_of_both_genders_moves_neither_way(leave_out):
    row = leave_out([MAN, ("sib", "feminine masculine")], [MAN, MAN], [MAN], [MAN, MAN], [MAN])
    assert "sib" not in row["flips"] and row["verdict"] == "masculine"


def test_a_language_without_matches_is_there(leave_out):
    row = leave_out([], [PERSON], [])
    assert (row["verdict"], row["forms"], row["flips"], row["most_influential_form"]) == ("too few", 0, "", "")


@pytest.fixture
def counted(tmp_path):
    """Return texts of a language of which each has so many feminine and masculine words, and their counts."""

    def counted(lang, numbers, first=0):
        rows = [{"corrected_feminine": women, "corrected_masculine": men} for women, men in numbers]
        texts = [{"id": str(first + number), "doc_id": "1", "lang": lang, "text": lang} for number in range(len(rows))]
        ids = [{"id": row["id"]} | counts for row, counts in zip(texts, rows, strict=True)]
        write_batches(tmp_path / f"{lang}.parquet", TEXT_SCHEMA, iter([texts]))
        counts = write_rows_of_counts(tmp_path / f"{lang}.counts.parquet", ids, lang=lang)
        return CountedTexts.of(counts, tmp_path / f"{lang}.parquet")

    return counted


def test_texts_that_differ_most_stand_first(counted):
    pivot = counted("eng", [(0, 1), (0, 0), (0, 1)])
    (found,) = list_divergences([counted("deu", [(0, 1), (1, 0), (2, 2)])], pivot)
    assert found[["id", "gender_difference", "text_deu", "masculine_eng"]].to_numpy().tolist() == [
        ["2", 3, "deu", 1], ["1", 1, "deu", 0],
    ]  # fmt: skip


def test_texts_that_are_not_parallel_are_an_error(counted):
    with pytest.raises(InputError, match=r"deu\.parquet and .*eng\.parquet are not parallel: 1 and 1 texts"):
        list(list_divergences([counted("deu", [(0, 1)], first=1)], counted("eng", [(0, 1)])))
