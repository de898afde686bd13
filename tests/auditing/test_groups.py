"""Groups by a field of the records: their names, numbers, order and bound, in parts and processes, and on the page."""

import datetime as dt
import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing import tallying
from textparity.auditing.groups import GroupField, group_of, value_name
from textparity.auditing.row_statistics import GroupDifference
from textparity.auditing.showing.charts import draw_charts
from textparity.command import main
from textparity.errors import ConfigError, InputError

COUNTED = ["--lang", "eng", *WITH_NOUNS]
SAID = ["The woman met her mother.", "The man met his father.", "A man and a woman came.", "Nobody came at all."]


def write(name, records):
    Path(name).write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")


def some_records(number, seed=1, outlets=("post", "times", "sun")):
    chosen = random.Random(seed)
    return [
        {"text": " ".join(chosen.choices(SAID, k=chosen.randint(1, 3))), "of": {"outlet": chosen.choice(outlets)},
         "date": f"201{chosen.randint(5, 8)}-0{chosen.randint(1, 9)}-11"}
        for _ in range(number)
    ]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("a.jsonl", some_records(300))
    write("b.jsonl", some_records(200, seed=2))
    return tmp_path


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "(none)"), (" ", "(none)"), (float("nan"), "(none)"), (7, "7"), (True, "True"), (2019.0, "2019"),
        ("2019.0", "2019"), (" a  b\n", '" a  b\\n"'), ("\x1b", "\\x1b"), (" 2019-05-31", "2019-05"),
        (-0.0, "-0.0"), (0.0, "0.0"), ("1", "1"), (1, "1"),
        ("2019-13-01", "2019-13-01"), ("2019-05-31T10:00:00Z", "2019-05"), (dt.date(2019, 5, 31), "2019-05"),
        ("26.11.2019", "26.11.2019"),
        (dt.datetime(2019, 5, 31, 9), "2019-05"),
    ],
)  # fmt: skip
def test_a_group_is_called_by_its_value_and_a_date_by_its_month(value, name):
    assert value_name(value) == name


def test_a_form_of_dates_applies_to_the_whole_value_and_to_texts_alone():
    named = {
        "2019-03-05": "2019-05", "2019-25-05": "2019-05", "2019": "2019",
        # These are not in the form, so they are no dates.
        "2019-03-31": '"2019-03-31"', "2019-05": '"2019-05"', "2019-03-05T10:00": '"2019-03-05T10:00"',
        dt.date(2019, 3, 5): "2019-03",
    }  # fmt: skip
    assert {value: value_name(value, date_format="%Y-%d-%m") for value in named} == named


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://www./a", "www."), ("http://www.post.org/a", "post.org"), ("http://(none)/", '"(none)"'),
        ("(none)", '"(none)"'), ("http://2019-05/", '"2019-05"'), ("http://[", "http://["), (None, "(none)"),
    ],
)  # fmt: skip
def test_a_domain_is_never_taken_for_another_group(url, name):
    assert value_name(url, is_url=True) == name


@pytest.mark.parametrize(
    ("dates", "groups"),
    [
        (["26.11.2019", "1. 5. 2019, 9:30", "02.05.2019"], ["2019-05", "2019-11"]),
        (["26.11.2019", "1.5.2018", None], ["2018", "2019", "(none)"]),
        # In one of them, the month is first.
        (["5.1.2019", "11.26.2019"], ["11.26.2019", "5.1.2019"]),
    ],
)
def test_dates_with_the_day_first_are_read_if_every_value_is_one(dates, groups):
    write("c.jsonl", [{"text": "The woman came.", "on": date} for date in dates])
    found = textparity.audit_files(["c.jsonl"], "eng", lexicon_folder=NOUNS, group_by="on")
    assert [row.group for row in found.groups] == groups
    assert bool(found.warnings) == (groups[0] == "11.26.2019")


