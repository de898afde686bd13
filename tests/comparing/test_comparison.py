"""Comparisons of corpora: their statistics, and the command."""

import csv
import io
import itertools
import json
import math
import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from lexicons import NOUNS, WITH_NOUNS
from scipy.stats import fisher_exact, kstest

import textparity
from textparity.command import main
from textparity.comparing.conditions import comparison_columns, comparison_rows
from textparity.comparing.ratio_scale import RatioScale
from textparity.comparing.rendering import render_text
from textparity.errors import InputError
from textparity.estimating.comparisons import compare_counts, compare_part
from textparity.estimating.hypothesis_tests import PERMUTATIONS

SETTINGS = {"resamples": 300, "confidence_level": 0.95}


def words(generator, units, share, spread=1.0):
    """Return counts of units whose texts are more about women or more about men, by a beta distribution."""
    counted = generator.poisson(1.0, units)
    feminine = generator.binomial(counted, generator.beta(spread * share, spread * (1 - share), units))
    return np.column_stack([feminine, counted - feminine])


def pairs(generator, units, share):
    """Return two corpora of one ratio, text by text about the same."""
    counted, about = generator.poisson(1.0, units), generator.beta(share, 1 - share, units)
    feminine = [generator.binomial(counted, about) for _ in range(2)]
    return tuple(np.column_stack([of, counted - of]) for of in feminine)


@pytest.mark.parametrize("is_paired", [False, True])
def test_tests_and_intervals_err_as_often_as_they_say(is_paired):
    generator = np.random.default_rng(3)
    rounds, rejected, covered = 120, 0, 0
    for number in range(rounds):
        if is_paired:
            one, other = pairs(generator, 300, 0.3)
        else:
            # Of the same ratio, but other sizes and another spread: a test of any difference would reject.
            one, other = words(generator, 250, 0.3, spread=3), words(generator, 500, 0.3, spread=0.5)
        found = compare_counts(one, other, is_paired, generator=np.random.default_rng(number), **SETTINGS)
        rejected += found.p_value < 0.05
        covered += found.ratio.low <= 1 <= found.ratio.high
    # Three standard errors of a share of 120.
    assert rejected / rounds < 0.05 + 0.06
    assert covered / rounds > 0.95 - 0.06


def test_single_words_have_the_p_value_of_fishers_test():
    # Each unit one word, so that labels are permuted in a table of two by two.
    one = np.repeat([[1, 0], [0, 1]], [12, 28], axis=0)
    other = np.repeat([[1, 0], [0, 1]], [22, 18], axis=0)
    found = compare_counts(one, other, False, generator=np.random.default_rng(1), **SETTINGS)
    assert found.ratio.value == pytest.approx((18 / 22) / (28 / 12))
    assert found.difference.value == pytest.approx(25)
    assert found.p_value == pytest.approx(fisher_exact([[12, 28], [22, 18]]).pvalue, abs=0.01)
    assert found.ratio.low < found.ratio.value < found.ratio.high < 1.2


def test_corpora_of_billions_of_words_have_a_ratio():
    units = np.arange(20)
    reference = np.column_stack([200_000_000 + units, 200_000_000 + 7 * units])
    other = np.column_stack([200_000_000 + units, 400_000_000 + 7 * units])
    found = compare_counts(reference, other, False, generator=np.random.default_rng(1), **SETTINGS)
    assert found.ratio.value == pytest.approx(2)
    assert found.ratio.low == pytest.approx(2)


def test_leaving_out_has_the_p_value_of_all_ways_to_leave_out_as_many():
    whole = np.array([[1, 2], [3, 0], [0, 1], [2, 2], [0, 4], [1, 0], [0, 0], [1, 3], [0, 2]])
    is_kept = np.array([1, 0, 1, 1, 1, 0, 1, 1, 1], bool)

    def change(kept):
        (feminine, masculine), (all_feminine, all_masculine) = whole[list(kept)].sum(axis=0), whole.sum(axis=0)
        return (
            abs(math.log(masculine * all_feminine / (feminine * all_masculine))) if feminine * masculine else math.inf
        )

    own = change(np.flatnonzero(is_kept))
    ways = list(itertools.combinations(range(len(whole)), int(is_kept.sum())))
    exact = sum(change(kept) >= own - 1e-9 for kept in ways) / len(ways)
    found, turned = (
        compare_part(whole, is_kept, is_reference, generator=np.random.default_rng(4), **SETTINGS)
        for is_reference in (False, True)
    )
    assert 0.02 < exact < 0.5
    # Four standard errors of a share of all permutations.
    assert found.p_value == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / PERMUTATIONS))
    assert math.log(found.ratio.value) == pytest.approx(own)
    assert turned.ratio.value == pytest.approx(1 / found.ratio.value)
    assert turned.p_value == found.p_value and turned.difference.value == -found.difference.value


