"""Compute measures from annotations: a row per actor, a row per article, the words near each gender, inclusive forms.

Words are the adjectives, nouns and verbs of the sentences that mention an actor. Urchs 2025, §3, ranks them by
pointwise mutual information (PMI). Its public code computes PMI within each article but discards the values. Its "top
PMI" lists use the ten most frequent words of each article and count, per word, the actors with that word in their
sentences. `published` is that count; `corrected` is PMI over the corpus.

The polarity of a sentence, from -1 to 1, comes from the paper's model if it is installed, else from a lexicon. The
paper (§2.3) takes the label of german-sentiment-bert, with its probability as the strength; neutral is 0. Without that
model, textblob-de looks the lemmas up in the German Polarity Lexicon and handles negation.

This module also measures the effect of the least share of pronouns that decides an actor's gender (70 % in the paper).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from math import log2
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.reading import count_rows, open_batches, read_metadata
from textparity.counting import GENDERS
from textparity.errors import MissingResourceError, how_to_install
from textparity.files import write_rows
from textparity.persons.actors import Actor, find_actors
from textparity.progress import progress_bar
from textparity_studies.measures.encoders import stay_offline
from textparity_studies.measures.passages import ACTOR_GENDERS
from textparity_studies.newsroom.actor_rules import (
    antecedents_of,
    find_corrected_actors,
    find_published_actors,
    merge_entities,
    resolve,
)
from textparity_studies.newsroom.annotations import ActorRow, AnnotatedArticle, RuleFinding, read_annotations
from textparity_studies.newsroom.inclusive_language import corrected_flags, find_forms, published_flags
from textparity_studies.newsroom.languages import PAPER_LANGUAGE
from textparity_studies.newsroom.settings import LEXICON, NONE
from textparity_studies.newsroom.word_lists import StudyWordLists, load_study_lists

Scorer = Callable[[AnnotatedArticle, int], float]
"""Gives the polarity of a sentence, by its number."""
_SIGNS = {"positive": 1.0, "negative": -1.0, "neutral": 0.0}
_CACHED_SENTENCES = 20_000
PARTS_OF_SPEECH = {"adjectives": "ADJ", "nouns": "NOUN", "verbs": "VERB"}
# Counts in all sentences, in those that mention an actor, and in those that mention one of each gender.
_WORD_COUNTS = ("background", "actors", *GENDERS)
WORD_SCHEMA = pa.schema([
    ("group", pa.string()), ("part_of_speech", pa.string()), ("word", pa.string()),
    *((name, pa.int64()) for name in _WORD_COUNTS),
])  # fmt: skip
_TOP_WORDS = 10
_BATCH_ROWS = 10_000
_WORDS = pa.list_(pa.struct([("word", pa.string()), ("count", pa.int32()), ("pmi", pa.float64())]))
COUNTS = (
    "mentions", "named_mentions", "pronoun_mentions", "subject_roles", "object_roles", "direct_quotes",
    "indirect_quotes", "feminine_coded_words", "masculine_coded_words",
)  # fmt: skip
_ARTICLE_KEYS = [("id", pa.string()), ("number", pa.int64()), ("group", pa.string())]
ACTOR_SCHEMA = pa.schema([
    *_ARTICLE_KEYS,
    *((name, pa.string()) for name in ("actor", "kind", "gender", "gender_source")),
    *((name, pa.int32()) for name in COUNTS),
    # Mean polarity, from -1 to 1, of the sentences that mention the actor.
    ("sentiment", pa.float64()),
    *((name, _WORDS) for name in PARTS_OF_SPEECH),
])  # fmt: skip
ARTICLE_SCHEMA = pa.schema([
    *_ARTICLE_KEYS,
    ("words", pa.int32()), ("inclusive_language", pa.bool_()), ("generic_masculine", pa.bool_()),
    *((f"{gender}_{name}", pa.int32()) for gender in ACTOR_GENDERS for name in ("actors", *COUNTS)),
    # Means over the actors of the article; null if it has none.
    *((f"{gender}_sentiment", pa.float64()) for gender in ACTOR_GENDERS),
    ("mean_sentiment", pa.float64()),
])  # fmt: skip
# The metadata count, by spelling, the articles with any form.
FORM_SCHEMA = pa.schema([("spelling", pa.string()), ("form", pa.string()), ("count", pa.int64())])
# With a share of 0.5, an actor with equal counts would get whichever gender is tried first, so the least is 0.51.
PRONOUN_SHARES = (0.51, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
SHARE_UNITS = ("actors", "mentions")
_SHARE_COLUMNS = [f"{gender}_{unit}" for unit in SHARE_UNITS for gender in ACTOR_GENDERS]


class ArticleWords:
    """Hold an article's words by sentence and part of speech: lower case, letters only, without stop words.

    Multi-word names are excluded, because they are single tokens with spaces when the paper's code looks for words.
    """

    def __init__(self, article: AnnotatedArticle, stop_words: frozenset[str]) -> None:
        kinds = {part: name for name, part in PARTS_OF_SPEECH.items()}
        self.sentences: dict[str, dict[int, list[str]]] = {name: {} for name in PARTS_OF_SPEECH}
        for start, end in merge_entities(article).values():
            name, text = kinds.get(article.parts_of_speech[article.root_of(start, end)]), article.text_of(start, end)
            if name and text.isalpha() and (word := text.lower()) not in stop_words:
                self.sentences[name].setdefault(article.sentence_of[start], []).append(word)
        self.totals = {name: self.count(name) for name in PARTS_OF_SPEECH}

    def count(self, name: str, sentences: list[int] | None = None) -> Counter[str]:
        """Count each word of a part of speech in the given sentences, or in all, in order."""
        found = self.sentences[name]
        chosen = found if sentences is None else sorted(set(sentences) & found.keys())
        return Counter(word for sentence in chosen for word in found[sentence])

    def of_sentences(self, sentences: list[int]) -> dict[str, list[dict[str, Any]]]:
        """Count the words of an actor's sentences, with their PMI (bits) in the article, by part of speech.

        PMI is log2 of a word's share of the words in those sentences over its share of the words in the article.
        """
        found = {}
        for name, all_words in self.totals.items():
            here = self.count(name, sentences)
            total, whole = here.total(), all_words.total()
            found[name] = [
                {"word": word, "count": count, "pmi": log2((count / total) / (all_words[word] / whole))}
                for word, count in here.items()
            ]
        return found


class WordCounts:
    """Accumulate word counts per group of articles; memory grows with the vocabulary, not with the articles."""

    def __init__(self, procedure: str) -> None:
        self._published = procedure == "published"
        self._counts: dict[tuple[str, str, str], Counter[str]] = {}

    def add(self, group: str, actors: list[dict[str, Any]], article_words: ArticleWords) -> None:
        """Add the words of an article; `actors` are the rows of its actors."""
        columns = {"actors": actors}
        columns |= {gender: [actor for actor in actors if actor["gender"] == gender] for gender in GENDERS}
        for part in PARTS_OF_SPEECH:
            found: dict[str, dict[str, int]] = {} if self._published else {"background": article_words.totals[part]}
            for column, rows in columns.items():
                if self._published:
                    having = Counter(word["word"] for row in rows for word in row[part])
                    found[column] = dict(having.most_common(_TOP_WORDS))
                else:
                    found[column] = article_words.count(
                        part, [sentence for row in rows for sentence in row["sentences"]]
                    )
            for column, words in found.items():
                if words:
                    self._counts.setdefault((group, part, column), Counter()).update(words)

    def batches(self) -> Iterator[list[dict[str, Any]]]:
        """Iterate over the rows of `WORD_SCHEMA` in batches, sorted by group, part of speech and word."""
        for group, part in sorted({key[:2] for key in self._counts}):
            counts = {column: self._counts.get((group, part, column), Counter()) for column in _WORD_COUNTS}
            words = sorted(set().union(*counts.values()))
            for first in range(0, len(words), _BATCH_ROWS):
                yield [
                    {"group": group, "part_of_speech": part, "word": word}
                    | {column: counted[word] for column, counted in counts.items()}
                    for word in words[first : first + _BATCH_ROWS]
                ]


def measure_articles(
    annotations: Path,
    actors: Path,
    measures: Path,
    words: Path,
    pronoun_shares: Path,
    inclusive_forms: Path,
    procedure: str,
    pronoun_share: float,
    sentiment: str,
    lang: str = PAPER_LANGUAGE,
    **word_lists: Path,
) -> None:
    """Measure the articles of one file of annotations by one procedure.

    `word_lists` are those of `load_study_lists`, of the language `lang`.

    Writes a row per actor (`ACTOR_SCHEMA`), a row per article in the order of the annotations (`ARTICLE_SCHEMA`), the
    counts of words per group (`WORD_SCHEMA`) and those of inclusive forms (`FORM_SCHEMA`). The metadata record what
    parsed and scored them. The CSV `pronoun_shares` has a row for each of `PRONOUN_SHARES` and for `pronoun_share`,
    with the columns `share` and `{gender}_{actors,mentions}`. Raises `TableError` for a malformed list, and
    `MissingResourceError` if the requested sentiment is not available.
    """
    lists = load_study_lists(**word_lists, lang=lang)
    measure = Measure(procedure, lists, pronoun_share, load_scorer(sentiment))
    described = read_metadata(annotations) | {"sentiment": sentiment, "procedure": procedure}
    counts = WordCounts(procedure)
    shares = sorted({*PRONOUN_SHARES, pronoun_share})
    by_share: dict[float, Counter[str]] = {share: Counter() for share in shares}
    forms: Counter[tuple[str, str]] = Counter()
    with_forms: Counter[str] = Counter()
    with (
        open_batches(actors, ACTOR_SCHEMA) as actor_file,
        open_batches(measures, ARTICLE_SCHEMA) as article_file,
        open_batches(words, WORD_SCHEMA) as word_file,
        open_batches(inclusive_forms, FORM_SCHEMA) as form_file,
        progress_bar(count_rows(annotations), f"measuring, {procedure}", unit="articles") as bar,
    ):
        for batch in read_annotations(annotations):
            actor_rows, article_rows = [], []
            for article in batch:
                rows, row, article_words = measure(article)
                actor_rows += rows
                article_rows.append(row)
                counts.add(row["group"], rows, article_words)
                for share in shares:
                    for actor in measure.find(article, share)[0]:
                        counted = {f"{actor.gender}_actors": 1, f"{actor.gender}_mentions": actor.mentions}
                        by_share[share].update(counted)
                found_forms = find_forms(article, procedure, lang)
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


def stem_counter(lists: StudyWordLists) -> Callable[[str], tuple[int, int]]:
    """Make a function that counts the feminine- and masculine-coded stems of a text.

    Each stem counts once in every word that contains it anywhere (Urchs 2025, §2.3, and its public code). In other
    languages than the paper's, a stem with `*` begins a word and a stem without it is a complete word.
    """
    around = "\"'.,;:!?()[]«»“”„‘’–—"
    is_paper = lists.language.code == PAPER_LANGUAGE
    stems = {gender: [stem for stem, coded in lists.coded_stems.items() if coded == gender] for gender in GENDERS}

    def is_coded(word: str, stem: str) -> bool:
        if is_paper:
            return stem in word
        word = word.strip(around)
        return word.startswith(stem[:-1]) if stem.endswith("*") else word == stem

    @lru_cache(maxsize=200_000)
    def count_word(word: str) -> tuple[int, int]:
        feminine, masculine = (sum(is_coded(word, stem) for stem in stems[gender]) for gender in GENDERS)
        return feminine, masculine

    def count(text: str) -> tuple[int, int]:
        counted = [count_word(word) for word in text.lower().split()]
        return sum(found[0] for found in counted), sum(found[1] for found in counted)

    return count


class Measure:
    """Measure one article after another by one procedure."""

    def __init__(self, procedure: str, lists: StudyWordLists, pronoun_share: float, scorer: Scorer | None) -> None:
        self._procedure = procedure
        self._lists = lists
        self._pronoun_share = pronoun_share
        self._scorer = scorer
        self._count_stems = stem_counter(lists)
        self._found: tuple[AnnotatedArticle, list[Actor], dict[int, int]] | None = None

    def find(
        self, article: AnnotatedArticle, pronoun_share: float | None = None
    ) -> tuple[list[ActorRow], list[RuleFinding]]:
        """Find the actors of an article, and everything observed about them, by this procedure's rules.

        `pronoun_share` replaces the least share of gendered pronouns that decides a gender. Several searches of one
        article share the resolution of its pronouns.
        """
        if self._found is None or self._found[0] is not article:
            actors = find_actors(article, self._lists)
            self._found = article, actors, resolve(article, actors, self._lists)
        _, actors, resolved = self._found
        share = self._pronoun_share if pronoun_share is None else pronoun_share
        if self._procedure == "corrected":
            return find_corrected_actors(article, actors, resolved, self._lists, share)
        return find_published_actors(article, antecedents_of(article, actors, resolved), self._lists, share)

    def check_language(self, article: AnnotatedArticle) -> tuple[bool, bool]:
        """Check whether an article uses gender-inclusive language, and the generic masculine."""
        return corrected_flags(article, self._lists) if self._procedure == "corrected" else published_flags(article)

    def __call__(self, article: AnnotatedArticle) -> tuple[list[dict[str, Any]], dict[str, Any], ArticleWords]:
        """Measure an article: the rows of its actors, its own row, and its words."""
        found, _ = self.find(article)
        article_words = ArticleWords(article, self._lists.stop_words)
        sentences: dict[int, tuple[float, int, int]] = {}
        rows = [self._actor_row(article, actor, article_words, sentences) for actor in found]
        return rows, self._article_row(article, rows), article_words

    def _actor_row(
        self,
        article: AnnotatedArticle,
        actor: ActorRow,
        article_words: ArticleWords,
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
        return row | article_words.of_sentences(actor.sentences)

    def _article_row(self, article: AnnotatedArticle, rows: list[dict[str, Any]]) -> dict[str, Any]:
        row: dict[str, Any] = {"id": article.id, "number": article.number, "group": article.group}
        row["words"] = sum(any(map(str.isalnum, token)) for token in article.tokens)
        row["inclusive_language"], row["generic_masculine"] = self.check_language(article)
        for gender in ACTOR_GENDERS:
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


def load_scorer(method: str) -> Scorer | None:
    """Load a scorer of sentences, or None for `none`; `MissingResourceError` if its requirements are not installed."""
    if method == NONE:
        return None
    if method == LEXICON:
        return _lexicon_scorer()
    return _model_scorer(method)


def _lexicon_scorer() -> Scorer:
    if find_spec("textblob_de") is None:
        raise MissingResourceError(
            "newsroom.sentiment is lexicon, but textblob-de is not installed; install the extra: "
            f"{how_to_install('newsroom')}, or set it to none"
        )
    from textblob_de.sentiments import sentiment

    @lru_cache(maxsize=_CACHED_SENTENCES)
    def score_lemmas(lemmas: tuple[str, ...]) -> float:
        # A string would be lower-cased, but nouns in the lexicon are capitalised.
        return float(sentiment(list(lemmas))[0]) if lemmas else 0.0

    def score(article: AnnotatedArticle, sentence: int) -> float:
        start, end = article.sentences[sentence]
        return score_lemmas(tuple(lemma for lemma in article.lemmas[start:end] if any(map(str.isalpha, lemma))))

    return score


def _model_scorer(model: str) -> Scorer:
    if find_spec("transformers") is None:
        raise MissingResourceError(
            f"newsroom.sentiment is {model}, but transformers is not installed; install the extra: "
            f"{how_to_install('sentiment')}, or set it to lexicon"
        )
    stay_offline()
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, pipeline

    try:
        # Measures never download; only one module has network access.
        parts = [
            kind.from_pretrained(model, local_files_only=True)
            for kind in (AutoModelForSequenceClassification, AutoTokenizer)
        ]
    except OSError as error:
        raise MissingResourceError(
            f"newsroom.sentiment: the model {model} cannot be loaded ({str(error).splitlines()[0]}); give a folder or "
            f"download it (hf download {model}), or set it to lexicon"
        ) from error
    classify = pipeline("sentiment-analysis", model=parts[0], tokenizer=parts[1], truncation=True)
    labels = set(classify.model.config.id2label.values())
    if not labels <= set(_SIGNS):
        raise MissingResourceError(
            f"newsroom.sentiment: {model} has the labels {', '.join(sorted(labels))}; it must have " + ", ".join(_SIGNS)
        )

    @lru_cache(maxsize=_CACHED_SENTENCES)
    def score_text(text: str) -> float:
        found = classify(text)[0]
        return _SIGNS[found["label"]] * found["score"]

    return lambda article, sentence: score_text(article.text_of(*article.sentences[sentence]))
