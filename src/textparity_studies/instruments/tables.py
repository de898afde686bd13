"""Compare methods: the annotated persons that each finds, and the ratio that it reports.

This belongs to no paper. Three ratios measure the error of a method's masculine : feminine; 1 is right:

- `bias`: the ratio of all that is found, divided by the annotated one (`log_bias` is its natural logarithm);
- `bias_known`: the same, but without findings at mentions of unknown gender. If only some persons are marked, it uses
  only the marked mentions;
- `recall_ratio`: recall of men divided by that of women.

Intervals resample documents (or sentences, if texts are sentences); they require at least ten.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import GENDERS
from textparity.estimating.bootstrap import Bootstrap, bootstrap_statistic
from textparity.estimating.estimates import Estimate, percentage
from textparity.estimating.intervals import clustered_interval
from textparity.estimating.seeds import random_generator
from textparity.persons.mentions import KINDS, MENTIONS, PEOPLE, PERSONS, PUBLISHED_LEXICON, SPEAKERS, WORDS, Mention
from textparity.persons.method_error import BALANCED, COMPLETE, Cluster, estimate_error, widen
from textparity.tables import Table
from textparity_studies.instruments.annotated_texts import DEVELOPMENT, NOUNS, PRONOUNS, AnnotatedMention
from textparity_studies.instruments.coreference import COLUMNS as COREFERENCE_COLUMNS
from textparity_studies.instruments.coreference import score_coreference
from textparity_studies.instruments.field_matches import measure_field, read_field_matches
from textparity_studies.instruments.findings import Pair, cluster_row, measure_bias, pair_mentions, read_quoted_cell
from textparity_studies.instruments.people import COLUMNS as PEOPLE_COLUMNS
from textparity_studies.instruments.people import confuse_people, count_people, tells_persons_apart
from textparity_studies.instruments.speakers import COLUMNS as SPEAKER_COLUMNS
from textparity_studies.instruments.speakers import QuotedPair, confuse_sources, count_speakers, only_direct
from textparity_studies.instruments.treebank_names import RESULTS, JudgedName, judge_names, measure_names
from textparity_studies.measures.tag_counts import GENDERS as TAG_GENDERS
from textparity_studies.measures.tag_counts import PERSON
from textparity_studies.report.ledger import list_gaps

ALL = "all"
# Counts of a document by gender: annotated, found, annotated ones found with this gender, right findings, findings that
# can be judged.
COUNTS = ("annotated", "found", "hit", "right", "judged")
ERRORS_SHOWN = 10
# The columns of the tables other than that of methods, which also names those of a table without rows.
_KEYS = ["gold", "lang", "method"]
_FIT = ["left_out", "kind", "documents", "log_error", "standard_error", "log_sd", "joint_error", "z"]
_HEADS: dict[str, list[str]] = {
    "sentences": ["half", "sentences", "right", "wrong", "none", "right_percent", "right_low", "right_high"],
    "kinds": ["shown_by", "kind"],
    "words": ["gender", "word"],
    "errors": ["error", "text", "number"],
    "method_error": ["count", *_FIT],
    "spreads": ["count", "clusters", "corpora", "log_sd", "mean_log_bias", "low_of_20_percent", "high_of_20_percent"],
    "people": PEOPLE_COLUMNS,
    "speakers": SPEAKER_COLUMNS,
    "coreference": COREFERENCE_COLUMNS,
    "names": ["gender", "lemmas", "names", *RESULTS],
    "method_errors": [],
    "field": ["pipeline", "gender", "only_learned", "pages", "read", "right", "precision"],
}
# The annotation of treebanks, and the methods that find names.
NAMES = "names"
METHODS_OF_NAMES = (WORDS, PERSONS)
Paired = list[tuple[dict[str, Any], list[Pair]]]


def tabulate_methods(
    found: list[Path],
    tags: list[Path],
    field_matches: Path,
    gaps: Path,
    not_run: list[list[str]],
    corpus_names: dict[str, str],
    bootstrap: Bootstrap,
) -> Iterator[Table]:
    """Tabulate each method's results on each annotated corpus, and write to `gaps` what was `not_run`, and why.

    - `methods`: per corpus, language, half, genre and method, with the name of the published lexicon;
    - `sentences`: in corpora with some persons marked, the texts in which one of the marked gender is found (`right`),
      else one of the other (`wrong`), else `none`, with Wilson's interval of the right ones;
    - `kinds`: the same as `methods` by kind of mention, in all texts;
    - `words`: each annotated mention by its words, with the number of times it is found;
    - `errors`: the commonest errors. `words` and `errors` are from the development half, because nobody should see the
      words of the other;
    - `people`: the people found by `persons`, each once per text, beside those annotated, if the annotation tells
      persons apart;
    - `speakers`: the quotes found by `persons` and their sources, each once per text, beside those annotated, if quotes
      are annotated. In corpora with some persons marked, these are the direct ones, and only such quotes are compared;
    - `coreference`: which mentions `persons` takes for the same person, in corpora with all persons annotated;
    - `names`: in treebanks with marked given names, how many are found with their gender, and women's recall over
      men's, by language and in all together. These treebanks are in no other table;
    - `method_errors`: each cluster from which `textparity.persons.method_error` estimates a method's error;
    - `method_error`: the fit of that estimate to a cluster, or a corpus' clusters, when these are excluded from it;
    - `spreads`: the estimate for each language with clusters, and for any other;
    - `field`: the precision of methods on web pages, from the judgements of `field_matches`.

    `tags` are the words tagged by language models in some of the corpora; only their first run is used. `corpus_names`
    have keys of corpus and language, such as `gum/eng`.
    """
    list_gaps(gaps, not_run)
    clusters: list[Cluster] = []
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("methods", *_HEADS)}
    of_all_languages: defaultdict[str, list[JudgedName]] = defaultdict(list)
    for path in found:
        metadata, texts = read_metadata(path), read_rows(path).to_pylist()
        annotated = [[AnnotatedMention(**mention) for mention in text["annotated"]] for text in texts]
        by_method = {
            name: [[Mention(**mention) for mention in text[f"found_{name}"]] for text in texts]
            for name in metadata["methods"]
        } | _find_tagged_persons(metadata["gold"], texts, tags)
        annotation, is_complete = metadata["annotation"], metadata["annotation"] == COMPLETE
        if annotation == NAMES:
            corpus = corpus_names[f"{metadata['gold']}/{metadata['lang']}"]
            for method in METHODS_OF_NAMES:
                if method in by_method:
                    labels = {"gold": metadata["gold"], "lang": metadata["lang"], "method": method}
                    judged = [
                        name
                        for names, mentions in zip(annotated, by_method[method], strict=True)
                        for name in judge_names(names, mentions, metadata["lang"])
                    ]
                    rows["names"] += measure_names(judged, labels | {"corpus": corpus}, bootstrap)
                    of_all_languages[method] += judged
            continue
        for method, mentions in by_method.items():
            paired = list(zip(texts, map(pair_mentions, annotated, mentions), strict=True))
            labels = {"gold": metadata["gold"], "lang": metadata["lang"], "method": method}
            lexicon = metadata["lexicon" if method == PUBLISHED_LEXICON else "word_list"]
            of_corpus = {"lexicon": lexicon, "annotation": metadata["annotation"]}
            of_corpus["grammatical"] = "yes" if metadata["grammatical"] else "no"
            rows["methods"] += [row | of_corpus for row in _measure(paired, labels, is_complete, bootstrap)]
            rows["kinds"] += _measure_kinds(paired, labels, is_complete, bootstrap)
            if method == PERSONS and tells_persons_apart(annotated):
                rows["people"] += count_people(paired, labels, is_complete)
                if is_complete:
                    rows["coreference"] += score_coreference(paired, labels)
            quoted = _read_quoted(texts, is_complete) if method == PERSONS else []
            rows["speakers"] += count_speakers(quoted, labels)
            if not is_complete:
                rows["sentences"] += count_sentences(paired, labels, bootstrap)
            development = [(text, pairs) for text, pairs in paired if text["half"] == DEVELOPMENT]
            rows["words"] += _list_words(development, labels, is_complete)
            rows["errors"] += _list_errors(development, labels, is_complete)
            # In the other corpora, the annotated gender is that of a noun, not of a person.
            if not metadata["grammatical"] and annotation != BALANCED:
                corpus = corpus_names[f"{metadata['gold']}/{metadata['lang']}"]
                pipeline = Path(metadata["pipeline"]).name if method == PERSONS else ""
                about = {"corpus": corpus, "annotation": annotation, "pipeline": pipeline}
                by_text = [(text, _count_confusion(pairs, is_complete)) for text, pairs in paired]
                clusters += _find_clusters(by_text, labels | about | {"count": MENTIONS})
                if method == PERSONS and tells_persons_apart(annotated):
                    by_text = [(text, confuse_people(pairs, is_complete)) for text, pairs in paired]
                    clusters += _find_clusters(by_text, labels | about | {"count": PEOPLE})
                if method == PERSONS and quoted:
                    by_text = [(text, confuse_sources(pair)) for text, pair in quoted]
                    clusters += _find_clusters(by_text, labels | about | {"count": SPEAKERS})
    for method, judged_in_all in of_all_languages.items():
        treebanks = {name.lemma[0] for name in judged_in_all}
        labels = {"gold": NAMES, "lang": ALL, "method": method, "corpus": f"{len(treebanks)} treebanks"}
        rows["names"] += measure_names(judged_in_all, labels, bootstrap)
    rows["field"] += measure_field(read_field_matches(field_matches), bootstrap.confidence_level)
    rows["method_errors"] = [cluster_row(one) for one in clusters]
    with_bias = [one for one in clusters if not math.isnan(one.log_bias)]
    for measured in sorted({one.measured for one in with_bias}):
        measurements = [one for one in with_bias if one.measured == measured]
        rows["method_error"] += _leave_out_clusters(measurements)
        rows["spreads"] += _estimate_spreads(measurements, bootstrap.confidence_level)
    yield _tabulate_ratios(rows["methods"], bootstrap)
    for name, columns in _HEADS.items():
        yield Table(name, pd.DataFrame(rows[name], columns=None if rows[name] else [*_KEYS, *columns]))


def _tabulate_ratios(rows: list[dict[str, Any]], bootstrap: Bootstrap) -> Table:
    figures = _figures(np.zeros((1, len(GENDERS), len(COUNTS))), bootstrap, np.random.default_rng(bootstrap.seed))
    keys = ("gold", "lang", "annotation", "grammatical", "half", "genre", "method", "lexicon", "units")
    table = pd.DataFrame(rows, columns=[*keys, *figures])
    whole = table[(table["half"] == ALL) & (table["genre"] == ALL)]
    recalls = zip(whole["recall_masculine"], whole["recall_feminine"], strict=True)
    ratios = {
        "recall_ratio": "Ratio", "true_masculine_per_feminine": "True M : F", "masculine_per_feminine": "M : F",
        "bias": "Bias", "bias_interval": "Interval", "bias_known": "Known",
    }  # fmt: skip
    return Table(
        "methods",
        table,
        {"gold": "Gold", "lang": "Lang", "annotation": "Annotated", "units": "Documents", "method": "Method"}
        | {"f1": "F1", "recalls": "Recall M / F"}
        | ratios,
        dict.fromkeys(ratios.keys() - {"bias_interval"}, "{:.2f}") | {"f1": "{:.0f}"},
        printed=whole.assign(
            recalls=[" / ".join("–" if np.isnan(recall) else f"{recall:.0f}" for recall in pair) for pair in recalls]
        ),
    )


def _find_tagged_persons(gold: str, texts: list[dict[str, Any]], tags: list[Path]) -> dict[str, list[list[Mention]]]:
    """Collect the persons that language models tagged in a corpus, by model; none if answers are missing."""
    by_method = {}
    for path in tags:
        metadata = read_metadata(path)
        if metadata["texts"] == f"gold/{gold}" and not metadata["missing"]:
            answers = read_rows(path, columns=["words"])["words"].to_pylist()[: len(texts)]
            by_method[f"llm:{metadata['tagger']}"] = [
                list(_locate_tagged_words(text["text"], words)) for text, words in zip(texts, answers, strict=True)
            ]
    return by_method


def _locate_tagged_words(text: str, words: list[dict[str, Any]]) -> Iterator[Mention]:
    """Iterate over the persons that a model tagged, at their words' places in the text, skipping invented ones."""
    ends: dict[str, int] = {}
    for number, tagged in enumerate(words):
        word = tagged["word"].lower()
        start = text.lower().find(word, ends.get(word, 0))
        if start >= 0 and tagged["person"] == PERSON and not tagged["skipped"]:
            ends[word] = start + len(word)
            gender = TAG_GENDERS[tagged["gender"]]
            yield Mention(start, ends[word], text[start : ends[word]], "noun", gender, number, "language model")