def test_what_is_left_out_at_random_is_told_from_what_is_not():
    generator = np.random.default_rng(8)
    rounds, covered, p_values = 120, 0, []
    # Texts about women are left out one in two, others one in ten. Many texts give the ratio of all that there are.
    many = words(generator, 400_000, 0.4, spread=2)
    weights = np.where(many[:, 0] > many[:, 1], 0.5, 0.9)
    feminine, masculine = weights @ many
    true = masculine * many[:, 0].sum() / (feminine * many[:, 1].sum())
    for number in range(rounds):
        whole = words(generator, 400, 0.4, spread=2)
        random = np.arange(400) < 350
        draws = {"generator": np.random.default_rng(number), **SETTINGS}
        p_values.append(compare_part(whole, random, False, **draws).p_value)
        is_kept = generator.random(400) > np.where(whole[:, 0] > whole[:, 1], 0.5, 0.1)
        found = compare_part(whole, is_kept, False, **draws)
        covered += found.ratio.low <= true <= found.ratio.high
        assert found.p_value < 0.05
    assert kstest(p_values, "uniform").pvalue > 0.01
    # Three standard errors of a share of 120.
    assert covered / rounds > 0.95 - 0.06


def test_pairs_that_are_alike_differ_less_than_corpora():
    one = words(np.random.default_rng(5), 400, 0.4)
    other = one.copy()
    # In thirty texts, a woman becomes a man.
    changed = np.flatnonzero(one[:, 0])[:30]
    other[changed] += [-1, 1]
    paired, apart = (
        compare_counts(one, other, is_paired, generator=np.random.default_rng(2), **SETTINGS)
        for is_paired in (True, False)
    )
    assert paired.ratio.value == apart.ratio.value > 1
    assert paired.p_value == 1 / (PERMUTATIONS + 1)
    assert apart.p_value > 0.01
    assert compare_counts(one, one, True, generator=np.random.default_rng(2), **SETTINGS).p_value == 1


@pytest.mark.parametrize("is_paired", [False, True])
def test_a_corpus_without_a_gender_differs_most(is_paired):
    women, men, both = ([[3, 0]] * 20, [[0, 3]] * 20, [[1, 2]] * 20)
    for one, other, difference in ((women, men, -100), (both, men, -100 / 3), (women, both, -200 / 3)):
        found, turned = (
            compare_counts(*map(np.array, pair), is_paired, generator=np.random.default_rng(2), **SETTINGS)
            for pair in ((one, other), (other, one))
        )
        assert math.isnan(found.ratio.value) and math.isnan(found.ratio.low)
        assert found.difference.value == pytest.approx(difference) == -turned.difference.value
        assert found.p_value <= 3 / (PERMUTATIONS + 1) and turned.p_value <= 3 / (PERMUTATIONS + 1)
        # All texts agree, but the next ones need not.
        assert found.difference.high != found.difference.low or math.isnan(found.difference.low)
    same = compare_counts(np.array(men), np.array(men), is_paired, generator=np.random.default_rng(2), **SETTINGS)
    assert (same.difference.value, same.p_value) == (0, 1)


def test_a_filter_that_leaves_no_woman_is_seen_and_a_rare_gender_is_not_much():
    whole = np.array([[1, 0]] * 20 + [[0, 1]] * 40)
    is_kept = whole[:, 0] == 0
    assert compare_part(whole, is_kept, False, generator=np.random.default_rng(2), **SETTINGS).p_value < 0.001
    # One woman is in one of the two, however the texts are divided.
    one, other = np.array([[0, 3]] * 20), np.array([[0, 3]] * 19 + [[1, 2]])
    assert compare_counts(one, other, False, generator=np.random.default_rng(2), **SETTINGS).p_value == 1


