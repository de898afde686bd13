"""The paper's tokenizer for most languages: Stanza."""

import logging
import re
from collections.abc import Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import stanza
import torch
from stanza.models.common.doc import Document
from stanza.models.tokenization import data as stanza_data
from stanza.models.tokenization.data import TokenizationDataset
from stanza.models.tokenization.utils import predict
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from textparity.counting import Sentences
from textparity.sources.model_files import load_record

# On a CPU, larger batches cost more padding than they save.
BATCH_TEXTS = 64
MAXIMUM_LENGTH = 1000
SENTENCE_END = (2, 4)
MULTI_WORD = (3, 4)
# The release whose private functions this module uses.
KNOWN_RELEASE = "1.15."
# Features of Stanza 1.15 and later that depend on more than one character.
_CONTEXT_FEATURES = getattr(stanza_data, "STRUCTURAL_FEATURES", {})
_PARAGRAPH_BREAK = re.compile(r"\n[\s\u0080-\u009f]*\n")


class _CharacterFeatures(NamedTuple):
    """The unit of a character, and its features as first, inner and last character."""

    unit: np.int64
    features: np.ndarray


class _CachingDataset(TokenizationDataset):
    """Stanza's dataset with a cache: the features of each character are computed once rather than at every position.

    Unless a dictionary or a pattern is used, they depend on the character and on whether it is first or last. `known`
    has the characters read so far, and belongs to one model.
    """

    def __init__(self, known: dict[str, _CharacterFeatures], *arguments: Any, **options: Any) -> None:
        self._known = known
        super().__init__(*arguments, **options)

    def para_to_sentences(self, para: list[tuple[str, int]]) -> list[tuple[Any, ...]]:
        if len(para) < 2 or self._depends_on_context():
            return super().para_to_sentences(para)
        characters = [character for character, _ in para]
        known = self._known
        for character in set(characters) - known.keys():
            known[character] = self._read_character(character)
        described = [known[character] for character in characters]
        first = described[0]
        last = described[-1]
        features = np.array([character.features[1] for character in described])
        features[0] = first.features[0]
        features[-1] = last.features[2]
        units = np.array([character.unit for character in described])
        labels = np.zeros(len(characters), dtype=int)
        return [(units, labels, features, characters)]

    def _depends_on_context(self) -> bool:
        """Check whether features depend on more than one character."""
        context_features = set(_CONTEXT_FEATURES).intersection(self.args["feat_funcs"])
        return bool(self.args["use_dictionary"] or context_features)

    def _read_character(self, character: str) -> _CharacterFeatures:
        # As the first, an inner and the last character of a sentence.
        ((units, _, features, _),) = super().para_to_sentences([(character, 0)] * 3)
        return _CharacterFeatures(units[1], features)


class PaddedLSTM(nn.Module):
    """Replace a trained, batch-first, bidirectional `torch.nn.LSTM` over packed sequences for inference on a CPU.

    PyTorch uses its fast LSTM kernel for CPUs only for sequences that are not packed. Padding after a sequence does not
    change the output of the forward direction, and the backward direction reads each sequence reversed.
    """

    def __init__(self, trained: nn.LSTM) -> None:
        super().__init__()
        self._layers = nn.ModuleList()
        for layer in range(trained.num_layers):
            directions = nn.ModuleList()
            for suffix in ("", "_reverse"):
                directions.append(_single_direction(trained, f"l{layer}{suffix}"))
            self._layers.append(directions)
        self.eval()

    def forward(self, packed: PackedSequence) -> tuple[PackedSequence, None]:
        """Compute the packed outputs of both directions, without the final states, which no tokenizer reads."""
        values, lengths = pad_packed_sequence(packed, batch_first=True)
        _, longest, _ = values.shape
        reversed_positions = _reverse(lengths, longest)
        for forward_lstm, backward_lstm in self._layers:
            forward_outputs, _ = forward_lstm(values)
            reversed_values = _gather(values, reversed_positions)
            reversed_outputs, _ = backward_lstm(reversed_values)
            backward_outputs = _gather(reversed_outputs, reversed_positions)
            values = torch.cat([forward_outputs, backward_outputs], dim=2)
        return pack_padded_sequence(values, lengths, batch_first=True), None


def _reverse(lengths: torch.Tensor, longest: int) -> torch.Tensor:
    """List the positions of each sequence in reverse order, shape (sequences, longest, 1). Padding keeps its place."""
    positions = torch.arange(longest).expand(len(lengths), longest)
    ends = lengths.unsqueeze(1)
    reversed_positions = torch.where(positions < ends, ends - 1 - positions, positions)
    return reversed_positions.unsqueeze(2)


