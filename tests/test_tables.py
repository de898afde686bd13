import pandas as pd
import pytest
from latex import compile_tables, needs_latex

from textparity.tables import Caption, Table, latex_table, write_csv, write_tables

# What LaTeX reads as commands, what its first encoding prints as other signs, and what would end a caption or a line.
SPECIAL = r"a_b%c&d#e$f{g}h~i^j\k|l<m>n"
HARMLESS = (
    r"a\_b\%c\&d\#e\$f\{g\}h\textasciitilde{}i\textasciicircum{}j\textbackslash{}k"
    r"\textbar{}l\textless{}m\textgreater{}n"
)


def write_table(path, frame, caption="Caption", **settings):
    """Write a frame as LaTeX, with a caption of these words."""
    captions = path.parent / "captions"
    captions.mkdir(parents=True, exist_ok=True)
    (captions / f"{path.stem}.rst").write_text(f"Title\n=====\n\n{caption or '.'}\n", "utf-8")
    write_tables([Table(path.stem, frame, **settings)], [path], captions.iterdir())
    return path


def test_a_table_prints_its_columns_under_their_headings_and_intervals_as_one(tmp_path):
    frame = pd.DataFrame({"lang": ["b"], "share": [0.5], "share_low": [0.25], "share_high": [0.75], "more": [1]})
    columns = {"lang": "Lang", "share": "%", "share_interval": "95 %"}
    path = write_table(tmp_path / "t.tex", frame, columns=columns, formats={"share": "{:.1f}"}, of="eng")
    assert [line for line in path.read_text().splitlines() if "&" in line] == [
        "Lang & \\% & 95 \\% \\\\", "b & 0.5 & 0.25–0.75 \\\\",
    ]  # fmt: skip
    assert "\\caption{Title (eng). Caption}" in path.read_text()
    write_tables([Table("t", frame, columns)], [tmp_path / "t.csv"], [])
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == ",".join(frame)


def test_a_caption_is_plain_text_without_the_marks_of_its_file(tmp_path):
    (tmp_path / "a.rst").write_text("Title\n=====\n\nOne `word`\nof two.\n\nA ``note``.\n", "utf-8")
    assert Caption.read(tmp_path / "a.rst") == Caption("Title", "One word of two.", "A note.")


def test_files_are_matched_with_tables_by_name(tmp_path):
    tables = [Table(name, pd.DataFrame({"a": [name]})) for name in ("rates", "corrected/rates", "not wanted")]
    files = [tmp_path / "tables" / f"{name}.csv" for name in ("corrected/rates", "published/rates")]
    write_tables(tables, files, [])
    assert [file.read_text().split() for file in files] == [["a", "corrected/rates"], ["a", "rates"]]
    with pytest.raises(ValueError, match="shares"):
        write_tables(tables, [tmp_path / "shares.csv"], [])


def test_latex_ranks_the_classes(tmp_path):
    frame = pd.DataFrame({"Lang": ["b", "c", "d"], "F": [0.3, 0.2, 0.0], "M": [0.1, 0.2, 0.0], "U": [0.2, 0.1, None]})
    path = write_table(tmp_path / "t.tex", frame, formats=dict.fromkeys("FMU", "{:.2f}"), ranked=["F", "M", "U"])
    assert [line for line in path.read_text().splitlines() if "&" in line] == [
        "Lang & F & M & U \\\\",
        "b & \\textbf{0.30} & 0.10 & \\underline{0.20} \\\\",
        "c & \\textbf{0.20} & \\textbf{0.20} & \\underline{0.10} \\\\",
        "d & 0.00 & 0.00 & -- \\\\",
    ]


@pytest.mark.parametrize("place", ["caption", "head", "upper head", "cell", "format"])
def test_every_text_of_a_latex_table_is_escaped(tmp_path, place):
    head = SPECIAL if place == "head" else ("x", SPECIAL) if place == "upper head" else "head"
    columns = pd.MultiIndex.from_tuples([head[::-1], (SPECIAL, "y")]) if place == "upper head" else [head, "other"]
    frame = pd.DataFrame([[SPECIAL if place == "cell" else "v", 1]], columns=columns)
    path = write_table(
        tmp_path / "t.tex",
        frame,
        caption=SPECIAL if place == "caption" else "caption",
        formats={"other": lambda number: SPECIAL} if place == "format" else {},
    )
    text = path.read_text("utf-8")
    assert HARMLESS in text
    assert SPECIAL not in text


def test_neighbours_that_are_alike_share_a_head(tmp_path):
    frame = pd.DataFrame([[1, 2, 3]], columns=pd.MultiIndex.from_tuples([("", "a"), ("b_c", "d"), ("b_c", "e")]))
    heads = [line for line in write_table(tmp_path / "t.tex", frame).read_text().splitlines() if "&" in line][:2]
    assert heads == [r" & \multicolumn{2}{c}{b\_c} \\", r"a & d & e \\"]


def test_a_wide_table_is_turned_and_a_long_one_goes_on(tmp_path):
    narrow = pd.DataFrame({"word": ["w" * 40] * 61})
    wide = pd.DataFrame({f"column {number}": ["w" * 20] * 37 for number in range(10)})
    texts = [write_table(tmp_path / "t.tex", frame).read_text() for frame in (narrow[:60], narrow, wide[:36], wide)]
    assert [(text.count("{table}[tp]"), text.count("begin{sidewaystable}")) for text in texts] == [
        (1, 0), (2, 0), (0, 1), (0, 2),
    ]  # fmt: skip
    # Each row stands once, and each part has a name of its own.
    assert [text.count(" \\\\\n") for text in texts] == [61, 63, 37, 39]
    assert "(part 2 of 2)}\n\\label{tab:t-2}" in texts[1]


def test_labels_are_of_the_path_so_that_tables_of_two_corpora_differ(tmp_path):
    frame = pd.DataFrame({"a": [1]})
    for corpus in ("gnad", "cc_main"):
        path = tmp_path / "results" / "newsroom" / "tables" / corpus / "flags.tex"
        assert f"\\label{{tab:newsroom-{corpus}-flags}}\n" in write_table(path, frame).read_text()


@needs_latex
@pytest.mark.parametrize(
    "text",
    [SPECIAL, "[1.0, 2.0]", "*", "one\n\ntwo", "a\tb\x0c\u200b", "Ærø, łódź, ğ, ŋ, ± × − ∞ ≥ § → – “a” …", ""],
)
def test_a_table_of_any_text_compiles(tmp_path, text):
    frame = pd.DataFrame({text: [text, text], "b": [1.5, None]})
    path = write_table(tmp_path / "frame.tex", frame, caption=text)
    without_pandas = tmp_path / "rows.tex"
    without_pandas.write_text(latex_table([text], [[text]], "l", text, f"tab:{text}"), "utf-8")
    assert compile_tables([path, without_pandas], tmp_path) == []


def test_csv_is_the_same_to_the_byte(tmp_path):
    write_csv(pd.DataFrame({"a": [0.1 + 0.2, None], "b": ["x", "y"]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b"a,b\n0.3,x\n,y\n"