WOMEN, MEN = "La mujer canta en la plaza.", "El hombre y el hijo cantan."


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """Write a reference and others: of the same lines, and where half of the women, or most, are men."""
    monkeypatch.chdir(tmp_path)
    lines = [WOMEN, MEN, "Nadie canta."] * 20
    (tmp_path / "one.txt").write_text("\n".join([*lines, ""]), "utf-8")
    (tmp_path / "same.txt").write_text("\n".join([*lines, ""]), "utf-8")
    less = [MEN if line == WOMEN and number % 7 else line for number, line in enumerate(lines)]
    (tmp_path / "less.txt").write_text("\n".join([*less, ""]), "utf-8")
    half = [MEN if line == WOMEN and number % 2 else line for number, line in enumerate(lines)]
    (tmp_path / "half.txt").write_text("\n".join([*half, ""]), "utf-8")
    (tmp_path / "documents.txt").write_text("\n".join(f"d{number // 4}" for number in range(60)) + "\n", "utf-8")
    return tmp_path


def test_names_and_order_of_files_change_no_number(corpora):
    (corpora / "folder").mkdir()
    for old, new in (("one", "renamed.txt"), ("less", "folder/a.txt"), ("half", "-1.txt")):
        (corpora / new).write_bytes((corpora / f"{old}.txt").read_bytes())
    settings = {"lang": "spa", "lexicon_folder": NOUNS}
    before = textparity.compare_files("one.txt", "less.txt", "half.txt", **settings).table.records()
    after = textparity.compare_files("renamed.txt", "-1.txt", "folder", **settings).table.records()
    for one, other in zip(before, [after[0], after[2], after[1]], strict=True):
        np.testing.assert_equal(other | {"corpus": ""}, one | {"corpus": ""})


def test_a_comparison_is_of_the_counts_of_each_audit(corpora):
    result = textparity.compare_files(
        "one.txt", "same.txt", "less.txt", lang="spa", lexicon_folder=NOUNS, is_paired=True
    )
    frame = result.frame.set_index("corpus")
    audits = {name: textparity.audit_files(name, "spa", lexicon_folder=NOUNS).languages[0] for name in frame.index}
    for name, row in frame.iterrows():
        assert (row["feminine"], row["masculine"]) == (
            audits[name].matches["feminine"],
            audits[name].matches["masculine"],
        )
        assert row["words"] == audits[name].words
    assert frame.loc["same.txt", ["ratio", "difference", "p_value"]].tolist() == [1, 0, 1]
    assert frame.loc["less.txt", "verdict"] == "masculine" and frame.loc["less.txt", "ratio"] > 1
    # Two tests are a family.
    assert frame.loc["less.txt", "p_value_holm"] == 2 * frame.loc["less.txt", "p_value"]
    changes = result.words_frame[result.words_frame["corpus"] == "less.txt"]
    gaps = 100 * (frame["masculine"] - frame["feminine"]) / frame["words"]
    assert changes["contribution"].sum() == pytest.approx(gaps["less.txt"] - gaps["one.txt"])
    assert set(changes["word"][:2]) <= {"mujer", "hombre", "hijo"}


