"""A corpus of short articles, and a sample of it that is drawn as a user draws it."""

import json

import pytest

from textparity.checking.samples import TextSample
from textparity.command import main

# A fifth of the articles are of each kind. The method words takes the bride of science for a woman, and does not know
# that the chair is one.
ARTICLES = (
    "The queen spoke to the king. She smiled.",
    "A man and his brother met the chair, and she laughed.",
    "The bride of science is silence, he said.",
    "Mr Smith thanked his father.",
    "It rained all day in the valley.",
)


@pytest.fixture
def corpus(tmp_path):
    """Fifty articles of two outlets, as JSON lines."""
    path = tmp_path / "articles.jsonl"
    with path.open("w") as file:
        for number in range(50):
            outlet = "north" if number < 30 else "south"
            print(json.dumps({"text": ARTICLES[number % 5], "outlet": outlet}), file=file)
    return path


@pytest.fixture
def draw(corpus, tmp_path, capsys):
    """Draw a sample of the corpus into a new folder."""

    def draw(*options, name="check"):
        folder = tmp_path / name
        assert main(["check", "draw", str(corpus), "--lang", "eng", "--output", str(folder), *options]) == 0
        capsys.readouterr()
        return TextSample.read(folder)

    return draw


@pytest.fixture
def read_all():
    """Judge all texts of a sample by the page's lines, with some corrections."""

    def read_all(sample, texts=None):
        lines = []
        for text in sample.texts[:texts]:
            for found in text.found:
                if found.words == "bride":
                    lines.append({"text": text.number, "found": found.number, "judgement": "wrong"})
            start = text.text.find("the chair")
            if start >= 0:
                lines.append(
                    {"text": text.number, "missed": 1, "judgement": "feminine", "start": start, "end": start + 9}
                )
            lines.append({"text": text.number, "read": True})
        log = "".join(f"{json.dumps(line)}\n" for line in lines)
        (sample.folder / "judgements.jsonl").write_text(log)
        return sample.folder

    return read_all
