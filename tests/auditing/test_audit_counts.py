"""The audit's numbers: those of the workflow, whatever the number of files, languages and processes."""

import re
from dataclasses import replace
from functools import partial
from itertools import accumulate, product

import numpy as np
import pytest
from lexicons import NOUNS
from pandas.testing import assert_frame_equal

import textparity
from textparity.auditing.audit import audit_sources
from textparity.auditing.counting import CountingRun
from textparity.auditing.inputs import choose_sources
from textparity.auditing.languages import load_registry, warn_about_language
from textparity.auditing.records import cut_example
from textparity.auditing.reliability import NO_GRADE, explain_verdict
from textparity.auditing.settings import CountingOptions, make_settings
from textparity.corpora.reading import read_corpus
from textparity.counting.totals import decide_family
from textparity.errors import ConfigError, InputError
from textparity.estimating import streaming_bootstrap
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.estimates import Estimate
from textparity.estimating.gaps import EvidenceThreshold
from textparity.estimating.streaming_bootstrap import StreamingBootstrap
from textparity_studies.lexicon.counts import count_lexicon
from textparity_studies.lexicon.summaries import summarise_language

DEMO = ("arb", "cmn", "deu", "eng", "rus", "spa")


def demo_text(repository, lang):
    return repository / "resources" / "demo" / "texts" / f"{lang}.txt"


@pytest.mark.parametrize("settings", [{"method": "published"}, {"lexicon_folder": NOUNS}], ids=lambda of: min(of))
@pytest.mark.parametrize("lang", DEMO)
def test_the_audit_gives_the_numbers_of_the_workflow(repository, tmp_path, monkeypatch, lang, settings):
    monkeypatch.setattr(CountingOptions, "lexicon", "demo")
    texts, counts = tmp_path / "texts.parquet", tmp_path / "counts.parquet"
    registry = load_registry()
    read_corpus(demo_text(repository, lang), texts, "demo", lang)
    lexicon = repository / "resources" / "demo" / "lexicons" / f"{lang}.json"
    count_lexicon([texts], lexicon, [counts], ["demo"], lang, registry.tokenizer(lang, "icu"))
    rows = list(summarise_language(counts, Bootstrap(1, 1000, 0.95), EvidenceThreshold(20, 10)))
    (row,) = [row for row in rows if row.procedure == make_settings(**settings).counting.procedure]
    (summary,) = decide_family([row.summary], 0.95)
    expected = {"corpus": row.corpus, "lang": row.lang, "engine": row.engine, **summary.columns()}
    # The audit gives the interval of women's share, and the ratio's follows from it.
    expected = {name: value for name, value in expected.items() if not name.startswith("masculine_per_feminine")}
    result = textparity.audit_files(demo_text(repository, lang), lang, **settings)
    (found,) = result.to_frame().to_dict("records")
    # The workflow draws the texts themselves, the audit how many of each kind: the same bootstrap, other draws.
    ends = [name for name in expected if name.endswith(("_low", "_high"))]
    for name in ends:
        width = expected[name.replace("_low", "_high")] - expected[name.replace("_high", "_low")]
        assert found[name] == pytest.approx(expected[name], abs=max(0.2 * width, 1e-9), nan_ok=True), name
    # What the workflow calls a text is here known to be a line.
    assert (found["resampling_unit"], expected["resampling_unit"]) == ("line", "text")
    others = {name: value for name, value in expected.items() if name not in (*ends, "corpus", "resampling_unit")}
    assert {name: found[name] for name in others} == pytest.approx(others, nan_ok=True)


def speaking_of(word, number, unlike=5):
    return [f"A {word} came." + " Well." * (place % unlike) for place in range(number)]