def test_units_may_be_documents_and_pairs_need_partners(corpora, capsys):
    options = ["--lang", "spa", *WITH_NOUNS, "--paired"]
    assert main(["compare", "one.txt", "less.txt", *options]) == 0
    assert "mujer (feminine): 20 → " in capsys.readouterr().out
    with (corpora / "less.txt").open("a", encoding="utf-8") as file:
        file.write(f"{WOMEN}\n")
    with pytest.raises(InputError, match=r"less.txt: has 61 lines, one.txt 60, .* remove --paired"):
        textparity.compare_files("one.txt", "less.txt", lang="spa", lexicon_folder=NOUNS, is_paired=True)
    with pytest.raises(InputError, match=r"less.txt: has more lines than .*documents.txt \(60\)"):
        textparity.compare_files(
            "one.txt", "less.txt", lang="spa", lexicon_folder=NOUNS, documents=corpora / "documents.txt"
        )
    assert main(["compare", "one.txt", "same.txt", *options, "--documents", "documents.txt", "--write", "csv=-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["units"] for row in rows] == ["15", "15"] and rows[1]["verdict"] == "no clear difference"
    # Without a language, short lines are of none for certain.
    found = textparity.compare_files("one.txt", "less.txt", lexicon_folder=NOUNS, minimum_certainty=0.97)
    assert all(row["texts"] + row["left_out"] in (60, 61) for _, row in found.frame.iterrows())
    assert found.frame["left_out"].sum() > 0


def test_lines_that_are_not_valid_are_skipped_if_asked_and_keep_their_pairs(corpora, capsys):
    with (corpora / "same.txt").open("r+b") as file:
        file.write(b"\xff")
    options = ["one.txt", "same.txt", "--lang", "spa", *WITH_NOUNS, "--paired"]
    assert main(["compare", *options]) == 2
    assert "--on-error skip" in capsys.readouterr().err
    assert main(["compare", *options, "--on-error", "skip"]) == 3
    shown = capsys.readouterr().out
    assert "Texts left out, for reasons that textparity audit shows: 1 of same.txt." in shown
    assert (
        "Without a partner (counted in F, M, women %, M : F and words, but not in points, ratio and p): 1 line."
        in shown
    )
    # What is not valid is counted as a line.
    with (corpora / "one.txt").open("a", encoding="utf-8") as file:
        file.write(f"{WOMEN}\n")
    assert main(["compare", *options, "--on-error", "skip"]) == 2
    assert "same.txt: has 60 lines, one.txt 61" in capsys.readouterr().err


def compared(*files, **options):
    """Return the rows of a comparison by corpus, and what is said below the table."""
    result = textparity.compare_files(*files, lang="spa", lexicon_folder=NOUNS, **options)
    return result.frame.set_index("corpus"), " ".join(render_text(result, 0).split())


def test_a_filter_is_found_and_texts_in_common_are_said(corpora):
    lines = (corpora / "one.txt").read_text("utf-8").splitlines()
    # Of another format, in another order, and with blank lines.
    kept = [line for number, line in enumerate(lines) if line != WOMEN or number % 2]
    (corpora / "kept.jsonl").write_text("".join(f"{json.dumps({'text': line})}\n" for line in kept[::-1]), "utf-8")
    (corpora / "all.txt").write_text("\n\n".join(lines), "utf-8")
    rows, said = compared("all.txt", "kept.jsonl")
    row = rows.loc["kept.jsonl"]
    assert (row["design"], row["shared"], row["verdict"], row["ratio"]) == ("part", 50, "masculine", 2)
    assert "kept.jsonl is all.txt without 10 of its 60 texts" in said
    turned, said_turned = compared("kept.jsonl", "all.txt")
    assert (turned.loc["all.txt", "verdict"], turned.loc["all.txt", "ratio"]) == ("feminine", 0.5)
    assert "kept.jsonl is all.txt without 10 of its 60 texts" in said_turned
    # One text that the reference has not: no part.
    (corpora / "kept.jsonl").open("a").write(json.dumps({"text": f"{MEN} {MEN}"}))
    rows, said = compared("all.txt", "kept.jsonl")
    assert (rows.loc["kept.jsonl", "design"], rows.loc["kept.jsonl", "shared"]) == ("independent", 50)
    assert "kept.jsonl has 50 texts in common with all.txt (98 % of its own, 83 % of the other's)" in said
    assert compared("all.txt", "same.txt")[0].loc["same.txt", ["design", "p_value"]].tolist() == ["part", 1]
    # Texts in common are of one language.
    result = textparity.compare_files("all.txt:spa", "same.txt:eng", lexicon_folder=NOUNS)
    assert result.corpora[1].overlap.shared == 0 and "in common" not in render_text(result, 0)


def test_nothing_is_said_of_words_that_do_not_differ(corpora):
    result = textparity.compare_files("one.txt", "same.txt", lang="spa", lexicon_folder=NOUNS)
    assert "same.txt: no word contributes differently" in render_text(result, 10) and "-0.0000" not in render_text(
        result, 10
    )
    assert "No word contributes differently" in result.to_html() and "-0.0000" not in result.to_html()


def test_pairs_are_of_records_whatever_lines_they_take(corpora):
    lines = (corpora / "one.txt").read_text("utf-8").splitlines()
    (corpora / "one.csv").write_text("text\n" + "".join(f'"{line}"\n' for line in lines), "utf-8")
    # Each of two lines.
    (corpora / "two.csv").write_text("text\n" + "".join(f'"{line}\n"\n' for line in lines), "utf-8")
    rows, said = compared("one.csv", "two.csv", is_paired=True)
    assert rows.loc["two.csv", ["ratio", "unpaired"]].tolist() == [1, 0] and "Without a partner" not in said
    (corpora / "list.jsonl").write_text(json.dumps({"text": lines}), "utf-8")
    with pytest.raises(InputError, match=r"list.jsonl, 1: has several texts"):
        compared("one.csv", "list.jsonl", is_paired=True)


def test_what_looks_like_json_is_doubted_as_by_an_audit(corpora, capsys, monkeypatch):
    records = "".join(f"{json.dumps({'text': line})}\n" for line in [WOMEN, MEN] * 20)
    options = ["compare", "-", "one.txt", "--lang", "spa", *WITH_NOUNS]
    doubt = "-: its first lines look like JSON, so its syntax and field names are counted, too; add --format jsonl"
    for more, place in (([], "out"), (["--write", "csv=-"], "err"), (["--format", "jsonl"], "")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(records.encode()))))
        if "--format" in more:
            (corpora / "one.jsonl").write_text(records, "utf-8")
            options[2] = "one.jsonl"
        assert main([*options, *more]) == 0
        shown = capsys.readouterr()
        assert [name for name in ("out", "err") if doubt in getattr(shown, name)] == [place] * bool(place)


