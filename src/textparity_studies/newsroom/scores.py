"""Score both procedures' rules against the annotated passages, per phenomenon."""

from collections import Counter
from collections.abc import Hashable
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_metadata
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, Interval, bootstrap_ratios, random_generator
from textparity.errors import InputError
from textparity.persons.actors.actors import ActorRow, Finding
from textparity.persons.actors.annotations import Annotation
from textparity.persons.actors.languages import LANGUAGES, PAPER_LANGUAGE
from textparity.persons.actors.word_lists import GENDERS, load_word_lists
from textparity.persons.passages import GoldPassage
from textparity.tables import show_interval, write_csv, write_latex
from textparity_studies.newsroom.annotations import read_annotations
from textparity_studies.newsroom.gold import read_gold_passages
from textparity_studies.newsroom.inclusive_language import corrected_flags, published_flags
from textparity_studies.newsroom.measuring import Measure

PHENOMENA = (
    "named mentions",
    "generic mentions",
    "pronouns of the right actor",
    "mentions of the right actor",
    "actors",
    *(f"{gender} actors" for gender in GENDERS),
    "subject roles",
    "object roles",
    "direct quotes",
    "indirect quotes",
    "texts with inclusive language",
    "texts with generic masculine",
)


def score_rules(
    gold: Path,
    annotations: Path,
    table_csv: Path,
    table_latex: Path,
    pronoun_share: float,
    bootstrap: Bootstrap,
    lang: str = PAPER_LANGUAGE,
    **word_lists: Path,
) -> None:
    """Write precision, recall and F1 (percent) of each phenomenon, with bootstrap intervals over passages.

    There is one set of scores for all passages, and one for those held out when the rules were written; the LaTeX table
    has the latter.

    A mention is found if its last token is. A role is found if its mention is, with the same role. A quote counts once
    per sentence it covers, and is found if the speaker is the same. A person is found as the detected actor with most
    of the person's mentions. Raises `InputError` if the annotations do not belong to the passages.
    """
    lists = load_word_lists(**word_lists, lang=lang)
    passages = {passage.id: passage for passage in read_gold_passages(gold, lang)}
    articles = [article for batch in read_annotations(annotations) for article in batch]
    if sorted(article.id.rpartition("/")[2] for article in articles) != sorted(passages):
        raise InputError(f"{annotations}: holds other passages than {gold}; delete it and run again")
    model = read_metadata(annotations)["model"]
    rows = []
    for procedure in PROCEDURES:
        measure = Measure(procedure, lists, pronoun_share, None)
        counts = []
        for article in articles:
            passage = passages[article.id.rpartition("/")[2]]
            flags = corrected_flags(article, lists) if procedure == "corrected" else published_flags(article)
            counts.append(_compare(passage, article, *measure.find(article), flags))
        # The shape is (phenomena, three counts, passages).
        table = np.array([[[count[name][i] for count in counts] for i in range(3)] for name in PHENOMENA])
        held_out = np.array([passages[article.id.rpartition("/")[2]].held_out for article in articles])
        for chosen, these in (("all", table), ("held out", table[:, :, held_out])):
            for name, (true_positives, predicted, wanted) in zip(PHENOMENA, these, strict=True):
                intervals = bootstrap_ratios(
                    np.stack([true_positives, true_positives]),
                    np.stack([predicted, wanted]),
                    bootstrap,
                    random_generator(bootstrap.seed, "newsroom quality", procedure, chosen, name),
                )
                keys = {"procedure": procedure, "passages": chosen, "phenomenon": name}
                rows.append(keys | _score_row(true_positives, predicted, wanted, intervals) | {"model": model})
    frame = pd.DataFrame(rows)
    write_csv(frame, table_csv)
    _write_latex(frame, table_latex, model, lang)


def _score_row(
    true_positives: np.ndarray, predicted: np.ndarray, wanted: np.ndarray, intervals: list[Interval]
) -> dict[str, object]:
    true, all_predicted, all_wanted = (int(these.sum()) for these in (true_positives, predicted, wanted))
    row: dict[str, object] = {"gold": all_wanted, "predicted": all_predicted, "true_positives": true}
    for name, whole, interval in zip(("precision", "recall"), (all_predicted, all_wanted), intervals, strict=True):
        row[name] = 100 * true / whole if whole else np.nan
        row |= {f"{name}_low": 100 * interval.low, f"{name}_high": 100 * interval.high}
    total = all_predicted + all_wanted
    return row | {"f1": 200 * true / total if total else np.nan}


