"""Tabulate Tables 1, 3 and 4 of Muller 2023, and tables that the paper lacks: verdicts, effects of the correction."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import false_discovery_control

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import CLASSES, PROCEDURES, REVISED
from textparity.counting.lexicon import NUMBERS, Lexicon, read_lexicon
from textparity.counting.precision import HALVES, measure_precision, read_judgements
from textparity.counting.terms import LAYERS
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_statistic
from textparity.estimating.estimates import Estimate
from textparity.estimating.gaps import PUBLISHED_VERDICTS, VERDICTS, EvidenceThreshold, verdict
from textparity.estimating.seeds import random_generator
from textparity.tables import Table
from textparity_studies.lexicon.matches import CountedTexts, leave_one_form_out, list_divergences, measure_fixes
from textparity_studies.lexicon.readings import AVERAGE, READINGS, WITHOUT_ERROR, read_summaries_as
from textparity_studies.lexicon.summaries import read_summaries

FALSE_DISCOVERY_RATE = "false discovery rate"


def tabulate_average_leads(counts: list[Path], corpus_names: dict[str, str], bootstrap: Bootstrap) -> list[Table]:
    """Tabulate `lead`, the mean over languages of masculine less feminine in percent of words, by corpus and procedure.

    `unit` is the unit of resampling: documents, or texts if each is its own document. Raises `InputError` with the file
    of a language that lacks the documents of the others.
    """
    rows = []
    by_corpus: dict[str, list[Path]] = {}
    for path in counts:
        by_corpus.setdefault(read_metadata(path)["corpus"], []).append(path)
    for corpus, paths in by_corpus.items():
        for procedure in PROCEDURES:
            words, leads = _by_document(paths, procedure)
            generator = random_generator(bootstrap.seed, "average lead", corpus, procedure)
            lead = estimate_mean_lead(words, leads, bootstrap, generator)
            rows.append({
                "corpus": corpus_names[corpus], "procedure": procedure, "languages": len(words),
                "unit": "document" if len(words[0]) < read_rows(paths[0], columns=["id"]).num_rows else "text",
                "units": len(words[0]), **lead.columns("lead"),
            })  # fmt: skip
    return [Table("average_lead", pd.DataFrame(rows))]


def estimate_mean_lead(
    words: np.ndarray, leads: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator
) -> Estimate:
    """Compute the mean over languages in percent, with its interval, from arrays of shape (languages, documents)."""

    def mean(sums: np.ndarray) -> np.ndarray:
        lead_of_langs, words_of_langs = sums[:, 0], sums[:, 1]
        return 100 * np.mean(lead_of_langs / words_of_langs, axis=1, keepdims=True)

    counts = np.stack([leads.T, words.T], axis=1)
    (estimate,) = bootstrap_statistic(mean, counts, bootstrap, generator)
    return estimate


def _by_document(paths: list[Path], procedure: str) -> tuple[np.ndarray, np.ndarray]:
    """Sum words, and masculine minus feminine ones, by document: a row per language."""
    columns = [f"{procedure}_{name}" for name in ("words", "masculine", "feminine")]
    words, leads = [], []
    first: pd.Index | None = None
    for path in paths:
        sums = read_rows(path, columns=["doc_id", *columns]).to_pandas().groupby("doc_id").sum()
        first = sums.index if first is None else first
        if not sums.index.equals(first):
            raise InputError(f"{path}: has other documents than {paths[0]}; languages are resampled together")
        words.append(sums[columns[0]])
        leads.append(sums[columns[1]] - sums[columns[2]])
    return np.array(words), np.array(leads)


PERCENT = [f"{name}_percent" for name in CLASSES]
_RATES = {f"{name}_percent": name.capitalize() for name in CLASSES}
_COVERAGE = {"coverage_percent": "Matched (%)"}
_FORMATS = dict.fromkeys(PERCENT, "{:.3f}") | {"words": "{:.0f}", "coverage_percent": "{:.1f}"}
_VERDICT = {"p_value": "p", "p_value_holm": "p (Holm)", "verdict": "Verdict"}
# Columns of a summary that only one of the procedures has.
_ONLY_OF = {
    "corrected": ["standard_error_of_words", "p_value", "p_value_holm", "verdict_unadjusted"],
}


def describe_lexicons(
    judged: list[Path], lexicons: list[Path], langs: list[str], confidence_level: float
) -> Iterator[Table]:
    """Tabulate the `lexicons` of `langs`, and the `judged` matches of lexicons, a file per language."""
    yield tabulate_precision(judged, confidence_level)
    if langs:
        yield measure_lexicons(dict(zip(langs, lexicons, strict=True)))


def tabulate_lexicon(
    summaries: list[Path], compared_summaries: list[Path], corpus_names: dict[str, str]
) -> Iterator[Table]:
    """Tabulate the summaries of all corpora, and those of both engines where they are compared."""
    if compared_summaries:
        yield tabulate_fidelity(read_summaries(compared_summaries), corpus_names)
    frame = read_summaries(summaries)
    for procedure in PROCEDURES:
        for corpus, rows in frame.groupby("corpus", sort=False):
            yield tabulate_distribution(rows, corpus, corpus_names[corpus], procedure)
        yield tabulate_overview(frame, corpus_names, procedure)
    yield tabulate_verdicts(frame, corpus_names)
    yield tabulate_correction(frame, corpus_names)
    yield tabulate_revision(frame, corpus_names)


def tabulate_matches(
    counts: list[Path],
    texts: list[Path],
    summaries: list[Path],
    corpus_names: dict[str, str],
    pivots: dict[str, str],
    divergence_rows: int | None,
    confidence_level: float,
    minimum: EvidenceThreshold,
) -> Iterator[Table]:
    """Tabulate the matches in `counts` and their `texts`.

    The divergences are about corpora whose texts are parallel to those in the language given by `pivots`.
    """
    yield tabulate_layers(counts, corpus_names)
    counted = [CountedTexts.of(*files) for files in zip(counts, texts, strict=True)]
    names = [{"corpus": corpus_names[item.corpus], "lang": item.lang} for item in counted]
    yield Table("fixes", _beside(names, map(measure_fixes, (item.counts for item in counted))))
    hanging = leave_one_form_out(counted, read_summaries(summaries), confidence_level, minimum)
    yield Table("leave_one_out", _beside(names, hanging))
    for corpus, lang in pivots.items():
        pivot = next(item for item in counted if (item.corpus, item.lang) == (corpus, lang))
        others = [item for item in counted if item.corpus == corpus and item.lang != lang]
        for other, frame in zip(others, list_divergences(others, pivot, divergence_rows), strict=True):
            yield Table(f"divergence/{corpus}/{other.lang}", frame)


def _beside(names: list[dict[str, str]], rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([name | row for name, row in zip(names, rows, strict=True)])


def measure_lexicons(lexicons: dict[str, Path]) -> Table:
    """Count nouns by class and number, and forms that the corrected procedure fixes, a row per language."""
    rows = []
    for lang, path in lexicons.items():
        entries = read_lexicon(path)
        sizes = Counter((entry.gender_class, entry.number) for entry in entries if entry.form.strip())
        repairs = Lexicon(entries).repairs
        rows.append(
            {"lang": lang}
            | {f"{name}_{number}": sizes[name, number] for name in CLASSES for number in NUMBERS}
            | {"forms": sum(sizes.values())}
            | {f"{repair}_forms": len(forms) for repair, forms in repairs.items()}
        )
    return Table("lexicon_sizes", pd.DataFrame(rows))


def with_average(rows: pd.DataFrame) -> pd.DataFrame:
    """Sort one corpus' rows of one procedure, English first, then by code, and add the unweighted mean of all below."""
    rows = rows.sort_values("lang", key=lambda langs: langs.where(langs != "eng", ""))
    columns = [*PERCENT, "gap", "standard_error", "words", "coverage_percent"]
    average = rows[columns].mean().to_frame().T.assign(lang=AVERAGE, words=lambda row: row["words"].round())
    whole = rows.select_dtypes("integer").columns
    return pd.concat([rows.astype(dict.fromkeys(whole, "Int64")), average], ignore_index=True).astype(
        dict.fromkeys(whole, "Int64")
    )