def test_options_of_reading_and_of_words_are_those_of_an_audit(corpora, capsys):
    rows = "".join(f"{number};{line}\n" for number, line in enumerate([WOMEN, MEN, "Mañana."] * 20))
    for name in ("a.csv", "b.csv"):
        (corpora / name).write_bytes(f"id;texto\n{rows}".encode("windows-1252"))
    options = ["compare", "a.csv", "b.csv", "--lang", "spa", *WITH_NOUNS, "--field", "texto", "--write", "csv=-"]
    assert main(options) == 2
    assert "--delimiter" in capsys.readouterr().err
    options += ["--delimiter", ";", "--encoding", "windows-1252"]
    assert main([*options, "--exclude-words", "hijo", "--include-words", "feminine:plaza"]) == 0
    found = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["feminine"], row["masculine"]) for row in found] == [("40", "20")] * 2
    (corpora / "own").mkdir()
    own = {"feminine": [{"singular": "plaza", "plural": ""}], "masculine": [{"singular": "hombre", "plural": ""}]}
    own["unspecified"] = []
    (corpora / "own" / "spa.json").write_text(json.dumps(own), "utf-8")
    assert main([*options, "--lexicon-folder", "own"]) == 0
    found = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["feminine"], row["masculine"]) for row in found] == [("20", "20")] * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["one.txt", "folder", "--paired"], "a corpus of a paired comparison must be one file"),
        (["one.txt", "same.txt", "--write", "csv=one.txt"], "one.txt: "),
        (["one.txt", "folder", "--write", "html=folder/a.txt"], "folder/a.txt: "),
        (
            ["one.txt", "same.txt", "--write", "t.csv", "--write", "words=t.csv"],
            "t.csv: two tables would be written to it",
        ),
        (["one.txt", "same.txt", "--write", "csv=-", "--write", "html=-"], "csv and html"),
        (["one.txt", "gone.txt"], "gone.txt"),
        (["one.txt", "same.txt", "--pipeline", "p"], "a pipeline and mentions require the method persons"),
        (["one.txt", "same.txt", "--write", "json=-", "--write", "csv=-"], "json and csv"),
        (["one.txt", "same.txt", "--write", "junit=one.txt"], "one.txt: "),
        (
            ["one.txt", "same.txt", "--write", "t.csv", "--fail-if", "gap > 1"],
            "gap is not a column; columns are corpus",
        ),
        (["one.txt", "same.txt", "--fail-if", "p < 0.05"], "p is not a column; did you mean p_value_holm?"),
        (["one.txt", "same.txt", "--fail-if", "group == 'a'"], "there are no groups; compare files, or use"),
        (["one.txt", "same.txt", "--fail-if", "design == 'whole'"], "'whole' is not a design; designs are independent"),
    ],
)
def test_what_cannot_be_compared_is_named(corpora, capsys, arguments, said):
    (corpora / "folder").mkdir()
    for name in ("a.txt", "b.txt"):
        (corpora / "folder" / name).write_text(f"{MEN}\n", "utf-8")
    assert main(["compare", *arguments, "--lang", "spa", *WITH_NOUNS]) == 2
    assert said in capsys.readouterr().err
    assert not (corpora / "t.csv").exists()


