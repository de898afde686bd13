"""From annotations to numbers: a row per actor, a row per article, the words beside each gender, inclusive forms.

Also what the least share of pronouns decides, by which an actor gets their gender (the paper's 70 %, Urchs 2025).
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import count_rows, open_batches, read_metadata
from textparity.files import write_rows
from textparity.progress import progress_bar
from textparity.studies.newsroom.actor_rows import ACTOR_SCHEMA, COUNTS, ActorRow, Finding
from textparity.studies.newsroom.actors import Actor, find_actors
from textparity.studies.newsroom.annotations import Annotation, read_annotations
from textparity.studies.newsroom.collocations import WORD_SCHEMA, ArticleWords, WordCounts
from textparity.studies.newsroom.corrected import antecedents_of, find_corrected_actors, resolve
from textparity.studies.newsroom.inclusive_language import (
    corrected_flags,
    find_forms,
    published_flags,
)
from textparity.studies.newsroom.published import find_published_actors
from textparity.studies.newsroom.sentiment import Scorer, load_scorer
from textparity.studies.newsroom.word_lists import ALL_GENDERS, WordLists, load_word_lists

ARTICLE_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("number", pa.int64()),
        ("group", pa.string()),
        ("words", pa.int32()),
        ("inclusive_language", pa.bool_()),
        ("generic_masculine", pa.bool_()),
        *((f"{gender}_{name}", pa.int32()) for gender in ALL_GENDERS for name in ("actors", *COUNTS)),
        # Means over the actors of the article, null where it has none.
        *((f"{gender}_sentiment", pa.float64()) for gender in ALL_GENDERS),
        ("mean_sentiment", pa.float64()),
    ]
)
# The metadata have the articles with any form, by spelling.
FORM_SCHEMA = pa.schema([("spelling", pa.string()), ("form", pa.string()), ("count", pa.int64())])
# An actor of half of each has the first gender that is tried, so the least is a little more.
PRONOUN_SHARES = (0.51, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
SHARE_UNITS = ("actors", "mentions")
_SHARE_COLUMNS = [f"{gender}_{unit}" for unit in SHARE_UNITS for gender in ALL_GENDERS]


def measure_articles(
    annotations: Path,
    actors: Path,
    articles: Path,
    words: Path,
    pronoun_shares: Path,
    inclusive_forms: Path,
    procedure: str,
    pronoun_share: float,
    sentiment: str,
    **word_lists: Path,
) -> None:
    """Measure the articles of one file of annotations by one procedure.

    `word_lists` are those of `load_word_lists`.

    Writes a row per actor (`ACTOR_SCHEMA`), a row per article in the order of the annotations (`ARTICLE_SCHEMA`), the
    counts of words per group (`WORD_SCHEMA`) and those of inclusive forms (`FORM_SCHEMA`); their metadata say what
    parsed and scored them. `pronoun_shares` is a CSV with a row for each of `PRONOUN_SHARES` and for `pronoun_share`:
    `share`, and with it `{gender}_{actors,mentions}`. Raises `TableError` for a malformed list, `MissingResourceError`
    if the sentiment asked for cannot be had.
    """
    lists = load_word_lists(**word_lists)
    measure = Measure(procedure, lists, pronoun_share, load_scorer(sentiment))
    described = read_metadata(annotations) | {"sentiment": sentiment, "procedure": procedure}
    counts = WordCounts(procedure)
    shares = sorted({*PRONOUN_SHARES, pronoun_share})
    by_share: dict[float, Counter[str]] = {share: Counter() for share in shares}
    forms: Counter[tuple[str, str]] = Counter()
    with_forms: Counter[str] = Counter()
    with (
        open_batches(actors, ACTOR_SCHEMA) as actor_file,
        open_batches(articles, ARTICLE_SCHEMA) as article_file,
        open_batches(words, WORD_SCHEMA) as word_file,
        open_batches(inclusive_forms, FORM_SCHEMA) as form_file,
        progress_bar(count_rows(annotations), f"measuring, {procedure}", unit="articles") as bar,
    ):
        for batch in read_annotations(annotations):
            actor_rows, article_rows = [], []
            for article in batch:
                rows, row, beside = measure(article)
                actor_rows += rows
                article_rows.append(row)
                counts.add(row["group"], rows, beside)
                for share, found in measure.find_by_share(article, shares):
                    by_share[share].update(_count_genders(found))
                found_forms = find_forms(article, procedure)
                forms.update(found_forms)
                with_forms.update({spelling for spelling, _ in found_forms})
            actor_file.write(actor_rows)
            article_file.write(article_rows)
            bar.update(len(batch))
        for batch_of_words in counts.batches():
            word_file.write(batch_of_words)
        form_file.write([{"spelling": key[0], "form": key[1], "count": forms[key]} for key in sorted(forms)])
        for file in (actor_file, article_file, word_file):
            file.metadata = described
        form_file.metadata = described | {"articles": with_forms}
    numbers = ([share, *(by_share[share][name] for name in _SHARE_COLUMNS)] for share in shares)
    write_rows(pronoun_shares, ["share", *_SHARE_COLUMNS], numbers)


def _count_genders(actors: list[ActorRow]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for actor in actors:
        counts[f"{actor.gender}_actors"] += 1
        counts[f"{actor.gender}_mentions"] += actor.mentions
    return counts


class Measure:
    """Measures one article after another by one procedure."""

    def __init__(self, procedure: str, lists: WordLists, pronoun_share: float, scorer: Scorer | None) -> None:
        self._procedure = procedure
        self._lists = lists
        self._pronoun_share = pronoun_share
        self._scorer = scorer
        self._count_stems = lists.stem_counter()
        # Of one article, actors are found once, whatever is asked about them.
        self._found: tuple[Annotation, list[Actor], dict[int, int]] | None = None

    def find(self, article: Annotation) -> tuple[list[ActorRow], list[Finding]]:
        """Return the actors of an article and each thing seen, by this procedure's rules."""
        return self._find(article, *self._resolve(article), self._pronoun_share)

    def find_by_share(self, article: Annotation, shares: list[float]) -> Iterator[tuple[float, list[ActorRow]]]:
        """Yield the actors of an article by other least shares of pronouns that tell a gender."""
        actors, resolved = self._resolve(article)
        for share in shares:
            yield share, self._find(article, actors, resolved, share)[0]

    def _resolve(self, article: Annotation) -> tuple[list[Actor], dict[int, int]]:
        if self._found is None or self._found[0] is not article:
            actors = find_actors(article, self._lists)
            self._found = article, actors, resolve(article, actors, self._lists)
        return self._found[1:]

    def _find(
        self, article: Annotation, actors: list[Actor], resolved: dict[int, int], share: float
    ) -> tuple[list[ActorRow], list[Finding]]:
        if self._procedure == "corrected":
            return find_corrected_actors(article, actors, resolved, self._lists, share)
        antecedents = antecedents_of(article, actors, resolved)
        return find_published_actors(article, antecedents, self._lists, share)

    def __call__(self, article: Annotation) -> tuple[list[dict[str, Any]], dict[str, Any], ArticleWords]:
        """Return the rows of an article's actors, its own row, and its words."""
        found, _ = self.find(article)
        beside = ArticleWords(article, self._lists.stop_words)
        sentences: dict[int, tuple[float, int, int]] = {}
        rows = [self._actor_row(article, actor, beside, sentences) for actor in found]
        return rows, self._article_row(article, rows), beside

    def _actor_row(
        self,
        article: Annotation,
        actor: ActorRow,
        beside: ArticleWords,
        sentences: dict[int, tuple[float, int, int]],
    ) -> dict[str, Any]:
        for sentence in actor.sentences:
            if sentence not in sentences:
                text = article.text_of(*article.sentences[sentence])
                polarity = self._scorer(article, sentence) if self._scorer else 0.0
                sentences[sentence] = (polarity, *self._count_stems(text))
        values = [sentences[sentence] for sentence in actor.sentences]
        row = {"id": article.id, "number": article.number, "group": article.group}
        row |= {name: value for name, value in vars(actor).items() if name != "sentences"}
        row["sentences"] = sorted(actor.sentences)
        row["feminine_coded_words"] = sum(value[1] for value in values)
        row["masculine_coded_words"] = sum(value[2] for value in values)
        row["sentiment"] = sum(value[0] for value in values) / len(values) if self._scorer else None
        return row | beside.of_sentences(actor.sentences)

    def _article_row(self, article: Annotation, rows: list[dict[str, Any]]) -> dict[str, Any]:
        flags = corrected_flags(article, self._lists) if self._procedure == "corrected" else published_flags(article)
        row: dict[str, Any] = {"id": article.id, "number": article.number, "group": article.group}
        row["words"] = sum(any(map(str.isalnum, token)) for token in article.tokens)
        row["inclusive_language"], row["generic_masculine"] = flags
        for gender in ALL_GENDERS:
            these = [actor for actor in rows if actor["gender"] == gender]
            row[f"{gender}_actors"] = len(these)
            for name in COUNTS:
                row[f"{gender}_{name}"] = sum(actor[name] for actor in these)
            row[f"{gender}_sentiment"] = _mean([actor["sentiment"] for actor in these])
        row["mean_sentiment"] = _mean([actor["sentiment"] for actor in rows])
        return row


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
