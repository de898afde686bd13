"""Write Tables 1, 3 and 4 of Muller 2023, and tables that the paper lacks: verdicts, effects of the correction."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_metadata, read_rows
from textparity.counting.lexicon import NUMBERS, Lexicon, read_lexicon
from textparity.counting.precision import HALVES, measure_precision, read_judgements
from textparity.counting.procedures import PROCEDURES, REVISED
from textparity.counting.statistics import PUBLISHED_VERDICTS, VERDICTS, EvidenceThreshold
from textparity.counting.summary import read_summaries
from textparity.counting.terms import CLASSES, LAYERS
from textparity.tables import write_csv, write_latex
from textparity_studies.lexicon.matches import CountedTexts, leave_one_form_out, list_divergences, measure_fixes
from textparity_studies.lexicon.printed_tables import AVERAGE, read_printed_tables
from textparity_studies.lexicon.readings import READINGS, WITHOUT_ERROR, read_summaries_as

PERCENT = [f"{name}_percent" for name in CLASSES]
_HEADS = {
    "lang": "Lang",
    "feminine_percent": "Feminine",
    "masculine_percent": "Masculine",
    "unspecified_percent": "Unspecified",
    "gap_and_error": "Gap (s.e.)",
    "words": "Words",
    "coverage_percent": "Matched (%)",
}
_VERDICT_HEADS = {"p_value": "p", "p_value_holm": "p (Holm)", "verdict": "Verdict"}
# Columns of a summary that only one of the procedures has.
_ONLY_OF = {
    "corrected": ["standard_error_of_words", "p_value", "p_value_holm", "verdict_unadjusted"],
}
_UNITS_NOTE = {
    "published": "standard error as a fraction, as the paper prints it",
    "corrected": "cluster-robust standard error over documents, or texts where there are none, in percentage points",
}


def tabulate_lexicon(
    published: Path,
    judged: Path,
    lexicons: list[Path],
    counts: list[Path],
    texts: list[Path],
    summaries: list[Path],
    compared_summaries: list[Path],
    printed: list[Path],
    distributions: list[Path],
    overviews: list[Path],
    verdicts: list[Path],
    correction: list[Path],
    revised: list[Path],
    layers: list[Path],
    precision: list[Path],
    fixes: list[Path],
    leave_one_out: list[Path],
    fidelity: list[Path],
    lexicon_sizes: list[Path],
    divergences: list[Path],
    langs: list[str],
    corpus_names: dict[str, str],
    text_units: dict[str, str],
    pivots: dict[str, str],
    divergence_rows: int | None,
    confidence_level: float,
    minimum: EvidenceThreshold,
) -> None:
    """Write all tables of the study; tables without inputs have no paths.

    `judged` are matches of lexicons that were judged in their sentences. `lexicons` are those of `langs`, and `texts`
    those counted in `counts`. `distributions` are ordered by procedure and corpus, and `overviews` by procedure, each
    with CSV and LaTeX. `divergences` are ordered by corpus and language, for corpora whose texts are parallel to those
    in the language given by `pivots`.
    """
    read_printed_tables(published, *printed)
    tabulate_precision(judged, precision[0], confidence_level)
    if langs:
        measure_lexicons(lexicons, lexicon_sizes[0], langs)
    if compared_summaries:
        tabulate_fidelity(read_summaries(compared_summaries), fidelity[0], corpus_names)
    if not summaries:
        return
    frame = read_summaries(summaries)
    # Each CSV is followed by its LaTeX.
    tables = iter(distributions[::2])
    for procedure in PROCEDURES:
        for corpus, rows in frame.groupby("corpus", sort=False):
            tabulate_distribution(rows, next(tables), corpus_names[corpus], text_units[corpus], procedure)
    for procedure, table_csv in zip(PROCEDURES, overviews[::2], strict=True):
        tabulate_overview(frame, table_csv, corpus_names, procedure)
    tabulate_verdicts(frame, verdicts[0], corpus_names)
    tabulate_correction(frame, correction[0], corpus_names)
    if revised:
        tabulate_revision(frame, revised[0], corpus_names)
        tabulate_layers(counts, layers[0], corpus_names)
    counted = [CountedTexts.of(*files) for files in zip(counts, texts, strict=True)]
    names = [{"corpus": corpus_names[item.corpus], "lang": item.lang} for item in counted]
    changed = [name | measure_fixes(item.counts) for name, item in zip(names, counted, strict=True)]
    write_csv(pd.DataFrame(changed), fixes[0])
    hanging = leave_one_form_out(counted, frame, confidence_level, minimum)
    write_csv(pd.DataFrame([name | row for name, row in zip(names, hanging, strict=True)]), leave_one_out[0])
    paths = iter(divergences)
    for corpus, lang in pivots.items():
        pivot = next(item for item in counted if (item.corpus, item.lang) == (corpus, lang))
        others = [item for item in counted if item.corpus == corpus and item.lang != lang]
        for table in list_divergences(others, pivot, divergence_rows):
            write_csv(table, next(paths))


def measure_lexicons(lexicons: list[Path], table_csv: Path, langs: list[str]) -> None:
    """Write one row per language: nouns by class and number, and counts of forms that the corrected procedure fixes."""
    rows = []
    for lang, path in zip(langs, lexicons, strict=True):
        entries = read_lexicon(path)
        sizes = Counter((entry.gender_class, entry.number) for entry in entries if entry.form.strip())
        repairs = Lexicon(entries).repairs
        rows.append(
            {"lang": lang}
            | {f"{name}_{number}": sizes[name, number] for name in CLASSES for number in NUMBERS}
            | {"forms": sum(sizes.values())}
            | {f"{repair}_forms": len(forms) for repair, forms in repairs.items()}
        )
    write_csv(pd.DataFrame(rows), table_csv)


def with_average(rows: pd.DataFrame) -> pd.DataFrame:
    """Sort one corpus' rows of one procedure, English first, then by code, and add the unweighted mean of all below."""
    rows = rows.sort_values("lang", key=lambda langs: langs.where(langs != "eng", ""))
    columns = [*PERCENT, "gap", "standard_error", "words", "coverage_percent"]
    average = rows[columns].mean().to_frame().T.assign(lang=AVERAGE, words=lambda row: row["words"].round())
    whole = rows.select_dtypes("integer").columns
    return pd.concat([rows.astype(dict.fromkeys(whole, "Int64")), average], ignore_index=True).astype(
        dict.fromkeys(whole, "Int64")
    )