def _gather(values: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Put the values of each sequence into the order of some positions."""
    return values.gather(1, positions.expand_as(values))


def _single_direction(trained: nn.LSTM, suffix: str) -> nn.LSTM:
    """Make an LSTM of one layer and direction with the weights whose names end in `suffix`."""
    weights = {}
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        weights[f"{name}_l0"] = getattr(trained, f"{name}_{suffix}")
    _, input_size = weights["weight_ih_l0"].shape
    lstm = nn.LSTM(input_size, trained.hidden_size, batch_first=True)
    lstm.load_state_dict(weights)
    return lstm


def use_padded_lstms(model: nn.Module) -> None:
    """Replace the bidirectional LSTMs directly inside `model` if it is on the CPU."""
    for name, module in list(model.named_children()):
        if isinstance(module, nn.LSTM) and module.bidirectional and module.weight_ih_l0.device.type == "cpu":
            setattr(model, name, PaddedLSTM(module))


class _LabelledToken(NamedTuple):
    """A token, and whether it is a single word."""

    text: str
    is_word: bool


class StanzaTokenizer:
    """Stanza's `tokenize` processor on lower-cased text, with the model's own sentences.

    `expand_words` replaces multi-word tokens by their words, if the model supports it.
    """

    # Vietnamese words are written with spaces.
    spaces_in_tokens = True

    def __init__(self, code: str, model: Path, expand_words: bool = False) -> None:
        record = load_record(model)
        logging.getLogger("stanza").setLevel(logging.ERROR)
        torch.set_num_threads(1)
        self._pipeline = stanza.Pipeline(
            code, processors="tokenize", dir=record.folder, download_method=None, verbose=False
        )
        self._processor = self._pipeline.processors["tokenize"]
        self._is_known = version("stanza").startswith(KNOWN_RELEASE)
        if self._is_known:
            use_padded_lstms(self._processor.trainer.model)
        self._expander: Any = self._pipeline.processors.get("mwt") if expand_words else None
        self._known: dict[str, _CharacterFeatures] = {}
        self._words: dict[str, list[str]] = {}
        self.stand_in = record.stand_in
        kind = "stand-in" if record.stand_in else "official"
        self.label = f"Stanza {code} {record.package} ({kind} model, stanza {version('stanza')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.counting.tokenizers.Tokenizer`."""
        # At an empty line, Stanza would start another paragraph, but a text is a single one.
        texts = [_PARAGRAPH_BREAK.sub(" ", text.lower()) for text in texts]
        filled = [index for index, text in enumerate(texts) if text.strip()]
        cut: list[Sentences] = [[] for _ in texts]
        if not filled:
            return cut
        filled_texts = [texts[index] for index in filled]
        cut_filled = self._cut(filled_texts) if self._is_known else self._cut_by_pipeline(filled_texts)
        for index, sentences in zip(filled, cut_filled, strict=True):
            cut[index] = sentences
        return cut

    def _cut_by_pipeline(self, texts: list[str]) -> list[Sentences]:
        cut: list[Sentences] = []
        for document in self._pipeline.bulk_process(texts):
            sentences = []
            for sentence in document.sentences:
                words = sentence.words if self._expander else sentence.tokens
                sentences.append([word.text for word in words])
            cut.append(sentences)
        return cut

    def _cut(self, texts: list[str]) -> list[Sentences]:
        processor = self._processor
        data = _CachingDataset(
            self._known, processor.config, input_text="\n\n".join(texts), vocab=processor.vocab, evaluation=True,
            dictionary=processor.trainer.dictionary,
        )  # fmt: skip
        with torch.inference_mode():
            labels, characters = predict(
                processor.trainer, data, BATCH_TEXTS, MAXIMUM_LENGTH, use_regex_tokens=True, num_workers=0
            )
        decoded = []
        for its_characters, its_labels in zip(characters, labels, strict=True):
            decoded.append(self._decode(its_characters, its_labels))
        if self._expander:
            self._learn_words(decoded)
        return [list(map(self._expand, sentences)) for sentences in decoded]

    def _decode(self, characters: list[str], labels: np.ndarray) -> list[list[_LabelledToken]]:
        """Decode labels into the tokens of each sentence."""
        normalise = self._processor.vocab.normalize_token
        text = "".join(characters)
        sentences: list[list[_LabelledToken]] = [[]]
        start = 0
        for index in labels.nonzero()[0].tolist():
            label = labels[index]
            end = index + 1
            token = normalise(text[start:end])
            if token:
                sentences[-1].append(_LabelledToken(token, label not in MULTI_WORD))
            start = end
            if label in SENTENCE_END:
                sentences.append([])
        return [tokens for tokens in sentences if tokens]

    def _learn_words(self, texts: list[list[list[_LabelledToken]]]) -> None:
        """Expand the multi-word tokens of some texts, each once, because its words do not depend on its context."""
        tokens: set[str] = set()
        for sentence in chain.from_iterable(texts):
            tokens.update([token.text for token in sentence if not token.is_word])
        unknown = sorted(tokens - self._words.keys())
        if not unknown:
            return
        for token, words in zip(unknown, self._expand_tokens(unknown), strict=True):
            self._words[token] = words

    def _expand_tokens(self, tokens: Sequence[str]) -> list[list[str]]:
        """List the words of each multi-word token."""
        sentence: list[dict[str, Any]] = []
        for index, token in enumerate(tokens, start=1):
            sentence.append({"id": (index,), "text": token, "misc": "MWT=Yes"})
        document = self._expander.process(Document([sentence]))
        expanded = document.sentences[0]
        words_of_tokens: list[list[str]] = []
        for expanded_token in expanded.tokens:
            words = [word.text for word in expanded_token.words]
            words_of_tokens.append(words)
        return words_of_tokens

    def _expand(self, sentence: list[_LabelledToken]) -> list[str]:
        """List the words of a sentence. Without an expander, multi-word tokens stay whole."""
        words: list[str] = []
        for token in sentence:
            if token.is_word or not self._expander:
                words.append(token.text)
            else:
                words += self._words[token.text]
        return words