def _read_quoted(texts: list[dict[str, Any]], is_complete: bool) -> list[tuple[dict[str, Any], QuotedPair]]:
    """Read the quotes of texts, annotated and found by `persons`, if they are annotated."""
    read = []
    for text in texts:
        annotated, found = read_quoted_cell(text["quoted"]), read_quoted_cell(text["found_quoted"])
        if annotated is not None and found is not None:
            pair = QuotedPair(annotated, found)
            read.append((text, pair if is_complete else only_direct(pair)))
    return read


def _measure(
    paired: Paired, labels: dict[str, str], is_complete: bool, bootstrap: Bootstrap
) -> Iterator[dict[str, Any]]:
    halves = sorted({text["half"] for text, _ in paired})
    genres = sorted({text["genre"] for text, _ in paired})
    groups = [(ALL, ALL), *((half, ALL) for half in halves)]
    groups += [(ALL, genre) for genre in genres if len(genres) > 1]
    for half, genre in groups:
        some = [
            (text, pairs) for text, pairs in paired if half in (ALL, text["half"]) and genre in (ALL, text["genre"])
        ]
        if some:
            units = _count_by_unit(some, is_complete).sum(axis=1)
            generator = random_generator(bootstrap.seed, "persons", *labels.values(), half, genre)
            yield labels | {"half": half, "genre": genre, "units": len(units)} | _figures(units, bootstrap, generator)


