"""Compare the first names that a system puts into sentences with the names' frequencies (Nahurna 2025, §4.1.5)."""

from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import regex
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from textparity.counting.statistics import percentage
from textparity.persons.ukrainian.word_lists import GenderLists, load_gender_lists
from textparity.persons.ukrainian.words import analyse, load_analyser
from textparity.tables import write_csv
from textparity_studies.report.plotting import COLOURS, GREY, add_tooltips, figure, head_figure
from textparity_studies.swapping.candidates.outputs import SENTENCE, load_outputs
from textparity_studies.swapping.candidates.reviews import ACCEPT, CORRECT, read_published_reviews
from textparity_studies.swapping.names import CORRECTED, FEMININE, MASCULINE, PUBLISHED

AMBIGUOUS = "ambiguous"
REVIEWED = "reviewed"
NAME_COLUMNS = ["system", "procedure", "gender", "name", "generated", "share", "dictionary_share", "rank"]
_GENDERS = {"femn": FEMININE, "masc": MASCULINE}
_TOKEN = regex.compile(r"\p{L}+(?:['’ʼ-]\p{L}+)*|[^\s\p{L}]")
Name = tuple[str, str]
"""A gender and a name in the nominative."""
_TOP = 10
_LISTED: dict[str, Any] = {
    "marker": "D",
    "markersize": 4,
    "markerfacecolor": "white",
    "markeredgecolor": "black",
    "linestyle": "none",
}


def measure_name_bias(outputs: list[Path], reviews: list[Path], table: Path, **word_lists: Path) -> None:
    """Write the names of each system (the file's name) and of reviewed sentences, if any: one row per gender and name.

    `published` counts every first name in the nominative, even if the input has it too. `corrected` counts, in any
    case, those that the input does not have. `share` is of the gender's names, `dictionary_share` of the name list,
    both in percent. Names whose gender cannot be decided have the gender `ambiguous` and no share.
    """
    lists = load_gender_lists(**word_lists)
    sets: dict[str, list[tuple[str, str]]] = {}
    for path in outputs:
        rows = load_outputs(path)
        rows = rows[rows["kind"] == SENTENCE]
        sets[path.stem] = list(zip(rows["input"], rows["output"], strict=True))
    if reviews:
        reviewed = [review for review in read_published_reviews(reviews) if review.decision in (ACCEPT, CORRECT)]
        sets[REVIEWED] = [(review.original, review.final) for review in reviewed]
    found = [row for system, pairs in sets.items() for row in _rows(system, pairs, lists)]
    write_csv(pd.DataFrame(found, columns=NAME_COLUMNS), table)


def first_names(sentence: str, lists: GenderLists, original: str = "") -> list[Name]:
    """Find the first names of a sentence with their gender, in order; ambiguous ones keep their form.

    A name is a capitalised word that the dictionary of forms lists as one. If it can be of both genders (Олександра:
    feminine, or a masculine genitive), the adjacent patronymic or surname decides by case and gender. Failing that, the
    case of the word that it replaced in the `original` decides.
    """
    tokens = _TOKEN.findall(sentence)
    before = _TOKEN.findall(original)
    places = _places(before, tokens)
    names = []
    for place, token in enumerate(tokens):
        readings = _readings(token, "Name") if _is_known(token) else set()
        if not readings:
            continue
        for beside in (place + 1, place - 1):
            other = tokens[beside] if 0 <= beside < len(tokens) else ""
            readings = readings & _readings(other, "Surn", "Patr") or readings
        if place in places:
            cases = {case for _, case in _readings(before[places[place]], "Name", "Surn", "Patr")}
            readings = {reading for reading in readings if reading[1] in cases} or readings
        names.append(_choose(token, readings, lists))
    return names


def generated_names(original: str, output: str, lists: GenderLists) -> list[Name]:
    """Find the first names of an output that the original does not have, each with its excess count."""
    left = Counter(first_names(original, lists))
    names = []
    for name in first_names(output, lists, original):
        if left[name]:
            left[name] -= 1
        else:
            names.append(name)
    return names


def _places(before: list[str], after: list[str]) -> dict[int, int]:
    """Map each token that replaced exactly one other to that token's place."""
    blocks = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes() if before else []
    return {
        new: old
        for kind, old_start, old_end, start, end in blocks
        if kind == "replace" and old_end - old_start == end - start
        for new, old in zip(range(start, end), range(old_start, old_end), strict=True)
    }


def nominative_names(sentence: str, lists: GenderLists) -> list[Name]:
    """Find the words of a sentence that are a first name in this form, with the first gender that has it.

    The authors look up each word of a person in a dictionary of forms, and the form must be its own lemma. A genitive
    such as Анатолія then counts as a feminine name, and Олександри as none.
    """
    names = []
    for token in _TOKEN.findall(sentence):
        if not _is_known(token):
            continue
        genders = [
            gender
            for parse in analyse(token)
            if "Name" in parse.tag and parse.normal_form == token.lower()
            for gender in [_GENDERS.get(parse.tag.gender)]
            if gender
        ]
        listed = [gender for gender, known in _name_lists(lists).items() if token in known]
        if genders or listed:
            names.append(((genders or listed)[0], token))
    return names


def _is_known(token: str) -> bool:
    """Check that a word is capitalised, not an initial, and has readings that are not guessed from its ending."""
    return len(token) > 1 and token[0].isupper() and load_analyser().word_is_known(token)


