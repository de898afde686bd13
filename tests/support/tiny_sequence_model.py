"""An mT5 of a few thousand random parameters, with a tokenizer of a few words, made from a seed."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("peft")

from tokenizers import Tokenizer, models, pre_tokenizers, processors  # noqa: E402

from textparity_studies.swapping.settings import SequenceModelRow  # noqa: E402

WORDS = ["<pad>", "</s>", "<unk>", "заміни", "слово", ":", "лікар", "лікарка", "кухар", "кухарка", "прийшов", "прийшла"]
ROW = SequenceModelRow(
    name="tiny", model="tiny", quantisation="none", lora_rank=8, lora_alpha=32, lora_dropout=0, target_modules="q v",
    learning_rate=0.02, schedule="constant", warmup_steps=0, weight_decay=0.001, batch_size=4, gradient_accumulation=2,
    sequence_tokens=16, adapter="train", epochs=60, answer_tokens=6, instruction="заміни :",
)  # fmt: skip


def write_tiny_sequence_model(folder, unused=0):
    """Write the model to `folder`, and return it; its vocabulary may have `unused` places, as Aya's has."""
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.MT5Config(
        vocab_size=len(WORDS) + unused, d_model=64, d_kv=32, d_ff=64, num_layers=2, num_decoder_layers=2, num_heads=2,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, dropout_rate=0, tie_word_embeddings=False,
    )  # fmt: skip
    transformers.MT5ForConditionalGeneration(config).save_pretrained(folder)
    return folder