@pytest.mark.parametrize(
    ("conditions", "code"),
    [
        ([], 0),
        (["verdict == 'masculine'"], 4),
        (["verdict == 'masculine' and corpus == 'same.txt'"], 0),
        (["difference < -10", "p_value > 0.5 and lang == 'English'"], 4),
        (["difference < -10 and p_value_holm < 0.05 and matches > 40"], 4),
        (["difference < -10 and matches > 4000"], 0),
        (["women_share < 20 and difference_high < -10"], 4),
        (["ratio > 15", "women_share < 1", "unpaired > 0"], 0),
        (["design != 'paired'"], 0),
        # A condition does not hold for the reference, which the others are compared with.
        (["women_share > 33 and corpus == 'one.txt'"], 0),
    ],
)
def test_a_comparison_that_meets_a_condition_ends_with_4(corpora, capsys, conditions, code):
    files = ["one.txt", "same.txt", "less.txt", "--paired", "--lang", "spa", *WITH_NOUNS]
    checks = [word for condition in conditions for word in ("--fail-if", condition)]
    assert main(["compare", *files, *checks, "--quiet", "--write", "table.csv"]) == code
    said = capsys.readouterr().err
    assert said.count("textparity: ") >= len(conditions) and ("textparity: failed: " in said) is (code == 4)
    assert (corpora / "table.csv").exists()


def test_a_comparison_for_programs_has_what_was_checked(corpora, capsys):
    files = ["one.txt", "same.txt", "less.txt", "--paired", "--lang", "spa", *WITH_NOUNS]
    checks = ["--fail-if", "verdict == 'masculine'", "--write", "checks.xml"]
    assert main(["compare", *files, *checks, "--write", "json=-", "--top", "1"]) == 4
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert [row["corpus"] for row in found["rows"]] == ["one.txt", "same.txt", "less.txt"]
    assert [word["corpus"] for word in found["words"]] == ["same.txt", "less.txt"]
    assert [(row["condition"], row["corpus"], row["values"]) for row in found["failures"]] == [
        ("verdict == 'masculine'", "less.txt", "verdict masculine")
    ]
    assert [row["values"] for row in found["passed"]] == ["verdict no clear difference"]
    suite = ElementTree.parse("checks.xml").getroot()
    assert [case.get("name") for case in suite] == ["same.txt, spa", "less.txt, spa"]
    assert [suite.get(name) for name in ("tests", "failures", "skipped")] == ["2", "1", "0"]
    # Without a difference, what was compared is said.
    assert main(["compare", *files[:2], *files[3:], *checks, "--quiet"]) == 0
    assert capsys.readouterr().err == (
        "textparity: passed: verdict == 'masculine'; same.txt, spa: verdict no clear difference\n"
    )


def test_conditions_name_every_column_of_the_table(corpora):
    result = textparity.compare_files("one.txt", "same.txt", lang="spa", lexicon_folder=NOUNS)
    names = comparison_columns(None).names
    assert set(names) == {*result.table.columns, "matches"} - {"signature"}
    (row,) = comparison_rows(result)
    assert all(row.value(name) is not None for name in names)


