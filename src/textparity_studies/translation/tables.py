"""Tabulate how translations keep the gender of persons, and what the measure itself gets wrong."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.counting import PROCEDURES
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.estimates import percentage
from textparity.estimating.intervals import wilson_interval
from textparity.persons.mentions import FEMININE
from textparity.tables import Table
from textparity.translating.genders import UNKNOWN
from textparity.translating.scores import (
    CORRECTED,
    PUBLISHED,
    Finding,
    count_confusion,
    count_pronouns,
    measure,
    measure_kept,
    score,
    scored_by,
)
from textparity.translating.winomt import GENDERS, NEUTRAL, Sentence
from textparity_studies.report.ledger import read_published
from textparity_studies.translation.findings import read_findings

# Other genders to compare with people's: that of the translation's pronouns, else of the occupation (corrected); and
# that of the English sentence.
PERSON, SOURCE = "person", "source"
EXAMPLES = 3
Scored = list[tuple[Sentence, str]]


def tabulate_translations(
    findings: list[Path],
    annotated: list[Path],
    published: Path,
    system_names: Mapping[str, str],
    language_names: Mapping[str, str],
    bootstrap: Bootstrap,
) -> Iterator[Table]:
    """Tabulate the scores of each system in each language.

    - `scores`: `MEASURES` by procedure, with intervals over sentences and over occupations;
    - `problems`: what a second look at the published procedure finds: how many sentences, and the scores without them;
    - `kept`: without alignments, the sentences whose translation mentions a woman or a man, by method;
    - `pronouns`: how often pronouns keep the gender of the person, also where the occupation does not;
    - `confusion`: how often each gender is found for each, here and in the authors' records, with examples of words;
    - `agreement`: how often people who read the translations give the same gender;
    - `occupations`: recall by occupation and gender;
    - `examples`: sentences about a woman whose occupation is masculine, and the reverse.
    """
    recorded = {(one.table, one.row, one.column): float(one.value) for one in read_published(published)}
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    read = [read_findings(path) for path in findings]
    feminine = _find_feminine(read)
    for metadata, found, genders in read:
        system, lang = metadata["system"], metadata["lang"]
        keys = {"system": system, "lang": lang}
        name = f"{system} {lang}"
        names = {"system_name": system_names[system], "language": language_names[lang]}
        for procedure in PROCEDURES:
            scores = score(found, procedure, bootstrap, f"{name} {procedure}")
            rows["scores"].append(keys | {"procedure": procedure} | scores | names)
        rows["problems"] += _find_problems(keys, found, metadata["asked"], feminine[lang])
        for method, by_sentence in genders.items():
            kept = measure_kept([one.sentence for one in found], by_sentence, bootstrap, name)
            rows["kept"].append(keys | {"method": method} | kept)
        rows["pronouns"] += _count_pronouns(keys, found, bootstrap.confidence_level)
        rows["confusion"] += _compare_confusion(keys, found, recorded)
        rows["occupations"] += _count_occupations(keys, found)
        rows["examples"] += _choose_examples(keys, found)
    rows["agreement"] = list(_measure_agreement(annotated, bootstrap.confidence_level))
    yield _tabulate_scores(rows.pop("scores", []))
    for name, head in _HEADS.items():
        yield Table(name, pd.DataFrame(rows[name], columns=None if rows[name] else head))


_KEYS = ["system", "lang"]
# The columns of tables without rows.
_HEADS = {
    "problems": [*_KEYS, "problem", "sentences", "percent", "accuracy", "accuracy_change", "delta_g", "delta_g_change"],
    "kept": [*_KEYS, "method", "sentences"],
    "pronouns": [*_KEYS, "gender", "sentences", "shown", "kept", "lost", "lost_shown", "lost_kept"],
    "confusion": [*_KEYS, "gender", "found", "published", "sentences", "difference", "words"],
    "agreement": [*_KEYS, "aligned_with", "procedure", "sentences", "annotated", "agreed", "agreement"],
    "occupations": [*_KEYS, "occupation"],
    "examples": [*_KEYS, "gender", "found", "occupation", "words", "sentence", "translation"],
}


def _tabulate_scores(rows: list[dict[str, Any]]) -> Table:
    columns = {
        "system_name": "System", "language": "Language", "procedure": "Procedure", "sentences": "Sentences",
        "accuracy": "Accuracy", "recall_feminine": "Women", "recall_masculine": "Men", "delta_g": "ΔG",
        "delta_g_interval": "Interval", "delta_s": "ΔS", "delta_s_interval": "Interval",
    }  # fmt: skip
    frame = pd.DataFrame(rows, columns=None if rows else [*columns])
    shown = ("accuracy", "recall_feminine", "recall_masculine", "delta_g", "delta_s")
    return Table("scores", frame, columns if rows else {}, dict.fromkeys(shown, "{:.1f}"))


def _find_feminine(read: list[Any]) -> dict[str, set[str]]:
    """Find the occupations of each language that any system translates as feminine at least once."""
    feminine: dict[str, set[str]] = defaultdict(set)
    for metadata, found, _ in read:
        feminine[metadata["lang"]] |= {one.sentence.occupation.lower() for one in found if one.corrected == FEMININE}
    return feminine


def _find_problems(
    keys: dict[str, str], found: list[Finding], asked: int, feminine: set[str]
) -> Iterator[dict[str, Any]]:
    """Measure each problem alone: the sentences that have it, and what the scores are without it."""
    base = scored_by(found, PUBLISHED)
    whole = measure(base)
    occurrences = Counter(sentence[:4] for sentence, _ in base)
    anew: Scored = [(one.sentence, one.corrected) for one in found]
    others = {one.sentence for one in found if one.is_of_another}
    wrong: dict[str, tuple[int, Scored]] = {
        "no translation": (asked - len(found), base),
        "another sentence was translated": _without(base, lambda one, _: one in others),
        "alignment misses the occupation": _without(base, lambda _, gender: gender == UNKNOWN),
        "gender by the corrected alignment and rule": (sum(one.published != one.corrected for one in found), anew),
        "translation shows no gender": _without(base, lambda one, gender: one.gender != NEUTRAL and gender == NEUTRAL),
        "neutral gold": _without(base, lambda one, _: one.gender == NEUTRAL),
        "occupation never feminine in any system": _without(
            base, lambda one, _: one.occupation.lower() not in feminine
        ),
        "sentence occurs twice": (
            sum(number - 1 for number in occurrences.values()),
            list({sentence[:4]: (sentence, gender) for sentence, gender in base}.values()),
        ),
        "first of two words aligned": _without(base, lambda one, _: " " in one.occupation),
    }
    for problem, (number, kept) in wrong.items():
        scores = measure(kept)
        yield keys | {
            "problem": problem,
            "sentences": number,
            "percent": percentage(number, asked),
            "accuracy": scores["accuracy"],
            "accuracy_change": scores["accuracy"] - whole["accuracy"],
            "delta_g": scores["delta_g"],
            "delta_g_change": scores["delta_g"] - whole["delta_g"],
        }


def _without(scored: Scored, has_problem: Callable[[Sentence, str], bool]) -> tuple[int, Scored]:
    kept = [one for one in scored if not has_problem(*one)]
    return len(scored) - len(kept), kept


def _compare_confusion(
    keys: dict[str, str], found: list[Finding], recorded: Mapping[tuple[str, str, str], float]
) -> Iterator[dict[str, Any]]:
    """Compare the counts of found genders with the recorded ones; the commonest words show what differs."""
    words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in found:
        words[one.sentence.gender, one.published][one.published_words.lower()] += 1
    is_recorded = (keys["system"], keys["lang"], "accuracy") in recorded
    for (gender, other), number in count_confusion(scored_by(found, PUBLISHED)).items():
        column = (keys["system"], keys["lang"], f"{gender}_found_{other}")
        theirs = recorded.get(column, 0.0) if is_recorded else float("nan")
        commonest = words[gender, other].most_common(EXAMPLES)
        yield keys | {
            "gender": gender,
            "found": other,
            "published": theirs,
            "sentences": number,
            "difference": number - theirs,
            "words": "; ".join(f"{text or '(none)'} {count}" for text, count in commonest),
        }


def _measure_agreement(annotated: list[Path], confidence_level: float) -> Iterator[dict[str, Any]]:
    """Measure how often people give the same gender, as the authors' script does, in percent with Wilson's interval."""
    for path in annotated:
        table = pd.read_csv(path, keep_default_na=False)
        for (system, aligned_with), rows in table.groupby(["system", "aligned_with"], sort=False):
            given = rows[rows["annotated"] != ""]
            found = {procedure: given[procedure] for procedure in PROCEDURES}
            found[PERSON] = given["pronoun"].where(given["pronoun"] != UNKNOWN, given[CORRECTED])
            found[SOURCE] = given["gender"]
            shown = given[given[["pronoun", CORRECTED]].isin(GENDERS[:2]).all(axis=1)]
            conflicts = shown[shown["pronoun"] != shown[CORRECTED]]
            for procedure, genders in found.items():
                other = given[given["annotated"] != genders]
                agreed = len(given) - len(other)
                interval = wilson_interval(agreed, len(given), confidence_level) * 100
                yield {
                    "system": system,
                    "lang": path.stem,
                    "aligned_with": aligned_with,
                    "procedure": procedure,
                    "sentences": len(rows),
                    "annotated": len(given),
                    "agreed": agreed,
                    "disagreed_as_person": int((other["annotated"] == other["gender"]).sum()),
                    **interval.columns("agreement"),
                    "conflicts": len(conflicts),
                    "as_pronoun": int((conflicts["annotated"] == conflicts["pronoun"]).sum()),
                }


def _count_pronouns(keys: dict[str, str], found: list[Finding], confidence_level: float) -> Iterator[dict[str, Any]]:
    """Count what pronouns of translations show; shares are in percent, that of `lost_kept` with Wilson's interval."""
    for gender in GENDERS[:2]:
        numbers = count_pronouns(found, gender)
        kept = wilson_interval(numbers["lost_kept"], numbers["lost_shown"], confidence_level) * 100
        percent = percentage(numbers["kept"], numbers["sentences"])
        yield keys | {"gender": gender} | numbers | {"kept_percent": percent} | kept.columns("lost_kept_percent")


