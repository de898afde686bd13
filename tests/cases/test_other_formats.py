"""What is no running text is named with what to do, whatever the file is called; running text is not doubted."""

import gzip
import io
import zipfile

import pytest
from lexicons import NOUNS, WITH_NOUNS

from textparity.auditing import reading
from textparity.auditing.audit import audit_files
from textparity.command import main
from textparity.errors import InputError

ROW = "1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\twoman\twoman\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
CUE = "00:00:01,000 --> 00:00:02,500\nThe woman met a man.\n\n"
FORMATS = {
    "HTML": "<!DOCTYPE html>\n<html><body><p>The woman.</p></body></html>\n",
    "HTML, after a declaration": '<?xml version="1.0"?>\n<!-- made by x -->\n<html><p>The woman.</p></html>\n',
    "HTML, of pieces": "The <b>woman</b> and <i>the man</i>.<br>\n" * 3,
    "TEI": '<TEI><text>\n<p who="woman">The woman.</p></text></TEI>\n',
    "TEI, after its model": '<?xml version="1.0"?>\n<?xml-model href="x"?>\n<TEI xmlns="x"><teiHeader/></TEI>\n',
    "a dump of MediaWiki": '<mediawiki xml:lang="en">\n<page><title>Woman</title></page>\n</mediawiki>\n',
    "XML": '<?xml version="1.0"?>\n<article><sec>The woman.</sec></article>\n',
    "XML, without a declaration": "<text>\n<s>The woman.</s>\n<s>The man.</s>\n</text>\n",
    "CoNLL-U": f"# sent_id = 1\n# text = The woman\n{ROW}",
    "CoNLL-U, without comments": ROW,
    "words with tags (CoNLL)": "The O\nwoman B-PER\nmet O\nAnn B-PER\n",
    "subtitles (SRT)": f"1\n{CUE}2\n{CUE}",
    "subtitles (WebVTT)": f"WEBVTT\n\n{CUE.replace(',', '.')}",
    "mails (mbox)": "From a@b.org Thu Jan  1 00:00:00 2026\nSubject: A woman\n\nThe man.\n",
    "WARC": "WARC/1.0\r\nWARC-Type: response\r\n",
    "LaTeX": "\\documentclass{article}\n\\begin{document}The woman.\\end{document}\n",
}
RUNNING = [
    "The woman met a man.\nA man left.\n",
    "# A title\n\nText of a *woman*, 1 < 2 and 3 > 2. <unk>\n",
    "<b>A woman</b> left.\n",
    "1\n2\n3\n",
    "woman\tman\nA woman\tA man\n",
    "From A to B, a woman.\n",
    "A woman --> a man\n",
    "O\nO\n",
]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_the_first_lines_give_a_format_away(tmp_path, name, start):
    path = tmp_path / "a.txt"
    path.write_text(start + FORMATS[name], "utf-8", newline="")
    (doubt, *_) = audit_files([path], "eng", lexicon_folder=NOUNS).warnings
    what = name.partition(", ")[0]
    assert f"a.txt: its first lines look like {what}, so its markup is counted, too; " in doubt


@pytest.mark.parametrize("unit", ["paragraph", "document"])
@pytest.mark.parametrize("name", ["TEI", "CoNLL-U", "subtitles (SRT)"])
def test_lines_that_are_joined_give_it_away_as_well(tmp_path, name, unit):
    path = tmp_path / "a.txt"
    path.write_text(FORMATS[name], "utf-8")
    assert f"look like {name}" in audit_files([path], "eng", lexicon_folder=NOUNS, text_unit=unit).warnings[0]


def test_tags_that_are_taken_out_are_not_doubted(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(FORMATS["HTML"], "utf-8")
    assert not audit_files([path], "eng", lexicon_folder=NOUNS, strip_html=True).warnings


@pytest.mark.parametrize("text", RUNNING)
def test_running_text_is_not_doubted(tmp_path, text):
    path = tmp_path / "a.txt"
    path.write_text(text, "utf-8")
    assert not [doubt for doubt in audit_files([path], "eng", lexicon_folder=NOUNS).warnings if "look like" in doubt]


def zipped(*names, content=""):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return packed.getvalue()


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
NO_TEXT = [
    (POINTER, "is a Git LFS pointer, .* git lfs pull"),
    (b"/annex/objects/SHA256E-s1--4d7a.txt\n", "is a pointer of git-annex, .* git annex get"),
    (b"%PDF-1.7\nThe woman\n", "is PDF, .* pdftotext"),
    (b"filedesc://a.arc 0.0.0.0 20060101000000 text/plain 76\n1 0 x\n", "is an ARC file"),
    (b"{\\rtf1 The woman}\n", "is RTF, .* pandoc"),
    (zipped("[Content_Types].xml", "word/document.xml"), "is a document of Office .* pandoc .* CSV"),
    (zipped("mimetype", content="application/epub+zip"), "is EPUB, .* pandoc"),
    (zipped("mimetype", content="application/vnd.oasis.opendocument.text"), "is a document of OpenOffice .* pandoc"),
    (zipped("mimetype", content="application/vnd.oasis.opendocument.spreadsheet"), "is a sheet of .* save .* as CSV"),
    (zipped("a.txt"), "is a ZIP archive"),
    (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500), "is a document of an old Office .* soffice"),
    (b"ARROW1\0\0" + bytes(50), "is Arrow .* write it as Parquet"),
    (b"7z\xbc\xaf\x27\x1c" + bytes(50), "is a 7z archive"),
]


@pytest.mark.parametrize("ending", ["txt", "jsonl", "csv", "parquet", "html", "warc", "txt.gz"])
@pytest.mark.parametrize(("content", "said"), NO_TEXT)
def test_what_cannot_be_text_is_an_error(tmp_path, ending, content, said):
    path = tmp_path / f"a.{ending}"
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    with pytest.raises(InputError, match=said):
        audit_files([path], "eng", lexicon_folder=NOUNS)


def test_a_pointer_that_is_left_out_is_named(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes(POINTER)
    (tmp_path / "b.txt").write_text("A woman.\n", "utf-8")
    assert main(["audit", str(tmp_path), "--lang", "eng", "--on-error", "skip", *WITH_NOUNS]) == 3
    assert "a.txt: is a Git LFS pointer" in capsys.readouterr().err


@pytest.mark.parametrize("longest", [reading.LONGEST_LINE, 2 * reading.PORTION_SIZE])
@pytest.mark.parametrize("last", ["", "\r"])
def test_a_file_whose_lines_end_in_carriage_returns_has_lines(tmp_path, monkeypatch, longest, last):
    monkeypatch.setattr(reading, "LONGEST_LINE", longest)
    path = tmp_path / "a.txt"
    # More than the limit of a line, as the whole file would be one.
    lines = ["A woman."] * (400_000 if longest < reading.PORTION_SIZE * 3 else 3)
    path.write_text("\r".join(lines) + last, "utf-8", newline="")
    (found,) = audit_files([path], "eng", lexicon_folder=NOUNS)
    assert (found.texts, found.matches["feminine"]) == (len(lines), len(lines))
    path = tmp_path / "a.csv"
    path.write_text("text\rA woman.\rA man." + last, "utf-8", newline="")
    (found,) = audit_files([path], "eng", lexicon_folder=NOUNS)
    assert found.texts == 2
