import pandas as pd
import pytest
from latex import compile_tables, needs_latex

from textparity.tables import latex_table, write_csv, write_latex

# What LaTeX reads as commands, what its first encoding prints as other signs, and what would end a caption or a line.
SPECIAL = r"a_b%c&d#e$f{g}h~i^j\k|l<m>n"
HARMLESS = (
    r"a\_b\%c\&d\#e\$f\{g\}h\textasciitilde{}i\textasciicircum{}j\textbackslash{}k"
    r"\textbar{}l\textless{}m\textgreater{}n"
)


def write_table(path, frame, caption="Caption", **settings):
    write_latex(frame, path, caption, **settings)
    return path


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
        formats={"other": lambda number: SPECIAL} if place == "format" else None,
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