def tabulate_distribution(summary: pd.DataFrame, corpus: str, corpus_name: str, procedure: str) -> Table:
    """Tabulate the gender distribution of one corpus by one procedure (the paper's Tables 3 and 4)."""
    rows = with_average(_of_procedure(summary, procedure))
    columns = {"lang": "Lang"} | _RATES | {"gap_and_error": "Gap (s.e.)", "words": "Words"} | _COVERAGE
    return Table(
        f"{procedure}/distribution_{corpus}",
        rows,
        columns | (_VERDICT if procedure == "corrected" else {}),
        _FORMATS | dict.fromkeys(("p_value", "p_value_holm"), "{:.3f}"),
        ranked=PERCENT,
        printed=rows.assign(gap_and_error=_gap_and_error(rows)),
        caption="distribution",
        of=f"{corpus_name}, {procedure}",
    )


def tabulate_overview(summaries: pd.DataFrame, corpus_names: dict[str, str], procedure: str) -> Table:
    """Tabulate English and the average of every corpus by one procedure (the paper's Table 1)."""
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
    return Table(
        f"{procedure}/overview",
        rows[columns],
        {"corpus": "Corpus", "lang": "Lang"} | _RATES | {"gap_and_error": "Gap (s.e.)"} | _COVERAGE,
        _FORMATS,
        ranked=PERCENT,
        printed=rows.assign(gap_and_error=_gap_and_error(rows)),
        of=procedure,
    )


