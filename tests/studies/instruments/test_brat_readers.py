"""Readers of BRAT, on tiny texts."""


def test_brat_splits_a_chain_that_shows_both_genders(read, shown):
    text = "Kim came. He saw Lou. She left."
    places = {"T1": (0, 3), "T2": (10, 12), "T3": (17, 20), "T4": (22, 25)}
    lines = [f"{key}\tPER {start} {end}\t{text[start:end]}" for key, (start, end) in places.items()]
    lines += [f"R{number}\tCoreference Arg1:{one} Arg2:{other}" for number, (one, other) in enumerate(
        [("T1", "T2"), ("T2", "T3"), ("T3", "T4")], start=1)]  # fmt: skip
    (found,) = read("brat", "one.ann", "\n".join(lines), one__txt=text)
    assert [gender for _, _, gender in shown(found)] == ["masculine", "masculine", "unspecified", "feminine"]


def test_litbank_joins_the_spans_of_a_chain_and_what_is_said_of_somebody(read, shown):
    text = "Kim was a guide . You saw her town . The men left ."
    lines = [
        "T1\tPROP_PER 0 3\tKim", "T2\tNOM_PER 8 15\ta guide", "T3\tPRON_PER 18 21\tYou", "T4\tNOM_GPE 26 34\ther town",
        "T5\tPRON_PER 26 29\ther", "T6\tNOM_PER 37 44\tThe men", "T7\tKim-1 0 3\tKim", "T8\tKim-1 26 29\ther",
        "T9\tyou-2 18 21\tYou", "T10\tthe_men-3 37 44\tThe men", "R1\tcop Arg1:T1 Arg2:T2",
    ]  # fmt: skip
    (found,) = read("litbank", "1_kim_brat.ann", "\n".join(lines), **{"1_kim_brat__txt": text})
    assert (found.id, found.genre) == ("1_kim", "novel")
    assert shown(found) == [
        ("Kim", "name", "feminine"), ("a guide", "noun", "feminine"), ("her", "pronoun", "feminine"),
        ("The men", "noun", "masculine"),
    ]  # fmt: skip