def tabulate_distribution(summary: pd.DataFrame, table_csv: Path, corpus_name: str, unit: str, procedure: str) -> None:
    """Write the gender distribution of one corpus by one procedure (the paper's Tables 3 and 4)."""
    rows = with_average(_of_procedure(summary, procedure))
    write_csv(rows, table_csv)
    heads = _HEADS | (_VERDICT_HEADS if procedure == "corrected" else {})
    shown = rows.assign(gap_and_error=_gap_and_error(rows))[list(heads)].rename(columns=heads)
    write_latex(
        shown,
        table_csv.with_suffix(".tex"),
        caption=(
            f"Gender distribution in {corpus_name} ({procedure}): masculine, feminine and unspecified person nouns in "
            f"percent of words, the gap between feminine and masculine ({_UNITS_NOTE[procedure]}), "
            f"and the share of {unit}s with a match. The most represented class is bold, the second underlined."
            + (f" {_verdict_note(rows)}" if procedure == "corrected" else "")
        ),
        formats=dict.fromkeys(("Feminine", "Masculine", "Unspecified"), "{:.3f}")
        | {"Words": "{:.0f}", "Matched (%)": "{:.1f}"}
        | dict.fromkeys(("p", "p (Holm)"), "{:.3f}"),
        ranked=["Feminine", "Masculine", "Unspecified"],
    )