@pytest.mark.parametrize(
    ("texts", "verdict"),
    [
        (speaking_of("man", 25) + speaking_of("woman", 5), "masculine"),
        (speaking_of("man", 15) + speaking_of("woman", 15), "no clear difference"),
        (speaking_of("man", 14) + speaking_of("woman", 5), "too few"),
        ([*speaking_of("man and a man", 9), "A dog."], "too few"),
        (speaking_of("man", 50, unlike=1), "masculine"),
        (["Nobody came."] * 50, "too few"),
    ],
)
def test_a_verdict_needs_words_and_texts(texts, verdict):
    found = textparity.audit(texts, "eng", lexicon_folder=NOUNS)["eng"]
    assert found.verdict == verdict
    assert ("needed" in found.verdict_reason) is (verdict == "too few")
    # Resamples of texts that are all alike do not show how much they vary.
    rates = [found.rate(name) for name in ("feminine", "masculine")]
    assert not any(rate.low == rate.high for rate in rates)


@pytest.mark.parametrize(
    ("texts", "share", "lacking"),
    [
        (speaking_of("man", 14) + speaking_of("woman", 5), (26.3, True), "19 gendered words, 20 are needed"),
        (["A man met a man."] * 15 + ["A woman."] * 9, (23.1, True), ""),
        (["A man and a man and a man."] * 8, (0.0, False), "8 texts with a gendered word, 10 are needed"),
        (["A man."], (0.0, False), "1 text with a gendered word, 10 are needed; 1 gendered word, 20 are needed"),
        (speaking_of("man", 30), (0.0, True), ""),
        (["Nobody."] * 30, None, "0 texts with a gendered word, 10 are needed; 0 gendered words, 20 are needed"),
    ],
)
def test_the_share_has_an_interval_over_ten_texts_and_the_ratio_follows_from_it(texts, share, lacking):
    found = textparity.audit(texts, "eng", lexicon_folder=NOUNS)["eng"]
    assert found.verdict_reason == lacking
    if share is None:
        assert np.isnan([found.women_share.value, found.masculine_per_feminine.value]).all()
        return
    value, has_interval = share
    assert found.women_share.value == pytest.approx(value, abs=0.05)
    assert (not np.isnan(found.women_share.low)) is has_interval
    ratio = [np.divide(100 - end, end) for end in map(np.float64, (value, found.women_share.high)) if end]
    assert found.masculine_per_feminine.value == (pytest.approx(ratio[0], rel=0.01) if value else np.inf)
    if has_interval:
        assert 0 <= found.women_share.low <= found.women_share.value < found.women_share.high < 100
        assert found.masculine_per_feminine.low == pytest.approx(ratio[-1])


@pytest.mark.parametrize(
    ("women", "men", "sentence"),
    [
        (20, 80, "20 % (13–29 %) are of women: about four mentions of men for each mention of a woman"),
        (30, 49, "38 % (28–49 %) are of women: about 1.6 mentions of men for each mention of a woman"),
        (50, 51, "50 % (40–59 %) are of women: about as many as of men"),
        (60, 30, "67 % (56–76 %) are of women: about two mentions of women for each mention of a man"),
        (1, 199, "less than 1 % (0–4 %) are of women: about 199 mentions of men for each mention of a woman"),
        (0, 40, "0 % (0–9 %) are of women"),
    ],
)
def test_the_headline_is_a_sentence_that_a_newspaper_could_print(women, men, sentence):
    texts = speaking_of("woman", women) + speaking_of("man", men)
    for method in ("words", "nouns"):
        shown = textparity.audit(texts, "eng", method=method).to_text(width=200)
        # Who is mentioned seven times is one of the people, and seven of the mentions.
        assert shown.startswith(f"Of the mentions of women and men, {sentence}.\n") and "people" not in shown


