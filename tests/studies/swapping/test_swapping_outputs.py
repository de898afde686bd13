import csv

import pytest

from textparity.errors import InputError
from textparity_studies.swapping.outputs import load_outputs, read_outputs

COLUMNS = {"input": "вхід", "reference": "ціль", "output": "модель", "round_trip": ""}
HEADER = "item,kind,input,reference,output,round_trip\n"


def read(tmp_path, text, columns=COLUMNS):
    (tmp_path / "recorded.csv").write_text(text, encoding="utf-8")
    read_outputs(tmp_path / "recorded.csv", tmp_path / "outputs.csv", columns)
    return load_outputs(tmp_path / "outputs.csv").to_dict("records")


def test_a_recorded_set_becomes_rows_and_keeps_blank_outputs(tmp_path):
    text = 'ціль,вхід,модель\nлікарка,лікар,лікарка\n"Вона, лікарка.\n","Він, лікар.",\nnull,NA,nan\n'
    first, second, third = read(tmp_path, text)
    assert first == {
        "item": "1", "kind": "word", "input": "лікар", "reference": "лікарка", "output": "лікарка", "round_trip": "",
    }  # fmt: skip
    assert (second["kind"], second["reference"], second["output"]) == ("sentence", "Вона, лікарка.\n", "")
    # Words, not missing values.
    assert (third["input"], third["reference"], third["output"]) == ("NA", "null", "nan")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("вхід,ціль\nлікар,лікарка\n", r"recorded\.csv: .*модель"),
        ("вхід,ціль,модель\n", r"recorded\.csv: has no rows"),
        ("", r"recorded\.csv: "),
        ("вхід,ціль,модель\nлікар,лікарка,x\nкухар, ,x\n", r"recorded\.csv, row 2: the reference is blank"),
    ],
)
def test_a_recorded_set_that_cannot_be_scored_is_named_with_its_row(tmp_path, text, said):
    with pytest.raises(InputError, match=said):
        read(tmp_path, text)
    assert not (tmp_path / "outputs.csv").exists()


def test_a_file_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "recorded.csv").write_bytes("вхід,ціль,модель\n".encode("cp1251"))
    with pytest.raises(InputError, match=r"recorded\.csv: not UTF-8"):
        read_outputs(tmp_path / "recorded.csv", tmp_path / "outputs.csv", COLUMNS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEADER.replace("round_trip", "back") + "1,word,a,b,c,\n", "column round_trip"),
        (HEADER + "1,word,a,b,c,\n2,text,a,b,c,\n", "row 2: kind 'text' is neither word nor sentence"),
        (HEADER + "1,word,,b,c,\n", "row 1: the input is blank"),
    ],
)
def test_a_set_made_elsewhere_must_have_the_one_form(tmp_path, text, said):
    (tmp_path / "made.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        load_outputs(tmp_path / "made.csv")


def test_the_rows_can_be_read_by_any_csv_reader(tmp_path):
    read(tmp_path, 'вхід,ціль,модель\n"Перший, рядок","а ""б""",в\n')
    with (tmp_path / "outputs.csv").open(encoding="utf-8", newline="") as file:
        assert [row["reference"] for row in csv.DictReader(file)] == ['а "б"']
