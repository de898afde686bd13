"""Parse the annotated passages; keep them as articles of a newspaper for the demo, with their annotations as CoNLL-U.

TEXTPARITY_SPACY_MODEL=de_core_news_lg python tools/record_annotations.py
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from textparity.files import write_text
from textparity.studies.newsroom.conllu_files import export_annotations
from textparity.studies.newsroom.gold import list_gold_passages, read_gold_passages
from textparity.studies.newsroom.pipelines import parse_articles

REPOSITORY = Path(__file__).parents[1]
GOLD = REPOSITORY / "resources" / "newsroom" / "gold" / "newsroom_deu.txt"
DEMO = REPOSITORY / "resources" / "demo"
MONTHS = ("2022-05", "2022-11", "2023-05", "2023-11", "2024-05", "2024-11")


def main() -> None:
    """Write `news/*/taz_*.json`, in the format of taz2024full, and `news.conllu`."""
    passages = read_gold_passages(GOLD)
    for number, month in enumerate(MONTHS):
        these = passages[number :: len(MONTHS)]
        articles = {passage.id: {"topic": passage.topic, "text": {"text": passage.text}} for passage in these}
        path = DEMO / "news" / month[:4] / f"taz_{month}.json"
        write_text(path, json.dumps(articles, ensure_ascii=False, indent=1) + "\n")
    with TemporaryDirectory() as folder:
        articles, annotations = Path(folder) / "articles.parquet", Path(folder) / "annotations.parquet"
        list_gold_passages(GOLD, articles)
        parse_articles(articles, annotations, os.environ["TEXTPARITY_SPACY_MODEL"], "rules")
        export_annotations(annotations, DEMO / "news.conllu")


main()