def count_sentences(paired: Paired, labels: dict[str, str], bootstrap: Bootstrap) -> Iterator[dict[str, Any]]:
    """Count, by half, the texts about one gender in which a person of it is found, of the other, or of none.

    The interval treats the texts of one unit, such as the two versions of a sentence, as a cluster.
    """
    found: dict[str, dict[str, Counter[str]]] = {}
    for text, pairs in paired:
        marked = {gold.gender for gold, _ in pairs if gold is not None and gold.gender in GENDERS}
        seen = {mention.gender for _, mention in pairs if mention is not None and mention.gender in GENDERS}
        if len(marked) == 1:
            result = "right" if marked & seen else "wrong" if seen else "none"
            for half in (ALL, text["half"]):
                found.setdefault(half, {}).setdefault(text["unit"], Counter())[result] += 1
    for half, units in sorted(found.items()):
        counts = sum(units.values(), Counter[str]())
        right = np.array([of_unit["right"] for of_unit in units.values()])
        texts = np.array([of_unit.total() for of_unit in units.values()])
        interval = clustered_interval(right, texts, bootstrap.confidence_level)
        yield labels | {
            "half": half,
            "sentences": counts.total(),
            **{name: counts[name] for name in ("right", "wrong", "none")},
            "right_percent": percentage(counts["right"], counts.total()),
            "right_low": 100 * interval.low,
            "right_high": 100 * interval.high,
        }


