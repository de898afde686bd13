"""From annotations to numbers: a row per actor, a row per article, and the words beside each gender."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import count_rows, open_batches, read_metadata
from textparity.progress import progress_bar
from textparity.studies.newsroom.annotations import Annotation, read_annotations
from textparity.studies.newsroom.extraction.actor_rows import ACTOR_SCHEMA, COUNTS, ActorRow, Finding
from textparity.studies.newsroom.extraction.actors import Actor, find_actors
from textparity.studies.newsroom.extraction.collocations import WORD_SCHEMA, ArticleWords, WordCounts
from textparity.studies.newsroom.extraction.corrected import antecedents_of, find_corrected_actors, resolve
from textparity.studies.newsroom.extraction.inclusive_language import corrected_flags, published_flags
from textparity.studies.newsroom.extraction.published import find_published_actors
from textparity.studies.newsroom.extraction.sentiment import Scorer, load_scorer
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


def measure_articles(
    annotations: Path,
    actors: Path,
    articles: Path,
    words: Path,
    procedure: str,
    pronoun_share: float,
    sentiment: str,
    **word_lists: Path,
) -> None:
    """Measure the articles of one file of annotations by one procedure.

    `word_lists` are those of `load_word_lists`.

    Writes a row per actor (`ACTOR_SCHEMA`), a row per article in the order of the annotations (`ARTICLE_SCHEMA`) and
    the counts of words per group (`WORD_SCHEMA`); their metadata say what parsed and scored them. Raises `TableError`
    for a malformed list, `MissingResourceError` if the sentiment asked for cannot be had.
    """
    lists = load_word_lists(**word_lists)
    measure = Measure(procedure, lists, pronoun_share, load_scorer(sentiment))
    described = read_metadata(annotations) | {"sentiment": sentiment, "procedure": procedure}
    counts = WordCounts(procedure)
    with (
        open_batches(actors, ACTOR_SCHEMA) as actor_file,
        open_batches(articles, ARTICLE_SCHEMA) as article_file,
        open_batches(words, WORD_SCHEMA) as word_file,
        progress_bar(count_rows(annotations), f"measuring, {procedure}", unit="articles") as bar,
    ):
        for batch in read_annotations(annotations):
            measured = [measure(article) for article in batch]
            actor_file.write([row for rows, _, _ in measured for row in rows])
            article_file.write([row for _, row, _ in measured])
            for rows, row, beside in measured:
                counts.add(row["group"], rows, beside)
            bar.update(len(batch))
        for rows in counts.batches():
            word_file.write(rows)
        for file in (actor_file, article_file, word_file):
            file.metadata = described


class Measure:
    """Measures one article after another by one procedure."""

    def __init__(self, procedure: str, lists: WordLists, pronoun_share: float, scorer: Scorer | None) -> None:
        self._procedure = procedure
        self._lists = lists
        self._pronoun_share = pronoun_share
        self._scorer = scorer
        self._count_stems = lists.stem_counter()

    def find(self, article: Annotation) -> tuple[list[ActorRow], list[Finding]]:
        """Return the actors of an article and each thing seen, by this procedure's rules."""
        return self._find(article, *self._resolve(article), self._pronoun_share)

    def find_by_share(self, article: Annotation, shares: list[float]) -> Iterator[tuple[float, list[ActorRow]]]:
        """Yield the actors of an article by other least shares of pronouns that tell a gender."""
        actors, resolved = self._resolve(article)
        for share in shares:
            yield share, self._find(article, actors, resolved, share)[0]

    def _resolve(self, article: Annotation) -> tuple[list[Actor], dict[int, int]]:
        actors = find_actors(article, self._lists)
        return actors, resolve(article, actors, self._lists)

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