def test_where_test_and_interval_disagree_it_is_said_which_decides():
    # Near 50 %: the test is of the gap in words, the interval of the share.
    (near,) = textparity.audit(speaking_of("man", 40) + speaking_of("woman", 24), "eng", lexicon_folder=NOUNS)
    assert near.verdict == "masculine" and near.women_share.high >= 50
    assert near.verdict_reason.endswith("), though the interval includes 50 %")
    (far,) = textparity.audit(speaking_of("man", 60) + speaking_of("woman", 24), "eng", lexicon_folder=NOUNS)
    assert far.verdict == "masculine" and not far.verdict_reason
    test = replace(far.statistics.test, p_value=0.03, p_value_holm=0.06)
    row = replace(far.statistics, women_share=Estimate(40.0, 30.0, 49.0), test=test)
    said = explain_verdict(replace(row, verdict="no clear difference"), NO_GRADE, EvidenceThreshold(20, 10), 0.95)
    assert said == "the test decides (p = 0.06 after Holm), though the interval excludes 50 %"
    assert not explain_verdict(replace(row, verdict="masculine"), NO_GRADE, EvidenceThreshold(20, 10), 0.95)


@pytest.mark.parametrize(
    ("women", "men", "verdict", "reason"),
    [
        (0, 3, "masculine", ""),
        (3, 0, "feminine", ""),
        (9, 10, "no clear difference", "the method's error could explain it"),
        (10, 9, "no clear difference", "the method's error could explain it"),
        (5, 5, "no clear difference", ""),
    ],
)
def test_a_direction_excludes_the_error_of_the_method(women, men, verdict, reason):
    texts = []
    for word in map("".join, product("bcdfghklmn", repeat=2)):
        # Other words around a match, so that no sentence supplies many of them.
        texts += [f"{word} woman {word}."] * women + [f"{word} man {word}."] * men
    measured = textparity.audit(texts, "eng")
    assert "a direction also needs the interval with error to exclude 50 %" in " ".join(
        measured.to_text(show=["notes"]).split()
    )
    found = measured["eng"]
    assert (found.verdict, found.statistics.test.verdict_unadjusted, found.verdict_reason) == (verdict, verdict, reason)
    # No error is known of a user's own words, so the test decides alone.
    result = textparity.audit(texts, "eng", lexicon_folder=NOUNS)
    assert (result["eng"].verdict == "no clear difference") is (women == men)
    notes = " ".join(result.to_text(show=["notes"]).split())
    assert "the method's error is not known, so a direction excludes only chance" in notes


def test_few_texts_give_no_direction_where_the_error_counts():
    texts = ["A man and a man and a man and a man."] * 6
    (found,) = textparity.audit(texts, "eng", minimum_units=3)
    assert found.verdict == "too few"
    assert found.verdict_reason == "6 texts with a gendered word, 10 are needed"


def test_the_verdicts_of_a_result_are_adjusted_for_each_other(tmp_path):
    for number in range(8):
        texts = speaking_of("man", 21) + speaking_of("woman", 10 if number else 2)
        (tmp_path / f"{number}.txt").write_text("\n".join(texts) + "\n")
    (tmp_path / "few.txt").write_text("A man came.\n")
    many = textparity.audit_files([tmp_path], "eng", lexicon_folder=NOUNS, per_file=True).to_frame().set_index("corpus")
    (one,) = textparity.audit_files([tmp_path / "1.txt"], "eng", lexicon_folder=NOUNS)
    assert one.verdict == "masculine"
    assert many.loc["1.txt", "verdict_unadjusted"] == "masculine"
    assert many.loc["1.txt", "verdict"] == "no clear difference"
    assert many.loc["0.txt", "verdict"] == "masculine"
    # A file with too few is no test.
    assert many.loc["0.txt", "p_value_holm"] == pytest.approx(8 * many.loc["0.txt", "p_value"])