def test_dates_in_another_form_are_hinted_at_and_read(capsys):
    records = [{"text": "The woman came.", "on": f"{day}/0{month}/2019"} for day in (11, 26) for month in (4, 5)]
    write("c.jsonl", records * 5)
    arguments = ["audit", "c.jsonl", "--group-by", "on", *COUNTED]
    assert main(arguments) == 0
    assert "the values of on look like dates, such as '11/04/2019'; to group by" in capsys.readouterr().out.replace(
        "\n", " "
    )
    assert main([*arguments, "--date-format", "%d/%m/%Y", "--write", "json=-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["group"] for row in found["rows"] if row["group"]] == ["2019-04", "2019-05"]
    assert "dates %25d/%25m/%25Y" in found["rows"][0]["signature"]
    for wrong in (["--date-format", "%d"], ["--date-format", "%Y-%m", "--group-by", ""]):
        assert main([*arguments, *wrong]) == 2
    capsys.readouterr()


def test_a_group_may_be_the_domain_of_a_url():
    urls = ["https://www.post.org/a", "http://post.org:80/b?c", "HTTPS://Sun.net", "no url", "http://[", None]
    write("c.jsonl", [{"text": "The woman came.", "url": url} for url in urls])
    pq.write_table(pa.table({"text": ["The woman came."], "url": ["https://post.org/"]}), "c.parquet")
    for name, groups in {
        "c.jsonl": ["post.org", "http://[", "no url", "sun.net", "(none)"],
        "c.parquet": ["post.org"],
    }.items():
        found = textparity.audit_files([name], "eng", lexicon_folder=NOUNS, group_by="url:domain")
        assert [row.group for row in found.groups] == groups


def test_a_group_may_be_within_a_field_but_is_one_value():
    record = {"a": {"b": "x", "c": None}, "a.d": "y", "e": ["z"]}
    groups = [group_of(record, [GroupField(field)], "") for field in ("a.b", "a.d", "a.c", "a.x.y")]
    assert groups == ["x", "y", "(none)", "(none)"]
    for field, kind in {"e": "list", "a": "dict", "a.b.c": "str"}.items():
        with pytest.raises(InputError, match=f"line 1: field {field} is {kind}, not a single value"):
            group_of(record, [GroupField(field)], "line 1")


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_group_has_the_numbers_of_an_audit_of_its_texts_alone(monkeypatch, jobs):
    monkeypatch.setattr("textparity.auditing.reading.PORTION_TEXTS", 40)
    grouped = textparity.audit_files(
        ["a.jsonl", "b.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of.outlet", jobs=jobs
    )
    whole = textparity.audit_files(["a.jsonl", "b.jsonl"], "eng", lexicon_folder=NOUNS)
    names = ("texts", "matched_texts", "words", "feminine", "masculine", "gap", "coverage_percent", "p_value")
    records = some_records(300) + some_records(200, seed=2)
    for group in grouped.groups:
        write("c.jsonl", [record for record in records if record["of"]["outlet"] == group.group])
        (alone,) = textparity.audit_files(["c.jsonl"], "eng", lexicon_folder=NOUNS)
        by_group, by_itself = group.statistics.columns(), alone.statistics.columns()
        assert {name: by_group[name] for name in names} == {name: by_itself[name] for name in names}
        # Drawn anew, of the same distribution.
        assert group.masculine_per_feminine.high == pytest.approx(alone.masculine_per_feminine.high, rel=0.1)
        assert group.masculine_per_feminine.low < group.masculine_per_feminine.value
    assert sorted(group.group for group in grouped.groups) == ["post", "sun", "times"]
    # Nothing else moves, and verdicts of groups are a family of their own.
    frame = grouped.to_frame()
    rest = frame[frame.group == ""].drop(columns=["group", "signature", *GroupDifference().columns()])
    pd.testing.assert_frame_equal(rest, whole.to_frame().drop(columns="signature"))
    assert grouped["eng"].examples == whole["eng"].examples
    tests = [group.statistics.test for group in grouped.groups]
    assert max(test.p_value_holm / test.p_value for test in tests) > 2


def test_groups_are_those_of_each_language_and_file_and_say_what_was_found_out():
    english, spanish = "The woman and the man came home on Monday.", "La mujer y el hombre llegaron a casa el lunes."
    write("c.jsonl", [{"text": text, "x": group} for text in (english, spanish) for group in "aab"])
    result = textparity.audit_files(["c.jsonl"], lexicon_folder=NOUNS, group_by="x")
    found = {(item.lang, item.group): (item.texts, item.detected) for item in result.groups}
    assert found == {("eng", "a"): (2, 2), ("eng", "b"): (1, 1), ("spa", "a"): (2, 2), ("spa", "b"): (1, 1)}
    assert all(0.5 < item.mean_certainty <= 1 and item.verdict == "too few" for item in result.groups)
    split = textparity.audit_files(
        ["a.jsonl", "b.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of.outlet", per_file=True
    )
    assert len(split.groups) == 6 and {item.corpus for item in split.groups} == {"a.jsonl", "b.jsonl"}


def test_small_groups_are_together_and_texts_without_one_are_counted():
    records = [
        {"text": "A man.", "x": name} for name, times in zip("abcd", (4, 3, 2, 1), strict=True) for _ in range(times)
    ]
    write("c.jsonl", [*records, {"text": "A man."}, {"text": "A man.", "x": None}])
    result = textparity.audit_files(["c.jsonl"], "eng", lexicon_folder=NOUNS, group_by="x", max_groups=2)
    assert [(item.group, item.texts) for item in result.groups] == [("a", 4), ("b", 3), ("(other)", 3), ("(none)", 2)]
    assert sum(item.texts for item in result.groups) == result.texts == 12
    assert "(other): 2 groups with fewer texts." in result.to_text()


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        (["2019-05-01", "2018-05-01", "2019-06-01"], ["2018", "2019"]),
        (["2019-06-01", "2019-05-01", "2019-05-02"], ["2019-05", "2019-06"]),
        (["2019-06-01", 2019], ["2019"]),
        ([2019, 2018, 2018], ["2018", "2019"]),
        (["2019-06-01", "soon", "soon"], ["soon", "2019-06"]),
        ([*["2018-05-01", "2019-06-01"] * 6, "n.d.", None], ["2018", "2019", "(no date)", "(none)"]),
    ],
)
def test_years_and_months_are_in_the_order_of_time(values, groups):
    write("c.jsonl", [{"text": "A man.", "when": value} for value in values])
    result = textparity.audit_files(["c.jsonl"], "eng", lexicon_folder=NOUNS, group_by="when")
    assert [item.group for item in result.groups] == groups
    assert result.groups_in_time == ("soon" not in groups)
    few = textparity.audit_files(["c.jsonl"], "eng", lexicon_folder=NOUNS, group_by="when", max_groups=1)
    assert few.groups_in_time == result.groups_in_time
    assert few.to_html().count("<svg") == few.groups_in_time


@pytest.mark.parametrize("kinds", [1000, 3])
def test_merged_parts_have_the_groups_of_one_audit(monkeypatch, kinds):
    # With so few, kinds go while a file is counted.
    monkeypatch.setattr(tallying, "KINDS_OF_GROUP", kinds)
    grouped = [*COUNTED, "--group-by", "date", "--quiet"]
    assert main(["audit", "a.jsonl", "b.jsonl", *grouped, "--max-groups", "2", "--write", "whole"]) == 0
    Path("parts").mkdir()
    for name in "ab":
        assert main(["audit", f"{name}.jsonl", *grouped, "--write", f"part=parts/{name}.parquet"]) == 0
    assert main(["merge", "parts", "--max-groups", "2", "--write", "merged", "--quiet"]) == 0
    whole, merged = ({path.name: path.read_bytes() for path in Path(name).iterdir()} for name in ("whole", "merged"))
    assert merged == whole
    assert pd.read_csv("whole/audit.csv")["group"].tolist()[1:] == ["2016", "2018", "(other)"]
    assert main(["audit", "b.jsonl", *COUNTED, "--write", "part=parts/b.parquet", "--quiet"]) == 0
    assert main(["merge", "parts"]) == 2


def test_equal_values_stay_apart_in_any_order_of_files_jobs_and_parts(monkeypatch):
    zero, minus = [{"text": "The man came.", "g": 0.0}] * 3, [{"text": "The woman came.", "g": -0.0}] * 2
    write("zero.jsonl", zero + minus)
    write("minus.jsonl", minus + zero)
    instant = dt.datetime(2023, 12, 31, 23, 30, tzinfo=dt.UTC)
    for name, zone, text in (("utc", "UTC", "The man came."), ("berlin", "Europe/Berlin", "The woman came.")):
        column = pa.array([instant] * 3, pa.timestamp("us", zone))
        pq.write_table(pa.table({"text": [text] * 3, "g": column}), f"{name}.parquet")
    # Texts of two portions are counted in two processes.
    monkeypatch.setattr("textparity.auditing.reading.PORTION_TEXTS", 2)
    for files, groups in {
        ("zero.jsonl", "minus.jsonl"): [("0.0", 0, 6), ("-0.0", 4, 0)],
        ("utc.parquet", "berlin.parquet"): [("2023", 0, 3), ("2024", 3, 0)],
    }.items():
        counted = [*COUNTED, "--group-by", "g", "--quiet"]
        for name in files:
            assert main(["audit", name, *counted, "--write", f"part={name}.part"]) == 0
        for number, order in enumerate((files, files[::-1])):
            assert main(["audit", *order, *counted, "--write", f"{number}.csv"]) == 0
            assert main(["audit", *order, *counted, "--jobs", "2", "--write", f"{number}.jobs.csv"]) == 0
            parts = [f"{name}.part" for name in order]
            assert main(["merge", *parts, "--write", f"{number}.merged.csv", "--quiet"]) == 0
        tables = {path.read_bytes() for path in Path().glob("[01]*.csv")}
        assert len(tables) == 1
        rows = pd.read_csv("0.csv", dtype={"group": str}).iloc[1:]
        assert list(zip(rows["group"], rows["feminine"], rows["masculine"], strict=True)) == groups


def test_two_values_with_commas_are_told_apart_in_checks(capsys):
    write(
        "c.jsonl",
        [{"text": "The woman came.", "a": "x, y", "b": "z"}] * 12
        + [{"text": "The man came.", "a": "x", "b": "y, z"}] * 12,
    )
    arguments = ["audit", "c.jsonl", *COUNTED, "--group-by", "a,b", "--quiet"]
    condition = "group == 'x, y' and feminine > 0"
    assert (
        main(
            [
                *arguments,
                "--fail-if",
                condition,
                "--fail-if",
                "masculine == 12",
                "--write",
                "j.xml",
                "--write",
                "json=-",
            ]
        )
        == 4
    )
    captured = capsys.readouterr()
    failures = json.loads(captured.out)["failures"]
    assert [(one["group"], one["second_group"]) for one in failures] == [("x, y", "z"), ("", ""), ("x", "y, z")]
    assert 'eng, all, group "x, y", z: ' in captured.err
    names = ['all, eng, "x, y", z', "all, eng", 'all, eng, x, "y, z"']
    cases = ElementTree.parse("j.xml").findall("testcase")
    assert [case.get("name") for case in cases if case.find("failure") is not None] == names
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases) == 6


def test_a_group_is_selected_as_it_is_shown_or_as_in_python(capsys):
    write("c.jsonl", [{"text": "A woman.", "g": "a\x1bb"}, {"text": "A man.", "g": r"a\x1bb"}])
    arguments = ["audit", "c.jsonl", *COUNTED, "--group-by", "g", "--quiet", "--write", "json=-"]
    for shown, number in {r"a\x1bb": "feminine", r'"a\x1bb"': "masculine"}.items():
        for quoted in (f"'{shown}'", repr(shown)):
            assert main([*arguments, "--fail-if", f"group == {quoted} and texts > 0"]) == 4
            found = json.loads(capsys.readouterr().out)
            (failure,) = found["failures"]
            assert failure["group"] == shown
            assert [row[number] for row in found["rows"] if row["group"] == shown] == [1]


def test_a_baseline_knows_each_group(capsys):
    values = ["(none)", None, "www.", "a\x1bb", r"a\x1bb"]
    write("c.jsonl", [{"text": text, "g": value} for value in values for text in ["The woman came.", "A man."] * 6])
    arguments = ["audit", "c.jsonl", *COUNTED, "--group-by", "g", "--quiet"]
    assert main([*arguments, "--write", "json=-"]) == 0
    Path("base.json").write_text(capsys.readouterr().out, "utf-8")
    assert main([*arguments, "--baseline", "base.json", "--write", "j.xml"]) == 0
    assert "not compared" not in capsys.readouterr().err
    assert len(ElementTree.parse("j.xml").findall("testcase")) == len(values) + 1


def test_a_copy_of_a_file_with_another_name_has_the_same_numbers():
    Path("copy.jsonl").write_bytes(Path("a.jsonl").read_bytes())
    result = textparity.audit_files(
        ["a.jsonl", "copy.jsonl"], "eng", lexicon_folder=NOUNS, group_by="date", per_file=True
    )
    frame = result.to_frame()
    # Holm's method adjusts for both files together, and gives equal p-values an order.
    one, other = (
        frame[frame["corpus"] == name].drop(columns=["corpus"]).reset_index(drop=True)
        for name in ("a.jsonl", "copy.jsonl")
    )
    pd.testing.assert_frame_equal(one, other)


def test_columns_of_csv_and_parquet_are_groups():
    rows = some_records(20)
    table = {"text": [row["text"] for row in rows], "year": [int(row["date"][:4]) for row in rows]}
    pd.DataFrame(table).to_csv("a.csv", index=False)
    pq.write_table(pa.table(table), "a.parquet")
    of_each = [
        [(item.group, item.texts, item.words) for item in
         textparity.audit_files([name], "eng", lexicon_folder=NOUNS, group_by="year").groups]
        for name in ("a.csv", "a.parquet")
    ]  # fmt: skip
    assert of_each[0] == of_each[1] and len(of_each[0]) == 4


@pytest.mark.parametrize(
    ("name", "field", "said"),
    [
        ("a.jsonl", "of", "line 1: field of is dict, not a single value"),
        ("a.txt", "year", "a.txt: has no records, so no field year"),
        ("a.csv", "yaer", "column yaer is not in its header, which has text, year: name one with --group-by"),
        ("a.parquet", "yaer", "has no column yaer; it has text, year: name one with --group-by"),
    ],
)
def test_a_field_that_makes_no_groups_is_said(capsys, name, field, said):
    Path("a.txt").write_text("A man.\n")
    Path("a.csv").write_text("text,year\nA man.,2019\n")
    pq.write_table(pa.table({"text": ["A man."], "year": [2019]}), "a.parquet")
    assert main(["audit", name, *COUNTED, "--group-by", field]) == 2
    assert said in capsys.readouterr().err


def test_a_field_that_no_record_has_is_doubted_and_one_of_too_many_values_refused(capsys, monkeypatch):
    result = textparity.audit_files(["a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="nope")
    assert result.warnings == ("no record has a value of nope, the field to group by",)
    monkeypatch.setattr(tallying, "MOST_GROUPS", 3)
    assert textparity.audit_files(["a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of.outlet").groups
    assert main(["audit", "a.jsonl", *COUNTED, "--group-by", "text"]) == 2
    assert "field text has more than 3 values, such as" in capsys.readouterr().err
    # In portions, too, of which each has few.
    monkeypatch.setattr("textparity.auditing.reading.PORTION_TEXTS", 2)
    assert main(["audit", "a.jsonl", *COUNTED, "--group-by", "text"]) == 2
    with pytest.raises(ConfigError, match="group_by applies to records"):
        textparity.audit(["A man."], "eng", group_by="year")


def test_conditions_and_cards_have_groups(capsys):
    grouped = [*COUNTED, "--group-by", "of.outlet", "--quiet"]
    condition = "group == 'sun' and texts > 0"
    assert main(["audit", "a.jsonl", *grouped, "--fail-if", condition, "--write", "a.md", "--write", "json=-"]) == 4
    captured = capsys.readouterr()
    assert "eng, all, group sun: group sun, texts " in captured.err
    assert [(one["lang"], one["group"]) for one in json.loads(captured.out)["failures"]] == [("eng", "sun")]
    misspelt = ["--group-by", "of.oulet", "--fail-if", "group == 'sum'"]
    assert main(["audit", "a.jsonl", *COUNTED, *misspelt, "--quiet", "--write", "json=-"]) == 0
    captured = capsys.readouterr()
    assert "careful: no record has a value of of.oulet" in captured.err and "no row has group 'sum'" in captured.err
    assert len(json.loads(captured.out)["unmet"]) == 1
    assert "| Group | Language |" in Path("a.md").read_text("utf-8")
    assert main(["audit", "a.jsonl", *grouped, "--write", "card=a.json"]) == 0
    (records,) = json.loads(Path("a.json").read_text("utf-8"))["recordSet"]
    assert sorted(row["gender_representation/group"] for row in records["data"]) == ["", "post", "sun", "times"]


def test_the_page_draws_groups_side_by_side_and_years_along_time(capsys):
    write("c.jsonl", [*some_records(300), {"text": "A man.", "of": {"outlet": "<b>"}, "date": ""}])
    pages = {}
    for field in ("of.outlet", "date"):
        result = textparity.audit_files(["c.jsonl"], "eng", lexicon_folder=NOUNS, group_by=field)
        pages[field] = result.to_html()
        assert f"<h2>By {field}</h2>" in pages[field]
    assert "<dt>&lt;b&gt;</dt>" in pages["of.outlet"] and "<svg" not in pages["of.outlet"]
    # A text without a date is in the table, not on the line.
    assert pages["date"].count("<circle") == 4 and pages["date"].count('class="line"') == 3
    assert "(none)</th>" in pages["date"]
    assert "<h2>By" not in textparity.audit_files(["c.jsonl"], "eng", lexicon_folder=NOUNS).to_html()


def test_a_signature_says_the_field():
    result = textparity.audit_files(["a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of.outlet")
    assert " | group of.outlet | " in result.signature


def test_two_fields_make_a_row_for_each_pair_and_a_chart_for_each_value_of_the_first():
    result = textparity.audit_files(["a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of.outlet, date")
    one_by_one = [
        textparity.audit_files(["a.jsonl"], "eng", lexicon_folder=NOUNS, group_by=name)
        for name in ("of.outlet", "date")
    ]
    outlets, years = ([row.group for row in of.groups] for of in one_by_one)
    assert [(row.group, row.second_group) for row in result.groups] == [(a, b) for a in outlets for b in years]
    for outlet in one_by_one[0].groups:
        own = [row for row in result.groups if row.group == outlet.group]
        assert sum(row.words for row in own) == outlet.words
        write("own.jsonl", [one for one in some_records(300) if one["of"]["outlet"] == outlet.group])
        alone = textparity.audit_files(["own.jsonl"], "eng", lexicon_folder=NOUNS, group_by="date")
        assert [row.matches["feminine"] for row in own] == [row.matches["feminine"] for row in alone.groups]
    frame = result.to_frame()
    assert list(frame.columns[:4]) == ["corpus", "lang", "group", "second_group"]
    assert [chart.title for chart in draw_charts(result)] == [f"English, {outlet}" for outlet in outlets]
    assert [mark.name for mark in draw_charts(result)[0].marks] == years


def test_the_smallest_pairs_are_together_and_come_last():
    found = textparity.audit_files(["a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="of.outlet,date", max_groups=2)
    assert [row.group_name for row in found.groups][-1] == "(other)" and len(found.groups) == 3
    assert sum(row.texts for row in found.groups) == found.texts


def test_more_than_two_fields_are_refused():
    with pytest.raises(ConfigError, match="names more than two fields"):
        textparity.audit_files(["a.jsonl"], "eng", group_by="a,b,c")


@pytest.mark.browser
def test_a_value_of_the_chart_is_shown_on_focus_and_under_the_pointer(open_page, folder):
    result = textparity.audit_files(["a.jsonl"], "eng", lexicon_folder=NOUNS, group_by="date")
    Path("page.html").write_text(result.to_html(), "utf-8")
    page = open_page((folder / "page.html").as_uri())
    first, last = page.locator("svg .mark").first, page.locator("svg .mark").last
    assert not first.locator(".value").is_visible()
    first.focus()
    assert first.locator(".value").is_visible() and "2015: " in first.locator(".value").text_content()
    last.locator("circle").hover()
    assert last.locator(".value").is_visible() and page.errors == []
