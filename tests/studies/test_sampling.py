import random
import zipfile

import pyarrow.parquet as pq
import pytest

from textparity.corpora.reading import read_metadata
from textparity.errors import FetchError, InputError, MissingResourceError
from textparity_studies import sampling
from textparity_studies.sampling import sample_pairs, select_language

MEMBERS = {"eng": "Demo.en-sv.en", "swe": "Demo.en-sv.sv"}
# Every third line is a copy of one pair.
PAIRS = [("Yes.", "Ja.") if number % 3 == 0 else (f"line {number}", f"rad {number}") for number in range(300)]


def pack(archive, *contents):
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("README", "not a member that is read")
        for member, content in zip(MEMBERS.values(), contents, strict=False):
            file.writestr(member, content)
    return archive


def sides(pairs, end="\n"):
    return ["".join(text + end for text in side).encode() for side in zip(*pairs, strict=True)]


def draw(tmp_path, *contents, pairs=20, samples=2, letters="any", seed=1):
    """Return the samples as lists of pairs of texts, and the metadata."""
    drawn = tmp_path / "drawn.parquet"
    sample_pairs(pack(tmp_path / "demo.zip", *contents), drawn, MEMBERS, pairs, samples, letters, seed)
    rows = pq.read_table(drawn).to_pylist()
    assert [row["position"] for row in rows] == [*range(1, pairs + 1)] * samples
    found = [[(row["eng"], row["swe"]) for row in rows if row["sample"] == number + 1] for number in range(samples)]
    return found, read_metadata(drawn) | {"lines": [row["line"] for row in rows]}


def test_samples_are_aligned_and_share_no_line(tmp_path):
    found, metadata = draw(tmp_path, *sides(PAIRS), pairs=100, samples=3)
    assert sorted(metadata["lines"]) == list(range(1, 301))
    assert [PAIRS[line - 1] for line in metadata["lines"]] == [pair for sample in found for pair in sample]


def test_a_smaller_sample_is_the_beginning_of_a_larger_one(tmp_path):
    small, _ = draw(tmp_path, *sides(PAIRS), pairs=20)
    large, _ = draw(tmp_path, *sides(PAIRS), pairs=40)
    assert [sample[:20] for sample in large] == small


def test_only_the_seed_and_the_texts_decide_not_the_order_of_lines(tmp_path):
    found, _ = draw(tmp_path, *sides(PAIRS))
    shuffled = random.Random(7).sample(PAIRS, len(PAIRS))
    assert draw(tmp_path, *sides(shuffled))[0] == found
    assert draw(tmp_path, *sides(PAIRS), seed=2)[0] != found


def test_each_copy_of_a_pair_is_drawn_like_any_other_line(tmp_path):
    pairs = [("Yes.", "Ja.")] * 2000 + [(f"line {number}", f"rad {number}") for number in range(2000)]
    (found,), _ = draw(tmp_path, *sides(pairs), pairs=2000, samples=1)
    # Hypergeometric: mean 1000, standard deviation 16.
    assert 920 < found.count(("Yes.", "Ja.")) < 1080


def test_small_chunks_and_line_ends_change_nothing(tmp_path, monkeypatch):
    found, _ = draw(tmp_path, *sides(PAIRS))
    left, right = sides(PAIRS, end="\r\n")
    assert draw(tmp_path, b"\xef\xbb\xbf" + left, right.removesuffix(b"\r\n"))[0] == found
    monkeypatch.setattr(sampling, "CHUNK_BYTES", 100)
    assert draw(tmp_path, *sides(PAIRS))[0] == found


@pytest.mark.parametrize(("letters", "drawable", "without"), [("any", 3, [2, 3]), ("published", 1, [3, 5])])
def test_both_sides_need_a_letter(tmp_path, letters, drawable, without):
    pairs = [("a", "b"), ("так", "да"), ("ok", "ᐅ"), ("²½ 1", "②"), ("", "12"), ("c", "٣")]
    (found,), metadata = draw(tmp_path, *sides(pairs), pairs=drawable, samples=1, letters=letters)
    assert set(found) == set(pairs[:drawable])
    assert (metadata["read"], metadata["drawable"], metadata["drawn"]) == (6, drawable, drawable)
    assert list(metadata["without_letter"].values()) == without


@pytest.mark.parametrize(
    ("contents", "error", "said"),
    [
        ([b"a\nb\n", b"a\n"], InputError, "Demo.en-sv.en has 2 lines, Demo.en-sv.sv has 1"),
        ([b"", b"a\nb\nc\n"], InputError, "Demo.en-sv.en has 0 lines, Demo.en-sv.sv has 3"),
        ([b"a\nb\n", b"a\ncaf\xe9\n"], InputError, "demo.zip, member Demo.en-sv.sv, line 2: byte 4"),
        ([b"a\n1\n" * 30, b"a\nb\n" * 30], InputError, "30 pairs have a letter on both sides, but 2 samples"),
        ([b"a\n"], MissingResourceError, "has no member Demo.en-sv.sv"),
    ],
    ids=["second short", "first empty", "not UTF-8", "too few", "no member"],
)  # fmt: skip
def test_a_bad_archive_is_named_and_leaves_nothing(tmp_path, contents, error, said):
    with pytest.raises(error) as raised:
        draw(tmp_path, *contents)
    assert said in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["demo.zip"]


def test_a_damaged_archive_is_no_short_one(tmp_path):
    archive = pack(tmp_path / "demo.zip", *sides(PAIRS))
    content = archive.read_bytes()
    archive.write_bytes(content.replace(b"line 10\n", b"line 99\n"))
    with pytest.raises(FetchError, match=r"demo\.zip: "):
        sample_pairs(archive, tmp_path / "drawn.parquet", MEMBERS, 20, 2, "any", 1)


def test_both_sides_of_a_sample_become_a_corpus(tmp_path):
    found, _ = draw(tmp_path, *sides(PAIRS), pairs=3)
    rows = {}
    for lang in MEMBERS:
        select_language(tmp_path / "drawn.parquet", tmp_path / "texts.parquet", "demo_2", lang, 2)
        rows[lang] = pq.read_table(tmp_path / "texts.parquet").to_pylist()
        assert {row["lang"] for row in rows[lang]} == {lang}
    assert [tuple(row["text"] for row in sides) for sides in zip(*rows.values(), strict=True)] == found[1]
    assert [row["id"] for row in rows["eng"]] == ["demo_2/000001", "demo_2/000002", "demo_2/000003"]
    assert [row["id"] for row in rows["swe"]] == [row["id"] for row in rows["eng"]]
    assert read_metadata(tmp_path / "texts.parquet")["sample"] == 2
    with pytest.raises(InputError, match="has no sample 3"):
        select_language(tmp_path / "drawn.parquet", tmp_path / "none.parquet", "demo_3", "eng", 3)
