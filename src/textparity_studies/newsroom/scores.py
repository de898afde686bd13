"""Score both procedures' rules against the annotated passages, per phenomenon."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from textparity.corpora.reading import read_metadata, write_batches
from textparity.counting import GENDERS, PROCEDURES
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.estimates import Estimate
from textparity.estimating.seeds import random_generator
from textparity.persons.actor_languages import GRAMMARS, form_of
from textparity.tables import Table
from textparity_studies.measures.passages import GoldPassage, read_passages
from textparity_studies.newsroom.annotations import (
    ActorRow,
    AnnotatedArticle,
    RuleFinding,
    import_annotations,
    parse_articles,
    read_annotations,
)
from textparity_studies.newsroom.articles import ARTICLE_SCHEMA
from textparity_studies.newsroom.languages import LANGUAGES, PAPER_LANGUAGE
from textparity_studies.newsroom.measuring import Measure
from textparity_studies.newsroom.settings import GOLD_CORPUS, language_suffix
from textparity_studies.newsroom.word_lists import load_study_lists

_MENTIONS = ("named", "generic", "pronoun")
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


def annotate_gold(
    gold: Path,
    conllu_file: Path | None,
    annotations: Path,
    model: str,
    coreference: str,
    lang: str = PAPER_LANGUAGE,
    threads: int = 1,
) -> None:
    """Annotate the passages like any other articles, with topics as groups: from a CoNLL-U file, else by parsing.

    The other parameters are those of `import_annotations` and `parse_articles`.
    """
    with TemporaryDirectory() as folder:
        articles = Path(folder) / "articles.parquet"
        list_gold_passages(gold, articles, lang)
        if conllu_file:
            import_annotations(conllu_file, articles, annotations)
        else:
            parse_articles(articles, annotations, model, coreference, threads)


def list_gold_passages(gold: Path, articles: Path, lang: str = PAPER_LANGUAGE) -> None:
    """Write the passages as the rows of a corpus of articles."""
    rows = [
        {
            "id": f"{GOLD_CORPUS}/{passage.id}", "doc_id": passage.id, "lang": lang, "text": passage.text,
            "group": passage.topic, "number": number, "file": gold.name,
        }
        for number, passage in enumerate(read_gold_passages(gold, lang))
    ]  # fmt: skip
    write_batches(articles, ARTICLE_SCHEMA, [rows])


def read_gold_passages(path: Path, lang: str = PAPER_LANGUAGE) -> list[GoldPassage]:
    """Read annotated passages in a language; `InputError` names the line of anything malformed."""
    pronouns = GRAMMARS[lang].pronouns
    return read_passages(path, lambda words: form_of(words) in pronouns)


def score_rules(
    gold: Path,
    annotations: Path,
    pronoun_share: float,
    bootstrap: Bootstrap,
    lang: str = PAPER_LANGUAGE,
    **word_lists: Path,
) -> Iterator[Table]:
    """Tabulate precision, recall and F1 (percent) of each phenomenon, with bootstrap intervals over passages.

    There is one set of scores for all passages, and one for those held out when the rules were written; the LaTeX table
    has the latter.

    A mention is found if its last token is. A role is found if its mention is, with the same role. A quote counts once
    per sentence it covers, and is found if the speaker is the same. A person is found as the detected actor with most
    of the person's mentions. Raises `InputError` if the annotations do not belong to the passages.
    """
    lists = load_study_lists(**word_lists, lang=lang)
    passages = {passage.id: passage for passage in read_gold_passages(gold, lang)}
    articles = [article for batch in read_annotations(annotations) for article in batch]
    if sorted(map(_passage_id, articles)) != sorted(passages):
        raise InputError(f"{annotations}: holds other passages than {gold}; delete it and run again")
    held_out = np.array([passages[_passage_id(article)].held_out for article in articles])
    model = read_metadata(annotations)["model"]
    rows = []
    for procedure in PROCEDURES:
        measure = Measure(procedure, lists, pronoun_share, None)
        counts = [
            _compare(passages[_passage_id(article)], article, *measure.find(article), measure.check_language(article))
            for article in articles
        ]
        # The shape is (phenomena, three counts, passages).
        table = np.array([[[count[name][i] for count in counts] for i in range(3)] for name in PHENOMENA])
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
    columns = {"procedure": "Rules", "phenomenon": "Phenomenon", "gold": "Gold"}
    columns |= {"precision": "Precision (%)", "precision_interval": "P interval"}
    columns |= {"recall": "Recall (%)", "recall_interval": "R interval", "f1": "F1"}
    yield Table(
        "quality" + language_suffix(lang),
        frame,
        columns,
        dict.fromkeys(("precision", "recall", "f1"), "{:.1f}"),
        printed=frame[frame["passages"] == "held out"],
        caption="quality",
        of=f"{LANGUAGES[lang].name}, parsed by {model}",
    )


def _passage_id(article: AnnotatedArticle) -> str:
    return article.id.rpartition("/")[2]


def _score_row(
    true_positives: np.ndarray, predicted: np.ndarray, wanted: np.ndarray, intervals: list[Estimate]
) -> dict[str, object]:
    true, all_predicted, all_wanted = (int(these.sum()) for these in (true_positives, predicted, wanted))
    row: dict[str, object] = {"gold": all_wanted, "predicted": all_predicted, "true_positives": true}
    for name, whole, interval in zip(("precision", "recall"), (all_predicted, all_wanted), intervals, strict=True):
        row[name] = 100 * true / whole if whole else np.nan
        row |= {f"{name}_low": 100 * interval.low, f"{name}_high": 100 * interval.high}
    total = all_predicted + all_wanted
    return row | {"f1": 200 * true / total if total else np.nan}


def _compare(
    passage: GoldPassage,
    article: AnnotatedArticle,
    actors: list[ActorRow],
    findings: list[RuleFinding],
    flags: tuple[bool, bool],
) -> dict[str, tuple[int, int, int]]:
    """Count true positives, predictions and gold items by phenomenon."""
    last_token = {
        offset: place
        for place, (start, token) in enumerate(zip(article.offsets, article.tokens, strict=True))
        for offset in range(start, start + len(token))
    }
    gold = [(last_token[mention.end - 1], mention) for mention in passage.mentions]
    mentions = [item for item in findings if item.kind in _MENTIONS]
    actor_at = {place: mention.actor for place, mention in gold}
    same = _match_actors(actor_at, mentions)
    best = _best_of(same, mentions, actor_at)
    pairs: dict[str, tuple[Collection[Hashable], Collection[Hashable]]] = {}
    for kind in ("named", "generic"):
        pairs[f"{kind} mentions"] = (
            [item.place for item in mentions if item.kind == kind],
            [place for place, mention in gold if mention.kind == kind],
        )
    for name, kinds in (("pronouns", ("pronoun",)), ("mentions", _MENTIONS)):
        pairs[f"{name} of the right actor"] = (
            [(item.place, same.get(item.actor)) for item in mentions if item.kind in kinds],
            [(place, mention.actor) for place, mention in gold if mention.kind in kinds],
        )
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
    for kind in ("direct quote", "indirect quote"):
        pairs[f"{kind}s"] = (
            {(item.place, same.get(item.actor, item.actor)) for item in findings if item.kind == kind},
            {
                (article.sentence_of[last_token[offset]], quote.speaker)
                for quote in passage.quotes
                if quote.is_direct == (kind == "direct quote") and quote.speaker
                for offset in range(quote.start, quote.end)
                if offset in last_token
            },
        )
    counts = {
        name: (len(set(predicted) & set(wanted)), len(predicted), len(wanted))
        for name, (predicted, wanted) in pairs.items()
    }
    truth = (passage.inclusive, passage.generic_masculine)
    for name, is_flagged, is_true in zip(PHENOMENA[-2:], flags, truth, strict=True):
        counts[name] = (int(is_flagged and is_true), int(is_flagged), int(is_true))
    return counts


def _match_actors(actor_at: dict[int, str], mentions: list[RuleFinding]) -> dict[int, str]:
    """Match each detected actor to the gold actor with most of its mentions; a name weighs as much as ten pronouns."""
    votes: dict[int, Counter[str]] = {}
    for item in mentions:
        if item.place in actor_at:
            weight = 1 if item.kind == "pronoun" else 10
            votes.setdefault(item.actor, Counter())[actor_at[item.place]] += weight
    return {number: counted.most_common(1)[0][0] for number, counted in votes.items()}


def _best_of(same: dict[int, str], mentions: list[RuleFinding], actor_at: dict[int, str]) -> dict[int, str]:
    """Choose one detected actor per gold actor: the one with most of its mentions, or the first of equals."""
    sizes = Counter(item.actor for item in mentions if actor_at.get(item.place) == same.get(item.actor, ""))
    best: dict[str, int] = {}
    for number, key in same.items():
        if key not in best or sizes[number] > sizes[best[key]]:
            best[key] = number
    return {number: key for key, number in best.items()}