def _readings(token: str, *grammemes: str) -> set[tuple[str, str]]:
    """List the (gender, case) pairs that a capitalised word can have as a name of one of these kinds."""
    return {
        (_GENDERS[parse.tag.gender], parse.tag.case)
        for parse in (analyse(token) if token[:1].isupper() else ())
        if parse.tag.gender in _GENDERS and any(grammeme in parse.tag for grammeme in grammemes)
    }


def _choose(token: str, readings: set[tuple[str, str]], lists: GenderLists) -> Name:
    candidates = {
        (_GENDERS[parse.tag.gender], parse.normal_form.capitalize())
        for parse in analyse(token)
        if "Name" in parse.tag and (_GENDERS.get(parse.tag.gender), parse.tag.case) in readings
    }
    listed = {(gender, name) for gender, name in candidates if name in _name_lists(lists)[gender]}
    chosen = sorted(listed or candidates)
    if len({gender for gender, _ in chosen}) > 1:
        return AMBIGUOUS, token
    # If one gender has two lemmas, the more frequent name is chosen.
    return max(chosen, key=lambda name: _name_lists(lists)[name[0]].get(name[1], 0))


def _name_lists(lists: GenderLists) -> dict[str, dict[str, float]]:
    return {FEMININE: lists.feminine_names, MASCULINE: lists.masculine_names}


def _rows(system: str, pairs: list[tuple[str, str]], lists: GenderLists) -> Iterable[list[object]]:
    counted = {
        PUBLISHED: Counter(name for _, output in pairs for name in nominative_names(output, lists)),
        CORRECTED: Counter(name for original, output in pairs for name in generated_names(original, output, lists)),
    }
    for procedure, counts in counted.items():
        for gender in (FEMININE, MASCULINE, AMBIGUOUS):
            known = _name_lists(lists).get(gender, {})
            listed = sum(known.values())
            names = sorted(((number, name) for (of, name), number in counts.items() if of == gender), key=_by_number)
            total = sum(number for number, _ in names)
            for rank, (number, name) in enumerate(names, start=1):
                share = percentage(number, total) if known else float("nan")
                expected = 100 * known.get(name, 0) / listed if listed else float("nan")
                yield [system, procedure, gender, name, number, share, expected, rank]


def _by_number(counted: tuple[int, str]) -> tuple[int, str]:
    number, name = counted
    return -number, name


def plot_name_bias(table: Path, figures: list[Path], names: dict[str, str]) -> None:
    """Draw the ten most generated names for each system and gender, in percent, with the name list's shares.

    `names` maps systems to their names; other systems keep the name in the table.
    """
    rows = pd.read_csv(table)
    rows = rows[rows["procedure"] == CORRECTED]
    systems = list(dict.fromkeys(rows["system"]))
    genders = (FEMININE, MASCULINE)
    reach = 1.12 * max(1, rows.loc[rows["rank"] <= _TOP, ["share", "dictionary_share"]].max().max())
    with figure(figures, size=(max(5.4, 2.6 * len(systems) + 0.4), 6.4)) as drawn:
        grid = drawn.subplots(2, max(len(systems), 1), squeeze=False, sharex=True)
        for column, system in enumerate(systems):
            of_system = rows[rows["system"] == system]
            open_names = int(of_system.loc[of_system["gender"] == AMBIGUOUS, "generated"].sum())
            for axes, gender in zip(grid[:, column], genders, strict=True):
                chosen = of_system[of_system["gender"] == gender]
                _draw(axes, chosen, gender, reach)
                title = f"{names.get(system, system)}\n" if gender == FEMININE else ""
                axes.set_title(f"{title}{gender}: {int(chosen['generated'].sum())} names")
            note = f"\n{open_names} more: gender open" if open_names else ""
            grid[-1, column].set_xlabel(f"% of the gender's names{note}")
        handles: list[Artist] = [Patch(color=COLOURS[gender], label=f"generated, {gender}") for gender in genders]
        handles.append(Line2D([], [], color="black", label="in the name list", **_LISTED))
        drawn.legend(handles=handles, loc="outside lower center", ncols=2)
        head_figure(
            drawn,
            _say_top(rows),
            f"First names that swapping puts into sentences, corrected procedure: the {_TOP} of each gender that a "
            "system uses most, beside their share in a list of Ukrainian names",
        )


def _say_top(rows: pd.DataFrame) -> str:
    """Describe the share of the most frequent names among the generated names and in the name list, over all panels."""
    top = rows[(rows["rank"] <= _TOP) & rows["share"].notna()]
    if top.empty:
        return "No system puts a name into a sentence"
    shares = top.groupby(["system", "gender"])[["share", "dictionary_share"]].sum().median()
    return (
        f"In the median, the {_TOP} names that a system uses most are {shares['share']:.0f} % of its names of a "
        f"gender, and {shares['dictionary_share']:.0f} % of the name list"
    )


def _draw(axes: Axes, rows: pd.DataFrame, gender: str, reach: float) -> None:
    top = rows[rows["rank"] <= _TOP].sort_values("rank")
    places = np.arange(len(top))
    bars = axes.barh(places, top["share"], color=COLOURS[gender], height=0.7)
    add_tooltips(bars, [f"{row.name}: {row.generated}, {row.share:.1f} %" for row in top.itertuples(index=False)])
    marks = axes.plot(top["dictionary_share"], places, **_LISTED)[0]
    add_tooltips(
        marks, [f"{row.name}: {row.dictionary_share:.1f} % of the name list" for row in top.itertuples(index=False)]
    )
    axes.set_yticks(places, top["name"])
    axes.set_ylim(_TOP - 0.4, -0.6)
    axes.set_xlim(0, reach)
    axes.tick_params(axis="y", length=0)
    if top.empty:
        axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center", color=GREY)
