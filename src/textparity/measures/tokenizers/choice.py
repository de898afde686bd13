"""Which tokenizer cuts a language, and whether it can be had here."""

from textparity.measures.tokenizers import TokenizerChoice
from textparity.sources.tokenizer_models import NLTK_PACKAGE, missing_model
from textparity.workflow.config import Config
from textparity.workflow.registry import Registry
from textparity.workflow.registry_tables import Language

PAPER, ICU = ENGINES = ("paper", "icu")
MODULES = {"icu": "icu", "pythainlp": "thai", "nltk": "treebank", "stanza": "neural"}


def tokenizer_of(registry: Registry, lang: str, engine: str) -> TokenizerChoice:
    """Return how `engine` cuts `lang`, from its row: `paper` as the paper did, `icu` by Unicode's rules."""
    return choose_tokenizer(engine, registry.languages[lang])


def choose_tokenizer(engine: str, language: Language) -> TokenizerChoice:
    """Return the tokenizer of `engine` for a language."""
    with_stanza = language.published_uses_stanza
    if engine == ICU:
        return TokenizerChoice("icu", language.icu_locale, split_sentences=with_stanza, clitics=language.clitics)
    if with_stanza:
        return TokenizerChoice("stanza", language.stanza, expand_words=language.published_tokenizer == "stanza_mwt")
    return TokenizerChoice(language.published_tokenizer, "")


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
    return missing_model(choice.kind, choice.code, folder, offline=config.mirror is not None)