def _count_occupations(keys: dict[str, str], found: list[Finding]) -> Iterator[dict[str, Any]]:
    """Count by occupation the sentences about women and men, and those whose gender is found (corrected)."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    typical: dict[str, str] = {}
    for sentence, gender in scored_by(found, CORRECTED):
        occupation = sentence.occupation.lower()
        counts[occupation][sentence.gender] += 1
        counts[occupation][f"{sentence.gender}_right"] += gender == sentence.gender
        typical[occupation] = sentence.typical or typical.get(occupation, "")
    for occupation, of in sorted(counts.items()):
        yield keys | {
            "occupation": occupation,
            "typical": typical[occupation],
            **{name: of[name] for gender in GENDERS[:2] for name in (gender, f"{gender}_right")},
        }


def _choose_examples(keys: dict[str, str], found: list[Finding]) -> Iterator[dict[str, Any]]:
    """Choose the first sentences whose translation has the other gender, or (published) none that was aligned."""
    shown: Counter[tuple[str, str]] = Counter()
    for one in found:
        kind = one.sentence.gender, one.published
        if kind[0] == NEUTRAL or kind[0] == kind[1]:
            continue
        shown[kind] += 1
        if shown[kind] <= EXAMPLES:
            yield keys | {
                "gender": kind[0],
                "found": kind[1],
                "found_corrected": one.corrected,
                "occupation": one.sentence.occupation,
                "words": one.published_words,
                "sentence": one.sentence.text,
                "translation": one.translation,
            }