def tabulate_overview(summaries: pd.DataFrame, table_csv: Path, corpus_names: dict[str, str], procedure: str) -> None:
    """Write English and the average of every corpus by one procedure (the paper's Table 1)."""
    frame = _of_procedure(summaries, procedure)
    parts = []
    for corpus, rows in frame.groupby("corpus", sort=False):
        rows = with_average(rows).assign(resampling_unit=rows["resampling_unit"].iloc[0])
        rows = rows[rows["lang"].isin(["eng", AVERAGE])]
        parts.append(rows.assign(corpus=corpus_names[corpus], languages=frame["corpus"].eq(corpus).sum()))
    rows = pd.concat(parts, ignore_index=True)
    columns = ["corpus", "lang", *PERCENT, "gap", "standard_error", "coverage_percent", "languages"]
    if procedure == "corrected":
        columns.append("resampling_unit")
    write_csv(rows[columns], table_csv)
    shown = rows.assign(gap_and_error=_gap_and_error(rows))[
        ["corpus", "lang", *PERCENT, "gap_and_error", "coverage_percent"]
    ].rename(columns={"corpus": "Corpus"} | _HEADS)
    write_latex(
        shown,
        table_csv.with_suffix(".tex"),
        caption=(
            f"Gender distribution ({procedure}) in English and on average over all languages; {_UNITS_NOTE[procedure]}."
        ),
        formats=dict.fromkeys(("Feminine", "Masculine", "Unspecified"), "{:.3f}") | {"Matched (%)": "{:.1f}"},
        ranked=["Feminine", "Masculine", "Unspecified"],
    )


def _of_procedure(summaries: pd.DataFrame, procedure: str) -> pd.DataFrame:
    """Select the rows of one procedure, without the columns of the other."""
    others = [column for name, columns in _ONLY_OF.items() if name != procedure for column in columns]
    return summaries[summaries["procedure"] == procedure].drop(columns=others, errors="ignore")


def _verdict_note(rows: pd.DataFrame) -> str:
    tested = rows["p_value"].notna().sum()
    units = " or ".join(f"{unit}s" for unit in sorted(rows["resampling_unit"].dropna().unique()))
    return (
        f"p: of the gap, over {units}; p (Holm): adjusted for the {tested} languages that have enough for a test; the "
        "verdict goes by it."
    )


def _gap_and_error(rows: pd.DataFrame) -> list[str]:
    return [f"{gap:.3f} ({error:.4f})" for gap, error in zip(rows["gap"], rows["standard_error"], strict=True)]


def tabulate_verdicts(summaries: pd.DataFrame, table_csv: Path, corpus_names: dict[str, str]) -> None:
    """Write the number of languages with each verdict, by corpus: published counts by each reading, and corrected ones.

    If a rule does not have a verdict, the cell is empty.
    """
    names = dict.fromkeys([*PUBLISHED_VERDICTS, *VERDICTS])
    rows = []
    for corpus, of_corpus in summaries.groupby("corpus", sort=False):
        for rule, verdicts, known in _verdicts_by_rule(of_corpus):
            numbers = {name.replace(" ", "_"): verdicts.count(name) if name in known else None for name in names}
            rows.append({"corpus": corpus_names[corpus], "procedure": rule} | numbers | {"languages": len(verdicts)})
    table = pd.DataFrame(rows).astype({name.replace(" ", "_"): "Int64" for name in names})
    write_csv(table, table_csv)
    write_latex(
        table.rename(columns=lambda name: name.replace("_", " ").capitalize()),
        table_csv.with_suffix(".tex"),
        caption=(
            "Number of languages by verdict. Published counts by three readings: footnote 11 of the paper, the gap "
            "against two standard errors in one unit; the gap in percent against two errors as fractions, as the "
            "paper's tables print them (a reading of ours); the masculine rate not below the feminine one, without an "
            "error, by which the authors' script counts languages. Corrected: corrected counts, a cluster-robust error "
            "over documents (or texts), unadjusted and adjusted by Holm for the languages of a corpus; revised: "
            "corrected, by the revised lexicon."
        ),
    )


