"""What of the configured work cannot run here, and why: decided before any job starts, from files alone.

With `keep_going` such work is left out of the DAG and reported as `not run`; without it, its jobs fail and say so.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from textparity.archives import list_members
from textparity.config import Config, Engine, EntityRecognition
from textparity.errors import ConfigError
from textparity.files import write_rows
from textparity.llm.local import missing_local_model
from textparity.llm.models import ModelRow
from textparity.mirror import Mirror
from textparity.models import missing_model
from textparity.newsroom.tools import GOLD_CORPUS, NEWSROOM_LANGUAGE, missing_pipeline
from textparity.registry import CodedLexicon, Corpus, FileReference, Registry
from textparity.swapping import RULES, SWAPPING_LANGUAGE
from textparity.tokenizers import TokenizerChoice, choose_tokenizer

Unit = tuple[str, str, str]
"""A corpus, a language and an engine."""


def tokenizer_of(registry: Registry, lang: str, engine: str) -> TokenizerChoice:
    """Return how `engine` cuts `lang`, from its row."""
    row = registry.languages[lang]
    return choose_tokenizer(engine, row.published_tokenizer, row.stanza, row.icu_locale)


def lexicon_units(registry: Registry, config: Config) -> list[Unit]:
    """Return every unit of the lexicon study that the tables know of; an unknown name is a `ConfigError`."""
    unknown = [name for name in config.lexicon.corpora if name not in registry.corpora]
    if "lexicon" not in config.studies and (unknown or config.lexicon.lexicon not in registry.lexicons):
        return []
    if unknown:
        raise ConfigError(
            f"lexicon.corpora: {', '.join(unknown)} not in {registry.paths['corpora']}; it has "
            + ", ".join(registry.corpora)
        )
    if config.lexicon.lexicon not in registry.lexicons:
        raise ConfigError(
            f"lexicon.lexicon: {config.lexicon.lexicon} not in {registry.paths['lexicons']}; it has "
            + ", ".join(registry.lexicons)
        )
    _check_samples(registry, config, "lexicon.corpora", config.lexicon.corpora)
    languages = registry.select_languages(config.languages)
    return [
        (corpus, lang, engine)
        for corpus in config.lexicon.corpora
        for lang in languages
        if registry.corpus_has(corpus, lang)
        for engine in engines_of(registry.corpora[corpus], config)
    ]


def engines_of(corpus: Corpus, config: Config) -> list[Engine]:
    """Return the engines that cut this corpus; the first fills the tables and figures."""
    return config.lexicon.engines if corpus.unit == "sentence" else config.lexicon.document_engines


def find_gaps(registry: Registry, config: Config) -> dict[Unit, str]:
    """Return the units that cannot run here, each with its reason."""
    gaps = {}
    for unit in lexicon_units(registry, config):
        corpus, lang, engine = unit
        reason = (
            missing_file(registry.corpus_file(corpus, lang), config.mirror)
            or missing_file(registry.lexicon_file(config.lexicon.lexicon, lang), config.mirror)
            or _missing_tokenizer(tokenizer_of(registry, lang, engine), config)
        )
        if reason:
            gaps[unit] = reason
    return gaps


def representation_gaps(registry: Registry, config: Config) -> dict[tuple[str, str], str]:
    """Return the (corpus or gold file, language) pairs that cannot be read here, with the reason.

    Of a corpus, English counts and what there is a tagging prompt for. An unknown corpus or gold file is a
    `ConfigError`, unless the study is off.
    """
    gaps: dict[tuple[str, str], str] = {}
    if "representation" not in config.studies:
        return gaps
    wanted = config.representation.prompt
    for corpus in config.representation.corpora:
        if corpus not in registry.corpora:
            raise ConfigError(f"representation.corpora: {corpus} is no row of {registry.paths['corpora']}")
        for lang in sorted({"eng"} | {lang for prompt, lang, _ in registry.prompts if prompt == wanted}):
            if not registry.corpus_has(corpus, lang):
                continue
            if reason := missing_file(registry.corpus_file(corpus, lang), config.mirror):
                gaps[corpus, lang] = reason
    _check_samples(registry, config, "representation.corpora", config.representation.corpora)
    for gold in config.representation.gold:
        if gold not in registry.gold:
            raise ConfigError(f"representation.gold: {gold} is no row of {registry.paths['gold']}")
        lang = registry.gold[gold].lang
        reason = missing_file(registry.gold_file(gold), config.mirror) or missing_file(
            registry.lexicon_file(config.lexicon.lexicon, lang), config.mirror
        )
        if reason:
            gaps[gold, lang] = reason
    return gaps


def newsroom_gaps(registry: Registry, config: Config) -> dict[str, str]:
    """Return the corpora of articles that cannot be measured here, and the annotated passages, with the reason.

    An unknown corpus is a `ConfigError`, unless the study is off.
    """
    study = config.newsroom
    if "newsroom" not in config.studies:
        return {}
    for key, names, known in (
        ("corpora", study.corpora, list(registry.article_corpora)),
        ("annotations", study.annotations, [*registry.article_corpora, GOLD_CORPUS]),
    ):
        if unknown := [name for name in names if name not in known]:
            raise ConfigError(
                f"newsroom.{key}: {', '.join(unknown)} not in {registry.paths['article_corpora']}; it may be "
                + ", ".join(known)
            )
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


def swapping_gaps(registry: Registry, config: Config) -> dict[str, str]:
    """Return the corpora with entities that cannot be had here, with the reason.

    An unknown corpus, or one that is not swapped from the other, is a `ConfigError`, unless the study is off.
    """
    study = config.swapping
    if "swapping" not in config.studies:
        return {}
    rows = {"corpus": study.corpus} | ({} if study.swapped == RULES else {"swapped": study.swapped})
    for key, corpus in rows.items():
        if corpus not in registry.entity_corpora:
            raise ConfigError(
                f"swapping.{key}: {corpus} is no row of {registry.paths['entity_corpora']}; it has "
                + ", ".join(registry.entity_corpora)
                + (f", and {RULES} made here" if key == "swapped" else "")
            )
        if registry.entity_corpora[corpus].lang != SWAPPING_LANGUAGE:
            raise ConfigError(
                f"swapping.{key}: {corpus} is not in {SWAPPING_LANGUAGE}; the study's rules and word lists are "
                "Ukrainian: name another corpus"
            )
    if "swapped" in rows and registry.entity_corpora[study.swapped].swapped_from != study.corpus:
        raise ConfigError(
            f"swapping.swapped: {study.swapped} is not swapped from {study.corpus} by "
            f"{registry.paths['entity_corpora']}; name one that is"
        )
    if unknown := [system for system in study.outputs if system not in registry.swap_outputs]:
        raise ConfigError(
            f"swapping.outputs: {', '.join(unknown)} not in {registry.paths['swap_outputs']}; it has "
            + ", ".join(registry.swap_outputs)
        )
    gaps = {}
    for corpus in rows.values():
        reasons = (missing_file(file, config.mirror) for file in registry.entity_files(corpus))
        if reason := next(filter(None, reasons), ""):
            gaps[corpus] = reason
    return gaps


def swap_output_gaps(registry: Registry, config: Config) -> dict[str, str]:
    """Return the sets of swapped outputs that cannot be had here, with the reason."""
    if "swapping" not in config.studies:
        return {}
    reasons = {
        system: missing_file(registry.swap_output_file(system), config.mirror) for system in config.swapping.outputs
    }
    return {system: reason for system, reason in reasons.items() if reason}


def missing_recognizer(recognition: EntityRecognition) -> str:
    """Return why recognizers of entities are not trained here, or an empty string."""
    if not recognition.seeds:
        return "swapping.recognition.seeds is empty"
    if not find_spec("spacy"):
        return "spaCy is not installed (pip install 'textparity[train]')"
    if recognition.architecture != "transformer":
        return ""
    if not find_spec("spacy_transformers"):
        return "the package spacy-transformers is not installed (pip install spacy-transformers)"
    import torch

    return "" if torch.cuda.is_available() else "the paper's RoBERTa-large needs a GPU; architecture: tok2vec does not"


def select_taggers(registry: Registry, config: Config, models: dict[str, ModelRow]) -> list[str]:
    """Return the models that tag gold sentences; an unknown model, or one without a prompt, is a `ConfigError`."""
    study = config.representation
    if "representation" not in config.studies:
        return []
    for name in [*study.taggers, *([study.corpus_tagger] if study.corpus_tagger else [])]:
        if name not in models:
            raise ConfigError(
                f"representation: the model {name} is no row of {registry.paths['language_models']}; it has "
                + ", ".join(models)
            )
    if study.corpus_tagger and not tagged_languages(registry, config, models):
        raise ConfigError(
            f"representation.corpus_tagger: {registry.paths['prompts']} has no prompt {study.prompt} for the "
            f"{models[study.corpus_tagger].mode} mode of {study.corpus_tagger}; add its rows, or name another model"
        )
    for gold in study.gold if study.taggers else []:
        for name in study.taggers:
            key = (study.prompt, registry.gold[gold].lang, models[name].mode)
            if key not in registry.prompts:
                raise ConfigError(
                    f"representation.taggers: {name} is asked in {key[2]} mode, and {registry.paths['prompts']} has no "
                    f"prompt {key[0]} in {key[1]} for that; add its rows, or take {name} or the gold {gold} out"
                )
    return list(study.taggers)


def select_swappers(registry: Registry, config: Config, models: dict[str, ModelRow]) -> tuple[list[str], list[str]]:
    """Return the models that swap the corpus, and those that swap the test items.

    An unknown model, or one of the first without a prompt, is a `ConfigError`, unless the study is off.
    """
    study = config.swapping
    if "swapping" not in config.studies:
        return [], []
    for key in ("swappers", "evaluated_swappers"):
        if unknown := [name for name in getattr(study, key) if name not in models]:
            raise ConfigError(
                f"swapping.{key}: {', '.join(unknown)} is no row of {registry.paths['language_models']}; it has "
                + ", ".join(models)
            )
    if recorded := [name for name in study.evaluated_swappers if name in registry.swap_outputs]:
        raise ConfigError(
            f"swapping.evaluated_swappers: {', '.join(recorded)} is the name of a recorded set in "
            f"{registry.paths['swap_outputs']} too; name one of the two otherwise"
        )
    for name in study.swappers:
        if "prompt" not in registry.prompts.get((study.prompt, SWAPPING_LANGUAGE, models[name].mode), {}):
            raise ConfigError(
                f"swapping.swappers: {name} is asked in {models[name].mode} mode, and {registry.paths['prompts']} has "
                f"no prompt {study.prompt} in {SWAPPING_LANGUAGE} for that; add its rows, or take {name} out"
            )
    return list(study.swappers), list(study.evaluated_swappers)


def select_coded_lexicons(registry: Registry, config: Config) -> list[CodedLexicon]:
    """Return the lexicons of the `stereotypes` study; an unknown one is a `ConfigError`."""
    if "stereotypes" not in config.studies:
        return []
    for name in config.stereotypes.lexicons:
        if name not in registry.coded_lexicons:
            raise ConfigError(
                f"stereotypes.lexicons: {name} is no row of {registry.paths['coded_lexicons']}; it has "
                + ", ".join(registry.coded_lexicons)
            )
    return [registry.coded_lexicons[name] for name in config.stereotypes.lexicons]


def select_generators(registry: Registry, config: Config, models: dict[str, ModelRow]) -> list[str]:
    """Return the models that write sentences; an unknown model, or one without a prompt, is a `ConfigError`."""
    study = config.stereotypes
    if "stereotypes" not in config.studies:
        return []
    if config.lexicon.lexicon not in registry.lexicons:
        raise ConfigError(
            f"lexicon.lexicon: {config.lexicon.lexicon} not in {registry.paths['lexicons']}; sentences are checked "
            "and read with its English person nouns: name one that is, or take stereotypes out of studies"
        )
    for name in study.generators:
        if name not in models:
            raise ConfigError(
                f"stereotypes.generators: {name} is no row of {registry.paths['language_models']}; it has "
                + ", ".join(models)
            )
        if (study.prompt, "eng", models[name].mode) not in registry.prompts:
            raise ConfigError(
                f"stereotypes.generators: {name} is asked in {models[name].mode} mode, and {registry.paths['prompts']} "
                f"has no prompt {study.prompt} in eng for that; add its rows, or take {name} out"
            )
    return list(study.generators)


def tagged_languages(registry: Registry, config: Config, models: dict[str, ModelRow]) -> list[str]:
    """Return the languages that the corpus tagger has a prompt for; none without a tagger."""
    tagger = config.representation.corpus_tagger
    if tagger is None or tagger not in models:
        return []
    wanted = (config.representation.prompt, models[tagger].mode)
    return sorted(lang for prompt, lang, mode in registry.prompts if (prompt, mode) == wanted)


def story_set_gaps(
    registry: Registry, config: Config, sets: Mapping[tuple[str, str], str]
) -> dict[tuple[str, str], str]:
    """Return the published sets of stories (condition, language) that cannot be had here, with the reason.

    `sets` are the corpora of the table. One that is no row of the corpora table, or not in the language, is a
    `ConfigError`.
    """
    study = config.propagation
    gaps = {}
    for (condition, lang), corpus in sets.items():
        if lang not in {*study.languages, *study.training_languages}:
            continue
        if corpus not in registry.corpora or not registry.corpus_has(corpus, lang):
            raise ConfigError(
                f"{registry.paths['story_sets']}: {corpus} ({condition} {lang}) is no row of "
                f"{registry.paths['corpora']} with that language; mend one of the two"
            )
        if reason := missing_file(registry.corpus_file(corpus, lang), config.mirror):
            gaps[condition, lang] = reason
    return gaps


def check_story_models(
    registry: Registry, config: Config, models: Mapping[str, ModelRow], **prompts: list[str]
) -> None:
    """Raise `ConfigError` for a model of the `propagation` study that is no row, or has no prompt for a language.

    `prompts` are what each key of the study (`tagger`, `story_generator`) needs.
    """
    study = config.propagation
    langs = dict.fromkeys([*study.languages, *study.training_languages])
    for key, names in prompts.items():
        model = getattr(study, key)
        if model is None:
            continue
        if model not in models:
            raise ConfigError(
                f"propagation.{key}: {model} is no row of {registry.paths['language_models']}; it has "
                + ", ".join(models)
            )
        # English is counted by its words.
        for lang in (lang for lang in langs if key != "tagger" or lang != "eng"):
            for name in names:
                if "prompt" not in registry.prompts.get((name, lang, models[model].mode), {}):
                    raise ConfigError(
                        f"propagation.{key}: {model} is asked in {models[model].mode} mode, and "
                        f"{registry.paths['prompts']} has no prompt {name} in {lang} for that; add its rows, or name "
                        "another model"
                    )


def missing_model_access(row: ModelRow, environment: Mapping[str, str]) -> str:
    """Return why a language model cannot be asked from here, or an empty string; nothing is sent to find out."""
    if row.is_local:
        return missing_local_model(row)
    if row.api_key_env and not environment.get(row.api_key_env, "").strip():
        return f"the environment variable {row.api_key_env} is not set"
    return "" if find_spec("openai") else "the package openai is not installed (pip install 'textparity[llm]')"


def missing_file(file: FileReference, mirror: str | None) -> str:
    """Return why a file cannot be had, or an empty string; without a mirror, the network is trusted to have it."""
    if not file.url:
        if not Path(file.path).is_file():
            return f"there is no file {file.path}" + (f"; {file.access}" if file.access else "")
        lacking = file.member and file.member not in _members(Path(file.path))
        return f"{file.member} is not in {file.path}" if lacking else ""
    if not mirror or (Path(file.path).is_file() and not file.member):
        return ""
    stand_in = _mirror(mirror)
    if file.url not in stand_in:
        return f"{file.url} is not in the mirror"
    if file.member and file.member not in _members(stand_in.find(file.url)[0]):
        return f"{file.member} is not in the mirror's copy of {Path(file.path).name}"
    return ""


def _check_samples(registry: Registry, config: Config, key: str, corpora: list[str]) -> None:
    drawn = config.representation.sampling.samples
    for corpus in corpora:
        if int(registry.corpora[corpus].sample or 0) > drawn:
            raise ConfigError(
                f"{key}: {corpus} is sample {registry.corpora[corpus].sample} of its archive, but "
                f"representation.sampling.samples is {drawn}; raise it, which changes the other samples"
            )


def _missing_tokenizer(choice: TokenizerChoice, config: Config) -> str:
    if choice.kind not in ("stanza", "nltk"):
        return ""
    folder = config.models.stanza if choice.kind == "stanza" else config.models.nltk
    return missing_model(choice.kind, choice.code, str(folder), offline=config.mirror is not None)


def list_gaps(gaps: Path, reasons: list[list[str]]) -> None:
    """Write what was left out as CSV: corpus, lang, engine (empty where there is no choice), reason."""
    write_rows(gaps, ["corpus", "lang", "engine", "reason"], reasons)


@cache
def _mirror(folder: str) -> Mirror:
    return Mirror(folder)


@cache
def _members(archive: Path) -> frozenset[str]:
    return frozenset(list_members(archive))
