"""How fast articles are analysed, against the paper's own way: one process, one article at a time, pickles.

The paper's way, with the same rules and lists: spaCy as it comes, one call an article; PMI that goes through the
article for each actor and part of speech; a pickled data frame and a pickled dict an article, which the reports, the
three histograms, the flags and the balancing each load again. Ours: the workflow's own functions, parsing in two
processes and measuring in two. Both count the same actors, or the benchmark fails.

    python benchmarks/newsroom_speed.py --articles test.csv --model de_core_news_lg --folder /tmp/newsroom
"""

import argparse
import pickle
import resource
import shutil
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from math import log2
from multiprocessing import get_context
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from textparity.newsroom.actor_rows import PARTS_OF_SPEECH
from textparity.newsroom.annotations import SCHEMES, Annotation
from textparity.newsroom.articles import read_articles
from textparity.newsroom.balancing import balance_corpus
from textparity.newsroom.flags import flag_articles
from textparity.newsroom.inclusive_language import published_flags
from textparity.newsroom.measuring import Measure, measure_articles
from textparity.newsroom.parsing import Parser, parse_articles
from textparity.newsroom.report_numbers import summarise_articles
from textparity.newsroom.sentiment import load_scorer
from textparity.newsroom.word_lists import GENDERS, load_word_lists
from textparity.registry import Registry
from textparity.config import load_config
from textparity.rows import read_rows

ROOT = Path(__file__).parents[1]
CONFIG = load_config({}).newsroom
LISTS = {name: ROOT / path for name, path in CONFIG.word_lists.model_dump().items()}
THRESHOLDS = CONFIG.flags.model_dump(exclude={"minimum"})
CORES = 2


def ours(source: Path, folder: Path, model: str, form: dict[str, str]) -> tuple[int, dict[str, int]]:
    """Run the workflow's steps with the published rules; return the words and the counts."""
    parts = range(CORES)
    articles = [folder / f"articles{part}.parquet" for part in parts]
    read_articles([source], articles, folder / "rejected.csv", "gnad", "deu", form)
    for part in parts:
        parse_articles(articles[part], folder / f"annotations{part}.parquet", model, "rules", threads=CORES)
    with ProcessPoolExecutor(CORES, get_context("spawn")) as pool:
        list(pool.map(_measure, [(folder, part) for part in parts]))
    measures = [folder / f"measures{part}.parquet" for part in parts]
    words = [folder / f"words{part}.parquet" for part in parts]
    bootstrap = load_config({}).bootstrap.model_dump()
    summarise_articles(
        measures, words, folder / "summary.csv", folder / "top_words.csv", "published", 5, seed=1, **bootstrap
    )
    flag_articles(measures, folder / "flags.parquet", "published", THRESHOLDS, CONFIG.flags.minimum)
    balance_corpus(
        measures,
        folder / "flags.parquet",
        folder / "excluded.csv",
        folder / "ratios.csv",
        "published",
        CONFIG.balance.lower,
        CONFIG.balance.upper,
        1,
    )
    rows = pd.concat([read_rows(path).to_pandas() for path in measures])
    counts = {f"{gender}_{name}": int(rows[f"{gender}_{name}"].sum()) for gender in GENDERS for name in _COUNTED}
    return int(rows["words"].sum()), counts


_COUNTED = ("actors", "mentions", "subject_roles", "object_roles", "direct_quotes", "indirect_quotes")


def _measure(job: tuple[Path, int]) -> None:
    folder, part = job
    measure_articles(
        folder / f"annotations{part}.parquet",
        **LISTS,
        actors=folder / f"actors{part}.parquet",
        articles=folder / f"measures{part}.parquet",
        words=folder / f"words{part}.parquet",
        procedure="published",
        pronoun_share=CONFIG.pronoun_share,
        sentiment="lexicon",
    )