def _verdicts_by_rule(summary: pd.DataFrame) -> Iterator[tuple[str, list[str], Sequence[str]]]:
    """Iterate over rules, each with its verdicts on the languages of a corpus and its possible verdicts."""
    rows = dict(iter(summary.groupby("procedure")))
    for reading in READINGS:
        known = PUBLISHED_VERDICTS[:2] if reading == WITHOUT_ERROR else PUBLISHED_VERDICTS
        yield f"published, {reading}", read_summaries_as(reading, rows["published"]), known
    yield "corrected, unadjusted", rows["corrected"]["verdict_unadjusted"].tolist(), VERDICTS
    yield "corrected", rows["corrected"]["verdict"].tolist(), VERDICTS
    if REVISED in rows:
        yield REVISED, rows[REVISED]["verdict"].tolist(), VERDICTS


def tabulate_correction(summaries: pd.DataFrame, table_csv: Path, corpus_names: dict[str, str]) -> None:
    """Write the shift of each language's ratio masculine : feminine by the correction, largest shift first."""
    keys = ["corpus", "lang", "tokenizer", "stand_in"]
    values = ["words", "feminine", "masculine", "masculine_per_feminine", "verdict"]
    both = [summaries[summaries["procedure"] == procedure].set_index(keys) for procedure in PROCEDURES]
    table = (
        both[0][values]
        .join(both[1][[*values, "verdict_unadjusted"]], lsuffix="_published", rsuffix="_corrected")
        .reset_index()
    )
    table["shift"] = table["masculine_per_feminine_corrected"] - table["masculine_per_feminine_published"]
    # Ratios are compared on the logarithmic scale: 1:2 and 2:1 are equally far from 1:1.
    table["shift_percent"] = 100 * (
        table["masculine_per_feminine_corrected"] / table["masculine_per_feminine_published"] - 1
    )
    distances = (1 + table["shift_percent"] / 100).abs().map(_log_distance)
    table = table.loc[distances.sort_values(ascending=False, kind="stable").index].assign(
        corpus=table["corpus"].map(corpus_names)
    )
    write_csv(table, table_csv)
    ratios = [f"masculine_per_feminine_{procedure}" for procedure in PROCEDURES]
    shown = table[["corpus", "lang", *ratios, "shift_percent"]]
    write_latex(
        shown.set_axis(["Corpus", "Lang", "Published", "Corrected", "Change (%)"], axis="columns"),
        table_csv.with_suffix(".tex"),
        caption="Masculine per feminine person nouns, published and corrected, largest change first.",
        formats={"Published": "{:.3f}", "Corrected": "{:.3f}", "Change (%)": "{:+.1f}"},
    )


def tabulate_precision(judged: Path, table_csv: Path, confidence_level: float) -> None:
    """Write the share of judged matches that were right, by lexicon, language, layer, class and half, with intervals.

    Matches of one sentence, in any language, form a cluster (`clustered_interval`). The authors of a lexicon had seen
    the `development` half. `lang` is `all` for all languages together, whose matches are not a sample of one text.
    """
    rows = []
    judgements = read_judgements(judged)
    for half, layer in product(HALVES, LAYERS):
        some = [one for one in judgements if (one.half, one.layer) == (half, layer)]
        together = [one._replace(lang="all") for one in some]
        for (lexicon, lang, name), found in measure_precision([*some, *together], confidence_level).items():
            shares = [100 * found.right / found.judged, 100 * found.interval.low, 100 * found.interval.high]
            rows.append((lexicon, lang, layer, name, half, found.right, found.judged, *shares))
    columns = ["lexicon", "lang", "layer", "class", "half", "right", "judged"]
    columns += ["precision", "precision_low", "precision_high"]
    write_csv(pd.DataFrame(sorted(rows), columns=columns), table_csv)


