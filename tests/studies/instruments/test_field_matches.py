"""The precision of methods on web pages, from matches that a reader judged."""

import re
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from textparity.errors import TableError
from textparity.files import read_tsv
from textparity_studies.instruments.field_matches import COLUMNS, measure_field, read_field_matches

JUDGEMENTS = Path(__file__).parents[3] / "resources" / "instruments" / "field_matches.tsv"


@pytest.fixture
def judged(tmp_path):
    """Write judgements and read them: a page's name, and columns that differ from those of a man who is one."""
    starts = count(10, 10)

    def read(*rows):
        lines = ["\t".join(COLUMNS)]
        for name, changes in rows:
            start = next(starts)
            row = {
                "page": sha256(name.encode()).hexdigest(),
                "start": str(start),
                "end": str(start + 4),
                "lang": "deu",
                "method": "words",
                "pipeline": "",
                "drawn": "gender",
                "gender": "masculine",
                "judged": "masculine",
                "learned": "no",
                "reader": "a person",
            } | changes
            lines.append("\t".join(row.values()))
        path = tmp_path / "judged.tsv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return read_field_matches(path)

    return read


def measured(matches):
    """Compute the rows of the table, by language, method, gender and whether only learned surnames are counted."""
    rows = measure_field(matches, 0.95)
    return {(row["lang"], row["method"], row["gender"], row["only_learned"]): row for row in rows}


def test_precision_counts_the_persons_of_the_gender_that_was_found(judged):
    matches = judged(
        ("a", {}),
        ("a", {"judged": "feminine"}),
        ("b", {"judged": "unspecified"}),
        ("b", {"judged": "nobody"}),
        ("b", {"gender": "feminine", "judged": "feminine"}),
        ("c", {"lang": "eng", "judged": "nobody"}),
        ("c", {"method": "persons", "pipeline": "de_mini"}),
    )
    rows = measured(matches)
    assert rows.keys() == {
        ("deu", "words", "masculine", "no"),
        ("deu", "words", "feminine", "no"),
        ("eng", "words", "masculine", "no"),
        ("deu", "persons", "masculine", "no"),
    }
    men = rows["deu", "words", "masculine", "no"]
    assert (men["pages"], men["read"], men["right"], men["precision"]) == (2, 4, 1, 25)
    assert (men["other_gender"], men["unspecified"], men["nobody"]) == (1, 1, 1)
    assert rows["deu", "words", "feminine", "no"]["precision"] == 100
    assert rows["deu", "persons", "masculine", "no"]["pipeline"] == "de_mini"


def test_surnames_that_were_read_because_they_were_learned_do_not_count_for_their_gender(judged):
    matches = judged(
        ("a", {"judged": "nobody"}),
        ("a", {"learned": "yes"}),
        ("a", {"learned": "yes", "drawn": "learned"}),
        ("b", {"learned": "yes", "drawn": "learned", "gender": "feminine", "judged": "nobody"}),
    )
    rows = measured(matches)
    men, learned = rows["deu", "words", "masculine", "no"], rows["deu", "words", "feminine or masculine", "yes"]
    assert (men["read"], men["right"]) == (2, 1)
    assert (learned["read"], learned["right"]) == (3, 2)
    assert ("deu", "words", "feminine", "no") not in rows


def test_matches_of_one_page_count_as_a_cluster(judged):
    judgements = [{"judged": ("masculine", "nobody")[number % 2]} for number in range(20)]
    twice = [(f"page {number}", judgement) for number, judgement in enumerate(judgements) for _ in range(2)]
    once = [(f"page {number}", judgement) for number, (_, judgement) in enumerate(twice)]
    (clustered,) = measure_field(judged(*twice), 0.95)
    (alone,) = measure_field(judged(*once), 0.95)
    assert clustered["precision"] == alone["precision"] == 50
    assert clustered["precision_low"] < alone["precision_low"] - 2


@pytest.mark.parametrize(
    "wrong",
    [{"page": "example.com"}, {"start": "20", "end": "20"}, {"start": "Frau"}, {"judged": "maybe"}, {"drawn": "all"}],
    ids=lambda wrong: "-".join(wrong),
)
def test_a_judgement_needs_a_digest_a_place_and_a_known_value(judged, wrong):
    with pytest.raises(TableError):
        judged(("a", wrong))


def test_the_judgements_have_no_text():
    matches = read_field_matches(JUDGEMENTS)
    assert {match.lang for match in matches} == {"deu", "eng", "fra"}
    places = [(match.page, match.start, match.end, match.method, match.pipeline) for match in matches]
    assert len(set(places)) == len(places)
    # Whatever is neither a number nor a digest comes from a few labels.
    for column in COLUMNS:
        values = {row[column] for row in read_tsv(JUDGEMENTS, COLUMNS)}
        words = {value for value in values if not re.fullmatch("[0-9]+|[0-9a-f]{64}", value)}
        assert len(words) <= 4, column