def test_each_text_is_counted_in_its_language_and_none_is_lost(tmp_path):
    texts = [
        "The woman and her two daughters were rescued from the flooded valley on Monday night.",
        "La mujer y sus dos hijas fueron rescatadas el lunes por la noche del valle inundado.",
        "Kvinnan och hennes två döttrar räddades på måndagskvällen från den översvämmade dalen.",
        "Den unge mannen og faren hans kjørte til kirken på lørdag, men det var ingen andre der.",
        None, "", "1984",
    ]  # fmt: skip
    result = textparity.audit(texts, lexicon_folder=NOUNS)
    assert {item.lang: (item.texts, item.detected) for item in result} == {"eng": (1, 1), "spa": (1, 1)}
    assert 0.5 < result["spa"].mean_certainty <= 1
    left_out = {"no lexicon for Swedish (swe)", "language without a lexicon: no", "null", "blank", "no letters"}
    assert result.left_out == dict.fromkeys(left_out, 1)
    assert result.texts + sum(result.left_out.values()) == len(texts)
    sure = textparity.audit(texts, lexicon_folder=NOUNS, minimum_certainty=1.0)
    assert sure.texts + sum(sure.left_out.values()) == len(texts)
    assert sure.left_out["language not sure"] == 4 - sure.texts


def test_processes_and_the_order_of_files_do_not_change_the_result(repository, tmp_path):
    lines = demo_text(repository, "eng").read_text("utf-8").splitlines()
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text("\n".join(lines[number::3]) + "\n")
    names = [str(tmp_path / f"{number}.txt") for number in range(3)]
    one, other = (
        audit_sources(choose_sources(order, ["eng"])[0], make_settings(lexicon_folder=NOUNS, jobs=jobs))
        for order, jobs in ((names, 1), (names[::-1], 2))
    )
    for table in ("to_frame", "words_frame", "examples_frame"):
        assert_frame_equal(getattr(one, table)(), getattr(other, table)())
    whole = textparity.audit_files(demo_text(repository, "eng"), "eng", lexicon_folder=NOUNS)["eng"]
    assert one["eng"].statistics == whole.statistics
    assert one["eng"].frequent_words == whole.frequent_words


def test_batches_of_this_and_of_other_processes_keep_their_order(repository, tmp_path):
    path = tmp_path / "long.txt"
    # More than is handed to another process at a time.
    path.write_text(demo_text(repository, "eng").read_text("utf-8") * 2000)
    one, two = (textparity.audit_files(path, "eng", lexicon_folder=NOUNS, jobs=jobs) for jobs in (1, 2))
    for table in ("to_frame", "words_frame", "examples_frame"):
        assert_frame_equal(getattr(one, table)(), getattr(two, table)())


def test_a_file_that_fails_is_left_out_whole(tmp_path):
    (tmp_path / "a.txt").write_text("A woman.\n")
    (tmp_path / "b.txt").write_bytes(b"A man.\n" * 5000 + b"\xff\n")
    (tmp_path / "eng.json").write_text(
        '{"feminine": [{"singular": "woman"}], "masculine": [{"singular": "man"}], "unspecified": []}'
    )
    settings = make_settings(lexicon_folder=tmp_path, minimum_certainty=0)
    sources, _ = choose_sources([str(tmp_path / name) for name in ("a.txt", "b.txt")], ["eng"])
    with pytest.raises(InputError, match=r"b\.txt, line 5001"):
        audit_sources(sources, settings)
    result = audit_sources(sources, settings, CountingRun(skip_failed=True))
    assert (result.files, result.texts, result["eng"].matches["masculine"]) == (1, 1, 0)
    assert [name for name, _ in result.failed] == ["b.txt"]
    lenient = audit_sources(sources, settings, CountingRun(skip_invalid=True))
    assert (lenient.texts, lenient.left_out) == (5001, {"not valid": 1})
    # A lexicon that is not valid is no file to skip.
    (tmp_path / "eng.json").write_text("{")
    with pytest.raises(InputError, match=r"eng\.json"):
        audit_sources(sources, settings, CountingRun(skip_failed=True))