def tabulate_revision(summaries: pd.DataFrame, table_csv: Path, corpus_names: dict[str, str]) -> None:
    """Write the effects of the revised lexicon, a row per language: counts, ratio and verdict, and the corrected ones.

    Languages without a revision are excluded.
    """
    values = [*CLASSES, "matched_texts", "masculine_per_feminine", "verdict"]
    of = {name: rows.set_index(["corpus", "lang"]) for name, rows in summaries.groupby("procedure")}
    corrected, revised = of["corrected"][values], of.get(REVISED, of["corrected"].iloc[:0])[values]
    table = corrected.add_suffix("_corrected").join(revised.add_suffix("_revised"), how="inner")
    table = table.join(of["published"]["verdict"].rename("verdict_published")).reset_index()
    table = table.assign(corpus=table["corpus"].map(corpus_names))
    write_csv(table, table_csv)
    heads = {f"{name}_{how}": f"{name.capitalize()} ({how})" for how in ("corrected", REVISED) for name in (
        "feminine", "masculine", "verdict"
    )}  # fmt: skip
    write_latex(
        table[["corpus", "lang", *heads]].rename(columns=heads | {"corpus": "Corpus", "lang": "Lang"}),
        table_csv.with_suffix(".tex"),
        caption="Person nouns found and verdicts by the published lexicon (corrected count) and by its revision.",
    )


def tabulate_layers(counts: list[Path], table_csv: Path, corpus_names: dict[str, str]) -> None:
    """Count each class in each layer of the revised lexicon, a row per corpus, language and layer."""
    rows = []
    for path in counts:
        metadata = read_metadata(path)
        if not metadata["layers"]:
            continue
        column = f"{REVISED}_matches"
        found = Counter(
            (match["layer"], name)
            for matches in read_rows(path, columns=[column])[column].to_pylist()
            for match in matches
            for name in match["classes"].split()
        )
        key = {"corpus": corpus_names[metadata["corpus"]], "lang": metadata["lang"]}
        rows += [
            key | {"layer": layer} | {name: found[layer, name] for name in CLASSES} for layer in metadata["layers"]
        ]
    write_csv(pd.DataFrame(rows, columns=["corpus", "lang", "layer", *CLASSES]), table_csv)


def _log_distance(factor: float) -> float:
    return abs(math.log(factor)) if factor > 0 and math.isfinite(factor) else -1.0


def tabulate_fidelity(summaries: pd.DataFrame, table_csv: Path, corpus_names: dict[str, str]) -> None:
    """Write, per corpus and language, words, rates and ratio of both engines (corrected procedure), and differences.

    Differences are `icu` minus `paper`: words in percent, rates and coverage in percentage points.
    """
    frame = summaries[summaries["procedure"] == "corrected"].set_index(["corpus", "lang"])
    values = [
        "words", *(f"{name}_percent" for name in CLASSES), "masculine_per_feminine", "coverage_percent", "tokenizer",
        "stand_in",
    ]  # fmt: skip
    engines = {engine: rows[values] for engine, rows in frame.groupby("engine")}
    table = engines["paper"].join(engines["icu"], lsuffix="_paper", rsuffix="_icu", how="inner").reset_index()
    table["words_difference_percent"] = 100 * (table["words_icu"] / table["words_paper"] - 1)
    for name in [*CLASSES, "coverage"]:
        table[f"{name}_difference"] = table[f"{name}_percent_icu"] - table[f"{name}_percent_paper"]
    differences = ["words_difference_percent", *(f"{name}_difference" for name in [*CLASSES, "coverage"])]
    table = table.drop(columns=["stand_in_icu"]).rename(columns={"stand_in_paper": "stand_in"})
    table = table.assign(corpus=table["corpus"].map(corpus_names))
    write_csv(table, table_csv)
    shown = table[["corpus", "lang", *differences, "stand_in"]].assign(
        stand_in=table["stand_in"].map({True: "stand-in", False: ""})
    )
    write_latex(
        shown.set_axis(
            ["Corpus", "Lang", "Words (%)", "Feminine", "Masculine", "Unspecified", "Matched", "Model"],
            axis="columns",
        ),
        table_csv.with_suffix(".tex"),
        caption=(
            "Fidelity of the icu engine: its difference from the paper's tokenizer, corrected procedure; words in "
            "percent, the rest in percentage points. Stand-in: the official model was not available."
        ),
        formats={"Words (%)": "{:+.1f}", "Matched": "{:+.1f}"}
        | dict.fromkeys(("Feminine", "Masculine", "Unspecified"), "{:+.3f}"),
    )
