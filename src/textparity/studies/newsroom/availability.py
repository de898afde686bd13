"""Which corpora of articles the `newsroom` study can measure here, and why not the others."""

from textparity.errors import ConfigError
from textparity.studies.newsroom.tools import GOLD_CORPUS, NEWSROOM_LANGUAGE, missing_pipeline
from textparity.tsv import require_rows
from textparity.workflow.availability import missing_file
from textparity.workflow.config import Config
from textparity.workflow.registry import Registry


def newsroom_gaps(registry: Registry, config: Config) -> dict[str, str]:
    """Return the corpora of articles that cannot be measured here, and the annotated passages, with the reason.

    An unknown corpus is a `ConfigError`, unless the study is off.
    """
    study = config.newsroom
    if "newsroom" not in config.studies:
        return {}
    known, table = registry.article_corpora, registry.paths["article_corpora"]
    require_rows("newsroom.corpora", study.corpora, known, table)
    require_rows("newsroom.annotations", study.annotations, known, table, besides=[GOLD_CORPUS])
    if foreign := [name for name in study.corpora if registry.article_corpora[name].lang != NEWSROOM_LANGUAGE]:
        raise ConfigError(
            f"newsroom.corpora: {', '.join(foreign)} is not in {NEWSROOM_LANGUAGE}; the study's rules and word lists "
            "are German: take it out"
        )
    if study.annotations and study.parts != 1:
        raise ConfigError("newsroom.parts: must be 1 with newsroom.annotations, which are one file a corpus")
    gaps = {}
    for corpus in [*study.corpora, GOLD_CORPUS]:
        files = []
        if corpus != GOLD_CORPUS:
            ids = registry.article_document_ids(corpus)
            files = [*registry.article_files(corpus), *([ids] if ids else [])]
        reason = next(filter(None, (missing_file(file, config.mirror) for file in files)), "")
        if not reason and corpus not in study.annotations:
            reason = missing_pipeline(study.spacy_model)
        if reason:
            gaps[corpus] = reason
    return gaps
