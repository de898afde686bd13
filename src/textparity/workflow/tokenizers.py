"""Which tokenizer cuts a language, and whether it can be had here."""

from textparity.measures.tokenizers import TokenizerChoice
from textparity.report.ledger import NOT_HERE
from textparity.sources.tokenizer_models import NLTK_PACKAGE, missing_model
from textparity.workflow.config import Config
from textparity.workflow.registry import Registry

PAPER, ICU = ENGINES = ("paper", "icu")
MODULES = {"icu": "icu", "pythainlp": "thai", "nltk": "treebank", "stanza": "neural"}


def tokenizer_of(registry: Registry, lang: str, engine: str) -> TokenizerChoice:
    """Return how `engine` cuts `lang`: `paper` as the paper did, by its row; `icu` by Unicode's rules."""
    row = registry.languages[lang]
    if engine == ICU:
        return TokenizerChoice("icu", row.icu_locale, split_sentences=row.published_uses_stanza, clitics=row.clitics)
    if row.published_uses_stanza:
        return TokenizerChoice("stanza", row.stanza, expand_words=row.published_tokenizer == "stanza_mwt")
    return TokenizerChoice(row.published_tokenizer, "")


def tokenizer_module(choice: TokenizerChoice) -> str:
    """Return the module that cuts words for `choice`; `load_tokenizer` imports it only when asked."""
    return f"textparity.measures.tokenizers.{MODULES[choice.kind]}"


def model_record(choice: TokenizerChoice) -> str:
    """Return the record of the model that a tokenizer needs, relative to the folder of models; or nothing."""
    if choice.kind not in ("stanza", "nltk"):
        return ""
    return f"{choice.kind}/{choice.code if choice.kind == 'stanza' else NLTK_PACKAGE}.json"


def missing_tokenizer(choice: TokenizerChoice, config: Config) -> str:
    """Return why a tokenizer cannot be had here, or an empty string."""
    if not model_record(choice):
        return ""
    folder = str(getattr(config.models, choice.kind))
    missing = missing_model(choice.kind, choice.code, folder, offline=config.mirror is not None)
    # The models are public.
    return missing and f"{NOT_HERE}: {missing}"