def count_pairs(pairs: Iterable[Pair], is_complete: bool) -> np.ndarray:
    """Count the `COUNTS` by kind (annotated, or found) and gender: an array of 3 × 2 × 5.

    A finding without an annotation is wrong if the annotation is complete, and otherwise cannot be judged.
    Annotations without a gender cannot be judged either.
    """
    counts = np.zeros((len(KINDS), len(GENDERS), len(COUNTS)))
    for gold, mention in pairs:
        if gold is not None and gold.gender in GENDERS:
            place = KINDS.index(gold.kind), GENDERS.index(gold.gender)
            counts[(*place, 0)] += 1
            counts[(*place, 2)] += mention is not None and mention.gender == gold.gender
        if mention is not None and mention.gender in GENDERS:
            place = KINDS.index(mention.kind), GENDERS.index(mention.gender)
            counts[(*place, 1)] += 1
            counts[(*place, 3)] += gold is not None and mention.gender == gold.gender
            counts[(*place, 4)] += is_complete if gold is None else gold.gender in GENDERS
    return counts


def _count_by_unit(paired: Paired, is_complete: bool) -> np.ndarray:
    return _sum_by_unit((text, count_pairs(pairs, is_complete)) for text, pairs in paired)


def _sum_by_unit(counted: Iterable[tuple[dict[str, Any], np.ndarray]]) -> np.ndarray:
    """Add up the counts of the texts of each unit; the first axis of the result are the units."""
    units: dict[str, np.ndarray] = {}
    for text, counts in counted:
        units[text["unit"]] = units.get(text["unit"], 0) + counts
    return np.array(list(units.values()))


