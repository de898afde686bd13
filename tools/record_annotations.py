"""Parse the annotated passages of each language with a named pipeline, and keep the annotations as CoNLL-U.

TEXTPARITY_SPACY_MODEL=de_core_news_lg python tools/record_annotations.py

The German passages are also newspaper articles for the demo. TEXTPARITY_SPACY_MODEL_ENG and TEXTPARITY_SPACY_MODEL_FRA
name the pipelines for the passages that tests read.
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from textparity.files import write_text
from textparity_studies.newsroom.annotations import export_annotations
from textparity_studies.newsroom.scores import annotate_gold, read_gold_passages

REPOSITORY = Path(__file__).parents[1]
GOLD = REPOSITORY / "resources" / "newsroom" / "gold"
RECORDED = REPOSITORY / "tests" / "studies" / "newsroom" / "recorded"
MODELS = {"deu": "TEXTPARITY_SPACY_MODEL", "eng": "TEXTPARITY_SPACY_MODEL_ENG", "fra": "TEXTPARITY_SPACY_MODEL_FRA"}
DEMO = REPOSITORY / "resources" / "demo"
MONTHS = ("2022-05", "2022-11", "2023-05", "2023-11", "2024-05", "2024-11")


def main() -> None:
    """Write `news/*/taz_*.json`, in the format of taz2024full, `news.conllu`, and `recorded/*.conllu` of the tests."""
    for lang, variable in MODELS.items():
        if not (model := os.environ.get(variable)):
            continue
        if lang == "deu":
            write_articles()
        record(lang, model, DEMO / "news.conllu" if lang == "deu" else RECORDED / f"{lang}.conllu")


def write_articles() -> None:
    """Write the German passages as months of a newspaper."""
    passages = read_gold_passages(GOLD / "newsroom_deu.txt")
    for number, month in enumerate(MONTHS):
        these = passages[number :: len(MONTHS)]
        articles = {passage.id: {"topic": passage.topic, "text": {"text": passage.text}} for passage in these}
        path = DEMO / "news" / month[:4] / f"taz_{month}.json"
        write_text(path, json.dumps(articles, ensure_ascii=False, indent=1) + "\n")


def record(lang: str, model: str, conllu_file: Path) -> None:
    """Parse the passages of a language and write their annotations."""
    with TemporaryDirectory() as folder:
        annotations = Path(folder) / "annotations.parquet"
        annotate_gold(GOLD / f"newsroom_{lang}.txt", None, annotations, model, "rules", lang=lang)
        export_annotations(annotations, conllu_file)


main()
