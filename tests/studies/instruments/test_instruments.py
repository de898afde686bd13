"""The comparison of methods: what it runs, and what its tables say."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from plans import make_plan

from textparity.corpora.reading import write_batches
from textparity.errors import ConfigError
from textparity.estimating.bootstrap import Bootstrap
from textparity.persons.mentions import Mention
from textparity.persons.speaker_finder import QuotedText
from textparity.persons.speakers import AttributedQuote
from textparity.tables import write_csv
from textparity_studies.instruments.annotated_texts import AnnotatedMention, AnnotatedText
from textparity_studies.instruments.field_matches import COLUMNS
from textparity_studies.instruments.figures import plot_methods
from textparity_studies.instruments.findings import found_row, found_schema, pair_mentions
from textparity_studies.instruments.tables import compute_ratios, count_pairs, count_sentences, tabulate_methods

BOOTSTRAP = Bootstrap(seed=1, resamples=200, confidence_level=0.95)
TEXT = "She met a teacher. He left the room."
SHE, TEACHER, HE, ROOM = (0, 3), (10, 17), (19, 21), (31, 35)


def mention(kind, span, gender, cls=Mention):
    return cls(*span, TEXT[slice(*span)], kind, gender, 0)


@pytest.fixture
def tables(tmp_path):
    """Tabulate texts with she, teacher (a woman) and he, in which a method finds she, and room as a man."""

    def tabulate(annotation="complete", units=4, differing=False, shown_by="pronouns", held_out=None):
        annotated = tuple(
            replace(mention(kind, span, gender, AnnotatedMention), evidence=shown_by)
            for kind, span, gender in (
                ("pronoun", SHE, "feminine"), ("noun", TEACHER, "feminine"), ("pronoun", HE, "masculine"),
            )
        )  # fmt: skip
        found = [mention("pronoun", SHE, "feminine"), mention("noun", ROOM, "masculine")]
        texts = [
            AnnotatedText(f"t{n}", f"u{n}", ("news", "novel")[n % 2], TEXT, annotated, held_out) for n in range(units)
        ]

        def batches():
            # In every second document, all is found.
            whole = [*found, mention("noun", TEACHER, "feminine"), mention("pronoun", HE, "masculine")]
            yield [
                found_row(text, {"few": whole if differing and number % 2 else found, "none": []})
                for number, text in enumerate(texts)
            ]
            return {
                "gold": "toy",
                "lang": "eng",
                "methods": ["few", "none"],
                "annotation": annotation,
                "grammatical": False,
                "lexicon": "nouns of the paper",
                "word_list": "words",
                "pipeline": "",
            }

        path = tmp_path / "found.parquet"
        write_batches(path, found_schema(["few", "none"]), batches())
        judged = tmp_path / "judged.tsv"
        judged.write_text("\t".join(COLUMNS) + "\n")
        made = tabulate_methods([path], [], judged, tmp_path / "gaps.csv", [], {"toy/eng": "Toy"}, BOOTSTRAP)
        files = {table.name: (table.frame, tmp_path / f"{table.name}.csv") for table in made}
        for frame, file in files.values():
            write_csv(frame, file)
        return {name: pd.read_csv(file) for name, (_, file) in files.items()}

    return tabulate


def of(table, **wanted):
    for column, value in wanted.items():
        table = table[table[column] == value]
    (row,) = table.to_dict("records")
    return row


def test_sentences_count_as_right_by_a_person_of_the_marked_gender(tmp_path):
    marked = [("She saw him.", (0, 3)), ("She saw it.", (0, 3)), ("She left.", (0, 3)), ("She left.", (0, 3))]
    found = [[(0, 3, "feminine"), (8, 11, "masculine")], [(8, 10, "masculine")], [], [(0, 3, "unspecified")]]
    paired = [
        (
            {"half": ("development", "kept")[number % 2], "unit": str(number)},
            pair_mentions(
                [AnnotatedMention(*span, text[slice(*span)], "pronoun", "feminine", 0)],
                [Mention(start, end, text[start:end], "pronoun", gender, 0) for start, end, gender in mentions],
            ),
        )
        for number, ((text, span), mentions) in enumerate(zip(marked, found, strict=True))
    ]
    whole, development, kept = count_sentences(paired, {}, BOOTSTRAP)
    assert [whole[name] for name in ("sentences", "right", "wrong", "none")] == [4, 1, 1, 2]
    assert [development[name] for name in ("half", "right", "none")] == ["development", 1, 1]
    assert [kept[name] for name in ("half", "wrong", "none")] == ["kept", 1, 1]
    assert whole["right_low"] < whole["right_percent"] == 25 < whole["right_high"]


def test_recall_precision_and_bias_are_by_gender(tables):
    few = of(tables()["methods"], method="few", half="all", genre="all")
    assert [few[f"annotated_{gender}"] for gender in ("feminine", "masculine")] == [8, 4]
    assert (few["recall_feminine"], few["precision_feminine"]) == (50, 100)
    assert (few["recall_masculine"], few["precision_masculine"]) == (0, 0)
    assert (few["true_masculine_per_feminine"], few["masculine_per_feminine"], few["bias"]) == (0.5, 1, 2)
    # All documents are alike, which tells nothing of how documents differ.
    assert pd.isna(few["bias_low"])


def test_intervals_are_over_documents_and_the_log_of_the_bias_is_one(tables):
    even = of(tables(differing=True, units=10)["methods"], method="few", half="all", genre="all")
    assert even["recall_feminine_low"] < even["recall_feminine"] < even["recall_feminine_high"]
    assert even["log_bias"] == pytest.approx(np.log(even["bias"]), abs=1e-5)


def test_a_gender_that_only_nouns_show_is_not_among_those_that_pronouns_show(tables):
    kinds = tables(shown_by="nouns")["kinds"]
    assert of(kinds, method="few", kind="noun", shown_by="all")["annotated_feminine"] == 4
    assert of(kinds, method="few", kind="noun", shown_by="pronouns")["annotated_feminine"] == 0


def test_what_is_found_beside_an_incomplete_annotation_is_not_wrong(tables):
    few = of(tables(annotation="marked")["methods"], method="few", half="all", genre="all")
    assert few["precision_feminine"] == 100 and pd.isna(few["precision_masculine"])


def test_kinds_words_and_errors_name_what_was_missed(tables):
    made = tables(held_out=False)
    noun = of(made["kinds"], method="few", kind="noun", shown_by="all")
    assert (noun["annotated_feminine"], noun["share_feminine"], noun["recall_feminine"]) == (4, 50, 0)
    missed = made["errors"].query("method == 'few' and error == 'missed'")
    assert list(zip(missed["text"], missed["number"], strict=True)) == [("teacher", 4), ("he", 4)]
    assert of(made["errors"], method="few", error="no person")["text"] == "room"
    assert of(made["words"], method="few", gender="feminine", word="she")["as_feminine"] == 4


def test_there_is_no_interval_over_fewer_than_ten_documents(tables):
    few = of(tables(differing=True, units=9)["methods"], method="few", half="all", genre="all")
    assert few["recall_feminine"] > 50 and pd.isna(few["recall_feminine_low"]) and pd.isna(few["log_bias_high"])


def test_each_kind_of_text_is_a_cluster_of_a_method(tables):
    # Each text has two women and a man.
    some = tables(units=20)["method_errors"].query("method == 'few'")
    assert list(some["kind"]) == ["news", "novel"] and set(some["corpus"]) == {"Toy"}
    news = of(some, kind="news")
    assert news["documents"] == 10
    assert [news[f"{name}_feminine"] for name in ("true", "found", "right")] == [20, 10, 10]
    assert [news[f"{name}_masculine"] for name in ("true", "found", "right")] == [10, 10, 0]
    assert news["log_bias"] == pytest.approx(np.log(2), abs=0.1) and news["standard_error"] > 0.1


@pytest.mark.parametrize(("annotation", "found_men"), [("complete", 1), ("marked", 0)])
def test_sources_are_a_table_and_a_cluster_without_indirect_quotes_if_only_some_persons_are_marked(
    tmp_path, annotation, found_men
):
    she, he = mention("pronoun", SHE, "feminine"), replace(mention("pronoun", HE, "masculine"), entity=1)
    direct, indirect = AttributedQuote(((0, 18),), True, 0), AttributedQuote(((19, 36),), False, 1)
    text = AnnotatedText("t", "u", "news", TEXT, (), quoted=QuotedText((she, he), (direct, indirect)))

    def batches():
        yield [found_row(text, {"persons": [she, he]}, QuotedText((she, he), (direct, indirect)))]
        return {
            "gold": "toy", "lang": "eng", "methods": ["persons"], "annotation": annotation, "grammatical": False,
            "lexicon": "", "word_list": "words", "pipeline": "folder/parser",
        }  # fmt: skip

    found, judged = tmp_path / "found.parquet", tmp_path / "judged.tsv"
    write_batches(found, found_schema(["persons"]), batches())
    judged.write_text("\t".join(COLUMNS) + "\n")
    made = tabulate_methods([found], [], judged, tmp_path / "gaps.csv", [], {"toy/eng": "Toy"}, BOOTSTRAP)
    tables = {table.name: table.frame for table in made}
    row = of(tables["speakers"], half="all")
    assert (row["right_feminine"], row["annotated_masculine"], row["found_masculine"]) == (1, found_men, found_men)
    cluster = of(tables["method_errors"], count="speakers")
    assert (cluster["pipeline"], cluster["right_feminine"], cluster["right_masculine"]) == ("parser", 1, found_men)


def test_only_marked_mentions_say_how_a_method_errs_where_not_all_are_marked(tables):
    # There are two texts of each kind.
    (marked, *_) = tables(annotation="marked")["method_errors"].query("method == 'few'").to_dict("records")
    assert (marked["found_feminine"], marked["found_masculine"], marked["annotation"]) == (2, 0, "marked")
    assert tables(annotation="balanced")["method_errors"].empty


def test_a_cluster_is_checked_by_the_error_of_the_others(tables):
    made = tables(units=20)
    checked = made["method_error"].query("method == 'few'")
    # One corpus alone cannot be left out.
    assert list(checked["left_out"]) == ["cluster", "cluster"]
    assert np.allclose(checked["joint_error"], np.hypot(checked["log_sd"], checked["standard_error"]), atol=1e-4)
    assert np.allclose(checked["z"], checked["log_error"] / checked["joint_error"], atol=1e-3)
    for lang in ("eng", "all"):
        spread = of(made["spreads"], method="few", lang=lang)
        assert spread["log_sd"] > 0 and spread["low_of_20_percent"] < 20 < spread["high_of_20_percent"]


@pytest.mark.parametrize(("complete", "known"), [(True, 0.25), (False, 0.5)])
def test_a_mention_of_unknown_gender_is_neither_truth_nor_error(complete, known):
    def pair(annotated, found):
        sides = ((annotated, AnnotatedMention), (found, Mention))
        return tuple(gender and mention("noun", SHE, gender, cls) for gender, cls in sides)

    feminine, masculine = "feminine", "masculine"
    pairs = [
        pair(feminine, feminine), pair(masculine, masculine), pair(masculine, None), pair("unspecified", masculine),
        pair(None, feminine),
    ]  # fmt: skip
    figures = compute_ratios(count_pairs(pairs, complete).sum(axis=0))
    # Two women and two men are found, of one and two; without the unknown one, and beside marked mentions, fewer.
    assert (figures["bias"], figures["bias_known"], figures["recall_ratio"]) == (0.5, known, 0.5)
    assert figures["f1"] == pytest.approx(100 * 2 / 3 if complete else 80)


def test_words_beside_marked_mentions_are_not_listed(tables):
    listed = {name: set(tables(annotation=name, held_out=False)["words"]["word"]) for name in ("complete", "marked")}
    assert listed["complete"] - listed["marked"] == {"room"}


def test_the_figure_is_drawn_of_the_table(tables, tmp_path):
    tables()
    (chart,) = plot_methods(tmp_path / "methods.csv", {"toy/eng": "Toy"}, {"eng": "English"}, "Some lexicon")
    chart.save(tmp_path / "f.svg")
    assert "<title>No method is near the annotated ratio</title>" in (tmp_path / "f.svg").read_text("utf-8")


@pytest.fixture
def plan(repository):
    def plan(study=None, **values):
        return make_plan(repository, "instruments", instruments=study or {}, **values)

    return plan


def test_a_method_without_its_pipeline_is_left_out_and_said(plan):
    made = plan({"gold": ["openboek", "gum"]}, person_pipelines={"eng": "no_such_pipeline"})
    assert made.units == [("openboek", "nld"), ("gum", "eng")]
    assert made.persons.methods("eng") == ["published_lexicon", "nouns", "pronouns", "words"]
    assert [row[0] for row in made.not_run] == ["openboek", "gum"]
    assert made.not_run[0][3].endswith("(python -m spacy download nl_core_news_sm)")
    assert made.not_run[1][3].endswith("(python -m spacy download no_such_pipeline)")


def test_a_language_has_the_files_of_its_rules_and_without_a_lexicon_not_its_method(plan):
    made = plan({"gold": ["ner_uk_titles", "newsroom"]}, person_pipelines={"deu": "no_such_pipeline"})
    assert made.persons.methods("ukr") == ["nouns", "pronouns", "words", "persons"]
    files = made.persons.language("ukr")
    assert (files.lexicon, files.pipeline) == ("", "pymorphy3")
    assert {*files.lists.values()} <= {*made.persons.files("ukr")} and len(files.lists) == 4
    # Without its pipeline, the rules of German are not read.
    assert not any("titles" in path for path in made.persons.files("deu"))


def test_quotes_are_found_where_they_are_annotated_and_a_pipeline_is_installed(plan, tmp_path):
    pytest.importorskip("spacy")
    (tmp_path / "meta.json").write_text("{}")
    (tmp_path / "fra.jsonl").write_text("")
    pipelines = {"eng": str(tmp_path), "fra": str(tmp_path / "fra.jsonl"), "deu": "no_such_pipeline"}
    made = plan({"gold": ["news", "readings"]}, person_pipelines=pipelines)
    lists = made.language("news", "eng").quote_lists
    assert len(lists) == 4 and {*lists.values()} <= {*made.tools("news", "eng")}
    assert not made.language("readings", "eng").quote_lists
    # Recorded mentions have no quotes.
    assert not made.language("news", "fra").quote_lists and not made.language("news", "deu").quote_lists


def test_unknown_corpora_are_config_errors(plan):
    with pytest.raises(ConfigError, match=r"instruments\.gold: mine is not a row of .*person_gold"):
        plan({"gold": ["mine"]})
    assert plan({"gold": ["mine"]}, studies=["lexicon"]).units == []


@pytest.mark.parametrize(
    ("word_list", "said"),
    [
        ("gender_gap_v1.0", "word_list: gender_gap_v1.0 must be a lexicon of lemmas"),
        ("mine", "word_list: mine is not a row of"),
    ],
)
def test_a_word_list_has_layers(plan, word_list, said):
    made = plan({"gold": ["gum"]}, word_list=word_list)
    with pytest.raises(ConfigError, match=said):
        made.persons.language("eng")