def _write_latex(frame: pd.DataFrame, path: Path, model: str, lang: str) -> None:
    frame = frame[frame["passages"] == "held out"]
    shown = pd.DataFrame({"Rules": frame["procedure"], "Phenomenon": frame["phenomenon"], "Gold": frame["gold"]})
    for measure in ("precision", "recall"):
        shown[f"{measure.capitalize()} (%)"] = frame[measure]
        ends = frame[[f"{measure}_low", f"{measure}_high"]].itertuples(index=False)
        shown[f"{measure[0].upper()} interval"] = [show_interval(*pair) for pair in ends]
    shown["F1"] = frame["f1"]
    formats = dict.fromkeys(("Precision (%)", "Recall (%)", "F1"), "{:.1f}")
    name = LANGUAGES[lang].name
    caption = f"What the rules find of what was annotated in held-out {name} news passages, parsed by {model}."
    write_latex(shown, path, caption, formats)


def _compare(
    passage: GoldPassage, article: Annotation, actors: list[ActorRow], findings: list[Finding], flags: tuple[bool, bool]
) -> dict[str, tuple[int, int, int]]:
    """Count true positives, predictions and gold items by phenomenon."""
    last_token = {
        offset: place
        for place, (start, token) in enumerate(zip(article.offsets, article.tokens, strict=True))
        for offset in range(start, start + len(token))
    }
    gold = [(last_token[mention.end - 1], mention) for mention in passage.mentions]
    actor_at = {place: mention.actor for place, mention in gold}
    same = _match_actors(actor_at, findings)
    mentions = [item for item in findings if item.kind in ("named", "generic", "pronoun")]
    pairs: dict[str, tuple[list[Hashable], list[Hashable]]] = {}
    for kind in ("named", "generic"):
        pairs[f"{kind} mentions"] = (
            [item.place for item in mentions if item.kind == kind],
            [place for place, mention in gold if mention.kind == kind],
        )
    for name, kinds in (
        ("pronouns of the right actor", ("pronoun",)),
        ("mentions of the right actor", ("named", "generic", "pronoun")),
    ):
        pairs[name] = (
            [(item.place, same.get(item.actor)) for item in mentions if item.kind in kinds],
            [(place, mention.actor) for place, mention in gold if mention.kind in kinds],
        )
    best = _best_of(same, findings, actor_at)
    pairs["actors"] = ([best.get(number, number) for number in range(len(actors))], list(passage.actors))
    for gender in GENDERS:
        pairs[f"{gender} actors"] = (
            [best.get(number, number) for number, actor in enumerate(actors) if actor.gender == gender],
            [key for key, actor in passage.actors.items() if actor.gender == gender],
        )
    for role in ("subject", "object"):
        pairs[f"{role} roles"] = (
            [item.place for item in findings if item.kind == "role" and item.value == role],
            [place for place, mention in gold if mention.role == role],
        )
    for kind, is_direct in (("direct quotes", True), ("indirect quotes", False)):
        pairs[kind] = (
            list({(item.place, same.get(item.actor, item.actor)) for item in findings if f"{item.kind}s" == kind}),
            list(
                {
                    (article.sentence_of[last_token[offset]], quote.speaker)
                    for quote in passage.quotes
                    if quote.is_direct == is_direct and quote.speaker
                    for offset in range(quote.start, quote.end)
                    if offset in last_token
                }
            ),
        )
    counts = {}
    for name, (predicted, wanted) in pairs.items():
        counts[name] = (len(set(predicted) & set(wanted)), len(predicted), len(wanted))
    truth = (passage.inclusive, passage.generic_masculine)
    for name, said, is_true in zip(PHENOMENA[-2:], flags, truth, strict=True):
        counts[name] = (int(said and is_true), int(said), int(is_true))
    return counts


def _match_actors(actor_at: dict[int, str], findings: list[Finding]) -> dict[int, str]:
    """Match each detected actor to the gold actor with most of its mentions; a name weighs as much as ten pronouns."""
    votes: dict[int, Counter[str]] = {}
    for item in findings:
        if item.kind in ("named", "generic", "pronoun") and item.place in actor_at:
            weight = 1 if item.kind == "pronoun" else 10
            votes.setdefault(item.actor, Counter())[actor_at[item.place]] += weight
    return {number: counted.most_common(1)[0][0] for number, counted in votes.items()}


def _best_of(same: dict[int, str], findings: list[Finding], actor_at: dict[int, str]) -> dict[int, str]:
    """Choose one detected actor per gold actor: the one with most of its mentions, or the first of equals."""
    sizes: Counter[int] = Counter()
    for item in findings:
        if item.kind in ("named", "generic", "pronoun") and actor_at.get(item.place) == same.get(item.actor, ""):
            sizes[item.actor] += 1
    best: dict[str, int] = {}
    for number, key in same.items():
        if key not in best or sizes[number] > sizes[best[key]]:
            best[key] = number
    return {number: key for key, number in best.items()}