def _of_procedure(summaries: pd.DataFrame, procedure: str) -> pd.DataFrame:
    """Select the rows of one procedure, without the columns of the other."""
    others = [column for name, columns in _ONLY_OF.items() if name != procedure for column in columns]
    return summaries[summaries["procedure"] == procedure].drop(columns=others, errors="ignore")


def _gap_and_error(rows: pd.DataFrame) -> list[str]:
    return [f"{gap:.3f} ({error:.4f})" for gap, error in zip(rows["gap"], rows["standard_error"], strict=True)]


def tabulate_verdicts(summaries: pd.DataFrame, corpus_names: dict[str, str]) -> Table:
    """Count the languages with each verdict, by corpus: published counts by each reading, and corrected ones.

    If a rule does not have a verdict, the cell is empty.
    """
    names = dict.fromkeys([*PUBLISHED_VERDICTS, *VERDICTS])
    rows = []
    for corpus, of_corpus in summaries.groupby("corpus", sort=False):
        for rule, verdicts, known in _verdicts_by_rule(of_corpus):
            numbers = {name.replace(" ", "_"): verdicts.count(name) if name in known else None for name in names}
            rows.append({"corpus": corpus_names[corpus], "procedure": rule} | numbers | {"languages": len(verdicts)})
    table = pd.DataFrame(rows).astype({name.replace(" ", "_"): "Int64" for name in names})
    return Table("verdicts", table, {name: name.replace("_", " ").capitalize() for name in table})


def _verdicts_by_rule(summary: pd.DataFrame) -> Iterator[tuple[str, list[str], Sequence[str]]]:
    """Iterate over rules, each with its verdicts on the languages of a corpus and its possible verdicts."""
    rows = dict(iter(summary.groupby("procedure")))
    for reading in READINGS:
        known = PUBLISHED_VERDICTS[:2] if reading == WITHOUT_ERROR else PUBLISHED_VERDICTS
        yield f"published, {reading}", read_summaries_as(reading, rows["published"]), known
    yield "corrected, unadjusted", rows["corrected"]["verdict_unadjusted"].tolist(), VERDICTS
    yield f"corrected, {FALSE_DISCOVERY_RATE}", control_false_discoveries(rows["corrected"]), VERDICTS
    yield "corrected", rows["corrected"]["verdict"].tolist(), VERDICTS
    if REVISED in rows:
        yield REVISED, rows[REVISED]["verdict"].tolist(), VERDICTS


def control_false_discoveries(summary: pd.DataFrame) -> list[str]:
    """Decide the verdicts so that about 5 % of those for a gender are wrong (Benjamini and Hochberg 1995).

    Holm's adjustment makes each verdict safe; this one shows how many languages lean.
    """
    p_values = summary["p_value"].astype(float)
    tested = p_values.dropna()
    adjusted = p_values.copy()
    adjusted[tested.index] = false_discovery_control(tested)
    differences = summary["masculine"] - summary["feminine"]
    pairs = zip(differences, adjusted, strict=True)
    return [verdict(difference, p_value, confidence_level=0.95) for difference, p_value in pairs]