def test_the_first_texts_of_each_file_and_one_row_each(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("A mother.\nA father.\nA mother.\n")
    result = textparity.audit_files([tmp_path], "eng", lexicon_folder=NOUNS, max_samples=2, per_file=True)
    assert [(item.corpus, item.texts) for item in result] == [("a.txt", 2), ("b.txt", 2)]


def test_a_given_language_that_does_not_fit_is_doubted(repository):
    wrong = textparity.audit_files(demo_text(repository, "arb"), "spa", lexicon_folder=NOUNS)
    (doubt,) = wrong.warnings
    assert "0 look like Spanish (spa), 36 like arb; is the language right?" in doubt
    assert doubt in wrong.to_text(width=1000)
    for lang in DEMO:
        assert not textparity.audit_files(demo_text(repository, lang), lang, lexicon_folder=NOUNS).warnings


@pytest.mark.parametrize(
    ("lang", "text", "doubted"),
    [
        ("zul", "Umama wami uhlala edolobheni elikhulu nabantwana bakhe.", False),
        ("lug", "Maama wange abeera mu kibuga ekinene n'abaana be.", False),
        ("yue", "我媽媽同佢啲細路仔住喺一個大城市，嗰度有好多車。", False),
        ("yue", "我的母親和她的孩子們住在一個大城市，那裡有很多車。", False),
        ("yue", "我妈妈和她的孩子们住在一个大城市，那里有很多车。", True),
        ("swe", "My mother lives in a large city with her children.", True),
    ],
)
def test_only_what_the_identifier_knows_is_doubted(lang, text, doubted):
    assert bool(warn_about_language(lang, [text] * 10)) == doubted


def test_the_lines_of_a_record_that_is_not_valid_are_counted(tmp_path):
    (tmp_path / "a.csv").write_text('text\nA man.\n"A woman.\nA son.\n')
    result = audit_sources(
        choose_sources([str(tmp_path)], ["eng"])[0],
        make_settings(lexicon_folder=NOUNS),
        CountingRun(skip_invalid=True),
    )
    assert (result.texts, result.left_out) == (1, {"not valid": 2})


def test_a_file_that_is_skipped_is_not_doubted(repository, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_bytes(demo_text(repository, "arb").read_bytes() * 200 + b"\xff\n")
    (tmp_path / "good.txt").write_text("Una mujer.\n")
    sources, _ = choose_sources([str(bad), str(tmp_path / "good.txt"), "no.txt"], ["spa"])
    result = audit_sources(sources, make_settings(lexicon_folder=NOUNS), CountingRun(skip_failed=True))
    assert (len(result.failed), result.texts, result.warnings) == (2, 1, ())


def test_wrong_use_is_named():
    with pytest.raises(InputError, match="one string"):
        textparity.audit("A man.")
    with pytest.raises(InputError, match="text 2 is int"):
        textparity.audit(["A man.", 2], "eng", lexicon_folder=NOUNS)
    with pytest.raises(ConfigError, match="engine"):
        textparity.audit(["A man."], "eng", engine="fast")


def test_intervals_of_more_kinds_than_are_held_are_nearly_the_same(monkeypatch):
    rng = np.random.default_rng(5)
    texts = [(int(words), *map(int, rng.poisson([0.3, 0.4, 0.5]))) for words in rng.integers(10, 400, 6000)]

    def intervals():
        drawn = StreamingBootstrap(2000, partial(np.random.default_rng, 7))
        for start in range(0, len(texts), 500):
            drawn.add(np.array(texts[start : start + 500]))
        return [*drawn.intervals(0.95), drawn.women_share().interval(0.95)], len(drawn.bins)

    exact, kinds = intervals()
    assert kinds > 3000
    # The last is a single bin: all that is known of the texts is their mean, and how they differ.
    for most in (1000, 50, 1):
        monkeypatch.setattr(streaming_bootstrap, "KINDS_HELD", most)
        binned, held = intervals()
        assert held <= most
        for one, other in zip(exact, binned, strict=True):
            width = one.high - one.low
            assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=0.1 * width)


def test_an_interval_that_a_resample_leaves_undefined_is_not_given():
    drawn = StreamingBootstrap(1000, np.random.default_rng)
    drawn.add(np.array([(10, 1, 1, 0), (12, 0, 1, 0), (12, 0, 1, 0)]))
    *_, ratio = intervals = drawn.intervals(0.95)
    assert np.isnan(ratio.low)
    assert 0 <= intervals[0].low < intervals[0].high


def test_examples_are_distinct_texts_chosen_by_the_seed():
    texts = [f"Sentence {number} names a father." for number in range(50)]
    first = textparity.audit(texts * 3, "eng", lexicon_folder=NOUNS).languages[0].examples["masculine"]
    assert len({example.text for example in first}) == 5
    same = textparity.audit(texts[::-1], "eng", lexicon_folder=NOUNS).languages[0].examples["masculine"]
    assert [example.text for example in same] == [example.text for example in first]
    other = textparity.audit(texts, "eng", lexicon_folder=NOUNS, seed=1).languages[0].examples["masculine"]
    assert [example.text for example in other] != [example.text for example in first]


def example(marked):
    """Return the example of a text whose matches stand in brackets."""
    parts = re.split(r"\[(.*?)\]", marked)
    ends = [*accumulate(map(len, parts))]
    return cut_example("".join(parts), zip(ends[0::2], ends[1::2], strict=False), "en", "a.txt", 1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Man ser [mannen], en [man].", "Man ser [mannen], en [man]."),
        ("  L’[homme]\n\tet l'homme. ", "L’[homme] et l'homme."),
        ("Her [family\u00a0 members] came.", "Her [family members] came."),
        ("这位[母亲]来了。", "这位[母亲]来了。"),
        ("Sa [me\u0300re].", "Sa [mère]."),
        ("red\x1b: [man]\n\u202ehere", "red�: [man] �here"),
        ("No match has its place.", "No match has its place."),
    ],
)
def test_matches_are_marked_where_they_stand(text, shown):
    assert example(text).marked() == shown