def test_a_corpus_without_texts_ends_with_1(corpora, capsys):
    (corpora / "empty.txt").write_text("\n", "utf-8")
    checks = ["--fail-if", "women_share < 30", "--write", "checks.xml"]
    assert main(["compare", "one.txt", "empty.txt", "--lang", "spa", *WITH_NOUNS, *checks]) == 1
    assert "empty.txt: nothing was counted" in capsys.readouterr().err
    assert not (corpora / "checks.xml").exists()


def test_a_file_with_its_language_is_not_overwritten_either(corpora, capsys):
    before = (corpora / "one.txt").read_bytes()
    assert main(["compare", "one.txt:spa", "same.txt:spa", *WITH_NOUNS, "--write", "html=one.txt"]) == 2
    assert "one.txt: " in capsys.readouterr().err
    assert (corpora / "one.txt").read_bytes() == before


def test_the_page_has_the_chart_and_the_table_of_the_comparison(corpora, capsys):
    (corpora / "half.txt").rename(corpora / "<b>half.txt")
    options = ["--lang", "spa", *WITH_NOUNS, "--paired", "--top", "2", "--quiet"]
    assert main(["compare", "one.txt", "same.txt", "<b>half.txt", *options, "--write", "page.html"]) == 0
    assert capsys.readouterr().out == ""
    page = (corpora / "page.html").read_text("utf-8")
    result = textparity.compare_files(
        "one.txt", "same.txt", "<b>half.txt", lang="spa", lexicon_folder=NOUNS, is_paired=True
    )
    assert result.to_html(top=2) == page
    assert "<script" not in page and "<b>half" not in page and "http" not in page.partition("</head>")[2]
    one = result.corpora[2]
    ends = f"{one.comparison.ratio.low:.2f} to {one.comparison.ratio.high:.2f}"
    assert f"{one.comparison.ratio.value:.2f} ({ends})<small>more masculine</small>" in page
    assert f'<td class="n">{one.comparison.ratio.value:.2f}<small>{ends}</small></td>' in page
    # By logarithms: on the chart, twice as many is as far from 1 as half as many.
    marks = [float(place) for place in re.findall(r'<i style="left:([\d.]+)%"', page)]
    (line,) = set(re.findall(r'<u class="one" style="left:([\d.]+)%"', page))
    ticks = {float(tick): float(place) for place, tick in re.findall(r'<small style="left:([\d.]+)%">([\d.]+)<', page)}
    assert marks[0] == ticks[1] == float(line) < marks[1]
    ratio = max(ticks)
    expected = ticks[1] + (ticks[ratio] - ticks[1]) * math.log(one.comparison.ratio.value) / math.log(ratio)
    assert marks[1] == pytest.approx(expected, abs=0.05)
    assert page.count(one.audit.signature) == 1 and page.count('<th scope="row"><bdi>') == 2


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1100])
def test_the_chart_is_on_the_first_screen(corpora, open_page, repository, width):
    # It has a language and a verdict with long names.
    page = open_page(
        (repository / "docs/examples/compare.html").as_uri(), offline=True, viewport={"width": width, "height": 800}
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    result = textparity.compare_files("one.txt", "same.txt", "half.txt", lang="spa", lexicon_folder=NOUNS)
    (corpora / "page.html").write_text(result.to_html(), "utf-8")
    page = open_page((corpora / "page.html").as_uri(), offline=True, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("dl.ratios").bounding_box()
    assert box["y"] + box["height"] < 800 and page.errors == []
    # The mark of a corpus that differs lies within its interval.
    mark, interval = (page.locator(f"dl.ratios dd.masculine {name}").bounding_box() for name in ("i", "b"))
    assert interval["x"] < mark["x"] + mark["width"] / 2 < interval["x"] + interval["width"]


@pytest.mark.parametrize("ratios", [[0.5, 2], [0.95, 1.04], [0.3, 1.2], [0.001, 900], [1.9, 3], [0.99, 1.01]])
def test_ticks_are_round_numbers(ratios):
    scale = RatioScale.of(ratios, 1.05)
    labels = [float(label) for label, _ in scale.ticks]
    assert len(labels) >= 3 and 1 in labels and labels == sorted(labels)
    for label in labels:
        digits = f"{label:g}".replace(".", "").strip("0")
        assert len(digits) <= 2 or digits[-1] == "5" or 0.9 < label < 1.1