def _figures(units: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator) -> dict[str, Any]:
    """Compute the figures of some documents, each with 2 × 5 counts, and their intervals."""
    total = units.sum(axis=0)
    row: dict[str, Any] = {}
    for number, gender in enumerate(GENDERS):
        row |= {f"{name}_{gender}": int(total[number, place]) for place, name in enumerate(COUNTS[:2])}
    return row | _with_intervals(units, compute_ratios, bootstrap, generator)


def _with_intervals(
    units: np.ndarray,
    figures: Callable[[np.ndarray], dict[str, Any]],
    bootstrap: Bootstrap,
    generator: np.random.Generator,
) -> dict[str, Any]:
    """Compute `figures` of the sum over documents (the first axis), with intervals over resampled documents."""

    def compute(sums: np.ndarray) -> np.ndarray:
        values = np.stack([*figures(sums).values()], axis=-1)
        # An interval of zero width shows no variation between documents.
        is_constant = (len(values) > 1) & (np.ptp(values, axis=0) == 0)
        return np.where(is_constant, np.nan, values)

    estimates = bootstrap_statistic(compute, units, bootstrap, generator)
    names = figures(units.sum(axis=0))
    columns = [estimate.columns(name) for name, estimate in zip(names, estimates, strict=True)]
    return {name: value for of_figure in columns for name, value in of_figure.items()}


