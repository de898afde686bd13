"""`compare --paired` pairs records by their own numbers: what one of two files lacks shifts no pair."""

import json

import pytest
from lexicons import NOUNS

import textparity
from textparity.errors import InputError

# No two alike, so that any shift of pairs is a difference.
TEXTS = [f"Item {n}: {'woman ' * (1 + n % 3)}{'man ' * (1 + n % 4)}" for n in range(60)]


def as_jsonl(texts):
    return "".join(json.dumps({"text": text}) + "\n" for text in texts).encode()


def as_array(texts):
    return json.dumps([{"text": text} for text in texts], indent=1).encode()


def as_csv(texts):
    return "".join(["text\n", *(f'"{text}"\n' for text in texts)]).encode()


def as_warc(texts, status="200 OK"):
    answers = [status if text is None else "200 OK" for text in texts]
    heads = [f"HTTP/1.1 {answer}\r\nContent-Type: text/html\r\n\r\n" for answer in answers]
    pages = [f"{head}{text}" for head, text in zip(heads, texts, strict=True)]
    head = "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n"
    return "".join(f"{head.format(len(page))}{page}\r\n\r\n" for page in pages).encode()


def without(number, value):
    return [value if place == number else text for place, text in enumerate(TEXTS)]


# Each beside the same file as it should be: what one record has become.
PAIRS = {
    "an empty list": ("a.jsonl", as_jsonl(TEXTS), as_jsonl(without(1, []))),
    "an empty list in an array": ("a.json", as_array(TEXTS), as_array(without(1, []))),
    "null": ("a.jsonl", as_jsonl(TEXTS), as_jsonl(without(1, None))),
    "a blank line": ("a.jsonl", as_jsonl(TEXTS), b"\n" + as_jsonl(TEXTS)),
    "a blank line and a record that is not valid": (
        "a.jsonl", as_jsonl(TEXTS), b"\n" + as_jsonl(TEXTS).replace(b'"Item 5: woman', b'"Item 5: woman"'),
    ),
    "a line that is not UTF-8": ("a.jsonl", as_jsonl(TEXTS), as_jsonl(TEXTS).replace(b"Item 5:", b"Item 5\xff:")),
    "a quoted newline": ("a.csv", as_csv(TEXTS), as_csv(TEXTS).replace(b"Item 2: ", b"Item 2:\n")),
    "a quoted newline and a record that is not valid": (
        "a.csv", as_csv(TEXTS), as_csv(TEXTS).replace(b"Item 2: ", b"Item 2:\n").replace(b'"Item 5:', b'"x","Item 5:'),
    ),
    "a page with status 404": ("a.warc", as_warc(TEXTS), as_warc(without(1, None), "404 Not Found")),
    "a line of text that is not UTF-8": (
        "a.txt", "\n".join(TEXTS).encode(), "\n".join(TEXTS).encode().replace(b"Item 5:", b"Item 5\xff:"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_no_pair_is_shifted(tmp_path, name):
    file, one, other = PAIRS[name]
    paths = []
    for folder, content in (("one", one), ("other", other)):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / file)
        paths[-1].write_bytes(content)
    result = textparity.compare_files(*paths, lang="eng", lexicon_folder=NOUNS, is_paired=True, skip_invalid=True)
    row = result.corpora[1].row
    assert (row["ratio"], row["ratio_low"], row["ratio_high"]) == (1, 1, 1)
    assert row["unpaired"] == 60 - result.corpora[1].audit.texts


def test_files_with_other_numbers_of_records_are_refused(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(as_jsonl(TEXTS))
    (tmp_path / "b.jsonl").write_bytes(as_jsonl([*TEXTS, []]))
    with pytest.raises(InputError, match=r"b.jsonl: has 61 texts, a.jsonl 60"):
        textparity.compare_files(
            tmp_path / "a.jsonl", tmp_path / "b.jsonl", lang="eng", lexicon_folder=NOUNS, is_paired=True
        )
