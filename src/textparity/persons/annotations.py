"""The annotation of a text by a parser."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc

PERSON_LABELS = ("PER", "PERSON")


@dataclass(frozen=True)
class DependencyScheme:
    """The meanings of dependency labels: TIGER's in spaCy's German models, ClearNLP's in English ones, or UD's."""

    name: str
    subject: frozenset[str]
    # The published code uses only the accusative object (TIGER `oa`).
    accusative_object: frozenset[str]
    dative_object: frozenset[str]
    # Links a word to the word whose role it shares, within names and appositions.
    same_referent: frozenset[str]
    conjunct: frozenset[str]
    complement_clause: frozenset[str]
    separable_prefix: frozenset[str]
    # Links a participle or infinitive to the auxiliary above it. In Universal Dependencies, it is the other way round.
    verb_cluster: frozenset[str] = frozenset()
    # Labels of possessive pronouns that are not determiners.
    possessive: frozenset[str] = frozenset()


TIGER = DependencyScheme(
    name="tiger",
    subject=frozenset({"sb"}),
    accusative_object=frozenset({"oa"}),
    dative_object=frozenset({"da"}),
    same_referent=frozenset({"pnc", "app", "nk", "uc"}),
    conjunct=frozenset({"cj", "cd"}),
    complement_clause=frozenset({"oc", "re", "rs", "par"}),
    verb_cluster=frozenset({"oc"}),
    separable_prefix=frozenset({"svp"}),
)
UNIVERSAL = DependencyScheme(
    name="ud",
    subject=frozenset({"nsubj", "nsubj:pass", "nsubj:outer"}),
    accusative_object=frozenset({"obj"}),
    dative_object=frozenset({"iobj", "obl:arg"}),
    same_referent=frozenset({"flat", "flat:name", "appos", "compound"}),
    conjunct=frozenset({"conj"}),
    complement_clause=frozenset({"ccomp", "parataxis"}),
    separable_prefix=frozenset({"compound:prt"}),
)
CLEAR = DependencyScheme(
    name="clear",
    subject=frozenset({"nsubj", "nsubjpass"}),
    accusative_object=frozenset({"dobj"}),
    dative_object=frozenset({"dative"}),
    same_referent=frozenset({"appos"}),
    conjunct=frozenset({"conj"}),
    complement_clause=frozenset({"ccomp", "parataxis"}),
    separable_prefix=frozenset({"prt"}),
    possessive=frozenset({"poss"}),
)
SCHEMES = {scheme.name: scheme for scheme in (TIGER, UNIVERSAL, CLEAR)}


def scheme_of(labels: Collection[str]) -> DependencyScheme:
    """Determine which scheme the labels belong to."""
    if "sb" in labels:
        return TIGER
    return CLEAR if "dobj" in labels else UNIVERSAL


@dataclass
class Annotation:
    """One text as lists with one item per token. `heads` are token numbers from 0.

    The root of a sentence is its own head. `entities` has the label of each token or an empty string.
    """

    tokens: list[str]
    spaces: list[bool]
    lemmas: list[str]
    parts_of_speech: list[str]
    tags: list[str]
    morphology: list[str]
    dependencies: list[str]
    heads: list[int]
    sentence_starts: list[bool]
    entities: list[str]
    entity_starts: list[bool]
    scheme: DependencyScheme = UNIVERSAL

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The first token of each sentence and the token after its last."""
        starts = [token for token, is_start in enumerate(self.sentence_starts) if is_start or token == 0]
        return list(pairwise([*starts, len(self)]))

    @cached_property
    def sentence_of(self) -> list[int]:
        """The number of each token's sentence."""
        numbers: list[int] = []
        for number, (start, end) in enumerate(self.sentences):
            numbers += [number] * (end - start)
        return numbers

    def sentence_start(self, token: int) -> int:
        """Find the first token of a token's sentence."""
        start, _ = self.sentences[self.sentence_of[token]]
        return start

    @cached_property
    def offsets(self) -> list[int]:
        """The first character of each token in the text."""
        lengths = (len(token) + space for token, space in zip(self.tokens, self.spaces, strict=True))
        return [0, *accumulate(lengths)][:-1]

    @cached_property
    def children(self) -> list[list[int]]:
        """The dependents of each token, in order."""
        children: list[list[int]] = [[] for _ in self.tokens]
        for token, head in enumerate(self.heads):
            if head != token:
                children[head].append(token)
        return children

    @cached_property
    def features(self) -> list[dict[str, str]]:
        """Each token's morphology as a dict (Universal Features)."""
        return [_read_features(cell) for cell in self.morphology]

    def entity_spans(self, labels: tuple[str, ...] = ()) -> list[tuple[int, int]]:
        """Find the first token of each entity and the token after its last. All labels count unless some are given."""
        spans: list[tuple[int, int]] = []
        label_before = ""
        for token, label in enumerate(self.entities):
            is_counted = label in labels if labels else bool(label)
            if is_counted:
                if label == label_before and not self.entity_starts[token]:
                    start, _ = spans.pop()
                else:
                    start = token
                spans.append((start, token + 1))
            label_before = label
        return spans

    def text_of(self, start: int, end: int) -> str:
        """Join the text of tokens `start` to `end` (exclusive), without the space after the last."""
        if end - start == 1:
            return self.tokens[start]
        text = ""
        for token in range(start, end):
            text += self.tokens[token]
            if self.spaces[token] and token < end - 1:
                text += " "
        return text

    def is_subject(self, token: int) -> bool:
        """Check whether a token is the subject of a verb."""
        return self.dependencies[token] in self.scheme.subject

    def subjects_of(self, verb: int) -> list[int]:
        """List the subjects below a token."""
        return list(filter(self.is_subject, self.children[verb]))

    def is_verb(self, token: int) -> bool:
        """Check whether a token is a verb or an auxiliary."""
        return self.parts_of_speech[token] in ("VERB", "AUX")

    def is_noun(self, token: int) -> bool:
        """Check whether a token is a common noun or a name."""
        return self.parts_of_speech[token] in ("NOUN", "PROPN")

    def is_plural(self, token: int) -> bool:
        """Check whether a token is a plural, by its morphology."""
        return self.features[token].get("Number") == "Plur"

    def is_capitalised(self, token: int) -> bool:
        """Check whether a token begins with a capital letter."""
        return self.tokens[token][:1].isupper()

    def root_of(self, start: int, end: int) -> int:
        """Find the highest token of a span in its sentence's tree, or the first of several."""
        return start if end - start == 1 else min(range(start, end), key=self._depth)

    def main_verb(self, verb: int) -> int:
        """Find the participle or infinitive that belongs to an auxiliary. Returns the verb itself if there is none."""
        while self.parts_of_speech[verb] == "AUX":
            below = self._verb_below(verb)
            if below is None:
                break
            verb = below
        return verb

    def _verb_below(self, auxiliary: int) -> int | None:
        for child in self.children[auxiliary]:
            is_in_cluster = self.dependencies[child] in self.scheme.verb_cluster
            if is_in_cluster and self.features[child].get("VerbForm") in ("Inf", "Part"):
                return child
        return None

    def _depth(self, token: int) -> int:
        depth = 0
        while self.heads[token] != token:
            token = self.heads[token]
            depth += 1
        return depth


def annotation_of(doc: "Doc") -> Annotation:
    """Convert the output of a spaCy pipeline."""
    columns = columns_of(doc)
    scheme = scheme_of(set(columns["dependencies"]))
    return Annotation(**columns, scheme=scheme)


def columns_of(doc: "Doc") -> dict[str, list[Any]]:
    """Convert the output of a spaCy pipeline to the columns of `Annotation`."""
    return {
        "tokens": [token.text for token in doc],
        "spaces": [bool(token.whitespace_) for token in doc],
        "lemmas": [token.lemma_ for token in doc],
        "parts_of_speech": [token.pos_ for token in doc],
        "tags": [token.tag_ for token in doc],
        "morphology": [str(token.morph) for token in doc],
        "dependencies": [token.dep_ for token in doc],
        "heads": [token.head.i for token in doc],
        "sentence_starts": [bool(token.is_sent_start) for token in doc],
        "entities": [token.ent_type_ for token in doc],
        "entity_starts": [token.ent_iob_ == "B" for token in doc],
    }


@lru_cache(maxsize=10_000)
def _read_features(cell: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in cell.split("|") if "=" in item)