def test_of_a_document_the_line_and_the_sentence_of_the_match_are_shown():
    text = "Nothing here. " * 100 + "The [mother] spoke at last. " + "Nothing there. " * 100
    assert example(text).marked() == "… The [mother] spoke at last. …"
    shown = example("A man.\u2029Mr Johnson, a [son], came.\u2029Another [son].")
    assert (shown.marked(), shown.place) == ("Mr Johnson, a [son], came.", 2)
    endless = example("word " * 100 + "[mother]" + " word" * 100)
    assert len(endless.text) < 300
    assert endless.marked().startswith("…") and "[mother]" in endless.marked()


@pytest.mark.parametrize(
    ("sentence", "locale"),
    [
        ("We saw Dr. Anna B. Smith and Mrs. Jones with the [mother] in the U.S. embassy.", "en"),
        ("Am 3. Mai kam Frau Prof. Dr. Weiß, z. B. mit der [mother], ins Haus hinein.", "de"),
        ("M. Dupont et Mme. Durand ont vu la [mother] au no. 5 de la rue.", "fr"),
        ("Sr. López y la Sra. Ruiz vieron a la [mother] en la pág. 12 del libro.", "es"),
    ],
)
def test_an_example_is_not_cut_inside_an_abbreviation(sentence, locale):
    text = f"{'Nothing at all happened here. ' * 20}{sentence} {'Nothing at all happened there. ' * 20}"
    start = text.index("[mother]")
    plain = text.replace("[mother]", "mother")
    found = cut_example(plain, [(start, start + 6)], locale, "a", 1)
    assert found.marked() == f"… {sentence} …"


def test_a_match_within_another_is_not_marked_again():
    assert cut_example("a family member", [(2, 8), (2, 15)], "en", "a", 1).marked() == "a [family member]"
