"""Treat annotated passages as articles, so that they are measured like any others."""

from pathlib import Path
from tempfile import TemporaryDirectory

from textparity.corpora.rows import write_batches
from textparity.persons.actors.languages import LANGUAGES, PAPER_LANGUAGE, form_of
from textparity.persons.passages import GoldPassage, read_passages
from textparity_studies.newsroom.articles import ARTICLE_SCHEMA
from textparity_studies.newsroom.conllu_files import import_annotations
from textparity_studies.newsroom.nlp_models import GOLD_CORPUS
from textparity_studies.newsroom.pipelines import parse_articles


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
        list_gold_passages(gold, articles, lang=lang)
        if conllu_file:
            import_annotations(conllu_file, articles, annotations)
        else:
            parse_articles(articles, annotations, model, coreference, threads)


def list_gold_passages(gold: Path, articles: Path, corpus: str = GOLD_CORPUS, lang: str = PAPER_LANGUAGE) -> None:
    """Write the passages as the rows of a corpus of articles."""
    rows = [
        {
            "id": f"{corpus}/{passage.id}", "doc_id": passage.id, "lang": lang, "text": passage.text,
            "group": passage.topic, "number": number, "file": gold.name,
        }
        for number, passage in enumerate(read_gold_passages(gold, lang))
    ]  # fmt: skip
    write_batches(articles, ARTICLE_SCHEMA, [rows])


def read_gold_passages(path: Path, lang: str = PAPER_LANGUAGE) -> list[GoldPassage]:
    """Read annotated passages in a language; `InputError` names the line of anything malformed."""
    pronouns = LANGUAGES[lang].pronouns
    return read_passages(path, lambda words: form_of(words) in pronouns)
