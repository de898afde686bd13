"""Find the lemmas and the head of a Ukrainian title: Stanza, or a substitute by rule."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from textparity.errors import how_to_install
from textparity.persons.ukrainian_genders import analyse

LANGUAGE = "uk"
PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
BY_RULE = "pymorphy3 lemma, head by rule"
BY_STANZA = "Stanza lemma and head"
_TOKEN = re.compile(r"[\w'’ʼ]+|[^\w\s]")


@dataclass(frozen=True)
class Word:
    """One word of a title. `is_root` marks the head of its sentence."""

    text: str
    lemma: str
    is_root: bool


class TitleParser(Protocol):
    """A parser of titles. `method` names how it finds lemmas and heads; `heads` lists those that it is sure of."""

    method: str

    def parse(self, text: str) -> list[Word]: ...

    def heads(self, text: str) -> set[str]: ...


class StanzaParser:
    """The paper's lemmatiser and dependency parser; `pipeline` is a Stanza pipeline with `PROCESSORS`."""

    method = BY_STANZA

    def __init__(self, pipeline: Callable[[str], Any]) -> None:
        self.parse = lru_cache(maxsize=None)(self._parse)
        self._pipeline = pipeline

    def _parse(self, text: str) -> list[Word]:
        sentences = self._pipeline(text).sentences
        # A word without a lemma in Stanza is its own lemma.
        return [Word(word.text, word.lemma or word.text, word.head == 0) for part in sentences for word in part.words]

    def heads(self, text: str) -> set[str]:
        return {word.text for word in self.parse(text) if word.is_root}


class RuleParser:
    """Substitute for Stanza: the head is the first word that can be an animate noun, or else the first noun.

    Punctuation marks are words of their own, as in Stanza's Ukrainian tokenizer.
    """

    method = BY_RULE

    def parse(self, text: str) -> list[Word]:
        tokens = _TOKEN.findall(text)
        parses = [max(analyse(token), key=lambda parse: _nouniness(parse.tag)) for token in tokens]
        ranks = [_nouniness(parse.tag) for parse in parses]
        head = ranks.index(max(ranks)) if ranks else 0
        return [
            Word(token, parse.normal_form, place == head)
            for place, (token, parse) in enumerate(zip(tokens, parses, strict=True))
        ]

    def heads(self, text: str) -> set[str]:
        """List none: `CorrectedJobs` has a better rule."""
        return set()


def _nouniness(tag: Any) -> int:
    """Rank animate nouns above other nouns, and nouns above everything else, because titles denote persons."""
    return 2 if {"NOUN", "anim"} in tag else int("NOUN" in tag)


def missing_parser(folder: str) -> str:
    """Explain why Stanza cannot parse Ukrainian with the models in `folder`. Empty if it can. Nothing is loaded."""
    if find_spec("stanza") is None:
        return f"Stanza is not installed; install the extra: {how_to_install('stanza')}"
    packages, models = _packages(folder), Path(folder) / LANGUAGE
    missing = [name for name in PROCESSORS if not (models / name / f"{packages.get(name)}.pt").is_file()]
    if not missing:
        return ""
    return (
        f"no Stanza model for Ukrainian with {', '.join(missing)} in {folder}; "
        f"stanza.download('{LANGUAGE}', model_dir='{folder}') gets it"
    )


def parser_version(folder: str) -> str:
    """Name the source of lemma and head, with Stanza's packages, because the classification depends on them."""
    if missing_parser(folder):
        return BY_RULE
    packages = _packages(folder)
    return f"{BY_STANZA}: {', '.join(f'{name} {packages[name]}' for name in PROCESSORS)}"


def load_parser(folder: str) -> TitleParser:
    """Load Stanza if its models are in `folder`, or else the rule."""
    if missing_parser(folder):
        return RuleParser()
    import stanza

    options = {"download_method": None, "use_gpu": False, "verbose": False}
    return StanzaParser(stanza.Pipeline(LANGUAGE, dir=folder, processors=",".join(PROCESSORS), **options))


def _packages(folder: str) -> dict[str, str]:
    index = Path(folder) / "resources.json"
    entry = json.loads(index.read_text(encoding="utf-8")).get(LANGUAGE, {}) if index.is_file() else {}
    packages = entry.get("packages", {}).get("default", {})
    # For some processors, the packages are a list of models with their dependencies.
    return {name: found if isinstance(found, str) else found[0]["package"] for name, found in packages.items()}
