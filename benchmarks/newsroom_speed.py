"""How fast articles are analysed, against the paper's own way: one process, one article at a time, pickles.

The paper's way, with the same rules and lists: spaCy as it comes, one call an article, names merged in the parse; PMI
that goes through the article for each actor and part of speech; a pickled data frame and a pickled dict an article,
which the reports, the three histograms, the flags and the balancing each load again. The paper's code parses and
measures a corpus once for its reports and once more for balancing; here it does so once, and the second ratio counts it
twice. Ours: the workflow's own functions, parsing in two processes and measuring in two. Both count the same actors, or
the benchmark fails.

    python benchmarks/newsroom_speed.py --articles test.csv --model de_core_news_lg --folder /tmp/newsroom
"""

import argparse
import pickle
import shutil
import time
from collections import Counter
from math import log2
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed

from textparity.corpora.reading import read_rows
from textparity.counting import GENDERS
from textparity.estimating.bootstrap import Bootstrap
from textparity.persons.annotations import SCHEMES
from textparity.tables import write_tables
from textparity_studies.newsroom.annotations import AnnotatedArticle, AnnotationParser, parse_articles
from textparity_studies.newsroom.articles import read_articles
from textparity_studies.newsroom.balance import exclude_articles, flag_articles
from textparity_studies.newsroom.inclusive_language import published_flags
from textparity_studies.newsroom.measuring import PARTS_OF_SPEECH, Measure, load_scorer, measure_articles
from textparity_studies.newsroom.summary import summarise_articles
from textparity_studies.newsroom.word_lists import load_study_lists
from textparity_studies.workflow.config import load_config
from textparity_studies.workflow.registry import StudyRegistry

ROOT = Path(__file__).parents[1]
CONFIG = load_config({}).newsroom
BOOTSTRAP = load_config({}).bootstrap
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
    Parallel(CORES)(delayed(_measure)((folder, part)) for part in parts)
    measures = [folder / f"measures{part}.parquet" for part in parts]
    words = [folder / f"words{part}.parquet" for part in parts]
    bootstrap = Bootstrap(1, BOOTSTRAP.resamples, BOOTSTRAP.confidence_level)
    files = [folder / "summary.csv", folder / "top_words.csv"]
    write_tables(summarise_articles(measures, words, "published", CONFIG.minimum_count, bootstrap), files, [])
    flag_articles(measures, folder / "flags.parquet", "published", THRESHOLDS, CONFIG.flags.minimum)
    exclude_articles(measures, folder / "flags.parquet", "published", CONFIG.balance.lower, CONFIG.balance.upper, 1)
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
        pronoun_shares=folder / f"pronoun_shares{part}.csv",
        inclusive_forms=folder / f"inclusive_forms{part}.parquet",
        procedure="published",
        pronoun_share=CONFIG.pronoun_share,
        sentiment="lexicon",
    )


def papers_way(source: Path, folder: Path, model: str, form: dict[str, str]) -> tuple[float, dict[str, int]]:
    """Do the same as the paper's public code does it; return the seconds for parsing and measuring, and the counts."""
    import spacy
    from spacy.pipeline.functions import merge_entities
    from thinc.api import NumpyOps, set_current_ops

    articles = folder / "articles.parquet"
    read_articles([source], [articles], folder / "rejected.csv", "gnad", "deu", form)
    # The tools as they come; only how annotations are taken from a Doc is shared.
    parser = AnnotationParser(model, "rules")
    set_current_ops(NumpyOps())
    parser.nlp = spacy.load(model)
    scheme = SCHEMES[parser.description["scheme"]]
    lists = load_study_lists(**LISTS)
    score = load_scorer("lexicon")
    measure = Measure("published", lists, CONFIG.pronoun_share, None)
    rows = read_rows(articles).to_pylist()
    start = time.perf_counter()
    for row in rows:
        doc = parser.nlp(row["text"])
        article = AnnotatedArticle(**parser._annotate(row, doc), scheme=scheme)
        merge_entities(doc)
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
    seconds = time.perf_counter() - start
    paths = sorted(folder.glob("knowledgebase_*.pkl"))
    # For the report and for the flags.
    for _ in range(2):
        reports = [_report(path) for path in paths]
    # For the histograms before, between and after the two steps, and for balancing.
    for _ in range(4):
        for path in paths:
            frame = pd.read_pickle(path)
            frame.groupby("gender")["mentions"].sum()
            frame["actor"].nunique()
    total = Counter()
    for report in reports:
        total.update(report)
    return seconds, {f"{gender}_{name}": total[f"{gender}_{name}"] for gender in GENDERS for name in _COUNTED}


def _pmi(article: AnnotatedArticle, sentences: list[int], part: str, stop_words: frozenset[str]) -> dict[str, float]:
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
    """Load an article's actors and sum them up with pandas, group by group, as the paper's reports and flags do."""
    frame = pd.read_pickle(path)
    actors = frame["gender"].value_counts().to_dict()
    mentions = frame.groupby("gender")["mentions"].sum().to_dict()
    for name in ("feminine_coded_words", "masculine_coded_words"):
        frame[name].sum()
        frame.groupby("gender")[name].sum().to_dict()
    frame["sentiment"].mean()
    frame.groupby("gender")["sentiment"].mean().to_dict()
    for name in PARTS_OF_SPEECH:
        Counter(word for words in frame[name] for word in words).most_common(10)
        for _, rows in frame.groupby("gender"):
            Counter(word for words in rows[name] for word in words).most_common(10)
    found = {}
    for gender in GENDERS:
        rows = frame[frame["gender"] == gender]
        found |= {f"{gender}_actors": actors.get(gender, 0), f"{gender}_mentions": mentions.get(gender, 0)}
        found |= {f"{gender}_{name}": int(rows[name].sum()) for name in _COUNTED[2:]}
    return found


def main() -> None:
    """Time both ways in turn and print their ratio."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--articles", type=Path, required=True, help="10kGNAD's test.csv, or a CSV file like it")
    arguments.add_argument("--model", required=True, help="a spaCy pipeline")
    arguments.add_argument("--folder", type=Path, required=True, help="a folder for what is written; emptied")
    arguments.add_argument("--rounds", type=int, default=1)
    given = arguments.parse_args()
    form = StudyRegistry(load_config({}).tables.model_dump(), base=ROOT).article_corpora["gnad"].form
    for number in range(1, given.rounds + 1):
        times, counts, told = {}, {}, {}
        for name, way in (("paper", papers_way), ("ours", ours)):
            shutil.rmtree(given.folder, ignore_errors=True)
            given.folder.mkdir(parents=True)
            start = time.perf_counter()
            told[name], counts[name] = way(given.articles, given.folder, given.model, form)
            times[name] = time.perf_counter() - start
        if counts["ours"] != counts["paper"]:
            raise SystemExit(f"the counts differ: {counts}")
        words, parsed = told["ours"], told["paper"]
        ratio = times["paper"] / times["ours"]
        speed = words / times["ours"] / CORES
        print(f"round {number}: {words:,} words; the paper's way {times['paper']:.0f} s, ours {times['ours']:.0f} s on")
        print(f"  {CORES} cores: {ratio:.1f} times as fast, {speed:,.0f} words a second and core;")
        print(
            f"  {ratio + parsed / times['ours']:.1f} times, if the paper's way parses for its reports and for balancing"
        )
    print(f"counts are equal: {counts['ours']}")


if __name__ == "__main__":
    main()
