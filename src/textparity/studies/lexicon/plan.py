"""What the `lexicon` study counts, and what of it cannot be counted here, with the reason."""

from textparity.measures.tokenizers import TokenizerChoice, choose_tokenizer
from textparity.sources.tokenizer_models import missing_model
from textparity.studies.lexicon.settings import Engine
from textparity.workflow.availability import check_samples, missing_file
from textparity.workflow.config import Config
from textparity.workflow.registry import Corpus, Registry
from textparity.workflow.registry_tables import require_rows

Unit = tuple[str, str, str]
"""A corpus, a language and an engine."""


def tokenizer_of(registry: Registry, lang: str, engine: str) -> TokenizerChoice:
    """Return how `engine` cuts `lang`, from its row."""
    row = registry.languages[lang]
    return choose_tokenizer(engine, row.published_tokenizer, row.stanza, row.icu_locale, row.clitics)


def lexicon_units(registry: Registry, config: Config) -> list[Unit]:
    """Return every unit of the lexicon study that the tables know of; an unknown name is a `ConfigError`."""
    study = config.lexicon
    if "lexicon" not in config.studies and (
        config.person_nouns not in registry.lexicons or not registry.corpora.keys() >= set(study.corpora)
    ):
        return []
    require_rows("lexicon.corpora", study.corpora, registry.corpora, registry.paths["corpora"])
    require_rows("person_nouns", [config.person_nouns], registry.lexicons, registry.paths["lexicons"])
    check_samples(registry, config, "lexicon.corpora", study.corpora)
    languages = registry.select_languages(config.languages)
    return [
        (corpus, lang, engine)
        for corpus in study.corpora
        for lang in languages
        if registry.corpus_has(corpus, lang)
        for engine in engines_of(registry.corpora[corpus], config)
    ]


def engines_of(corpus: Corpus, config: Config) -> list[Engine]:
    """Return the engines that cut this corpus; the first fills the tables and figures."""
    return config.lexicon.engines if corpus.unit == "sentence" else config.lexicon.document_engines


def lexicon_gaps(registry: Registry, config: Config) -> dict[Unit, str]:
    """Return the units that cannot run here, each with its reason."""
    gaps = {}
    for unit in lexicon_units(registry, config):
        corpus, lang, engine = unit
        reason = (
            missing_file(registry.corpus_file(corpus, lang), config.mirror)
            or missing_file(registry.lexicon_file(config.person_nouns, lang), config.mirror)
            or _missing_tokenizer(tokenizer_of(registry, lang, engine), config)
        )
        if reason:
            gaps[unit] = reason
    return gaps


def _missing_tokenizer(choice: TokenizerChoice, config: Config) -> str:
    if choice.kind not in ("stanza", "nltk"):
        return ""
    folder = config.models.stanza if choice.kind == "stanza" else config.models.nltk
    return missing_model(choice.kind, choice.code, str(folder), offline=config.mirror is not None)