def papers_way(source: Path, folder: Path, model: str, form: dict[str, str]) -> dict[str, int]:
    """Do the same as the paper's public code does it; return the counts."""
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    articles = folder / "articles.parquet"
    read_articles([source], [articles], folder / "rejected.csv", "gnad", "deu", form)
    # The tools as they come; only how annotations are taken from a Doc is shared.
    parser = Parser(model, "rules")
    set_current_ops(NumpyOps())
    parser.nlp = spacy.load(model)
    scheme = SCHEMES[parser.description["scheme"]]
    lists = load_word_lists(**LISTS)
    score = load_scorer("lexicon")
    measure = Measure("published", lists, CONFIG.pronoun_share, None)
    rows = read_rows(articles).to_pylist()
    for row in rows:
        doc = parser.nlp(row["text"])
        article = Annotation(**parser._annotate(row, doc), scheme=scheme)
        found, _ = measure.find(article)
        if not found:
            continue
        actors = []
        for actor in found:
            texts = [article.text_of(*article.sentences[sentence]) for sentence in actor.sentences]
            whole = " ".join(texts).lower().split()
            cells = vars(actor) | {
                "sentiment": sum(score(article, sentence) for sentence in actor.sentences) / len(actor.sentences),
                **{
                    f"{gender}_coded_words": sum(
                        stem in word for word in whole for stem, coded in lists.coded_stems.items() if coded == gender
                    )
                    for gender in GENDERS
                },
                **{
                    name: _pmi(article, actor.sentences, part, lists.stop_words)
                    for name, part in PARTS_OF_SPEECH.items()
                },
            }
            actors.append(cells)
        number = row["number"]
        with (folder / f"knowledgebase_{number}.pkl").open("wb") as file:
            pickle.dump(pd.DataFrame(actors), file)
        with (folder / f"meta_data_{number}.pkl").open("wb") as file:
            pickle.dump(dict(zip(("inclusive", "masculine"), published_flags(article), strict=True)), file)
    # Loaded for the report, before and after each of two steps for a histogram, for the flags and for the balancing.
    for _ in range(5):
        reports = [_report(path) for path in sorted(folder.glob("knowledgebase_*.pkl"))]
    total = Counter()
    for report in reports:
        total.update(report)
    return {f"{gender}_{name}": total[f"{gender}_{name}"] for gender in GENDERS for name in _COUNTED}


def _pmi(article: Annotation, sentences: list[int], part: str, stop_words: frozenset[str]) -> dict[str, float]:
    here, everywhere = Counter(), Counter()
    chosen = set(sentences)
    for place, token in enumerate(article.tokens):
        if article.parts_of_speech[place] != part or not token.isalpha() or token.lower() in stop_words:
            continue
        everywhere[token.lower()] += 1
        if article.sentence_of[place] in chosen:
            here[token.lower()] += 1
    scale = everywhere.total() / here.total() if here else 0
    return {word: log2(count / everywhere[word] * scale) for word, count in here.items()}


def _report(path: Path) -> dict[str, int]:
    frame = pd.read_pickle(path)
    found = {}
    for gender in GENDERS:
        rows = frame[frame["gender"] == gender]
        found[f"{gender}_actors"] = len(rows)
        found |= {f"{gender}_{name}": int(rows[name].sum()) for name in _COUNTED[1:]}
        found[f"{gender}_words"] = 0 * sum(
            len(Counter(word for words in rows[name] for word in words).most_common(10)) for name in PARTS_OF_SPEECH
        )
    return found


def main() -> None:
    """Time both ways in turn and print their ratio."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--articles", type=Path, required=True, help="10kGNAD's test.csv, or a CSV file like it")
    arguments.add_argument("--model", required=True, help="a spaCy pipeline")
    arguments.add_argument("--folder", type=Path, required=True, help="a folder for what is written; emptied")
    arguments.add_argument("--rounds", type=int, default=1)
    given = arguments.parse_args()
    form = Registry(load_config({}).tables.model_dump(), base=ROOT).article_corpora["gnad"].form
    for number in range(given.rounds):
        times, counts = {}, {}
        for name, way in (("paper's way", papers_way), ("ours", ours)):
            shutil.rmtree(given.folder, ignore_errors=True)
            given.folder.mkdir(parents=True)
            start = time.perf_counter()
            result = way(given.articles, given.folder, given.model, form)
            times[name] = time.perf_counter() - start
            words, counts[name] = result if name == "ours" else (0, result)
        if counts["ours"] != counts["paper's way"]:
            raise SystemExit(f"the counts differ: {counts}")
        articles = pq.read_metadata(given.folder / "articles0.parquet").num_rows * CORES
        print(
            f"round {number + 1}: about {articles:,} articles, {words:,} words; paper's way {times[chr(112) + 'aper' + chr(39) + 's way']:.0f} s"
        )
        print(
            f"  ours {times['ours']:.0f} s on {CORES} cores: {times[list(times)[0]] / times['ours']:.1f} times as fast,"
        )
        print(f"  {words / times['ours'] / CORES:,.0f} words a second and core; counts are equal")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of a process of ours: {peak:,.0f} MB")


if __name__ == "__main__":
    main()
