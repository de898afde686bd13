"""Names that stand twice, and values that Python cannot hold, are named: the last one is never taken silently."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS

from textparity.auditing.audit import audit_files
from textparity.command import main
from textparity.errors import InputError

WOMAN, MAN = ["A woman."] * 3, ["A man."] * 3


def write_parquet(path, columns):
    arrays = [pa.array(values) if isinstance(values, list) else values for _, values in columns]
    pq.write_table(pa.table(arrays, names=[name for name, _ in columns]), path)


def struct(**fields):
    return pa.StructArray.from_arrays([pa.array(WOMAN)] * len(fields), names=list(fields.values()))


@pytest.mark.parametrize(
    ("columns", "field", "settings", "said"),
    [
        ([("text", WOMAN), ("text", MAN)], None, {}, "has the column text more than once"),
        ([("text", WOMAN), ("g", WOMAN), ("g", MAN)], None, {"group_by": "g"}, "has the column g more than once"),
        ([("text", WOMAN), ("g", WOMAN), ("g", MAN)], None, {"lang_field": "g"}, "has the column g more than once"),
        ([("a", struct(one="x", two="x"))], "a.x", {}, "has the field x of the column a more than once"),
    ],
)
def test_names_of_parquet_that_stand_twice(tmp_path, columns, field, settings, said):
    path = tmp_path / "a.parquet"
    write_parquet(path, columns)
    with pytest.raises(InputError, match=said):
        audit_files([path], None if "lang_field" in settings else "eng", field, lexicon_folder=NOUNS, **settings)


def test_a_name_that_stands_twice_and_is_not_asked_for_is_no_error(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(path, [("text", WOMAN), ("g", WOMAN), ("g", MAN)])
    (found,) = audit_files([path], "eng", lexicon_folder=NOUNS)
    assert found.matches["feminine"] == 3
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "A woman.", "id": 1, "id": 2}\n', "utf-8")
    (found,) = audit_files([path], "eng", lexicon_folder=NOUNS)
    assert found.matches["feminine"] == 1


@pytest.mark.parametrize("ending", ["jsonl", "json"])
@pytest.mark.parametrize(
    ("record", "field", "settings", "said"),
    [
        ('{"text": "A woman.", "text": "A man."}', None, {}, "has the field text more than once"),
        ('{"a": {"b": "A woman.", "b": "A man."}}', "a.b", {}, "has the field b more than once"),
        ('{"a": {"b": "A woman."}, "a": {"b": "A man."}}', "a.b", {}, "has the field a more than once"),
        ('{"text": "A man.", "g": 1, "g": 2}', None, {"group_by": "g"}, "has the field g more than once"),
        ('{"text": "A man.", "g": "eng", "g": "deu"}', None, {"lang_field": "g"}, "has the field g more than once"),
    ],
)
def test_keys_of_json_that_stand_twice(tmp_path, ending, record, field, settings, said):
    path = tmp_path / f"a.{ending}"
    path.write_text(f"[\n{record}\n]" if ending == "json" else record, "utf-8")
    with pytest.raises(InputError, match=f"(record|line) 1: {said}"):
        audit_files([path], None if "lang_field" in settings else "eng", field, lexicon_folder=NOUNS, **settings)


@pytest.mark.parametrize("kind", [pa.timestamp("us"), pa.date32(), pa.duration("s")])
def test_a_value_beyond_the_calendar_is_named_and_the_others_are_read(tmp_path, capsys, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    beyond = 2**31 - 1 if kind == pa.date32() else 2**61
    dates = pa.array([0, beyond, 0], pa.int32() if kind == pa.date32() else pa.int64()).cast(kind)
    write_parquet(tmp_path / "a.parquet", [("text", WOMAN), ("d", dates)])
    command = ["audit", "a.parquet", "--lang", "eng", "--group-by", "d", "--lexicon-folder", str(NOUNS)]
    assert main(command) == 2
    assert f"a.parquet, record 2: the column d ({kind}) has a value out of range" in capsys.readouterr().err
    main([*command, "--on-error", "skip"])
    assert "1 text: not valid" in capsys.readouterr().out
