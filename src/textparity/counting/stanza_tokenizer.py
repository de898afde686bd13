"""The paper's tokenizer for most languages: Stanza."""

import logging
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import stanza
import torch
from stanza.models.common.doc import Document
from stanza.models.tokenization import data as stanza_data
from stanza.models.tokenization.data import TokenizationDataset
from stanza.models.tokenization.utils import predict
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from textparity.counting.tokenizers import Sentences
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


class _CachingDataset(TokenizationDataset):
    """Stanza's dataset with a cache: the features of each character are computed once rather than at every position.

    Unless a dictionary or a pattern is used, they depend on the character and on whether it is first or last. `known`
    maps a character to its unit and to its features as first, inner and last character, and belongs to one model.
    """

    def __init__(self, known: dict[str, tuple[np.int64, np.ndarray]], *arguments: Any, **options: Any) -> None:
        self._known = known
        super().__init__(*arguments, **options)

    def para_to_sentences(self, para: list[tuple[str, int]]) -> list[tuple[Any, ...]]:
        if self.args["use_dictionary"] or set(_CONTEXT_FEATURES) & set(self.args["feat_funcs"]) or len(para) < 2:
            return super().para_to_sentences(para)
        characters = [character for character, _ in para]
        known = self._known
        for character in set(characters) - known.keys():
            ((units, _, features, _),) = super().para_to_sentences([(character, 0)] * 3)
            known[character] = units[1], features
        rows = [known[character] for character in characters]
        features = np.array([row[1][1] for row in rows])
        features[0], features[-1] = rows[0][1][0], rows[-1][1][2]
        units = np.array([row[0] for row in rows])
        return [(units, np.zeros(len(rows), dtype=int), features, characters)]


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
                weights = {
                    f"{name}_l0": getattr(trained, f"{name}_l{layer}{suffix}")
                    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                }
                lstm = nn.LSTM(weights["weight_ih_l0"].shape[1], trained.hidden_size, batch_first=True)
                lstm.load_state_dict(weights)
                directions.append(lstm)
            self._layers.append(directions)
        self.eval()

    def forward(self, packed: PackedSequence) -> tuple[PackedSequence, None]:
        """Compute the packed outputs of both directions, without the final states, which no tokenizer reads."""
        values, lengths = pad_packed_sequence(packed, batch_first=True)
        places = torch.arange(values.shape[1]).expand(values.shape[:2])
        ends = lengths.unsqueeze(1)
        reversed_places = torch.where(places < ends, ends - 1 - places, places).unsqueeze(2)
        for ahead, back in self._layers:
            backward_values = values.gather(1, reversed_places.expand_as(values))
            backward = back(backward_values)[0]
            values = torch.cat([ahead(values)[0], backward.gather(1, reversed_places.expand_as(backward))], dim=2)
        return pack_padded_sequence(values, lengths, batch_first=True), None


def use_padded_lstms(model: nn.Module) -> None:
    """Replace the bidirectional LSTMs directly inside `model` if it is on the CPU."""
    for name, module in list(model.named_children()):
        if isinstance(module, nn.LSTM) and module.bidirectional and module.weight_ih_l0.device.type == "cpu":
            setattr(model, name, PaddedLSTM(module))


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
        self._expander = self._pipeline.processors.get("mwt") if expand_words else None
        self._known: dict[str, tuple[np.int64, np.ndarray]] = {}
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
        if filled:
            cut_filled = self._cut if self._is_known else self._cut_by_pipeline
            for index, result in zip(filled, cut_filled([texts[index] for index in filled]), strict=True):
                cut[index] = result
        return cut

    def _cut_by_pipeline(self, texts: list[str]) -> list[Sentences]:
        return [
            [
                [part.text for part in (sentence.words if self._expander else sentence.tokens)]
                for sentence in document.sentences
            ]
            for document in self._pipeline.bulk_process(texts)
        ]

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
        decoded = [self._decode(*pair) for pair in zip(characters, labels, strict=True)]
        self._learn_words({token for text in decoded for sentence in text for token, whole in sentence if not whole})
        words = self._words if self._expander else {}
        return [
            [
                [word for token, whole in sentence for word in ([token] if whole else words.get(token, [token]))]
                for sentence in text
            ]
            for text in decoded
        ]

    def _decode(self, characters: list[str], labels: np.ndarray) -> list[list[tuple[str, bool]]]:
        """Decode labels into sentences of (token, whether it is a single word)."""
        normalise = self._processor.vocab.normalize_token
        text = "".join(characters)
        sentences: list[list[tuple[str, bool]]] = [[]]
        start = 0
        for index in labels.nonzero()[0].tolist():
            label = labels[index]
            if token := normalise(text[start : index + 1]):
                sentences[-1].append((token, label not in MULTI_WORD))
            start = index + 1
            if label in SENTENCE_END:
                sentences.append([])
        return [tokens for tokens in sentences if tokens]

    def _learn_words(self, tokens: set[str]) -> None:
        # The expander depends only on the token, not on its context, so each token is expanded once.
        if self._expander and (unknown := sorted(tokens - self._words.keys())):
            sentence = [{"id": (n,), "text": token, "misc": "MWT=Yes"} for n, token in enumerate(unknown, start=1)]
            expanded = self._expander.process(Document([sentence]))
            for token, found in zip(unknown, expanded.sentences[0].tokens, strict=True):
                self._words[token] = [word.text for word in found.words]
