"""Stanza's neural tokenizers, run in batches without building Stanza's documents.

The paper calls Stanza once a line. A line's tokens do not depend on its neighbours, so many lines go through the
network at once, and only the characters' labels are read back; the tokens are the same (asserted in `benchmarks/`).
"""

import logging
import re
from importlib.metadata import version
from pathlib import Path

import stanza
import torch
from stanza.models.tokenization.data import TokenizationDataset
from stanza.models.tokenization.utils import predict

from textparity.models import load_record
from textparity.tokenizers import Sentences

# Larger batches pad more than they save on a CPU.
BATCH_TEXTS = 64
MAXIMUM_LENGTH = 1000
SENTENCE_END = (2, 4)
_PARAGRAPH_BREAK = re.compile(r"\n[\s\u0080-\u009f]*\n")


class StanzaTokenizer:
    """Stanza's `tokenize` processor on lower-cased text, sentences split as the model splits them.

    `expand_words` replaces multi-word tokens by their words (Arabic in the paper), where the model can.
    """

    def __init__(self, code: str, model: Path, expand_words: bool = False) -> None:
        record = load_record(model)
        logging.getLogger("stanza").setLevel(logging.ERROR)
        torch.set_num_threads(1)
        self._pipeline = stanza.Pipeline(
            code, processors="tokenize", dir=record.folder, download_method=None, verbose=False
        )
        self._processor = self._pipeline.processors["tokenize"]
        self._expand = expand_words and "mwt" in self._pipeline.processors
        self.stand_in = record.stand_in
        kind = "stand-in" if record.stand_in else "official"
        self.label = f"Stanza {code} {record.package} ({kind} model, stanza {version('stanza')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.tokenizers.Tokenizer`."""
        # An empty line would make Stanza see two paragraphs; a text is one.
        texts = [_PARAGRAPH_BREAK.sub(" ", text.lower()) for text in texts]
        filled = [index for index, text in enumerate(texts) if text.strip()]
        cut: list[Sentences] = [[] for _ in texts]
        sentences = self._cut_words if self._expand else self._cut_tokens
        for index, result in zip(filled, sentences([texts[index] for index in filled]), strict=True):
            cut[index] = result
        return cut

    def _cut_tokens(self, texts: list[str]) -> list[Sentences]:
        if not texts:
            return []
        processor = self._processor
        data = TokenizationDataset(
            processor.config, input_text="\n\n".join(texts), vocab=processor.vocab, evaluation=True,
            dictionary=processor.trainer.dictionary,
        )  # fmt: skip
        with torch.inference_mode():
            labels, characters = predict(
                processor.trainer, data, BATCH_TEXTS, MAXIMUM_LENGTH, use_regex_tokens=True, num_workers=0
            )
        return [self._decode(*pair) for pair in zip(characters, labels, strict=True)]

    def _decode(self, characters: list[str], labels: list[int]) -> Sentences:
        normalise = self._processor.vocab.normalize_token
        text = "".join(characters)
        sentences: Sentences = [[]]
        start = 0
        for index in labels.nonzero()[0].tolist():
            if token := normalise(text[start : index + 1]):
                sentences[-1].append(token)
            start = index + 1
            if labels[index] in SENTENCE_END:
                sentences.append([])
        return [tokens for tokens in sentences if tokens]

    def _cut_words(self, texts: list[str]) -> list[Sentences]:
        documents = self._pipeline.bulk_process(texts)
        return [
            [[word.text for token in sentence.tokens for word in token.words] for sentence in document.sentences]
            for document in documents
        ]
