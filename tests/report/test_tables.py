import pandas as pd

from textparity.report.tables import write_csv, write_latex


def test_latex_ranks_the_classes_and_escapes_text(tmp_path):
    frame = pd.DataFrame({"Lang": ["a_b", "c", "d"], "F": [0.3, 0.2, 0.0], "M": [0.1, 0.2, 0.0], "U": [0.2, 0.1, 0.0]})
    write_latex(
        frame, tmp_path / "t.tex", "Shares (50\\%)", "tab:t", dict.fromkeys("FMU", "{:.2f}"), ranked=["F", "M", "U"]
    )
    rows = [line for line in (tmp_path / "t.tex").read_text().splitlines() if "&" in line]
    assert rows == [
        "Lang & F & M & U \\\\",
        "a\\_b & \\textbf{0.30} & 0.10 & \\underline{0.20} \\\\",
        "c & \\textbf{0.20} & \\textbf{0.20} & \\underline{0.10} \\\\",
        "d & 0.00 & 0.00 & 0.00 \\\\",
    ]


def test_csv_is_the_same_to_the_byte(tmp_path):
    write_csv(pd.DataFrame({"a": [0.1 + 0.2, None], "b": ["x", "y"]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b"a,b\n0.3,x\n,y\n"