def compute_ratios(counts: np.ndarray) -> dict[str, Any]:
    """Compute shares (in percent) and ratios of counts of shape (…, 2, 5)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        annotated, found, hit, right, judged = np.moveaxis(counts, -1, 0)
        recall, precision = hit / annotated, right / judged
        f1 = 2 * precision * recall / (precision + recall)
        of_both = (hit.sum(axis=-1) / annotated.sum(axis=-1), right.sum(axis=-1) / judged.sum(axis=-1))
        feminine, masculine = GENDERS.index("feminine"), GENDERS.index("masculine")
        true, ratio, known, recall_ratio = (
            numbers[..., masculine] / numbers[..., feminine] for numbers in (annotated, found, judged, recall)
        )
        figures: dict[str, Any] = {}
        for number, gender in enumerate(GENDERS):
            for name, values in (("recall", recall), ("precision", precision), ("f1", f1)):
                figures[f"{name}_{gender}"] = 100 * values[..., number]
        figures["f1"] = 100 * 2 * of_both[0] * of_both[1] / (of_both[0] + of_both[1])
        figures |= {"true_masculine_per_feminine": true, "masculine_per_feminine": ratio}
        figures |= {"bias": ratio / true, "log_bias": np.log(ratio / true)}
        figures |= {"bias_known": known / true, "recall_ratio": recall_ratio}
        # Without women or without men, there is no ratio. In a resample, it may be very large, so there is no interval.
        return {name: np.where(np.isfinite(values), values, np.nan)[()] for name, values in figures.items()}


def _measure_kinds(
    paired: Paired, labels: dict[str, str], is_complete: bool, bootstrap: Bootstrap
) -> Iterator[dict[str, Any]]:
    """Compute recall of each kind of mention, by gender, and the difference in favour of women.

    There are rows for all persons, and for those whose gender a pronoun or a label shows. If only a noun shows a
    gender, a list of nouns finds it too.
    """
    by_pronouns: Paired = [
        (text, [pair for pair in pairs if pair[0] is not None and pair[0].evidence != NOUNS]) for text, pairs in paired
    ]
    for shown_by, some in ((ALL, paired), (PRONOUNS, by_pronouns)):
        units = _count_by_unit(some, is_complete)
        for number, kind in enumerate(KINDS):
            key = labels | {"shown_by": shown_by, "kind": kind}
            row: dict[str, Any] = {"units": len(units)}
            for place, gender in enumerate(GENDERS):
                every, of_kind = units[:, :, place].sum(axis=(0, 1)), units[:, number, place].sum(axis=0)
                row |= {f"annotated_{gender}": int(of_kind[0]), f"found_{gender}": int(of_kind[1])}
                row |= {f"share_{gender}": percentage(of_kind[0], every[0])}
            generator = random_generator(bootstrap.seed, "kinds", *key.values())
            yield key | row | _with_intervals(units[:, number], _recalls, bootstrap, generator)


def _recalls(counts: np.ndarray) -> dict[str, Any]:
    """Compute shares in percent of counts of shape (…, 2, 5), and the difference of recall in percentage points."""
    figures = {name: value for name, value in compute_ratios(counts).items() if name.startswith("recall")}
    return figures | {"recall_feminine_less_masculine": figures["recall_feminine"] - figures["recall_masculine"]}


def _list_words(paired: Paired, labels: dict[str, str], is_complete: bool) -> Iterator[dict[str, Any]]:
    """List each annotated word and, without a gender, what is found in addition to a complete annotation."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for _, pairs in paired:
        for gold, mention in pairs:
            text = gold or (mention if is_complete else None)
            if text is None:
                continue
            key = gold.gender if gold else "", _short(text.text)
            of_word = counts.setdefault(key, Counter())
            of_word["annotated"] += gold is not None
            if mention is not None:
                of_word["found"] += 1
                of_word[f"as_{mention.gender}"] += 1
    names = ("annotated", "found", "as_feminine", "as_masculine", "as_unspecified")
    order = sorted(counts, key=lambda key: (-len(key[0]), -counts[key]["annotated"], -counts[key]["found"], key[1]))
    for gender, word in order:
        yield labels | {"gender": gender, "word": word} | {name: counts[gender, word][name] for name in names}


def _list_errors(paired: Paired, labels: dict[str, str], is_complete: bool) -> Iterator[dict[str, Any]]:
    counts: dict[str, Counter[tuple[str, str, str, str]]] = {"missed": Counter(), "other gender": Counter()}
    counts |= {"no person": Counter()} if is_complete else {}
    for _, pairs in paired:
        for gold, mention in pairs:
            if gold is None and mention is not None:
                if is_complete and mention.gender in GENDERS:
                    counts["no person"]["", mention.gender, mention.kind, _short(mention.text)] += 1
            elif gold is not None and gold.gender in GENDERS:
                if mention is None:
                    counts["missed"][gold.gender, "", gold.kind, _short(gold.text)] += 1
                elif mention.gender != gold.gender:
                    counts["other gender"][gold.gender, mention.gender, gold.kind, _short(gold.text)] += 1
    for error, of_error in counts.items():
        common = sorted(of_error.items(), key=lambda item: (-item[1], item[0]))[:ERRORS_SHOWN]
        for (annotated, found, kind, text), number in common:
            yield labels | {
                "error": error, "annotated": annotated, "found": found, "kind": kind, "text": text, "number": number,
            }  # fmt: skip


