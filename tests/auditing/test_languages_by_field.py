"""The language of each text by a field of its record: usual codes, and what is left out with a reason."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lexicons import NOUNS, WITH_NOUNS

import textparity
from textparity.auditing import tallying
from textparity.auditing.languages import read_given
from textparity.command import main
from textparity.errors import ConfigError, InputError

SIMPLIFIED = "这个学校的学生们在图书馆里学习汉语和历史，老师说他们进步很快。"
TRADITIONAL = "這個學校的學生們在圖書館裡學習漢語和歷史，老師說他們進步很快。"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def audit(records, field="lang", **options):
    Path("a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    result = textparity.audit_files(["a.jsonl"], lexicon_folder=NOUNS, lang_field=field, **options)
    return {item.lang: item.texts for item in result}, dict(result.left_out)


@pytest.mark.parametrize(
    ("lang", "codes"),
    [
        ("eng", "en EN eng English en-US en_GB eng_Latn en-Latn-x-old en_US.UTF-8 en-GB-oxendict"),
        ("deu", "de deu ger German de-1996 de_DE@euro DE-at"),
        ("cmn", "zh zho chi cmn zh-CN zh_Hans zho_Hans zh-Hans-SG zh-cmn Mandarin Chinese"),
        ("yue", "yue yue_Hant zh-yue yue-HK Cantonese"),
        ("por", "pt pt_BR pt-PT por_Latn Portuguese"),
        ("spa", "es es-419 Spanish Castilian"),
        ("arb", "ar ara arb_Arab Arabic"),
        ("jpn", "ja ja-JP jpn_Jpan"),
        ("kor", "ko kor_Hang ko-Kore-KR"),
        ("tgl", "tl fil tgl_Latn"),
        ("pes", "fa Persian Farsi pes_Arab"),
    ],
)
def test_a_language_is_known_by_any_usual_code(lang, codes):
    assert {code: read_given(code, "lang").lang for code in codes.split()} == dict.fromkeys(codes.split(), lang)
    assert read_given(" modern  STANDARD arabic\n", "lang").lang == "arb"


@pytest.mark.parametrize(
    ("reason", "values"),
    [
        ("no language in meta.lang", [None, "", " ", float("nan")]),
        ("a list in meta.lang, not one language", [["en"], ["en", "de"], []]),
        ("no language code in meta.lang", [5, True, {"code": "en"}, "A woman and a man came home from a market."]),
        ("language without a lexicon: nb-NO", ["nb-NO"]),
        ("language without a lexicon: Irish-English", ["Irish-English"]),
        ("language without a lexicon: en,de", ["en,de"]),
        ("language without a lexicon: arz_Arab", ["arz_Arab"]),
        ("cmn in another script", ["zh-Hant", "zho_Hant", "zh-TW", "zh_HK", "cmn-Hant-CN"]),
        ("yue in another script", ["yue_Hans"]),
        ("uzn in another script", ["uzn_Cyrl", "uz-Cyrl-UZ"]),
    ],
)  # fmt: skip
def test_what_is_no_language_of_the_table_has_a_reason(reason, values):
    assert [read_given(value, "meta.lang") for value in values] == [("", reason)] * len(values)


def test_records_have_their_languages_and_none_is_guessed():
    english = {"text": "A woman and two men.", "meta": {"lang": "en-US"}, "of": "a"}
    records = [
        english, english, {"text": "Una mujer.", "meta": {"lang": "es"}}, {"text": "En mann.", "meta": {"lang": "nb"}},
        {"text": "A man.", "meta": {"lang": None}}, {"text": "A man.", "meta": {}}, {"text": "A man."},
        {"text": "A man.", "meta": "en"}, {"text": "A man.", "meta": [{"lang": "en"}]},
        {"text": "En man.", "meta": {"lang": "sv"}}, {"text": None, "meta": {"lang": "en"}},
        {"text": " ", "meta": {"lang": "en"}},
    ]  # fmt: skip
    languages, left_out = audit(records, "meta.lang")
    assert languages == {"eng": 3, "spa": 1}
    assert left_out == {
        "no language in meta.lang": 4,
        "a list in meta.lang, not one language": 1,
        "language without a lexicon: nb": 1,
        "no lexicon for Swedish (swe)": 1,
        "null": 1,
    }
    result = textparity.audit_files(["a.jsonl"], lexicon_folder=NOUNS, lang_field="meta.lang", group_by="of", jobs=2)
    assert (result["eng"].detected, result["eng"].texts, result["eng"].statistics.blank_texts) == (0, 3, 1)
    assert [(item.lang, item.group) for item in result.groups] == [("eng", "a"), ("eng", "(none)"), ("spa", "(none)")]
    assert "lang-field meta.lang" in result.signature and "ident" not in result.signature


def test_a_text_in_another_script_than_its_language_is_left_out():
    texts = {
        SIMPLIFIED: "zh", TRADITIONAL: "zho", TRADITIONAL[:9]: "yue", "Жінка й чоловік.": "en", "12 30": "en",
        "1 2 3 " * 100 + "woman": "en", "東京大学": "ja", "Kadın": "ja",
    }  # fmt: skip
    _, left_out = audit([{"text": text, "lang": code} for text, code in texts.items()])
    assert {reason: number for reason, number in left_out.items() if "script" in reason} == {
        "cmn in another script": 1,
        "eng in another script": 1,
        "jpn in another script": 1,
    }


@pytest.mark.parametrize("format", ["csv", "tsv", "json", "parquet"])
def test_a_column_has_the_language_too(format, capsys):
    columns = {"lang": ["eng", "deu", ""], "body": ["A woman.", "Ein Mann.", "A man."]}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if format == "parquet":
        pq.write_table(pa.table(columns), "a.parquet")
    elif format == "json":
        Path("a.json").write_text(json.dumps(rows))
    else:
        line_of = {"csv": ",", "tsv": "\t"}[format].join
        Path(f"a.{format}").write_text("\n".join([line_of(columns), *(line_of(row.values()) for row in rows)]) + "\n")
    common = ["audit", f"a.{format}", "--field", "body", *WITH_NOUNS, "--write", "csv=-"]
    assert main([*common, "--lang-field", "lang"]) == 0
    shown = [line.split(",")[:2] for line in capsys.readouterr().out.splitlines()]
    assert shown == [["corpus", "lang"], ["all", "deu"], ["all", "eng"]]
    if format != "json":
        assert main([*common, "--lang-field", "language"]) == 2
        assert "name one with --lang-field" in capsys.readouterr().err


def test_what_does_not_go_together_is_refused(capsys):
    Path("a.txt").write_text("A man.\n")
    Path("a.jsonl").write_text('{"text": "A man.", "lang": "en"}\n')
    for options, said in (
        (["a.txt"], "a.txt: has no records, so no field lang; remove the file, or --lang-field"),
        (["a.jsonl", "--lang", "eng"], "has the language eng, but --lang-field gives that of each record"),
        (["a.jsonl:eng"], "has the language eng, but --lang-field gives that of each record"),
        (["a.jsonl", "--detect", "file"], "gives the language of each record, so none is detected"),
        (["a.jsonl", "--method", "persons", "--pipeline", "en_core_web_sm"], "a pipeline is for one language"),
    ):
        assert main(["audit", *options, "--lang-field", "lang"]) == 2
        assert said in capsys.readouterr().err
    with pytest.raises(ConfigError, match="lang_field applies to records"):
        textparity.audit(["A man."], lang_field="lang")


def test_a_field_of_too_many_values_is_no_language(monkeypatch):
    monkeypatch.setattr(tallying, "MOST_CODES", 2)
    some = [{"text": "A man.", "lang": code} for code in ("nb", "nn", "en")]
    assert audit(some)[0] == {"eng": 1}
    with pytest.raises(
        InputError, match="field lang has more than 2 values that are not in the table of languages, such as"
    ):
        audit([*some, {"text": "A man.", "lang": "xx"}])


def test_few_texts_of_a_given_language_are_no_mistake_and_a_signature_takes_the_field_along():
    records = [{"text": "A man.", "lang": "en"}] * 300 + [
        {"text": "Una mujer.", "lang": "es"},
        {"text": "x", "lang": "nb"},
    ]
    assert audit(records) == ({"eng": 300, "spa": 1}, {"language without a lexicon: nb": 1})
    result = textparity.audit_files(["a.jsonl"], lexicon_folder=NOUNS, lang_field="lang")
    assert all(" | lang-field lang | " in row.signature for row in result)