def tabulate_correction(summaries: pd.DataFrame, corpus_names: dict[str, str]) -> Table:
    """Tabulate the shift of each language's ratio masculine : feminine by the correction, largest shift first."""
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
    ratios = {f"masculine_per_feminine_{procedure}": procedure.capitalize() for procedure in PROCEDURES}
    return Table(
        "correction",
        table,
        {"corpus": "Corpus", "lang": "Lang"} | ratios | {"shift_percent": "Change (%)"},
        dict.fromkeys(ratios, "{:.3f}") | {"shift_percent": "{:+.1f}"},
    )


def tabulate_precision(judged: Iterable[Path], confidence_level: float) -> Table:
    """Tabulate the share of judged matches that were right, by lexicon, language, layer, class and half.

    Matches of one sentence, in any language, form a cluster (`clustered_interval`). The authors of a lexicon had seen
    the `development` half. `lang` is `all` for all languages together, whose matches are not a sample of one text.
    """
    rows = []
    judgements = list(chain.from_iterable(map(read_judgements, judged)))
    for half, layer in product(HALVES, LAYERS):
        some = [one for one in judgements if (one.half, one.layer) == (half, layer)]
        together = [one._replace(lang="all") for one in some]
        for (lexicon, lang, name), found in measure_precision([*some, *together], confidence_level).items():
            shares = [100 * found.right / found.judged, 100 * found.interval.low, 100 * found.interval.high]
            rows.append((lexicon, lang, layer, name, half, found.right, found.judged, *shares))
    columns = ["lexicon", "lang", "layer", "class", "half", "right", "judged"]
    columns += ["precision", "precision_low", "precision_high"]
    return Table("precision", pd.DataFrame(sorted(rows), columns=columns))


def tabulate_revision(summaries: pd.DataFrame, corpus_names: dict[str, str]) -> Table:
    """Tabulate the effects of the revised lexicon, beside the corrected procedure, a row per language.

    Languages without a revision are excluded.
    """
    values = [*CLASSES, "matched_texts", "masculine_per_feminine", "verdict"]
    of = {name: rows.set_index(["corpus", "lang"]) for name, rows in summaries.groupby("procedure")}
    corrected, revised = of["corrected"][values], of.get(REVISED, of["corrected"].iloc[:0])[values]
    table = corrected.add_suffix("_corrected").join(revised.add_suffix("_revised"), how="inner")
    table = table.join(of["published"]["verdict"].rename("verdict_published")).reset_index()
    table = table.assign(corpus=table["corpus"].map(corpus_names))
    compared = {
        f"{name}_{how}": f"{name.capitalize()} ({how})"
        for how in ("corrected", REVISED)
        for name in ("feminine", "masculine", "verdict")
    }
    return Table("revision", table, {"corpus": "Corpus", "lang": "Lang"} | compared)


def tabulate_layers(counts: list[Path], corpus_names: dict[str, str]) -> Table:
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
    return Table("layers", pd.DataFrame(rows, columns=["corpus", "lang", "layer", *CLASSES]))


def _log_distance(factor: float) -> float:
    return abs(math.log(factor)) if factor > 0 and math.isfinite(factor) else -1.0


def tabulate_fidelity(summaries: pd.DataFrame, corpus_names: dict[str, str]) -> Table:
    """Tabulate, per corpus and language, words, rates and ratio of both engines (corrected procedure), and differences.

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
    heads = ("Words (%)", *map(str.capitalize, CLASSES), "Matched", "Model")
    return Table(
        "fidelity",
        table,
        {"corpus": "Corpus", "lang": "Lang"} | dict(zip((*differences, "stand_in"), heads, strict=True)),
        dict.fromkeys(differences, "{:+.3f}")
        | dict.fromkeys(("words_difference_percent", "coverage_difference"), "{:+.1f}")
        | {"stand_in": lambda is_stand_in: "stand-in" if is_stand_in else ""},
    )
