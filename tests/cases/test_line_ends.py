"""Files that go line by line keep step, whatever characters stand within the lines or before the first of them."""

import pytest
from lexicons import NOUNS

from textparity.auditing.audit import audit_files
from textparity.corpora.reading import read_corpus, read_rows
from textparity.files import split_lines

NAMES = ["doc0", "doc0", "doc1", "doc2", "doc2", "doc3"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("inside", [" ", "\x85", "\u2028", "\x0b", "\x1c"])
def test_names_of_documents_keep_step_with_the_lines(tmp_path, end, mark, inside):
    texts, names = tmp_path / "texts.txt", tmp_path / "names.txt"
    texts.write_text("".join(f"A woman{inside}a man.{end}" for _ in NAMES), "utf-8", newline="")
    names.write_text(mark + "".join(f"{name}{inside}x{end}" for name in NAMES), "utf-8", newline="")
    (found,) = audit_files([texts], "eng", documents=names, lexicon_folder=NOUNS)
    assert (found.texts, found.matches["feminine"], found.matches["masculine"]) == (4, 6, 6)
    rows = tmp_path / "rows.parquet"
    read_corpus(texts, rows, "demo", "eng", document_ids=names)
    assert read_rows(rows)["doc_id"].to_pylist() == [f"{name}{inside}x" for name in NAMES]


def test_a_file_without_a_line_feed_has_lines_by_its_carriage_returns():
    assert split_lines("one\rtwo\r") == ["one", "two"]
    assert split_lines("one\rone\ntwo") == ["one\rone", "two"]
    assert split_lines("") == []
    assert split_lines("\n") == [""]