def _find_clusters(by_text: Sequence[tuple[dict[str, Any], np.ndarray]], labels: dict[str, str]) -> Iterator[Cluster]:
    """Describe errors on each kind of text of a corpus, from each text's counts by annotated and found gender."""
    for kind in sorted({text["genre"] for text, _ in by_text}):
        counts = _sum_by_unit((text, of_text) for text, of_text in by_text if text["genre"] == kind)
        total = counts.sum(axis=0)
        log_bias, standard_error = measure_bias(counts)
        yield Cluster(
            **labels,
            kind=kind,
            documents=len(counts),
            true=_by_gender(total.sum(axis=1)),
            found=_by_gender(total.sum(axis=0)),
            right=_by_gender(total.diagonal()),
            log_bias=log_bias,
            standard_error=standard_error,
        )


def _by_gender(totals: np.ndarray) -> tuple[int, int]:
    return int(totals[0]), int(totals[1])


def _count_confusion(pairs: list[Pair], is_complete: bool) -> np.ndarray:
    """Count mentions by annotated and found gender (feminine, masculine, neither): an array of 3 × 3.

    Mentions of unknown annotated gender are skipped, and so are additional findings if only some persons are annotated.
    """
    counts = np.zeros((3, 3))
    places = {gender: number for number, gender in enumerate(GENDERS)}
    for gold, mention in pairs:
        if gold.gender in GENDERS if gold is not None else is_complete:
            place = places.get(gold.gender, 2) if gold else 2, places.get(mention.gender, 2) if mention else 2
            counts[place] += 1
    return counts


def _leave_out_clusters(clusters: list[Cluster]) -> Iterator[dict[str, Any]]:
    """Compare each cluster of a method with the error estimated without it, and without its whole corpus."""
    for left_out in ("cluster", "corpus"):
        for one in clusters:
            others = [other for other in clusters if other is not one]
            if left_out == "corpus":
                others = [other for other in others if other.corpus != one.corpus]
            error = estimate_error(others, one.lang)
            if error is not None:
                joint = math.hypot(one.standard_error, error.log_sd)
                yield {
                    "gold": one.gold, "lang": one.lang, "method": one.method, "count": one.count, "left_out": left_out,
                    "kind": one.kind, "documents": one.documents, "log_error": one.log_bias,
                    "standard_error": one.standard_error, "log_sd": error.log_sd, "joint_error": joint,
                    "z": one.log_bias / joint,
                }  # fmt: skip


def _estimate_spreads(clusters: list[Cluster], confidence_level: float) -> Iterator[dict[str, Any]]:
    """Estimate a method's error by language, then (without a language) for any other, and its reading of 20 % women."""
    for lang in (*sorted({one.lang for one in clusters}), ""):
        error = estimate_error(clusters, lang)
        assert error is not None
        own = [one for one in clusters if lang in ("", one.lang)]
        weights = [1 / (one.standard_error**2 + error.log_sd**2) for one in own]
        interval = widen(Estimate(0.2, 0.2, 0.2), error, confidence_level)
        yield {
            "gold": ALL, "lang": lang or ALL, "method": own[0].method, "count": own[0].count,
            "clusters": error.clusters,
            "corpora": "; ".join(error.corpora), "log_sd": error.log_sd,
            "mean_log_bias": float(np.average([one.log_bias for one in own], weights=weights)),
            "low_of_20_percent": 100 * interval.low, "high_of_20_percent": 100 * interval.high,
        }  # fmt: skip


def _short(text: str) -> str:
    text = " ".join(text.lower().split())
    return text if len(text) <= 40 else f"{text[:39]}…"
